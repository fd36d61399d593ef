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
      "exit codes: 0 done, 1 the simulation failed, 2 usage, 3 bad model or result file,\n"
      "            4 output cannot be written, 130 interrupted\n");
}

static const struct {
  const char *command, *line;
} examples[] = {
    {"run", "percuss run slider-crank"},
    {"run", "percuss run slider-crank --scheme rattle --dt 1e-5 --out crank.h5"},
    {"run", "percuss run slope --set mu=0.1 --until 2 --full"},
    {"compare", "percuss compare slider-crank"},
    {"compare", "percuss compare oscillator --schemes moreau-jean,rattle --y x -o schemes.svg"},
    {"converge", "percuss converge oscillator --scheme moreau-jean --dt 4e-3,2e-3,1e-3"},
    {"check", "percuss check slider-crank --set w1=150"},
    {"sweep", "percuss sweep slider-crank --set mu=0:0.2:5 --collect final.crank.angle -o mu.csv"},
    {"sweep",
     "percuss sweep slope --set 'mu=normal(0.3,0.02)' --samples 64 --collect final.mass.x"
     " -o s.h5"},
    {"solve", "percuss solve problem.hdf5"},
    {"solve", "percuss solve problem.hdf5 --solver all --tol 1e-8"},
    {"plot", "percuss plot crank.h5 --y slider.x --y crank.spin,rod.spin -o crank.png"},
    {"animate", "percuss animate crank.h5 -o crank.html"},
    {"view", "percuss view crank.h5 -o crank.html"},
    {"view", "percuss view crank.h5 rattle.h5 -o both.html"},
    {"export", "percuss export crank.h5 --csv crank.csv --columns slider.x,crank.angle"},
    {"reproduce", "percuss reproduce 'rattle-*' --out reproduced"},
    {"list", "percuss list models"},
    {"list", "percuss list elements revolute"},
};

/* The examples of a command, before everything else. */
static void print_examples(const char* name)
{
  int count = 0;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    if (strcmp(examples[i].command, name) != 0) continue;
    if (count++ == 0) printf("\nexamples:\n");
    printf("  %s\n", examples[i].line);
  }
}

int help_command(int argc, char** argv)
{
  if (argc < 2) {
    print_overview();
    return EXIT_DONE;
  }
  if (!strcmp(argv[1], "--man") || !strcmp(argv[1], "--completion")) {
    argv[1][2] == 'm' ? print_man_page(commands) : print_completion(commands);
    return EXIT_DONE;
  }
  const command* c = find_command(commands, argv[1]);
  if (!c) return complain(EXIT_USAGE, "there is no command '%s'; see 'percuss help'", argv[1]);
  printf("usage: percuss %s %s\n%s\n", c->name, c->arguments, c->summary);
  print_examples(c->name);
  printf("\n%s", c->details);
  if (c->options) print_options(c->options);
  return EXIT_DONE;
}
