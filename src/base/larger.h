/* The larger of two numbers, inline; a NaN in the second is passed on instead of being hidden. */
#ifndef PC_BASE_LARGER_H
#define PC_BASE_LARGER_H

static inline double pc_larger(double a, double b)
{
  return a > b ? a : b;
}

#endif
