/* One step of the theta method of Acary (18), (28): what moreau-jean and both projections share.
 *
 *     M (v - v_k) - h F = G(q) P                                           (18a)
 *     q = q_k + h q'(t_theta, q_theta, v_theta) + B(q_theta) d             (18b), (28)
 *     0 <= G'(q) v + e U_k  _|_  P >= 0     for the active contacts        (18c), (18d)
 *
 * evaluation `mid`:       M(q_theta), F(t_theta, q_theta, v_theta)         as printed
 * evaluation `trapezoid`: M(q),       (1 - theta) F_k + theta F(t_k+1, q, v)
 *
 * d = N G tau is the correction of the position by a projection, as a displacement in the space of
 * velocities; a scheme without projection leaves it at zero. It is frozen in a Newton iteration,
 * which is the decoupled form (56).
 *
 * A Newton iteration freezes M, C = -dF/dv, K = -dF/dq and G at the iterate and solves one linear
 * contact problem with the tangent M + h theta C + h^2 theta^2 K, (47). The scheme's F is h(t,q,u)
 * of the equality of measures; `dt` is the paper's h. */
#ifndef PC_STEPS_THETA_STEP_H
#define PC_STEPS_THETA_STEP_H

#include "percuss/scheme.h"
#include "steps/anderson.h"
#include "steps/body_size.h"
#include "steps/bracket.h"
#include "steps/contact_step.h"
#include "steps/measure.h"

/* What a step is for this system and these settings: nothing of it changes but with the found
 * contacts. */
typedef struct pc_theta_kind {
  int gaps;           /* somebody needs the gaps at every iterate */
  int iterates;       /* the answer of one contact problem is not all: it is measured */
  int trapezoid;      /* evaluation at the end, and the loop of Algorithm 1 as it stands */
  int position_level; /* gaps instead of velocities in (18c), (18d) */
  int consistent;     /* the gaps' linearisation is used: every iterate's q goes with its v */
  int plain;          /* q' = u */
  int constant_tangent;
  int constant_W;    /* and chi never change: a solve need not know where the step ends */
  int constant_rows; /* nor does anybody ask for gaps */
  int linear;        /* constant tangent and W, and plain: one iteration is exact */
  int single;        /* that, or a given number of sweeps: without projection one solve is all */
  /* a given number of sweeps, without joints: W is that of the start of the step */
  int explicit_rows;
  int steady;    /* one of these, and h never changes: a step begins with nothing to evaluate */
  int does_work; /* there are forces f that no energy accounts for */
  int scaled;    /* the tolerance is relative to the terms of each equation, not a given one */
  int has_restitution_above; /* contacts rebound from some speed on only */
  int looks_ahead; /* the forecast is (61), and gamma not given: it depends on the depth */
  int reforecasts; /* the forecast is (63): contacts are chosen anew after each iteration */
} pc_theta_kind;

/* The stage point (q_theta, v_theta), and the motion there. */
typedef struct pc_theta_stage {
  double t;           /* t_theta of the last stage point */
  double* q;          /* n_q: q_theta */
  double* q_dot;      /* n_q: scratch for q', where it is needed */
  double* q_drift;    /* n_q: q' of a body at rest, where q' = B u + beta; coupled alone */
  double* v;          /* n_u: v_theta; after a linearisation what is left of (18a) */
  double* moving;     /* n_u: v_theta + d/dt; NULL where d is never there */
  double* retraction; /* n_q + n_u: scratch of pc_system_retract, with exact rotations */
  double* zero;       /* n_u zeros, with q_drift */
  double *h_k, *f_k;  /* n_u: F_k and its part f, for the trapezoid */
  pc_terms* terms;    /* M, h and its derivatives at `at` */
  pc_at at;           /* where the last linearisation was done */
  pc_assembly* tangent;
  int factored;       /* it is that of the last linearisation, */
  double factored_dt; /* with this dt */
  double* kick;       /* n_u: A^-1 h F of a steady linear system, which never changes, */
  int has_kick;       /* with these factors */
  int at_start;       /* dv is h F of a steady system as a step begins */
} pc_theta_stage;

/* The end of a step; before the loop, its start. */
typedef struct pc_theta_end {
  pc_terms* terms; /* gaps and W, evaluated last at t and q */
  double t;
  double* q;            /* n_q */
  pc_terms* held_terms; /* W where it is held; NULL: never, with laws on positions and sweeps */
  pc_terms position;    /* position level: the rows of `terms` with chi of their own */
} pc_theta_end;

/* A Newton loop. */
typedef struct pc_theta_loop {
  pc_anderson* anderson; /* on v, NULL where sweeps take its place, */
  pc_bracket* bracket;   /* and where that does not help */
  int has_rest;          /* stage.v is the residual of (18a) at the iterate */
  int keeps_factors;     /* the next solve may be a correction by the factors of the last one */
  double change;         /* of v by the last solve */
  int unsolved;          /* iterates that were not the solution */
  int stalls;            /* of these, in a row, so many that were no better than half the best */
  double best;           /* the least relative error */
  double solver_left;    /* the residual of the last contact problem */
  double solver_asked; /* what it may be by the tolerance of the loop or the usual one of solvers */
  int has_violation;   /* `info` has that of the laws at the iterate */
  int held;            /* the laws and (18a) take W from end.held_terms: see pc_theta_step_decide */
} pc_theta_loop;

/* Of arrays by rows. */
typedef struct pc_theta_capacity {
  size_t rows, before, forecast, positions;
  int before_rows; /* those whose U_k is kept: all or none */
} pc_theta_capacity;

typedef struct pc_theta_contacts {
  int count;
  size_t capacity;
  double* forecast;    /* of the gap of each [m] */
  int forecast_apart;  /* at position level, and where U_k is not kept */
  int* normal;         /* the normal row of each */
  pc_body_sizes sizes; /* where the forecast looks ahead */
} pc_theta_contacts;

/* Open to the schemes of this module. */
typedef struct pc_theta_step {
  const pc_system* system;
  pc_threads* threads; /* of the system */
  pc_scheme_settings settings;
  pc_theta_kind kind;
  int n_q, n_u, rows;
  pc_theta_capacity capacity;
  double dt; /* of the step being done */
  pc_theta_stage stage;
  pc_theta_end end;
  pc_theta_loop loop;
  pc_measure measure; /* (18a) of the last linearisation */
  pc_contact_step* contact_step;
  double *q, *v;           /* n_q, n_u: the iterate */
  double* dv;              /* n_u: right-hand side, free velocity */
  double* d;               /* n_u: displacement by a projection, where there may be one */
  int displaced;           /* d is not zero */
  double *free_v, *free_P; /* n_u, rows: for the free forecast; free_v for iterates as well */
  double* P;               /* rows */
  double* before;          /* rows: U_k; NULL: sweeps alone, and nothing rebounds */
  double* zero_rows;       /* rows zeros, at position level */
  pc_theta_contacts contact;
} pc_theta_step;

/* `gaps`: the caller needs the gaps at every iterate. */
pc_status pc_theta_step_create(const pc_system* system, const pc_scheme_settings* settings,
                               int gaps, pc_theta_step** step, pc_error* error);
void pc_theta_step_destroy(pc_theta_step* step); /* NULL is fine */

/* Fits the step to the found contacts of the system after these have changed. */
pc_status pc_theta_step_refit(pc_theta_step* step, pc_error* error);

/* v = v_k, d = 0, U_k, F_k and the first linearisation; the counts of `info` are set to zero. */
pc_status pc_theta_step_begin(pc_theta_step* step, const pc_state* state, double dt,
                              pc_step_info* info, pc_error* error);

/* Back to v = v_k, d = 0 within a step: the first linearisation again. */
pc_status pc_theta_step_restart(pc_theta_step* step, const pc_state* state, pc_error* error);

/* The active contacts by the forecast (61), (62), after `begin`; with (63), (64) those of the first
 * iterate, the motion with v_k. */
pc_status pc_theta_step_forecast(pc_theta_step* step, const pc_state* state, pc_error* error);

/* (63), (64): the active contacts by the gaps at q_k + h q'(v_theta) of the iterate, without
 * projection. Whether they are other ones than before. To be followed by `linearise` where the
 * residual is needed. */
int pc_theta_step_reforecast(pc_theta_step* step, const pc_state* state);

/* Whether a solution of the step asks by (64) for other contacts. They are active then, and the
 * step has to be done again from `restart` on. `tries` counts, up to the limit of iterations: then
 * it is an error, or (PC_ON_FAILURE_CONTINUE) a note in `info`. */
pc_status pc_theta_step_asks_others(pc_theta_step* step, const pc_state* state, int* tries,
                                    int* others, pc_step_info* info, pc_error* error);

/* The active contacts change after each iteration: an error, or (PC_ON_FAILURE_CONTINUE) a note in
 * `info`. */
pc_status pc_theta_step_cycles(const pc_theta_step* step, pc_step_info* info, pc_error* error);

/* After the loop: whether a contact that does not act ends deeper than the forecast allows where
 * gamma is not given, as one may whose bodies are struck in the step. Then it acts, and the step is
 * to be done again from `restart` on. */
int pc_theta_step_acts_late(pc_theta_step* step, const pc_state* state);

/* Whether it may ever say so. */
int pc_theta_step_looks_back(const pc_theta_step* step);

/* v and P from one linear contact problem at the iterate; counts in `info`. */
pc_status pc_theta_step_solve(pc_theta_step* step, const pc_state* state, pc_step_info* info,
                              pc_error* error);

/* q from v and d, and the gaps and W there. */
void pc_theta_step_locate(pc_theta_step* step, const pc_state* state);

/* out += scale K B d for a displacement d, with the K of the last linearisation. */
void pc_theta_step_add_K_times(pc_theta_step* step, double scale, const double* d, double* out);

/* The tangent of the last linearisation, factorised. That is done when somebody needs it: an
 * iterate that turns out to be the solution does not. */
pc_status pc_theta_step_factor(pc_theta_step* step, pc_error* error);

/* Everything at the iterate: stage point, terms, gaps and W, and info->residual of (18a). */
pc_status pc_theta_step_linearise(pc_theta_step* step, const pc_state* state, pc_step_info* info,
                                  pc_error* error);

/* After `linearise`: does the iterate solve the step? Fills the violations of the laws where it
 * does. */
int pc_theta_step_converged(pc_theta_step* step, pc_step_info* info);

/* The violations of the laws at the iterate, for `info`, unless they are known since `converged`:
 * where one that does not solve the step is used. */
void pc_theta_step_find_violation(pc_theta_step* step, pc_step_info* info);

/* For `linear` systems, after one `solve`, and q at its velocities: all but the new state. */
void pc_theta_step_finish_linear(pc_theta_step* step, const pc_state* state, pc_step_info* info);

/* `solve` and that, for `single` steps without projection. */
pc_status pc_theta_step_solve_single(pc_theta_step* step, const pc_state* state, pc_step_info* info,
                                     pc_error* error);

/* A new Newton loop within a step. */
void pc_theta_step_begin_loop(pc_theta_step* step);

/* What a Newton loop does with an iterate that does not solve the step. */
typedef enum pc_theta_next {
  PC_THETA_GO_ON,
  PC_THETA_LINEARISE, /* go on with another v, from an acceleration */
  PC_THETA_TRY,       /* v and P may be the solution (without projection) */
  PC_THETA_ACCEPT /* it is within the acceptance limit and gets no better: counted as inaccurate */
} pc_theta_next;

/* Around `solve` in a Newton loop: before it, and after an iterate that is not the solution. */
void pc_theta_step_note(pc_theta_step* step);
pc_theta_next pc_theta_step_decide(pc_theta_step* step, pc_step_info* info);

/* Where the loop with its acceleration has not converged it goes on, once more as long: with a
 * search between iterates that go to and fro, and as long again with W held, or, with projection,
 * at once with W held; unless so few iterations are wanted that this could not begin. */
int pc_theta_step_iterations_max(const pc_theta_step* step);

/* The Newton loop without projection, from what `begin` or `linearise` left. */
pc_status pc_theta_step_newton(pc_theta_step* step, const pc_state* state, pc_step_info* info,
                               pc_error* error);

/* The limit of iterations was reached: an error with a hint at what else may help ("" for none), or
 * (PC_ON_FAILURE_CONTINUE) a note in `info`. */
pc_status pc_theta_step_give_up(pc_theta_step* step, const char* hint, pc_step_info* info,
                                pc_error* error);

/* Gaps and W at the state (see pc_scheme_ops.rows). */
const pc_terms* pc_theta_step_rows(pc_theta_step* step, const pc_state* state);

/* The iterate becomes the state; info->work. */
void pc_theta_step_commit(pc_theta_step* step, pc_state* state, pc_step_info* info);

#endif
