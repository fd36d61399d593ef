/* What all velocity-level schemes share: one linear contact problem.
 *
 * Given a factorised tangent A, a free velocity and the rows W, chi at some point, find u and P
 * with
 *
 *     A (u - u_free) = W P
 *     0 = W_b' u + chi_b                                  bilateral rows: g, gamma
 *     xi_N = W_N' u + chi_N + e_N y_N'(-)   0 <= xi_N  _|_  P_N >= 0          active contacts
 *     xi_F = W_F' u + chi_F + e_F y_F'(-)   in the normal cone of B(mu P_N) at -P_F
 *
 * and P = 0 for all other contacts. y'(-) are the row velocities before the step. */
#ifndef PC_STEPS_CONTACT_STEP_H
#define PC_STEPS_CONTACT_STEP_H

#include "base/larger.h"
#include "linalg/assembly.h"
#include "percuss/scheme.h"
#include "steps/measure.h"
#include "system/terms.h"

typedef struct pc_contact_step pc_contact_step;

pc_status pc_contact_step_create(const pc_system* system, const pc_scheme_settings* settings,
                                 pc_contact_step** contact_step, pc_error* error);
void pc_contact_step_destroy(pc_contact_step* contact_step); /* NULL is fine */

/* Fits the step to the found contacts of its system after these have changed. */
pc_status pc_contact_step_refit(pc_contact_step* contact_step, pc_error* error);

/* Whether some contact of the system rebounds, or one that was found earlier did. Else y'(-), which
 * others are called with, may be NULL. */
int pc_contact_step_rebounds(const pc_contact_step* contact_step);

/* Other coefficients of friction, one for each contact. */
void pc_contact_step_set_friction(pc_contact_step* contact_step, const double* mu);

/* Where gaps are taken: in coordinates of this size their round-off may be more than the activation
 * tolerance, which is then not less than that, unless it is zero. */
void pc_contact_step_locate(pc_contact_step* contact_step, const double* q);

/* A gap as a length, which it is unless it is an angle [m]. */
double pc_contact_step_length(const pc_contact_step* contact_step, int contact, double gap);

/* The forecast gap up to which a contact is active [m], at coordinates of this size. */
double pc_contact_step_closed_gap(const pc_contact_step* contact_step);

/* Chooses the active contacts: those whose forecast gap is at most the activation tolerance.
 * `forecast` has one number per contact. Returns how many there are. */
int pc_contact_step_activate(pc_contact_step* contact_step, const double* forecast);

/* The active contacts, in increasing order, for those who solve by themselves; they tell the
 * masses [kg] by which violations are measured, one for each. */
const int* pc_contact_step_active(const pc_contact_step* contact_step, int* count);
void pc_contact_step_set_masses(pc_contact_step* contact_step, const double* mass);

/* A new step, with the row velocities y'(-) that its solves will be given. Where Newton's law has
 * no solution with restitution, as where friction wedges a body that has to rebound from two sides,
 * the contacts that act on each other there close without a rebound: their y'(-) is set to zero for
 * the rest of the step, and pc_contact_step_violation counts them. Without restitution there is a
 * solution. */
void pc_contact_step_begin(pc_contact_step* contact_step, double* before);

/* From now on (until it is 0) the answers are to begin a better problem with, and need not be more
 * accurate than this where that takes long: see pc_solver_be_rough. */
void pc_contact_step_be_rough(pc_contact_step* contact_step, double roughness);

/* The next solution, and its violations, may use the memory of W of the found contacts: the terms
 * are evaluated anew before anybody reads their rows again. */
void pc_contact_step_spend(pc_contact_step* contact_step, const pc_terms* terms);

/* Solves, or (PC_ON_FAILURE_CONTINUE) comes close: info->converged tells. `u` holds the free
 * velocity and receives u; `P` (all rows) holds a guess and receives the percussions; `before` are
 * the row velocities y'(-), all rows. */
pc_status pc_contact_step_solve(pc_contact_step* contact_step, const pc_terms* terms,
                                const pc_assembly* tangent, const double* before, double* u,
                                double* P, pc_solver_info* info, pc_error* error);

/* Corrects the last solution with the factors that it was computed with: `u` is what P gives with
 * the rows as they are now. *done: 0 if that cannot be done, or not to the tolerance; u and P are
 * then of no use, and the problem is to be solved. */
pc_status pc_contact_step_correct(pc_contact_step* contact_step, const pc_terms* terms,
                                  const double* before, double* u, double* P, pc_solver_info* info,
                                  int* done, pc_error* error);

/* Notes in `info` how a solve went: the last one decides whether the step is accurate. */
static inline void pc_contact_step_note(const pc_solver_info* solver, pc_step_info* info)
{
  info->solver_residual = pc_larger(info->solver_residual, solver->residual);
  info->inaccurate = !solver->converged;
  info->inaccuracy = solver->converged ? 0 : solver->residual;
  if (solver->island_count == 1 && solver->answered[PC_METHOD_DIRECT])
    info->answered[PC_METHOD_DIRECT]++;
  else
    for (int m = 0; m < PC_METHOD_COUNT; m++) info->answered[m] += solver->answered[m];
}

/* By how much a pair (u, P) violates the discrete impact and friction law of the last solve [m/s]
 * with the rows of `terms`: the natural map, divided by the contact's effective mass. The
 * contacts' own violations stay in the step, where `info` points to them. */
void pc_contact_step_violation(pc_contact_step* contact_step, const pc_terms* terms,
                               const double* before, const double* u, const double* P,
                               pc_step_info* info);

/* The same with the rows and y'(-) of the last solution, whose u and P these are. */
void pc_contact_step_solved_violation(pc_contact_step* contact_step, const double* u,
                                      const double* P, pc_step_info* info);

/* After `violation` and pc_measure_holds: are the laws of all contacts kept, or to the round-off of
 * what acts on their bodies, or to what else there is of it [m/s]? */
int pc_contact_step_holds(const pc_contact_step* contact_step, const pc_terms* terms,
                          const pc_measure* measure, double round_off);

#endif
