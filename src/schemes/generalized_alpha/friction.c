/* Friction, which the alpha paper leaves open.
 *
 * The laws are those of RATTLE (34), (36) at velocity level, for the impulses of this step alone,
 * P = Lambda + dt gamma s lambda:
 *
 *     0 <= xi_N  _|_  P_N >= 0,      xi_F in the normal cone of the ball B(mu P_N) at -P_F,
 *
 * over the contacts that are closed in position (A), as one linear contact problem with the matrix
 * M. The forces lambda_F of the smooth motion are those of a closed contact (S) at the end of the
 * step, RATTLE (54), (55): lambda_F = -mu lambda_N t where it slips along t, gamma_F' = 0 where it
 * sticks. So in steady sliding Lambda is a correction of second order, with Lambda_F = -mu Lambda_N
 * t, and the motion keeps the scheme's second order, also where t turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

pc_status pc_alpha_laws_create(pc_alpha_laws* laws, const pc_alpha_model* m, pc_error* error)
{
  laws->P = pc_alloc((size_t)m->rows, sizeof(double));
  laws->no_restitution = pc_alloc((size_t)m->rows, sizeof(double));
  laws->u = pc_alloc((size_t)m->n_u, sizeof(double));
  laws->contact_share = pc_alloc((size_t)m->n_u, sizeof(double));
  laws->forecast = pc_alloc((size_t)m->contacts, sizeof(double));
  if (!laws->P || !laws->no_restitution || !laws->u || !laws->contact_share || !laws->forecast)
    return pc_no_memory(error);
  return m->contacts ? pc_contact_step_create(m->system, &m->settings, &laws->contact_step, error)
                     : PC_OK;
}

void pc_alpha_laws_free(pc_alpha_laws* laws)
{
  double* array[] = {laws->P, laws->u, laws->contact_share, laws->forecast, laws->no_restitution};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_contact_step_destroy(laws->contact_step);
}

/* After this many iterations stick and slip and the directions of slip stay as they are. */
enum { HOLD_AFTER = 12 };

double pc_alpha_augmented_friction(const pc_alpha* s, int k, double p[3])
{
  const pc_contact_info* c = &s->model.contact[k];
  double square = 0;
  for (int d = 0; d < c->dimension; d++) {
    int row = c->row + 1 + d;
    double xi = pc_terms_row_velocity(s->matrix.terms, row, s->x.u) + c->e_F * s->step.before[row];
    p[d] = pc_alpha_own_impulse(&s->step, &s->x, row) - s->set.m_F[k] * xi;
    square += p[d] * p[d];
  }
  return sqrt(square);
}

double pc_alpha_friction_limit(const pc_alpha* s, int k)
{
  return s->model.contact[k].mu *
         pc_larger(0, pc_alpha_own_impulse(&s->step, &s->x, s->model.contact[k].row));
}

double pc_alpha_slip(const pc_alpha* s, int k, double slip[3])
{
  const pc_contact_info* c = &s->model.contact[k];
  double square = 0, tolerance = 0;
  for (int d = 0; d < c->dimension; d++) {
    int row = c->row + 1 + d;
    slip[d] = pc_terms_row_velocity(s->matrix.terms, row, s->x.u);
    tolerance = pc_larger(tolerance, pc_rest_tolerance(s->matrix.terms, row, s->x.u));
    square += slip[d] * slip[d];
  }
  double speed = sqrt(square);
  return speed > tolerance ? speed : 0;
}

static void set_ratio(pc_alpha* s, const pc_contact_info* c, double scale, const double* t)
{
  for (int d = 0; d < c->dimension; d++) s->set.ratio[c->row + 1 + d] = scale * t[d];
}

/* Whether the friction of the smooth motion is beyond its cone, and how long it is. */
static int is_beyond_cone(const pc_alpha* s, int k, double* length)
{
  const pc_contact_info* c = &s->model.contact[k];
  const double* lambda_F = s->x.lambda + c->row + 1;
  double square = 0;
  for (int d = 0; d < c->dimension; d++) square += lambda_F[d] * lambda_F[d];
  *length = sqrt(square);
  return *length > c->mu * pc_larger(0, s->x.lambda[c->row]) * (1 + 1e-9);
}

/* All levels at once: a contact at rest sticks unless that takes more than mu lambda_N; it then
 * begins to slip against the force, as long as its acceleration goes that way. Sweeps leave that to
 * a contact problem: which of several contacts slip depends on all of them. */
static int slip_begins(pc_alpha* s, int k, int iteration)
{
  const pc_contact_info* c = &s->model.contact[k];
  double along = 0, length;
  if (iteration == 0) return 0;
  if (s->set.onset[k]) {
    for (int d = 1; d <= c->dimension; d++)
      along -= s->set.ratio[c->row + d] * pc_alpha_row_acceleration(&s->matrix, &s->x, c->row + d);
    return along >= 0;
  }
  if (s->set.friction[k] != PC_CONTACT_STICK || !is_beyond_cone(s, k, &length)) return 0;
  if (!s->set.all_levels) {
    s->set.smooth_by_laws = 1;
    return 0;
  }
  set_ratio(s, c, c->mu / length, s->x.lambda + c->row + 1);
  return 1;
}

/* mu P_N, which sweeps do not know before the first of them: a contact that closes then has the
 * augmented impulse, (P_N - m xi_N)+, so that it sticks if what stops it can hold it. */
static double expected_limit(const pc_alpha* s, int k, int iteration)
{
  const pc_contact_info* c = &s->model.contact[k];
  if (iteration > 0 || s->set.all_levels) return pc_alpha_friction_limit(s, k);
  double m = s->set.r[k] / s->model.settings.alpha.activation_factor;
  double xi =
      pc_terms_row_velocity(s->matrix.terms, c->row, s->x.u) + c->e_N * s->step.before[c->row];
  return c->mu * pc_larger(0, pc_alpha_own_impulse(&s->step, &s->x, c->row) - m * xi);
}

/* Whether a contact slips; if so, its ratio. With sweeps a contact at rest, whose P obeys the laws,
 * does not, even if P_F is at its limit and the last digits are beyond it. */
static int find_slip(pc_alpha* s, int k, int iteration)
{
  const pc_contact_info* c = &s->model.contact[k];
  double p[3], slip[3], length = pc_alpha_augmented_friction(s, k, p);
  int is_beyond = length > expected_limit(s, k, iteration);
  if (!is_beyond && c->e_F == 0) return 0;
  double speed = pc_alpha_slip(s, k, slip);
  if (c->e_F > 0 && speed > 0) /* velocities do not forget an impact with e_F */
    set_ratio(s, c, -c->mu / speed, slip);
  else if (is_beyond && (speed > 0 || s->set.all_levels))
    set_ratio(s, c, c->mu / length, p);
  else
    return 0;
  return 1;
}

static void update_contact(pc_alpha* s, int k, int iteration)
{
  if (iteration > HOLD_AFTER) return;
  int slips = find_slip(s, k, iteration);
  s->set.onset[k] = !slips && slip_begins(s, k, iteration);
  s->set.friction[k] = slips || s->set.onset[k] ? PC_CONTACT_SLIP : PC_CONTACT_STICK;
}

void pc_alpha_update_friction(pc_alpha* s, int iteration)
{
  for (int k = 0; k < s->model.contacts; k++) {
    const pc_contact_info* c = &s->model.contact[k];
    if (c->dimension == 0 || s->set.level[k] != PC_ALPHA_S) continue;
    int slid = s->set.friction[k], began = s->set.onset[k];
    update_contact(s, k, iteration);
    if (s->set.friction[k] != slid || s->set.onset[k] != began) pc_alpha_note_change(s);
    for (int d = 1; d <= c->dimension; d++) {
      int row = c->row + d;
      if (s->set.friction[k] == PC_CONTACT_SLIP)
        s->x.lambda[row] = s->set.ratio[row] * s->x.lambda[c->row];
      s->x.eta[row] = s->step.eta_0[row] + s->model.c.s * s->x.lambda[row];
    }
  }
}

/* The rows of a contact belong to one element and have the same blocks. */
pc_row pc_alpha_force_direction(const pc_alpha* s, int k, const double* ratio, double* w)
{
  const pc_contact_info* c = &s->model.contact[k];
  pc_row direction = s->matrix.terms->row[c->row];
  int width = 0;
  for (int b = 0; b < direction.block_count; b++) width += direction.block[b].width;
  pc_copy(width, direction.w, w);
  for (int d = 1; d <= c->dimension; d++) {
    double share = ratio[c->row + d];
    const double* w_F = s->matrix.terms->row[c->row + d].w;
    for (int i = 0; i < width; i++) w[i] += share * w_F[i];
  }
  direction.w = w;
  return direction;
}

/* The contacts see the velocity without the part of lambda that belongs to P. */
static void find_contact_share(const pc_alpha* s, double* share)
{
  const pc_terms* terms = s->matrix.between;
  pc_zero(s->model.n_u, share);
  for (int r = s->model.bilateral; r < s->model.rows; r++)
    if (s->x.lambda[r] != 0) pc_row_add(terms->row[r], -s->step.du_dv * s->x.lambda[r], share);
  pc_assembly_solve(s->matrix.mass, share);
}

pc_status pc_alpha_friction_level(pc_alpha* s, pc_step_info* info, pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  pc_alpha_laws* laws = &s->laws;
  pc_solver_info solver;
  for (int r = 0; r < m->bilateral; r++) laws->P[r] = 0;
  for (int r = m->bilateral; r < m->rows; r++)
    laws->P[r] = pc_alpha_own_impulse(&s->step, &s->x, r);
  for (int k = 0; k < m->contacts; k++)
    laws->forecast[k] = s->set.level[k] >= PC_ALPHA_A ? -HUGE_VAL : HUGE_VAL;
  find_contact_share(s, laws->contact_share);
  for (int i = 0; i < m->n_u; i++) laws->u[i] = s->x.smooth[i] + laws->contact_share[i];
  pc_contact_step_activate(laws->contact_step, laws->forecast);
  PC_TRY(pc_contact_step_solve(laws->contact_step, s->matrix.between, s->matrix.mass,
                               s->step.before, laws->u, laws->P, &solver, error));
  for (int i = 0; i < m->n_u; i++) s->x.jump[i] = laws->u[i] - s->x.smooth[i];
  for (int r = 0; r < m->rows; r++)
    s->x.Lambda[r] = laws->P[r] - (r < m->bilateral ? 0 : s->step.du_dv * s->x.lambda[r]);
  info->iterations[1] += solver.iterations;
  pc_contact_step_note(&solver, info);
  return PC_OK;
}

/* The natural map of the friction law, divided by the effective mass. */
double pc_alpha_friction_violation(const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double p[3], worst = 0, most = pc_alpha_friction_limit(s, k);
  if (s->set.m_F[k] == 0) return 0;
  double length = pc_alpha_augmented_friction(s, k, p), shrink = length > most ? most / length : 1;
  for (int d = 0; d < c->dimension; d++)
    worst = pc_larger(worst,
                      fabs(pc_alpha_own_impulse(&s->step, &s->x, c->row + 1 + d) - shrink * p[d]));
  return worst / s->set.m_F[k];
}

/* The same for accelerations, of a contact that does not slip: it may begin to. */
double pc_alpha_smooth_friction_violation(const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double p[3], square = 0, worst = 0, m = s->set.m_F[k];
  int begins = s->set.friction[k] == PC_CONTACT_STICK || s->set.onset[k];
  if (c->dimension == 0 || m == 0 || s->set.level[k] < PC_ALPHA_S || !begins) return 0;
  for (int d = 0; d < c->dimension; d++) {
    int row = c->row + 1 + d;
    p[d] = s->x.lambda[row] - m * pc_alpha_row_acceleration(&s->matrix, &s->x, row);
    square += p[d] * p[d];
  }
  double length = sqrt(square), most = c->mu * pc_larger(0, s->x.lambda[c->row]);
  double shrink = length > most ? most / length : 1;
  for (int d = 0; d < c->dimension; d++)
    worst = pc_larger(worst, fabs(s->x.lambda[c->row + 1 + d] - shrink * p[d]));
  return worst / m;
}
