#include "model/variables.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "percuss/shape.h"

/* --- parts ---------------------------------------------------------------------------------- */

int pc_part_total(const pc_reader* r)
{
  return r->coordinates.count + r->bodies.count;
}

static const pc_body_entry* body_of(const pc_reader* r, int part)
{
  return part < r->coordinates.count ? NULL : &r->bodies.entry[part - r->coordinates.count];
}

int pc_part_q_width(const pc_reader* r, int part)
{
  const pc_body_entry* body = body_of(r, part);
  if (!body) return 1;
  if (body->chain || body->is_fixed) return 0; /* too wide; not a part */
  if (body->is_spatial) return 7;
  return body->is_point ? r->dimension : 3;
}

int pc_part_u_width(const pc_reader* r, int part)
{
  int width = pc_part_q_width(r, part);
  return width == 7 ? 6 : width;
}

pc_part_id pc_part_id_of(const pc_reader* r, int part)
{
  const pc_body_entry* body = body_of(r, part);
  return body ? body->id : r->coordinates.entry[part].id;
}

int pc_part_number(const pc_reader* r, pc_part_id id)
{
  for (int i = 0; i < r->bodies.count; i++)
    if (r->bodies.entry[i].id.index == id.index && !r->bodies.entry[i].chain &&
        !r->bodies.entry[i].is_fixed)
      return r->coordinates.count + i;
  return -1;
}

/* The last parts of the recorded names of a body, positions and velocities. */
static const char* const* body_tails(const pc_body_entry* body, int velocity)
{
  static const char* const rigid[2][3] = {{"x", "y", "angle"}, {"vx", "vy", "spin"}};
  static const char* const point[2][3] = {{"x", "y", "z"}, {"vx", "vy", "vz"}};
  static const char* const spatial[2][7] = {{"x", "y", "z", "qw", "qx", "qy", "qz"},
                                            {"vx", "vy", "vz", "wx", "wy", "wz", ""}};
  if (body->is_spatial) return spatial[velocity];
  return body->is_point ? point[velocity] : rigid[velocity];
}

static int width_of(const pc_reader* r, int part, int velocity)
{
  return velocity ? pc_part_u_width(r, part) : pc_part_q_width(r, part);
}

static int find_body_quantity(const pc_reader* r, const char* name, size_t length,
                              pc_part_quantity* found)
{
  size_t dot = length;
  while (dot > 0 && name[dot - 1] != '.') dot--;
  if (dot < 2) return 0;
  int b = pc_names_find(&r->bodies.names, name, dot - 1);
  if (b < 0) return 0;
  int part = r->coordinates.count + b;
  for (int velocity = 0; velocity < 2; velocity++)
    for (int i = 0; i < width_of(r, part, velocity); i++) {
      const char* tail = body_tails(&r->bodies.entry[b], velocity)[i];
      if (strlen(tail) != length - dot || strncmp(tail, name + dot, length - dot) != 0) continue;
      *found = (pc_part_quantity){part, i, velocity};
      return 1;
    }
  return 0;
}

int pc_find_part_quantity(const pc_reader* r, const char* name, size_t length,
                          pc_part_quantity* found)
{
  int velocity = length > 1 && name[length - 1] == '\'';
  int i = pc_names_find(&r->coordinates.names, name, length - (size_t)velocity);
  *found = (pc_part_quantity){i, 0, velocity};
  return i >= 0 || find_body_quantity(r, name, length, found);
}

/* --- the scope ------------------------------------------------------------------------------ */

enum { DEPTH_MAX = 16 };

/* An own output is what it was defined as. */
static int find_output(pc_variables* v, pc_pool* pool, const char* name, size_t length,
                       pc_expr* meaning)
{
  const pc_reader* r = v->r;
  for (int i = 0; i < r->outputs.count; i++) {
    const pc_output_entry* output = &r->outputs.entry[i];
    if (output->of_motor || strlen(output->name) != length ||
        strncmp(output->name, name, length) != 0)
      continue;
    if (v->depth >= DEPTH_MAX || (v->own_output && strcmp(v->own_output, output->name) == 0))
      return 0;
    pc_error ignored = {0};
    v->depth++;
    pc_status status = pc_parse_node(&v->scope, output->value, pool, meaning, &ignored);
    v->depth--;
    if (status == PC_OUT_OF_MEMORY) *meaning = -1;
    return status == PC_OK || status == PC_OUT_OF_MEMORY;
  }
  return 0;
}

static int find_name(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  pc_variables* v = user;
  pc_part_quantity quantity;
  pc_derived derived;
  if (pc_find_part_quantity(v->r, name, length, &quantity)) {
    *meaning = v->get(v, pool, quantity);
    return 1;
  }
  if (pc_find_derived(v, pool, name, length, &derived)) {
    *meaning = derived.period > 0 && v->follow
                   ? v->follow(v, pool, name, length, derived.expr, derived.period)
                   : derived.expr;
    return 1;
  }
  return v->find(v, pool, name, length, meaning) || find_output(v, pool, name, length, meaning);
}

static void suggest_tailed(pc_suggestion* names, const char* head, const char* tail)
{
  char name[80];
  snprintf(name, sizeof name, "%s%s", head, tail);
  pc_suggest_add(names, name);
}

static void list_names(const void* user, pc_suggestion* names)
{
  const pc_variables* v = user;
  const pc_reader* r = v->r;
  for (int i = 0; i < r->coordinates.count; i++) {
    pc_suggest_add(names, r->coordinates.entry[i].name);
    suggest_tailed(names, r->coordinates.entry[i].name, "'");
  }
  for (int b = 0; b < r->bodies.count; b++)
    for (int i = 0; i < pc_part_q_width(r, r->coordinates.count + b); i++)
      for (int velocity = 0; velocity < 2; velocity++) {
        char tail[16];
        if (i >= width_of(r, r->coordinates.count + b, velocity)) continue;
        snprintf(tail, sizeof tail, ".%s", body_tails(&r->bodies.entry[b], velocity)[i]);
        suggest_tailed(names, r->bodies.entry[b].name, tail);
      }
  char name[100];
  for (int i = 0; pc_list_derived(r, i, name, sizeof name); i++) pc_suggest_add(names, name);
  for (int i = 0; i < r->outputs.count; i++) pc_suggest_add(names, r->outputs.entry[i].name);
  if (v->list) v->list(v, names);
  pc_suggest_add(names, "t");
}

void pc_variables_begin(pc_variables* v, pc_reader* r)
{
  v->r = r;
  v->scope = (pc_scope){find_name, list_names, v, &r->scope};
}

int pc_variables_frame(pc_variables* v, pc_pool* pool, pc_part_id id, pc_expr_frame* frame)
{
  if (id.index < 0) {
    *frame = pc_expr_ground(pool, v->r->dimension);
    return 1;
  }
  int part = pc_part_number(v->r, id);
  if (part < 0) return 0;
  const pc_body_entry* body = body_of(v->r, part);
  pc_expr q[7], u[6];
  for (int i = 0; i < pc_part_q_width(v->r, part); i++)
    q[i] = v->get(v, pool, (pc_part_quantity){part, i, 0});
  for (int i = 0; i < pc_part_u_width(v->r, part); i++)
    u[i] = v->get(v, pool, (pc_part_quantity){part, i, 1});
  int kind = body->is_spatial ? PC_PART_SPATIAL_BODY
             : body->is_point ? PC_PART_POINT_MASS
                              : PC_PART_PLANAR_BODY;
  *frame = pc_expr_frame_of(pool, v->r->dimension, kind, q, u);
  return 1;
}
