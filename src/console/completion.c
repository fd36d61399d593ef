/* The completion for bash, written from the tables of commands, options, schemes and solvers. */
#include <stdio.h>
#include <string.h>

#include "console/command.h"
#include "percuss/percuss.h"

static void print_names(const char* const* names)
{
  for (int i = 0; names[i]; i++) printf("%s%s", i ? " " : "", names[i]);
}

/* How many letters at the beginning of a text are a list of words to type: "mid|trapezoid" and the
 * beginning of "schemes|solvers [NAME]", but not "RESULT.h5 --csv FILE|-". */
static size_t alternatives_length(const char* text)
{
  size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-|");
  int ends = !text[length] || text[length] == ' ';
  return ends && memchr(text, '|', length) ? length : 0;
}

static void print_alternatives(const char* text)
{
  size_t length = alternatives_length(text);
  for (size_t i = 0; i < length; i++) putchar(text[i] == '|' ? ' ' : text[i]);
}

/* Options of a command, the words it takes, and whether files are among them. */
static void print_options_of(const command* commands, const command* c)
{
  printf("    %s) options='--help", c->name);
  const char *name, *value, *help;
  for (int i = 0; c->options && option_at(c->options, i, &name, &value, &help, NULL); i++)
    printf(" --%s", name);
  printf("' words='");
  print_alternatives(c->arguments);
  if (strstr(c->arguments, "COMMAND"))
    for (const command* other = commands; other->name; other++) printf("%s ", other->name);
  for (int i = 0; c->word && c->word(i); i++) printf("%s ", c->word(i));
  printf("'");
  if (strstr(c->arguments, "MODEL") || strstr(c->arguments, "RESULT")) printf(" files=yes");
  printf(" ;;\n");
}

/* What may stand behind an option, by its name: names known to the library, alternatives of its
 * table, or files; every option is listed once, whichever commands take it. */
static int seen_before(const command* commands, const command* until, int index, const char* wanted)
{
  const char *name, *value, *help;
  for (const command* c = commands; c->name; c++)
    for (int i = 0; c->options && option_at(c->options, i, &name, &value, &help, NULL); i++) {
      if (c == until && i == index) return 0;
      if (!strcmp(name, wanted)) return 1;
    }
  return 0;
}

static void print_value_of(const char* name, const char* value)
{
  printf("    ");
  if (option_letter(name)) printf("-%c|", option_letter(name));
  printf("--%s) ", name);
  if (!strcmp(name, "scheme") || !strcmp(name, "schemes")) {
    printf("words='");
    print_names(pc_scheme_names());
    printf("'");
  } else if (!strcmp(name, "solver")) {
    printf("words='");
    print_names(pc_solver_names());
    printf("'");
  } else if (alternatives_length(value)) {
    printf("words='");
    print_alternatives(value);
    printf("'");
  } else if (strstr(value, "FILE") || strstr(value, "FIG")) {
    printf("COMPREPLY=($(compgen -f -- \"$word\")); return");
  } else if (strstr(value, "DIR")) {
    printf("COMPREPLY=($(compgen -d -- \"$word\")); return");
  } else {
    printf("return");
  }
  printf(" ;;\n");
}

static void print_values(const command* commands)
{
  const char *name, *value, *help;
  for (const command* c = commands; c->name; c++)
    for (int i = 0; c->options && option_at(c->options, i, &name, &value, &help, NULL); i++)
      if (value && !seen_before(commands, c, i, name)) print_value_of(name, value);
}

void print_completion(const command* commands)
{
  printf(
      "# Completion of percuss %s for bash; made by 'percuss help --completion'.\n"
      "_percuss()\n{\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= options=\n"
      "  local files= i ended=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '--help --version",
      pc_version_text());
  for (const command* c = commands; c->name; c++) printf(" %s", c->name);
  printf(
      "' -- \"$word\"))\n    return\n  fi\n"
      "  for ((i = 2; i < COMP_CWORD; i++)); do [ \"${COMP_WORDS[i]}\" = -- ] && ended=yes; done\n"
      "  [ -n \"$ended\" ] || case $before in\n");
  print_values(commands);
  printf(
      "  esac\n"
      "  if [ -n \"$words\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    return\n  fi\n"
      "  case ${COMP_WORDS[1]} in\n");
  for (const command* c = commands; c->name; c++) print_options_of(commands, c);
  printf(
      "  esac\n"
      "  if [[ $word == -* && -z $ended ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n    return\n  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
      "complete -o filenames -F _percuss percuss\n");
}
