/* Householder's reduction to a tridiagonal matrix and implicit QR steps with Wilkinson's shift on
 * it (Golub and Van Loan, Matrix Computations, 8.3). */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "linalg/eigen.h"

enum { STEPS_MAX = 60 }; /* QR steps for an eigenvalue; two or three are usual */

static long double dot(int n, const long double* x, const long double* y)
{
  long double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void add(int n, long double a, const long double* x, long double* y)
{
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

static int is_finite(int n, const long double* A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      if (!isfinite(A[i * n + j])) return 0;
  return 1;
}

/* Makes of x (n entries) a reflector v, v_(n-1) = 1, with (I - tau v v') x = (0, .., 0, beta). */
static long double make_reflector(int n, long double* x, long double* beta)
{
  long double alpha = x[n - 1], square = dot(n - 1, x, x);
  *beta = alpha;
  x[n - 1] = 1;
  if (square == 0) return 0;
  long double norm = sqrtl(alpha * alpha + square);
  *beta = alpha > 0 ? -norm : norm;
  for (int i = 0; i < n - 1; i++) x[i] /= alpha - *beta;
  return (*beta - alpha) / *beta;
}

/* p := S v, S the leading block of order m, of which the lower triangle is there. */
static void times(int n, int m, const long double* A, const long double* v, long double* p)
{
  for (int j = 0; j < m; j++) {
    const long double* row = A + j * n;
    p[j] = dot(j + 1, row, v);
    add(j, v[j], row, p);
  }
}

/* Row i := (0, .., beta, A_ii): H S H with H = I - tau v v' on the block S before it, that is
 * S - v w' - w v' with w = tau (S v - tau/2 (v' S v) v). The row keeps v. */
static long double reduce_row(int n, int i, long double* A, long double* w, long double* beta)
{
  long double* v = A + i * n;
  long double tau = make_reflector(i, v, beta);
  if (tau == 0) return 0;
  times(n, i, A, v, w);
  for (int j = 0; j < i; j++) w[j] *= tau;
  add(i, -tau / 2 * dot(i, w, v), v, w);
  for (int j = 0; j < i; j++) {
    add(j + 1, -v[j], w, A + j * n);
    add(j + 1, -w[j], v, A + j * n);
  }
  return tau;
}

/* V := V (I - tau v v'), in which v has the first i places. */
static void turn(int n, int i, const long double* v, long double tau, long double* V)
{
  for (int r = 0; r < i; r++) add(i, -tau * dot(i, V + r * n, v), v, V + r * n);
}

/* The diagonal d, off[i] between i - 1 and i, and V with A = V' T V. */
static void make_tridiagonal(int n, long double* A, long double* d, long double* V,
                             long double* off, long double* work)
{
  for (int i = 0; i < n * n; i++) V[i] = 0;
  for (int i = 0; i < n; i++) V[i * n + i] = 1;
  off[0] = 0;
  long double* tau = d; /* until all rows are reduced */
  for (int i = n - 1; i > 0; i--) tau[i] = reduce_row(n, i, A, work, &off[i]);
  for (int i = 1; i < n; i++) turn(n, i, A + i * n, tau[i], V);
  for (int i = 0; i < n; i++) d[i] = A[i * n + i];
}

/* The plane rotation of rows k, k + 1 that takes (x, z) to (r, 0); returns r. */
static long double find_rotation(long double x, long double z, long double* c, long double* s)
{
  long double r = hypotl(x, z);
  *c = r > 0 ? x / r : 1;
  *s = r > 0 ? z / r : 0;
  return r;
}

static void rotate_rows(int n, long double c, long double s, long double* x, long double* y)
{
  for (int j = 0; j < n; j++) {
    long double a = x[j], b = y[j];
    x[j] = c * a + s * b;
    y[j] = c * b - s * a;
  }
}

/* One QR step on the unreduced block lo .. hi. */
static void step(int n, int lo, int hi, long double* d, long double* off, long double* V)
{
  long double delta = (d[hi - 1] - d[hi]) / 2, e = off[hi];
  long double root = hypotl(delta, e);
  long double shift = d[hi] - e * (e / (delta + (delta < 0 ? -root : root)));
  long double x = d[lo] - shift, z = off[lo + 1], c, s;
  for (int k = lo; k < hi; k++) {
    long double r = find_rotation(x, z, &c, &s);
    if (k > lo) off[k] = r;
    long double a = d[k], b = off[k + 1], g = d[k + 1];
    d[k] = c * c * a + 2 * c * s * b + s * s * g;
    d[k + 1] = s * s * a - 2 * c * s * b + c * c * g;
    x = off[k + 1] = c * s * (g - a) + (c * c - s * s) * b;
    if (k + 1 < hi) {
      z = s * off[k + 2];
      off[k + 2] *= c;
    }
    rotate_rows(n, c, s, V + k * n, V + (k + 1) * n);
  }
}

/* The first index of the unreduced block that ends at hi; couplings that are round-off become
 * zero. */
static int block_start(int hi, const long double* d, long double* off)
{
  for (int i = hi; i > 0; i--)
    if (fabsl(off[i]) <= LDBL_EPSILON * (fabsl(d[i - 1]) + fabsl(d[i]))) {
      off[i] = 0;
      return i;
    }
  return 0;
}

pc_status pc_symmetric_eigen(int n, long double* A, long double* value, long double* V,
                             long double* work)
{
  if (n == 0) return PC_OK;
  if (!is_finite(n, A)) return PC_NOT_FINITE;
  long double* off = work + n;
  make_tridiagonal(n, A, value, V, off, work);
  for (int hi = n - 1, steps = 0; hi > 0; steps++) {
    int lo = block_start(hi, value, off);
    if (lo == hi) {
      hi--;
      steps = -1;
      continue;
    }
    if (steps == STEPS_MAX) return PC_NOT_CONVERGED;
    step(n, lo, hi, value, off, V);
  }
  return PC_OK;
}
