/* Nonsmooth Gauss-Seidel (Jourdan, Alart and Jean, 1998): node by node, each one solved with the others
 * held, in the given order, until nothing moves.
 *
 *     q_k = y_k - A_kk z_k,   z_k := solution of  y = A_kk z + q_k  with its law
 *
 * The local problem hardly changes from one sweep to the next, so that its mode and its direction of slip
 * are those of the last sweep and a few steps away. Stick is a product with the inverse block, which is
 * known beforehand. Slip in a plane has one unknown, the direction t = (cos, sin): with z_F = mu z_N t,
 *
 *     z_N(t) = -q_N / (a_NN + mu a_NF t),   y_F(t) = q_F + z_N (a_FN + mu a_FF t),   n . y_F = 0,  n _|_ t
 *
 * which Newton's method solves from the last t in one to three steps. Whatever it does not settle goes to
 * the exact solution of contact.c.
 *
 * An iteration that cycles (large friction that couples to the normals) is damped. */
#include <math.h>

#include "solve/contact.h"
#include "solve/methods.h"
#include "solve/sweep.h"

enum {
  CHECK_EVERY = 32,  /* sweeps between looks at the residual: it costs as much as a sweep */
  STALL_FIRST = 256, /* sweeps before a cycle is taken for one and damped */
  TURNS_MAX = 6      /* Newton steps for the direction of slip */
};

/* A turn after which the direction is exact: the next one would be its square. */
static const double last_turn = 1e-8;

/* Slip that pushes by less than this part of the velocities is within round-off of stick. */
static const double round_off = 1e-14;

/* A determinant below this part of the product of the diagonal: the block has no usable inverse. */
static const double singular = 1e-10;

/* A contact in the plane of friction, and where the last sweep left it. */
typedef struct local {
  pc_contact_mode mode;
  int is_regular;    /* the inverse exists */
  double t[2];       /* direction of friction where it slips */
  double inverse[9]; /* of A_kk, (1 + d)^2 entries; d = 1, 2 */
} local;

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

static const double* diagonal_block(const pc_island* s, int k)
{
  return &s->A.value[s->A.place[s->A.diagonal[k]]];
}

static local* prepare(pc_island* s)
{
  size_t words = (sizeof(local) + sizeof(double) - 1) / sizeof(double);
  local* all = (local*)pc_arena_doubles(s->arena, words * (size_t)s->node_count);
  if (!all) return NULL;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k);
    all[k] = (local){.mode = PC_CONTACT_STICK};
    if (!pc_island_is_contact(s, k)) continue;
    if (n == 2) all[k].is_regular = invert_2(diagonal_block(s, k), all[k].inverse);
    if (n == 3) all[k].is_regular = invert_3(diagonal_block(s, k), all[k].inverse);
  }
  return all;
}

/* --- one contact with friction in a plane --- */

/* z = -a^-1 q. Returns whether it lies in the cone. */
static int stick_3(const local* c, double mu, const double* q, double* z)
{
  const double* i = c->inverse;
  if (!c->is_regular) return 0;
  z[0] = -(i[0] * q[0] + i[1] * q[1] + i[2] * q[2]);
  z[1] = -(i[3] * q[0] + i[4] * q[1] + i[5] * q[2]);
  z[2] = -(i[6] * q[0] + i[7] * q[1] + i[8] * q[2]);
  double radius = mu * z[0];
  return z[0] > 0 && z[1] * z[1] + z[2] * z[2] <= radius * radius;
}

/* Newton's method for the direction of slip from t. Returns whether it found a slip that friction
 * opposes; t is then the direction of friction. */
static int slip_3(const double* a, double mu, const double* q, double* t, double* z)
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
    double norm = 1 / sqrt(1 + angle * angle);
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
static void remember_3(local* c, double mu, const double* z)
{
  double length = sqrt(z[1] * z[1] + z[2] * z[2]);
  c->mode = PC_CONTACT_STICK;
  if (!(z[0] > 0) || !(length >= mu * z[0] * (1 - 1e-9))) return;
  c->mode = PC_CONTACT_SLIP;
  c->t[0] = z[1] / length;
  c->t[1] = z[2] / length;
}

static void solve_3(local* c, double mu, const double* a, const double* q, double* z)
{
  if (c->mode == PC_CONTACT_SLIP && slip_3(a, mu, q, c->t, z)) return;
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
    if (slip_3(a, mu, q, c->t, z)) return;
  }
  pc_contact_solve(&(pc_cone){0, 2, mu}, a, q, z);
  remember_3(c, mu, z);
}

/* --- one contact with friction along a line --- */

static void solve_2(const local* c, double mu, const double* a, const double* q, double* z)
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

/* --- sweeps --- */

/* The contact problem of node k with the others held; y is its dual at the present z. */
static void solve_local(pc_island* s, local* c, int k, const double* y, double* z)
{
  const double *a = diagonal_block(s, k), *old = &s->z[s->A.row[k]];
  int n = pc_island_size(s, k);
  double q[PC_CONE_ROWS_MAX], mu = s->node[k].mu;
  for (int i = 0; i < n; i++) {
    q[i] = y[i];
    for (int j = 0; j < n; j++) q[i] -= a[i * n + j] * old[j];
  }
  if (!(q[0] < 0) || !(a[0] > 0) || n == 1 || mu == 0) {
    z[0] = q[0] < 0 && a[0] > 0 ? -q[0] / a[0] : 0;
    for (int i = 1; i < n; i++) z[i] = 0;
  } else if (n == 3) {
    solve_3(c, mu, a, q, z);
  } else if (n == 2) {
    solve_2(c, mu, a, q, z);
  } else {
    pc_contact_solve(&(pc_cone){0, n - 1, mu}, a, q, z);
  }
}

/* Solves contact k; returns the change of its impulse, weighted as in the residual. */
static double relax(pc_island* s, local* c, int k, double omega, double* size)
{
  double y[PC_CONE_ROWS_MAX], z[PC_CONE_ROWS_MAX], change = 0, largest = 0;
  double* old = &s->z[s->A.row[k]];
  int n = pc_island_size(s, k);
  pc_sweep_dual(s, k, y);
  solve_local(s, c, k, y, z);
  for (int i = 0; i < n; i++) {
    if (omega < 1) z[i] = old[i] + omega * (z[i] - old[i]);
    double step = fabs(z[i] - old[i]);
    if (!(step <= change)) change = step;
    if (fabs(z[i]) > largest) largest = fabs(z[i]);
    old[i] = z[i];
  }
  double weight = s->weight[k];
  if (weight * largest > *size) *size = weight * largest;
  return weight * change;
}

/* All nodes once; returns the largest change relative to the scale of the residual. */
static double sweep_all(pc_island* s, const pc_sweep* sweep, local* all, double omega)
{
  double change = 0, size = s->load;
  for (int k = 0; k < s->node_count; k++) {
    double moved;
    if (pc_island_is_contact(s, k))
      moved = relax(s, &all[k], k, omega, &size);
    else
      moved = s->weight[k] * pc_sweep_equality(s, sweep, k);
    if (!(moved <= change)) change = moved;
  }
  return change / (omega * size);
}

pc_status pc_nsgs_solve(pc_island* s, int sweeps)
{
  pc_mark mark = pc_arena_mark(s->arena);
  pc_sweep sweep;
  local* all = prepare(s);
  if (!all || pc_sweep_prepare(s, &sweep) != PC_OK) {
    pc_arena_release(s->arena, mark);
    return PC_OUT_OF_MEMORY;
  }
  double omega = 1, milestone = INFINITY;
  int stall = STALL_FIRST;
  for (int count = 1; count <= sweeps; count++) {
    double change = sweep_all(s, &sweep, all, omega);
    s->iterations++;
    if (!isfinite(change)) break;
    if (change > s->tolerance && count % CHECK_EVERY != 0 && count < sweeps) continue;
    pc_island_offer(s, PC_METHOD_NSGS);
    if (pc_island_done(s) || change == 0) break;
    if (count < stall) continue;
    if (s->best_residual > 0.9 * milestone) omega *= 0.4;
    milestone = s->best_residual;
    stall *= 2;
  }
  pc_arena_release(s->arena, mark);
  return PC_OK;
}
