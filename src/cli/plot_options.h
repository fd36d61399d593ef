/* The options of `percuss plot`. */
#ifndef PC_CLI_PLOT_OPTIONS_H
#define PC_CLI_PLOT_OPTIONS_H

#include "draw/result_figure.h"

typedef struct plot_options {
  const char* path[RESULTS_MAX]; /* of the results, or of a table */
  int path_count;
  result_figure_def figure; /* its results are opened by the command */
  const char* out;
  int list;
  int histogram;   /* of a table */
  const char* map; /* of a table: the second parameter; NULL: no map */
} plot_options;

/* Fills `options` from the command's arguments. An exit code; what is wrong has been said. */
int read_plot_options(int argc, char** argv, plot_options* options);

/* Draws a table of percuss sweep. An exit code. */
int plot_table(const plot_options* options);

#endif
