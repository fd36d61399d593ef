/* LU with complete pivoting: solutions, rank, and what is no number. */
#include "linalg/complete_lu.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { N_MAX = 13 };

/* A number in [-1, 1]. */
static double next(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 8388608.0 - 1;
}

static void multiply(int n, const double* A, const double* x, double* y)
{
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
  }
}

/* Whatever the number of columns left over from pairs of them. */
static void systems_of_all_sizes_are_solved(void** state)
{
  (void)state;
  unsigned seed = 3;
  for (int n = 1; n <= N_MAX; n++) {
    double A[N_MAX * N_MAX], LU[N_MAX * N_MAX], x[N_MAX], b[N_MAX], work[N_MAX];
    int row[N_MAX], column[N_MAX];
    for (int i = 0; i < n * n; i++) A[i] = LU[i] = next(&seed);
    for (int i = 0; i < n; i++) x[i] = next(&seed);
    multiply(n, A, x, b);
    assert_int_equal(pc_complete_lu_factor(n, LU, row, column, 1e-12), n);
    for (int s = 0; s < n; s++) /* a pivot, whose inverse is kept, is the largest of what is left */
      for (int i = s + 1; i < n; i++) {
        assert_true(fabs(LU[i * n + s]) <= 1);
        assert_true(fabs(LU[s * n + i] * LU[s * n + s]) <= 1 + 1e-15);
      }
    pc_complete_lu_solve(n, LU, row, column, n, b, work);
    for (int i = 0; i < n; i++) CHECK_NEAR(b[i], x[i], 1e-11);
  }
}

/* Rows that are sums of others are found, and what is solvable is solved. */
static void the_rank_is_found(void** state)
{
  (void)state;
  unsigned seed = 5;
  for (int n = 2; n <= N_MAX; n++)
    for (int rank = 1; rank < n; rank++) {
      double A[N_MAX * N_MAX] = {0}, LU[N_MAX * N_MAX], x[N_MAX], b[N_MAX], c[N_MAX], work[N_MAX];
      int row[N_MAX], column[N_MAX];
      for (int k = 0; k < rank; k++) {
        double left[N_MAX], right[N_MAX];
        for (int i = 0; i < n; i++) left[i] = next(&seed), right[i] = next(&seed);
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++) A[i * n + j] += left[i] * right[j];
      }
      for (int i = 0; i < n; i++) x[i] = next(&seed);
      multiply(n, A, x, b);
      memcpy(LU, A, sizeof A);
      memcpy(c, b, sizeof b);
      assert_int_equal(pc_complete_lu_factor(n, LU, row, column, 1e-12), rank);
      pc_complete_lu_solve(n, LU, row, column, rank, c, work);
      multiply(n, A, c, x);
      for (int i = 0; i < n; i++) CHECK_NEAR(x[i], b[i], 1e-7);
    }
}

/* A NaN is never chosen as a pivot as long as there are numbers. */
static void nan_is_no_pivot(void** state)
{
  (void)state;
  for (int at = 0; at < 9; at++) {
    double A[9] = {2, 1, 0, 1, 3, 1, 0, 1, 4};
    int row[3], column[3];
    A[at] = NAN;
    pc_complete_lu_factor(3, A, row, column, 1e-12);
    assert_true(isfinite(A[0]));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(systems_of_all_sizes_are_solved),
      cmocka_unit_test(the_rank_is_found),
      cmocka_unit_test(nan_is_no_pivot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
