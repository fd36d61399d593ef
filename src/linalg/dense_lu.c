/* LU with partial pivoting.
 *
 * The matrix is transposed first: in column-major order the pivot search, the updates and both
 * triangular solves run along memory. The diagonal keeps the reciprocals of the pivots. Up to order
 * SMALL_MAX `pivot` is the order of the rows (row k of P A is row pivot[k] of A); beyond that, the
 * row that row k was exchanged with, which needs no second vector in a solve.
 *
 * Larger matrices are eliminated PANEL columns at a time, which reads and writes the rest of the
 * matrix once for all of them. Every entry still has its products subtracted one after the other,
 * in the order of the columns: the bits do not depend on the width of the panel.
 *
 * A pivot counts as zero if it is below n eps times the largest entry of its column of U. That is
 * the column of A up to a factor n, since |L| <= 1, and needs no second copy of the matrix. */
#include <float.h>
#include <math.h>

#include "linalg/axpy.h"
#include "linalg/dense.h"
#include "linalg/transpose.h"
#include "linalg/two.h"

/* Up to this order (a body in space, three stages of one in the plane) the loops have constant
 * lengths. */
enum { SMALL_MAX = 9, PANEL = 4 };

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define PC_UNROLL_SMALL _Pragma("clang loop unroll(full)")
#else
#define PC_UNROLL_SMALL _Pragma("GCC unroll 9")
#endif

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
  double *x = A + k, *y = A + p;
  PC_UNROLL_SMALL
  for (int j = 0; j < n; j++) {
    double a = x[j * n];
    x[j * n] = y[j * n];
    y[j * n] = a;
  }
}

/* The row of the k-th pivot, or -1 if it vanishes. */
ALWAYS_INLINE int find_pivot(int n, const double* column, int k)
{
  double best = fabs(column[k]);
  int p = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(column[i]) > best) best = fabs(column[i]), p = i;
  return pivot_vanishes(n, best, largest(k, column)) ? -1 : p;
}

/* The pivot's reciprocal and the multipliers below it. */
ALWAYS_INLINE void divide(int n, double* column, int k)
{
  double inverse = 1 / column[k];
  column[k] = inverse;
  int i = k + 1;
  for (; i + 2 <= n; i += 2) {
    pc_two y = pc_load_two(column + i) * inverse;
    pc_store_two(y, column + i);
  }
  if (i < n) column[i] *= inverse;
}

/* x := x - a column times u below row k, whose entry of x is u. */
ALWAYS_INLINE void subtract_column(int n, int k, const double* restrict column, double* restrict x)
{
  double u = x[k];
  int i = k + 1;
  for (; i + 2 <= n; i += 2) {
    pc_two y = pc_load_two(x + i) - pc_load_two(column + i) * u;
    pc_store_two(y, x + i);
  }
  if (i < n) x[i] -= column[i] * u;
}

/* Subtracts from a column x what the PANEL columns from k on, L, take from it. */
ALWAYS_INLINE void subtract_panel(int n, int k, const double* L, double* restrict x)
{
  const double *l0 = L, *l1 = L + n, *l2 = l1 + n, *l3 = l2 + n;
  double u0 = x[k];
  double u1 = x[k + 1] -= l0[k + 1] * u0;
  double u2 = x[k + 2] = x[k + 2] - l0[k + 2] * u0 - l1[k + 2] * u1;
  double u3 = x[k + 3] = x[k + 3] - l0[k + 3] * u0 - l1[k + 3] * u1 - l2[k + 3] * u2;
  int i = k + PANEL;
  for (; i + 2 <= n; i += 2) {
    pc_two y = pc_load_two(x + i) - pc_load_two(l0 + i) * u0 - pc_load_two(l1 + i) * u1 -
               pc_load_two(l2 + i) * u2 - pc_load_two(l3 + i) * u3;
    pc_store_two(y, x + i);
  }
  if (i < n) x[i] = x[i] - l0[i] * u0 - l1[i] * u1 - l2[i] * u2 - l3[i] * u3;
}

/* Column k of a small matrix: its pivot, and what it takes from those up to before `end`. */
ALWAYS_INLINE int eliminate_small(int n, double* A, int* pivot, int k, int end)
{
  double* column = A + k * n;
  int p = find_pivot(n, column, k), row = pivot[k];
  if (p < 0) return 0;
  pivot[k] = pivot[p];
  pivot[p] = row;
  if (p != k) swap_rows(n, A, k, p);
  divide(n, column, k);
  for (int j = k + 1; j < end; j++) subtract_column(n, k, column, A + j * n);
  return 1;
}

/* Right-looking elimination. A NaN anywhere reaches a pivot: its row or its column stays poisoned
 * until it is the pivot's turn. */
ALWAYS_INLINE int factor_small(int n, double* A, int* pivot)
{
  pc_transpose(n, A);
  for (int i = 0; i < n; i++) pivot[i] = i;
  for (int first = 0; first < n; first += PANEL) {
    int end = first + PANEL < n ? first + PANEL : n;
    for (int k = first; k < end; k++)
      if (!eliminate_small(n, A, pivot, k, end)) return 0;
    for (int j = end; j < n; j++) subtract_panel(n, first, A + first * n, A + j * n);
  }
  return 1;
}

/* Eliminates columns k0 .. end - 1 within themselves; rows are exchanged in the whole matrix. */
static int factor_panel(int n, double* A, int* pivot, int k0, int end)
{
  for (int k = k0; k < end; k++) {
    double* column = A + k * n;
    int p = pivot[k] = find_pivot(n, column, k);
    if (p < 0) return 0;
    if (p != k) swap_rows(n, A, k, p);
    divide(n, column, k);
    for (int j = k + 1; j < end; j++)
      pc_axpy(n - k - 1, -A[j * n + k], column + k + 1, A + j * n + k + 1);
  }
  return 1;
}

static int factor_by_panels(int n, double* A, int* pivot)
{
  pc_transpose(n, A);
  for (int k = 0; k < n; k += PANEL) {
    int end = k + PANEL < n ? k + PANEL : n;
    if (!factor_panel(n, A, pivot, k, end)) return 0;
    for (int j = end; j < n; j++) subtract_panel(n, k, A + k * n, A + j * n);
  }
  return 1;
}

/* Solves with the PANEL columns of U from k on, and subtracts from the entries of x above them what
 * they take. */
ALWAYS_INLINE void solve_panel(int n, int k, const double* U, double* restrict x)
{
  const double *c0 = U, *c1 = U + n, *c2 = c1 + n, *c3 = c2 + n;
  double u3 = x[k + 3] *= c3[k + 3];
  double u2 = x[k + 2] = (x[k + 2] - c3[k + 2] * u3) * c2[k + 2];
  double u1 = x[k + 1] = (x[k + 1] - c3[k + 1] * u3 - c2[k + 1] * u2) * c1[k + 1];
  double u0 = x[k] = (x[k] - c3[k] * u3 - c2[k] * u2 - c1[k] * u1) * c0[k];
  int i = 0;
  for (; i + 2 <= k; i += 2) {
    pc_two y = pc_load_two(x + i) - pc_load_two(c3 + i) * u3 - pc_load_two(c2 + i) * u2 -
               pc_load_two(c1 + i) * u1 - pc_load_two(c0 + i) * u0;
    pc_store_two(y, x + i);
  }
  if (i < k) x[i] = x[i] - c3[i] * u3 - c2[i] * u2 - c1[i] * u1 - c0[i] * u0;
}

/* x := U^-1 L^-1 P x in place. A right-hand side is often zero but for the entries of a row of
 * W. */
static void solve_in_place(int n, const double* LU, const int* pivot, double* x)
{
  for (int k = 0; k < n; k++) {
    double a = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = a;
  }
  int k = 0;
  for (; k + PANEL <= n; k += PANEL)
    if (x[k] != 0 || x[k + 1] != 0 || x[k + 2] != 0 || x[k + 3] != 0)
      subtract_panel(n, k, LU + k * n, x);
  for (; k < n; k++) pc_axpy(n - k - 1, -x[k], LU + k * n + k + 1, x + k + 1);
  for (k = n - PANEL; k >= 0; k -= PANEL) solve_panel(n, k, LU + k * n, x);
  for (k += PANEL - 1; k >= 0; k--) {
    x[k] *= LU[k * n + k];
    pc_axpy(k, -x[k], LU + k * n, x);
  }
}

/* The same by dot products: for a constant n they stay in registers, where updates would wait for
 * each other's stores. */
ALWAYS_INLINE void solve_smallest(int n, const double* LU, const int* pivot, double* x)
{
  double y[PANEL];
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

/* The same for a constant n of more than one panel. */
ALWAYS_INLINE void solve_small(int n, const double* LU, const int* pivot, double* x)
{
  double y[SMALL_MAX];
  int k = 0;
  for (int i = 0; i < n; i++) y[i] = x[pivot[i]];
  for (; k + PANEL <= n; k += PANEL) subtract_panel(n, k, LU + k * n, y);
  for (; k < n; k++) subtract_column(n, k, LU + k * n, y);
  for (k = n - PANEL; k >= 0; k -= PANEL) solve_panel(n, k, LU + k * n, y);
  for (k += PANEL - 1; k >= 0; k--) {
    y[k] *= LU[k * n + k];
    for (int i = 0; i < k; i++) y[i] -= LU[k * n + i] * y[k];
  }
  for (int i = 0; i < n; i++) x[i] = y[i];
}

/* The sizes of bodies get loops of constant length, which the compiler unrolls. */
static int factor(int n, double* A, int* pivot)
{
  switch (n) {
    case 1: return factor_small(1, A, pivot);
    case 2: return factor_small(2, A, pivot);
    case 3: return factor_small(3, A, pivot);
    case 4: return factor_small(4, A, pivot);
    case 5: return factor_small(5, A, pivot);
    case 6: return factor_small(6, A, pivot);
    case 7: return factor_small(7, A, pivot);
    case 8: return factor_small(8, A, pivot);
    case 9: return factor_small(9, A, pivot);
    default: return factor_by_panels(n, A, pivot);
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
    case 2: solve_smallest(2, LU, pivot, x); return;
    case 3: solve_smallest(3, LU, pivot, x); return;
    case 4: solve_smallest(4, LU, pivot, x); return;
    case 5: solve_small(5, LU, pivot, x); return;
    case 6: solve_small(6, LU, pivot, x); return;
    case 7: solve_small(7, LU, pivot, x); return;
    case 8: solve_small(8, LU, pivot, x); return;
    case 9: solve_small(9, LU, pivot, x); return;
    default: solve_in_place(n, LU, pivot, x);
  }
}

double pc_lu_smallest_pivot(int n, const double* LU)
{
  double largest_inverse = 0;
  for (int i = 0; i < n; i++)
    if (fabs(LU[i * n + i]) > largest_inverse) largest_inverse = fabs(LU[i * n + i]);
  return 1 / largest_inverse;
}
