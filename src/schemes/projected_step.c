#include "schemes/projected_step.h"

#include "base/status.h"

pc_status pc_projected_step_create(pc_projected_step* s, const pc_system* system,
                                   const pc_scheme_settings* settings, pc_error* error)
{
  pc_scheme_settings own = *settings;
  own.level = PC_LEVEL_VELOCITY; /* gaps are the projection's */
  PC_TRY(pc_theta_step_create(system, &own, 1, &s->theta, error));
  return pc_projection_create(system, settings, &s->projection, error);
}

void pc_projected_step_clear(pc_projected_step* s)
{
  pc_theta_step_destroy(s->theta);
  pc_projection_destroy(s->projection);
}

/* Positions for the velocities of the iterate. */
static pc_status project(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                         pc_error* error)
{
  pc_theta_step* theta = s->theta;
  pc_projection_role* role = pc_projection_roles(s->projection);
  for (int k = 0; k < theta->contacts; k++) role[k] = s->role(s->scheme, k, theta->P);
  pc_theta_step_locate(theta, state);
  return pc_projection_run(s->projection, theta, state, &info->iterations[2], error);
}

static pc_status project_in(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                            pc_error* error)
{
  pc_theta_step* theta = s->theta;
  for (int n = 1; n <= theta->settings.max_iterations; n++) {
    PC_TRY(pc_theta_step_solve(theta, state, info, error));
    PC_TRY(project(s, state, info, error));
    if (theta->linear && !theta->displaced) {
      pc_theta_step_finish_linear(theta, state, info);
      return PC_OK;
    }
    PC_TRY(pc_theta_step_linearise(theta, state, info, error));
    if (pc_theta_step_converged(theta, info)) return PC_OK;
  }
  return pc_theta_step_give_up(theta, info, error);
}

/* The velocities know nothing of the projection: with W at the projected positions the laws hold to
 * its size, and that is what `info` tells. */
static pc_status project_after(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                               pc_error* error)
{
  pc_theta_step* theta = s->theta;
  PC_TRY(pc_theta_step_newton(theta, state, info, error));
  PC_TRY(project(s, state, info, error));
  pc_contact_stage_violation(theta->stage, theta->end_terms, theta->before, theta->v, theta->P,
                             info);
  return PC_OK;
}

pc_status pc_projected_step_solve(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                                  pc_error* error)
{
  if (s->theta->settings.project == PC_PROJECT_AFTER) return project_after(s, state, info, error);
  return project_in(s, state, info, error);
}
