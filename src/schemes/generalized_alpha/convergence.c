/* Whether (65a)-(65i) hold. */
#include <float.h>
#include <math.h>

#include "base/larger.h"
#include "schemes/generalized_alpha/alpha.h"

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
  pc_alpha_sizes* size = &s->balance.size;
  double u = largest_of(s->model.n_u, s->x.u), q = largest_of(s->model.n_q, s->x.q);
  size->acceleration = pc_alpha_find_accelerations(s);
  size->position = pc_larger(q, s->step.dt * pc_larger(u, s->step.dt * size->acceleration));
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
  double tolerance = s->model.settings.tolerance, round_off = 64 * DBL_EPSILON;
  double v_dot = largest_of(s->model.n_u, s->x.v_dot), u = largest_of(s->model.n_u, s->x.u);
  double a = pc_larger(v_dot, largest_of(s->model.rows, s->matrix.terms->zeta));
  u = pc_larger(u, s->step.dt * v_dot);
  if (exhausted) a = pc_larger(a, u / s->step.dt);
  double q = pc_larger(largest_of(s->model.n_q, s->x.q), s->step.dt * u);
  return (limits){pc_larger(tolerance * s->balance.size.position, round_off * q),
                  pc_larger(tolerance * s->balance.size.velocity, round_off * u),
                  pc_larger(tolerance * s->balance.size.acceleration, round_off * a),
                  pc_larger(tolerance * s->balance.size.acceleration * s->step.dq_dv,
                            (exhausted ? round_off : 8 * DBL_EPSILON) * q)};
}

static int joint_holds(const pc_alpha* s, int row, const limits* most)
{
  double y = s->matrix.terms->y[row], y_dot = pc_terms_row_velocity(s->matrix.terms, row, s->x.u);
  pc_alpha_constraint kind = s->model.form.constraint;
  int is_g = row < s->model.g;
  if (is_g && s->model.form.position && !(fabs(y) <= most->position)) return 0;
  if (is_g && kind == PC_ALPHA_POSITION) return fabs(y) <= most->force_position;
  if (s->model.form.velocity || kind == PC_ALPHA_VELOCITY || (!is_g && kind == PC_ALPHA_POSITION))
    if (!(fabs(y_dot) <= most->velocity)) return 0;
  if (s->model.settings.strategy == 1) return 1;
  if (kind == PC_ALPHA_SMOOTH_VELOCITY)
    return fabs(y_dot - pc_row_dot(s->matrix.terms->row[row], s->x.jump)) <= most->velocity;
  if (kind != PC_ALPHA_ACCELERATION && kind != PC_ALPHA_BAUMGARTE) return 1;
  double y_ddot = pc_alpha_row_acceleration(&s->matrix, &s->x, row);
  if (kind == PC_ALPHA_BAUMGARTE) {
    const double* b = s->model.settings.baumgarte;
    y_ddot += 2 * b[0] * y_dot + b[1] * b[1] * y;
  }
  return fabs(y_ddot) <= most->acceleration;
}

static int contact_holds(const pc_alpha* s, int k, const limits* most)
{
  int row = s->model.contact[k].row;
  if (s->set.level[k] >= PC_ALPHA_A && !(fabs(s->matrix.terms->y[row]) <= most->position)) return 0;
  if (!(pc_larger(s->balance.impact_law[k], s->balance.friction_law[k]) <= most->velocity))
    return 0;
  return s->set.level[k] < PC_ALPHA_S ||
         fabs(pc_alpha_row_acceleration(&s->matrix, &s->x, row)) <= most->acceleration;
}

void pc_alpha_check_laws(pc_alpha* s, pc_step_info* info)
{
  info->active_contacts = 0;
  info->impact_residual = info->friction_residual = 0;
  info->impact_law = s->balance.impact_law;
  info->friction_law = s->balance.friction_law;
  for (int k = 0; k < s->model.contacts; k++) {
    const pc_contact_info* c = &s->model.contact[k];
    s->balance.impact_law[k] = s->balance.friction_law[k] = 0;
    if (s->set.level[k] == PC_ALPHA_OPEN) continue;
    info->active_contacts++;
    double xi =
        pc_terms_row_velocity(s->matrix.terms, c->row, s->x.u) + c->e_N * s->step.before[c->row];
    s->balance.impact_law[k] = s->set.level[k] >= PC_ALPHA_B ? fabs(xi) : pc_larger(0, -xi);
    if (c->dimension) s->balance.friction_law[k] = pc_alpha_friction_violation(s, k);
    info->impact_residual = pc_larger(info->impact_residual, s->balance.impact_law[k]);
    info->friction_residual = pc_larger(info->friction_residual, s->balance.friction_law[k]);
  }
}

/* Is the residual as small as it gets? In stiff systems, where forces come from differences of large
 * positions, it stops well above the round-off of its own terms, and goes up and down there. */
static int is_exhausted(pc_alpha* s, double residual)
{
  s->balance.forecast = residual > 0 ? residual * residual / s->balance.last : 0;
  s->balance.last = residual;
  if (residual < 0.5 * s->balance.best) {
    s->balance.best = residual;
    s->balance.stalled = 0;
    return 0;
  }
  return ++s->balance.stalled >= 3;
}

int pc_alpha_converged(pc_alpha* s, pc_step_info* info)
{
  double residual = pc_alpha_smooth_residual(s, info);
  int exhausted = is_exhausted(s, residual);
  double tolerance = s->model.settings.tolerance;
  if (exhausted && residual > tolerance) residual = pc_alpha_exhausted_residual(s, info);
  if (!(residual <= tolerance)) return 0;
  find_sizes(s);
  if (!(pc_alpha_impulse_residual(s, info) <= tolerance)) return 0;
  pc_alpha_check_laws(s, info);
  limits most = find_limits(s, exhausted);
  for (int r = 0; r < s->model.bilateral; r++)
    if (!joint_holds(s, r, &most)) return 0;
  for (int k = 0; k < s->model.contacts; k++)
    if (!contact_holds(s, k, &most)) return 0;
  return 1;
}
