#include "console/options.h"

#include <string.h>

#include "console/message.h"
#include "study/suggest.h"

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
  if (*near.text) snprintf(near.text, sizeof near.text, " (did you mean '--%.38s'?)", near.name);
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
    if (only_words || argv[i][0] != '-' || !argv[i][1])
      code = set->take_word(into, argv[i]);
    else if (!strcmp(argv[i], "--"))
      only_words = 1;
    else if (argv[i][1] == '-')
      code = take_option(set, argc, argv, &i, into);
    else
      code = take_letter(set, argc, argv, &i, into);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}
