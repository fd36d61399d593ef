#include "study/random.h"

#include <math.h>

#include "study/portable_math.h"

uint64_t mix_bits(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static uint64_t bits_of(uint64_t seed, int axis, long sample)
{
  return mix_bits(mix_bits(mix_bits(seed) ^ (uint64_t)axis) ^ (uint64_t)sample);
}

/* The middle of one of 2^52 intervals: neither 0 nor 1, and every bit is kept. */
double random_uniform(uint64_t seed, int axis, long sample)
{
  return ((double)(bits_of(seed, axis, sample) >> 12) + 0.5) / 4503599627370496.0;
}

/* --- Sobol's sequence ------------------------------------------------------------------------- */

enum { BITS = 32, DEGREE_MAX = 7 };

/* A primitive polynomial, its inner coefficients as bits, and the first numbers. */
typedef struct direction {
  int degree;
  unsigned coefficients;
  unsigned m[DEGREE_MAX];
} direction;

/* Of the axes from the second on. */
static const direction directions[SOBOL_AXES_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/* v_1 ... v_32 of an axis, as fractions of 2^32. */
static void fill_directions(int axis, uint32_t v[BITS])
{
  if (axis == 0) {
    for (int i = 0; i < BITS; i++) v[i] = UINT32_C(1) << (BITS - 1 - i);
    return;
  }
  const direction* d = &directions[axis - 1];
  int s = d->degree;
  for (int i = 0; i < s; i++) v[i] = (uint32_t)d->m[i] << (BITS - 1 - i);
  for (int i = s; i < BITS; i++) {
    v[i] = v[i - s] ^ v[i - s] >> s;
    for (int k = 1; k < s; k++)
      if (d->coefficients >> (s - 1 - k) & 1) v[i] ^= v[i - k];
  }
}

/* The sample-th point, without those before it: by the Gray code of the number. */
double sobol_uniform(uint64_t seed, int axis, long sample)
{
  uint32_t v[BITS], x = (uint32_t)(mix_bits(mix_bits(seed) ^ (uint64_t)axis) >> 32);
  uint64_t gray = (uint64_t)sample ^ (uint64_t)sample >> 1;
  fill_directions(axis, v);
  for (int i = 0; i < BITS; i++)
    if (gray >> i & 1) x ^= v[i];
  return ((double)x + 0.5) / 4294967296.0;
}

/* --- the normal distribution ------------------------------------------------------------------ */

/* p(r)/q(r), eight coefficients each, from the lowest. */
static double rational(const double p[8], const double q[8], double r)
{
  double above = p[7], below = q[7];
  for (int i = 6; i >= 0; i--) {
    above = above * r + p[i];
    below = below * r + q[i];
  }
  return above / below;
}

double normal_quantile(double p)
{
  static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                              1.9715909503065514427e+3, 1.3731693765509461125e+4,
                              4.5921953931549871457e+4, 6.7265770927008700853e+4,
                              3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[8] = {1,
                              4.2313330701600911252e+1,
                              6.8718700749205790830e+2,
                              5.3941960214247511077e+3,
                              2.1213794301586595867e+4,
                              3.9307895800092710610e+4,
                              2.8729085735721942674e+4,
                              5.2264952788528545610e+3};
  static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                              5.76949722146069140550e0,  3.64784832476320460504e0,
                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[8] = {1,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9};
  static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[8] = {1,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};
  double q = p - 0.5;
  if (fabs(q) <= 0.425) return q * rational(a, b, 0.180625 - q * q);
  double r = sqrt(-portable_log(q < 0 ? p : 1 - p));
  double x = r <= 5 ? rational(c, d, r - 1.6) : rational(e, f, r - 5);
  return q < 0 ? -x : x;
}
