/* The options of `percuss plot`. */
#ifndef PC_CLI_PLOT_OPTIONS_H
#define PC_CLI_PLOT_OPTIONS_H

enum { RESULTS_MAX = 16, PANELS_MAX = 12, NAMES_MAX = 16 };

typedef struct plot_options {
  const char* result[RESULTS_MAX];
  int result_count;
  const char* x; /* NULL: time */
  struct {
    const char* name[NAMES_MAX];
    int count;
  } panel[PANELS_MAX];
  int panel_count;
  const char* out;
  const char* title;  /* NULL: the model's */
  int width, height;  /* 0: to be chosen */
  double from, until; /* [s]; NAN: all */
  int impacts;        /* 1: mark them, 0: do not, -1: if they are few */
  int list;
  int histogram;   /* of a table */
  const char* map; /* of a table: the second parameter; NULL: no map */
} plot_options;

/* Fills `options` from the command's arguments. An exit code; what is wrong has been said. */
int read_plot_options(int argc, char** argv, plot_options* options);

/* Draws a table of percuss sweep. An exit code. */
int plot_table(const plot_options* options);

#endif
