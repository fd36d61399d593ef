#include "schemes/variational.h"

#include <math.h>

#include "base/larger.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "steps/consistent_start.h"
#include "steps/restitution.h"
#include "steps/step_end.h"

int pc_variational_memory(const void* scheme)
{
  const pc_variational* v = scheme;
  return v->n * v->n_u + v->s * v->rows + 2 * v->s * v->contacts;
}

static pc_memory_layout memory_layout(const void* scheme)
{
  const pc_variational* v = scheme;
  int plain = pc_variational_memory(v) - v->s * v->rows - 2 * v->s * v->contacts;
  return (pc_memory_layout){plain, v->s, 2 * v->s};
}

/* Behind w and the percussions: the memory of both engines, there and back. */
static void recall_engines(pc_variational* v)
{
  const double* r = v->step.state->memory + v->n * v->n_u + v->s * v->rows;
  pc_copy(2 * v->m * v->contacts, r, pc_implicit_step_memory(v->positions.engine));
  r += 2 * v->m * v->contacts;
  pc_copy(2 * v->contacts, r, pc_implicit_step_memory(v->velocities.engine));
}

static void remember_engines(pc_variational* v, double* memory)
{
  double* r = memory + v->n * v->n_u + v->s * v->rows;
  pc_copy(2 * v->m * v->contacts, pc_implicit_step_memory(v->positions.engine), r);
  r += 2 * v->m * v->contacts;
  pc_copy(2 * v->contacts, pc_implicit_step_memory(v->velocities.engine), r);
}

/* w, P_1 and P_2 as the forces at the start would make them, RATTLE (54), (55). Where there are
 * none that fit (an impact is due, or friction admits no solution) the guess is zero: it is a
 * guess. */
pc_status pc_variational_start(void* scheme, pc_state* state, double dt, pc_error* error)
{
  pc_variational* v = scheme;
  pc_consistent_start* start;
  pc_solver_info info;
  PC_TRY(pc_consistent_start_create(v->system, v->settings.solver, &start, error));
  double *a = v->velocities.jump, *lambda = v->velocities.P;
  pc_status status =
      pc_consistent_start_solve(start, state->t, state->q, state->u, a, lambda, &info, NULL);
  pc_consistent_start_destroy(start);
  double scale = status == PC_OK ? dt : 0;
  double *w = state->memory, *P = w + v->n * v->n_u;
  const double* share = v->form.momentum ? v->tableau->c : v->tableau->b;
  for (int j = 0; j < v->n; j++)
    for (int i = 0; i < v->n_u; i++)
      w[j * v->n_u + i] = v->form.paper_start ? state->u[i] : scale * share[j] * a[i];
  for (int j = 0; j < v->s; j++)
    for (int r = 0; r < v->rows; r++) P[j * v->rows + r] = scale * v->tableau->b[j] * lambda[r];
  pc_zero(2 * v->s * v->contacts, P + v->s * v->rows);
  return PC_OK;
}

/* Rows at (t, q). The end of a step is the start of the next: what is there is kept (keep_end). */
static void evaluate_rows(pc_variational* v, double t, const double* q)
{
  if (t == v->start.t && pc_same(v->n_q, q, v->start.q)) return;
  pc_terms_evaluate(v->start.terms, &(pc_at){t, q, NULL, NULL});
  pc_copy(v->n_q, q, v->start.q);
  v->start.t = t;
}

const pc_terms* pc_variational_rows(void* scheme, const pc_state* state)
{
  pc_variational* v = scheme;
  evaluate_rows(v, state->t, state->q);
  pc_terms_complete(v->start.terms);
  return v->start.terms;
}

/* The terms at the start of the step, and the velocities y'(-) of all rows. */
static void evaluate_start(pc_variational* v)
{
  const pc_state* state = v->step.state;
  evaluate_rows(v, state->t, state->q);
  v->start.has_p = !(v->form.provides & PC_TERM_H_U);
  if (v->start.has_p) /* else they are evaluated with V, in every iteration */
    pc_terms_evaluate(v->terms[0], &(pc_at){state->t, state->q, state->u, v->zero});
  if (v->start.has_p && v->form.momentum) pc_copy(v->n_u, v->terms[0]->p, v->start.p);
  for (int r = 0; r < v->rows; r++)
    v->laws.before[r] = pc_terms_row_velocity(v->start.terms, r, state->u);
  if (v->form.has_restitution_above)
    pc_restitution_above(v->system, v->settings.restitution_above, v->laws.before);
}

/* Whether a percussion changes no velocity of its bodies by more than `still` [m/s]; with
 * the row at the start of the step, as those of the stages are not known yet. */
static int is_still(const pc_variational* v, int row, double P, double still)
{
  pc_row gradient = pc_terms_row(v->start.terms, row);
  const double *w = gradient.w, *inverse = v->limits.measure.inverse;
  for (int b = 0; b < gradient.block_count; b++)
    for (int i = gradient.block[b].first, end = i + gradient.block[b].width; i < end; i++)
      if (pc_lengths_of_u(&v->limits.measure.lengths, i) * fabs(*w++ * P) * inverse[i] *
              inverse[i] >
          still)
        return 0;
  return 1;
}

/* Increments that move no coordinate are none: at rest w is what round-off has left of it, and
 * would add up. Neither are percussions of contacts that do no more. */
static void drop_round_off(const pc_variational* v, double* w, double* P)
{
  const pc_lengths* lengths = &v->limits.measure.lengths;
  double still = pc_position_round_off(&v->limits.measure, v->step.state->q) / v->step.dt;
  for (int i = 0; i < v->n * v->n_u; i++)
    if (pc_lengths_of_u(lengths, i % v->n_u) * fabs(w[i]) <= still) w[i] = 0;
  if (!v->limits.scaled) return;
  for (int j = 0; j < v->m; j++)
    for (int r = v->bilateral, l = j * v->rows + r; r < v->rows; r++, l++)
      if (P[l] != 0 && is_still(v, r, P[l], still)) P[l] = 0;
}

/* Contacts that have lost their friction since the last step. */
static void drop_friction(const pc_variational* v, double* P)
{
  for (int k = 0; k < v->contacts; k++)
    for (int r = v->velocities.cone[k].row + 1;
         v->velocities.cone[k].dimension == 0 && r < v->rows && v->laws.contact_of[r] == k; r++)
      P[r] = 0;
}

/* The first iterate of stage 1: w and P of the last step, or free motion without forces. */
static void guess(pc_variational* v, int warm)
{
  const double *w = v->step.state->memory, *P = w + v->n * v->n_u;
  for (int i = 0; i < v->n * v->n_u; i++)
    v->positions.w[i] = !warm                 ? 0
                        : v->form.paper_start ? w[i] - v->step.state->u[i % v->n_u]
                                              : w[i];
  if (warm)
    pc_copy(v->m * v->rows, P, v->positions.P);
  else
    pc_zero(v->m * v->rows, v->positions.P);
  for (int j = 0; j < v->m; j++) drop_friction(v, v->positions.P + j * v->rows);
  pc_stage_kinematics_begin(v->motion, v->step.t, v->step.dt, v->step.state->q);
  v->motion->t[v->m] = pc_step_end(v->step.state, v->step.dt);
  if (v->form.paper_start) return;
  drop_round_off(v, v->positions.w, v->positions.P);
  pc_stage_kinematics_predict(v->motion, v->step.state->u, v->positions.w);
}

static pc_status try_positions(pc_variational* v, int warm, pc_implicit_info* solved,
                               pc_error* error)
{
  guess(v, warm);
  pc_begin_positions(v);
  return pc_implicit_step_solve(v->positions.engine, &v->positions.problem, v->positions.P, solved,
                                error);
}

/* The contacts to which the impact law (56) applies: those that stage 1 has closed. The paper asks
 * for the end of the step alone, (67). But a contact can close at a stage within the step and be
 * open at its end; (56) then takes back the percussion that has stopped it, the impact comes late,
 * and where a step repeats itself it never comes. So a contact that was closed at any stage counts,
 * unless the settings ask for (67), and so does a gap that is zero but for round-off. */
static int note_closed(pc_variational* v)
{
  int count = 0;
  for (int k = 0; k < v->contacts; k++) {
    int paper = v->settings.variational.active_set == PC_ACTIVE_SET_PAPER;
    int first = paper ? v->m - 1 : 0;
    double gap = v->terms[v->m]->y[v->velocities.cone[k].row];
    v->laws.closed[k] = !paper && gap <= v->limits.activation;
    for (int j = first; j < v->m; j++)
      v->laws.closed[k] |=
          (unsigned char)pc_implicit_step_is_closed(v->positions.engine, j * v->contacts + k);
    count += v->laws.closed[k];
  }
  return count;
}

/* Violations of the discrete impact and friction laws at the end, contact by contact. */
static void note_violations(pc_variational* v, pc_step_info* info)
{
  const pc_terms* end = v->terms[v->m];
  double* xi = v->positions.gradient; /* space for a contact */
  info->impact_residual = info->friction_residual = 0;
  for (int k = 0; k < v->contacts; k++) {
    pc_cone cone = v->velocities.cone[k];
    double *impact = &v->laws.impact[k], *friction = &v->laws.friction[k];
    *impact = *friction = 0;
    if (!v->laws.closed[k]) continue;
    double P[4];
    for (int i = 0; i <= cone.dimension; i++) {
      int r = cone.row + i;
      xi[i] = pc_terms_row_velocity(end, r, v->velocities.u) + v->laws.e[r] * v->laws.before[r];
      P[i] = v->velocities.P[r];
    }
    cone.row = 0;
    *impact = pc_implicit_step_normal_violation(v->velocities.engine, &cone, k, xi, P);
    *friction = pc_implicit_step_friction_violation(v->velocities.engine, &cone, k, xi, P);
    info->impact_residual = pc_larger(info->impact_residual, *impact);
    info->friction_residual = pc_larger(info->friction_residual, *friction);
  }
  info->impact_law = v->laws.impact;
  info->friction_law = v->laws.friction;
}

/* sum_i b_i dt f_i . V_i */
static double work(const pc_variational* v)
{
  double sum = 0;
  if (!(v->form.provides & PC_TERM_F)) return 0;
  for (int i = 0; i < v->s; i++)
    for (int j = 0; j < v->n_u; j++)
      sum += v->tableau->b[i] * v->step.dt * v->terms[i]->f[j] * v->motion->V[i * v->n_u + j];
  return sum;
}

/* The terms at the end of the step, which is over, become those at the start of the next. */
static void keep_end(pc_variational* v)
{
  pc_terms* end = v->terms[v->m];
  v->terms[v->m] = v->start.terms;
  v->start.terms = end;
  v->start.t = v->motion->t[v->m];
  pc_copy(v->n_q, v->motion->Q + v->m * v->n_q, v->start.q);
}

static void commit(pc_variational* v, pc_state* state)
{
  double *w = state->memory, *P = w + v->n * v->n_u;
  for (int i = 0; i < v->n * v->n_u; i++)
    w[i] = v->form.paper_start ? v->motion->V[i] : v->positions.w[i];
  pc_copy(v->m * v->rows, v->positions.P, P);
  for (int r = 0; r < v->rows; r++)
    P[v->m * v->rows + r] = v->velocities.P[r] - v->velocities.P_sum[r];
  remember_engines(v, w);
  pc_copy(v->n_q, v->motion->Q + v->m * v->n_q, state->q);
  pc_copy(v->n_u, v->velocities.u, state->u);
  pc_copy(v->rows, v->velocities.P, state->P);
}

/* A stage that did not converge: a note if it is good enough, or if the user said so; else an
 * error. */
static pc_status judge(const pc_variational* v, const char* stage, const pc_implicit_info* solved,
                       pc_step_info* info, pc_error* error)
{
  info->residual = pc_larger(info->residual, solved->residual);
  if (solved->converged) return PC_OK;
  info->inaccurate = 1;
  info->inaccuracy = pc_larger(info->inaccuracy, solved->left);
  if (solved->accepted) return PC_OK;
  if (v->settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    info->inaccuracy = 1; /* how much is left is not known: it may be all */
    return PC_OK;
  }
  return pc_fail(error, PC_NOT_CONVERGED,
                 "%s stopped after %d iterations with a residual of %.3g; try a smaller dt "
                 "or a larger --tol",
                 stage, solved->iterations, solved->residual);
}

/* The end of the step to round-off, where coordinates have kinematics of their own. */
static void correct_positions(pc_variational* v)
{
  const pc_stage_kinematics* k = v->motion;
  int m = v->m;
  if (!pc_stage_kinematics_correct(v->motion, v->step.state->u, v->positions.w)) return;
  pc_terms_evaluate(v->terms[m], &(pc_at){k->t[m], k->Q + m * v->n_q, k->V + m * v->n_u, v->zero});
}

/* u_1 and, unless it is V_s, the increment of the stage before once more, in proportion to the
 * weights. */
static double extrapolated(const pc_variational* v, int i)
{
  int last = v->m - 1;
  if (v->form.momentum) return v->velocities.u_1[i];
  return v->velocities.u_1[i] +
         v->tableau->b[v->m] / v->tableau->b[last] * v->positions.w[last * v->n_u + i];
}

/* Whether the velocities of a body change in the step by no more than the tolerance of what its
 * forces would do. */
static int is_balanced(const pc_variational* v, int body)
{
  const pc_measure* measure = &v->limits.measure;
  double change = 0, impulse = 0;
  for (int i = measure->first[body]; i < measure->first[body + 1]; i++) {
    change = pc_larger(change, measure->root[i] * fabs(v->velocities.u[i] - v->step.state->u[i]));
    impulse = pc_larger(impulse, measure->inverse[i] * fabs(v->step.dt * v->terms[v->m]->h[i]));
  }
  return change <= v->settings.tolerance * impulse;
}

/* The first iterate of stage 2: u_n, as the paper has it, or an extrapolation, but at rest, where
 * it would be round-off. */
static void guess_velocity(pc_variational* v)
{
  const int* first = v->limits.measure.first;
  for (int i = 0; i < v->n_u; i++)
    v->velocities.u[i] = v->form.paper_start ? v->step.state->u[i] : extrapolated(v, i);
  for (int b = 0; !v->form.paper_start && b < v->limits.measure.body_count; b++)
    if (is_balanced(v, b))
      pc_copy(first[b + 1] - first[b], v->step.state->u + first[b], v->velocities.u + first[b]);
}

static pc_status try_velocities(pc_variational* v, int warm, pc_implicit_info* solved,
                                pc_error* error)
{
  const double* P_2 = v->step.state->memory + v->n * v->n_u + v->m * v->rows;
  pc_begin_velocities(v);
  guess_velocity(v);
  for (int r = 0; r < v->rows; r++) v->velocities.P[r] = warm ? v->velocities.P_sum[r] + P_2[r] : 0;
  drop_friction(v, v->velocities.P);
  return pc_implicit_step_solve(v->velocities.engine, &v->velocities.problem, v->velocities.P,
                                solved, error);
}

typedef pc_status (*stage_attempt)(pc_variational* v, int warm, pc_implicit_info* solved,
                                   pc_error* error);

/* In a crowd of contacts the forces of the last step can be a bad guess, from which the iteration
 * diverges: then it begins once more without them. */
static pc_status solve(pc_variational* v, stage_attempt attempt, pc_implicit_info* solved,
                       pc_error* error)
{
  pc_status status = attempt(v, 1, solved, error);
  int diverged = status == PC_NOT_FINITE || status == PC_SINGULAR;
  if (v->contacts == 0 || (!diverged && (status != PC_OK || solved->accepted))) return status;
  int before = solved->iterations;
  recall_engines(v);
  PC_TRY(attempt(v, 0, solved, error));
  solved->iterations += before;
  return PC_OK;
}

pc_status pc_variational_step(void* scheme, pc_state* state, double dt, pc_step_info* info,
                              pc_error* error)
{
  pc_variational* v = scheme;
  pc_implicit_info solved;
  if (dt != v->step.dt) v->positions.factored = 0;
  v->step.state = state;
  evaluate_start(v);
  v->step.t = state->t;
  v->step.dt = dt;
  info->residual = info->solver_residual = 0;
  info->inaccurate = 0;

  recall_engines(v);
  PC_TRY(solve(v, try_positions, &solved, error));
  info->iterations[0] = solved.iterations;
  PC_TRY(judge(v, "stage 1 (positions)", &solved, info, error));
  correct_positions(v);
  info->active_contacts = note_closed(v);

  PC_TRY(solve(v, try_velocities, &solved, error));
  info->iterations[1] = solved.iterations;
  PC_TRY(judge(v, "stage 2 (velocities)", &solved, info, error));

  note_violations(v, info);
  info->work = work(v);
  commit(v, state);
  keep_end(v);
  return PC_OK;
}

/* ---- the two schemes ---------------------------------------------------------------------- */

static pc_status create_rattle(const pc_system* system, const pc_scheme_settings* settings,
                               void** scheme, pc_error* error)
{
  return pc_variational_create(
      system, settings, 2, !pc_is_scaled(settings),
      settings->variational.form == PC_FORM_MOMENTUM ? PC_FORM_MOMENTUM : PC_FORM_VELOCITY, scheme,
      error);
}

static pc_status create_lobatto(const pc_system* system, const pc_scheme_settings* settings,
                                void** scheme, pc_error* error)
{
  return pc_variational_create(
      system, settings, settings->variational.stages, 0,
      settings->variational.form == PC_FORM_VELOCITY ? PC_FORM_VELOCITY : PC_FORM_MOMENTUM, scheme,
      error);
}

void pc_variational_set_friction(pc_variational* v, int k, double mu)
{
  int dimension = 0, row = v->velocities.cone[k].row;
  for (int r = row + 1; mu != 0 && r < v->rows && v->laws.contact_of[r] == k; r++) dimension++;
  if (v->settings.frictionless) dimension = 0;
  v->velocities.cone[k] = (pc_cone){row, dimension, mu};
  for (int j = 0; j < v->m; j++)
    v->positions.cone[j * v->contacts + k] = (pc_cone){j * v->rows + row, dimension, mu};
}

static void set_friction(void* scheme, const double* mu)
{
  pc_variational* v = scheme;
  for (int k = 0; k < v->contacts; k++) pc_variational_set_friction(v, k, mu[k]);
}

/* Both laws of RATTLE are those of the gaps q_n+1. */
static pc_choice rattle_chooses(const void* scheme)
{
  (void)scheme;
  return PC_CHOOSES_AT_END;
}

const pc_scheme_ops pc_rattle = {
    .name = "rattle",
    .summary = "nonsmooth RATTLE: no penetration, order 2 in closed contact (Breuling et al.)",
    .phase_count = 2,
    .phase = {"stage1", "stage2"},
    .explicit_forces = PC_EXPLICIT_POSITIONS,
    .create = create_rattle,
    .destroy = pc_variational_destroy,
    .memory_count = pc_variational_memory,
    .memory_layout = memory_layout,
    .start = pc_variational_start,
    .step = pc_variational_step,
    .refit = pc_variational_refit,
    .chooses = rattle_chooses,
    .set_friction = set_friction,
    .rows = pc_variational_rows,
};

const pc_scheme_ops pc_lobatto = {
    .name = "lobatto",
    .summary = "Lobatto IIIA-IIIB, s stages: order 2s - 2 in closed contact (Capobianco et al.)",
    .phase_count = 2,
    .phase = {"stage1", "stage2"},
    .explicit_forces = PC_EXPLICIT_POSITIONS,
    .create = create_lobatto,
    .destroy = pc_variational_destroy,
    .memory_count = pc_variational_memory,
    .memory_layout = memory_layout,
    .start = pc_variational_start,
    .step = pc_variational_step,
    .refit = pc_variational_refit,
    .set_friction = set_friction,
    .rows = pc_variational_rows,
};
