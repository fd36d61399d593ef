/* percuss help */
#include <string.h>

#include "cli/cli.h"

static void print_overview(void)
{
  printf("percuss %s: nonsmooth multibody dynamics\n\n", pc_version_text());
  printf("usage:\n");
  for (const command* c = commands; c->name; c++)
    printf("  percuss %s %s\n      %s\n", c->name, c->arguments, c->summary);
  printf("  percuss --version\n\n");
  printf("example:\n  percuss run slider-crank --scheme moreau-jean --dt 1e-4 --until 0.1\n\n");
  printf(
      "exit codes: 0 done, 1 the simulation failed, 2 usage, 3 bad model or result file, 4 output "
      "cannot be "
      "written, 130 interrupted\n");
}

int help_command(int argc, char** argv)
{
  if (argc < 2) {
    print_overview();
    return EXIT_DONE;
  }
  if (!strcmp(argv[1], "--man") || !strcmp(argv[1], "--completion")) {
    argv[1][2] == 'm' ? print_man_page() : print_completion();
    return EXIT_DONE;
  }
  const command* c = find_command(argv[1]);
  if (!c) return complain(EXIT_USAGE, "there is no command '%s'; see 'percuss help'", argv[1]);
  printf("usage: percuss %s %s\n%s\n\n%s", c->name, c->arguments, c->summary, c->details);
  if (c->options) {
    printf("\noptions:\n");
    print_options(c->options);
  }
  return EXIT_DONE;
}
