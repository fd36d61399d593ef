/* What `plot` and `export` share: results and the series named on the command line. */
#ifndef PC_CLI_RESULTS_H
#define PC_CLI_RESULTS_H

#include "percuss/percuss.h"

/* Splits the value "a,b,c" given to an option at its commas and fills `name` (space for `max`).
 * Returns how many there are, or -1 after saying what is wrong: an empty name, too many. */
int split_names(const char* given_to, char* text, const char** name, int max);

/* Opens a result; an exit code. */
int open_result(const char* path, pc_result** result);

/* The index of a series; an exit code, with a suggestion for a name that does not exist. */
int find_named_series(const pc_result* result, const char* name, int* series);

/* A whole number from 1 on, or -1. */
long read_positive(const char* text);

#endif
