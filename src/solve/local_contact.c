/* One contact with the others held. Its problem hardly changes from one sweep to the next, so that
 * its mode and its direction of slip are those of the last sweep and a few steps away. Stick is a
 * product with the inverse block, which is known beforehand. Slip in a plane has one unknown, the
 * direction t = (cos, sin): with z_F = mu z_N t,
 *
 *     z_N(t) = -q_N / (a_NN + mu a_NF t),   y_F(t) = q_F + z_N (a_FN + mu a_FF t),
 *     n . y_F = 0,   n _|_ t
 *
 * which Newton's method solves from the last t in one to three steps. Whatever it does not solve
 * goes to the exact solution of contact.c. */
#include "solve/local_contact.h"

#include <math.h>

#include "solve/contact.h"

enum { TURNS_MAX = 6 }; /* Newton steps for the direction of slip */

/* Slip with a friction force that differs by less than this part of the velocities is within
 * round-off of stick. */
static const double round_off = 1e-14;

/* A determinant below this part of the product of the diagonal: the block has no usable inverse. */
static const double singular = 1e-10;

/* --- preparation --- */

static int invert_2(const double* a, double* inverse)
{
  double det = a[0] * a[3] - a[1] * a[2];
  if (!(fabs(det) > singular * fabs(a[0] * a[3]))) return 0;
  inverse[0] = a[3] / det;
  inverse[1] = -a[1] / det;
  inverse[2] = -a[2] / det;
  inverse[3] = a[0] / det;
  return 1;
}

static int invert_3(const double* a, double* inverse)
{
  double c_0 = a[4] * a[8] - a[5] * a[7], c_1 = a[5] * a[6] - a[3] * a[8],
         c_2 = a[3] * a[7] - a[4] * a[6];
  double det = a[0] * c_0 + a[1] * c_1 + a[2] * c_2;
  if (!(fabs(det) > singular * fabs(a[0] * a[4] * a[8]))) return 0;
  double f = 1 / det;
  inverse[0] = f * c_0;
  inverse[1] = f * (a[2] * a[7] - a[1] * a[8]);
  inverse[2] = f * (a[1] * a[5] - a[2] * a[4]);
  inverse[3] = f * c_1;
  inverse[4] = f * (a[0] * a[8] - a[2] * a[6]);
  inverse[5] = f * (a[2] * a[3] - a[0] * a[5]);
  inverse[6] = f * c_2;
  inverse[7] = f * (a[1] * a[6] - a[0] * a[7]);
  inverse[8] = f * (a[0] * a[4] - a[1] * a[3]);
  return 1;
}

void pc_local_contact_prepare(pc_local_contact* c, int rows, const double* a)
{
  *c = (pc_local_contact){.mode = PC_CONTACT_STICK};
  if (rows == 2) c->is_regular = invert_2(a, c->inverse);
  if (rows == 3) c->is_regular = invert_3(a, c->inverse);
}

/* --- one contact with friction in a plane --- */

/* z = -a^-1 q. Returns whether it lies in the cone. */
static int stick_3(const pc_local_contact* c, double mu, const double* q, double* z)
{
  const double* i = c->inverse;
  if (!c->is_regular) return 0;
  z[0] = -(i[0] * q[0] + i[1] * q[1] + i[2] * q[2]);
  z[1] = -(i[3] * q[0] + i[4] * q[1] + i[5] * q[2]);
  z[2] = -(i[6] * q[0] + i[7] * q[1] + i[8] * q[2]);
  double radius = mu * z[0];
  return z[0] > 0 && z[1] * z[1] + z[2] * z[2] <= radius * radius;
}

/* (1 + x)^-1/2 for 0 <= x <= 1; small turns are the most frequent ones, and for them its series is
 * exact to the last digit. */
static inline double inverse_root(double x)
{
  if (x > 1e-4) return 1 / sqrt(1 + x);
  return 1 - x * (0.5 - x * (0.375 - x * (0.3125 - x * 0.2734375)));
}

/* Newton's method for the direction of slip from t. Returns whether it found a slip that friction
 * opposes; t is then the direction of friction. */
static int slip_3(const double* a, double mu, const double* q, double last_turn, double* t,
                  double* z)
{
  double t_1 = t[0], t_2 = t[1];
  for (int turn = 0; turn < TURNS_MAX; turn++) {
    double D = a[0] + mu * (a[1] * t_1 + a[2] * t_2);
    if (!(D > 0)) return 0;
    double inverse = 1 / D, z_N = -q[0] * inverse;
    double g_1 = a[3] + mu * (a[4] * t_1 + a[5] * t_2), g_2 = a[6] + mu * (a[7] * t_1 + a[8] * t_2);
    double y_1 = q[1] + z_N * g_1, y_2 = q[2] + z_N * g_2;
    double along = t_1 * y_1 + t_2 * y_2, across = t_1 * y_2 - t_2 * y_1;
    /* derivatives by the angle: n = (-t_2, t_1) */
    double dz_N = -z_N * mu * (a[2] * t_1 - a[1] * t_2) * inverse, w = mu * z_N;
    double dy_1 = dz_N * g_1 + w * (a[5] * t_1 - a[4] * t_2);
    double dy_2 = dz_N * g_2 + w * (a[8] * t_1 - a[7] * t_2);
    double slope = t_1 * dy_2 - t_2 * dy_1 - along;
    if (!(slope > 0)) return 0;
    double angle = -across / slope;
    if (fabs(angle) > 1) angle = angle > 0 ? 1 : -1;
    double n_1 = t_1 - angle * t_2, n_2 = t_2 + angle * t_1;
    double norm = inverse_root(angle * angle);
    t_1 = norm * n_1;
    t_2 = norm * n_2;
    if (fabs(angle) > last_turn) continue;
    if (along > round_off * (fabs(q[1]) + fabs(q[2]))) return 0;
    D = a[0] + mu * (a[1] * t_1 + a[2] * t_2);
    if (!(D > 0)) return 0;
    z[0] = -q[0] / D;
    z[1] = mu * z[0] * t_1;
    z[2] = mu * z[0] * t_2;
    t[0] = t_1;
    t[1] = t_2;
    return 1;
  }
  return 0;
}

/* The direction of friction in z, for the next sweep. */
static void remember_3(pc_local_contact* c, double mu, const double* z)
{
  double length = sqrt(z[1] * z[1] + z[2] * z[2]);
  c->mode = PC_CONTACT_STICK;
  if (!(z[0] > 0) || !(length >= mu * z[0] * (1 - 1e-9))) return;
  c->mode = PC_CONTACT_SLIP;
  c->t[0] = z[1] / length;
  c->t[1] = z[2] / length;
}

static void solve_3(pc_local_contact* c, double mu, const double* a, const double* q,
                    double last_turn, double* z)
{
  if (c->mode == PC_CONTACT_SLIP && slip_3(a, mu, q, last_turn, c->t, z)) return;
  if (stick_3(c, mu, q, z)) {
    c->mode = PC_CONTACT_STICK;
    return;
  }
  double length = sqrt(z[1] * z[1] + z[2] * z[2]);
  if (c->is_regular && z[0] > 0 &&
      length > 0) { /* slip begins in the direction in which it stuck */
    c->t[0] = z[1] / length;
    c->t[1] = z[2] / length;
    c->mode = PC_CONTACT_SLIP;
    if (slip_3(a, mu, q, last_turn, c->t, z)) return;
  }
  pc_contact_solve(&(pc_cone){0, 2, mu}, a, q, z);
  remember_3(c, mu, z);
}

/* --- one contact with friction along a line --- */

static void solve_2(const pc_local_contact* c, double mu, const double* a, const double* q,
                    double* z)
{
  if (!c->is_regular) {
    pc_contact_solve(&(pc_cone){0, 1, mu}, a, q, z);
    return;
  }
  z[0] = -(c->inverse[0] * q[0] + c->inverse[1] * q[1]);
  z[1] = -(c->inverse[2] * q[0] + c->inverse[3] * q[1]);
  if (z[0] > 0 && fabs(z[1]) <= mu * z[0]) return;
  for (int sign = -1; sign <= 1; sign += 2) { /* z_F = sign mu z_N */
    double D = a[0] + sign * mu * a[1];
    if (!(D > 0)) continue;
    z[0] = -q[0] / D;
    z[1] = sign * mu * z[0];
    if (sign * (a[2] * z[0] + a[3] * z[1] + q[1]) <= 0) return;
  }
  pc_contact_solve(&(pc_cone){0, 1, mu}, a, q, z);
}

/* --- any contact --- */

void pc_local_contact_solve(pc_local_contact* c, int rows, double mu, const double* a,
                            const double* q, double last_turn, double* z)
{
  if (!(q[0] < 0) || !(a[0] > 0) || rows == 1 || mu == 0) {
    z[0] = q[0] < 0 && a[0] > 0 ? -q[0] / a[0] : 0;
    for (int i = 1; i < rows; i++) z[i] = 0;
  } else if (rows == 3) {
    solve_3(c, mu, a, q, last_turn, z);
  } else if (rows == 2) {
    solve_2(c, mu, a, q, z);
  } else {
    pc_contact_solve(&(pc_cone){0, rows - 1, mu}, a, q, z);
  }
}
