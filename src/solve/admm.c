/* Alternating direction method of multipliers (Glowinski and Marrocco, 1975; Gabay and Mercier,
 * 1976) on the cone form of Coulomb friction. With De Saxce's term s = mu |y_F| held, the problem
 *
 *     y + s e_N in the dual cone of K,   x in K,   x . (y + s e_N) = 0,   y = A x + b
 *
 * is convex. Its x is split into z, for the equations of motion, and x, for the laws:
 *
 *     z      := (A + rho/m)^-1 (rho/m x - lambda - b - s e_N)
 *     y      := A z + b,   known without a product from the line above
 *     z^     := alpha z + (1 - alpha) x
 *     x      := proj(z^ + m/rho lambda; K)
 *     lambda := lambda + rho/m (z^ - x)
 *     s      := mu |y_F|
 *
 * s is updated in every iteration (as Carpentier, Le Lidec and Montaut, 2024, do). At a fixed point
 * z = x, and lambda = -(y + s e_N).
 *
 * One factorisation serves all iterations, each of which takes as long as some six sweeps of
 * Gauss-Seidel and moves all contacts together. Where a solution has ceased to exist and the next
 * one is far away, sweeps creep along: there each moves impulses by their own contacts' masses,
 * here by those masses over rho. The last digits are left to Newton's method. */
#include "solve/admm.h"

#include <math.h>
#include <string.h>

#include "solve/methods.h"
#include "solve/natural_map.h"

enum { CHECK_EVERY = 20 }; /* iterations between looks at the residual: half as long as one */

/* In units of the inverse mass. Of 23 islands of 1950 contacts of a heap of spheres whose solution
 * has jumped, four rounds of iterations (150 or 200 in the first, twice as many in each next one)
 * and proximal problems bring all within 1e-6 with 0.01 and with 0.02, 22 with 0.005 and with
 * 0.003. With 1 and with 0.1, 400 iterations bring 5 and 7 of them there. */
static const double rho = 0.01;

/* Over-relaxation, below the limit 2: with 1.6 the same islands took a quarter longer. */
static const double alpha = 1.9;

/* rho/m */
static double penalty(const pc_island* s, int k)
{
  return rho / s->mass[k];
}

pc_status pc_admm_prepare(pc_admm* a, pc_island* s)
{
  size_t rows = (size_t)s->row_count, entries = pc_island_entry_count(s);
  *a = (pc_admm){.s = s, .K = s->A};
  a->K.value = pc_arena_doubles(s->arena, entries);
  a->x = pc_arena_doubles(s->arena, 3 * rows);
  a->slip = pc_arena_doubles(s->arena, (size_t)s->node_count);
  if (!a->K.value || !a->x || !a->slip) return PC_OUT_OF_MEMORY;
  a->lambda = a->x + rows;
  a->z = a->lambda + rows;
  memcpy(a->K.value, s->A.value, entries * sizeof(double));
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k);
    double* diagonal = &a->K.value[s->A.place[s->A.diagonal[k]]];
    for (int i = 0; i < n; i++) diagonal[i * n + i] += penalty(s, k);
  }
  return PC_OK;
}

void pc_admm_begin(pc_admm* a)
{
  pc_island* s = a->s;
  memcpy(a->x, s->z, (size_t)s->row_count * sizeof(double));
  pc_island_dual(s);
  for (int k = 0; k < s->node_count; k++) {
    int at = s->A.row[k], n = pc_island_size(s, k);
    for (int i = at; i < at + n; i++) a->lambda[i] = -s->y[i];
    a->slip[k] =
        pc_island_is_contact(s, k) ? s->node[k].mu * pc_euclidean_norm(n - 1, &s->y[at + 1]) : 0;
    a->lambda[at] -= a->slip[k];
  }
}

/* z, from x and lambda. */
static void solve_motion(pc_admm* a)
{
  const pc_island* s = a->s;
  for (int k = 0; k < s->node_count; k++) {
    double d = penalty(s, k);
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      a->z[i] = d * a->x[i] - a->lambda[i] - s->b[i];
    a->z[s->A.row[k]] -= a->slip[k];
  }
  pc_block_lu_solve(s->lu, a->z);
}

/* The nearest point of the cone { |x_F| <= mu x_N }. */
static void project(int n, double mu, double* x)
{
  double length = pc_euclidean_norm(n - 1, &x[1]);
  if (length <= mu * x[0]) return;
  double normal = (x[0] + mu * length) / (1 + mu * mu);
  if (!(normal > 0)) normal = 0;
  double shrink = length > 0 ? mu * normal / length : 0;
  x[0] = normal;
  for (int i = 1; i < n; i++) x[i] *= shrink;
}

/* x, lambda and s of node k, from its z. */
static void obey_laws(pc_admm* a, int k)
{
  const pc_island* s = a->s;
  int at = s->A.row[k], n = pc_island_size(s, k);
  double *x = &a->x[at], *lambda = &a->lambda[at], *z = &a->z[at];
  double d = penalty(s, k), y[PC_CONE_ROWS_MAX] = {0}, p[PC_CONE_ROWS_MAX] = {0};
  for (int i = 0; i < n; i++) {
    y[i] = d * (x[i] - z[i]) - lambda[i]; /* y_N lacks -s */
    z[i] = alpha * z[i] + (1 - alpha) * x[i];
    p[i] = z[i] + lambda[i] / d;
  }
  if (pc_island_is_contact(s, k)) {
    project(n, s->node[k].mu, p);
    a->slip[k] = s->node[k].mu * pc_euclidean_norm(n - 1, &y[1]);
  }
  for (int i = 0; i < n; i++) {
    lambda[i] += d * (z[i] - p[i]);
    x[i] = p[i];
  }
}

void pc_admm_iterate(pc_admm* a, int iterations)
{
  pc_island* s = a->s;
  if (pc_block_lu_factor(s->lu, &a->K, 0) != PC_OK) return;
  for (int count = 1; count <= iterations; count++) {
    s->iterations++;
    solve_motion(a);
    for (int k = 0; k < s->node_count; k++) obey_laws(a, k);
    if (count % CHECK_EVERY != 0 && count < iterations) continue;
    memcpy(s->z, a->x, (size_t)s->row_count * sizeof(double));
    if (!isfinite(pc_island_offer(s, PC_METHOD_ADMM)) || pc_island_done(s)) return;
  }
}
