/* Powers of two for scaling: they leave every mantissa as it was. */
#ifndef PC_SOLVE_BINARY_SCALE_H
#define PC_SOLVE_BINARY_SCALE_H

#include <stdint.h>
#include <string.h>

/* The binary exponent of a finite x > 0: floor(log2 x), but for subnormal numbers. */
static inline int pc_exponent_of(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (int)(bits >> 52 & 0x7ff) - 1023;
}

/* 2^exponent, for exponents of normal numbers. */
static inline double pc_power_of_two(int exponent)
{
  uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The largest power of two that is not above a normal x > 0. */
static inline double pc_power_below(double x)
{
  return pc_power_of_two(pc_exponent_of(x));
}

/* The power of two next to sqrt(x). */
static inline double pc_power_near_root(double x)
{
  int exponent = pc_exponent_of(x);
  return pc_power_of_two((exponent >= 0 ? exponent : exponent - 1) / 2);
}

#endif
