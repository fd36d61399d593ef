/* One contact alone, solved exactly: the local step of Gauss-Seidel.
 *
 *     open   q_N >= 0
 *     stick  P = -a^-1 q inside the cone
 *     slip   y_N = 0, P_F = -mu P_N d with y_F = s d, s >= 0
 *
 * In the plane d is a sign. From two friction components on, write y_F = -lambda P_F. Then
 *
 *     | a_NN  a_NF            |
 *     | a_FN  a_FF + lambda I |  P(lambda) = -q,     h(lambda) = |P_F| - mu P_N = 0
 *
 * where lambda = 0 is stick, with h > 0 since it lies outside the cone, and lambda -> infinity is
 * frictionless, with h < 0. So there always is a slip, in a bracket, whatever the dimension and the
 * friction coefficient; nothing depends on the choice of the axes. Every candidate is verified by
 * the natural map. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "solve/dense_work.h"

/* Relative natural map of an exact answer. */
static const double exact = 16 * DBL_EPSILON;

/* A pivot below this part of the largest entry is round-off. */
static const double rank_tolerance = 1e-13;

/* Evaluations of h at most; about ten are usual. */
enum { EVALUATIONS_MAX = 100 };

/* Singular blocks: where lambda starts, in units of the block, and the steps back to zero. */
static const double singular_start = 1e-6;
enum { PROXIMAL_STEPS = 4 };

/* The contact, and the best candidate so far. */
typedef struct local_problem {
  const pc_cone* cone;
  const double* a;
  const double* q;
  double mass;
  double load;                /* mass * |q| */
  double P[PC_CONE_ROWS_MAX]; /* the best */
  double residual;
} local_problem;

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

static void velocity(const local_problem* local, const double* P, double* y)
{
  int n = 1 + local->cone->dimension;
  for (int i = 0; i < n; i++) {
    y[i] = local->q[i];
    for (int j = 0; j < n; j++) y[i] += local->a[i * n + j] * P[j];
  }
}

/* The relative natural map of P. */
static double measure(const local_problem* local, const double* P)
{
  int n = 1 + local->cone->dimension;
  double y[PC_CONE_ROWS_MAX];
  velocity(local, P, y);
  double scale = pc_larger(local->load, largest_of(n, P));
  return pc_natural_map(local->cone, local->mass, P, y) / scale;
}

/* Keeps a candidate if it is the best. Returns whether it is exact. */
static int offer(local_problem* local, const double* P)
{
  double residual = measure(local, P);
  if (residual < local->residual) {
    memcpy(local->P, P, (size_t)(1 + local->cone->dimension) * sizeof(double));
    local->residual = residual;
  }
  return residual <= exact;
}

typedef double small_matrix[PC_CONE_ROWS_MAX][PC_CONE_ROWS_MAX + 1];

/* Row echelon form of n rows with the right-hand side in column n; pivot_of tells the row of a
 * column's pivot, or -1 for a column that is redundant. */
static void eliminate(int n, small_matrix m, double tiny, int* pivot_of)
{
  int rank = 0;
  for (int c = 0; c < n; c++) {
    int p = rank;
    pivot_of[c] = -1;
    for (int i = rank + 1; i < n; i++)
      if (fabs(m[i][c]) > fabs(m[p][c])) p = i;
    if (rank == n || !(fabs(m[p][c]) > tiny)) continue;
    for (int j = c; j <= n && p != rank; j++) {
      double t = m[rank][j];
      m[rank][j] = m[p][j];
      m[p][j] = t;
    }
    for (int i = rank + 1; i < n; i++) {
      double l = m[i][c] / m[rank][c];
      for (int j = c; j <= n; j++) m[i][j] -= l * m[rank][j];
    }
    pivot_of[c] = rank++;
  }
}

/* x of (a + lambda on the friction rows) x = -v; redundant components are zero. Returns whether
 * there are none. */
static int solve_block(const local_problem* local, double lambda, const double* v, double* x)
{
  int n = 1 + local->cone->dimension, pivot_of[PC_CONE_ROWS_MAX], regular = 1;
  small_matrix m;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i][j] = local->a[i * n + j];
    if (i > 0) m[i][i] += lambda;
    m[i][n] = -v[i];
  }
  eliminate(n, m, rank_tolerance * largest_of(n * n, local->a), pivot_of);
  for (int c = n - 1; c >= 0; c--) {
    x[c] = 0;
    regular &= pivot_of[c] >= 0;
    if (pivot_of[c] < 0) continue;
    const double* row = m[pivot_of[c]];
    double sum = row[n];
    for (int j = c + 1; j < n; j++) sum -= row[j] * x[j];
    x[c] = sum / row[c];
  }
  return regular;
}

static double friction_of(const local_problem* local, const double* P)
{
  double square = 0;
  for (int i = 1; i <= local->cone->dimension; i++) square += P[i] * P[i];
  return sqrt(square);
}

/* h: how far P is outside the cone. */
static double excess(const local_problem* local, const double* P)
{
  return friction_of(local, P) - local->cone->mu * P[0];
}

/* A block that cannot tell all percussions: among those that stick, the one with the least
 * friction. It is the limit of P(lambda) as lambda vanishes, by a few proximal steps. */
static void stick_with_least_friction(const local_problem* local, double lambda, double* P)
{
  int n = 1 + local->cone->dimension;
  double step[PC_CONE_ROWS_MAX], y[PC_CONE_ROWS_MAX];
  solve_block(local, lambda, local->q, P);
  for (int k = 0; k < PROXIMAL_STEPS; k++) {
    velocity(local, P, y);
    solve_block(local, lambda, y, step);
    for (int i = 0; i < n; i++) P[i] += step[i];
  }
}

static void solve_line(local_problem* local)
{
  const double *a = local->a, *q = local->q;
  double P[2];
  solve_block(local, 0, q, P);
  if (offer(local, P)) return;
  for (int sign = -1; sign <= 1; sign += 2) { /* P_F = sign mu P_N */
    double D = a[0] + sign * local->cone->mu * a[1];
    if (!(D > 0)) continue;
    P[0] = -q[0] / D;
    P[1] = sign * local->cone->mu * P[0];
    if (offer(local, P)) return;
  }
}

/* Puts P(lambda) onto the cone exactly: its direction of friction, and the P_N belonging to it. */
static void put_on_cone(const local_problem* local, double* P)
{
  int d = local->cone->dimension;
  double mu = local->cone->mu, D = local->a[0], length = friction_of(local, P);
  for (int i = 1; i <= d; i++) {
    P[i] = length > 0 ? P[i] / length : 0;
    D += mu * local->a[i] * P[i];
  }
  P[0] = -local->q[0] / D;
  for (int i = 1; i <= d; i++) P[i] *= mu * P[0];
}

/* P of the root of h between x = lo, where h = h_lo > 0, and x = 1, with x = lambda / (lambda + c)
 * and c of the size of the block: regula falsi (Illinois), every third step by bisection. */
static void find_slip(const local_problem* local, double lo, double h_lo, double* P)
{
  double c = 1 / local->mass, hi = 1, h_hi = local->cone->mu * local->q[0] / local->a[0];
  for (int i = 1; i <= EVALUATIONS_MAX && hi - lo > DBL_EPSILON * hi; i++) {
    double x = i % 3 == 0 ? 0.5 * (lo + hi) : (lo * h_hi - hi * h_lo) / (h_hi - h_lo);
    if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
    if (!(x > lo && x < hi)) break;
    solve_block(local, c * x / (1 - x), local->q, P);
    double h = excess(local, P);
    if (fabs(h) <= 4 * DBL_EPSILON * fabs(P[0])) break;
    if (h > 0) {
      lo = x;
      h_lo = h;
      h_hi *= 0.5;
    } else {
      hi = x;
      h_hi = h;
      h_lo *= 0.5;
    }
  }
  put_on_cone(local, P);
}

static void solve_ball(local_problem* local)
{
  double P[PC_CONE_ROWS_MAX], lo = 0;
  int regular = solve_block(local, 0, local->q, P);
  if (offer(local, P)) return;
  if (!regular) {
    lo = singular_start;
    stick_with_least_friction(local, lo / local->mass, P);
    if (offer(local, P)) return;
  }
  double h_lo = excess(local, P);
  if (!(h_lo > 0)) return;
  find_slip(local, lo, h_lo, P);
  offer(local, P);
}

void pc_contact_solve(const pc_cone* cone, const double* a, const double* q, double* P)
{
  int n = 1 + cone->dimension;
  for (int i = 1; i < n; i++) P[i] = 0;
  if (!(q[0] < 0) || !(a[0] > 0)) { /* opens, or nothing can stop it */
    P[0] = 0;
    return;
  }
  if (n == 1 || cone->mu == 0) {
    P[0] = -q[0] / a[0];
    return;
  }
  double trace = 0;
  for (int i = 0; i < n; i++) trace += a[i * n + i];
  local_problem local = {.cone = cone, .a = a, .q = q, .mass = n / trace, .residual = INFINITY};
  local.load = local.mass * largest_of(n, q);
  if (n == 2)
    solve_line(&local);
  else
    solve_ball(&local);
  memcpy(P, local.P, (size_t)n * sizeof(double));
}
