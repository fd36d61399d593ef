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

/* x 2^exponent, also for exponents beyond those of numbers, where the product may be one. */
static inline double pc_times_power_of_two(double x, int exponent)
{
  if (exponent >= -1022 && exponent <= 1023) return x * pc_power_of_two(exponent);
  int third = exponent / 3;
  return x * pc_power_of_two(third) * pc_power_of_two(third) *
         pc_power_of_two(exponent - 2 * third);
}

/* The power of two next to sqrt(x). */
static inline double pc_power_near_root(double x)
{
  int exponent = pc_exponent_of(x);
  return pc_power_of_two((exponent >= 0 ? exponent : exponent - 1) / 2);
}

#endif
