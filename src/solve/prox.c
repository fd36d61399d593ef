/* The proximal point (augmented Lagrangian) fixed point (Alart and Curnier, 1991; Leine and
 * Nijmeijer, 2004), node by node with the newest duals:
 *
 *     z_N := max(0, z_N - r y_N)
 *     z_F := proj(z_F - r y_F; ball of radius mu z_N)
 *
 * One r per contact for all its components: with one per component the direction of slip would not
 * be that of the friction. r = omega / |A_kk| in the row-sum norm; omega starts at one and follows
 * the residual: halved when it grows, increased when progress is slow, always below the limit two
 * of the block. Equality nodes are solved with the others held. */
#include <math.h>

#include "base/larger.h"
#include "solve/methods.h"
#include "solve/natural_map.h"
#include "solve/sweep.h"

enum {
  CHECK_EVERY = 16, /* sweeps between looks at the residual */
  STALL_FIRST = 256 /* sweeps before a cycle is taken for one and damped */
};

static const double omega_min = 1e-4, omega_max = 1.9;

/* 1 / |A_kk|, which is at most one over the block's largest eigenvalue. */
static double natural_step(const pc_island* s, int k)
{
  int n = pc_island_size(s, k);
  const double* a = &s->A.value[s->A.place[s->A.diagonal[k]]];
  double norm = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(a[i * n + j]);
    norm = pc_larger(norm, sum);
  }
  return norm > 0 ? 1 / norm : 0;
}

/* The prox step of one contact. */
static void relax(pc_island* s, int k, double r)
{
  int d = pc_island_size(s, k) - 1;
  double p[PC_CONE_ROWS_MAX] = {0}, *z = &s->z[s->A.row[k]];
  pc_sweep_dual(s, k, p);
  for (int i = 0; i <= d; i++) p[i] = z[i] - r * p[i];
  z[0] = p[0] > 0 ? p[0] : 0;
  double radius = s->node[k].mu * z[0], length = pc_euclidean_norm(d, &p[1]);
  double shrink = length > radius ? radius / length : 1;
  for (int i = 1; i <= d; i++) z[i] = shrink * p[i];
}

/* The next omega, from the last two residuals. */
static double adapt(double omega, double limit, double residual, double last)
{
  if (residual > last) return pc_larger(omega_min, 0.5 * omega);
  if (residual > 0.5 * last) return fmin(limit, 1.2 * omega);
  return omega;
}

static void iterate(pc_island* s, const pc_sweep* sweep, const double* step, int sweeps)
{
  double omega = 1, limit = omega_max, last = INFINITY, milestone = INFINITY;
  int stall = STALL_FIRST;
  for (int count = 1; count <= sweeps; count++) {
    for (int k = 0; k < s->node_count; k++) {
      if (pc_island_is_contact(s, k))
        relax(s, k, omega * step[k]);
      else
        pc_sweep_equality(s, sweep, k);
    }
    s->iterations++;
    if (count % CHECK_EVERY != 0 && count < sweeps) continue;
    double residual = pc_island_offer(s, PC_METHOD_PROX);
    if (!isfinite(residual) || pc_island_done(s)) return;
    omega = adapt(omega, limit, residual, last);
    last = residual;
    if (count < stall) continue;
    if (s->best_residual > 0.9 * milestone) omega = limit *= 0.3;
    milestone = s->best_residual;
    stall *= 2;
  }
}

pc_status pc_prox_solve(pc_island* s, int sweeps)
{
  pc_mark mark = pc_arena_mark(s->arena);
  pc_sweep sweep;
  double* step = pc_arena_doubles(s->arena, (size_t)s->node_count);
  pc_status status = step ? pc_sweep_prepare(s, &sweep) : PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    for (int k = 0; k < s->node_count; k++) step[k] = natural_step(s, k);
    iterate(s, &sweep, step, sweeps);
  }
  pc_arena_release(s->arena, mark);
  return status;
}
