/* Gauss-Seidel on islands of any size: sweeps along a line are extrapolated, sweeps that cycle are
 * damped, and what they end with is judged. */
#include "check.h"
#include "solve/heaps.h"
#include "solve/judge.h"
#include "solve/methods.h"

enum { MASSES = 100, SWEEPS = 10000 };

static const double tolerance = 1e-10;

/* Contacts without friction in a row, each of which touches the next one, with its own storage. */
typedef struct row_of_contacts {
  pc_problem problem;
  pc_problem_node node[MASSES];
  int row[MASSES + 1], start[MASSES + 1], column[3 * MASSES];
  size_t place[3 * MASSES];
  double value[3 * MASSES], b[MASSES], z[MASSES];
} row_of_contacts;

/* A has `before` below, 2 on and `after` above the diagonal; z is the solution, in which all
 * contacts are closed. */
static void make(row_of_contacts* r, int count, double before, double after)
{
  *r = (row_of_contacts){
      .problem = {count, r->node, r->row, r->start, r->column, r->place, r->value, r->b}};
  int blocks = 0;
  for (int k = 0; k < count; k++) {
    r->node[k] = (pc_problem_node){.kind = PC_NODE_CONTACT};
    r->row[k + 1] = k + 1;
    r->z[k] = 1 + 0.01 * k;
    for (int j = k > 0 ? k - 1 : 0; j <= k + 1 && j < count; j++, blocks++) {
      r->column[blocks] = j;
      r->place[blocks] = (size_t)blocks;
      r->value[blocks] = j < k ? before : j > k ? after : 2;
    }
    r->start[k + 1] = blocks;
  }
  for (int k = 0; k < count; k++)
    for (int e = r->start[k]; e < r->start[k + 1]; e++)
      r->b[k] -= r->value[e] * (1 + 0.01 * r->column[e]);
}

/* The sweeps that a problem of one island takes from no impulses; its answer replaces z. */
static int sweeps_of(const pc_problem* problem, double* z)
{
  pc_islands islands;
  pc_island island;
  pc_arena* arena = pc_arena_create(1 << 16);
  memset(z, 0, (size_t)judge_rows(problem) * sizeof *z);
  assert_int_equal(pc_find_islands(problem, arena, &islands), PC_OK);
  assert_int_equal(islands.count, 1);
  assert_int_equal(pc_island_extract(problem, &islands, 0, z, arena, &island), PC_OK);
  island.tolerance = tolerance;
  island.max_iterations = SWEEPS;
  assert_int_equal(pc_nsgs_solve(&island, SWEEPS, PC_METHOD_NSGS), PC_OK);
  assert_true(pc_island_done(&island));
  pc_island_unscale(&island, problem, &islands, 0, z);
  CHECK_NEAR(judge_problem(problem, z), 0, 1.01 * tolerance);
  pc_arena_destroy(arena);
  return island.iterations;
}

/* A column of equal masses: the error of sweeps falls by cos^2(pi/(n + 1)) in each, the spectral
 * radius of Gauss-Seidel for this matrix. */
static void a_column_takes_half_the_sweeps(void** state)
{
  (void)state;
  row_of_contacts r;
  double expected[MASSES];
  make(&r, MASSES, -1, -1);
  memcpy(expected, r.z, sizeof expected);
  int sweeps = sweeps_of(&r.problem, r.z);
  double rate = pow(cos(acos(-1) / (MASSES + 1)), 2), plain = log(tolerance) / log(rate);
  print_message("column of %d: %d sweeps, %.0f without extrapolation\n", MASSES, sweeps, plain);
  assert_true(sweeps < 0.5 * plain);
  for (int k = 0; k < MASSES; k++) CHECK_NEAR(r.z[k], expected[k], 1e-6);
}

/* Two contacts that act on each other with opposite signs: sweeps multiply the error by
 * A_12 A_21 / 4 = -1.05, and come back to it once a contact opens. */
static void a_cycle_is_damped(void** state)
{
  (void)state;
  row_of_contacts r;
  make(&r, 2, 2, -2.1);
  sweeps_of(&r.problem, r.z);
  CHECK_NEAR(r.z[0], 1, 1e-8);
  CHECK_NEAR(r.z[1], 1.01, 1e-8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_column_takes_half_the_sweeps),
      cmocka_unit_test(a_cycle_is_damped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
