/* The three linear problems of a sweep. Each has as many constraints as its set has rows. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "schemes/generalized_alpha.h"

static int row_width(pc_row row)
{
  int width = 0;
  for (int b = 0; b < row.block_count; b++) width += row.block[b].width;
  return width;
}

pc_status pc_alpha_factor_mass(pc_alpha* s, const pc_at* at, pc_error* error)
{
  if (s->mass_factored) return PC_OK;
  pc_terms_tangent(s->terms, at, 1, 0, 0, s->mass);
  pc_status status = pc_assembly_factor(s->mass);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  s->mass_factored = 1;
  return PC_OK;
}

/* By how much x has changed from what it was there, as a share of its size. */
static double change_of(int n, const double* x, const double* there)
{
  double change = 0, size = 0;
  for (int i = 0; i < n; i++) {
    change = pc_larger(change, fabs(x[i] - there[i]));
    size = pc_larger(size, fabs(x[i]));
  }
  return change > 0 ? change / size : 0;
}

/* Without stiffness the second derivatives are terms of order dt^2 beside M. Those of an iterate of
 * the same step serve as well, unless its velocities, forces or contacts were others. */
static int is_linearised(const pc_alpha* s)
{
  const double almost = 1e-2;
  return s->linearised && s->same_matrix && change_of(s->n_u, s->u, s->u_there) <= almost &&
         change_of(s->rows, s->lambda, s->lambda_there) <= almost;
}

static pc_status linearise(pc_alpha* s, const pc_state* state, pc_error* error)
{
  s->linearised = is_linearised(s);
  if (s->linearised) return PC_OK;
  memcpy(s->u_there, s->u, (size_t)s->n_u * sizeof *s->u);
  memcpy(s->lambda_there, s->lambda, (size_t)s->rows * sizeof *s->lambda);
  return pc_alpha_tangent_factor(s->exact, s, state, error);
}

pc_status pc_alpha_factor(pc_alpha* s, const pc_state* state, const pc_at* at, pc_error* error)
{
  PC_TRY(pc_alpha_factor_mass(s, at, error));
  if (s->exact) return linearise(s, state, error);
  if (s->same_matrix || (s->constant_tangent && s->factored_dt == s->dt)) return PC_OK;
  pc_terms_tangent(s->terms, at, 1, s->v_share, s->q_share, s->tangent);
  pc_status status = pc_assembly_factor(s->tangent);
  if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
  s->factored_dt = s->dt;
  return PC_OK;
}

const pc_assembly* pc_alpha_matrix(const pc_alpha* s)
{
  if (s->exact) return pc_alpha_tangent_matrix(s->exact);
  return s->same_matrix ? s->mass : s->tangent;
}

pc_row pc_alpha_turned_row(pc_alpha* s, const pc_terms* terms, int r)
{
  pc_row row = terms->row[r];
  if (!s->exact || pc_system_plain_kinematics(s->system)) return row;
  pc_stage_motion motion = pc_alpha_tangent_motion(s->exact);
  memset(s->turn[r], 0, (size_t)row_width(row) * sizeof *s->turn[r]);
  pc_terms_add_position_row(terms, r, &motion, 1, s->turn[r]);
  row.w = s->turn[r];
  return row;
}

/* Appends row r as a constraint whose force and measure are both W_r. */
static void add_row(pc_alpha* s, const pc_terms* terms, int r, double c, int* count)
{
  s->place[*count] = r;
  s->force[*count] = s->measure[*count] = terms->row[r];
  s->c_row[(*count)++] = c;
}

static pc_status factor_rows(pc_alpha* s, const pc_assembly* A, int count, pc_error* error)
{
  if (pc_alpha_saddle_factor(s->saddle, A, count, s->force, s->measure) == PC_OK) return PC_OK;
  return pc_fail(error, PC_NOT_FINITE, "the constraints' equations are not finite");
}

/* ---- accelerations ----------------------------------------------------------------------- */

/* slope := scale W + extra */
static void set_slope(pc_alpha* s, int r, double scale)
{
  pc_row row = s->terms->row[r];
  int width = row_width(row);
  for (int i = 0; i < width; i++) s->slope[r][i] = scale * row.w[i];
  for (int i = 0; s->exact && i < width; i++) s->slope[r][i] += s->extra[r][i];
}

static void add_velocity_bend(pc_alpha* s, int r, const double* u, double scale)
{
  if (scale != 0) pc_alpha_tangent_add_bend(s->exact, s->terms, r, u, scale, s->bend[r]);
}

/* extra := share bend */
static void set_extra(pc_alpha* s, int r, double share)
{
  int width = row_width(s->terms->row[r]);
  for (int i = 0; i < width; i++) s->extra[r][i] = share * s->bend[r][i];
}

/* Begins with a row's bend; 0 if there is none, or if it is known. */
static int begin_bend(pc_alpha* s, int r)
{
  if (!s->exact || s->linearised) return 0;
  memset(s->bend[r], 0, (size_t)row_width(s->terms->row[r]) * sizeof *s->bend[r]);
  return 1;
}

static double smooth_velocity_row(pc_alpha* s, int r, pc_alpha_row kind)
{
  const double* u = s->u;
  if (kind == PC_ALPHA_SMOOTH_VELOCITY) {
    for (int i = 0; i < s->n_u; i++) s->room[i] = s->u[i] - s->jump[i];
    u = s->room;
  }
  if (begin_bend(s, r)) {
    add_velocity_bend(s, r, u, 1);
    set_extra(s, r, s->q_share / s->v_share);
  }
  set_slope(s, r, 1);
  return pc_terms_row_velocity(s->terms, r, u) / s->v_share;
}

/* The constraint on row r as seen by v', divided by what makes W its main part, and its slope
 * d(..)/dv'. */
static double smooth_row(pc_alpha* s, const pc_at* at, int r, pc_alpha_row kind)
{
  const pc_terms* t = s->terms;
  if (kind == PC_ALPHA_POSITION && r >= s->g) kind = PC_ALPHA_VELOCITY;
  if (kind == PC_ALPHA_POSITION) {
    pc_row row = pc_alpha_turned_row(s, t, r);
    memcpy(s->slope[r], row.w, (size_t)row_width(row) * sizeof *s->slope[r]);
    return t->y[r] / s->q_share;
  }
  if (kind == PC_ALPHA_VELOCITY || kind == PC_ALPHA_SMOOTH_VELOCITY)
    return smooth_velocity_row(s, r, kind);
  double value = pc_alpha_row_acceleration(s, r), main = 1, damping = 0;
  if (kind == PC_ALPHA_BAUMGARTE) {
    const double* b = s->settings.baumgarte;
    value += 2 * b[0] * pc_terms_row_velocity(t, r, s->u) + b[1] * b[1] * t->y[r];
    main += 2 * b[0] * s->v_share + b[1] * b[1] * s->q_share;
    damping = 2 * b[0];
  }
  if (begin_bend(s, r)) {
    add_velocity_bend(s, r, s->u, damping);
    pc_alpha_tangent_bend(s->exact, s, r, s->bend[r]);
    set_extra(s, r, s->q_share);
    pc_terms_add_row_zeta_u(t, at, r, s->v_share, s->extra[r]);
  }
  set_slope(s, r, main);
  return value;
}

static void add_smooth_row(pc_alpha* s, const pc_at* at, int r, pc_alpha_row kind, int* count)
{
  add_row(s, s->terms, r, -smooth_row(s, at, r, kind), count);
  s->measure[*count - 1].w = s->slope[r];
}

/* A contact's normal, whose force drags friction along if it slides, and its friction if it sticks. */
static void add_smooth_contact(pc_alpha* s, const pc_at* at, int k, int* count)
{
  const pc_contact_info* c = &s->contact[k];
  add_smooth_row(s, at, c->row, PC_ALPHA_ACCELERATION, count);
  if (c->dimension == 0) return;
  if (s->slides[k] != PC_ALPHA_STICK)
    s->force[*count - 1] = pc_alpha_pull(s, k, s->drag, s->pull[c->row]);
  for (int d = 1; s->slides[k] == PC_ALPHA_STICK && d <= c->dimension; d++)
    add_smooth_row(s, at, c->row + d, PC_ALPHA_ACCELERATION, count);
}

/* lambda_F of contacts that slide follows lambda_N. */
static void drag_along(pc_alpha* s)
{
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    if (s->level[k] != PC_ALPHA_S || s->slides[k] == PC_ALPHA_STICK) continue;
    for (int d = 1; d <= c->dimension; d++)
      s->lambda[c->row + d] = s->drag[c->row + d] * s->lambda[c->row];
  }
}

/* Only rows of accelerations have a use for it. */
static void look_ahead(pc_alpha* s)
{
  int wanted = s->form.row == PC_ALPHA_BAUMGARTE;
  if (s->form.row == PC_ALPHA_ACCELERATION) {
    wanted = s->settings.strategy > 1 && s->bilateral > 0;
    for (int k = 0; k < s->contacts; k++) wanted |= s->level[k] == PC_ALPHA_S;
  }
  if (wanted) pc_alpha_tangent_look_ahead(s->exact, s);
}

int pc_alpha_collect_smooth(pc_alpha* s, const pc_at* at)
{
  int count = 0;
  if (s->exact && !s->linearised) look_ahead(s);
  for (int r = 0; s->settings.strategy > 1 && r < s->bilateral; r++)
    add_smooth_row(s, at, r, s->form.row, &count);
  for (int k = 0; k < s->contacts; k++)
    if (s->level[k] == PC_ALPHA_S) add_smooth_contact(s, at, k, &count);
  s->linearised = 1;
  return count;
}

void pc_alpha_add_smooth(pc_alpha* s, int count, const double* x, const double* y)
{
  for (int i = 0; i < s->n_u; i++) s->v_dot[i] += x[i];
  for (int i = 0; i < count; i++) s->lambda[s->place[i]] += y[i];
  if (s->has_friction) drag_along(s);
}

pc_status pc_alpha_smooth_level(pc_alpha* s, const pc_at* at, pc_error* error)
{
  int count = pc_alpha_collect_smooth(s, at);
  const pc_assembly* A = pc_alpha_matrix(s);
  double* x = s->residual; /* M v' - f - W' lambda, left by the convergence test */
  for (int i = 0; i < s->n_u; i++) x[i] = -x[i];
  pc_assembly_solve(A, x);
  PC_TRY(factor_rows(s, A, count, error));
  pc_alpha_saddle_solve(s->saddle, s->c_row, x, s->y_row);
  pc_alpha_add_smooth(s, count, x, s->y_row);
  return PC_OK;
}

/* ---- positions and velocities ------------------------------------------------------------ */

/* x += M^-1 W' y, y to `force` of the rows, which hold c. */
static void solve_total(pc_alpha* s, int count, double* x, double* force)
{
  pc_alpha_saddle_solve(s->saddle, s->c_row, x, s->y_row);
  for (int i = 0; i < count; i++) force[s->place[i]] = s->y_row[i];
}

/* W and the gaps at the new position. The one between the position and the velocity level is often
 * the same but for the last digits. */
static int have_moved(const pc_alpha* s)
{
  for (int i = 0; i < s->n_q; i++)
    if (!(fabs(s->q[i] - s->q_between[i]) <= 4 * DBL_EPSILON * fabs(s->q[i]))) return 1;
  return 0;
}

static const pc_terms* look_at_rows(pc_alpha* s)
{
  pc_terms_evaluate(s->between, &(pc_at){s->t, s->q, s->u, NULL});
  memcpy(s->q_between, s->q, (size_t)s->n_q * sizeof *s->q);
  s->held = -1;
  return s->between;
}

static void add_position_row(pc_alpha* s, const pc_terms* t, int r, int* count)
{
  pc_row turned = pc_alpha_turned_row(s, t, r);
  add_row(s, t, r, pc_row_dot(turned, s->U) - t->y[r], count);
  s->measure[*count - 1] = turned;
}

static int halve(pc_alpha* s, int first, int end)
{
  int any = 0;
  for (int r = first; r < end; r++) {
    s->nu[r] = s->dt / 2 * s->Lambda[r];
    any |= s->nu[r] != 0;
  }
  return any;
}

int pc_alpha_push_positions(pc_alpha* s)
{
  int any = pc_alpha_joints_push(s) ? halve(s, s->g, s->bilateral) : 0;
  for (int k = 0; pc_alpha_friction_pushes(s) && k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    any |= halve(s, c->row + 1, c->row + 1 + c->dimension);
  }
  return any;
}

/* U := M^-1 W' nu of those rows. */
static void push_positions(pc_alpha* s, const pc_terms* t)
{
  memset(s->U, 0, (size_t)s->n_u * sizeof *s->U);
  if (!pc_alpha_push_positions(s)) return;
  for (int r = 0; r < s->rows; r++)
    if (s->nu[r] != 0) pc_row_add(t->row[r], s->nu[r], s->U);
  pc_assembly_solve(s->mass, s->U);
}

pc_status pc_alpha_position_level(pc_alpha* s, pc_error* error)
{
  int count = 0;
  const pc_terms* t = look_at_rows(s);
  for (int r = 0; r < s->g; r++) add_position_row(s, t, r, &count);
  for (int k = 0; k < s->contacts; k++)
    if (s->level[k] >= PC_ALPHA_A) add_position_row(s, t, s->contact[k].row, &count);
  PC_TRY(factor_rows(s, s->mass, count, error));
  memset(s->nu, 0, (size_t)s->rows * sizeof *s->nu);
  push_positions(s, t);
  solve_total(s, count, s->U, s->nu);
  s->held = pc_system_plain_kinematics(s->system) ? count : -1;
  return PC_OK;
}

/* Whether the velocity level holds the rows that the position level held, at the same place: B is part
 * of A, and only constraints of position are in the latter. */
static int same_rows(const pc_alpha* s, int count)
{
  return s->held == count && s->bilateral == s->g;
}

pc_status pc_alpha_velocity_level(pc_alpha* s, pc_step_info* info, pc_error* error)
{
  int count = 0;
  const pc_terms* t = s->form.position && !have_moved(s) ? s->between : look_at_rows(s);
  double* smooth = s->room; /* the velocity without its jump */
  for (int i = 0; i < s->n_u; i++) smooth[i] = s->u_0[i] + s->v_share * s->v_dot[i];
  if (s->has_friction) return pc_alpha_friction_level(s, t, smooth, info, error);
  for (int r = 0; r < s->bilateral; r++)
    add_row(s, t, r, -pc_terms_row_velocity(t, r, smooth), &count);
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    if (s->level[k] >= PC_ALPHA_B)
      add_row(s, t, c->row, -pc_terms_row_velocity(t, c->row, smooth) - c->e_N * s->before[c->row],
              &count);
  }
  if (!same_rows(s, count)) PC_TRY(factor_rows(s, s->mass, count, error));
  memset(s->jump, 0, (size_t)s->n_u * sizeof *s->jump);
  memset(s->Lambda, 0, (size_t)s->rows * sizeof *s->Lambda);
  solve_total(s, count, s->jump, s->Lambda);
  return PC_OK;
}
