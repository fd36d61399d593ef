/* Shapes and materials on the parts of a system. */
#include "collide/colliders.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/contact_set.h"
#include "system/element.h"
#include "system/inspect.h"

pc_material pc_default_material(void)
{
  return (pc_material){.mu = -1};
}

pc_collider_def pc_default_collider_def(void)
{
  return (pc_collider_def){
      .part = PC_GROUND, .pose = pc_pose_identity(), .group = 1, .mask = UINT32_MAX};
}

/* ---- the attachment ------------------------------------------------------------------------ */

static void destroy(void* data)
{
  pc_colliders* c = data;
  if (!c) return;
  pc_texts_clear(&c->names);
  pc_world_destroy(c->world);
  free(c->body);
  free(c->part);
  free(c->name);
  free(c->excluded.pair);
  free(c->allowed.pair);
  free(c);
}

static pc_status add_pair(pc_part_pairs* pairs, pc_part_id a, pc_part_id b, pc_error* error)
{
  if (pc_grow((void**)&pairs->pair, &pairs->capacity, pairs->count, sizeof *pairs->pair) != PC_OK)
    return pc_no_memory(error);
  pairs->pair[pairs->count++] =
      a.index < b.index ? (pc_body_pair){a.index, b.index} : (pc_body_pair){b.index, a.index};
  return PC_OK;
}

static int compare_pairs(const void* x, const void* y)
{
  const pc_body_pair *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

/* Whether sorted pairs have this one. */
static int has_pair(const pc_part_pairs* pairs, int a, int b)
{
  const pc_body_pair key = a < b ? (pc_body_pair){a, b} : (pc_body_pair){b, a};
  return pairs->count &&
         bsearch(&key, pairs->pair, (size_t)pairs->count, sizeof key, compare_pairs) != NULL;
}

/* The body of a part that carries shapes, or -1. */
static int body_of(const pc_colliders* c, int part)
{
  return part >= 0 && part < c->body_capacity ? c->body[part] : -1;
}

/* The parts that were told not to meet; those without shapes need nothing. */
static pc_status exclude_listed(const pc_colliders* c, pc_error* error)
{
  for (int i = 0; i < c->excluded.count; i++) {
    pc_body_pair pair = c->excluded.pair[i];
    int a = pair.a < 0 ? PC_COLLIDER_GROUND : body_of(c, pair.a), b = body_of(c, pair.b);
    if (b < 0 || (a < 0 && pair.a >= 0)) continue;
    PC_TRY(pc_world_exclude(c->world, a, b, error));
  }
  return PC_OK;
}

/* The parts that an element ties do not meet. */
static pc_status exclude_tied(const pc_colliders* c, const pc_element_view* e, pc_error* error)
{
  for (int i = 0; i < e->part_count; i++)
    for (int k = i + 1; k < e->part_count; k++) {
      int a = body_of(c, e->part[i]), b = body_of(c, e->part[k]);
      if (a < 0 || b < 0 || has_pair(&c->allowed, e->part[i], e->part[k])) continue;
      PC_TRY(pc_world_exclude(c->world, a, b, error));
    }
  return PC_OK;
}

static pc_status freeze(void* data, const pc_system* system, pc_error* error)
{
  pc_colliders* c = data;
  if (c->allowed.count)
    qsort(c->allowed.pair, (size_t)c->allowed.count, sizeof *c->allowed.pair, compare_pairs);
  PC_TRY(exclude_listed(c, error));
  for (int i = 0; i < pc_system_element_count(system); i++) {
    pc_element_view e = pc_system_element(system, i);
    if (e.constraint_count && e.part_count > 1) PC_TRY(exclude_tied(c, &e, error));
  }
  if (pc_trim((void**)&c->part, &c->part_capacity, c->world->body_count, sizeof *c->part) ||
      pc_trim((void**)&c->name, &c->name_capacity, c->world->collider_count, sizeof *c->name) ||
      pc_world_freeze(c->world))
    return pc_no_memory(error);
  return PC_OK;
}

static void widen(const void* data, double* reach)
{
  const pc_colliders* c = data;
  for (int i = 0; i < c->world->collider_count; i++) {
    const pc_collider* of = &c->world->collider[i];
    if (of->body < 0) continue;
    double* r = &reach[c->part[of->body].index];
    *r = fmax(*r, pc_v3_length(pc_v3_of(of->pose.x)) + of->geometry->reach);
  }
}

static double inner(const void* data, const void* contact)
{
  const pc_colliders* c = data;
  const pc_set_contact* of = contact;
  return pc_world_inner(c->world, of->key.shape);
}

const pc_colliders* pc_system_colliders(const pc_system* system)
{
  return pc_system_shapes(system)->data;
}

/* Those of a system that is open, made where there are none yet. */
static pc_status open_colliders(pc_system* system, pc_colliders** colliders, pc_error* error)
{
  PC_TRY(pc_system_check_open(system, error));
  *colliders = pc_system_shapes(system)->data;
  if (*colliders) return PC_OK;
  int dimension = pc_system_dimension(system);
  if (dimension < 2)
    return pc_fail(error, PC_BAD_MODEL, "shapes need a plane or space: the model has dimension %d",
                   dimension);
  pc_colliders* c = pc_alloc(1, sizeof *c);
  if (!c || !(c->world = pc_world_create(dimension))) {
    free(c);
    return pc_no_memory(error);
  }
  *colliders = c;
  return pc_system_attach_shapes(system, &(pc_attachment){c, destroy, freeze, widen, inner}, error);
}

/* ---- materials and shapes ------------------------------------------------------------------ */

pc_status pc_add_material(pc_system* system, const char* name, const pc_material* material,
                          pc_material_id* id, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(material, "material", error));
  PC_TRY(pc_need(id, "id", error));
  pc_colliders* c;
  PC_TRY(open_colliders(system, &c, error));
  return pc_material_table_add(c->world->material, name, material, &id->index, error);
}

static pc_status check_material(const pc_colliders* c, pc_material_id id, pc_error* error)
{
  if (id.index >= 0 && id.index < pc_material_table_count(c->world->material)) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT, "there is no material number %d", id.index);
}

pc_status pc_set_material_pair(pc_system* system, pc_material_id a, pc_material_id b,
                               const pc_material* law, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  pc_colliders* c;
  PC_TRY(open_colliders(system, &c, error));
  PC_TRY(check_material(c, a, error));
  PC_TRY(check_material(c, b, error));
  return pc_material_table_set_pair(c->world->material, a.index, b.index, law, error);
}

pc_status pc_add_geometry(pc_system* system, pc_geometry* geometry, pc_geometry_id* id,
                          pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(id, "id", error));
  pc_colliders* c;
  pc_status status = open_colliders(system, &c, error);
  if (status == PC_OK) return pc_world_add_geometry(c->world, geometry, &id->index, error);
  pc_geometry_destroy(geometry);
  return status;
}

/* ---- colliders ----------------------------------------------------------------------------- */

/* The body of a part, made if it has none yet. */
static pc_status find_body(pc_system* system, pc_colliders* c, const pc_collider_def* def,
                           int* index, pc_error* error)
{
  const pc_part* part;
  *index = PC_COLLIDER_GROUND;
  PC_TRY(pc_system_part(system, def->part, &part, error));
  if (!part) return PC_OK;
  int is_point = part->kind == PC_PART_POINT_MASS;
  if (!is_point && part->kind != PC_PART_PLANAR_BODY && part->kind != PC_PART_SPATIAL_BODY)
    return pc_fail(error, PC_BAD_MODEL,
                   "shape '%s': '%s' is no body; shapes belong on bodies, point masses, nodes of "
                   "beams or the ground",
                   def->name, part->name);
  for (int known = c->body_capacity; known <= def->part.index; known = c->body_capacity) {
    if (pc_grow((void**)&c->body, &c->body_capacity, def->part.index, sizeof *c->body) != PC_OK)
      return pc_no_memory(error);
    for (int i = known; i < c->body_capacity; i++) c->body[i] = -1;
  }
  *index = c->body[def->part.index];
  if (*index >= 0) return PC_OK;
  if (pc_grow((void**)&c->part, &c->part_capacity, c->world->body_count, sizeof *c->part) != PC_OK)
    return pc_no_memory(error);
  c->part[c->world->body_count] = def->part;
  const pc_world_body body = {is_point ? PC_CARRIER_POINT : PC_CARRIER_BODY, part->q_first,
                              part->u_first};
  PC_TRY(pc_world_add_body(c->world, &body, index, error));
  c->body[def->part.index] = *index;
  return PC_OK;
}

pc_status pc_add_collider(pc_system* system, const pc_collider_def* def, int* index,
                          pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_colliders* c;
  int body, added;
  PC_TRY(open_colliders(system, &c, error));
  if (!def->name || !def->name[0]) return pc_fail(error, PC_BAD_MODEL, "a shape without a name");
  if (def->geometry.index < 0 || def->geometry.index >= c->world->geometry_count)
    return pc_fail(error, PC_BAD_ARGUMENT, "shape '%s': there is no geometry number %d", def->name,
                   def->geometry.index);
  PC_TRY(find_body(system, c, def, &body, error));
  if (pc_grow((void**)&c->name, &c->name_capacity, c->world->collider_count, sizeof(char*)) !=
      PC_OK)
    return pc_no_memory(error);
  char* name = pc_texts_add(&c->names, def->name, "");
  if (!name) return pc_no_memory(error);
  const pc_collider collider = {.geometry = c->world->geometry[def->geometry.index],
                                .body = body,
                                .pose = def->pose,
                                .material = def->material.index,
                                .group = def->group,
                                .mask = def->mask};
  PC_TRY(pc_world_add_collider(c->world, def->name, &collider, &added, error));
  c->name[added] = name;
  if (index) *index = added;
  return PC_OK;
}

static pc_status check_parts(const pc_system* system, pc_part_id a, pc_part_id b, pc_error* error)
{
  const pc_part* part;
  PC_TRY(pc_system_part(system, a, &part, error));
  return pc_system_part(system, b, &part, error);
}

pc_status pc_exclude_parts(pc_system* system, pc_part_id a, pc_part_id b, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  pc_colliders* c;
  PC_TRY(open_colliders(system, &c, error));
  PC_TRY(check_parts(system, a, b, error));
  return add_pair(&c->excluded, a, b, error);
}

pc_status pc_allow_parts(pc_system* system, pc_part_id a, pc_part_id b, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  pc_colliders* c;
  PC_TRY(open_colliders(system, &c, error));
  PC_TRY(check_parts(system, a, b, error));
  return add_pair(&c->allowed, a, b, error);
}

/* ---- looking ------------------------------------------------------------------------------- */

int pc_system_collider_count(const pc_system* system)
{
  if (!system) return 0;
  const pc_colliders* c = pc_system_colliders(system);
  return c ? c->world->collider_count : 0;
}

pc_collider_info pc_system_collider(const pc_system* system, int collider)
{
  if ((unsigned)collider >= (unsigned)pc_system_collider_count(system))
    return (pc_collider_info){0};
  const pc_colliders* c = pc_system_colliders(system);
  const pc_collider* of = &c->world->collider[collider];
  return (pc_collider_info){.name = c->name[collider],
                            .part = of->body < 0 ? PC_GROUND : c->part[of->body],
                            .pose = of->pose,
                            .geometry = of->geometry,
                            .material = {of->material},
                            .group = of->group,
                            .mask = of->mask};
}

pc_material pc_system_collider_law(const pc_system* system, int a, int b)
{
  int count = pc_system_collider_count(system);
  if ((unsigned)a >= (unsigned)count || (unsigned)b >= (unsigned)count) return (pc_material){0};
  const pc_world* w = pc_system_colliders(system)->world;
  return pc_material_between(w->material, w->collider[a].material, w->collider[b].material);
}

int pc_system_colliders_meet(const pc_system* system, int a, int b)
{
  int count = pc_system_collider_count(system);
  if ((unsigned)a >= (unsigned)count || (unsigned)b >= (unsigned)count) return 0;
  return pc_world_meets(pc_system_colliders(system)->world, a, b);
}

pc_pose pc_collider_pose(const pc_system* system, int collider, const double* q)
{
  if (!q || (unsigned)collider >= (unsigned)pc_system_collider_count(system)) return (pc_pose){0};
  const pc_world* w = pc_system_colliders(system)->world;
  pc_pose body = pc_world_body_pose(w, w->collider[collider].body, q);
  return pc_pose_product(&body, &w->collider[collider].pose);
}
