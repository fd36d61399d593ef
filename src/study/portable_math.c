#include "study/portable_math.h"

#include <math.h>

static const double log_2 = 0.69314718055994530942;

/* x = m 2^e with m near 1, log m = 2 artanh((m - 1)/(m + 1)). */
double portable_log(double x)
{
  int exponent;
  double m = frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2;
    exponent--;
  }
  double z = (m - 1) / (m + 1), sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * z * z + 1.0 / k;
  return 2 * z * sum + exponent * log_2;
}

/* x = r + e log 2 with |r| < 0.35, whose series ends with r^18/18!. */
double portable_exp(double x)
{
  int exponent = (int)floor(x / log_2 + 0.5);
  double r = x - exponent * log_2, sum = 1;
  for (int k = 18; k >= 1; k--) sum = 1 + sum * r / k;
  return ldexp(sum, exponent);
}
