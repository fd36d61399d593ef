#include "schemes/generalized_alpha/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/axpy.h"
#include "linalg/constants.h"
#include "linalg/dense.h"
#include "schemes/generalized_alpha/sparse_saddle.h"

struct pc_alpha_saddle {
  int n, rows_max;
  int count;
  const pc_row* measure;
  double* X;     /* count x n: row j is A^-1 w_j */
  double* S;     /* scaled by `scale` from both sides, then its factors */
  double* copy;  /* of the scaled S */
  double* scale; /* 1/sqrt|S_ii| */
  double* tau;
  int* pivot;
  int rank;
  int regular;
  double *x, *y, *work;              /* n, rows_max, rows */
  pc_alpha_operator matrix[2];       /* with many constraints: those for which ... */
  pc_alpha_sparse_saddle* sparse[2]; /* ... there is a sparse elimination, and ... */
  pc_alpha_sparse_saddle* now; /* ... the one that has taken the constraints; NULL: dense, ... */
  const pc_assembly* A;        /* ... with this matrix */
};

static pc_status create_sparse(pc_alpha_saddle* s, pc_error* error)
{
  for (int i = 0; i < 2; i++)
    if (s->matrix[i].assembly || s->matrix[i].blocks)
      PC_TRY(pc_alpha_sparse_saddle_create(s->matrix[i], s->rows_max, &s->sparse[i], error));
  return PC_OK;
}

pc_status pc_alpha_saddle_create(int n, int rows_max, pc_alpha_operator A, const pc_assembly* M,
                                 pc_alpha_saddle** saddle, pc_error* error)
{
  *saddle = NULL;
  pc_alpha_saddle* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  int dense = rows_max < PC_ALPHA_DENSE_MAX ? rows_max : PC_ALPHA_DENSE_MAX;
  size_t width = (size_t)n, rows = (size_t)dense, all = (size_t)rows_max;
  *s = (pc_alpha_saddle){.n = n,
                         .rows_max = rows_max,
                         .X = pc_alloc(rows * width, sizeof(double)),
                         .S = pc_alloc(rows * rows, sizeof(double)),
                         .copy = pc_alloc(rows * rows, sizeof(double)),
                         .scale = pc_alloc(rows, sizeof(double)),
                         .tau = pc_alloc(rows, sizeof(double)),
                         .pivot = pc_alloc(rows, sizeof(int)),
                         .x = pc_alloc(width, sizeof(double)),
                         .y = pc_alloc(all, sizeof(double)),
                         .work = pc_alloc(rows, sizeof(double)),
                         .matrix = {A, pc_alpha_operator_of(M)}};
  int made = s->X && s->S && s->copy && s->scale && s->tau && s->pivot && s->x && s->y && s->work;
  pc_status status = made ? PC_OK : pc_no_memory(error);
  if (status == PC_OK && (rows_max > dense || !A.assembly)) status = create_sparse(s, error);
  if (status != PC_OK) {
    pc_alpha_saddle_destroy(s);
    return status;
  }
  *saddle = s;
  return PC_OK;
}

void pc_alpha_saddle_destroy(pc_alpha_saddle* s)
{
  if (!s) return;
  void* array[] = {s->X, s->S, s->copy, s->scale, s->tau, s->pivot, s->x, s->y, s->work};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_alpha_sparse_saddle_destroy(s->sparse[0]);
  pc_alpha_sparse_saddle_destroy(s->sparse[1]);
  free(s);
}

/* The rank must not depend on units. */
static void scale_rows(pc_alpha_saddle* s)
{
  int m = s->count;
  for (int i = 0; i < m; i++) {
    double diagonal = fabs(s->S[i * m + i]);
    s->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) s->S[i * m + j] *= s->scale[i] * s->scale[j];
}

static int factor_regular(pc_alpha_saddle* s)
{
  int m = s->count;
  if (pc_lu_factor(m, s->S, s->pivot) != PC_OK) return 0;
  for (int i = 0; i < m; i++)
    if (!(fabs(s->S[i * m + i]) >= PC_REGULAR_SHARE)) return 0;
  return 1;
}

pc_status pc_alpha_saddle_factor(pc_alpha_saddle* s, pc_alpha_operator A, int count,
                                 const pc_row* force, const pc_row* measure)
{
  size_t m = (size_t)count, n = (size_t)s->n;
  s->count = count;
  s->measure = measure;
  s->now = NULL;
  s->A = A.assembly;
  if (count > PC_ALPHA_DENSE_MAX || !A.assembly) {
    s->now = s->sparse[A.assembly && A.assembly == s->matrix[1].assembly];
    PC_TRY(pc_alpha_sparse_saddle_fill(s->now, A, count, NULL, force, measure, NULL));
    return pc_alpha_sparse_saddle_factor(s->now, PC_RANK_TOLERANCE, NULL);
  }
  for (size_t j = 0; j < m; j++) pc_assembly_solve_row(A.assembly, force[j], s->X + j * n);
  for (size_t i = 0; i < m; i++) pc_row_dot_columns(measure[i], count, s->X, n, s->S + i * m);
  scale_rows(s);
  memcpy(s->copy, s->S, m * m * sizeof *s->S);
  s->rank = count;
  s->regular = factor_regular(s);
  if (s->regular) return PC_OK;
  memcpy(s->S, s->copy, m * m * sizeof *s->S);
  return pc_qr_factor(count, s->S, s->tau, s->pivot, PC_RANK_TOLERANCE, &s->rank);
}

/* y := S^-1 y */
static void solve_rows(const pc_alpha_saddle* s, double* y)
{
  for (int i = 0; i < s->count; i++) y[i] *= s->scale[i];
  if (s->regular)
    pc_lu_solve(s->count, s->S, s->pivot, y);
  else
    pc_qr_solve(s->count, s->S, s->tau, s->pivot, s->rank, y, s->work);
  for (int i = 0; i < s->count; i++) y[i] *= s->scale[i];
}

static int any(int n, const double* x)
{
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return 1;
  return 0;
}

void pc_alpha_saddle_solve(pc_alpha_saddle* s, const double* c, double* x, double* y)
{
  if (s->now) {
    pc_alpha_sparse_saddle_solve(s->now, c, x, y);
    return;
  }
  if (any(s->n, x)) pc_assembly_solve(s->A, x);
  if (s->count == 0) return;
  for (int i = 0; i < s->count; i++) y[i] = c[i] - pc_row_dot(s->measure[i], x);
  solve_rows(s, y);
  for (int j = 0; j < s->count; j++)
    if (y[j] != 0) pc_axpy(s->n, y[j], s->X + (size_t)j * (size_t)s->n, x);
}

double pc_alpha_saddle_mass(pc_alpha_saddle* s, const pc_assembly* A, pc_row w)
{
  pc_assembly_solve_row(A, w, s->x);
  double sum = pc_row_dot(w, s->x), whole = sum;
  if (s->now) return sum > 0 ? 1 / sum : 0;
  for (int i = 0; i < s->count; i++) s->y[i] = pc_row_dot(s->measure[i], s->x);
  if (s->count) solve_rows(s, s->y);
  for (int i = 0; i < s->count; i++)
    sum -= s->y[i] * pc_row_dot(w, s->X + (size_t)i * (size_t)s->n);
  return sum > 1e-12 * whole ? 1 / sum : 0;
}

void pc_alpha_saddle_times(const pc_alpha_saddle* s, const double* x, double* y)
{
  if (s->now)
    pc_alpha_sparse_saddle_times(s->now, x, y);
  else
    pc_assembly_times(s->A, x, y);
}
