/* A disc, a sphere or a point against a plane: g_N = n . (c - p) - R with the plane's unit normal n.
 *
 * Slip is the velocity of the disc's material point c - R n, relative to that of the plane's point
 * below it, c - (R + g_N) n. */
#include "base/status.h"
#include "elements/contact_plane.h"

typedef struct disc_plane {
  pc_plane_contact contact;
  double radius;
} disc_plane;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const disc_plane* k = data;
  pc_plane_view v = pc_plane_view_at(s, &k->contact, l->q);
  if (l->y) l->y[0] = v.height.v - k->radius;
  if (!l->W && !s.n) return;
  pc_vec arm0 = pc_vec_plus(s, v.arm0, -k->radius, v.n);
  pc_vec arm1 = pc_vec_plus(s, v.arm1, 1, pc_vec_plus(s, v.r, -1, pc_vec_times(s, v.n, v.height)));
  pc_put_row(s, &v.scene, l, 0, v.n, 0, arm0, arm1);
  pc_put_plane_friction(s, &v.scene, l, &k->contact.friction, v.n, arm0, arm1);
}

static void evaluate(const void* data, pc_local* l)
{
  const disc_plane* k = data;
  pc_run_kernel(kernel, data, &k->contact.pair, l, l->W_q != NULL);
}

static void shape(const void* data, pc_shape* s)
{
  const disc_plane* k = data;
  pc_shape_on_plane(&k->contact, s);
  s->radius[0] = k->radius;
}

static const pc_element_ops contact_ops = {
    .kind = "disc-plane", .evaluate = evaluate, .shape = shape};
static const pc_element_ops rolling_ops = {.kind = "rolling", .evaluate = evaluate, .shape = shape};

static pc_status add(const pc_adding* a, const pc_plane_contact_def* def, double radius)
{
  disc_plane data = {.radius = radius};
  PC_TRY(pc_place_plane_contact(a, def, &data.contact));
  const pc_place* place = data.contact.pair.place;
  unsigned constant = place[0].turned || place[1].turned ? 0 : PC_TERM_W | PC_TERM_W_Q;
  return pc_add_plane_contact(a, def->rolls ? &rolling_ops : &contact_ops, def, &data.contact,
                              &data, sizeof data, constant);
}

pc_status pc_add_disc_plane(pc_system* system, const pc_disc_plane_def* def, pc_error* error)
{
  pc_adding a = {system, contact_ops.kind, def->law.name, error};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_not_negative(&a, "radius", def->radius));
  return add(&a, &(pc_plane_contact_def){&def->law, &def->centre, &def->plane, 0}, def->radius);
}

pc_status pc_add_rolling_disc(const pc_adding* a, const pc_rolling_def* def)
{
  return add(a, &(pc_plane_contact_def){NULL, &def->centre, &def->plane, 1}, def->radius);
}
