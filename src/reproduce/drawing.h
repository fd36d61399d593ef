/* The figure of an item: its panels side by side, and the numbers that are drawn. */
#ifndef PC_REPRODUCE_DRAWING_H
#define PC_REPRODUCE_DRAWING_H

#include <stdio.h>

#include "reproduce/item_runs.h"

/* What is drawn of a curve, to be freed by free_drawing. */
typedef struct drawn_curve {
  const item_curve* curve;
  const char* label;
  const char* colour;
  int variant; /* the how-many-th curve of its scheme in the panel */
  double *x, *y;
  long count;
  double low, high; /* of y in the panel's range of x, also beyond that of y */
} drawn_curve;

enum { PANELS_OF_ITEM_MAX = 12, CURVES_OF_PANEL_MAX = 16 };
enum { DRAWING_WIDTH = 1200, DRAWING_PANEL_HEIGHT_ONE = 560, DRAWING_PANEL_HEIGHT = 430 };

typedef struct drawing {
  const item* item;
  drawn_curve curve[PANELS_OF_ITEM_MAX][CURVES_OF_PANEL_MAX];
  int curve_count[PANELS_OF_ITEM_MAX];
  int panel_count;
} drawing;

/* Collects the points, no more than can be told apart. Fails only for lack of memory. To be freed
 * in any case. */
pc_status make_drawing(drawing* d, const item_data* data);
void free_drawing(drawing* d);

/* As SVG, or else as PNG. */
pc_status draw_item(const drawing* d, int svg, FILE* to, pc_error* error);

/* As lines panel,curve,x,y. */
void write_points(const drawing* d, FILE* to);

#endif
