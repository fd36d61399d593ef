#include "schemes/generalized_alpha/motion.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/terms.h"

/* ---- memory ------------------------------------------------------------------------------- */

int pc_alpha_memory_count(const pc_alpha_model* m)
{
  return PC_ALPHA_LAMBDA * m->n_u + 2 * m->rows + m->contacts;
}

static pc_status allocate(size_t count, double** array[], size_t arrays, pc_error* error)
{
  for (size_t i = 0; i < arrays; i++)
    if (!(*array[i] = pc_alloc(count, sizeof(double)))) return pc_no_memory(error);
  return PC_OK;
}

pc_status pc_alpha_step_create(pc_alpha_step* step, const pc_alpha_model* m, pc_error* error)
{
  double** n_u[] = {&step->a_0, &step->d_0, &step->u_0};
  double** rows[] = {&step->eta_0, &step->before};
  PC_TRY(allocate((size_t)m->n_u, n_u, sizeof n_u / sizeof *n_u, error));
  return allocate((size_t)m->rows, rows, sizeof rows / sizeof *rows, error);
}

void pc_alpha_step_free(pc_alpha_step* step)
{
  double* array[] = {step->a_0, step->d_0, step->u_0, step->eta_0, step->before};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

pc_status pc_alpha_iterate_create(pc_alpha_iterate* x, const pc_alpha_model* m, pc_error* error)
{
  double** n_u[] = {&x->v_dot, &x->a, &x->d, &x->U, &x->u, &x->jump, &x->smooth};
  double** rows[] = {&x->lambda, &x->eta, &x->nu, &x->Lambda};
  PC_TRY(allocate((size_t)m->n_q, (double**[]){&x->q}, 1, error));
  PC_TRY(allocate((size_t)(m->n_q + m->n_u), (double**[]){&x->scratch}, 1, error));
  PC_TRY(allocate((size_t)m->n_u, n_u, sizeof n_u / sizeof *n_u, error));
  return allocate((size_t)m->rows, rows, sizeof rows / sizeof *rows, error);
}

void pc_alpha_iterate_free(pc_alpha_iterate* x)
{
  double* array[] = {x->q,      x->v_dot,  x->a,   x->d,  x->U,      x->u,      x->jump,
                     x->smooth, x->lambda, x->eta, x->nu, x->Lambda, x->scratch};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

/* ---- formulas ----------------------------------------------------------------------------- */

void pc_alpha_predict(const pc_alpha_model* m, const pc_state* state, double dt,
                      pc_alpha_step* step, pc_alpha_iterate* x)
{
  const pc_alpha_coefficients* c = &m->c;
  const double* v_dot = pc_alpha_memory(m->n_u, m->rows, state->memory, PC_ALPHA_V_DOT);
  const double* a = pc_alpha_memory(m->n_u, m->rows, state->memory, PC_ALPHA_A_MEAN);
  const double* lambda = pc_alpha_memory(m->n_u, m->rows, state->memory, PC_ALPHA_LAMBDA);
  const double* eta = pc_alpha_memory(m->n_u, m->rows, state->memory, PC_ALPHA_ETA);
  step->dt = dt;
  step->t = state->t + dt;
  step->q_n = state->q;
  step->dq_dv = dt * dt * c->beta * c->s;
  step->du_dv = dt * c->gamma * c->s;
  for (int i = 0; i < m->n_u; i++) {
    x->v_dot[i] = v_dot[i];
    x->U[i] = x->jump[i] = 0;
    step->a_0[i] = (c->alpha_f * v_dot[i] - c->alpha_m * a[i]) / (1 - c->alpha_m);
    step->d_0[i] = dt * state->u[i] + dt * dt * ((0.5 - c->beta) * a[i] + c->beta * step->a_0[i]);
    step->u_0[i] = state->u[i] + dt * ((1 - c->gamma) * a[i] + c->gamma * step->a_0[i]);
  }
  for (int r = 0; r < m->rows; r++) {
    x->lambda[r] = lambda[r];
    x->nu[r] = x->Lambda[r] = 0;
    step->eta_0[r] = (c->alpha_f * lambda[r] - c->alpha_m * eta[r]) / (1 - c->alpha_m);
  }
}

void pc_alpha_locate(const pc_alpha_model* m, const pc_state* state, const pc_alpha_step* step,
                     pc_alpha_iterate* x)
{
  for (int i = 0; i < m->n_u; i++) {
    x->a[i] = step->a_0[i] + m->c.s * x->v_dot[i];
    x->d[i] = step->d_0[i] + step->dq_dv * x->v_dot[i] + x->U[i];
    x->smooth[i] = step->u_0[i] + step->du_dv * x->v_dot[i];
    x->u[i] = x->smooth[i] + x->jump[i];
  }
  for (int r = 0; r < m->rows; r++) x->eta[r] = step->eta_0[r] + m->c.s * x->lambda[r];
  pc_system_retract(m->system, state->t, step->dt, state->q, x->d, x->scratch, x->q);
}

double pc_alpha_total_impulse(const pc_alpha_model* m, const pc_state* state,
                              const pc_alpha_step* step, const pc_alpha_iterate* x, int row)
{
  const double* eta = pc_alpha_memory(m->n_u, m->rows, state->memory, PC_ALPHA_ETA);
  return x->Lambda[row] + step->dt * ((1 - m->c.gamma) * eta[row] + m->c.gamma * x->eta[row]);
}
