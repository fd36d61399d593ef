/* The direct projection: Acary (28), Algorithm 1.
 *
 *     M (v_k+1 - v_k) - h F = G(q_k+1) P
 *     q_k+1 = q_k + h v_theta + N G(q_k+1) tau
 *     0 <= G'(q_k+1) v_k+1 + e U_k  _|_  P >= 0       if the forecast gap is <= 0, (61) to (64)
 *     0 <= g(q_k+1)  _|_  tau >= 0                    for all contacts; joints: g = 0, tau free
 *
 * Contacts are active in velocity by the forecast, but projected whenever they are violated. A
 * projection without a percussion lifts the body: at rest that chatters. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/scheme.h"
#include "steps/projected_step.h"

static void destroy(void* scheme)
{
  if (!scheme) return;
  pc_projected_step_clear(scheme);
  free(scheme);
}

static pc_projection_role role(const void* scheme, int contact, const double* P)
{
  (void)scheme;
  (void)contact;
  (void)P;
  return PC_PROJECT_ONE_SIDED;
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  pc_projected_step* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->role = role;
  pc_status status = pc_projected_step_create(s, system, settings, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  pc_projected_step* s = scheme;
  int tries = 0, others = 1;
  PC_TRY(pc_theta_step_begin(s->theta, state, dt, info, error));
  PC_TRY(pc_theta_step_forecast(s->theta, state, error));
  while (others) {
    pc_projection_begin(s->projection);
    PC_TRY(pc_projected_step_solve(s, state, info, error));
    PC_TRY(pc_theta_step_asks_others(s->theta, state, &tries, &others, info, error));
    if (others) PC_TRY(pc_theta_step_restart(s->theta, state, error));
  }
  pc_theta_step_commit(s->theta, state, info);
  return PC_OK;
}

static pc_status refit(void* scheme, pc_error* error)
{
  return pc_projected_step_refit(scheme, error);
}

static void set_friction(void* scheme, const double* mu)
{
  pc_projected_step_set_friction(scheme, mu);
}

static const pc_terms* rows(void* scheme, const pc_state* state)
{
  pc_projected_step* s = scheme;
  return pc_theta_step_rows(s->theta, state);
}

const pc_scheme_ops pc_direct_projection = {
    .name = "direct-projection",
    .summary = "moreau-jean, positions projected onto contacts and joints (Acary, Algorithm 1)",
    .phase_count = 3,
    .phase = PC_PROJECTED_PHASES,
    .create = create,
    .destroy = destroy,
    .step = step,
    .refit = refit,
    .set_friction = set_friction,
    .rows = rows,
};
