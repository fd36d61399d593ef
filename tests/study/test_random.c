/* Random numbers and the functions that they need, against definitions. */
#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "study/portable_math.h"
#include "study/random.h"

static void logarithm_and_exponential_are_those_of_the_library(void** state)
{
  (void)state;
  for (int i = -2000; i <= 2000; i++) {
    double x = 0.3 * i;
    CHECK_NEAR(portable_exp(x) / exp(x), 1, 2e-13); /* |x| times the rounding of x/log 2 */
    double y = exp(0.017 * i);
    CHECK_NEAR(portable_log(y), log(y), 4e-16 * fmax(1, fabs(log(y))));
  }
}

/* Phi(x) = erfc(-x/sqrt 2)/2. */
static void quantiles_invert_the_normal_distribution(void** state)
{
  (void)state;
  for (int i = 1; i < 1000; i++) {
    double p = i / 1000.0;
    CHECK_NEAR(erfc(-normal_quantile(p) / sqrt(2)) / 2, p, 1e-15);
  }
  for (int k = 4; k < 300; k += 7) {
    double p = pow(10, -k);
    CHECK_NEAR(erfc(-normal_quantile(p) / sqrt(2)) / 2 / p, 1, 1e-12);
    if (k < 15) CHECK_NEAR(normal_quantile(1 - p), -normal_quantile(1 - (1 - p)), 1e-9);
  }
}

/* Mean 1/2 and variance 1/12, no correlation of axes: within five standard errors. */
static void plain_numbers_are_uniform_and_independent(void** state)
{
  (void)state;
  enum { N = 100000 };
  double sum = 0, squares = 0, products = 0;
  for (long i = 0; i < N; i++) {
    double x = random_uniform(7, 0, i) - 0.5, y = random_uniform(7, 1, i) - 0.5;
    sum += x;
    squares += x * x;
    products += x * y;
  }
  CHECK_NEAR(sum / N, 0, 5 * sqrt(1 / 12.0 / N));
  CHECK_NEAR(squares / N, 1 / 12.0, 5 * sqrt(1 / 180.0 / N));
  CHECK_NEAR(products / N, 0, 5 / 12.0 / sqrt(N));
  assert_true(random_uniform(7, 0, 0) != random_uniform(8, 0, 0));
}

/* The first 2^k points have one number in each of 2^k intervals, on every axis and for every
 * shift. */
static void each_axis_of_the_sequence_is_stratified(void** state)
{
  (void)state;
  enum { N = 1024 };
  for (int axis = 0; axis < SOBOL_AXES_MAX; axis++) {
    int count[N] = {0};
    for (long i = 0; i < N; i++) count[(int)(N * sobol_uniform(5, axis, i))]++;
    for (int i = 0; i < N; i++) assert_int_equal(count[i], 1);
  }
}

/* The first two axes are a (0, 2)-net: one point in each box of any shape with area 1/N. */
static void the_first_two_axes_make_a_net(void** state)
{
  (void)state;
  enum { BITS = 8, N = 1 << BITS };
  for (int split = 0; split <= BITS; split++) {
    int count[N] = {0}, wide = 1 << split, high = N / wide;
    for (long i = 0; i < N; i++)
      count[(int)(wide * sobol_uniform(1, 0, i)) * high + (int)(high * sobol_uniform(1, 1, i))]++;
    for (int i = 0; i < N; i++) assert_int_equal(count[i], 1);
  }
}

/* An integral in six dimensions: a hundred times closer than by plain random numbers. */
static void the_sequence_integrates_well(void** state)
{
  (void)state;
  enum { N = 1 << 14, D = 6 };
  double even = 0, plain = 0;
  for (long i = 0; i < N; i++) {
    double f = 1, g = 1;
    for (int d = 0; d < D; d++) {
      f *= 1 + (sobol_uniform(3, d, i) - 0.5);
      g *= 1 + (random_uniform(3, d, i) - 0.5);
    }
    even += f / N;
    plain += g / N;
  }
  CHECK_NEAR(even, 1, 1e-4);
  CHECK_NEAR(plain, 1, 5 * 0.8 / sqrt(N));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logarithm_and_exponential_are_those_of_the_library),
      cmocka_unit_test(quantiles_invert_the_normal_distribution),
      cmocka_unit_test(plain_numbers_are_uniform_and_independent),
      cmocka_unit_test(each_axis_of_the_sequence_is_stratified),
      cmocka_unit_test(the_first_two_axes_make_a_net),
      cmocka_unit_test(the_sequence_integrates_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
