/* Second derivatives, where constraints are curved or M depends on q.
 *
 * A change of the increment d moves the coordinates by dq = B T dd. T is the identity where q' = u;
 * for a body in space it is the tangent of the exponential map. So the matrix of the smooth motion
 * is
 *
 *     A = M - du_dv f_u + dq_dv ((M v')_q - f_q - (W' lambda)_q) B T
 *
 * and a row W v' + zeta changes by d(W v' + zeta)/dq B T per unit of d. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_CURVATURE_H
#define PC_SCHEMES_GENERALIZED_ALPHA_CURVATURE_H

#include "schemes/generalized_alpha/motion.h"
#include "schemes/generalized_alpha/operator.h"

typedef struct pc_alpha_curvature pc_alpha_curvature;

pc_status pc_alpha_curvature_create(const pc_alpha_model* model, pc_alpha_curvature** curvature,
                                    pc_error* error);
void pc_alpha_curvature_destroy(pc_alpha_curvature* curvature); /* NULL is fine */

/* A at the iterate, where `terms` are evaluated: factorised, or by blocks as long as the terms
 * stay. */
pc_status pc_alpha_curvature_factor(pc_alpha_curvature* curvature, const pc_alpha_model* model,
                                    const pc_terms* terms, const pc_state* state,
                                    const pc_alpha_step* step, const pc_alpha_iterate* x,
                                    pc_error* error);
pc_alpha_operator pc_alpha_curvature_matrix(const pc_alpha_curvature* curvature);

/* The same for (65d), M U = W' nu: M + ((M U)_q - (W' nu)_q) B T, where `terms` are evaluated with
 * the acceleration U. */
pc_status pc_alpha_curvature_factor_positions(pc_alpha_curvature* curvature,
                                              const pc_alpha_model* model, const pc_terms* terms,
                                              const pc_state* state, const pc_alpha_step* step,
                                              const pc_alpha_iterate* x, pc_error* error);
pc_alpha_operator pc_alpha_curvature_position_matrix(const pc_alpha_curvature* curvature);

/* How the coordinates move with d. */
pc_stage_motion pc_alpha_curvature_motion(const pc_alpha_curvature* curvature);

/* out (over the row's blocks) += scale d(W u + chi)/dq B T of these terms, for any u. */
void pc_alpha_add_velocity_curvature(const pc_alpha_curvature* curvature, const pc_terms* terms,
                                     int row, const double* u, double scale, double* out);

/* out (over the row's blocks) += d(W v' + zeta)/dq B T, after the evaluation ahead. */
void pc_alpha_evaluate_ahead(pc_alpha_curvature* curvature, const pc_alpha_model* model,
                             const pc_alpha_step* step, const pc_alpha_iterate* x);
void pc_alpha_add_acceleration_curvature(const pc_alpha_curvature* curvature, const pc_terms* terms,
                                         const pc_alpha_iterate* x, int row, double* out);

#endif
