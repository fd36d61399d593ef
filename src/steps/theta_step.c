#include "steps/theta_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/axpy.h"
#include "linalg/copy_shared.h"
#include "steps/lengths.h"
#include "steps/restitution.h"
#include "steps/step_end.h"
#include "steps/theta_inside.h"
#include "system/found.h"
#include "system/inspect.h"

/* The factors of a solve serve for the next one as long as this is the most that a solve leaves of
 * the change of v by the one before. Newton's loop has 0.001 to 0.01 at usual steps, where W hardly
 * changes any more. */
static const double KEEP_FACTORS = 0.1;

void pc_theta_step_destroy(pc_theta_step* s)
{
  if (!s) return;
  pc_terms_destroy(s->stage.terms);
  pc_terms_destroy(s->end.terms);
  pc_terms_destroy(s->end.held_terms);
  pc_assembly_destroy(s->stage.tangent);
  pc_contact_step_destroy(s->contact_step);
  double* array[] = {s->q,
                     s->stage.q,
                     s->stage.q_dot,
                     s->v,
                     s->stage.v,
                     s->dv,
                     s->stage.h_k,
                     s->stage.f_k,
                     s->P,
                     s->before,
                     s->contact.forecast,
                     s->end.q,
                     s->free_v,
                     s->free_P,
                     s->d,
                     s->stage.zero,
                     s->stage.q_drift,
                     s->end.position.chi,
                     s->stage.moving,
                     s->stage.retraction,
                     s->stage.kick,
                     s->zero_rows};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_measure_clear(&s->measure);
  pc_body_sizes_clear(&s->contact.sizes);
  pc_anderson_destroy(s->loop.anderson);
  pc_bracket_destroy(s->loop.bracket);
  free(s->contact.normal);
  free(s);
}

/* For the free forecast, and for more than one iterate. */
static int needs_free_v(const pc_theta_step* s)
{
  return s->kind.iterates || s->settings.forecast == PC_FORECAST_FREE;
}

/* Sweeps with W at the start of the step, and nothing else. */
static int is_swept(const pc_theta_step* s)
{
  const pc_theta_kind* kind = &s->kind;
  return kind->explicit_rows && !kind->consistent && !kind->gaps && !kind->trapezoid;
}

/* *vector has n zeros where it is needed; 0 if there is no memory. */
static int make(int n, int is_needed, double** vector)
{
  return !is_needed || (*vector = pc_alloc((size_t)n, sizeof **vector)) != NULL;
}

static pc_status create_arrays(pc_theta_step* s, pc_error* error)
{
  pc_theta_stage* stage = &s->stage;
  const pc_theta_kind* kind = &s->kind;
  int n_q = s->n_q, n_u = s->n_u, turns = !kind->plain;
  int exact = turns && s->settings.rotation == PC_ROTATION_EXACT;
  int drifts = turns && s->settings.coupled;
  int good = make(n_q, 1, &s->q) && make(n_q, 1, &stage->q) &&
             make(n_q, !is_swept(s), &stage->q_dot) && make(n_q, 1, &s->end.q) &&
             make(n_u, 1, &s->v) && make(n_u, 1, &stage->v) && make(n_u, 1, &s->dv);
  good = good && make(n_u, kind->trapezoid, &stage->h_k) && make(n_u, kind->trapezoid, &stage->f_k);
  good = good && make(n_u, kind->gaps, &s->d) && make(n_u, needs_free_v(s), &s->free_v);
  good = good && make(n_q, drifts, &stage->q_drift) && make(n_u, drifts, &stage->zero);
  good = good && make(n_u, exact || (turns && kind->gaps), &stage->moving);
  good = good && make(n_q + n_u, exact, &stage->retraction);
  good = good && make(n_u, kind->linear && kind->steady, &stage->kick);
  return good ? PC_OK : pc_no_memory(error);
}

typedef struct normal_loop {
  pc_theta_step* step;
  int begin; /* the first contact */
} normal_loop;

static void take_normals(void* user, int worker, int first, int last)
{
  const normal_loop* loop = user;
  pc_theta_step* s = loop->step;
  (void)worker;
  for (int k = loop->begin + first; k < loop->begin + last; k++)
    s->contact.normal[k] = pc_system_contact_row(s->system, k);
}

/* Arrays for all rows and contacts of the system; those from number `first` on are new. */
static pc_status take_system(pc_theta_step* s, int first, pc_error* error)
{
  const pc_array by_row = PC_ARRAY(s->P);
  const pc_array of_forecast = PC_ARRAY(s->free_P);
  const pc_array of_positions[] = {PC_ARRAY(s->end.position.chi), PC_ARRAY(s->zero_rows)};
  const pc_array by_contact[] = {PC_ARRAY(s->contact.forecast), PC_ARRAY(s->contact.normal)};
  s->rows = pc_system_row_count(s->system);
  s->contact.count = pc_system_contact_count(s->system);
  size_t rows = (size_t)s->rows;
  if (pc_reserve_arrays(1, &by_row, &s->capacity.rows, rows) != PC_OK ||
      (s->settings.forecast == PC_FORECAST_FREE &&
       pc_reserve_arrays(1, &of_forecast, &s->capacity.forecast, rows) != PC_OK) ||
      (s->kind.position_level &&
       pc_reserve_arrays(2, of_positions, &s->capacity.positions, rows) != PC_OK) ||
      pc_reserve_arrays(2, by_contact, &s->contact.capacity, (size_t)s->contact.count) != PC_OK)
    return pc_no_memory(error);
  normal_loop loop = {s, first};
  pc_threads_run(s->threads, s->contact.count - first, PC_THETA_SHARED_LEAST, take_normals, &loop);
  return s->loop.bracket ? pc_bracket_fit(s->loop.bracket, s->rows, error) : PC_OK;
}

/* U_k of all rows, for contacts that rebound, and for others than sweeps alone. */
static pc_status reserve_before(pc_theta_step* s, pc_error* error)
{
  const pc_array before = PC_ARRAY(s->before);
  int needed = !is_swept(s) || s->settings.forecast != PC_FORECAST_EXPLICIT ||
               pc_contact_step_rebounds(s->contact_step);
  s->capacity.before_rows = needed ? s->rows : 0;
  s->contact.forecast_apart = s->kind.position_level || !needed;
  if (!needed) return PC_OK;
  return pc_reserve_arrays(1, &before, &s->capacity.before, (size_t)s->rows) == PC_OK
             ? PC_OK
             : pc_no_memory(error);
}

/* Rows of contacts that are open are evaluated where somebody asks for them. */
static pc_status defer(pc_theta_step* s, pc_error* error)
{
  double activation;
  PC_TRY(pc_find_activation(s->system, &s->settings, &activation, error));
  return pc_terms_defer(s->end.terms, activation, error);
}

static pc_status create_parts(pc_theta_step* s, pc_error* error)
{
  unsigned motion = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U;
  if (s->kind.does_work) motion |= PC_TERM_F;
  PC_TRY(create_arrays(s, error));
  PC_TRY(take_system(s, 0, error));
  PC_TRY(pc_terms_create(s->system, motion, &s->stage.terms, error));
  pc_measure_set_limits(&s->measure, &s->settings);
  if (s->kind.iterates) PC_TRY(pc_measure_create(&s->measure, s->stage.terms, &s->settings, error));
  s->loop.solver_asked =
      pc_larger(s->measure.relative, pc_default_scheme_settings().solver_tolerance);
  if (!s->settings.sweeps) {
    PC_TRY(pc_anderson_create(s->n_u, &s->loop.anderson, error));
    PC_TRY(pc_bracket_create(s->n_u, &s->loop.bracket, error));
    PC_TRY(pc_bracket_fit(s->loop.bracket, s->rows, error));
  }
  unsigned rows = PC_TERM_Y | PC_TERM_W;
  if (s->kind.constant_rows && !pc_system_is_extended(s->system))
    rows |= PC_TERM_ENERGY; /* they are evaluated once a step, at the state */
  PC_TRY(pc_terms_create(s->system, rows, &s->end.terms, error));
  if (!s->kind.consistent && !(rows & PC_TERM_ENERGY)) PC_TRY(defer(s, error));
  if ((!s->kind.position_level || pc_theta_is_projected(s)) && !s->settings.sweeps)
    PC_TRY(pc_terms_create(s->system, PC_TERM_Y | PC_TERM_W, &s->end.held_terms, error));
  PC_TRY(pc_system_create_tangent(s->system, &s->stage.tangent, error));
  s->end.position.row = s->end.terms->row;
  if (s->kind.looks_ahead && pc_body_sizes_create(&s->contact.sizes, s->system) != PC_OK)
    return pc_no_memory(error);
  PC_TRY(pc_contact_step_create(s->system, &s->settings, &s->contact_step, error));
  return reserve_before(s, error);
}

/* What never changes in this system, so that it need not be done again. */
static void note_constants(pc_theta_step* s)
{
  unsigned provides = pc_system_provides(s->system), constant = pc_system_constant(s->system);
  unsigned in_tangent = provides & (PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U);
  s->kind.constant_W = s->rows == 0 || (constant & PC_TERM_W);
  s->kind.constant_tangent = (constant & in_tangent) == in_tangent;
  s->kind.constant_rows = s->kind.constant_W && (s->rows == 0 || !s->kind.gaps);
  s->kind.plain = pc_system_plain_kinematics(s->system);
  s->kind.linear = s->kind.constant_tangent && s->kind.constant_W && s->kind.plain;
  s->kind.reforecasts = s->settings.forecast == PC_FORECAST_SEMI_IMPLICIT;
  s->kind.single = (s->kind.linear && !s->kind.reforecasts) || s->settings.sweeps > 0;
  unsigned motion = provides & (PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U);
  int joints = pc_system_g_count(s->system) + pc_system_gamma_count(s->system);
  s->kind.explicit_rows = s->settings.sweeps && joints == 0 && !s->kind.gaps;
  s->kind.steady = (s->kind.linear || s->kind.explicit_rows) && (constant & motion) == motion &&
                   !s->kind.trapezoid && !s->kind.consistent;
  s->kind.does_work = (provides & PC_TERM_F) != 0;
  s->kind.scaled = pc_is_scaled(&s->settings);
  s->kind.has_restitution_above =
      pc_has_restitution_above(s->system, s->settings.restitution_above);
}

pc_status pc_theta_step_create(const pc_system* system, const pc_scheme_settings* settings,
                               int gaps, pc_theta_step** step, pc_error* error)
{
  *step = NULL;
  if (settings->forecast == PC_FORECAST_SEMI_IMPLICIT &&
      (settings->sweeps > 0 || settings->coupled))
    return pc_fail(
        error, PC_BAD_ARGUMENT,
        "forecast: semi-implicit chooses contacts in the Newton loop of the velocities: not "
        "with --sweeps, nor with --coupled");
  pc_theta_step* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->threads = pc_system_threads(system);
  s->settings = *settings;
  s->n_q = pc_system_q_count(system);
  s->n_u = pc_system_u_count(system);
  s->rows = pc_system_row_count(system);
  s->kind.position_level = settings->level == PC_LEVEL_POSITION;
  s->kind.consistent = s->kind.position_level || settings->coupled;
  s->kind.trapezoid = settings->evaluation == PC_EVALUATION_TRAPEZOID;
  s->end.t = NAN;
  s->kind.gaps = gaps || s->kind.position_level;
  s->kind.iterates = gaps || !settings->sweeps;
  s->kind.looks_ahead = settings->forecast == PC_FORECAST_EXPLICIT && isnan(settings->gamma) &&
                        !s->kind.position_level;
  note_constants(s);
  pc_status status = create_parts(s, error);
  if (status != PC_OK) {
    pc_theta_step_destroy(s);
    return status;
  }
  *step = s;
  return PC_OK;
}

pc_status pc_theta_step_refit(pc_theta_step* s, pc_error* error)
{
  PC_TRY(take_system(s, pc_system_fixed_contact_count(s->system), error));
  note_constants(s);
  PC_TRY(pc_terms_refit(s->end.terms, error));
  if (s->end.held_terms) PC_TRY(pc_terms_refit(s->end.held_terms, error));
  s->end.position.row = s->end.terms->row;
  s->end.t = NAN; /* the rows have to be evaluated anew */
  PC_TRY(pc_contact_step_refit(s->contact_step, error));
  return reserve_before(s, error);
}

/* Gaps and W at (t, q). The end of a step is the start of the next: what is there is kept. */
PC_APART void evaluate_rows_anew(pc_theta_step* s, double t, const double* q)
{
  pc_terms_evaluate(s->end.terms, &(pc_at){t, q, NULL, NULL});
  pc_copy_shared(s->threads, s->n_q, q, s->end.q);
  s->end.t = t;
}

PC_INLINE void evaluate_rows(pc_theta_step* s, double t, const double* q)
{
  if (t != s->end.t || !pc_same(s->n_q, q, s->end.q)) evaluate_rows_anew(s, t, q);
}

void pc_theta_step_evaluate_end(pc_theta_step* s, const pc_state* state)
{
  evaluate_rows(s, pc_step_end(state, s->dt), s->q);
}

const pc_terms* pc_theta_step_rows(pc_theta_step* s, const pc_state* state)
{
  if (s->end.terms->mask & PC_TERM_ENERGY) {
    pc_terms_evaluate(s->end.terms, &(pc_at){state->t, state->q, state->u, NULL});
    pc_copy(s->n_q, state->q, s->end.q);
    s->end.t = state->t;
  } else {
    evaluate_rows(s, state->t, state->q);
  }
  pc_terms_complete(s->end.terms);
  return s->end.terms;
}

/* B d, in q_dot unless q' = u */
static const double* displacement(pc_theta_step* s, double t, const double* d)
{
  if (s->kind.plain) return d;
  pc_system_q_dot(s->system, t, s->stage.q, d, s->stage.q_dot);
  pc_system_q_dot(s->system, t, s->stage.q, s->stage.zero, s->stage.q_drift);
  for (int i = 0; i < s->n_q; i++) s->stage.q_dot[i] -= s->stage.q_drift[i];
  return s->stage.q_dot;
}

void pc_theta_step_add_K_times(pc_theta_step* s, double scale, const double* d, double* out)
{
  const double* dq = displacement(s, s->stage.t, d);
  pc_terms_add_h_q_times(s->stage.terms, -scale, dq, out);
}

/* v_theta, q and q_theta from v, where q' = u. */
PC_INLINE void plain_stage_point(pc_theta_step* s, const pc_state* state)
{
  int n = s->n_q, displaced = s->displaced;
  double theta = s->settings.theta, dt = s->dt;
  const double* restrict q_k = state->q;
  const double* restrict u_k = state->u;
  const double* restrict v = s->v;
  double* restrict v_theta = s->stage.v;
  double* restrict q_theta = s->stage.q;
  double* restrict q = s->q;
  for (int i = 0; i < n; i++) {
    v_theta[i] = (1 - theta) * u_k[i] + theta * v[i];
    q[i] = q_k[i] + dt * v_theta[i];
    if (displaced) q[i] += s->d[i];
    q_theta[i] = (1 - theta) * q_k[i] + theta * q[i];
  }
}

/* q by the exponential map of dt u_theta in place of (18b), q_theta on the chord: its quaternions
 * are as long as their turns let them be, and for theta = 1/2 half way. */
static void retracted_stage_point(pc_theta_step* s, const pc_state* state)
{
  double theta = s->settings.theta;
  for (int i = 0; i < s->n_u; i++) s->stage.moving[i] *= s->dt;
  pc_system_retract(s->system, state->t, s->dt, state->q, s->stage.moving, s->stage.retraction,
                    s->q);
  for (int i = 0; i < s->n_q; i++) s->stage.q[i] = (1 - theta) * state->q[i] + theta * s->q[i];
}

/* The same with q' = B u + beta at q_theta itself: (18b) is implicit in q. With theta = 1/2 it
 * keeps |p| of a quaternion, since p' is across p_theta. */
PC_APART void general_stage_point(pc_theta_step* s, const pc_state* state)
{
  double theta = s->settings.theta;
  double *v = s->stage.v, *moving = s->stage.moving;
  for (int i = 0; i < s->n_u; i++) {
    v[i] = (1 - theta) * state->u[i] + theta * s->v[i];
    if (moving) moving[i] = s->displaced ? v[i] + s->d[i] / s->dt : v[i];
  }
  if (s->settings.rotation == PC_ROTATION_EXACT)
    retracted_stage_point(s, state);
  else
    pc_system_theta_point(s->system, &(pc_theta_interval){s->stage.t, s->dt, theta, state->q},
                          moving ? moving : v, s->stage.q, s->q);
}

/* v_theta, q_theta and q from v. */
PC_INLINE void locate(pc_theta_step* s, const pc_state* state)
{
  s->loop.has_rest = 0;
  s->stage.t = state->t + s->settings.theta * s->dt;
  if (s->kind.plain)
    plain_stage_point(s, state);
  else
    general_stage_point(s, state);
}

/* After that: where M, h and the tangent are taken. */
static pc_at stage_point(const pc_theta_step* s, const pc_state* state)
{
  if (!s->kind.trapezoid) return (pc_at){s->stage.t, s->stage.q, s->stage.v, NULL};
  return (pc_at){pc_step_end(state, s->dt), s->q, s->v, NULL};
}

/* M, F and their derivatives; the tangent is left for pc_theta_step_factor. */
static void evaluate_motion(pc_theta_step* s, const pc_at* at)
{
  pc_terms_evaluate(s->stage.terms, at);
  s->stage.at = *at;
  if (!s->kind.constant_tangent || s->stage.factored_dt != s->dt) s->stage.factored = 0;
}

pc_status pc_theta_step_factor(pc_theta_step* s, pc_error* error)
{
  if (s->stage.factored) return PC_OK;
  double c = s->dt * s->settings.theta;
  pc_terms_tangent(s->stage.terms, &s->stage.at, 1, c, c * c, s->stage.tangent);
  pc_status status = pc_assembly_factor(s->stage.tangent);
  if (status != PC_OK)
    return pc_fail(error, status, "the matrix M + dt theta C + dt^2 theta^2 K cannot be inverted");
  s->stage.factored = 1;
  s->stage.has_kick = 0;
  s->stage.factored_dt = s->dt;
  return PC_OK;
}

/* h F_i of (18a), by the quadrature of the scheme. */
static inline double force_impulse(const pc_theta_step* s, int i)
{
  double theta = s->settings.theta;
  const double* h = s->stage.terms->h;
  return s->dt * (s->kind.trapezoid ? (1 - theta) * s->stage.h_k[i] + theta * h[i] : h[i]);
}

/* dv := h F - M (v - v_k), the right-hand side f of (48), and the sizes of its terms. */
static void compute_impulse(pc_theta_step* s, const pc_state* state)
{
  s->stage.at_start = 0;
  double* change = s->stage.v; /* free until the next stage point */
  for (int i = 0; i < s->n_u; i++) {
    s->dv[i] = 0;
    change[i] = s->v[i] - state->u[i];
  }
  pc_terms_add_M_times(s->stage.terms, change, s->dv);
  for (int i = 0; i < s->n_u; i++) {
    double impulse = force_impulse(s, i);
    pc_measure_set(&s->measure, i, impulse, s->dv[i], s->v[i]);
    s->dv[i] = impulse - s->dv[i];
  }
}

/* The same for v = v_k. */
static void compute_first_impulse(pc_theta_step* s)
{
  s->stage.at_start = s->kind.steady;
  for (int i = 0; i < s->n_u; i++) s->dv[i] = force_impulse(s, i);
}

/* The residual of (18a) at the iterate, with G(q) P; dv keeps f. Its maximum norm. */
static double residual(pc_theta_step* s)
{
  const pc_terms* rows = s->loop.held ? s->end.held_terms : s->end.terms;
  double* r = s->stage.v; /* where it stays until the next stage point */
  pc_copy(s->n_u, s->dv, r);
  for (int row = 0; row < s->rows; row++)
    if (s->P[row] != 0) pc_measure_add_row(&s->measure, pc_terms_row(rows, row), s->P[row], r);
  return pc_largest(s->n_u, r);
}

/* The same for dv. Where neither forces nor factors change, A^-1 h F is that of the step before. */
PC_INLINE void compute_free_velocity(pc_theta_step* s)
{
  pc_theta_stage* stage = &s->stage;
  int knows = stage->has_kick && stage->at_start;
  if (knows)
    pc_copy(s->n_u, stage->kick, s->dv);
  else
    pc_assembly_solve_by(stage->tangent, s->threads, s->dv);
  if (stage->kick && stage->at_start && !knows) {
    pc_copy(s->n_u, s->dv, stage->kick);
    stage->has_kick = 1;
  }
  stage->at_start = 0;
  pc_axpy(s->n_u, 1, s->v, s->dv);
}

/* q, where W is taken first: the velocity that the last step's percussions would give. It only
 * saves iterations; nothing of it is left in the result. */
static pc_status predict(pc_theta_step* s, const pc_state* state, pc_error* error)
{
  PC_TRY(pc_theta_step_factor(s, error));
  double theta = s->settings.theta, dt = s->dt;
  double* v = s->stage.v;
  pc_copy(s->n_u, s->dv, v);
  for (int r = 0; r < s->rows; r++)
    if (state->P[r] != 0) pc_row_add(pc_terms_row(s->end.terms, r), state->P[r], v);
  pc_assembly_solve(s->stage.tangent, v);
  for (int i = 0; i < s->n_u; i++) v[i] = state->u[i] + theta * v[i];
  pc_system_q_dot(s->system, state->t + theta * dt, s->stage.q, v, s->stage.q_dot);
  for (int i = 0; i < s->n_q; i++) s->q[i] = state->q[i] + dt * s->stage.q_dot[i];
  return PC_OK;
}

/* The first linearisation. `mid` starts from q_k + h q'(v_k), which goes with v_k, and takes W at a
 * prediction of q. `trapezoid` starts from q_k as Algorithm 1 does, so that the defect of (18b),
 * h q'(v_k), enters f through dF/dq. */
static pc_status linearise_start(pc_theta_step* s, const pc_state* state, pc_error* error)
{
  double dt = s->dt;
  pc_copy_shared(s->threads, s->n_q, state->q, s->stage.q);
  if (!s->kind.trapezoid || s->kind.consistent) {
    locate(s, state);
    pc_at at = stage_point(s, state);
    evaluate_motion(s, &at);
    compute_first_impulse(s);
    int predicts = !s->kind.constant_W && !s->kind.explicit_rows && !s->kind.consistent;
    return predicts ? predict(s, state, error) : PC_OK;
  }
  evaluate_motion(s, &(pc_at){pc_step_end(state, dt), state->q, state->u, NULL});
  compute_first_impulse(s);
  pc_system_q_dot(s->system, state->t, state->q, state->u, s->stage.q_dot);
  pc_terms_add_h_q_times(s->stage.terms, dt * dt * s->settings.theta, s->stage.q_dot, s->dv);
  pc_copy(s->n_q, state->q, s->q);
  return PC_OK;
}

PC_INLINE pc_status restart(pc_theta_step* s, const pc_state* state, pc_error* error)
{
  pc_copy_shared(s->threads, s->n_u, state->u, s->v);
  if (s->displaced) pc_zero(s->n_u, s->d);
  s->displaced = 0;
  pc_measure_begin(&s->measure);
  if (!s->kind.steady || !s->stage.factored || s->stage.factored_dt != s->dt)
    return linearise_start(s, state, error);
  compute_first_impulse(s);
  return PC_OK;
}

pc_status pc_theta_step_restart(pc_theta_step* s, const pc_state* state, pc_error* error)
{
  return restart(s, state, error);
}

typedef struct before_loop {
  pc_theta_step* step;
  const double* u;
} before_loop;

/* U_k; all rows are evaluated. */
static void take_before(void* user, int worker, int first, int last)
{
  const before_loop* loop = user;
  (void)worker;
  pc_terms_row_velocities(loop->step->end.terms, first, last, loop->u, loop->step->before + first);
}

pc_status pc_theta_step_begin(pc_theta_step* s, const pc_state* state, double dt,
                              pc_step_info* info, pc_error* error)
{
  s->dt = dt;
  for (int i = 0; i < PC_PHASES_MAX; i++) info->iterations[i] = 0;
  info->solver_residual = 0;
  pc_copy_shared(s->threads, s->rows, state->P, s->P);
  evaluate_rows(s, state->t, state->q);
  pc_terms_complete(s->end.terms);
  if (s->capacity.before_rows < PC_THETA_SHARED_LEAST)
    pc_terms_row_velocities(s->end.terms, 0, s->capacity.before_rows, state->u, s->before);
  else
    pc_threads_run(s->threads, s->capacity.before_rows, PC_THETA_SHARED_LEAST, take_before,
                   &(before_loop){s, state->u});
  pc_contact_step_begin(s->contact_step, s->before);
  if (s->kind.trapezoid) {
    pc_terms_evaluate(s->stage.terms, &(pc_at){state->t, state->q, state->u, NULL});
    pc_copy(s->n_u, s->stage.terms->h, s->stage.h_k);
    if (s->kind.does_work) pc_copy(s->n_u, s->stage.terms->f, s->stage.f_k);
  }
  return restart(s, state, error);
}

void pc_theta_refresh_laws(pc_theta_step* s)
{
  if (!s->kind.position_level) return;
  double scale = 1 / (s->dt * s->settings.theta);
  int g = pc_system_g_count(s->system);
  pc_copy(s->rows, s->end.terms->chi, s->end.position.chi);
  for (int i = 0; i < g + s->contact.count; i++) {
    int r = i < g ? i : s->contact.normal[i - g];
    s->end.position.chi[r] = scale * s->end.terms->y[r] - pc_row_dot(s->end.terms->row[r], s->v);
  }
}

/* v := u; whether the factors will do for the next iterate, if there is one. */
PC_INLINE void take_velocity(pc_theta_step* s, const double* u)
{
  if (!s->kind.iterates || s->kind.linear || !s->kind.constant_tangent || s->kind.trapezoid ||
      s->kind.consistent) {
    pc_copy(s->n_u, u, s->v);
    return;
  }
  double change = 0;
  for (int i = 0; i < s->n_u; i++) {
    change = pc_larger(change, pc_lengths_of_u(&s->measure.lengths, i) * fabs(u[i] - s->v[i]));
    s->v[i] = u[i];
  }
  s->loop.keeps_factors = s->stage.factored && change <= KEEP_FACTORS * s->loop.change;
  s->loop.change = change;
}

/* v and P from what is left of the step at the iterate, by the factors of the solve before. */
PC_APART pc_status correct(pc_theta_step* s, pc_solver_info* solver, int* done, pc_error* error)
{
  double* u = s->free_v;
  pc_copy(s->n_u, s->stage.v, u);
  pc_theta_add_free_velocity(s, u);
  PC_TRY(pc_contact_step_correct(s->contact_step, pc_theta_law_terms(s), pc_theta_law_before(s), u,
                                 s->P, solver, done, error));
  if (*done) take_velocity(s, u);
  return PC_OK;
}

/* The one solution of the step needs W at its start for the last time. */
PC_APART void spend_rows(pc_theta_step* s)
{
  pc_contact_step_spend(s->contact_step, s->end.terms);
  s->end.t = NAN;
}

PC_INLINE pc_status solve_anew(pc_theta_step* s, pc_solver_info* solver, pc_error* error)
{
  PC_TRY(pc_theta_step_factor(s, error));
  compute_free_velocity(s);
  if (s->kind.explicit_rows && pc_system_found_count(s->system) > 0) spend_rows(s);
  PC_TRY(pc_contact_step_solve(s->contact_step, pc_theta_law_terms(s), s->stage.tangent,
                               pc_theta_law_before(s), s->dv, s->P, solver, error));
  take_velocity(s, s->dv);
  return PC_OK;
}

/* An iteration, inline in the one of a step that has no others (`single`), which is solved to the
 * tolerance, and anew. */
PC_INLINE pc_status solve(pc_theta_step* s, const pc_state* state, int single, pc_step_info* info,
                          pc_error* error)
{
  int knows_rows = s->kind.position_level ? s->kind.constant_rows : s->kind.constant_W;
  if (!knows_rows && !s->kind.explicit_rows) evaluate_rows(s, pc_step_end(state, s->dt), s->q);
  pc_theta_refresh_laws(s);
  pc_solver_info solver;
  int corrected = 0;
  if (!single && s->loop.keeps_factors && s->loop.has_rest)
    PC_TRY(correct(s, &solver, &corrected, error));
  double residual = info->solver_residual;
  double roughness = single ? 0 : pc_theta_roughness(s);
  if (roughness > 0) pc_contact_step_be_rough(s->contact_step, roughness);
  pc_status status = corrected ? PC_OK : solve_anew(s, &solver, error);
  if (roughness > 0) pc_contact_step_be_rough(s->contact_step, 0);
  PC_TRY(status);
  info->iterations[0]++;
  info->iterations[1] += solver.iterations;
  s->loop.solver_left = solver.residual;
  pc_contact_step_note(&solver, info);
  if (roughness > 0 && !solver.converged) info->solver_residual = residual; /* it is enough */
  return PC_OK;
}

pc_status pc_theta_step_solve(pc_theta_step* s, const pc_state* state, pc_step_info* info,
                              pc_error* error)
{
  return solve(s, state, 0, info, error);
}

void pc_theta_step_locate(pc_theta_step* s, const pc_state* state)
{
  locate(s, state);
  pc_theta_step_evaluate_end(s, state);
}

pc_status pc_theta_step_linearise(pc_theta_step* s, const pc_state* state, pc_step_info* info,
                                  pc_error* error)
{
  locate(s, state);
  pc_at at = stage_point(s, state);
  evaluate_motion(s, &at);
  compute_impulse(s, state);
  if (!s->kind.constant_rows) evaluate_rows(s, pc_step_end(state, s->dt), s->q);
  info->residual = residual(s);
  s->loop.has_rest = 1;
  if (!isfinite(info->residual))
    return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
  return PC_OK;
}

/* The work of f over the step, by the quadrature of (18a), along the path that q takes: with
 * another theta than 1/2 that is not along the mean velocity, and a stiff damper would seem to take
 * what a stiff spring gives. */
static double work(const pc_theta_step* s, const pc_state* state)
{
  double theta = s->settings.theta, sum = 0;
  const double* f = s->stage.terms->f;
  for (int i = 0; i < s->n_u; i++) {
    double mean = s->kind.trapezoid ? (1 - theta) * s->stage.f_k[i] + theta * f[i] : f[i];
    sum += s->dt * mean * ((1 - theta) * state->u[i] + theta * s->v[i]);
  }
  return sum;
}

void pc_theta_step_commit(pc_theta_step* s, pc_state* state, pc_step_info* info)
{
  info->work = s->kind.does_work ? work(s, state) : 0;
  pc_copy_shared(s->threads, s->n_q, s->q, state->q);
  pc_copy_shared(s->threads, s->n_u, s->v, state->u);
  pc_copy_shared(s->threads, s->rows, s->P, state->P);
}

/* A linear system is solved by one iteration: all that is left is f at the stage point for the
 * energy balance. */
PC_INLINE void finish_linear(pc_theta_step* s, const pc_state* state, pc_step_info* info)
{
  if (s->kind.does_work) {
    pc_at at = stage_point(s, state);
    pc_terms_evaluate(s->stage.terms, &at);
  }
  info->residual = 0;
  pc_contact_step_solved_violation(s->contact_step, s->v, s->P, info);
}

void pc_theta_step_finish_linear(pc_theta_step* s, const pc_state* state, pc_step_info* info)
{
  finish_linear(s, state, info);
}

pc_status pc_theta_step_solve_single(pc_theta_step* s, const pc_state* state, pc_step_info* info,
                                     pc_error* error)
{
  PC_TRY(solve(s, state, 1, info, error));
  locate(s, state);
  finish_linear(s, state, info);
  return PC_OK;
}
