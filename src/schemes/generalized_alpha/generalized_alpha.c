/* The scheme as the others see it: creation, the loop of Algorithm 1. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/generalized_alpha/alpha.h"

/* ---- creation ---------------------------------------------------------------------------- */

static int memory_count(const void* scheme)
{
  const pc_alpha* s = scheme;
  return pc_alpha_memory_count(&s->model);
}

static void destroy(void* scheme)
{
  pc_alpha* s = scheme;
  if (!s) return;
  pc_alpha_newton_destroy(s->newton);
  pc_consistent_start_destroy(s->start);
  pc_alpha_saddle_destroy(s->saddle);
  pc_alpha_balance_free(&s->balance);
  pc_alpha_laws_free(&s->laws);
  pc_alpha_problem_free(&s->problem);
  pc_alpha_sets_free(&s->set);
  pc_alpha_matrices_free(&s->matrix);
  pc_alpha_iterate_free(&s->x);
  pc_alpha_step_free(&s->step);
  pc_alpha_model_free(&s->model);
  free(s);
}

static pc_status create_parts(pc_alpha* s, pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  PC_TRY(pc_alpha_step_create(&s->step, m, error));
  PC_TRY(pc_alpha_iterate_create(&s->x, m, error));
  PC_TRY(pc_alpha_matrices_create(&s->matrix, m, error));
  PC_TRY(pc_alpha_sets_create(&s->set, m, error));
  PC_TRY(pc_alpha_problem_create(&s->problem, m, error));
  PC_TRY(pc_alpha_laws_create(&s->laws, m, error));
  PC_TRY(pc_alpha_balance_create(&s->balance, m, error));
  PC_TRY(pc_alpha_saddle_create(m->n_u, m->rows, &s->saddle, error));
  if (m->settings.monolithic || pc_alpha_newton_is_small(m))
    PC_TRY(pc_alpha_newton_create(s, &s->newton, error));
  return pc_consistent_start_create(m->system, m->settings.solver, &s->start, error);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  pc_alpha* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  pc_status status = pc_alpha_model_create(&s->model, system, settings, error);
  if (status == PC_OK) status = create_parts(s, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

static pc_status start(void* scheme, pc_state* state, double dt, pc_error* error)
{
  return pc_alpha_start(scheme, state, dt, error);
}

/* ---- a step ------------------------------------------------------------------------------ */

static void locate(pc_alpha* s, const pc_state* state)
{
  pc_alpha_locate(&s->model, state, &s->step, &s->x);
}

/* One sweep of Algorithm 1: the levels one after the other, each with what the ones before it did. */
static pc_status sweep(pc_alpha* s, const pc_state* state, const pc_at* at, pc_step_info* info,
                       pc_error* error)
{
  PC_TRY(pc_alpha_smooth_level(s, at, error));
  locate(s, state);
  if (s->model.form.position) {
    PC_TRY(pc_alpha_position_level(s, error));
    locate(s, state);
  }
  if (s->model.form.velocity) PC_TRY(pc_alpha_velocity_level(s, info, error));
  pc_alpha_impulses_on_positions(s); /* U follows in the next sweep, if that is needed */
  return PC_OK;
}

/* The terms and sets at the iterate. */
static pc_status look(pc_alpha* s, const pc_state* state, int iteration, pc_at* at, pc_error* error)
{
  locate(s, state);
  *at = pc_alpha_evaluate(&s->matrix, &s->model, &s->step, &s->x);
  if (iteration == 0) PC_TRY(pc_alpha_factor_mass(&s->matrix, at, error));
  if (!s->set.weighed && pc_alpha_near_contact(s)) {
    PC_TRY(pc_alpha_factor_mass(&s->matrix, at, error));
    PC_TRY(pc_alpha_weigh_contacts(s, error));
  }
  pc_alpha_update_sets(s, state, iteration);
  if (s->model.has_friction) pc_alpha_update_friction(s, iteration);
  return PC_OK;
}

/* The predictor, and what is known before the first iteration. */
static void begin(pc_alpha* s, const pc_state* state, double dt)
{
  pc_alpha_predict(&s->model, state, dt, &s->step, &s->x);
  pc_alpha_evaluate_before(&s->matrix, &s->model, state);
  for (int r = 0; r < s->model.rows; r++)
    s->step.before[r] = pc_terms_row_velocity(s->matrix.terms, r, state->u);
  s->matrix.linearised = 0;
  s->set.weighed = 0;
  s->balance.has_round_off = s->balance.stalled = 0;
  s->balance.best = s->balance.last = HUGE_VAL;
}

/* Iterates from the predictor: by sweeps, or all levels at once. `converged` tells how it ended. */
static pc_status iterate(pc_alpha* s, const pc_state* state, double dt, int monolithic,
                         int iterations_max, pc_step_info* info, int* converged, pc_error* error)
{
  begin(s, state, dt);
  for (int n = 0;; n++) {
    pc_at at;
    PC_TRY(look(s, state, n, &at, error));
    *converged = pc_alpha_converged(s, info);
    if (!isfinite(info->residual))
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    if (*converged || n == iterations_max) return PC_OK;
    PC_TRY(pc_alpha_factor(&s->matrix, &s->model, state, &s->step, &s->x, &at,
                           s->balance.forecast, error));
    if (monolithic)
      PC_TRY(pc_alpha_newton_iterate(s->newton, s, &at, error));
    else
      PC_TRY(sweep(s, state, &at, info, error));
    info->iterations[0]++;
  }
}

static pc_status give_up(const pc_alpha* s, pc_step_info* info, pc_error* error)
{
  if (s->model.settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    info->inaccurate = 1;
    return PC_OK;
  }
  return pc_fail(error, PC_NOT_CONVERGED,
                 "the Newton loop stopped after %d iterations with a residual of %.3g N s; try a "
                 "smaller dt or a larger --tol",
                 info->iterations[0], info->residual);
}

/* A step that the monolithic iteration does not settle soon is done again by sweeps, whose contact
 * solver knows what to do with stick and slip of redundant contacts. */
enum { MONOLITHIC_MAX = 15 };

static pc_status all_at_once_first(pc_alpha* s, const pc_state* state, double dt,
                                   pc_step_info* info, int* converged, pc_error* error)
{
  int most = s->model.settings.max_iterations;
  PC_TRY(iterate(s, state, dt, 1, most < MONOLITHIC_MAX ? most : MONOLITHIC_MAX, info, converged,
                 error));
  return *converged ? PC_OK : iterate(s, state, dt, 0, most, info, converged, error);
}

/* Sweeps do not know what U and the jump do to the forces of stiff and damped bodies, and can go
 * astray there: such a step is done again with all levels at once. */
static pc_status sweeps_first(pc_alpha* s, const pc_state* state, double dt, pc_step_info* info,
                              int* converged, pc_error* error)
{
  int most = s->model.settings.max_iterations;
  pc_status status = iterate(s, state, dt, 0, most, info, converged, error);
  int astray = status == PC_NOT_FINITE || (status == PC_OK && !*converged);
  if (!astray || !s->newton || most < MONOLITHIC_MAX) return status;
  return iterate(s, state, dt, 1, most, info, converged, error);
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  pc_alpha* s = scheme;
  int converged = 0;
  info->iterations[0] = info->iterations[1] = 0;
  info->solver_residual = 0;
  info->inaccurate = 0;
  PC_TRY((s->model.settings.monolithic ? all_at_once_first : sweeps_first)(s, state, dt, info,
                                                                           &converged, error));
  if (!converged) PC_TRY(give_up(s, info, error));
  if (!converged) pc_alpha_check_laws(s, info);
  pc_alpha_commit(s, state, info);
  return PC_OK;
}

const pc_scheme_ops pc_generalized_alpha = {
    .name = "generalized-alpha",
    .summary =
        "second order with chosen damping; constraints as positions, velocities and "
        "accelerations (alpha (65))",
    .stage_count = 2,
    .stage = {"newton", "solver"},
    .has_accelerations = 1,
    .create = create,
    .destroy = destroy,
    .memory_count = memory_count,
    .start = start,
    .step = step,
};
