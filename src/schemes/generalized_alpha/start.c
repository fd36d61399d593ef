/* Accelerations and forces to begin with: (38) at the initial state, with the contacts that are
 * closed and at rest as one complementarity problem, (42). */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

/* (38) with S empty or with the joints alone. */
static pc_status solve_without_contacts(pc_alpha* s, const pc_at* at, double* a, double* lambda,
                                        pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  pc_alpha_problem* p = &s->problem;
  const pc_terms* terms = s->matrix.terms;
  pc_terms_evaluate(s->matrix.terms, at);
  s->matrix.mass_factored = 0;
  pc_terms_tangent(terms, at, 1, 0, 0, s->matrix.mass);
  pc_status status = pc_assembly_factor(s->matrix.mass);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  pc_copy(m->n_u, terms->h, a);
  pc_zero(m->rows, lambda);
  p->count = m->settings.alpha.strategy == 1 ? 0 : m->bilateral;
  for (int r = 0; r < p->count; r++) {
    p->force[r] = terms->row[r];
    p->c[r] = -terms->zeta[r];
  }
  if (pc_alpha_saddle_factor(s->saddle, pc_alpha_operator_of(s->matrix.mass), p->count, p->force,
                             p->force) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the joints' equations are not finite");
  pc_alpha_saddle_solve(s->saddle, p->c, a, lambda);
  return PC_OK;
}

/* The contacts that are closed and at rest, as normals alone. */
static pc_status add_frictionless_contacts(pc_alpha* s, const pc_at* at, double* a, double* lambda,
                                           pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  const pc_terms* terms = s->matrix.terms;
  pc_alpha_laws* laws = &s->laws;
  pc_solver_info info;
  for (int k = 0; k < m->contacts; k++) {
    int r = m->contact[k].row;
    double speed = fabs(pc_terms_row_velocity(terms, r, at->u));
    int rests = terms->y[r] <= PC_CLOSED_GAP && speed <= pc_rest_tolerance(terms, r, at->u);
    laws->forecast[k] = rests ? -HUGE_VAL : HUGE_VAL;
  }
  pc_contact_step_activate(laws->contact_step, laws->forecast);
  pc_terms of_accelerations = *terms;
  of_accelerations.chi = terms->zeta;
  pc_copy(m->n_u, terms->h, a);
  pc_assembly_solve(s->matrix.mass, a);
  return pc_contact_step_solve(laws->contact_step, &of_accelerations, s->matrix.mass,
                               laws->no_restitution, a, lambda, &info, error);
}

/* Where friction leaves no solution, none of the contacts' forces is taken. */
static pc_status accelerations(pc_alpha* s, const pc_at* at, double* a, double* lambda,
                               pc_error* error)
{
  pc_solver_info info;
  int with_contacts = s->model.contacts > 0 && s->model.settings.alpha.strategy == 3 &&
                      s->model.form.constraint == PC_ALPHA_ACCELERATION;
  if (with_contacts && !s->model.settings.frictionless) {
    pc_status status =
        pc_consistent_start_solve(s->start, at->t, at->q, at->u, a, lambda, &info, error);
    return status == PC_NOT_CONVERGED ? PC_OK : status;
  }
  PC_TRY(solve_without_contacts(s, at, a, lambda, error));
  return with_contacts ? add_frictionless_contacts(s, at, a, lambda, error) : PC_OK;
}

/* The forces that do work, at a point at which accelerations are to be as large as they make them.
 * */
static void note_force(pc_alpha* s, const pc_at* at, double* f)
{
  if (!s->model.does_work) return;
  pc_terms_evaluate(s->matrix.terms, at);
  pc_copy(s->model.n_u, s->matrix.terms->f, f);
}

/* The averages belong to a time (alpha_m - alpha_f) dt later: there, to second order. */
static pc_status shift(pc_alpha* s, const pc_state* state, double dt, const double* v_dot,
                       double* a, double* f, double* eta, pc_error* error)
{
  double later = (s->model.c.alpha_m - s->model.c.alpha_f) * dt;
  if (later == 0) return PC_OK;
  for (int i = 0; i < s->model.n_u; i++) {
    s->x.d[i] = later * state->u[i] + later * later / 2 * v_dot[i];
    s->x.u[i] = state->u[i] + later * v_dot[i];
  }
  pc_system_retract(s->model.system, state->t, later, state->q, s->x.d, s->x.scratch, s->x.q);
  pc_at at = {state->t + later, s->x.q, s->x.u, NULL};
  note_force(s, &at, f);
  return accelerations(s, &at, a, eta, error);
}

/* Forces that are round-off and nothing else begin no motion: a bar in free flight, its nodes off
 * by their last digit, would drift out of shape with constant accelerations, step by step. */
static void drop_round_off(pc_alpha* s, const pc_state* state, double* v_dot, const double* lambda)
{
  const pc_terms* terms = s->matrix.terms;
  pc_alpha_balance* a = &s->balance;
  for (int r = 0; r < s->model.rows; r++)
    if (lambda[r] != 0) return;
  pc_terms_evaluate(s->matrix.terms, &(pc_at){state->t, state->q, state->u, NULL});
  pc_alpha_find_round_off(a, &s->model, terms, state->q, state->u);
  for (int k = 0; k < a->forces.body_count; k++) {
    int first = a->forces.first[k], end = a->forces.first[k + 1];
    double h = 0, round_off = pc_alpha_body_round_off(a, k);
    for (int i = first; i < end; i++) h = pc_larger(h, fabs(terms->h[i]));
    for (int i = first; h <= round_off && i < end; i++) v_dot[i] = 0;
  }
}

pc_status pc_alpha_start(pc_alpha* s, pc_state* state, double dt, pc_error* error)
{
  double* v_dot = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_V_DOT);
  double* a = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_A_MEAN);
  double* lambda = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_LAMBDA);
  double* eta = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_ETA);
  double* closed = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_CLOSED);
  memset(v_dot, 0, (size_t)(closed + s->model.contacts - v_dot) * sizeof *v_dot);
  s->matrix.evaluated_t = NAN;
  if (s->model.settings.alpha.initial == PC_INITIAL_ZERO) return PC_OK;
  double* force = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_FORCE);
  double* mean = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_FORCE_MEAN);
  pc_at at = {state->t, state->q, state->u, NULL};
  note_force(s, &at, force);
  PC_TRY(accelerations(s, &at, v_dot, lambda, error));
  drop_round_off(s, state, v_dot, lambda);
  for (int k = 0; k < s->model.contacts; k++) closed[k] = lambda[s->model.contact[k].row] > 0;
  pc_copy(s->model.n_u, v_dot, a);
  pc_copy(s->model.n_u, force, mean);
  pc_copy(s->model.rows, lambda, eta);
  if (s->model.settings.alpha.initial == PC_INITIAL_SHIFTED)
    PC_TRY(shift(s, state, dt, v_dot, a, mean, eta, error));
  return PC_OK;
}
