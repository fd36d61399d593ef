/* Cholesky's factorisation A = L L', row by row.
 *
 * Only the lower triangle is read and written; the diagonal keeps the reciprocals of the pivots'
 * roots. A pivot counts as zero if it is below n eps times the diagonal entry it started from.
 *
 * Every entry is A_ij minus the products L_ik L_jk in the order of k, whether it is computed alone
 * or in a tile: the same bits for any size of tile. */
#include <float.h>
#include <math.h>

#include "linalg/dense.h"

/* Rows and columns of a tile, whose sums stay in registers, and the order from which tiles pay.
 * Measured (by rows, by tiles; factor + solve in us): n = 24: 1.9, 1.7; n = 28: 2.8, 2.5. */
enum { TILE = 4, TILED_FROM = 24 };

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

/* The columns j0 .. j0 + TILE of as many rows from i0 on: minus the products of all columns
 * before. */
static void subtract_tile(int n, double* A, int i0, int j0)
{
  double sum[TILE][TILE];
  for (int i = 0; i < TILE; i++)
    for (int j = 0; j < TILE; j++) sum[i][j] = A[(i0 + i) * n + j0 + j];
  const double *row = A + i0 * n, *above = A + j0 * n;
  for (int k = 0; k < j0; k++)
    for (int i = 0; i < TILE; i++)
      for (int j = 0; j < TILE; j++) sum[i][j] -= row[i * n + k] * above[j * n + k];
  for (int i = 0; i < TILE; i++)
    for (int j = 0; j < TILE; j++) A[(i0 + i) * n + j0 + j] = sum[i][j];
}

/* Entries first .. end - 1 of row i, from which the columns before `first` have been subtracted. */
static void finish_row(int n, double* A, int i, int first, int end)
{
  double* row = A + i * n;
  for (int j = first; j < end; j++) {
    const double* above = A + j * n;
    double sum = row[j];
    for (int k = first; k < j; k++) sum -= row[k] * above[k];
    row[j] = sum * above[j];
  }
}

/* Row i beyond the tiles, from column `first` on, where nothing has been subtracted yet. */
static int factor_row(int n, double* A, int i, int first)
{
  double *row = A + i * n, diagonal = row[i], pivot = diagonal;
  for (int j = first; j < i; j++) {
    const double* above = A + j * n;
    double sum = row[j];
    for (int k = 0; k < j; k++) sum -= row[k] * above[k];
    row[j] = sum * above[j];
  }
  for (int k = 0; k < i; k++) pivot -= row[k] * row[k];
  if (pivot_vanishes(n, pivot, diagonal)) return 0;
  row[i] = 1 / sqrt(pivot);
  return 1;
}

static int factor_tiled(int n, double* A)
{
  int i0 = 0;
  for (; i0 + TILE <= n; i0 += TILE) {
    for (int j0 = 0; j0 < i0; j0 += TILE) {
      subtract_tile(n, A, i0, j0);
      for (int i = i0; i < i0 + TILE; i++) finish_row(n, A, i, j0, j0 + TILE);
    }
    for (int i = i0; i < i0 + TILE; i++)
      if (!factor_row(n, A, i, i0)) return 0;
  }
  for (; i0 < n; i0++)
    if (!factor_row(n, A, i0, 0)) return 0;
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
    default: return n < TILED_FROM ? factor_own(n, A) : factor_tiled(n, A);
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
    default: solve_own(n, L, x);
  }
}

double pc_cholesky_smallest_pivot(int n, const double* L)
{
  double smallest = INFINITY;
  for (int i = 0; i < n; i++) {
    double pivot = 1 / (L[i * n + i] * L[i * n + i]);
    if (pivot < smallest) smallest = pivot;
  }
  return smallest;
}
