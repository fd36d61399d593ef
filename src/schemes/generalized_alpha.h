/* The nonsmooth generalized-alpha scheme, alpha (65), by three levels of constraints.
 *
 * Unknowns of a step: the smooth acceleration v' with forces lambda, the position correction U with
 * nu, and the velocity jump W with Lambda. `dt` is the paper's h, f its force; the forces' directions
 * are the system's rows W' = g_q, so in this room's code the jump is called `jump`.
 *
 *     M v' = f + W' lambda,        W v' + zeta = 0    for rows in S,   lambda = 0 for others  (65a-c)
 *     M U = W' nu,                 g = 0              for rows in A,   nu = 0                 (65d-f)
 *     M jump = W' Lambda,          y' + e y'_n = 0    for rows in B,   Lambda = 0             (65g-i)
 *     (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) v' + alpha_f v'_n                         (65l)
 *     d = dt u_n + dt^2 (1/2 - beta) a_n + dt^2 beta a + U,   q = retract(q_n, d)             (65j)
 *     u = u_n + dt (1 - gamma) a_n + dt gamma a + jump                                        (65k)
 *
 * (the paper prints 1 - beta in (65j)). Everything is at the end of the step. Joints are in all three
 * sets, as far as the form of the constraints has these levels; see `pc_alpha_form`. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_H
#define PC_SCHEMES_GENERALIZED_ALPHA_H

#include "schemes/consistent_start.h"
#include "schemes/contact_stage.h"
#include "schemes/generalized_alpha_coefficients.h"
#include "schemes/generalized_alpha_saddle.h"
#include "schemes/scheme.h"
#include "system/stages.h"

/* What the forces lambda of the smooth motion see to. */
typedef enum pc_alpha_row {
  PC_ALPHA_ACCELERATION,    /* W v' + zeta = 0                                      (65b) */
  PC_ALPHA_SMOOTH_VELOCITY, /* the velocity without its jump obeys the constraint: PVV    */
  PC_ALPHA_VELOCITY,        /* W u + chi = 0                                              */
  PC_ALPHA_POSITION,        /* g = 0                                                      */
  PC_ALPHA_BAUMGARTE        /* g'' + 2 alpha g' + beta^2 g = 0                      (71c) */
} pc_alpha_row;

typedef struct pc_alpha_form {
  const char* name;
  pc_alpha_row row;
  int position; /* U and nu exist */
  int velocity; /* jump and Lambda exist */
} pc_alpha_form;

/* Levels to which a contact's normal is closed: each implies those before it. */
typedef enum pc_alpha_level {
  PC_ALPHA_OPEN,
  PC_ALPHA_A, /* g_N = 0 */
  PC_ALPHA_B, /* and g_N' + e g_N'(-) = 0 */
  PC_ALPHA_S  /* and g_N'' = 0 in the smooth motion */
} pc_alpha_level;

/* Friction of a contact that is closed in the smooth motion. */
typedef enum pc_alpha_friction {
  PC_ALPHA_STICK, /* gamma_F' = 0, lambda_F free */
  PC_ALPHA_SLIP,  /* lambda_F = -mu lambda_N t with t along gamma_F */
  PC_ALPHA_ONSET  /* the same, with t against the force that could not hold it */
} pc_alpha_friction;

/* The size of what a step deals with, to which its tolerance is relative. */
typedef struct pc_alpha_sizes {
  double acceleration; /* of v' and of M^-1 h, what the forces would do without constraints */
  double velocity;     /* of u, and sqrt(acceleration position) */
  double position;     /* of q, and what the others reach in a step */
} pc_alpha_sizes;

/* A run of velocities that share a kinetic energy: what its balances are measured by. */
typedef struct pc_alpha_body {
  int first, end;
  double force; /* the largest of h and M v', with several bodies also half of W' lambda [N] */
  double acceleration;  /* as above */
  double noise;         /* round-off of h at the predictor [N] */
  double usual_noise;   /* the same, kept during a thorough look */
  double largest, norm; /* of the balance that was looked at last: its largest term, and its rest */
} pc_alpha_body;

typedef struct pc_alpha_newton pc_alpha_newton;
typedef struct pc_alpha_tangent pc_alpha_tangent;

typedef struct pc_alpha {
  const pc_system* system;
  pc_scheme_settings settings;
  pc_alpha_coefficients c;
  pc_alpha_form form;
  int n_q, n_u, rows, g, bilateral, contacts;
  pc_contact_info* contact;

  double dt, t;            /* of the step being done; t is its end */
  double q_share, v_share; /* dt^2 beta s and dt gamma s: d(d)/dv' and du/dv' */
  pc_terms* terms;         /* everything at the iterate */
  double* q_between;       /* n_q: where that was */
  pc_terms* between;       /* gaps and W at the position between two levels */
  pc_assembly* tangent;    /* M - v_share f_u - q_share f_q B */
  pc_alpha_tangent* exact; /* the same with all second derivatives; NULL: there are none */
  pc_assembly* mass;       /* M */
  int same_matrix;         /* the tangent is M: forces depend on neither q nor u */
  int constant_tangent, constant_mass, constant_rows;
  double factored_dt; /* of a constant tangent */
  int mass_factored;  /* M of the last evaluation, or a constant one, is there */
  pc_alpha_saddle* saddle;
  pc_alpha_newton* newton;    /* monolithic, or standing by; NULL: too large for that */
  pc_consistent_start* start; /* strategy 3 */

  /* the iterate */
  double* q;                          /* n_q */
  double *u, *v_dot, *a, *U, *jump;   /* n_u */
  double *lambda, *nu, *Lambda, *eta; /* rows */
  /* what the step has of the state before it, so that d = d_0 + q_share v' + U and so on */
  double *a_0, *d_0, *u_0;     /* n_u */
  double* eta_0;               /* rows */
  double* before;              /* rows: y'_n */
  double t_before;             /* where `terms` were evaluated last ... */
  double *q_before, *u_before; /* ... which is where the next step begins */

  unsigned char* level; /* contacts: pc_alpha_level */
  int weighed;          /* r is that of this step */
  double* r;            /* contacts: of the activation criteria [kg] */
  double* m_F;          /* contacts: the least effective mass of its friction rows [kg] */

  /* friction, where there is any */
  int has_friction;
  pc_contact_stage* stage; /* velocity level: all laws at once */
  unsigned char* slides;   /* contacts: pc_alpha_friction */
  double* drag;            /* friction rows: lambda_F per lambda_N of a contact that slides */
  double* P;               /* rows: impulses that obey the laws */
  double* forecast;        /* contacts: which the stage is to see */
  double** pull;           /* normal rows: where the values of W_N - mu W_F t are */
  double* pull_values;

  /* a level's problem */
  int* place; /* the system's row of each */
  pc_row *force, *measure;
  double *c_row, *y_row;
  double** slope; /* rows: where the values of its own `measure` are */
  double** extra; /* rows: what it has besides W */
  double** bend;  /* rows: the part of that which comes with positions, per unit of d */
  double** turn;  /* rows: W T */
  double* slope_values;
  int held; /* rows whose matrix with M is factorised, as the position level has left it; or -1 */
  int linearised; /* A, `extra` and `bend` are there from an iterate of this step ... */
  double *u_there, *lambda_there; /* ... which had these velocities and forces */
  double ahead;                   /* how far along the motion `exact` has looked [s]; 0: nowhere */
  double *d, *residual, *room, *q_room; /* n_u, n_u, n_q + 2 n_u, n_q */
  double *impact_law, *friction_law;
  double best_residual; /* of the step's iterations so far */
  int stalled;          /* iterations since then */
  pc_alpha_body* body;
  int* body_of; /* n_u */
  int body_count;
  int has_noise; /* the bodies' noise is that of this step */
  pc_alpha_sizes size;
} pc_alpha;

/* state->memory: v', a, lambda, eta, and for each contact whether it was closed (B). */
enum { PC_ALPHA_V_DOT, PC_ALPHA_A_MEAN, PC_ALPHA_LAMBDA, PC_ALPHA_ETA, PC_ALPHA_CLOSED };
double* pc_alpha_memory(const pc_system* system, double* memory, int part);

/* ---- motion: the iterate, its residual, the new state ---- */

/* The state's share in the step, and the predictor: v' and lambda of the last step, U = jump = 0. */
void pc_alpha_begin(pc_alpha* alpha, const pc_state* state, double dt);
/* q, u, a, eta from v', U, jump, lambda. */
void pc_alpha_locate(pc_alpha* alpha, const pc_state* state);
/* All terms at the iterate. */
pc_at pc_alpha_evaluate(pc_alpha* alpha);
/* Do (65a)-(65i) hold? Fills the residuals of `info`. */
int pc_alpha_converged(pc_alpha* alpha, pc_step_info* info);
/* The contacts' part of that. */
void pc_alpha_check_laws(pc_alpha* alpha, pc_step_info* info);
/* The percussion of a row over the step: Lambda* of (65m). */
double pc_alpha_percussion(const pc_alpha* alpha, const pc_state* state, int row);
void pc_alpha_commit(pc_alpha* alpha, pc_state* state, pc_step_info* info);
/* The same without what the averages remember of earlier steps: Lambda + dt gamma s lambda. */
double pc_alpha_own_percussion(const pc_alpha* alpha, int row);
/* W v' + zeta of a row */
double pc_alpha_row_acceleration(const pc_alpha* alpha, int row);

/* ---- balance: what (65a), (65d), (65g) leave, body by body ---- */

pc_status pc_alpha_create_bodies(pc_alpha* alpha, pc_error* error);
/* (65a), whose rest is left in alpha->residual: the largest share of a body's forces that it leaves. */
double pc_alpha_smooth_residual(pc_alpha* alpha, pc_step_info* info);
/* The same once iterations no longer help, with a thorough look at the round-off of h. */
double pc_alpha_exhausted_residual(pc_alpha* alpha, pc_step_info* info);
/* The same for (65d) and (65g), after the sizes. */
double pc_alpha_impulse_residual(pc_alpha* alpha, pc_step_info* info);
/* The accelerations of all bodies; returns the largest. */
double pc_alpha_find_accelerations(pc_alpha* alpha);
/* Round-off of h on the bodies of a row, once for each step [N]: in stiff systems, where forces come
 * from differences of large positions, that is far above the last digit of h. */
double pc_alpha_noise(pc_alpha* alpha, int row);

/* ---- tangent: second derivatives ---- */

pc_status pc_alpha_tangent_create(const pc_alpha* alpha, pc_alpha_tangent** tangent,
                                  pc_error* error);
void pc_alpha_tangent_destroy(pc_alpha_tangent* tangent); /* NULL is fine */
/* A at the iterate, factorised. */
pc_status pc_alpha_tangent_factor(pc_alpha_tangent* tangent, const pc_alpha* alpha,
                                  const pc_state* state, pc_error* error);
const pc_assembly* pc_alpha_tangent_matrix(const pc_alpha_tangent* tangent);
/* How the coordinates move with d. */
pc_stage_motion pc_alpha_tangent_motion(const pc_alpha_tangent* tangent);
/* bend (over the row's blocks) += scale d(W u + chi)/dq B T of these terms, for any u. */
void pc_alpha_tangent_add_bend(const pc_alpha_tangent* tangent, const pc_terms* terms, int row,
                               const double* u, double scale, double* bend);

/* bend (over the row's blocks) += d(W v' + zeta)/dq B T, after a look ahead. */
void pc_alpha_tangent_look_ahead(pc_alpha_tangent* tangent, pc_alpha* alpha);
void pc_alpha_tangent_bend(const pc_alpha_tangent* tangent, const pc_alpha* alpha, int row,
                           double* bend);

/* ---- levels: the three linear problems of a sweep, Algorithm 1 ---- */

/* M at the last evaluation, which must be `at`. */
pc_status pc_alpha_factor_mass(pc_alpha* alpha, const pc_at* at, pc_error* error);
/* M, and the matrix of the smooth motion. */
pc_status pc_alpha_factor(pc_alpha* alpha, const pc_state* state, const pc_at* at, pc_error* error);
const pc_assembly* pc_alpha_matrix(const pc_alpha* alpha);
/* The row W_r T, by which a position answers to d; its values in `turn`. */
pc_row pc_alpha_turned_row(pc_alpha* alpha, const pc_terms* terms, int row);
pc_status pc_alpha_smooth_level(pc_alpha* alpha, const pc_at* at, pc_error* error);
/* Its constraints: place, force, measure and c_row of each (J, and minus the constraint's value). */
int pc_alpha_collect_smooth(pc_alpha* alpha, const pc_at* at);
/* v' += x, lambda += y over them. */
void pc_alpha_add_smooth(pc_alpha* alpha, int count, const double* x, const double* y);
/* Impulses that obey a law of velocities and have no part in the smooth motion: constraints of
 * velocity level in strategy 1, friction in strategies 1 and 2 and in `pvv`. Acting throughout the
 * step, Lambda moves the positions by dt/2 M^-1 W' Lambda, too: without that a block at rest on an
 * incline would creep down with dt/2 g sin(angle), its velocity being zero. */
static inline int pc_alpha_joints_push(const pc_alpha* alpha)
{
  return alpha->form.position && alpha->settings.strategy == 1;
}
static inline int pc_alpha_friction_pushes(const pc_alpha* alpha)
{
  return alpha->has_friction &&
         (alpha->settings.strategy < 3 || alpha->form.row != PC_ALPHA_ACCELERATION);
}
/* nu := dt/2 Lambda of their rows; whether there is any. */
int pc_alpha_push_positions(pc_alpha* alpha);
pc_status pc_alpha_position_level(pc_alpha* alpha, pc_error* error);
pc_status pc_alpha_velocity_level(pc_alpha* alpha, pc_step_info* info, pc_error* error);

/* ---- sets: which contacts are closed at which level ---- */

/* Whether a contact is closed or carries a force, so that r matters. */
int pc_alpha_near_contact(const pc_alpha* alpha);
/* r = factor times the effective mass, with the rows of the last evaluation. */
pc_status pc_alpha_weigh_contacts(pc_alpha* alpha, pc_error* error);
/* The sets at the iterate; forces of rows that are open become zero. `iteration` counts from 0. */
void pc_alpha_update_sets(pc_alpha* alpha, const pc_state* state, int iteration);

/* ---- friction ---- */

/* Stick or slip in the smooth motion, after the sets; lambda_F of contacts that slide. */
void pc_alpha_update_friction(pc_alpha* alpha, int iteration);
/* The direction W_N + drag W_F of the force that belongs to lambda_N of contact k; `values` has room
 * for it. */
pc_row pc_alpha_pull(const pc_alpha* alpha, int k, const double* drag, double* values);
/* The velocity level with friction: one linear contact problem. */
pc_status pc_alpha_friction_level(pc_alpha* alpha, const pc_terms* terms, const double* smooth,
                                  pc_step_info* info, pc_error* error);
/* |P_F - m xi_F| of contact k, and mu P_N: it slips where the former is larger. */
double pc_alpha_augmented_friction(const pc_alpha* alpha, int k, double p[3]);
double pc_alpha_friction_limit(const pc_alpha* alpha, int k);
/* By how much contact k violates its friction law [m/s]. */
double pc_alpha_friction_violation(const pc_alpha* alpha, int k);

/* ---- monolithic: all levels in one Newton iteration ---- */

/* Whether it takes little memory, so that it can stand by for steps that sweeps do not settle. */
int pc_alpha_newton_is_small(const pc_alpha* alpha);
pc_status pc_alpha_newton_create(const pc_alpha* alpha, pc_alpha_newton** newton, pc_error* error);
void pc_alpha_newton_destroy(pc_alpha_newton* newton); /* NULL is fine */
pc_status pc_alpha_newton_iterate(pc_alpha_newton* newton, pc_alpha* alpha, const pc_at* at,
                                  pc_error* error);

/* ---- start ---- */

pc_status pc_alpha_start(pc_alpha* alpha, pc_state* state, double dt, pc_error* error);

#endif
