/* Joints with play, as contacts.
 *
 * A pin in the plane is a disc within a circle. In space the bore's two edges are circles around
 * the pin, so that it may also tilt; with axial play the ends of the bore meet collars of the pin,
 * each in the middle of the end. A ball is a sphere within a sphere. A slider is its corners
 * against the planes of a guide. */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "elements/attach.h"

/* The joint as both parts see it. */
typedef struct clearance {
  pc_system* system;
  const pc_clearance_def* def;
  double centre[2][3];
  double axis[2][3][3]; /* along, across, and across both */
  pc_error* error;
} clearance;

/* A point of part `i` with these components along its axes. */
static void point_of(const clearance* c, int i, const double along[3], double to[3])
{
  for (int k = 0; k < 3; k++) {
    to[k] = c->centre[i][k];
    for (int a = 0; a < 3; a++) to[k] += along[a] * c->axis[i][a][k];
  }
}

/* The name of one of its contacts. */
static const char* name_of(const clearance* c, const char* tail, char* text, size_t size)
{
  snprintf(text, size, "%.100s-%s", c->def->law.name, tail);
  return text;
}

/* --- pins and balls ------------------------------------------------------------------------- */

static pc_status add_round(const clearance* c)
{
  const pc_clearance_def* def = c->def;
  pc_disc_disc_def pin = pc_default_disc_disc_def();
  pin.law = def->law;
  for (int i = 0; i < 2; i++) { /* the pin first */
    pin.centre[i].part = def->part[1 - i];
    for (int k = 0; k < 3; k++) pin.centre[i].at[k] = c->centre[1 - i][k];
  }
  pin.radius[0] = def->radius - def->play;
  pin.radius[1] = def->radius;
  pin.inside = 1;
  return pc_add_disc_disc(c->system, &pin, NULL, c->error);
}

/* The edge of the bore on one side (sense -1 or 1), around the pin. */
static pc_status add_edge(const clearance* c, int sense)
{
  char name[128];
  const pc_clearance_def* def = c->def;
  pc_arc_contact_def edge = pc_default_arc_contact_def();
  edge.law = def->law;
  edge.law.name = name_of(c, sense < 0 ? "low" : "high", name, sizeof name);
  edge.centre.part = def->part[0];
  point_of(c, 0, (const double[]){sense * def->length / 2, 0, 0}, edge.centre.at);
  edge.radius = def->radius;
  edge.surface = PC_SURFACE_CYLINDER;
  edge.part = def->part[1];
  for (int k = 0; k < 3; k++) {
    edge.axis[k] = c->axis[0][0][k];
    edge.surface_point[k] = c->centre[1][k];
    edge.surface_axis[k] = c->axis[1][0][k];
  }
  edge.surface_radius = def->radius - def->play;
  return pc_add_arc_contact(c->system, &edge, NULL, c->error);
}

/* A point of one part (0, 1) against a plane of the other, both given along the axes. */
static pc_status add_corner(const clearance* c, const char* name, int part, const double point[3],
                            const double plane[3], int axis, int sense)
{
  pc_disc_plane_def stop = pc_default_disc_plane_def();
  int other = 1 - part;
  stop.law = c->def->law;
  stop.law.contact_radius = 0;
  stop.law.name = name;
  stop.centre.part = c->def->part[part];
  point_of(c, part, point, stop.centre.at);
  stop.radius = 0;
  stop.plane.part = c->def->part[other];
  point_of(c, other, plane, stop.plane.point);
  for (int k = 0; k < 3; k++) stop.plane.normal[k] = sense * c->axis[other][axis][k];
  return pc_add_disc_plane(c->system, &stop, NULL, c->error);
}

/* The end of the bore on one side against the collar of the pin there. */
static pc_status add_collar(const clearance* c, int sense)
{
  char name[128];
  double end = sense * c->def->length / 2, collar = end + sense * c->def->axial / 2;
  name_of(c, sense < 0 ? "low-end" : "high-end", name, sizeof name);
  return add_corner(c, name, 0, (const double[]){end, 0, 0}, (const double[]){collar, 0, 0}, 0,
                    -sense);
}

static pc_status add_pin(const clearance* c)
{
  if (pc_system_dimension(c->system) == 2) return add_round(c);
  for (int sense = -1; sense <= 1; sense += 2) PC_TRY(add_edge(c, sense));
  for (int sense = -1; sense <= 1 && c->def->axial > 0; sense += 2) PC_TRY(add_collar(c, sense));
  return PC_OK;
}

/* --- sliders -------------------------------------------------------------------------------- */

/* The corners of a side of the slider against that side of the guide: across is 1 or 2, sense -1 or
 * 1. */
static pc_status add_side(const clearance* c, int across, int sense, const char* tail)
{
  const pc_clearance_def* def = c->def;
  int in_space = pc_system_dimension(c->system) == 3, other = 3 - across;
  const double size[3] = {def->length, def->width, in_space ? def->height : 0};
  double plane[3] = {0};
  plane[across] = sense * (size[across] / 2 + def->play);
  for (int corner = 0; corner < (in_space ? 4 : 2); corner++) {
    char name[160];
    double point[3];
    point[0] = (corner & 1 ? 1 : -1) * size[0] / 2;
    point[across] = sense * size[across] / 2;
    point[other] = (corner & 2 ? 1 : -1) * size[other] / 2;
    snprintf(name, sizeof name, "%.100s-%s-%d", def->law.name, tail, corner + 1);
    PC_TRY(add_corner(c, name, 1, point, plane, across, -sense));
  }
  return PC_OK;
}

static pc_status add_slider(const clearance* c)
{
  PC_TRY(add_side(c, 1, 1, "left"));
  PC_TRY(add_side(c, 1, -1, "right"));
  if (pc_system_dimension(c->system) == 2) return PC_OK;
  PC_TRY(add_side(c, 2, -1, "bottom"));
  return add_side(c, 2, 1, "top");
}

/* --- adding --------------------------------------------------------------------------------- */

static pc_status check_sizes(const pc_adding* a, const pc_clearance_def* def)
{
  int n = pc_system_dimension(a->system), slides = def->kind == PC_CLEARANCE_PRISMATIC;
  PC_TRY(pc_check_positive(a, "play", def->play));
  if (slides) {
    PC_TRY(pc_check_positive(a, "length", def->length));
    PC_TRY(pc_check_positive(a, "width", def->width));
    return n == 3 ? pc_check_positive(a, "height", def->height) : PC_OK;
  }
  PC_TRY(pc_check_positive(a, "radius", def->radius));
  if (def->play >= def->radius)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': play is %g; it must be less than radius, %g",
                   a->kind, a->name, def->play, def->radius);
  if (n < 3 || def->kind == PC_CLEARANCE_SPHERICAL) return PC_OK;
  PC_TRY(pc_check_positive(a, "length", def->length));
  return pc_check_not_negative(a, "axial", def->axial);
}

static pc_status check(const pc_adding* a, const pc_clearance_def* def)
{
  pc_pair ignored;
  pc_holds holds = def->kind == PC_CLEARANCE_SPHERICAL ? PC_HOLDS_POINTS : PC_HOLDS_ANGLES;
  PC_TRY(pc_check_name(a));
  PC_TRY(def->kind == PC_CLEARANCE_SPHERICAL ? pc_check_spatial(a) : pc_check_no_line(a));
  PC_TRY(pc_check_finite(a, "at", pc_system_dimension(a->system), def->at));
  PC_TRY(check_sizes(a, def));
  return pc_attach_pair(a, holds, def->part, (const char* const[]){"part[0]", "part[1]"}, &ignored);
}

/* The axes in the inertial frame. A pin in the plane and a ball need none. */
static pc_status find_axes(const pc_adding* a, const pc_clearance_def* def, double axis[3][3])
{
  static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int n = pc_system_dimension(a->system), slides = def->kind == PC_CLEARANCE_PRISMATIC;
  for (int i = 0; i < 9; i++) axis[i / 3][i % 3] = one[i / 3][i % 3];
  if (def->kind == PC_CLEARANCE_SPHERICAL || (n == 2 && !slides)) return PC_OK;
  PC_TRY(pc_check_direction(a, "axis", def->axis, axis[0]));
  if (n == 2) {
    axis[1][0] = -axis[0][1];
    axis[1][1] = axis[0][0];
    return PC_OK;
  }
  if (!slides) {
    pc_basis_of(axis[0], axis[1], axis[2]);
    return PC_OK;
  }
  PC_TRY(pc_check_direction(a, "second_axis", def->second_axis, axis[1]));
  double cosine = 0;
  for (int k = 0; k < 3; k++) cosine += axis[0][k] * axis[1][k];
  if (fabs(cosine) > 1e-9)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': second_axis is not at right angles to axis (cosine %g)", a->kind,
                   a->name, cosine);
  pc_cross(axis[0], axis[1], axis[2]);
  return PC_OK;
}

pc_status pc_add_clearance(pc_system* system, const pc_clearance_def* def, pc_contact_id* id,
                           pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  pc_adding a = {system, "clearance", def->law.name, error};
  clearance c = {.system = system, .def = def, .error = error};
  double axis[3][3];
  PC_TRY(check(&a, def));
  PC_TRY(find_axes(&a, def, axis));
  for (int i = 0; i < 2; i++) {
    pc_initial_to_part(system, def->part[i], def->at, c.centre[i]);
    for (int k = 0; def->by_points && k < pc_system_dimension(system); k++)
      c.centre[i][k] = def->point[i].at[k];
    for (int k = 0; k < 3; k++)
      pc_initial_direction_to_part(system, def->part[i], axis[k], c.axis[i][k]);
  }
  if (def->kind == PC_CLEARANCE_PRISMATIC) return add_slider(&c);
  return def->kind == PC_CLEARANCE_SPHERICAL ? add_round(&c) : add_pin(&c);
}
