/* The linear problems of generalized-alpha's levels: what comes out fulfils them, dense or
 * sparse. */
#include <string.h>

#include "check.h"
#include "linalg/random.h"
#include "schemes/generalized_alpha/saddle.h"

/* A chain of bodies with three velocities each, springs between neighbours; two rows between
 * neighbours, as of a hinge. */
enum { BODIES = 16, N = 3 * BODIES, MOST = 2 * (BODIES - 1) + 1 };

typedef struct fixture {
  pc_assembly* A;
  pc_block run[BODIES][2];
  double w[MOST][6], j[MOST][6];
  pc_row force[MOST], measure[MOST];
} fixture;

static void make_matrix(fixture* f, random_source* source)
{
  pc_index_set set[2 * BODIES];
  pc_error error;
  for (int b = 0; b < BODIES; b++) {
    f->run[b][0] = (pc_block){3 * b, 3};
    f->run[b][1] = (pc_block){3 * (b + 1), 3};
    set[b] = (pc_index_set){1, f->run[b], 0};
    set[BODIES + b] = (pc_index_set){b + 1 < BODIES ? 2 : 1, f->run[b], 0};
  }
  assert_int_equal(pc_assembly_create(N, 2 * BODIES, set, PC_UNSYMMETRIC, &f->A, &error), PC_OK);
  for (int s = 0; s < 2 * BODIES; s++) {
    double value[36];
    int order = 3 * set[s].block_count;
    random_numbers(source, order * order, value);
    for (int i = 0; i < order; i++) value[i * order + i] += 8;
    pc_assembly_add(f->A, s, 1, value);
  }
  assert_int_equal(pc_assembly_factor(f->A), PC_OK);
}

/* `count` rows; the last one is twice the first if it is one more than the joints have. */
static void make_rows(fixture* f, random_source* source)
{
  for (int r = 0; r < MOST; r++) {
    int b = r < MOST - 1 ? r / 2 : 0;
    random_numbers(source, 6, f->w[r]);
    for (int i = 0; i < 6; i++) f->j[r][i] = f->w[r][i];
    random_numbers(source, 1, &f->j[r][r % 6]); /* J is not W */
    f->force[r] = (pc_row){2, f->run[b], f->w[r]};
    f->measure[r] = (pc_row){2, f->run[b], f->j[r]};
  }
  for (int i = 0; i < 6; i++) {
    f->w[MOST - 1][i] = 2 * f->w[0][i];
    f->j[MOST - 1][i] = 2 * f->j[0][i];
  }
}

static void check_solution(fixture* f, random_source* source, int count)
{
  pc_alpha_saddle* saddle = NULL;
  pc_error error;
  double r[N], x[N], c[MOST], y[MOST], balance[N] = {0};
  assert_int_equal(
      pc_alpha_saddle_create(N, MOST, pc_alpha_operator_of(f->A), NULL, &saddle, &error), PC_OK);
  random_numbers(source, N, r);
  random_numbers(source, MOST, c);
  c[MOST - 1] = 2 * c[0];
  memcpy(x, r, sizeof x);
  assert_int_equal(
      pc_alpha_saddle_factor(saddle, pc_alpha_operator_of(f->A), count, f->force, f->measure),
      PC_OK);
  pc_alpha_saddle_solve(saddle, c, x, y);
  pc_assembly_times(f->A, x, balance);
  for (int i = 0; i < count; i++) {
    CHECK_NEAR(pc_row_dot(f->measure[i], x), c[i], 1e-10);
    pc_row_add(f->force[i], -y[i], balance);
  }
  for (int i = 0; i < N; i++) CHECK_NEAR(balance[i], r[i], 1e-10);
  pc_alpha_saddle_destroy(saddle);
}

static void solutions_fulfil_the_equations(void** state)
{
  (void)state;
  random_source source = {1};
  for (int trial = 0; trial < 20; trial++) {
    fixture f = {0};
    make_matrix(&f, &source);
    make_rows(&f, &source);
    check_solution(&f, &source, 6);        /* dense */
    check_solution(&f, &source, MOST - 1); /* sparse */
    check_solution(&f, &source, MOST);     /* with a redundant row */
    pc_assembly_destroy(f.A);
  }
}

/* The mass along a direction that the constraints leave free, and 0 along one that they hold; with
 * many constraints it is that of the bodies alone. */
static void masses_are_those_of_the_free_motion(void** state)
{
  (void)state;
  random_source source = {7};
  fixture f = {0};
  pc_alpha_saddle* saddle = NULL;
  pc_error error;
  make_matrix(&f, &source);
  make_rows(&f, &source);
  pc_alpha_operator A = pc_alpha_operator_of(f.A);
  double w[3] = {1, 0, 0}, x[N] = {0}, y[MOST], zero[MOST] = {0};
  pc_row along = {1, &f.run[5][0], w};
  assert_int_equal(pc_alpha_saddle_create(N, MOST, A, NULL, &saddle, &error), PC_OK);
  assert_int_equal(pc_alpha_saddle_factor(saddle, A, 6, f.force, f.force), PC_OK);
  CHECK_NEAR(pc_alpha_saddle_mass(saddle, f.A, f.force[4]), 0, 0);
  pc_row_add(along, 1, x);
  pc_alpha_saddle_solve(saddle, zero, x, y);
  CHECK_NEAR(pc_alpha_saddle_mass(saddle, f.A, along) * x[f.run[5][0].first], 1, 1e-12);
  assert_int_equal(pc_alpha_saddle_factor(saddle, A, MOST - 1, f.force, f.force), PC_OK);
  pc_assembly_solve_row(f.A, along, x);
  CHECK_NEAR(pc_alpha_saddle_mass(saddle, f.A, along) * x[f.run[5][0].first], 1, 1e-12);
  pc_alpha_saddle_destroy(saddle);
  pc_assembly_destroy(f.A);
}

static void note(void* user, int i, int j, double value)
{
  double* dense = user;
  dense[i * N + j] += value;
}

/* Groups are the bodies, and a visit meets every entry. */
static void entries_and_groups_of_a_matrix_can_be_read(void** state)
{
  (void)state;
  random_source source = {3};
  fixture f = {0};
  static double dense[N * N];
  int first[N + 1];
  double x[N], y[N] = {0};
  make_matrix(&f, &source);
  assert_int_equal(pc_assembly_find_groups(f.A, first), BODIES);
  for (int b = 0; b <= BODIES; b++) assert_int_equal(first[b], 3 * b);
  pc_assembly_visit(f.A, note, dense);
  random_numbers(&source, N, x);
  pc_assembly_times(f.A, x, y);
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) sum += dense[i * N + j] * x[j];
    CHECK_NEAR(sum, y[i], 1e-12);
  }
  pc_assembly_destroy(f.A);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_fulfil_the_equations),
      cmocka_unit_test(masses_are_those_of_the_free_motion),
      cmocka_unit_test(entries_and_groups_of_a_matrix_can_be_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
