/* A prismatic joint: a point of part 1 stays on a line of part 0, and the angle between them stays.
 * With the unit normal n of the line, which turns with part 0, the two rows are
 *     n . (c_1 - c_0)   and   angle_1 - angle_0 - angle.
 * The first changes as n . (v_1 - v_0), both velocities taken of material points at c_1. */
#include <math.h>

#include "base/elementary.h"
#include "base/length.h"
#include "base/status.h"
#include "elements/joint_spatial.h"

typedef struct prismatic {
  pc_pair pair;
  double at[2][3];  /* the point in the frame of each part */
  double normal[3]; /* in the frame of part 0 */
  double angle;     /* between the parts */
} prismatic;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const prismatic* j = data;
  pc_scene scene = pc_scene_at(s, &j->pair, l->q, l->turns);
  pc_two_points c = pc_two_points_at(s, &scene, j->at, l->q);
  pc_vec n = pc_frame_vec(s, &scene.frame[0], j->normal);
  if (l->y) {
    l->y[0] = pc_vec_dot(s, n, c.r).v;
    l->y[1] = pc_pair_angle(&j->pair, l->q) - j->angle;
  }
  if (!l->W && !s.n) return;
  pc_put_row(s, &scene, l, 0, n, 1, c.arm[1], pc_vec_plus(s, c.arm[0], 1, c.r));
  pc_put_spin_row(&j->pair, l, 1);
}

static void evaluate(const void* data, pc_local* l)
{
  const prismatic* j = data;
  pc_run_kernel(kernel, data, &j->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const prismatic* j = data;
  s->kind = PC_SHAPE_SLIDE;
  pc_place_shape(&j->pair, j->at, s);
  s->axis[0] = j->normal[1];
  s->axis[1] = -j->normal[0];
}

static const pc_element_ops ops = {.kind = "prismatic", .evaluate = evaluate, .shape = shape};

static pc_status check(const pc_adding* a, const pc_joint_def* def)
{
  PC_TRY(pc_check_no_line(a));
  PC_TRY(pc_check_finite(a, "at", 2, def->at));
  PC_TRY(pc_check_finite(a, "axis", 2, def->axis));
  if (def->axis[0] != 0 || def->axis[1] != 0) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': axis is zero; it must have a direction", a->kind,
                 a->name);
}

pc_status pc_add_prismatic(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                           pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, ops.kind, def->name, error};
  PC_TRY(pc_check_name(&a));
  if (pc_system_dimension(system) == 3) return pc_add_spatial_prismatic(&a, def);
  PC_TRY(check(&a, def));
  prismatic data = {0};
  PC_TRY(pc_attach_pair(&a, PC_HOLDS_ANGLES, def->part, (const char* const[]){"part[0]", "part[1]"},
                        &data.pair));
  for (int i = 0; i < 2; i++) {
    pc_joint_point(system, def, i, data.at[i]);
    pc_hang_point(&data.pair.place[i], data.at[i]);
  }
  pc_hang_direction(&data.pair.place[0]);
  double start = pc_initial_angle(system, def->part[0]);
  data.angle = pc_initial_angle(system, def->part[1]) - start;
  double length = pc_length(2, def->axis);
  double nx = -def->axis[1] / length, ny = def->axis[0] / length; /* z x axis */
  data.normal[0] = pc_cos(start) * nx + pc_sin(start) * ny;
  data.normal[1] = pc_cos(start) * ny - pc_sin(start) * nx;
  int turns = data.pair.place[0].turned || data.pair.place[1].turned;
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = def->part,
      .g_count = 2,
      .angular = 1u << 1,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
      .constant = turns ? 0 : PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
