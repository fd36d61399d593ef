/* J A^-1 W' by blocks against the same matrix made row by row. */
#include "linalg/percussion_form.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

/* Five bodies of three velocities, the second and the fourth joined by a spring; nodes of one, two
 * and three rows on one or two bodies. */
enum { N = 15, NODES = 7, ROWS = 13 };

static const pc_block body[] = {{0, 3}, {3, 3}, {6, 3}, {9, 3}, {12, 3}};
static const pc_block spring[] = {{3, 3}, {9, 3}};
static const int first[NODES + 1] = {0, 2, 3, 6, 8, 9, 11, 13};
static const int bodies[NODES][2] = {{0, 1}, {1, 2}, {3, -1}, {0, 4}, {2, 3}, {4, -1}, {0, 1}};

typedef struct fixture {
  pc_assembly* tangent;
  pc_percussion_form* form;
  pc_block run[NODES][2];
  double w[2][ROWS][6];
  pc_row force[ROWS], measure[ROWS];
} fixture;

static void fill_tangent(fixture* f, random_source* source, int symmetric)
{
  pc_assembly_clear(f->tangent);
  for (int set = 0; set < 6; set++) {
    double value[36];
    int order = set < 5 ? 3 : 6;
    random_numbers(source, order * order, value);
    for (int i = 0; i < order; i++)
      for (int j = 0; symmetric && j < i; j++) value[i * order + j] = value[j * order + i];
    for (int i = 0; i < order; i++) value[i * order + i] += 6;
    pc_assembly_add(f->tangent, set, 1, value);
  }
  assert_int_equal(pc_assembly_factor(f->tangent), PC_OK);
}

static void set_up(fixture* f, uint64_t seed, int symmetric)
{
  random_source source = {seed};
  pc_error error = {0};
  pc_index_set sets[6];
  memset(f, 0, sizeof *f);
  for (int k = 0; k < 5; k++) sets[k] = (pc_index_set){1, &body[k], 0};
  sets[5] = (pc_index_set){2, spring, 0};
  pc_symmetry symmetry = symmetric ? PC_POSITIVE_DEFINITE : PC_UNSYMMETRIC;
  CHECK_OK(pc_assembly_create(N, 6, sets, symmetry, &f->tangent, &error), error);
  CHECK_OK(pc_percussion_form_create(&f->form, &error), error);
  fill_tangent(f, &source, symmetric);
  for (int i = 0; i < NODES; i++) {
    int count = bodies[i][1] < 0 ? 1 : 2;
    for (int b = 0; b < count; b++) f->run[i][b] = body[bodies[i][b]];
    for (int r = first[i]; r < first[i + 1]; r++) {
      for (int k = 0; k < 2; k++) random_numbers(&source, 6, f->w[k][r]);
      f->force[r] = (pc_row){count, f->run[i], f->w[0][r]};
      f->measure[r] = (pc_row){count, f->run[i], f->w[1][r]};
    }
  }
}

static void tear_down(fixture* f)
{
  pc_assembly_destroy(f->tangent);
  pc_percussion_form_destroy(f->form);
}

/* Every entry: that of a block, or zero where there is none. */
static void check_entries(const fixture* f, int count, const pc_row* force, const pc_row* measure)
{
  const pc_block_matrix* m = pc_percussion_form_matrix(f->form);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      const double* block = pc_block_matrix_find(m, i, j);
      for (int r = first[i]; r < first[i + 1]; r++)
        for (int c = first[j]; c < first[j + 1]; c++) {
          double x[N], got = block ? *block++ : 0;
          pc_assembly_solve_row(f->tangent, force[c], x);
          CHECK_NEAR(got, pc_row_dot(measure[r], x), 1e-14);
        }
    }
}

static void compute(fixture* f, int count, const pc_row* force, const pc_row* measure)
{
  pc_error error = {0};
  pc_row_nodes nodes = {count, first, force, measure};
  CHECK_OK(pc_percussion_form_compute(f->form, f->tangent, &nodes, &error), error);
}

static void entries_are_those_of_solves_row_by_row(void** state)
{
  (void)state;
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    fixture f;
    set_up(&f, 11, symmetric);
    compute(&f, NODES, f.force, f.force);
    check_entries(&f, NODES, f.force, f.force);
    compute(&f, NODES, f.force, f.measure);
    check_entries(&f, NODES, f.force, f.measure);
    tear_down(&f);
  }
}

static void the_pattern_may_change_and_come_back(void** state)
{
  (void)state;
  fixture f;
  random_source source = {4};
  set_up(&f, 23, 1);
  for (int count = NODES; count > 0; count--) {
    compute(&f, count, f.force, f.force);
    check_entries(&f, count, f.force, f.force);
  }
  fill_tangent(&f, &source, 1);
  compute(&f, 0, f.force, f.force);
  compute(&f, NODES, f.force, f.force);
  check_entries(&f, NODES, f.force, f.force);
  tear_down(&f);
}

/* As contacts that are found anew: other bodies in the same place of memory. */
static void other_runs_may_lie_where_the_last_ones_were(void** state)
{
  (void)state;
  fixture f;
  set_up(&f, 9, 1);
  compute(&f, NODES, f.force, f.force);
  f.run[1][0] = body[0];
  f.run[5][0] = body[2];
  compute(&f, NODES, f.force, f.force);
  check_entries(&f, NODES, f.force, f.force);
  tear_down(&f);
}

static void nodes_without_a_common_component_have_no_block(void** state)
{
  (void)state;
  fixture f;
  set_up(&f, 5, 0);
  compute(&f, NODES, f.force, f.force);
  const pc_block_matrix* m = pc_percussion_form_matrix(f.form);
  assert_null(pc_block_matrix_find(m, 2, 3));     /* bodies 3 and {0, 4} */
  assert_non_null(pc_block_matrix_find(m, 2, 0)); /* 3 and 1 by the spring */
  assert_null(pc_block_matrix_find(m, 5, 4));
  tear_down(&f);
}

static void percussions_change_the_velocity(void** state)
{
  (void)state;
  fixture f;
  double P[ROWS], u[N] = {0}, want[N] = {0};
  random_source source = {9};
  set_up(&f, 31, 0);
  random_numbers(&source, ROWS, P);
  P[4] = 0;
  for (int r = 0; r < ROWS; r++) {
    double x[N];
    pc_assembly_solve_row(f.tangent, f.force[r], x);
    for (int i = 0; i < N; i++) want[i] += P[r] * x[i];
  }
  compute(&f, NODES, f.force, f.measure);
  pc_percussion_form_apply(f.form, P, u);
  for (int i = 0; i < N; i++) CHECK_NEAR(u[i], want[i], 1e-14);
  tear_down(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_are_those_of_solves_row_by_row),
      cmocka_unit_test(the_pattern_may_change_and_come_back),
      cmocka_unit_test(other_runs_may_lie_where_the_last_ones_were),
      cmocka_unit_test(nodes_without_a_common_component_have_no_block),
      cmocka_unit_test(percussions_change_the_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
