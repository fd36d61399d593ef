/* LU with partial pivoting.
 *
 * The matrix is transposed first: in column-major order the pivot search, the updates and both
 * triangular solves run along memory, and LAPACK can take over at any size. Our own factors keep
 * the reciprocals of the pivots on the diagonal and the row order in `pivot` (row k of P A is row
 * pivot[k] of A); LAPACK's keep the pivots and the row swaps.
 *
 * A pivot counts as zero if it is below n eps times the largest entry of its column of U. That is
 * the column of A up to a factor n, since |L| <= 1, and needs no second copy of the matrix. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/axpy.h"
#include "linalg/dense.h"
#include "linalg/transpose.h"

/* Where LAPACK takes over. Measured (ours, LAPACK; factor + solve in us): n = 12: 0.5, 1.0;
 * n = 20: 1.8, 2.6; n = 32: 5.9, 7.0; n = 40: 10.9, 8.1. */
enum { LU_OWN_MAX = 32 };

/* Up to this order (a body in space) the loops have constant lengths. */
enum { SMALL_MAX = 6 };

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

ALWAYS_INLINE void swap_rows(int n, double* A, int* pivot, int k, int p)
{
  int row = pivot[k];
  pivot[k] = pivot[p];
  pivot[p] = row;
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
  for (int i = 0; i < n; i++) pivot[i] = i;
  for (int k = 0; k < n; k++) {
    double* column = A + k * n;
    double best = fabs(column[k]);
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(column[i]) > best) best = fabs(column[i]), p = i;
    if (pivot_vanishes(n, best, largest(k, column))) return 0;
    if (p != k) swap_rows(n, A, pivot, k, p);
    double inverse = 1 / column[k];
    column[k] = inverse;
    for (int i = k + 1; i < n; i++) column[i] *= inverse;
    for (int j = k + 1; j < n; j++) {
      double* other = A + j * n;
      double u = other[k];
      if (n > SMALL_MAX)
        pc_axpy(n - k - 1, -u, column + k + 1, other + k + 1);
      else
        for (int i = k + 1; i < n; i++) other[i] -= column[i] * u;
    }
  }
  return 1;
}

/* y := L^-1 P x, x := U^-1 y. A right-hand side is often zero but for the entries of a row of W. */
static void solve_own(int n, const double* LU, const int* pivot, double* x)
{
  double y[LU_OWN_MAX];
  for (int i = 0; i < n; i++) y[i] = x[pivot[i]];
  for (int k = 0; k < n; k++)
    if (y[k] != 0) pc_axpy(n - k - 1, -y[k], LU + k * n + k + 1, y + k + 1);
  for (int k = n - 1; k >= 0; k--) {
    y[k] *= LU[k * n + k];
    pc_axpy(k, -y[k], LU + k * n, y);
  }
  for (int i = 0; i < n; i++) x[i] = y[i];
}

/* The same by dot products: for a constant n they stay in registers, where updates would wait for
 * each other's stores. */
ALWAYS_INLINE void solve_small(int n, const double* LU, const int* pivot, double* x)
{
  double y[SMALL_MAX];
  for (int i = 0; i < n; i++) {
    double sum = x[pivot[i]];
    for (int k = 0; k < i; k++) sum -= LU[k * n + i] * y[k];
    y[i] = sum;
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = y[i];
    for (int k = n - 1; k > i; k--) sum -= LU[k * n + i] * y[k];
    y[i] = sum * LU[i * n + i];
  }
  for (int i = 0; i < n; i++) x[i] = y[i];
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
    case 4: return factor_own(4, A, pivot);
    case 5: return factor_own(5, A, pivot);
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
    case 2: solve_small(2, LU, pivot, x); return;
    case 3: solve_small(3, LU, pivot, x); return;
    case 4: solve_small(4, LU, pivot, x); return;
    case 5: solve_small(5, LU, pivot, x); return;
    case 6: solve_small(6, LU, pivot, x); return;
    default: break;
  }
  if (n <= LU_OWN_MAX)
    solve_own(n, LU, pivot, x);
  else
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, LU, n, pivot, x, n);
}

double pc_lu_smallest_pivot(int n, const double* LU)
{
  double smallest = HUGE_VAL, largest_inverse = 0;
  for (int i = 0; i < n; i++) {
    double d = fabs(LU[i * n + i]);
    if (d < smallest) smallest = d;
    if (d > largest_inverse) largest_inverse = d;
  }
  return n <= LU_OWN_MAX ? 1 / largest_inverse : smallest; /* our own factors keep reciprocals */
}
