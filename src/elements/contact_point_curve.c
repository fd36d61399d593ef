/* A point against a curve that is given as a gap field in the frame of a part.
 *
 * With p = R' (c - x), the point seen from the carrier, g_N = f(p) and the normal row's direction
 * is the gradient R f'(p) as it is: W = dg_N/dq then holds off the curve too, where the gradient of
 * a field that is only nearly a distance has not unit length. Slip is along the unit tangent,
 * between the point and the carrier's material point c - g_N n. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/attach.h"
#include "elements/compliance.h"

typedef struct point_curve {
  pc_pair pair; /* 0 the point, 1 the curve */
  double at[3];
  pc_gap_field curve;
  pc_friction friction;
} point_curve;

/* Cosine and sine of a frame's angle as jets. */
PC_INLINE void frame_angle(pc_space s, const pc_frame* f, pc_jet* cosine, pc_jet* sine)
{
  int angle = f->place->turned ? f->place->first + 2 : -1;
  *cosine = pc_jet_of(s.n, f->cosine, angle, -f->sine);
  *sine = pc_jet_of(s.n, f->sine, angle, f->cosine);
}

/* The field's gap and gradient at a point that is a jet: the Hessian carries the derivatives on. */
PC_INLINE pc_vec gradient_at(pc_space s, const pc_gap_field* curve, pc_vec p, pc_jet* gap)
{
  double at[2] = {p.x.v, p.y.v}, gradient[2] = {0, 0}, H[4] = {0, 0, 0, 0};
  *gap = pc_jet_number(0);
  curve->value(curve->user, at, &gap->v, gradient, H);
  pc_vec r = {.x = pc_jet_number(gradient[0]), .y = pc_jet_number(gradient[1])};
  PC_UNROLL
  for (int i = 0; i < s.n; i++) {
    gap->d[i] = gradient[0] * p.x.d[i] + gradient[1] * p.y.d[i];
    r.x.d[i] = H[0] * p.x.d[i] + H[1] * p.y.d[i];
    r.y.d[i] = H[2] * p.x.d[i] + H[3] * p.y.d[i];
  }
  return r;
}

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const point_curve* k = data;
  pc_scene scene = pc_scene_at(s, &k->pair, l->q, l->turns);
  const pc_frame *f0 = &scene.frame[0], *f1 = &scene.frame[1];
  pc_vec arm0 = pc_frame_vec(s, f0, k->at);
  pc_vec c = pc_vec_plus(s, pc_frame_origin(s, f0, l->q), 1, arm0);
  pc_vec r = pc_vec_plus(s, c, -1, pc_frame_origin(s, f1, l->q));
  pc_jet cosine, sine, gap;
  frame_angle(s, f1, &cosine, &sine);
  pc_vec p = pc_vec_plus(s, pc_vec_times(s, r, cosine), -1,
                         pc_vec_turned_left(s, pc_vec_times(s, r, sine)));
  pc_vec g = gradient_at(s, &k->curve, p, &gap);
  if (l->y) l->y[0] = gap.v;
  if (!l->W && !s.n) return;
  pc_vec n = pc_vec_plus(s, pc_vec_times(s, g, cosine), 1,
                         pc_vec_turned_left(s, pc_vec_times(s, g, sine)));
  pc_put_row(s, &scene, l, 0, n, 0, arm0, r);
  if (!k->friction.rows) return;
  n = pc_vec_unit(s, n, pc_vec_length(s, n));
  pc_vec arm1 = pc_vec_plus(s, r, -1, pc_vec_times(s, n, gap));
  pc_put_planar_friction(s, &scene, l, n, arm0, arm1);
}

static void evaluate(const void* data, pc_local* l)
{
  const point_curve* k = data;
  pc_run_kernel(kernel, data, &k->pair, l, l->W_q != NULL);
}

static void destroy(void* data)
{
  point_curve* k = data;
  if (k->curve.destroy) k->curve.destroy(k->curve.user);
  free(k);
}

static void shape(const void* data, pc_shape* s)
{
  const point_curve* k = data;
  const double at[2][3] = {{k->at[0], k->at[1], 0}, {0, 0, 0}};
  s->kind = PC_SHAPE_CURVE;
  pc_place_shape(&k->pair, at, s);
  s->curve = &k->curve;
}

static const pc_element_ops ops = {
    .kind = "point-curve", .evaluate = evaluate, .destroy = destroy, .shape = shape};

/* Everything but the addition itself, which takes the field over. */
static pc_status prepare(const pc_adding* a, const pc_point_curve_def* def,
                         const pc_part_id part[2], point_curve** data)
{
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_planar(a));
  PC_TRY(pc_check_finite(a, "point.at", 2, def->point.at));
  if (!def->curve.value)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': curve.value is missing", a->kind, a->name);
  point_curve k = {.curve = def->curve, .at = {def->point.at[0], def->point.at[1], 0}};
  PC_TRY(pc_attach_contact(a, &def->law, part, (const char* const[]){"point.part", "part"}, &k.pair,
                           &k.friction));
  pc_hang_point(&k.pair.place[0], k.at);
  pc_hang_direction(&k.pair.place[1]);
  *data = pc_alloc(1, sizeof **data);
  if (!*data) return pc_no_memory(a->error);
  **data = k;
  return PC_OK;
}

pc_status pc_add_point_curve(pc_system* system, const pc_point_curve_def* def, pc_contact_id* id,
                             pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  pc_adding a = {system, ops.kind, def->law.name, error};
  const pc_part_id part[2] = {def->point.part, def->part};
  point_curve* data;
  pc_status status = prepare(&a, def, part, &data);
  if (status != PC_OK) {
    if (def->curve.destroy) def->curve.destroy(def->curve.user);
    return status;
  }
  const pc_element_def element = {
      .ops = &ops,
      .data = data,
      .name = def->law.name,
      .part_count = 2,
      .part = part,
      .contact_count = 1,
      .contact = &def->law,
      .contact_dimension = &data->friction.rows,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
  };
  if (pc_is_compliant(&element)) return pc_add_compliant(&a, &element);
  return pc_system_add_element(system, &element, error);
}
