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

/* The pairs that overlap: the contacts of a pair follow each other. */
static pc_status list_pairs(pc_depths* d, const pc_contact_set* set, pc_error* error)
{
  d->now_count = 0;
  for (int i = 0, count = pc_contact_set_count(set); i < count; i++) {
    const pc_set_contact* c = pc_contact_set_get(set, i);
    if (!(c->gap < 0)) continue;
    pc_depth* last = d->now_count ? &d->now[d->now_count - 1] : NULL;
    if (last && last->shape[0] == c->key.shape[0] && last->shape[1] == c->key.shape[1]) {
      if (-c->gap > last->depth) last->depth = -c->gap;
      continue;
    }
    const pc_array pairs = PC_ARRAY(d->now);
    if (pc_reserve_arrays(1, &pairs, &d->now_capacity, (size_t)d->now_count + 1) != PC_OK)
      return pc_no_memory(error);
    d->now[d->now_count++] = (pc_depth){{c->key.shape[0], c->key.shape[1]}, -c->gap};
  }
  return PC_OK;
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

/* The pairs of the state, beside those of the state before it, which `at` walks through. Two shapes
 * get no deeper into each other than their points move. */
static void weigh(pc_depths* d, const double* q, double t)
{
  const pc_world* w = pc_system_colliders(d->system)->world;
  for (int i = 0, at = 0; i < d->now_count; i++) {
    const pc_depth* pair = &d->now[i];
    const int *shape = pair->shape, has_before = d->state >= 0;
    double inner = pc_world_inner(w, shape);
    pc_deepest found = {*pair, t, pair->depth / inner, 0};
    keep_larger(&d->largest, &found, pair->depth, d->largest.of.depth);
    keep_larger(&d->worst, &found, found.share, d->worst.share);
    while (at < d->before_count && compare(&d->before[at], pair) < 0) at++;
    if (!has_before) continue;
    int known = at < d->before_count && compare(&d->before[at], pair) == 0;
    double deeper = known ? pair->depth - d->before[at].depth : pair->depth;
    if (!(deeper > SUDDEN_SHARE * inner)) continue;
    found.way = pc_world_way(w, shape[0], d->q, q) + pc_world_way(w, shape[1], d->q, q);
    if (!(deeper > found.way + SUDDEN_SHARE * inner)) continue;
    keep_larger(&d->sudden, &found, found.share, d->sudden.share);
  }
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
  PC_TRY(list_pairs(d, set, error));
  weigh(d, q, t);
  memcpy(d->q, q, (size_t)pc_system_q_count(d->system) * sizeof *d->q);
  d->state = step;
  return PC_OK;
}
