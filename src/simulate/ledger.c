#include "simulate/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "simulate/finder.h"
#include "system/found.h"
#include "system/inspect.h"

/* For the energy-growth monitor: steps in a row that are needed for a judgement, and the energy
 * below which a motion is round-off [J]. */
enum { IN_A_ROW = 3 };
#define ENERGY_NOISE 1e-20

/* What it keeps: the spurious energy, made by the scheme [J], the suspect steps in a row, the
 * potential at the start [J], and the reference energy: the largest of a motion that is not the
 * scheme's doing [J]. */
enum { SPURIOUS, SUSPECT, POTENTIAL, REFERENCE };

pc_status pc_ledger_create(pc_ledger* l, const pc_system* system, pc_error* error)
{
  l->g_count = pc_system_g_count(system);
  l->constraint_count = l->g_count + pc_system_gamma_count(system);
  l->system = system;
  l->contact_count = pc_system_fixed_contact_count(system);
  l->contact = pc_alloc((size_t)l->contact_count, sizeof *l->contact);
  l->tally = pc_alloc((size_t)l->contact_count, sizeof *l->tally);
  l->violation = pc_alloc((size_t)pc_violation_count(system), sizeof *l->violation);
  int workers = pc_threads_size(pc_system_threads(system));
  l->extremes = pc_alloc((size_t)workers, sizeof *l->extremes);
  if (!l->contact || !l->tally || !l->violation || !l->extremes) return pc_no_memory(error);
  PC_TRY(pc_scales_create(&l->scales, system, error));
  for (int k = 0; k < l->contact_count; k++) {
    pc_contact_info c = pc_system_contact(system, k);
    l->contact[k] = (pc_ledger_contact){c.row, c.dimension};
  }
  return PC_OK;
}

void pc_ledger_clear(pc_ledger* l)
{
  free(l->contact);
  free(l->tally);
  pc_scales_clear(&l->scales);
  free(l->extremes);
  free(l->violation);
  pc_pair_tallies_clear(&l->pairs);
}

void pc_add_found_losses(const pc_ledger* l, const pc_observation* seen, const double* before,
                         double* impact, double* friction)
{
  const double *P = seen->state->P, *y_dot = seen->y_dot;
  for (int k = l->contact_count, count = pc_system_contact_count(l->system); k < count; k++) {
    int normal = pc_system_contact_row(l->system, k), end = pc_system_contact_end(l->system, k);
    *impact += -P[normal] * (y_dot[normal] + before[normal]) / 2;
    for (int row = normal + 1; row < end; row++)
      *friction += -P[row] * (y_dot[row] + before[row]) / 2;
  }
}

/* Whether a contact began or ceased to carry a percussion. */
static pc_event_kind event_kind(const pc_observation* seen, int normal)
{
  int was = seen->P_before[normal] > 0, is = seen->state->P[normal] > 0;
  return was == is ? PC_NO_EVENT : is ? PC_CONTACT_CLOSED : PC_CONTACT_OPENED;
}

pc_event pc_observe_event(const pc_observation* seen, int contact)
{
  if (!seen || (unsigned)contact >= (unsigned)pc_system_contact_count(seen->system))
    return (pc_event){.contact = contact};
  pc_contact_info c = pc_system_contact(seen->system, contact);
  pc_event event = {.contact = contact, .kind = event_kind(seen, c.row)};
  if (event.kind == PC_NO_EVENT) return event;
  event.step = seen->state->step;
  event.t = seen->state->t;
  event.P_N = seen->state->P[c.row];
  for (int d = 0; d < c.dimension; d++) event.P_F[d] = seen->state->P[c.row + 1 + d];
  event.velocity_before = seen->y_dot_before[c.row];
  event.velocity_after = seen->y_dot[c.row];
  return event;
}

static void raise_to(double* largest, double value)
{
  if (!(value <= *largest)) *largest = pc_larger(*largest, value); /* most values are not larger */
}

/* Notes a violation of a law, and the largest of its kind: of lengths, or of angles. */
static void note(pc_violation* v, double value, double t, double* of_lengths, double* of_angles)
{
  if (!(value > v->value)) return;
  v->value = value;
  v->t = t;
  double* largest = v->unit[0] == 'r' ? of_angles : of_lengths;
  if (largest) raise_to(largest, value);
}

/* In the order of pc_list_violations. */
PC_INLINE void add_violations(pc_ledger* l, const pc_observation* seen)
{
  pc_summary* sum = &l->sum;
  pc_violation *position = l->violation, *velocity = position + l->g_count;
  double t = seen->state->t;
  for (int r = 0; r < l->g_count; r++)
    note(&position[r], fabs(seen->y[r]), t, &sum->constraint_position_max,
         &sum->constraint_angle_max);
  for (int r = 0; r < l->constraint_count; r++)
    note(&velocity[r], fabs(seen->y_dot[r]), t, &sum->constraint_velocity_max,
         &sum->constraint_rate_max);
  pc_scales_note_joints(&l->scales, seen->y, t);
  const double *impact = seen->info->impact_law, *friction = seen->info->friction_law;
  pc_violation* of_contact = velocity + l->constraint_count;
  for (int k = 0; k < l->contact_count; k++, of_contact += 3) {
    note(&of_contact[0], -seen->y[l->contact[k].normal], t, &sum->penetration_max,
         &sum->overrun_max);
    if (impact) note(&of_contact[1], impact[k], t, NULL, NULL);
    if (friction) note(&of_contact[2], friction[k], t, NULL, NULL);
  }
}

/* How deep the contacts of a step are at its end: others may be deeper. */
static void add_known_penetrations(pc_ledger* l, const pc_observation* seen)
{
  raise_to(&l->sum.penetration_known_max, l->sum.penetration_max);
  for (int k = l->contact_count, count = pc_system_contact_count(l->system); k < count; k++)
    raise_to(&l->sum.penetration_known_max, -seen->y[pc_system_contact_row(l->system, k)]);
}

/* An event of a contact between shapes. */
static pc_event found_event(const pc_observation* seen, const pc_shape_contact* c,
                            pc_event_kind kind)
{
  pc_event event = {.kind = kind,
                    .step = seen->state->step,
                    .t = seen->state->t,
                    .contact = PC_FOUND,
                    .key = c->key,
                    .P_N = c->P_N,
                    .velocity_before = c->velocity_before,
                    .velocity_after = c->velocity_after};
  for (int i = 0; i < 3; i++) event.P_F[i] = c->P[i] - c->P_N * c->normal[i];
  return event;
}

int pc_found_event_count(const pc_observation* seen)
{
  if (!seen) return 0;
  return seen->found ? seen->found->count + seen->found->opened_count : 0;
}

pc_event pc_observe_found_event(const pc_observation* seen, int index)
{
  if ((unsigned)index >= (unsigned)pc_found_event_count(seen))
    return (pc_event){.contact = PC_FOUND};
  const pc_found_contacts* found = seen->found;
  if (index >= found->count)
    return found_event(seen, &found->opened[index - found->count], PC_CONTACT_OPENED);
  const pc_shape_contact* c = &found->contact[index];
  return c->closed ? found_event(seen, c, PC_CONTACT_CLOSED)
                   : (pc_event){.kind = PC_NO_EVENT, .contact = PC_FOUND, .key = c->key};
}

static void add_found_events(pc_ledger* l, const pc_observation* seen)
{
  for (int i = 0; i < pc_found_event_count(seen); i++) {
    if (i < seen->found->count && !seen->found->contact[i].closed) continue;
    pc_event event = pc_observe_found_event(seen, i);
    if (l->event_count < PC_EVENTS_KEPT) l->event[l->event_count++] = event;
    l->sum.events_closed += event.kind == PC_CONTACT_CLOSED;
    l->sum.events_opened += event.kind == PC_CONTACT_OPENED;
  }
}

static void add_event(pc_ledger* l, const pc_observation* seen, int contact, int closed)
{
  if (l->event_count < PC_EVENTS_KEPT) l->event[l->event_count++] = pc_observe_event(seen, contact);
  l->sum.events_closed += closed;
  l->sum.events_opened += !closed;
}

/* What contacts have carried, and which began or ceased to. */
static void add_contacts(pc_ledger* l, const pc_observation* seen)
{
  const double *before = seen->P_before, *now = seen->state->P;
  for (int k = 0; k < l->contact_count; k++) {
    pc_contact_tally* tally = &l->tally[k];
    int normal = l->contact[k].normal, was = before[normal] > 0;
    double P = now[normal];
    if (was != (P > 0)) add_event(l, seen, k, !was);
    if (!(P > 0)) continue;
    tally->steps_closed++;
    tally->closings += !was;
    tally->P_sum += P;
    if (!was) tally->P_closing += P;
    if (!(P > tally->P_max)) continue;
    tally->P_max = P;
    tally->t_max = seen->state->t;
  }
}

/* Found contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 512 };

typedef struct found_loop {
  pc_ledger* ledger;
  const pc_observation* seen;
} found_loop;

static void look_at_found(void* user, int worker, int first, int last)
{
  const found_loop* loop = user;
  const pc_ledger* l = loop->ledger;
  pc_found_extremes* of = &l->extremes[worker];
  for (int i = first; i < last; i++) {
    int row = pc_system_contact_row(l->system, l->contact_count + i);
    double P = loop->seen->state->P[row];
    of->closed += P > 0;
    if (!(P > of->P)) continue;
    of->P = P;
    of->P_at = i;
  }
}

/* The first of the largest, whoever found it. */
static pc_found_extremes join_extremes(const pc_found_extremes* a, const pc_found_extremes* b)
{
  pc_found_extremes r = *a;
  r.closed += b->closed;
  if (b->P > a->P || (b->P == a->P && b->P_at < a->P_at)) r.P = b->P, r.P_at = b->P_at;
  return r;
}

static void add_found(pc_ledger* l, const pc_observation* seen)
{
  found_loop loop = {l, seen};
  pc_found_tally* found = &l->found;
  pc_threads* threads = pc_system_threads(l->system);
  int workers = pc_threads_size(threads);
  for (int i = 0; i < workers; i++) l->extremes[i] = (pc_found_extremes){0};
  pc_threads_run(threads, pc_system_found_count(l->system), SHARED_LEAST, look_at_found, &loop);
  pc_found_extremes all = l->extremes[0];
  for (int i = 1; i < workers; i++) all = join_extremes(&all, &l->extremes[i]);
  if (all.closed > found->closed_max) found->closed_max = all.closed;
  if (all.P > found->P_max) {
    found->P_max = all.P;
    found->t_max = seen->state->t;
    pc_name_found(l->system, all.P_at, found->P_name, sizeof found->P_name);
  }
}

/* Energy without a source, and the energy that was available. The supply leaves out what dampers
 * take, so that their quadrature is no gain; the work has it, or a gain would hide behind a
 * damper. */
PC_INLINE void add_growth(pc_ledger* l, const pc_observation* seen)
{
  pc_energy_growth* growth = &l->growth;
  const pc_balance* sum = &l->sum.balance;
  double given = l->sum.energy_initial + sum->supply;
  double energy = seen->kinetic + seen->potential;
  double gain = pc_larger(energy - given, energy - l->sum.energy_initial - sum->work);
  if (!(seen->potential >= growth->lowest)) growth->lowest = seen->potential;
  raise_to(&growth->available, given - growth->lowest);
  raise_to(&growth->kinetic, seen->kinetic);
  raise_to(&growth->magnitude, seen->kinetic + fabs(seen->potential));
  if (!(gain > growth->gain)) return;
  growth->gain = gain;
  growth->time = seen->state->t;
}

/* An error below this share of the velocities and impulses at hand is of no consequence. */
static const double NOTICEABLE = 1e-9;

/* A step that did not go as planned; what is left of it is known for an inaccurate one. */
PC_RARE void add_trouble(pc_step_trouble* trouble, const pc_step_info* info)
{
  trouble->halved += info->substeps > 1;
  trouble->without_rebound += info->without_rebound > 0;
  if (!info->inaccurate) return;
  if (trouble->inaccurate++ == 0) trouble->first_inaccurate = info->step;
  raise_to(&trouble->inaccuracy_max, info->inaccuracy);
  if (info->inaccuracy > 0 && info->inaccuracy <= NOTICEABLE) return;
  if (trouble->noticeable++ == 0) trouble->first_noticeable = info->step;
}

/* In an impact with friction near jamming the normal and the tangential impulse of a contact are
 * both large and do nearly opposite work: where the slip turns round, friction seems to give what
 * the normal direction takes. How a loss is divided between the two depends on the mean velocities
 * by which it is computed; their sum does not. So friction gives what it gives beyond the
 * loss in the normal direction of the same step. */
PC_INLINE void add_friction(pc_energy_growth* growth, const pc_balance* step)
{
  double lost = step->friction;
  if (!(lost >= 0)) {
    double both = lost + pc_larger(step->impact, 0);
    lost = both < 0 ? both : 0;
  }
  growth->friction += lost;
}

static void add_info(pc_ledger* l, const pc_step_info* info)
{
  pc_summary* sum = &l->sum;
  raise_to(&sum->constraint_acceleration_max, info->acceleration);
  raise_to(&sum->impact_residual_max, info->impact_residual);
  raise_to(&sum->friction_residual_max, info->friction_residual);
  raise_to(&sum->residual_max, info->residual);
  raise_to(&sum->solver_residual_max, info->solver_residual);
  if (info->active_contacts > sum->contacts_active_max)
    sum->contacts_active_max = info->active_contacts;
  for (int i = 0; i < info->phase_count; i++) {
    l->iterations[i] += info->iterations[i];
    if (info->iterations[i] > sum->iterations_max[i]) sum->iterations_max[i] = info->iterations[i];
  }
  int as_planned = !(info->without_rebound | info->inaccurate);
  if (!as_planned || info->substeps > 1) add_trouble(&sum->trouble, info);
  for (int m = 0; m < PC_METHOD_COUNT; m++) sum->answered[m] += info->answered[m];
}

void pc_ledger_begin(pc_ledger* l, const pc_observation* seen)
{
  l->sum = (pc_summary){0};
  memset(l->iterations, 0, sizeof l->iterations);
  l->event_count = 0;
  l->growth = (pc_energy_growth){.lowest = seen->potential};
  l->found = (pc_found_tally){0};
  l->pairs.count = 0;
  memset(l->tally, 0, (size_t)l->contact_count * sizeof *l->tally);
  pc_list_violations(seen->system, l->violation);
  l->energy = l->sum.energy_initial = seen->kinetic + seen->potential;
  add_growth(l, seen);
  l->sum.phase_count = seen->info->phase_count;
  l->sum.phase = seen->info->phase;
  pc_scales_begin(&l->scales);
  add_violations(l, seen);
}

void pc_monitor_begin(double monitor[PC_MONITOR_SIZE], const pc_observation* seen)
{
  monitor[SPURIOUS] = monitor[SUSPECT] = 0;
  monitor[POTENTIAL] = seen->potential;
  monitor[REFERENCE] = pc_larger(seen->kinetic + fabs(seen->potential), ENERGY_NOISE);
}

/* An unstable step multiplies what there is, so that in the end the scheme has made all energy. As
 * long as it has made less than half of it, the motion counts as the model's own. A million times
 * more than that is beyond any error of a scheme, if it is motion, or if the motion that carries it
 * along is as far beyond: the stiffer a spring, the smaller the share of its mass. Neither holds
 * for the round-off of a potential while nothing moves. The books have the work of a damper as the
 * scheme sees it; what such a force gives instead of taking it is of the scheme's making, too. */
static int is_suspect(const double monitor[PC_MONITOR_SIZE], const pc_observation* seen)
{
  double spurious = monitor[SPURIOUS], beyond = 1e6 * monitor[REFERENCE];
  int stiff = seen->kinetic > beyond && spurious > fabs(seen->potential) / 2;
  return spurious > beyond && (stiff || seen->kinetic > spurious / 10);
}

/* One step tells nothing: where a motion begins, its error may be as large as the motion. */
double pc_spurious_energy(double monitor[PC_MONITOR_SIZE], const pc_observation* seen)
{
  double spurious = monitor[SPURIOUS] += seen->info->work_turned - seen->balance.scheme;
  double energy = seen->kinetic + fabs(seen->potential - monitor[POTENTIAL]);
  /* What forces give in the step is at hand, too: where friction lets go, it is far more than the
   * motion. */
  int own = spurious <= (energy + pc_larger(0, seen->balance.supply)) / 2;
  if (own) raise_to(&monitor[REFERENCE], energy);
  monitor[SUSPECT] = !own && is_suspect(monitor, seen) ? monitor[SUSPECT] + 1 : 0;
  return monitor[SUSPECT] >= IN_A_ROW ? spurious : 0;
}

int pc_monitor_suspects(const double monitor[PC_MONITOR_SIZE])
{
  return monitor[SUSPECT] > 0;
}

void pc_ledger_add(pc_ledger* l, const pc_observation* seen)
{
  pc_summary* sum = &l->sum;
  sum->steps++;
  add_violations(l, seen);
  add_contacts(l, seen);
  if (seen->found) {
    add_found_events(l, seen);
    add_found(l, seen);
  }
  add_known_penetrations(l, seen);
  add_info(l, seen->info);
  sum->balance.work += seen->balance.work;
  sum->balance.impact += seen->balance.impact;
  sum->balance.friction += seen->balance.friction;
  sum->balance.scheme += seen->balance.scheme;
  sum->balance.supply += seen->balance.supply;
  add_growth(l, seen);
  add_friction(&l->growth, &seen->balance);
  double energy = seen->kinetic + seen->potential;
  raise_to(&sum->energy_max_increase, energy - l->energy);
  l->energy = energy;
}

pc_summary pc_ledger_summary(const pc_ledger* l, const pc_observation* seen)
{
  pc_summary sum = l->sum;
  sum.time = seen->state->t;
  sum.energy_final = l->energy;
  for (int i = 0; i < sum.phase_count; i++)
    sum.iterations_avg[i] = sum.steps ? (double)l->iterations[i] / (double)sum.steps : 0;
  return sum;
}
