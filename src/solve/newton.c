/* Semismooth Newton method on the natural map (Alart and Curnier, 1991): choose the branch of every
 * contact at p = z - r m y, solve the linear system of these branches for a correction dz, repeat.
 *
 *     contact    L_y (A dz) + L_z dz = rhs          (contact_mode.h)
 *     equality   A dz = -y
 *
 * The matrix has the pattern of A. Contacts and joints that depend on each other make it singular;
 * a small multiple of the inverse mass on the diagonal, A + rho/m, makes the correction the
 * shortest one (a proximal step: it vanishes with dz, so that the answer is not affected).
 *
 * The branches of an iterate far from the solution may be wrong, and full steps may cycle. A line
 * search along dz asks for a decrease of the natural map in the Euclidean norm, compared with the
 * largest of the last few iterates (Grippo, Lampariello and Lucidi, 1986); r changes when that ends
 * in small steps.
 *
 * Where contacts slip slowly and hardly anything resists a change of their impulses, a solution
 * that is near in its residual may be far away along a curve, since directions of slip turn on the
 * way: corrections are much too long, and the line search makes small steps of them. There the
 * proximal term takes a part of the residual for rho (Levenberg, 1944): a larger one where steps
 * are short, a smaller one where they are not, which vanishes with the residual.
 *
 * Where many contacts are on the verge of closing or slipping and depend on each other, that is not
 * enough. The proximal point method (Rockafellar, 1976) takes one problem after the other,
 *
 *     y = A z + b + rho/m (z - c)
 *
 * with the last answer as c. Each is regular for whatever dependence and has the same laws; the
 * term vanishes as z and c agree. A small rho needs few problems, each of which is hard. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "solve/methods.h"
#include "solve/natural_map.h"

enum {
  MEMORY = 4,         /* iterates that the line search compares with */
  HALVINGS = 5,       /* of a step */
  SMALL_STEPS_MAX = 3 /* in a row, before r is changed */
};

/* Which branches follow depends on r; what cycles with one value often ends with another. */
static const double trial_r[] = {1, 0.1, 10};
enum { TRIALS = sizeof trial_r / sizeof trial_r[0] };

/* Part of the decrease that the linear model promises. */
static const double sufficient = 1e-3;

/* Levenberg's rho over the residual: at first, and by what it is multiplied after a short step and
 * after a full one. Of 9 islands of 1700 contacts of a heap of spheres, with guesses of 1e-5 to
 * 1e-4, these solve 7 within 80 iterations; a larger rest after a full step, or a tenth of the
 * first part, fewer. Without damping one of the five that were tried was solved. */
static const double damping_first = 0.1, damping_short = 10, damping_full = 0.1;
static const double short_step = 0.3;

/* The proximal point method. Rounds on one problem, at most and where it is taken for easy; what
 * they have to leave of the natural map. */
enum { PROXIMAL_ROUNDS = 12, PROXIMAL_ROUNDS_FEW = 4 };
static const double proximal_part = 0.1;

/* rho begins with the residual: the nearer z is, the less it has to be held. That from which z
 * moves less than by sweeps, and what becomes of it after an easy problem and after one that was
 * not solved. */
static const double rho_max = 1, rho_easy = 0.2, rho_hard = 5;

typedef struct newton {
  pc_island* s;
  pc_block_matrix K; /* the arrays of A, values of its own */
  double* dz;        /* rows */
  double* start;     /* rows: z before the line search */
  double r;
  double rho;     /* of the proximal term */
  double* centre; /* rows: c, or NULL: it is z, where the term is felt by dz alone */
  double* dual;   /* rows: what the laws ask for, y of the island or with the proximal term */
} newton;

/* A node of the saddle form that has a mass. */
static int is_body(const pc_island* s, int k)
{
  return s->is_saddle && !pc_island_is_contact(s, k) && !s->bare[k];
}

static pc_status prepare(newton* n, pc_island* s)
{
  size_t rows = (size_t)s->row_count, entries = pc_island_entry_count(s);
  *n = (newton){.s = s, .K = s->A, .r = trial_r[0], .rho = PC_PROXIMAL, .dual = s->y};
  n->K.value = pc_arena_doubles(s->arena, entries);
  n->dz = pc_arena_doubles(s->arena, rows);
  n->start = pc_arena_doubles(s->arena, rows);
  if (!n->K.value || !n->dz || !n->start) return PC_OUT_OF_MEMORY;
  return pc_island_analyse(s);
}

/* The dual of the laws, with that of the island up to date. */
static void update_dual(newton* N)
{
  const pc_island* s = N->s;
  if (!N->centre) return;
  for (int k = 0; k < s->node_count; k++) {
    double factor = is_body(s, k) ? 0 : N->rho / s->mass[k];
    for (int i = s->A.row[k]; i < s->A.row[k + 1]; i++)
      N->dual[i] = s->y[i] + factor * (s->z[i] - N->centre[i]);
  }
}

/* to := L from (+ on the diagonal), a block of n rows and m columns. */
static void multiply(int n, int m, const double* L, const double* from, double* to)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int l = 0; l < n; l++) sum += L[i * n + l] * from[l * m + j];
      to[i * m + j] = sum;
    }
}

/* Block row k of a contact: L_y (A + rho/m) + L_z. */
static void contact_row(newton* N, int k)
{
  pc_island* s = N->s;
  int n = pc_island_size(s, k), at = s->A.row[k];
  double p[PC_CONE_ROWS_MAX], t[PC_CONE_ROWS_MAX - 1] = {0}, r = N->r * s->mass[k];
  const double *z = &s->z[at], *y = &N->dual[at];
  for (int i = 0; i < n; i++) p[i] = z[i] - r * y[i];
  pc_contact_mode mode = pc_contact_mode_of(n - 1, s->node[k].mu, p, t);
  pc_law_rows rows;
  pc_contact_mode_rows(mode, n - 1, s->node[k].mu, r, t, z, y, &rows);
  memcpy(&N->dz[at], rows.rhs, (size_t)n * sizeof(double));
  for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++) {
    int m = pc_island_size(s, s->A.column[e]);
    double* to = &N->K.value[s->A.place[e]];
    if (mode == PC_CONTACT_OPEN)
      memset(to, 0, (size_t)(n * m) * sizeof(double));
    else
      multiply(n, m, rows.y, &s->A.value[s->A.place[e]], to);
  }
  double *diagonal = &N->K.value[s->A.place[s->A.diagonal[k]]], rho = N->rho / s->mass[k];
  for (int i = 0; i < n * n; i++) diagonal[i] += rows.z[i] + rho * rows.y[i];
}

static void equality_row(newton* N, int k)
{
  pc_island* s = N->s;
  int n = pc_island_size(s, k), at = s->A.row[k];
  for (int i = 0; i < n; i++) N->dz[at + i] = -N->dual[at + i];
  for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++) {
    size_t count = (size_t)n * (size_t)pc_island_size(s, s->A.column[e]);
    memcpy(&N->K.value[s->A.place[e]], &s->A.value[s->A.place[e]], count * sizeof(double));
  }
  if (is_body(s, k)) return;
  double *diagonal = &N->K.value[s->A.place[s->A.diagonal[k]]], rho = N->rho / s->mass[k];
  for (int i = 0; i < n; i++) diagonal[i * n + i] += rho;
}

/* The correction dz at z, whose dual is up to date. Returns 0 if there is none. */
static int find_direction(newton* N)
{
  pc_island* s = N->s;
  for (int k = 0; k < s->node_count; k++) {
    if (pc_island_is_contact(s, k))
      contact_row(N, k);
    else
      equality_row(N, k);
  }
  if (pc_block_lu_factor(s->lu, &N->K, PC_PROXIMAL_ROUND_OFF) != PC_OK) return 0;
  pc_block_lu_solve(s->lu, N->dz);
  return 1;
}

/* The square of the natural map, with the dual of the laws up to date; equality nodes enter with
 * m y. */
static double merit(const newton* N)
{
  const pc_island* s = N->s;
  double sum = 0;
  for (int k = 0; k < s->node_count; k++) {
    int n = pc_island_size(s, k), at = s->A.row[k], d = n - 1;
    double p[PC_CONE_ROWS_MAX] = {0}, r = N->r * s->mass[k];
    const double *z = &s->z[at], *y = &N->dual[at];
    if (!pc_island_is_contact(s, k)) {
      for (int i = 0; i < n; i++) sum += s->mass[k] * y[i] * s->mass[k] * y[i];
      continue;
    }
    for (int i = 0; i < n; i++) p[i] = z[i] - r * y[i];
    double normal = p[0] > 0 ? p[0] : 0, length = pc_euclidean_norm(d, &p[1]);
    double radius = s->node[k].mu * normal, shrink = length > radius ? radius / length : 1;
    sum += (z[0] - normal) * (z[0] - normal);
    for (int i = 1; i < n; i++) sum += (z[i] - shrink * p[i]) * (z[i] - shrink * p[i]);
  }
  return sum;
}

/* Moves z along dz by 1, 1/2, 1/4 ... until the merit is below `reference`; if none is, by the step
 * with the least merit. Offers each. Returns the step, and the merit there. */
static double search_line(newton* N, double reference, pc_method by, double* reached)
{
  pc_island* s = N->s;
  size_t rows = (size_t)s->row_count;
  double step = 1, best_step = 0, least = INFINITY;
  memcpy(N->start, s->z, rows * sizeof(double));
  for (int halving = 0; halving <= HALVINGS; halving++, step *= 0.5) {
    for (size_t i = 0; i < rows; i++) s->z[i] = N->start[i] + step * N->dz[i];
    pc_island_offer(s, by);
    update_dual(N);
    double found = merit(N);
    if (found < least) {
      least = found;
      best_step = step;
    }
    if (found <= (1 - sufficient * step) * reference || pc_island_done(s)) {
      *reached = found;
      return step;
    }
  }
  for (size_t i = 0; i < rows; i++) s->z[i] = N->start[i] + best_step * N->dz[i];
  pc_island_dual(s);
  update_dual(N);
  *reached = least;
  return least < INFINITY ? best_step : 0;
}

static double largest_of(int n, const double* x)
{
  double largest = x[0];
  for (int i = 1; i < n; i++) largest = pc_larger(largest, x[i]);
  return largest;
}

/* `damping` is 0, or Levenberg's. */
static void iterate(newton* N, int rounds, int stagnation_max, double damping, pc_method by)
{
  pc_island* s = N->s;
  double past[MEMORY], milestone;
  int small = 0, trial = 0, improved = 0; /* the round in which the milestone was reached */
  milestone = pc_island_offer(s, by);
  for (int i = 0; i < MEMORY; i++) past[i] = merit(N);
  for (int round = 0; round < rounds && !pc_island_done(s); round++) {
    s->iterations++;
    if (damping > 0) N->rho = fmax(PC_PROXIMAL, fmin(rho_max, damping * pc_island_residual(s)));
    if (!find_direction(N)) return;
    double now, step = search_line(N, largest_of(MEMORY, past), by, &now);
    if (step == 0) return;
    damping *= step < short_step ? damping_short : step == 1 ? damping_full : 1;
    if (s->best_residual < 0.5 * milestone) {
      milestone = s->best_residual;
      improved = round;
    }
    if (round - improved >= stagnation_max) return;
    past[round % MEMORY] = now;
    small = step < 0.1 ? small + 1 : 0;
    if (small < SMALL_STEPS_MAX) continue;
    small = 0;
    trial = (trial + 1) % TRIALS;
    N->r = trial_r[trial];
    for (int i = 0; i < MEMORY; i++) past[i] = merit(N);
  }
}

/* One problem of the proximal point method, from its centre. Returns the rounds that it took, or 0
 * if it was not solved. */
static int solve_proximal(newton* N, pc_method by)
{
  pc_island* s = N->s;
  double past[MEMORY];
  update_dual(N);
  for (int i = 0; i < MEMORY; i++) past[i] = merit(N);
  double target = proximal_part * proximal_part * past[0];
  for (int round = 0; round < PROXIMAL_ROUNDS; round++) {
    s->iterations++;
    if (!find_direction(N)) return 0;
    double now, step = search_line(N, largest_of(MEMORY, past), by, &now);
    if (step == 0) return 0;
    if (now <= target || pc_island_done(s)) return round + 1;
    past[round % MEMORY] = now;
  }
  return 0;
}

/* From one centre to the next. */
static void iterate_proximally(newton* N, int rounds, int stagnation_max, pc_method by)
{
  pc_island* s = N->s;
  size_t bytes = (size_t)s->row_count * sizeof(double);
  double milestone = pc_island_offer(s, by);
  int first = s->iterations, improved = first;
  N->rho = pc_larger(PC_PROXIMAL, fmin(rho_max, milestone));
  while (!pc_island_done(s) && s->iterations - first < rounds && N->rho <= rho_max) {
    memcpy(N->centre, s->z, bytes);
    int took = solve_proximal(N, by);
    if (took == 0) { /* from the same centre again */
      memcpy(s->z, N->centre, bytes);
      pc_island_dual(s);
    }
    N->rho = pc_larger(PC_PROXIMAL, N->rho * (took == 0                     ? rho_hard
                                              : took <= PROXIMAL_ROUNDS_FEW ? rho_easy
                                                                            : 1));
    if (s->best_residual < 0.5 * milestone) {
      milestone = s->best_residual;
      improved = s->iterations;
    }
    if (s->iterations - improved >= stagnation_max) return;
  }
}

pc_status pc_newton_solve_proximally(pc_island* s, int rounds, int stagnation_max, pc_method by)
{
  newton N;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = prepare(&N, s);
  N.centre = pc_arena_doubles(s->arena, (size_t)s->row_count);
  N.dual = pc_arena_doubles(s->arena, (size_t)s->row_count);
  if (!N.centre || !N.dual) status = PC_OUT_OF_MEMORY;
  if (status == PC_OK) iterate_proximally(&N, rounds, stagnation_max, by);
  pc_arena_release(s->arena, mark);
  return status;
}

static pc_status solve(pc_island* s, int rounds, int stagnation_max, double damping, pc_method by)
{
  newton N;
  pc_mark mark = pc_arena_mark(s->arena);
  pc_status status = prepare(&N, s);
  if (status == PC_OK) iterate(&N, rounds, stagnation_max, damping, by);
  pc_arena_release(s->arena, mark);
  return status;
}

pc_status pc_newton_solve(pc_island* s, int rounds, int stagnation_max, pc_method by)
{
  return solve(s, rounds, stagnation_max, 0, by);
}

pc_status pc_newton_solve_damped(pc_island* s, int rounds, int stagnation_max, pc_method by)
{
  return solve(s, rounds, stagnation_max, damping_first, by);
}
