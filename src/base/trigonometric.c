/* sin, cos, tan: x = k pi/2 + r with |r| <= pi/4, then Taylor's series. */
#include <math.h>
#include <stdint.h>

#include "base/elementary.h"
#include "base/twofold.h"

/* ---- reduction ------------------------------------------------------------------------------- */

/* pi/2 as a sum: three parts of 33 bits, whose products with k < 2^20 are exact, and the rest. W.
 * J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980. */
static const double part[4] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69,
                               0x1.b839a252049c1p-104};
static const pc_twofold half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const double two_over_pi = 0x1.45f306dc9c883p-1;
static const double quarter_pi = 0x1.921fb54442d18p-1;

/* Adding and subtracting it rounds to a whole number. */
static const double rounder = 0x1.8p52;

static const double SMALL_MAX = 1 << 20;

static pc_twofold reduce_small(double x, int* quadrant)
{
  double k = (x * two_over_pi + rounder) - rounder;
  *quadrant = (int)k & 3;
  pc_twofold r = pc_exact_sum(x - k * part[0], -k * part[1]);
  pc_twofold s = pc_exact_sum(r.hi, -k * part[2]);
  return pc_fast_sum(s.hi, (r.lo + s.lo) - k * part[3]);
}

/* 2/pi in words of 32 bits behind the binary point: enough for the largest double. */
static const uint32_t ratio[40] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

enum { WINDOW = 7, PRODUCT = WINDOW + 3 };

/* m times the words of 2/pi from `first` on, least word first; the last word stays zero. */
static void multiply_window(uint64_t m, int first, uint32_t product[PRODUCT])
{
  const uint32_t half[2] = {(uint32_t)m, (uint32_t)(m >> 32)};
  for (int i = 0; i < PRODUCT; i++) product[i] = 0;
  for (int h = 0; h < 2; h++) {
    uint64_t carry = 0;
    for (int i = 0; i < WINDOW; i++) {
      carry += (uint64_t)half[h] * ratio[first + WINDOW - 1 - i] + product[i + h];
      product[i + h] = (uint32_t)carry;
      carry >>= 32;
    }
    product[WINDOW + h] = (uint32_t)carry;
  }
}

/* The 32 bits below bit `top`. */
static uint32_t bits_below(const uint32_t product[PRODUCT], int top)
{
  int low = top - 32, word = low / 32, shift = low % 32;
  uint64_t two = (uint64_t)product[word + 1] << 32 | product[word];
  return (uint32_t)(two >> shift);
}

/* The fraction whose bits begin below `point`, of which at most 1/2 is left: the quadrant is the
 * nearest. */
static pc_twofold read_fraction(const uint32_t product[PRODUCT], int point, int* quadrant)
{
  enum { WORDS = 5 };
  uint32_t word[WORDS];
  for (int i = 0; i < WORDS; i++) word[i] = bits_below(product, point - 32 * i);
  int negative = word[0] >> 31 != 0;
  if (negative) ++*quadrant;
  pc_twofold sum = {0, 0};
  double weight = 0x1p-32;
  for (int i = 0; i < WORDS; i++, weight *= 0x1p-32) {
    uint32_t digits = negative ? ~word[i] : word[i];
    sum = pc_twofold_add(sum, (pc_twofold){(double)digits * weight, 0});
  }
  return negative ? pc_twofold_negate(sum) : sum;
}

/* x > 0 is m 2^e. Of x 2/pi only the bits around the binary point matter: those of 2/pi that give
 * multiples of four are left out, and those far behind. M. H. Payne and R. N. Hanek, SIGNUM
 * Newsletter 18 (1983). */
static pc_twofold reduce_large(double x, int* quadrant)
{
  int exponent;
  uint64_t m = (uint64_t)ldexp(frexp(x, &exponent), 53);
  int e = exponent - 53, first = e > 2 ? (e - 2) / 32 : 0;
  uint32_t product[PRODUCT];
  multiply_window(m, first, product);
  int point = 32 * (first + WINDOW) - e;
  *quadrant = (int)(bits_below(product, point + 32) & 3);
  pc_twofold fraction = read_fraction(product, point, quadrant);
  return pc_twofold_multiply(fraction, half_pi);
}

static pc_twofold reduce(double x, int* quadrant)
{
  *quadrant = 0;
  if (fabs(x) <= quarter_pi) return (pc_twofold){x, 0};
  if (fabs(x) < SMALL_MAX) return reduce_small(x, quadrant);
  if (!isfinite(x)) return (pc_twofold){x - x, 0};
  pc_twofold r = reduce_large(fabs(x), quadrant);
  if (x > 0) return r;
  *quadrant = -*quadrant;
  return pc_twofold_negate(r);
}

/* ---- series ---------------------------------------------------------------------------------- */

/* sin r as the sum of r.hi and a correction. */
static pc_twofold sine(pc_twofold r)
{
  double z = r.hi * r.hi;
  double series =
      -1.0 / 6 +
      z * (1.0 / 120 + z * (-1.0 / 5040 +
                            z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                     z * (1.0 / 6227020800.0 +
                                                          z * (-1.0 / 1307674368000.0 +
                                                               z * (1.0 / 355687428096000.0)))))));
  return pc_fast_sum(r.hi, r.hi * z * series + r.lo * (1 - 0.5 * z));
}

/* `rest` is what is missing of r.hi^2: for a quotient it matters, for the cosine alone it does
 * not. */
static pc_twofold cosine(pc_twofold r, double rest)
{
  double z = r.hi * r.hi, half = 0.5 * z;
  double series =
      1.0 / 24 +
      z * (-1.0 / 720 +
           z * (1.0 / 40320 +
                z * (-1.0 / 3628800 + z * (1.0 / 479001600 + z * (-1.0 / 87178291200.0 +
                                                                  z * (1.0 / 20922789888000.0))))));
  pc_twofold w = pc_fast_sum(1, -half);
  return pc_fast_sum(w.hi, w.lo + (z * z * series - (r.hi * r.lo + 0.5 * rest)));
}

static double value(pc_twofold x)
{
  return x.hi + x.lo;
}

double pc_sin(double x)
{
  int quadrant;
  pc_twofold r = reduce(x, &quadrant);
  if (quadrant == 0 && fabs(x) < 0x1p-27) return x; /* -0 stays */
  double y = value(quadrant & 1 ? cosine(r, 0) : sine(r));
  return quadrant & 2 ? -y : y;
}

double pc_cos(double x)
{
  int quadrant;
  pc_twofold r = reduce(x, &quadrant);
  double y = value(quadrant & 1 ? sine(r) : cosine(r, 0));
  return (quadrant + 1) & 2 ? -y : y;
}

void pc_sin_cos(double x, double* of_sine, double* of_cosine)
{
  int quadrant;
  pc_twofold r = reduce(x, &quadrant);
  double s = value(sine(r)), c = value(cosine(r, 0));
  if (quadrant == 0 && fabs(x) < 0x1p-27) s = x;
  *of_sine = quadrant & 1 ? c : s;
  *of_cosine = quadrant & 1 ? s : c;
  if (quadrant & 2) *of_sine = -*of_sine;
  if ((quadrant + 1) & 2) *of_cosine = -*of_cosine;
}

double pc_tan(double x)
{
  int quadrant;
  pc_twofold r = reduce(x, &quadrant);
  if (quadrant == 0 && fabs(x) < 0x1p-27) return x;
  pc_twofold s = sine(r), c = cosine(r, pc_exact_product(r.hi, r.hi).lo);
  return value(quadrant & 1 ? pc_twofold_divide(pc_twofold_negate(c), s) : pc_twofold_divide(s, c));
}
