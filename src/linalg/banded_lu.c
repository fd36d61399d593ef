#include "linalg/banded_lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"

/* Beyond this half width the loops are no longer short, and KLU is as good. */
enum { HALF_MAX = 8 };

/* Row k of the working matrix has its entries of the columns k - b .. k + 2 b, the last b of them
 * for what pivoting brings in from below. When column k is eliminated, the first b places of row k
 * are free and take the multipliers of the rows below; the rest becomes row k of U, divided by its
 * pivot, whose inverse stands in the middle. */
struct pc_banded_lu {
  const pc_pattern* pattern;
  int half;      /* b */
  int width;     /* 3 b + 1 */
  double* row;   /* order x width */
  double* scale; /* largest entry of each row, moved with it by pivoting */
  double* most;  /* largest entry of each column in that scale */
  int* pivot;    /* how far below row k its pivot was */
};

static int half_width(const pc_pattern* pattern)
{
  int half = 0;
  for (int j = 0; j < pattern->order; j++)
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
      int distance = abs(pattern->row[p] - j);
      if (distance > half) half = distance;
    }
  return half;
}

int pc_is_banded(const pc_pattern* pattern)
{
  long long half = half_width(pattern), entries = pattern->start[pattern->order];
  return half > 0 && half <= HALF_MAX && (2 * half + 1) * pattern->order <= 2 * entries;
}

pc_status pc_banded_lu_create(const pc_pattern* pattern, pc_banded_lu** lu, pc_error* error)
{
  pc_banded_lu* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  size_t order = (size_t)pattern->order;
  made->pattern = pattern;
  made->half = half_width(pattern);
  made->width = 3 * made->half + 1;
  made->row = pc_alloc(order * (size_t)made->width, sizeof *made->row);
  made->scale = pc_alloc(order, sizeof *made->scale);
  made->most = pc_alloc(order, sizeof *made->most);
  made->pivot = pc_alloc(order, sizeof *made->pivot);
  if (!made->row || !made->scale || !made->most || !made->pivot) {
    pc_banded_lu_destroy(made);
    return pc_no_memory(error);
  }
  *lu = made;
  return PC_OK;
}

void pc_banded_lu_destroy(pc_banded_lu* lu)
{
  if (!lu) return;
  free(lu->row);
  free(lu->scale);
  free(lu->most);
  free(lu->pivot);
  free(lu);
}

/* ---- factorisation ------------------------------------------------------------------------- */

/* Entry (i, j) of the working matrix. */
static double* at(const pc_banded_lu* lu, int i, int j)
{
  return lu->row + (size_t)i * (size_t)lu->width + (j - i + lu->half);
}

/* Spreads the values, and finds the scales of rows and columns. */
static pc_status load(pc_banded_lu* lu, const double* value)
{
  const pc_pattern* pattern = lu->pattern;
  size_t order = (size_t)pattern->order;
  memset(lu->row, 0, order * (size_t)lu->width * sizeof *lu->row);
  memset(lu->scale, 0, order * sizeof *lu->scale);
  for (int j = 0; j < pattern->order; j++)
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
      int i = pattern->row[p];
      if (!isfinite(value[p])) return PC_NOT_FINITE;
      *at(lu, i, j) = value[p];
      lu->scale[i] = pc_larger(lu->scale[i], fabs(value[p]));
    }
  for (int j = 0; j < pattern->order; j++) {
    lu->most[j] = 0;
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++)
      if (value[p] != 0)
        lu->most[j] = pc_larger(lu->most[j], fabs(value[p]) / lu->scale[pattern->row[p]]);
  }
  return PC_OK;
}

/* The row from k to `last` whose entry in column k is the largest in its scale. */
static int find_pivot(const pc_banded_lu* lu, int k, int last, double* size)
{
  int best = k;
  *size = 0;
  for (int i = k; i <= last; i++) {
    double share = lu->scale[i] > 0 ? fabs(*at(lu, i, k)) / lu->scale[i] : 0;
    if (!(share > *size)) continue;
    *size = share;
    best = i;
  }
  return best;
}

static void swap_rows(pc_banded_lu* lu, int k, int i, int last_column)
{
  for (int j = k; j <= last_column; j++) {
    double kept = *at(lu, k, j);
    *at(lu, k, j) = *at(lu, i, j);
    *at(lu, i, j) = kept;
  }
  double scale = lu->scale[k];
  lu->scale[k] = lu->scale[i];
  lu->scale[i] = scale;
}

static void eliminate(pc_banded_lu* lu, int k, int last, int last_column)
{
  double inverse = 1 / *at(lu, k, k);
  double* multiplier = lu->row + (size_t)k * (size_t)lu->width;
  for (int m = 0; m < lu->half; m++) multiplier[m] = 0;
  for (int i = k + 1; i <= last; i++) {
    double factor = *at(lu, i, k) * inverse;
    multiplier[i - k - 1] = factor;
    for (int j = k + 1; j <= last_column; j++) *at(lu, i, j) -= factor * *at(lu, k, j);
  }
  for (int j = k + 1; j <= last_column; j++) *at(lu, k, j) *= inverse;
  *at(lu, k, k) = inverse;
}

pc_status pc_banded_lu_factor(pc_banded_lu* lu, const double* value)
{
  PC_TRY(load(lu, value));
  int end = lu->pattern->order - 1, b = lu->half;
  for (int k = 0; k <= end; k++) {
    int last = k + b < end ? k + b : end, last_column = k + 2 * b < end ? k + 2 * b : end;
    double size;
    int best = find_pivot(lu, k, last, &size);
    /* a pivot must stand out from the round-off of its column */
    if (!(size > (end + 1) * DBL_EPSILON * lu->most[k]) || !isfinite(size)) return PC_SINGULAR;
    lu->pivot[k] = best - k;
    if (best != k) swap_rows(lu, k, best, last_column);
    eliminate(lu, k, last, last_column);
  }
  return PC_OK;
}

/* ---- solution ------------------------------------------------------------------------------ */

/* One step of the way forth: the rows from k + 1 to k + `below`. */
static inline void forward(const double* row, int pivot, int below, double* x)
{
  double x_k = x[pivot];
  if (pivot) {
    x[pivot] = x[0];
    x[0] = x_k;
  }
  for (int m = 0; m < below; m++) x[m + 1] -= row[m] * x_k;
}

/* One step of the way back, with `right` entries right of the pivot. The nearest comes last: it is
 * what the step has to wait for. */
static inline void backward(const double* row, int half, int right, double* x)
{
  double sum = row[half] * x[0];
  for (int m = right; m > 0; m--) sum -= row[half + m] * x[m];
  x[0] = sum;
}

static void solve(const pc_banded_lu* lu, double* x)
{
  int n = lu->pattern->order, b = lu->half, width = lu->width;
  const double* row = lu->row;
  for (int k = 0; k < n; k++, row += width)
    forward(row, lu->pivot[k], k + b < n ? b : n - 1 - k, x + k);
  for (int k = n - 1; k >= 0; k--) {
    row -= width;
    backward(row, b, k + 2 * b < n ? 2 * b : n - 1 - k, x + k);
  }
}

/* b = 1, a bar: the same with what one step hands to the next in registers, which halves the time.
 * Entries right of the last column are zero. */
static void solve_tridiagonal(const pc_banded_lu* lu, double* x)
{
  int n = lu->pattern->order;
  const double* row = lu->row;
  double x_k = x[0];
  for (int k = 0; k + 1 < n; k++, row += 4) {
    double below = x[k + 1];
    if (lu->pivot[k]) {
      double upper = x_k;
      x_k = below;
      below = upper;
    }
    x[k] = x_k;
    x_k = below - row[0] * x_k;
  }
  x[n - 1] = x_k;
  double next = 0, after = 0;
  for (int k = n - 1; k >= 0; k--, row -= 4) {
    double sum = row[1] * x[k] - row[3] * after - row[2] * next;
    after = next;
    x[k] = next = sum;
  }
}

void pc_banded_lu_solve(const pc_banded_lu* lu, double* x)
{
  if (lu->half == 1)
    solve_tridiagonal(lu, x);
  else
    solve(lu, x);
}
