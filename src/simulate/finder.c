#include "simulate/finder.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/found_element.h"
#include "percuss/shape.h"
#include "steps/lengths.h"
#include "system/found.h"

/* ---- creation ------------------------------------------------------------------------------ */

void pc_finder_destroy(pc_finder* f)
{
  if (!f) return;
  pc_system_destroy_extension(f->system);
  pc_contact_set_destroy(f->set);
  pc_contact_set_destroy(f->probe);
  free(f->work);
  free(f->contact);
  free(f->opened);
  pc_contact_memory_clear(&f->now);
  pc_contact_memory_clear(&f->good);
  pc_contact_memory_clear(&f->substeps);
  pc_contact_memory_clear(&f->sum);
  pc_threads_destroy(f->threads);
  free(f);
}

/* The largest size of a shape that moves [m]: contacts are looked for with a margin of round-off in
 * it. */
static double largest_extent(const pc_world* w)
{
  double largest = 0;
  for (int i = 0; i < w->collider_count; i++)
    if (w->collider[i].body != PC_COLLIDER_GROUND)
      largest = fmax(largest, w->collider[i].geometry->extent);
  return largest;
}

static pc_status choose_settings(const pc_system* system, const pc_scheme_settings* settings,
                                 pc_find_settings* chosen, pc_error* error)
{
  double activation;
  static const double MARGIN = 1e-6; /* of the largest shape */
  const double* g = pc_system_gravity(system);
  const pc_world* w = pc_system_colliders(system)->world;
  PC_TRY(pc_find_activation(system, settings, &activation, error));
  *chosen = (pc_find_settings){.factor = 1,
                               .margin = 2 * activation + MARGIN * largest_extent(w),
                               .acceleration = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])};
  return PC_OK;
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
  pc_status status = choose_settings(system, settings, &f->settings, error);
  if (status == PC_OK) status = pc_system_extend(system, &f->system, error);
  if (status == PC_OK) status = pc_threads_create(settings->threads, &f->threads, error);
  if (status == PC_OK) pc_system_set_threads(f->system, f->threads);
  if (status == PC_OK) status = pc_contact_set_create(colliders->world, f->threads, &f->set, error);
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

pc_status pc_finder_look_around(pc_finder* f, const double* q, const double* u, pc_error* error)
{
  const pc_world* world = pc_system_colliders(f->frozen)->world;
  if (!f->probe) PC_TRY(pc_contact_set_create(world, f->threads, &f->probe, error));
  return pc_contact_set_find(f->probe, q, u, 0, &f->settings, error);
}

void pc_finder_forget_probe(pc_finder* f)
{
  pc_contact_set_destroy(f->probe);
  f->probe = NULL;
}

static int may_pass(const pc_finder* f, const pc_finder_step* step)
{
  return pc_contact_set_may_pass(f->set, step->q, step->q_end);
}

/* Whether all contacts that are closed at the end of a step are in the set: then a scheme that
 * looks at these alone has left nothing out. */
static pc_status look_at_end(pc_finder* f, const pc_finder_step* step, int* contained,
                             pc_error* error)
{
  PC_TRY(pc_contact_set_find(f->probe, step->q_end, step->u_end, 0, &f->settings, error));
  *contained = pc_contact_set_contains(f->set, f->probe);
  return PC_OK;
}

pc_status pc_finder_misses(pc_finder* f, const pc_finder_step* step, int* misses, pc_error* error)
{
  *misses = 0;
  if (f->choice == PC_CHOOSES_AT_START && !may_pass(f, step)) return PC_OK;
  if (pc_contact_set_covers(f->set, step->q, step->q_end, step->u_end, step->dt)) return PC_OK;
  const pc_world* world = pc_system_colliders(f->frozen)->world;
  if (!f->probe) PC_TRY(pc_contact_set_create(world, f->threads, &f->probe, error));
  pc_find_settings settings = f->settings;
  settings.q_end = step->q_end;
  settings.u_end = step->u_end;
  PC_TRY(
      pc_contact_set_find_farther(f->probe, f->set, step->q, step->u, step->dt, &settings, error));
  int contained = pc_contact_set_contains(f->set, f->probe);
  if (!contained && f->choice == PC_CHOOSES_AT_END && !may_pass(f, step))
    PC_TRY(look_at_end(f, step, &contained, error));
  if (contained) return PC_OK;
  PC_TRY(pc_contact_set_find(f->probe, step->q, step->u, step->dt, &settings, error));
  pc_contact_set* set = f->set;
  f->set = f->probe;
  f->probe = set;
  *misses = 1;
  return extend(f, error);
}

pc_status pc_finder_check_passage(const pc_finder* f, const double* q, const double* q_end,
                                  pc_error* error)
{
  int contact = pc_contact_set_passed(f->set, q, q_end);
  if (contact < 0) return PC_OK;
  const pc_contact_key* key = &pc_contact_set_get(f->set, contact)->key;
  return pc_fail(error, PC_NOT_CONVERGED,
                 "shape '%s' passes through shape '%s' within the step; try a smaller dt",
                 pc_system_collider(f->frozen, key->shape[0]).name,
                 pc_system_collider(f->frozen, key->shape[1]).name);
}

/* ---- memory -------------------------------------------------------------------------------- */

void pc_finder_set_layout(pc_finder* f, pc_memory_layout layout)
{
  const pc_contact_memory empty = {.by_row = layout.by_row,
                                   .by_contact = layout.by_contact,
                                   .stride = 4 * (1 + layout.by_row) + layout.by_contact};
  f->layout = layout;
  f->now = f->good = f->substeps = f->sum = empty;
}

static pc_memory_sizes sizes_of(const pc_finder* f)
{
  return (pc_memory_sizes){f->layout, pc_system_row_count(f->frozen),
                           pc_system_row_count(f->system), pc_system_contact_count(f->frozen),
                           pc_system_contact_count(f->system)};
}

pc_status pc_finder_recall(pc_finder* f, const double* memory, double* P, pc_error* error)
{
  const pc_memory_sizes sizes = sizes_of(f);
  const pc_array work = PC_ARRAY(f->work);
  if (pc_reserve_arrays(1, &work, &f->work_capacity, pc_memory_size(&sizes)) != PC_OK)
    return pc_no_memory(error);
  pc_contact_memory_recall(f->is_kept ? &f->good : &f->now, f->set, &sizes, memory, P, f->work,
                           f->threads);
  return PC_OK;
}

pc_status pc_finder_remember(pc_finder* f, const double* P, double* memory, pc_error* error)
{
  const pc_memory_sizes sizes = sizes_of(f);
  f->is_kept = 0;
  if (pc_contact_memory_remember(&f->now, f->set, &sizes, P, f->work, memory, f->threads) == PC_OK)
    return PC_OK;
  return pc_no_memory(error);
}

static void swap(pc_contact_memory* a, pc_contact_memory* b)
{
  pc_contact_memory c = *a;
  *a = *b;
  *b = c;
}

void pc_finder_begin_substeps(pc_finder* f)
{
  f->substeps.count = 0;
}

pc_status pc_finder_add_substep(pc_finder* f, pc_error* error)
{
  if (pc_contact_memory_add(&f->substeps, &f->now, &f->sum) != PC_OK) return pc_no_memory(error);
  swap(&f->substeps, &f->sum);
  return PC_OK;
}

pc_status pc_finder_end_substeps(pc_finder* f, pc_error* error)
{
  return pc_contact_memory_copy(&f->substeps, &f->now) == PC_OK ? PC_OK : pc_no_memory(error);
}

void pc_finder_keep(pc_finder* f)
{
  if (!f->is_kept) swap(&f->now, &f->good);
  f->is_kept = 1;
}

void pc_finder_go_back(pc_finder* f)
{
  swap(&f->now, &f->good);
  f->is_kept = 0;
}

void pc_finder_forget(pc_finder* f)
{
  f->now.count = f->is_kept = 0;
}
