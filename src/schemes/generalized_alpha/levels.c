/* The three linear problems of a sweep of Algorithm 1. Each has as many constraints as its set has
 * rows. */
#include <string.h>

#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

static pc_status factor(pc_alpha* s, pc_alpha_operator A, pc_error* error)
{
  const pc_alpha_problem* p = &s->problem;
  if (pc_alpha_saddle_factor(s->saddle, A, p->count, p->force, p->measure) == PC_OK) return PC_OK;
  return pc_fail(error, PC_NOT_FINITE, "the constraints' equations are not finite");
}

/* ---- accelerations ----------------------------------------------------------------------- */

pc_status pc_alpha_smooth_level(pc_alpha* s, const pc_at* at, pc_error* error)
{
  pc_alpha_problem* p = &s->problem;
  pc_alpha_collect_smooth(s, at);
  p->held_positions = -1;
  for (int i = 0; i < s->model.n_u; i++) p->x[i] = -s->balance.residual[i];
  PC_TRY(factor(s, pc_alpha_matrix(&s->matrix, &s->model), error));
  pc_alpha_saddle_solve(s->saddle, p->c, p->x, p->y);
  pc_alpha_add_smooth(s, p->x, p->count, p->row, p->y);
  return PC_OK;
}

/* ---- positions --------------------------------------------------------------------------- */

pc_row pc_alpha_position_row(pc_alpha* s, const pc_terms* terms, int r)
{
  pc_row row = terms->row[r];
  if (!s->matrix.curvature || pc_system_plain_kinematics(s->model.system)) return row;
  pc_stage_motion motion = pc_alpha_curvature_motion(s->matrix.curvature);
  double* turned = s->problem.turned[r];
  memset(turned, 0, (size_t)pc_alpha_row_width(row) * sizeof *turned);
  pc_terms_add_position_row(terms, r, &motion, 1, turned);
  row.w = turned;
  return row;
}

/* Row r as a constraint whose force is along W_r. */
static void add_row(pc_alpha* s, int r, pc_row measure, double c)
{
  pc_alpha_problem* p = &s->problem;
  int i = p->count++;
  p->row[i] = r;
  p->force[i] = s->matrix.between->row[r];
  p->measure[i] = measure;
  p->c[i] = c;
}

/* g + W T (U - U of the iterate) = 0; the force is along W at the start of the step in (73a) */
static void add_position_row(pc_alpha* s, int r)
{
  pc_row turned = pc_alpha_position_row(s, s->matrix.between, r);
  add_row(s, r, turned, pc_row_dot(turned, s->x.U) - s->matrix.between->y[r]);
  if (s->ggl.start) s->problem.force[s->problem.count - 1] = s->ggl.start->row[r];
}

static int halve(pc_alpha* s, int first, int end)
{
  int any = 0;
  for (int r = first; r < end; r++) {
    s->x.nu[r] = s->step.dt / 2 * s->x.Lambda[r];
    any |= s->x.nu[r] != 0;
  }
  return any;
}

int pc_alpha_impulses_on_positions(pc_alpha* s)
{
  const pc_alpha_model* m = &s->model;
  int any = pc_alpha_joints_move_positions(m) ? halve(s, m->g, m->bilateral) : 0;
  for (int k = 0; pc_alpha_friction_moves_positions(m) && k < m->contacts; k++) {
    const pc_contact_info* c = &m->contact[k];
    any |= halve(s, c->row + 1, c->row + 1 + c->dimension);
  }
  return any;
}

/* U := W' nu of those rows, M U to be; nu of the others is zero. */
static void begin_positions(pc_alpha* s)
{
  pc_zero(s->model.rows, s->x.nu);
  pc_zero(s->model.n_u, s->x.U);
  if (!pc_alpha_impulses_on_positions(s)) return;
  for (int r = 0; r < s->model.rows; r++)
    if (s->x.nu[r] != 0) pc_row_add(s->matrix.between->row[r], s->x.nu[r], s->x.U);
}

/* x := M^-1 (x + W' y), with y to `force` of the rows. */
static void solve_total(pc_alpha* s, double* x, double* force)
{
  pc_alpha_problem* p = &s->problem;
  pc_alpha_saddle_solve(s->saddle, p->c, x, p->y);
  for (int i = 0; i < p->count; i++) force[p->row[i]] = p->y[i];
}

pc_status pc_alpha_position_level(pc_alpha* s, pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  pc_alpha_evaluate_rows(&s->matrix, m, &s->step, &s->x, 1);
  s->problem.count = 0;
  for (int r = 0; r < m->g; r++) add_position_row(s, r);
  for (int k = 0; k < m->contacts; k++)
    if (s->set.level[k] >= PC_ALPHA_A) add_position_row(s, m->contact[k].row);
  PC_TRY(factor(s, pc_alpha_operator_of(s->ggl.unity ? s->ggl.unity : s->matrix.mass), error));
  begin_positions(s);
  solve_total(s, s->x.U, s->x.nu);
  s->problem.held_positions = pc_system_plain_kinematics(m->system) ? s->problem.count : -1;
  return PC_OK;
}

/* ---- velocities -------------------------------------------------------------------------- */

/* Whether the velocity level holds the rows that the position level held: B is part of A, and only
 * constraints of position are in the latter. */
static int has_rows_of_positions(const pc_alpha* s)
{
  return s->problem.held_positions == s->problem.count && s->model.bilateral == s->model.g;
}

static void add_velocity_row(pc_alpha* s, int r, double e)
{
  const pc_terms* t = s->matrix.between;
  add_row(s, r, t->row[r], -pc_terms_row_velocity(t, r, s->x.smooth) - e * s->step.before[r]);
}

/* The position of the last level is often the same but for the last digits. */
pc_status pc_alpha_velocity_level(pc_alpha* s, pc_step_info* info, pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  if (pc_alpha_evaluate_rows(&s->matrix, m, &s->step, &s->x, !m->form.position))
    s->problem.held_positions = -1;
  if (m->has_friction) return pc_alpha_friction_level(s, info, error);
  s->problem.count = 0;
  for (int r = 0; r < m->bilateral; r++) add_velocity_row(s, r, 0);
  for (int k = 0; k < m->contacts; k++)
    if (s->set.level[k] >= PC_ALPHA_B) add_velocity_row(s, m->contact[k].row, m->contact[k].e_N);
  if (!has_rows_of_positions(s)) PC_TRY(factor(s, pc_alpha_operator_of(s->matrix.mass), error));
  pc_zero(m->n_u, s->x.jump);
  pc_zero(m->rows, s->x.Lambda);
  solve_total(s, s->x.jump, s->x.Lambda);
  return PC_OK;
}
