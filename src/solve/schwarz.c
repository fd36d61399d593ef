/* Gauss-Seidel on the whole island and exact solutions of subdomains, in turn: Schwarz' alternating
 * method.
 *
 * In a large heap with friction most steps are solved by some thousand sweeps, after which Newton's
 * method finds the last digits. In the others sweeps end in a cycle of thousands of sweeps: a few
 * contacts open, close and turn, hundreds of others follow them, and the residual stays between
 * 1e-6 and 1e-3. Another order of the nodes does not end the cycle, nor do convex problems with De
 * Saxce's term held in each.
 *
 * So the contacts that the last sweeps changed most are solved together with all others held, by
 * the quick methods of `auto`; then sweeps let the others follow. How many are taken differs from
 * round to round, since rounds might cycle, too. */
#include "solve/schwarz.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "solve/subdomain.h"

enum {
  WINDOW = 1000,      /* sweeps between tries of Newton's method */
  NEWTON_ROUNDS = 20, /* of which each has so many iterations ... */
  NEWTON_STAGNATION_MAX = 3,
  ROUND_SWEEPS = 50, /* of a round, without extrapolation (see nsgs.c), */
  ROUND_PARTS = 8,   /* so many times */
  BISECTIONS = 60
};

/* Newton's method is tried from this residual on. Of 16 problems of 2100 contacts, rounds solved
 * all with it, and 15 with 1e-5 and with 3e-6. */
static const double near_enough = 3e-5;

/* Of all nodes, those that are taken in a round. These solved the same problems in 43 s, 0.3, 0.4
 * and 0.5 in 77 s, larger and smaller ones did not solve all; nor did fewer nodes with all their
 * neighbours. */
static const double shares[] = {0.25, 0.3, 0.4};
enum { SHARES = sizeof shares / sizeof shares[0] };

/* How much a round counts beside the next one. */
static const double memory = 0.5;

typedef struct schwarz {
  pc_solver* solver;
  pc_island* s;
  double usable;
  double* start;        /* rows: z where a round begins, or where Newton's method is tried */
  double* change;       /* node_count: how far the last rounds moved the node, as in the residual */
  unsigned char* taken; /* node_count */
} schwarz;

static pc_status allocate(schwarz* r)
{
  pc_arena* arena = r->s->arena;
  size_t nodes = (size_t)r->s->node_count;
  r->start = pc_arena_doubles(arena, (size_t)r->s->row_count);
  r->change = pc_arena_doubles(arena, nodes);
  r->taken = (unsigned char*)pc_arena_doubles(arena, nodes / sizeof(double) + 1);
  if (!r->start || !r->change || !r->taken) return PC_OUT_OF_MEMORY;
  memset(r->change, 0, nodes * sizeof(double));
  return PC_OK;
}

static int is_finished(const schwarz* r)
{
  return pc_island_done(r->s) || r->s->best_residual <= r->usable;
}

/* Where z is near; z stays what it is, unless this finishes. */
static pc_status try_newton(schwarz* r)
{
  pc_island* s = r->s;
  size_t bytes = (size_t)s->row_count * sizeof(double);
  pc_island_dual(s);
  if (is_finished(r) || !(pc_island_residual(s) <= near_enough)) return PC_OK;
  memcpy(r->start, s->z, bytes);
  PC_TRY(pc_newton_solve(s, NEWTON_ROUNDS, NEWTON_STAGNATION_MAX, PC_METHOD_NEWTON));
  if (!is_finished(r)) memcpy(s->z, r->start, bytes);
  return PC_OK;
}

static pc_status sweep_long(schwarz* r, int sweeps)
{
  for (int left = sweeps; left > 0 && !is_finished(r); left -= WINDOW) {
    PC_TRY(pc_nsgs_solve(r->s, left < WINDOW ? left : WINDOW, PC_METHOD_NSGS));
    PC_TRY(try_newton(r));
  }
  return PC_OK;
}

/* --- rounds --- */

/* Sweeps, and which nodes they move. */
static pc_status sweep_and_watch(schwarz* r)
{
  pc_island* s = r->s;
  memcpy(r->start, s->z, (size_t)s->row_count * sizeof(double));
  for (int i = 0; i < ROUND_PARTS; i++) PC_TRY(pc_nsgs_solve(s, ROUND_SWEEPS, PC_METHOD_NSGS));
  for (int k = 0; k < s->node_count; k++) {
    double moved = 0;
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      moved = pc_larger(moved, fabs(s->z[i] - r->start[i]));
    r->change[k] = pc_larger(memory * r->change[k], s->weight[k] * moved);
  }
  return PC_OK;
}

static int count_above(const schwarz* r, double limit)
{
  int count = 0;
  for (int k = 0; k < r->s->node_count; k++) count += r->change[k] > limit;
  return count;
}

/* Takes this share of the nodes, those that changed most. */
static void take(schwarz* r, double share)
{
  double low = 0, high = 0;
  for (int k = 0; k < r->s->node_count; k++) high = pc_larger(high, r->change[k]);
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high);
    if (count_above(r, middle) > share * r->s->node_count)
      low = middle;
    else
      high = middle;
  }
  for (int k = 0; k < r->s->node_count; k++) r->taken[k] = r->change[k] > high;
}

/* A lone contact is what a sweep solves, and nodes without a contact follow those. */
static int is_worth_solving(const pc_islands* islands, int i, const pc_island* part)
{
  return islands->first[i + 1] - islands->first[i] > 1 && part->contact_count > 0;
}

static pc_status solve_part(schwarz* r, pc_subdomain* d, const pc_islands* islands, int i)
{
  pc_island part, *s = r->s;
  PC_TRY(pc_island_extract(&d->problem, islands, i, d->z, s->arena, &part));
  if (!is_worth_solving(islands, i, &part)) return PC_OK;
  part.lu = s->lu;
  part.tolerance = s->tolerance;
  part.max_iterations = s->max_iterations;
  PC_TRY(pc_auto_solve_quickly(r->solver, &part));
  s->iterations += part.iterations;
  if (part.best_residual < 1) pc_island_unscale(&part, &d->problem, islands, i, d->z);
  return PC_OK;
}

static pc_status solve_taken(schwarz* r)
{
  pc_subdomain d;
  pc_islands islands;
  pc_arena* arena = r->s->arena;
  PC_TRY(pc_subdomain_extract(r->s, r->taken, &d));
  PC_TRY(pc_find_islands(&d.problem, arena, &islands));
  for (int i = 0; i < islands.count; i++) {
    pc_mark mark = pc_arena_mark(arena);
    pc_status status = solve_part(r, &d, &islands, i);
    pc_arena_release(arena, mark);
    PC_TRY(status);
  }
  pc_subdomain_put(&d, r->s);
  return PC_OK;
}

static pc_status go_round(schwarz* r, int round)
{
  PC_TRY(sweep_and_watch(r));
  PC_TRY(try_newton(r));
  if (is_finished(r)) return PC_OK;
  take(r, shares[round % SHARES]);
  pc_mark mark = pc_arena_mark(r->s->arena);
  pc_status status = solve_taken(r);
  pc_arena_release(r->s->arena, mark);
  return status;
}

/* --- both --- */

static pc_status solve(schwarz* r, pc_schwarz_work work)
{
  PC_TRY(allocate(r));
  PC_TRY(sweep_long(r, work.sweeps));
  for (int i = 0; i < work.rounds && !is_finished(r); i++) PC_TRY(go_round(r, i));
  return pc_island_analyse(r->s);
}

pc_status pc_schwarz_solve(pc_solver* solver, pc_island* s, pc_schwarz_work work, double usable)
{
  schwarz r = {.solver = solver, .s = s, .usable = usable};
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = solve(&r, work);
  pc_arena_release(s->arena, mark);
  return status;
}
