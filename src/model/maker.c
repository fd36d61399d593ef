#include "model/maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/held.h"

/* Variables are numbered t, q, u; while scanning they are only noted, and any numbers will do that
 * differ. */
static pc_expr get(pc_variables* v, pc_pool* pool, pc_part_quantity of)
{
  enum { Q_MAX = 7, WIDTH_MAX = 13 };
  pc_maker* m = (pc_maker*)(void*)v;
  if (m->scanning) {
    m->q_first[of.part] = 0;
    int offset = of.velocity ? Q_MAX + of.offset : of.offset;
    return pc_expr_variable(pool, 1 + WIDTH_MAX * of.part + offset);
  }
  int first = of.velocity ? m->q_count + m->u_first[of.part] : m->q_first[of.part];
  return pc_expr_variable(pool, 1 + first + of.offset);
}

/* What the last step left of a quantity is a coordinate that holds it; one that is not held yet is
 * noted. */
static int find_held(pc_maker* m, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  int coordinate = pc_find_held(m->v.r, name, length);
  if (coordinate >= 0) {
    *meaning = get(&m->v, pool, (pc_part_quantity){coordinate, 0, 0});
    return 1;
  }
  if (length >= sizeof m->wanted) return 0;
  memcpy(m->wanted, name, length);
  m->wanted[length] = 0;
  *meaning = pc_expr_number(pool, 1);
  return 1;
}

static int find_load(pc_maker* m, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  return m->takes_loads && pc_is_load_name(m->v.r, name, length) &&
         find_held(m, pool, name, length, meaning);
}

/* The turns are those that bring the angle within half a period of where the last step left it. */
static pc_expr follow(pc_variables* v, pc_pool* pool, const char* name, size_t length,
                      pc_expr angle, double period)
{
  pc_expr last;
  if (!find_held((pc_maker*)(void*)v, pool, name, length, &last)) return angle;
  return pc_expr_followed(pool, angle, last, period);
}

static int find_more(pc_variables* v, pc_pool* pool, const char* name, size_t length,
                     pc_expr* meaning)
{
  if (length != 1 || name[0] != 't')
    return find_load((pc_maker*)(void*)v, pool, name, length, meaning);
  *meaning = pc_expr_variable(pool, 0);
  return 1;
}

static void list_loads(const pc_variables* v, pc_suggestion* names)
{
  const pc_maker* m = (const pc_maker*)(const void*)v;
  if (m->takes_loads) pc_list_loads(v->r, names);
}

pc_expr pc_maker_follow(pc_maker* m, const char* name, const pc_node* place, pc_expr angle,
                        double period)
{
  m->wanted_by = place;
  return follow(&m->v, m->pool, name, strlen(name), angle, period);
}

pc_status pc_maker_parse_force(pc_maker* m, const pc_node* node, pc_expr* expr)
{
  m->takes_loads = 1;
  pc_status status = pc_maker_parse(m, node, expr);
  m->takes_loads = 0;
  return status;
}

pc_status pc_maker_parse(pc_maker* m, const pc_node* node, pc_expr* expr)
{
  m->wanted_by = node;
  return pc_parse_node(&m->v.scope, node, m->pool, expr, m->v.r->error);
}

void pc_maker_add_force(pc_maker* m, int part, int offset, pc_expr expr)
{
  if (m->scanning) {
    m->q_first[part] = 0;
    return;
  }
  pc_expr* force = &m->force[m->u_first[part] + offset];
  *force = *force < 0 ? expr : pc_expr_of(m->pool, *force, '+', expr);
}

static pc_status allocate(pc_maker* m)
{
  size_t parts = (size_t)pc_part_total(m->v.r), velocities = 0;
  for (int i = 0; i < pc_part_total(m->v.r); i++) velocities += (size_t)pc_part_u_width(m->v.r, i);
  m->q_first = pc_alloc(parts, sizeof *m->q_first);
  m->u_first = pc_alloc(parts, sizeof *m->u_first);
  m->part = pc_alloc(parts, sizeof *m->part);
  m->force = pc_alloc(velocities, sizeof *m->force);
  if (!m->q_first || !m->u_first || !m->part || !m->force) return pc_no_memory(m->v.r->error);
  for (size_t i = 0; i < parts; i++) m->q_first[i] = -1;
  for (size_t i = 0; i < velocities; i++) m->force[i] = -1;
  return PC_OK;
}

/* One pass over the formulas, with a pool of its own. */
static pc_status pass(pc_maker* m, int scanning, pc_fill_formula* fill, void* user)
{
  m->scanning = scanning;
  pc_pool_destroy(m->pool);
  m->pool = pc_pool_create();
  if (!m->pool) return pc_no_memory(m->v.r->error);
  PC_TRY(fill(m, user));
  return pc_pool_failed(m->pool) ? pc_no_memory(m->v.r->error) : PC_OK;
}

/* Numbers the coordinates of the parts that occur. */
static void lay_out(pc_maker* m)
{
  const pc_reader* r = m->v.r;
  for (int i = 0; i < pc_part_total(r); i++) {
    if (m->q_first[i] < 0) continue;
    m->q_first[i] = m->q_count;
    m->u_first[i] = m->u_count;
    m->q_count += pc_part_q_width(r, i);
    m->u_count += pc_part_u_width(r, i);
    m->part[m->def.part_count++] = pc_part_id_of(r, i);
  }
}

static void release(pc_maker* m)
{
  free(m->q_first);
  free(m->u_first);
  free(m->part);
  free(m->force);
  m->q_first = m->u_first = NULL;
  m->part = NULL;
  m->force = NULL;
}

/* Which parts occur. A load that is used for the first time becomes a coordinate, which changes the
 * numbers of the parts: then the formulas are scanned once more. */
static pc_status scan(pc_maker* m, pc_fill_formula* fill, void* user)
{
  do {
    release(m);
    m->def = (pc_formula_def){0};
    m->wanted[0] = 0;
    PC_TRY(allocate(m));
    PC_TRY(pass(m, 1, fill, user));
    if (m->wanted[0]) PC_TRY(pc_hold_load(m->v.r, m->wanted, m->wanted_by));
  } while (m->wanted[0]);
  return PC_OK;
}

static pc_status make(pc_maker* m, const char* name, pc_fill_formula* fill, void* user, int* none)
{
  PC_TRY(scan(m, fill, user));
  lay_out(m);
  *none = m->def.part_count == 0;
  if (*none) return PC_OK;
  PC_TRY(pass(m, 0, fill, user));
  m->def.name = name;
  m->def.pool = m->pool;
  m->def.part = m->part;
  m->def.force = m->force;
  *m->v.r->error = (pc_error){0};
  return pc_add_formula(m->v.r->system, &m->def, m->v.r->error);
}

pc_status pc_make_formula(pc_reader* r, const char* name, pc_fill_formula* fill, void* user,
                          int* none)
{
  int ignored = 0;
  pc_maker m = {.v = {.get = get, .find = find_more, .list = list_loads, .follow = follow}};
  pc_variables_begin(&m.v, r);
  pc_status status = make(&m, name, fill, user, none ? none : &ignored);
  pc_pool_destroy(m.pool);
  release(&m);
  return status;
}
