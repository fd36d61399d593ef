/* A rigid body in space: q = (x, p) with the centre of mass x and a quaternion p, scalar first;
 * u = (v, w) with the velocity v in the inertial frame and the angular velocity w in the body's:
 *     x' = v,  p' = Q(p) w/2,  m v' = m g,  Theta w' = -w x Theta w.
 * p' conserves |p|, and all geometry depends on p/|p| alone (see rotation.h), so p is not kept at
 * unit length by anything else. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "elements/attach.h"
#include "elements/body_spatial.h"
#include "elements/part_names.h"

typedef struct spatial_body {
  double mass;
  double inertia[9]; /* about the centre of mass, in the body's frame */
  double gravity[3];
  int is_isotropic; /* inertia is a multiple of the unit matrix: there is no gyroscopic torque */
} spatial_body;

/* ---- kinematics --------------------------------------------------------------------------- */

static void q_dot(const void* user, double t, const double* q, const double* u, double* rate)
{
  (void)user;
  (void)t;
  for (int i = 0; i < 3; i++) rate[i] = u[i];
  pc_rotation_rate(q + 3, u + 3, rate + 3);
}

static void B(const void* user, double t, const double* q, double* matrix)
{
  (void)user;
  (void)t;
  memset(matrix, 0, 7 * 6 * sizeof *matrix);
  for (int i = 0; i < 3; i++) matrix[i * 6 + i] = 1;
  pc_rotation_rate_w(q + 3, matrix + 3 * 6 + 3, 6);
}

/* p' = 1/2 p o (0, w) is linear in p */
static void q_dot_q(const void* user, double t, const double* q, const double* u, double* K)
{
  (void)user;
  (void)t;
  (void)q;
  memset(K, 0, 7 * 7 * sizeof *K);
  pc_rotation_rate_p(u + 3, K + 3 * 7 + 3, 7);
}

void pc_spatial_retract(const void* user, double t, double dt, const double* q_0, const double* d,
                        double* q)
{
  (void)user;
  (void)t;
  (void)dt;
  double turn[4];
  for (int i = 0; i < 3; i++) q[i] = q_0[i] + d[i];
  pc_rotation_exp(d + 3, turn);
  pc_quaternion_product(q_0 + 3, turn, q + 3);
}

const pc_kinematics pc_spatial_kinematics = {
    .q_dot = q_dot, .B = B, .q_dot_q = q_dot_q, .plain = 3};

/* ---- terms -------------------------------------------------------------------------------- */

static void fill_M(const spatial_body* b, double* M)
{
  for (int i = 0; i < 3; i++) {
    M[i * 6 + i] = b->mass;
    for (int k = 0; k < 3; k++) M[(3 + i) * 6 + 3 + k] = b->inertia[3 * i + k];
  }
}

/* d(-w x L)/dw with L = Theta w: column k is L x e_k - w x (Theta e_k) */
static void fill_h_u(const spatial_body* b, const double w[3], const double L[3], double* h_u)
{
  for (int k = 0; k < 3; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    const double column[3] = {b->inertia[k], b->inertia[3 + k], b->inertia[6 + k]};
    double first[3], second[3];
    pc_cross(L, axis, first);
    pc_cross(w, column, second);
    for (int i = 0; i < 3; i++) h_u[(3 + i) * 6 + 3 + k] = first[i] - second[i];
  }
}

static void evaluate(const void* data, pc_local* l)
{
  const spatial_body* b = data;
  const double *v = l->u, *w = l->u + 3;
  double L[3];
  pc_rotation_apply(b->inertia, w, L);
  if (l->M) fill_M(b, l->M);
  if (l->h) {
    for (int i = 0; i < 3; i++) l->h[i] = b->mass * b->gravity[i];
    if (!b->is_isotropic) pc_cross(L, w, l->h + 3);
  }
  if (l->h_u) fill_h_u(b, w, L, l->h_u);
  for (int i = 0; l->energy && i < 3; i++) {
    l->energy[0] += (b->mass * v[i] * v[i] + w[i] * L[i]) / 2;
    l->energy[1] -= b->mass * b->gravity[i] * l->q[i];
  }
}

static const pc_element_ops ops = {.kind = "body", .evaluate = evaluate};

/* ---- checks ------------------------------------------------------------------------------- */

/* Turns rows and columns i and k of a symmetric matrix so that S_ik vanishes. */
static void rotate_pair(double S[9], int i, int k)
{
  if (S[3 * i + k] == 0) return;
  double angle = pc_atan2(2 * S[3 * i + k], S[3 * i + i] - S[3 * k + k]) / 2;
  double c = pc_cos(angle), s = pc_sin(angle);
  for (int j = 0; j < 3; j++) {
    double x = S[3 * i + j], y = S[3 * k + j];
    S[3 * i + j] = c * x + s * y;
    S[3 * k + j] = c * y - s * x;
  }
  for (int j = 0; j < 3; j++) {
    double x = S[3 * j + i], y = S[3 * j + k];
    S[3 * j + i] = c * x + s * y;
    S[3 * j + k] = c * y - s * x;
  }
}

/* The principal moments, ascending, by Jacobi's method: it converges quadratically, and ten sweeps
 * are more than a matrix of this size needs. */
static void principal_moments(const double inertia[9], double moment[3])
{
  double S[9];
  memcpy(S, inertia, sizeof S);
  for (int sweep = 0; sweep < 10; sweep++) {
    rotate_pair(S, 0, 1);
    rotate_pair(S, 0, 2);
    rotate_pair(S, 1, 2);
  }
  double a = S[0], b = S[4], c = S[8];
  moment[0] = fmin(fmin(a, b), c);
  moment[2] = fmax(fmax(a, b), c);
  moment[1] = fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* A flat body, such as a thin disc, has one moment that is the sum of the others but for
 * rounding. */
static const double FLAT = 1e-9;

static pc_status check_inertia(const pc_adding* a, const double inertia[9])
{
  PC_TRY(pc_check_finite(a, "inertia", 9, inertia));
  double m[3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < i; k++)
      if (inertia[3 * i + k] != inertia[3 * k + i])
        return pc_fail(a->error, PC_BAD_MODEL,
                       "%s '%s': inertia is not symmetric: %g and %g in row %d, column %d and back",
                       a->kind, a->name, inertia[3 * i + k], inertia[3 * k + i], i + 1, k + 1);
  principal_moments(inertia, m);
  if (!(m[0] > 0))
    return pc_fail(
        a->error, PC_BAD_MODEL,
        "%s '%s': inertia is not positive definite: its principal moments are %g, %g, %g", a->kind,
        a->name, m[0], m[1], m[2]);
  if (m[2] > (m[0] + m[1]) * (1 + FLAT))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': inertia is that of no body: its principal moments are %g, %g, %g, and "
                   "the largest exceeds the sum of the others",
                   a->kind, a->name, m[0], m[1], m[2]);
  return PC_OK;
}

/* The quaternion of unit length. */
static pc_status check_orientation(const pc_adding* a, const double given[4], double p[4])
{
  PC_TRY(pc_check_finite(a, "orientation", 4, given));
  double largest = 0, square = 0;
  for (int i = 0; i < 4; i++) largest = fmax(largest, fabs(given[i]));
  if (!(largest > 0))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': orientation is zero; a quaternion must have a length", a->kind,
                   a->name);
  for (int i = 0; i < 4; i++) square += given[i] / largest * (given[i] / largest);
  for (int i = 0; i < 4; i++) p[i] = given[i] / largest / sqrt(square);
  return PC_OK;
}

static pc_status check(const pc_adding* a, const pc_spatial_body_def* def, double p[4])
{
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_spatial(a));
  PC_TRY(pc_check_positive(a, "mass", def->mass));
  PC_TRY(check_inertia(a, def->inertia));
  PC_TRY(pc_check_finite(a, "position", 3, def->position));
  PC_TRY(check_orientation(a, def->orientation, p));
  PC_TRY(pc_check_finite(a, "velocity", 3, def->velocity));
  return pc_check_finite(a, "angular_velocity", 3, def->angular_velocity);
}

static int is_diagonal(const double inertia[9])
{
  for (int i = 0; i < 9; i++)
    if (i % 4 != 0 && inertia[i] != 0) return 0;
  return 1;
}

/* Spheres, cubes. */
static int is_isotropic(const double inertia[9])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (inertia[3 * i + k] != (i == k ? inertia[0] : 0)) return 0;
  return 1;
}

/* ---- adding ------------------------------------------------------------------------------- */

pc_status pc_add_spatial_body(pc_system* system, const pc_spatial_body_def* def, pc_part_id* id,
                              pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops.kind, def->name, error};
  double q0[7], u0[6];
  PC_TRY(check(&a, def, q0 + 3));
  for (int i = 0; i < 3; i++) {
    q0[i] = def->position[i];
    u0[i] = def->velocity[i];
    u0[3 + i] = def->angular_velocity[i];
  }
  const pc_part_def part = {
      .kind = PC_PART_SPATIAL_BODY,
      .q_count = 7,
      .u_count = 6,
      .q0 = q0,
      .u0 = u0,
      .q_unit = (const char* const[]){"m", "m", "m", "", "", "", ""},
      .u_unit = (const char* const[]){"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"},
      .kinematics = pc_spatial_kinematics,
      .retract = pc_spatial_retract,
  };
  PC_TRY(pc_add_named_part(&a, &part, (const char* const[]){"x", "y", "z", "qw", "qx", "qy", "qz"},
                           (const char* const[]){"vx", "vy", "vz", "wx", "wy", "wz"}, id));

  const double* g = pc_system_gravity(system);
  spatial_body data = {.mass = def->mass, .gravity = {g[0], g[1], g[2]}};
  memcpy(data.inertia, def->inertia, sizeof data.inertia);
  data.is_isotropic = is_isotropic(data.inertia);
  pc_element_def element = {
      .ops = &ops,
      .part_count = 1,
      .part = id,
      .provides = PC_TERM_M | PC_TERM_ENERGY | PC_TERM_H | PC_TERM_H_U,
      .constant = PC_TERM_M,
      .diagonal_M = is_diagonal(data.inertia),
  };
  if (data.is_isotropic) {
    element.provides &= ~(unsigned)PC_TERM_H_U;
    element.constant |= PC_TERM_H;
  }
  return pc_add_copy(&a, &element, &data, sizeof data);
}
