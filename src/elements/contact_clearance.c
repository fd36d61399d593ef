/* A revolute joint with play: a pin of the second part in a bore of the first.
 *
 * In the plane it is a disc within a circle. In space the bore's two edges are circles around the pin, so
 * that it may also tilt; with axial play the ends of the bore meet collars of the pin, each in the middle
 * of the end. */
#include <stdio.h>

#include "base/status.h"
#include "elements/attach.h"

/* The name of one of its contacts. */
static const char* name_of(const pc_clearance_def* def, const char* tail, char* text, size_t size)
{
  snprintf(text, size, "%.100s-%s", def->law.name, tail);
  return text;
}

static pc_status add_in_plane(pc_system* system, const pc_clearance_def* def, pc_error* error)
{
  pc_disc_disc_def pin = pc_default_disc_disc_def();
  pin.law = def->law;
  for (int i = 0; i < 2; i++) { /* the pin first */
    pin.centre[i].part = def->part[1 - i];
    pc_initial_to_part(system, def->part[1 - i], def->at, pin.centre[i].at);
  }
  pin.radius[0] = def->radius - def->play;
  pin.radius[1] = def->radius;
  pin.inside = 1;
  return pc_add_disc_disc(system, &pin, error);
}

/* The edge of the bore on one side (sense -1 or 1), around the pin. */
static pc_status add_edge(pc_system* system, const pc_clearance_def* def, const double axis[3],
                          int sense, pc_error* error)
{
  char name[128];
  double at[3];
  pc_arc_contact_def edge = pc_default_arc_contact_def();
  edge.law = def->law;
  edge.law.name = name_of(def, sense < 0 ? "low" : "high", name, sizeof name);
  for (int i = 0; i < 3; i++) at[i] = def->at[i] + sense * def->length / 2 * axis[i];
  edge.centre.part = def->part[0];
  pc_initial_to_part(system, def->part[0], at, edge.centre.at);
  pc_initial_direction_to_part(system, def->part[0], axis, edge.axis);
  edge.radius = def->radius;
  edge.surface = PC_SURFACE_CYLINDER;
  edge.part = def->part[1];
  pc_initial_to_part(system, def->part[1], def->at, edge.surface_point);
  pc_initial_direction_to_part(system, def->part[1], axis, edge.surface_axis);
  edge.surface_radius = def->radius - def->play;
  return pc_add_arc_contact(system, &edge, error);
}

/* The end of the bore on one side against the collar of the pin there. */
static pc_status add_collar(pc_system* system, const pc_clearance_def* def, const double axis[3],
                            int sense, pc_error* error)
{
  char name[128];
  double end[3], collar[3], normal[3];
  pc_disc_plane_def stop = pc_default_disc_plane_def();
  stop.law = def->law;
  stop.law.contact_radius = 0;
  stop.law.name = name_of(def, sense < 0 ? "low-end" : "high-end", name, sizeof name);
  for (int i = 0; i < 3; i++) {
    end[i] = def->at[i] + sense * def->length / 2 * axis[i];
    collar[i] = end[i] + sense * def->axial / 2 * axis[i];
    normal[i] = -sense * axis[i];
  }
  stop.centre.part = def->part[0];
  pc_initial_to_part(system, def->part[0], end, stop.centre.at);
  stop.radius = 0;
  stop.plane.part = def->part[1];
  pc_initial_to_part(system, def->part[1], collar, stop.plane.point);
  pc_initial_direction_to_part(system, def->part[1], normal, stop.plane.normal);
  return pc_add_disc_plane(system, &stop, error);
}

static pc_status check(const pc_adding* a, const pc_clearance_def* def, double axis[3])
{
  int n = pc_system_dimension(a->system);
  pc_pair ignored;
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_no_line(a));
  PC_TRY(pc_check_finite(a, "at", n, def->at));
  PC_TRY(pc_check_positive(a, "radius", def->radius));
  PC_TRY(pc_check_positive(a, "play", def->play));
  if (def->play >= def->radius)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': play is %g; it must be less than radius, %g",
                   a->kind, a->name, def->play, def->radius);
  PC_TRY(pc_attach_pair(a, PC_HOLDS_ANGLES, def->part, (const char* const[]){"part[0]", "part[1]"},
                        &ignored));
  if (n < 3) return PC_OK;
  PC_TRY(pc_check_direction(a, "axis", def->axis, axis));
  PC_TRY(pc_check_positive(a, "length", def->length));
  return pc_check_not_negative(a, "axial", def->axial);
}

pc_status pc_add_clearance(pc_system* system, const pc_clearance_def* def, pc_error* error)
{
  pc_adding a = {system, "clearance", def->law.name, error};
  double axis[3];
  PC_TRY(check(&a, def, axis));
  if (pc_system_dimension(system) == 2) return add_in_plane(system, def, error);
  for (int sense = -1; sense <= 1; sense += 2) PC_TRY(add_edge(system, def, axis, sense, error));
  for (int sense = -1; sense <= 1 && def->axial > 0; sense += 2)
    PC_TRY(add_collar(system, def, axis, sense, error));
  return PC_OK;
}
