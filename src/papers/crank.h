/* The slider-crank in minimal coordinates as Flores and Acary draw it. */
#ifndef PC_PAPERS_CRANK_H
#define PC_PAPERS_CRANK_H

#include "reproduce/item.h"

/* Of {th1}: revolutions of the crank. */
double crank_revolutions(const double* th1);

/* Of {th1, th2}: place of the wrist pin, the slider's centre [m]. */
double slider_x(const double* th);
double slider_y(const double* th);

/* Of a gap: how far the corner is off its place in the middle, in clearances; the walls are at 1
 * and -1. */
double upper_corner(const double* gap);
double lower_corner(const double* gap);

#define REVOLUTIONS                           \
  {                                           \
    .of = {"th1"}, .value = crank_revolutions \
  }
#define SLIDER_X_MM                                       \
  {                                                       \
    .of = {"th1", "th2"}, .value = slider_x, .scale = 1e3 \
  }
#define SLIDER_Y_MM                                       \
  {                                                       \
    .of = {"th1", "th2"}, .value = slider_y, .scale = 1e3 \
  }

#endif
