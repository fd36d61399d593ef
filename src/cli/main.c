/* percuss: the program. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/heap.h"

const command commands[] = {
    {"run", "MODEL [options]", "simulate a model and print a summary",
     "MODEL is a file, or the name of one that comes with percuss (percuss list models).\n"
     "Scheme, dt and until come from the model's `simulate` section unless given here.\n",
     &run_option_set, run_command, NULL},
    {"compare", "MODEL [--schemes NAME,...] [options]",
     "run a model under several schemes and tabulate their results",
     "Without --schemes: all schemes that accept the model. One that refuses the model or fails "
     "is\n"
     "listed with the reason, and the others continue. A setting affects the schemes that use it.\n"
     "The distance is the largest difference of a component of the final q and u from a run of "
     "the\n"
     "most accurate scheme (--reference) with a small step (--reference-dt). The uncertainty of "
     "that\n"
     "run is printed, too.\n"
     "\n"
     "Exit code 0: at least one scheme reached the end; 1: none did.\n",
     &compare_option_set, compare_command, NULL},
    {"converge", "MODEL --dt H,H,... [--scheme NAME] [options]",
     "measure the errors of a scheme against a reference, and its order of convergence",
     "--dt takes two or more steps, separated by commas. The reference is a run of the same "
     "scheme\n"
     "with a small step, or a stored result. Percussions of a step are compared with the sum of "
     "the\n"
     "reference's over the same interval. rattle and lobatto use --tol 1e-14 unless it is given. "
     "--norm:\n"
     "  max      the largest difference of a component at any time of the run\n"
     "  l1, l2   the mean over the times of that difference; the root of the mean square\n"
     "  rattle   the largest over the components of dt times the sum over the times\n"
     "  lobatto  dt times the sum over the times and the components\n",
     &converge_option_set, converge_command, NULL},
    {"check", "MODEL [options]", "examine a model without running it",
     "Degrees of freedom, redundant joints, consistency of the initial values at position,\n"
     "velocity and acceleration level, closed contacts and their forces, a sensible dt;\n"
     "then warnings, each with a remedy.\n"
     "\n"
     "Exit code 0: ready to run (there may be warnings); 1: the initial values violate a joint\n"
     "or penetrate a contact; 2: usage; 3: bad model file.\n",
     &check_option_set, check_command, NULL},
    {"sweep", "MODEL --set NAME=VALUES ... --collect LIST --out TABLE.csv|h5 [options]",
     "run a model for many values of its parameters and collect the results in a table",
     "The values of the parameters form a grid (or are taken together: --zip), with --samples of\n"
     "the random ones at each point. --collect takes, separated by commas:\n"
     "  final.NAME                      the value at the end\n"
     "  max(NAME) min(NAME) maxabs(NAME) mean(NAME) std(NAME) sum(NAME)\n"
     "  count(CONTACT.closed)           or .opened: how often\n"
     "  at(CONTACT.closed: NAME)        the values at these events, a list\n"
     "  section(NAME=VALUE: NAME)       the values where the first quantity rises through VALUE\n"
     "  every(PERIOD: NAME)             the values at the multiples of a period [s]\n"
     "  penetration.max, steps ...      any key of the summary\n"
     "Lists can be limited: at(CONTACT.closed: NAME, last=N), first=N, after=TIME. Rows are "
     "written\n"
     "in order as they become available; runs that fail get a row, too. Under mpirun all "
     "processes\n"
     "share the rows.\n"
     "\n"
     "Exit code 0: all rows are in the table; 1: some are missing, or no run reached its end.\n",
     &sweep_option_set, sweep_command, NULL},
    {"solve", "PROBLEM.hdf5 [--solver NAME|all] [options]",
     "solve a friction-contact problem of FCLib and report the residual",
     "PROBLEM is a file of FCLib, in local or global form. --solver all compares all "
     "solvers\n"
     "in a table. The residual is that of 'include/percuss/solver.h', computed from the "
     "answer.\n"
     "Solvers begin with the dataset /guess of the file, if it has one (FCLib writes none).\n"
     "\n"
     "Exit code 0: the answer meets the tolerance (with all: that of at least one solver); 1: it "
     "does\n"
     "not; 2: usage, or a solver that does not support this problem; 3: not a problem of FCLib.\n",
     &solve_option_set, solve_command, NULL},
    {"plot", "RESULT.h5 [MORE.h5 ...] --y NAME[,NAME...] -o FIGURE.png|svg [options]",
     "plot recorded quantities over time or against each other",
     "Each --y is a panel; names after one --y share it. Several results are overlaid.\n"
     "A table of percuss sweep is drawn as points, as --histogram or as --map; of a list all "
     "values\n"
     "are drawn.\n"
     "Impacts (steps in which a contact closes) are marked over time if there are fewer than 60.\n"
     "Figures are drawn by gnuplot.\n",
     &plot_option_set, plot_command, NULL},
    {"animate", "RESULT.h5 -o FILM.svg|html|mp4|webm|gif|png [options]",
     "make a film of the mechanism: bodies, joints, contacts, impulses (percussions)",
     "A .svg plays by itself in a browser or a README, without scripts; a .html has a play button "
     "and\n"
     "a slider for the time. Pixel formats need rsvg-convert and ffmpeg; film.png is the first "
     "frame,\n"
     "film-%04d.png all frames. The result file holds the model, with the parameters of --set. Of "
     "a\n"
     "model of formulas the shapes in its `draw:` section are shown, or else its gaps.\n"
     "Arrows are impulses (percussions) on the first body of a contact; their length grows with "
     "the\n"
     "square root.\n",
     &animate_option_set, animate_command, NULL},
    {"view", "RESULT.h5 [MORE.h5 ...] -o VIEW.html [options]",
     "write an interactive page of a run: the mechanism in 2D or 3D, plots, impacts",
     "The page is one file that works without a network, in any browser with WebGL. Several "
     "results\n"
     "are overlaid, to compare two schemes or parameters. Keys: space plays, left and right step,\n"
     "? lists all.\n",
     &view_option_set, view_command, NULL},
    {"export", "RESULT.h5 --csv FILE|- or --vtk DIR [options]",
     "export a result as text columns, or as moving bodies for ParaView",
     "Without --columns the CSV file holds the time and all quantities that the model records.\n"
     "--vtk writes DIR/bodies.pvd, for ParaView to open, and one .vtp file per row.\n",
     &export_option_set, export_command, NULL},
    {"reproduce", "[ITEM ...] --out DIR [options]",
     "reproduce tables and figures of papers, beside the published values",
     "ITEM is a name from 'percuss list items' or a pattern such as 'rattle-*'; without any: all.\n"
     "Each item gives DIR/ITEM.svg, .csv (the points drawn) and .json (the verdict); index.html "
     "has\n"
     "all of them on one page. The last line says how many items agree with their paper in all\n"
     "values, and how many differ in one or more; a reason is given for each difference.\n",
     &reproduce_option_set, reproduce_command, reproduce_item_name},
    {"list", "schemes|solvers|models|elements|items [NAME]",
     "list schemes, solvers, models, elements or items",
     "schemes    the time-stepping schemes\n"
     "solvers    the contact solvers\n"
     "models     the models that come with percuss\n"
     "elements   what a model file can contain; with a NAME, its keys\n"
     "items      the tables and figures that 'percuss reproduce' makes\n",
     NULL, list_command, NULL},
    {"help", "[COMMAND]", "show this page, or that of a command",
     "Without COMMAND: the list of commands and exit codes.\n", NULL, help_command, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

static int unknown_command(const char* word)
{
  suggestion near = suggestion_for(word);
  for (const command* c = commands; c->name; c++) suggest(&near, c->name);
  return complain(EXIT_USAGE, "there is no command '%s'%s; see 'percuss help'", word,
                  suggestion_text(&near));
}

/* A stream that the shell closed (`>&-`) would leave its number to the next file that is opened,
 * and what is printed would go into a result. Something that cannot be written takes its place. */
static void hold_standard_streams(void)
{
  for (int number = 0; number <= 2; number++)
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY);
}

/* Takes "--" out of the words of a command that has no options to end. */
static int drop_end_of_options(int argc, char** argv)
{
  int kept = 1, ended = 0;
  for (int i = 1; i < argc; i++) {
    int ends = !ended && !strcmp(argv[i], "--");
    if (!ends) argv[kept++] = argv[i];
    ended |= ends;
  }
  return kept;
}

static int run(int argc, char** argv)
{
  if (argc < 2) {
    char help[] = "help";
    char* nothing[] = {help, NULL};
    help_command(1, nothing);
    return EXIT_USAGE;
  }
  const char* word = argv[1];
  if (!strcmp(word, "--version")) {
    printf("percuss %s\n", pc_version_text());
    return EXIT_DONE;
  }
  if (!strcmp(word, "--help") || !strcmp(word, "-h")) return help_command(1, argv + 1);
  const command* c = find_command(commands, word);
  if (!c) return unknown_command(word);
  for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
      char* page[] = {argv[i], argv[1], NULL};
      return help_command(2, page);
    }
  int words = c->options ? argc - 1 : drop_end_of_options(argc - 1, argv + 1);
  return c->run(words, argv + 1);
}

/* Writing to a closed pipe, or beyond a limit on the size of files, fails instead of ending the
 * program in the middle of a file. */
int main(int argc, char** argv)
{
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  give_large_arrays_pages();
  hold_standard_streams();
  int code = run(argc, argv);
  return code == EXIT_DONE ? flush_output() : code; /* what failed has said why */
}
