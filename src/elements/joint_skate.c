/* A skate, or knife edge: a point of a body moves along the blade and not across it. One row of
 * velocity level, e . v of the point, with the unit vector e across the blade. In the plane e is
 * the blade's direction turned left; in space it is within the ice, e = N x d/|N x d| with the
 * ice's normal N, fixed in the inertial frame, and the blade's direction d. */
#include "base/status.h"
#include "elements/attach.h"

typedef struct skate {
  pc_pair pair; /* with the ground */
  double at[3];
  double along[3];  /* unit vector in the body's frame */
  double normal[3]; /* of the ice, in space */
} skate;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const skate* k = data;
  if (!l->W && !s.n) return;
  pc_scene scene = pc_scene_at(s, &k->pair, l->q, l->turns);
  pc_vec arm = pc_frame_vec(s, &scene.frame[0], k->at);
  pc_vec e = pc_frame_vec(s, &scene.frame[0], k->along);
  if (s.dim == 2) {
    e = pc_vec_turned_left(s, e);
  } else {
    e = pc_vec_cross(s, pc_vec_of(k->normal), e);
    e = pc_vec_unit(s, e, pc_vec_length(s, e));
  }
  pc_put_row(s, &scene, l, 0, e, 0, arm, arm);
}

static void evaluate(const void* data, pc_local* l)
{
  const skate* k = data;
  pc_run_kernel(kernel, data, &k->pair, l, l->W_q != NULL);
}

static void evaluate_in_space(const void* data, pc_local* l)
{
  const skate* k = data;
  pc_run_spatial_kernel(kernel, data, &k->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const skate* k = data;
  s->kind = PC_SHAPE_BLADE;
  for (int i = 0; i < 3; i++) {
    s->at[0].at[i] = k->at[i];
    s->axis[i] = k->along[i];
  }
  s->at[1].part = PC_GROUND;
}

static const pc_element_ops ops[2] = {
    {.kind = "skate", .evaluate = evaluate, .shape = shape},
    {.kind = "skate", .evaluate = evaluate_in_space, .shape = shape}};

pc_status pc_add_skate(pc_system* system, const pc_skate_def* def, pc_joint_id* id, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, ops[0].kind, def->name, error};
  int n = pc_system_dimension(system);
  skate data = {0};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_no_line(&a));
  PC_TRY(pc_check_finite(&a, "point.at", n, def->point.at));
  PC_TRY(pc_check_direction(&a, "along", def->along, data.along));
  if (n == 3) PC_TRY(pc_check_direction(&a, "normal", def->normal, data.normal));
  PC_TRY(pc_attach_one(&a, PC_HOLDS_ANGLES, def->point.part, "point.part", &data.pair));
  for (int i = 0; i < n; i++) data.at[i] = def->point.at[i];
  pc_hang_direction(&data.pair.place[0]);
  pc_element_def element = {
      .ops = pc_choose_ops(&a, ops),
      .part_count = 1,
      .part = &def->point.part,
      .gamma_count = 1,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
