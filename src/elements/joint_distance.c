/* A massless rod: two points at a constant distance. One row, |c_1 - c_0| - length. */
#include "base/status.h"
#include "elements/attach.h"

typedef struct distance {
  pc_pair pair;
  double at[2][3];
  double length;
} distance;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const distance* j = data;
  pc_scene scene = pc_scene_at(s, &j->pair, l->q, l->turns);
  pc_two_points c = pc_two_points_at(s, &scene, j->at, l->q);
  pc_jet length = pc_vec_length(s, c.r);
  if (l->y) l->y[0] = length.v - j->length;
  if (!l->W && !s.n) return;
  pc_put_row(s, &scene, l, 0, pc_vec_unit(s, c.r, length), 1, c.arm[1], c.arm[0]);
}

static void evaluate(const void* data, pc_local* l)
{
  const distance* j = data;
  pc_run_kernel(kernel, data, &j->pair, l, l->W_q != NULL);
}

static void evaluate_in_space(const void* data, pc_local* l)
{
  const distance* j = data;
  pc_run_spatial_kernel(kernel, data, &j->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const distance* j = data;
  s->kind = PC_SHAPE_ROD;
  pc_place_shape(&j->pair, j->at, s);
}

static const pc_element_ops ops[2] = {
    {.kind = "distance", .evaluate = evaluate, .shape = shape},
    {.kind = "distance", .evaluate = evaluate_in_space, .shape = shape}};

static pc_status check(const pc_adding* a, const pc_distance_def* def)
{
  int n = pc_system_dimension(a->system);
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_finite(a, "point[0].at", n, def->point[0].at));
  PC_TRY(pc_check_finite(a, "point[1].at", n, def->point[1].at));
  PC_TRY(pc_check_finite(a, "length", 1, &def->length));
  if (def->length != 0) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL,
                 "%s '%s': length is 0; points that stay together need a revolute joint", a->kind,
                 a->name);
}

pc_status pc_add_distance(pc_system* system, const pc_distance_def* def, pc_joint_id* id,
                          pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, ops[0].kind, def->name, error};
  PC_TRY(check(&a, def));
  const pc_part_id part[2] = {def->point[0].part, def->point[1].part};
  distance data = {0};
  PC_TRY(pc_attach_pair(&a, PC_HOLDS_POINTS, part,
                        (const char* const[]){"point[0].part", "point[1].part"}, &data.pair));
  double start = pc_initial_distance(system, &def->point[0], &def->point[1]);
  if (!(start > 0))
    return pc_fail(error, PC_BAD_MODEL,
                   "%s '%s': point[0] and point[1] coincide in the initial configuration", a.kind,
                   a.name);
  data.length = def->length < 0 ? start : def->length;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < data.pair.dimension; k++) data.at[i][k] = def->point[i].at[k];
    pc_hang_point(&data.pair.place[i], data.at[i]);
  }
  pc_element_def element = {
      .ops = pc_choose_ops(&a, ops),
      .part_count = 2,
      .part = part,
      .g_count = 1,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
