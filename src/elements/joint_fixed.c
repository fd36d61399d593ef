/* A fixed joint: the parts keep their relative position and angle. Three rows: c_1 - c_0 in the
 * inertial axes for one common point, and angle_1 - angle_0 - angle. The common point is the centre
 * of part 1 (of part 0 where part 1 is the ground), so that it turns with one part at most. On a
 * line there is the first row only. */
#include "base/status.h"
#include "elements/joint_spatial.h"

typedef struct fixed_joint {
  pc_pair pair;
  double at[2][3]; /* the common point in the frame of each part */
  double angle;    /* between the parts */
} fixed_joint;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const fixed_joint* j = data;
  pc_scene scene = pc_scene_at(s, &j->pair, l->q, l->turns);
  pc_two_points c = pc_two_points_at(s, &scene, j->at, l->q);
  if (l->y) l->y[0] = c.r.x.v;
  if (l->y && s.dim == 2) {
    l->y[1] = c.r.y.v;
    l->y[2] = pc_pair_angle(&j->pair, l->q) - j->angle;
  }
  if (!l->W && !s.n) return;
  const double axis[2][3] = {{1, 0, 0}, {0, 1, 0}};
  pc_put_row(s, &scene, l, 0, pc_vec_of(axis[0]), 1, c.arm[1], c.arm[0]);
  if (s.dim != 2) return;
  pc_put_row(s, &scene, l, 1, pc_vec_of(axis[1]), 1, c.arm[1], c.arm[0]);
  pc_put_spin_row(&j->pair, l, 2);
}

static void evaluate(const void* data, pc_local* l)
{
  const fixed_joint* j = data;
  pc_run_kernel(kernel, data, &j->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const fixed_joint* j = data;
  s->kind = PC_SHAPE_WELD;
  pc_place_shape(&j->pair, j->at, s);
}

static const pc_element_ops ops = {.kind = "fixed", .evaluate = evaluate, .shape = shape};

pc_status pc_add_fixed(pc_system* system, const pc_joint_def* def, pc_joint_id* id, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, ops.kind, def->name, error};
  PC_TRY(pc_check_name(&a));
  if (pc_system_dimension(system) == 3) return pc_add_spatial_fixed(&a, def);
  int on_line = pc_system_dimension(system) == 1;
  if (!on_line) PC_TRY(pc_check_planar(&a));
  fixed_joint data = {0};
  PC_TRY(pc_attach_pair(&a, on_line ? PC_HOLDS_POINTS : PC_HOLDS_ANGLES, def->part,
                        (const char* const[]){"part[0]", "part[1]"}, &data.pair));
  int other = data.pair.place[1].kind == PC_PLACE_GROUND ? 1 : 0; /* `at` is 0 on the first one */
  double common[3];
  pc_initial_from_part(system, def->part[1 - other], (const double[3]){0, 0, 0}, common);
  pc_initial_to_part(system, def->part[other], common, data.at[other]);
  pc_hang_point(&data.pair.place[other], data.at[other]);
  data.angle = pc_initial_angle(system, def->part[1]) - pc_initial_angle(system, def->part[0]);
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = def->part,
      .g_count = on_line ? 1 : 3,
      .angular = on_line ? 0 : 1u << 2,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
      .constant = data.pair.place[other].turned ? 0 : PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
