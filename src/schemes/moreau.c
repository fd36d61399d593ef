/* Moreau's midpoint scheme: Flores, Leine, Glocker (36)-(44).
 *
 *     q_M = q_A + dt/2 q'(q_A, u_A)                                        before (40)
 *     M_M (u_E - u_A) - h(t_M, q_M, u_A) dt = W_M P                        (41)
 *     laws (42), (43) for the contacts with g_N(q_M) <= 0
 *     q_E = q_M + dt/2 q'(q_M, u_E)                                        (44)
 *
 * One linear contact problem a step, no iteration on the motion. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/scheme.h"
#include "steps/contact_step.h"
#include "steps/restitution.h"
#include "system/found.h"
#include "system/inspect.h"

/* M^-1 h dt where neither M nor h ever changes. */
typedef struct steady_kick {
  double* u; /* n_u; NULL where one of them does */
  double dt; /* of which step [s] */
} steady_kick;

typedef struct moreau {
  const pc_system* system;
  int n_q, n_u, rows, contacts;
  int plain;                /* q' = u */
  int does_work;            /* there are forces f that no energy accounts for */
  double restitution_above; /* [m/s] */
  int has_restitution_above;
  pc_terms* mid;
  pc_assembly* M;
  int factored; /* M never changes and is factorised already */
  int constant;
  pc_contact_step* contact_step;
  size_t row_capacity, contact_capacity;
  double* q;       /* n_q: q_M */
  double* d;       /* n_u: the way of half a step */
  double* scratch; /* n_q + n_u, for it */
  double* u;       /* n_u: u_E */
  steady_kick kick;
  double* P;        /* rows */
  double* before;   /* rows: velocities y'(-) = W_M' u_A + chi_M */
  double* forecast; /* contacts: g_N(q_M) */
  int* normal;      /* contacts: their normal rows */
} moreau;

static void destroy(void* scheme)
{
  moreau* s = scheme;
  if (!s) return;
  pc_terms_destroy(s->mid);
  pc_assembly_destroy(s->M);
  pc_contact_step_destroy(s->contact_step);
  free(s->q);
  free(s->d);
  free(s->scratch);
  free(s->u);
  free(s->kick.u);
  free(s->P);
  free(s->before);
  free(s->forecast);
  free(s->normal);
  free(s);
}

/* Arrays for all rows and contacts of the system; those from number `first` on are new. */
static pc_status take_system(moreau* s, int first, pc_error* error)
{
  const pc_array by_row[] = {PC_ARRAY(s->P), PC_ARRAY(s->before)};
  const pc_array by_contact[] = {PC_ARRAY(s->forecast), PC_ARRAY(s->normal)};
  s->rows = pc_system_row_count(s->system);
  s->contacts = pc_system_contact_count(s->system);
  if (pc_reserve_arrays(2, by_row, &s->row_capacity, (size_t)s->rows) != PC_OK ||
      pc_reserve_arrays(2, by_contact, &s->contact_capacity, (size_t)s->contacts) != PC_OK)
    return pc_no_memory(error);
  for (int k = first; k < s->contacts; k++) s->normal[k] = pc_system_contact_row(s->system, k);
  return PC_OK;
}

static pc_status refit(void* scheme, pc_error* error)
{
  moreau* s = scheme;
  PC_TRY(take_system(s, pc_system_fixed_contact_count(s->system), error));
  PC_TRY(pc_terms_refit(s->mid, error));
  s->has_restitution_above = pc_has_restitution_above(s->system, s->restitution_above);
  return pc_contact_step_refit(s->contact_step, error);
}

static pc_status create_parts(moreau* s, const pc_scheme_settings* settings, pc_error* error)
{
  const pc_system* system = s->system;
  size_t n_q = (size_t)s->n_q, n_u = (size_t)s->n_u;
  s->q = pc_alloc(n_q, sizeof *s->q);
  s->d = pc_alloc(n_u, sizeof *s->d);
  s->scratch = pc_alloc(n_q + n_u, sizeof *s->scratch);
  s->u = pc_alloc(n_u, sizeof *s->u);
  if (!s->q || !s->d || !s->scratch || !s->u) return pc_no_memory(error);
  unsigned motion = pc_system_provides(system) & (PC_TERM_M | PC_TERM_H);
  int steady = (pc_system_constant(system) & motion) == motion;
  if (steady && !(s->kick.u = pc_alloc(n_u, sizeof *s->kick.u))) return pc_no_memory(error);
  PC_TRY(take_system(s, 0, error));
  PC_TRY(pc_terms_create(system, PC_TERM_M | PC_TERM_H | PC_TERM_F | PC_TERM_Y | PC_TERM_W, &s->mid,
                         error));
  PC_TRY(pc_system_create_tangent(system, &s->M, error));
  return pc_contact_step_create(system, settings, &s->contact_step, error);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  moreau* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->n_q = pc_system_q_count(system);
  s->n_u = pc_system_u_count(system);
  s->plain = pc_system_plain_kinematics(system);
  s->constant = (pc_system_constant(system) & PC_TERM_M) != 0;
  s->does_work = (pc_system_provides(system) & PC_TERM_F) != 0;
  s->restitution_above = settings->restitution_above;
  s->has_restitution_above = pc_has_restitution_above(s->system, s->restitution_above);
  pc_status status = create_parts(s, settings, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

/* Half a step with u, from q_0 to q: q_0 + dt/2 u where q' = u; |p| of a quaternion stays. */
static void half_drift(moreau* s, double t, double dt, const double* u, const double* q_0,
                       double* q)
{
  if (s->plain) {
    for (int i = 0; i < s->n_q; i++) q[i] = q_0[i] + 0.5 * dt * u[i];
    return;
  }
  for (int i = 0; i < s->n_u; i++) s->d[i] = 0.5 * dt * u[i];
  pc_system_retract(s->system, t, 0.5 * dt, q_0, s->d, s->scratch, q);
}

static pc_status factor_mass(moreau* s, const pc_at* at, pc_error* error)
{
  if (s->constant && s->factored) return PC_OK;
  pc_terms_tangent(s->mid, at, 1, 0, 0, s->M);
  pc_status status = pc_assembly_factor(s->M);
  if (status != PC_OK) return pc_fail(error, status, "the mass matrix cannot be inverted");
  s->factored = 1;
  return PC_OK;
}

/* u_A + M^-1 h dt; the second is that of the step before where it never changes. */
static void free_velocity(moreau* s, const pc_state* state, double dt)
{
  int n_u = s->n_u;
  double* kick = s->kick.u ? s->kick.u : s->d;
  if (!s->kick.u || dt != s->kick.dt) {
    for (int i = 0; i < n_u; i++) kick[i] = dt * s->mid->h[i];
    pc_assembly_solve(s->M, kick);
    s->kick.dt = dt;
  }
  for (int i = 0; i < n_u; i++) s->u[i] = kick[i] + state->u[i];
}

static int forecast(moreau* s)
{
  for (int k = 0; k < s->contacts; k++) s->forecast[k] = s->mid->y[s->normal[k]];
  pc_contact_step_locate(s->contact_step, s->q);
  return pc_contact_step_activate(s->contact_step, s->forecast);
}

/* The work of f by the mean velocity. What takes energy at u_A, where f is evaluated, and gives
 * energy by the mean has turned the motion round within the step: a damper does so if and only if
 * dt is too long for it, as here it is explicit. */
static void account_for_work(const moreau* s, const pc_state* state, double dt, pc_step_info* info)
{
  double work = 0, at_start = 0;
  for (int i = 0; i < s->n_u; i++) {
    work += dt * s->mid->f[i] * (s->u[i] + state->u[i]) / 2;
    at_start += s->mid->f[i] * state->u[i];
  }
  info->work = work;
  info->work_turned = at_start < 0 && work > 0 ? work : 0;
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  moreau* s = scheme;
  int n_u = s->n_u;
  double t_M = state->t + 0.5 * dt;

  half_drift(s, state->t, dt, state->u, state->q, s->q);
  pc_at mid = {t_M, s->q, state->u, NULL};
  pc_terms_evaluate(s->mid, &mid);
  PC_TRY(factor_mass(s, &mid, error));

  free_velocity(s, state, dt);
  forecast(s);
  for (int r = 0; r < s->rows; r++) s->before[r] = pc_terms_row_velocity(s->mid, r, state->u);
  if (s->has_restitution_above) pc_restitution_above(s->system, s->restitution_above, s->before);
  pc_contact_step_begin(s->contact_step, s->before);
  pc_copy(s->rows, state->P, s->P);
  pc_solver_info solver;
  pc_contact_step_spend(s->contact_step, s->mid);
  PC_TRY(
      pc_contact_step_solve(s->contact_step, s->mid, s->M, s->before, s->u, s->P, &solver, error));
  pc_contact_step_solved_violation(s->contact_step, s->u, s->P, info);
  half_drift(s, t_M, dt, s->u, s->q, state->q);

  info->iterations[0] = solver.iterations;
  info->solver_residual = 0;
  pc_contact_step_note(&solver, info);
  info->residual = 0; /* (41) is linear: it holds to round-off */
  if (s->does_work) account_for_work(s, state, dt, info);
  pc_copy(n_u, s->u, state->u);
  pc_copy(s->rows, s->P, state->P);
  return PC_OK;
}

/* By the gaps at the midpoint, to which u_A leads. */
static pc_choice chooses(const void* scheme)
{
  (void)scheme;
  return PC_CHOOSES_AT_START;
}

static void set_friction(void* scheme, const double* mu)
{
  moreau* s = scheme;
  pc_contact_step_set_friction(s->contact_step, mu);
}

const pc_scheme_ops pc_moreau = {
    .name = "moreau",
    .summary = "Moreau's midpoint rule: explicit, one contact problem a step (Flores et al.)",
    .phase_count = 1,
    .phase = {"solver"},
    .explicit_forces = PC_EXPLICIT_ALL,
    .create = create,
    .destroy = destroy,
    .step = step,
    .refit = refit,
    .chooses = chooses,
    .set_friction = set_friction,
};
