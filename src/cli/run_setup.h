/* From the options of a command to what a simulation needs. What is wrong has been said by whoever
 * returns an exit code that is not EXIT_DONE. */
#ifndef PC_CLI_RUN_SETUP_H
#define PC_CLI_RUN_SETUP_H

#include <limits.h>

#include "cli/run_options.h"

/* A model and the file it comes from. */
typedef struct run_model {
  char path[PATH_MAX];
  pc_model* model; /* to be destroyed by the caller */
} run_model;

int read_run_model(const run_options* o, run_model* m);

/* EXIT_DONE unless it is the name of neither a file nor a model. */
int refuse_unknown_model(const char* name);

/* Says that there is no scheme of this name; EXIT_DONE if there is. `code`: who is to blame. */
int check_scheme(const char* name, int code);

/* Sets the settings given on the command line that the scheme reads. One that has no effect beside
 * the others is refused. */
int apply_settings(const run_options* o, const char* scheme, pc_scheme_settings* settings);

/* Only those that all schemes read. */
int apply_common_settings(const run_options* o, pc_scheme_settings* settings);

/* The end time, the model's or the option's. */
int choose_until(const run_options* o, const pc_model* model, double* until);

/* Can this time be reached with steps of dt? */
int check_steps(double dt, double until);

/* Does a figure's name end in .png or .svg? NULL is fine. */
int check_figure(const char* out);
int is_svg(const char* out);

/* A list of positive numbers, "1e-2,5e-3"; the count, -1 after saying what is wrong. */
int read_steps(const char* name, const char* text, double* dt, int max);

#endif
