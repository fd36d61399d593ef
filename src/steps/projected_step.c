#include "steps/projected_step.h"

#include <math.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/status.h"

pc_status pc_projected_step_create(pc_projected_step* s, const pc_system* system,
                                   const pc_scheme_settings* settings, pc_error* error)
{
  pc_scheme_settings own = *settings;
  own.level = PC_LEVEL_VELOCITY; /* gaps are the projection's */
  if (settings->coupled && settings->project == PC_PROJECT_AFTER)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "coupled with the velocities, the projection cannot come after them: choose one "
                   "of --coupled and --project after");
  if (settings->coupled && settings->sweeps > 0)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "coupled with the projection, velocities cannot be found by sweeps: choose one "
                   "of --coupled and --sweeps");
  PC_TRY(pc_theta_step_create(system, &own, 1, &s->theta, error));
  PC_TRY(pc_projection_create(system, settings, &s->projection, error));
  return settings->coupled ? pc_coupled_create(system, settings, &s->coupled, error) : PC_OK;
}

void pc_projected_step_clear(pc_projected_step* s)
{
  pc_theta_step_destroy(s->theta);
  pc_projection_destroy(s->projection);
  pc_coupled_destroy(s->coupled);
}

pc_status pc_projected_step_refit(pc_projected_step* s, pc_error* error)
{
  PC_TRY(pc_theta_step_refit(s->theta, error));
  PC_TRY(pc_projection_refit(s->projection, error));
  return s->coupled ? pc_coupled_refit(s->coupled, error) : PC_OK;
}

void pc_projected_step_set_friction(pc_projected_step* s, const double* mu)
{
  pc_contact_step_set_friction(s->theta->contact_step, mu);
  if (s->coupled) pc_coupled_set_friction(s->coupled, mu);
}

/* Iterates after which roles must not come and go: a contact that is or was free stays so. Where a
 * percussion vanishes with the gap closed and appears with it open, a loop would go on for ever;
 * what is left is a contact without percussion whose gap is zero. */
enum { ROLES_FIXED = 16 };

/* The contacts' roles for the percussions of the iterate. */
static void assign_roles(pc_projected_step* s)
{
  pc_projection_role* role = pc_projection_roles(s->projection);
  int fixed = s->theta->loop.unsolved >= ROLES_FIXED;
  for (int k = 0; k < s->theta->contact.count; k++)
    if (!fixed || role[k] != PC_PROJECT_FREE) role[k] = s->role(s->scheme, k, s->theta->P);
}

/* Positions for the velocities of the iterate. */
static pc_status project(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                         pc_error* error)
{
  assign_roles(s);
  pc_theta_step_locate(s->theta, state);
  return pc_projection_run(s->projection, s->theta, state, info, error);
}

/* Iterates whose positions need one problem only: they are not the last ones but for steps that
 * are nearly linear, and the next velocities move gaps by more than it leaves of them. */
enum { APPROACHES = 2 };

/* The same, with the first problem alone. */
PC_APART pc_status approach(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                            pc_error* error)
{
  assign_roles(s);
  pc_theta_step_locate(s->theta, state);
  return pc_projection_approach(s->projection, s->theta, state, info, error);
}

/* The velocities of an approach solve the step: the projection to its end. Whether they still solve
 * it where that has moved anything. */
PC_APART pc_status finish(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                          int* solved, pc_error* error)
{
  int before = info->iterations[2];
  PC_TRY(pc_projection_finish(s->projection, s->theta, state, info, error));
  if (info->iterations[2] == before) return PC_OK;
  PC_TRY(pc_theta_step_linearise(s->theta, state, info, error));
  *solved = pc_theta_step_converged(s->theta, info);
  return PC_OK;
}

/* `left` receives what is left of (28b) where the loop ends with the positions of a projection. */
static pc_status project_in(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                            double* left, pc_error* error)
{
  pc_theta_step* theta = s->theta;
  int others = 0;
  pc_theta_step_begin_loop(theta);
  for (int n = 1, most = pc_theta_step_iterations_max(theta); n <= most; n++) {
    int rough = n <= APPROACHES && n < most && !theta->kind.linear;
    pc_theta_step_note(theta);
    PC_TRY(pc_theta_step_solve(theta, state, info, error));
    PC_TRY(rough ? approach(s, state, info, error) : project(s, state, info, error));
    *left = pc_projection_left(s->projection);
    others = theta->kind.reforecasts && pc_theta_step_reforecast(theta, state);
    if (theta->kind.linear && !theta->displaced && !others) {
      pc_theta_step_finish_linear(theta, state, info);
      return PC_OK;
    }
    PC_TRY(pc_theta_step_linearise(theta, state, info, error));
    if (others) continue;
    int solved = pc_theta_step_converged(theta, info);
    if (solved && rough && isnan(*left)) {
      PC_TRY(finish(s, state, info, &solved, error));
      *left = pc_projection_left(s->projection);
    }
    if (solved) return PC_OK;
    *left = NAN;
    if (s->is_decided && !theta->kind.linear && s->is_decided(s->scheme)) {
      pc_theta_step_find_violation(theta, info);
      return PC_OK;
    }
    pc_theta_next next = pc_theta_step_decide(theta, info);
    if (next == PC_THETA_ACCEPT)
      return rough ? pc_projection_finish(s->projection, theta, state, info, error) : PC_OK;
    if (next == PC_THETA_GO_ON) continue;
    PC_TRY(project(s, state, info, error));
    PC_TRY(pc_theta_step_linearise(theta, state, info, error));
  }
  return others ? pc_theta_step_cycles(theta, info, error)
                : pc_theta_step_give_up(theta, "--coupled, ", info, error);
}

/* Velocities by a number of sweeps, whatever they leave, and the positions for them. */
static pc_status project_swept(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                               double* left, pc_error* error)
{
  PC_TRY(pc_theta_step_solve_single(s->theta, state, info, error));
  PC_TRY(project(s, state, info, error));
  *left = pc_projection_left(s->projection);
  return PC_OK;
}

/* Roles by the percussions of the iterate before, (69); in the end the gaps have to hold for those
 * of the last one. */
static pc_status solve_coupled(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                               pc_error* error)
{
  pc_theta_step* theta = s->theta;
  pc_theta_step_begin_loop(theta);
  assign_roles(s);
  for (int n = 1; n <= theta->settings.max_iterations; n++) {
    PC_TRY(pc_coupled_solve(s->coupled, theta, s->projection, state, info, error));
    PC_TRY(pc_theta_step_linearise(theta, state, info, error));
    assign_roles(s);
    if (pc_theta_step_converged(theta, info) && pc_projection_holds(s->projection, theta) &&
        pc_projection_converged(s->projection, theta))
      return PC_OK;
  }
  theta->loop.unsolved = theta->settings.max_iterations;
  return pc_theta_step_give_up(theta, "", info, error);
}

/* The velocities know nothing of the projection: with W at the projected positions the laws hold to
 * its size, and that is what `info` tells. */
static pc_status project_after(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                               pc_error* error)
{
  pc_theta_step* theta = s->theta;
  PC_TRY(pc_theta_step_newton(theta, state, info, error));
  PC_TRY(pc_theta_step_factor(theta, error)); /* at the solution: it may be the metric */
  PC_TRY(project(s, state, info, error));
  pc_contact_step_violation(theta->contact_step, theta->end.terms, theta->before, theta->v,
                            theta->P, info);
  return PC_OK;
}

static pc_status solve(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                       double* left, pc_error* error)
{
  if (s->coupled) return solve_coupled(s, state, info, error);
  if (s->theta->settings.sweeps > 0) return project_swept(s, state, info, left, error);
  if (s->theta->settings.project == PC_PROJECT_AFTER) return project_after(s, state, info, error);
  return project_in(s, state, info, left, error);
}

/* What is left of (28b) is a residual of the step as well. */
pc_status pc_projected_step_solve(pc_projected_step* s, const pc_state* state, pc_step_info* info,
                                  pc_error* error)
{
  double left = NAN;
  PC_TRY(solve(s, state, info, &left, error));
  if (isnan(left)) left = pc_projection_defect(s->projection, s->theta);
  info->residual = pc_larger(info->residual, left);
  return PC_OK;
}
