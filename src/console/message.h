/* What the program says when something is wrong, and the exit code that goes with it. */
#ifndef PC_CONSOLE_MESSAGE_H
#define PC_CONSOLE_MESSAGE_H

#include "percuss/percuss.h"

/* Exit codes; scripts rely on them. */
enum {
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
  EXIT_MODEL = 3,
  EXIT_OUTPUT = 4,
  EXIT_INTERRUPTED = 130
};

/* "percuss: text" to stderr; returns the code. */
int complain(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* What was printed must have arrived: a full disk or a closed pipe is an error like any other.
 * Returns EXIT_OUTPUT after saying so. */
int flush_output(void);

/* The exit code for a status that is not PC_OK. */
int exit_code(pc_status status);

/* Says what a function of the library or of another module could not do; the exit code. EXIT_DONE
 * if the status is PC_OK. */
int report(pc_status status, const pc_error* error);

#endif
