/* Curves and marks of a panel, as parts of a script of gnuplot. */
#ifndef PC_DRAW_MARKS_H
#define PC_DRAW_MARKS_H

#include <stdio.h>

/* DOTS: small points, of what changes from step to step. */
typedef enum curve_style { LINES, POINTS, BOTH, DASHED, DOTTED, DOTS } curve_style;

/* " with ..." of curve number `i` of a panel, of which `last` is the last. Earlier ones are wider,
 * so that they show behind later ones. `variant` chooses the mark. */
void put_curve_style(FILE* script, curve_style how, const char* colour, int variant, int i,
                     int last);

/* A dashed line at a height: a wall, or an exact value. */
void put_level(FILE* script, double y);

/* A right-angled triangle from x[0] to x[1] on logarithmic axes, above `bottom`: its legs are 1 and
 * the slope. Nothing if it has no place there. */
void put_slope_triangle(FILE* script, const double x[2], double bottom, double slope);

/* A text within double quotes, where alone gnuplot has line breaks; without the quotes. */
void put_double_quoted(FILE* script, const char* text);

#endif
