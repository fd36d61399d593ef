/* The theta step with a projection of positions: one pass of Acary's Algorithm 1, and one
 * activation of Algorithm 2.
 *
 *     repeat   velocities and percussions by a linear contact problem      (57), (56a)
 *              positions by a projection with these velocities             (58), (60)
 *     until    (18a), the laws and the gaps hold                           4.3.2
 *
 * `coupled`: the first two in one problem, (53). With `project after` the loop runs without the
 * projection, which comes once at its end. */
#ifndef PC_STEPS_PROJECTED_STEP_H
#define PC_STEPS_PROJECTED_STEP_H

#include "steps/coupled.h"
#include "steps/projection.h"

typedef struct pc_projected_step {
  pc_theta_step* theta;
  pc_projection* projection;
  pc_coupled* coupled; /* NULL: decoupled */
  /* The role of a contact in the projection, given P (all rows): a rule of the scheme. */
  pc_projection_role (*role)(const void* scheme, int contact, const double* P);
  /* Whether a loop that has not converged may end, its outcome being known; NULL: no. */
  int (*is_decided)(void* scheme);
  void* scheme;
} pc_projected_step;

/* What the schemes with projection count. */
#define PC_PROJECTED_PHASES                        \
  {                                                \
    "newton", "solver", "projection", "activation" \
  }

pc_status pc_projected_step_create(pc_projected_step* step, const pc_system* system,
                                   const pc_scheme_settings* settings, pc_error* error);
void pc_projected_step_clear(pc_projected_step* step);

/* Fits the step to the found contacts of the system after these have changed. */
pc_status pc_projected_step_refit(pc_projected_step* step, pc_error* error);

/* Other coefficients of friction, one for each contact. */
void pc_projected_step_set_friction(pc_projected_step* step, const double* mu);

/* Newton's loop with projection, for the active contacts of the theta step. */
pc_status pc_projected_step_solve(pc_projected_step* step, const pc_state* state,
                                  pc_step_info* info, pc_error* error);

#endif
