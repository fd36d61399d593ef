/* The scheme as the others see it: creation, the loop of Algorithm 1. */
#include "schemes/generalized_alpha.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* In the order of pc_constraints. */
static const pc_alpha_form forms[] = {
    {"pva", PC_ALPHA_ACCELERATION, 1, 1}, {"pvv", PC_ALPHA_SMOOTH_VELOCITY, 1, 1},
    {"p", PC_ALPHA_POSITION, 0, 0},       {"v", PC_ALPHA_VELOCITY, 0, 0},
    {"pv", PC_ALPHA_VELOCITY, 1, 0},      {"baumgarte", PC_ALPHA_BAUMGARTE, 0, 0}};

double* pc_alpha_memory(const pc_system* system, double* memory, int part)
{
  int n_u = pc_system_u_count(system), rows = pc_system_row_count(system);
  const int first[] = {0, n_u, 2 * n_u, 2 * n_u + rows, 2 * (n_u + rows)};
  return memory + first[part];
}

static int memory_count(const void* scheme)
{
  const pc_alpha* s = scheme;
  return 2 * (s->n_u + s->rows) + s->contacts;
}

/* ---- creation ---------------------------------------------------------------------------- */

static void destroy(void* scheme)
{
  pc_alpha* s = scheme;
  if (!s) return;
  pc_terms_destroy(s->terms);
  pc_terms_destroy(s->between);
  pc_assembly_destroy(s->tangent);
  pc_assembly_destroy(s->mass);
  pc_alpha_tangent_destroy(s->exact);
  pc_alpha_saddle_destroy(s->saddle);
  pc_consistent_start_destroy(s->start);
  pc_contact_stage_destroy(s->stage);
  pc_alpha_newton_destroy(s->newton);
  void* array[] = {s->contact,      s->q,          s->u,
                   s->v_dot,        s->a,          s->U,
                   s->jump,         s->lambda,     s->nu,
                   s->Lambda,       s->eta,        s->a_0,
                   s->d_0,          s->u_0,        s->eta_0,
                   s->before,       s->q_before,   s->u_before,
                   s->level,        s->m_F,        s->r,
                   s->place,        s->force,      s->measure,
                   s->c_row,        s->y_row,      s->slope,
                   s->slope_values, s->d,          s->residual,
                   s->room,         s->impact_law, s->friction_law,
                   s->slides,       s->drag,       s->P,
                   s->forecast,     s->pull,       s->pull_values,
                   s->q_room,       s->q_between,  s->bend,
                   s->turn,         s->extra,      s->u_there,
                   s->lambda_there, s->body,       s->body_of};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(s);
}

static pc_status create_arrays(pc_alpha* s, pc_error* error)
{
  double** n_u[] = {&s->u,   &s->v_dot, &s->a, &s->U,        &s->jump,     &s->a_0,
                    &s->d_0, &s->u_0,   &s->d, &s->residual, &s->u_before, &s->u_there};
  double** rows[] = {&s->lambda, &s->nu,     &s->Lambda, &s->eta,   &s->eta_0,       &s->drag,
                     &s->P,      &s->before, &s->c_row,  &s->y_row, &s->lambda_there};
  double** contacts[] = {&s->r, &s->impact_law, &s->friction_law, &s->m_F, &s->forecast};
  int bad = 0;
  for (size_t i = 0; i < sizeof n_u / sizeof *n_u; i++)
    bad |= !(*n_u[i] = pc_alloc((size_t)s->n_u, sizeof(double)));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    bad |= !(*rows[i] = pc_alloc((size_t)s->rows, sizeof(double)));
  for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++)
    bad |= !(*contacts[i] = pc_alloc((size_t)s->contacts, sizeof(double)));
  bad |= !(s->q = pc_alloc((size_t)s->n_q, sizeof(double)));
  bad |= !(s->q_between = pc_alloc((size_t)s->n_q, sizeof(double)));
  bad |= !(s->q_room = pc_alloc((size_t)s->n_q, sizeof(double)));
  bad |= !(s->q_before = pc_alloc((size_t)s->n_q, sizeof(double)));
  bad |= !(s->room = pc_alloc((size_t)(s->n_q + 2 * s->n_u), sizeof(double)));
  bad |= !(s->level = pc_alloc((size_t)s->contacts, sizeof *s->level));
  bad |= !(s->slides = pc_alloc((size_t)s->contacts, sizeof *s->slides));
  bad |= !(s->pull = pc_alloc((size_t)s->rows, sizeof *s->pull));
  bad |= !(s->contact = pc_alloc((size_t)s->contacts, sizeof *s->contact));
  bad |= !(s->place = pc_alloc((size_t)s->rows, sizeof *s->place));
  bad |= !(s->force = pc_alloc((size_t)s->rows, sizeof *s->force));
  bad |= !(s->measure = pc_alloc((size_t)s->rows, sizeof *s->measure));
  bad |= !(s->slope = pc_alloc((size_t)s->rows, sizeof *s->slope));
  bad |= !(s->extra = pc_alloc((size_t)s->rows, sizeof *s->extra));
  bad |= !(s->bend = pc_alloc((size_t)s->rows, sizeof *s->bend));
  bad |= !(s->turn = pc_alloc((size_t)s->rows, sizeof *s->turn));
  return bad ? pc_no_memory(error) : PC_OK;
}

/* Room for rows that have the blocks of W: J of the smooth level and its bends, W T, and pulls. */
static pc_status create_slopes(pc_alpha* s, pc_error* error)
{
  size_t width = 0, at = 0;
  for (int r = 0; r < s->rows; r++) width += (size_t)pc_system_row_width(s->system, r);
  s->slope_values = pc_alloc(4 * width, sizeof(double));
  s->pull_values = pc_alloc(width, sizeof(double));
  if (!s->slope_values || !s->pull_values) return pc_no_memory(error);
  for (int r = 0; r < s->rows; r++) {
    s->slope[r] = s->slope_values + at;
    s->bend[r] = s->slope_values + width + at;
    s->turn[r] = s->slope_values + 2 * width + at;
    s->extra[r] = s->slope_values + 3 * width + at;
    s->pull[r] = s->pull_values + at;
    at += (size_t)pc_system_row_width(s->system, r);
  }
  return PC_OK;
}

/* Whether rows are curved or M changes. */
static int has_second_derivatives(const pc_alpha* s)
{
  return !s->constant_rows || (pc_system_provides(s->system) & PC_TERM_MA_Q);
}

static pc_status create_parts(pc_alpha* s, pc_error* error)
{
  unsigned all = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_Y | PC_TERM_W |
                 PC_TERM_W_Q | PC_TERM_ZETA | PC_TERM_MA_Q | PC_TERM_F;
  PC_TRY(create_arrays(s, error));
  PC_TRY(pc_alpha_create_bodies(s, error));
  for (int k = 0; k < s->contacts; k++) {
    s->contact[k] = pc_system_contact(s->system, k);
    if (s->settings.frictionless) s->contact[k].dimension = 0;
    s->has_friction |= s->contact[k].dimension > 0;
  }
  PC_TRY(pc_terms_create(s->system, all, &s->terms, error));
  PC_TRY(pc_terms_create(s->system, PC_TERM_Y | PC_TERM_W, &s->between, error));
  PC_TRY(create_slopes(s, error));
  PC_TRY(pc_system_create_tangent(s->system, &s->tangent, error));
  PC_TRY(pc_system_create_tangent(s->system, &s->mass, error));
  if (has_second_derivatives(s)) PC_TRY(pc_alpha_tangent_create(s, &s->exact, error));
  PC_TRY(pc_alpha_saddle_create(s->n_u, s->rows, &s->saddle, error));
  PC_TRY(pc_contact_stage_create(s->system, &s->settings, &s->stage, error));
  if (s->settings.monolithic || pc_alpha_newton_is_small(s))
    PC_TRY(pc_alpha_newton_create(s, &s->newton, error));
  return pc_consistent_start_create(s->system, s->settings.solver, &s->start, error);
}

static void note_constants(pc_alpha* s)
{
  unsigned provides = pc_system_provides(s->system), constant = pc_system_constant(s->system);
  unsigned in_tangent = provides & (PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U);
  s->constant_mass = (constant & PC_TERM_M) != 0;
  s->constant_tangent = (constant & in_tangent) == in_tangent;
  s->constant_rows = s->rows == 0 || (constant & PC_TERM_W);
  s->same_matrix = !(provides & (PC_TERM_H_Q | PC_TERM_H_U));
  s->t_before = NAN;
}

static pc_status refuse_contacts(const pc_alpha* s, pc_error* error)
{
  if (s->contacts == 0 || (s->form.position && s->form.velocity)) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT,
                 "--constraints %s has no impact law and is for systems without contact; '%s' is a "
                 "contact: use pva or pvv",
                 s->form.name, pc_system_contact(s->system, 0).name);
}

/* Strategy 1 takes the joints out of the smooth motion, and these forms have nothing else. */
static pc_status refuse_strategy(const pc_alpha* s, pc_error* error)
{
  if (s->settings.strategy > 1 || (s->form.position && s->form.velocity)) return PC_OK;
  return pc_fail(
      error, PC_BAD_ARGUMENT,
      "--strategy 1 holds joints by impulses alone, which --constraints %s does not have; "
      "use pva or pvv, or leave --strategy out",
      s->form.name);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  pc_alpha* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->settings = *settings;
  s->form = forms[settings->constraints];
  s->n_q = pc_system_q_count(system);
  s->n_u = pc_system_u_count(system);
  s->rows = pc_system_row_count(system);
  s->contacts = pc_system_contact_count(system);
  s->g = pc_system_g_count(system);
  s->bilateral = s->g + pc_system_gamma_count(system);
  note_constants(s);
  pc_status status = pc_alpha_choose_coefficients(settings, &s->c, error);
  if (status == PC_OK) status = refuse_contacts(s, error);
  if (status == PC_OK) status = refuse_strategy(s, error);
  if (status == PC_OK) status = create_parts(s, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

static pc_status start(void* scheme, pc_state* state, double dt, pc_error* error)
{
  return pc_alpha_start(scheme, state, dt, error);
}

/* ---- a step ------------------------------------------------------------------------------ */

/* One sweep of Algorithm 1: the levels one after the other, each with what the ones before it did. */
static pc_status sweep(pc_alpha* s, const pc_state* state, const pc_at* at, pc_step_info* info,
                       pc_error* error)
{
  PC_TRY(pc_alpha_smooth_level(s, at, error));
  pc_alpha_locate(s, state);
  if (s->form.position) {
    PC_TRY(pc_alpha_position_level(s, error));
    pc_alpha_locate(s, state);
  }
  if (s->form.velocity) PC_TRY(pc_alpha_velocity_level(s, info, error));
  pc_alpha_push_positions(s); /* U follows in the next sweep, if that is needed */
  return PC_OK;
}

/* The terms and sets at the iterate. */
static pc_status look(pc_alpha* s, const pc_state* state, int iteration, pc_at* at, pc_error* error)
{
  pc_alpha_locate(s, state);
  *at = pc_alpha_evaluate(s);
  if (iteration == 0) PC_TRY(pc_alpha_factor_mass(s, at, error));
  if (!s->weighed && pc_alpha_near_contact(s)) {
    PC_TRY(pc_alpha_factor_mass(s, at, error));
    PC_TRY(pc_alpha_weigh_contacts(s, error));
  }
  pc_alpha_update_sets(s, state, iteration);
  if (s->has_friction) pc_alpha_update_friction(s, iteration);
  return PC_OK;
}

/* Iterates from the predictor: by sweeps, or all levels at once. `converged` tells how it ended. */
static pc_status iterate(pc_alpha* s, const pc_state* state, int monolithic, int iterations_max,
                         pc_step_info* info, int* converged, pc_error* error)
{
  pc_alpha_begin(s, state, s->dt);
  for (int n = 0;; n++) {
    pc_at at;
    PC_TRY(look(s, state, n, &at, error));
    *converged = pc_alpha_converged(s, info);
    if (!isfinite(info->residual))
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    if (*converged || n == iterations_max) return PC_OK;
    PC_TRY(pc_alpha_factor(s, state, &at, error));
    if (monolithic)
      PC_TRY(pc_alpha_newton_iterate(s->newton, s, &at, error));
    else
      PC_TRY(sweep(s, state, &at, info, error));
    info->iterations[0]++;
  }
}

static pc_status give_up(const pc_alpha* s, pc_step_info* info, pc_error* error)
{
  if (s->settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    info->inaccurate = 1;
    return PC_OK;
  }
  return pc_fail(error, PC_NOT_CONVERGED,
                 "the Newton loop stopped after %d iterations with a residual of %.3g N s; try a "
                 "smaller dt or a larger --tol",
                 info->iterations[0], info->residual);
}

/* A step that the monolithic iteration does not settle soon is done again by sweeps, whose contact
 * solver knows what to do with stick and slip of redundant contacts. */
enum { MONOLITHIC_MAX = 15 };

static pc_status all_at_once_first(pc_alpha* s, const pc_state* state, pc_step_info* info,
                                   int* converged, pc_error* error)
{
  int most = s->settings.max_iterations;
  PC_TRY(
      iterate(s, state, 1, most < MONOLITHIC_MAX ? most : MONOLITHIC_MAX, info, converged, error));
  return *converged ? PC_OK : iterate(s, state, 0, most, info, converged, error);
}

/* Sweeps do not know what U and the jump do to the forces of stiff and damped bodies, and can go
 * astray there: such a step is done again with all levels at once. */
static pc_status sweeps_first(pc_alpha* s, const pc_state* state, pc_step_info* info,
                              int* converged, pc_error* error)
{
  int most = s->settings.max_iterations;
  pc_status status = iterate(s, state, 0, most, info, converged, error);
  int astray = status == PC_NOT_FINITE || (status == PC_OK && !*converged);
  if (!astray || !s->newton || most < MONOLITHIC_MAX) return status;
  return iterate(s, state, 1, most, info, converged, error);
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  pc_alpha* s = scheme;
  int converged = 0;
  s->dt = dt;
  info->iterations[0] = info->iterations[1] = 0;
  info->solver_residual = 0;
  info->inaccurate = 0;
  PC_TRY((s->settings.monolithic ? all_at_once_first : sweeps_first)(s, state, info, &converged,
                                                                     error));
  if (!converged) PC_TRY(give_up(s, info, error));
  if (!converged) pc_alpha_check_laws(s, info);
  pc_alpha_commit(s, state, info);
  return PC_OK;
}

const pc_scheme_ops pc_generalized_alpha = {
    .name = "generalized-alpha",
    .summary =
        "second order with chosen damping; constraints as positions, velocities and "
        "accelerations (alpha (65))",
    .stage_count = 2,
    .stage = {"newton", "solver"},
    .has_accelerations = 1,
    .create = create,
    .destroy = destroy,
    .memory_count = memory_count,
    .start = start,
    .step = step,
};
