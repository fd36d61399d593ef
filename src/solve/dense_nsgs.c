/* Nonsmooth Gauss-Seidel (Jourdan, Alart and Jean, 1998): contact by contact, each one solved
 * exactly with the others held, in the given order, until nothing moves.
 *
 *     q_k = y_k - A_kk P_k,   P_k := solution of  y = A_kk P + q_k  with its cone
 *
 * For planar friction the modes usually stop changing long before the percussions do; at sweeps 4,
 * 8, 16, ... the linear system of the present modes is tried, which ends the iteration at once if
 * they are right. In space the same attempt is a few steps of Newton's method. An iteration that
 * cycles (large friction that couples to the normals) is damped: P_k := P_k + omega (solution -
 * P_k). */
#include <math.h>

#include "base/larger.h"
#include "solve/dense_work.h"

enum {
  ATTEMPT_FIRST = 4, /* sweeps before the first attempt with modes */
  STALL_FIRST = 256  /* sweeps before a cycle is taken for one and damped */
};

static size_t scratch(int row_max, int contact_max)
{
  (void)contact_max;
  return (size_t)row_max * sizeof(double);
}

/* Solves contact k; returns the change of its percussion, weighted as in the residual. */
static double relax(pc_work* work, int k, double omega, double* size)
{
  const pc_cone* cone = &work->cone[k];
  int n = work->row_count, rows = 1 + cone->dimension;
  double block[PC_CONE_ROWS_MAX * PC_CONE_ROWS_MAX], q[PC_CONE_ROWS_MAX], P[PC_CONE_ROWS_MAX];
  double change = 0, largest = 0;
  for (int i = 0; i < rows; i++) {
    const double* a = &work->A[(size_t)(cone->row + i) * (size_t)n];
    double sum = work->b[cone->row + i];
    for (int j = 0; j < cone->row; j++) sum += a[j] * work->P[j];
    for (int j = cone->row + rows; j < n; j++) sum += a[j] * work->P[j];
    for (int j = 0; j < rows; j++) block[i * rows + j] = a[cone->row + j];
    q[i] = sum;
  }
  pc_contact_solve(cone, block, q, P);
  for (int i = 0; i < rows; i++) {
    if (omega < 1) P[i] = work->P[cone->row + i] + omega * (P[i] - work->P[cone->row + i]);
    change = pc_larger(change, fabs(P[i] - work->P[cone->row + i]));
    largest = pc_larger(largest, fabs(P[i]));
    work->P[cone->row + i] = P[i];
  }
  *size = pc_larger(*size, work->weight[k] * largest);
  return work->weight[k] * change;
}

/* All contacts once; returns the largest change relative to the scale of the residual. */
static double sweep(pc_work* work, double omega)
{
  double change = 0, size = work->load;
  for (int k = 0; k < work->contact_count; k++)
    change = pc_larger(change, relax(work, k, omega, &size));
  return change / (omega * size);
}

static void solve(pc_work* work, void* keep)
{
  double last_change = INFINITY, omega = 1;
  int attempt = ATTEMPT_FIRST;
  for (int count = 1; count <= work->max_iterations; count++) {
    double change = sweep(work, omega);
    work->iterations++;
    if (!isfinite(change)) return;
    if (change <= work->tolerance) {
      pc_work_offer(work, PC_METHOD_NSGS);
      if (pc_work_done(work) || change == 0) break;
    }
    if (count < attempt) continue;
    attempt *= 2;
    pc_work_offer(work, PC_METHOD_NSGS);
    pc_modes_attempt(work, work->modes.attempt_rounds, PC_METHOD_NSGS, keep);
    if (work->best_residual <= PC_RESIDUAL_ROUND_OFF && pc_work_done(work)) return;
    if (count >= STALL_FIRST && change > 0.9 * last_change) omega *= 0.4;
    last_change = change;
  }
  /* What met the tolerance can often be had to round-off. */
  pc_work_offer(work, PC_METHOD_NSGS);
  pc_modes_attempt(work, 2, PC_METHOD_NSGS, keep);
}

const pc_dense_ops pc_dense_nsgs = {
    .name = "nsgs",
    .max_dimension = 3,
    .scratch = scratch,
    .solve = solve,
};
