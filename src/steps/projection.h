/* The projection of positions onto joints and contacts: Acary (58), (60).
 *
 * Given gaps and W at q^n = q_k + h q'(v_theta) + B d^n, find the multipliers tau of a displacement
 * d = N G tau (of the space of velocities, n_u) with
 *
 *     g(q^n) + G'(q^n) (d - d^n) = 0,  tau free                       joints
 *     0 <= g(q^n) + G'(q^n) (d - d^n)  _|_  tau >= 0                  contacts, one-sided
 *     g(q^n) + G'(q^n) (d - d^n) = 0,  tau free                       contacts, free
 *
 * tau is the whole multiplier of the step, not an increment, so that it may shrink again. N is the
 * identity or the inverse of the theta step's tangent. Only normal rows take part. */
#ifndef PC_STEPS_PROJECTION_H
#define PC_STEPS_PROJECTION_H

#include "steps/theta_step.h"

/* What a contact is to a projection. */
typedef enum pc_projection_role {
  PC_PROJECT_NOT,       /* its gap is not looked at */
  PC_PROJECT_ONE_SIDED, /* 0 <= g _|_ tau >= 0 */
  PC_PROJECT_FREE       /* g = 0, tau free: Acary (68) */
} pc_projection_role;

typedef struct pc_projection pc_projection;

pc_status pc_projection_create(const pc_system* system, const pc_scheme_settings* settings,
                               pc_projection** projection, pc_error* error);
void pc_projection_destroy(pc_projection* projection); /* NULL is fine */

/* Fits the projection to the found contacts of its system after these have changed. */
pc_status pc_projection_refit(pc_projection* projection, pc_error* error);

/* tau = 0: a new step. */
void pc_projection_begin(pc_projection* projection);

/* Neither tau nor d: the positions of the velocities alone, when they are located next. */
void pc_projection_forget(pc_projection* projection, pc_theta_step* step);

/* What each contact is (contact_count); to be filled by the scheme. */
pc_projection_role* pc_projection_roles(pc_projection* projection);

/* Multipliers of the joints' positions, then of all contacts. */
double* pc_projection_tau(pc_projection* projection);

/* Whether a one-sided contact takes part in this step: once its gap was negative, it does. */
int pc_projection_candidate(pc_projection* projection, int contact, double gap);

/* N^-1 of the metric, factorised. */
const pc_assembly* pc_projection_metric(const pc_projection* projection, const pc_theta_step* step);

/* Do the gaps of `step`, at its q, hold? |g| <= tolerance for joints, free contacts and where
 * tau > 0; g >= -tolerance elsewhere. A one-sided test where tau > 0 could leave a gap above the
 * activation tolerance, and the contact would never act. */
int pc_projection_holds(pc_projection* projection, const pc_theta_step* step);

/* What is left of (28b), d = N W(q_k+1) tau, in the maximum norm [m, rad], in a model that is
 * shorter than a metre [m] (see lengths.h); and whether that is below the tolerance. */
double pc_projection_defect(pc_projection* projection, const pc_theta_step* step);

/* The same, known from the last run as long as positions, rows and metric are those of its end; NAN
 * where it is not known. */
double pc_projection_left(const pc_projection* projection);
int pc_projection_converged(pc_projection* projection, const pc_theta_step* step);

/* Projects the q of `step` with its velocity fixed until the gaps hold; step->d, q, gaps and W
 * follow. Counts each problem in info->iterations[2]. Where the gaps cannot be held it fails, or
 * (PC_ON_FAILURE_CONTINUE) notes that in `info`. */
pc_status pc_projection_run(pc_projection* projection, pc_theta_step* step, const pc_state* state,
                            pc_step_info* info, pc_error* error);

/* The first problem of a run, where it would have one: for velocities that need not be the last
 * ones. If they are, `finish` does the rest; what is left of (28b) is known where there is none. */
pc_status pc_projection_approach(pc_projection* projection, pc_theta_step* step,
                                 const pc_state* state, pc_step_info* info, pc_error* error);
pc_status pc_projection_finish(pc_projection* projection, pc_theta_step* step,
                               const pc_state* state, pc_step_info* info, pc_error* error);

#endif
