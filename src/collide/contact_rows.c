#include "collide/contact_rows.h"

#include <string.h>

#include "collide/contact_jets.h"
#include "collide/curved_normal.h"

pc_pose pc_carrier_pose(pc_carrier carrier, int dimension, const double* q)
{
  if (carrier == PC_CARRIER_GROUND) return pc_pose_identity();
  if (carrier == PC_CARRIER_BODY)
    return dimension == 2 ? pc_pose_planar(q[0], q[1], q[2]) : pc_pose_spatial(q, q + 3);
  pc_pose pose = pc_pose_identity();
  for (int i = 0; i < dimension; i++) pose.x[i] = q[i];
  return pose;
}

/* ---- features in the inertial frame -------------------------------------------------------- */

/* Features of both bodies at their poses. Their kinds are here, so that a function that is inlined
 * for known ones is a closed form. */
typedef struct placed {
  const pc_feature* side[2];
  pc_feature_kind kind[2];
  pc_v3 apart;    /* from the origin of body 1 to that of body 0 */
  pc_v3 a[2];     /* from the origins to the points P */
  pc_v3 d[2];     /* */
  double F[2][9]; /* of curved ones */
} placed;

PC_INLINE int is_curved(const placed* p, int i)
{
  return p->kind[i] == PC_FEATURE_CURVED;
}

/* The centre of a body, where a sphere mostly is, does not wait for its orientation. */
PC_INLINE pc_v3 turned_point(const pc_pose* body, const double p[3])
{
  if (p[0] == 0 && p[1] == 0 && p[2] == 0) return (pc_v3){0};
  return pc_pose_turn(body, pc_v3_of(p));
}

/* The axes of a curved feature, times their half lengths; a rim has none along the third. */
static void place_curve(const pc_feature* f, const pc_pose* body, double F[9])
{
  const pc_geometry* g = f->curve->geometry;
  const int is_rim = g->kind == PC_GEOMETRY_CYLINDER;
  pc_rotation_product(body->A, f->curve->pose.A, F);
  for (int k = 0; k < 3; k++) {
    double half = !is_rim ? g->half[k] : k < 2 ? g->radius : 0;
    for (int i = 0; i < 3; i++) F[3 * i + k] *= half;
  }
}

PC_INLINE placed place(const pc_contact_geometry* g, pc_feature_kind k0, pc_feature_kind k1,
                       const pc_pose* const body[2])
{
  placed p;
  p.kind[0] = k0;
  p.kind[1] = k1;
  p.apart = pc_v3_minus(pc_v3_of(body[0]->x), pc_v3_of(body[1]->x));
  for (int i = 0; i < 2; i++) {
    const pc_feature* f = p.side[i] = &g->side[i];
    p.a[i] = turned_point(body[i], f->p);
    if (is_curved(&p, i))
      place_curve(f, body[i], p.F[i]);
    else if (p.kind[i] != PC_FEATURE_POINT)
      p.d[i] = pc_pose_turn(body[i], pc_v3_of(f->d));
  }
  return p;
}

/* The iterated normal of a pair with a curved feature. */
static pc_v3 iterate(const placed* p, pc_v3 r, pc_v3 start, pc_curved_pair* pair)
{
  *pair = (pc_curved_pair){.r = r, .curved = {is_curved(p, 0), is_curved(p, 1)}};
  for (int i = 0; i < 2; i++) {
    if (is_curved(p, i)) memcpy(pair->F[i], p->F[i], sizeof pair->F[i]);
    if (p->kind[i] == PC_FEATURE_LINE) pair->along = &p->d[i];
  }
  return pc_curved_normal(pair, start);
}

/* ---- the maximisation in jets -------------------------------------------------------------- */

/* The sum of the columns of F with components. */
PC_INLINE pc_v3 sum_of(const double F[9], pc_v3 a)
{
  return (pc_v3){F[0] * a.x + F[1] * a.y + F[2] * a.z, F[3] * a.x + F[4] * a.y + F[5] * a.z,
                 F[6] * a.x + F[7] * a.y + F[8] * a.z};
}

PC_INLINE pc_v3 jet3_slope(pc_jet3 a, int k)
{
  return (pc_v3){a.x.d[k], a.y.d[k], a.z.d[k]};
}

PC_INLINE void jet3_put_slope(pc_jet3* a, int k, pc_v3 slope)
{
  a->x.d[k] = slope.x, a->y.d[k] = slope.y, a->z.d[k] = slope.z;
}

/* The support point x(n) = F w/|w|, w = F'n, of a curved feature of body i. Turning the body by
 * theta takes w by F'(dn - theta x n), and what is fixed to it by theta x. Along the axis of a rim
 * it is the centre. */
PC_INLINE pc_jet3 support(int m, const placed* p, int i, pc_jet3 n)
{
  const double* F = p->F[i];
  pc_jet3 w = pc_jet3_of(pc_curved_components(F, pc_jet3_value(n)));
  pc_jet3 own = pc_jet3_turning(m, pc_jet3_value(n), i == 0);
  for (int k = 0; k < m; k++) {
    pc_v3 slope = pc_v3_minus(jet3_slope(n, k), jet3_slope(own, k));
    jet3_put_slope(&w, k, pc_curved_components(F, slope));
  }
  w = pc_jet3_unit(m, w, (pc_v3){0});
  pc_v3 x = sum_of(F, pc_jet3_value(w));
  pc_jet3 r = pc_jet3_turning(m, x, i == 0);
  for (int k = 0; k < m; k++)
    jet3_put_slope(&r, k, pc_v3_plus(jet3_slope(r, k), sum_of(F, jet3_slope(w, k))));
  return r;
}

/* The arm of body i to its surface in the direction sign n: a + sign (x(n) + R n). */
PC_INLINE pc_jet3 surface(int m, const placed* p, int i, double sign, pc_jet3 n)
{
  pc_jet3 arm = pc_jet3_turning(m, p->a[i], i == 0);
  if (p->side[i]->radius > 0) arm = pc_jet3_plus(m, arm, sign * p->side[i]->radius, n);
  return is_curved(p, i) ? pc_jet3_plus(m, arm, sign, support(m, p, i, n)) : arm;
}

/* P_0 - P_1, or with curved features the difference of the surfaces without radii. */
PC_INLINE pc_jet3 separation(int m, const placed* p)
{
  pc_jet3 r = pc_jet3_of(p->apart);
  if (m) r.x.d[0] = r.y.d[1] = r.z.d[2] = 1;
  r = pc_jet3_plus(m, r, 1, pc_jet3_turning(m, p->a[0], 1));
  return pc_jet3_plus(m, r, -1, pc_jet3_of(p->a[1]));
}

PC_INLINE pc_jet3 curved_difference(int m, const placed* p, pc_jet3 n)
{
  pc_jet3 r = separation(m, p);
  for (int i = 0; i < 2; i++)
    if (is_curved(p, i)) r = pc_jet3_plus(m, r, -1, support(m, p, i, n));
  return r;
}

/* The normal with its derivative: with the gradient G of the gap, which vanishes at n, one Newton
 * step in jets is n - t_i (H^-1 G)_i, whose value is n. A line keeps n normal to itself. */
PC_INLINE pc_jet3 curved_normal(int m, const placed* p, pc_v3 start)
{
  pc_curved_pair pair;
  pc_v3 r = pc_v3_minus(pc_v3_plus(p->apart, p->a[0]), p->a[1]);
  pc_jet3 n = pc_jet3_of(iterate(p, r, start, &pair));
  if (!m) return n;
  pc_curved_slope slope = pc_curved_slope_at(&pair, pc_jet3_value(n));
  pc_jet3 t[2] = {pc_jet3_of(slope.t[0]), pc_jet3_of(slope.t[1])};
  if (pair.along) {
    pc_jet3 d = pc_jet3_turning(m, *pair.along, pair.along == &p->d[0]);
    pc_jet along = pc_jet3_dot(m, n, d);
    pc_v3 value = pc_jet3_value(n);
    n = pc_jet3_along(m, n, pc_jet_affine(m, -1, along, 0), d);
    n.x.v = value.x, n.y.v = value.y, n.z.v = value.z; /* the same bits as without derivatives */
    t[0] = pc_jet3_cross(m, d, n);
  }
  pc_jet3 difference = curved_difference(m, p, n);
  pc_jet G[2] = {pc_jet3_dot(m, t[0], difference), pc_jet3_dot(m, t[1], difference)};
  for (int k = 0; k < m; k++) {
    double x[2] = {G[0].d[k], slope.count > 1 ? G[1].d[k] : 0};
    pc_curved_solve(&slope, x);
    for (int i = 0; i < slope.count; i++) {
      n.x.d[k] += x[i] * slope.t[i].x;
      n.y.d[k] += x[i] * slope.t[i].y;
      n.z.d[k] += x[i] * slope.t[i].z;
    }
  }
  return n;
}

/* The part of a that is normal to the unit vector d. What is left may be small beside a: then it is
 * normal to d but for round-off of a, and after a second time but for its own, so that the normal
 * of a contact whose gap is small has no part along the line. */
PC_INLINE pc_jet3 across(int m, pc_jet3 a, pc_jet3 d)
{
  return pc_jet3_along(m, a, pc_jet_affine(m, -1, pc_jet3_dot(m, a, d), 0), d);
}

PC_INLINE pc_jet3 normal_of(int m, const placed* p, pc_v3 reference)
{
  pc_feature_kind k0 = p->kind[0], k1 = p->kind[1];
  if (k1 == PC_FEATURE_FACE) return pc_jet3_of(p->d[1]);
  if (k0 == PC_FEATURE_FACE) return pc_jet3_turning(m, pc_v3_scaled(-1, p->d[0]), 1);
  if (is_curved(p, 0) || is_curved(p, 1)) return curved_normal(m, p, reference);
  pc_jet3 r = separation(m, p);
  if (k0 == PC_FEATURE_LINE && k1 == PC_FEATURE_LINE) {
    pc_jet3 cross = pc_jet3_cross(m, pc_jet3_turning(m, p->d[0], 1), pc_jet3_of(p->d[1]));
    double sign = pc_v3_dot(pc_jet3_value(cross), reference) < 0 ? -1 : 1;
    pc_jet3 zero = pc_jet3_of((pc_v3){0});
    cross = across(m, cross, pc_jet3_turning(m, p->d[0], 1));
    return pc_jet3_unit(m, pc_jet3_plus(m, zero, sign, cross), reference);
  }
  if (k0 == PC_FEATURE_LINE || k1 == PC_FEATURE_LINE) {
    int i = k1 == PC_FEATURE_LINE;
    pc_jet3 d = pc_jet3_turning(m, p->d[i], i == 0);
    r = across(m, across(m, r, d), d);
  }
  return pc_jet3_unit(m, r, reference);
}

/* The arm to the point of line 0 that is nearest to line 1: r + s d_0 is normal to d_1 x n. */
PC_INLINE pc_jet3 crossing(int m, const placed* p, pc_jet3 n)
{
  pc_jet3 d0 = pc_jet3_turning(m, p->d[0], 1), d1 = pc_jet3_of(p->d[1]);
  pc_jet3 side = pc_jet3_cross(m, d1, n);
  pc_jet along = pc_jet3_dot(m, separation(m, p), side), across = pc_jet3_dot(m, d0, side);
  pc_jet3 arm = surface(m, p, 0, -1, n);
  if (across.v == 0) return arm;
  pc_jet s = pc_jet_times(m, pc_jet_affine(m, -1, along, 0), pc_jet_inverse(m, across));
  return pc_jet3_along(m, arm, s, d0);
}

PC_INLINE pc_contact_jets jets_of(int m, const placed* p, pc_v3 reference)
{
  pc_contact_jets c;
  pc_feature_kind k0 = p->kind[0], k1 = p->kind[1];
  pc_jet3 apart = pc_jet3_of(p->apart);
  if (m) apart.x.d[0] = apart.y.d[1] = apart.z.d[2] = 1;
  c.n = normal_of(m, p, reference);
  pc_jet3 s0 = surface(m, p, 0, -1, c.n), s1 = surface(m, p, 1, 1, c.n);
  pc_jet3 between = pc_jet3_plus(m, pc_jet3_plus(m, apart, 1, s0), -1, s1);
  c.gap = pc_jet3_dot(m, c.n, between);
  int extended =
      k0 == PC_FEATURE_LINE || k0 == PC_FEATURE_FACE; /* its point is that of the other */
  if (k0 == PC_FEATURE_LINE && k1 == PC_FEATURE_LINE) {
    s0 = crossing(m, p, c.n);
    extended = 0;
  }
  if (extended) {
    c.arm[1] = s1;
    c.arm[0] = pc_jet3_along(m, pc_jet3_plus(m, s1, -1, apart), c.gap, c.n);
  } else {
    c.arm[0] = s0;
    pc_jet back = pc_jet_affine(m, -1, c.gap, 0);
    c.arm[1] = pc_jet3_along(m, pc_jet3_plus(m, apart, 1, s0), back, c.n);
  }
  return c;
}

/* The same without derivatives. */
typedef struct where {
  double gap;
  pc_v3 n, arm[2];
} where;

static where where_of(const pc_contact_geometry* g, pc_feature_kind k0, pc_feature_kind k1,
                      const pc_pose* const body[2])
{
  placed p = place(g, k0, k1, body);
  pc_contact_jets c = jets_of(0, &p, pc_v3_of(g->n));
  return (where){c.gap.v, pc_jet3_value(c.n), {pc_jet3_value(c.arm[0]), pc_jet3_value(c.arm[1])}};
}

/* Spheres and corners with each other and above faces are the most frequent ones: the same sums in
 * the same order, without jets. */
PC_INLINE where where_of_point(const pc_contact_geometry* g, pc_feature_kind other,
                               const pc_pose* const body[2])
{
  const pc_feature *f0 = &g->side[0], *f1 = &g->side[1];
  pc_v3 apart = pc_v3_minus(pc_v3_of(body[0]->x), pc_v3_of(body[1]->x));
  pc_v3 s0 = turned_point(body[0], f0->p), s1 = turned_point(body[1], f1->p);
  pc_v3 n = other == PC_FEATURE_FACE
                ? pc_pose_turn(body[1], pc_v3_of(f1->d))
                : pc_v3_unit(pc_v3_minus(pc_v3_plus(apart, s0), s1), pc_v3_of(g->n));
  if (f0->radius > 0) s0 = pc_v3_along(s0, -f0->radius, n);
  if (f1->radius > 0) s1 = pc_v3_along(s1, f1->radius, n);
  pc_v3 from_1 = pc_v3_plus(apart, s0);
  double gap = pc_v3_dot(n, pc_v3_minus(from_1, s1));
  return (where){gap, n, {s0, pc_v3_along(from_1, -gap, n)}};
}

PC_INLINE where find_where(const pc_contact_geometry* g, const pc_pose* const body[2])
{
  pc_feature_kind k0 = g->side[0].kind, k1 = g->side[1].kind;
  if (k0 == PC_FEATURE_POINT && k1 == PC_FEATURE_POINT)
    return where_of_point(g, PC_FEATURE_POINT, body);
  if (k0 == PC_FEATURE_POINT && k1 == PC_FEATURE_FACE)
    return where_of_point(g, PC_FEATURE_FACE, body);
  return where_of(g, k0, k1, body);
}

pc_contact_point pc_contact_between(const pc_contact_geometry* g, const pc_pose* const body[2])
{
  where w = find_where(g, body);
  pc_contact_point at = {.gap = w.gap, .n = w.n};
  for (int i = 0; i < 2; i++) at.c[i] = pc_v3_plus(pc_v3_of(body[i]->x), w.arm[i]);
  return at;
}

pc_contact_point pc_contact_at(const pc_contact_geometry* g, const pc_pose body[2])
{
  return pc_contact_between(g, (const pc_pose* const[2]){&body[0], &body[1]});
}

/* ---- derivatives by both bodies ------------------------------------------------------------ */

enum { MOTIONS = 12 }; /* moving and turning body 0, then body 1 */

/* A vector, with its derivatives by the motions. */
typedef struct moving {
  pc_v3 v;
  pc_v3 by[MOTIONS];
} moving;

static const pc_v3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A vector that both bodies together carry along. Moving both leaves it; turning both about the
 * origin of body 1 turns it, and moves body 0 by theta x apart. That gives the derivatives by body
 * 1. */
static moving by_both(pc_jet3 f, pc_v3 apart)
{
  moving r;
  r.v = pc_jet3_value(f);
  for (int k = 0; k < 6; k++) r.by[k] = (pc_v3){f.x.d[k], f.y.d[k], f.z.d[k]};
  for (int k = 0; k < 3; k++) {
    r.by[6 + k] = pc_v3_scaled(-1, r.by[k]);
    pc_v3 shift = pc_v3_cross(axis[k], apart);
    pc_v3 x = pc_v3_minus(pc_v3_cross(axis[k], r.v), r.by[3 + k]);
    x = pc_v3_along(x, -shift.x, r.by[0]);
    x = pc_v3_along(x, -shift.y, r.by[1]);
    r.by[9 + k] = pc_v3_along(x, -shift.z, r.by[2]);
  }
  return r;
}

static moving fixed(pc_v3 v)
{
  moving r;
  memset(&r, 0, sizeof r);
  r.v = v;
  return r;
}

/* ---- tangents ------------------------------------------------------------------------------ */

/* The axes of the reference normal, and what Duff's formulas give in them; see pc_basis_of. */
typedef struct basis {
  pc_v3 a, b, c;
  double sign;
} basis;

PC_INLINE basis basis_of(const double reference[3], pc_v3 n)
{
  double a[3], b[3];
  pc_basis_of(reference, a, b);
  basis r = {pc_v3_of(a), pc_v3_of(b), pc_v3_of(reference), 1};
  if (pc_v3_dot(n, r.c) < -0.5) r.sign = -1;
  return r;
}

static pc_v3 in_axes(const basis* e, double x, double y, double z)
{
  return pc_v3_along(pc_v3_along(pc_v3_scaled(x, e->a), y, e->b), z, e->c);
}

/* The tangents at n = (x, y, z) of the axes, and their change when n moves by (dx, dy, dz). Towards
 * the reference, c, these are a and b less what the turn on the shortest way takes: t - t . n/(1 +
 * c . n) (c + n). */
PC_INLINE void tangents_in(const basis* e, pc_v3 n, pc_v3 t[2])
{
  if (e->sign > 0) {
    double scale = -1 / (1 + pc_v3_dot(n, e->c));
    pc_v3 middle = pc_v3_plus(n, e->c);
    t[0] = pc_v3_along(e->a, scale * pc_v3_dot(n, e->a), middle);
    t[1] = pc_v3_along(e->b, scale * pc_v3_dot(n, e->b), middle);
    return;
  }
  double x = pc_v3_dot(n, e->a), y = pc_v3_dot(n, e->b), z = pc_v3_dot(n, e->c), s = e->sign;
  double k = -1 / (s + z);
  t[0] = in_axes(e, 1 + s * x * x * k, s * x * y * k, -s * x);
  t[1] = in_axes(e, x * y * k, s + y * y * k, -y);
}

static void tangent_change(const basis* e, pc_v3 n, pc_v3 dn, pc_v3 dt[2])
{
  double x = pc_v3_dot(n, e->a), y = pc_v3_dot(n, e->b), z = pc_v3_dot(n, e->c), s = e->sign;
  double dx = pc_v3_dot(dn, e->a), dy = pc_v3_dot(dn, e->b), dz = pc_v3_dot(dn, e->c);
  double k = -1 / (s + z), dk = k * k * dz;
  double xy = dx * y * k + x * dy * k + x * y * dk;
  dt[0] = in_axes(e, s * (2 * x * dx * k + x * x * dk), s * xy, -s * dx);
  dt[1] = in_axes(e, xy, 2 * y * dy * k + y * y * dk, -dy);
}

void pc_contact_tangents(int dimension, const double reference[3], pc_v3 n, pc_v3 tangent[2])
{
  if (dimension == 2) {
    tangent[0] = (pc_v3){n.y, -n.x, 0};
    tangent[1] = (pc_v3){0};
    return;
  }
  basis e = basis_of(reference, n);
  tangents_in(&e, n, tangent);
}

void pc_reference_tangents(int dimension, const double n[3], pc_v3 tangent[2])
{
  double a[3] = {n[1], -n[0]}, b[3] = {0};
  if (dimension == 3) pc_basis_of(n, a, b);
  tangent[0] = pc_v3_of(a);
  tangent[1] = pc_v3_of(b);
}

static void moving_tangents(int dimension, const double reference[3], const moving* n, moving t[2])
{
  pc_v3 value[2];
  pc_contact_tangents(dimension, reference, n->v, value);
  for (int i = 0; i < 2; i++) t[i].v = value[i];
  basis e = basis_of(reference, n->v);
  for (int k = 0; k < MOTIONS; k++) {
    pc_v3 dn = n->by[k], dt[2];
    if (dimension == 2)
      dt[0] = (pc_v3){dn.y, -dn.x, 0}, dt[1] = (pc_v3){0};
    else
      tangent_change(&e, n->v, dn, dt);
    t[0].by[k] = dt[0];
    t[1].by[k] = dt[1];
  }
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* What is written where. */
typedef struct writer {
  const pc_contact_bodies* bodies;
  const pc_pose* pose;
  int n_u, n_q, first_u[2], first_q[2];
  double turn[2][12]; /* pc_rotation_turn_inertial of the bodies in space */
  double *W, *W_q;    /* of the row; W may be NULL */
} writer;

/* One entry of the row with its derivatives by the motions, taken to the coordinates. */
static void put_entry(const writer* w, int entry, double value, const double by[MOTIONS])
{
  if (w->W) w->W[entry] = value;
  int dimension = w->bodies->dimension;
  for (int i = 0; i < 2; i++) {
    pc_carrier carrier = w->bodies->carrier[i];
    const double* d = by + 6 * i;
    double* to = w->W_q + entry * w->n_q + w->first_q[i];
    if (carrier == PC_CARRIER_GROUND) continue;
    for (int k = 0; k < dimension; k++) to[k] = d[k];
    if (carrier != PC_CARRIER_BODY) continue;
    if (dimension == 2) {
      to[2] = d[5];
      continue;
    }
    const double* S = w->turn[i];
    for (int k = 0; k < 4; k++) to[3 + k] = d[3] * S[k] + d[4] * S[4 + k] + d[5] * S[8 + k];
  }
}

static void put_vector(const writer* w, int first, int count, const moving* x)
{
  double value[3], by[3][MOTIONS];
  pc_v3_put(x->v, value);
  for (int k = 0; k < MOTIONS; k++)
    by[0][k] = x->by[k].x, by[1][k] = x->by[k].y, by[2][k] = x->by[k].z;
  for (int i = 0; i < count; i++) put_entry(w, first + i, value[i], by[i]);
}

/* A torque: in the plane its third component, in space its components in the frame of the body.
 * Turning the body by theta takes A' m to A' (m - theta x m). */
static void put_torque(const writer* w, int body, const moving* torque)
{
  int dimension = w->bodies->dimension, first = w->first_u[body] + dimension;
  if (dimension == 2) {
    double by[MOTIONS];
    for (int k = 0; k < MOTIONS; k++) by[k] = torque->by[k].z;
    put_entry(w, first, torque->v.z, by);
    return;
  }
  moving own;
  own.v = pc_pose_turn_back(&w->pose[body], torque->v);
  for (int k = 0; k < MOTIONS; k++) {
    pc_v3 d = torque->by[k];
    int turned = k - 6 * body - 3;
    if (turned >= 0 && turned < 3) d = pc_v3_minus(d, pc_v3_cross(axis[turned], torque->v));
    own.by[k] = pc_pose_turn_back(&w->pose[body], d);
  }
  put_vector(w, first, 3, &own);
}

static moving scaled(double s, const moving* a)
{
  moving r;
  r.v = pc_v3_scaled(s, a->v);
  for (int k = 0; k < MOTIONS; k++) r.by[k] = pc_v3_scaled(s, a->by[k]);
  return r;
}

static moving crossed(const moving* a, const moving* b)
{
  moving r;
  r.v = pc_v3_cross(a->v, b->v);
  for (int k = 0; k < MOTIONS; k++)
    r.by[k] = pc_v3_plus(pc_v3_cross(a->by[k], b->v), pc_v3_cross(a->v, b->by[k]));
  return r;
}

/* The row of a direction: its wrench on body 0, and the opposite on body 1. */
static void put_direction(const writer* w, const moving* e, const moving arm[2])
{
  for (int i = 0; i < 2; i++) {
    if (w->bodies->carrier[i] == PC_CARRIER_GROUND) continue;
    moving force = scaled(i == 0 ? 1 : -1, e);
    put_vector(w, w->first_u[i], w->bodies->dimension, &force);
    if (w->bodies->carrier[i] != PC_CARRIER_BODY) continue;
    moving torque = crossed(&arm[i], &force);
    put_torque(w, i, &torque);
  }
}

/* The row of the relative spin about the normal. */
static void put_spin(const writer* w, const moving* n, double radius)
{
  moving none = fixed((pc_v3){0});
  for (int i = 0; i < 2; i++) {
    if (w->bodies->carrier[i] == PC_CARRIER_GROUND) continue;
    put_vector(w, w->first_u[i], w->bodies->dimension, &none);
    if (w->bodies->carrier[i] != PC_CARRIER_BODY) continue;
    moving torque = scaled(i == 0 ? radius : -radius, n);
    put_torque(w, i, &torque);
  }
}

static writer writer_for(const pc_contact_bodies* bodies, const pc_pose* pose, double* W,
                         double* W_q)
{
  writer w = {.bodies = bodies, .pose = pose, .W = W, .W_q = W_q};
  for (int i = 0; i < 2; i++) {
    w.first_u[i] = w.n_u;
    w.first_q[i] = w.n_q;
    w.n_u += pc_carrier_u_count(bodies->carrier[i], bodies->dimension);
    w.n_q += pc_carrier_q_count(bodies->carrier[i], bodies->dimension);
    if (bodies->dimension == 3 && bodies->carrier[i] == PC_CARRIER_BODY)
      pc_rotation_turn_inertial(bodies->q[i] + 3, w.turn[i]);
  }
  return w;
}

static void next_row(writer* w)
{
  if (w->W) w->W += w->n_u;
  w->W_q += w->n_u * w->n_q;
}

static void put_rows(writer* w, const pc_contact_geometry* g, const pc_contact_friction* friction,
                     const moving* n, const moving arm[2])
{
  moving t[2];
  put_direction(w, n, arm);
  if (!friction->rows) return;
  moving_tangents(w->bodies->dimension, g->n, n, t);
  for (int i = 0; i < friction->rows && i < w->bodies->dimension - 1; i++) {
    next_row(w);
    put_direction(w, &t[i], arm);
  }
  if (w->bodies->dimension < 3 || friction->rows < 3) return;
  next_row(w);
  put_spin(w, n, friction->contensou_radius);
}

/* ---- rows without derivatives: the most frequent case -------------------------------------- */

/* A contact's rows as directions and arms, without derivatives. */
typedef struct plain {
  const pc_contact_bodies* bodies;
  const pc_pose* pose;
  pc_v3 arm[2];
} plain;

static void put_plain_torque(const plain* p, int body, pc_v3 torque, double* to)
{
  if (p->bodies->dimension == 2) {
    to[0] = torque.z;
    return;
  }
  pc_v3_put(pc_pose_turn_back(&p->pose[body], torque), to);
}

/* The row of a direction e at the arms, and the next one. */
static double* put_plain_direction(const plain* p, pc_v3 e, double* W)
{
  int dimension = p->bodies->dimension;
  for (int i = 0; i < 2; i++) {
    pc_carrier carrier = p->bodies->carrier[i];
    if (carrier == PC_CARRIER_GROUND) continue;
    pc_v3 force = i == 0 ? e : pc_v3_scaled(-1, e);
    W[0] = force.x, W[1] = force.y;
    if (dimension == 3) W[2] = force.z;
    if (carrier == PC_CARRIER_BODY)
      put_plain_torque(p, i, pc_v3_cross(p->arm[i], force), W + dimension);
    W += pc_carrier_u_count(carrier, dimension);
  }
  return W;
}

static void put_plain_spin(const plain* p, pc_v3 n, double radius, double* W)
{
  int dimension = p->bodies->dimension;
  for (int i = 0; i < 2; i++) {
    pc_carrier carrier = p->bodies->carrier[i];
    if (carrier == PC_CARRIER_GROUND) continue;
    for (int k = 0; k < dimension; k++) W[k] = 0;
    if (carrier == PC_CARRIER_BODY)
      put_plain_torque(p, i, pc_v3_scaled(i == 0 ? radius : -radius, n), W + dimension);
    W += pc_carrier_u_count(carrier, dimension);
  }
}

static void put_plain_rows(const plain* p, const pc_contact_geometry* g, pc_v3 n,
                           const pc_contact_friction* friction, double* W)
{
  int dimension = p->bodies->dimension;
  W = put_plain_direction(p, n, W);
  if (!friction->rows) return;
  pc_v3 t[2];
  pc_contact_tangents(dimension, g->n, n, t);
  for (int i = 0; i < friction->rows && i < dimension - 1; i++) W = put_plain_direction(p, t[i], W);
  if (dimension == 3 && friction->rows == 3) put_plain_spin(p, n, friction->contensou_radius, W);
}

/* ---- bodies in space with friction in a plane: the most frequent ones of these -------------- */

static int is_usual(const pc_contact_bodies* b, const pc_contact_friction* friction)
{
  return b->dimension == 3 && friction->rows == 2 && b->carrier[0] != PC_CARRIER_POINT &&
         b->carrier[1] != PC_CARRIER_POINT;
}

/* The entries of one body, 6 in each of the three rows, which are n_u long. */
PC_INLINE void put_usual_body(const pc_pose* pose, double sign, pc_v3 arm, const pc_v3 e[3],
                              int n_u, double* W)
{
  for (int r = 0; r < 3; r++, W += n_u) {
    pc_v3 force = pc_v3_scaled(sign, e[r]);
    pc_v3_put(force, W);
    pc_v3_put(pc_pose_turn_back(pose, pc_v3_cross(arm, force)), W + 3);
  }
}

/* The same for a sphere about the centre of its body, whose arm is -sign radius n: along n there is
 * no torque, and tangents take each other's place, n x t_1 = t_2. */
PC_INLINE void put_sphere(const pc_pose* pose, double sign, double radius, const pc_v3 e[3],
                          int n_u, double* W)
{
  for (int r = 0; r < 3; r++) pc_v3_put(pc_v3_scaled(sign, e[r]), W + r * n_u);
  pc_v3_put((pc_v3){0}, W + 3);
  pc_v3_put(pc_v3_scaled(-radius, pc_pose_turn_back(pose, e[2])), W + n_u + 3);
  pc_v3_put(pc_v3_scaled(radius, pc_pose_turn_back(pose, e[1])), W + 2 * n_u + 3);
}

static int is_sphere(const pc_feature* f)
{
  return f->kind == PC_FEATURE_POINT && f->p[0] == 0 && f->p[1] == 0 && f->p[2] == 0;
}

PC_INLINE void put_usual_side(const pc_contact_geometry* g, const pc_pose* pose, int side,
                              pc_v3 arm, const pc_v3 e[3], int n_u, double* W)
{
  double sign = side == 0 ? 1 : -1;
  if (is_sphere(&g->side[side]))
    put_sphere(pose, sign, g->side[side].radius, e, n_u, W);
  else
    put_usual_body(pose, sign, arm, e, n_u, W);
}

static void put_usual_rows(const pc_contact_geometry* g, const pc_contact_bodies* bodies,
                           const pc_pose pose[2], const where* at, double* W)
{
  pc_v3 e[3] = {at->n};
  basis axes = basis_of(g->n, at->n);
  tangents_in(&axes, at->n, e + 1);
  if (bodies->carrier[1] == PC_CARRIER_GROUND) {
    put_usual_side(g, &pose[0], 0, at->arm[0], e, 6, W);
  } else if (bodies->carrier[0] == PC_CARRIER_GROUND) {
    put_usual_side(g, &pose[1], 1, at->arm[1], e, 6, W);
  } else {
    put_usual_side(g, &pose[0], 0, at->arm[0], e, 12, W);
    put_usual_side(g, &pose[1], 1, at->arm[1], e, 12, W + 6);
  }
}

static void put_values(const pc_contact_geometry* g, const pc_contact_bodies* bodies,
                       const pc_contact_friction* friction, const pc_pose pose[2], double* gap,
                       double* W)
{
  where at = find_where(g, (const pc_pose* const[2]){&pose[0], &pose[1]});
  if (gap) *gap = at.gap;
  if (!W) return;
  if (is_usual(bodies, friction)) {
    put_usual_rows(g, bodies, pose, &at, W);
    return;
  }
  plain rows = {bodies, pose, {at.arm[0], at.arm[1]}};
  put_plain_rows(&rows, g, at.n, friction, W);
}

/* The same as pc_carrier_pose; most bodies are in space. */
PC_INLINE void put_pose(const pc_contact_bodies* bodies, int i, pc_pose* pose)
{
  const double* q = bodies->q[i];
  if (bodies->carrier[i] != PC_CARRIER_BODY || bodies->dimension != 3) {
    *pose = pc_carrier_pose(bodies->carrier[i], bodies->dimension, q);
    return;
  }
  memcpy(pose->x, q, sizeof pose->x);
  pc_rotation_matrix(q + 3, pose->A);
}

void pc_contact_rows(const pc_contact_geometry* g, const pc_contact_bodies* bodies,
                     const pc_contact_friction* friction, double* gap, double* W, double* W_q)
{
  pc_pose pose[2];
  for (int i = 0; i < 2; i++) put_pose(bodies, i, &pose[i]);
  if (!W_q) {
    put_values(g, bodies, friction, pose, gap, W);
    return;
  }
  placed p =
      place(g, g->side[0].kind, g->side[1].kind, (const pc_pose* const[2]){&pose[0], &pose[1]});
  pc_contact_jets c = jets_of(PC_JET_SIZE, &p, pc_v3_of(g->n));
  if (gap) *gap = c.gap.v;
  moving n = by_both(c.n, p.apart), arm[2];
  for (int i = 0; i < 2; i++) arm[i] = by_both(c.arm[i], p.apart);
  writer w = writer_for(bodies, pose, W, W_q);
  put_rows(&w, g, friction, &n, arm);
  if (W && is_usual(bodies, friction)) put_values(g, bodies, friction, pose, NULL, W);
}
