/* A figure: panels above each other over a common x, each with curves from one or more runs. */
#ifndef PC_DRAW_FIGURE_H
#define PC_DRAW_FIGURE_H

#include <stdio.h>

#include "percuss/percuss.h"

/* What the curves of a result file share. Arrays belong to whoever filled it. */
typedef struct plot_run {
  const char* label; /* in the legend if there is more than one run */
  double* x;         /* count numbers */
  long count;
  long* impact; /* rows to mark, ascending; indices into x */
  int impact_count;
  const char* colour; /* "#rrggbb", where colours tell the runs; NULL: by its number */
} plot_run;

typedef struct curve {
  const plot_run* run;
  const char* name;
  const char* unit;
  double* y;  /* run->count numbers */
  int number; /* of its name within the panel, from 0; the same name of another run has the same */
} curve;

typedef struct panel {
  curve* curve;
  int curve_count;
  int name_count; /* curves per run */
} panel;

typedef struct figure {
  const char* title; /* "": none */
  const char* x_name;
  const char* x_unit;
  int over_time; /* x ascends */
  int width, height;
  int svg; /* else PNG */
  const plot_run* run;
  int run_count;
  const panel* panel;
  int panel_count;
} figure;

/* The height that suits its panels and their legends, of which the rest is to be known. */
int figure_height(const figure* f);

/* Draws it into an open file. */
pc_status draw_figure(const figure* f, FILE* to, pc_error* error);

/* Drawings of another kind: `put` writes the script, which begins with put_figure_terminal; of the
 * figure only the size and kind of file count. `put` fails only for lack of memory. */
typedef pc_status put_script(FILE* script, const void* what);
void put_figure_terminal(FILE* script, const figure* f);
pc_status draw_script(const figure* f, put_script* put, const void* what, FILE* to,
                      pc_error* error);

#endif
