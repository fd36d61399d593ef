/* Whether (65a)-(65i) hold. */
#include <math.h>
#include <stdio.h>

#include "base/larger.h"
#include "schemes/generalized_alpha/alpha.h"
#include "steps/measure.h"
#include "system/inspect.h"

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

/* The size of things at the iterate. A velocity is also
 * measured by what the accelerations reach over the size of the positions, so that a system at rest
 * has a measure too. */
void pc_alpha_find_sizes(pc_alpha* s)
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
static limits find_limits(const pc_alpha* s, double tolerance, int exhausted)
{
  double round_off = PC_ROUND_OFF_OF_ROWS;
  double v_dot = largest_of(s->model.n_u, s->x.v_dot), u = largest_of(s->model.n_u, s->x.u);
  double a = pc_larger(v_dot, largest_of(s->model.rows, s->matrix.terms->zeta));
  u = pc_larger(u, s->step.dt * v_dot);
  if (exhausted) a = pc_larger(a, u / s->step.dt);
  double q = pc_larger(largest_of(s->model.n_q, s->x.q), s->step.dt * u);
  return (limits){pc_larger(tolerance * s->balance.size.position, round_off * q),
                  pc_larger(tolerance * s->balance.size.velocity, round_off * u),
                  pc_larger(tolerance * s->balance.size.acceleration, round_off * a),
                  pc_larger(tolerance * s->balance.size.acceleration * s->step.dq_dv,
                            (exhausted ? round_off : PC_ROUND_OFF) * q)};
}

/* Is it within the limit? Else it is noted for a message. */
static int holds(pc_alpha* s, pc_alpha_equation equation, int index, double by, double limit)
{
  if (fabs(by) <= limit) return 1;
  s->balance.violation = (pc_alpha_violation){equation, index, by};
  return 0;
}

/* The acceleration of a joint, or what the form of the constraints has in its place. */
static int joint_acceleration_holds(pc_alpha* s, int row, double y_dot, const limits* most)
{
  pc_alpha_constraint kind = s->model.form.constraint;
  if (kind == PC_ALPHA_SMOOTH_VELOCITY) {
    double smooth = y_dot - pc_row_dot(s->matrix.terms->row[row], s->x.jump);
    return holds(s, PC_ALPHA_JOINT, row, smooth, most->velocity);
  }
  if (kind != PC_ALPHA_ACCELERATION && kind != PC_ALPHA_BAUMGARTE) return 1;
  double y_ddot = pc_alpha_row_acceleration(&s->matrix, &s->x, row);
  if (kind == PC_ALPHA_BAUMGARTE) {
    const double* b = s->model.settings.baumgarte;
    y_ddot += 2 * b[0] * y_dot + b[1] * b[1] * s->matrix.terms->y[row];
  }
  return holds(s, PC_ALPHA_JOINT, row, y_ddot, most->acceleration);
}

static int joint_holds(pc_alpha* s, int row, const limits* most)
{
  double y = s->matrix.terms->y[row], y_dot = pc_terms_row_velocity(s->matrix.terms, row, s->x.u);
  const pc_alpha_form* form = &s->model.form;
  int is_g = row < s->model.g, by_position = form->constraint == PC_ALPHA_POSITION;
  if (is_g && form->position && !holds(s, PC_ALPHA_JOINT, row, y, most->position)) return 0;
  if (is_g && by_position) return holds(s, PC_ALPHA_JOINT, row, y, most->force_position);
  if (form->velocity || form->constraint == PC_ALPHA_VELOCITY || by_position)
    if (!holds(s, PC_ALPHA_JOINT, row, y_dot, most->velocity)) return 0;
  if (s->model.settings.strategy == 1) return 1;
  return joint_acceleration_holds(s, row, y_dot, most);
}

static int contact_holds(pc_alpha* s, int k, const limits* most)
{
  int row = s->model.contact[k].row;
  double y = s->matrix.terms->y[row];
  double law = pc_larger(s->balance.impact_law[k], s->balance.friction_law[k]);
  int counts = s->set.level[k] >= PC_ALPHA_A || (s->set.by_laws && y < 0);
  if (counts && !holds(s, PC_ALPHA_GAP, k, y, most->position)) return 0;
  if (!holds(s, PC_ALPHA_LAW, k, law, most->velocity)) return 0;
  if (s->set.level[k] < PC_ALPHA_S) return 1;
  return holds(s, PC_ALPHA_GAP_ACCELERATION, k, pc_alpha_row_acceleration(&s->matrix, &s->x, row),
               most->acceleration);
}

void pc_alpha_describe_violation(const pc_alpha* s, char* text, size_t size)
{
  const pc_alpha_violation* v = &s->balance.violation;
  const pc_system* system = s->model.system;
  double by = fabs(v->by);
  switch (v->equation) {
    case PC_ALPHA_FORCES:
      snprintf(text, size, "the balance of forces is off by %.3g of their size", by);
      break;
    case PC_ALPHA_IMPULSES:
      snprintf(text, size, "the balance of impulses is off by %.3g of their size", by);
      break;
    case PC_ALPHA_JOINT:
      snprintf(text, size, "joint '%s' is violated by %.3g", pc_system_row_name(system, v->index),
               by);
      break;
    case PC_ALPHA_GAP:
      snprintf(text, size, "the gap of contact '%s' is %.3g m", s->model.contact[v->index].name,
               v->by);
      break;
    case PC_ALPHA_LAW:
      snprintf(text, size, "the laws of contact '%s' are violated by %.3g m/s",
               s->model.contact[v->index].name, by);
      break;
    case PC_ALPHA_GAP_ACCELERATION:
      snprintf(text, size, "the acceleration of the closed contact '%s' is %.3g m/s^2",
               s->model.contact[v->index].name, v->by);
      break;
  }
}

/* With sets, B says which side of the law a contact is on; by laws it is the natural map, divided by the
 * effective mass. */
static double impact_violation(const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double e_before = c->e_N * s->step.before[c->row];
  double xi = pc_terms_row_velocity(s->matrix.terms, c->row, s->x.u) + e_before;
  double m = s->set.r[k] / s->model.settings.activation_factor;
  if (s->set.level[k] < PC_ALPHA_B) return pc_larger(0, -xi);
  if (!s->set.by_laws || m == 0) return fabs(xi);
  double P = pc_alpha_own_impulse(&s->step, &s->x, c->row);
  return P >= m * xi ? fabs(xi) : fabs(P) / m;
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
    s->balance.impact_law[k] = impact_violation(s, k);
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

int pc_alpha_converged(pc_alpha* s, double tolerance, pc_step_info* info)
{
  double residual = pc_alpha_smooth_residual(s, info);
  int exhausted = is_exhausted(s, residual);
  if (!holds(s, PC_ALPHA_FORCES, 0, residual, tolerance)) return 0;
  pc_alpha_find_sizes(s);
  if (!holds(s, PC_ALPHA_IMPULSES, 0, pc_alpha_impulse_residual(s, info), tolerance)) return 0;
  pc_alpha_check_laws(s, info);
  limits most = find_limits(s, tolerance, exhausted);
  for (int r = 0; r < s->model.bilateral; r++)
    if (!joint_holds(s, r, &most)) return 0;
  for (int k = 0; k < s->model.contacts; k++)
    if (!contact_holds(s, k, &most)) return 0;
  return 1;
}
