/* The run loop: step, look, tell the observers, sum up. */
#include "percuss/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/scheme.h"
#include "simulate/summary.h"

typedef struct observer {
  pc_observer* see;
  void* user;
} observer;

struct pc_sim {
  const pc_system* system;
  const pc_scheme_ops* ops;
  void* scheme;
  pc_scheme_settings settings;
  pc_state state;
  double* good; /* copy of q, u, P, memory before the step: what a failed step goes back to */
  pc_terms* terms;
  double* y_dot;
  pc_step_info info;
  pc_observation seen;
  pc_tally tally;
  observer* observer;
  int observer_count, observer_capacity;
  int shown; /* the initial state has been shown to the observers */
};

pc_sim_def pc_default_sim_def(void)
{
  return (pc_sim_def){.scheme = "moreau-jean", .settings = pc_default_scheme_settings()};
}

static size_t state_size(const pc_sim* s)
{
  return (size_t)(pc_system_q_count(s->system) + pc_system_u_count(s->system) +
                  pc_system_row_count(s->system) + s->state.memory_count);
}

/* One array for q, u, P and memory, so that a copy of it is a copy of the state. */
static pc_status create_state(pc_sim* s)
{
  size_t n_q = (size_t)pc_system_q_count(s->system), n_u = (size_t)pc_system_u_count(s->system);
  double* all = pc_alloc(state_size(s), sizeof *all);
  s->good = pc_alloc(state_size(s), sizeof *s->good);
  s->y_dot = pc_alloc((size_t)pc_system_row_count(s->system), sizeof *s->y_dot);
  s->state.q = all;
  if (!all || !s->good || !s->y_dot) return PC_OUT_OF_MEMORY;
  s->state.u = all + n_q;
  s->state.P = s->state.u + n_u;
  s->state.memory = s->state.P + pc_system_row_count(s->system);
  memcpy(s->state.q, pc_system_q0(s->system), n_q * sizeof *all);
  memcpy(s->state.u, pc_system_u0(s->system), n_u * sizeof *all);
  return PC_OK;
}

/* Positions and velocities of all rows and the energies, at the state. */
static void observe(pc_sim* s)
{
  pc_terms_evaluate(s->terms, &(pc_at){s->state.t, s->state.q, s->state.u, NULL});
  for (int r = 0; r < pc_system_row_count(s->system); r++)
    s->y_dot[r] = pc_terms_row_velocity(s->terms, r, s->state.u);
  s->seen.kinetic = s->terms->kinetic;
  s->seen.potential = s->terms->potential;
}

/* Names the term that is not finite: at the last good state, on the way to the next one, or else
 * the part whose motion is. `bad` is the state that came out (may be the good one). */
static void locate(const pc_sim* s, const double* bad, char* where, size_t size)
{
  snprintf(where, size, "the equations of the step");
  pc_terms* terms;
  int n_q = pc_system_q_count(s->system), n_u = pc_system_u_count(s->system);
  double* ahead = pc_alloc((size_t)(n_q + n_u), sizeof *ahead);
  if (!ahead || pc_terms_create(s->system, PC_TERM_ALL, &terms, NULL) != PC_OK) {
    free(ahead);
    return;
  }
  double dt = s->settings.dt;
  const double *q = s->good, *u = s->good + n_q;
  pc_system_q_dot(s->system, s->state.t, q, u, ahead);
  for (int i = 0; i < n_q; i++) ahead[i] = q[i] + dt * ahead[i];
  if (!pc_find_not_finite(terms, &(pc_at){s->state.t, q, u, NULL}, where, size) &&
      !pc_find_not_finite(terms, &(pc_at){s->state.t + dt, ahead, u, NULL}, where, size))
    pc_find_not_finite(terms, &(pc_at){s->state.t, bad, bad + n_q, NULL}, where, size);
  pc_terms_destroy(terms);
  free(ahead);
}

static int state_is_finite(const pc_sim* s)
{
  int count = pc_system_q_count(s->system) + pc_system_u_count(s->system);
  for (int i = 0; i < count; i++)
    if (!isfinite(s->state.q[i])) return 0;
  return 1;
}

static pc_status report(pc_sim* s, pc_status status, pc_error* error)
{
  char cause[sizeof error->text];
  if (status == PC_NOT_FINITE) {
    locate(s, s->state.q, cause, sizeof cause);
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%.400s is not a finite number", cause);
    snprintf(cause, sizeof cause, "%s", text);
  } else {
    snprintf(cause, sizeof cause, "%s", error ? error->text : "");
  }
  memcpy(s->state.q, s->good, state_size(s) * sizeof *s->good);
  return pc_fail(error, status, "step %ld at t = %.9g s: %.440s", s->state.step + 1, s->state.t,
                 cause);
}

pc_status pc_sim_step(pc_sim* s, pc_error* error)
{
  pc_error local = {0};
  if (!error) error = &local;
  memcpy(s->good, s->state.q, state_size(s) * sizeof *s->good);
  pc_status status = s->ops->step(s->scheme, &s->state, &s->info, error);
  if (status == PC_OK && !state_is_finite(s)) status = PC_NOT_FINITE;
  if (status != PC_OK) return report(s, status, error);
  s->state.step++;
  s->state.t = (double)s->state.step * s->settings.dt;
  s->info.step = s->state.step;
  observe(s);
  const double* P_before = s->good + (s->state.P - s->state.q);
  pc_tally_add(&s->tally, &s->seen, P_before);
  return PC_OK;
}

static int show(pc_sim* s)
{
  int go_on = 1;
  for (int i = 0; i < s->observer_count; i++)
    if (!s->observer[i].see(s->observer[i].user, &s->seen)) go_on = 0;
  return go_on;
}

long pc_step_count(double dt, double until)
{
  double steps = floor(until / dt + 1e-9);
  return dt > 0 && steps >= 0 && steps < 1e15 ? (long)steps : -1;
}

pc_status pc_sim_run(pc_sim* s, double until, pc_error* error)
{
  long last = pc_step_count(s->settings.dt, until);
  if (last < 0)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "%g s cannot be reached in steps of %g s: there would be too many", until,
                   s->settings.dt);
  if (!s->shown) {
    s->shown = 1;
    if (!show(s)) return pc_fail(error, PC_STOPPED, "stopped before the first step");
  }
  while (s->state.step < last) {
    PC_TRY(pc_sim_step(s, error));
    if (!show(s))
      return pc_fail(error, PC_STOPPED, "stopped after step %ld at t = %.9g s", s->state.step,
                     s->state.t);
  }
  return PC_OK;
}

/* A coordinate without mass would only show as a singular matrix in the first step. */
static pc_status check_mass(const pc_sim* s, pc_error* error)
{
  pc_terms* terms;
  PC_TRY(pc_terms_create(s->system, PC_TERM_M, &terms, error));
  pc_assembly* M = NULL;
  pc_status status = pc_system_create_tangent(s->system, &M, error);
  if (status == PC_OK) {
    pc_at at = {s->state.t, s->state.q, s->state.u, NULL};
    pc_terms_evaluate(terms, &at);
    pc_terms_tangent(terms, &at, 1, 0, 0, M);
    if (pc_assembly_factor(M) != PC_OK)
      status = pc_fail(error, PC_BAD_MODEL,
                       "the mass matrix of the initial state cannot be inverted: something that "
                       "moves has no mass");
  }
  pc_assembly_destroy(M);
  pc_terms_destroy(terms);
  return status;
}

static pc_status create_parts(pc_sim* s, pc_error* error)
{
  if (create_state(s) != PC_OK) return pc_no_memory(error);
  PC_TRY(check_mass(s, error));
  PC_TRY(s->ops->create(s->system, &s->settings, &s->scheme, error));
  unsigned looked_at = PC_TERM_Y | PC_TERM_W | PC_TERM_ENERGY;
  PC_TRY(pc_terms_create(s->system, looked_at, &s->terms, error));
  memcpy(s->good, s->state.q, state_size(s) * sizeof *s->good);
  s->info = (pc_step_info){
      .dt = s->settings.dt, .stage_count = s->ops->stage_count, .stage = s->ops->stage};
  s->seen = (pc_observation){.system = s->system,
                             .state = &s->state,
                             .info = &s->info,
                             .y = s->terms->y,
                             .y_dot = s->y_dot};
  observe(s);
  if (!isfinite(s->seen.kinetic + s->seen.potential)) {
    char where[200];
    locate(s, s->state.q, where, sizeof where);
    return pc_fail(error, PC_BAD_MODEL, "initial state: %s is not a finite number", where);
  }
  pc_tally_begin(&s->tally, &s->seen);
  return PC_OK;
}

pc_status pc_sim_create(const pc_sim_def* def, pc_sim** sim, pc_error* error)
{
  *sim = NULL;
  const pc_scheme_ops* ops = def->scheme ? pc_find_scheme(def->scheme) : NULL;
  if (!ops)
    return pc_fail(error, PC_BAD_ARGUMENT, "there is no scheme '%s'",
                   def->scheme ? def->scheme : "");
  PC_TRY(pc_check_settings(&def->settings, error));
  pc_sim* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = def->system;
  s->ops = ops;
  s->settings = def->settings;
  pc_status status = create_parts(s, error);
  if (status != PC_OK) {
    pc_sim_destroy(s);
    return status;
  }
  *sim = s;
  return PC_OK;
}

void pc_sim_destroy(pc_sim* s)
{
  if (!s) return;
  if (s->scheme) s->ops->destroy(s->scheme);
  pc_terms_destroy(s->terms);
  free(s->state.q);
  free(s->good);
  free(s->y_dot);
  free(s->observer);
  free(s);
}

pc_status pc_sim_add_observer(pc_sim* s, pc_observer* see, void* user, pc_error* error)
{
  if (pc_grow((void**)&s->observer, &s->observer_capacity, s->observer_count, sizeof *s->observer))
    return pc_no_memory(error);
  s->observer[s->observer_count++] = (observer){see, user};
  return PC_OK;
}

const pc_observation* pc_sim_observation(const pc_sim* s)
{
  return &s->seen;
}

double pc_observe_quantity(const pc_observation* seen, int quantity)
{
  pc_quantity wanted = pc_system_quantity(seen->system, quantity);
  switch (wanted.kind) {
    case PC_QUANTITY_Q: return seen->state->q[wanted.index];
    case PC_QUANTITY_U: return seen->state->u[wanted.index];
    case PC_QUANTITY_ROW_POSITION: return seen->y[wanted.index];
    case PC_QUANTITY_ROW_VELOCITY: return seen->y_dot[wanted.index];
    case PC_QUANTITY_ROW_P: return seen->state->P[wanted.index];
  }
  return NAN;
}

pc_summary pc_sim_summary(const pc_sim* s)
{
  return pc_tally_summary(&s->tally, &s->seen);
}
