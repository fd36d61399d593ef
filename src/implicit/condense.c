/* The contact problem of a step in percussion form: groups are eliminated, each by its own block of
 * T,
 *
 *     A_ij = sum_g G_ig T_gg^-1 W_gj,     b_i = y_i - sum_g G_ig T_gg^-1 (F + W P_0)_g.
 *
 * What couples groups in T besides is left out: the curvature of rows under load, (W P)_q. It is as
 * small against T_gg as the way of a step against the radii of the bodies, and Newton's method,
 * which comes after, has it. Solvers know more to do with this form than with the other. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "implicit/saddle.h"
#include "linalg/dense.h"

/* Edges between all units that share a group. */
static pc_status list_edges(pc_saddle* a, int groups, pc_error* error)
{
  const pc_block_matrix* m = &a->matrix;
  size_t count = 0;
  for (int g = 0; g < groups; g++) {
    size_t n = (size_t)(m->start[g + 1] - m->start[g]);
    count += n * n / 2;
  }
  if (pc_reserve((void**)&a->units.edge, &a->units.edge_capacity, count + 1, sizeof(pc_edge)) !=
      PC_OK)
    return pc_no_memory(error);
  a->units.edge_count = 0;
  for (int g = 0; g < groups; g++)
    for (int i = m->start[g]; i < m->start[g + 1]; i++)
      for (int j = i + 1; m->column[i] >= groups && j < m->start[g + 1]; j++)
        a->units.edge[a->units.edge_count++] =
            (pc_edge){m->column[i] - groups, m->column[j] - groups};
  return PC_OK;
}

static pc_status reserve(pc_saddle* a, int groups, pc_error* error)
{
  const pc_block_matrix* m = &a->matrix;
  size_t widest = 0, tallest = 0;
  for (int n = 0; n < m->node_count; n++) {
    size_t size = (size_t)pc_block_matrix_size(m, n);
    if (n < groups && size > tallest) tallest = size;
    if (n >= groups && size > widest) widest = size;
  }
  if (pc_reserve((void**)&a->group.factor, &a->group.factor_capacity, tallest * (tallest + widest),
                 sizeof(double)) != PC_OK ||
      pc_reserve((void**)&a->group.pivot, &a->group.pivot_capacity, tallest, sizeof(int)) != PC_OK)
    return pc_no_memory(error);
  return PC_OK;
}

/* Factorises T_gg. */
static pc_status factor_group(pc_saddle* a, int g, pc_error* error)
{
  const pc_block_matrix* m = &a->matrix;
  int n = pc_block_matrix_size(m, g);
  memcpy(a->group.factor, m->value + m->place[m->diagonal[g]],
         (size_t)(n * n) * sizeof *a->group.factor);
  pc_status status = pc_lu_factor(n, a->group.factor, a->group.pivot);
  return status == PC_OK ? PC_OK : pc_fail(error, status, "the scheme's matrix cannot be inverted");
}

/* X := T_gg^-1 W_gj, column by column: rows of X are columns of W. */
static void solve_columns(const pc_saddle* a, int g, int block, double* X)
{
  const pc_block_matrix* m = &a->matrix;
  int n = pc_block_matrix_size(m, g), width = pc_block_matrix_size(m, m->column[block]);
  const double* W = m->value + m->place[block]; /* with a minus */
  for (int c = 0; c < width; c++, X += n) {
    for (int r = 0; r < n; r++) X[r] = -W[r * width + c];
    pc_lu_solve(n, a->group.factor, a->group.pivot, X);
  }
}

/* to (rows x columns) += G X'. */
static void add_product(int rows, int n, int columns, const double* G, const double* X, double* to)
{
  for (int i = 0; i < rows; i++, G += n)
    for (int c = 0; c < columns; c++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += G[k] * X[c * n + k];
      to[i * columns + c] += sum;
    }
}

/* What group g brings to A and b. Its part of b becomes T_gg^-1 b_g. */
static void eliminate_group(pc_saddle* a, int g, int groups)
{
  const pc_block_matrix* m = &a->matrix;
  int n = pc_block_matrix_size(m, g);
  double *X = a->group.factor + n * n, *b = a->b + m->row[g];
  pc_lu_solve(n, a->group.factor, a->group.pivot, b);
  for (int j = m->start[g]; j < m->start[g + 1]; j++) {
    int column = m->column[j];
    if (column < groups) continue;
    int width = pc_block_matrix_size(m, column);
    solve_columns(a, g, j, X);
    for (int i = m->start[g]; i < m->start[g + 1]; i++) {
      int row = m->column[i];
      if (row < groups) continue;
      add_product(pc_block_matrix_size(m, row), n, width, pc_block_matrix_find(m, row, g), X,
                  pc_block_matrix_find(&a->units.matrix, row - groups, column - groups));
    }
    const double* G = pc_block_matrix_find(m, column, g);
    for (int r = 0; r < width; r++)
      for (int k = 0; k < n; k++) a->b[m->row[column] + r] -= G[r * n + k] * b[k];
  }
}

pc_status pc_saddle_condense(pc_saddle* a, int groups, pc_error* error)
{
  PC_TRY(list_edges(a, groups, error));
  PC_TRY(reserve(a, groups, error));
  PC_TRY(pc_block_matrix_shape(&a->units.matrix, a->node_count - groups, a->size + groups,
                               a->units.edge_count, a->units.edge, error));
  for (int g = 0; g < groups; g++) {
    PC_TRY(factor_group(a, g, error));
    eliminate_group(a, g, groups);
  }
  return PC_OK;
}

pc_status pc_saddle_expand(pc_saddle* a, int groups, pc_error* error)
{
  const pc_block_matrix* m = &a->matrix;
  for (int g = 0; g < groups; g++) {
    int n = pc_block_matrix_size(m, g);
    double *x = a->x + m->row[g], *b = a->b + m->row[g];
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = m->start[g]; j < m->start[g + 1]; j++) {
      if (m->column[j] < groups) continue;
      int width = pc_block_matrix_size(m, m->column[j]);
      const double *W = m->value + m->place[j], *P = a->x + m->row[m->column[j]];
      for (int r = 0; r < n; r++)
        for (int c = 0; c < width; c++) x[r] -= W[r * width + c] * P[c];
    }
    PC_TRY(factor_group(a, g, error));
    pc_lu_solve(n, a->group.factor, a->group.pivot, x);
    for (int r = 0; r < n; r++) x[r] -= b[r];
  }
  return PC_OK;
}
