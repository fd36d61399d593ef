/* Rows of contacts against central differences, for every pair of features and every pair of
 * carriers. */
#include "collide/contact_rows.h"

#include <string.h>

#include "collide/shapes.h"

enum { ROWS_MOST = 4, U_MOST = 12, Q_MOST = 14 };

typedef struct sample {
  pc_contact_geometry g;
  pc_contact_bodies bodies;
  pc_contact_friction friction;
  double q[2][7];
  int n_u, n_q;
  double axis[2][3]; /* of curved features */
} sample;

/* Of the last samples: a cylinder of radius a_2 about e_0, or an ellipsoid with these axes. */
static const pc_collider* curve_with(const double a[3], int rim, double e[3][3])
{
  enum { KEPT = 4 };
  static pc_geometry geometry[KEPT];
  static pc_collider collider[KEPT];
  static int next;
  int at = next++ % KEPT;
  geometry[at] = (pc_geometry){.kind = rim ? PC_GEOMETRY_CYLINDER : PC_GEOMETRY_ELLIPSOID,
                               .radius = a[2],
                               .half = {a[0], a[1], a[2]}};
  collider[at] = (pc_collider){.geometry = &geometry[at]};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) collider[at].pose.A[3 * i + k] = e[rim ? (k + 1) % 3 : k][i];
  return &collider[at];
}

static pc_feature random_feature(random_source* r, pc_feature_kind kind, int dimension, int rim,
                                 double axis[3])
{
  pc_feature f = {.kind = kind, .radius = kind == PC_FEATURE_CURVED ? 0 : uniform(r, 0, 0.3)};
  for (int i = 0; i < dimension; i++) f.p[i] = uniform(r, -0.4, 0.4);
  pc_v3_put(random_unit(r, dimension), axis);
  if (kind != PC_FEATURE_CURVED) {
    memcpy(f.d, axis, sizeof f.d);
    return f;
  }
  /* E = sum a_i^2 e_i e_i' over orthonormal e_i; a rim has a_0 = 0 and the axis e_0, that of its
   * cylinder */
  double e[3][3];
  memcpy(e[0], axis, sizeof e[0]);
  pc_basis_of(e[0], e[1], e[2]);
  const double a[3] = {rim ? 0 : uniform(r, 0.2, 0.6), uniform(r, 0.2, 0.6), 0.4};
  f.curve = curve_with(a, rim, e);
  return f;
}

static void random_coordinates(random_source* r, pc_carrier carrier, int dimension, double* q)
{
  random_numbers(r, 7, q);
  if (dimension == 3 && carrier == PC_CARRIER_BODY)
    for (int i = 3; i < 7; i++) q[i] += i == 3 ? 1.5 : 0; /* a quaternion of any length but zero */
}

static sample random_sample(random_source* r, int dimension, const pc_feature_kind kind[2],
                            const pc_carrier carrier[2], int rim)
{
  sample s = {.bodies = {.dimension = dimension, .carrier = {carrier[0], carrier[1]}},
              .friction = {dimension == 2 ? 1 : 3, 0.7}};
  pc_pose pose[2];
  for (int i = 0; i < 2; i++) {
    s.g.side[i] = random_feature(r, kind[i], dimension, rim, s.axis[i]);
    random_coordinates(r, carrier[i], dimension, s.q[i]);
    s.n_q += pc_carrier_q_count(carrier[i], dimension);
    s.n_u += pc_carrier_u_count(carrier[i], dimension);
    pose[i] = pc_carrier_pose(carrier[i], dimension, s.q[i]);
  }
  pc_v3 start = pc_v3_minus(pc_pose_apply(&pose[0], pc_v3_of(s.g.side[0].p)),
                            pc_pose_apply(&pose[1], pc_v3_of(s.g.side[1].p)));
  pc_v3_put(pc_v3_unit(start, (pc_v3){1, 0, 0}), s.g.n);
  pc_v3_put(pc_contact_at(&s.g, pose).n, s.g.n);
  /* not quite the normal here, as it is within a step */
  if (dimension == 3) {
    s.g.n[0] += 0.01, s.g.n[1] -= 0.02;
    pc_v3_put(pc_v3_unit(pc_v3_of(s.g.n), (pc_v3){1, 0, 0}), s.g.n);
  }
  return s;
}

static void rows_at(const sample* s, double* gap, double* W, double* W_q)
{
  sample here = *s;
  for (int i = 0; i < 2; i++) here.bodies.q[i] = here.q[i];
  pc_contact_rows(&here.g, &here.bodies, &here.friction, gap, W, W_q);
}

/* The coordinate k of both bodies. */
static double* coordinate(sample* s, int k)
{
  int first = pc_carrier_q_count(s->bodies.carrier[0], s->bodies.dimension);
  return k < first ? &s->q[0][k] : &s->q[1][k - first];
}

static void check_gap_rate(const sample* s, random_source* r)
{
  const double h = 1e-6;
  double u[U_MOST], W[ROWS_MOST * U_MOST], rate = 0, gap[2];
  random_numbers(r, s->n_u, u);
  rows_at(s, NULL, W, NULL);
  for (int k = 0; k < s->n_u; k++) rate += W[k] * u[k];
  for (int side = 0; side < 2; side++) {
    sample moved = *s;
    const double* v = u;
    for (int i = 0; i < 2; i++) {
      int dimension = s->bodies.dimension, turns = s->bodies.carrier[i] == PC_CARRIER_BODY;
      if (s->bodies.carrier[i] == PC_CARRIER_GROUND) continue;
      double q_dot[7] = {0}, step = side ? h : -h;
      for (int k = 0; k < dimension; k++) q_dot[k] = v[k];
      if (turns && dimension == 2) q_dot[2] = v[2];
      if (turns && dimension == 3) pc_rotation_rate(s->q[i] + 3, v + 3, q_dot + 3);
      for (int k = 0; k < 7; k++) moved.q[i][k] += step * q_dot[k];
      v += pc_carrier_u_count(s->bodies.carrier[i], dimension);
    }
    rows_at(&moved, &gap[side], NULL, NULL);
  }
  CHECK_NEAR((gap[1] - gap[0]) / (2 * h), rate, 1e-7);
}

static void check_slopes(const sample* s)
{
  const double h = 1e-5;
  int rows = 1 + s->friction.rows;
  double W_q[ROWS_MOST * U_MOST * Q_MOST], W[2][ROWS_MOST * U_MOST], same[ROWS_MOST * U_MOST],
      alone[ROWS_MOST * U_MOST];
  rows_at(s, NULL, same, W_q);
  rows_at(s, NULL, alone, NULL);
  for (int k = 0; k < rows * s->n_u; k++) CHECK_NEAR(same[k], alone[k], 0);
  double largest = 1;
  for (int k = 0; k < rows * s->n_u * s->n_q; k++) largest = fmax(largest, fabs(W_q[k]));
  for (int k = 0; k < s->n_q; k++) {
    sample plus = *s, minus = *s;
    *coordinate(&plus, k) += h;
    *coordinate(&minus, k) -= h;
    rows_at(&plus, NULL, W[0], NULL);
    rows_at(&minus, NULL, W[1], NULL);
    for (int e = 0; e < rows * s->n_u; e++)
      CHECK_NEAR(W_q[e * s->n_q + k], (W[0][e] - W[1][e]) / (2 * h),
                 1e-6 * largest * largest * largest);
  }
}

static void check_point(const sample* s)
{
  pc_pose pose[2];
  for (int i = 0; i < 2; i++)
    pose[i] = pc_carrier_pose(s->bodies.carrier[i], s->bodies.dimension, s->q[i]);
  pc_contact_point at = pc_contact_at(&s->g, pose);
  pc_v3 difference = pc_v3_minus(at.c[0], at.c[1]), t[2];
  CHECK_NEAR(pc_v3_length(at.n), 1, 1e-14);
  CHECK_NEAR(pc_v3_length(pc_v3_along(difference, -at.gap, at.n)), 0, 1e-13);
  pc_contact_tangents(s->bodies.dimension, s->g.n, at.n, t);
  for (int i = 0; i < s->bodies.dimension - 1; i++) {
    CHECK_NEAR(pc_v3_length(t[i]), 1, 1e-14);
    CHECK_NEAR(pc_v3_dot(t[i], at.n), 0, 1e-14);
  }
  CHECK_NEAR(pc_v3_dot(t[0], t[1]), 0, 1e-14);
}

/* Differences cannot tell derivatives where a normal turns within their step: features close to
 * each other with cores that touch, nearly parallel lines. And a point above a disc is nearest to
 * its face, not to its rim: the gap has its maximum where it has a kink, at the axis. */
static int is_smooth(const sample* s)
{
  pc_pose pose[2];
  for (int i = 0; i < 2; i++)
    pose[i] = pc_carrier_pose(s->bodies.carrier[i], s->bodies.dimension, s->q[i]);
  pc_v3 n = pc_contact_at(&s->g, pose).n;
  for (int i = 0; i < 2; i++) {
    pc_v3 axis = pc_pose_turn(&pose[i], pc_v3_of(s->axis[i]));
    if (s->g.side[i].kind == PC_FEATURE_CURVED && pc_v3_length(pc_v3_cross(n, axis)) < 0.1)
      return 0;
  }
  double W_q[ROWS_MOST * U_MOST * Q_MOST], gap;
  rows_at(s, &gap, NULL, W_q);
  for (int k = 0; k < (1 + s->friction.rows) * s->n_u * s->n_q; k++)
    if (!(fabs(W_q[k]) < 30)) return 0;
  return 1;
}

static void check_pair(random_source* r, int dimension, pc_feature_kind a, pc_feature_kind b,
                       int rim)
{
  static const pc_carrier carrier[5][2] = {{PC_CARRIER_BODY, PC_CARRIER_BODY},
                                           {PC_CARRIER_BODY, PC_CARRIER_GROUND},
                                           {PC_CARRIER_GROUND, PC_CARRIER_BODY},
                                           {PC_CARRIER_POINT, PC_CARRIER_BODY},
                                           {PC_CARRIER_BODY, PC_CARRIER_POINT}};
  const pc_feature_kind kind[2] = {a, b};
  int checked = 0;
  for (int trial = 0; trial < 100; trial++) {
    sample s = random_sample(r, dimension, kind, carrier[trial % 5], rim);
    if (dimension == 3 && trial % 2) s.friction.rows = 2;
    if (trial % 3 == 0 && a == PC_FEATURE_POINT) memset(s.g.side[0].p, 0, sizeof s.g.side[0].p);
    if (!is_smooth(&s)) continue;
    check_point(&s);
    check_gap_rate(&s, r);
    check_slopes(&s);
    checked++;
  }
  assert_true(checked > 60);
}

static void rows_in_the_plane_are_derivatives_of_the_gap(void** state)
{
  (void)state;
  random_source r = {101};
  check_pair(&r, 2, PC_FEATURE_POINT, PC_FEATURE_POINT, 0);
  check_pair(&r, 2, PC_FEATURE_POINT, PC_FEATURE_FACE, 0);
  check_pair(&r, 2, PC_FEATURE_FACE, PC_FEATURE_POINT, 0);
}

static void rows_in_space_are_derivatives_of_the_gap(void** state)
{
  (void)state;
  static const pc_feature_kind kind[5] = {PC_FEATURE_POINT, PC_FEATURE_LINE, PC_FEATURE_FACE,
                                          PC_FEATURE_CURVED, PC_FEATURE_CURVED};
  random_source r = {103};
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++) {
      pc_feature_kind ka = kind[a], kb = kind[b];
      if (ka == PC_FEATURE_FACE && (kb == PC_FEATURE_FACE || kb == PC_FEATURE_LINE)) continue;
      if (kb == PC_FEATURE_FACE && ka == PC_FEATURE_LINE) continue;
      check_pair(&r, 3, ka, kb, a == 4 || b == 4);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_in_the_plane_are_derivatives_of_the_gap),
      cmocka_unit_test(rows_in_space_are_derivatives_of_the_gap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
