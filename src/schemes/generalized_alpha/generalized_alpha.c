/* The scheme as the others see it: creation, the loop of Algorithm 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/generalized_alpha/alpha.h"
#include "steps/restitution.h"
#include "system/found.h"

/* ---- creation ---------------------------------------------------------------------------- */

static int memory_count(const void* scheme)
{
  const pc_alpha* s = scheme;
  return pc_alpha_memory_count(&s->model);
}

/* v', a, f and its average; lambda, eta; closed */
static pc_memory_layout memory_layout(const void* scheme)
{
  const pc_alpha* s = scheme;
  return (pc_memory_layout){PC_ALPHA_LAMBDA * s->model.n_u, 2, 1};
}

static void release(pc_alpha* s)
{
  pc_alpha_newton_destroy(s->newton);
  pc_consistent_start_destroy(s->start);
  pc_alpha_saddle_destroy(s->saddle);
  pc_alpha_contact_problem_free(&s->contacts);
  pc_alpha_balance_free(&s->balance);
  pc_alpha_laws_free(&s->laws);
  pc_terms_destroy(s->ggl.start);
  pc_assembly_destroy(s->ggl.unity);
  pc_alpha_problem_free(&s->problem);
  pc_alpha_sets_free(&s->set);
  pc_alpha_matrices_free(&s->matrix);
  pc_alpha_iterate_free(&s->x);
  pc_alpha_step_free(&s->step);
  pc_alpha_model_free(&s->model);
}

static void destroy(void* scheme)
{
  if (!scheme) return;
  release(scheme);
  free(scheme);
}

static pc_status create_ggl(const pc_alpha_model* m, pc_alpha_ggl* ggl, pc_error* error)
{
  if (!m->form.ggl) return PC_OK;
  PC_TRY(pc_terms_create(m->system, PC_TERM_W, &ggl->start, error));
  return pc_assembly_create_identity(m->n_u, &ggl->unity, error);
}

static pc_status create_parts(pc_alpha* s, pc_error* error)
{
  const pc_alpha_model* m = &s->model;
  PC_TRY(create_ggl(m, &s->ggl, error));
  PC_TRY(pc_alpha_step_create(&s->step, m, error));
  PC_TRY(pc_alpha_iterate_create(&s->x, m, error));
  PC_TRY(pc_alpha_matrices_create(&s->matrix, m, error));
  PC_TRY(pc_alpha_sets_create(&s->set, m, error));
  PC_TRY(pc_alpha_problem_create(&s->problem, m, error));
  PC_TRY(pc_alpha_laws_create(&s->laws, m, error));
  PC_TRY(pc_alpha_balance_create(&s->balance, m, s->matrix.terms, error));
  PC_TRY(pc_alpha_contact_problem_create(&s->contacts, m, error));
  PC_TRY(pc_alpha_saddle_create(m->n_u, m->rows, pc_alpha_matrix(&s->matrix, m),
                                s->ggl.unity ? s->ggl.unity : s->matrix.mass, &s->saddle, error));
  PC_TRY(pc_alpha_newton_create(s, &s->newton, error));
  return m->contacts ? pc_consistent_start_create(m->system, m->settings.solver, &s->start, error)
                     : PC_OK;
}

/* Makes all that a scheme consists of, for the contacts that its system has at present. */
static pc_status make(pc_alpha* s, const pc_system* system, const pc_scheme_settings* settings,
                      pc_error* error)
{
  *s = (pc_alpha){.layout = pc_system_found_layout(system)};
  PC_TRY(pc_alpha_model_create(&s->model, system, settings, error));
  return create_parts(s, error);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  pc_alpha* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  pc_status status = make(s, system, settings, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

/* Contacts that come and go change the sparsity patterns: then everything is made anew. The same
 * contacts with another geometry have to be evaluated anew, the rest still fits. */
static pc_status refit(void* scheme, pc_error* error)
{
  pc_alpha* s = scheme;
  const pc_system* system = s->model.system;
  const pc_scheme_settings settings = s->model.settings;
  if (s->layout == pc_system_found_layout(system)) {
    pc_alpha_forget_terms(&s->matrix);
    return s->laws.contact_step ? pc_contact_step_refit(s->laws.contact_step, error) : PC_OK;
  }
  release(s);
  return make(s, system, &settings, error);
}

static pc_status start(void* scheme, pc_state* state, double dt, pc_error* error)
{
  return pc_alpha_start(scheme, state, dt, error);
}

/* ---- a step ------------------------------------------------------------------------------ */

static void locate(pc_alpha* s, const pc_state* state)
{
  pc_alpha_locate(&s->model, state, &s->step, &s->x);
}

/* One sweep of Algorithm 1: the levels one after the other, each with what the ones before it
 * did. */
static pc_status sweep(pc_alpha* s, const pc_state* state, const pc_at* at, pc_step_info* info,
                       pc_error* error)
{
  PC_TRY(s->set.smooth_by_laws ? pc_alpha_smooth_laws(s, at, info, error)
                               : pc_alpha_smooth_level(s, at, error));
  locate(s, state);
  if (s->model.form.position) {
    PC_TRY(pc_alpha_position_level(s, error));
    locate(s, state);
  }
  if (s->model.form.velocity) PC_TRY(pc_alpha_velocity_level(s, info, error));
  pc_alpha_impulses_on_positions(s); /* U follows in the next sweep, if that is needed */
  return PC_OK;
}

/* How the equations of a step are solved. */
typedef enum method {
  SWEEPS,    /* Algorithm 1: level by level, with active sets */
  LATCHED,   /* the same, where sets go on changing: the last resort */
  LAWS,      /* level by level, with the laws of the contacts: where sets cycle or are infeasible */
  ALL_LEVELS /* one Newton iteration for all levels, with active sets: where levels are coupled */
} method;

/* The terms at the iterate, and the sets if the method has them. */
static pc_status look(pc_alpha* s, const pc_state* state, method by, int iteration, pc_at* at,
                      pc_error* error)
{
  locate(s, state);
  *at = pc_alpha_evaluate(&s->matrix, &s->model, &s->step, &s->x);
  if (iteration == 0) PC_TRY(pc_alpha_factor_mass(&s->matrix, at, error));
  PC_TRY(pc_alpha_weigh_contacts(s, at, error));
  if (by == LAWS) return PC_OK;
  pc_alpha_update_sets(s, state, iteration);
  if (s->model.has_friction) pc_alpha_update_friction(s, iteration);
  return PC_OK;
}

/* The predictor, and what is known before the first iteration. */
static void begin(pc_alpha* s, const pc_state* state, double dt, method by)
{
  pc_alpha_predict(&s->model, state, dt, &s->step, &s->x);
  pc_alpha_evaluate_before(&s->matrix, &s->model, state);
  for (int r = 0; r < s->model.rows; r++)
    s->step.before[r] = pc_terms_row_velocity(s->matrix.terms, r, state->u);
  if (s->model.has_restitution_above)
    pc_restitution_above(s->model.system, s->model.settings.restitution_above, s->step.before);
  if (s->ggl.start) pc_terms_evaluate(s->ggl.start, &(pc_at){state->t, state->q, NULL, NULL});
  s->matrix.linearised = 0;
  memset(s->set.weighed, 0, (size_t)s->model.contacts);
  pc_alpha_begin_balance(&s->balance);
  s->set.by_laws = by == LAWS;
  s->set.all_levels = by == ALL_LEVELS;
  s->set.smooth_by_laws = s->set.no_smooth_contacts = 0;
  if (by == LAWS) pc_alpha_begin_laws(s);
}

static pc_status improve(pc_alpha* s, const pc_state* state, method by, const pc_at* at,
                         int iteration, pc_step_info* info, pc_error* error)
{
  double forecast = by == LAWS ? HUGE_VAL : s->balance.progress.forecast;
  PC_TRY(pc_alpha_factor(&s->matrix, &s->model, state, &s->step, &s->x, at, forecast, error));
  if (by == SWEEPS || by == LATCHED) return sweep(s, state, at, info, error);
  if (by == LAWS) return pc_alpha_law_sweep(s, state, at, iteration, info, error);
  return pc_alpha_newton_iterate(s->newton, s, at, error);
}

/* A method whose sets have not changed and whose residual was not halved in so many iterations gets
 * no further. */
enum { STALLED_MAX = 10 };

/* Contacts that stay closed can close others, and these others: with so many times the contacts
 * that were closed when they began to stay, the iteration diverges. */
enum { CLOSED_GROWTH_MAX = 2 };

/* A few contacts that open and close in a circle, as the redundant legs of a table do, stop doing
 * so soon after they are to stay closed; where more go in a circle, they would take others with
 * them. */
enum { CIRCLE_MAX = 4, CONVERGED_WITHIN = 4 };

static int sweeps_cycle(const pc_alpha* s, int n)
{
  if (n == PC_ALPHA_LATCH_AFTER) return s->set.changed > CIRCLE_MAX;
  return n >= PC_ALPHA_LATCH_AFTER + CONVERGED_WITHIN && s->set.changed;
}

/* Whether iteration n shows that the method will not get there. A method with laws whose contact
 * problem was not solved to its tolerance shows in a few iterations what can be had. */
static int is_hopeless(const pc_alpha* s, method by, int n, const pc_step_info* info, int* closed)
{
  if (s->balance.progress.stalled >= STALLED_MAX) return 1;
  if (by == LAWS && info->inaccurate && s->set.no_smooth_contacts)
    return s->balance.progress.stalled >= STALLED_MAX / 3;
  if (n == PC_ALPHA_LATCH_AFTER) *closed = s->set.closed;
  if (by == SWEEPS && sweeps_cycle(s, n)) return 1;
  int latched = (by == SWEEPS || by == LATCHED) && n > PC_ALPHA_LATCH_AFTER;
  return latched && s->set.closed > CLOSED_GROWTH_MAX * *closed;
}

/* Iterates from the predictor. `converged` tells how it ended. */
static pc_status iterate(pc_alpha* s, const pc_state* state, double dt, method by,
                         int iterations_max, pc_step_info* info, int* converged, pc_error* error)
{
  int closed = 0;
  info->inaccurate = 0;
  begin(s, state, dt, by);
  for (int n = 0;; n++) {
    pc_at at;
    PC_TRY(look(s, state, by, n, &at, error));
    *converged = pc_alpha_converged(s, s->model.settings.tolerance, info);
    if (!isfinite(info->residual))
      return pc_fail(error, PC_NOT_FINITE, "the residual of the step is not a finite number");
    if (*converged || n == iterations_max || is_hopeless(s, by, n, info, &closed)) return PC_OK;
    if (n == 0)
      s->balance.progress.best = HUGE_VAL; /* the predictor is no achievement of the method */
    PC_TRY(improve(s, state, by, &at, n, info, error));
    info->iterations[0]++;
  }
}

/* The monolithic iteration converges fast or not at all. */
enum { ALL_LEVELS_MAX = 15 };

typedef struct attempt {
  method by;
  int iterations_max;
} attempt;

enum { ATTEMPTS_MAX = 5 };

/* The methods in the order in which a step tries them. Levels are coupled by forces that depend on
 * positions and velocities: where there are none, sets are what sweeps have trouble with. */
static int plan(const pc_alpha* s, attempt* attempts)
{
  int most = s->model.settings.max_iterations, count = 0;
  int first = most < ALL_LEVELS_MAX ? most : ALL_LEVELS_MAX;
  int has_newton = s->newton && !s->model.form.ggl,
      first_is_newton = has_newton && s->model.settings.alpha.monolithic;
  if (first_is_newton) attempts[count++] = (attempt){ALL_LEVELS, first};
  attempts[count++] = (attempt){most < ALL_LEVELS_MAX ? LATCHED : SWEEPS, most};
  if (most < ALL_LEVELS_MAX) return count; /* the user wants few iterations */
  attempt laws = {LAWS, most}, all_levels = {ALL_LEVELS, most};
  int stiff = !s->model.constant_forces, last_is_newton = has_newton && !first_is_newton;
  if (last_is_newton && stiff) attempts[count++] = all_levels;
  if (s->model.contacts) attempts[count++] = laws;
  if (last_is_newton && !stiff) attempts[count++] = all_levels;
  if (s->model.contacts) attempts[count++] = (attempt){LATCHED, most};
  return count;
}

static int has_failed(pc_status status)
{
  return status == PC_NOT_FINITE || status == PC_NOT_CONVERGED || status == PC_SINGULAR;
}

/* Tries one method after the other; where none converges, the first that came close. Where the
 * contact problem of the velocities has no accurate solution, which restitution in a crowd of
 * contacts can cause, the other methods would look for what does not exist. */
static pc_status solve(pc_alpha* s, const pc_state* state, double dt, pc_step_info* info,
                       int* converged, pc_error* error)
{
  attempt attempts[ATTEMPTS_MAX];
  int count = plan(s, attempts), acceptable = -1;
  pc_status status = PC_OK;
  for (int i = 0; i < count; i++) {
    status =
        iterate(s, state, dt, attempts[i].by, attempts[i].iterations_max, info, converged, error);
    if (status != PC_OK && !has_failed(status)) return status;
    if (status == PC_OK && *converged) return PC_OK;
    if (status != PC_OK || acceptable >= 0) continue;
    if (pc_alpha_converged(s, s->model.settings.acceptance, info)) acceptable = i;
    if (acceptable == i && info->inaccurate && attempts[i].by == LAWS) count = i + 1;
  }
  *converged = 0;
  if (acceptable < 0) return status;
  if (acceptable < count - 1)
    PC_TRY(iterate(s, state, dt, attempts[acceptable].by, attempts[acceptable].iterations_max, info,
                   converged, error));
  info->inaccurate = 1;
  info->inaccuracy = s->model.settings.acceptance;
  *converged = 1;
  return PC_OK;
}

static pc_status give_up(const pc_alpha* s, pc_step_info* info, pc_error* error)
{
  char what[160];
  if (s->model.settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    info->inaccurate = 1;
    info->inaccuracy = 1; /* how much is left is not known: it may be all */
    return PC_OK;
  }
  pc_alpha_describe_violation(s, what, sizeof what);
  return pc_fail(error, PC_NOT_CONVERGED,
                 "the step's equations were not solved in %d iterations: %s; try a smaller dt or a "
                 "larger --tol",
                 info->iterations[0], what);
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  pc_alpha* s = scheme;
  int converged = 0;
  info->iterations[0] = info->iterations[1] = 0;
  info->solver_residual = 0;
  info->inaccurate = 0;
  PC_TRY(solve(s, state, dt, info, &converged, error));
  if (!converged) PC_TRY(give_up(s, info, error));
  if (!converged || info->inaccurate) pc_alpha_check_laws(s, info);
  pc_alpha_commit(s, state, info);
  return PC_OK;
}

/* v' and lambda (65a-c). */
static void forces(void* scheme, const pc_state* state, const double** a, const double** lambda)
{
  const pc_alpha* s = scheme;
  *a = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_V_DOT);
  *lambda = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_LAMBDA);
}

static void set_friction(void* scheme, const double* mu)
{
  pc_alpha* s = scheme;
  for (int k = 0; k < s->model.contacts; k++) s->model.contact[k].mu = mu[k];
}

const pc_scheme_ops pc_generalized_alpha = {
    .name = "generalized-alpha",
    .summary = "second order, chosen damping; constraints also on accelerations (Brüls et al.)",
    .phase_count = 2,
    .phase = {"newton", "solver"},
    .has_accelerations = 1,
    .create = create,
    .destroy = destroy,
    .memory_count = memory_count,
    .memory_layout = memory_layout,
    .start = start,
    .refit = refit,
    .step = step,
    .forces = forces,
    .set_friction = set_friction,
};
