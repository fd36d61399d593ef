/* What is seen of contacts between shapes, and what a run that goes on is told of them. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/colliders.h"
#include "percuss/collide.h"
#include "simulate/finder.h"
#include "system/inspect.h"

void pc_name_found(const pc_system* system, int index, char* name, size_t size)
{
  const pc_set_contact* c = pc_system_element(system, pc_system_element_count(system) + index).data;
  snprintf(name, size, "%.40s - %.40s", pc_system_collider(system, c->key.shape[0]).name,
           pc_system_collider(system, c->key.shape[1]).name);
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* Two colliders of these materials that may touch; 0 if there are none. */
static int find_pair(const pc_world* w, int material, int other, int pair[2])
{
  for (int i = 0; i < w->collider_count; i++) {
    if (w->collider[i].material != material) continue;
    for (int k = 0; k < w->collider_count; k++) {
      if (k == i || w->collider[k].material != other || !pc_world_meets(w, i, k)) continue;
      pair[0] = i;
      pair[1] = k;
      return 1;
    }
  }
  return 0;
}

/* The law of two materials, if shapes of them may touch. */
static pc_status refuse_law(const pc_system* system, const pc_scheme_settings* settings, int a,
                            int b, pc_error* error)
{
  const pc_world* w = pc_system_colliders(system)->world;
  pc_material law = pc_material_between(w->material, a, b);
  int pair[2], friction = law.mu > 0 && !settings->frictionless;
  if ((!friction && !(law.e_above > 0)) || !find_pair(w, a, b, pair)) return PC_OK;
  const char* name[2] = {pc_system_collider(system, pair[0]).name,
                         pc_system_collider(system, pair[1]).name};
  if (!friction)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "shapes '%s' and '%s': restitution above a speed is not possible with this "
                   "scheme, whose restitution acts on positions; use another scheme",
                   name[0], name[1]);
  return pc_fail(error, PC_BAD_ARGUMENT,
                 "this scheme does not support friction, and there is some between shapes '%s' and "
                 "'%s' (mu = %g): use another scheme, or --frictionless to leave it out",
                 name[0], name[1], law.mu);
}

pc_status pc_refuse_found_laws(const pc_system* system, const pc_scheme_settings* settings,
                               pc_error* error)
{
  const pc_world* w = pc_system_colliders(system)->world;
  int materials = pc_material_table_count(w->material);
  for (int a = 0; a < materials; a++)
    for (int b = a; b < materials; b++) PC_TRY(refuse_law(system, settings, a, b, error));
  return PC_OK;
}

/* ---- looking -------------------------------------------------------------------------------- */

static const double* value_of(const pc_contact_memory* m, int index)
{
  return m->value + (size_t)index * (size_t)m->stride;
}

/* The contact of the set with this key, from `at` on, or the number of them. */
static int find_key(const pc_contact_set* set, const pc_contact_key* key, int at)
{
  while (at < pc_contact_set_count(set) &&
         pc_compare_keys(&pc_contact_set_get(set, at)->key, key) < 0)
    at++;
  return at;
}

static pc_shape_contact look_at(const pc_contact_set* set, int index, int fixed_rows,
                                const double* value, const pc_found_rows* rows)
{
  const pc_set_contact* c = pc_contact_set_get(set, index);
  const int row = fixed_rows + c->row;
  const pc_contact_point at = pc_contact_set_point(set, index, rows->q);
  pc_shape_contact seen = {.key = c->key,
                           .spin = value[3],
                           .P_N = rows->P[row],
                           .gap = rows->y[row],
                           .velocity_before = rows->y_dot_before[row],
                           .velocity_after = rows->y_dot[row]};
  memcpy(seen.P, value, sizeof seen.P);
  memcpy(seen.normal, c->geometry.n, sizeof seen.normal);
  pc_v3_put(pc_v3_scaled(0.5, pc_v3_plus(at.c[0], at.c[1])), seen.point);
  return seen;
}

/* The first contact of the set whose key is not less, by bisection. */
static int bisect_key(const pc_contact_set* set, const pc_contact_key* key)
{
  int low = 0, high = pc_contact_set_count(set);
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pc_compare_keys(&pc_contact_set_get(set, middle)->key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 128 };

typedef struct look_loop {
  pc_finder* finder;
  const pc_found_rows* rows;
  pc_shape_contact* contact; /* of those that are remembered */
} look_loop;

static void look_at_some(void* user, int worker, int first, int last)
{
  const look_loop* loop = user;
  const pc_finder* f = loop->finder;
  int fixed_rows = pc_system_row_count(f->frozen), at = bisect_key(f->set, &f->now.key[first]);
  (void)worker;
  for (int i = first; i < last; i++) {
    at = find_key(f->set, &f->now.key[i], at);
    loop->contact[i] = look_at(f->set, at, fixed_rows, value_of(&f->now, i), loop->rows);
  }
}

static void look(pc_finder* f, const pc_found_rows* rows, pc_shape_contact* contact)
{
  look_loop loop = {f, rows, contact};
  pc_threads_run(f->threads, f->now.count, SHARED_LEAST, look_at_some, &loop);
}

pc_status pc_finder_look_at_substep(pc_finder* f, const pc_found_rows* rows, pc_error* error)
{
  if (pc_contact_memory_reserve_seen(&f->now, f->now.count) != PC_OK) return pc_no_memory(error);
  look(f, rows, f->now.contact);
  return PC_OK;
}

/* Space for what is seen of so many contacts. */
static pc_status reserve_seen(pc_finder* f, int count, pc_error* error)
{
  const pc_array contact = PC_ARRAY(f->contact);
  pc_status status = pc_reserve_arrays(1, &contact, &f->contact_capacity, (size_t)count);
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}

pc_status pc_finder_look(pc_finder* f, const pc_found_rows* rows, pc_error* error)
{
  PC_TRY(reserve_seen(f, f->now.count, error));
  look(f, rows, f->contact);
  return PC_OK;
}

void pc_finder_show(pc_finder* f)
{
  f->seen = (pc_found_contacts){.count = f->now.count,
                                .contact = f->contact,
                                .opened = f->opened,
                                .memory_count = f->now.stride,
                                .memory = f->now.value};
}

/* ---- what has changed ------------------------------------------------------------------------ */

static int carries(const pc_contact_memory* m, int index)
{
  const double* P = value_of(m, index);
  return P[0] != 0 || P[1] != 0 || P[2] != 0 || P[3] != 0;
}

/* A contact that carried an impulse in the step before: velocities of its gap before and after this
 * one. */
static pc_shape_contact opened_contact(const pc_finder* f, int index, const double* before,
                                       const double* after)
{
  pc_shape_contact c = f->contact[index];
  int at = bisect_key(f->set, &c.key);
  int there = at < pc_contact_set_count(f->set) &&
              pc_compare_keys(&pc_contact_set_get(f->set, at)->key, &c.key) == 0;
  int row = there ? pc_system_row_count(f->frozen) + pc_contact_set_get(f->set, at)->row : 0;
  c.velocity_before = there && before ? before[row] : NAN;
  c.velocity_after = there ? after[row] : NAN;
  c.P_N = c.spin = 0;
  memset(c.P, 0, sizeof c.P);
  c.closed = 0;
  return c;
}

/* Contacts of one memory that carry an impulse and do not in another one. */
typedef struct change_loop {
  const pc_contact_memory *of, *other;
  pc_shape_contact* contact; /* what is seen of those of the first */
  atomic_int count;
} change_loop;

static void mark_changes(void* user, int worker, int first, int last)
{
  change_loop* l = user;
  const pc_contact_memory *m = l->of, *other = l->other;
  int at = pc_contact_memory_find(other, &m->key[first]), count = 0;
  (void)worker;
  for (int i = first; i < last; i++) {
    while (at < other->count && pc_compare_keys(&other->key[at], &m->key[i]) < 0) at++;
    int there = at < other->count && pc_compare_keys(&other->key[at], &m->key[i]) == 0;
    l->contact[i].closed = carries(m, i) && !(there && carries(other, at));
    count += l->contact[i].closed;
  }
  if (count) atomic_fetch_add(&l->count, count);
}

/* Marks them as closed, where what is seen is of the first memory; returns how many there are. */
static int mark(const pc_finder* f, const pc_contact_memory* of, const pc_contact_memory* other)
{
  change_loop loop = {of, other, f->contact, 0};
  pc_threads_run(f->threads, of->count, SHARED_LEAST, mark_changes, &loop);
  return atomic_load(&loop.count);
}

/* Lists those that carried an impulse and do not any more, from what was seen of them before. */
static pc_status list_opened(pc_finder* f, const double* before, const double* after, int* count,
                             pc_error* error)
{
  const pc_array opened = PC_ARRAY(f->opened);
  int left = mark(f, &f->good, &f->now);
  *count = 0;
  if (pc_reserve_arrays(1, &opened, &f->opened_capacity, (size_t)left) != PC_OK)
    return pc_no_memory(error);
  for (int i = 0; *count < left; i++)
    if (f->contact[i].closed) f->opened[(*count)++] = opened_contact(f, i, before, after);
  return PC_OK;
}

pc_status pc_finder_compare(pc_finder* f, const pc_found_rows* rows, int is_subdivided,
                            pc_error* error)
{
  int opened;
  PC_TRY(reserve_seen(f, f->now.count, error));
  PC_TRY(list_opened(f, is_subdivided ? NULL : rows->y_dot_before, rows->y_dot, &opened, error));
  if (is_subdivided && f->now.count > 0)
    memcpy(f->contact, f->now.contact, (size_t)f->now.count * sizeof *f->contact);
  else
    look(f, rows, f->contact);
  mark(f, &f->now, &f->good);
  pc_finder_show(f);
  f->seen.opened_count = opened;
  return PC_OK;
}

/* ---- going on from a state ------------------------------------------------------------------- */

static int is_sound(const pc_finder* f, const pc_contact_key* key, const pc_contact_key* before)
{
  int shapes = pc_system_collider_count(f->frozen);
  return key->shape[0] >= 0 && key->shape[0] < key->shape[1] && key->shape[1] < shapes &&
         (!before || pc_compare_keys(before, key) < 0);
}

pc_status pc_finder_restore(pc_finder* f, const pc_found_contacts* found, pc_error* error)
{
  pc_contact_memory* m = &f->now;
  pc_finder_forget(f);
  if (found->count > 0 && found->memory_count != m->stride)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "%d numbers are remembered of each contact between shapes, the scheme has %d",
                   found->memory_count, m->stride);
  if (pc_contact_memory_reserve(m, found->count) != PC_OK) return pc_no_memory(error);
  PC_TRY(reserve_seen(f, found->count, error));
  for (int i = 0; i < found->count; i++) {
    const pc_contact_key* key = &found->contact[i].key;
    if (!is_sound(f, key, i ? &found->contact[i - 1].key : NULL))
      return pc_fail(error, PC_BAD_ARGUMENT,
                     "contact %d between shapes is not one of this system, or not in order", i);
    m->key[i] = *key;
    f->contact[i] = found->contact[i];
    f->contact[i].closed = 0;
    memcpy(f->contact[i].P, found->memory + (size_t)i * (size_t)m->stride, sizeof f->contact[i].P);
  }
  if (found->count > 0)
    memcpy(m->value, found->memory, (size_t)found->count * (size_t)m->stride * sizeof *m->value);
  m->count = found->count;
  return PC_OK;
}
