/* Shapes at the start: which of them are near each other, and which overlap. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/colliders.h"
#include "collide/contact_set.h"
#include "percuss/shape.h"
#include "simulate/check.h"
#include "simulate/finder.h"

static const double CLOSED = 1e-10; /* gaps up to here are closed [m], as of other contacts */

/* Shapes overlap from this share of the inner radius of the smaller one on: less is what a step
 * leaves in contacts that are solved for velocities, and no mistake in a position. */
static const double OVERLAP = 1e-3;

static pc_status add_overlap(pc_check_found* found, int* capacity, const pc_set_contact* c,
                             pc_error* error)
{
  pc_check_overlap* last = found->overlap_count ? &found->overlap[found->overlap_count - 1] : NULL;
  if (last && last->shape[0] == c->key.shape[0] && last->shape[1] == c->key.shape[1]) {
    last->depth = fmax(last->depth, -c->gap);
    return PC_OK;
  }
  if (pc_grow((void**)&found->overlap, capacity, found->overlap_count, sizeof *found->overlap))
    return pc_no_memory(error);
  found->overlap[found->overlap_count++] =
      (pc_check_overlap){{c->key.shape[0], c->key.shape[1]}, -c->gap};
  return PC_OK;
}

/* The deepest first; of equals the one with the smaller numbers. */
static int by_depth(const void* x, const void* y)
{
  const pc_check_overlap *a = x, *b = y;
  if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
  if (a->shape[0] != b->shape[0]) return a->shape[0] - b->shape[0];
  return a->shape[1] - b->shape[1];
}

static pc_status count_contacts(const pc_contact_set* set, const pc_world* world,
                                pc_check_found* found, pc_error* error)
{
  int capacity = 0;
  for (int i = 0; i < pc_contact_set_count(set); i++) {
    const pc_set_contact* c = pc_contact_set_get(set, i);
    const pc_contact_key* before = i ? &pc_contact_set_get(set, i - 1)->key : NULL;
    found->pair_count +=
        !before || before->shape[0] != c->key.shape[0] || before->shape[1] != c->key.shape[1];
    found->closed_count += c->gap <= CLOSED;
    if (-c->gap > OVERLAP * pc_world_inner(world, c->key.shape))
      PC_TRY(add_overlap(found, &capacity, c, error));
  }
  if (found->overlap_count > 1)
    qsort(found->overlap, (size_t)found->overlap_count, sizeof *found->overlap, by_depth);
  return PC_OK;
}

pc_status pc_check_shapes(const pc_system* system, const pc_scheme_settings* settings,
                          pc_check_found* found, pc_error* error)
{
  const pc_colliders* colliders = pc_system_colliders(system);
  *found = (pc_check_found){.shape_count = pc_system_collider_count(system)};
  if (found->shape_count == 0) return PC_OK;
  pc_contact_set* set;
  const pc_find_settings how = {.factor = 1, .margin = CLOSED};
  PC_TRY(pc_contact_set_create(colliders->world, NULL, &set, error));
  pc_status status = pc_contact_set_find(set, pc_system_q0(system), pc_system_u0(system),
                                         settings ? settings->dt : 0, &how, error);
  if (status == PC_OK) status = count_contacts(set, colliders->world, found, error);
  pc_contact_set_destroy(set);
  return status;
}

static const char* body_of(const pc_system* system, int shape)
{
  pc_part_id part = pc_system_collider(system, shape).part;
  return part.index < 0 ? "ground" : pc_system_part_info(system, part).name;
}

int pc_check_describe_overlap(const pc_system* system, const pc_check_found* found,
                              pc_warning* warning)
{
  if (found->overlap_count == 0) return 0;
  const pc_check_overlap* worst = found->overlap;
  warning->kind = PC_WARNING_START;
  char pair[160];
  snprintf(pair, sizeof pair, "'%.36s' (body %.28s) and '%.36s' (%.28s)",
           pc_system_collider(system, worst->shape[0]).name, body_of(system, worst->shape[0]),
           pc_system_collider(system, worst->shape[1]).name, body_of(system, worst->shape[1]));
  if (found->overlap_count == 1)
    snprintf(warning->text, sizeof warning->text, "shapes %s overlap at the start by %.3g m", pair,
             worst->depth);
  else
    snprintf(warning->text, sizeof warning->text,
             "%d pairs of shapes overlap at the start, most %s by %.3g m", found->overlap_count,
             pair, worst->depth);
  snprintf(warning->remedy, sizeof warning->remedy,
           "move the bodies apart, or put shapes that must not meet into groups");
  return 1;
}

int pc_check_describe_hulls(const pc_system* system, pc_warning* warning)
{
  const pc_colliders* colliders = pc_system_colliders(system);
  int count = 0, worst = -1;
  double most = 0;
  for (int i = 0; colliders && i < colliders->world->collider_count; i++) {
    double adds = colliders->world->collider[i].geometry->hull_adds;
    count += adds > 0;
    if (adds > most) most = adds, worst = i;
  }
  if (worst < 0) return 0;
  const char* name = pc_system_collider(system, worst).name;
  char more[40] = "", share[60] = "a part of which is open";
  if (count > 1) snprintf(more, sizeof more, " (and %d more)", count - 1);
  if (isfinite(most)) snprintf(share, sizeof share, "with %.2g %% more volume", 100 * most);
  warning->kind = PC_WARNING_MODEL;
  snprintf(warning->text, sizeof warning->text,
           "the surface of shape '%.60s'%s is concave: the shape is its convex hull, %s", name,
           more, share);
  snprintf(warning->remedy, sizeof warning->remedy,
           "a concave body is several convex shapes, one file each; on the ground use 'mesh'");
  return 1;
}

int pc_check_found_friction(const pc_system* system)
{
  const pc_scheme_settings settings = {0};
  return pc_system_collider_count(system) > 0 &&
         pc_refuse_found_laws(system, &settings, NULL) != PC_OK;
}
