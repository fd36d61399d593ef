#include "linalg/delassus.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/dense.h"
#include "random.h"

/* Four bodies of three velocities each, the second and the fourth joined by a spring. */
enum { N = 12, ROWS_MAX = 6, SADDLE = N + ROWS_MAX };

static const pc_block blocks[] = {{0, 3}, {3, 3}, {6, 3}, {9, 3}};
static const pc_block pair[] = {{3, 3}, {9, 3}};

typedef struct fixture {
  pc_assembly* tangent;
  double A[N * N]; /* the same, dense */
  pc_delassus* delassus;
  double value[2 * ROWS_MAX][6];
  pc_block place[2 * ROWS_MAX][2];
  pc_row bilateral[ROWS_MAX], contact[ROWS_MAX];
} fixture;

static void add(fixture* f, int set, const pc_index_set* sets, const double* value)
{
  int index[N], order = 0;
  for (int k = 0; k < sets[set].block_count; k++)
    for (int i = 0; i < sets[set].block[k].width; i++)
      index[order++] = sets[set].block[k].first + i;
  pc_assembly_add(f->tangent, set, 0.5, value);
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++) f->A[index[i] * N + index[j]] += 0.5 * value[i * order + j];
}

/* A row on bodies a < b. */
static pc_row make_row(fixture* f, random_source* source, int k, int a, int b)
{
  f->place[k][0] = blocks[a];
  f->place[k][1] = blocks[b];
  random_numbers(source, 6, f->value[k]);
  return (pc_row){2, f->place[k], f->value[k]};
}

/* An unsymmetric tangent and random rows. */
static void set_up(fixture* f, uint64_t seed)
{
  random_source source = {seed};
  pc_error error = {0};
  memset(f, 0, sizeof *f);
  pc_index_set sets[5];
  for (int k = 0; k < 4; k++) sets[k] = (pc_index_set){1, &blocks[k], 0};
  sets[4] = (pc_index_set){2, pair, 0};
  CHECK_OK(pc_assembly_create(N, 5, sets, PC_UNSYMMETRIC, &f->tangent, &error), error);
  CHECK_OK(pc_delassus_create(N, ROWS_MAX, ROWS_MAX, &f->delassus, &error), error);
  for (int set = 0; set < 5; set++) {
    double value[36];
    int order = set < 4 ? 3 : 6;
    random_numbers(&source, order * order, value);
    for (int i = 0; i < order; i++) value[i * order + i] += 4;
    add(f, set, sets, value);
  }
  assert_int_equal(pc_assembly_factor(f->tangent), PC_OK);
  for (int k = 0; k < ROWS_MAX; k++) {
    f->bilateral[k] = make_row(f, &source, k, k % 3, 3);
    f->contact[k] = make_row(f, &source, ROWS_MAX + k, 0, 1 + k % 3);
  }
}

static void tear_down(fixture* f)
{
  pc_assembly_destroy(f->tangent);
  pc_delassus_destroy(f->delassus);
}

/* Solves [A -W_b; W_b' 0] (u, P) = (f, -c) densely, for bilateral rows that are independent. */
static void solve_saddle(const fixture* f, int bilateral, const double* force, const double* c,
                         double* u, double* P)
{
  static double K[SADDLE * SADDLE];
  double x[SADDLE] = {0};
  int pivot[SADDLE], n = N + bilateral;
  memset(K, 0, sizeof K);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) K[i * n + j] = f->A[i * N + j];
  for (int k = 0; k < bilateral; k++) {
    double w[N] = {0};
    pc_row_add(f->bilateral[k], 1, w);
    for (int i = 0; i < N; i++) {
      K[i * n + N + k] = -w[i];
      K[(N + k) * n + i] = w[i];
    }
    x[N + k] = -c[k];
  }
  memcpy(x, force, N * sizeof *x);
  assert_int_equal(pc_lu_factor(n, K, pivot), PC_OK);
  pc_lu_solve(n, K, pivot, x);
  memcpy(u, x, N * sizeof *u);
  memcpy(P, x + N, (size_t)bilateral * sizeof *P);
}

static void agrees_with_the_saddle_point_problem(void** state)
{
  (void)state;
  for (int bilateral = 0; bilateral <= ROWS_MAX; bilateral++)
    for (int contacts = 0; contacts <= ROWS_MAX; contacts++) {
      fixture f;
      set_up(&f, (uint64_t)(100 + 10 * bilateral + contacts));
      random_source source = {77};
      double force[N], c[ROWS_MAX], P_c[ROWS_MAX], u[N], P_b[ROWS_MAX] = {0};
      random_numbers(&source, N, force);
      random_numbers(&source, ROWS_MAX, c);
      random_numbers(&source, ROWS_MAX, P_c);

      assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, bilateral, f.bilateral),
                       PC_OK);
      assert_int_equal(pc_delassus_rank(f.delassus), bilateral);
      pc_delassus_set_contacts(f.delassus, f.tangent, contacts, f.contact, NULL);
      memcpy(u, force, sizeof u);
      pc_assembly_solve(f.tangent, u);
      pc_delassus_project(f.delassus, c, u, P_b);
      pc_delassus_apply(f.delassus, P_c, u, P_b);

      double want_u[N], want_P[ROWS_MAX];
      for (int k = 0; k < contacts; k++) pc_row_add(f.contact[k], P_c[k], force);
      solve_saddle(&f, bilateral, force, c, want_u, want_P);
      for (int i = 0; i < N; i++) CHECK_NEAR(u[i], want_u[i], 1e-11);
      for (int k = 0; k < bilateral; k++) CHECK_NEAR(P_b[k], want_P[k], 1e-11);
      tear_down(&f);
    }
}

static void matrix_entry_is_what_a_unit_percussion_does(void** state)
{
  (void)state;
  for (int bilateral = 0; bilateral <= ROWS_MAX; bilateral++) {
    fixture f;
    set_up(&f, (uint64_t)(200 + bilateral));
    const double zero[ROWS_MAX] = {0};
    assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, bilateral, f.bilateral),
                     PC_OK);
    const double* D = pc_delassus_set_contacts(f.delassus, f.tangent, 4, f.contact, NULL);
    for (int j = 0; j < 4; j++) {
      double force[N] = {0}, u[N], P[ROWS_MAX];
      pc_row_add(f.contact[j], 1, force);
      solve_saddle(&f, bilateral, force, zero, u, P);
      for (int i = 0; i < 4; i++) CHECK_NEAR(D[i * 4 + j], pc_row_dot(f.contact[i], u), 1e-12);
    }
    tear_down(&f);
  }
}

static void redundant_bilateral_rows_are_found_and_satisfied(void** state)
{
  (void)state;
  fixture f;
  set_up(&f, 300);
  /* rows 3, 4, 5 repeat 0 and 1 in other units, and one is empty */
  f.bilateral[3] = f.bilateral[0];
  memcpy(f.place[4], f.place[1], sizeof f.place[4]);
  for (int i = 0; i < 6; i++) f.value[4][i] = 1e4 * f.value[1][i];
  f.bilateral[5] = (pc_row){0, NULL, NULL};
  assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, 6, f.bilateral), PC_OK);
  assert_int_equal(pc_delassus_rank(f.delassus), 3);

  const double c[] = {0.3, -0.2, 0.7, 0.3, -0.2 * 1e4, 0};
  const double P_c[] = {1, -2, 0.5};
  double u[N], P_b[ROWS_MAX] = {0}, free_u[N];
  random_source source = {301};
  random_numbers(&source, N, u);
  memcpy(free_u, u, sizeof u);
  pc_delassus_set_contacts(f.delassus, f.tangent, 3, f.contact, NULL);
  pc_delassus_project(f.delassus, c, u, P_b);
  pc_delassus_apply(f.delassus, P_c, u, P_b);
  for (int k = 0; k < 6; k++)
    CHECK_NEAR(pc_row_dot(f.bilateral[k], u), -c[k], 1e-12 * (k == 4 ? 1e4 : 1));

  double force[N] = {0}; /* A (u - u_free) = W_b P_b + W_c P_c */
  for (int k = 0; k < 6; k++) pc_row_add(f.bilateral[k], P_b[k], force);
  for (int k = 0; k < 3; k++) pc_row_add(f.contact[k], P_c[k], force);
  pc_assembly_solve(f.tangent, force);
  for (int i = 0; i < N; i++) CHECK_NEAR(u[i] - free_u[i], force[i], 1e-11);
  tear_down(&f);
}

static void rank_does_not_depend_on_units(void** state)
{
  (void)state;
  fixture f;
  set_up(&f, 400);
  for (int k = 0; k < ROWS_MAX; k++)
    for (int i = 0; i < 6; i++) f.value[k][i] *= pow(10, 3 * k - 8);
  assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, ROWS_MAX, f.bilateral), PC_OK);
  assert_int_equal(pc_delassus_rank(f.delassus), ROWS_MAX);
  tear_down(&f);
}

static void percussions_of_joints_are_optional(void** state)
{
  (void)state;
  fixture f;
  set_up(&f, 500);
  double c[ROWS_MAX] = {0.1, 0.2}, P_c[] = {1, 2}, u[N] = {0}, same_u[N] = {0}, P_b[2] = {0};
  assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, 2, f.bilateral), PC_OK);
  pc_delassus_set_contacts(f.delassus, f.tangent, 2, f.contact, NULL);
  pc_delassus_project(f.delassus, c, u, NULL);
  pc_delassus_apply(f.delassus, P_c, u, NULL);
  pc_delassus_project(f.delassus, c, same_u, P_b);
  pc_delassus_apply(f.delassus, P_c, same_u, P_b);
  assert_memory_equal(u, same_u, sizeof u);
  tear_down(&f);
}

static void bad_rows_are_refused(void** state)
{
  (void)state;
  fixture f;
  set_up(&f, 600);
  f.value[1][2] = NAN;
  assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, 3, f.bilateral), PC_NOT_FINITE);
  assert_int_equal(pc_delassus_set_bilateral(f.delassus, f.tangent, ROWS_MAX + 1, f.bilateral),
                   PC_BAD_ARGUMENT);
  pc_delassus* none = NULL;
  assert_int_equal(pc_delassus_create(3, -1, 0, &none, NULL), PC_BAD_ARGUMENT);
  pc_delassus_destroy(NULL);
  tear_down(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_saddle_point_problem),
      cmocka_unit_test(matrix_entry_is_what_a_unit_percussion_does),
      cmocka_unit_test(redundant_bilateral_rows_are_found_and_satisfied),
      cmocka_unit_test(rank_does_not_depend_on_units),
      cmocka_unit_test(percussions_of_joints_are_optional),
      cmocka_unit_test(bad_rows_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
