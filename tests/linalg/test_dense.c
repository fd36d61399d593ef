#include "linalg/dense.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

enum { MAX = 100 }; /* well beyond the size where LAPACK takes over */

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

/* A damped oscillator, s^2 + 2 s + 26 = 0, and a rate of 3 beside it: |-1 +- 5 i| = sqrt(26). */
static void spectral_radius_sees_complex_pairs(void** state)
{
  (void)state;
  double B[] = {0, 1, 0, -26, -2, 0, 7, 1, -3}, room[18], radius;
  assert_int_equal(pc_spectral_radius(3, B, room, &radius), PC_OK);
  CHECK_NEAR(radius, sqrt(26), 1e-13);
  double re = room[0] + room[1] + room[2], im = fabs(room[3]) + fabs(room[4]) + fabs(room[5]);
  CHECK_NEAR(re, -5, 1e-13);
  CHECK_NEAR(im, 10, 1e-13);
  double bad[] = {NAN};
  assert_int_equal(pc_spectral_radius(1, bad, room, &radius), PC_NOT_FINITE);
  assert_int_equal(pc_spectral_radius(0, bad, room, &radius), PC_OK);
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
      cmocka_unit_test(spectral_radius_sees_complex_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
