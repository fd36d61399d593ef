/* The larger of two numbers, inline. A NaN in either stays: a residual, a size or a tolerance that
 * holds one must not look like a number (fmax passes over NaN and must not be used for these). */
#ifndef PC_BASE_LARGER_H
#define PC_BASE_LARGER_H

#include <float.h>
#include <math.h>

static inline double pc_larger(double a, double b)
{
  if (isunordered(a, b)) return a + b; /* one comparison; never taken in a healthy run */
  return a > b ? a : b;
}

/* The largest |x_i|. Few are larger than all before them. */
static inline double pc_largest(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= largest)) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* What is left in units of what may be, where that is exceeded; else 0. What is below all normal
 * numbers is none: a share of terms like that may be zero. */
static inline double pc_excess(double left, double limit)
{
  return left <= limit || left < DBL_MIN ? 0 : left / pc_larger(limit, DBL_MIN);
}

#endif
