/* Balancing (Parlett and Reinsch 1969), Householder's reduction to Hessenberg form, and Francis' QR
 * steps with two shifts (Golub and Van Loan, Matrix Computations, 7.4, 7.5). Eigenvalues only: a
 * step works on the unreduced block alone. */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "linalg/eigen.h"

enum {
  STEPS_MAX = 60,    /* QR steps for one or two eigenvalues; three or four are usual */
  EXCEPTION_AT = 10, /* other shifts after this many of them, against cycles */
  COARSE_AT = 20     /* after this many, an entry counts as zero beside the whole matrix */
};

static int is_finite(int count, const long double* A)
{
  for (int i = 0; i < count; i++)
    if (!isfinite(A[i])) return 0;
  return 1;
}

/* ---- balancing ---------------------------------------------------------------------------- */

/* The power of two f that makes the sums of |row|/f and |column| f about equal. */
static long double find_power(long double column, long double row)
{
  long double f = 1;
  if (!(column > 0) || !(row > 0)) return 1;
  while (column * f * f < row / 2) f *= 2;
  while (column * f * f > row * 2) f /= 2;
  return column * f + row / f < 0.95L * (column + row) ? f : 1;
}

static void balance(int n, long double* A)
{
  for (int changed = 1; changed;) {
    changed = 0;
    for (int i = 0; i < n; i++) {
      long double column = 0, row = 0;
      for (int j = 0; j < n; j++) {
        column += j == i ? 0 : fabsl(A[j * n + i]);
        row += j == i ? 0 : fabsl(A[i * n + j]);
      }
      long double f = find_power(column, row);
      if (f == 1) continue;
      changed = 1;
      for (int j = 0; j < n; j++) A[i * n + j] /= f;
      for (int j = 0; j < n; j++) A[j * n + i] *= f;
    }
  }
}

/* ---- Hessenberg form ---------------------------------------------------------------------- */

/* v (rows first .. n - 1) of the reflection that clears column first - 1 below row `first`; its
 * tau. */
static long double column_reflector(int n, const long double* A, int first, long double* v)
{
  long double alpha = A[first * n + first - 1], square = 0;
  for (int i = first + 1; i < n; i++) {
    v[i] = A[i * n + first - 1];
    square += v[i] * v[i];
  }
  if (square == 0) return 0;
  long double norm = sqrtl(alpha * alpha + square), beta = alpha > 0 ? -norm : norm;
  for (int i = first + 1; i < n; i++) v[i] /= alpha - beta;
  v[first] = 1;
  return (beta - alpha) / beta;
}

/* A := H A H, H = I - tau v v' on first .. n - 1 */
static void reflect(int n, long double* A, int first, const long double* v, long double tau,
                    long double* sum)
{
  for (int j = 0; j < n; j++) sum[j] = 0;
  for (int i = first; i < n; i++)
    for (int j = first - 1; j < n; j++) sum[j] += v[i] * A[i * n + j];
  for (int i = first; i < n; i++)
    for (int j = first - 1; j < n; j++) A[i * n + j] -= tau * v[i] * sum[j];
  for (int i = 0; i < n; i++) {
    long double along = 0;
    for (int j = first; j < n; j++) along += A[i * n + j] * v[j];
    for (int j = first; j < n; j++) A[i * n + j] -= tau * along * v[j];
  }
}

static void make_hessenberg(int n, long double* A, long double* work)
{
  for (int first = 1; first < n - 1; first++) {
    long double tau = column_reflector(n, A, first, work);
    if (tau != 0) reflect(n, A, first, work, tau, work + n);
    for (int i = first + 1; i < n; i++) A[i * n + first - 1] = 0;
  }
}

/* ---- QR steps ----------------------------------------------------------------------------- */

/* Reflects rows k .. k + size - 1 and columns alike within the block lo .. hi, such that x becomes
 * (beta, 0, ..). */
static void reflect_few(int n, long double* H, int lo, int hi, int k, int size,
                        const long double x[3])
{
  long double v[3] = {1, 0, 0}, square = 0;
  for (int i = 1; i < size; i++) square += x[i] * x[i];
  if (square == 0) return;
  long double norm = sqrtl(x[0] * x[0] + square), beta = x[0] > 0 ? -norm : norm;
  long double tau = (beta - x[0]) / beta;
  for (int i = 1; i < size; i++) v[i] = x[i] / (x[0] - beta);
  for (int j = k > lo ? k - 1 : lo; j <= hi; j++) {
    long double sum = 0;
    for (int i = 0; i < size; i++) sum += v[i] * H[(k + i) * n + j];
    for (int i = 0; i < size; i++) H[(k + i) * n + j] -= tau * sum * v[i];
  }
  int last = k + 3 < hi ? k + 3 : hi;
  for (int i = lo; i <= last; i++) {
    long double sum = 0;
    for (int j = 0; j < size; j++) sum += H[i * n + k + j] * v[j];
    for (int j = 0; j < size; j++) H[i * n + k + j] -= tau * sum * v[j];
  }
}

/* One step with the shifts whose sum and product are given, on the block lo .. hi of three or
 * more. */
static void step(int n, long double* H, int lo, int hi, long double sum, long double product)
{
  const long double *top = H + lo * n + lo, *next = top + n, *third = next + n;
  long double x[3] = {top[0] * (top[0] - sum) + top[1] * next[0] + product,
                      next[0] * (top[0] + next[1] - sum), next[0] * third[1]};
  for (int k = lo; k < hi; k++) {
    int size = k + 2 <= hi ? 3 : 2;
    if (k > lo)
      for (int i = 0; i < size; i++) x[i] = H[(k + i) * n + k - 1];
    reflect_few(n, H, lo, hi, k, size, x);
    if (k > lo)
      for (int i = 1; i < size; i++) H[(k + i) * n + k - 1] = 0;
  }
}

/* The sum of all |entries|, that is of what is left of the matrix. */
static long double size_of(int count, const long double* A)
{
  long double sum = 0;
  for (int i = 0; i < count; i++) sum += fabsl(A[i]);
  return sum;
}

/* The first index of the unreduced block that ends at hi. An entry is zero if it is round-off
 * beside its neighbours on the diagonal, or below `floor`: where many eigenvalues are nearly the
 * same and much smaller than others (overdamped modes), the round-off of these keeps it from
 * getting smaller. */
static int block_start(int n, long double* H, int hi, long double floor)
{
  for (int i = hi; i > 0; i--) {
    long double size = fabsl(H[(i - 1) * n + i - 1]) + fabsl(H[i * n + i]);
    long double below = fabsl(H[i * n + i - 1]);
    if (below > LDBL_EPSILON * size && below > floor) continue;
    H[i * n + i - 1] = 0;
    return i;
  }
  return 0;
}

/* The eigenvalues of [a b; c d]. */
static void solve_pair(long double a, long double b, long double c, long double d, long double* re,
                       long double* im)
{
  long double half = (a - d) / 2, square = half * half + b * c;
  im[0] = im[1] = 0;
  if (square < 0) {
    re[0] = re[1] = d + half;
    im[0] = sqrtl(-square);
    im[1] = -im[0];
    return;
  }
  long double z = half + (half < 0 ? -sqrtl(square) : sqrtl(square));
  re[0] = d + z;
  re[1] = z != 0 ? d - b * c / z : re[0];
}

static void take_step(int n, long double* H, int lo, int hi, int steps)
{
  const long double *row = H + hi * n + hi, *above = row - n;
  long double sum = above[-1] + row[0], product = above[-1] * row[0] - above[0] * row[-1];
  if (steps % EXCEPTION_AT == EXCEPTION_AT - 1) {
    long double size = fabsl(row[-1]) + fabsl(above[-2]);
    sum = 1.5L * size;
    product = size * size;
  }
  step(n, H, lo, hi, sum, product);
}

pc_status pc_eigenvalues(int n, long double* A, long double* re, long double* im, long double* work)
{
  if (!is_finite(n * n, A)) return PC_NOT_FINITE;
  balance(n, A);
  make_hessenberg(n, A, work);
  long double size = size_of(n * n, A);
  for (int hi = n - 1, steps = 0; hi >= 0; steps++) {
    int lo = block_start(n, A, hi, steps < COARSE_AT ? 0 : LDBL_EPSILON * size);
    if (hi - lo < 2) {
      re[hi] = A[hi * n + hi];
      im[hi] = 0;
      if (lo < hi)
        solve_pair(A[lo * n + lo], A[lo * n + hi], A[hi * n + lo], A[hi * n + hi], re + lo,
                   im + lo);
      hi = lo - 1;
      steps = -1;
      continue;
    }
    if (steps == STEPS_MAX) return PC_NOT_CONVERGED;
    take_step(n, A, lo, hi, steps);
  }
  return PC_OK;
}
