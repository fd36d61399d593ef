/* Where the triangle that shows a slope stands in a logarithmic panel. */
#ifndef PC_REPRODUCE_TRIANGLE_H
#define PC_REPRODUCE_TRIANGLE_H

#include "reproduce/drawing.h"

/* A right-angled triangle below its hypotenuse, whose legs are 1 and `slope`. */
typedef struct triangle {
  double x[2];
  double bottom; /* not a number: there is no place for it */
  double slope;
} triangle;

/* Near the curve whose order is nearest to the slope, where no curve passes through the triangle or
 * its numbers, and none of the triangles is that were placed before. */
triangle place_triangle(const drawing* d, int panel, double slope, const triangle* before,
                        int count);

#endif
