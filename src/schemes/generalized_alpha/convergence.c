/* Whether (65a)-(65i) hold, by the measures of their balances. */
#include <math.h>
#include <stdio.h>

#include "base/larger.h"
#include "schemes/generalized_alpha/alpha.h"
#include "steps/measure.h"
#include "system/inspect.h"

static pc_alpha_row_noise find_noise(const pc_alpha* s)
{
  const pc_lengths* lengths = &s->balance.velocities.lengths;
  double v_dot = pc_lengths_speed(lengths, s->x.v_dot);
  double u = pc_larger(pc_lengths_speed(lengths, s->x.u), s->step.dt * v_dot);
  double q = pc_larger(pc_lengths_reach(lengths, s->x.q), s->step.dt * u);
  double a = pc_larger(v_dot, pc_largest(s->model.rows, s->matrix.terms->zeta));
  return (pc_alpha_row_noise){PC_ROUND_OFF_OF_ROWS * q, PC_ROUND_OFF_OF_ROWS * u,
                              PC_ROUND_OFF_OF_ROWS * a};
}

/* A row at one of the levels, as a velocity: `left` times `scale` [1/s, 1, s]. */
typedef struct level {
  pc_measure* measure;
  double scale;
  double round_off; /* of `left` */
  double absolute;  /* not scaled: what may be left */
  double most;      /* scaled: the most that may be left [m/s] */
} level;

/* Is what is left of a row within its limit? Else it is noted for a message. */
static int row_holds(pc_alpha* s, const level* of, int row, pc_alpha_equation equation, int index,
                     double left)
{
  pc_measure* m = of->measure;
  m->absolute = s->balance.scaled ? 0 : of->scale * of->absolute;
  m->velocity = of->most;
  if (pc_measure_row_holds(m, s->matrix.terms->row[row], of->scale * left,
                           of->scale * of->round_off))
    return 1;
  s->balance.violation = (pc_alpha_violation){equation, index, left};
  return 0;
}

/* What rows are measured by at an iterate. */
typedef struct limits {
  level position, velocity, acceleration;
  level force_position; /* of a position that determines forces: an acceleration over a step */
} limits;

/* Of positions no more than --abs-tol [m] may be left. */
static limits find_limits(pc_alpha* s, double tolerance)
{
  pc_alpha_balance* b = &s->balance;
  const pc_alpha_sizes* size = &b->size;
  const pc_alpha_row_noise* noise = &b->noise;
  double dt = s->step.dt, by_force = s->step.dq_dv, most = b->forces.velocity;
  return (limits){{&b->velocities, 1 / dt, noise->position, tolerance * size->position, most / dt},
                  {&b->velocities, 1, noise->velocity, tolerance * size->velocity, most},
                  {&b->forces, dt, noise->acceleration, tolerance * size->acceleration, most},
                  {&b->forces, dt / by_force, noise->position,
                   tolerance * size->acceleration * by_force, most}};
}

/* The acceleration of a joint, or what the form of the constraints has in its place. */
static int joint_acceleration_holds(pc_alpha* s, int row, double y_dot, const limits* most)
{
  pc_alpha_constraint kind = s->model.form.constraint;
  if (kind == PC_ALPHA_SMOOTH_VELOCITY) {
    double smooth = y_dot - pc_row_dot(s->matrix.terms->row[row], s->x.jump);
    return row_holds(s, &most->velocity, row, PC_ALPHA_JOINT, row, smooth);
  }
  if (kind != PC_ALPHA_ACCELERATION && kind != PC_ALPHA_BAUMGARTE) return 1;
  double y_ddot = pc_alpha_row_acceleration(&s->matrix, &s->x, row);
  if (kind == PC_ALPHA_BAUMGARTE) {
    const double* b = s->model.settings.alpha.baumgarte;
    y_ddot += 2 * b[0] * y_dot + b[1] * b[1] * s->matrix.terms->y[row];
  }
  return row_holds(s, &most->acceleration, row, PC_ALPHA_JOINT, row, y_ddot);
}

static int joint_holds(pc_alpha* s, int row, const limits* most)
{
  double y = s->matrix.terms->y[row], y_dot = pc_terms_row_velocity(s->matrix.terms, row, s->x.u);
  const pc_alpha_form* form = &s->model.form;
  int is_g = row < s->model.g, by_position = form->constraint == PC_ALPHA_POSITION;
  if (is_g && form->position && !row_holds(s, &most->position, row, PC_ALPHA_JOINT, row, y))
    return 0;
  if (is_g && by_position) return row_holds(s, &most->force_position, row, PC_ALPHA_JOINT, row, y);
  if (form->velocity || form->constraint == PC_ALPHA_VELOCITY || by_position)
    if (!row_holds(s, &most->velocity, row, PC_ALPHA_JOINT, row, y_dot)) return 0;
  if (s->model.settings.alpha.strategy == 1) return 1;
  return joint_acceleration_holds(s, row, y_dot, most);
}

/* The laws of a contact are those of all its rows, which have one measure. */
static int laws_hold(pc_alpha* s, int k, double law, const level* of)
{
  const pc_contact_info* c = &s->model.contact[k];
  if (law == 0) return 1;
  for (int d = 0; d <= c->dimension; d++)
    if (row_holds(s, of, c->row + d, PC_ALPHA_LAW, k, law)) return 1;
  return 0;
}

static int contact_holds(pc_alpha* s, int k, const limits* most)
{
  int row = s->model.contact[k].row;
  double y = s->matrix.terms->y[row];
  double law = pc_larger(s->balance.impact_law[k], s->balance.friction_law[k]);
  int counts = s->set.level[k] >= PC_ALPHA_A || (s->set.by_laws && y < 0);
  if (counts && !row_holds(s, &most->position, row, PC_ALPHA_GAP, k, y)) return 0;
  if (!laws_hold(s, k, law, &most->velocity)) return 0;
  if (s->set.level[k] < PC_ALPHA_S) return 1;
  if (!row_holds(s, &most->acceleration, row, PC_ALPHA_GAP_ACCELERATION, k,
                 pc_alpha_row_acceleration(&s->matrix, &s->x, row)))
    return 0;
  double slip = pc_alpha_smooth_friction_violation(s, k);
  return slip == 0 ||
         row_holds(s, &most->acceleration, row + 1, PC_ALPHA_SLIP_ACCELERATION, k, slip);
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
    case PC_ALPHA_SLIP_ACCELERATION:
      snprintf(text, size,
               "the friction of contact '%s' does not match its acceleration: %.3g m/s^2",
               s->model.contact[v->index].name, by);
      break;
  }
}

/* With sets, B says which side of the law a contact is on; by laws it is the natural map, divided
 * by the effective mass. */
static double impact_violation(const pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double e_before = c->e_N * s->step.before[c->row];
  double xi = pc_terms_row_velocity(s->matrix.terms, c->row, s->x.u) + e_before;
  double m = s->set.r[k] / s->model.settings.alpha.activation_factor;
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

/* Whether a velocity, or a gap over dt, of a contact's row is as good as closed. */
static int closes(pc_alpha* s, int row, double left, double absolute, double most, double noise)
{
  pc_measure* m = &s->balance.velocities;
  m->absolute = s->balance.scaled ? 0 : absolute;
  m->velocity = most;
  return left <= 0 || pc_measure_row_holds(m, s->matrix.terms->row[row], left, noise);
}

int pc_alpha_gap_closes(pc_alpha* s, int row, double gap)
{
  const pc_alpha_balance* b = &s->balance;
  double dt = s->step.dt;
  return closes(s, row, gap / dt, s->model.settings.tolerance * b->size.position / dt,
                b->forces.velocity / dt, b->noise.position / dt);
}

int pc_alpha_velocity_closes(pc_alpha* s, int row, double velocity)
{
  const pc_alpha_balance* b = &s->balance;
  return closes(s, row, velocity, s->model.settings.tolerance * b->size.velocity,
                b->forces.velocity, b->noise.velocity);
}

/* The measures with a tolerance of the settings, or with a larger one. */
static void set_tolerance(pc_alpha* s, double tolerance)
{
  pc_alpha_balance* b = &s->balance;
  const pc_scheme_settings* settings = &s->model.settings;
  if (!b->scaled) return;
  pc_measure* of[] = {&b->forces, &b->positions, &b->impulses, &b->velocities};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    of[i]->relative = tolerance;
    of[i]->velocity = tolerance > settings->tolerance ? HUGE_VAL : pc_most_velocity(settings);
  }
}

static int rows_hold(pc_alpha* s, double tolerance)
{
  limits most = find_limits(s, tolerance);
  for (int r = 0; r < s->model.bilateral; r++)
    if (!joint_holds(s, r, &most)) return 0;
  for (int k = 0; k < s->model.contacts; k++)
    if (!contact_holds(s, k, &most)) return 0;
  return 1;
}

int pc_alpha_converged(pc_alpha* s, double tolerance, pc_step_info* info)
{
  pc_alpha_balance* b = &s->balance;
  set_tolerance(s, tolerance);
  int forces = pc_alpha_forces_hold(s, tolerance, info);
  if (!isfinite(info->residual) || (!forces && !s->set.by_laws)) return 0;
  int impulses = pc_alpha_impulses_hold(s, tolerance, info);
  b->velocities.stalls = b->progress.stalled;
  b->velocities.still = b->forces.still;
  b->noise = find_noise(s);
  pc_alpha_check_laws(s, info);
  return forces && impulses && rows_hold(s, tolerance);
}
