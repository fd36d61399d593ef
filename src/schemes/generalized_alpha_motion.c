/* The formulas (65j)-(65o), and whether (65a)-(65i) hold. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "schemes/generalized_alpha.h"

void pc_alpha_begin(pc_alpha* s, const pc_state* state, double dt)
{
  const pc_alpha_coefficients* c = &s->c;
  const double* v_dot = pc_alpha_memory(s->system, state->memory, PC_ALPHA_V_DOT);
  const double* a = pc_alpha_memory(s->system, state->memory, PC_ALPHA_A_MEAN);
  const double* lambda = pc_alpha_memory(s->system, state->memory, PC_ALPHA_LAMBDA);
  const double* eta = pc_alpha_memory(s->system, state->memory, PC_ALPHA_ETA);
  s->dt = dt;
  s->t = state->t + dt;
  s->weighed = 0;
  s->stalled = s->linearised = 0;
  s->has_noise = 0;
  s->best_residual = HUGE_VAL;
  s->q_share = dt * dt * c->beta * c->s;
  s->v_share = dt * c->gamma * c->s;
  for (int i = 0; i < s->n_u; i++) {
    s->v_dot[i] = v_dot[i];
    s->U[i] = s->jump[i] = 0;
    s->a_0[i] = (c->alpha_f * v_dot[i] - c->alpha_m * a[i]) / (1 - c->alpha_m);
    s->d_0[i] = dt * state->u[i] + dt * dt * ((0.5 - c->beta) * a[i] + c->beta * s->a_0[i]);
    s->u_0[i] = state->u[i] + dt * ((1 - c->gamma) * a[i] + c->gamma * s->a_0[i]);
  }
  for (int r = 0; r < s->rows; r++) {
    s->lambda[r] = lambda[r];
    s->nu[r] = s->Lambda[r] = 0;
    s->eta_0[r] = (c->alpha_f * lambda[r] - c->alpha_m * eta[r]) / (1 - c->alpha_m);
  }
  size_t size_q = (size_t)s->n_q * sizeof *s->q, size_u = (size_t)s->n_u * sizeof *s->u;
  if (state->t != s->t_before || memcmp(state->q, s->q_before, size_q) ||
      memcmp(state->u, s->u_before, size_u)) /* a step begins where the last one has ended */
    pc_terms_evaluate(s->terms, &(pc_at){state->t, state->q, state->u, NULL});
  for (int r = 0; r < s->rows; r++) s->before[r] = pc_terms_row_velocity(s->terms, r, state->u);
}

void pc_alpha_locate(pc_alpha* s, const pc_state* state)
{
  for (int i = 0; i < s->n_u; i++) {
    s->a[i] = s->a_0[i] + s->c.s * s->v_dot[i];
    s->d[i] = s->d_0[i] + s->q_share * s->v_dot[i] + s->U[i];
    s->u[i] = s->u_0[i] + s->v_share * s->v_dot[i] + s->jump[i];
  }
  for (int r = 0; r < s->rows; r++) s->eta[r] = s->eta_0[r] + s->c.s * s->lambda[r];
  pc_system_retract(s->system, state->t, s->dt, state->q, s->d, s->room, s->q);
}

pc_at pc_alpha_evaluate(pc_alpha* s)
{
  pc_at at = {s->t, s->q, s->u, s->v_dot};
  pc_terms_evaluate(s->terms, &at);
  s->mass_factored &= s->constant_mass;
  s->t_before = s->t;
  memcpy(s->q_before, s->q, (size_t)s->n_q * sizeof *s->q);
  memcpy(s->u_before, s->u, (size_t)s->n_u * sizeof *s->u);
  return at;
}

double pc_alpha_row_acceleration(const pc_alpha* s, int row)
{
  return pc_row_dot(s->terms->row[row], s->v_dot) + s->terms->zeta[row];
}

/* ---- the residual ------------------------------------------------------------------------ */

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* The size of things at the iterate. A velocity is also
 * measured by what the accelerations reach over the size of the positions, so that a system at rest
 * has a measure too. */
static void find_sizes(pc_alpha* s)
{
  pc_alpha_sizes* size = &s->size;
  double u = largest_of(s->n_u, s->u), q = largest_of(s->n_q, s->q);
  size->acceleration = pc_alpha_find_accelerations(s);
  size->position = pc_larger(q, s->dt * pc_larger(u, s->dt * size->acceleration));
  size->velocity = pc_larger(u, sqrt(size->acceleration * size->position));
}

/* What is left of constraints when they hold. */
typedef struct limits {
  double position, velocity, acceleration;
  double force_position; /* of a position that determines forces: an acceleration over a step */
} limits;

/* Where iterations no longer help, accelerations may be as far off as the velocities' round-off
 * within a step. */
static limits find_limits(const pc_alpha* s, int exhausted)
{
  double tolerance = s->settings.tolerance, round_off = 64 * DBL_EPSILON;
  double v_dot = largest_of(s->n_u, s->v_dot), u = largest_of(s->n_u, s->u);
  double a = pc_larger(v_dot, largest_of(s->rows, s->terms->zeta));
  u = pc_larger(u, s->dt * v_dot);
  if (exhausted) a = pc_larger(a, u / s->dt);
  double q = pc_larger(largest_of(s->n_q, s->q), s->dt * u);
  return (limits){pc_larger(tolerance * s->size.position, round_off * q),
                  pc_larger(tolerance * s->size.velocity, round_off * u),
                  pc_larger(tolerance * s->size.acceleration, round_off * a),
                  pc_larger(tolerance * s->size.acceleration * s->q_share,
                            (exhausted ? round_off : 8 * DBL_EPSILON) * q)};
}

static int joint_holds(const pc_alpha* s, int row, const limits* most)
{
  double y = s->terms->y[row], y_dot = pc_terms_row_velocity(s->terms, row, s->u);
  pc_alpha_row kind = s->form.row;
  int is_g = row < s->g;
  if (is_g && s->form.position && !(fabs(y) <= most->position)) return 0;
  if (is_g && kind == PC_ALPHA_POSITION) return fabs(y) <= most->force_position;
  if (s->form.velocity || kind == PC_ALPHA_VELOCITY || (!is_g && kind == PC_ALPHA_POSITION))
    if (!(fabs(y_dot) <= most->velocity)) return 0;
  if (s->settings.strategy == 1) return 1;
  if (kind == PC_ALPHA_SMOOTH_VELOCITY)
    return fabs(y_dot - pc_row_dot(s->terms->row[row], s->jump)) <= most->velocity;
  if (kind != PC_ALPHA_ACCELERATION && kind != PC_ALPHA_BAUMGARTE) return 1;
  double y_ddot = pc_alpha_row_acceleration(s, row);
  if (kind == PC_ALPHA_BAUMGARTE) {
    const double* b = s->settings.baumgarte;
    y_ddot += 2 * b[0] * y_dot + b[1] * b[1] * y;
  }
  return fabs(y_ddot) <= most->acceleration;
}

static int contact_holds(const pc_alpha* s, int k, const limits* most)
{
  int row = s->contact[k].row;
  if (s->level[k] >= PC_ALPHA_A && !(fabs(s->terms->y[row]) <= most->position)) return 0;
  if (!(pc_larger(s->impact_law[k], s->friction_law[k]) <= most->velocity)) return 0;
  return s->level[k] < PC_ALPHA_S || fabs(pc_alpha_row_acceleration(s, row)) <= most->acceleration;
}

void pc_alpha_check_laws(pc_alpha* s, pc_step_info* info)
{
  info->active_contacts = 0;
  info->impact_residual = info->friction_residual = 0;
  info->impact_law = s->impact_law;
  info->friction_law = s->friction_law;
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    s->impact_law[k] = s->friction_law[k] = 0;
    if (s->level[k] == PC_ALPHA_OPEN) continue;
    info->active_contacts++;
    double xi = pc_terms_row_velocity(s->terms, c->row, s->u) + c->e_N * s->before[c->row];
    s->impact_law[k] = s->level[k] >= PC_ALPHA_B ? fabs(xi) : pc_larger(0, -xi);
    if (c->dimension) s->friction_law[k] = pc_alpha_friction_violation(s, k);
    info->impact_residual = pc_larger(info->impact_residual, s->impact_law[k]);
    info->friction_residual = pc_larger(info->friction_residual, s->friction_law[k]);
  }
}

/* Is the residual as small as it gets? In stiff systems, where forces come from differences of large
 * positions, it stops well above the round-off of its own terms, and goes up and down there. */
static int is_exhausted(pc_alpha* s, double residual)
{
  if (residual < 0.5 * s->best_residual) {
    s->best_residual = residual;
    s->stalled = 0;
    return 0;
  }
  return ++s->stalled >= 3;
}

int pc_alpha_converged(pc_alpha* s, pc_step_info* info)
{
  double residual = pc_alpha_smooth_residual(s, info);
  int exhausted = is_exhausted(s, residual);
  double tolerance = pc_larger(s->settings.tolerance, exhausted ? 1e-8 : 0);
  if (exhausted && residual > tolerance) residual = pc_alpha_exhausted_residual(s, info);
  if (!(residual <= tolerance)) return 0;
  find_sizes(s);
  if (!(pc_alpha_impulse_residual(s, info) <= tolerance)) return 0;
  pc_alpha_check_laws(s, info);
  limits most = find_limits(s, exhausted);
  for (int r = 0; r < s->bilateral; r++)
    if (!joint_holds(s, r, &most)) return 0;
  for (int k = 0; k < s->contacts; k++)
    if (!contact_holds(s, k, &most)) return 0;
  return 1;
}

/* ---- the new state ----------------------------------------------------------------------- */

double pc_alpha_percussion(const pc_alpha* s, const pc_state* state, int row)
{
  const double* eta = pc_alpha_memory(s->system, state->memory, PC_ALPHA_ETA);
  return s->Lambda[row] + s->dt * ((1 - s->c.gamma) * eta[row] + s->c.gamma * s->eta[row]);
}

double pc_alpha_own_percussion(const pc_alpha* s, int row)
{
  return s->Lambda[row] + s->v_share * s->lambda[row];
}

/* What a contact that has just opened still gets is the half step that every average has of a force
 * that ends; what comes later is an echo of the averages and not a percussion. For the same reason
 * friction is reported within its cone. */
static void report_contact(const pc_alpha* s, pc_state* state, int k)
{
  const pc_contact_info* c = &s->contact[k];
  const double* closed = pc_alpha_memory(s->system, state->memory, PC_ALPHA_CLOSED);
  double *P = state->P + c->row, square = 0;
  int carries = s->level[k] >= PC_ALPHA_B || closed[k] != 0;
  P[0] = carries ? pc_larger(0, P[0]) : 0;
  for (int d = 1; d <= c->dimension; d++) square += P[d] * P[d];
  double length = sqrt(square), most = c->mu * P[0];
  for (int d = 1; d <= c->dimension && length > most; d++) P[d] *= most / length;
}

static double work(const pc_alpha* s, const pc_state* state)
{
  double sum = 0;
  for (int i = 0; i < s->n_u; i++) sum += s->dt * s->terms->f[i] * (s->u[i] + state->u[i]) / 2;
  return sum;
}

void pc_alpha_commit(pc_alpha* s, pc_state* state, pc_step_info* info)
{
  double* closed = pc_alpha_memory(s->system, state->memory, PC_ALPHA_CLOSED);
  info->work = work(s, state);
  info->lambda = s->lambda;
  info->acceleration = 0;
  for (int r = 0; r < s->bilateral; r++)
    info->acceleration = pc_larger(info->acceleration, fabs(pc_alpha_row_acceleration(s, r)));
  for (int r = 0; r < s->rows; r++) state->P[r] = pc_alpha_percussion(s, state, r);
  for (int k = 0; k < s->contacts; k++) {
    report_contact(s, state, k);
    closed[k] = s->level[k] >= PC_ALPHA_B;
  }
  size_t n_u = (size_t)s->n_u * sizeof *s->u, rows = (size_t)s->rows * sizeof *s->eta;
  memcpy(state->q, s->q, (size_t)s->n_q * sizeof *s->q);
  memcpy(state->u, s->u, n_u);
  memcpy(pc_alpha_memory(s->system, state->memory, PC_ALPHA_V_DOT), s->v_dot, n_u);
  memcpy(pc_alpha_memory(s->system, state->memory, PC_ALPHA_A_MEAN), s->a, n_u);
  memcpy(pc_alpha_memory(s->system, state->memory, PC_ALPHA_LAMBDA), s->lambda, rows);
  memcpy(pc_alpha_memory(s->system, state->memory, PC_ALPHA_ETA), s->eta, rows);
}
