/* The command line: one file per subcommand, one table of options for parsing and for help. */
#ifndef PC_CLI_CLI_H
#define PC_CLI_CLI_H

#include <stdio.h>

#include "percuss/percuss.h"

/* Exit codes; scripts rely on them. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_MODEL = 3, EXIT_OUTPUT = 4 };

typedef struct command {
  const char* name;
  const char* arguments; /* "MODEL [options]" */
  const char* summary;
  int (*run)(int argc, char** argv); /* argv[0] is the command's name */
  void (*help)(void);                /* what follows the usage line */
} command;

/* Ended by a NULL name. */
extern const command commands[];
const command* find_command(const char* name);

int run_command(int argc, char** argv);
int list_command(int argc, char** argv);
int help_command(int argc, char** argv);
void run_help(void);
void list_help(void);
void help_help(void);

/* "percuss: text" to stderr; returns the code. */
int complain(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* The exit code for a status that is not PC_OK. */
int exit_code(pc_status status);

/* ", did you mean 'x'?" for the nearest of `count` names, or "" if none is near. The text is valid
 * until the next call. `name(i)` gives the i-th. */
const char* did_you_mean(const char* wrong, int count, const char* (*name)(int index));

#endif
