/* Which boxes overlap: the pairs of shapes that could touch.
 *
 * A tree over the boxes is built anew in every call: their centres are sorted along a curve that
 * fills space (Morton order, by counting sorts), the tree halves this order again and again, and
 * every leaf, a few boxes, walks down the tree. Time is O(N log N) and memory O(N + pairs), both
 * without any dependence on earlier calls, so that a run that is resumed finds the same. Nothing is
 * allocated once the arrays have grown. */
#ifndef PC_COLLIDE_BROAD_PHASE_H
#define PC_COLLIDE_BROAD_PHASE_H

#include "base/export.h"
#include "base/threads.h"
#include "collide/bounds.h"

typedef struct pc_couple {
  int a, b; /* a < b */
} pc_couple;

/* A shape that fills everything below a plane: it overlaps a box that reaches below n . x =
 * offset. */
typedef struct pc_half_space {
  int index;     /* among the boxes; what is there is not used */
  double n[3];   /* unit vector towards free space */
  double offset; /* [m] */
} pc_half_space;

/* A box reaches below the plane with one of its corners: which one follows from the signs of n. */
static inline int pc_half_space_overlaps(const pc_half_space* h, const pc_bounds* box)
{
  double lowest = 0;
  for (int k = 0; k < 3; k++) lowest += h->n[k] * (h->n[k] > 0 ? box->low[k] : box->high[k]);
  return lowest <= h->offset;
}

typedef struct pc_broad_phase pc_broad_phase;

/* Threads share the search; they are not owned, and NULL stands for none. NULL if there is no
 * memory. */
pc_broad_phase* pc_broad_phase_create(pc_threads* threads);
void pc_broad_phase_destroy(pc_broad_phase* phase);

/* Finds all pairs of boxes that overlap or touch, sorted by a, then b. A box that is not finite
 * overlaps nothing; half-spaces do not overlap each other. The pairs belong to the broad phase and
 * last until the next call. */
pc_status pc_broad_phase_find(pc_broad_phase* phase, int count, const pc_bounds* bounds,
                              int half_space_count, const pc_half_space* half_space,
                              const pc_couple** pairs, int* pair_count, pc_error* error);

/* The same for pairs of which one box at least is marked (count marks). */
pc_status pc_broad_phase_find_marked(pc_broad_phase* phase, int count, const pc_bounds* bounds,
                                     const unsigned char* marked, int half_space_count,
                                     const pc_half_space* half_space, const pc_couple** pairs,
                                     int* pair_count, pc_error* error);

/* Keeps those of the pairs last found that `keep` says; how many they are. They lie where the pairs
 * were, in their order. */
typedef int pc_keep_couple(const void* user, pc_couple pair);
int pc_broad_phase_keep(pc_broad_phase* phase, pc_keep_couple* keep, const void* user);

/* How many boxes the last call compared: its work, in a measure that no other program disturbs. */
long pc_broad_phase_comparisons(const pc_broad_phase* phase);

#endif
