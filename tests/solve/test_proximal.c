/* Newton's method with proximal terms: heaps of discs in the plane whose contacts depend on each
 * other and are on the verge of closing or slipping, and heaps in space where directions of slip
 * turn. Answers that are wanted for the next problem only. */
#include "check.h"
#include "solve/heaps.h"
#include "solve/judge.h"
#include "solve/methods.h"

enum { HEAPS = 6, DISCS = 300, BODIES = 120 };

static const double tolerance = 1e-12;

typedef pc_status method(pc_island* island, int rounds, int stagnation_max, pc_method by);

/* Whether the largest island of a heap is solved by a method from where sweeps end; an answer that
 * is said to be one is judged. */
static int solves(const heap* h, int sweeps, int rounds, method* solve)
{
  pc_error error = {0};
  pc_islands islands;
  pc_island island;
  pc_arena* arena = pc_arena_create(1 << 16);
  int rows = judge_rows(&h->problem), largest = 0;
  double* z = calloc((size_t)rows, sizeof *z);
  assert_int_equal(pc_find_islands(&h->problem, arena, &islands), PC_OK);
  for (int i = 1; i < islands.count; i++)
    if (islands.first[i + 1] - islands.first[i] >
        islands.first[largest + 1] - islands.first[largest])
      largest = i;
  assert_int_equal(pc_island_extract(&h->problem, &islands, largest, z, arena, &island), PC_OK);
  CHECK_OK(pc_block_lu_create(&island.lu, &error), error);
  island.tolerance = tolerance;
  island.max_iterations = 10000;
  assert_int_equal(pc_nsgs_solve(&island, sweeps, PC_METHOD_NSGS), PC_OK);
  if (!pc_island_done(&island))
    assert_int_equal(solve(&island, rounds, rounds, PC_METHOD_NEWTON), PC_OK);
  int done = pc_island_done(&island);
  if (done && islands.count == 1) {
    pc_island_unscale(&island, &h->problem, &islands, 0, z);
    CHECK_NEAR(judge_problem(&h->problem, z), 0, 1.01 * tolerance);
  }
  pc_block_lu_destroy(island.lu);
  pc_arena_destroy(arena);
  free(z);
  return done;
}

static void dependent_contacts_on_the_verge_are_solved(void** state)
{
  (void)state;
  int by_newton = 0, by_proximal = 0;
  for (int seed = 1; seed <= HEAPS; seed++) {
    heap h;
    dice d = {(uint64_t)seed};
    heap_options o = {.planar = 1,
                      .bodies = DISCS,
                      .dimension = 1,
                      .points_max = 2,
                      .copies = 1,
                      .mu_min = 0.3,
                      .mu_max = 0.3,
                      .mass_ratio = 1};
    heap_make(&h, &d, &o);
    heap_percussion_form(&h);
    by_newton += solves(&h, 100, 300, pc_newton_solve);
    by_proximal += solves(&h, 100, 300, pc_newton_solve_proximally);
    heap_free(&h);
  }
  print_message("of %d heaps Newton's method solves %d, proximal problems %d\n", HEAPS, by_newton,
                by_proximal);
  assert_true(by_proximal == HEAPS);
  assert_true(by_newton < by_proximal);
}

/* Bodies of equal mass in space with one contact point for each pair of neighbours. */
static void make_spatial_heap(heap* h, int seed, double mu)
{
  dice d = {(uint64_t)seed};
  heap_options o = {.bodies = BODIES,
                    .dimension = 2,
                    .points_max = 1,
                    .copies = 1,
                    .mu_min = mu,
                    .mu_max = mu,
                    .mass_ratio = 1};
  heap_make(h, &d, &o);
  heap_percussion_form(h);
}

static pc_status follow_path(pc_island* island, int rounds, int stagnation_max, pc_method by)
{
  (void)stagnation_max, (void)by;
  return pc_ipm_solve(island, rounds, tolerance);
}

/* Where a few sweeps end is no solution, and with large friction the central path from there
 * turns; Newton's method does not get there. */
static void the_path_from_a_rough_answer_leads_to_a_solution(void** state)
{
  (void)state;
  static const double mu[] = {0.9, 1, 1.2};
  int by_path = 0, by_newton = 0, count = 3 * HEAPS;
  for (int i = 0; i < count; i++) {
    heap h;
    make_spatial_heap(&h, 1 + i / 3, mu[i % 3]);
    by_path += solves(&h, 20, 500, follow_path);
    by_newton += solves(&h, 20, 500, pc_newton_solve);
    heap_free(&h);
  }
  print_message("of %d heaps the path from a rough answer solves %d, Newton's method %d\n", count,
                by_path, by_newton);
  assert_true(by_path == count);
  assert_true(by_newton < count);
}

static void turning_slip_is_solved_with_damping(void** state)
{
  (void)state;
  enum { COUNT = 20 };
  int by_newton = 0, by_damped = 0;
  for (int seed = 1; seed <= COUNT; seed++) {
    heap h;
    make_spatial_heap(&h, seed, 0.5);
    by_newton += solves(&h, 100, 25, pc_newton_solve);
    by_damped += solves(&h, 100, 25, pc_newton_solve_damped);
    heap_free(&h);
  }
  print_message("of %d heaps Newton's method solves %d within 25 iterations, damped %d\n", COUNT,
                by_newton, by_damped);
  assert_true(by_damped > by_newton);
}

/* The residual is judged from the answer. What was asked for is not met, and that is told. */
static void a_rough_answer_is_as_good_as_asked(void** state)
{
  (void)state;
  static const double roughness[] = {1e-3, 1e-5, 0};
  pc_error error = {0};
  heap h;
  make_spatial_heap(&h, 1, 0.5);
  int rows = judge_rows(&h.problem);
  double* z = malloc((size_t)rows * sizeof *z);
  pc_solver* solver;
  CHECK_OK(pc_solver_create("auto", NULL, &solver, &error), error);
  for (int i = 0; i < 3; i++) {
    pc_solver_info info;
    memset(z, 0, (size_t)rows * sizeof *z);
    pc_solver_be_rough(solver, roughness[i]);
    CHECK_OK(pc_solver_solve(solver, &h.problem, z, &info, &error), error);
    assert_true(info.accepted);
    assert_int_equal(info.converged, info.residual <= tolerance);
    assert_int_equal(info.converged, roughness[i] == 0);
    CHECK_NEAR(judge_problem(&h.problem, z), 0, roughness[i] > 0 ? 1e-3 : tolerance);
  }
  pc_solver_destroy(solver);
  free(z);
  heap_free(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dependent_contacts_on_the_verge_are_solved),
      cmocka_unit_test(turning_slip_is_solved_with_damping),
      cmocka_unit_test(the_path_from_a_rough_answer_leads_to_a_solution),
      cmocka_unit_test(a_rough_answer_is_as_good_as_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
