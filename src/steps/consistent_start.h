/* The accelerations and forces that belong to a state: RATTLE (54), (55).
 *
 *     M a = h + W lambda
 *     0 = W_b' a + zeta_b                                 bilateral rows: g'' = 0, gamma' = 0
 *     0 <= W_N' a + zeta_N  _|_  lambda_N >= 0            contacts that are closed and at rest
 *     W_F' a + zeta_F in the normal cone of B(mu lambda_N) at -lambda_F      (54), no slip
 *     lambda_F = -mu lambda_N gamma_F/|gamma_F|                              (55), slip
 *
 * and lambda = 0 for all other contacts. A contact that is closed and still approaching is about to
 * have an impact: forces cannot hold it, and it counts as open here. */
#ifndef PC_STEPS_CONSISTENT_START_H
#define PC_STEPS_CONSISTENT_START_H

#include "linalg/assembly.h"
#include "percuss/scheme.h"
#include "system/terms.h"

/* How a contact moves at a state; which forces it carries is its mode (solve/contact_mode.h). */
typedef enum pc_contact_motion {
  PC_MOTION_OPEN,    /* the gap is positive */
  PC_MOTION_LEAVING, /* closed, gap velocity positive */
  PC_MOTION_IMPACT,  /* closed, gap velocity negative */
  PC_MOTION_RESTING, /* closed, no velocity: may hold, begin to slip, or lift off */
  PC_MOTION_SLIDING  /* closed, slips */
} pc_contact_motion;

/* A gap of at most this [m] is closed. */
#define PC_CLOSED_GAP 1e-10

/* A velocity of a row is zero if it is at most this share of what it is a sum of ... */
#define PC_REST_SHARE 1e-8
/* ... or at most this [m/s, rad/s]. */
#define PC_REST_SPEED 1e-10

typedef struct pc_consistent_start pc_consistent_start;

/* `solver` may be NULL: chosen by size and friction dimension. */
pc_status pc_consistent_start_create(const pc_system* system, const char* solver,
                                     pc_consistent_start** start, pc_error* error);
void pc_consistent_start_destroy(pc_consistent_start* start); /* NULL is fine */

/* Evaluates the terms and factorises M, but solves nothing: for those who look at rows only. */
pc_status pc_consistent_start_evaluate(pc_consistent_start* start, double t, const double* q,
                                       const double* u, pc_error* error);

/* Evaluates and solves: a (n_u) and lambda (all rows). PC_NOT_CONVERGED where the contacts have no
 * solution (friction can be so large that there is none, Painleve's paradox) or none was found; a
 * and lambda are then those without contact forces. */
pc_status pc_consistent_start_solve(pc_consistent_start* start, double t, const double* q,
                                    const double* u, double* a, double* lambda,
                                    pc_solver_info* info, pc_error* error);

/* The same for a state that a step of length dt has led to, with its percussions. A contact that
 * carried one is closed whatever its gap, if its gap velocity is less than what the other forces
 * change in a step: schemes whose rows are those of another point of the step leave such
 * velocities. It slips if its friction was that of slip. */
pc_status pc_consistent_start_solve_after(pc_consistent_start* start, const pc_state* state,
                                          double dt, double* a, double* lambda);

/* What was found in the last evaluation; the terms have M, h, y, W, chi and zeta. */
pc_contact_motion pc_consistent_start_mode(const pc_consistent_start* start, int contact);
const pc_terms* pc_consistent_start_terms(const pc_consistent_start* start);
const pc_assembly* pc_consistent_start_mass(const pc_consistent_start* start);

/* After `solve`: x := the part of a velocity that the joints let through (n_u entries). What cannot
 * be computed is no number. */
void pc_consistent_start_project(pc_consistent_start* start, double* x);

/* After `solve`: the number of independent bilateral rows. */
pc_status pc_consistent_start_rank(pc_consistent_start* start, int* rank, pc_error* error);

/* The size below which the velocity of a row counts as zero. */
double pc_rest_tolerance(const pc_terms* terms, int row, const double* u);

#endif
