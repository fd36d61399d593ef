/* Which contacts a step of the theta method takes: Acary (61) to (64). */
#include <math.h>

#include "base/inline.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "steps/restitution.h"
#include "steps/theta_inside.h"
#include "system/found.h"
#include "system/inspect.h"

/* How far, as a share of the smaller shape, those of a contact may get into each other before it
 * acts, where gamma is not given: half of what is not plausible any more. */
static const double DEPTH_AHEAD = 0.5 * PC_DEPTH_SHARE;

/* The gap from which contact k would get too deep by the end of the step. */
PC_APART double depth_ahead(const pc_theta_step* s, int k)
{
  return -DEPTH_AHEAD * pc_contact_size_at(&s->contact.sizes, k);
}

/* (61): g + gamma h U. Without a given gamma that is 0, and 1 for a contact that is open and would
 * get too deep. */
PC_INLINE double explicit_forecast(const pc_theta_step* s, int k, double g, double U)
{
  if (!s->kind.looks_ahead) return g + s->settings.gamma * s->dt * U;
  double end = g + s->dt * U;
  return g > 0 && end < 0 && end < depth_ahead(s, k) ? end : g;
}

/* The same where U_k is not kept: v is still v_k. */
static void forecast_swept(void* user, int worker, int first, int last)
{
  pc_theta_step* s = user;
  (void)worker;
  for (int k = first; k < last; k++) {
    int row = s->contact.normal[k];
    double U_k;
    pc_terms_row_velocities(s->end.terms, row, row + 1, s->v, &U_k);
    s->contact.forecast[k] = explicit_forecast(s, k, s->end.terms->y[row], U_k);
  }
}

/* All contacts are active at position level; else by (61), and nothing rebounds. */
PC_APART pc_status forecast_apart(pc_theta_step* s)
{
  if (s->kind.position_level) {
    for (int k = 0; k < s->contact.count; k++) s->contact.forecast[k] = -HUGE_VAL;
  } else {
    pc_threads_run(s->threads, s->contact.count, PC_THETA_SHARED_LEAST, forecast_swept, s);
    pc_contact_step_locate(s->contact_step, s->end.q);
  }
  pc_contact_step_activate(s->contact_step, s->contact.forecast);
  return PC_OK;
}

/* (62): g + h (theta U_free + (1 - theta) U_k), with the velocity after one Newton iteration
 * without contacts as the free one. */
static pc_status forecast_free(pc_theta_step* s, pc_error* error)
{
  double theta = s->settings.theta;
  PC_TRY(pc_theta_step_factor(s, error));
  pc_copy(s->n_u, s->dv, s->free_v);
  pc_theta_add_free_velocity(s, s->free_v);
  for (int k = 0; k < s->contact.count; k++) s->contact.forecast[k] = HUGE_VAL;
  pc_contact_step_activate(s->contact_step, s->contact.forecast);
  pc_solver_info ignored;
  PC_TRY(pc_contact_step_solve(s->contact_step, s->end.terms, s->stage.tangent, s->before,
                               s->free_v, s->free_P, &ignored, error));
  for (int k = 0; k < s->contact.count; k++) {
    int row = s->contact.normal[k];
    double U = pc_terms_row_velocity(s->end.terms, row, s->free_v);
    s->contact.forecast[k] =
        s->end.terms->y[row] + s->dt * (theta * U + (1 - theta) * s->before[row]);
  }
  return PC_OK;
}

static int is_implicit(const pc_theta_step* s)
{
  return s->settings.forecast == PC_FORECAST_SEMI_IMPLICIT ||
         s->settings.forecast == PC_FORECAST_IMPLICIT;
}

int pc_theta_step_reforecast(pc_theta_step* s, const pc_state* state)
{
  int displaced = s->displaced, others = 0;
  s->displaced = 0;
  pc_theta_step_locate(s, state);
  pc_contact_step_locate(s->contact_step, s->q);
  double closed = pc_contact_step_closed_gap(s->contact_step);
  for (int k = 0; k < s->contact.count; k++) {
    double end = s->end.terms->y[s->contact.normal[k]];
    others |= (end <= closed) != (s->contact.forecast[k] <= closed);
    s->contact.forecast[k] = end;
  }
  pc_contact_step_activate(s->contact_step, s->contact.forecast);
  s->displaced = displaced;
  if (displaced) pc_theta_step_locate(s, state);
  return others;
}

pc_status pc_theta_step_cycles(const pc_theta_step* s, pc_step_info* info, pc_error* error)
{
  info->inaccurate = 1;
  if (s->settings.on_failure == PC_ON_FAILURE_CONTINUE) return PC_OK;
  return pc_fail(
      error, PC_NOT_CONVERGED,
      "the forecast asks for other contacts after each iteration: which act and where the "
      "step ends depend on each other; use --forecast explicit or free");
}

pc_status pc_theta_step_asks_others(pc_theta_step* s, const pc_state* state, int* tries,
                                    int* others, pc_step_info* info, pc_error* error)
{
  *others = s->settings.forecast == PC_FORECAST_IMPLICIT && pc_theta_step_reforecast(s, state);
  if (!*others || ++*tries < s->settings.max_iterations) return PC_OK;
  *others = 0;
  return pc_theta_step_cycles(s, info, error);
}

pc_status pc_theta_step_forecast(pc_theta_step* s, const pc_state* state, pc_error* error)
{
  if (s->contact.forecast_apart) return forecast_apart(s);
  if (is_implicit(s)) {
    pc_theta_step_reforecast(s, state);
    return pc_theta_step_restart(s, state, error);
  }
  if (s->settings.forecast == PC_FORECAST_FREE) {
    PC_TRY(forecast_free(s, error));
  } else {
    for (int k = 0; k < s->contact.count; k++) {
      int row = s->contact.normal[k];
      s->contact.forecast[k] = explicit_forecast(s, k, s->end.terms->y[row], s->before[row]);
    }
  }
  pc_contact_step_locate(s->contact_step, s->end.q);
  pc_contact_step_activate(s->contact_step, s->contact.forecast);
  if (s->kind.has_restitution_above)
    pc_restitution_above(s->system, s->settings.restitution_above, s->before);
  return PC_OK;
}

int pc_theta_step_looks_back(const pc_theta_step* s)
{
  return s->kind.looks_ahead && !s->kind.explicit_rows; /* these are used up by the solution */
}

int pc_theta_step_acts_late(pc_theta_step* s, const pc_state* state)
{
  int late = 0;
  if (!pc_theta_step_looks_back(s)) return 0;
  pc_theta_step_evaluate_end(s, state);
  for (int k = 0; k < s->contact.count; k++) {
    double end = s->end.terms->y[s->contact.normal[k]];
    if (!(s->contact.forecast[k] > 0) || !(end < 0) || !(end < depth_ahead(s, k))) continue;
    s->contact.forecast[k] = end;
    late = 1;
  }
  if (late) pc_contact_step_activate(s->contact_step, s->contact.forecast);
  return late;
}
