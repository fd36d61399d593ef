/* A disc, a sphere or a point against a plane: g_N = n . (c - p) - R with the plane's unit normal
 * n.
 *
 * Slip is the velocity of the disc's material point c - R n, relative to that of the plane's point
 * below it, c - (R + g_N) n. */
#include "base/status.h"
#include "elements/contact_floor.h"

typedef struct disc_plane {
  pc_plane_contact contact;
  double radius;
} disc_plane;

/* Written out rather than with pc_plane_view: in a structure the jets of the plane would not live
 * in registers, which costs a planar contact a tenth of its speed. */
PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const disc_plane* k = data;
  const pc_plane_contact* c = &k->contact;
  pc_scene scene = pc_scene_at(s, &c->pair, l->q, l->turns);
  const pc_frame *f0 = &scene.frame[0], *f1 = &scene.frame[1];
  pc_vec arm0 = pc_frame_vec(s, f0, c->centre), arm1 = pc_frame_vec(s, f1, c->point);
  pc_vec n = pc_frame_vec(s, f1, c->normal);
  pc_vec x = pc_vec_plus(s, pc_frame_origin(s, f0, l->q), 1, arm0);
  pc_vec p = pc_vec_plus(s, pc_frame_origin(s, f1, l->q), 1, arm1);
  pc_vec r = pc_vec_plus(s, x, -1, p);
  pc_jet height = pc_vec_dot(s, n, r);
  if (l->y) l->y[0] = height.v - k->radius;
  if (!l->W && !s.n) return;
  arm0 = pc_vec_plus(s, arm0, -k->radius, n);
  arm1 = pc_vec_plus(s, arm1, 1, pc_vec_plus(s, r, -1, pc_vec_times(s, n, height)));
  pc_put_row(s, &scene, l, 0, n, 0, arm0, arm1);
  pc_put_plane_friction(s, &scene, l, &c->friction, n, arm0, arm1);
}

static void evaluate(const void* data, pc_local* l)
{
  const disc_plane* k = data;
  pc_run_kernel(kernel, data, &k->contact.pair, l, l->W_q != NULL);
}

/* A sphere: h = R |m|; m stays on the unit sphere, where -R m has the same slope as -R m/|m|. */
static pc_support support_at(const disc_plane* k, const double m[3])
{
  double R = k->radius;
  return (pc_support){R, {-R * m[0], -R * m[1], -R * m[2]}, {-R, 0, 0, 0, -R, 0, 0, 0, -R}};
}

static void evaluate_in_space(const void* data, pc_local* l)
{
  const disc_plane* k = data;
  if (pc_is_floor(&k->contact)) {
    pc_floor_view v = pc_floor_view_at(&k->contact, l->q);
    pc_support s = support_at(k, v.m);
    pc_put_floor_contact(&k->contact, &v, &s, l);
    return;
  }
  pc_run_spatial_kernel(kernel, data, &k->contact.pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const disc_plane* k = data;
  pc_shape_on_plane(&k->contact, s);
  s->radius[0] = k->radius;
}

static const pc_element_ops contact_ops[2] = {
    {.kind = "disc-plane", .evaluate = evaluate, .shape = shape},
    {.kind = "disc-plane", .evaluate = evaluate_in_space, .shape = shape}};
static const pc_element_ops rolling_ops[2] = {
    {.kind = "rolling", .evaluate = evaluate, .shape = shape},
    {.kind = "rolling", .evaluate = evaluate_in_space, .shape = shape}};

static pc_status add(const pc_adding* a, const pc_plane_contact_def* def, double radius)
{
  disc_plane data = {.radius = radius};
  PC_TRY(pc_place_plane_contact(a, def, &data.contact));
  const pc_place* place = data.contact.pair.place;
  unsigned constant = place[0].turned || place[1].turned ? 0 : PC_TERM_W | PC_TERM_W_Q;
  return pc_add_plane_contact(a, pc_choose_ops(a, def->rolls ? rolling_ops : contact_ops), def,
                              &data.contact, &data, sizeof data, constant);
}

pc_status pc_add_disc_plane(pc_system* system, const pc_disc_plane_def* def, pc_contact_id* id,
                            pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  pc_adding a = {system, contact_ops[0].kind, def->law.name, error};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_not_negative(&a, "radius", def->radius));
  return add(&a, &(pc_plane_contact_def){&def->law, &def->centre, &def->plane, 0}, def->radius);
}

pc_status pc_add_rolling_disc(const pc_adding* a, const pc_rolling_def* def)
{
  return add(a, &(pc_plane_contact_def){NULL, &def->centre, &def->plane, 1}, def->radius);
}
