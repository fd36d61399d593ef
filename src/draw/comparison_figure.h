/* A comparison as a figure: quantities over time, a curve for each scheme that reached the end. */
#ifndef PC_DRAW_COMPARISON_FIGURE_H
#define PC_DRAW_COMPARISON_FIGURE_H

#include <stdio.h>

#include "study/comparison.h"

enum { PANEL_NAMES_MAX = 16 };

/* The quantities that share a panel. */
typedef struct compared_panel {
  const char* name[PANEL_NAMES_MAX];
  int place[PANEL_NAMES_MAX]; /* in the comparison's `quantity` */
  int count;
} compared_panel;

pc_status draw_comparison(const comparison* c, const char* title, const compared_panel* panel,
                          int panel_count, int svg, FILE* to, pc_error* error);

#endif
