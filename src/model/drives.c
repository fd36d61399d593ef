/* Drives, motors and stops of joints, as elements made of formulas. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/held.h"
#include "model/maker.h"
#include "model/makers.h"
#include "model/sections.h"

/* An element with what it is made of. */
typedef struct making {
  const pc_any_def* def;
  const pc_node* place;
  const char* kind;
  pc_joint_coordinate coordinate;
  const pc_node* value;
  int which; /* of the values of a drive */
  pc_expr row;
  pc_formula_contact contact[2];
  int contact_count;
  int held; /* the coordinate that holds a sampled value; -1: none */
} making;

static pc_status make(pc_reader* r, making* what, pc_fill_formula* fill)
{
  pc_status status = pc_make_formula(r, what->def->name, fill, what, NULL);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  if (!r->error->column) {
    char prefix[120];
    int length = snprintf(prefix, sizeof prefix, "formula '%s': ", what->def->name);
    if (strncmp(r->error->text, prefix, (size_t)length) == 0)
      memmove(r->error->text, r->error->text + length, strlen(r->error->text + length) + 1);
    status = pc_place_error(r->error, what->place, status);
  }
  pc_prefix_error(r->error, "%s '%s': ", what->kind, what->def->name);
  return status;
}

/* The text of a key that is a word, or NULL. */
static const char* word_of(const pc_node* node)
{
  return node && node->kind == PC_NODE_SCALAR ? node->text : NULL;
}

/* --- drives --------------------------------------------------------------------------------- */

enum { ANGLE, RATE, DISPLACEMENT, SPEED, TORQUE, FORCE, FIRST_OF_BODY };

static const char* const value_names[PC_DRIVE_VALUES] = {
    "angle", "rate", "displacement", "speed", "torque", "force", "vx",
    "vy",    "vz",   "spin",         "wx",    "wy",     "wz"};

static int is_motor(const making* what)
{
  return what->which == TORQUE || what->which == FORCE;
}

/* A position row, wrapped where the angle is known up to full turns: it holds for any number. */
static pc_status fill_joint_drive(pc_maker* m, void* user)
{
  making* what = user;
  pc_joint_view view;
  pc_expr value = 0;
  PC_TRY(pc_view_joint(m, what->def->drive.joint, what->place, &view));
  if (is_motor(what)) {
    if (what->held >= 0)
      value = m->v.get(&m->v, m->pool, (pc_part_quantity){what->held, 0, 0});
    else
      PC_TRY(pc_maker_parse_force(m, what->value, &value));
    pc_maker_add_joint_force(m, &view, what->coordinate, value);
    return PC_OK;
  }
  PC_TRY(pc_maker_parse(m, what->value, &value));
  int position = what->which == ANGLE || what->which == DISPLACEMENT;
  pc_expr moved = position ? pc_coordinate_of(m->pool, &view, what->coordinate)
                           : pc_coordinate_rate(m->pool, &view, what->coordinate);
  what->row = pc_expr_of(m->pool, moved, '-', value);
  double period = position ? pc_coordinate_period(m->v.r, what->coordinate) : 0;
  if (period > 0) what->row = pc_expr_wrapped(m->pool, what->row, period);
  m->def.angular = what->which == ANGLE || what->which == RATE;
  m->def.g_count = position;
  m->def.gamma_count = !position;
  m->def.g = m->def.gamma = &what->row;
  return PC_OK;
}

/* vx of a body, by the name of the velocity. */
static pc_status fill_body_drive(pc_maker* m, void* user)
{
  making* what = user;
  const pc_reader* r = m->v.r;
  char name[100];
  int part = pc_part_number(r, what->def->drive.body);
  pc_part_quantity velocity;
  for (int i = 0; i < r->bodies.count; i++)
    if (r->coordinates.count + i == part)
      snprintf(name, sizeof name, "%s.%s", r->bodies.entry[i].name, value_names[what->which]);
  if (part < 0 || !pc_find_part_quantity(r, name, strlen(name), &velocity) || !velocity.velocity)
    return pc_fail_at(r->error, what->place, "the body has no velocity '%s'",
                      value_names[what->which]);
  pc_expr value = 0;
  PC_TRY(pc_maker_parse(m, what->value, &value));
  what->row = pc_expr_of(m->pool, m->v.get(&m->v, m->pool, velocity), '-', value);
  m->def.gamma_count = 1;
  m->def.gamma = &what->row;
  return PC_OK;
}

/* The one value that is given. */
static pc_status find_value(const pc_reader* r, making* what)
{
  const pc_drive_def* d = &what->def->drive;
  int of_joint = d->joint >= 0, first = of_joint ? 0 : FIRST_OF_BODY;
  int last = of_joint ? FIRST_OF_BODY : PC_DRIVE_VALUES, count = 0;
  for (int i = 0; i < PC_DRIVE_VALUES; i++) {
    if (!d->value[i]) continue;
    count++;
    what->which = i;
    what->value = d->value[i];
    if (i < first || i >= last)
      return pc_fail_at(r->error, d->value[i], "drive '%s': '%s' is not for a %s", d->name,
                        value_names[i], of_joint ? "joint" : "body");
  }
  if (count == 1) return PC_OK;
  return pc_fail_at(r->error, what->place, "drive '%s': expected one of %s", d->name,
                    of_joint ? "angle, rate, displacement, speed, torque and force"
                             : "vx, vy, vz, spin, wx, wy and wz");
}

/* The controller of a motor that is sampled. */
static pc_status add_controller(pc_reader* r, making* what)
{
  const pc_drive_def* d = &what->def->drive;
  if (d->sample == 0 && d->delay > 0)
    return pc_fail_at(r->error, what->place, "drive '%s': delay needs 'sample'", d->name);
  if (d->sample == 0) return PC_OK;
  if (!is_motor(what))
    return pc_fail_at(r->error, what->place, "drive '%s': sample is for 'torque' and 'force'",
                      d->name);
  pc_controller_def controller = {.name = d->name,
                                  .value = what->value,
                                  .unit = what->which == TORQUE ? "N m" : "N",
                                  .sample = d->sample,
                                  .delay = d->delay,
                                  .place = what->value};
  return pc_hold_command(r, &controller, &what->held);
}

/* <name>.torque or <name>.force, for who asks for it. */
static pc_status note_motor(pc_reader* r, const making* what)
{
  char name[160];
  snprintf(name, sizeof name, "%.100s.%s", what->def->name, value_names[what->which]);
  pc_output_entry entry = {.name = pc_keep_text(r, name),
                           .key = what->place,
                           .value = what->value,
                           .unit = what->which == TORQUE ? "N m" : "N",
                           .of_motor = 1};
  if (!entry.name || pc_grow((void**)&r->outputs.entry, &r->outputs.capacity, r->outputs.count,
                             sizeof *r->outputs.entry) != PC_OK)
    return pc_no_memory(r->error);
  r->outputs.entry[r->outputs.count++] = entry;
  return PC_OK;
}

pc_status pc_make_drive(pc_reader* r, const pc_any_def* def, const pc_node* place,
                        const pc_node* fields)
{
  (void)fields;
  making what = {.def = def, .place = place, .kind = "drive", .held = -1};
  const pc_drive_def* d = &def->drive;
  if ((d->joint >= 0) == (d->body.index >= 0))
    return pc_fail_at(r->error, place, "drive '%s': expected a joint or a body that moves",
                      def->name);
  PC_TRY(find_value(r, &what));
  PC_TRY(add_controller(r, &what));
  if (is_motor(&what)) PC_TRY(note_motor(r, &what));
  if (d->joint < 0) return make(r, &what, fill_body_drive);
  int turns = what.which == ANGLE || what.which == RATE || what.which == TORQUE;
  pc_status status = pc_choose_coordinate(r, d->joint, turns ? "angle" : "displacement", what.value,
                                          &what.coordinate);
  if (status == PC_OK) return make(r, &what, fill_joint_drive);
  pc_prefix_error(r->error, "drive '%s', %s: ", def->name, value_names[what.which]);
  return status;
}

/* --- limits --------------------------------------------------------------------------------- */

/* Faces of a stop touch at the distance `radius` from the axis of a joint that both turns and
 * slides. The face of a stop of the displacement lies across the axis: its normal force is the
 * reaction, its slip radius times the rate. The face of a stop of the angle contains the axis: its
 * normal force is the reaction, a torque, over the radius, its slip the speed along the axis. */
static void rub(pc_maker* m, making* what, const pc_joint_view* view)
{
  const pc_limit_def* d = &what->def->limit;
  int turns = what->coordinate == PC_COORDINATE_ANGLE;
  pc_expr slip =
      pc_coordinate_rate(m->pool, view, turns ? PC_COORDINATE_DISPLACEMENT : PC_COORDINATE_ANGLE);
  if (!turns) slip = pc_expr_of(m->pool, pc_expr_number(m->pool, d->radius), '*', slip);
  for (int k = 0; k < m->def.contact_count; k++) {
    what->contact[k].slip_count = 1;
    what->contact[k].slip[0] = slip;
  }
}

/* The coordinate, over any number of turns. */
static pc_expr whole_coordinate(pc_maker* m, const making* what, const pc_joint_view* view)
{
  char name[128];
  pc_expr x = pc_coordinate_of(m->pool, view, what->coordinate);
  double period = pc_coordinate_period(m->v.r, what->coordinate);
  snprintf(name, sizeof name, "%.100s.angle", view->joint->name);
  return period > 0 ? pc_maker_follow(m, name, what->place, x, period) : x;
}

static pc_status fill_limit(pc_maker* m, void* user)
{
  making* what = user;
  const pc_limit_def* d = &what->def->limit;
  pc_joint_view view;
  PC_TRY(pc_view_joint(m, d->joint, what->place, &view));
  pc_expr x = whole_coordinate(m, what, &view);
  int k = 0;
  if (!isnan(d->min))
    what->contact[k++].gap = pc_expr_of(m->pool, x, '-', pc_expr_number(m->pool, d->min));
  if (!isnan(d->max))
    what->contact[k++].gap = pc_expr_of(m->pool, pc_expr_number(m->pool, d->max), '-', x);
  m->def.contact_count = k;
  m->def.contact = what->contact;
  if (d->law.mu != PC_FRICTIONLESS) rub(m, what, &view);
  if (what->coordinate == PC_COORDINATE_ANGLE)
    m->def.angular = 1u | 1u << (1 + what->contact[0].slip_count); /* both gaps */
  return PC_OK;
}

static pc_status check_limit(const pc_reader* r, const making* what)
{
  const pc_limit_def* d = &what->def->limit;
  const pc_joint_entry* j = &r->joints.entry[d->joint];
  int rubs = d->law.mu != PC_FRICTIONLESS;
  const char* name = what->def->name;
  if (isnan(d->min) && isnan(d->max))
    return pc_fail_at(r->error, what->place, "limit '%s': expected 'min', 'max' or both", name);
  if (d->min >= d->max)
    return pc_fail_at(r->error, what->place, "limit '%s': min is %g; it must be less than max, %g",
                      name, d->min, d->max);
  if (rubs && !pc_joint_turns_and_slides(j))
    return pc_fail_at(r->error, what->place,
                      "limit '%s': friction is for joints that both turn and slide (cylindrical, "
                      "screw); joint '%s' is %s, whose "
                      "stops have nothing to slide along: joint-friction is for its bearing",
                      name, j->name, j->kind);
  if (rubs == isnan(d->radius))
    return pc_fail_at(r->error, what->place, "limit '%s': 'friction' and 'radius' need each other",
                      name);
  return PC_OK;
}

/* The law of one side. */
static pc_contact_law limit_law(const making* what, const char* name)
{
  const pc_limit_def* d = &what->def->limit;
  pc_contact_law law = d->law;
  law.name = name;
  if (law.mu == PC_FRICTIONLESS || what->coordinate != PC_COORDINATE_ANGLE) return law;
  law.mu /= d->radius;
  law.mu_kinetic /= d->radius;
  return law;
}

pc_status pc_make_limit(pc_reader* r, const pc_any_def* def, const pc_node* place,
                        const pc_node* fields)
{
  (void)fields;
  making what = {.def = def, .place = place, .kind = "limit"};
  const pc_limit_def* d = &def->limit;
  char name[2][100];
  int k = 0;
  PC_TRY(pc_choose_coordinate(r, d->joint, word_of(d->coordinate), place, &what.coordinate));
  PC_TRY(check_limit(r, &what));
  for (int side = 0; side < 2; side++) {
    if (isnan(side ? d->max : d->min)) continue;
    snprintf(name[k], sizeof name[k], "%s-%s", def->name, side ? "max" : "min");
    what.contact[k].law = limit_law(&what, name[k]);
    PC_TRY(pc_claim_name(r, name[k], place, "limit"));
    k++;
  }
  return make(r, &what, fill_limit);
}
