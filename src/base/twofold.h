/* Numbers as unevaluated sums of two doubles, |lo| at most half a unit of hi: twice the digits. T.
 * J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18
 * (1971). */
#ifndef PC_BASE_TWOFOLD_H
#define PC_BASE_TWOFOLD_H

typedef struct pc_twofold {
  double hi, lo;
} pc_twofold;

/* a + b exactly, |a| >= |b|. */
static inline pc_twofold pc_fast_sum(double a, double b)
{
  double sum = a + b;
  return (pc_twofold){sum, b - (sum - a)};
}

/* a + b exactly. */
static inline pc_twofold pc_exact_sum(double a, double b)
{
  double sum = a + b, of_b = sum - a;
  return (pc_twofold){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* a b exactly, unless it over- or underflows: each is split into halves of 26 bits. */
static inline pc_twofold pc_exact_product(double a, double b)
{
  const double split = 134217729; /* 2^27 + 1 */
  double a_high = a * split - (a * split - a), a_low = a - a_high;
  double b_high = b * split - (b * split - b), b_low = b - b_high;
  double product = a * b;
  double rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return (pc_twofold){product, rest};
}

static inline pc_twofold pc_twofold_add(pc_twofold a, pc_twofold b)
{
  pc_twofold s = pc_exact_sum(a.hi, b.hi);
  return pc_fast_sum(s.hi, s.lo + (a.lo + b.lo));
}

static inline pc_twofold pc_twofold_negate(pc_twofold a)
{
  return (pc_twofold){-a.hi, -a.lo};
}

static inline pc_twofold pc_twofold_multiply(pc_twofold a, pc_twofold b)
{
  pc_twofold p = pc_exact_product(a.hi, b.hi);
  return pc_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline pc_twofold pc_twofold_divide(pc_twofold a, pc_twofold b)
{
  double q = a.hi / b.hi;
  pc_twofold p = pc_exact_product(q, b.hi);
  return pc_fast_sum(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

#endif
