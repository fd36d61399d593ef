/* Newton's method on proximal problems: heaps of discs in the plane whose contacts depend on each
 * other and are on the verge of closing or slipping. */
#include "check.h"
#include "solve/heaps.h"
#include "solve/judge.h"
#include "solve/methods.h"

enum { HEAPS = 6, DISCS = 300, SWEEPS = 100, ROUNDS = 300 };

static const double tolerance = 1e-12;

typedef pc_status method(pc_island* island, int rounds, int stagnation_max, pc_method by);

/* Whether the largest island of a heap is solved by a method from where sweeps end; an answer that
 * is said to be one is judged. */
static int solves(const heap* h, method* solve)
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
  assert_int_equal(pc_nsgs_solve(&island, SWEEPS), PC_OK);
  if (!pc_island_done(&island))
    assert_int_equal(solve(&island, ROUNDS, ROUNDS, PC_METHOD_NEWTON), PC_OK);
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
    by_newton += solves(&h, pc_newton_solve);
    by_proximal += solves(&h, pc_newton_solve_proximally);
    heap_free(&h);
  }
  print_message("of %d heaps Newton's method solves %d, proximal problems %d\n", HEAPS, by_newton,
                by_proximal);
  assert_true(by_proximal == HEAPS);
  assert_true(by_newton < by_proximal);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dependent_contacts_on_the_verge_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
