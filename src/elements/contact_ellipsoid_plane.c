/* An ellipsoid against a plane, in space. Its principal axes are those of its body's frame.
 *
 * With the components n_k of the plane's normal along the axes e_k and the semi-axes a_k, the
 * support of the ellipsoid is h = sqrt(sum a_k^2 n_k^2); then g_N = n . (c - p) - h, and the
 * contact point is c - sum a_k^2 n_k/h e_k. */
#include <math.h>

#include "base/status.h"
#include "elements/contact_floor.h"

typedef struct ellipsoid_plane {
  pc_plane_contact contact;
  double square[3]; /* of the semi-axes */
} ellipsoid_plane;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  static const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const ellipsoid_plane* k = data;
  pc_plane_view v = pc_plane_view_at(s, &k->contact, l->q, l->turns);
  pc_jet square = pc_jet_number(0);
  pc_vec sum = pc_vec_of((const double[3]){0, 0, 0});
  PC_UNROLL
  for (int i = 0; i < 3; i++) {
    pc_vec axis = pc_frame_vec(s, &v.scene.frame[0], own[i]);
    pc_jet n = pc_vec_dot(s, v.n, axis);
    square = pc_jet_plus(s.n, square, k->square[i], pc_jet_times(s.n, n, n));
    sum = pc_vec_plus(s, sum, -k->square[i], pc_vec_times(s, axis, n));
  }
  pc_jet support = pc_jet_sqrt(s.n, square);
  pc_put_plane_contact(s, &k->contact, &v, l, pc_vec_times(s, sum, pc_jet_inverse(s.n, support)),
                       support);
}

/* h = sqrt(m'E m) with E = diag(a_k^2), its gradient E m/h, and (E - E m m'E/h^2)/h. */
static pc_support support_at(const ellipsoid_plane* k, const double m[3])
{
  double x[3], square = 0;
  for (int i = 0; i < 3; i++) {
    x[i] = k->square[i] * m[i];
    square += x[i] * m[i];
  }
  double h = sqrt(square);
  pc_support s = {.depth = h};
  for (int i = 0; i < 3; i++) {
    s.reach[i] = -x[i] / h;
    for (int j = 0; j < 3; j++)
      s.slope[3 * i + j] = (x[i] * x[j] / square - (i == j ? k->square[i] : 0)) / h;
  }
  return s;
}

static void evaluate(const void* data, pc_local* l)
{
  const ellipsoid_plane* k = data;
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
  const ellipsoid_plane* k = data;
  pc_shape_on_plane(&k->contact, s);
  for (int i = 0; i < 3; i++) s->semi_axes[i] = sqrt(k->square[i]);
}

static const pc_element_ops ops = {.kind = "ellipsoid-plane", .evaluate = evaluate, .shape = shape};

pc_status pc_add_ellipsoid_plane(pc_system* system, const pc_ellipsoid_plane_def* def,
                                 pc_contact_id* id, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  static const char* const field[3] = {"semi_axes[0]", "semi_axes[1]", "semi_axes[2]"};
  pc_adding a = {system, ops.kind, def->law.name, error};
  ellipsoid_plane data = {0};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_spatial(&a));
  for (int i = 0; i < 3; i++) {
    PC_TRY(pc_check_positive(&a, field[i], def->semi_axes[i]));
    data.square[i] = def->semi_axes[i] * def->semi_axes[i];
  }
  const pc_plane_contact_def contact = {&def->law, &def->centre, &def->plane, 0};
  PC_TRY(pc_place_plane_contact(&a, &contact, &data.contact));
  return pc_add_plane_contact(&a, &ops, &contact, &data.contact, &data, sizeof data, 0);
}
