/* The command line: one file per subcommand, one table of options for parsing and for help. */
#ifndef PC_CLI_CLI_H
#define PC_CLI_CLI_H

#include <stdio.h>

#include "cli/options.h"
#include "percuss/percuss.h"
#include "study/suggest.h"

/* Exit codes; scripts rely on them. */
enum {
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
  EXIT_MODEL = 3,
  EXIT_OUTPUT = 4,
  EXIT_INTERRUPTED = 130
};

typedef struct command {
  const char* name;
  const char* arguments; /* "MODEL [options]" */
  const char* summary;
  const char* details;               /* a few lines for its help page, or "" */
  const option_set* options;         /* NULL: it takes words only */
  int (*run)(int argc, char** argv); /* argv[0] is the command's name */
} command;

/* Ended by a NULL name. */
extern const command commands[];
const command* find_command(const char* name);

int run_command(int argc, char** argv);
int check_command(int argc, char** argv);
int list_command(int argc, char** argv);
int help_command(int argc, char** argv);
int plot_command(int argc, char** argv);
int export_command(int argc, char** argv);
int animate_command(int argc, char** argv);
int view_command(int argc, char** argv);
int compare_command(int argc, char** argv);
int converge_command(int argc, char** argv);
int reproduce_command(int argc, char** argv);
int solve_command(int argc, char** argv);
int sweep_command(int argc, char** argv);

/* The man page and the completion for bash, to standard output, from the same tables as the help:
 * the build calls 'percuss help --man' and 'percuss help --completion'. */
void print_man_page(void);
void print_completion(void);

extern const option_set run_option_set;
extern const option_set check_option_set;
extern const option_set plot_option_set;
extern const option_set export_option_set;
extern const option_set animate_option_set;
extern const option_set view_option_set;
extern const option_set compare_option_set;
extern const option_set converge_option_set;
extern const option_set reproduce_option_set;
extern const option_set solve_option_set;
extern const option_set sweep_option_set;

/* "percuss: text" to stderr; returns the code. */
int complain(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* What was printed must have arrived: a full disk or a closed pipe is an error like any other. Returns
 * EXIT_OUTPUT after saying so. */
int flush_output(void);

/* The exit code for a status that is not PC_OK. */
int exit_code(pc_status status);

/* Says what a function of the library or of another module could not do; the exit code. EXIT_DONE if
 * the status is PC_OK. */
int report(pc_status status, const pc_error* error);

#endif
