/* LU with partial pivoting.
 *
 * The matrix is transposed first: in column-major order the pivot search, the updates and both
 * triangular solves run along memory, and LAPACK can take over at any size. Our own factors keep
 * the reciprocals of the pivots on the diagonal, LAPACK's the pivots.
 *
 * A pivot counts as zero if it is below n eps times the largest entry of its column of U. That is
 * the column of A up to a factor n, since |L| <= 1, and needs no second copy of the matrix. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/transpose.h"

/* Where LAPACK's factorisation overtakes our loops: see bench note in dense_cholesky.c. */
enum { LU_OWN_MAX = 32 };

_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are handed to LAPACK as they are");

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static int is_finite(int n, const double* A)
{
  for (int i = 0; i < n * n; i++)
    if (!isfinite(A[i])) return 0;
  return 1;
}

/* Largest absolute value of the `count` entries at x; a NaN among them does not count. */
ALWAYS_INLINE double largest(int count, const double* x)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
  return most;
}

ALWAYS_INLINE int pivot_vanishes(int n, double pivot, double column)
{
  return !(pivot > n * DBL_EPSILON * column) || pivot < DBL_MIN || !(pivot <= DBL_MAX);
}

ALWAYS_INLINE void swap_rows(int n, double* A, int k, int p)
{
  for (int j = 0; j < n; j++) {
    double a = A[j * n + k];
    A[j * n + k] = A[j * n + p];
    A[j * n + p] = a;
  }
}

/* Right-looking elimination. A NaN anywhere reaches a pivot: its row or its column stays poisoned
 * until it is the pivot's turn. */
ALWAYS_INLINE int factor_own(int n, double* A, int* pivot)
{
  pc_transpose(n, A);
  for (int k = 0; k < n; k++) {
    double* column = A + k * n;
    double best = fabs(column[k]);
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(column[i]) > best) best = fabs(column[i]), p = i;
    if (pivot_vanishes(n, best, largest(k, column))) return 0;
    pivot[k] = p;
    if (p != k) swap_rows(n, A, k, p);
    double inverse = 1 / column[k];
    column[k] = inverse;
    for (int i = k + 1; i < n; i++) column[i] *= inverse;
    for (int j = k + 1; j < n; j++) {
      double* other = A + j * n;
      double u = other[k];
      for (int i = k + 1; i < n; i++) other[i] -= column[i] * u;
    }
  }
  return 1;
}

ALWAYS_INLINE void solve_own(int n, const double* LU, const int* pivot, double* x)
{
  for (int k = 0; k < n; k++) {
    double a = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = a;
  }
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) x[i] -= LU[k * n + i] * x[k];
  for (int k = n - 1; k >= 0; k--) {
    x[k] *= LU[k * n + k];
    for (int i = 0; i < k; i++) x[i] -= LU[k * n + i] * x[k];
  }
}

static int factor_lapack(int n, double* A, int* pivot)
{
  if (!is_finite(n, A)) return 0;
  pc_transpose(n, A);
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot) != 0) return 0;
  for (int k = 0; k < n; k++)
    if (pivot_vanishes(n, fabs(A[k * n + k]), largest(k, A + k * n))) return 0;
  return 1;
}

/* The sizes of bodies get loops of constant length, which the compiler unrolls. */
static int factor(int n, double* A, int* pivot)
{
  switch (n) {
    case 1: return factor_own(1, A, pivot);
    case 2: return factor_own(2, A, pivot);
    case 3: return factor_own(3, A, pivot);
    case 6: return factor_own(6, A, pivot);
    default: return n <= LU_OWN_MAX ? factor_own(n, A, pivot) : factor_lapack(n, A, pivot);
  }
}

pc_status pc_lu_factor(int n, double* A, int* pivot)
{
  if (factor(n, A, pivot)) return PC_OK;
  return is_finite(n, A) ? PC_SINGULAR : PC_NOT_FINITE;
}

void pc_lu_solve(int n, const double* LU, const int* pivot, double* x)
{
  switch (n) {
    case 1: x[0] *= LU[0]; return;
    case 2: solve_own(2, LU, pivot, x); return;
    case 3: solve_own(3, LU, pivot, x); return;
    case 6: solve_own(6, LU, pivot, x); return;
    default: break;
  }
  if (n <= LU_OWN_MAX)
    solve_own(n, LU, pivot, x);
  else
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, LU, n, pivot, x, n);
}
