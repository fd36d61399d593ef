/* The contact problem as it is given: whether it makes sense, its masses and its residual. */
#include "solve/problem.h"

#include <float.h>
#include <math.h>

#include "base/larger.h"
#include "base/status.h"
#include "solve/constants.h"
#include "solve/natural_map.h"

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

/* --- the residual --- */

/* Contacts, equality nodes with a block of their own and without one: largest deviation and scale.
 * Of contacts: the largest free velocity, the energy that impulses exchange, and what is left above
 * the round-off of impulses relative to these. */
typedef struct measure {
  double worst[3], scale[3];
  double speed, energy, round_off, moving;
} measure;

static void raise(double* x, double to)
{
  *x = pc_larger(*x, to);
}

/* y of contact k. */
static void contact_dual(const pc_problem* problem, int k, const double* z, double* y)
{
  int first = problem->row[k], n = size_of(problem, k);
  for (int i = 0; i < n; i++) y[i] = problem->b[first + i];
  for (int e = problem->start[k]; e < problem->start[k + 1]; e++) {
    int j = problem->column[e], columns = size_of(problem, j);
    const double *a = &problem->value[problem->place[e]], *x = &z[problem->row[j]];
    for (int i = 0; i < n; i++)
      for (int l = 0; l < columns; l++) y[i] += a[i * columns + l] * x[l];
  }
}

/* The free velocity of row i of contact k: b, and what the equality nodes would give it, |A| m
 * |b|. */
static double free_speed(const pc_problem* problem, int k, int i)
{
  double speed = fabs(problem->b[problem->row[k] + i]);
  for (int e = problem->start[k]; e < problem->start[k + 1]; e++) {
    int j = problem->column[e], columns = size_of(problem, j);
    if (problem->node[j].kind == PC_NODE_CONTACT) continue;
    const double *a = &problem->value[problem->place[e]] + i * columns,
                 *b = &problem->b[problem->row[j]];
    double mass = pc_problem_mass(problem, j);
    for (int l = 0; l < columns; l++) speed += fabs(a[l]) * mass * fabs(b[l]);
  }
  return speed;
}

static void measure_contact(const pc_problem* problem, int k, double mass, const double* z,
                            measure* m)
{
  int first = problem->row[k], n = size_of(problem, k), is_bare = pc_problem_is_bare(problem, k);
  double y[PC_CONE_ROWS_MAX] = {0};
  contact_dual(problem, k, z, y);
  for (int i = 0; i < n; i++) {
    raise(&m->scale[0], fabs(z[first + i]));
    raise(&m->scale[0], mass * fabs(problem->b[first + i]));
    raise(&m->speed, free_speed(problem, k, i));
    if (!is_bare) m->energy += z[first + i] * (y[i] - problem->b[first + i]);
  }
  raise(&m->worst[0], pc_natural_map_of(n - 1, problem->node[k].mu, mass, &z[first], y));
}

static void measure_velocity(const pc_problem* problem, int k, double mass, const double* z,
                             measure* m)
{
  double y[PC_CONE_ROWS_MAX] = {0}, impulse = mass * m->speed;
  raise(&impulse, sqrt(mass * (m->energy > 0 ? m->energy : 0)));
  contact_dual(problem, k, z, y);
  double deviation =
      pc_natural_map_of(size_of(problem, k) - 1, problem->node[k].mu, mass, &z[problem->row[k]], y);
  if (deviation > m->round_off && impulse > 0)
    raise(&m->moving, (deviation - m->round_off) / impulse);
}

/* m_j |b_j|: the size of what may be asked of z_j. */
static double free_size(const pc_problem* problem, int j)
{
  double largest = 0;
  for (int i = problem->row[j]; i < problem->row[j + 1]; i++) raise(&largest, fabs(problem->b[i]));
  return largest > 0 ? largest * pc_problem_mass(problem, j) : 0;
}

static void measure_equality(const pc_problem* problem, int k, double mass, const double* z,
                             measure* m)
{
  int class = pc_problem_is_bare(problem, k) ? 2 : 1, first = problem->row[k];
  for (int i = 0; i < size_of(problem, k); i++) {
    double y = problem->b[first + i], size = fabs(y);
    for (int e = problem->start[k]; e < problem->start[k + 1]; e++) {
      int j = problem->column[e], columns = size_of(problem, j);
      const double* a = &problem->value[problem->place[e]] + i * columns;
      const double* x = &z[problem->row[j]];
      double free = free_size(problem, j);
      for (int l = 0; l < columns; l++) {
        y += a[l] * x[l];
        size += fabs(a[l]) * (fabs(x[l]) + free);
      }
    }
    raise(&m->worst[class], mass * fabs(y));
    raise(&m->scale[class], mass * size);
  }
}

/* worst / scale, and infinity for anything that is not a finite number. */
static double relative(double worst, double scale)
{
  double residual = worst == 0 ? 0 : worst / scale;
  return isfinite(residual) && isfinite(scale) ? residual : INFINITY;
}

typedef void measure_node(const pc_problem*, int k, double mass, const double* z, measure* m);

static void measure_all(const pc_problem* problem, const double* z, measure_node* contact,
                        measure_node* equality, measure* m)
{
  double least = 0;
  for (int k = 0; k < problem->node_count; k++) {
    measure_node* law = problem->node[k].kind == PC_NODE_CONTACT ? contact : equality;
    if (!law) continue;
    double mass = pc_problem_mass(problem, k);
    if (mass == 0) {
      if (least == 0) least = pc_problem_least_mass(problem);
      mass = least;
    }
    law(problem, k, mass, z, m);
  }
}

double pc_problem_residual(const pc_problem* problem, const double* z)
{
  measure m = {.speed = 0};
  double residual = 0;
  measure_all(problem, z, measure_contact, measure_equality, &m);
  for (int c = 0; c < 3; c++) residual = pc_larger(residual, relative(m.worst[c], m.scale[c]));
  m.round_off = PC_RESIDUAL_ROUND_OFF * m.scale[0];
  if (m.worst[0] > m.round_off) measure_all(problem, z, measure_velocity, NULL, &m);
  return pc_larger(residual, relative(m.moving, 1));
}
