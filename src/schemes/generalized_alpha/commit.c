/* The state at the end of a step, and what is reported of it. */
#include <math.h>

#include "base/larger.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

/* What a contact that has just opened still gets is the half step that every average has of a force
 * that ends; what comes later is an echo of the averages and not a percussion. For the same reason
 * friction is reported within its cone. */
static void report_contact(const pc_alpha* s, pc_state* state, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  const double* closed =
      pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_CLOSED);
  double *P = state->P + c->row, square = 0;
  int carries = s->set.level[k] >= PC_ALPHA_B || closed[k] != 0;
  P[0] = carries ? pc_larger(0, P[0]) : 0;
  for (int d = 1; d <= c->dimension; d++) square += P[d] * P[d];
  double length = sqrt(square), most = c->mu * P[0];
  for (int d = 1; d <= c->dimension && length > most; d++) P[d] *= most / length;
}

/* The work of f over the step: its impulse, by the averages that make the velocities, along the
 * mean velocity. With constant M that is all that f changes of the kinetic energy. Moves the memory
 * of f on to the end of the step. */
static double work(const pc_alpha* s, pc_state* state)
{
  const pc_alpha_coefficients* c = &s->model.c;
  int n_u = s->model.n_u, rows = s->model.rows;
  double* force = pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_FORCE);
  double* average = pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_FORCE_MEAN);
  const double* f = s->matrix.terms->f;
  double sum = 0;
  if (!s->model.does_work) return 0;
  for (int i = 0; i < n_u; i++) {
    double before = average[i], past = c->alpha_f * force[i] - c->alpha_m * before;
    average[i] = past / (1 - c->alpha_m) + c->s * f[i];
    force[i] = f[i];
    double impulse = s->step.dt * ((1 - c->gamma) * before + c->gamma * average[i]);
    sum += impulse * (s->x.u[i] + state->u[i]) / 2;
  }
  return sum;
}

void pc_alpha_commit(pc_alpha* s, pc_state* state, pc_step_info* info)
{
  int n_u = s->model.n_u, rows = s->model.rows;
  double* closed = pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_CLOSED);
  info->work = work(s, state);
  info->lambda = s->x.lambda;
  info->acceleration = 0;
  for (int r = 0; r < s->model.bilateral; r++)
    info->acceleration =
        pc_larger(info->acceleration, fabs(pc_alpha_row_acceleration(&s->matrix, &s->x, r)));
  for (int r = 0; r < rows; r++)
    state->P[r] = pc_alpha_total_impulse(&s->model, state, &s->step, &s->x, r);
  for (int k = 0; k < s->model.contacts; k++) {
    report_contact(s, state, k);
    closed[k] = s->set.level[k] >= PC_ALPHA_B;
  }
  pc_copy(s->model.n_q, s->x.q, state->q);
  pc_copy(n_u, s->x.u, state->u);
  pc_copy(n_u, s->x.v_dot, pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_V_DOT));
  pc_copy(n_u, s->x.a, pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_A_MEAN));
  pc_copy(rows, s->x.lambda, pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_LAMBDA));
  pc_copy(rows, s->x.eta, pc_alpha_memory(n_u, rows, state->memory, PC_ALPHA_ETA));
}
