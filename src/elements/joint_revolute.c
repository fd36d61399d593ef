/* A revolute joint in the plane: two points stay together. Two rows, c_1 - c_0 in the inertial
 * axes. */
#include "base/status.h"
#include "elements/joint_spatial.h"

typedef struct revolute {
  pc_pair pair;
  double at[2][3]; /* the point in the frame of each part */
} revolute;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const revolute* j = data;
  pc_scene scene = pc_scene_at(s, &j->pair, l->q, l->turns);
  pc_two_points c = pc_two_points_at(s, &scene, j->at, l->q);
  if (l->y) {
    l->y[0] = c.r.x.v;
    l->y[1] = c.r.y.v;
  }
  if (!l->W && !s.n) return;
  const double axis[2][3] = {{1, 0, 0}, {0, 1, 0}};
  pc_put_row(s, &scene, l, 0, pc_vec_of(axis[0]), 1, c.arm[1], c.arm[0]);
  pc_put_row(s, &scene, l, 1, pc_vec_of(axis[1]), 1, c.arm[1], c.arm[0]);
}

static void evaluate(const void* data, pc_local* l)
{
  const revolute* j = data;
  pc_run_kernel(kernel, data, &j->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const revolute* j = data;
  s->kind = PC_SHAPE_PIN;
  pc_place_shape(&j->pair, j->at, s);
}

static const pc_element_ops ops = {.kind = "revolute", .evaluate = evaluate, .shape = shape};

pc_status pc_add_revolute(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                          pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, ops.kind, def->name, error};
  PC_TRY(pc_check_name(&a));
  if (pc_system_dimension(system) == 3) return pc_add_spatial_revolute(&a, def);
  PC_TRY(pc_check_no_line(&a));
  PC_TRY(pc_check_finite(&a, "at", 2, def->at));
  revolute data = {0};
  PC_TRY(pc_attach_pair(&a, PC_HOLDS_POINTS, def->part, (const char* const[]){"part[0]", "part[1]"},
                        &data.pair));
  for (int i = 0; i < 2; i++) {
    pc_joint_point(system, def, i, data.at[i]);
    pc_hang_point(&data.pair.place[i], data.at[i]);
  }
  int turns = data.pair.place[0].turned || data.pair.place[1].turned;
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = def->part,
      .g_count = 2,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
      .constant = turns ? 0 : PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
