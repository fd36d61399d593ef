/* Which shapes are near each other: pairs that are kept from step to step.
 *
 * Most shapes stay near the same others for many steps. So the broad phase is given boxes that are
 * larger than those of the step, and the pairs it finds serve for as long as every box of a step
 * lies within its large one; then all are found anew. The pairs of a step are those of the list
 * whose boxes of the step overlap: the same as the broad phase would find for these, whatever was
 * kept, so that a run that is resumed finds the same. */
#ifndef PC_COLLIDE_NEIGHBOURS_H
#define PC_COLLIDE_NEIGHBOURS_H

#include "collide/broad_phase.h"
#include "collide/world.h"

/* Pairs of shapes that may touch. */
typedef struct pc_neighbour_list {
  int count;
  const pc_couple* pair; /* sorted by a, then b */
  const int* plane;      /* of the colliders: index of the half-space that it is, or -1 */
} pc_neighbour_list;

typedef struct pc_neighbours pc_neighbours;

/* The world must outlive it and be frozen. Threads share the search; NULL stands for none. NULL if
 * there is no memory. */
pc_neighbours* pc_neighbours_create(const pc_world* world, pc_threads* threads);
void pc_neighbours_destroy(pc_neighbours* neighbours); /* NULL is fine */

/* The boxes of a step, each grown by the `reach` of its shape [m], one for each collider of the
 * world, and its half-spaces. */
typedef struct pc_step_bounds {
  const pc_bounds* bounds;
  const double* reach;
  int half_space_count;
  const pc_half_space* half_space;
} pc_step_bounds;

/* The list has all pairs for these boxes that meet. It belongs to the neighbours and lasts until
 * the next call. */
pc_status pc_neighbours_find(pc_neighbours* neighbours, const pc_step_bounds* step,
                             pc_neighbour_list* list, pc_error* error);

/* How often all pairs were found anew. */
long pc_neighbours_searches(const pc_neighbours* neighbours);

/* Whether the boxes of a pair of the list overlap in this step. */
static inline int pc_neighbours_overlap(const pc_neighbour_list* list, int pair,
                                        const pc_step_bounds* step)
{
  int a = list->pair[pair].a, b = list->pair[pair].b;
  if (list->plane[a] >= 0)
    return pc_half_space_overlaps(&step->half_space[list->plane[a]], &step->bounds[b]);
  if (list->plane[b] >= 0)
    return pc_half_space_overlaps(&step->half_space[list->plane[b]], &step->bounds[a]);
  return pc_bounds_overlap(&step->bounds[a], &step->bounds[b]);
}

#endif
