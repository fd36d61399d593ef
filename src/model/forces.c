/* Forces and torques that depend on the motion, as elements made of formulas. Those that depend on
 * the time alone become the elements of elements.h, which cost less. */
#include <string.h>

#include "base/status.h"
#include "model/maker.h"
#include "model/makers.h"

/* --- what they share ------------------------------------------------------------------------ */

/* A part that takes a wrench. */
typedef struct target {
  pc_part_id id;
  pc_expr_frame frame;
} target;

static pc_status find_target(pc_maker* m, pc_part_id id, const pc_node* place, target* to)
{
  to->id = id;
  if (pc_variables_frame(&m->v, m->pool, id, &to->frame)) return PC_OK;
  return pc_fail_at(m->v.r->error, place,
                    "a force on a node of a bar or beam can depend on the time alone, with "
                    "components in the inertial frame");
}

static void set_zero(pc_pool* pool, pc_expr v[3])
{
  for (int i = 0; i < 3; i++) v[i] = pc_expr_number(pool, 0);
}

/* An element with what it is made of; the place is for errors. */
typedef struct making {
  const char* kind;
  const pc_any_def* def;
  const pc_node* place;
} making;

/* Names the force in an error about its `value`. */
static pc_status blame_value(pc_reader* r, const making* what, pc_status status)
{
  if (status == PC_BAD_MODEL)
    pc_prefix_error(r->error, "%s '%s', value: ", what->kind, what->def->name);
  return status;
}

static pc_status parse_value(pc_maker* m, const making* what, const pc_node* node, pc_expr* expr)
{
  return blame_value(m->v.r, what, pc_maker_parse_force(m, node, expr));
}

/* The components of a vector of formulas, in the inertial frame. */
static pc_status parse_vector(pc_maker* m, const making* what, const pc_node* value,
                              const target* frame, pc_expr to[3])
{
  pc_expr v[3];
  set_zero(m->pool, v);
  if (value->kind == PC_NODE_SCALAR) PC_TRY(parse_value(m, what, value, &v[0]));
  int i = 0;
  for (const pc_node* item = value->first; item; item = item->next)
    PC_TRY(parse_value(m, what, item, &v[i++]));
  pc_expr_turned(m->pool, &frame->frame, v, to);
  return PC_OK;
}

static pc_status all_of_time(const pc_reader* r, const pc_node* value, int* all)
{
  if (value->kind == PC_NODE_SCALAR) return pc_is_of_time(r, value, all);
  *all = 1;
  for (const pc_node* item = value->first; item && *all; item = item->next)
    PC_TRY(pc_is_of_time(r, item, all));
  return PC_OK;
}

static pc_status read_signals(const pc_reader* r, const pc_node* value, pc_signal signal[3])
{
  int i = 0;
  if (value->kind == PC_NODE_SCALAR) return pc_read_signal(r, value, &signal[0]);
  for (const pc_node* item = value->first; item; item = item->next) {
    pc_status status = pc_read_signal(r, item, &signal[i++]);
    if (status == PC_OK) continue;
    for (int k = 0; k < 3; k++)
      if (signal[k].destroy) signal[k].destroy(signal[k].user);
    return status;
  }
  return PC_OK;
}

/* Adds an element of formulas; an error about it as a whole gets its place and name. */
static pc_status make(pc_reader* r, making* what, pc_fill_formula* fill)
{
  pc_status status = pc_make_formula(r, what->def->name, fill, what, NULL);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY || r->error->column) return status;
  return pc_place_error(r->error, what->place, status);
}

/* --- force ---------------------------------------------------------------------------------- */

static pc_status fill_force(pc_maker* m, void* user)
{
  const making* what = user;
  const pc_moving_force_def* def = &what->def->force;
  target on, frame, against;
  pc_expr F[3], none[3];
  PC_TRY(find_target(m, def->point.part, what->place, &on));
  PC_TRY(find_target(m, def->frame, what->place, &frame));
  PC_TRY(find_target(m, def->reaction.part, what->place, &against));
  PC_TRY(parse_vector(m, what, def->value, &frame, F));
  set_zero(m->pool, none);
  pc_expr_point p = pc_expr_point_of(m->pool, &on.frame, def->point.at);
  pc_expr_point r = pc_expr_point_of(m->pool, &against.frame, def->reaction.at);
  pc_maker_add_wrench(m, on.id, &on.frame, p.arm, F, none, 1);
  pc_maker_add_wrench(m, against.id, &against.frame, r.arm, F, none, -1);
  return PC_OK;
}

static pc_status add_force_of_time(pc_reader* r, const making* what)
{
  const pc_moving_force_def* def = &what->def->force;
  pc_force_def force = pc_default_force_def();
  force.name = def->name;
  force.point = def->point;
  PC_TRY(blame_value(r, what, read_signals(r, def->value, force.force)));
  PC_TRY(pc_place_error(r->error, what->place, pc_add_force(r->system, &force, r->error)));
  return pc_note_force(r, (const pc_point[2]){{.part = PC_GROUND}, def->point});
}

pc_status pc_make_force(pc_reader* r, const pc_any_def* def, const pc_node* place,
                        const pc_node* fields)
{
  making what = {"force", def, place};
  const pc_moving_force_def* f = &def->force;
  int of_time = 0;
  (void)fields;
  PC_TRY(all_of_time(r, f->value, &of_time));
  if (f->frame.index < 0 && f->reaction.part.index < 0 && of_time)
    return add_force_of_time(r, &what);
  if (f->point.part.index < 0 && f->reaction.part.index < 0)
    return pc_fail_at(r->error, place, "force '%s': point is on the ground, which cannot move",
                      def->name);
  PC_TRY(make(r, &what, fill_force));
  return pc_note_force(r, (const pc_point[2]){f->reaction, f->point});
}

/* --- torque --------------------------------------------------------------------------------- */

static pc_status fill_torque(pc_maker* m, void* user)
{
  const making* what = user;
  const pc_moving_torque_def* def = &what->def->torque;
  target on, frame, against;
  pc_expr T[3], none[3];
  PC_TRY(find_target(m, def->part, what->place, &on));
  PC_TRY(find_target(m, def->in_body_frame ? def->part : def->frame, what->place, &frame));
  PC_TRY(find_target(m, def->reaction, what->place, &against));
  set_zero(m->pool, none);
  if (m->v.r->dimension == 3) {
    PC_TRY(parse_vector(m, what, def->value, &frame, T));
  } else {
    set_zero(m->pool, T);
    PC_TRY(parse_value(m, what, def->value, &T[2]));
  }
  pc_maker_add_wrench(m, on.id, &on.frame, none, none, T, 1);
  pc_maker_add_wrench(m, against.id, &against.frame, none, none, T, -1);
  return PC_OK;
}

static pc_status add_torque_of_time(pc_reader* r, const making* what)
{
  const pc_moving_torque_def* def = &what->def->torque;
  pc_torque_def torque = pc_default_torque_def();
  torque.name = def->name;
  torque.part = def->part;
  torque.in_body_frame = def->in_body_frame;
  PC_TRY(blame_value(r, what, read_signals(r, def->value, torque.torque)));
  return pc_place_error(r->error, what->place, pc_add_torque(r->system, &torque, r->error));
}

pc_status pc_make_torque(pc_reader* r, const pc_any_def* def, const pc_node* place,
                         const pc_node* fields)
{
  making what = {"torque", def, place};
  const pc_moving_torque_def* f = &def->torque;
  int of_time = 0;
  const pc_node* frame = pc_node_key(fields, "frame");
  if (frame && f->in_body_frame)
    return pc_fail_at(r->error, frame, "torque '%s': give 'frame' or 'in_body_frame', not both",
                      def->name);
  PC_TRY(all_of_time(r, f->value, &of_time));
  if (f->frame.index < 0 && f->reaction.index < 0 && of_time) return add_torque_of_time(r, &what);
  if (f->part.index < 0 && f->reaction.index < 0)
    return pc_fail_at(r->error, place, "torque '%s': body is the ground, which cannot move",
                      def->name);
  PC_TRY(make(r, &what, fill_torque));
  return pc_note_force(r, (const pc_point[2]){{.part = f->reaction}, {.part = f->part}});
}

/* --- along a line --------------------------------------------------------------------------- */

/* `length` and `speed` are names that only this formula knows. */
typedef struct line_scope {
  pc_expr length, speed;
} line_scope;

static int find_line(void* user, pc_pool* pool, const char* name, size_t length, pc_expr* meaning)
{
  const line_scope* line = user;
  (void)pool;
  if (length == 6 && strncmp(name, "length", 6) == 0)
    *meaning = line->length;
  else if (length == 5 && strncmp(name, "speed", 5) == 0)
    *meaning = line->speed;
  else
    return 0;
  return 1;
}

static void list_line(const void* user, pc_suggestion* names)
{
  (void)user;
  pc_suggest_add(names, "length");
  pc_suggest_add(names, "speed");
}

/* Added to the square of a length [m^2], this is below its last digit unless the length is
 * round-off of zero. There the unit vector is zero: a line without length has no direction and
 * pulls at nothing, while a force in proportion to the length keeps its derivative. */
static const double SQUARE_MIN = 1e-100;

/* With the unit vector e from the first point to the second, the force on the second is -F e. */
static pc_status fill_line_force(pc_maker* m, void* user)
{
  const making* what = user;
  const pc_line_force_def* def = &what->def->line_force;
  pc_pool* pool = m->pool;
  target end[2];
  pc_expr_point p[2];
  pc_expr r[3], v[3], F[3], none[3], value = 0;
  for (int i = 0; i < 2; i++) {
    PC_TRY(find_target(m, def->point[i].part, what->place, &end[i]));
    p[i] = pc_expr_point_of(pool, &end[i].frame, def->point[i].at);
  }
  for (int i = 0; i < 3; i++) {
    r[i] = pc_expr_of(pool, p[1].position[i], '-', p[0].position[i]);
    v[i] = pc_expr_of(pool, p[1].velocity[i], '-', p[0].velocity[i]);
  }
  pc_expr square = pc_expr_of(pool, pc_expr_dot(pool, r, r), '+', pc_expr_number(pool, SQUARE_MIN));
  line_scope line = {.length = pc_expr_root(pool, square)};
  line.speed = pc_expr_of(pool, pc_expr_dot(pool, r, v), '/', line.length);
  pc_scope scope = {find_line, list_line, &line, &m->v.scope};
  m->takes_loads = 1;
  m->wanted_by = def->value;
  pc_status status = pc_parse_node(&scope, def->value, pool, &value, m->v.r->error);
  m->takes_loads = 0;
  PC_TRY(blame_value(m->v.r, what, status));
  pc_expr per_length = pc_expr_of(pool, value, '/', line.length);
  for (int i = 0; i < 3; i++) F[i] = pc_expr_of(pool, per_length, '*', r[i]);
  set_zero(pool, none);
  pc_maker_add_wrench(m, end[0].id, &end[0].frame, p[0].arm, F, none, 1);
  pc_maker_add_wrench(m, end[1].id, &end[1].frame, p[1].arm, F, none, -1);
  return PC_OK;
}

pc_status pc_make_line_force(pc_reader* r, const pc_any_def* def, const pc_node* place,
                             const pc_node* fields)
{
  making what = {"line-force", def, place};
  (void)fields;
  PC_TRY(make(r, &what, fill_line_force));
  return pc_note_force(r, def->line_force.point);
}
