/* The motion over a step, (65j)-(65o): what it takes from the state before, and the iterate.
 *
 *     (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) v' + alpha_f v'_n                         (65l)
 *     d = dt u_n + dt^2 (1/2 - beta) a_n + dt^2 beta a + U,   q = retract(q_n, d)             (65j)
 *     u = u_n + dt (1 - gamma) a_n + dt gamma a + jump                                        (65k)
 *
 * (the paper prints 1 - beta in (65j)). */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_MOTION_H
#define PC_SCHEMES_GENERALIZED_ALPHA_MOTION_H

#include "schemes/generalized_alpha/model.h"

/* The step being done, and the state's share in it: d = d_0 + dq_dv v' + U, u = u_0 + du_dv v' +
 * jump, a = a_0 + s v', eta = eta_0 + s lambda. */
typedef struct pc_alpha_step {
  double dt, t;            /* t is its end */
  double dq_dv, du_dv;     /* dt^2 beta s [s^2], dt gamma s [s] */
  const double* q_n;       /* n_q: the position before the step, of the state */
  double *a_0, *d_0, *u_0; /* n_u */
  double* eta_0;           /* rows */
  double* before;          /* rows: y'_n, the rows' velocities before the step */
} pc_alpha_step;

typedef struct pc_alpha_iterate {
  double* q;     /* n_q */
  double* v_dot; /* n_u: acceleration of the smooth motion */
  double* a;     /* n_u: its average */
  double* d;     /* n_u: the increment of the position */
  double* U;     /* n_u: the position correction in d */
  double* u;     /* n_u */
  double* jump;  /* n_u: the velocity jump in u; W in the paper, a letter that the rows have here */
  double* smooth;  /* n_u: u less its jump, v~ of the paper */
  double* lambda;  /* rows: forces [N] */
  double* eta;     /* rows: their averages [N] */
  double* nu;      /* rows: of the position correction [kg m] */
  double* Lambda;  /* rows: impulses [N s] */
  double* scratch; /* n_q + n_u, of the retraction */
} pc_alpha_iterate;

pc_status pc_alpha_step_create(pc_alpha_step* step, const pc_alpha_model* model, pc_error* error);
void pc_alpha_step_free(pc_alpha_step* step);
pc_status pc_alpha_iterate_create(pc_alpha_iterate* x, const pc_alpha_model* model,
                                  pc_error* error);
void pc_alpha_iterate_free(pc_alpha_iterate* x);

/* The step but for `before`, and the predictor: v' and lambda of the last step, U = jump = 0. */
void pc_alpha_predict(const pc_alpha_model* model, const pc_state* state, double dt,
                      pc_alpha_step* step, pc_alpha_iterate* x);

/* q, u, a, eta from v', U, jump, lambda. */
void pc_alpha_locate(const pc_alpha_model* model, const pc_state* state, const pc_alpha_step* step,
                     pc_alpha_iterate* x);

/* The impulse of a row over the step, Lambda* of (65m), and the same without what the averages
 * remember of earlier steps: P = Lambda + dt gamma s lambda. */
double pc_alpha_total_impulse(const pc_alpha_model* model, const pc_state* state,
                              const pc_alpha_step* step, const pc_alpha_iterate* x, int row);
static inline double pc_alpha_own_impulse(const pc_alpha_step* step, const pc_alpha_iterate* x,
                                          int row)
{
  return x->Lambda[row] + step->du_dv * x->lambda[row];
}

/* state->memory: v', a, the forces f that do work [N] and their average, lambda, eta, and for each
 * contact whether it was closed (B). The averages a, that of f and eta obey one recursion, (65l),
 * so that dt ((1 - gamma) x_n + gamma x) of each is its share in M (u - u_n). */
enum {
  PC_ALPHA_V_DOT,
  PC_ALPHA_A_MEAN,
  PC_ALPHA_FORCE,
  PC_ALPHA_FORCE_MEAN,
  PC_ALPHA_LAMBDA,
  PC_ALPHA_ETA,
  PC_ALPHA_CLOSED
};
static inline double* pc_alpha_memory(int n_u, int rows, double* memory, int part)
{
  int vectors = part < PC_ALPHA_LAMBDA ? part : PC_ALPHA_LAMBDA, of_rows = part - vectors;
  return memory + vectors * n_u + of_rows * rows;
}
int pc_alpha_memory_count(const pc_alpha_model* model);

#endif
