/* Recorded quantities of one or more results as a figure. */
#ifndef PC_DRAW_RESULT_FIGURE_H
#define PC_DRAW_RESULT_FIGURE_H

#include "draw/figure.h"

enum { RESULTS_MAX = 16, PANELS_MAX = 12, NAMES_MAX = 16 };

/* What to draw. All texts and results belong to the caller. */
typedef struct result_figure_def {
  pc_result* result[RESULTS_MAX];
  int result_count;
  const char* x; /* NULL: time */
  struct {
    const char* name[NAMES_MAX];
    int count;
  } panel[PANELS_MAX];
  int panel_count;
  const char* title;  /* NULL: the model's, if it is the same for all results */
  int width, height;  /* [pixels]; 0: to be chosen */
  double from, until; /* [s]; NAN: all */
  int impacts;        /* 1: mark them, 0: do not, -1: over time, of one run, if they are few */
  int svg;            /* else PNG */
} result_figure_def;

pc_status draw_results(const result_figure_def* def, FILE* to, pc_error* error);

#endif
