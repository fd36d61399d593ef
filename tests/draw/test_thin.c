#include "check.h"

#include <stdlib.h>

#include "draw/thin.h"

/* A sequence of numbers in [0, 1) that looks random. */
static double noise(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 4294967296.0;
}

static void few_points_are_all_kept(void** state)
{
  (void)state;
  double x[] = {0, 1, 2, 3}, y[] = {0, 5, -5, 1};
  long kept[4];
  assert_int_equal(thin_columns(x, y, 4, 100, kept), 4);
  for (int i = 0; i < 4; i++) assert_int_equal(kept[i], i);
  assert_int_equal(thin_columns(x, y, 1, 100, kept), 1);
  assert_int_equal(thin_columns(x, y, 0, 100, kept), 0);
  assert_int_equal(thin_path(x, y, 0, 1, 1, kept), 0);
}

/* In every column the kept points have the same lowest and highest value as all points. */
static void columns_keep_their_extremes(void** state)
{
  (void)state;
  enum { COUNT = 20000, COLUMNS = 50 };
  double *x = calloc(COUNT, sizeof *x), *y = calloc(COUNT, sizeof *y);
  long* kept = calloc(COUNT, sizeof *kept);
  unsigned seed = 1;
  for (long i = 0; i < COUNT; i++) x[i] = (double)i, y[i] = noise(&seed);
  long count = thin_columns(x, y, COUNT, COLUMNS, kept);
  assert_true(count <= 4 * (COLUMNS + 1));
  assert_int_equal(kept[0], 0);
  assert_int_equal(kept[count - 1], COUNT - 1);
  double low[COLUMNS + 1], high[COLUMNS + 1], kept_low[COLUMNS + 1], kept_high[COLUMNS + 1];
  for (int c = 0; c <= COLUMNS; c++) low[c] = kept_low[c] = 2, high[c] = kept_high[c] = -1;
  for (long i = 0; i < COUNT; i++) {
    int c = (int)floor(x[i] * (COLUMNS / (double)(COUNT - 1)));
    low[c] = fmin(low[c], y[i]), high[c] = fmax(high[c], y[i]);
  }
  for (long k = 0; k < count; k++) {
    if (k > 0) assert_true(kept[k] > kept[k - 1]);
    int c = (int)floor(x[kept[k]] * (COLUMNS / (double)(COUNT - 1)));
    kept_low[c] = fmin(kept_low[c], y[kept[k]]), kept_high[c] = fmax(kept_high[c], y[kept[k]]);
  }
  for (int c = 0; c <= COLUMNS; c++) {
    CHECK_NEAR(kept_low[c], low[c], 0);
    CHECK_NEAR(kept_high[c], high[c], 0);
  }
  free(x);
  free(y);
  free(kept);
}

static void gaps_stay_gaps(void** state)
{
  (void)state;
  double x[] = {0, 1, 2, 3, 4, 5, 6, 7};
  double y[] = {NAN, 1, 1, INFINITY, NAN, 2, 2, NAN};
  long kept[8];
  const long want[] = {1, 2, 3, 5, 6, 7};
  assert_int_equal(thin_columns(x, y, 8, 1, kept), 6);
  assert_memory_equal(kept, want, sizeof want);
  assert_int_equal(thin_path(x, y, 8, 0.5, 10, kept), 6);
  assert_memory_equal(kept, want, sizeof want);
}

/* Every point of the path lies within the tolerance of a kept point that was drawn before it. */
static void no_point_is_far_from_the_path_that_is_kept(void** state)
{
  (void)state;
  enum { COUNT = 50000 };
  double *x = calloc(COUNT, sizeof *x), *y = calloc(COUNT, sizeof *y);
  long* kept = calloc(COUNT, sizeof *kept);
  for (long i = 0; i < COUNT; i++) {
    x[i] = cos(1e-3 * (double)i);
    y[i] = sin(3e-3 * (double)i);
  }
  long count = thin_path(x, y, COUNT, 0.01, 0.02, kept);
  assert_true(count < COUNT / 5);
  assert_int_equal(kept[0], 0);
  assert_int_equal(kept[count - 1], COUNT - 1);
  for (long i = 0, k = 0; i < COUNT; i++) {
    while (k + 1 < count && kept[k + 1] <= i) k++;
    assert_true(fabs(x[i] - x[kept[k]]) <= 0.01 && fabs(y[i] - y[kept[k]]) <= 0.02);
  }
  free(x);
  free(y);
  free(kept);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_points_are_all_kept),
      cmocka_unit_test(columns_keep_their_extremes),
      cmocka_unit_test(gaps_stay_gaps),
      cmocka_unit_test(no_point_is_far_from_the_path_that_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
