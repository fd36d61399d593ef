/* A sweep in which each level has the laws of its contacts, instead of active sets.
 *
 * Where the sets of the semismooth iteration cycle, or where friction makes the equations of a set
 * are infeasible together, the linearised level goes to a contact solver (Josephy and Newton). The
 * levels follow each other without a circle: with the impulses of this step alone, nu + dq_dv
 * lambda and P = Lambda + du_dv lambda, the position and the velocity level do not depend on lambda
 * of the contacts; positions say which contacts the velocity level has (A), velocities which the
 * smooth motion has (B).
 *
 *     0 <= g_N      _|_  nu_N + dq_dv lambda_N >= 0      contacts that could close
 *     0 <= xi_N     _|_  P_N >= 0, and friction          contacts in A
 *     0 <= g_N''    _|_  lambda_N >= 0, and friction     contacts in B
 *
 * Friction in the smooth motion is Coulomb's law on accelerations where a contact does not slip,
 * and lambda_F = -mu lambda_N t where it does. Where that has no solution (Painleve), the smooth
 * motion does without contact forces, as it may: the impulses then have all of them. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/generalized_alpha/alpha.h"

static void note_solver(const pc_solver_info* solver, pc_step_info* info)
{
  info->iterations[1] += solver->iterations;
  for (int m = 0; m < PC_METHOD_COUNT; m++) info->answered[m] += solver->answered[m];
}

/* ---- positions --------------------------------------------------------------------------- */

/* Newton iterations of the position level in one sweep. */
enum { POSITION_ITERATIONS = 10 };

static int could_close(const pc_alpha* s, int k)
{
  return s->set.level[k] >= PC_ALPHA_A || !(s->matrix.terms->y[s->model.contact[k].row] > 0);
}

static void add_position_row(pc_alpha* s, int r)
{
  pc_alpha_problem* p = &s->problem;
  int i = p->count++;
  p->row[i] = r;
  p->force[i] = s->matrix.terms->row[r];
  p->measure[i] = pc_alpha_position_row(s, s->matrix.terms, r);
  p->c[i] = -s->matrix.terms->y[r];
}

/* The total nu_N + dq_dv lambda_N of a contact, and nu_N from it. */
static double total_nu(const pc_alpha* s, int r)
{
  return s->x.nu[r] + s->step.dq_dv * s->x.lambda[r];
}

static void collect_positions(pc_alpha* s)
{
  pc_alpha_problem* p = &s->problem;
  p->count = 0;
  p->held_positions = -1;
  pc_alpha_contact_problem_begin(&s->contacts);
  for (int r = 0; r < s->model.g; r++) add_position_row(s, r);
  for (int k = 0; k < s->model.contacts; k++) {
    int r = s->model.contact[k].row;
    if (!could_close(s, k)) continue;
    pc_alpha_contact_problem_add(&s->contacts, k, p->count, 0);
    p->y[p->count] = total_nu(s, r);
    add_position_row(s, r);
  }
}

/* x := what (65d) leaves without the contacts' totals. */
static void free_positions(pc_alpha* s)
{
  const pc_terms* t = s->matrix.terms;
  double* x = s->problem.x;
  pc_zero(s->model.n_u, x);
  pc_terms_add_M_times(t, s->x.U, x);
  for (int i = 0; i < s->model.n_u; i++) x[i] = -x[i];
  for (int r = 0; r < s->model.rows; r++)
    if (s->x.nu[r] != 0) pc_row_add(t->row[r], s->x.nu[r], x);
  for (int i = 0; i < s->contacts.count; i++) {
    int r = s->model.contact[s->contacts.contact[i].k].row;
    pc_row_add(t->row[r], -total_nu(s, r), x);
  }
}

/* U += x, nu from the forces, the set A; returns the largest change of U [m]. */
static double take_positions(pc_alpha* s)
{
  const pc_alpha_problem* p = &s->problem;
  double most = pc_lengths_speed(&s->balance.velocities.lengths, p->x);
  for (int i = 0; i < s->model.n_u; i++) s->x.U[i] += p->x[i];
  for (int i = 0; i < s->model.g; i++) s->x.nu[p->row[i]] += p->y[i];
  for (int i = 0; i < s->contacts.count; i++) {
    int k = s->contacts.contact[i].k, r = s->model.contact[k].row, at = s->model.g + i;
    double gap = pc_row_dot(p->measure[at], p->x) - p->c[at];
    s->x.nu[r] = p->y[at] - s->step.dq_dv * s->x.lambda[r];
    int closed = p->y[at] > 0 || pc_alpha_gap_closes(s, r, gap);
    s->set.level[k] = closed ? (unsigned char)PC_ALPHA_A : (unsigned char)PC_ALPHA_OPEN;
  }
  return most;
}

/* What is no motion beside the path of the step, or round-off of the positions. */
static double least_path(const pc_alpha* s)
{
  const pc_measure* m = &s->balance.velocities;
  double path = pc_lengths_speed(&m->lengths, s->x.d);
  return pc_larger(s->model.settings.tolerance * path, pc_position_round_off(m, s->x.q));
}

static pc_status position_level(pc_alpha* s, const pc_state* state, pc_step_info* info,
                                pc_error* error)
{
  pc_alpha_impulses_on_positions(s);
  for (int n = 0; n < POSITION_ITERATIONS; n++) {
    pc_at at = {s->step.t, s->x.q, s->x.u, s->x.U};
    pc_solver_info solver;
    pc_alpha_operator A;
    PC_TRY(
        pc_alpha_factor_positions(&s->matrix, &s->model, state, &s->step, &s->x, &at, &A, error));
    collect_positions(s);
    free_positions(s);
    PC_TRY(
        pc_alpha_contact_problem_solve(&s->contacts, A, &s->problem, s->model.g, &solver, error));
    note_solver(&solver, info);
    double moved = take_positions(s);
    pc_alpha_locate(&s->model, state, &s->step, &s->x);
    if (!(moved > least_path(s))) break;
  }
  return PC_OK;
}

/* ---- velocities -------------------------------------------------------------------------- */

/* The velocity level by its contact problem, and the set B; forces of contacts that are not in it
 * end. */
static pc_status velocity_level(pc_alpha* s, pc_step_info* info, pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  pc_alpha_evaluate_rows(&s->matrix, m, &s->step, &s->x, 1);
  s->problem.held_positions = -1;
  PC_TRY(pc_alpha_friction_level(s, info, error));
  for (int k = 0; k < m->contacts; k++) {
    const pc_contact_info* c = &m->contact[k];
    if (s->set.level[k] == PC_ALPHA_OPEN) continue;
    double P = s->laws.P[c->row], xi = pc_terms_row_velocity(s->matrix.between, c->row, s->laws.u) +
                                       c->e_N * s->step.before[c->row];
    int closed = P > 0 || pc_alpha_velocity_closes(s, c->row, xi);
    if (closed) s->set.level[k] = s->set.smooth[k] ? PC_ALPHA_S : PC_ALPHA_B;
  }
  return PC_OK;
}

/* lambda of contacts that are not closed in velocity is zero. */
static void end_forces(pc_alpha* s)
{
  for (int k = 0; k < s->model.contacts; k++) {
    const pc_contact_info* c = &s->model.contact[k];
    for (int r = c->row; s->set.level[k] < PC_ALPHA_S && r <= c->row + c->dimension; r++)
      s->x.lambda[r] = 0;
  }
}

/* ---- accelerations ----------------------------------------------------------------------- */

/* x := what (65a) leaves without the contacts' forces. */
static void free_accelerations(pc_alpha* s)
{
  double* x = s->problem.x;
  for (int i = 0; i < s->model.n_u; i++) x[i] = -s->balance.residual[i];
  for (int r = s->model.bilateral; r < s->model.rows; r++)
    if (s->x.lambda[r] != 0) pc_row_add(s->matrix.terms->row[r], -s->x.lambda[r], x);
}

/* v' += x, lambda from the forces, and which contacts are closed in the smooth motion. */
static void take_accelerations(pc_alpha* s, int joints)
{
  const pc_alpha_model* m = &s->model;
  const pc_alpha_problem* p = &s->problem;
  for (int i = 0; i < m->n_u; i++) s->x.v_dot[i] += p->x[i];
  for (int i = 0; i < joints; i++) s->x.lambda[p->row[i]] += p->y[i];
  for (int r = m->bilateral; r < m->rows; r++) s->x.lambda[r] = 0;
  for (int i = 0; i < s->contacts.count; i++) {
    int k = s->contacts.contact[i].k, first = s->contacts.contact[i].first;
    const pc_contact_info* c = &m->contact[k];
    const double* P = p->y + first;
    s->set.smooth[k] = P[0] > 0;
    s->set.level[k] = P[0] > 0 ? PC_ALPHA_S : PC_ALPHA_B;
    for (int d = 0; d <= c->dimension; d++)
      s->x.lambda[c->row + d] = d == 0 ? P[0]
                                : s->set.friction[k] == PC_CONTACT_SLIP
                                    ? s->set.ratio[c->row + d] * P[0]
                                    : P[d];
  }
}

static pc_status solve_smooth(pc_alpha* s, const pc_at* at, int* joints, pc_solver_info* solver,
                              pc_step_info* info, pc_error* error)
{
  pc_alpha_operator A = pc_alpha_matrix(&s->matrix, &s->model);
  *joints = pc_alpha_collect_smooth_laws(s, at);
  free_accelerations(s);
  PC_TRY(pc_alpha_contact_problem_solve(&s->contacts, A, &s->problem, *joints, solver, error));
  note_solver(solver, info);
  return PC_OK;
}

static pc_status smooth_level(pc_alpha* s, const pc_at* at, pc_step_info* info, pc_error* error)
{
  pc_solver_info solver;
  int joints;
  PC_TRY(solve_smooth(s, at, &joints, &solver, info, error));
  if (!solver.accepted) { /* the smooth motion does without contacts from here on */
    s->set.no_smooth_contacts = 1;
    PC_TRY(solve_smooth(s, at, &joints, &solver, info, error));
  }
  memset(s->set.smooth, 0, (size_t)s->model.contacts * sizeof *s->set.smooth);
  take_accelerations(s, joints);
  return PC_OK;
}

pc_status pc_alpha_smooth_laws(pc_alpha* s, const pc_at* at, pc_step_info* info, pc_error* error)
{
  pc_solver_info solver;
  int joints;
  PC_TRY(solve_smooth(s, at, &joints, &solver, info, error));
  if (!solver.accepted)
    return pc_fail(error, PC_NOT_CONVERGED, "the contacts' accelerations were not found");
  take_accelerations(s, joints);
  return PC_OK;
}

/* ---- the sweep --------------------------------------------------------------------------- */

void pc_alpha_begin_laws(pc_alpha* s)
{
  for (int k = 0; k < s->model.contacts; k++) {
    s->set.smooth[k] = s->x.lambda[s->model.contact[k].row] > 0;
    s->set.level[k] = s->set.smooth[k] ? PC_ALPHA_S : PC_ALPHA_OPEN;
  }
}

/* Friction in the smooth motion moves positions by dt^2 beta s lambda_F, and a contact that closes
 * or opens for that may change the friction: a circle that a crowd of contacts can go round. After
 * so many sweeps the smooth motion does without contacts in this step; after fewer, where the
 * contact problem of the velocities is so hard that it was not solved to its tolerance. */
enum { SMOOTH_CONTACTS_MAX = 6, HARD_SMOOTH_CONTACTS_MAX = 2 };

pc_status pc_alpha_law_sweep(pc_alpha* s, const pc_state* state, const pc_at* at, int iteration,
                             pc_step_info* info, pc_error* error)
{
  int most = info->inaccurate ? HARD_SMOOTH_CONTACTS_MAX : SMOOTH_CONTACTS_MAX;
  if (iteration >= most && !s->set.no_smooth_contacts) {
    s->set.no_smooth_contacts = 1;
    pc_alpha_note_change(s);
  }
  if (iteration > 0) PC_TRY(smooth_level(s, at, info, error));
  pc_alpha_locate(&s->model, state, &s->step, &s->x);
  PC_TRY(position_level(s, state, info, error));
  PC_TRY(velocity_level(s, info, error));
  end_forces(s);
  pc_alpha_impulses_on_positions(s);
  return PC_OK;
}
