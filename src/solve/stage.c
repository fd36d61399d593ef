/* The loop of the stage engine, and its ladder. */
#include "solve/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "solve/stage_inside.h"

/* Newton steps after which the next rung is tried, at the latest. */
enum { NEWTON_STEPS = 12, DAMPED_STEPS = 8, HALVINGS_MAX = 5 };

void pc_stage_destroy(pc_stage* s)
{
  if (!s) return;
  void* array[] = {s->G_F,    s->slip,      s->pull,       s->y_there, s->F,     s->y,
                   s->dx,     s->dP,        s->trial,      s->law,     s->r_N,   s->opened,
                   s->active, s->acts,      s->X,          s->D,       s->K,     s->copy,
                   s->weight, s->b,         s->work,       s->pivot,   s->place, s->free,
                   s->own,    s->condensed, s->was_closed, s->has_r,   s->closed};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_solver_destroy(s->solver);
  pc_stage_saddle_destroy(s->saddle);
  free(s);
}

static pc_status create_arrays(pc_stage* s, pc_error* error)
{
  size_t x = (size_t)s->x_max, rows = (size_t)s->row_max, contacts = (size_t)s->contact_max;
  size_t dense = (size_t)s->dense_max;
  double** of_x[] = {&s->F, &s->dx};
  double** of_rows[] = {&s->y, &s->y_there, &s->dP, &s->weight, &s->b, &s->work, &s->free, &s->own};
  double** of_squares[] = {&s->D, &s->K, &s->copy};
  int bad = 0;
  for (int i = 0; i < 2; i++) bad |= !(*of_x[i] = pc_alloc(x, sizeof(double)));
  for (int i = 0; i < 8; i++) bad |= !(*of_rows[i] = pc_alloc(rows, sizeof(double)));
  for (int i = 0; i < 3; i++)
    bad |= !(*of_squares[i] = pc_alloc(dense * dense + 5 * dense + 64, sizeof(double)));
  bad |= !(s->trial = pc_alloc(2 * rows, sizeof(double)));
  bad |= !(s->X = pc_alloc(dense * x, sizeof(double)));
  bad |= !(s->law = pc_alloc(contacts, sizeof *s->law));
  bad |= !(s->r_N = pc_alloc(2 * contacts, sizeof(double)));
  bad |= !(s->slip = pc_alloc(3 * contacts, sizeof(double)));
  bad |= !(s->G_F = pc_alloc(contacts, sizeof(double)));
  bad |= !(s->pull = pc_alloc(contacts, sizeof(double)));
  bad |= !(s->opened = pc_alloc(contacts, 1));
  bad |= !(s->was_closed = pc_alloc(contacts, 1));
  bad |= !(s->closed = pc_alloc(contacts, sizeof(int)));
  bad |= !(s->has_r = pc_alloc(contacts, 1));
  bad |= !(s->active = pc_alloc(rows, sizeof(int)));
  bad |= !(s->condensed = pc_alloc(rows, sizeof(int)));
  bad |= !(s->acts = pc_alloc(rows, 1));
  bad |= !(s->pivot = pc_alloc(rows, sizeof(int)));
  bad |= !(s->place = pc_alloc(rows, sizeof(int)));
  if (bad) return pc_no_memory(error);
  s->r_F = s->r_N + contacts;
  return PC_OK;
}

static pc_status create_solver(pc_stage* s, pc_error* error)
{
  if (s->contact_max == 0) return PC_OK;
  pc_solver_settings own = pc_default_solver_settings();
  own.tolerance = s->settings.solver_tolerance;
  return pc_solver_create(s->settings.solver, &own, &s->solver, error);
}

pc_status pc_stage_create(int x_max, int row_max, int contact_max, int friction,
                          const pc_stage_settings* settings, pc_stage** stage, pc_error* error)
{
  *stage = NULL;
  pc_stage* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->settings = *settings;
  s->x_max = x_max;
  s->row_max = row_max;
  s->contact_max = contact_max;
  s->friction = friction;
  s->dense_max =
      settings->dense_max > 0 && settings->dense_max < row_max ? settings->dense_max : row_max;
  pc_status status = create_arrays(s, error);
  if (status == PC_OK) status = create_solver(s, error);
  if (status != PC_OK) {
    pc_stage_destroy(s);
    return status;
  }
  *stage = s;
  return PC_OK;
}

double* pc_stage_memory(pc_stage* s)
{
  return s->r_N;
}

/* The largest entry of F, as the problem weighs it. */
static double smooth_residual(const pc_stage* s)
{
  const pc_stage_problem* p = s->problem;
  double largest = 0;
  for (int i = 0; i < p->x_count; i++) {
    double size = fabs(s->F[i]);
    if (p->F_noise && size <= p->F_noise[i]) continue;
    largest = pc_larger(largest, p->F_weight ? p->F_weight[i] * size : size);
  }
  return largest;
}

/* F, y, the branches and the residual at the iterate. */
static pc_stage_value evaluate(pc_stage* s, const double* P, double* residual)
{
  const pc_stage_problem* p = s->problem;
  pc_stage_value value = p->evaluate(p->user, P, s->F, s->y);
  pc_stage_choose(s, P);
  *residual = pc_larger(value.rest, pc_stage_law_residual(s, P));
  *residual = pc_larger(*residual, smooth_residual(s));
  return value;
}

/* Whether the rows that are listed are too many for dense matrices. */
static int is_large(const pc_stage* s)
{
  return s->active_count > s->dense_max || !s->problem->tangent;
}

/* dx and dP of one step of the rung. */
static pc_status compute_step(pc_stage* s, int rung, const double* P, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  memcpy(s->y_there, s->y, (size_t)p->row_count * sizeof *s->y);
  if (rung == 2 && s->solver) return pc_stage_complementarity_step(s, P, error);
  pc_stage_list_active(s);
  if (is_large(s)) return pc_stage_sparse_step(s, P, error);
  PC_TRY(p->linearise(p->user, P, s->acts, s->F, s->y, NULL, error));
  pc_stage_newton_step(s, P);
  return PC_OK;
}

static void move(pc_stage* s, double scale, const double* from, double* P)
{
  for (int r = 0; r < s->problem->row_count; r++) P[r] = from[r] + scale * s->dP[r];
}

/* A full step, or one that is halved until the residual falls; the last try stands. A Newton step
 * between steps of the last rung is taken in full or, where it does not gain, not at all. */
static pc_stage_value take_step(pc_stage* s, int rung, int top, double* P, double* residual)
{
  const pc_stage_problem* p = s->problem;
  double before = *residual, scale = 1, taken = 0;
  memcpy(s->trial, P, (size_t)p->row_count * sizeof *P);
  for (int halving = 0;; halving++) {
    p->advance(p->user, scale - taken, s->dx);
    taken = scale;
    move(s, scale, s->trial, P);
    pc_stage_value value = evaluate(s, P, residual);
    int stands = rung == 0 || s->yields || *residual < before;
    if (stands || halving == HALVINGS_MAX || scale == 0) return value;
    scale = rung < top ? 0 : scale / 2;
  }
}

/* Whether the last step, which took a contact off its branch, has left all branches as they were. */
static int yielded_in_vain(const pc_stage* s)
{
  return s->yields && s->settled;
}

/* The rung after one step of the last: a damped step, and more of them as long as they gain or take
 * contacts off their branches. One that has settled without a gain is the place to ask, once (`asked`),
 * which contact gives way. */
static int between(const pc_stage* s, int rung, double gain, int asked)
{
  if (yielded_in_vain(s)) return 2;
  if (rung == 2 || s->yields || gain < 0.5) return 1;
  return s->settled && s->redundant && !asked ? 1 : 2;
}

/* The rung for the next step: up when the active set repeats, or after too many steps; those that take
 * a contact off its branch do not count, unless it is in vain. From the last rung a damped step is tried
 * after each one: a contact solver is slow where Newton's method is at its best. */
static int climb(pc_stage* s, int rung, int top, double gain, int* steps_on_rung)
{
  int limit = rung == 0 ? NEWTON_STEPS : DAMPED_STEPS, asked = rung < 2 && s->settled;
  int repeats = pc_stage_repeats(s);
  if (top == 2) return between(s, rung, gain, asked);
  if (!s->yields) ++*steps_on_rung;
  if ((!repeats || s->yields) && !yielded_in_vain(s) && *steps_on_rung <= limit) return rung;
  *steps_on_rung = 0;
  s->seen_count = 0;
  return rung + 1;
}

static void begin(pc_stage* s, const pc_stage_problem* problem, pc_stage_info* info)
{
  s->problem = problem;
  s->seen_count = s->settled = s->yields = 0;
  s->last = 0;
  s->condensed_count = -1;
  s->redundant = 0;
  memset(s->opened, 0, (size_t)problem->contact_count);
  memset(s->was_closed, 0, (size_t)problem->contact_count);
  memset(s->has_r, 0, (size_t)problem->contact_count);
  for (int k = 0; k < problem->contact_count; k++) {
    s->law[k] = PC_LAW_OPEN;
    if (s->settings.r > 0) s->r_N[k] = s->r_F[k] = s->settings.r;
    if (s->r_N[k] == 0) s->r_N[k] = 1; /* any will do until the Delassus diagonal is known */
    if (s->r_F[k] == 0) s->r_F[k] = 1;
  }
  *info = (pc_stage_info){0};
}

/* Below the tolerance, and 1e-4 of the terms, where a short step brings less than the tolerance. Where
 * the residual no longer falls, below the tolerance or what round-off may leave. */
static int is_solved(const pc_stage* s, double residual, double before, const pc_stage_value* value)
{
  double tolerance = s->settings.tolerance;
  if (residual > before / 2) return residual < pc_larger(tolerance, value->floor);
  return residual < (value->scale > 0 ? fmin(tolerance, 1e-4 * value->scale) : tolerance);
}

pc_status pc_stage_solve(pc_stage* s, const pc_stage_problem* problem, double* P,
                         pc_stage_info* info, pc_error* error)
{
  int rung = 0, steps = 0;
  double before = HUGE_VAL;
  begin(s, problem, info);
  pc_stage_value value = evaluate(s, P, &info->residual);
  for (;;) {
    if (!isfinite(info->residual))
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    info->converged = is_solved(s, info->residual, before, &value);
    if (info->converged || info->iterations == s->settings.max_iterations) return PC_OK;
    rung = climb(s, rung, info->ladder, info->residual / before, &steps);
    before = info->residual;
    if (rung > info->ladder) info->ladder = rung;
    PC_TRY(compute_step(s, rung, P, error));
    value = take_step(s, rung, info->ladder, P, &info->residual);
    info->iterations++;
    info->redundant = s->redundant;
  }
}
