#include "cli/options.h"

#include <string.h>

#include "cli/cli.h"

static const struct {
  char letter;
  const char* name;
} letters[] = {{'o', "out"}};

enum { LETTER_COUNT = sizeof letters / sizeof *letters };

char option_letter(const char* name)
{
  for (int i = 0; i < LETTER_COUNT; i++)
    if (!strcmp(letters[i].name, name)) return letters[i].letter;
  return '\0';
}

int option_at(const option_set* set, int i, const char** name, const char** value,
              const char** help, const char** schemes)
{
  if (i < set->count) {
    *name = set->option[i].name;
    *value = set->option[i].value;
    *help = set->option[i].help;
    if (schemes) *schemes = "";
    return 1;
  }
  i -= set->count;
  if (!set->take_setting || i >= pc_setting_count()) return 0;
  pc_setting s = pc_setting_at(i);
  *name = s.key;
  *value = s.flag ? NULL : s.values;
  *help = s.help;
  if (schemes) *schemes = s.schemes;
  return 1;
}

/* ---- help ------------------------------------------------------------------------------------ */

/* The groups of a command that reads settings. What is in none of them and for all schemes is common. */
static const struct {
  const char* title;
  const char* names; /* between spaces */
} groups[] = {
    {"common", " "},
    {"output", " out force every resume y full json strict quiet "},
    {"contact solver",
     " tol max-iterations solver solver-tol acceptance on-failure activation-tol restitution-above "
     "frictionless threads "},
};

enum { GROUP_COUNT = sizeof groups / sizeof *groups, HELP_COLUMN = 26 };

static int is_in_group(int group, const char* name)
{
  char word[80];
  snprintf(word, sizeof word, " %s ", name);
  return strstr(groups[group].names, word) != NULL;
}

/* Which group an option is in, or GROUP_COUNT: it is for the schemes that read it. */
static int group_of(const char* name, const char* schemes)
{
  for (int g = 1; g < GROUP_COUNT; g++)
    if (is_in_group(g, name)) return g;
  return *schemes ? GROUP_COUNT : 0;
}

static void print_option(const char* name, const char* value, const char* help)
{
  char left[160], letter[8] = "";
  if (option_letter(name)) snprintf(letter, sizeof letter, "-%c, ", option_letter(name));
  snprintf(left, sizeof left, "%s--%s%s%s", letter, name, value ? " " : "", value ? value : "");
  if (strlen(left) > HELP_COLUMN)
    printf("  %s\n  %*s %s\n", left, HELP_COLUMN, "", help);
  else
    printf("  %-*s %s\n", HELP_COLUMN, left, help);
}

/* Those that just these schemes read. */
static void print_scheme_options(const option_set* set, const char* of)
{
  const char *name, *value, *help, *schemes;
  printf("\nfor %s:\n", of);
  for (int i = 0; option_at(set, i, &name, &value, &help, &schemes); i++)
    if (group_of(name, schemes) == GROUP_COUNT && !strcmp(schemes, of))
      print_option(name, value, help);
}

/* Whether an option before the i-th is for the same schemes. */
static int was_told(const option_set* set, int i, const char* of)
{
  const char *name, *value, *help, *schemes;
  for (int k = 0; k < i && option_at(set, k, &name, &value, &help, &schemes); k++)
    if (group_of(name, schemes) == GROUP_COUNT && !strcmp(schemes, of)) return 1;
  return 0;
}

void print_options(const option_set* set)
{
  const char *name, *value, *help, *schemes;
  if (!set->take_setting) {
    printf("\noptions:\n");
    for (int i = 0; option_at(set, i, &name, &value, &help, &schemes); i++)
      print_option(name, value, help);
    return;
  }
  for (int g = 0; g < GROUP_COUNT; g++) {
    printf("\n%s:\n", groups[g].title);
    for (int i = 0; option_at(set, i, &name, &value, &help, &schemes); i++)
      if (group_of(name, schemes) == g) print_option(name, value, help);
  }
  for (int i = 0; option_at(set, i, &name, &value, &help, &schemes); i++)
    if (group_of(name, schemes) == GROUP_COUNT && !was_told(set, i, schemes))
      print_scheme_options(set, schemes);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const option* find_option(const option_set* set, const char* name)
{
  for (int i = 0; i < set->count; i++)
    if (!strcmp(set->option[i].name, name)) return &set->option[i];
  return NULL;
}

static int find_setting(const option_set* set, const char* name, pc_setting* found)
{
  for (int i = 0; set->take_setting && i < pc_setting_count(); i++) {
    *found = pc_setting_at(i);
    if (!strcmp(found->key, name)) return 1;
  }
  return 0;
}

static int unknown(const option_set* set, const char* page, const char* name)
{
  suggestion near = suggestion_for(name);
  const char *known, *value, *help;
  for (int i = 0; option_at(set, i, &known, &value, &help, NULL); i++) suggest(&near, known);
  return complain(EXIT_USAGE, "there is no option '--%s'%s; see 'percuss help %s'", name,
                  suggestion_text(&near), page);
}

/* An option whose value, if it is not given, is the next word. */
static int take_named(const option_set* set, int argc, char** argv, int* i, const char* name,
                      char* value, void* into)
{
  const option* known = find_option(set, name);
  pc_setting setting = {0};
  if (!known && !find_setting(set, name, &setting)) return unknown(set, argv[0], name);
  if (known && !known->value) {
    if (value) return complain(EXIT_USAGE, "--%s takes no value", name);
    return known->take(into, name, NULL);
  }
  static char on[] = "on"; /* what a flag means that stands alone */
  if (!value && setting.flag) value = on;
  if (!value && *i + 1 < argc) value = argv[++*i];
  if (!value) return complain(EXIT_USAGE, "--%s needs a value", name);
  return known ? known->take(into, name, value) : set->take_setting(into, name, value);
}

/* --name, --name=value */
static int take_option(const option_set* set, int argc, char** argv, int* i, void* into)
{
  char* name = argv[*i] + 2;
  char* value = strchr(name, '=');
  if (value) *value++ = '\0';
  return take_named(set, argc, argv, i, name, value, into);
}

/* -o */
static int take_letter(const option_set* set, int argc, char** argv, int* i, void* into)
{
  const char* word = argv[*i];
  for (int k = 0; k < LETTER_COUNT; k++)
    if (word[1] == letters[k].letter && !word[2] && find_option(set, letters[k].name))
      return take_named(set, argc, argv, i, letters[k].name, NULL, into);
  return complain(EXIT_USAGE, "there is no option '%s'; see 'percuss help %s'", word, argv[0]);
}

int read_options(const option_set* set, int argc, char** argv, void* into)
{
  int only_words = 0;
  for (int i = 1; i < argc; i++) {
    int code = EXIT_DONE;
    if (only_words)
      code = set->take_word(into, argv[i]);
    else if (!strcmp(argv[i], "--"))
      only_words = 1;
    else if (!strncmp(argv[i], "--", 2))
      code = take_option(set, argc, argv, &i, into);
    else if (argv[i][0] == '-' && argv[i][1])
      code = take_letter(set, argc, argv, &i, into);
    else
      code = set->take_word(into, argv[i]);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}
