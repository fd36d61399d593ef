/* The Schatzman-Paoli scheme, theta version: Acary (20)-(22).
 *
 *     M(q_k+1) (q_k+1 - 2 q_k + q_k-1) - h^2 F(t_theta, q_theta, v_theta) = G p           (20a)
 *     0 <= g(q_e)  _|_  p >= 0,     q_e = (q_k+1 + e q_k-1) / (1 + e)                      (22)
 *
 * written for the mean velocities of the steps, u_k = (q_k - q_k-1) / h:
 *
 *     M(q_k+1) (u_k+1 - u_k) - h F = G(q_e) P,     P = p / h                               (20a)
 *     q_k+1 = q_k + h u_k+1,     q_e = q_k + h (u_k+1 - e u_k) / (1 + e)
 *
 * so that P is a percussion in N s, and a change of h asks for nothing more. Joints are contacts
 * with e = 0 that hold in both directions.
 *
 * The velocity of the state and of F, by --velocity:
 *
 *     mean     u_k+1, which belongs to t_k + h/2, with v_k = (u_k + u_k+1) / 2 at t_k
 *              (20b, whose index is k): v_theta = (1/2 + theta) u_k+1 + (1/2 - theta) u_k
 *     central  (20b) to the letter, v_k+1 = (q_k+1 - q_k-1) / 2 h = (u_k + u_k+1) / 2, which
 *              belongs to t_k: v_theta = (1 - theta) v_k + theta v_k+1
 *
 * The memory of the scheme is u_k; at the start, where the state's u is the velocity v_0 at t = 0,
 * it is that of the step before: q_-1 = q_0 - h v_0 + h^2/2 a_0.
 *
 * The Newton iteration divides the linearised gap by h / (1 + e): a contact problem in velocities.
 * Its matrix has M at q_theta, with the derivatives of F. There is no friction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/scheme.h"
#include "steps/consistent_start.h"
#include "steps/contact_step.h"
#include "steps/measure.h"
#include "system/found.h"
#include "system/inspect.h"

/* Where gaps are taken: one q_e for each restitution in the system. */
typedef struct gap_point {
  double e;
  int is_used; /* there are joints or contacts whose gaps are taken there */
  pc_terms* terms;
} gap_point;

/* Where gaps are taken. */
typedef struct gap_points {
  gap_point* list; /* the first is q_k+1: the joints, and contacts with e = 0 */
  int count, capacity;
  int* of; /* for each contact */
} gap_points;

/* The iterate, and what is computed of it. */
typedef struct paoli_iterate {
  double *q, *q_theta, *q_e, *q_dot, *q_dot_before; /* n_q */
  double *u, *du, *v_theta, *r;                     /* n_u: iterate, right-hand side, residual */
} paoli_iterate;

typedef struct paoli_start {
  pc_terms* terms; /* M, h, W and the rows' accelerations at the initial state */
  double* lambda;  /* rows */
} paoli_start;

typedef struct schatzman_paoli {
  const pc_system* system;
  pc_scheme_settings settings;
  int friction_left_out; /* by the user */
  double dt;
  double factored_dt;   /* of the tangent, where it is constant; 0: none */
  int does_work;        /* there are forces f that no energy accounts for */
  int constant_tangent; /* so that a system without changes is factorised once */
  int n_q, n_u, rows, bilateral, contacts;
  pc_terms* motion; /* M, h and its derivatives at the theta point */
  pc_terms* mass;   /* M at q_k+1; `motion` where it is constant */
  gap_points points;
  size_t row_capacity, contact_capacity;
  pc_assembly* tangent;
  pc_contact_step* contact_step;
  paoli_start start;
  pc_terms laws; /* the rows of all points with chi of their own */
  pc_row* row;
  paoli_iterate at;
  double *P, *zero;   /* rows */
  double* forecast;   /* contacts: all are active */
  pc_measure measure; /* (20a) of the iterate */
} schatzman_paoli;

static void destroy(void* scheme)
{
  schatzman_paoli* s = scheme;
  if (!s) return;
  if (s->mass != s->motion) pc_terms_destroy(s->mass);
  pc_terms_destroy(s->motion);
  for (int i = 0; i < s->points.count; i++) pc_terms_destroy(s->points.list[i].terms);
  pc_assembly_destroy(s->tangent);
  pc_contact_step_destroy(s->contact_step);
  pc_terms_destroy(s->start.terms);
  pc_measure_clear(&s->measure);
  void* array[] = {s->points.list,  s->points.of, s->laws.chi,
                   s->row,          s->at.q,      s->at.q_theta,
                   s->at.q_e,       s->at.q_dot,  s->at.q_dot_before,
                   s->at.u,         s->at.du,     s->at.v_theta,
                   s->at.r,         s->P,         s->zero,
                   s->start.lambda, s->forecast};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(s);
}

static pc_status create_arrays(schatzman_paoli* s, pc_error* error)
{
  double** n_q[] = {&s->at.q, &s->at.q_theta, &s->at.q_e, &s->at.q_dot, &s->at.q_dot_before};
  double** n_u[] = {&s->at.u, &s->at.du, &s->at.v_theta, &s->at.r};
  int bad = 0;
  for (int i = 0; i < 5; i++) bad |= !(*n_q[i] = pc_alloc((size_t)s->n_q, sizeof(double)));
  for (int i = 0; i < 4; i++) bad |= !(*n_u[i] = pc_alloc((size_t)s->n_u, sizeof(double)));
  return bad ? pc_no_memory(error) : PC_OK;
}

/* The point for a restitution, one more if there is none yet. */
static pc_status find_point(schatzman_paoli* s, double e, int* index, pc_error* error)
{
  int i = 0;
  while (i < s->points.count && s->points.list[i].e != e) i++;
  *index = i;
  if (i < s->points.count) return PC_OK;
  if (pc_grow((void**)&s->points.list, &s->points.capacity, s->points.count,
              sizeof *s->points.list) != PC_OK)
    return pc_no_memory(error);
  s->points.list[s->points.count++] = (gap_point){.e = e};
  return pc_terms_create(s->system, PC_TERM_Y | PC_TERM_W, &s->points.list[i].terms, error);
}

/* The scheme has no friction law: friction is left out only on request. Nor does it know
 * speeds of approach. */
static pc_status refuse_laws(const pc_system* system, const pc_scheme_settings* settings, int first,
                             pc_error* error)
{
  for (int k = first; k < pc_system_contact_count(system); k++) {
    pc_contact_info c = pc_system_contact(system, k);
    if (c.e_above > 0)
      return pc_fail(error, PC_BAD_ARGUMENT,
                     "contact '%s': restitution above a speed is not possible with this scheme, "
                     "whose restitution acts on positions; use another scheme",
                     c.name);
    if (!settings->frictionless && c.dimension > 0 && c.mu > 0)
      return pc_fail(
          error, PC_BAD_ARGUMENT,
          "schatzman-paoli does not support friction, and contact '%s' has some (mu = %g): use "
          "another scheme, or --frictionless to leave it out",
          c.name, c.mu);
  }
  return PC_OK;
}

/* Arrays for all rows and contacts of the system, and the points of those from number `first`
 * on. */
static pc_status take_system(schatzman_paoli* s, int first, pc_error* error)
{
  const pc_array by_row[] = {PC_ARRAY(s->P), PC_ARRAY(s->zero), PC_ARRAY(s->start.lambda),
                             PC_ARRAY(s->laws.chi), PC_ARRAY(s->row)};
  const pc_array by_contact[] = {PC_ARRAY(s->forecast), PC_ARRAY(s->points.of)};
  s->rows = pc_system_row_count(s->system);
  s->contacts = pc_system_contact_count(s->system);
  if (pc_reserve_arrays(5, by_row, &s->row_capacity, (size_t)s->rows) != PC_OK ||
      pc_reserve_arrays(2, by_contact, &s->contact_capacity, (size_t)s->contacts) != PC_OK)
    return pc_no_memory(error);
  s->laws.row = s->row;
  s->points.list[0].is_used |= s->bilateral > 0;
  for (int k = first; k < s->contacts; k++) {
    PC_TRY(find_point(s, pc_system_contact(s->system, k).e_N, &s->points.of[k], error));
    s->points.list[s->points.of[k]].is_used = 1;
  }
  return PC_OK;
}

static pc_status create_parts(schatzman_paoli* s, pc_error* error)
{
  unsigned motion = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_F;
  PC_TRY(create_arrays(s, error));
  int end;
  PC_TRY(find_point(s, 0, &end, error)); /* q_k+1 is the first, whatever the contacts have */
  PC_TRY(take_system(s, 0, error));
  PC_TRY(pc_terms_create(s->system, motion, &s->motion, error));
  if (pc_system_constant(s->system) & PC_TERM_M)
    s->mass = s->motion;
  else
    PC_TRY(pc_terms_create(s->system, PC_TERM_M, &s->mass, error));
  PC_TRY(pc_measure_create(&s->measure, s->motion, &s->settings, error));
  PC_TRY(pc_system_create_tangent(s->system, &s->tangent, error));
  unsigned at_start = PC_TERM_M | PC_TERM_H | PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_ZETA;
  PC_TRY(pc_terms_create(s->system, at_start, &s->start.terms, error));
  return pc_contact_step_create(s->system, &s->settings, &s->contact_step, error);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  PC_TRY(refuse_laws(system, settings, 0, error));
  schatzman_paoli* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->settings = *settings;
  s->settings.frictionless = 1;
  s->friction_left_out = settings->frictionless;
  s->n_q = pc_system_q_count(system);
  s->n_u = pc_system_u_count(system);
  s->bilateral = pc_system_g_count(system) + pc_system_gamma_count(system);
  unsigned in_tangent = pc_system_provides(system) & (PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U);
  s->does_work = (pc_system_provides(s->system) & PC_TERM_F) != 0;
  s->constant_tangent =
      pc_system_plain_kinematics(system) && (pc_system_constant(system) & in_tangent) == in_tangent;
  pc_status status = create_parts(s, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

static int memory_count(const void* scheme)
{
  const schatzman_paoli* s = scheme;
  return s->n_u;
}

/* All contacts take part in a step; in the start, those that are closed and stay so. */
static void activate(schatzman_paoli* s, const double* u)
{
  for (int k = 0; k < s->contacts; k++) {
    int row = pc_system_contact_row(s->system, k), rests = 1;
    if (u)
      rests = s->start.terms->y[row] <= PC_CLOSED_GAP &&
              fabs(pc_terms_row_velocity(s->start.terms, row, u)) <=
                  pc_rest_tolerance(s->start.terms, row, u);
    s->forecast[k] = rests ? -HUGE_VAL : HUGE_VAL;
  }
  pc_contact_step_activate(s->contact_step, s->forecast);
}

static pc_status refit(void* scheme, pc_error* error)
{
  schatzman_paoli* s = scheme;
  int first = pc_system_fixed_contact_count(s->system);
  const pc_scheme_settings asked = {.frictionless = s->friction_left_out};
  PC_TRY(refuse_laws(s->system, &asked, first, error));
  PC_TRY(take_system(s, first, error));
  for (int i = 0; i < s->points.count; i++) PC_TRY(pc_terms_refit(s->points.list[i].terms, error));
  PC_TRY(pc_terms_refit(s->start.terms, error));
  PC_TRY(pc_contact_step_refit(s->contact_step, error));
  activate(s, NULL);
  return PC_OK;
}

/* u_0 = v_0 - h/2 a_0, the mean velocity of the step before the first; a_0 is the acceleration with
 * the forces of joints and of contacts at rest: M a = h + W lambda, 0 <= W'a + zeta _|_ lambda. */
static pc_status start(void* scheme, pc_state* state, double dt, pc_error* error)
{
  schatzman_paoli* s = scheme;
  pc_at at = {state->t, state->q, state->u, NULL};
  double* a = s->at.r;
  pc_solver_info ignored;
  pc_terms_evaluate(s->start.terms, &at);
  s->factored_dt = 0;
  pc_terms_tangent(s->start.terms, &at, 1, 0, 0, s->tangent);
  pc_status status = pc_assembly_factor(s->tangent);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  pc_copy(s->n_u, s->start.terms->h, a);
  pc_assembly_solve(s->tangent, a);
  memcpy(s->row, s->start.terms->row, (size_t)s->rows * sizeof *s->row);
  pc_copy(s->rows, s->start.terms->zeta, s->laws.chi);
  activate(s, state->u);
  PC_TRY(pc_contact_step_solve(s->contact_step, &s->laws, s->tangent, s->zero, a, s->start.lambda,
                               &ignored, error));
  for (int i = 0; i < s->n_u; i++) state->memory[i] = state->u[i] - dt / 2 * a[i];
  activate(s, NULL);
  return PC_OK;
}

/* The first point that is used. */
static const pc_terms* any_point(const schatzman_paoli* s)
{
  int i = 0;
  while (i + 1 < s->points.count && !s->points.list[i].is_used) i++;
  return s->points.list[i].terms;
}

/* Gaps and W at the q_e of the iterate, as rows of velocities: (1 + e)/h (g + G'(q_e - q_e^n)). */
static void evaluate_laws(schatzman_paoli* s, const pc_state* state)
{
  double dt = s->dt;
  int g = pc_system_g_count(s->system);
  for (int i = 0; i < s->points.count; i++) {
    double e = s->points.list[i].e, scale = dt / (1 + e);
    if (!s->points.list[i].is_used) continue;
    for (int j = 0; j < s->n_q; j++)
      s->at.q_e[j] = state->q[j] + scale * (s->at.q_dot[j] - e * s->at.q_dot_before[j]);
    pc_terms_evaluate(s->points.list[i].terms,
                      &(pc_at){state->t + scale * (1 - e), s->at.q_e, NULL, NULL});
  }
  const pc_terms* any = any_point(s); /* q_k+1 where there are joints */
  memcpy(s->row, any->row, (size_t)s->rows * sizeof *s->row);
  pc_copy(s->rows, any->chi, s->laws.chi);
  for (int i = 0; i < g + s->contacts; i++) {
    int k = i - g, r = k < 0 ? i : pc_system_contact_row(s->system, k);
    const gap_point* point = &s->points.list[k < 0 ? 0 : s->points.of[k]];
    s->row[r] = point->terms->row[r];
    s->laws.chi[r] = (1 + point->e) / dt * point->terms->y[r] - pc_row_dot(s->row[r], s->at.u);
  }
}

/* (20b) for the iterate: (q_k+1 - q_k-1) / 2 h. */
static double central_velocity(const schatzman_paoli* s, const pc_state* state, int i)
{
  return (s->at.u[i] + state->memory[i]) / 2;
}

static void find_v_theta(schatzman_paoli* s, const pc_state* state)
{
  double theta = s->settings.theta;
  for (int i = 0; i < s->n_u; i++)
    s->at.v_theta[i] = s->settings.velocity == PC_VELOCITY_CENTRAL
                           ? (1 - theta) * state->u[i] + theta * central_velocity(s, state, i)
                           : (0.5 + theta) * s->at.u[i] + (0.5 - theta) * state->memory[i];
}

/* q_k+1, q_theta and v_theta of the iterate, M and F there, and the laws. Where q' = B u, q_k+1 and
 * q_theta depend on each other. */
static pc_at evaluate(schatzman_paoli* s, const pc_state* state)
{
  double dt = s->dt, theta = s->settings.theta;
  find_v_theta(s, state);
  pc_system_theta_point(s->system, &(pc_theta_interval){state->t + 0.5 * dt, dt, theta, state->q},
                        s->at.u, s->at.q_theta, s->at.q);
  pc_system_q_dot(s->system, state->t + 0.5 * dt, s->at.q_theta, s->at.u, s->at.q_dot);
  pc_at at = {state->t + theta * dt, s->at.q_theta, s->at.v_theta, NULL};
  pc_terms_evaluate(s->motion, &at);
  if (s->mass != s->motion)
    pc_terms_evaluate(s->mass, &(pc_at){state->t + dt, s->at.q, s->at.u, NULL});
  evaluate_laws(s, state);
  return at;
}

/* du := h F - M (u - u_k), and the maximum norm of (20a) / h, with the sizes of its terms. */
static double residual(schatzman_paoli* s, const pc_state* state)
{
  for (int i = 0; i < s->n_u; i++) {
    s->at.r[i] = s->at.u[i] - state->memory[i];
    s->at.du[i] = 0;
  }
  pc_terms_add_M_times(s->mass, s->at.r, s->at.du);
  for (int i = 0; i < s->n_u; i++) {
    double impulse = s->dt * s->motion->h[i];
    pc_measure_set(&s->measure, i, impulse, s->at.du[i], s->at.u[i]);
    s->at.r[i] = s->at.du[i] = impulse - s->at.du[i];
  }
  for (int r = 0; r < s->rows; r++)
    if (s->P[r] != 0) pc_measure_add_row(&s->measure, s->row[r], s->P[r], s->at.r);
  return pc_largest(s->n_u, s->at.r);
}

static pc_status factor(schatzman_paoli* s, const pc_at* at, pc_error* error)
{
  double dt = s->dt, theta = s->settings.theta;
  if (s->constant_tangent && s->factored_dt == dt) return PC_OK;
  double by_velocity = s->settings.velocity == PC_VELOCITY_CENTRAL ? theta / 2 : 0.5 + theta;
  pc_terms_tangent(s->motion, at, 1, dt * by_velocity, dt * dt * theta, s->tangent);
  pc_status status = pc_assembly_factor(s->tangent);
  if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
  s->factored_dt = dt;
  return PC_OK;
}

/* The gaps, as velocities. */
static int laws_hold(const schatzman_paoli* s, const pc_step_info* info)
{
  if (s->bilateral == 0 && info->impact_residual == 0) return 1;
  double round_off = 2 * pc_position_round_off(&s->measure, s->at.q) / s->dt;
  for (int r = 0; r < s->bilateral; r++)
    if (!pc_measure_row_holds(&s->measure, s->row[r], pc_terms_row_velocity(&s->laws, r, s->at.u),
                              round_off))
      return 0;
  return pc_contact_step_holds(s->contact_step, &s->laws, &s->measure, round_off);
}

static void find_violation(schatzman_paoli* s, pc_step_info* info)
{
  pc_contact_step_violation(s->contact_step, &s->laws, s->zero, s->at.u, s->P, info);
}

static int converged(schatzman_paoli* s, pc_step_info* info)
{
  pc_iterate iterate = {
      .terms = s->motion, .q = s->at.q_theta, .v = s->at.u, .residual = s->at.r, .dt = s->dt};
  if (!pc_measure_holds(&s->measure, &iterate)) return 0;
  find_violation(s, info);
  if (laws_hold(s, info)) return 1;
  pc_measure_miss(&s->measure);
  return 0;
}

/* What is left of an iterate, relative to the impulses and to the velocities that its gaps stand
 * for. */
static double relative_error(const schatzman_paoli* s, const pc_step_info* info)
{
  double impulse = 0, velocity = 0, violation = info->impact_residual;
  for (int i = 0; i < s->n_u; i++) {
    impulse = pc_larger(impulse, pc_measure_size(&s->measure, i));
    velocity = pc_larger(velocity, fabs(s->at.u[i]));
  }
  for (int r = s->bilateral; r < s->rows; r++) velocity = pc_larger(velocity, fabs(s->laws.chi[r]));
  for (int r = 0; r < s->bilateral; r++)
    violation = pc_larger(violation, fabs(pc_terms_row_velocity(&s->laws, r, s->at.u)));
  double error = info->residual > 0 ? info->residual / impulse : 0;
  return pc_larger(error, violation > 0 ? violation / velocity : 0);
}

static void commit(schatzman_paoli* s, pc_state* state, pc_step_info* info)
{
  int central = s->settings.velocity == PC_VELOCITY_CENTRAL;
  info->work = 0;
  for (int i = 0; i < s->n_u; i++) {
    double velocity = central ? central_velocity(s, state, i) : s->at.u[i];
    if (s->does_work) info->work += s->dt * s->motion->f[i] * (velocity + state->u[i]) / 2;
    state->u[i] = velocity;
  }
  pc_copy(s->n_q, s->at.q, state->q);
  pc_copy(s->n_u, s->at.u, state->memory);
  pc_copy(s->rows, s->P, state->P);
}

/* u_k as a first iterate, q'(u_k), and what (20a) leaves there: h F. */
static pc_status begin(schatzman_paoli* s, const pc_state* state, double dt, pc_step_info* info,
                       pc_error* error)
{
  s->dt = dt;
  info->iterations[0] = info->iterations[1] = 0;
  info->solver_residual = 0;
  pc_copy(s->n_u, state->memory, s->at.u);
  pc_copy(s->rows, state->P, s->P);
  pc_copy(s->n_q, state->q, s->at.q_theta);
  pc_system_q_dot(s->system, state->t - 0.5 * dt, state->q, s->at.u, s->at.q_dot_before);
  pc_at at = evaluate(s, state);
  for (int i = 0; i < s->n_u; i++) s->at.du[i] = dt * s->motion->h[i];
  return factor(s, &at, error);
}

static pc_status iterate(schatzman_paoli* s, pc_step_info* info, pc_error* error)
{
  pc_solver_info solver;
  pc_assembly_solve(s->tangent, s->at.du);
  for (int i = 0; i < s->n_u; i++) s->at.du[i] += s->at.u[i];
  PC_TRY(pc_contact_step_solve(s->contact_step, &s->laws, s->tangent, s->zero, s->at.du, s->P,
                               &solver, error));
  pc_copy(s->n_u, s->at.du, s->at.u);
  info->iterations[0]++;
  info->iterations[1] += solver.iterations;
  pc_contact_step_note(&solver, info);
  return PC_OK;
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  schatzman_paoli* s = scheme;
  PC_TRY(begin(s, state, dt, info, error));
  pc_measure_begin(&s->measure);
  for (int n = 0; n < s->settings.max_iterations; n++) {
    PC_TRY(iterate(s, info, error));
    pc_at at = evaluate(s, state);
    info->residual = residual(s, state);
    if (!isfinite(info->residual))
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    if (converged(s, info)) {
      commit(s, state, info);
      return PC_OK;
    }
    PC_TRY(factor(s, &at, error));
  }
  find_violation(s, info);
  double left = relative_error(s, info);
  if (!(left <= s->settings.acceptance) && s->settings.on_failure != PC_ON_FAILURE_CONTINUE)
    return pc_fail(error, PC_NOT_CONVERGED,
                   "the Newton loop stopped after %d iterations with a residual of %.3g N s; try a "
                   "smaller dt or a larger --tol",
                   s->settings.max_iterations, info->residual);
  info->inaccurate = 1;
  info->inaccuracy = pc_larger(info->inaccuracy, left);
  commit(s, state, info);
  return PC_OK;
}

const pc_scheme_ops pc_schatzman_paoli = {
    .name = "schatzman-paoli",
    .summary = "the impact law on positions over two steps, no friction (Acary (20))",
    .phase_count = 2,
    .phase = {"newton", "solver"},
    .has_no_friction = 1,
    .create = create,
    .destroy = destroy,
    .memory_count = memory_count,
    .start = start,
    .step = step,
    .refit = refit,
};
