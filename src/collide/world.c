#include "collide/world.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

pc_world* pc_world_create(int dimension)
{
  pc_world* w = pc_alloc(1, sizeof *w);
  if (!w) return NULL;
  w->dimension = dimension;
  w->material = pc_material_table_create();
  if (w->material) return w;
  free(w);
  return NULL;
}

void pc_world_destroy(pc_world* w)
{
  if (!w) return;
  for (int i = 0; i < w->geometry_count; i++) pc_geometry_destroy(w->geometry[i]);
  free(w->body);
  free(w->geometry);
  free(w->collider);
  free(w->excluded);
  pc_material_table_destroy(w->material);
  free(w);
}

pc_status pc_world_add_body(pc_world* w, const pc_world_body* body, int* index, pc_error* error)
{
  if (pc_grow((void**)&w->body, &w->body_capacity, w->body_count, sizeof *w->body) != PC_OK)
    return pc_no_memory(error);
  w->body[w->body_count] = *body;
  *index = w->body_count++;
  return PC_OK;
}

pc_status pc_world_add_geometry(pc_world* w, pc_geometry* geometry, int* index, pc_error* error)
{
  if (pc_grow((void**)&w->geometry, &w->geometry_capacity, w->geometry_count,
              sizeof(pc_geometry*)) != PC_OK) {
    pc_geometry_destroy(geometry);
    return pc_no_memory(error);
  }
  w->geometry[w->geometry_count] = geometry;
  *index = w->geometry_count++;
  return PC_OK;
}

static pc_status check(const pc_world* w, const char* name, const pc_collider* c, pc_error* error)
{
  const char* kind = pc_geometry_kind_name(c->geometry->kind);
  if (c->geometry->dimension != w->dimension)
    return pc_fail(error, PC_BAD_MODEL, "shape '%s': a %s of %d dimensions in a model of %d", name,
                   kind, c->geometry->dimension, w->dimension);
  if (c->body != PC_COLLIDER_GROUND && (c->body < 0 || c->body >= w->body_count))
    return pc_fail(error, PC_BAD_ARGUMENT, "shape '%s': there is no body %d", name, c->body);
  if (c->body != PC_COLLIDER_GROUND && !pc_geometry_moves(c->geometry))
    return pc_fail(error, PC_BAD_MODEL,
                   "shape '%s': a %s cannot move; it belongs to the ground or a fixed body", name,
                   kind);
  if (c->material < 0 || c->material >= pc_material_table_count(w->material))
    return pc_fail(error, PC_BAD_ARGUMENT, "shape '%s': there is no material %d", name,
                   c->material);
  for (int i = 0; i < 12; i++)
    if (!isfinite(i < 3 ? c->pose.x[i] : c->pose.A[i - 3]))
      return pc_fail(error, PC_BAD_MODEL, "shape '%s': its position or orientation is not finite",
                     name);
  return PC_OK;
}

pc_status pc_world_add_collider(pc_world* w, const char* name, const pc_collider* collider,
                                int* index, pc_error* error)
{
  PC_TRY(check(w, name, collider, error));
  if (pc_grow((void**)&w->collider, &w->collider_capacity, w->collider_count,
              sizeof *w->collider) != PC_OK)
    return pc_no_memory(error);
  w->collider[w->collider_count] = *collider;
  *index = w->collider_count++;
  return PC_OK;
}

pc_status pc_world_exclude(pc_world* w, int a, int b, pc_error* error)
{
  if (pc_grow((void**)&w->excluded, &w->excluded_capacity, w->excluded_count,
              sizeof *w->excluded) != PC_OK)
    return pc_no_memory(error);
  w->excluded[w->excluded_count++] = a < b ? (pc_body_pair){a, b} : (pc_body_pair){b, a};
  return PC_OK;
}

static int compare(const void* x, const void* y)
{
  const pc_body_pair *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

/* Arrays grow in advance, and now they will not grow any more. */
static pc_status trim(pc_world* w)
{
  PC_TRY(pc_trim((void**)&w->body, &w->body_capacity, w->body_count, sizeof *w->body));
  PC_TRY(pc_trim((void**)&w->geometry, &w->geometry_capacity, w->geometry_count,
                 sizeof(pc_geometry*)));
  return pc_trim((void**)&w->collider, &w->collider_capacity, w->collider_count,
                 sizeof *w->collider);
}

pc_status pc_world_freeze(pc_world* w)
{
  PC_TRY(trim(w));
  if (w->excluded_count > 1)
    qsort(w->excluded, (size_t)w->excluded_count, sizeof *w->excluded, compare);
  w->frozen = 1;
  return PC_OK;
}

size_t pc_world_count_unbounded(const pc_world* w)
{
  size_t count = 0;
  for (int i = 0; i < w->collider_count; i++)
    count += pc_geometry_is_unbounded(w->collider[i].geometry) != 0;
  return count;
}

static int is_excluded(const pc_world* w, int a, int b)
{
  if (!w->excluded_count) return 0;
  const pc_body_pair key = a < b ? (pc_body_pair){a, b} : (pc_body_pair){b, a};
  return bsearch(&key, w->excluded, (size_t)w->excluded_count, sizeof key, compare) != NULL;
}

int pc_world_meets(const pc_world* w, int i, int k)
{
  const pc_collider *a = &w->collider[i], *b = &w->collider[k];
  if (a->body == b->body) return 0; /* the same body, or both on the ground */
  if (!(a->group & b->mask) || !(b->group & a->mask)) return 0;
  return !is_excluded(w, a->body, b->body);
}

pc_pose pc_world_body_pose(const pc_world* w, int body, const double* q)
{
  if (body == PC_COLLIDER_GROUND) return pc_pose_identity();
  return pc_carrier_pose(w->body[body].carrier, w->dimension, q + w->body[body].q_first);
}

double pc_world_inner(const pc_world* w, const int shape[2])
{
  double least = INFINITY;
  for (int i = 0; i < 2; i++) {
    double inner = w->collider[shape[i]].geometry->inner;
    if (inner > 0 && inner < least) least = inner;
  }
  return least;
}
