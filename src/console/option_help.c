/* The options of a command on its help page. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "console/options.h"
#include "percuss/percuss.h"
#include "study/lines.h"

/* The groups of a command that reads settings. What is in none of them and for all schemes is
 * common. */
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

/* Whether a value (NULL: the option takes none) is described ("positive [m]", "0 to 1") instead of
 * named (FILE, NAME=VALUE) or listed (in|after). */
static int is_described(const char* value)
{
  return value && (islower((unsigned char)*value) || isdigit((unsigned char)*value)) &&
         !strchr(value, '|');
}

/* A text in lines that end before the right margin. `column` is where the first one begins. */
static void print_wrapped(const char* text, int column)
{
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column > HELP_COLUMN + 3 && column + 1 + length > LINE_WIDTH) {
      printf("\n%*s", HELP_COLUMN + 3, "");
      column = HELP_COLUMN + 3;
    } else if (column > HELP_COLUMN + 3) {
      putchar(' ');
      column++;
    }
    printf("%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

static void print_option(const char* name, const char* value, const char* help)
{
  char left[160], right[512], letter[8] = "";
  int described = is_described(value);
  const char* shown = !value ? "" : described ? "X" : value;
  const char* unit = value && described ? strchr(value, '[') : NULL;
  if (option_letter(name)) snprintf(letter, sizeof letter, "-%c, ", option_letter(name));
  snprintf(left, sizeof left, "%s--%s%s%s", letter, name, value ? " " : "", shown);
  if (value && described)
    snprintf(right, sizeof right, "%s%s%s (%.*s)", help, unit ? " " : "", unit ? unit : "",
             (int)(unit ? unit - 1 - value : (long)strlen(value)), value);
  else
    snprintf(right, sizeof right, "%s", help);
  if (strlen(left) > HELP_COLUMN)
    printf("  %s\n%*s", left, HELP_COLUMN + 3, "");
  else
    printf("  %-*s ", HELP_COLUMN, left);
  print_wrapped(right, HELP_COLUMN + 3);
}

/* Whether a scheme is among others, between spaces. */
static int has_scheme(const char* schemes, const char* name)
{
  size_t length = strlen(name);
  for (const char* at = schemes; (at = strstr(at, name)); at += length)
    if ((at == schemes || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
  return 0;
}

/* "for rattle, lobatto:" or "for all schemes but moreau:" */
static void print_scheme_title(const char* of)
{
  const char* missing = NULL;
  int missing_count = 0;
  for (const char* const* s = pc_scheme_names(); *s; s++)
    if (!has_scheme(of, *s)) missing = *s, missing_count++;
  if (missing_count == 1) {
    printf("\nfor all schemes but %s:\n", missing);
    return;
  }
  printf("\nfor ");
  for (; *of; of++) printf(*of == ' ' ? ", " : "%c", *of);
  printf(":\n");
}

/* Those that just these schemes read. */
static void print_scheme_options(const option_set* set, const char* of)
{
  const char *name, *value, *help, *schemes;
  print_scheme_title(of);
  for (int i = 0; option_at(set, i, &name, &value, &help, &schemes); i++)
    if (group_of(name, schemes) == GROUP_COUNT && !strcmp(schemes, of))
      print_option(name, value, help);
}

/* Whether an option before the i-th is for the same schemes. */
static int was_printed(const option_set* set, int i, const char* of)
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
    if (group_of(name, schemes) == GROUP_COUNT && !was_printed(set, i, schemes))
      print_scheme_options(set, schemes);
}
