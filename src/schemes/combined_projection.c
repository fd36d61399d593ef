/* The combined projection and activation: Acary (65)-(70), Algorithm 2.
 *
 * Within a step, index sets I of active contacts (combined_set.h), from none or from those that are
 * closed at its start, which grow:
 *
 *     solve     the theta step with                                                    (65)
 *                   0 <= U_k+1 + e U_k  _|_  P >= 0       contacts of I, P = 0 outside
 *                   g = 0, tau free                       contacts of I with P > 0, and joints
 *                   0 <= g  _|_  tau >= 0                 contacts of I with P = 0      (68)
 *     activate  I := I and all contacts with g_k+1 <= 0                                (66)
 *     until     I stays the same
 *
 * So no position is projected that does not obey the impact law, and a contact that carries a
 * percussion is closed: what the direct projection lacks. P > 0 is decided in every Newton
 * iteration with its own percussions, (70). */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/scheme.h"
#include "steps/combined_set.h"
#include "steps/projected_step.h"
#include "steps/restitution.h"

typedef struct combined {
  pc_projected_step step;
  pc_combined_set set; /* I */
} combined;

static void destroy(void* scheme)
{
  combined* s = scheme;
  if (!s) return;
  pc_projected_step_clear(&s->step);
  pc_combined_set_clear(&s->set);
  free(s);
}

/* (68) */
static pc_projection_role role(const void* scheme, int contact, const double* P)
{
  const combined* s = scheme;
  if (!s->set.active[contact]) return PC_PROJECT_NOT;
  return P[s->set.normal[contact]] > 0 ? PC_PROJECT_FREE : PC_PROJECT_ONE_SIDED;
}

static int is_decided(void* scheme)
{
  combined* s = scheme;
  return pc_combined_set_grow_early(&s->set, s->step.theta) > 0;
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  combined* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->step.role = role;
  s->step.is_decided = is_decided;
  s->step.scheme = s;
  pc_status status = pc_combined_set_create(&s->set, system, settings, error);
  if (status == PC_OK) status = pc_projected_step_create(&s->step, system, settings, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

/* The next pass begins at the last iterate, with W there: it is that of Table 3 too. A linear
 * system has thrown its linearisation away, and sweeps have none at their end. A projection after
 * the loop begins anew, from q_k + h v_theta. */
static pc_status begin_again(combined* s, const pc_state* state, pc_error* error)
{
  pc_theta_step* theta = s->step.theta;
  if (theta->kind.linear && !s->step.coupled) return pc_theta_step_restart(theta, state, error);
  if (!s->step.coupled) pc_combined_set_guess(&s->set, theta, state);
  if (theta->settings.sweeps > 0) return pc_theta_step_restart(theta, state, error);
  if (theta->settings.project == PC_PROJECT_AFTER) pc_projection_forget(s->step.projection, theta);
  return PC_OK;
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  combined* s = scheme;
  pc_theta_step* theta = s->step.theta;
  PC_TRY(pc_theta_step_begin(theta, state, dt, info, error));
  pc_combined_set_begin(&s->set, theta);
  if (theta->kind.has_restitution_above)
    pc_restitution_above(theta->system, theta->settings.restitution_above, theta->before);
  pc_projection_begin(s->step.projection);
  do {
    if (info->iterations[3]++ > 0) PC_TRY(begin_again(s, state, error));
    pc_combined_set_activate(&s->set, theta);
    PC_TRY(pc_projected_step_solve(&s->step, state, info, error));
  } while (pc_combined_set_change(&s->set, theta, s->step.projection));
  pc_theta_step_commit(theta, state, info);
  return PC_OK;
}

static pc_status refit(void* scheme, pc_error* error)
{
  combined* s = scheme;
  PC_TRY(pc_combined_set_refit(&s->set, error));
  return pc_projected_step_refit(&s->step, error);
}

/* (66) */
static pc_choice chooses(const void* scheme)
{
  (void)scheme;
  return PC_CHOOSES_AT_END;
}

static void set_friction(void* scheme, const double* mu)
{
  combined* s = scheme;
  pc_projected_step_set_friction(&s->step, mu);
}

static const pc_terms* rows(void* scheme, const pc_state* state)
{
  combined* s = scheme;
  return pc_theta_step_rows(s->step.theta, state);
}

const pc_scheme_ops pc_combined_projection = {
    .name = "combined-projection",
    .summary = "the same, with contacts activated by their positions (Acary, Algorithm 2)",
    .phase_count = 4,
    .phase = PC_PROJECTED_PHASES,
    .create = create,
    .destroy = destroy,
    .step = step,
    .refit = refit,
    .chooses = chooses,
    .set_friction = set_friction,
    .rows = rows,
};
