#include "schemes/generalized_alpha/matrices.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"

static int has_curvature(const pc_alpha_model* m)
{
  return !m->constant_rows || (pc_system_provides(m->system) & PC_TERM_MA_Q);
}

pc_status pc_alpha_matrices_create(pc_alpha_matrices* a, const pc_alpha_model* m, pc_error* error)
{
  unsigned all = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_Y | PC_TERM_W |
                 PC_TERM_W_Q | PC_TERM_ZETA | PC_TERM_MA_Q | PC_TERM_F;
  a->evaluated_t = NAN;
  a->evaluated_q = pc_alloc((size_t)m->n_q, sizeof(double));
  a->evaluated_u = pc_alloc((size_t)m->n_u, sizeof(double));
  a->between_q = pc_alloc((size_t)m->n_q, sizeof(double));
  if (!a->evaluated_q || !a->evaluated_u || !a->between_q) return pc_no_memory(error);
  PC_TRY(pc_terms_create(m->system, all, &a->terms, error));
  PC_TRY(pc_terms_create(m->system, PC_TERM_Y | PC_TERM_W, &a->between, error));
  PC_TRY(pc_system_create_tangent(m->system, &a->tangent, error));
  PC_TRY(pc_system_create_tangent(m->system, &a->mass, error));
  return has_curvature(m) ? pc_alpha_curvature_create(m, &a->curvature, error) : PC_OK;
}

void pc_alpha_matrices_free(pc_alpha_matrices* a)
{
  pc_terms_destroy(a->terms);
  pc_terms_destroy(a->between);
  pc_assembly_destroy(a->mass);
  pc_assembly_destroy(a->tangent);
  pc_alpha_curvature_destroy(a->curvature);
  double* array[] = {a->evaluated_q, a->evaluated_u, a->between_q};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

void pc_alpha_forget_terms(pc_alpha_matrices* a)
{
  a->evaluated_t = NAN;
  a->between_q[0] = NAN;
}

/* ---- evaluation --------------------------------------------------------------------------- */

pc_at pc_alpha_evaluate(pc_alpha_matrices* a, const pc_alpha_model* m, const pc_alpha_step* step,
                        const pc_alpha_iterate* x)
{
  pc_at at = {step->t, x->q, x->u, x->v_dot};
  pc_terms_evaluate(a->terms, &at);
  a->mass_factored &= m->constant_mass;
  a->evaluated_t = step->t;
  pc_copy(m->n_q, x->q, a->evaluated_q);
  pc_copy(m->n_u, x->u, a->evaluated_u);
  return at;
}

void pc_alpha_evaluate_before(pc_alpha_matrices* a, const pc_alpha_model* m, const pc_state* state)
{
  size_t size_q = (size_t)m->n_q * sizeof *state->q, size_u = (size_t)m->n_u * sizeof *state->u;
  if (state->t != a->evaluated_t || memcmp(state->q, a->evaluated_q, size_q) != 0 ||
      memcmp(state->u, a->evaluated_u, size_u) != 0)
    pc_terms_evaluate(a->terms, &(pc_at){state->t, state->q, state->u, NULL});
}

static int has_moved(const pc_alpha_model* m, const double* q, const double* from)
{
  for (int i = 0; i < m->n_q; i++)
    if (!(fabs(q[i] - from[i]) <= 4 * DBL_EPSILON * fabs(q[i]))) return 1;
  return 0;
}

int pc_alpha_evaluate_rows(pc_alpha_matrices* a, const pc_alpha_model* m, const pc_alpha_step* step,
                           const pc_alpha_iterate* x, int always)
{
  if (!always && !has_moved(m, x->q, a->between_q)) return 0;
  pc_terms_evaluate(a->between, &(pc_at){step->t, x->q, x->u, NULL});
  pc_copy(m->n_q, x->q, a->between_q);
  return 1;
}

/* ---- factorisation ------------------------------------------------------------------------ */

pc_status pc_alpha_factor_mass(pc_alpha_matrices* a, const pc_at* at, pc_error* error)
{
  if (a->mass_factored) return PC_OK;
  pc_terms_tangent(a->terms, at, 1, 0, 0, a->mass);
  pc_status status = pc_assembly_factor(a->mass);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  a->mass_factored = 1;
  return PC_OK;
}

/* Without stiffness the second derivatives are terms of order dt^2 beside M. Those of an iterate of
 * the same step serve as well, as long as the next iteration is the last one with them: what is
 * left falls at least at the rate of the last one. */
static int is_linearised(const pc_alpha_matrices* a, const pc_alpha_model* m, double forecast)
{
  return a->linearised && m->constant_forces && forecast <= m->settings.tolerance;
}

static pc_status factor_curvature(pc_alpha_matrices* a, const pc_alpha_model* m,
                                  const pc_state* state, const pc_alpha_step* step,
                                  const pc_alpha_iterate* x, double forecast, pc_error* error)
{
  a->linearised = is_linearised(a, m, forecast);
  if (a->linearised) return PC_OK;
  return pc_alpha_curvature_factor(a->curvature, m, a->terms, state, step, x, error);
}

pc_status pc_alpha_factor(pc_alpha_matrices* a, const pc_alpha_model* m, const pc_state* state,
                          const pc_alpha_step* step, const pc_alpha_iterate* x, const pc_at* at,
                          double forecast, pc_error* error)
{
  PC_TRY(pc_alpha_factor_mass(a, at, error));
  if (a->curvature) return factor_curvature(a, m, state, step, x, forecast, error);
  if (m->constant_forces || (m->constant_tangent && a->tangent_dt == step->dt)) return PC_OK;
  pc_terms_tangent(a->terms, at, 1, step->du_dv, step->dq_dv, a->tangent);
  pc_status status = pc_assembly_factor(a->tangent);
  if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
  a->tangent_dt = step->dt;
  return PC_OK;
}

pc_status pc_alpha_factor_positions(pc_alpha_matrices* a, const pc_alpha_model* m,
                                    const pc_state* state, const pc_alpha_step* step,
                                    const pc_alpha_iterate* x, const pc_at* at,
                                    pc_alpha_operator* A, pc_error* error)
{
  pc_terms_evaluate(a->terms, at);
  a->evaluated_t = NAN;
  *A = pc_alpha_operator_of(a->mass);
  if (!a->curvature) return PC_OK;
  PC_TRY(pc_alpha_curvature_factor_positions(a->curvature, m, a->terms, state, step, x, error));
  *A = pc_alpha_curvature_position_matrix(a->curvature);
  return PC_OK;
}

pc_alpha_operator pc_alpha_matrix(const pc_alpha_matrices* a, const pc_alpha_model* m)
{
  if (a->curvature) return pc_alpha_curvature_matrix(a->curvature);
  return pc_alpha_operator_of(m->constant_forces ? a->mass : a->tangent);
}
