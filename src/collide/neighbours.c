#include "collide/neighbours.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* A large box is larger than that of the step by so many times what the shape may move in the step,
 * and by this part of the size of the shape on each side. */
static const double STEPS = 3, PART = 0.1;

struct pc_neighbours {
  const pc_world* world;
  pc_threads* threads;
  pc_broad_phase* broad;
  pc_bounds* large;     /* of the colliders */
  int half_space_count; /* that the list was made with, */
  pc_half_space* half_space;
  int* plane; /* of the colliders: its half-space, or -1 */
  int count;
  const pc_couple* pair; /* in the broad phase */
  long searches;         /* 0: there is no list yet */
};

pc_neighbours* pc_neighbours_create(const pc_world* world, pc_threads* threads)
{
  pc_neighbours* n = pc_alloc(1, sizeof *n);
  if (!n) return NULL;
  size_t colliders = (size_t)world->collider_count;
  n->world = world;
  n->threads = threads;
  n->broad = pc_broad_phase_create(threads);
  n->large = pc_alloc(colliders, sizeof *n->large);
  n->plane = pc_alloc(colliders, sizeof *n->plane);
  n->half_space = pc_alloc(pc_world_count_unbounded(world), sizeof *n->half_space);
  if (n->broad && n->large && n->plane && n->half_space) return n;
  pc_neighbours_destroy(n);
  return NULL;
}

void pc_neighbours_destroy(pc_neighbours* n)
{
  if (!n) return;
  pc_broad_phase_destroy(n->broad);
  free(n->large);
  free(n->plane);
  free(n->half_space);
  free(n);
}

long pc_neighbours_searches(const pc_neighbours* n)
{
  return n->searches;
}

/* Boxes that are worth sharing among threads. */
enum { SHARED_LEAST = 512 };

typedef struct box_loop {
  pc_neighbours* neighbours;
  const pc_step_bounds* step;
  atomic_int is_outside;
} box_loop;

static int is_within(const pc_bounds* box, const pc_bounds* large)
{
  int within = 1;
  for (int i = 0; i < 3; i++)
    within &= (box->low[i] >= large->low[i]) & (box->high[i] <= large->high[i]);
  return within;
}

static void look_for_outside(void* user, int worker, int first, int last)
{
  box_loop* l = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    if (is_within(&l->step->bounds[i], &l->neighbours->large[i])) continue;
    atomic_store(&l->is_outside, 1);
    return;
  }
}

static int is_good(pc_neighbours* n, const pc_step_bounds* step)
{
  box_loop loop = {n, step, 0};
  if (n->searches == 0 || step->half_space_count != n->half_space_count) return 0;
  for (int i = 0; i < n->half_space_count; i++) {
    const pc_half_space *a = &step->half_space[i], *b = &n->half_space[i];
    int same = a->index == b->index && a->offset == b->offset;
    for (int k = 0; k < 3; k++) same &= a->n[k] == b->n[k];
    if (!same) return 0;
  }
  pc_threads_run(n->threads, n->world->collider_count, SHARED_LEAST, look_for_outside, &loop);
  return !atomic_load(&loop.is_outside);
}

static void enlarge(void* user, int worker, int first, int last)
{
  box_loop* l = user;
  (void)worker;
  for (int i = first; i < last; i++) {
    const pc_bounds* box = &l->step->bounds[i];
    double reach = l->step->reach[i], size = 0;
    for (int k = 0; k < 3; k++) size = fmax(size, box->high[k] - box->low[k]);
    l->neighbours->large[i] =
        pc_bounds_grown(*box, STEPS * reach + PART * fmax(0, size - 2 * reach));
  }
}

static int meets(const void* user, pc_couple pair)
{
  return pc_world_meets(user, pair.a, pair.b);
}

static pc_status search(pc_neighbours* n, const pc_step_bounds* step, pc_error* error)
{
  int colliders = n->world->collider_count, count;
  box_loop loop = {n, step, 0};
  n->half_space_count = -1; /* there is no list, should the search fail */
  pc_threads_run(n->threads, colliders, SHARED_LEAST, enlarge, &loop);
  PC_TRY(pc_broad_phase_find(n->broad, colliders, n->large, step->half_space_count,
                             step->half_space, &n->pair, &count, error));
  for (int i = 0; i < colliders; i++) n->plane[i] = -1;
  for (int i = 0; i < step->half_space_count; i++) {
    n->half_space[i] = step->half_space[i];
    n->plane[step->half_space[i].index] = i;
  }
  n->half_space_count = step->half_space_count;
  n->count = pc_broad_phase_keep(n->broad, meets, n->world);
  n->searches++;
  return PC_OK;
}

pc_status pc_neighbours_find(pc_neighbours* n, const pc_step_bounds* step, pc_neighbour_list* list,
                             pc_error* error)
{
  if (!is_good(n, step)) PC_TRY(search(n, step, error));
  *list = (pc_neighbour_list){n->count, n->pair, n->plane};
  return PC_OK;
}
