/* Lengths: right triangles in whole numbers, and numbers whose squares are no doubles. */
#include <float.h>
#include <math.h>

#include "base/length.h"
#include "check.h"

static void test_whole_numbers(void** state)
{
  (void)state;
  assert_true(pc_length(2, (const double[]){3, -4}) == 5);
  assert_true(pc_length(3, (const double[]){2, 3, 6}) == 7);
  assert_true(pc_length(3, (const double[]){-4, 13, 16}) == 21);
  assert_true(pc_length(1, (const double[]){-7}) == 7);
  assert_true(pc_distance(3, (const double[]){1, 2, 3}, (const double[]){3, 5, 9}) == 7);
}

/* Scaling by a power of two is exact, from the smallest to the largest numbers. */
static void test_any_size(void** state)
{
  (void)state;
  const double v[3] = {0.3, -0.7, 1.1};
  double length = pc_length(3, v);
  for (int e = -1000; e <= 1000; e += 50) {
    const double x[3] = {ldexp(v[0], e), ldexp(v[1], e), ldexp(v[2], e)};
    assert_true(pc_length(3, x) == ldexp(length, e));
  }
  assert_true(pc_length(2, (const double[]){DBL_MAX / 2, DBL_MAX / 2}) < DBL_MAX);
  assert_true(pc_length(2, (const double[]){DBL_MAX, DBL_MAX}) > DBL_MAX);
  double least = nextafter(0, 1);
  assert_true(pc_length(2, (const double[]){3 * least, 4 * least}) == 5 * least);
}

static void test_round_off(void** state)
{
  (void)state;
  for (int i = 1; i < 20000; i++) {
    const double x[3] = {i * 0.37, 1 / (0.11 * i), 3 - 0.003 * i};
    long double square = 0;
    for (int k = 0; k < 3; k++) square += (long double)x[k] * x[k];
    double exact = (double)sqrtl(square);
    assert_true(fabs(pc_length(3, x) - exact) <= 2.5 * DBL_EPSILON * exact);
  }
}

static void test_what_is_no_length(void** state)
{
  (void)state;
  assert_true(pc_length(3, (const double[]){0, -0.0, 0}) == 0);
  assert_true(isinf(pc_length(2, (const double[]){-INFINITY, 1})));
  assert_true(isnan(pc_length(2, (const double[]){NAN, 1})));
  assert_true(isnan(pc_length(2, (const double[]){1, NAN})));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole_numbers),
      cmocka_unit_test(test_any_size),
      cmocka_unit_test(test_round_off),
      cmocka_unit_test(test_what_is_no_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
