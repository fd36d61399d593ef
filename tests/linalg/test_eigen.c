/* Eigenvalues against matrices that are made of known ones, and linear motions whose rates have a
 * formula. */
#include <complex.h>
#include <string.h>

#include "check.h"
#include "linalg/eigen.h"
#include "linalg/quadratic_eigen.h"
#include "random.h"

enum { MAX = 60 };

static long double A[MAX * MAX], V[MAX * MAX], value[MAX], re[MAX], im[MAX], work[2 * MAX];

static void fill(random_source* source, int count, long double* x)
{
  for (int i = 0; i < count; i++) x[i] = random_number(source);
}

/* |A v - lambda v| of the largest pair, and how far V is from orthogonal. */
static long double defect(int n, const long double* of)
{
  long double worst = 0;
  for (int k = 0; k < n; k++) {
    const long double* v = V + k * n;
    for (int i = 0; i < n; i++) {
      long double rest = -value[k] * v[i], product = i == k ? -1 : 0;
      for (int j = 0; j < n; j++) rest += of[i * n + j] * v[j];
      for (int j = 0; j < n; j++) product += v[j] * V[i * n + j];
      worst = fmaxl(worst, fmaxl(fabsl(rest), fabsl(product)));
    }
  }
  return worst;
}

static void symmetric_matrices_have_orthogonal_eigenvectors(void** state)
{
  (void)state;
  static long double copy[MAX * MAX];
  random_source source = {21};
  for (int n = 1; n <= MAX; n += 1 + n / 7) {
    fill(&source, n * n, A);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) A[j * n + i] = A[i * n + j];
    memcpy(copy, A, sizeof copy);
    assert_int_equal(pc_symmetric_eigen(n, A, value, V, work), PC_OK);
    assert_true(defect(n, copy) < 1e-17L * n);
  }
}

/* A chain of n equal masses and springs between walls: 4 sin^2(k pi/(2 (n + 1))). */
static void a_chain_has_its_known_eigenvalues(void** state)
{
  (void)state;
  const int n = 50;
  const long double pi = acosl(-1.0L);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) A[i * n + j] = i == j ? 2 : i == j + 1 ? -1 : 0;
  assert_int_equal(pc_symmetric_eigen(n, A, value, V, work), PC_OK);
  for (int k = 1; k <= n; k++) {
    long double s = sinl((long double)k * pi / (2 * (n + 1))), nearest = 1;
    for (int i = 0; i < n; i++) nearest = fminl(nearest, fabsl(value[i] - 4 * s * s));
    assert_true(nearest < 1e-17L);
  }
}

static void degenerate_and_bad_matrices(void** state)
{
  (void)state;
  for (int i = 0; i < 9; i++) A[i] = i % 4 == 0 ? 3 : 0;
  assert_int_equal(pc_symmetric_eigen(3, A, value, V, work), PC_OK);
  for (int i = 0; i < 3; i++) assert_true(value[i] == 3);
  for (int k = 0; k < 9; k++) {
    for (int i = 0; i < 9; i++) A[i] = i == k ? NAN : 1;
    if (k % 3 <= k / 3) assert_int_equal(pc_symmetric_eigen(3, A, value, V, work), PC_NOT_FINITE);
    for (int i = 0; i < 9; i++) A[i] = i == k ? INFINITY : 1;
    assert_int_equal(pc_eigenvalues(3, A, re, im, work), PC_NOT_FINITE);
  }
  assert_int_equal(pc_symmetric_eigen(0, A, value, V, work), PC_OK);
  assert_int_equal(pc_eigenvalues(0, A, re, im, work), PC_OK);
}

/* The wanted eigenvalue that is there, or not: its distance to the nearest one found. */
static long double distance(int n, long double wanted_re, long double wanted_im)
{
  long double nearest = INFINITY;
  for (int i = 0; i < n; i++)
    nearest = fminl(nearest, hypotl(re[i] - wanted_re, im[i] - wanted_im));
  return nearest;
}

/* x' = B x in new coordinates: rows r and s of a block diagonal matrix are mixed, and columns
 * back. */
static void mix(random_source* source, int n)
{
  for (int k = 0; k < 4 * n; k++) {
    int r = (int)((1 + random_number(source)) / 2 * n), s = (r + 1 + k % (n - 1)) % n;
    long double by = random_number(source);
    for (int j = 0; j < n; j++) A[r * n + j] += by * A[s * n + j];
    for (int i = 0; i < n; i++) A[i * n + s] -= by * A[i * n + r];
  }
}

static void general_matrices_have_the_eigenvalues_that_they_were_made_of(void** state)
{
  (void)state;
  random_source source = {22};
  for (int n = 2; n <= 24; n += 2) {
    long double a[MAX], b[MAX];
    memset(A, 0, sizeof A);
    for (int k = 0; k < n; k += 2) { /* pairs -a +- i b, or real ones a, b */
      a[k] = random_number(&source), b[k] = 1 + random_number(&source);
      int turns = k % 4 == 0;
      A[k * n + k] = a[k];
      A[k * n + k + 1] = turns ? b[k] : 0;
      A[(k + 1) * n + k] = turns ? -b[k] : 0;
      A[(k + 1) * n + k + 1] = turns ? a[k] : b[k] + 2;
    }
    mix(&source, n);
    assert_int_equal(pc_eigenvalues(n, A, re, im, work), PC_OK);
    for (int k = 0; k < n; k += 2) {
      int turns = k % 4 == 0;
      assert_true(distance(n, a[k], turns ? b[k] : 0) < 1e-9L);
      assert_true(distance(n, turns ? a[k] : b[k] + 2, turns ? -b[k] : 0) < 1e-9L);
    }
  }
}

/* Units do not matter: a matrix with rows and columns scaled by 1e-9 .. 1e9 is balanced first. */
static void scaled_matrices_are_balanced(void** state)
{
  (void)state;
  random_source source = {23};
  const int n = 12;
  long double kept[MAX], kept_im[MAX], plain[MAX * MAX];
  fill(&source, n * n, plain);
  memcpy(A, plain, sizeof plain);
  assert_int_equal(pc_eigenvalues(n, A, re, im, work), PC_OK);
  memcpy(kept, re, sizeof kept);
  memcpy(kept_im, im, sizeof kept_im);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * n + j] = plain[i * n + j] * powl(10, (i * 5 % 19 - 9) - (j * 5 % 19 - 9));
  assert_int_equal(pc_eigenvalues(n, A, re, im, work), PC_OK);
  for (int i = 0; i < n; i++) assert_true(distance(n, kept[i], kept_im[i]) < 1e-15L);
}

/* A cyclic permutation, orthogonal: QR steps with the usual shifts leave it as it is. Roots of
 * unity. */
static void what_the_usual_shifts_leave_alone_has_its_eigenvalues(void** state)
{
  (void)state;
  const long double pi = acosl(-1.0L);
  for (int n = 3; n <= 12; n++) {
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++) A[i * n + (i + n - 1) % n] = 1;
    assert_int_equal(pc_eigenvalues(n, A, re, im, work), PC_OK);
    for (int k = 0; k < n; k++)
      assert_true(distance(n, cosl(2 * pi * k / n), sinl(2 * pi * k / n)) < 1e-16L);
  }
}

/* ---- linear motions ------------------------------------------------------------------------- */

static double M[MAX * MAX], K[MAX * MAX], D[MAX * MAX], W[MAX * MAX];

static pc_rates rates_of(int n, int damped, int rows)
{
  pc_quadratic problem = {n, M, K, damped ? D : NULL, rows, W};
  pc_rates rates;
  pc_error error = {0};
  CHECK_OK(pc_quadratic_rates(&problem, &rates, &error), error);
  return rates;
}

static void identity(int n, double by, double* X)
{
  memset(X, 0, sizeof M);
  for (int i = 0; i < n; i++) X[i * n + i] = by;
}

/* A particle on springs k in a magnetic field: lambda = i (+-g/2 +- sqrt(g^2/4 + k)). */
static void gyroscopic_forces_couple(void** state)
{
  (void)state;
  const double k = 7, g = 3;
  identity(2, 2, M);
  identity(2, -2 * k, K);
  identity(2, 0, D);
  D[1] = 2 * g;
  D[2] = -2 * g;
  pc_rates r = rates_of(2, 1, 0);
  CHECK_NEAR(r.frequency, g / 2 + sqrt(g * g / 4 + k), 1e-13);
  CHECK_NEAR(r.rate, r.frequency, 1e-13);
}

/* Follower forces p beside springs k: lambda^2 = -k +- i p. */
static void circulatory_forces_couple(void** state)
{
  (void)state;
  const double k = 7, p = 2;
  identity(2, 0.5, M);
  identity(2, -0.5 * k, K);
  K[1] = 0.5 * p;
  K[2] = -0.5 * p;
  double complex root = csqrt(-k + p * I);
  pc_rates r = rates_of(2, 0, 0);
  CHECK_NEAR(r.frequency, fabs(cimag(root)), 1e-13);
  CHECK_NEAR(r.rate, cabs(root), 1e-13);
}

/* The roots of s^4 + a s^3 + b s^2 + c s + d by Durand and Kerner. */
static void quartic(double a, double b, double c, double d, double complex root[4])
{
  for (int i = 0; i < 4; i++) root[i] = cpow(0.4 + 0.9 * I, i);
  for (int n = 0; n < 400; n++)
    for (int i = 0; i < 4; i++) {
      double complex s = root[i], f = (((s + a) * s + b) * s + c) * s + d;
      for (int j = 0; j < 4; j++)
        if (j != i) f /= s - root[j];
      root[i] -= f;
    }
}

/* Wall - spring - mass - spring - mass - spring - wall with a damper c on the first mass alone:
 * (s^2 + c s + 2 k)(s^2 + 2 k) = k^2. */
static void a_single_damper_couples_the_modes(void** state)
{
  (void)state;
  const double k = 5, c = 1.7;
  identity(2, 1, M);
  identity(2, -2 * k, K);
  K[1] = K[2] = k;
  identity(2, 0, D);
  D[0] = -c;
  double complex root[4];
  quartic(c, 4 * k, 2 * k * c, 3 * k * k, root);
  double frequency = 0, rate = 0;
  for (int i = 0; i < 4; i++) {
    frequency = fmax(frequency, cimag(root[i]));
    rate = fmax(rate, cabs(root[i]));
  }
  pc_rates r = rates_of(2, 1, 0);
  CHECK_NEAR(r.frequency, frequency, 1e-12);
  CHECK_NEAR(r.rate, rate, 1e-12);
}

/* A bar of n - 1 linear elements, consistent mass, c = L = 1: modes (6 N^2) (1 - cos x)/(2 + cos x)
 * with x = k pi/N; its material is damped such that all but the slowest only decay, 1e7 times as
 * fast as that vibrates. Free, or with its root held by a row that stands there three times. */
static void damped_meshes_have_the_frequency_of_their_slowest_mode(void** state)
{
  (void)state;
  enum { N = 58, ORDER = N + 1 };
  const double tau = 0.5, pi = acos(-1.0);
  for (int held = 0; held < 2; held++) {
    identity(ORDER, 0, M);
    identity(ORDER, 0, K);
    for (int e = 0; e < N; e++)
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
          M[(e + i) * ORDER + e + j] += (i == j ? 2.0 : 1.0) / (6 * N);
          K[(e + i) * ORDER + e + j] -= (i == j ? 1 : -1) * N;
        }
    for (int i = 0; i < ORDER * ORDER; i++) D[i] = tau * K[i];
    memset(W, 0, sizeof W);
    for (int r = 0; r < 3; r++) W[r * ORDER] = 1 + r;
    double x = held ? pi / 2 / N : pi / N, square = 6.0 * N * N * (1 - cos(x)) / (2 + cos(x));
    double fast = 6.0 * N * N * (1 - cos((held ? N - 0.5 : N) * pi / N)) /
                  (2 + cos((held ? N - 0.5 : N) * pi / N));
    double vibrates = sqrt(square - tau * tau * square * square / 4);
    pc_rates r = rates_of(ORDER, 1, held ? 3 : 0);
    CHECK_NEAR(r.frequency, vibrates, 1e-8 * vibrates);
    CHECK_NEAR(r.rate, tau * fast, 1e-3 * r.rate); /* but for 1/tau */
    assert_true(r.rate > 1e4);
  }
}

static void what_has_no_rates_is_told(void** state)
{
  (void)state;
  pc_rates rates;
  pc_error error = {0};
  pc_quadratic problem = {2, M, K, D, 1, W};
  identity(2, 1, K);
  identity(2, 1, D);
  identity(2, 1, M);
  M[3] = -1;
  assert_int_equal(pc_quadratic_rates(&problem, &rates, &error), PC_SINGULAR);
  M[3] = 1;
  double* entry[] = {&M[0], &K[2], &D[3], &W[1]};
  for (int i = 0; i < 4; i++) {
    double kept = *entry[i];
    *entry[i] = NAN;
    assert_int_equal(pc_quadratic_rates(&problem, &rates, &error), PC_NOT_FINITE);
    *entry[i] = kept;
  }
  problem.n = problem.row_count = 0;
  CHECK_OK(pc_quadratic_rates(&problem, &rates, &error), error);
  assert_true(rates.rate == 0 && rates.frequency == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(symmetric_matrices_have_orthogonal_eigenvectors),
      cmocka_unit_test(a_chain_has_its_known_eigenvalues),
      cmocka_unit_test(degenerate_and_bad_matrices),
      cmocka_unit_test(general_matrices_have_the_eigenvalues_that_they_were_made_of),
      cmocka_unit_test(scaled_matrices_are_balanced),
      cmocka_unit_test(what_the_usual_shifts_leave_alone_has_its_eigenvalues),
      cmocka_unit_test(gyroscopic_forces_couple),
      cmocka_unit_test(circulatory_forces_couple),
      cmocka_unit_test(a_single_damper_couples_the_modes),
      cmocka_unit_test(damped_meshes_have_the_frequency_of_their_slowest_mode),
      cmocka_unit_test(what_has_no_rates_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
