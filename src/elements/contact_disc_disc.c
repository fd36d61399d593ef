/* Two discs or spheres, outside each other or the first within the circle of the second.
 *
 * With the unit vector e from the second centre to the first at distance l, and sign = 1 outside,
 * -1 inside, the normal is n = sign e and the gap g_N = sign l - R_0 - sign R_1. The material
 * points are c_0 - R_0 n and c_1 + sign R_1 n. */
#include "base/status.h"
#include "elements/attach.h"

typedef struct disc_disc {
  pc_pair pair;
  double centre[2][3];
  double radius[2];
  double sign;
  pc_friction friction;
} disc_disc;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const disc_disc* k = data;
  pc_scene scene = pc_scene_at(s, &k->pair, l->q, l->turns);
  const pc_frame *f0 = &scene.frame[0], *f1 = &scene.frame[1];
  pc_vec arm0 = pc_frame_vec(s, f0, k->centre[0]), arm1 = pc_frame_vec(s, f1, k->centre[1]);
  pc_vec c0 = pc_vec_plus(s, pc_frame_origin(s, f0, l->q), 1, arm0);
  pc_vec c1 = pc_vec_plus(s, pc_frame_origin(s, f1, l->q), 1, arm1);
  pc_vec r = pc_vec_plus(s, c0, -1, c1);
  pc_jet length = pc_vec_length(s, r);
  double sign = k->sign;
  if (l->y) l->y[0] = sign * (length.v - k->radius[1]) - k->radius[0];
  if (!l->W && !s.n) return;
  pc_vec n = pc_vec_scaled(s, pc_vec_unit(s, r, length), sign);
  arm0 = pc_vec_plus(s, arm0, -k->radius[0], n);
  arm1 = pc_vec_plus(s, arm1, sign * k->radius[1], n);
  pc_put_row(s, &scene, l, 0, n, 0, arm0, arm1);
  pc_put_sphere_friction(s, &scene, l, &k->friction, n, arm0, arm1);
}

static void evaluate(const void* data, pc_local* l)
{
  const disc_disc* k = data;
  pc_run_kernel(kernel, data, &k->pair, l, l->W_q != NULL);
}

static void evaluate_in_space(const void* data, pc_local* l)
{
  const disc_disc* k = data;
  pc_run_spatial_kernel(kernel, data, &k->pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const disc_disc* k = data;
  s->kind = PC_SHAPE_CIRCLE;
  pc_place_shape(&k->pair, k->centre, s);
  for (int i = 0; i < 2; i++) s->radius[i] = k->radius[i];
  s->inside = k->sign < 0;
}

static const pc_element_ops ops[2] = {
    {.kind = "disc-disc", .evaluate = evaluate, .shape = shape},
    {.kind = "disc-disc", .evaluate = evaluate_in_space, .shape = shape}};

static pc_status check(const pc_adding* a, const pc_disc_disc_def* def)
{
  int n = pc_system_dimension(a->system);
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_finite(a, "centre[0].at", n, def->centre[0].at));
  PC_TRY(pc_check_finite(a, "centre[1].at", n, def->centre[1].at));
  PC_TRY(pc_check_not_negative(a, "radius[0]", def->radius[0]));
  PC_TRY(pc_check_positive(a, "radius[1]", def->radius[1]));
  if (!def->inside || def->radius[0] < def->radius[1]) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL,
                 "%s '%s': radius[0] is %g; to move inside, it must be less than radius[1], %g",
                 a->kind, a->name, def->radius[0], def->radius[1]);
}

static void choose_tangents(const pc_system* system, const pc_disc_disc_def* def, disc_disc* k)
{
  double c[2][3], normal[3];
  for (int i = 0; i < 2; i++)
    pc_initial_from_part(system, def->centre[i].part, def->centre[i].at, c[i]);
  for (int i = 0; i < 3; i++) normal[i] = k->sign * (c[0][i] - c[1][i]);
  pc_choose_sphere_tangents(normal, &k->friction);
}

pc_status pc_add_disc_disc(pc_system* system, const pc_disc_disc_def* def, pc_contact_id* id,
                           pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  pc_adding a = {system, ops[0].kind, def->law.name, error};
  PC_TRY(check(&a, def));
  const pc_part_id part[2] = {def->centre[0].part, def->centre[1].part};
  disc_disc data = {.sign = def->inside ? -1 : 1};
  PC_TRY(pc_attach_contact(&a, &def->law, part,
                           (const char* const[]){"centre[0].part", "centre[1].part"}, &data.pair,
                           &data.friction));
  choose_tangents(system, def, &data);
  for (int i = 0; i < 2; i++) {
    data.radius[i] = def->radius[i];
    for (int k = 0; k < data.pair.dimension; k++) data.centre[i][k] = def->centre[i].at[k];
    pc_hang_point(&data.pair.place[i], data.centre[i]);
  }
  pc_element_def element = {
      .ops = pc_choose_ops(&a, ops),
      .part_count = 2,
      .part = part,
      .contact_count = 1,
      .contact = &def->law,
      .contact_dimension = &data.friction.rows,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
