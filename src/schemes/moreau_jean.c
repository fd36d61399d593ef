/* The Moreau-Jean theta scheme: Acary (18), by the Newton loop (41)-(48).
 *
 *     M (v - v_k) - h F = G(q) P                                           (18a)
 *     q = q_k + h q'(t_theta, q_theta, v_theta)                            (18b)
 *     0 <= G'(q) v + e U_k  _|_  P >= 0     if the forecast gap is <= 0    (18c), (18d)
 *
 * evaluation `mid`:       M(q_theta), F(t_theta, q_theta, v_theta)         as printed
 * evaluation `trapezoid`: M(q),       (1 - theta) F_k + theta F(t_k+1, q, v)
 *
 * A Newton iteration freezes M, C = -dF/dv, K = -dF/dq and G at the iterate and solves one linear
 * contact problem with the tangent M + h theta C + h^2 theta^2 K, (47). The scheme's F is h(t,q,u)
 * of the equality of measures; `dt` is the paper's h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/contact_stage.h"
#include "schemes/scheme.h"

typedef struct moreau_jean {
  const pc_system* system;
  pc_scheme_settings settings;
  double dt;          /* of the step being done */
  double factored_dt; /* of the tangent, where it is constant */
  int n_q, n_u, rows, contacts;
  pc_terms* stage_terms; /* M, h and its derivatives at the stage point */
  pc_terms* end_terms;   /* gaps and W at the end of the step; at its start before the loop */
  pc_assembly* tangent;
  int trapezoid; /* evaluation at the end, and the loop of Algorithm 1 as it stands */
  int constant_tangent;
  int constant_rows; /* W and chi never change */
  int linear;        /* both, and q' = u: one iteration is exact */
  int does_work;     /* there are forces f that no energy accounts for */
  pc_contact_stage* stage;
  double *q, *q_theta, *q_dot; /* n_q */
  double *v, *v_theta;         /* n_u */
  double* dv;                  /* n_u: right-hand side, free velocity */
  double *h_k, *f_k;           /* n_u: F_k and its part f, for the trapezoid */
  double *free_v, *free_P;     /* n_u, rows: for the free forecast */
  double* P;                   /* rows */
  double* before;              /* rows: U_k */
  double* forecast;            /* contacts */
  double t_end;                /* where end_terms were evaluated last, with q_end */
  double* q_end;
} moreau_jean;

static void destroy(void* scheme)
{
  moreau_jean* s = scheme;
  if (!s) return;
  pc_terms_destroy(s->stage_terms);
  pc_terms_destroy(s->end_terms);
  pc_assembly_destroy(s->tangent);
  pc_contact_stage_destroy(s->stage);
  double* array[] = {s->q,   s->q_theta, s->q_dot,  s->v,        s->v_theta, s->dv,     s->h_k,
                     s->f_k, s->P,       s->before, s->forecast, s->q_end,   s->free_v, s->free_P};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(s);
}

static pc_status create_arrays(moreau_jean* s, pc_error* error)
{
  double** n_q[] = {&s->q, &s->q_theta, &s->q_dot, &s->q_end};
  double** n_u[] = {&s->v, &s->v_theta, &s->dv, &s->h_k, &s->f_k, &s->free_v};
  double** rows[] = {&s->P, &s->before, &s->free_P};
  int bad = 0;
  for (int i = 0; i < 4; i++) bad |= !(*n_q[i] = pc_alloc((size_t)s->n_q, sizeof(double)));
  for (int i = 0; i < 6; i++) bad |= !(*n_u[i] = pc_alloc((size_t)s->n_u, sizeof(double)));
  for (int i = 0; i < 3; i++) bad |= !(*rows[i] = pc_alloc((size_t)s->rows, sizeof(double)));
  bad |= !(s->forecast = pc_alloc((size_t)s->contacts, sizeof(double)));
  return bad ? pc_no_memory(error) : PC_OK;
}

static pc_status create_parts(moreau_jean* s, pc_error* error)
{
  unsigned motion = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_F;
  PC_TRY(create_arrays(s, error));
  PC_TRY(pc_terms_create(s->system, motion, &s->stage_terms, error));
  PC_TRY(pc_terms_create(s->system, PC_TERM_Y | PC_TERM_W, &s->end_terms, error));
  PC_TRY(pc_system_create_tangent(s->system, &s->tangent, error));
  return pc_contact_stage_create(s->system, &s->settings, &s->stage, error);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  moreau_jean* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->settings = *settings;
  s->n_q = pc_system_q_count(system);
  s->n_u = pc_system_u_count(system);
  s->rows = pc_system_row_count(system);
  s->contacts = pc_system_contact_count(system);
  unsigned in_tangent = pc_system_provides(system) & (PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U);
  s->constant_tangent = (pc_system_constant(system) & in_tangent) == in_tangent;
  s->constant_rows = s->rows == 0 || (pc_system_constant(system) & PC_TERM_W);
  s->linear = s->constant_tangent && s->constant_rows && pc_system_plain_kinematics(system);
  s->does_work = (pc_system_provides(system) & PC_TERM_F) != 0;
  s->t_end = NAN;
  s->trapezoid = settings->evaluation == PC_EVALUATION_TRAPEZOID;
  pc_status status = create_parts(s, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

/* Gaps and W at (t, q). The end of a step is the start of the next: what is there is kept. */
static void evaluate_rows(moreau_jean* s, double t, const double* q)
{
  size_t size = (size_t)s->n_q * sizeof *q;
  if (t == s->t_end && !memcmp(q, s->q_end, size)) return;
  pc_terms_evaluate(s->end_terms, &(pc_at){t, q, NULL, NULL});
  memcpy(s->q_end, q, size);
  s->t_end = t;
}

/* v_theta, q_theta and q from v; returns where M, h and the tangent are taken. */
static pc_at stage_point(moreau_jean* s, const pc_state* state)
{
  double theta = s->settings.theta, dt = s->dt;
  for (int i = 0; i < s->n_u; i++) s->v_theta[i] = (1 - theta) * state->u[i] + theta * s->v[i];
  pc_system_q_dot(s->system, state->t + theta * dt, s->q_theta, s->v_theta, s->q_dot);
  for (int i = 0; i < s->n_q; i++) {
    s->q[i] = state->q[i] + dt * s->q_dot[i];
    s->q_theta[i] = (1 - theta) * state->q[i] + theta * s->q[i];
  }
  if (!s->trapezoid) return (pc_at){state->t + theta * dt, s->q_theta, s->v_theta, NULL};
  return (pc_at){state->t + dt, s->q, s->v, NULL};
}

static pc_status factor_tangent(moreau_jean* s, const pc_at* at, pc_error* error)
{
  if (s->constant_tangent && s->factored_dt == s->dt) return PC_OK;
  double c = s->dt * s->settings.theta;
  pc_terms_tangent(s->stage_terms, at, 1, c, c * c, s->tangent);
  pc_status status = pc_assembly_factor(s->tangent);
  if (status != PC_OK)
    return pc_fail(error, status, "the matrix M + dt theta C + dt^2 theta^2 K cannot be inverted");
  s->factored_dt = s->dt;
  return PC_OK;
}

/* dv := h F - M (v - v_k), the right-hand side f of (48); returns the largest term in it. */
static double impulse(moreau_jean* s, const pc_state* state)
{
  double dt = s->dt, theta = s->settings.theta, largest = 0;
  const double* h = s->stage_terms->h;
  for (int i = 0; i < s->n_u; i++) {
    s->dv[i] = 0;
    s->v_theta[i] = s->v[i] - state->u[i];
  }
  pc_terms_add_M_times(s->stage_terms, s->v_theta, s->dv);
  for (int i = 0; i < s->n_u; i++) {
    double push = dt * (s->trapezoid ? (1 - theta) * s->h_k[i] + theta * h[i] : h[i]);
    largest = fmax(largest, fmax(fabs(push), fabs(s->dv[i])));
    s->dv[i] = push - s->dv[i];
  }
  return largest;
}

/* The residual of (18a) at the iterate, with G(q) P; dv keeps f. Its maximum norm. */
static double residual(moreau_jean* s, double* largest)
{
  double* r = s->v_theta; /* free until the next stage point */
  memcpy(r, s->dv, (size_t)s->n_u * sizeof *r);
  for (int row = 0; row < s->rows; row++)
    if (s->P[row] != 0) {
      pc_row w = s->end_terms->row[row];
      pc_row_add(w, s->P[row], r);
    }
  double norm = 0;
  for (int i = 0; i < s->n_u; i++) {
    norm = fmax(norm, fabs(r[i]));
    if (!isfinite(r[i])) return r[i];
    *largest = fmax(*largest, fabs(r[i] - s->dv[i]));
  }
  return norm;
}

/* Acary (61): g_k + gamma h U_k, or (62): g_k + h (theta U_free + (1 - theta) U_k), with the
 * velocity after one Newton iteration without contacts as the free one. */
static pc_status forecast(moreau_jean* s, pc_error* error)
{
  double dt = s->dt, theta = s->settings.theta;
  int free_motion = s->settings.forecast == PC_FORECAST_FREE;
  if (free_motion) {
    for (int k = 0; k < s->contacts; k++) s->forecast[k] = HUGE_VAL;
    pc_contact_stage_activate(s->stage, s->forecast);
    pc_solver_info ignored;
    PC_TRY(pc_contact_stage_solve(s->stage, s->end_terms, s->tangent, s->before, s->free_v,
                                  s->free_P, &ignored, error));
  }
  for (int k = 0; k < s->contacts; k++) {
    int row = pc_system_contact(s->system, k).row;
    double U_k = s->before[row];
    s->forecast[k] = s->end_terms->y[row];
    if (free_motion)
      s->forecast[k] +=
          dt * (theta * pc_terms_row_velocity(s->end_terms, row, s->free_v) + (1 - theta) * U_k);
    else
      s->forecast[k] += s->settings.gamma * dt * U_k;
  }
  pc_contact_stage_activate(s->stage, s->forecast);
  return PC_OK;
}

/* Everything at the iterate v: stage point, terms, tangent, f in dv. */
static pc_status linearise(moreau_jean* s, const pc_state* state, double* largest, pc_error* error)
{
  pc_at at = stage_point(s, state);
  pc_terms_evaluate(s->stage_terms, &at);
  PC_TRY(factor_tangent(s, &at, error));
  *largest = impulse(s, state);
  return PC_OK;
}

/* f := v + A^-1 f, the velocity without percussions. */
static void add_free_velocity(const moreau_jean* s, double* f)
{
  pc_assembly_solve(s->tangent, f);
  for (int i = 0; i < s->n_u; i++) f[i] += s->v[i];
}

/* q, where W is taken first: the velocity that the last step's percussions would give. It only
 * saves iterations; nothing of it is left in the result. */
static void predict(moreau_jean* s, const pc_state* state)
{
  double theta = s->settings.theta, dt = s->dt;
  double* v = s->v_theta;
  memcpy(v, s->dv, (size_t)s->n_u * sizeof *v);
  for (int r = 0; r < s->rows; r++)
    if (state->P[r] != 0) pc_row_add(s->end_terms->row[r], state->P[r], v);
  pc_assembly_solve(s->tangent, v);
  for (int i = 0; i < s->n_u; i++) v[i] = state->u[i] + theta * v[i];
  pc_system_q_dot(s->system, state->t + theta * dt, s->q_theta, v, s->q_dot);
  for (int i = 0; i < s->n_q; i++) s->q[i] = state->q[i] + dt * s->q_dot[i];
}

/* The first linearisation. `mid` starts from q_k + h q'(v_k), which goes with v_k, and takes W at a
 * prediction of q. `trapezoid` starts from q_k as Algorithm 1 does, so that the defect of (18b),
 * h q'(v_k), enters f through dF/dq. */
static pc_status linearise_start(moreau_jean* s, const pc_state* state, pc_error* error)
{
  double largest, dt = s->dt;
  if (!s->trapezoid) {
    PC_TRY(linearise(s, state, &largest, error));
    if (!s->constant_rows) predict(s, state);
    return PC_OK;
  }
  pc_at start = {state->t + dt, state->q, state->u, NULL};
  pc_terms_evaluate(s->stage_terms, &start);
  PC_TRY(factor_tangent(s, &start, error));
  impulse(s, state);
  pc_system_q_dot(s->system, state->t, state->q, state->u, s->q_dot);
  pc_terms_add_h_q_times(s->stage_terms, dt * dt * s->settings.theta, s->q_dot, s->dv);
  memcpy(s->q, state->q, (size_t)s->n_q * sizeof *s->q);
  return PC_OK;
}

/* v = v_k, U_k, F_k, the first linearisation, the forecast's active contacts. */
static pc_status begin(moreau_jean* s, const pc_state* state, pc_error* error)
{
  memcpy(s->v, state->u, (size_t)s->n_u * sizeof *s->v);
  memcpy(s->q_theta, state->q, (size_t)s->n_q * sizeof *s->q_theta);
  memcpy(s->P, state->P, (size_t)s->rows * sizeof *s->P);
  evaluate_rows(s, state->t, state->q);
  for (int r = 0; r < s->rows; r++) s->before[r] = pc_terms_row_velocity(s->end_terms, r, state->u);
  if (s->trapezoid) {
    pc_terms_evaluate(s->stage_terms, &(pc_at){state->t, state->q, state->u, NULL});
    memcpy(s->h_k, s->stage_terms->h, (size_t)s->n_u * sizeof *s->h_k);
    memcpy(s->f_k, s->stage_terms->f, (size_t)s->n_u * sizeof *s->f_k);
  }
  PC_TRY(linearise_start(s, state, error));
  if (s->settings.forecast == PC_FORECAST_FREE) {
    memcpy(s->free_v, s->dv, (size_t)s->n_u * sizeof *s->dv);
    add_free_velocity(s, s->free_v);
  }
  return forecast(s, error);
}

/* The work of f over the step, by the quadrature of (18a) and the mean velocity. */
static double work(const moreau_jean* s, const pc_state* state)
{
  double theta = s->settings.theta, sum = 0;
  const double* f = s->stage_terms->f;
  for (int i = 0; i < s->n_u; i++) {
    double mean = s->trapezoid ? (1 - theta) * s->f_k[i] + theta * f[i] : f[i];
    sum += s->dt * mean * (s->v[i] + state->u[i]) / 2;
  }
  return sum;
}

static pc_status commit(moreau_jean* s, pc_state* state, pc_step_info* info)
{
  info->work = work(s, state);
  memcpy(state->q, s->q, (size_t)s->n_q * sizeof *s->q);
  memcpy(state->u, s->v, (size_t)s->n_u * sizeof *s->v);
  memcpy(state->P, s->P, (size_t)s->rows * sizeof *s->P);
  return PC_OK;
}

/* The largest |W . v + chi| of the joints. */
static double joint_velocity(const moreau_jean* s)
{
  int count = pc_system_g_count(s->system) + pc_system_gamma_count(s->system);
  double largest = 0;
  for (int r = 0; r < count; r++)
    largest = fmax(largest, fabs(pc_terms_row_velocity(s->end_terms, r, s->v)));
  return largest;
}

/* (18a) to the tolerance, or to what round-off leaves of terms of this size. With `mid`, the laws
 * too, for W at the new iterate: the contact problem was solved with W at the one before, which
 * (18a) alone does not see. Table 3 of the paper was made without that. */
static int converged(const moreau_jean* s, double largest, pc_step_info* info)
{
  double tolerance = s->settings.tolerance;
  pc_contact_stage_violation(s->stage, s->end_terms, s->before, s->v, s->P, info);
  if (info->residual > fmax(tolerance, 16 * DBL_EPSILON * largest)) return 0;
  if (s->trapezoid) return 1;
  double speed = 0;
  for (int i = 0; i < s->n_u; i++) speed = fmax(speed, fabs(s->v[i]));
  tolerance = fmax(tolerance, 64 * DBL_EPSILON * speed);
  return joint_velocity(s) <= tolerance && info->impact_residual <= tolerance &&
         info->friction_residual <= tolerance;
}

/* A linear system is solved by one iteration: all that is left is q, and f at the stage point for
 * the energy balance. */
static pc_status finish_linear(moreau_jean* s, pc_state* state, pc_step_info* info)
{
  pc_at at = stage_point(s, state);
  if (s->does_work) pc_terms_evaluate(s->stage_terms, &at);
  info->residual = 0;
  pc_contact_stage_violation(s->stage, s->end_terms, s->before, s->v, s->P, info);
  return commit(s, state, info);
}

/* The last iterate is not good enough: give up, or go on with it if that is wanted. */
static pc_status not_converged(moreau_jean* s, pc_state* state, pc_step_info* info, pc_error* error)
{
  if (s->settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    info->inaccurate = 1;
    return commit(s, state, info);
  }
  return pc_fail(error, PC_NOT_CONVERGED,
                 "the Newton loop stopped after %d iterations with a residual of %.3g N s; try a "
                 "smaller dt, --on-failure halve or a larger --tol",
                 s->settings.max_iterations, info->residual);
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  moreau_jean* s = scheme;
  s->dt = dt;
  PC_TRY(begin(s, state, error));
  double t_end = state->t + dt;
  info->iterations[1] = 0;
  info->solver_residual = 0;
  for (int n = 1; n <= s->settings.max_iterations; n++) {
    if (!s->constant_rows) evaluate_rows(s, t_end, s->q);
    add_free_velocity(s, s->dv);
    pc_solver_info solver;
    PC_TRY(pc_contact_stage_solve(s->stage, s->end_terms, s->tangent, s->before, s->dv, s->P,
                                  &solver, error));
    memcpy(s->v, s->dv, (size_t)s->n_u * sizeof *s->v);
    info->iterations[0] = n;
    info->iterations[1] += solver.iterations;
    info->solver_residual = fmax(info->solver_residual, solver.residual);
    info->inaccurate = !solver.converged;

    if (s->linear) return finish_linear(s, state, info);
    double largest;
    PC_TRY(linearise(s, state, &largest, error));
    if (!s->constant_rows) evaluate_rows(s, t_end, s->q);
    info->residual = residual(s, &largest);
    if (!isfinite(info->residual))
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    if (converged(s, largest, info)) return commit(s, state, info);
  }
  return not_converged(s, state, info, error);
}

const pc_scheme_ops pc_moreau_jean = {
    .name = "moreau-jean",
    .summary = "the theta scheme with velocity-level contact laws (Moreau, Jean; Acary (18))",
    .stage_count = 2,
    .stage = {"newton", "solver"},
    .create = create,
    .destroy = destroy,
    .step = step,
};
