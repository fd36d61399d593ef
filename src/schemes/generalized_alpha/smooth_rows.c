/* The constraints on the smooth motion, (65b) and its other forms, linearised in v'. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

/* ---- a row -------------------------------------------------------------------------------- */

/* slope := scale W + extra */
static void set_slope(pc_alpha* s, int r, double scale)
{
  pc_row row = s->matrix.terms->row[r];
  double *slope = s->problem.slope[r], *extra = s->problem.extra[r];
  int width = pc_alpha_row_width(row);
  for (int i = 0; i < width; i++) slope[i] = scale * row.w[i];
  for (int i = 0; s->matrix.curvature && i < width; i++) slope[i] += extra[i];
}

static void add_velocity_curvature(pc_alpha* s, int r, const double* u, double scale)
{
  if (scale == 0) return;
  pc_alpha_add_velocity_curvature(s->matrix.curvature, s->matrix.terms, r, u, scale,
                                  s->problem.curvature[r]);
}

/* extra := share curvature */
static void set_extra(pc_alpha* s, int r, double share)
{
  int width = pc_alpha_row_width(s->matrix.terms->row[r]);
  for (int i = 0; i < width; i++) s->problem.extra[r][i] = share * s->problem.curvature[r][i];
}

/* Sets a row's curvature to zero; returns 0 if there is none, or if it is known. */
static int begin_curvature(pc_alpha* s, int r)
{
  if (!s->matrix.curvature || s->matrix.linearised) return 0;
  int width = pc_alpha_row_width(s->matrix.terms->row[r]);
  pc_zero(width, s->problem.curvature[r]);
  return 1;
}

static double position_row(pc_alpha* s, int r)
{
  pc_row row = pc_alpha_position_row(s, s->matrix.terms, r);
  memcpy(s->problem.slope[r], row.w, (size_t)pc_alpha_row_width(row) * sizeof(double));
  return s->matrix.terms->y[r] / s->step.dq_dv;
}

static double velocity_row(pc_alpha* s, int r, const double* u)
{
  if (begin_curvature(s, r)) {
    add_velocity_curvature(s, r, u, 1);
    set_extra(s, r, s->step.dq_dv / s->step.du_dv);
  }
  set_slope(s, r, 1);
  return pc_terms_row_velocity(s->matrix.terms, r, u) / s->step.du_dv;
}

static double acceleration_row(pc_alpha* s, const pc_at* at, int r, pc_alpha_constraint kind)
{
  const pc_terms* t = s->matrix.terms;
  double value = pc_alpha_row_acceleration(&s->matrix, &s->x, r), main = 1, damping = 0;
  if (kind == PC_ALPHA_BAUMGARTE) {
    const double* b = s->model.settings.alpha.baumgarte;
    value += 2 * b[0] * pc_terms_row_velocity(t, r, s->x.u) + b[1] * b[1] * t->y[r];
    main += 2 * b[0] * s->step.du_dv + b[1] * b[1] * s->step.dq_dv;
    damping = 2 * b[0];
  }
  if (begin_curvature(s, r)) {
    add_velocity_curvature(s, r, s->x.u, damping);
    pc_alpha_add_acceleration_curvature(s->matrix.curvature, t, &s->x, r, s->problem.curvature[r]);
    set_extra(s, r, s->step.dq_dv);
    pc_terms_add_row_zeta_u(t, at, r, s->step.du_dv, s->problem.extra[r]);
  }
  set_slope(s, r, main);
  return value;
}

/* The constraint on row r as seen by v', divided by what makes W its main part, and its slope
 * d(..)/dv'. */
static double value_and_slope(pc_alpha* s, const pc_at* at, int r, pc_alpha_constraint kind)
{
  if (kind == PC_ALPHA_POSITION && r >= s->model.g) kind = PC_ALPHA_VELOCITY;
  if (kind == PC_ALPHA_POSITION) return position_row(s, r);
  if (kind == PC_ALPHA_VELOCITY) return velocity_row(s, r, s->x.u);
  if (kind == PC_ALPHA_SMOOTH_VELOCITY) return velocity_row(s, r, s->x.smooth);
  return acceleration_row(s, at, r, kind);
}

static void add_row(pc_alpha* s, const pc_at* at, int r, pc_alpha_constraint kind)
{
  pc_alpha_problem* p = &s->problem;
  int i = p->count++;
  p->row[i] = r;
  p->force[i] = p->measure[i] = s->matrix.terms->row[r];
  p->measure[i].w = p->slope[r];
  p->c[i] = -value_and_slope(s, at, r, kind);
}

/* ---- all rows ----------------------------------------------------------------------------- */

/* A contact's normal, whose force has friction with it if it slips, and its friction if it
 * sticks. */
static void add_contact(pc_alpha* s, const pc_at* at, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  pc_alpha_problem* p = &s->problem;
  add_row(s, at, c->row, PC_ALPHA_ACCELERATION);
  if (c->dimension == 0) return;
  if (s->set.friction[k] == PC_CONTACT_SLIP)
    p->force[p->count - 1] = pc_alpha_force_direction(s, k, s->set.ratio, p->direction[c->row]);
  for (int d = 1; s->set.friction[k] == PC_CONTACT_STICK && d <= c->dimension; d++)
    add_row(s, at, c->row + d, PC_ALPHA_ACCELERATION);
}

/* Only rows of accelerations have a use for an evaluation ahead. */
static int has_acceleration_rows(const pc_alpha* s)
{
  const pc_alpha_model* m = &s->model;
  if (m->form.constraint != PC_ALPHA_ACCELERATION) return m->form.constraint == PC_ALPHA_BAUMGARTE;
  if (m->settings.alpha.strategy > 1 && m->bilateral > 0) return 1;
  for (int k = 0; k < m->contacts; k++)
    if (s->set.level[k] == PC_ALPHA_S) return 1;
  return 0;
}

void pc_alpha_collect_smooth(pc_alpha* s, const pc_at* at)
{
  s->problem.count = 0;
  if (s->matrix.curvature && !s->matrix.linearised && has_acceleration_rows(s))
    pc_alpha_evaluate_ahead(s->matrix.curvature, &s->model, &s->step, &s->x);
  for (int r = 0; s->model.settings.alpha.strategy > 1 && r < s->model.bilateral; r++)
    add_row(s, at, r, s->model.form.constraint);
  for (int k = 0; k < s->model.contacts; k++)
    if (s->set.level[k] == PC_ALPHA_S) add_contact(s, at, k);
  s->matrix.linearised = 1;
}

/* Where a contact that is closed in velocity slips, its friction goes with its normal force. */
static int find_slip(pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double slip[3], speed = pc_alpha_slip(s, k, slip);
  s->set.friction[k] = speed > 0 ? PC_CONTACT_SLIP : PC_CONTACT_STICK;
  s->set.onset[k] = 0;
  for (int d = 0; speed > 0 && d < c->dimension; d++)
    s->set.ratio[c->row + 1 + d] = -c->mu * slip[d] / speed;
  return speed > 0;
}

static void add_contact_law(pc_alpha* s, const pc_at* at, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  pc_alpha_problem* p = &s->problem;
  int first = p->count, slips = c->dimension && find_slip(s, k);
  pc_alpha_contact_problem_add(&s->contacts, k, first, slips ? 0 : c->mu);
  for (int d = 0; d <= (slips ? 0 : c->dimension); d++) {
    p->y[p->count] = s->x.lambda[c->row + d];
    add_row(s, at, c->row + d, PC_ALPHA_ACCELERATION);
  }
  if (slips) p->force[first] = pc_alpha_force_direction(s, k, s->set.ratio, p->direction[c->row]);
}

int pc_alpha_collect_smooth_laws(pc_alpha* s, const pc_at* at)
{
  const pc_alpha_model* m = &s->model;
  int joints = m->settings.alpha.strategy > 1 ? m->bilateral : 0;
  int with_contacts =
      m->settings.alpha.strategy == 3 && m->form.constraint == PC_ALPHA_ACCELERATION;
  s->problem.count = 0;
  s->problem.held_positions = -1;
  pc_alpha_contact_problem_begin(&s->contacts);
  if (s->matrix.curvature) pc_alpha_evaluate_ahead(s->matrix.curvature, m, &s->step, &s->x);
  s->matrix.linearised = 0;
  for (int r = 0; r < joints; r++) add_row(s, at, r, m->form.constraint);
  for (int k = 0; with_contacts && !s->set.no_smooth_contacts && k < m->contacts; k++)
    if (s->set.level[k] >= PC_ALPHA_B) add_contact_law(s, at, k);
  return joints;
}

/* lambda_F of contacts that slip follows lambda_N. */
static void set_slip_forces(pc_alpha* s)
{
  for (int k = 0; k < s->model.contacts; k++) {
    const pc_contact_info* c = &s->model.contact[k];
    if (s->set.level[k] != PC_ALPHA_S || s->set.friction[k] == PC_CONTACT_STICK) continue;
    for (int d = 1; d <= c->dimension; d++)
      s->x.lambda[c->row + d] = s->set.ratio[c->row + d] * s->x.lambda[c->row];
  }
}

void pc_alpha_add_smooth(pc_alpha* s, const double* dv, int count, const int* row, const double* y)
{
  for (int i = 0; i < s->model.n_u; i++) s->x.v_dot[i] += dv[i];
  for (int i = 0; i < count; i++) s->x.lambda[row[i]] += y[i];
  if (s->model.has_friction) set_slip_forces(s);
}
