#include "linalg/saddle_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/sparse_lu.h"

enum { REFINEMENTS_MAX = 4 };

/* A correction below this share of the solution ends the refinement. */
static const double CORRECTION_SHARE = 1e-9;

struct pc_saddle_lu {
  const pc_sparse_quadratic* problem;
  pc_combination of;
  int width; /* numbers in an unknown: 1, or 2 if complex */
  int order; /* unknowns: n + row_count */
  pc_sparse_matrix matrix;
  pc_sparse_lu* lu;
  double *x, *r; /* width * order: the solution, a correction */
  long double* residual;
};

/* ---- creation ------------------------------------------------------------------------------- */

static void add(pc_entries* entries, int width, int i, int j, double complex z)
{
  pc_entries_add(entries, width * i, width * j, creal(z));
  if (width == 1) return;
  pc_entries_add(entries, 2 * i + 1, 2 * j + 1, creal(z));
  pc_entries_add(entries, 2 * i, 2 * j + 1, -cimag(z));
  pc_entries_add(entries, 2 * i + 1, 2 * j, cimag(z));
}

static void add_matrix(pc_entries* entries, int width, const pc_sparse_matrix* m,
                       double complex scale)
{
  if (!m) return;
  for (int j = 0; j < m->pattern.order; j++)
    for (int p = m->pattern.start[j]; p < m->pattern.start[j + 1]; p++)
      add(entries, width, m->pattern.row[p], j, scale * m->value[p]);
}

static void add_row(pc_entries* entries, int width, int i, pc_row row)
{
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++)
    for (int k = 0; k < row.block[b].width; k++, w++) {
      add(entries, width, i, row.block[b].first + k, *w);
      add(entries, width, row.block[b].first + k, i, *w);
    }
}

static pc_status fill(pc_saddle_lu* lu, pc_error* error)
{
  const pc_sparse_quadratic* p = lu->problem;
  pc_entries entries = {0};
  add_matrix(&entries, lu->width, p->M, lu->of.m);
  add_matrix(&entries, lu->width, p->K, lu->of.k);
  add_matrix(&entries, lu->width, p->D, lu->of.d);
  for (int r = 0; r < p->row_count; r++) add_row(&entries, lu->width, p->n + r, p->row[r]);
  pc_status status = pc_sparse_matrix_create(lu->width * lu->order, &entries, &lu->matrix, error);
  pc_entries_free(&entries);
  PC_TRY(status);
  size_t size = (size_t)lu->width * (size_t)lu->order;
  lu->x = pc_alloc(size, sizeof *lu->x);
  lu->r = pc_alloc(size, sizeof *lu->r);
  lu->residual = pc_alloc(size, sizeof *lu->residual);
  if (!lu->x || !lu->r || !lu->residual) return pc_no_memory(error);
  PC_TRY(pc_sparse_lu_create(&lu->matrix.pattern, &lu->lu, error));
  pc_sparse_lu_accept_any(lu->lu);
  status = pc_sparse_lu_factor(lu->lu, lu->matrix.value);
  return status == PC_OK ? PC_OK
                         : pc_fail(error, status, "a matrix of order %d cannot be factorised",
                                   lu->width * lu->order);
}

pc_status pc_saddle_lu_create(const pc_sparse_quadratic* problem, pc_combination of, int is_complex,
                              pc_saddle_lu** lu, pc_error* error)
{
  *lu = NULL;
  pc_saddle_lu* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  made->problem = problem;
  made->of = of;
  made->width = is_complex ? 2 : 1;
  made->order = problem->n + problem->row_count;
  pc_status status = fill(made, error);
  if (status == PC_OK)
    *lu = made;
  else
    pc_saddle_lu_destroy(made);
  return status;
}

void pc_saddle_lu_destroy(pc_saddle_lu* lu)
{
  if (!lu) return;
  pc_sparse_lu_destroy(lu->lu);
  pc_sparse_matrix_free(&lu->matrix);
  free(lu->x);
  free(lu->r);
  free(lu->residual);
  free(lu);
}

/* ---- solution ------------------------------------------------------------------------------- */

/* residual -= scale A x */
static void subtract(const pc_saddle_lu* lu, const pc_sparse_matrix* m, double complex scale)
{
  long double re = creal(scale), im = cimag(scale);
  for (int j = 0; m && j < m->pattern.order; j++) {
    const double* x = lu->x + lu->width * j;
    long double y = lu->width == 1 ? re * x[0] : re * x[0] - im * x[1];
    long double y_im = lu->width == 1 ? 0 : re * x[1] + im * x[0];
    for (int p = m->pattern.start[j]; p < m->pattern.start[j + 1]; p++) {
      long double* r = lu->residual + lu->width * m->pattern.row[p];
      r[0] -= m->value[p] * y;
      if (lu->width == 2) r[1] -= m->value[p] * y_im;
    }
  }
}

/* The same with a row of W and its multiplier. */
static void subtract_row(const pc_saddle_lu* lu, int r)
{
  const pc_row row = lu->problem->row[r];
  int width = lu->width, to = width * (lu->problem->n + r);
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++)
    for (int k = 0; k < row.block[b].width; k++, w++)
      for (int c = 0; c < width; c++) {
        int i = width * (row.block[b].first + k) + c;
        lu->residual[to + c] -= (long double)*w * lu->x[i];
        lu->residual[i] -= (long double)*w * lu->x[to + c];
      }
}

static void find_residual(const pc_saddle_lu* lu, const double* f)
{
  const pc_sparse_quadratic* p = lu->problem;
  for (int i = 0; i < lu->width * lu->order; i++) lu->residual[i] = i < lu->width * p->n ? f[i] : 0;
  subtract(lu, p->M, lu->of.m);
  subtract(lu, p->K, lu->of.k);
  subtract(lu, p->D, lu->of.d);
  for (int r = 0; r < p->row_count; r++) subtract_row(lu, r);
}

static double length(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

void pc_saddle_lu_solve(pc_saddle_lu* lu, double* f)
{
  int n = lu->width * lu->problem->n, order = lu->width * lu->order;
  memset(lu->x, 0, (size_t)order * sizeof *lu->x);
  for (int step = 0; step <= REFINEMENTS_MAX; step++) {
    find_residual(lu, f);
    for (int i = 0; i < order; i++) lu->r[i] = (double)lu->residual[i];
    pc_sparse_lu_solve(lu->lu, lu->r);
    for (int i = 0; i < order; i++) lu->x[i] += lu->r[i];
    if (!(length(n, lu->r) > CORRECTION_SHARE * length(n, lu->x))) break;
  }
  memcpy(f, lu->x, (size_t)n * sizeof *f);
}
