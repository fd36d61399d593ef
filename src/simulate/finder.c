#include "simulate/finder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/found_element.h"
#include "percuss/shape.h"

/* ---- creation ------------------------------------------------------------------------------ */

void pc_finder_destroy(pc_finder* f)
{
  if (!f) return;
  pc_system_destroy_extension(f->system);
  pc_contact_set_destroy(f->set);
  pc_contact_set_destroy(f->probe);
  free(f->now.item);
  free(f->good.item);
  free(f->pieces.item);
  free(f->sum.item);
  free(f);
}

/* The largest size of a shape [m]: contacts are looked for with a margin of round-off in it. */
static double largest_extent(const pc_world* w)
{
  double largest = 0;
  for (int i = 0; i < w->collider_count; i++)
    largest = fmax(largest, w->collider[i].geometry->extent);
  return largest;
}

static pc_find_settings choose_settings(const pc_system* system, const pc_scheme_settings* settings)
{
  static const double MARGIN = 1e-6; /* of the largest shape */
  const double* g = pc_system_gravity(system);
  const pc_world* w = pc_system_colliders(system)->world;
  return (pc_find_settings){
      .factor = 1,
      .margin = 2 * settings->activation_tolerance + MARGIN * largest_extent(w),
      .acceleration = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])};
}

pc_status pc_finder_create(const pc_system* system, const pc_scheme_settings* settings,
                           pc_finder** finder, pc_error* error)
{
  const pc_colliders* colliders = pc_system_colliders(system);
  *finder = NULL;
  if (!colliders || colliders->world->collider_count == 0) return PC_OK;
  pc_finder* f = pc_alloc(1, sizeof *f);
  if (!f) return pc_no_memory(error);
  f->frozen = system;
  f->settings = choose_settings(system, settings);
  pc_status status = pc_system_extend(system, &f->system, error);
  if (status == PC_OK) status = pc_contact_set_create(colliders->world, &f->set, error);
  if (status == PC_OK) status = pc_contact_set_create(colliders->world, &f->probe, error);
  if (status != PC_OK) {
    pc_finder_destroy(f);
    return status;
  }
  *finder = f;
  return PC_OK;
}

/* ---- finding ------------------------------------------------------------------------------- */

static pc_status extend(pc_finder* f, pc_error* error)
{
  return pc_contact_set_extend(f->set, pc_system_colliders(f->frozen), f->system, error);
}

pc_status pc_finder_find(pc_finder* f, const double* q, const double* u, double dt, pc_error* error)
{
  PC_TRY(pc_contact_set_find(f->set, q, u, dt, &f->settings, error));
  return extend(f, error);
}

pc_status pc_finder_misses(pc_finder* f, const pc_finder_step* step, int* misses, pc_error* error)
{
  *misses = 0;
  if (pc_contact_set_covers(f->set, step->q, step->q_end, step->u_end, step->dt)) return PC_OK;
  pc_find_settings settings = f->settings;
  settings.q_end = step->q_end;
  settings.u_end = step->u_end;
  PC_TRY(pc_contact_set_find(f->probe, step->q, step->u, step->dt, &settings, error));
  if (pc_contact_set_contains(f->set, f->probe)) return PC_OK;
  pc_contact_set* set = f->set;
  f->set = f->probe;
  f->probe = set;
  *misses = 1;
  return extend(f, error);
}

/* ---- impulses ------------------------------------------------------------------------------ */

static pc_status reserve(pc_impulses* p, int count, pc_error* error)
{
  const pc_array item = PC_ARRAY(p->item);
  if (pc_reserve_arrays(1, &item, &p->capacity, (size_t)count) == PC_OK) return PC_OK;
  return pc_no_memory(error);
}

static pc_status copy(const pc_impulses* from, pc_impulses* to, pc_error* error)
{
  PC_TRY(reserve(to, from->count, error));
  memcpy(to->item, from->item, (size_t)from->count * sizeof *to->item);
  to->count = from->count;
  return PC_OK;
}

static void swap(pc_impulses* a, pc_impulses* b)
{
  pc_impulses c = *a;
  *a = *b;
  *b = c;
}

void pc_finder_recall(const pc_finder* f, double* P)
{
  pc_contact_set_recall(f->set, f->now.count, f->now.item, P + pc_system_row_count(f->frozen));
}

pc_status pc_finder_remember(pc_finder* f, const double* P, pc_error* error)
{
  PC_TRY(reserve(&f->now, pc_contact_set_count(f->set), error));
  f->now.count = pc_contact_set_remember(f->set, P + pc_system_row_count(f->frozen), f->now.item);
  return PC_OK;
}

void pc_finder_begin_pieces(pc_finder* f)
{
  f->pieces.count = 0;
}

static pc_contact_memory added(const pc_contact_memory* a, const pc_contact_memory* b)
{
  pc_contact_memory sum = *a;
  for (int i = 0; i < 3; i++) sum.impulse[i] += b->impulse[i];
  sum.spin += b->spin;
  return sum;
}

/* A merge of two sorted lists. */
pc_status pc_finder_add_piece(pc_finder* f, pc_error* error)
{
  const pc_impulses *a = &f->pieces, *b = &f->now;
  int i = 0, k = 0, count = 0;
  PC_TRY(reserve(&f->sum, a->count + b->count, error));
  while (i < a->count || k < b->count) {
    int order = i == a->count   ? 1
                : k == b->count ? -1
                                : pc_contact_key_compare(&a->item[i].key, &b->item[k].key);
    f->sum.item[count++] = order < 0   ? a->item[i]
                           : order > 0 ? b->item[k]
                                       : added(&a->item[i], &b->item[k]);
    i += order <= 0;
    k += order >= 0;
  }
  f->sum.count = count;
  swap(&f->pieces, &f->sum);
  return PC_OK;
}

pc_status pc_finder_end_pieces(pc_finder* f, pc_error* error)
{
  return copy(&f->pieces, &f->now, error);
}

pc_status pc_finder_keep(pc_finder* f, pc_error* error)
{
  return copy(&f->now, &f->good, error);
}

void pc_finder_go_back(pc_finder* f)
{
  swap(&f->now, &f->good);
}

void pc_finder_events(const pc_finder* f, long* closed, long* opened)
{
  const pc_impulses *a = &f->good, *b = &f->now;
  int i = 0, k = 0;
  while (i < a->count || k < b->count) {
    int order = i == a->count   ? 1
                : k == b->count ? -1
                                : pc_contact_key_compare(&a->item[i].key, &b->item[k].key);
    *opened += order < 0;
    *closed += order > 0;
    i += order <= 0;
    k += order >= 0;
  }
}
