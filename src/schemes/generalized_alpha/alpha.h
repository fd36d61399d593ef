/* The nonsmooth generalized-alpha scheme, alpha (65), by three levels of constraints.
 *
 * Unknowns of a step: the smooth acceleration v' with forces lambda, the position correction U with
 * nu, and the velocity jump W with Lambda. `dt` is the paper's h, f its force; the forces'
 * directions are the system's rows W' = g_q, so in this code the jump is called `jump`.
 *
 *     M v' = f + W' lambda,      W v' + zeta = 0    for rows in S,   lambda = 0 for others  (65a-c)
 *     M U = W' nu,               g = 0              for rows in A,   nu = 0                 (65d-f)
 *     M jump = W' Lambda,        y' + e y'_n = 0    for rows in B,   Lambda = 0             (65g-i)
 *
 * Everything is at the end of the step; motion.h has the formulas (65j)-(65l) for q, u and a.
 * Joints are in all three sets, as far as the form of the constraints has these levels; see
 * `pc_alpha_form`.
 *
 * The scheme consists of parts, each with one owner: the others read it.
 *
 *     model       what is constant during a run                     model.c
 *     step, x     the step and its iterate                          motion.c; levels change v', U
 *     matrix      terms and factorised matrices at the iterate      matrices.c, curvature.c
 *     set         the active sets                                   sets.c, friction.c
 *     problem     the constraints of the level being solved         levels.c
 *     laws        the velocity level with friction                  friction.c
 *     balance     whether the iterate obeys (65)                    balance.c, convergence.c
 *     newton      all levels in one Newton iteration                monolithic.c */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_ALPHA_H
#define PC_SCHEMES_GENERALIZED_ALPHA_ALPHA_H

#include "schemes/generalized_alpha/balance.h"
#include "schemes/generalized_alpha/contact_problem.h"
#include "schemes/generalized_alpha/matrices.h"
#include "schemes/generalized_alpha/problem.h"
#include "schemes/generalized_alpha/saddle.h"
#include "schemes/generalized_alpha/sets.h"
#include "schemes/scheme.h"
#include "steps/consistent_start.h"
#include "steps/contact_step.h"

typedef struct pc_alpha_newton pc_alpha_newton;

/* The velocity level with friction: all laws at once. */
typedef struct pc_alpha_laws {
  pc_contact_step* contact_step;
  double* P;              /* rows: impulses that obey the laws */
  double* u;              /* n_u: the velocity with them */
  double* contact_share;  /* n_u: what lambda of the contacts has done to the smooth velocity */
  double* forecast;       /* contacts: which ones the step is to take */
  double* no_restitution; /* rows: zeros */
} pc_alpha_laws;

/* What --constraints ggl needs besides: W at the start of the step, and the identity in place of
 * M. */
typedef struct pc_alpha_ggl {
  pc_terms* start;    /* NULL in other forms */
  pc_assembly* unity; /* NULL in other forms */
} pc_alpha_ggl;

typedef struct pc_alpha {
  pc_alpha_model model;
  long layout; /* of the found contacts for which all of this was made */
  pc_alpha_step step;
  pc_alpha_iterate x;
  pc_alpha_matrices matrix;
  pc_alpha_sets set;
  pc_alpha_problem problem;
  pc_alpha_laws laws;
  pc_alpha_ggl ggl;
  pc_alpha_balance balance;
  pc_alpha_contact_problem contacts;
  pc_alpha_saddle* saddle;
  pc_alpha_newton* newton;    /* NULL: the system is too large for that */
  pc_consistent_start* start; /* strategy 3 */
} pc_alpha;

/* ---- balance.c: what (65a), (65d), (65g) leave, body by body ---- */

/* A new step, or a new attempt at one. */
void pc_alpha_begin_balance(pc_alpha_balance* balance);
/* Whether (65a) holds, whose residual stays in the balance. */
int pc_alpha_forces_hold(pc_alpha* alpha, double tolerance, pc_step_info* info);
/* The same for (65d) and (65g), after that. */
int pc_alpha_impulses_hold(pc_alpha* alpha, double tolerance, pc_step_info* info);
/* Round-off of h on the bodies of a row, once for each step [N]. */
double pc_alpha_row_round_off(pc_alpha* alpha, int row);

/* ---- convergence.c ---- */

/* Do (65a)-(65i) hold? Fills the residuals of `info`. */
int pc_alpha_converged(pc_alpha* alpha, double tolerance, pc_step_info* info);
/* Whether a gap [m] or a velocity of a row [m/s] is as good as closed, by the measures of the last
 * iterate. */
int pc_alpha_gap_closes(pc_alpha* alpha, int row, double gap);
int pc_alpha_velocity_closes(pc_alpha* alpha, int row, double velocity);
/* What did not hold, in words. */
void pc_alpha_describe_violation(const pc_alpha* alpha, char* text, size_t size);
/* The contacts' part of that. */
void pc_alpha_check_laws(pc_alpha* alpha, pc_step_info* info);

/* ---- levels.c: the three linear problems of a sweep, Algorithm 1 ---- */

/* The row W_r T, by which a position answers to d; its values in `turned`. */
pc_row pc_alpha_position_row(pc_alpha* alpha, const pc_terms* terms, int row);
pc_status pc_alpha_smooth_level(pc_alpha* alpha, const pc_at* at, pc_error* error);
/* Collects its constraints into `problem`: J, and minus the constraint's value. */
void pc_alpha_collect_smooth(pc_alpha* alpha, const pc_at* at);
/* The same with the laws of contacts in B, collected into `contacts`; returns the number of
 * joints. */
int pc_alpha_collect_smooth_laws(pc_alpha* alpha, const pc_at* at);
/* v' += dv, lambda += y over `count` rows. */
void pc_alpha_add_smooth(pc_alpha* alpha, const double* dv, int count, const int* row,
                         const double* y);
/* nu := dt/2 Lambda of the rows whose impulses move positions; whether there is any. */
int pc_alpha_impulses_on_positions(pc_alpha* alpha);
pc_status pc_alpha_position_level(pc_alpha* alpha, pc_error* error);
pc_status pc_alpha_velocity_level(pc_alpha* alpha, pc_step_info* info, pc_error* error);

/* ---- sets.c: which contacts are closed at which level ---- */

/* A step whose sets still change after this many iterations goes through them in a circle: from
 * then on a closed contact stays closed, and one that leaves S does not come back. */
enum { PC_ALPHA_LATCH_AFTER = 8 };

/* r = factor times the effective mass of contacts that are closed or carry a force, once in each
 * step, with the rows of the last evaluation, which is `at`. */
pc_status pc_alpha_weigh_contacts(pc_alpha* alpha, const pc_at* at, pc_error* error);
/* The sets at the iterate; forces of rows that are open become zero. `iteration` counts from 0. */
void pc_alpha_update_sets(pc_alpha* alpha, const pc_state* state, int iteration);

/* To be called where a set changes. */
void pc_alpha_note_change(pc_alpha* alpha);

/* ---- friction.c ---- */

pc_status pc_alpha_laws_create(pc_alpha_laws* laws, const pc_alpha_model* model, pc_error* error);
void pc_alpha_laws_free(pc_alpha_laws* laws);
/* Stick or slip in the smooth motion, after the sets; lambda_F of contacts that slip. */
void pc_alpha_update_friction(pc_alpha* alpha, int iteration);
/* The direction W_N + ratio W_F of the force that belongs to lambda_N of contact k; `values` has
 * space for it. */
pc_row pc_alpha_force_direction(const pc_alpha* alpha, int k, const double* ratio, double* values);
/* The velocity level with friction: one linear contact problem. */
pc_status pc_alpha_friction_level(pc_alpha* alpha, pc_step_info* info, pc_error* error);
/* |P_F - m xi_F| of contact k, and mu P_N: it slips where the former is larger. */
double pc_alpha_augmented_friction(const pc_alpha* alpha, int k, double p[3]);
double pc_alpha_friction_limit(const pc_alpha* alpha, int k);
/* Its speed of slip, or 0 where that is none to round-off. */
double pc_alpha_slip(const pc_alpha* alpha, int k, double slip[3]);
/* By how much contact k violates its friction law [m/s], and that of the smooth motion [m/s^2]. */
double pc_alpha_friction_violation(const pc_alpha* alpha, int k);
double pc_alpha_smooth_friction_violation(const pc_alpha* alpha, int k);

/* ---- law_levels.c: a sweep whose levels have the laws of their contacts ---- */

/* The smooth level alone. PC_NOT_CONVERGED: its contact problem was not solved. */
pc_status pc_alpha_smooth_laws(pc_alpha* alpha, const pc_at* at, pc_step_info* info,
                               pc_error* error);
void pc_alpha_begin_laws(pc_alpha* alpha);
pc_status pc_alpha_law_sweep(pc_alpha* alpha, const pc_state* state, const pc_at* at, int iteration,
                             pc_step_info* info, pc_error* error);

/* ---- monolithic.c: all levels in one Newton iteration ---- */

/* NULL where it would take much memory. */
pc_status pc_alpha_newton_create(const pc_alpha* alpha, pc_alpha_newton** newton, pc_error* error);
void pc_alpha_newton_destroy(pc_alpha_newton* newton); /* NULL is fine */
/* PC_NOT_CONVERGED: more unknowns than it takes. */
pc_status pc_alpha_newton_iterate(pc_alpha_newton* newton, pc_alpha* alpha, const pc_at* at,
                                  pc_error* error);

/* ---- commit.c, start.c ---- */

/* The new state. */
void pc_alpha_commit(pc_alpha* alpha, pc_state* state, pc_step_info* info);
/* v', a, lambda, eta at a state that was not reached by a step. */
pc_status pc_alpha_start(pc_alpha* alpha, pc_state* state, double dt, pc_error* error);

#endif
