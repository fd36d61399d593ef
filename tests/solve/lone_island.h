/* An island of a random heap, for tests of methods that work on islands. */
#ifndef PC_TESTS_SOLVE_LONE_ISLAND_H
#define PC_TESTS_SOLVE_LONE_ISLAND_H

#include "check.h"
#include "solve/heaps.h"
#include "solve/island.h"
#include "solve/judge.h"

/* The first island of a heap, all of it where the heap does not fall apart. */
typedef struct lone_island {
  pc_islands islands;
  pc_island island;
  double* z; /* of the problem */
} lone_island;

/* Returns whether it is all of the heap. */
static inline int lone_island_make(lone_island* l, const heap* h, double tolerance)
{
  pc_error error = {0};
  pc_arena* arena = pc_arena_create(1 << 16);
  l->z = calloc((size_t)judge_rows(&h->problem), sizeof *l->z);
  assert_int_equal(pc_find_islands(&h->problem, arena, &l->islands), PC_OK);
  assert_int_equal(pc_island_extract(&h->problem, &l->islands, 0, l->z, arena, &l->island), PC_OK);
  CHECK_OK(pc_block_lu_create(&l->island.lu, &error), error);
  assert_int_equal(pc_island_analyse(&l->island), PC_OK);
  l->island.tolerance = tolerance;
  l->island.max_iterations = 10000;
  return l->islands.count == 1;
}

/* The residual of the best answer, computed independently. */
static inline double lone_island_judge(lone_island* l, const heap* h)
{
  pc_island_unscale(&l->island, &h->problem, &l->islands, 0, l->z);
  return judge_problem(&h->problem, l->z);
}

static inline void lone_island_free(lone_island* l)
{
  pc_arena* arena = l->island.arena;
  pc_block_lu_destroy(l->island.lu);
  pc_arena_destroy(arena);
  free(l->z);
}

/* Bodies in space with one kind of friction, one contact where they touch. */
static inline heap_options spatial(int bodies, int dimension, double mu)
{
  return (heap_options){.bodies = bodies,
                        .dimension = dimension,
                        .points_max = 1,
                        .copies = 1,
                        .mu_min = mu,
                        .mu_max = mu,
                        .mass_ratio = 1};
}

static inline void make_heap(heap* h, int seed, const heap_options* options)
{
  dice d = {(uint64_t)seed};
  heap_make(h, &d, options);
  heap_percussion_form(h);
}

#endif
