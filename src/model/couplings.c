/* Joints that move together: gears, belts, racks and screws, as elements made of formulas. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "model/maker.h"
#include "model/makers.h"
#include "model/sections.h"

static const double PI = 3.14159265358979323846;

/* The row x_2 - ratio x_1, wrapped into a period where the angles are known up to full turns, or on
 * velocities where there is no such period. */
typedef struct coupling {
  const pc_any_def* def;
  const pc_node* place;
  const char* kind;
  int joint[2];
  pc_joint_coordinate coordinate[2];
  double ratio;
  double period; /* of the row; 0: none */
  int of_velocities;
  double backlash;
  pc_expr row;
  pc_formula_contact contact[2];
} coupling;

static pc_status fill(pc_maker* m, void* user)
{
  coupling* c = user;
  pc_pool* pool = m->pool;
  pc_expr x[2];
  for (int i = 0; i < 2; i++) {
    pc_joint_view view;
    PC_TRY(pc_view_joint(m, c->joint[i], c->place, &view));
    x[i] = c->of_velocities ? pc_coordinate_rate(pool, &view, c->coordinate[i])
                            : pc_coordinate_of(pool, &view, c->coordinate[i]);
  }
  pc_expr carried = pc_expr_of(pool, pc_expr_number(pool, c->ratio), '*', x[0]);
  c->row = pc_expr_of(pool, x[1], '-', carried);
  if (c->period > 0) c->row = pc_expr_wrapped(pool, c->row, c->period);
  if (c->backlash > 0) {
    pc_expr play = pc_expr_number(pool, c->backlash / 2);
    c->contact[0].gap = pc_expr_of(pool, play, '+', c->row);
    c->contact[1].gap = pc_expr_of(pool, play, '-', c->row);
    m->def.contact_count = 2;
    m->def.contact = c->contact;
    if (c->coordinate[1] == PC_COORDINATE_ANGLE) m->def.angular = 3u;
    return PC_OK;
  }
  m->def.g_count = !c->of_velocities;
  m->def.gamma_count = c->of_velocities;
  m->def.angular = c->coordinate[1] == PC_COORDINATE_ANGLE;
  m->def.g = m->def.gamma = &c->row;
  return PC_OK;
}

static pc_status make(pc_reader* r, coupling* c, const char* name)
{
  pc_status status = pc_make_formula(r, name, fill, c, NULL);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  if (!r->error->column) status = pc_place_error(r->error, c->place, status);
  pc_prefix_error(r->error, "%s '%s': ", c->kind, c->def->name);
  return status;
}

static pc_status begin(pc_reader* r, coupling* c, const char* first, const char* second)
{
  const char* const wanted[2] = {first, second};
  for (int i = 0; i < 2; i++) {
    c->joint[i] = c->def->coupling.joint[i];
    pc_status status = pc_choose_coordinate(r, c->joint[i], wanted[i], c->place, &c->coordinate[i]);
    if (status != PC_OK) {
      pc_prefix_error(r->error, "%s '%s': its %s joint needs %s %s: ", c->kind, c->def->name,
                      i ? "second" : "first", wanted[i][0] == 'a' ? "an" : "a", wanted[i]);
      return status;
    }
  }
  return pc_note_joint(r, c->kind, c->def->name, NULL);
}

/* --- gears ---------------------------------------------------------------------------------- */

static pc_status check_teeth(const pc_reader* r, const coupling* c, const pc_node* fields)
{
  const pc_coupling_def* d = &c->def->coupling;
  int teeth = d->pair[0] > 0, ratio = !isnan(d->ratio);
  if (teeth == ratio)
    return pc_fail_at(r->error, c->place, "gear '%s': expected 'teeth' or 'ratio'", c->def->name);
  for (int i = 0; teeth && i < 2; i++)
    if (floor(d->pair[i]) != d->pair[i])
      return pc_fail_at(r->error, pc_node_key(fields, "teeth")->value,
                        "gear '%s', teeth: %g is no whole number; 'ratio' may be any number",
                        c->def->name, d->pair[i]);
  if (ratio && d->ratio == 0)
    return pc_fail_at(r->error, pc_node_key(fields, "ratio")->value,
                      "gear '%s', ratio: it is 0; the second joint would not turn", c->def->name);
  if (ratio && d->backlash > 0 && r->dimension == 3)
    return pc_fail_at(r->error, pc_node_key(fields, "backlash")->value,
                      "gear '%s': in space, backlash needs 'teeth'", c->def->name);
  return PC_OK;
}

static pc_status name_flanks(pc_reader* r, coupling* c, char name[2][100])
{
  for (int i = 0; i < 2; i++) {
    snprintf(name[i], 100, "%s-%s", c->def->name, i ? "back" : "front");
    c->contact[i].law = c->def->coupling.law;
    c->contact[i].law.name = name[i];
    c->contact[i].law.mu = PC_FRICTIONLESS;
    PC_TRY(pc_claim_name(r, name[i], c->place, c->kind));
  }
  return PC_OK;
}

/* Where the row is known up to its period, so is the place between two flanks. */
static pc_status check_backlash(const pc_reader* r, const coupling* c, const char* unit)
{
  if (!(c->period > 0 && c->backlash >= c->period)) return PC_OK;
  return pc_fail_at(r->error, c->place, "%s '%s': the backlash exceeds %s, %g %s", c->kind,
                    c->def->name, strcmp(c->kind, "gear") ? "two turns" : "the pitch", c->period,
                    unit);
}

pc_status pc_make_gear(pc_reader* r, const pc_any_def* def, const pc_node* place,
                       const pc_node* fields)
{
  const pc_coupling_def* d = &def->coupling;
  coupling c = {.def = def, .place = place, .kind = "gear", .backlash = d->backlash};
  char name[2][100];
  PC_TRY(begin(r, &c, "angle", "angle"));
  PC_TRY(check_teeth(r, &c, fields));
  if (d->pair[0] > 0) {
    c.ratio = (d->opposite ? 1 : -1) * d->pair[0] / d->pair[1];
    if (r->dimension == 3)
      c.period = 2 * PI / d->pair[1]; /* a pitch: jumps of 4 pi are multiples */
  } else {
    c.ratio = d->ratio;
    c.of_velocities = r->dimension == 3;
  }
  PC_TRY(check_backlash(r, &c, "rad"));
  if (d->backlash > 0) PC_TRY(name_flanks(r, &c, name));
  return make(r, &c, def->name);
}

/* --- belts, racks, screws ------------------------------------------------------------------- */

pc_status pc_make_belt(pc_reader* r, const pc_any_def* def, const pc_node* place,
                       const pc_node* fields)
{
  (void)fields;
  const pc_coupling_def* d = &def->coupling;
  coupling c = {.def = def, .place = place, .kind = "belt"};
  PC_TRY(begin(r, &c, "angle", "angle"));
  c.ratio = (d->opposite ? -1 : 1) * d->pair[0] / d->pair[1];
  c.of_velocities = r->dimension == 3;
  return make(r, &c, def->name);
}

pc_status pc_make_rack(pc_reader* r, const pc_any_def* def, const pc_node* place,
                       const pc_node* fields)
{
  const pc_coupling_def* d = &def->coupling;
  coupling c = {
      .def = def, .place = place, .kind = "rack", .ratio = d->radius, .backlash = d->backlash};
  char name[2][100];
  PC_TRY(begin(r, &c, "angle", "displacement"));
  if (d->radius == 0)
    return pc_fail_at(r->error, pc_node_key(fields, "radius")->value,
                      "rack '%s', radius: it is 0; the rack would not move", def->name);
  if (r->dimension == 3) c.period = PC_ANGLE_PERIOD * fabs(d->radius);
  PC_TRY(check_backlash(r, &c, "m"));
  if (d->backlash > 0) PC_TRY(name_flanks(r, &c, name));
  return make(r, &c, def->name);
}

/* The thread is an element of its own beside the cylindrical joint. */
pc_status pc_make_screw(pc_reader* r, const pc_any_def* def, const pc_node* place,
                        const pc_node* fields)
{
  (void)fields;
  pc_joint_def joint = def->screw.joint;
  char name[100];
  joint.name = def->name;
  PC_TRY(pc_place_error(r->error, place, pc_add_cylindrical(r->system, &joint, NULL, r->error)));
  PC_TRY(pc_note_joint(r, "screw", def->name, &joint));
  snprintf(name, sizeof name, "%s-thread", def->name);
  PC_TRY(pc_claim_name(r, name, place, "screw"));
  int own = r->joints.count - 1;
  double lead = def->screw.pitch / (2 * PI); /* displacement per angle */
  coupling c = {.def = def,
                .place = place,
                .kind = "screw",
                .joint = {own, own},
                .coordinate = {PC_COORDINATE_ANGLE, PC_COORDINATE_DISPLACEMENT},
                .ratio = lead,
                .period = PC_ANGLE_PERIOD * fabs(lead)};
  return make(r, &c, name);
}
