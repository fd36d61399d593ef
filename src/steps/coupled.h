/* Velocities and projection in one problem: Acary (53)-(55), with the matrices corrected.
 *
 * At an iterate (v^n, d^n) of the theta step, with Mhat of (47) and f of (48),
 *
 *     v = v^n + Mhat^-1 (f + h theta K d^n) + Mhat^-1 W P - h theta Mhat^-1 K N G tau
 *     d = N G tau
 *     W'v + chi + e U_k                                        joints, laws of the active contacts
 *     g(q^n) + G'(h theta (v - v^n) + d - d^n)                 joints, projection
 *
 * so that percussions move positions and projections move velocities, in the same iteration. P and
 * tau are the unknowns of one linear contact problem (percuss/solver.h): what is free (joints, and
 * contacts whose gap has to vanish) has no law, tau of the other gaps are frictionless contacts.
 * Its matrix is not symmetric, and sparse: two unknowns act on each other's rows where they share a
 * component of Mhat. */
#ifndef PC_STEPS_COUPLED_H
#define PC_STEPS_COUPLED_H

#include "steps/projection.h"

typedef struct pc_coupled pc_coupled;

pc_status pc_coupled_create(const pc_system* system, const pc_scheme_settings* settings,
                            pc_coupled** coupled, pc_error* error);
void pc_coupled_destroy(pc_coupled* coupled); /* NULL is fine */

/* Fits the problem to the found contacts of its system after these have changed. */
pc_status pc_coupled_refit(pc_coupled* coupled, pc_error* error);

/* Other coefficients of friction, one for each contact. */
void pc_coupled_set_friction(pc_coupled* coupled, const double* mu);

/* Solves at the iterate of `step`, for its active contacts and the roles of `projection`: v, P and
 * d of `step` and tau of `projection` follow. Counts in `info`. */
pc_status pc_coupled_solve(pc_coupled* coupled, pc_theta_step* step, pc_projection* projection,
                           const pc_state* state, pc_step_info* info, pc_error* error);

#endif
