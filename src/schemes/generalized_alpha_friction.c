/* Friction, which the alpha paper leaves open.
 *
 * The laws are those of RATTLE (34), (36) at velocity level, for the impulses of this step alone,
 * P = Lambda + dt gamma s lambda:
 *
 *     0 <= xi_N  _|_  P_N >= 0,      xi_F in the normal cone of the ball B(mu P_N) at -P_F,
 *
 * over the contacts that are closed in position (A), as one linear contact problem with the matrix M.
 * The forces lambda_F of the smooth motion are those of a closed contact (S) at the end of the step,
 * RATTLE (54), (55): lambda_F = -mu lambda_N t where it slides along t, gamma_F' = 0 where it sticks.
 * So in steady sliding Lambda is a correction of second order, with Lambda_F = -mu Lambda_N t, and the
 * motion keeps the scheme's second order, also where t turns. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "schemes/generalized_alpha.h"

/* After this many iterations stick and slip and the directions of slip stay as they are. */
enum { HOLD_AFTER = 12 };

double pc_alpha_augmented_friction(const pc_alpha* s, int k, double p[3])
{
  const pc_contact_info* c = &s->contact[k];
  double square = 0;
  for (int d = 0; d < c->dimension; d++) {
    int row = c->row + 1 + d;
    double xi = pc_terms_row_velocity(s->terms, row, s->u) + c->e_F * s->before[row];
    p[d] = pc_alpha_own_percussion(s, row) - s->m_F[k] * xi;
    square += p[d] * p[d];
  }
  return sqrt(square);
}

double pc_alpha_friction_limit(const pc_alpha* s, int k)
{
  return s->contact[k].mu * pc_larger(0, pc_alpha_own_percussion(s, s->contact[k].row));
}

/* The speed of slip after an impact with tangential restitution, which velocities do not forget;
 * 0 where it is none. */
static double rebound(const pc_alpha* s, int k, double slip[3])
{
  const pc_contact_info* c = &s->contact[k];
  double square = 0, tolerance = 0;
  for (int d = 0; c->e_F > 0 && d < c->dimension; d++) {
    int row = c->row + 1 + d;
    slip[d] = pc_terms_row_velocity(s->terms, row, s->u);
    tolerance = pc_larger(tolerance, pc_rest_tolerance(s->terms, row, s->u));
    square += slip[d] * slip[d];
  }
  double speed = sqrt(square);
  return speed > tolerance ? speed : 0;
}

static void set_drag(pc_alpha* s, const pc_contact_info* c, double scale, const double* t)
{
  for (int d = 0; d < c->dimension; d++) s->drag[c->row + 1 + d] = scale * t[d];
}

/* A contact at rest sticks unless that takes more than mu lambda_N; it then begins to slip against
 * the force, as long as its acceleration goes that way. */
static pc_alpha_friction rest_or_onset(pc_alpha* s, int k, int iteration)
{
  const pc_contact_info* c = &s->contact[k];
  const double* lambda_F = s->lambda + c->row + 1;
  double most = c->mu * pc_larger(0, s->lambda[c->row]), square = 0, along = 0;
  if (iteration == 0) return PC_ALPHA_STICK;
  if (s->slides[k] == PC_ALPHA_ONSET) {
    for (int d = 1; d <= c->dimension; d++)
      along -= s->drag[c->row + d] * pc_alpha_row_acceleration(s, c->row + d);
    return along >= 0 ? PC_ALPHA_ONSET : PC_ALPHA_STICK;
  }
  for (int d = 0; d < c->dimension; d++) square += lambda_F[d] * lambda_F[d];
  double length = sqrt(square);
  if (s->slides[k] != PC_ALPHA_STICK || !(length > most * (1 + 1e-9))) return PC_ALPHA_STICK;
  set_drag(s, c, c->mu / length, lambda_F);
  return PC_ALPHA_ONSET;
}

static void update_contact(pc_alpha* s, int k, int iteration)
{
  const pc_contact_info* c = &s->contact[k];
  if (iteration > HOLD_AFTER) return;
  double p[3], slip[3], length = pc_alpha_augmented_friction(s, k, p), speed = rebound(s, k, slip);
  s->slides[k] = speed > 0 || length > pc_alpha_friction_limit(s, k)
                     ? PC_ALPHA_SLIP
                     : (unsigned char)rest_or_onset(s, k, iteration);
  if (s->slides[k] != PC_ALPHA_SLIP) return;
  if (speed > 0)
    set_drag(s, c, -c->mu / speed, slip);
  else
    set_drag(s, c, c->mu / length, p);
}

void pc_alpha_update_friction(pc_alpha* s, int iteration)
{
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    if (c->dimension == 0 || s->level[k] != PC_ALPHA_S) continue;
    int slid = s->slides[k];
    update_contact(s, k, iteration);
    if (s->slides[k] != slid) s->linearised = 0; /* rows come or go */
    for (int d = 1; d <= c->dimension; d++) {
      int row = c->row + d;
      if (s->slides[k] != PC_ALPHA_STICK) s->lambda[row] = s->drag[row] * s->lambda[c->row];
      s->eta[row] = s->eta_0[row] + s->c.s * s->lambda[row];
    }
  }
}

/* The rows of a contact belong to one element and have the same blocks. */
pc_row pc_alpha_pull(const pc_alpha* s, int k, const double* drag, double* w)
{
  const pc_contact_info* c = &s->contact[k];
  pc_row pull = s->terms->row[c->row];
  int width = 0;
  for (int b = 0; b < pull.block_count; b++) width += pull.block[b].width;
  memcpy(w, pull.w, (size_t)width * sizeof *w);
  for (int d = 1; d <= c->dimension; d++) {
    double share = drag[c->row + d];
    const double* w_F = s->terms->row[c->row + d].w;
    for (int i = 0; i < width; i++) w[i] += share * w_F[i];
  }
  pull.w = w;
  return pull;
}

/* The contacts see the velocity without the part of lambda that belongs to P. */
pc_status pc_alpha_friction_level(pc_alpha* s, const pc_terms* terms, const double* smooth,
                                  pc_step_info* info, pc_error* error)
{
  double *u = s->jump, *share = s->residual;
  pc_solver_info solver;
  memset(share, 0, (size_t)s->n_u * sizeof *share);
  for (int r = 0; r < s->bilateral; r++) s->P[r] = 0;
  for (int r = s->bilateral; r < s->rows; r++) s->P[r] = pc_alpha_own_percussion(s, r);
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    s->forecast[k] = s->level[k] >= PC_ALPHA_A ? -HUGE_VAL : HUGE_VAL;
    for (int r = c->row; s->level[k] == PC_ALPHA_S && r <= c->row + c->dimension; r++)
      pc_row_add(terms->row[r], -s->v_share * s->lambda[r], share);
  }
  pc_assembly_solve(s->mass, share);
  for (int i = 0; i < s->n_u; i++) u[i] = smooth[i] + share[i];
  pc_contact_stage_activate(s->stage, s->forecast);
  pc_status status =
      pc_contact_stage_solve(s->stage, terms, s->mass, s->before, u, s->P, &solver, error);
  if (status != PC_OK) return status;
  for (int i = 0; i < s->n_u; i++) u[i] -= smooth[i];
  for (int r = 0; r < s->rows; r++)
    s->Lambda[r] = s->P[r] - (r < s->bilateral ? 0 : s->v_share * s->lambda[r]);
  info->iterations[1] += solver.iterations;
  info->solver_residual = pc_larger(info->solver_residual, solver.residual);
  info->inaccurate = !solver.converged;
  return PC_OK;
}

/* The natural map of the friction law, divided by the effective mass. */
double pc_alpha_friction_violation(const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->contact[k];
  double p[3], worst = 0, most = pc_alpha_friction_limit(s, k);
  if (s->m_F[k] == 0) return 0;
  double length = pc_alpha_augmented_friction(s, k, p), shrink = length > most ? most / length : 1;
  for (int d = 0; d < c->dimension; d++)
    worst = pc_larger(worst, fabs(pc_alpha_own_percussion(s, c->row + 1 + d) - shrink * p[d]));
  return worst / s->m_F[k];
}
