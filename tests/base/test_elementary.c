/* The elementary functions against the C library's of 64 bits, in units of the last place. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "check.h"

static double unit_of(long double x)
{
  double size = fabs((double)x);
  return nextafter(size, HUGE_VAL) - size;
}

/* Numbers in [0, 1) that are the same in every run. */
static double next(unsigned long* seed)
{
  *seed = *seed * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(*seed >> 11) * 0x1p-53;
}

enum { COUNT = 20000 };

typedef struct range {
  double from, to;
  int is_exponent; /* of e, with either sign */
} range;

typedef struct function {
  const char* name;
  double (*own)(double);
  long double (*known)(long double);
  range range[4];
} function;

static double pick(range r, unsigned long* seed)
{
  double x = r.from + (r.to - r.from) * next(seed);
  if (!r.is_exponent) return x;
  return (next(seed) < 0.5 ? -1 : 1) * exp(x);
}

static const function functions[] = {
    {"sin", pc_sin, sinl, {{-10, 10, 0}, {-1e6, 1e6, 0}, {-30, 708, 1}}},
    {"cos", pc_cos, cosl, {{-10, 10, 0}, {-2e6, 2e6, 0}, {-30, 708, 1}}},
    {"tan", pc_tan, tanl, {{-10, 10, 0}, {-1e6, 1e6, 0}, {-30, 708, 1}}},
    {"asin", pc_asin, asinl, {{-1, 1, 0}, {-40, 0, 1}}},
    {"acos", pc_acos, acosl, {{-1, 1, 0}, {-40, 0, 1}}},
    {"atan", pc_atan, atanl, {{-3, 3, 0}, {-100, 100, 1}}},
    {"exp", pc_exp, expl, {{-1, 1, 0}, {-707, 709, 0}, {-40, 0, 1}}},
    {"log", pc_log, logl, {{0.5, 2, 0}, {0.99, 1.01, 0}, {1e-300, 1e300, 0}}},
    {"sinh", pc_sinh, sinhl, {{-3, 3, 0}, {-709, 709, 0}, {-40, 0, 1}}},
    {"cosh", pc_cosh, coshl, {{-3, 3, 0}, {-709, 709, 0}, {-40, 0, 1}}},
    {"tanh", pc_tanh, tanhl, {{-3, 3, 0}, {-50, 50, 0}, {-40, 0, 1}}},
};

static void errors_are_below_one_unit(void** state)
{
  (void)state;
  unsigned long seed = 1;
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (const range* r = functions[f].range; r->from != r->to; r++)
      for (int i = 0; i < COUNT; i++) {
        double x = pick(*r, &seed);
        long double known = functions[f].known(x);
        double off = (double)(fabsl(functions[f].own(x) - known) / unit_of(known));
        if (!(off < 0.9)) fail_msg("%s(%a) is off by %g units", functions[f].name, x, off);
      }
}

static void powers_and_angles_too(void** state)
{
  (void)state;
  unsigned long seed = 2;
  for (int i = 0; i < 4 * COUNT; i++) {
    double x = exp(-20 + 40 * next(&seed)), y = -30 + 60 * next(&seed);
    if (i % 2) y = floor(y);
    long double known = powl(x, y);
    if (known < 1e300L && known > 1e-300L) {
      double off = (double)(fabsl(pc_pow(x, y) - known) / unit_of(known));
      if (!(off < 0.9)) fail_msg("pow(%a, %a) is off by %g units", x, y, off);
    }
    x = (next(&seed) - 0.5) * exp(-20 + 40 * next(&seed));
    y = (next(&seed) - 0.5) * exp(-20 + 40 * next(&seed));
    known = atan2l(y, x);
    double off = (double)(fabsl(pc_atan2(y, x) - known) / unit_of(known));
    if (!(off < 0.9)) fail_msg("atan2(%a, %a) is off by %g units", y, x, off);
  }
}

static void both_at_once_are_the_same_bits(void** state)
{
  (void)state;
  unsigned long seed = 3;
  for (int i = 0; i < COUNT; i++) {
    double s, c, x = pick((range){-40, 100, 1}, &seed);
    pc_sin_cos(x, &s, &c);
    if (s != pc_sin(x) || c != pc_cos(x)) fail_msg("sin_cos(%a)", x);
  }
  double s, c;
  pc_sin_cos(-0.0, &s, &c);
  assert_true(s == 0 && signbit(s) && c == 1);
}

/* Doubles that are nearly multiples of pi/2: what is left is small, and has to be right. */
static void near_multiples_of_half_pi_digits_are_kept(void** state)
{
  (void)state;
  static const double near[] = {0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1, 0x1.921fb54442d18p+10,
                                0x1.6ac5b262ca1ffp+849, 6381956970095103.0 * 0x1p+797};
  for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
    long double s = sinl(near[i]), c = cosl(near[i]);
    assert_true(fabsl(pc_sin(near[i]) - s) <= (long double)unit_of(s));
    assert_true(fabsl(pc_cos(near[i]) - c) <= (long double)unit_of(c));
  }
  /* nearly the smallest that a cosine of a double can be; the digits come from arithmetic with 2000
   * bits */
  CHECK_NEAR(pc_cos(6381956970095103.0 * 0x1p+797) / -4.68716592425462761112e-19, 1, 1e-15);
}

static int is_same(double a, double b)
{
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return (a == b && signbit(a) == signbit(b)) || fabs(a - b) <= unit_of(b);
}

static const double special[] = {0.0,   -0.0,   1,      -1,      INFINITY, -INFINITY, NAN,
                                 2,     -2,     0.5,    -0.5,    3,        -3,        7,
                                 1e308, -1e308, 5e-324, -5e-324, 1e-310,   710,       -746,
                                 -740,  709.9,  -5,     0.3,     -0.3,     0x1p-28};
enum { SPECIALS = sizeof special / sizeof *special };

static void special_values_are_those_of_c(void** state)
{
  (void)state;
  static const struct {
    const char* name;
    double (*own)(double);
    double (*known)(double);
  } all[] = {{"sin", pc_sin, sin},    {"cos", pc_cos, cos},    {"tan", pc_tan, tan},
             {"asin", pc_asin, asin}, {"acos", pc_acos, acos}, {"atan", pc_atan, atan},
             {"exp", pc_exp, exp},    {"log", pc_log, log},    {"sinh", pc_sinh, sinh},
             {"cosh", pc_cosh, cosh}, {"tanh", pc_tanh, tanh}};
  for (size_t f = 0; f < sizeof all / sizeof *all; f++)
    for (int i = 0; i < SPECIALS; i++)
      if (!is_same(all[f].own(special[i]), all[f].known(special[i])))
        fail_msg("%s(%a) is %a, not %a", all[f].name, special[i], all[f].own(special[i]),
                 all[f].known(special[i]));
  for (int i = 0; i < SPECIALS; i++)
    for (int k = 0; k < SPECIALS; k++) {
      double x = special[i], y = special[k];
      if (!is_same(pc_pow(x, y), pow(x, y))) fail_msg("pow(%a, %a) is %a", x, y, pc_pow(x, y));
      if (!is_same(pc_atan2(x, y), atan2(x, y))) fail_msg("atan2(%a, %a)", x, y);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_below_one_unit),
      cmocka_unit_test(powers_and_angles_too),
      cmocka_unit_test(both_at_once_are_the_same_bits),
      cmocka_unit_test(near_multiples_of_half_pi_digits_are_kept),
      cmocka_unit_test(special_values_are_those_of_c),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
