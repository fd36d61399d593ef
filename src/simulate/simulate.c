/* The run loop: step, look, tell the observers, sum up. */
#include "percuss/simulate.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "settings/settings.h"
#include "simulate/sim.h"
#include "simulate/step_energy.h"
#include "system/forces.h"

pc_sim_def pc_default_sim_def(void)
{
  return (pc_sim_def){.scheme = "moreau-jean", .settings = pc_default_scheme_settings()};
}

/* Memory for the rows of the system of the step. */
static pc_status fit_rows(pc_sim* s)
{
  const pc_array by_row[] = {PC_ARRAY(s->rows.y), PC_ARRAY(s->rows.y_dot),
                             PC_ARRAY(s->rows.y_dot_before), PC_ARRAY(s->substep.y_dot)};
  const int arrays = s->settings.on_failure == PC_ON_FAILURE_HALVE ? 4 : 3;
  const pc_array state = PC_ARRAY(s->state.q);
  s->rows.count = pc_system_row_count(s->step_system);
  s->friction.has_curves = pc_has_friction_curves(s->step_system);
  s->rows.velocity_count = s->rows.move_with_time ? 2 * s->rows.count : s->rows.count;
  int found_rows = s->rows.count - pc_system_row_count(s->system);
  PC_TRY(pc_reserve_arrays(arrays, by_row, &s->rows.capacity, (size_t)s->rows.velocity_count));
  return pc_reserve_arrays(1, &state, &s->storage.capacity,
                           (size_t)s->storage.size + (size_t)found_rows);
}

/* Sets all pointers into the state and to arrays by rows. */
static void point(pc_sim* s)
{
  int of_scheme = s->state.memory_count - PC_MONITOR_SIZE - pc_system_output_count(s->system);
  s->state.u = s->state.q + pc_system_q_count(s->system);
  s->state.memory = s->state.q + s->storage.qu_count;
  s->state.P = s->state.memory + s->state.memory_count;
  s->monitor = s->state.memory + of_scheme;
  s->outputs.turns = s->monitor + PC_MONITOR_SIZE;
  s->seen.y = s->rows.y;
  s->seen.y_dot = s->rows.y_dot;
  s->seen.y_dot_before = s->rows.y_dot_before;
  s->seen.P_before = s->storage.good + (s->state.P - s->state.q);
}

int pc_sim_scheme_memory(const pc_sim* s)
{
  return s->ops->memory_count ? s->ops->memory_count(s->scheme) : 0;
}

void pc_sim_set_layout(pc_sim* s)
{
  if (!s->finder) return;
  pc_finder_set_layout(s->finder, s->ops->memory_layout
                                      ? s->ops->memory_layout(s->scheme)
                                      : (pc_memory_layout){pc_sim_scheme_memory(s), 0, 0});
  s->finder->choice = s->ops->chooses ? s->ops->chooses(s->scheme) : PC_CHOOSES_WITHIN;
}

/* One array for q, u, memory and P, so that a copy of it is a copy of the state. */
static pc_status create_state(pc_sim* s)
{
  size_t n_q = (size_t)pc_system_q_count(s->system), n_u = (size_t)pc_system_u_count(s->system);
  size_t rows = (size_t)pc_system_row_count(s->system);
  int of_scheme = pc_sim_scheme_memory(s);
  int outputs = pc_system_output_count(s->system);
  pc_sim_set_layout(s);
  s->state.memory_count = of_scheme + PC_MONITOR_SIZE + outputs;
  s->storage.qu_count = (int)(n_q + n_u);
  s->storage.size = s->storage.qu_count + (int)rows + s->state.memory_count;
  s->storage.good = pc_alloc((size_t)s->storage.size, sizeof *s->storage.good);
  int halves = s->settings.on_failure == PC_ON_FAILURE_HALVE;
  s->substep.state = pc_alloc(halves ? (size_t)s->storage.size : 0, sizeof *s->substep.state);
  s->rows.move_with_time = (pc_system_provides(s->system) & PC_TERM_CHI) != 0;
  s->substep.P = pc_alloc(PC_HALVINGS_MAX * rows, sizeof *s->substep.P);
  s->outputs.value = pc_alloc((size_t)outputs, sizeof *s->outputs.value);
  s->held = pc_alloc((size_t)pc_system_held_count(s->system), sizeof *s->held);
  if (!s->held || !s->outputs.value || !s->storage.good || !s->substep.state || !s->substep.P ||
      fit_rows(s) != PC_OK)
    return PC_OUT_OF_MEMORY;
  point(s);
  memcpy(s->state.q, pc_system_q0(s->system), n_q * sizeof *s->state.q);
  memcpy(s->state.u, pc_system_u0(s->system), n_u * sizeof *s->state.u);
  return PC_OK;
}

pc_status pc_sim_fit(pc_sim* s, pc_error* error)
{
  if (fit_rows(s) != PC_OK) return pc_no_memory(error);
  point(s);
  s->info.lambda = s->info.impact_law = s->info.friction_law = NULL;
  PC_TRY(s->ops->refit(s->scheme, error));
  if (s->terms) PC_TRY(pc_terms_refit(s->terms, error));
  return pc_finder_recall(s->finder, s->state.memory, s->state.P, error);
}

pc_status pc_sim_find(pc_sim* s, double dt, pc_error* error)
{
  if (!s->finder) return PC_OK;
  PC_TRY(pc_finder_find(s->finder, s->state.q, s->state.u, dt, error));
  PC_TRY(pc_depths_look(s->depths, s->finder->set, s->state.q, s->state.t, s->state.step, error));
  return pc_sim_fit(s, error);
}

/* Rows that are worth sharing among threads. */
enum { SHARED_LEAST = 512 };

/* Gaps and velocities of rows at the state. */
typedef struct row_loop {
  pc_sim* sim;
  const pc_terms* rows;
  atomic_int is_finite;
} row_loop;

/* Returns a sum that is finite if all of them are. */
PC_INLINE double observe_range(pc_sim* s, const pc_terms* rows, int first, int last)
{
  double sum = 0;
  pc_terms_row_velocities(rows, first, last, s->state.u, s->rows.y_dot + first);
  for (int r = first; r < last; r++) {
    s->rows.y[r] = rows->y[r];
    sum += s->rows.y[r] + s->rows.y_dot[r] + s->state.P[r];
  }
  return sum;
}

static void observe_rows(void* user, int worker, int first, int last)
{
  row_loop* loop = user;
  (void)worker;
  if (!isfinite(observe_range(loop->sim, loop->rows, first, last)))
    atomic_store(&loop->is_finite, 0);
}

/* The rows, by several threads. */
static int observe_together(pc_sim* s, const pc_terms* rows)
{
  row_loop loop = {s, rows, 1};
  pc_threads_run(s->finder->threads, s->rows.count, SHARED_LEAST, observe_rows, &loop);
  return atomic_load(&loop.is_finite);
}

/* The rows alone, which `rows` has; whether all are finite. */
PC_INLINE int observe_all_rows(pc_sim* s, const pc_terms* rows)
{
  int is_finite = s->finder && s->finder->threads
                      ? observe_together(s, rows)
                      : isfinite(observe_range(s, rows, 0, s->rows.count));
  if (s->rows.move_with_time) pc_copy(s->rows.count, rows->chi, s->rows.y_dot + s->rows.count);
  return is_finite;
}

void pc_sim_observe_rows(pc_sim* s)
{
  if (!s->ops->rows || pc_system_held_count(s->system) > 0)
    pc_sim_observe(s);
  else
    observe_all_rows(s, s->ops->rows(s->scheme, &s->state));
}

void pc_sim_observe(pc_sim* s)
{
  const pc_terms* rows = s->ops->rows ? s->ops->rows(s->scheme, &s->state) : s->terms;
  const pc_terms* energy = s->terms && s->terms->mask & PC_TERM_ENERGY ? s->terms : rows;
  if (s->terms) pc_terms_evaluate(s->terms, &(pc_at){s->state.t, s->state.q, s->state.u, NULL});
  int is_finite = observe_all_rows(s, rows);
  s->energy.power = energy->power;
  s->energy.supply = s->terms ? s->terms->supply : 0;
  s->seen.kinetic = energy->kinetic;
  s->seen.potential = energy->potential;
  s->is_finite = is_finite && isfinite(energy->kinetic + energy->potential);
}

pc_found_rows pc_sim_found_rows(const pc_sim* s, const double* before)
{
  return (pc_found_rows){s->state.q, s->state.P, s->rows.y, s->rows.y_dot, before};
}

static int show(pc_sim* s)
{
  int go_on = 1;
  for (int i = 0; i < s->observers.count; i++)
    if (!s->observers.entry[i].see(s->observers.entry[i].user, &s->seen)) go_on = 0;
  return go_on;
}

long pc_step_count(double dt, double until)
{
  double steps = floor(until / dt + 1e-9);
  return dt > 0 && steps >= 0 && steps <= PC_STEPS_MAX ? (long)steps : -1;
}

pc_status pc_sim_run_steps(pc_sim* s, long count, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  if (!s->shown) {
    s->shown = 1;
    if (!show(s)) return pc_fail(error, PC_STOPPED, "stopped before the first step");
  }
  for (long done = 0; done < count; done++) {
    PC_TRY(pc_sim_step(s, error));
    if (!show(s))
      return pc_fail(error, PC_STOPPED, "stopped after step %ld at t = %.9g s", s->state.step,
                     s->state.t);
  }
  return PC_OK;
}

pc_status pc_sim_run(pc_sim* s, double until, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  long last = pc_step_count(s->settings.dt, until);
  if (last < 0)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "%g s cannot be reached in steps of %g s: there would be too many", until,
                   s->settings.dt);
  return pc_sim_run_steps(s, last - s->state.step, error);
}

/* A coordinate without mass would only show as a singular matrix in the first step. */
static pc_status check_mass(pc_sim* s, pc_error* error)
{
  pc_terms* terms;
  PC_TRY(pc_terms_create(s->system, PC_TERM_M, &terms, error));
  pc_assembly* M = NULL;
  pc_status status = pc_system_create_tangent(s->system, &M, error);
  if (status == PC_OK) {
    pc_at at = {0, pc_system_q0(s->system), pc_system_u0(s->system), NULL};
    pc_terms_evaluate(terms, &at);
    pc_terms_tangent(terms, &at, 1, 0, 0, M);
    if (pc_assembly_factor(M) != PC_OK) {
      char what[200];
      pc_find_massless(terms, what, sizeof what);
      status = pc_fail(error, PC_BAD_MODEL,
                       "the mass matrix of the initial state cannot be inverted: %s", what);
    }
  }
  pc_assembly_destroy(M);
  pc_terms_destroy(terms);
  return status;
}

pc_status pc_sim_look_at_start(pc_sim* s, pc_error* error)
{
  s->info = (pc_step_info){
      .dt = s->settings.dt, .phase_count = s->ops->phase_count, .phase = s->ops->phase};
  s->seen = (pc_observation){.system = s->system,
                             .state = &s->state,
                             .info = &s->info,
                             .output = s->outputs.value,
                             .violation = s->ledger.violation,
                             .found = s->finder ? &s->finder->seen : NULL};
  point(s);
  pc_sim_observe(s);
  pc_sim_compute_outputs(s, 0);
  pc_copy(s->storage.size, s->state.q, s->storage.good);
  pc_copy(s->rows.velocity_count, s->rows.y_dot, s->rows.y_dot_before);
  if (s->finder) {
    const pc_found_rows rows = pc_sim_found_rows(s, s->rows.y_dot);
    PC_TRY(pc_finder_look(s->finder, &rows, error));
    pc_finder_show(s->finder);
  }
  if (s->is_finite) return PC_OK;
  char where[200];
  pc_sim_locate(s, where, sizeof where);
  return pc_fail(error, PC_BAD_MODEL, "initial state: %s is not a finite number", where);
}

/* A start that fails for a number that is not finite names the element that it comes from, rather
 * than the equations in which it has shown. */
static pc_status start_scheme(pc_sim* s, pc_error* error)
{
  pc_state state = pc_sim_scheme_state(s);
  char where[200];
  if (!s->ops->start) return PC_OK;
  pc_status status = s->ops->start(s->scheme, &state, s->settings.dt, error);
  int is_numeric = status == PC_SINGULAR || status == PC_NOT_FINITE || status == PC_NOT_CONVERGED;
  if (!is_numeric) return status;
  pc_copy(pc_system_q_count(s->system) + pc_system_u_count(s->system), s->state.q, s->storage.good);
  if (!pc_sim_locate(s, where, sizeof where)) return status;
  return pc_fail(error, PC_NOT_FINITE,
                 "initial state: %s is not a finite number; look at the model there", where);
}

pc_status pc_sim_start_memory(pc_sim* s, pc_error* error)
{
  PC_TRY(start_scheme(s, error));
  return s->finder ? pc_finder_remember(s->finder, s->state.P, s->state.memory, error) : PC_OK;
}

/* What finds contacts, where the system has shapes. */
static pc_status create_found(pc_sim* s, pc_error* error)
{
  PC_TRY(pc_finder_create(s->system, &s->settings, &s->finder, error));
  s->step_system = s->finder ? s->finder->system : s->system;
  s->friction.has_curves = pc_has_friction_curves(s->step_system);
  if (s->finder) PC_TRY(pc_depths_create(s->system, &s->depths, error));
  if (s->finder && s->ops->has_no_friction)
    return pc_refuse_found_laws(s->system, &s->settings, error);
  return PC_OK;
}

pc_status pc_sim_create_scheme(pc_sim* s, pc_error* error)
{
  PC_TRY(check_mass(s, error));
  PC_TRY(pc_find_step_energy(s->system, s->settings.dt, &s->energy.step, error));
  PC_TRY(pc_find_driven_energy(s->system, &s->energy.driven, error));
  PC_TRY(create_found(s, error));
  pc_forces_destroy(s->outputs.forces); /* of another system */
  s->outputs.forces = NULL;
  s->outputs.read_forces = pc_system_has_force_outputs(s->system);
  pc_loads_destroy(s->outputs.loads);
  s->outputs.loads = NULL;
  if (pc_system_has_load_outputs(s->system))
    PC_TRY(pc_loads_create(s->system, &s->outputs.loads, error));
  return s->ops->create(s->step_system, &s->settings, &s->scheme, error);
}

static pc_status create_terms(pc_sim* s, pc_error* error)
{
  unsigned looked_at = PC_TERM_Y | PC_TERM_W | PC_TERM_ENERGY;
  if (s->ops->rows) looked_at &= ~s->ops->rows(s->scheme, &s->state)->mask;
  looked_at |= pc_system_provides(s->system) & PC_TERM_F;
  return looked_at ? pc_terms_create(s->step_system, looked_at, &s->terms, error) : PC_OK;
}

pc_status pc_sim_begin(pc_sim* s, pc_error* error)
{
  PC_TRY(pc_ledger_create(&s->ledger, s->step_system, error));
  PC_TRY(pc_sim_find(s, s->settings.dt, error));
  PC_TRY(pc_sim_start_memory(s, error));
  PC_TRY(create_terms(s, error));
  PC_TRY(pc_sim_look_at_start(s, error));
  pc_monitor_begin(s->monitor, &s->seen);
  pc_ledger_begin(&s->ledger, &s->seen);
  return PC_OK;
}

static pc_status create_parts(pc_sim* s, pc_error* error)
{
  PC_TRY(pc_sim_create_scheme(s, error));
  if (create_state(s) != PC_OK) return pc_no_memory(error);
  return pc_sim_begin(s, error);
}

pc_status pc_sim_restore(pc_sim* s, long step, const double* q, const double* u, const double* P,
                         const double* memory, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  PC_TRY(pc_need(q, "q", error));
  PC_TRY(pc_need(u, "u", error));
  PC_TRY(pc_need(P, "P", error));
  if (step < 0) return pc_fail(error, PC_BAD_ARGUMENT, "step: %ld, must not be negative", step);
  memcpy(s->state.q, q, (size_t)pc_system_q_count(s->system) * sizeof *q);
  memcpy(s->state.u, u, (size_t)pc_system_u_count(s->system) * sizeof *u);
  memcpy(s->state.P, P, (size_t)pc_system_row_count(s->system) * sizeof *P);
  s->state.step = step;
  s->state.t = (double)step * s->settings.dt;
  if (memory) memcpy(s->state.memory, memory, (size_t)s->state.memory_count * sizeof *memory);
  if (s->finder) pc_finder_forget(s->finder);
  if (s->finder) pc_depths_begin(s->depths);
  PC_TRY(pc_sim_find(s, s->settings.dt, error));
  if (!memory) PC_TRY(pc_sim_start_memory(s, error));
  s->shown = step > 0; /* the observers have seen this state before */
  PC_TRY(pc_sim_look_at_start(s, error));
  if (!memory) pc_monitor_begin(s->monitor, &s->seen);
  s->info.step = step;
  pc_ledger_begin(&s->ledger, &s->seen);
  return PC_OK;
}

pc_status pc_sim_restore_found(pc_sim* s, const pc_found_contacts* found, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  PC_TRY(pc_need(found, "found", error));
  if (!s->finder && found->count > 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "the system has no shapes, and contacts between some");
  if (!s->finder) return PC_OK;
  PC_TRY(pc_finder_restore(s->finder, found, error));
  pc_finder_show(s->finder);
  return pc_finder_recall(s->finder, s->state.memory, s->state.P, error);
}

pc_status pc_sim_create(const pc_sim_def* def, pc_sim** sim, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(sim, "sim", error));
  *sim = NULL;
  const pc_scheme_ops* ops = def->scheme ? pc_find_scheme(def->scheme) : NULL;
  if (!ops)
    return pc_fail(error, PC_BAD_ARGUMENT, "there is no scheme '%s'",
                   def->scheme ? def->scheme : "");
  PC_TRY(pc_check_settings(&def->settings, error));
  pc_sim* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = def->system;
  s->ops = ops;
  s->settings = def->settings;
  pc_status status = create_parts(s, error);
  if (status != PC_OK) {
    pc_sim_destroy(s);
    return status;
  }
  *sim = s;
  return PC_OK;
}

void pc_sim_destroy(pc_sim* s)
{
  if (!s) return;
  if (s->scheme) s->ops->destroy(s->scheme);
  pc_terms_destroy(s->terms);
  free(s->state.q);
  free(s->storage.good);
  free(s->substep.state);
  free(s->rows.y);
  free(s->rows.y_dot);
  free(s->rows.y_dot_before);
  free(s->substep.y_dot);
  free(s->substep.P);
  free(s->outputs.value);
  pc_forces_destroy(s->outputs.forces);
  pc_loads_destroy(s->outputs.loads);
  free(s->held);
  free(s->friction.mu);
  pc_ledger_clear(&s->ledger);
  pc_finder_destroy(s->finder);
  pc_depths_destroy(s->depths);
  free(s->observers.entry);
  free(s);
}

pc_status pc_sim_add_observer(pc_sim* s, pc_observer* see, void* user, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  if (pc_grow((void**)&s->observers.entry, &s->observers.capacity, s->observers.count,
              sizeof *s->observers.entry))
    return pc_no_memory(error);
  s->observers.entry[s->observers.count++] = (pc_observer_entry){see, user};
  return PC_OK;
}

const pc_observation* pc_sim_observation(const pc_sim* s)
{
  return s ? &s->seen : NULL;
}

double pc_observe_quantity(const pc_observation* seen, int quantity)
{
  if (!seen || (unsigned)quantity >= (unsigned)pc_system_quantity_count(seen->system)) return NAN;
  pc_quantity wanted = pc_system_quantity(seen->system, quantity);
  switch (wanted.kind) {
    case PC_QUANTITY_Q: return seen->state->q[wanted.index];
    case PC_QUANTITY_U: return seen->state->u[wanted.index];
    case PC_QUANTITY_ROW_POSITION: return seen->y[wanted.index];
    case PC_QUANTITY_ROW_VELOCITY: return seen->y_dot[wanted.index];
    case PC_QUANTITY_ROW_P: return seen->state->P[wanted.index];
    case PC_QUANTITY_OUTPUT: return seen->output[wanted.index];
  }
  return NAN;
}

/* The depths at the last state, which no step has begun with. */
static pc_status look_at_last(const pc_sim* s, pc_error* error)
{
  if (!s->finder || s->depths->state == s->state.step) return PC_OK;
  PC_TRY(pc_finder_look_around(s->finder, s->state.q, s->state.u, error));
  pc_status status =
      pc_depths_look(s->depths, s->finder->probe, s->state.q, s->state.t, s->state.step, error);
  pc_finder_forget_probe(s->finder); /* few steps need one: it is as large as what they found */
  return status;
}

pc_summary pc_sim_summary(const pc_sim* s)
{
  if (!s) return (pc_summary){0};
  pc_summary sum = pc_ledger_summary(&s->ledger, &s->seen);
  look_at_last(s, NULL); /* without memory for it, it is the summary of the states before */
  if (s->finder) sum.penetration_max = fmax(sum.penetration_max, s->depths->largest.of.depth);
  if (!s->ops->has_accelerations) sum.constraint_acceleration_max = NAN;
  return sum;
}

const pc_event* pc_sim_event(const pc_sim* s, int index)
{
  if (!s) return NULL;
  return index >= 0 && index < s->ledger.event_count ? &s->ledger.event[index] : NULL;
}

pc_contact_tally pc_sim_contact_tally(const pc_sim* s, int contact)
{
  if (!s || (unsigned)contact >= (unsigned)pc_system_contact_count(s->system))
    return (pc_contact_tally){0};
  return s->ledger.tally[contact];
}

pc_found_tally pc_sim_found_tally(const pc_sim* s)
{
  if (!s) return (pc_found_tally){0};
  pc_found_tally found = s->ledger.found;
  if (!s->finder) return found;
  look_at_last(s, NULL);
  const pc_deepest* largest = &s->depths->largest;
  found.depth_max = largest->of.depth;
  found.depth_time = largest->t;
  found.depth_share = s->depths->worst.share;
  if (found.depth_max > 0)
    pc_depths_name(s->depths, &largest->of, found.depth_name, sizeof found.depth_name);
  return found;
}

int pc_sim_pair_count(const pc_sim* s)
{
  if (!s) return 0;
  return s->ledger.pairs.count;
}

pc_pair_tally pc_sim_pair(const pc_sim* s, int pair)
{
  if ((unsigned)pair >= (unsigned)pc_sim_pair_count(s)) return (pc_pair_tally){0};
  return s->ledger.pairs.entry[pair].pair;
}
