/* The loop of the implicit step: which kind of step comes next, and when it ends. */
#include "implicit/implicit_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "implicit/inside.h"
#include "linalg/copy.h"
#include "solve/methods.h"

enum {
  NEWTON_STEPS = 12, /* after which complementarity steps begin, at the latest */
  REPEATS_MAX = 1,   /* of active sets that were left before */
  HALVINGS_MAX = 5,  /* of a complementarity step */
  STALLED_MAX = 4,   /* Newton steps in a row that do not halve the least residual so far */
  RETRIES_MAX =
      3, /* Newton steps from an iterate that is good enough while the active set changes */
  /* complementarity steps in a row that bring nothing: it will not get better, ... */
  STEPS_WITHOUT_PROGRESS = 2,
  /* ... and full ones, which may get worse before they get better */
  FULL_STEPS_WITHOUT_PROGRESS = 14,
  RETRY_STEPS = 40, /* Newton steps with another r */
  JOINT_STEPS = 3   /* and for the joints of an iterate that is accepted */
};

/* A Newton step has gained if the merit is below this share of what it was, ... */
static const double GAIN = 0.5;

/* ... and so has a complementarity step if it is below this one: what is left is then nearly
 * linear, and Newton's method is worth trying. */
static const double LINEAR_GAIN = 0.1;

/* A complementarity step counts as progress if it brings the best merit below this share. */
static const double PROGRESS = 0.9;

/* A step with the matrices of the one before leaves so many times the share of the residual that
 * that one left, at most: it is about twice. It is taken where this is enough, if the share is
 * below the second number. */
static const double KEPT_LOSS = 10, KEPT_RATE = 0.01;

/* A residual of F that is so many times what velocities and impulses at hand allow is not measured
 * by the terms of each equation, among which percussions may be larger. */
static const double FAR = 1e3;

/* Where nothing has led to a solution, Newton's method is tried with these times the usual r, which
 * decides on the branches of an iterate that satisfies no law, and so where the method goes. From
 * four stages on the laws of a step are not monotone: percussions and slips of its stages have
 * different signs, and a linearised step need not have a solution. */
static const double r_factors[] = {10, 0.1, 100, 0.01};
enum { R_FACTORS = sizeof r_factors / sizeof r_factors[0] };

/* Iterates that are kept: the first one, and where Newton's method has got to. */
enum { FIRST, REACHED };

/* A residual that is so many times larger than all before it comes from rows that all but depend on
 * each other: Newton's method would go on from there to a solution far away, in which a link turns
 * over within the step. */
static const double DIVERGED = 1e3;

typedef enum step_kind { NEWTON, COMPLEMENTARITY } step_kind;

/* How the solve goes. */
typedef struct course {
  step_kind kind; /* of the step at hand */
  int switched;   /* there has been a complementarity step */
  int is_retry;   /* Newton steps alone, with another r */
  int steps;      /* of Newton's method, before that, ... */
  int repeats;    /* ... and those after which the active set was one that had been left */
  double rate;    /* what the last of them has left of the residual */
  double least;   /* the least residual so far by halves, and the steps since then */
  int stalled;
  int keep;             /* the next one may have the same matrices, ... */
  int kept;             /* ... and the last one had */
  double excess;        /* of the iterate, where it was needed */
  double most;          /* the largest residual so far, or the tolerance */
  int diverged;         /* that of the iterate is far above it */
  int full;             /* complementarity steps are no longer halved */
  int without_progress; /* complementarity steps since the best merit fell */
  int met;              /* contacts that have been closed, after a complementarity step */
  double best;          /* merit after a complementarity step, ... */
  double last;          /* ... and after the last one */
  double before;        /* merit before the step at hand */
  double merit;         /* and after it; known once switched */
  int good;    /* an iterate below the tolerance is kept; Newton steps may make it better yet */
  double left; /* its excess, */
  double good_residual;
  int retries; /* Newton steps since then that have not, */
  int enough;  /* and do not: it is what there is */
} course;

static void free_laws(pc_implicit_laws* p)
{
  void* array[] = {p->mode,           p->r_N,   p->G_F,        p->slip,
                   p->trial_friction, p->has_r, p->was_closed, p->opened};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static void free_dense(pc_condensed_system* p)
{
  void* array[] = {p->row, p->X, p->D, p->K, p->copy, p->weight, p->b, p->work, p->pivot};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

void pc_implicit_step_destroy(pc_implicit_step* s)
{
  if (!s) return;
  free_laws(&s->laws);
  free_dense(&s->dense);
  void* array[] = {s->F,     s->y,          s->y_there,     s->dx,           s->P_start,      s->dP,
                   s->trial, s->active.row, s->active.acts, s->active.place, s->active.closed};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_solver_destroy(s->solver);
  pc_implicit_saddle_destroy(s->saddle);
  free(s);
}

static int create_laws(pc_implicit_laws* p, size_t contacts)
{
  p->mode = pc_alloc(contacts, sizeof *p->mode);
  p->r_N = pc_alloc(2 * contacts, sizeof(double));
  p->G_F = pc_alloc(contacts, sizeof(double));
  p->slip = pc_alloc(3 * contacts, sizeof(double));
  p->trial_friction = pc_alloc(contacts, sizeof(double));
  p->has_r = pc_alloc(contacts, 1);
  p->was_closed = pc_alloc(contacts, 1);
  p->opened = pc_alloc(contacts, 1);
  if (!p->r_N) return 0;
  p->r_F = p->r_N + contacts;
  return p->mode && p->G_F && p->slip && p->trial_friction && p->has_r && p->was_closed &&
         p->opened;
}

static int create_active(pc_active_rows* p, size_t rows, size_t contacts)
{
  p->closed = pc_alloc(contacts, sizeof(int));
  p->row = pc_alloc(rows, sizeof(int));
  p->acts = pc_alloc(rows, 1);
  p->place = pc_alloc(rows, sizeof(int));
  return p->closed && p->row && p->acts && p->place;
}

/* The square matrices have space for the least squares of a singular system behind them. */
static int create_dense(pc_condensed_system* p, size_t x, size_t rows)
{
  size_t dense = (size_t)p->row_max, square = dense * dense + 5 * dense + 64;
  p->row = pc_alloc(rows, sizeof(int));
  p->X = pc_alloc(dense * x, sizeof(double));
  p->D = pc_alloc(square, sizeof(double));
  p->K = pc_alloc(square, sizeof(double));
  p->copy = pc_alloc(square, sizeof(double));
  p->weight = pc_alloc(rows, sizeof(double));
  p->b = pc_alloc(rows, sizeof(double));
  p->work = pc_alloc(rows, sizeof(double));
  p->pivot = pc_alloc(rows, sizeof(int));
  return p->row && p->X && p->D && p->K && p->copy && p->weight && p->b && p->work && p->pivot;
}

static pc_status create_arrays(pc_implicit_step* s, pc_error* error)
{
  size_t x = (size_t)s->x_max, rows = (size_t)s->row_max, contacts = (size_t)s->contact_max;
  s->F = pc_alloc(x, sizeof(double));
  s->dx = pc_alloc(x, sizeof(double));
  s->y = pc_alloc(rows, sizeof(double));
  s->y_there = pc_alloc(rows, sizeof(double));
  s->P_start = pc_alloc(rows, sizeof(double));
  s->dP = pc_alloc(rows, sizeof(double));
  s->trial = pc_alloc(2 * rows, sizeof(double));
  int made = s->F && s->dx && s->y && s->y_there && s->P_start && s->dP && s->trial &&
             create_laws(&s->laws, contacts) && create_active(&s->active, rows, contacts) &&
             create_dense(&s->dense, x, rows);
  return made ? PC_OK : pc_no_memory(error);
}

static pc_status create_solver(pc_implicit_step* s, pc_error* error)
{
  if (s->contact_max == 0) return PC_OK;
  pc_solver_settings own = pc_default_solver_settings();
  own.tolerance = s->settings.solver_tolerance;
  PC_TRY(pc_solver_create(s->settings.solver, &own, &s->solver, error));
  pc_solver_be_brief(s->solver);
  return PC_OK;
}

pc_status pc_implicit_step_create(int x_max, int row_max, int contact_max, int friction,
                                  const pc_implicit_settings* settings, pc_implicit_step** into,
                                  pc_error* error)
{
  *into = NULL;
  pc_implicit_step* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->settings = *settings;
  s->x_max = x_max;
  s->row_max = row_max;
  s->contact_max = contact_max;
  s->friction = friction;
  s->laws.r_factor = 1;
  s->dense.row_max =
      settings->dense_max > 0 && settings->dense_max < row_max ? settings->dense_max : row_max;
  pc_status status = create_arrays(s, error);
  if (status == PC_OK) status = create_solver(s, error);
  if (status != PC_OK) {
    pc_implicit_step_destroy(s);
    return status;
  }
  *into = s;
  return PC_OK;
}

double* pc_implicit_step_memory(pc_implicit_step* s)
{
  return s->laws.r_N;
}

/* The largest entry of F, as the problem weighs it. */
static double smooth_residual(const pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int i = 0; i < p->x_count; i++) {
    double size = fabs(s->F[i]);
    if (p->measure.F_noise && size <= p->measure.F_noise[i]) continue;
    largest = pc_larger(largest, p->measure.F_weight ? p->measure.F_weight[i] * size : size);
  }
  return largest;
}

/* The residual of what has been evaluated. */
static double measure(pc_implicit_step* s, const double* P)
{
  const pc_implicit_measure* m = &s->problem->measure;
  double own = m->F_excess && m->own_per_length > 0 ? s->own * m->own_per_length * s->pace : s->own;
  double laws = pc_implicit_law_residual(s, P);
  s->smooth = pc_larger(own, smooth_residual(s));
  s->strict = pc_larger(own, laws);
  return pc_larger(s->smooth, laws);
}

/* F, y, the branches and the residual at the iterate. */
static void evaluate(pc_implicit_step* s, const double* P, double* residual)
{
  const pc_implicit_problem* p = s->problem;
  s->own = p->evaluate(p->user, P, s->F, s->y);
  pc_implicit_choose(s, P);
  *residual = measure(s, P);
}

static pc_implicit_sizes sizes(const pc_implicit_step* s)
{
  return s->problem->sizes(s->problem->user);
}

/* What steps are to bring down once the active set has repeated itself. */
static double merit(const pc_implicit_step* s, const double* P)
{
  return pc_larger(s->smooth, pc_implicit_law_merit(s, P));
}

/* Whether the rows that are listed are too many for dense matrices. */
static int is_large(const pc_implicit_step* s)
{
  return s->active.count > s->dense.row_max || !s->problem->tangent;
}

static void move(pc_implicit_step* s, double scale, const double* from, double* P)
{
  for (int r = 0; r < s->problem->row_count; r++) P[r] = from[r] + scale * s->dP[r];
}

/* Whether a step of this length stands: Newton's if it gains, a complementarity step also if it is
 * better than the worse of the last two, or if halving has brought nothing before. */
static int stands(const course* c)
{
  if (c->full && c->kind == COMPLEMENTARITY) return 1;
  return c->merit < (c->kind == NEWTON ? GAIN * c->before : pc_larger(c->before, c->last));
}

/* The iterate at `scale` times the step from where it was, which is at `taken` times the step
 * now. */
static void try_step(pc_implicit_step* s, course* c, double scale, double taken, double* P,
                     double* residual)
{
  const pc_implicit_problem* p = s->problem;
  p->advance(p->user, scale - taken, s->dx);
  move(s, scale, s->trial, P);
  evaluate(s, P, residual);
  if (c->switched) c->merit = merit(s, P);
}

/* Takes the step in full or, if that is worse than what was there, shorter: Newton's between
 * complementarity steps not at all, a complementarity step halved, as far as it gets better. */
static void take_step(pc_implicit_step* s, course* c, double* P, double* residual)
{
  double scale = 1, best = HUGE_VAL, best_scale = 1;
  pc_copy(s->problem->row_count, P, s->trial);
  try_step(s, c, 1, 0, P, residual);
  if (!c->switched || stands(c)) return;
  if (c->kind == NEWTON) {
    try_step(s, c, 0, 1, P, residual);
    return;
  }
  for (int halving = 0; halving < HALVINGS_MAX; halving++, scale /= 2) {
    if (c->merit < best) best = c->merit, best_scale = scale;
    try_step(s, c, scale / 2, scale, P, residual);
    if (stands(c)) return;
  }
  if (!(c->merit < best)) try_step(s, c, best_scale, scale, P, residual);
}

/* Back to the first iterate, from which Newton's method has gone nowhere, unless it got better on
 * the way. */
static void go_back(pc_implicit_step* s, course* c, double* P)
{
  const pc_implicit_problem* p = s->problem;
  size_t rows = (size_t)p->row_count * sizeof *P;
  double residual, now = merit(s, P);
  memcpy(s->trial, P, rows);
  p->keep(p->user, REACHED);
  p->put_back(p->user, FIRST);
  memcpy(P, s->P_start, rows);
  memset(s->laws.was_closed, 0,
         (size_t)p->contact_count); /* what was closed on the way is of no account */
  evaluate(s, P, &residual);
  c->merit = merit(s, P);
  if (!(c->merit > now)) return; /* also where it has run to infinity */
  p->put_back(p->user, REACHED);
  memcpy(P, s->trial, rows);
  evaluate(s, P, &residual);
  c->merit = now;
}

/* dx and dP of one step. Without contacts there is no complementarity: the step is Newton's, and
 * damped. */
static pc_status linear_step(pc_implicit_step* s, course* c, const double* P, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  c->kept = 0;
  pc_copy(p->row_count, s->y, s->y_there);
  if (c->kind == COMPLEMENTARITY && s->solver) return pc_implicit_complementarity_step(s, P, error);
  pc_implicit_list_active(s);
  if (is_large(s)) return pc_implicit_sparse_step(s, P, error);
  int known = pc_implicit_is_condensed(s);
  c->kept = known && c->keep && p->keep_linear(p->user, P, s->active.acts, s->y);
  if (!c->kept) PC_TRY(p->linearise(p->user, P, s->active.acts, s->F, s->y, NULL, error));
  pc_implicit_newton_step(s, P, known && (p->linear || c->kept));
  return PC_OK;
}

/* What kind of step is next: Newton's until an active set comes back, it diverges, or there have
 * been too many; then complementarity steps, and after each of them Newton's as long as they gain,
 * since a contact solver is slow where Newton's method is at its best. */
static step_kind next_kind(pc_implicit_step* s, double* P, course* c)
{
  if (c->is_retry) return NEWTON;
  if (!c->switched) {
    c->repeats += pc_implicit_repeats(s);
    c->switched = c->repeats > REPEATS_MAX || ++c->steps > NEWTON_STEPS || c->diverged ||
                  c->stalled > STALLED_MAX;
    c->enough = c->switched && c->good;
    if (c->switched && !c->good) go_back(s, c, P);
    return c->switched ? COMPLEMENTARITY : NEWTON;
  }
  double gain = c->kind == NEWTON ? GAIN : LINEAR_GAIN;
  return c->merit < gain * c->before ? NEWTON : COMPLEMENTARITY;
}

/* The step of the current kind. Where Newton's method has run to a place at which it cannot go on,
 * a complementarity step from the start takes over. */
static pc_status compute_step(pc_implicit_step* s, course* c, double* P, pc_error* error)
{
  c->before = c->merit;
  pc_status status = linear_step(s, c, P, error);
  if (status != PC_SINGULAR || c->switched || c->is_retry) return status;
  c->enough = c->good;
  if (c->enough) return PC_OK;
  c->switched = 1;
  c->kind = COMPLEMENTARITY;
  go_back(s, c, P);
  c->before = c->merit;
  return linear_step(s, c, P, error);
}

static int count_closed(const pc_implicit_step* s)
{
  int count = 0;
  for (int k = 0; k < s->problem->contact_count; k++) count += s->laws.was_closed[k];
  return count;
}

/* Notes what a complementarity step has brought: contacts that it did not know of are some
 * progress. */
static void note(const pc_implicit_step* s, course* c)
{
  if (c->kind != COMPLEMENTARITY) return;
  int met = count_closed(s);
  c->without_progress = c->merit < PROGRESS * c->best || met > c->met ? 0 : c->without_progress + 1;
  c->met = met;
  c->best = fmin(c->best, c->merit);
  c->last = c->merit;
}

/* Whether the residual has run away from all before it, and for how many steps the least so far has
 * not been halved. */
static void note_residual(course* c, double residual, int first)
{
  c->diverged = !first && residual > DIVERGED * c->most;
  c->most = pc_larger(c->most, residual);
  c->stalled++;
  if (!(residual < GAIN * c->least)) return;
  c->least = residual;
  c->stalled = 0;
}

/* Whether what did not converge may be used all the same. */
static int is_accepted(const pc_implicit_step* s, const double* P)
{
  pc_implicit_sizes size = sizes(s);
  double share = s->settings.acceptance,
         speed = pc_larger(size.speed, pc_implicit_percussion_speed(s, P));
  return s->smooth <= pc_larger(s->tolerance, share * size.scale) &&
         pc_implicit_law_merit(s, P) <= share * speed;
}

/* After a complementarity step that has brought nothing, and which the contact solver has not
 * solved: another one would not, either. */
static int is_solver_spent(const pc_implicit_step* s, const course* c, int usable)
{
  if (s->linear_solved) return 0;
  return usable || (c->full && c->without_progress >= STEPS_WITHOUT_PROGRESS);
}

/* Whether nothing is left to try. The largest violation of a law can grow on the way to a solution,
 * and then halved steps bring less and less: full ones have the last word. */
static int is_spent(pc_implicit_step* s, course* c, const double* P)
{
  if (c->without_progress == 0) return 0;
  int usable = is_accepted(s, P);
  if (is_solver_spent(s, c, usable)) return 1;
  if (c->without_progress < (c->full ? FULL_STEPS_WITHOUT_PROGRESS : STEPS_WITHOUT_PROGRESS))
    return 0;
  if (c->full || usable) return 1;
  c->full = 1;
  c->without_progress = 0;
  return 0;
}

static void begin(pc_implicit_step* s, const pc_implicit_problem* problem, pc_implicit_info* info)
{
  s->problem = problem;
  s->laws.seen_count = 0;
  s->dense.row_count = -1;
  s->redundant = 0;
  s->linear_solved = 1; /* until the contact solver has not */
  for (int k = 0; k < problem->contact_count; k++) {
    s->laws.mode[k] = PC_CONTACT_OPEN;
    s->laws.opened[k] = s->laws.was_closed[k] = s->laws.has_r[k] = 0;
    if (s->settings.r > 0) s->laws.r_N[k] = s->laws.r_F[k] = s->settings.r;
    if (s->laws.r_N[k] == 0)
      s->laws.r_N[k] = 1; /* any will do until the Delassus diagonal is known */
    if (s->laws.r_F[k] == 0) s->laws.r_F[k] = 1;
  }
  *info = (pc_implicit_info){0};
}

/* Whether one more step with the same matrices would bring the residual below the tolerance. */
static int is_near(const pc_implicit_step* s, const course* c, double residual)
{
  return s->problem->keep_linear && c->rate <= KEPT_RATE &&
         KEPT_LOSS * c->rate * residual < s->tolerance;
}

/* The same, if all equations would hold by their own terms, too: the next step is such a one. */
static int may_keep(const pc_implicit_step* s, const course* c, double residual)
{
  return !c->switched && is_near(s, c, residual) && KEPT_LOSS * c->rate * c->excess <= 1;
}

/* Of equations that are not measured one by one: the tolerance, and well below the largest term. */
static double limit_of_largest(const pc_implicit_step* s)
{
  double scale = sizes(s).scale;
  return scale > 0 ? fmin(s->tolerance, 1e-4 * scale) : s->tolerance;
}

static int is_far(const pc_implicit_step* s)
{
  pc_implicit_sizes size = sizes(s);
  return s->smooth > FAR * s->settings.share * (size.speed + size.scale);
}

/* Below the tolerance, and relative to the terms of each equation, or, where these are not
 * measured, 1e-4 of the largest. `near`: the next step may have the same matrices if all equations
 * would hold, so that all of them are measured. */
static int is_below(pc_implicit_step* s, const double* P, double residual, int near, double* excess)
{
  double tolerance = s->tolerance;
  if (residual == 0) return 1;
  if (!s->problem->measure.F_excess) return residual < limit_of_largest(s);
  int whole = residual < tolerance || near;
  if (!whole && (!(s->strict < tolerance) || is_far(s))) return 0;
  *excess = pc_implicit_excess(s, P, whole);
  return s->strict < tolerance && *excess == 0;
}

/* The same after a step. Where the residual no longer falls, or after complementarity steps, which
 * are dear, below the tolerance or what round-off may leave. */
static int is_solved(pc_implicit_step* s, const double* P, double residual, course* c,
                     double before)
{
  double tolerance = s->tolerance;
  c->excess = HUGE_VAL;
  if (residual > before / 2 && !c->kept && !c->good)
    return residual < pc_larger(tolerance, sizes(s).floor);
  if (s->problem->measure.F_excess && c->switched) return residual < tolerance;
  return is_below(s, P, residual, is_near(s, c, residual), &c->excess);
}

static void keep_first(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  p->keep(p->user, FIRST);
  pc_copy(p->row_count, P, s->P_start);
}

/* Keeps an iterate that is below the tolerance, or one that is better as a whole or by the terms of
 * each equation. Where Newton's method gets no further on the same branches, or the branches go on
 * changing, it is what there is. */
static void note_good(pc_implicit_step* s, course* c, double residual, const double* P)
{
  if (!s->problem->measure.F_excess || c->switched) return;
  if (residual < s->tolerance &&
      (!c->good || c->excess < c->left || residual < c->good_residual / 2)) {
    keep_first(s, P);
    c->good = 1;
    c->left = c->excess;
    c->good_residual = residual;
    c->retries = 0;
    c->enough = s->laws.seen_count > 0 && residual <= sizes(s).floor;
  } else if (c->good) {
    c->enough = pc_implicit_same_branches(s) || ++c->retries > RETRIES_MAX;
  }
}

static void put_back_good(pc_implicit_step* s, double* P, pc_implicit_info* info)
{
  const pc_implicit_problem* p = s->problem;
  p->put_back(p->user, FIRST);
  memcpy(P, s->P_start, (size_t)p->row_count * sizeof *P);
  evaluate(s, P, &info->residual);
  info->converged = info->accepted = 1;
}

static int is_last(pc_implicit_step* s, course* c, const double* P, int iterations)
{
  return iterations == s->settings.max_iterations || (c->is_retry && iterations == RETRY_STEPS) ||
         is_spent(s, c, P);
}

/* From the first iterate, whose excess this is, to a solution or where nothing is left to try. */
PC_APART pc_status go_on(pc_implicit_step* s, int is_retry, double excess, double* P,
                         pc_implicit_info* info, pc_error* error)
{
  double before;
  course c = {.best = HUGE_VAL,
              .rate = HUGE_VAL,
              .least = HUGE_VAL,
              .most = s->tolerance,
              .excess = excess,
              .is_retry = is_retry};
  do {
    int finite = isfinite(info->residual);
    if (!finite && !c.good)
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    int last = is_last(s, &c, P, info->iterations);
    if (last && !c.good) {
      info->accepted = is_accepted(s, P);
      return PC_OK;
    }
    c.enough = c.good && (last || !finite);
    note_residual(&c, info->residual, info->iterations == 0);
    note_good(s, &c, info->residual, P);
    if (info->iterations == 0) keep_first(s, P);
    c.keep = may_keep(s, &c, info->residual);
    if (!c.enough) c.kind = next_kind(s, P, &c);
    before = info->residual;
    if (!c.enough) PC_TRY(compute_step(s, &c, P, error));
    if (c.enough) {
      put_back_good(s, P, info);
      return PC_OK;
    }
    take_step(s, &c, P, &info->residual);
    info->switched = c.switched;
    c.rate = info->residual / before;
    note(s, &c);
    info->iterations++;
    info->redundant = s->redundant;
    info->converged = isfinite(info->residual) && is_solved(s, P, info->residual, &c, before);
    info->accepted = info->converged;
  } while (!info->converged);
  return PC_OK;
}

/* Where equations are measured by their own terms, the residual as a whole is measured by the
 * largest of them, so that it does not depend on units. */
static void begin_measure(pc_implicit_step* s, const double* P, double* residual)
{
  s->tolerance = s->settings.tolerance;
  s->pace = 1;
  evaluate(s, P, residual);
  if (!s->problem->measure.F_excess || s->settings.share == 0) return;
  pc_implicit_sizes size = sizes(s);
  s->pace = pc_larger(size.speed, size.scale);
  double least = pc_larger(s->settings.share * s->pace, pc_larger(size.floor, DBL_MIN));
  s->tolerance = fmin(s->tolerance, least);
  *residual = measure(s, P);
}

/* Many a first iterate is the solution. */
static pc_status iterate(pc_implicit_step* s, int is_retry, double* P, pc_implicit_info* info,
                         pc_error* error)
{
  double excess = HUGE_VAL;
  begin_measure(s, P, &info->residual);
  info->converged = isfinite(info->residual) && is_below(s, P, info->residual, 0, &excess);
  info->accepted = info->converged;
  return info->converged ? PC_OK : go_on(s, is_retry, excess, P, info, error);
}

static void scale_r(pc_implicit_step* s, double factor)
{
  for (int k = 0; k < s->problem->contact_count; k++) {
    s->laws.r_N[k] *= factor / s->laws.r_factor;
    s->laws.r_F[k] *= factor / s->laws.r_factor;
  }
  s->laws.r_factor = factor;
}

/* From the first iterate with another r. Returns whether this has led to a solution. */
static int try_another_r(pc_implicit_step* s, double factor, double* P, pc_implicit_info* info)
{
  const pc_implicit_problem* p = s->problem;
  int iterations = info->iterations;
  p->put_back(p->user, FIRST);
  pc_copy(p->row_count, s->P_start, P);
  begin(s, p, info);
  scale_r(s, factor);
  int solved = iterate(s, 1, P, info, NULL) == PC_OK && info->accepted;
  info->iterations += iterations;
  info->switched = 1;
  return solved;
}

/* Where all r fail, the iterate is that of the first one. */
static void try_others(pc_implicit_step* s, double* P, pc_implicit_info* info)
{
  const pc_implicit_problem* p = s->problem;
  double* failed = s->trial + s->row_max;
  pc_implicit_info first = *info;
  int solved = 0;
  p->keep(p->user, REACHED);
  pc_copy(p->row_count, P, failed);
  for (int i = 0; i < R_FACTORS && !solved; i++) solved = try_another_r(s, r_factors[i], P, info);
  scale_r(s, 1);
  if (solved) return;
  p->put_back(p->user, REACHED);
  pc_copy(p->row_count, failed, P);
  first.iterations = info->iterations;
  *info = first;
  evaluate(s, P, &info->residual);
}

/* What is left of the equations of an iterate that is not solved, see is_accepted. */
static double share_left(const pc_implicit_step* s, const double* P)
{
  pc_implicit_sizes size = sizes(s);
  double laws = pc_implicit_law_merit(s, P),
         speed = pc_larger(size.speed, pc_implicit_percussion_speed(s, P));
  double smooth = s->smooth > s->tolerance ? s->smooth / size.scale : 0;
  return pc_larger(smooth, laws > 0 ? laws / speed : 0);
}

static double largest_joint_residual(const pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int i = 0; i < p->bilateral_count; i++)
    largest = pc_larger(largest, fabs(s->y[p->bilateral[i]]));
  return largest;
}

/* A Newton step for bilateral rows alone: contacts keep their percussions. */
static pc_status joint_step(pc_implicit_step* s, double* P, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  pc_copy(p->row_count, s->y, s->y_there);
  for (int k = 0; k < p->contact_count; k++) s->laws.mode[k] = PC_CONTACT_OPEN;
  pc_implicit_list_active(s);
  if (is_large(s)) return pc_implicit_sparse_step(s, P, error);
  PC_TRY(p->linearise(p->user, P, s->active.acts, s->F, s->y, NULL, error));
  pc_implicit_newton_step(s, P, 0);
  return PC_OK;
}

/* Joints have no branches: where the laws of contacts are left with what may be accepted, joints
 * need not be. If they do not get better, or laws then miss what may be accepted, the iterate stays
 * what it was. */
static void hold_joints(pc_implicit_step* s, double* P, pc_implicit_info* info)
{
  const pc_implicit_problem* p = s->problem;
  double residual, least = largest_joint_residual(s);
  for (int n = 0; n < JOINT_STEPS && least > 0; n++) {
    pc_copy(p->row_count, P, s->trial);
    p->keep(p->user, REACHED);
    s->held = 1;
    pc_status status = joint_step(s, P, NULL);
    s->held = 0;
    if (status == PC_OK) {
      p->advance(p->user, 1, s->dx);
      move(s, 1, s->trial, P);
      evaluate(s, P, &residual);
    }
    if (status == PC_OK && largest_joint_residual(s) < least && is_accepted(s, P)) {
      least = largest_joint_residual(s);
      info->residual = residual;
      continue;
    }
    p->put_back(p->user, REACHED);
    pc_copy(p->row_count, s->trial, P);
    evaluate(s, P, &info->residual);
    return;
  }
}

pc_status pc_implicit_step_solve(pc_implicit_step* s, const pc_implicit_problem* problem, double* P,
                                 pc_implicit_info* info, pc_error* error)
{
  begin(s, problem, info);
  PC_TRY(iterate(s, 0, P, info, error));
  int failed = !info->accepted && info->iterations < s->settings.max_iterations;
  if (failed && problem->contact_count > 0 && !(s->settings.r > 0)) try_others(s, P, info);
  if (info->converged || !info->accepted) return PC_OK;
  if (problem->bilateral_count > 0) hold_joints(s, P, info);
  evaluate(s, P, &info->residual);
  info->left = share_left(s, P);
  return PC_OK;
}
