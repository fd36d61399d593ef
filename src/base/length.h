/* Euclidean lengths. The hypot of the C library differs in its last bit between versions of the
 * library and between processors with and without fused multiply-add; this has the same bits
 * everywhere. */
#ifndef PC_BASE_LENGTH_H
#define PC_BASE_LENGTH_H

#include <math.h>

#include "base/larger.h"

/* sqrt(x_1^2 + ... + x_n^2), with a relative error below n/2 + 1 units of round-off. Squares
 * neither overflow nor vanish: the vector is scaled by the power of two of its largest entry, which
 * is exact. A NaN stays. */
static inline double pc_length(int n, const double* x)
{
  double largest = pc_largest(n, x), sum = 0;
  if (!(largest > 0 && largest <= DBL_MAX)) return largest;
  int exponent;
  frexp(largest, &exponent);
  for (int i = 0; i < n; i++) {
    double scaled = ldexp(x[i], -exponent);
    sum += scaled * scaled;
  }
  return ldexp(sqrt(sum), exponent);
}

/* The distance of two points. */
static inline double pc_distance(int n, const double* x, const double* y)
{
  double difference[3];
  for (int i = 0; i < n; i++) difference[i] = y[i] - x[i];
  return pc_length(n, difference);
}

#endif
