/* Joints as expressions of an element in the making. */
#include <string.h>

#include "base/status.h"
#include "model/maker.h"

pc_status pc_view_joint(pc_maker* m, int joint, const pc_node* place, pc_joint_view* view)
{
  view->joint = &m->v.r->joints.entry[joint];
  for (int k = 0; k < 2; k++)
    if (!pc_variables_frame(&m->v, m->pool, view->joint->part[k], &view->f[k]))
      return pc_fail_at(m->v.r->error, place,
                        "joint '%s' holds a node of a bar or beam: its coordinates cannot be used",
                        view->joint->name);
  return PC_OK;
}

static int has_angle(const pc_joint_entry* j)
{
  static const char* const kinds[] = {"revolute", "cylindrical", "screw", "planar"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(j->kind, kinds[i]) == 0) return 1;
  return 0;
}

static int has_displacement(const pc_joint_entry* j)
{
  return strcmp(j->kind, "prismatic") == 0 || strcmp(j->kind, "cylindrical") == 0 ||
         strcmp(j->kind, "screw") == 0;
}

int pc_joint_turns_and_slides(const pc_joint_entry* j)
{
  return has_angle(j) && has_displacement(j);
}

pc_status pc_choose_coordinate(const pc_reader* r, int joint, const char* wanted,
                               const pc_node* place, pc_joint_coordinate* coordinate)
{
  const pc_joint_entry* j = &r->joints.entry[joint];
  int angle = has_angle(j), displacement = has_displacement(j);
  int any = !wanted, is_angle = any ? angle : strcmp(wanted, "angle") == 0;
  *coordinate = is_angle ? PC_COORDINATE_ANGLE : PC_COORDINATE_DISPLACEMENT;
  if (is_angle ? angle : displacement && (any || strcmp(wanted, "displacement") == 0)) return PC_OK;
  return pc_fail_at(r->error, place, "joint '%s' is %s; it has %s", j->name, j->kind,
                    angle && displacement ? "an angle and a displacement"
                    : angle               ? "an angle, no displacement"
                    : displacement        ? "a displacement, no angle"
                                          : "no single angle or displacement");
}

pc_expr pc_coordinate_of(pc_pool* pool, const pc_joint_view* v, pc_joint_coordinate which)
{
  return which == PC_COORDINATE_ANGLE ? pc_joint_angle(pool, &v->joint->frame, v->f)
                                      : pc_joint_displacement(pool, &v->joint->frame, v->f, 0);
}

pc_expr pc_coordinate_rate(pc_pool* pool, const pc_joint_view* v, pc_joint_coordinate which)
{
  return which == PC_COORDINATE_ANGLE ? pc_joint_rate(pool, &v->joint->frame, v->f)
                                      : pc_joint_speed(pool, &v->joint->frame, v->f, 0);
}

double pc_coordinate_period(const pc_reader* r, pc_joint_coordinate which)
{
  return which == PC_COORDINATE_ANGLE && r->dimension == 3 ? PC_ANGLE_PERIOD : 0;
}

void pc_maker_add_wrench(pc_maker* m, pc_part_id id, const pc_expr_frame* frame,
                         const pc_expr arm[3], const pc_expr F[3], const pc_expr T[3], double sign)
{
  if (id.index < 0) return;
  int part = pc_part_number(m->v.r, id);
  pc_expr force[6], scale = pc_expr_number(m->pool, sign);
  pc_expr_wrench(m->pool, frame, arm, F, T, force);
  for (int i = 0; i < pc_part_u_width(m->v.r, part); i++)
    pc_maker_add_force(m, part, i, pc_expr_of(m->pool, scale, '*', force[i]));
}

/* The force acts on both bodies where the point of the second is, so that the power is force times
 * rate. */
void pc_maker_add_joint_force(pc_maker* m, const pc_joint_view* v, pc_joint_coordinate which,
                              pc_expr force)
{
  pc_pool* pool = m->pool;
  pc_expr none[3], along[3], arm[2][3];
  for (int i = 0; i < 3; i++) along[i] = none[i] = pc_expr_number(pool, 0);
  if (which == PC_COORDINATE_ANGLE && m->v.r->dimension < 3)
    along[2] = pc_expr_number(pool, 1);
  else
    pc_joint_axis(pool, &v->joint->frame, v->f, 0, along);
  for (int i = 0; i < 3; i++) along[i] = pc_expr_of(pool, force, '*', along[i]);
  pc_expr_point c = pc_expr_point_of(pool, &v->f[1], v->joint->frame.at[1]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) arm[k][i] = pc_expr_of(pool, c.position[i], '-', v->f[k].origin[i]);
  int turns = which == PC_COORDINATE_ANGLE;
  for (int k = 0; k < 2; k++)
    pc_maker_add_wrench(m, v->joint->part[k], &v->f[k], arm[k], turns ? none : along,
                        turns ? along : none, k ? 1 : -1);
}
