/* Nonsmooth Gauss-Seidel (Jourdan, Alart and Jean, 1998): node by node, each one solved with the
 * others held, in the given order, until nothing moves.
 *
 *     q_k = y_k - A_kk z_k,   z_k := solution of  y = A_kk z + q_k  with its law
 *
 * The local solution is local_contact.h.
 *
 * An iteration that cycles (large friction that couples to the normals) is damped. */
#include <math.h>

#include "solve/local_contact.h"
#include "solve/methods.h"
#include "solve/sweep.h"

enum {
  CHECK_EVERY = 32, /* sweeps between looks at the residual: it costs as much as a sweep */
  STALL_FIRST = 256 /* sweeps before a cycle is taken for one and damped */
};

/* A turn after which a direction of slip is exact: the next one would be its square. */
static const double last_turn = 1e-8;

static const double* diagonal_block(const pc_island* s, int k)
{
  return &s->A.value[s->A.place[s->A.diagonal[k]]];
}

static pc_local_contact* prepare(pc_island* s)
{
  size_t words = (sizeof(pc_local_contact) + sizeof(double) - 1) / sizeof(double);
  pc_local_contact* all =
      (pc_local_contact*)pc_arena_doubles(s->arena, words * (size_t)s->node_count);
  for (int k = 0; all && k < s->node_count; k++)
    if (pc_island_is_contact(s, k))
      pc_local_contact_prepare(&all[k], pc_island_size(s, k), diagonal_block(s, k));
  return all;
}

/* --- sweeps --- */

/* The contact problem of node k with the others held; y is its dual at the present z. */
static void solve_local(pc_island* s, pc_local_contact* c, int k, const double* y, double* z)
{
  const double *a = diagonal_block(s, k), *old = &s->z[s->A.row[k]];
  int n = pc_island_size(s, k);
  double q[PC_CONE_ROWS_MAX];
  for (int i = 0; i < n; i++) {
    q[i] = y[i];
    for (int j = 0; j < n; j++) q[i] -= a[i * n + j] * old[j];
  }
  pc_local_contact_solve(c, n, s->node[k].mu, a, q, last_turn, z);
}

/* Solves contact k; returns the change of its impulse, weighted as in the residual. */
static double relax(pc_island* s, pc_local_contact* c, int k, double omega, double* size)
{
  double y[PC_CONE_ROWS_MAX], z[PC_CONE_ROWS_MAX], change = 0, largest = 0;
  double* old = &s->z[s->A.row[k]];
  int n = pc_island_size(s, k);
  pc_sweep_dual(s, k, y);
  solve_local(s, c, k, y, z);
  for (int i = 0; i < n; i++) {
    if (omega < 1) z[i] = old[i] + omega * (z[i] - old[i]);
    double step = fabs(z[i] - old[i]);
    if (!(step <= change)) change = step;
    if (fabs(z[i]) > largest) largest = fabs(z[i]);
    old[i] = z[i];
  }
  double weight = s->weight[k];
  if (weight * largest > *size) *size = weight * largest;
  return weight * change;
}

/* All nodes once; returns the largest change relative to the scale of the residual. */
static double sweep_all(pc_island* s, const pc_sweep* sweep, pc_local_contact* all, double omega)
{
  double change = 0, size = s->load;
  for (int k = 0; k < s->node_count; k++) {
    double moved;
    if (pc_island_is_contact(s, k))
      moved = relax(s, &all[k], k, omega, &size);
    else
      moved = s->weight[k] * pc_sweep_equality(s, sweep, k);
    if (!(moved <= change)) change = moved;
  }
  return change / (omega * size);
}

pc_status pc_nsgs_solve(pc_island* s, int sweeps)
{
  pc_mark mark = pc_arena_mark(s->arena);
  pc_sweep sweep;
  pc_local_contact* all = prepare(s);
  if (!all || pc_sweep_prepare(s, &sweep) != PC_OK) {
    pc_arena_release(s->arena, mark);
    return PC_OUT_OF_MEMORY;
  }
  double omega = 1, milestone = INFINITY;
  int stall = STALL_FIRST;
  for (int count = 1; count <= sweeps; count++) {
    double change = sweep_all(s, &sweep, all, omega);
    s->iterations++;
    if (!isfinite(change)) break;
    if (change > s->tolerance && count % CHECK_EVERY != 0 && count < sweeps) continue;
    pc_island_offer(s, PC_METHOD_NSGS);
    if (pc_island_done(s) || change == 0) break;
    if (count < stall) continue;
    if (s->best_residual > 0.9 * milestone) omega *= 0.4;
    milestone = s->best_residual;
    stall *= 2;
  }
  pc_arena_release(s->arena, mark);
  return PC_OK;
}
