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

#include "solve/work.h"

/* Relative natural map of an exact answer. */
static const double exact = 16 * DBL_EPSILON;

/* A pivot below this part of the largest entry is round-off. */
static const double rank_tolerance = 1e-13;

/* Evaluations of h at most; about ten are usual. */
enum { EVALUATIONS_MAX = 100 };

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
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* The relative natural map of P. */
static double measure(const local_problem* local, const double* P)
{
  int n = 1 + local->cone->dimension;
  double y[PC_CONE_ROWS_MAX];
  for (int i = 0; i < n; i++) {
    y[i] = local->q[i];
    for (int j = 0; j < n; j++) y[i] += local->a[i * n + j] * P[j];
  }
  double scale = fmax(local->load, largest_of(n, P));
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

/* P(lambda); redundant components are zero. Returns h. */
static double solve_block(const local_problem* local, double lambda, double* P)
{
  int n = 1 + local->cone->dimension, pivot_of[PC_CONE_ROWS_MAX];
  small_matrix m;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i][j] = local->a[i * n + j];
    if (i > 0) m[i][i] += lambda;
    m[i][n] = -local->q[i];
  }
  eliminate(n, m, rank_tolerance * largest_of(n * n, local->a), pivot_of);
  double square = 0;
  for (int c = n - 1; c >= 0; c--) {
    P[c] = 0;
    if (pivot_of[c] < 0) continue;
    const double* row = m[pivot_of[c]];
    double sum = row[n];
    for (int j = c + 1; j < n; j++) sum -= row[j] * P[j];
    P[c] = sum / row[c];
    if (c > 0) square += P[c] * P[c];
  }
  return sqrt(square) - local->cone->mu * P[0];
}

static void solve_line(local_problem* local)
{
  const double *a = local->a, *q = local->q;
  double P[2];
  solve_block(local, 0, P);
  if (offer(local, P)) return;
  for (int sign = -1; sign <= 1; sign += 2) { /* P_F = sign mu P_N */
    double D = a[0] + sign * local->cone->mu * a[1];
    if (!(D > 0)) continue;
    P[0] = -q[0] / D;
    P[1] = sign * local->cone->mu * P[0];
    if (offer(local, P)) return;
  }
}

/* Puts P(lambda) onto the cone exactly: its direction of friction, and the P_N that belongs to it. */
static void put_on_cone(const local_problem* local, double* P)
{
  int d = local->cone->dimension;
  double mu = local->cone->mu, square = 0, D = local->a[0];
  for (int i = 1; i <= d; i++) square += P[i] * P[i];
  double length = sqrt(square);
  for (int i = 1; i <= d; i++) {
    P[i] = length > 0 ? P[i] / length : 0;
    D += mu * local->a[i] * P[i];
  }
  P[0] = -local->q[0] / D;
  for (int i = 1; i <= d; i++) P[i] *= mu * P[0];
}

/* The root of h by regula falsi (Illinois) on x = lambda / (lambda + c), c of the size of the
 * block, every third step by bisection. */
static void solve_ball(local_problem* local)
{
  double P[PC_CONE_ROWS_MAX], c = 1 / local->mass, lo = 0, hi = 1;
  double h_lo = solve_block(local, 0, P), h_hi = local->cone->mu * local->q[0] / local->a[0];
  if (offer(local, P) || !(h_lo > 0)) return;
  for (int i = 1; i <= EVALUATIONS_MAX && hi - lo > DBL_EPSILON * hi; i++) {
    double x = i % 3 == 0 ? 0.5 * (lo + hi) : (lo * h_hi - hi * h_lo) / (h_hi - h_lo);
    if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
    if (!(x > lo && x < hi)) break;
    double h = solve_block(local, c * x / (1 - x), P);
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
  offer(local, P);
}

void pc_contact_solve(const pc_cone* cone, const double* a, const double* q, double* P)
{
  int n = 1 + cone->dimension;
  double trace = 0;
  memset(P, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) trace += a[i * n + i];
  if (!(q[0] < 0) || !(a[0] > 0)) return; /* opens, or nothing can stop it */
  if (n == 1 || cone->mu == 0) {
    P[0] = -q[0] / a[0];
    return;
  }
  local_problem local = {.cone = cone, .a = a, .q = q, .mass = n / trace, .residual = INFINITY};
  local.load = local.mass * largest_of(n, q);
  if (n == 2)
    solve_line(&local);
  else
    solve_ball(&local);
  memcpy(P, local.P, (size_t)n * sizeof(double));
}
