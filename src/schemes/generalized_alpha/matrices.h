/* The terms of the system at the iterate, and the matrices that are factorised there.
 *
 * M is the matrix of the position and the velocity level. That of the smooth motion is
 *
 *     A = M - du_dv f_u - dq_dv f_q B
 *
 * which is M itself where forces depend on neither q nor u, and which has more terms where rows are
 * curved or M depends on q (curvature.h). */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_MATRICES_H
#define PC_SCHEMES_GENERALIZED_ALPHA_MATRICES_H

#include "schemes/generalized_alpha/curvature.h"

typedef struct pc_alpha_matrices {
  pc_terms* terms;      /* everything at the iterate, last evaluated ... */
  double evaluated_t;   /* ... here: a step begins where the last one has ended */
  double* evaluated_q;  /* n_q */
  double* evaluated_u;  /* n_u */
  pc_terms* between;    /* gaps and W where the position and the velocity level are solved ... */
  double* between_q;    /* n_q: ... which is here */
  pc_assembly* mass;    /* M */
  int mass_factored;    /* that of the last evaluation, or a constant one */
  pc_assembly* tangent; /* A without curvature */
  double tangent_dt;    /* the dt of a constant one that is factorised */
  pc_alpha_curvature* curvature; /* NULL: rows are straight and M is constant */
  int linearised; /* A and the curvature of rows are those of an iterate of this step */
} pc_alpha_matrices;

pc_status pc_alpha_matrices_create(pc_alpha_matrices* matrices, const pc_alpha_model* model,
                                   pc_error* error);
void pc_alpha_matrices_free(pc_alpha_matrices* matrices);

/* Rows have another geometry than when they were last evaluated. */
void pc_alpha_forget_terms(pc_alpha_matrices* matrices);

/* Terms at the iterate, and those of the state before the step, if they are not there. */
pc_at pc_alpha_evaluate(pc_alpha_matrices* matrices, const pc_alpha_model* model,
                        const pc_alpha_step* step, const pc_alpha_iterate* x);
void pc_alpha_evaluate_before(pc_alpha_matrices* matrices, const pc_alpha_model* model,
                              const pc_state* state);

/* Gaps and W at the position of x. If it has moved by no more than the last digits since the last
 * call, the terms stay, unless `always`; returns whether they are new. */
int pc_alpha_evaluate_rows(pc_alpha_matrices* matrices, const pc_alpha_model* model,
                           const pc_alpha_step* step, const pc_alpha_iterate* x, int always);

/* M of the last evaluation, which must be `at`; and the matrix of the smooth motion as well, unless
 * that of an earlier iterate of this step will do: `forecast` is what the last iteration has left
 * of the residual. */
pc_status pc_alpha_factor_mass(pc_alpha_matrices* matrices, const pc_at* at, pc_error* error);
pc_status pc_alpha_factor(pc_alpha_matrices* matrices, const pc_alpha_model* model,
                          const pc_state* state, const pc_alpha_step* step,
                          const pc_alpha_iterate* x, const pc_at* at, double forecast,
                          pc_error* error);

/* Evaluates the terms at a position within the step, and factorises the matrix of (65d) there: M,
 * with what U and nu do to it where M or the rows change with q. */
pc_status pc_alpha_factor_positions(pc_alpha_matrices* matrices, const pc_alpha_model* model,
                                    const pc_state* state, const pc_alpha_step* step,
                                    const pc_alpha_iterate* x, const pc_at* at,
                                    pc_alpha_operator* A, pc_error* error);
pc_alpha_operator pc_alpha_matrix(const pc_alpha_matrices* matrices, const pc_alpha_model* model);

/* W v' + zeta of a row */
static inline double pc_alpha_row_acceleration(const pc_alpha_matrices* matrices,
                                               const pc_alpha_iterate* x, int row)
{
  return pc_row_dot(matrices->terms->row[row], x->v_dot) + matrices->terms->zeta[row];
}

#endif
