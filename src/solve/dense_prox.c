/* The proximal point (augmented Lagrangian) fixed point (Alart and Curnier, 1991; Leine and
 * Nijmeijer, 2004), contact by contact with the newest velocities:
 *
 *     P_N := max(0, P_N - r y_N)
 *     P_F := proj(P_F - r y_F; ball of radius mu P_N)
 *
 * One r per contact for all its components: with one per component the direction of slip would not
 * be that of the friction. r = omega / |A_kk| in the row-sum norm; omega starts at one and follows
 * the residual: halved when it grows, increased when progress is slow, always below the limit two
 * of the block. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "solve/dense_work.h"

enum {
  CHECK_EVERY = 16,  /* sweeps between looks at the residual */
  ATTEMPT_FIRST = 8, /* sweeps before the first attempt with modes */
  STALL_FIRST = 256  /* sweeps before a cycle is taken for one and damped */
};

static const double omega_min = 1e-4, omega_max = 1.9;

static size_t scratch(int row_max, int contact_max)
{
  return ((size_t)row_max + (size_t)contact_max) * sizeof(double);
}

/* 1 / |A_kk|, which is at most one over the block's largest eigenvalue. */
static double natural_step(const pc_work* work, const pc_cone* cone)
{
  double norm = 0;
  for (int i = 0; i <= cone->dimension; i++) {
    const double* a = &work->A[(size_t)(cone->row + i) * (size_t)work->row_count];
    double sum = 0;
    for (int j = 0; j <= cone->dimension; j++) sum += fabs(a[cone->row + j]);
    norm = pc_larger(norm, sum);
  }
  return norm > 0 ? 1 / norm : 0;
}

/* The prox step of one contact. */
static void relax(pc_work* work, const pc_cone* cone, double r)
{
  int n = work->row_count, d = cone->dimension;
  double z[PC_CONE_ROWS_MAX] = {0}, *P = &work->P[cone->row], square = 0;
  for (int i = 0; i <= d; i++) {
    const double* a = &work->A[(size_t)(cone->row + i) * (size_t)n];
    double y = work->b[cone->row + i];
    for (int j = 0; j < n; j++) y += a[j] * work->P[j];
    z[i] = P[i] - r * y;
  }
  P[0] = z[0] > 0 ? z[0] : 0;
  for (int i = 1; i <= d; i++) square += z[i] * z[i];
  double radius = cone->mu * P[0], length = sqrt(square);
  double shrink = length > radius ? radius / length : 1;
  for (int i = 1; i <= d; i++) P[i] = shrink * z[i];
}

/* The next omega, from the last two residuals. */
static double adapt(double omega, double limit, double residual, double last)
{
  if (residual > last) return pc_larger(omega_min, 0.5 * omega);
  if (residual > 0.5 * last) return fmin(limit, 1.2 * omega);
  return omega;
}

static void solve(pc_work* work, void* memory)
{
  double *keep = memory, *step = keep + work->row_count;
  double omega = 1, limit = omega_max, last = INFINITY, milestone = INFINITY;
  int attempt = ATTEMPT_FIRST;
  for (int k = 0; k < work->contact_count; k++) step[k] = natural_step(work, &work->cone[k]);

  for (int count = 1; count <= work->max_iterations; count++) {
    for (int k = 0; k < work->contact_count; k++) relax(work, &work->cone[k], omega * step[k]);
    work->iterations++;
    if (count % CHECK_EVERY != 0 && count != attempt) continue;

    double residual = pc_work_offer(work, PC_METHOD_PROX);
    if (!isfinite(residual) || pc_work_done(work)) break;
    if (count % CHECK_EVERY == 0) {
      omega = adapt(omega, limit, residual, last);
      last = residual;
    }
    if (count != attempt) continue;
    attempt *= 2;
    pc_modes_attempt(work, work->modes.attempt_rounds, PC_METHOD_PROX, keep);
    if (pc_work_done(work)) return;
    if (count >= STALL_FIRST && work->best_residual > 0.9 * milestone) omega = limit *= 0.3;
    milestone = work->best_residual;
  }
  pc_modes_attempt(work, 2, PC_METHOD_PROX, keep);
}

const pc_dense_ops pc_dense_prox = {
    .name = "prox",
    .max_dimension = 3,
    .scratch = scratch,
    .solve = solve,
};
