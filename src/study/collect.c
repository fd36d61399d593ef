#include "study/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/error.h"
#include "study/suggest.h"

/* --- quantities ------------------------------------------------------------------------------- */

/* Of the system, or one of these. */
enum { OF_TIME = -1, OF_KINETIC = -2, OF_POTENTIAL = -3, OF_TOTAL = -4, OF_NOTHING = -5 };

static const struct {
  const char* name;
  const char* unit;
  int code;
} own[] = {{"time", "s", OF_TIME},
           {"energy.kinetic", "J", OF_KINETIC},
           {"energy.potential", "J", OF_POTENTIAL},
           {"energy.total", "J", OF_TOTAL}};

enum { OWN_COUNT = sizeof own / sizeof *own };

static int find_quantity(const pc_system* system, const char* name)
{
  int quantity = pc_system_find_quantity(system, name);
  for (int i = 0; quantity < 0 && i < OWN_COUNT; i++)
    if (!strcmp(own[i].name, name)) return own[i].code;
  return quantity >= 0 ? quantity : OF_NOTHING;
}

static double value_of(const pc_observation* seen, int quantity)
{
  switch (quantity) {
    case OF_TIME: return seen->state->t;
    case OF_KINETIC: return seen->kinetic;
    case OF_POTENTIAL: return seen->potential;
    case OF_TOTAL: return seen->kinetic + seen->potential;
    default: return pc_observe_quantity(seen, quantity);
  }
}

static const char* unit_of(const pc_system* system, int quantity)
{
  for (int i = 0; i < OWN_COUNT; i++)
    if (own[i].code == quantity) return own[i].unit;
  return quantity >= 0 ? pc_system_quantity(system, quantity).unit : "";
}

/* --- the summary ------------------------------------------------------------------------------ */

static const struct {
  const char* name;
  const char* unit;
} summary_names[] = {{"steps", ""},
                     {"steps.inaccurate", ""},
                     {"steps.halved", ""},
                     {"penetration.max", "m"},
                     {"constraint.position.max", ""},
                     {"constraint.velocity.max", ""},
                     {"impact.residual.max", "m/s"},
                     {"friction.residual.max", "m/s"},
                     {"energy.initial", "J"},
                     {"energy.final", "J"},
                     {"energy.max.increase", "J"},
                     {"contacts.active.max", ""},
                     {"events.closed", ""},
                     {"events.opened", ""},
                     {"ledger.work", "J"},
                     {"ledger.lost.impact", "J"},
                     {"ledger.lost.friction", "J"},
                     {"ledger.lost.scheme", "J"}};

enum { SUMMARY_COUNT = sizeof summary_names / sizeof *summary_names };

static double summary_value(const pc_summary* s, int which)
{
  const double value[SUMMARY_COUNT] = {
      (double)s->steps,         (double)s->trouble.inaccurate, (double)s->trouble.halved,
      s->penetration_max,       s->constraint_position_max,    s->constraint_velocity_max,
      s->impact_residual_max,   s->friction_residual_max,      s->energy_initial,
      s->energy_final,          s->energy_max_increase,        (double)s->contacts_active_max,
      (double)s->events_closed, (double)s->events_opened,      s->balance.work,
      s->balance.impact,        s->balance.friction,           s->balance.scheme};
  return value[which];
}

static int find_summary(const char* name)
{
  for (int i = 0; i < SUMMARY_COUNT; i++)
    if (!strcmp(summary_names[i].name, name)) return i;
  return -1;
}

const char* measure_unit(const measure* m, const pc_model* model)
{
  if (m->kind == MEASURE_COUNT) return "";
  if (m->kind == MEASURE_SUMMARY)
    return find_summary(m->of) >= 0 ? summary_names[find_summary(m->of)].unit : "";
  const pc_system* system = pc_model_system(model);
  return unit_of(system, find_quantity(system, m->of));
}

/* --- one measure in one run ------------------------------------------------------------------- */

typedef struct slot {
  const measure* m;
  int of;       /* quantity; of a summary the place in its list */
  int where;    /* contact, or quantity of a section */
  double value; /* of a section, or the period */
  double turn;  /* of an angle 2 pi, else 0 */
  double before, of_before, t_before;
  double sum, sum_of_squares, mean; /* running */
  long steps;
  double* list; /* one number, or a list */
  long count, capacity;
  int failed; /* no memory */
} slot;

struct collector {
  const measures* m;
  slot* slot;
};

static pc_status unknown(const measure* m, const char* name, suggestion* near, pc_error* error)
{
  return set_error(error, PC_BAD_ARGUMENT, "--collect %s: the model has no '%s'%s", m->name, name,
                   suggestion_text(near));
}

static pc_status bind_quantity(const measure* m, const pc_system* system, const char* name,
                               int* quantity, pc_error* error)
{
  *quantity = find_quantity(system, name);
  if (*quantity != OF_NOTHING) return PC_OK;
  suggestion near = suggestion_for(name);
  for (int i = 0; i < pc_system_quantity_count(system); i++)
    suggest(&near, pc_system_quantity(system, i).name);
  for (int i = 0; i < OWN_COUNT; i++) suggest(&near, own[i].name);
  return unknown(m, name, &near, error);
}

static pc_status bind_contact(const measure* m, const pc_system* system, int* contact,
                              pc_error* error)
{
  suggestion near = suggestion_for(m->where);
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    const char* name = pc_system_contact(system, k).name;
    *contact = k;
    if (!strcmp(name, m->where)) return PC_OK;
    suggest(&near, name);
  }
  return set_error(error, PC_BAD_ARGUMENT, "--collect %s: the model has no contact '%s'%s", m->name,
                   m->where, suggestion_text(&near));
}

static pc_status bind_summary(slot* s, pc_error* error)
{
  s->of = find_summary(s->m->of);
  if (s->of >= 0) return PC_OK;
  suggestion near = suggestion_for(s->m->of);
  for (int i = 0; i < SUMMARY_COUNT; i++) suggest(&near, summary_names[i].name);
  return set_error(error, PC_BAD_ARGUMENT,
                   "--collect %s: the summary has no such number%s; a quantity is collected by "
                   "final.%s, max(%s) ...",
                   s->m->name, suggestion_text(&near), s->m->of, s->m->of);
}

static pc_status bind_value(slot* s, const pc_model* model, pc_error* error)
{
  pc_error own_error = {0};
  pc_status status = pc_model_evaluate(model, s->m->value, &s->value, &own_error);
  if (status != PC_OK)
    return set_error(error, PC_BAD_ARGUMENT, "--collect %s: %s", s->m->name, own_error.text);
  if (s->m->kind == MEASURE_EVERY && !(s->value > 0))
    return set_error(error, PC_BAD_ARGUMENT, "--collect %s: the period is %g s, must be positive",
                     s->m->name, s->value);
  return PC_OK;
}

static pc_status bind(slot* s, const pc_model* model, pc_error* error)
{
  const pc_system* system = pc_model_system(model);
  const measure* m = s->m;
  pc_status status = PC_OK;
  if (m->kind == MEASURE_SUMMARY) return bind_summary(s, error);
  if (m->of) status = bind_quantity(m, system, m->of, &s->of, error);
  if (status == PC_OK && (m->kind == MEASURE_COUNT || m->kind == MEASURE_AT))
    status = bind_contact(m, system, &s->where, error);
  if (status == PC_OK && m->kind == MEASURE_SECTION) {
    status = bind_quantity(m, system, m->where, &s->where, error);
    if (status == PC_OK && !strcmp(unit_of(system, s->where), "rad"))
      s->turn = 6.283185307179586476925;
  }
  if (status == PC_OK && m->value) status = bind_value(s, model, error);
  return status;
}

pc_status collector_create(const measures* m, const pc_model* model, collector** into,
                           pc_error* error)
{
  collector* c = *into = calloc(1, sizeof *c);
  if (!c) return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  c->m = m;
  c->slot = calloc((size_t)m->count + 1, sizeof *c->slot);
  pc_status status = c->slot ? PC_OK : set_error(error, PC_OUT_OF_MEMORY, "no memory");
  for (int i = 0; status == PC_OK && i < m->count; i++) {
    c->slot[i].m = &m->item[i];
    status = bind(&c->slot[i], model, error);
  }
  if (status == PC_OK) return PC_OK;
  collector_destroy(c);
  *into = NULL;
  return status;
}

void collector_destroy(collector* c)
{
  if (!c) return;
  for (int i = 0; c->slot && i < c->m->count; i++) free(c->slot[i].list);
  free(c->slot);
  free(c);
}

/* --- seeing a step ---------------------------------------------------------------------------- */

/* One more number of a list; of the last N, the oldest goes. */
static void add(slot* s, double t, double value)
{
  const measure* m = s->m;
  if (t < m->after || (m->first && s->count >= m->first)) return;
  if (m->last && s->count == m->last) {
    memmove(s->list, s->list + 1, (size_t)(s->count - 1) * sizeof *s->list);
    s->count--;
  }
  if (s->count == s->capacity) {
    long more = s->capacity ? 2 * s->capacity : 16;
    double* larger = realloc(s->list, (size_t)more * sizeof *larger);
    if (!larger) {
      s->failed = 1;
      return;
    }
    s->list = larger;
    s->capacity = more;
  }
  s->list[s->count++] = value;
}

/* The value of the quantity at a share of the step. */
static void add_between(slot* s, const pc_observation* seen, double share)
{
  double now = value_of(seen, s->of), t = seen->state->t;
  add(s, s->t_before + share * (t - s->t_before), s->of_before + share * (now - s->of_before));
}

/* Every level that the quantity has passed in this step, in the direction asked for. */
static void see_section(slot* s, const pc_observation* seen)
{
  double sign = s->m->falling ? -1 : 1;
  double before = sign * (s->before - s->value), now = sign * (value_of(seen, s->where) - s->value);
  if (s->turn == 0) {
    if (before < 0 && now >= 0) add_between(s, seen, -before / (now - before));
    return;
  }
  double first = floor(before / s->turn) + 1, last = floor(now / s->turn);
  for (double k = first; k <= last && last - first < 1000; k++)
    add_between(s, seen, (k * s->turn - before) / (now - before));
}

/* Multiples of the period, those that a step ends at included; steps end there up to rounding. */
static void see_period(slot* s, const pc_observation* seen)
{
  double t = seen->state->t, length = t - s->t_before, slack = 1e-9 * length;
  double first = floor((s->t_before + slack) / s->value) + 1;
  for (double k = first; k * s->value <= t + slack; k++) {
    double share = (k * s->value - s->t_before) / length;
    add_between(s, seen, share < 1 ? share : 1);
  }
}

static void see_event(slot* s, const pc_observation* seen)
{
  pc_event event = pc_observe_event(seen, s->where);
  if (event.kind != (s->m->opened ? PC_CONTACT_OPENED : PC_CONTACT_CLOSED)) return;
  if (s->m->kind == MEASURE_COUNT)
    s->steps++;
  else
    add(s, seen->state->t, value_of(seen, s->of));
}

/* Mean and sum of squares by Welford's recurrence, which does not cancel. */
static void see_number(slot* s, double x)
{
  s->steps++;
  s->sum += x;
  double from_mean = x - s->mean;
  s->mean += from_mean / (double)s->steps;
  s->sum_of_squares += from_mean * (x - s->mean);
}

static void see_extremum(slot* s, double x, int first)
{
  if (s->m->kind == MEASURE_MAXABS) x = fabs(x);
  int better = s->m->kind == MEASURE_MIN ? x < s->sum : x > s->sum;
  if (first || better) s->sum = x;
}

static void see_step(slot* s, const pc_observation* seen, int first)
{
  switch (s->m->kind) {
    case MEASURE_FINAL: s->sum = value_of(seen, s->of); break;
    case MEASURE_MAX:
    case MEASURE_MIN:
    case MEASURE_MAXABS: see_extremum(s, value_of(seen, s->of), first); break;
    case MEASURE_MEAN:
    case MEASURE_STD:
    case MEASURE_SUM:
      if (!first) see_number(s, value_of(seen, s->of));
      break;
    case MEASURE_COUNT:
    case MEASURE_AT:
      if (!first) see_event(s, seen);
      break;
    case MEASURE_SECTION:
      if (!first) see_section(s, seen);
      s->before = value_of(seen, s->where);
      break;
    case MEASURE_EVERY:
      if (!first) see_period(s, seen);
      break;
    case MEASURE_SUMMARY: break;
  }
  if (!measure_is_list(s->m)) return;
  s->of_before = value_of(seen, s->of);
  s->t_before = seen->state->t;
}

int collector_observe(void* user, const pc_observation* seen)
{
  collector* c = user;
  for (int i = 0; i < c->m->count; i++) {
    see_step(&c->slot[i], seen, seen->state->step == 0);
    if (c->slot[i].failed) return 0;
  }
  return 1;
}

/* The number of a measure that is no list goes into `sum`. */
void collector_finish(collector* c, const pc_summary* summary)
{
  for (int i = 0; i < c->m->count; i++) {
    slot* s = &c->slot[i];
    double n = (double)s->steps;
    switch (s->m->kind) {
      case MEASURE_SUMMARY: s->sum = summary_value(summary, s->of); break;
      case MEASURE_COUNT: s->sum = n; break;
      case MEASURE_MEAN: s->sum = n > 0 ? s->mean : NAN; break;
      case MEASURE_STD: s->sum = n > 1 ? sqrt(s->sum_of_squares / (n - 1)) : NAN; break;
      default: break;
    }
  }
}

const double* collector_values(const collector* c, int number, int* count)
{
  const slot* s = &c->slot[number];
  int list = measure_is_list(s->m);
  *count = list ? (int)s->count : 1;
  return list ? s->list : &s->sum;
}
