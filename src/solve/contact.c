/* One contact alone, solved exactly: the local step of Gauss-Seidel.
 *
 *     open   q_N >= 0
 *     stick  P = -a^-1 q inside the cone
 *     slip   P_F = -mu P_N d with y_F = s d, s >= 0
 *
 * In the plane d is a sign. In space d = (cos phi, sin phi), and y_N = 0 eliminates P_N:
 *
 *     P_N = -q_N / D,   D(phi) = a_NN - mu a_NF d
 *
 * so that the component of y_F across d, times D, is a trigonometric polynomial of degree two:
 *
 *     f(phi) = (d_perp q_F) D - q_N d_perp (a_FN - mu a_FF d) = 0
 *
 * With phi measured from where |f| is large and t = tan(phi/2) it is a quartic, whose real roots lie
 * between those of its derivatives. Every candidate is verified by the natural map. */
#include <math.h>
#include <string.h>

#include "solve/work.h"

/* Relative natural map of an answer, and that of a root of the quartic before rivals are dropped. */
static const double exact = 16 * DBL_EPSILON;
static const double admissible = 1e-12;

/* A pivot below this part of the largest entry is round-off. */
static const double rank_tolerance = 1e-13;

enum { NEWTON_MAX = 12, BISECT_MAX = 80, DEGREE = 4 };

static const double pi = 3.14159265358979323846;

/* The contact, and the best candidate so far. */
typedef struct local_problem {
  const pc_cone* cone;
  const double* a;
  const double* q;
  double mass;
  double load; /* mass * |q| */
  double P[3]; /* the best */
  double residual;
} local_problem;

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* The relative natural map of P; y = a P + q is computed on the way. */
static double measure(const local_problem* local, const double* P, double* y)
{
  int n = 1 + local->cone->dimension;
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
  double y[3], residual = measure(local, P, y);
  if (residual < local->residual) {
    memcpy(local->P, P, (size_t)(1 + local->cone->dimension) * sizeof(double));
    local->residual = residual;
  }
  return residual <= exact;
}

/* x = -a^-1 q by elimination with row pivots; columns that are redundant give zero. */
static void stick(const local_problem* local, double* x)
{
  int n = 1 + local->cone->dimension, pivot_of[3] = {-1, -1, -1}, rank = 0;
  double m[3][4], tiny = rank_tolerance * largest_of(n * n, local->a);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i][j] = local->a[i * n + j];
    m[i][n] = -local->q[i];
  }
  for (int c = 0; c < n; c++) {
    int p = rank;
    for (int i = rank + 1; i < n; i++)
      if (fabs(m[i][c]) > fabs(m[p][c])) p = i;
    if (!(fabs(m[p][c]) > tiny)) continue;
    for (int j = 0; j <= n; j++) {
      double t = m[rank][j];
      m[rank][j] = m[p][j];
      m[p][j] = t;
    }
    for (int i = rank + 1; i < n; i++) {
      double l = m[i][c] / m[rank][c];
      for (int j = c; j <= n; j++) m[i][j] -= l * m[rank][j];
    }
    pivot_of[c] = rank++;
    if (rank == n) break;
  }
  for (int c = n - 1; c >= 0; c--) {
    x[c] = 0;
    if (pivot_of[c] < 0) continue;
    const double* row = m[pivot_of[c]];
    double sum = row[n];
    for (int j = c + 1; j < n; j++) sum -= row[j] * x[j];
    x[c] = sum / row[c];
  }
}

static void solve_line(local_problem* local)
{
  const double *a = local->a, *q = local->q;
  double P[3];
  stick(local, P);
  if (offer(local, P)) return;
  for (int sign = -1; sign <= 1; sign += 2) { /* P_F = sign mu P_N */
    double D = a[0] + sign * local->cone->mu * a[1];
    if (!(D > 0)) continue;
    P[0] = -q[0] / D;
    P[1] = sign * local->cone->mu * P[0];
    if (offer(local, P)) return;
  }
}

/* f = k[0] + k[1] cos phi + k[2] sin phi + k[3] cos 2 phi + k[4] sin 2 phi. */
static void slip_harmonics(const local_problem* local, double* k)
{
  const double *a = local->a, *q = local->q;
  double mu = local->cone->mu;
  k[0] = 0.5 * mu * (q[1] * a[2] - q[2] * a[1] + q[0] * (a[7] - a[5]));
  k[1] = a[0] * q[2] - q[0] * a[6];
  k[2] = q[0] * a[3] - a[0] * q[1];
  k[3] = 0.5 * mu * (q[0] * (a[5] + a[7]) - q[1] * a[2] - q[2] * a[1]);
  k[4] = 0.5 * mu * (q[0] * (a[8] - a[4]) + q[1] * a[1] - q[2] * a[2]);
}

static double slip_function(const double* k, double phi, double* slope)
{
  double c = cos(phi), s = sin(phi), c2 = c * c - s * s, s2 = 2 * s * c;
  *slope = k[2] * c - k[1] * s + 2 * (k[4] * c2 - k[3] * s2);
  return k[0] + k[1] * c + k[2] * s + k[3] * c2 + k[4] * s2;
}

/* Newton on phi; it stops at round-off or where it no longer helps. */
static double polish(const double* k, double phi)
{
  double slope, f = slip_function(k, phi, &slope);
  for (int i = 0; i < NEWTON_MAX && f != 0 && slope != 0; i++) {
    double next_slope, next = phi - f / slope;
    double next_f = slip_function(k, next, &next_slope);
    if (!(fabs(next_f) < fabs(f))) break;
    phi = next;
    f = next_f;
    slope = next_slope;
  }
  return phi;
}

/* The slip percussion for a direction of velocity phi. Returns 0 if there is none. */
static int slip(const local_problem* local, double phi, double* P)
{
  const double* a = local->a;
  double mu = local->cone->mu, c = cos(phi), s = sin(phi);
  double D = a[0] - mu * (a[1] * c + a[2] * s);
  P[0] = -local->q[0] / D;
  P[1] = -mu * P[0] * c;
  P[2] = -mu * P[0] * s;
  return D > 0;
}

static double horner(int degree, const double* c, double x)
{
  double value = c[degree];
  for (int i = degree - 1; i >= 0; i--) value = value * x + c[i];
  return value;
}

/* The root between lo and hi, at which the values have different signs. */
static double bisect(int degree, const double* c, double lo, double hi)
{
  double f_lo = horner(degree, c, lo);
  for (int i = 0; i < BISECT_MAX; i++) {
    double mid = 0.5 * (lo + hi);
    if (mid == lo || mid == hi) break;
    double f = horner(degree, c, mid);
    if ((f < 0) == (f_lo < 0))
      lo = mid;
    else
      hi = mid;
  }
  return 0.5 * (lo + hi);
}

/* Real roots in ascending order, between the extrema of the polynomial. Extrema count as roots too
 * (a root of even order may hide there): up to 2 degree - 1 entries come out, to be verified. */
static int candidate_roots(int degree, const double* c, double bound, double* roots)
{
  double derivative[DEGREE], extrema[2 * DEGREE];
  if (degree == 1) {
    if (c[1] == 0) return 0;
    roots[0] = -c[0] / c[1];
    return 1;
  }
  for (int i = 0; i < degree; i++) derivative[i] = (i + 1) * c[i + 1];
  int count = candidate_roots(degree - 1, derivative, bound, extrema), found = 0;
  double lo = -bound;
  for (int i = 0; i <= count; i++) {
    double hi = i < count ? extrema[i] : bound;
    if ((horner(degree, c, lo) < 0) != (horner(degree, c, hi) < 0))
      roots[found++] = bisect(degree, c, lo, hi);
    if (i < count && degree == DEGREE) roots[found++] = hi;
    lo = hi;
  }
  return found;
}

/* All slip directions: the quartic in t = tan(psi/2), phi = alpha + psi. Returns their number. */
static int slip_directions(const double* k, double* phi)
{
  double alpha = 0, largest = 0, slope;
  for (int i = 0; i < 8; i++) { /* five would do: f has at most four zeros */
    double f = fabs(slip_function(k, i * pi / 4, &slope));
    if (f > largest) {
      largest = f;
      alpha = i * pi / 4 + pi;
    }
  }
  if (!(largest > 0)) return 0;
  double c1 = cos(alpha), s1 = sin(alpha), c2 = cos(2 * alpha), s2 = sin(2 * alpha);
  double kc = k[1] * c1 + k[2] * s1, ks = k[2] * c1 - k[1] * s1;
  double kc2 = k[3] * c2 + k[4] * s2, ks2 = k[4] * c2 - k[3] * s2;
  double c[DEGREE + 1] = {k[0] + kc + kc2, 2 * ks + 4 * ks2, 2 * k[0] - 6 * kc2, 2 * ks - 4 * ks2,
                          k[0] - kc + kc2};
  double bound = 1 + largest_of(DEGREE, c) / fabs(c[DEGREE]); /* Cauchy */
  double roots[2 * DEGREE];
  int count = candidate_roots(DEGREE, c, bound, roots);
  for (int i = 0; i < count; i++) phi[i] = polish(k, alpha + 2 * atan(roots[i]));
  return count;
}

/* Where several slips are possible the fastest is taken, which no choice of axes can change. */
static void solve_plane(local_problem* local, const double* guess)
{
  double P[3], y[3], k[5], phi[2 * DEGREE], fastest = -1;
  stick(local, P);
  if (offer(local, P)) return;
  slip_harmonics(local, k);
  if (guess[1] != 0 || guess[2] != 0) {
    double near = polish(k, atan2(-guess[2], -guess[1]));
    if (slip(local, near, P) && offer(local, P)) return;
  }
  int count = slip_directions(k, phi);
  for (int i = 0; i < count; i++) {
    if (!slip(local, phi[i], P)) continue;
    double residual = measure(local, P, y), speed = hypot(y[1], y[2]);
    if (residual > admissible || speed <= fastest) {
      if (fastest < 0) offer(local, P);
      continue;
    }
    fastest = speed;
    local->residual = residual;
    memcpy(local->P, P, sizeof local->P);
  }
}

void pc_contact_solve(const pc_cone* cone, const double* a, const double* q, double* P)
{
  int n = 1 + cone->dimension;
  double trace = 0;
  for (int i = 0; i < n; i++) trace += a[i * n + i];
  local_problem local = {.cone = cone, .a = a, .q = q, .mass = n / trace, .residual = INFINITY};
  if (!(q[0] < 0) || !(trace > 0)) {
    memset(P, 0, (size_t)n * sizeof(double));
    return;
  }
  local.load = local.mass * largest_of(n, q);
  if (n == 1)
    local.P[0] = -q[0] / a[0];
  else if (n == 2)
    solve_line(&local);
  else
    solve_plane(&local, P);
  memcpy(P, local.P, (size_t)n * sizeof(double));
}
