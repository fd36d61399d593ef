/* A sharp circular edge, the rim of a thin disc, against a plane, in space.
 *
 * With the disc's axis a and the plane's normal n, the edge of radius R reaches furthest towards
 * the plane along -d/|d|, where d = n - (n . a) a is the part of n within the disc:
 *     g_N = n . (c - p) - R |d|,  contact point c - R d/|d|
 * (RATTLE (57), (58) with e_y^G = d/|d|). A disc that lies flat, |d| = 0, touches everywhere: there
 * a point of the rim that is fixed in the disc stands in for all of them. */
#include "base/status.h"
#include "elements/contact_floor.h"

typedef struct edge_plane {
  pc_plane_contact contact;
  double radius;
  double axis[3];  /* of the disc, unit vector in the frame of its part */
  double spare[3]; /* a unit vector within the disc */
} edge_plane;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const edge_plane* k = data;
  pc_plane_view v = pc_plane_view_at(s, &k->contact, l->q, l->turns);
  const pc_frame* f = &v.scene.frame[0];
  pc_vec axis = pc_frame_vec(s, f, k->axis);
  pc_vec d = pc_vec_plus(s, v.n, -1, pc_vec_times(s, axis, pc_vec_dot(s, v.n, axis)));
  pc_jet length = pc_vec_length(s, d);
  pc_vec unit = length.v > 0 ? pc_vec_unit(s, d, length) : pc_frame_vec(s, f, k->spare);
  pc_put_plane_contact(s, &k->contact, &v, l, pc_vec_scaled(s, unit, -k->radius),
                       pc_jet_affine(s.n, k->radius, length, 0));
}

/* h = R |d|, d = m - (m . a) a, with its gradient R u, u = d/|d|, and R/|d| (1 - a a' - u u'). */
static pc_support support_at(const edge_plane* k, const double m[3])
{
  const double* a = k->axis;
  double along = m[0] * a[0] + m[1] * a[1] + m[2] * a[2], d[3], R = k->radius;
  for (int i = 0; i < 3; i++) d[i] = m[i] - along * a[i];
  double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  double share = length > 0 ? R / length : 0, u[3];
  pc_support s = {.depth = R * length};
  for (int i = 0; i < 3; i++) {
    u[i] = length > 0 ? d[i] / length : k->spare[i];
    s.reach[i] = -R * u[i];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      s.slope[3 * i + j] = -share * ((i == j) - a[i] * a[j] - u[i] * u[j]);
  return s;
}

static void evaluate(const void* data, pc_local* l)
{
  const edge_plane* k = data;
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
  const edge_plane* k = data;
  pc_shape_on_plane(&k->contact, s);
  s->radius[0] = k->radius;
  for (int i = 0; i < 3; i++) s->rim[i] = k->axis[i];
}

static const pc_element_ops contact_ops = {
    .kind = "edge-plane", .evaluate = evaluate, .shape = shape};
static const pc_element_ops rolling_ops = {.kind = "rolling", .evaluate = evaluate, .shape = shape};

static pc_status add(const pc_adding* a, const pc_plane_contact_def* def, double radius,
                     const double axis[3])
{
  edge_plane data = {.radius = radius};
  double other[3];
  PC_TRY(pc_check_direction(a, "axis", axis, data.axis));
  pc_basis_of(data.axis, data.spare, other);
  PC_TRY(pc_place_plane_contact(a, def, &data.contact));
  return pc_add_plane_contact(a, def->rolls ? &rolling_ops : &contact_ops, def, &data.contact,
                              &data, sizeof data, 0);
}

pc_status pc_add_edge_plane(pc_system* system, const pc_edge_plane_def* def, pc_contact_id* id,
                            pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  pc_adding a = {system, contact_ops.kind, def->law.name, error};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_spatial(&a));
  PC_TRY(pc_check_positive(&a, "radius", def->radius));
  return add(&a, &(pc_plane_contact_def){&def->law, &def->centre, &def->plane, 0}, def->radius,
             def->axis);
}

pc_status pc_add_rolling_edge(const pc_adding* a, const pc_rolling_def* def)
{
  return add(a, &(pc_plane_contact_def){NULL, &def->centre, &def->plane, 1}, def->radius,
             def->axis);
}
