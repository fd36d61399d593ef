/* Accelerations and forces to begin with: (38) at the initial state, with the contacts that are
 * closed and at rest as one complementarity problem, (42). */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "schemes/generalized_alpha.h"
#include "schemes/round_off.h"

/* (38) with S empty or with the joints alone. */
static pc_status solve_without_contacts(pc_alpha* s, const pc_at* at, double* a, double* lambda,
                                        pc_error* error)
{
  int count = s->settings.strategy == 1 ? 0 : s->bilateral;
  pc_terms_evaluate(s->terms, at);
  s->mass_factored = 0;
  pc_terms_tangent(s->terms, at, 1, 0, 0, s->mass);
  pc_status status = pc_assembly_factor(s->mass);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  memcpy(a, s->terms->h, (size_t)s->n_u * sizeof *a);
  pc_assembly_solve(s->mass, a);
  memset(lambda, 0, (size_t)s->rows * sizeof *lambda);
  for (int r = 0; r < count; r++) {
    s->force[r] = s->terms->row[r];
    s->c_row[r] = -s->terms->zeta[r];
  }
  if (pc_alpha_saddle_factor(s->saddle, s->mass, count, s->force, s->force) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the joints' equations are not finite");
  pc_alpha_saddle_solve(s->saddle, s->c_row, a, lambda);
  return PC_OK;
}

/* The contacts that are closed and at rest, as normals alone. */
static pc_status add_frictionless_contacts(pc_alpha* s, const pc_at* at, double* a, double* lambda,
                                           pc_error* error)
{
  pc_solver_info info;
  for (int k = 0; k < s->contacts; k++) {
    int r = s->contact[k].row;
    double speed = fabs(pc_terms_row_velocity(s->terms, r, at->u));
    int rests = s->terms->y[r] <= PC_CLOSED_GAP && speed <= pc_rest_tolerance(s->terms, r, at->u);
    s->forecast[k] = rests ? -HUGE_VAL : HUGE_VAL;
  }
  pc_contact_stage_activate(s->stage, s->forecast);
  memset(s->P, 0, (size_t)s->rows * sizeof *s->P); /* no restitution of accelerations */
  pc_terms laws = *s->terms;
  laws.chi = s->terms->zeta;
  memcpy(a, s->terms->h, (size_t)s->n_u * sizeof *a);
  pc_assembly_solve(s->mass, a);
  return pc_contact_stage_solve(s->stage, &laws, s->mass, s->P, a, lambda, &info, error);
}

/* Where friction leaves no solution, none of the contacts' forces is taken. */
static pc_status accelerations(pc_alpha* s, const pc_at* at, double* a, double* lambda,
                               pc_error* error)
{
  pc_solver_info info;
  int with_contacts = s->settings.strategy == 3 && s->form.row == PC_ALPHA_ACCELERATION;
  if (with_contacts && !s->settings.frictionless) {
    pc_status status =
        pc_consistent_start_solve(s->start, at->t, at->q, at->u, a, lambda, &info, error);
    return status == PC_NOT_CONVERGED ? PC_OK : status;
  }
  PC_TRY(solve_without_contacts(s, at, a, lambda, error));
  return with_contacts ? add_frictionless_contacts(s, at, a, lambda, error) : PC_OK;
}

/* The averages a and eta belong to a time (alpha_m - alpha_f) dt later: there, to second order. */
static pc_status shift(pc_alpha* s, const pc_state* state, double dt, const double* v_dot,
                       double* a, double* eta, pc_error* error)
{
  double later = (s->c.alpha_m - s->c.alpha_f) * dt;
  if (later == 0) return PC_OK;
  for (int i = 0; i < s->n_u; i++) {
    s->d[i] = later * state->u[i] + later * later / 2 * v_dot[i];
    s->u[i] = state->u[i] + later * v_dot[i];
  }
  pc_system_retract(s->system, state->t, later, state->q, s->d, s->room, s->q);
  return accelerations(s, &(pc_at){state->t + later, s->q, s->u, NULL}, a, eta, error);
}

/* Forces that are round-off and nothing else begin no motion: a bar in free flight, its nodes off by
 * their last digit, would drift out of shape with constant accelerations, step by step. */
static void drop_noise(pc_alpha* s, const pc_state* state, double* v_dot, const double* lambda)
{
  double* noise = s->room;
  for (int r = 0; r < s->rows; r++)
    if (lambda[r] != 0) return;
  pc_terms_evaluate(s->terms, &(pc_at){state->t, state->q, state->u, NULL});
  pc_forces_round_off(s->terms, state->q, state->u, 0, s->room + s->n_u, noise);
  for (int k = 0; k < s->body_count; k++) {
    const pc_alpha_body* b = &s->body[k];
    double largest = 0, least = 0;
    for (int i = b->first; i < b->end; i++) {
      largest = pc_larger(largest, fabs(s->terms->h[i]));
      least = pc_larger(least, noise[i]);
    }
    for (int i = b->first; largest <= least && i < b->end; i++) v_dot[i] = 0;
  }
}

pc_status pc_alpha_start(pc_alpha* s, pc_state* state, double dt, pc_error* error)
{
  double* v_dot = pc_alpha_memory(s->system, state->memory, PC_ALPHA_V_DOT);
  double* a = pc_alpha_memory(s->system, state->memory, PC_ALPHA_A_MEAN);
  double* lambda = pc_alpha_memory(s->system, state->memory, PC_ALPHA_LAMBDA);
  double* eta = pc_alpha_memory(s->system, state->memory, PC_ALPHA_ETA);
  double* closed = pc_alpha_memory(s->system, state->memory, PC_ALPHA_CLOSED);
  memset(v_dot, 0, (size_t)(closed + s->contacts - v_dot) * sizeof *v_dot);
  s->t_before = NAN;
  if (s->settings.initial == PC_INITIAL_ZERO) return PC_OK;
  PC_TRY(accelerations(s, &(pc_at){state->t, state->q, state->u, NULL}, v_dot, lambda, error));
  drop_noise(s, state, v_dot, lambda);
  for (int k = 0; k < s->contacts; k++) closed[k] = lambda[s->contact[k].row] > 0;
  memcpy(a, v_dot, (size_t)s->n_u * sizeof *a);
  memcpy(eta, lambda, (size_t)s->rows * sizeof *eta);
  if (s->settings.initial == PC_INITIAL_SHIFTED) PC_TRY(shift(s, state, dt, v_dot, a, eta, error));
  return PC_OK;
}
