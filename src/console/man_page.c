/* percuss(1), written from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "console/command.h"
#include "percuss/percuss.h"

/* Text as roff wants it: no control line by accident, a hyphen that can be copied. */
static void print_roff(const char* text)
{
  int line_start = 1;
  for (; *text; text++) {
    if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    line_start = *text == '\n';
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
  }
}

static void print_section(const char* title)
{
  printf(".SH %s\n", title);
}

/* .B for what is typed as it stands, then the rest in roman. */
static void print_tagged(const char* bold, const char* rest)
{
  fputs(".TP\n\\fB", stdout);
  print_roff(bold);
  fputs("\\fR", stdout);
  if (rest && *rest) {
    putchar(' ');
    print_roff(rest);
  }
  putchar('\n');
}

static void print_synopsis(const command* commands)
{
  print_section("SYNOPSIS");
  for (const command* c = commands; c->name; c++) {
    fputs(".B percuss ", stdout);
    print_roff(c->name);
    putchar('\n');
    print_roff(c->arguments);
    fputs("\n.br\n", stdout);
  }
  fputs(".B percuss \\-\\-version\n", stdout);
}

static void print_command_options(const option_set* set)
{
  const char *name, *value, *help, *schemes;
  for (int i = 0; option_at(set, i, &name, &value, &help, &schemes); i++) {
    char dashed[80], letter[8] = "";
    if (option_letter(name)) snprintf(letter, sizeof letter, "-%c, ", option_letter(name));
    snprintf(dashed, sizeof dashed, "%s--%s", letter, name);
    print_tagged(dashed, value);
    print_roff(help);
    if (*schemes) {
      fputs("\n(", stdout);
      print_roff(schemes);
      putchar(')');
    }
    putchar('\n');
  }
}

/* A command: its summary, its details line by line, its options. */
static void print_command(const command* c)
{
  fputs(".SS percuss ", stdout);
  print_roff(c->name);
  putchar(' ');
  print_roff(c->arguments);
  putchar('\n');
  print_roff(c->summary);
  putchar('\n');
  if (*c->details) {
    fputs(".PP\n.nf\n", stdout);
    print_roff(c->details);
    fputs(".fi\n", stdout);
  }
  if (c->options) print_command_options(c->options);
}

static void print_exit_codes(void)
{
  static const char* const meaning[][2] = {{"0", "done"},
                                           {"1", "the simulation failed"},
                                           {"2", "a wrong option or value"},
                                           {"3", "a bad or missing model file"},
                                           {"4", "output cannot be written"},
                                           {"130", "interrupted"}};
  print_section("EXIT STATUS");
  for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++) {
    print_tagged(meaning[i][0], NULL);
    print_roff(meaning[i][1]);
    putchar('\n');
  }
}

void print_man_page(const command* commands)
{
  printf(".TH PERCUSS 1 \"\" \"percuss %s\" \"User Commands\"\n", pc_version_text());
  print_section("NAME");
  fputs("percuss \\- nonsmooth multibody dynamics: contact, impact and friction\n", stdout);
  print_synopsis(commands);
  print_section("DESCRIPTION");
  fputs(
      "Simulates mechanisms of rigid and flexible bodies with joints, contact, impact and Coulomb "
      "friction by\n"
      "event-capturing time-stepping schemes. A model is a YAML file; results are HDF5 files.\n",
      stdout);
  print_section("COMMANDS");
  for (const command* c = commands; c->name; c++) print_command(c);
  print_exit_codes();
  print_section("EXAMPLE");
  fputs(".nf\n", stdout);
  print_roff("percuss run slider-crank --scheme moreau-jean --dt 1e-4 --until 0.1\n");
  fputs(".fi\n", stdout);
}
