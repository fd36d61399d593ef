#include "simulate/depths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/colliders.h"

/* A depth that motion does not explain counts from this share of the inner radius on: normals that
 * turn and features that change move a gap by less. */
static const double SUDDEN_SHARE = 1e-3;

pc_status pc_depths_create(const pc_system* system, pc_depths** depths, pc_error* error)
{
  pc_depths* d = *depths = pc_alloc(1, sizeof *d);
  if (!d) return pc_no_memory(error);
  d->system = system;
  d->q = pc_alloc((size_t)pc_system_q_count(system), sizeof *d->q);
  if (!d->q) return pc_no_memory(error);
  pc_depths_begin(d);
  return PC_OK;
}

void pc_depths_destroy(pc_depths* d)
{
  if (!d) return;
  free(d->q);
  free(d->before);
  free(d->now);
  free(d);
}

void pc_depths_begin(pc_depths* d)
{
  d->state = -1;
  d->before_count = d->now_count = 0;
  d->largest = d->worst = d->sudden = (pc_deepest){0};
}

void pc_depths_name(const pc_depths* d, const pc_depth* of, char* name, size_t size)
{
  snprintf(name, size, "%.40s - %.40s", pc_system_collider(d->system, of->shape[0]).name,
           pc_system_collider(d->system, of->shape[1]).name);
}

static int compare(const pc_depth* a, const pc_depth* b)
{
  for (int i = 0; i < 2; i++)
    if (a->shape[i] != b->shape[i]) return a->shape[i] < b->shape[i] ? -1 : 1;
  return 0;
}

static void keep_larger(pc_deepest* kept, const pc_deepest* found, double of_found, double of_kept)
{
  if (of_found > of_kept) *kept = *found;
}

/* A pair that overlaps, beside what it was at the state before, which `at` walks through. Two
 * shapes get no deeper into each other than their points move. Only pairs that are deep enough to
 * count are remembered, so that the memory of a heap at rest does not grow. */
static pc_status weigh(pc_depths* d, const pc_depth* pair, const double* q, double t, int* at,
                       pc_error* error)
{
  const pc_world* w = pc_system_colliders(d->system)->world;
  double inner = pc_world_inner(w, pair->shape), little = SUDDEN_SHARE * inner;
  pc_deepest found = {*pair, t, pair->depth / inner, 0};
  keep_larger(&d->largest, &found, pair->depth, d->largest.of.depth);
  keep_larger(&d->worst, &found, found.share, d->worst.share);
  if (!(pair->depth > little)) return PC_OK;
  const pc_array pairs = PC_ARRAY(d->now);
  if (pc_reserve_arrays(1, &pairs, &d->now_capacity, (size_t)d->now_count + 1) != PC_OK)
    return pc_no_memory(error);
  d->now[d->now_count++] = *pair;
  if (d->state < 0) return PC_OK;
  while (*at < d->before_count && compare(&d->before[*at], pair) < 0) ++*at;
  int known = *at < d->before_count && compare(&d->before[*at], pair) == 0;
  double deeper = pair->depth - (known ? d->before[*at].depth : little);
  if (!(deeper > little)) return PC_OK;
  found.way = pc_world_way(w, pair->shape[0], d->q, q) + pc_world_way(w, pair->shape[1], d->q, q);
  if (deeper > found.way + little) keep_larger(&d->sudden, &found, found.share, d->sudden.share);
  return PC_OK;
}

/* The pairs that overlap: the contacts of a pair follow each other. */
static pc_status weigh_all(pc_depths* d, const pc_contact_set* set, const double* q, double t,
                           pc_error* error)
{
  int at = 0, count = pc_contact_set_count(set);
  d->now_count = 0;
  for (int i = 0; i < count;) {
    const pc_contact_key* key = &pc_contact_set_get(set, i)->key;
    pc_depth pair = {{key->shape[0], key->shape[1]}, 0};
    for (; i < count; i++) {
      const pc_set_contact* c = pc_contact_set_get(set, i);
      if (c->key.shape[0] != pair.shape[0] || c->key.shape[1] != pair.shape[1]) break;
      pair.depth = fmax(pair.depth, -c->gap);
    }
    if (pair.depth > 0) PC_TRY(weigh(d, &pair, q, t, &at, error));
  }
  return PC_OK;
}

pc_status pc_depths_look(pc_depths* d, const pc_contact_set* set, const double* q, double t,
                         long step, pc_error* error)
{
  pc_depth* pairs = d->before;
  size_t capacity = d->before_capacity;
  d->before = d->now;
  d->before_count = d->now_count;
  d->before_capacity = d->now_capacity;
  d->now = pairs;
  d->now_capacity = capacity;
  PC_TRY(weigh_all(d, set, q, t, error));
  memcpy(d->q, q, (size_t)pc_system_q_count(d->system) * sizeof *d->q);
  d->state = step;
  return PC_OK;
}
