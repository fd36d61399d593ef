/* Axes and points of a panel, as lines of a script of gnuplot. */
#ifndef PC_DRAW_AXES_H
#define PC_DRAW_AXES_H

#include <stdio.h>

typedef struct axes {
  const char *x_label, *y_label; /* NULL: none */
  const double *x,
      *y; /* ranges, two numbers each; all that is there where the first is not below the second */
  int logarithmic;       /* both */
  const double* heights; /* what y goes from and to, for its marks */
} axes;

/* Lines, colours and sizes of panels. */
void put_panel_style(FILE* script);

void put_axes(FILE* script, const axes* of);

/* set WHAT 'text'; NULL: an empty one. */
void put_label(FILE* script, const char* what, const char* text);

/* Points of a curve, a line each. An empty line stands for one that cannot be drawn, and where an
 * angle jumps by more than half its period (0: none), so that the curve is interrupted there. */
void put_points(FILE* script, long count, const double* x, const double* y, int logarithmic,
                double period);

#endif
