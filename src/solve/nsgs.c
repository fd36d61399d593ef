/* Nonsmooth Gauss-Seidel (Jourdan, Alart and Jean, 1998): node by node, each one solved with the
 * others held, in the given order, until nothing moves.
 *
 *     q_k = y_k - A_kk z_k,   z_k := solution of  y = A_kk z + q_k  with its law
 *
 * The local solution is local_contact.h.
 *
 * Sweeps that move z along a straight line are extrapolated; sweeps that cycle (large friction that
 * couples to the normals) are damped. */
#include <math.h>
#include <string.h>

#include "solve/local_contact.h"
#include "solve/methods.h"
#include "solve/sweep.h"

enum {
  CHECK_EVERY = 32,         /* sweeps between looks at the residual: it costs as much as a sweep */
  WINDOW = 2 * CHECK_EVERY, /* sweeps whose displacement is compared with that of those before */
  STALL_FIRST = 256         /* sweeps before a cycle is taken for one and damped */
};

/* Displacements of two windows go along one line above this cosine of the angle between them. */
static const double straight = 0.8;

/* The longest extrapolation, in displacements of a window. */
static const double farthest = 20;

/* Sweeps cycle where a window takes z less far than this many of its first sweeps. */
static const double returns = 4;

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

/* --- where sweeps go --- */

/* z at the beginning of the present window, and how far windows and sweeps took it. */
typedef struct drift {
  double* start;  /* rows: z */
  double* before; /* rows: displacement of the window before */
  int windows;    /* since the last extrapolation */
  double sweep;   /* Euclidean norm of what the first sweep of this window changed, */
  double window;  /* and of the displacement of the last window */
} drift;

static pc_status drift_begin(drift* d, const pc_island* s)
{
  size_t rows = (size_t)s->row_count;
  *d = (drift){.start = pc_arena_doubles(s->arena, 2 * rows)};
  if (!d->start) return PC_OUT_OF_MEMORY;
  d->before = d->start + rows;
  memcpy(d->start, s->z, rows * sizeof(double));
  memset(d->before, 0, rows * sizeof(double));
  return PC_OK;
}

/* After the first sweep of a window. */
static void drift_note_sweep(drift* d, const pc_island* s)
{
  double sum = 0;
  for (int i = 0; i < s->row_count; i++) sum += (s->z[i] - d->start[i]) * (s->z[i] - d->start[i]);
  d->sweep = sqrt(sum);
}

/* How much farther to go along the displacement of the last window, in units of it: Aitken's limit
 * of a geometric sequence, whose ratio is that of the last two. Where a solution has ceased to
 * exist (a contact that stuck has to slip), sweeps cross its neighbourhood at a constant rate, and
 * the ratio is about one. */
static double extrapolation(const drift* d, double along, double before)
{
  if (d->windows == 0 || !(along > straight * d->window * before)) return 0;
  double ratio = along / (before * before);
  return ratio < 1 ? fmin(farthest, ratio / (1 - ratio)) : farthest;
}

/* At the end of a window: moves z on along the line that sweeps follow, if it is one. */
static void drift_end_window(drift* d, pc_island* s)
{
  double along = 0, now = 0, then = 0;
  for (int i = 0; i < s->row_count; i++) {
    double step = s->z[i] - d->start[i];
    along += step * d->before[i];
    now += step * step;
    then += d->before[i] * d->before[i];
    d->before[i] = step;
  }
  d->window = sqrt(now);
  double farther = extrapolation(d, along, sqrt(then));
  for (int i = 0; i < s->row_count && farther > 0; i++) s->z[i] += farther * d->before[i];
  d->windows = farther > 0 ? 0 : d->windows + 1;
  memcpy(d->start, s->z, (size_t)s->row_count * sizeof(double));
}

/* Whether the sweeps of the last window came back to near where they began. */
static int drift_is_cycle(const drift* d)
{
  return d->windows > 1 && d->window < returns * d->sweep;
}

/* --- all of it --- */

typedef struct sweeps {
  pc_sweep equalities;
  pc_local_contact* contacts;
  drift drift;
  double omega;
  double milestone; /* the best residual at the last look for a cycle */
  int next_look;    /* sweeps */
} sweeps;

static pc_status begin(pc_island* s, sweeps* w)
{
  *w =
      (sweeps){.contacts = prepare(s), .omega = 1, .milestone = INFINITY, .next_look = STALL_FIRST};
  if (!w->contacts || drift_begin(&w->drift, s) != PC_OK) return PC_OUT_OF_MEMORY;
  return pc_sweep_prepare(s, &w->equalities);
}

/* At the end of a window, after `count` sweeps. */
static void direct(pc_island* s, sweeps* w, int count)
{
  drift_end_window(&w->drift, s);
  if (count < w->next_look) return;
  if (s->best_residual > 0.9 * w->milestone && drift_is_cycle(&w->drift)) w->omega *= 0.4;
  w->milestone = s->best_residual;
  w->next_look *= 2;
}

static void sweep_until_done(pc_island* s, sweeps* w, int limit, pc_method by)
{
  for (int count = 1; count <= limit; count++) {
    double change = sweep_all(s, &w->equalities, w->contacts, w->omega);
    s->iterations++;
    if (!isfinite(change)) return;
    if (count % WINDOW == 1) drift_note_sweep(&w->drift, s);
    if (change > s->tolerance && count % CHECK_EVERY != 0 && count < limit) continue;
    pc_island_offer(s, by);
    if (pc_island_done(s) || change == 0) return;
    if (count % WINDOW == 0 && count < limit) direct(s, w, count);
  }
}

pc_status pc_nsgs_solve(pc_island* s, int sweep_limit, pc_method by)
{
  pc_mark mark = pc_arena_mark(s->arena);
  sweeps w;
  pc_status status = begin(s, &w);
  if (status == PC_OK) sweep_until_done(s, &w, sweep_limit, by);
  pc_arena_release(s->arena, mark);
  return status;
}
