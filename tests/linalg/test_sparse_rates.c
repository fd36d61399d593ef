/* Rates of large sparse motions against the modes of a bar, which have a formula, and against all
 * eigenvalues of problems that are small enough. */
#include "linalg/sparse_rates.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

/* A motion in the making. */
typedef struct scene {
  int n;
  pc_entries m, k, d;
  pc_sparse_matrix M, K, D;
  int row_count;
  pc_block block[8];
  double w[8];
  pc_row row[8];
  int is_rough;
} scene;

static void add_pair(pc_entries* e, int i, int j, double own, double other)
{
  if (i >= 0) pc_entries_add(e, i, i, own);
  if (j >= 0) pc_entries_add(e, j, j, own);
  if (i < 0 || j < 0) return;
  pc_entries_add(e, i, j, other);
  pc_entries_add(e, j, i, other);
}

/* An element of a bar between the nodes i and j, -1: the ground; stiffness 1/h, mass h, consistent;
 * damping tau K + alpha M. */
static void add_element(scene* s, int i, int j, double h, double tau, double alpha)
{
  add_pair(&s->m, i, j, h / 3, h / 6);
  add_pair(&s->k, i, j, -1 / h, 1 / h);
  add_pair(&s->d, i, j, -tau / h - alpha * h / 3, tau / h - alpha * h / 6);
}

/* x_i = 0 by a constraint. */
static void hold(scene* s, int i)
{
  int r = s->row_count++;
  s->block[r] = (pc_block){i, 1};
  s->w[r] = 2;
  s->row[r] = (pc_row){1, &s->block[r], &s->w[r]};
}

static pc_rates rates_of(scene* s)
{
  pc_error error = {0};
  pc_rates rates;
  CHECK_OK(pc_sparse_matrix_create(s->n, &s->m, &s->M, &error), error);
  CHECK_OK(pc_sparse_matrix_create(s->n, &s->k, &s->K, &error), error);
  CHECK_OK(pc_sparse_matrix_create(s->n, &s->d, &s->D, &error), error);
  int damped = s->D.pattern.start[s->n] > 0;
  pc_sparse_quadratic p = {s->n,         &s->M,  &s->K,      damped ? &s->D : NULL,
                           s->row_count, s->row, s->is_rough};
  CHECK_OK(pc_sparse_rates(&p, &rates, &error), error);
  return rates;
}

static double* dense(const pc_sparse_matrix* from)
{
  int n = from->pattern.order;
  double* A = calloc((size_t)n * (size_t)n, sizeof *A);
  assert_non_null(A);
  for (int j = 0; j < n; j++)
    for (int p = from->pattern.start[j]; p < from->pattern.start[j + 1]; p++)
      A[from->pattern.row[p] * n + j] = from->value[p];
  return A;
}

/* After rates_of. */
static pc_rates rates_of_all(const scene* s)
{
  pc_error error = {0};
  pc_rates rates;
  double *M = dense(&s->M), *K = dense(&s->K), *D = dense(&s->D);
  double* W = calloc((size_t)(s->row_count + 1) * (size_t)s->n, sizeof *W);
  assert_non_null(W);
  for (int r = 0; r < s->row_count; r++) pc_row_add(s->row[r], 1, W + r * s->n);
  pc_quadratic p = {s->n, M, K, D, s->row_count, W};
  CHECK_OK(pc_quadratic_rates(&p, &rates, &error), error);
  double* array[] = {M, K, D, W};
  for (int i = 0; i < 4; i++) free(array[i]);
  return rates;
}

static void leave(scene* s)
{
  pc_entries* entries[] = {&s->m, &s->k, &s->d};
  pc_sparse_matrix* matrix[] = {&s->M, &s->K, &s->D};
  for (int i = 0; i < 3; i++) {
    pc_entries_free(entries[i]);
    pc_sparse_matrix_free(matrix[i]);
  }
}

/* A bar of length 1 and wave speed 1 between walls. */
static scene bar(int elements, double tau, double alpha)
{
  scene s = {.n = elements - 1};
  double h = 1.0 / elements;
  for (int e = 0; e < elements; e++)
    add_element(&s, e - 1, e < elements - 1 ? e : -1, h, tau, alpha);
  return s;
}

/* Its modes: w^2 = 6/h^2 (1 - cos a)/(2 + cos a), a = j pi/N, and lambda^2 + (tau w^2 + alpha)
 * lambda + w^2 = 0. */
static pc_rates rates_of_bar(int elements, double tau, double alpha)
{
  pc_rates rates = {0};
  for (int j = 1; j < elements; j++) {
    double a = j * acos(-1.0) / elements, h = 1.0 / elements;
    double square = 6 / (h * h) * (1 - cos(a)) / (2 + cos(a)), half = (tau * square + alpha) / 2;
    double complex root = csqrt(half * half - square);
    rates.frequency = fmax(rates.frequency, cimag(root));
    rates.rate = fmax(rates.rate, cabs(half + root));
  }
  return rates;
}

static void expect(pc_rates found, pc_rates right)
{
  CHECK_NEAR(found.rate, right.rate, 2e-3 * right.rate);
  CHECK_NEAR(found.frequency, right.frequency, 2e-3 * right.frequency);
}

/* From no damping at all to one that leaves a single vibration, and to one that leaves none. */
static void damped_bars_have_the_rates_of_their_modes(void** state)
{
  (void)state;
  const double tau[] = {0, 1e-5, 3e-4, 1e-3, 3e-3, 1e-2, 0.03, 0.1, 0.2, 0.3, 0.5, 0.62, 1};
  for (int i = 0; i < (int)(sizeof tau / sizeof *tau); i++)
    for (int alpha = 0; alpha <= 4; alpha += 4) {
      int elements = i % 4 == 2 && alpha == 0 ? 1500 : 150;
      scene s = bar(elements, tau[i], alpha);
      expect(rates_of(&s), rates_of_bar(elements, tau[i], alpha));
      leave(&s);
    }
}

/* No vibration is faster than what a rough answer says, and that is 1/tau for strong damping. */
static void rough_answers_are_bounds(void** state)
{
  (void)state;
  const double tau[] = {0, 1e-3, 1e-2, 0.1, 0.5};
  for (int i = 0; i < (int)(sizeof tau / sizeof *tau); i++) {
    scene s = bar(300, tau[i], 0);
    s.is_rough = 1;
    pc_rates found = rates_of(&s), right = rates_of_bar(300, tau[i], 0);
    CHECK_NEAR(found.rate, right.rate, 2e-3 * right.rate);
    assert_true(found.frequency > 0.998 * right.frequency);
    if (tau[i] >= 0.01) assert_true(found.frequency < 1.02 / tau[i]);
    leave(&s);
  }
}

/* The walls are constraints. */
static void constraints_hold(void** state)
{
  (void)state;
  enum { N = 300 };
  const double tau[] = {0, 0.004, 0.1};
  for (size_t i = 0; i < sizeof tau / sizeof *tau; i++) {
    scene s = {.n = N + 1};
    for (int e = 0; e < N; e++) add_element(&s, e, e + 1, 1.0 / N, tau[i], 0);
    hold(&s, 0);
    hold(&s, N);
    expect(rates_of(&s), rates_of_bar(N, tau[i], 0));
    leave(&s);
  }
}

/* A free bar: its motion as a whole is no vibration, and does not hide one. */
static void a_free_bar_vibrates_as_a_held_one(void** state)
{
  (void)state;
  enum { N = 300 };
  scene s = {.n = N + 1};
  for (int e = 0; e < N; e++) add_element(&s, e, e + 1, 1.0 / N, 0.1, 0);
  pc_rates found = rates_of(&s), right = rates_of_bar(N, 0.1, 0);
  CHECK_NEAR(found.frequency, right.frequency, 2e-3 * right.frequency);
  leave(&s);
}

/* Halves of different materials, dampers here and there, a part that is not damped: no mode is an
 * oscillator by itself. Against all eigenvalues. */
static void uneven_damping(void** state)
{
  (void)state;
  enum { N = 120 };
  random_source source = {31};
  for (int trial = 0; trial < 12; trial++) {
    scene s = {.n = N - 1};
    double tau[3];
    for (int i = 0; i < 3; i++) tau[i] = pow(10, -2 + 2 * random_number(&source));
    if (trial % 4 == 0) tau[1] = 0;
    for (int e = 0; e < N; e++)
      add_element(&s, e - 1, e < N - 1 ? e : -1, 1.0 / N, tau[3 * e / N], 0);
    for (int i = 0; i < trial % 5; i++)
      pc_entries_add(&s.d, 20 * i + 7, 20 * i + 7, -pow(10, 2 * random_number(&source)));
    pc_rates found = rates_of(&s);
    expect(found, rates_of_all(&s));
    leave(&s);
  }
}

/* Two bars beside each other that turn with the rate `spin`: gyroscopic forces couple them, and
 * damping is light. */
static void gyroscopic_forces(void** state)
{
  (void)state;
  enum { N = 60 };
  const double tau[] = {0, 1e-4, 1e-3}, spin[] = {0.1, 2, 50};
  for (int trial = 0; trial < 9; trial++) {
    scene s = {.n = 2 * (N - 1)};
    for (int e = 0; e < N; e++) {
      int i = e - 1, j = e < N - 1 ? e : -1;
      add_element(&s, i, j, 1.0 / N, tau[trial / 3], 0);
      add_element(&s, i < 0 ? -1 : i + N - 1, j < 0 ? -1 : j + N - 1, 1.0 / N, tau[trial / 3], 0);
    }
    for (int i = 0; i < N - 1; i++) {
      pc_entries_add(&s.d, i, i + N - 1, 2 * spin[trial % 3] / N);
      pc_entries_add(&s.d, i + N - 1, i, -2 * spin[trial % 3] / N);
    }
    pc_rates found = rates_of(&s);
    expect(found, rates_of_all(&s));
    leave(&s);
  }
}

/* Chains with random stiffnesses and masses over six decades, springs across, random dampers. */
static void random_motions(void** state)
{
  (void)state;
  enum { N = 90 };
  random_source source = {32};
  for (int trial = 0; trial < 20; trial++) {
    scene s = {.n = N};
    for (int i = 0; i < N; i++) {
      pc_entries_add(&s.m, i, i, pow(10, 1.5 * random_number(&source)));
      int j = i % 3 ? i + 1 : (int)(N * (1 + random_number(&source)) / 2);
      double k = pow(10, 3 * random_number(&source)), d = pow(10, 3 * random_number(&source));
      if (j == i || j >= N) j = -1;
      add_pair(&s.k, i, j, -k, k);
      if (trial % 3 && i % 4 == 0) add_pair(&s.d, i, j, -d, d);
    }
    for (int r = 0; r < trial % 4; r++) hold(&s, 11 * r + 2);
    pc_rates found = rates_of(&s);
    expect(found, rates_of_all(&s));
    leave(&s);
  }
}

static void degenerate_and_bad_problems(void** state)
{
  (void)state;
  scene s = {.n = 300}; /* masses without forces */
  for (int i = 0; i < s.n; i++) pc_entries_add(&s.m, i, i, 1 + i);
  pc_rates rates = rates_of(&s);
  CHECK_NEAR(rates.rate, 0, 0);
  CHECK_NEAR(rates.frequency, 0, 0);
  leave(&s);
  for (int bad = 0; bad < 300; bad += 149) {
    scene t = {.n = 300};
    pc_error error = {0};
    for (int i = 0; i < t.n; i++) {
      pc_entries_add(&t.m, i, i, 1);
      pc_entries_add(&t.k, i, i, i == bad ? NAN : -1);
    }
    CHECK_OK(pc_sparse_matrix_create(t.n, &t.m, &t.M, &error), error);
    CHECK_OK(pc_sparse_matrix_create(t.n, &t.k, &t.K, &error), error);
    pc_sparse_quadratic p = {t.n, &t.M, &t.K, NULL, 0, NULL, 0};
    assert_int_equal(pc_sparse_rates(&p, &rates, &error), PC_NOT_FINITE);
    t.M.value[bad] = 0;
    p.K = &t.M;
    assert_int_equal(pc_sparse_rates(&p, &rates, &error), PC_SINGULAR);
    leave(&t);
  }
}

/* Entries in any order, several for a place, some that cancel. */
static void entries_become_columns(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_entries e = {0};
  const pc_entry given[] = {{2, 1, 3}, {0, 0, 1}, {2, 1, 4}, {1, 2, 5}, {0, 1, 2}, {1, 2, -5}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    pc_entries_add(&e, given[i].i, given[i].j, given[i].value);
  pc_sparse_matrix m;
  CHECK_OK(pc_sparse_matrix_create(3, &e, &m, &error), error);
  assert_int_equal(m.pattern.start[3], 3);
  double x[3] = {1, 10, 100}, y[3] = {0}, z[3] = {0};
  pc_sparse_matrix_times(&m, 2, x, y);
  pc_sparse_matrix_transposed_times(&m, 1, x, z);
  const double right[2][3] = {{42, 0, 140}, {1, 702, 0}};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(y[i], right[0][i], 0);
    CHECK_NEAR(z[i], right[1][i], 0);
  }
  pc_sparse_matrix_free(&m);
  pc_entries_free(&e);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damped_bars_have_the_rates_of_their_modes),
      cmocka_unit_test(rough_answers_are_bounds),
      cmocka_unit_test(constraints_hold),
      cmocka_unit_test(a_free_bar_vibrates_as_a_held_one),
      cmocka_unit_test(uneven_damping),
      cmocka_unit_test(gyroscopic_forces),
      cmocka_unit_test(random_motions),
      cmocka_unit_test(degenerate_and_bad_problems),
      cmocka_unit_test(entries_become_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
