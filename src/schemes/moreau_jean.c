/* The Moreau-Jean theta scheme: Acary (18), by the Newton loop (41)-(48).
 *
 * The contacts are chosen by a forecast, once or, with (63) and (64), until what comes out asks for
 * the same ones; the rest is the theta step. With level `position`
 * the laws hold for gaps instead of velocities: 0 <= g(q_k+1) _|_ P >= 0 for all contacts, the
 * trapezoidal rule of Acary's figure 11. */
#include "base/status.h"
#include "schemes/scheme.h"
#include "steps/theta_step.h"

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  pc_theta_step* s;
  PC_TRY(pc_theta_step_create(system, settings, 0, &s, error));
  *scheme = s;
  return PC_OK;
}

static void destroy(void* scheme)
{
  pc_theta_step_destroy(scheme);
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  pc_theta_step* s = scheme;
  int tries = 0, others = 1;
  PC_TRY(pc_theta_step_begin(s, state, dt, info, error));
  PC_TRY(pc_theta_step_forecast(s, state, error));
  while (others) {
    PC_TRY(pc_theta_step_newton(s, state, info, error));
    PC_TRY(pc_theta_step_asks_others(s, state, &tries, &others, info, error));
    if (others) PC_TRY(pc_theta_step_restart(s, state, error));
  }
  while (pc_theta_step_acts_late(s, state)) {
    PC_TRY(pc_theta_step_restart(s, state, error));
    PC_TRY(pc_theta_step_newton(s, state, info, error));
  }
  pc_theta_step_commit(s, state, info);
  return PC_OK;
}

static pc_status refit(void* scheme, pc_error* error)
{
  return pc_theta_step_refit(scheme, error);
}

/* By gaps and velocities there, as far as the velocities lead in a step, and where gamma is not
 * given by the gaps at its end, too. */
static pc_choice chooses(const void* scheme)
{
  const pc_theta_step* s = scheme;
  int at_start = !s->kind.position_level && s->settings.forecast == PC_FORECAST_EXPLICIT &&
                 !(s->settings.gamma > 1);
  if (pc_theta_step_looks_back(s)) return PC_CHOOSES_AT_END;
  return at_start ? PC_CHOOSES_AT_START : PC_CHOOSES_WITHIN;
}

static void set_friction(void* scheme, const double* mu)
{
  pc_theta_step* s = scheme;
  pc_contact_step_set_friction(s->contact_step, mu);
}

static const pc_terms* rows(void* scheme, const pc_state* state)
{
  return pc_theta_step_rows(scheme, state);
}

const pc_scheme_ops pc_moreau_jean = {
    .name = "moreau-jean",
    .summary = "the theta scheme with velocity-level contact laws (Moreau, Jean; Acary (18))",
    .phase_count = 2,
    .phase = {"newton", "solver"},
    .create = create,
    .destroy = destroy,
    .step = step,
    .refit = refit,
    .chooses = chooses,
    .set_friction = set_friction,
    .rows = rows,
};
