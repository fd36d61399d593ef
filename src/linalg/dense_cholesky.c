/* Cholesky's factorisation A = L L', row by row.
 *
 * Only the lower triangle is read and written. Our own factors keep the reciprocals of the pivots
 * on the diagonal. LAPACK sees the row-major lower triangle as a column-major upper one.
 *
 * A pivot counts as zero if it is below n eps times the diagonal entry it started from. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"

/* Where LAPACK takes over. Measured (ours, LAPACK; factor + solve in us): n = 12: 0.4, 0.8;
 * n = 24: 1.8, 2.2; n = 28: 2.6, 2.7; n = 32: 3.7, 3.4. */
enum { CHOLESKY_OWN_MAX = 28 };

/* Up to this order (a body in space) the loops have constant lengths. */
enum { SMALL_MAX = 6 };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static int is_finite(int n, const double* A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      if (!isfinite(A[i * n + j])) return 0;
  return 1;
}

ALWAYS_INLINE int pivot_vanishes(int n, double pivot, double diagonal)
{
  return !(pivot > n * DBL_EPSILON * diagonal) || pivot < DBL_MIN || !(pivot <= DBL_MAX);
}

ALWAYS_INLINE int factor_own(int n, double* A)
{
  for (int i = 0; i < n; i++) {
    double* row = A + i * n;
    double pivot = row[i];
    for (int j = 0; j < i; j++) {
      const double* above = A + j * n;
      double sum = row[j];
      for (int k = 0; k < j; k++) sum -= row[k] * above[k];
      row[j] = sum * above[j];
      pivot -= row[j] * row[j];
    }
    if (pivot_vanishes(n, pivot, row[i])) return 0;
    row[i] = 1 / sqrt(pivot);
  }
  return 1;
}

ALWAYS_INLINE void solve_own(int n, const double* L, double* x)
{
  for (int i = 0; i < n; i++) {
    double sum = x[i];
    for (int k = 0; k < i; k++) sum -= L[i * n + k] * x[k];
    x[i] = sum * L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] *= L[i * n + i];
    for (int k = 0; k < i; k++) x[k] -= L[i * n + k] * x[i];
  }
}

/* The same in locals, which stay in registers for a constant n. */
ALWAYS_INLINE void solve_small(int n, const double* L, double* x)
{
  double y[SMALL_MAX];
  for (int i = 0; i < n; i++) {
    double sum = x[i];
    for (int k = 0; k < i; k++) sum -= L[i * n + k] * y[k];
    y[i] = sum * L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = y[i];
    for (int k = n - 1; k > i; k--) sum -= L[k * n + i] * y[k];
    y[i] = sum * L[i * n + i];
  }
  for (int i = 0; i < n; i++) x[i] = y[i];
}

/* The diagonal entry of A is the squared length of its row of L. */
static int factor_lapack(int n, double* A)
{
  if (!is_finite(n, A)) return 0;
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, A, n) != 0) return 0;
  for (int i = 0; i < n; i++) {
    const double* row = A + i * n;
    double diagonal = 0;
    for (int k = 0; k <= i; k++) diagonal += row[k] * row[k];
    if (pivot_vanishes(n, row[i] * row[i], diagonal)) return 0;
  }
  return 1;
}

static int factor(int n, double* A)
{
  switch (n) {
    case 1: return factor_own(1, A);
    case 2: return factor_own(2, A);
    case 3: return factor_own(3, A);
    case 4: return factor_own(4, A);
    case 5: return factor_own(5, A);
    case 6: return factor_own(6, A);
    default: return n <= CHOLESKY_OWN_MAX ? factor_own(n, A) : factor_lapack(n, A);
  }
}

pc_status pc_cholesky_factor(int n, double* A)
{
  if (factor(n, A)) return PC_OK;
  return is_finite(n, A) ? PC_SINGULAR : PC_NOT_FINITE;
}

void pc_cholesky_solve(int n, const double* L, double* x)
{
  switch (n) {
    case 1: solve_small(1, L, x); return;
    case 2: solve_small(2, L, x); return;
    case 3: solve_small(3, L, x); return;
    case 4: solve_small(4, L, x); return;
    case 5: solve_small(5, L, x); return;
    case 6: solve_small(6, L, x); return;
    default: break;
  }
  if (n <= CHOLESKY_OWN_MAX)
    solve_own(n, L, x);
  else
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', n, 1, L, n, x, n);
}

double pc_cholesky_smallest_pivot(int n, const double* L)
{
  double smallest = INFINITY;
  for (int i = 0; i < n; i++) {
    double pivot = L[i * n + i] * L[i * n + i];
    if (n <= CHOLESKY_OWN_MAX) pivot = 1 / pivot; /* our own factors keep reciprocals */
    if (pivot < smallest) smallest = pivot;
  }
  return smallest;
}
