/* LU of narrow bands against the dense one. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/banded_lu.h"
#include "linalg/dense.h"
#include "random.h"

enum { ORDER_MAX = 60 };

/* A full band of half width b, and its entries dense. */
typedef struct band {
  pc_pattern pattern;
  int start[ORDER_MAX + 1];
  int row[ORDER_MAX * ORDER_MAX];
  double value[ORDER_MAX * ORDER_MAX];
  double dense[ORDER_MAX * ORDER_MAX];
} band;

static void make_band(band* m, int order, int b)
{
  *m = (band){0};
  for (int j = 0; j < order; j++) {
    m->start[j + 1] = m->start[j];
    for (int i = j - b; i <= j + b; i++)
      if (i >= 0 && i < order) m->row[m->start[j + 1]++] = i;
  }
  m->pattern = (pc_pattern){order, m->start, m->row};
}

static void fill_band(band* m, random_source* source, double diagonal)
{
  int order = m->pattern.order;
  for (int j = 0; j < order; j++)
    for (int p = m->start[j]; p < m->start[j + 1]; p++) {
      int i = m->row[p];
      double value = random_number(source) + (i == j ? diagonal : 0);
      m->dense[i * order + j] = m->value[p] = i == j && diagonal == 0 ? 0 : value;
    }
}

static void scale_rows(band* m)
{
  int order = m->pattern.order;
  for (int j = 0; j < order; j++)
    for (int p = m->start[j]; p < m->start[j + 1]; p++) {
      int i = m->row[p];
      m->dense[i * order + j] = m->value[p] *= pow(10, i * 7 % 41 - 20);
    }
}

static pc_banded_lu* create(const band* m)
{
  pc_error error = {0};
  pc_banded_lu* lu = NULL;
  CHECK_OK(pc_banded_lu_create(&m->pattern, &lu, &error), error);
  return lu;
}

/* Solves for a known x; the residual counts, row by row in the row's own scale. */
static void check_solve(const band* m, pc_banded_lu* lu, double tolerance)
{
  int order = m->pattern.order;
  double x[ORDER_MAX], y[ORDER_MAX] = {0};
  for (int i = 0; i < order; i++) {
    for (int j = 0; j < order; j++) y[i] += m->dense[i * order + j] * cos(j);
  }
  memcpy(x, y, sizeof x);
  assert_int_equal(pc_banded_lu_factor(lu, m->value), PC_OK);
  pc_banded_lu_solve(lu, x);
  for (int i = 0; i < order; i++) {
    double sum = 0, size = 0;
    for (int j = 0; j < order; j++) {
      sum += m->dense[i * order + j] * x[j];
      size = fmax(size, fabs(m->dense[i * order + j]));
    }
    CHECK_NEAR(sum / size, y[i] / size, tolerance);
  }
}

static void bands_of_all_widths_are_solved(void** state)
{
  (void)state;
  random_source source = {7};
  band* m = malloc(sizeof *m);
  assert_non_null(m);
  for (int b = 1; b <= 8; b++)
    for (int order = b + 1; order <= ORDER_MAX; order += 1 + order / 5) {
      make_band(m, order, b);
      pc_banded_lu* lu = create(m);
      fill_band(m, &source, 2 * b + 1);
      check_solve(m, lu, 1e-13);
      scale_rows(m);
      check_solve(m, lu, 1e-13);
      pc_banded_lu_destroy(lu);
    }
  free(m);
}

/* Without pivoting each of these would divide by zero at once. */
static void zeros_on_the_diagonal_are_pivoted(void** state)
{
  (void)state;
  random_source source = {11};
  band* m = malloc(sizeof *m);
  assert_non_null(m);
  for (int b = 1; b <= 8; b++)
    for (int order = 2 * b + 2; order <= ORDER_MAX; order += 2 * b) { /* even */
      make_band(m, order, b);
      pc_banded_lu* lu = create(m);
      fill_band(m, &source, 0);
      check_solve(m, lu, 1e-12);
      scale_rows(m);
      check_solve(m, lu, 1e-12);
      pc_banded_lu_destroy(lu);
    }
  free(m);
}

static void singular_and_infinite_bands_are_told_and_forgotten(void** state)
{
  (void)state;
  random_source source = {13};
  band* m = malloc(sizeof *m);
  assert_non_null(m);
  make_band(m, 40, 1);
  pc_banded_lu* lu = create(m);
  for (int j = 0; j < 40; j++) /* free at both ends: the sum of each row is zero */
    for (int p = m->start[j]; p < m->start[j + 1]; p++)
      m->value[p] = m->row[p] != j ? -3 : j == 0 || j == 39 ? 3 : 6;
  assert_int_equal(pc_banded_lu_factor(lu, m->value), PC_SINGULAR);
  for (int p = 0; p < m->start[40]; p++)
    if (m->row[p] == 17) m->value[p] = 0;
  assert_int_equal(pc_banded_lu_factor(lu, m->value), PC_SINGULAR);
  m->value[5] = NAN;
  assert_int_equal(pc_banded_lu_factor(lu, m->value), PC_NOT_FINITE);
  fill_band(m, &source, 3);
  check_solve(m, lu, 1e-13);
  pc_banded_lu_destroy(lu);
  free(m);
}

/* A narrow band that is well filled; not an arrow, not a ring, not a sparse wide band. */
static void only_chains_are_bands(void** state)
{
  (void)state;
  band* m = malloc(sizeof *m);
  assert_non_null(m);
  make_band(m, 40, 1);
  assert_true(pc_is_banded(&m->pattern));
  make_band(m, 40, 8);
  assert_true(pc_is_banded(&m->pattern));
  make_band(m, 40, 9);
  assert_false(pc_is_banded(&m->pattern));
  make_band(m, 40, 1);
  m->row[m->start[40] - 1] = 30; /* out of the band */
  assert_false(pc_is_banded(&m->pattern));
  make_band(m, 40, 0);
  assert_false(pc_is_banded(&m->pattern));
  free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_of_all_widths_are_solved),
      cmocka_unit_test(zeros_on_the_diagonal_are_pivoted),
      cmocka_unit_test(singular_and_infinite_bands_are_told_and_forgotten),
      cmocka_unit_test(only_chains_are_bands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
