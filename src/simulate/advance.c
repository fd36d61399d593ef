/* One step: it succeeds, or it is subdivided, or the state is what it was and the cause
 * is named. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy_shared.h"
#include "simulate/sim.h"
#include "steps/turning_contact.h"
#include "system/held.h"

int pc_sim_locate(const pc_sim* s, char* where, size_t size)
{
  snprintf(where, size, "the solution of the step");
  pc_terms* terms;
  int n_q = pc_system_q_count(s->system), n_u = pc_system_u_count(s->system);
  double* ahead = pc_alloc((size_t)n_q + (size_t)n_u, sizeof *ahead);
  if (!ahead || pc_terms_create(s->step_system, PC_TERM_ALL, &terms, NULL) != PC_OK) {
    free(ahead);
    return 0;
  }
  double dt = s->settings.dt, t = s->state.t;
  const double *q = s->storage.good, *u = s->storage.good + n_q, *bad = s->state.q;
  pc_system_q_dot(s->system, t, q, u, ahead);
  for (int i = 0; i < n_q; i++) ahead[i] = q[i] + dt * ahead[i];
  int found = pc_find_not_finite(terms, &(pc_at){t, q, u, NULL}, where, size) ||
              pc_find_not_finite(terms, &(pc_at){t + dt, ahead, u, NULL}, where, size);
  if (!found) pc_find_not_finite(terms, &(pc_at){t, bad, bad + n_q, NULL}, where, size);
  pc_terms_destroy(terms);
  free(ahead);
  return found;
}

/* x - x is zero for any number that is finite, else NaN; without a branch for each. */
static int state_is_finite(const pc_sim* s)
{
  const double* x = s->state.q;
  double sum = 0;
  for (int i = 0, n = s->storage.qu_count; i < n; i++) sum += x[i] - x[i];
  return sum == 0;
}

/* The state as it was at t; what has been seen since is forgotten. */
static void go_back(pc_sim* s, double t, const double* state)
{
  pc_copy(s->storage.size, state, s->state.q);
  s->state.t = t;
  if (s->looked) pc_sim_observe(s);
}

/* Whether halving the step is a remedy. */
static int can_be_subdivided(pc_status status)
{
  return status == PC_NOT_CONVERGED || status == PC_SINGULAR || status == PC_NOT_FINITE;
}

/* What to say about halving after a step that failed. */
static const char* subdivision_hint(const pc_sim* s, pc_status status)
{
  if (!can_be_subdivided(status)) return "";
  return s->settings.on_failure == PC_ON_FAILURE_HALVE
             ? " (it has been subdivided down to 1/1024 of its length)"
             : "; --on-failure halve may help";
}

/* Where the step is long for the play of a contact of the model: which contact that is, and a dt
 * that would do. The state is that of the start of the step. Normals of contacts between shapes
 * turn with their bodies. */
static void say_turning_contact(const pc_sim* s, char* text, size_t size)
{
  pc_turning_contact turning;
  pc_error ignored = {0};
  int n_q = pc_system_q_count(s->system);
  const double *q = s->storage.good, *u = s->storage.good + n_q;
  text[0] = 0;
  if (pc_find_turning_contact(s->step_system, s->state.t, q, u, s->settings.dt, &turning,
                              &ignored) != PC_OK ||
      turning.contact < 0 || turning.contact >= pc_system_contact_count(s->system))
    return;
  snprintf(text, size,
           "; the play of contact '%.60s' is short for this dt: %s turns%s by %.2g rad in a step, "
           "%.1g s would do",
           pc_system_contact(s->step_system, turning.contact).name,
           turning.alone ? "the motion of one body" : "its normal",
           turning.alone ? " the normal" : "", turning.angle, turning.dt);
}

/* Puts the state back and says what happened where. An iteration that does not end may do so
 * because a term is not a number; then that is the cause. */
PC_RARE pc_status give_up(pc_sim* s, double t, pc_status status, pc_error* error)
{
  char cause[sizeof error->text], where[200], turning[200];
  s->state.t = t;
  say_turning_contact(s, turning, sizeof turning);
  if (can_be_subdivided(status) && pc_sim_locate(s, where, sizeof where)) status = PC_NOT_FINITE;
  if (status == PC_NOT_FINITE) {
    snprintf(cause, sizeof cause,
             "%s is not a finite number; look at the model there, or try a smaller dt", where);
  } else {
    snprintf(cause, sizeof cause, "%.440s%s", error->text,
             status == PC_SINGULAR ? "; try a smaller dt" : "");
  }
  go_back(s, t, s->storage.good);
  if (s->finder) {
    pc_finder_go_back(s->finder);
    pc_finder_show(s->finder);
  }
  return pc_fail(error, status, "step %ld at t = %.9g s: %.250s%s%s", s->state.step + 1, t, cause,
                 can_be_subdivided(status) ? turning : "", subdivision_hint(s, status));
}

/* Adds the numbers of one substep of a step to those of the substeps before it. */
static void merge_info(pc_step_info* sum, const pc_step_info* substep)
{
  for (int i = 0; i < sum->phase_count; i++) sum->iterations[i] += substep->iterations[i];
  sum->residual = pc_larger(sum->residual, substep->residual);
  sum->solver_residual = pc_larger(sum->solver_residual, substep->solver_residual);
  sum->acceleration = pc_larger(sum->acceleration, substep->acceleration);
  sum->impact_residual = pc_larger(sum->impact_residual, substep->impact_residual);
  sum->friction_residual = pc_larger(sum->friction_residual, substep->friction_residual);
  if (substep->active_contacts > sum->active_contacts)
    sum->active_contacts = substep->active_contacts;
  sum->lambda = substep->lambda;
  sum->impact_law = substep->impact_law;
  sum->friction_law = substep->friction_law;
  sum->work += substep->work;
  sum->work_turned += substep->work_turned;
  sum->without_rebound += substep->without_rebound;
  sum->inaccurate |= substep->inaccurate;
  sum->inaccuracy = pc_larger(sum->inaccuracy, substep->inaccuracy);
  for (int m = 0; m < PC_METHOD_COUNT; m++) sum->answered[m] += substep->answered[m];
  sum->substeps += substep->substeps;
}

/* Work of what moves by a law of time, over a substep of length dt: of joints and contacts
 * -P . mean(chi), since W'u = y' - chi; of potentials the mean of their dV/dt. */
static double driven_work(const pc_sim* s, double dt)
{
  double work = dt * (s->energy.power_before + s->energy.power) / 2;
  const double *chi = s->rows.y_dot + s->rows.count,
               *chi_before = s->substep.y_dot_before + s->rows.count;
  for (int r = 0; r < s->rows.velocity_count - s->rows.count; r++)
    work -= s->state.P[r] * (chi_before[r] + chi[r]) / 2;
  return work;
}

/* What forces give over a substep of length dt, whatever dampers take: by the powers at its ends,
 * or by the scheme's own quadrature if that is more. What a damper gives because dt is too long for
 * it is no supply. */
static double supplied_work(const pc_sim* s, double dt)
{
  double by_ends = dt * (s->energy.supply_before + s->energy.supply) / 2;
  double by_scheme = s->info.work - s->info.work_turned;
  return by_scheme > by_ends ? by_scheme : by_ends;
}

/* The state, seen after a substep of length dt that ends at `end`; the balance is added to that of
 * earlier substeps. Numbers that are finite but beyond all measure show in the energy first. */
PC_INLINE pc_status look(pc_sim* s, double end, double dt)
{
  s->state.t = end;
  s->energy.power_before = s->energy.power;
  s->energy.supply_before = s->energy.supply;
  s->looked = 1;
  pc_sim_observe(s);
  if (!s->is_finite) return PC_NOT_FINITE;
  double driven = driven_work(s, dt);
  pc_add_balance(&s->ledger, &s->seen, s->substep.y_dot_before, s->energy.before,
                 s->info.work + driven, &s->seen.balance);
  s->energy.before = s->seen.kinetic + s->seen.potential;
  s->seen.balance.supply += supplied_work(s, dt) + (driven > 0 ? driven : 0);
  return PC_OK;
}

/* One call of the scheme. */
PC_INLINE pc_status call_scheme(pc_sim* s, double dt, pc_error* error)
{
  s->info.inaccurate = s->info.without_rebound = 0;
  s->info.inaccuracy = 0;
  for (int m = 0; m < PC_METHOD_COUNT; m++) s->info.answered[m] = 0;
  pc_state with_found, *state = &s->state;
  if (s->finder) {
    with_found = pc_sim_scheme_state(s);
    state = &with_found;
  }
  if (s->friction.has_curves) PC_TRY(pc_sim_set_friction(s, error));
  PC_TRY(s->ops->step(s->scheme, state, dt, &s->info, error));
  if (!state_is_finite(s)) return PC_NOT_FINITE;
  s->info.substeps = 1;
  return PC_OK;
}

/* The velocities of the rows before a substep, at the state. */
static void look_before(pc_sim* s, double* const* before)
{
  pc_sim_observe_rows(s);
  pc_copy(s->rows.velocity_count, s->rows.y_dot, *before);
  s->substep.y_dot_before = *before;
}

/* A substep with contacts that are found at its start. Where something becomes so fast in it that
 * it may have met what was not looked for, the substep is computed once more with that. `start` is
 * a copy of the state, `before` points to the array for the velocities of the rows there, which may
 * grow. */
static pc_status substep_with_found(pc_sim* s, double dt, const double* start,
                                    double* const* before, pc_error* error)
{
  enum { TRIES = 4 };
  const double t = s->state.t, *u = start + pc_system_q_count(s->system);
  int misses = 1;
  PC_TRY(pc_sim_find(s, dt, error));
  for (int i = 0; i < TRIES; i++) {
    look_before(s, before);
    PC_TRY(call_scheme(s, dt, error));
    const pc_finder_step done = {start, u, s->state.q, s->state.u, dt};
    PC_TRY(pc_finder_misses(s->finder, &done, &misses, error));
    if (!misses) return pc_finder_check_passage(s->finder, start, s->state.q, error);
    pc_copy(s->storage.size, start, s->state.q);
    s->state.t = t;
    PC_TRY(pc_sim_fit(s, error));
  }
  return pc_fail(error, PC_NOT_CONVERGED,
                 "bodies become so fast within the step that it cannot be told what they meet; try "
                 "a smaller dt");
}

/* One call of the scheme, and a look at what came out. */
PC_INLINE pc_status one_substep(pc_sim* s, double end, double dt, const double* start,
                                double* const* before, pc_error* error)
{
  if (!s->finder) {
    PC_TRY(call_scheme(s, dt, error));
    return look(s, end, dt);
  }
  PC_TRY(substep_with_found(s, dt, start, before, error));
  PC_TRY(look(s, end, dt));
  return pc_finder_remember(s->finder, s->state.P, s->state.memory, error);
}

/* A substep more of those that are added up. */
static pc_status add_found(pc_sim* s, pc_error* error)
{
  const pc_found_rows rows = pc_sim_found_rows(s, s->substep.y_dot_before);
  PC_TRY(pc_finder_look_at_substep(s->finder, &rows, error));
  return pc_finder_add_substep(s->finder, error);
}

/* May a step that ended like this be subdivided once more? */
static int may_halve(const pc_sim* s, pc_status status, int level)
{
  return s->settings.on_failure == PC_ON_FAILURE_HALVE && level < PC_HALVINGS_MAX &&
         can_be_subdivided(status);
}

/* Advances by dt to the time `end` in two halves, and these in halves if they have to be; `level`
 * counts the halvings. The state's P are the percussions over dt afterwards. */
PC_RARE pc_status in_halves(pc_sim* s, double end, double dt, int level, pc_step_info* sum,
                            pc_error* error)
{
  size_t rows = (size_t)pc_system_row_count(s->system);
  double* P_first = s->substep.P + (size_t)level * rows;
  for (int half = 0; half < 2; half++) {
    double start = s->state.t, half_end = half ? end : start + dt / 2;
    pc_copy(s->storage.size, s->state.q, s->substep.state);
    pc_status status = one_substep(s, half_end, dt / 2, s->substep.state, &s->substep.y_dot, error);
    if (status == PC_OK) {
      merge_info(sum, &s->info);
      if (s->finder) PC_TRY(add_found(s, error));
      pc_copy(s->rows.velocity_count, s->rows.y_dot, s->substep.y_dot);
      s->substep.y_dot_before = s->substep.y_dot;
    } else {
      if (!may_halve(s, status, level + 1)) return status;
      go_back(s, start, s->substep.state);
      PC_TRY(in_halves(s, half_end, dt / 2, level + 1, sum, error));
    }
    if (half == 0) memcpy(P_first, s->state.P, rows * sizeof *P_first);
  }
  for (size_t r = 0; r < rows; r++) s->state.P[r] += P_first[r];
  return PC_OK;
}

/* The whole step from t on in substeps, its numbers summed up. */
static pc_status subdivide(pc_sim* s, double t, double end, pc_error* error)
{
  pc_step_info sum = {
      .dt = s->settings.dt, .phase_count = s->ops->phase_count, .phase = s->ops->phase};
  go_back(s, t, s->storage.good);
  if (s->finder) pc_finder_begin_substeps(s->finder);
  PC_TRY(in_halves(s, end, s->settings.dt, 0, &sum, error));
  s->info = sum;
  if (!s->finder) return PC_OK;
  PC_TRY(pc_finder_end_substeps(s->finder, error));
  return pc_finder_recall(s->finder, s->state.memory, s->state.P, error);
}

/* A scheme that is unstable at this step size shows in the energy that it makes. */
static pc_status check_energy(pc_sim* s, pc_error* error)
{
  double spurious = pc_spurious_energy(s->monitor, &s->seen);
  if (spurious == 0) return PC_OK;
  if (s->settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    s->info.inaccurate = 1;
    return PC_OK;
  }
  return pc_fail(
      error, PC_UNSTABLE,
      "unstable: the scheme has created %.3g J, a million times the energy of the motion "
      "before; dt is too long for it: 'percuss check' estimates one, or take an implicit "
      "scheme",
      spurious);
}

/* What the step has done to contacts between shapes; it ends at t. */
static pc_status account_for_found(pc_sim* s, double t, pc_error* error)
{
  const pc_found_rows rows = pc_sim_found_rows(s, s->rows.y_dot_before);
  PC_TRY(pc_finder_compare(s->finder, &rows, s->info.substeps > 1, error));
  if (pc_pair_tallies_add(&s->ledger.pairs, &s->finder->seen, s->state.step + 1, t,
                          s->finder->threads) != PC_OK)
    return pc_no_memory(error);
  return PC_OK;
}

/* What a step goes back to and is compared with. */
PC_INLINE void keep_start(pc_sim* s)
{
  pc_threads* threads = s->finder ? s->finder->threads : NULL;
  pc_copy_shared(threads, s->storage.size, s->state.q, s->storage.good);
  pc_copy_shared(threads, s->rows.velocity_count, s->rows.y_dot, s->rows.y_dot_before);
  s->substep.y_dot_before = s->rows.y_dot_before;
  s->energy.before = s->seen.kinetic + s->seen.potential;
  s->seen.balance = (pc_balance){0};
  s->looked = 0;
}

/* One attempt at a step that is then forgotten, but for the outputs and impulses at its end, which
 * held quantities take. */
PC_RARE void forecast_loads(pc_sim* s, double end)
{
  pc_error ignored;
  double t = s->state.t;
  keep_start(s);
  if (s->finder) pc_finder_keep(s->finder);
  pc_status status =
      one_substep(s, end, s->settings.dt, s->storage.good, &s->rows.y_dot_before, &ignored);
  if (status == PC_OK) {
    pc_sim_compute_outputs(s, 0);
    for (int i = 0; i < s->system->held.count; i++)
      if (s->system->held.item[i].of_impulses)
        s->storage.good[s->system->held.item[i].q] =
            pc_observe_quantity(&s->seen, s->system->held.item[i].quantity);
  }
  s->looked = 1;
  if (s->finder) pc_finder_go_back(s->finder);
  go_back(s, t, s->storage.good);
  pc_sim_compute_outputs(s, 0);
}

/* Sets held quantities. Loads are known after a step alone: at the start two forecasts give them,
 * the second with what the loads of the first change. */
static pc_status hold(pc_sim* s, double end, pc_error* error)
{
  int is_first = s->state.step == 0, forecasts = pc_system_holds_impulses(s->system) ? 2 : 0;
  pc_sim_hold(s, !is_first || !forecasts);
  if (!is_first) return PC_OK;
  for (int i = 0; i < forecasts; i++) forecast_loads(s, end);
  return pc_sim_start_memory(s, error); /* accelerations, with these values */
}

pc_status pc_sim_step(pc_sim* s, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  pc_error local;
  local.text[0] = '\0'; /* all of it would be half a kilobyte to clear in every step */
  if (!error) error = &local;
  double t = s->state.t;
  double end = (double)(s->state.step + 1) * s->settings.dt; /* not t + dt: no error adds up */
  if (s->system->held.count > 0) PC_TRY(hold(s, end, error));
  keep_start(s);
  if (s->finder) pc_finder_keep(s->finder);
  pc_status status =
      one_substep(s, end, s->settings.dt, s->storage.good, &s->rows.y_dot_before, error);
  if (may_halve(s, status, 0)) status = subdivide(s, t, end, error);
  if (status == PC_OK) status = check_energy(s, error);
  if (status != PC_OK) return give_up(s, t, status, error);
  if (s->finder) {
    status = account_for_found(s, end, error);
    if (status != PC_OK) return give_up(s, t, status, error);
  }
  if (s->system->output.count > 0) pc_sim_compute_outputs(s, 1);
  s->state.step++;
  s->info.step = s->state.step;
  pc_ledger_add(&s->ledger, &s->seen);
  return PC_OK;
}
