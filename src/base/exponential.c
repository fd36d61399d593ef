/* exp, log, pow and the hyperbolic functions. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary.h"
#include "base/inline.h"
#include "base/twofold.h"

/* log 2: a part of 42 bits, whose products with exponents are exact, and the rest. */
static const double log_2 = 0x1.62e42fefa3800p-1;
static const pc_twofold log_2_rest = {0x1.ef35793c76730p-45, 0x1.f97b57a079a19p-103};
static const double over_log_2 = 0x1.71547652b82fep+0;

/* Beyond it exp is 0 or infinite; up to the second one it is a normal number. */
static const double EXP_MAX = 800, EXP_NORMAL = 690;

static const pc_twofold one = {1, 0};

/* ---- exp ------------------------------------------------------------------------------------- */

/* x = exponent log 2 + r, |x| <= EXP_MAX, |r| <= 0.35. */
PC_INLINE pc_twofold reduce(double x, int* exponent)
{
  double nearest = x * over_log_2 + 0.5, k = (int)nearest;
  if (k > nearest) k--; /* floor, without a call */
  *exponent = (int)k;
  return pc_exact_sum(x - k * log_2, -k * log_2_rest.hi);
}

/* exp r; the second number may have digits in common with the first. */
PC_INLINE pc_twofold near_one(pc_twofold r)
{
  double z = r.hi, series = 1.0 / 15;
  for (int n = 14; n >= 2; n--) series = (1 + series * z) / n; /* 1/2! + z/3! + ... */
  pc_twofold power = pc_fast_sum(z, r.lo * (1 + z) + z * z * series);
  pc_twofold sum = pc_fast_sum(1, power.hi);
  return (pc_twofold){sum.hi, sum.lo + power.lo};
}

/* exp x, |x| <= EXP_MAX, as a number near 1 times 2^exponent. */
static pc_twofold exponential(pc_twofold x, int* exponent)
{
  pc_twofold r = reduce(x.hi, exponent);
  pc_twofold y = near_one(pc_fast_sum(r.hi, r.lo + x.lo));
  return pc_fast_sum(y.hi, y.lo);
}

/* Exponents up to this size are those of normal numbers, and products with numbers near 1 are. */
enum { NORMAL_EXPONENT = 1000 };

/* Of a normal number. */
static double power_of_2(int exponent)
{
  double power;
  uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* The sum, near 1, times 2^exponent, rounded once where it is not subnormal. */
static double scale(pc_twofold x, int exponent)
{
  if (exponent > NORMAL_EXPONENT || exponent < -NORMAL_EXPONENT)
    return ldexp(x.hi + x.lo, exponent);
  return (x.hi + x.lo) * power_of_2(exponent);
}

PC_APART double exp_of(pc_twofold x)
{
  if (isnan(x.hi)) return x.hi;
  if (x.hi > EXP_MAX) return HUGE_VAL;
  if (x.hi < -EXP_MAX) return 0;
  int exponent;
  pc_twofold y = exponential(x, &exponent);
  return scale(y, exponent);
}

double pc_exp(double x)
{
  if (!(fabs(x) <= EXP_NORMAL)) return exp_of((pc_twofold){x, 0});
  int exponent;
  pc_twofold y = near_one(reduce(x, &exponent));
  return (y.hi + y.lo) * power_of_2(exponent);
}

/* ---- log ------------------------------------------------------------------------------------- */

/* x > 0 and finite: x = m 2^k with m near 1, log m = 2 artanh s with s = (m - 1)/(m + 1), |s| <
 * 0.172. */
static pc_twofold logarithm(double x)
{
  static const pc_twofold two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
  int k;
  double m = frexp(x, &k);
  if (m < 0.70710678118654752) {
    m *= 2;
    k--;
  }
  pc_twofold s = pc_twofold_divide((pc_twofold){m - 1, 0}, pc_exact_sum(m, 1));
  pc_twofold square = pc_twofold_multiply(s, s);
  double z = square.hi, series = 0;
  for (int n = 25; n >= 5; n -= 2) series = series * z + 2.0 / n;
  pc_twofold factor = pc_twofold_add(two_thirds, pc_exact_product(z, series));
  pc_twofold cubic = pc_twofold_multiply(pc_twofold_multiply(s, square), factor);
  pc_twofold of_m = pc_twofold_add((pc_twofold){2 * s.hi, 2 * s.lo}, cubic);
  pc_twofold of_2 = pc_twofold_add((pc_twofold){k * log_2, 0},
                                   pc_twofold_multiply((pc_twofold){k, 0}, log_2_rest));
  return k ? pc_twofold_add(of_2, of_m) : of_m;
}

double pc_log(double x)
{
  if (isnan(x) || (isinf(x) && x > 0)) return x;
  if (x == 0) return -HUGE_VAL;
  if (x < 0) return NAN;
  pc_twofold y = logarithm(x);
  return y.hi + y.lo;
}

/* ---- pow ------------------------------------------------------------------------------------- */

static int is_whole(double y)
{
  return floor(y) == y;
}

static int is_odd(double y)
{
  return is_whole(y) && floor(y / 2) * 2 != y;
}

/* |x|^y where one of them is zero or infinite, y not zero. */
static double limit_of(double size, double y)
{
  if (isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? HUGE_VAL : 0;
  return (size == 0) == (y > 0) ? 0 : HUGE_VAL;
}

double pc_pow(double x, double y)
{
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  double size = fabs(x), power;
  if (size == 0 || isinf(size) || isinf(y)) {
    power = limit_of(size, y);
  } else {
    if (x < 0 && !is_whole(y)) return NAN;
    pc_twofold logs = logarithm(size);
    double product = y * logs.hi; /* beyond it the exact product could overflow */
    power = !(fabs(product) <= EXP_MAX) || fabs(y) > 0x1p100
                ? exp_of((pc_twofold){product, 0})
                : exp_of(pc_twofold_multiply((pc_twofold){y, 0}, logs));
  }
  return signbit(x) && is_odd(y) ? -power : power;
}

/* ---- hyperbolic ------------------------------------------------------------------------------ */

/* Below it sinh has few terms, beyond FAR exp(-x) does not matter. */
static const double NEAR = 0.35, FAR = 40;

/* sinh x for 0 <= x <= NEAR. */
static pc_twofold near_sinh(double x)
{
  double z = x * x, series = 0;
  for (int n = 17; n >= 3; n -= 2) series = (1 + series * z) / (n * (n - 1));
  return pc_fast_sum(x, x * z * series);
}

/* (exp x + sign exp(-x))/2 times 2^-exponent, 0 <= x <= EXP_MAX */
static pc_twofold half_sum(double x, double sign, int* exponent)
{
  pc_twofold up = exponential((pc_twofold){x, 0}, exponent);
  --*exponent;
  if (x > FAR) return up;
  pc_twofold down = pc_twofold_divide(one, up);
  double smaller = sign * ldexp(1, -2 * (*exponent + 1));
  return pc_twofold_add(up, (pc_twofold){smaller * down.hi, smaller * down.lo});
}

double pc_sinh(double x)
{
  double size = fabs(x);
  int exponent = 0;
  if (size < 0x1p-27 || !(size <= EXP_MAX))
    return isinf(x) || isnan(x) || size < 1 ? x : copysign(HUGE_VAL, x);
  pc_twofold y = size <= NEAR ? near_sinh(size) : half_sum(size, -1, &exponent);
  return copysign(scale(y, exponent), x);
}

double pc_cosh(double x)
{
  double size = fabs(x);
  int exponent;
  if (!(size <= EXP_MAX)) return isnan(x) ? x : HUGE_VAL;
  pc_twofold y = half_sum(size, 1, &exponent);
  return scale(y, exponent);
}

double pc_tanh(double x)
{
  double size = fabs(x);
  if (size < 0x1p-27 || isnan(x)) return x;
  if (size > FAR) return copysign(1, x);
  int of_cosh, of_sinh = 0;
  pc_twofold c = half_sum(size, 1, &of_cosh);
  pc_twofold s = size <= NEAR ? near_sinh(size) : half_sum(size, -1, &of_sinh);
  return copysign(scale(pc_twofold_divide(s, c), of_sinh - of_cosh), x);
}
