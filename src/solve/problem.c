/* The contact problem as it is given: whether it makes sense, and its masses. */
#include "solve/problem.h"

#include <float.h>
#include <math.h>

#include "base/status.h"
#include "solve/contact_mode.h"

static int size_of(const pc_problem* problem, int k)
{
  return problem->row[k + 1] - problem->row[k];
}

int pc_problem_find(const pc_problem* problem, int i, int j)
{
  int low = problem->start[i], high = problem->start[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (problem->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < problem->start[i + 1] && problem->column[low] == j ? low : -1;
}

/* --- whether it is one --- */

static pc_status check_node(const pc_problem* problem, int k, pc_error* error)
{
  const pc_problem_node* node = &problem->node[k];
  long size = (long)problem->row[k + 1] - problem->row[k];
  if (node->kind != PC_NODE_CONTACT && node->kind != PC_NODE_EQUALITY)
    return pc_fail(error, PC_BAD_ARGUMENT, "node %d: unknown kind %d", k, (int)node->kind);
  if (size < 1) return pc_fail(error, PC_BAD_ARGUMENT, "node %d: %ld rows", k, size);
  if (node->kind == PC_NODE_EQUALITY) return PC_OK;
  if (size > PC_CONE_ROWS_MAX)
    return pc_fail(error, PC_BAD_ARGUMENT, "node %d: a contact has 1 to %d rows, not %ld", k,
                   PC_CONE_ROWS_MAX, size);
  if (!(node->mu >= 0 && node->mu <= DBL_MAX))
    return pc_fail(error, PC_BAD_ARGUMENT, "node %d: the friction coefficient is %g", k, node->mu);
  return PC_OK;
}

/* Columns of block row k increase, lie in the matrix and have their counterparts. */
static pc_status check_pattern(const pc_problem* problem, int k, pc_error* error)
{
  int last = -1, diagonal = 0;
  for (int e = problem->start[k]; e < problem->start[k + 1]; e++) {
    int j = problem->column[e];
    if (j <= last || j >= problem->node_count)
      return pc_fail(error, PC_BAD_ARGUMENT, "node %d: block in column %d after column %d", k, j,
                     last);
    if (j != k && pc_problem_find(problem, j, k) < 0)
      return pc_fail(error, PC_BAD_ARGUMENT, "there is a block (%d, %d), but none (%d, %d)", k, j,
                     j, k);
    diagonal |= j == k;
    last = j;
  }
  if (!diagonal) return pc_fail(error, PC_BAD_ARGUMENT, "node %d: no diagonal block", k);
  return PC_OK;
}

static pc_status check_numbers(const pc_problem* problem, int k, pc_error* error)
{
  int rows = size_of(problem, k), bad = 0;
  for (int i = problem->row[k]; i < problem->row[k + 1]; i++)
    bad |= !(fabs(problem->b[i]) <= DBL_MAX);
  if (bad) return pc_fail(error, PC_NOT_FINITE, "node %d: b is not finite", k);
  for (int e = problem->start[k]; e < problem->start[k + 1]; e++) {
    const double* block = &problem->value[problem->place[e]];
    int count = rows * size_of(problem, problem->column[e]);
    for (int i = 0; i < count; i++) bad |= !(fabs(block[i]) <= DBL_MAX);
    if (bad)
      return pc_fail(error, PC_NOT_FINITE, "block (%d, %d) is not finite", k, problem->column[e]);
  }
  return PC_OK;
}

pc_status pc_problem_check(const pc_problem* problem, pc_error* error)
{
  PC_TRY(pc_need(problem, "problem", error));
  int n = problem->node_count;
  if (n < 0) return pc_fail(error, PC_BAD_ARGUMENT, "%d nodes", n);
  if (n == 0) return PC_OK;
  if (problem->row[0] != 0 || problem->start[0] != 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "rows and blocks must begin with 0");
  for (int k = 0; k < n; k++) {
    PC_TRY(check_node(problem, k, error));
    if (problem->start[k + 1] < problem->start[k])
      return pc_fail(error, PC_BAD_ARGUMENT, "node %d: negative number of blocks", k);
  }
  for (int k = 0; k < n; k++) PC_TRY(check_pattern(problem, k, error));
  for (int k = 0; k < n; k++) PC_TRY(check_numbers(problem, k, error));
  return PC_OK;
}

/* --- masses --- */

static int is_zero(int n, const double* x)
{
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return 0;
  return 1;
}

static const double* diagonal_block(const pc_problem* problem, int k)
{
  return &problem->value[problem->place[pc_problem_find(problem, k, k)]];
}

int pc_problem_is_bare(const pc_problem* problem, int k)
{
  int n = size_of(problem, k);
  return is_zero(n * n, diagonal_block(problem, k));
}

/* The trace of -sum_j A_kj diag(A_jj)^-1 A_jk over the equality nodes j: what the bodies would give
 * a node without a block of its own. */
static double borrowed_trace(const pc_problem* problem, int k)
{
  int n = size_of(problem, k);
  double trace = 0;
  for (int e = problem->start[k]; e < problem->start[k + 1]; e++) {
    int j = problem->column[e], m = size_of(problem, j);
    if (j == k || problem->node[j].kind != PC_NODE_EQUALITY) continue;
    const double *row = &problem->value[problem->place[e]], *a_jj = diagonal_block(problem, j);
    const double* column = &problem->value[problem->place[pc_problem_find(problem, j, k)]];
    for (int l = 0; l < m; l++) {
      double pivot = a_jj[l * m + l];
      for (int i = 0; i < n && pivot != 0; i++) trace -= row[i * m + l] * column[l * n + i] / pivot;
    }
  }
  return fabs(trace);
}

double pc_problem_mass(const pc_problem* problem, int k)
{
  int n = size_of(problem, k);
  const double* a = diagonal_block(problem, k);
  double trace = 0;
  if (is_zero(n * n, a))
    trace = borrowed_trace(problem, k);
  else
    for (int i = 0; i < n; i++)
      trace += problem->node[k].kind == PC_NODE_CONTACT ? a[i * n + i] : fabs(a[i * n + i]);
  return trace > 0 ? n / trace : 0;
}

double pc_problem_least_mass(const pc_problem* problem)
{
  double least = INFINITY;
  for (int k = 0; k < problem->node_count; k++) {
    double mass = pc_problem_mass(problem, k);
    if (mass > 0 && mass < least) least = mass;
  }
  return least < INFINITY ? least : 1;
}
