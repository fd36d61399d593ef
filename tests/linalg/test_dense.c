#include "linalg/dense.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

enum { MAX = 100 }; /* well beyond the order from which matrices are taken in tiles and panels */

static double A[MAX * MAX], F[MAX * MAX], x[MAX], b[MAX], tau[MAX], work[MAX];
static int pivot[MAX];

static double largest(int count, const double* v)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(v[i]));
  return most;
}

/* The largest entry of A x - b. */
static double residual(int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) {
    double sum = -b[i];
    for (int j = 0; j < n; j++) sum += A[i * n + j] * x[j];
    most = fmax(most, fabs(sum));
  }
  return most;
}

static double round_off(int n)
{
  return 10 * n * DBL_EPSILON * (1 + largest(n * n, A) * largest(n, x));
}

static void copy_for_solution(random_source* source, int n)
{
  random_numbers(source, n, b);
  memcpy(x, b, (size_t)n * sizeof *x);
  memcpy(F, A, (size_t)(n * n) * sizeof *F);
}

static void make_positive_definite(random_source* source, int n)
{
  random_numbers(source, n * n, F);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++) sum += F[i * n + k] * F[j * n + k];
      A[i * n + j] = sum;
    }
}

static void lu_solves_to_round_off(void** state)
{
  (void)state;
  random_source source = {1};
  for (int n = 1; n <= MAX; n++) {
    random_numbers(&source, n * n, A);
    copy_for_solution(&source, n);
    assert_int_equal(pc_lu_factor(n, F, pivot), PC_OK);
    pc_lu_solve(n, F, pivot, x);
    CHECK_NEAR(residual(n), 0, round_off(n));
  }
}

static void lu_needs_no_diagonal_and_no_common_scale(void** state)
{
  (void)state;
  random_source source = {2};
  for (int n = 1; n <= MAX; n++) {
    memset(A, 0, sizeof A);
    /* a cyclic permutation whose columns have units 1e-12 .. 1e12 */
    for (int j = 0; j < n; j++) A[((j + 1) % n) * n + j] = pow(10, j % 25 - 12);
    copy_for_solution(&source, n);
    assert_int_equal(pc_lu_factor(n, F, pivot), PC_OK);
    pc_lu_solve(n, F, pivot, x);
    for (int j = 0; j < n; j++) {
      double want = b[(j + 1) % n] / pow(10, j % 25 - 12);
      CHECK_NEAR(x[j], want, 4 * DBL_EPSILON * fabs(want));
    }
  }
}

static void cholesky_solves_to_round_off(void** state)
{
  (void)state;
  random_source source = {3};
  for (int n = 1; n <= MAX; n++) {
    make_positive_definite(&source, n);
    copy_for_solution(&source, n);
    /* the upper triangle is not read */
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) F[i * n + j] = NAN;
    assert_int_equal(pc_cholesky_factor(n, F), PC_OK);
    pc_cholesky_solve(n, F, x);
    CHECK_NEAR(residual(n), 0, round_off(n));
  }
}

/* The last column as a combination of the others. */
static void make_last_column_dependent(int n)
{
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n - 1; j++) sum += A[i * n + j] * (j % 3 - 0.7);
    A[i * n + n - 1] = sum;
  }
}

static void singular_matrices_are_told(void** state)
{
  (void)state;
  random_source source = {4};
  for (int n = 1; n <= MAX; n++) {
    random_numbers(&source, n * n, A);
    make_last_column_dependent(n);
    memcpy(F, A, sizeof F);
    assert_int_equal(pc_lu_factor(n, F, pivot), PC_SINGULAR);
    make_positive_definite(&source, n);
    A[(n / 2) * n + n / 2] = -1;
    assert_int_equal(pc_cholesky_factor(n, A), PC_SINGULAR);
    memset(A, 0, sizeof A);
    assert_int_equal(pc_lu_factor(n, A, pivot), PC_SINGULAR);
    memset(A, 0, sizeof A);
    assert_int_equal(pc_cholesky_factor(n, A), PC_SINGULAR);
  }
}

static void positive_semidefinite_is_singular(void** state)
{
  (void)state;
  random_source source = {5};
  for (int n = 2; n <= MAX; n += 7) {
    /* V V' with V n x n/2: conditioned well enough for round-off to stay small */
    int r = n / 2;
    random_numbers(&source, n * r, F);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < r; k++) sum += F[i * r + k] * F[j * r + k];
        A[i * n + j] = sum;
      }
    assert_int_equal(pc_cholesky_factor(n, A), PC_SINGULAR);
  }
}

static void nearly_singular_matrices_still_have_small_residuals(void** state)
{
  (void)state;
  random_source source = {6};
  for (int n = 2; n <= MAX; n++) {
    random_numbers(&source, n * n, A);
    make_last_column_dependent(n);
    A[n * n - 1] += 1e-9;
    copy_for_solution(&source, n);
    assert_int_equal(pc_lu_factor(n, F, pivot), PC_OK);
    pc_lu_solve(n, F, pivot, x);
    CHECK_NEAR(residual(n), 0, round_off(n));
  }
}

static void every_place_of_a_nan_or_infinity_is_seen(void** state)
{
  (void)state;
  random_source source = {7};
  const int sizes[] = {1, 2, 3, 4, 6, 9, 28, 29, 32, 33, 50};
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int k = 0; k < sizes[s] * sizes[s]; k++)
      for (int which = 0; which < 3; which++) {
        int n = sizes[s], rank;
        random_numbers(&source, n * n, A);
        for (int i = 0; i < n; i++) A[i * n + i] += 2 * n;
        A[k] = bad[which];
        memcpy(F, A, sizeof F);
        assert_int_equal(pc_lu_factor(n, F, pivot), PC_NOT_FINITE);
        memcpy(F, A, sizeof F);
        assert_int_equal(pc_qr_factor(n, F, tau, pivot, 1e-12, &rank), PC_NOT_FINITE);
        if (k % n > k / n) continue;
        assert_int_equal(pc_cholesky_factor(n, A), PC_NOT_FINITE);
      }
}

static void qr_of_a_regular_matrix_solves_to_round_off(void** state)
{
  (void)state;
  random_source source = {8};
  for (int n = 1; n <= MAX; n++) {
    int rank;
    random_numbers(&source, n * n, A);
    copy_for_solution(&source, n);
    assert_int_equal(pc_qr_factor(n, F, tau, pivot, 1e-12, &rank), PC_OK);
    assert_int_equal(rank, n);
    pc_qr_solve(n, F, tau, pivot, rank, x, work);
    CHECK_NEAR(residual(n), 0, round_off(n));
  }
}

/* A = B C with inner dimension r. */
static void make_of_rank(random_source* source, int n, int r)
{
  static double B[MAX * MAX], C[MAX * MAX];
  random_numbers(source, n * r, B);
  random_numbers(source, n * r, C);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < r; k++) sum += B[i * r + k] * C[k * n + j];
      A[i * n + j] = sum;
    }
}

static void qr_finds_the_rank_and_solves_consistent_systems(void** state)
{
  (void)state;
  random_source source = {9};
  for (int n = 1; n <= 60; n++)
    for (int r = 0; r <= n; r += 1 + n / 4) {
      int rank;
      double y[MAX];
      make_of_rank(&source, n, r);
      random_numbers(&source, n, y);
      memset(b, 0, sizeof b);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i] += A[i * n + j] * y[j];
      memcpy(x, b, sizeof x);
      memcpy(F, A, sizeof F);
      assert_int_equal(pc_qr_factor(n, F, tau, pivot, 1e-11, &rank), PC_OK);
      assert_int_equal(rank, r);
      pc_qr_solve(n, F, tau, pivot, rank, x, work);
      CHECK_NEAR(residual(n), 0, round_off(n));
      int zeros = 0;
      for (int i = 0; i < n; i++) zeros += x[i] == 0;
      assert_true(zeros >= n - r); /* a basic solution */
    }
}

static void qr_gives_the_least_squares_solution(void** state)
{
  (void)state;
  random_source source = {10};
  int n = 12, rank;
  make_of_rank(&source, n, 7);
  copy_for_solution(&source, n);
  assert_int_equal(pc_qr_factor(n, F, tau, pivot, 1e-12, &rank), PC_OK);
  pc_qr_solve(n, F, tau, pivot, rank, x, work);
  for (int j = 0; j < n; j++) { /* A' (A x - b) = 0 */
    double normal = 0;
    for (int i = 0; i < n; i++) {
      double r = -b[i];
      for (int k = 0; k < n; k++) r += A[i * n + k] * x[k];
      normal += A[i * n + j] * r;
    }
    CHECK_NEAR(normal, 0, 1e-12);
  }
}

/* y := (C' C)^-1 y for an n x r matrix C of full rank, r <= n, by Gauss in long double. */
static void solve_normal(int n, int r, const double* C, long double* y)
{
  static long double G[MAX * MAX];
  for (int i = 0; i < r; i++)
    for (int j = 0; j < r; j++) {
      G[i * r + j] = 0;
      for (int k = 0; k < n; k++) G[i * r + j] += (long double)C[k * r + i] * C[k * r + j];
    }
  for (int k = 0; k < r; k++)
    for (int i = k + 1; i < r; i++) {
      long double factor = G[i * r + k] / G[k * r + k];
      for (int j = k; j < r; j++) G[i * r + j] -= factor * G[k * r + j];
      y[i] -= factor * y[k];
    }
  for (int k = r - 1; k >= 0; k--) {
    for (int j = k + 1; j < r; j++) y[k] -= G[k * r + j] * y[j];
    y[k] /= G[k * r + k];
  }
}

/* A = B C' with n x r matrices, scaled; want := the pseudoinverse C (C'C)^-1 (B'B)^-1 B' b /
 * scale. */
static void make_with_pseudoinverse(random_source* source, int n, int r, double scale, double* want)
{
  static double B[MAX * MAX], C[MAX * MAX];
  long double y[MAX];
  random_numbers(source, n * r, B);
  random_numbers(source, n * r, C);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      long double sum = 0;
      for (int k = 0; k < r; k++) sum += (long double)B[i * r + k] * C[j * r + k];
      A[i * n + j] = (double)(sum * scale);
    }
  random_numbers(source, n, b);
  for (int k = 0; k < r; k++) {
    y[k] = 0;
    for (int i = 0; i < n; i++) y[k] += (long double)B[i * r + k] * b[i];
  }
  solve_normal(n, r, B, y);
  solve_normal(n, r, C, y);
  for (int i = 0; i < n; i++) {
    long double sum = 0;
    for (int k = 0; k < r; k++) sum += C[i * r + k] * y[k];
    want[i] = (double)(sum / scale);
  }
}

static void the_solution_of_least_norm_is_the_pseudoinverse(void** state)
{
  (void)state;
  random_source source = {12};
  const double scales[] = {1, 1e-12, 1e200, 1e-200};
  for (int n = 1; n <= 40; n += 1 + n / 8)
    for (int r = 1; r <= n; r += 1 + n / 5)
      for (int k = 0; k < 4; k++) {
        double want[MAX], scratch[2 * MAX];
        int rank;
        make_with_pseudoinverse(&source, n, r, scales[k], want);
        memcpy(x, b, sizeof x);
        assert_int_equal(pc_least_norm_solve(n, A, x, 1e-11, &rank, pivot, scratch), PC_OK);
        assert_int_equal(rank, r);
        double size = largest(n, want);
        for (int i = 0; i < n; i++) CHECK_NEAR(x[i] / size, want[i] / size, 1e-8);
      }
}

/* Equal rows of a table's legs share the load; a matrix of zeros has the solution zero. */
static void redundant_rows_share_alike(void** state)
{
  (void)state;
  double scratch[8];
  int rank;
  for (int i = 0; i < 16; i++) A[i] = 2;
  for (int i = 0; i < 4; i++) x[i] = 8;
  assert_int_equal(pc_least_norm_solve(4, A, x, 1e-11, &rank, pivot, scratch), PC_OK);
  assert_int_equal(rank, 1);
  for (int i = 0; i < 4; i++) CHECK_NEAR(x[i], 1, 4 * DBL_EPSILON);
  memset(A, 0, sizeof A);
  assert_int_equal(pc_least_norm_solve(4, A, x, 1e-11, &rank, pivot, scratch), PC_OK);
  assert_int_equal(rank, 0);
  for (int i = 0; i < 4; i++) assert_true(x[i] == 0);
  for (int k = 0; k < 16; k++) {
    for (int i = 0; i < 16; i++) A[i] = i == k ? NAN : i % 5 == 0;
    assert_int_equal(pc_least_norm_solve(4, A, x, 1e-11, &rank, pivot, scratch), PC_NOT_FINITE);
  }
}

/* L of A = L L', entry by entry, the diagonal inverted: the order of subtractions that is
 * promised. */
static void plain_cholesky(int n, double* L)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < j; k++) L[i * n + j] -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = j < i ? L[i * n + j] * L[j * n + j] : 1 / sqrt(L[i * n + i]);
    }
}

static void tiles_do_not_change_a_bit_of_cholesky(void** state)
{
  (void)state;
  random_source source = {13};
  for (int n = 1; n <= MAX; n++) {
    make_positive_definite(&source, n);
    memcpy(F, A, sizeof F);
    plain_cholesky(n, F);
    assert_int_equal(pc_cholesky_factor(n, A), PC_OK);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) assert_true(A[i * n + j] == F[i * n + j]);
  }
}

/* The solution by elimination, row by row and one column after the other. */
static void plain_gauss(int n, double* G, double* y)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(G[i * n + k]) > fabs(G[p * n + k])) p = i;
    for (int j = 0; j < n; j++) {
      double a = G[k * n + j];
      G[k * n + j] = G[p * n + j];
      G[p * n + j] = a;
    }
    double a = y[k], inverse = 1 / G[k * n + k];
    y[k] = y[p];
    y[p] = a;
    for (int i = k + 1; i < n; i++) {
      double l = G[i * n + k] * inverse;
      for (int j = k + 1; j < n; j++) G[i * n + j] -= l * G[k * n + j];
      y[i] -= l * y[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    y[k] *= 1 / G[k * n + k];
    for (int i = 0; i < k; i++) y[i] -= G[i * n + k] * y[k];
  }
}

static void panels_do_not_change_a_bit_of_lu(void** state)
{
  (void)state;
  random_source source = {14};
  for (int n = 7; n <= MAX; n++) {
    random_numbers(&source, n * n, A);
    copy_for_solution(&source, n);
    plain_gauss(n, F, b);
    assert_int_equal(pc_lu_factor(n, A, pivot), PC_OK);
    pc_lu_solve(n, A, pivot, x);
    for (int i = 0; i < n; i++) assert_true(x[i] == b[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lu_solves_to_round_off),
      cmocka_unit_test(lu_needs_no_diagonal_and_no_common_scale),
      cmocka_unit_test(cholesky_solves_to_round_off),
      cmocka_unit_test(singular_matrices_are_told),
      cmocka_unit_test(positive_semidefinite_is_singular),
      cmocka_unit_test(nearly_singular_matrices_still_have_small_residuals),
      cmocka_unit_test(every_place_of_a_nan_or_infinity_is_seen),
      cmocka_unit_test(qr_of_a_regular_matrix_solves_to_round_off),
      cmocka_unit_test(qr_finds_the_rank_and_solves_consistent_systems),
      cmocka_unit_test(qr_gives_the_least_squares_solution),
      cmocka_unit_test(the_solution_of_least_norm_is_the_pseudoinverse),
      cmocka_unit_test(redundant_rows_share_alike),
      cmocka_unit_test(tiles_do_not_change_a_bit_of_cholesky),
      cmocka_unit_test(panels_do_not_change_a_bit_of_lu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
