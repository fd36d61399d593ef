#include "reproduce/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/item_runs.h"
#include "study/convergence.h"
#include "study/exact_reference.h"

/* Goes through the states of the window; returns 0 to stop. */
typedef int visit(void* into, double t, double x);

static int is_inside(const item_check* c, double t)
{
  if (c->from == 0 && c->to == 0) return 1;
  double slack = 1e-9 * (fabs(c->from) + fabs(c->to));
  return t >= c->from - slack && t <= c->to + slack;
}

static void visit_series(const item_data* data, const item_check* c, visit* see, void* into)
{
  const run_data* run = data->run[c->run];
  double *x = series_values(run, &c->of), *place = series_values(run, &c->over);
  int go_on = x && place;
  long first = go_on && run->count > 0 && isnan(x[0]); /* what the initial state does not have */
  for (long i = first; go_on && i < run->count; i++)
    if (is_inside(c, place[i]))
      go_on = see(into, run->value[(size_t)i * (size_t)run->column_count], x[i]);
  free(x);
  free(place);
}

/* What most measures need of a series. */
typedef struct survey {
  double first, last, low, high, sum, variation, rise; /* of x */
  double step;                                         /* the last change of x */
  double at_high;                                      /* [s] */
  long count, signs, turns;                            /* states, changes of sign, of direction */
} survey;

static int add_to_survey(void* into, double t, double x)
{
  survey* s = into;
  if (s->count > 0) s->variation += fabs(x - s->last);
  if (s->count > 0) s->rise = fmax(s->rise, x - s->last);
  s->signs += s->last * x < 0;
  s->turns += s->count > 1 && (x - s->last) * s->step < 0;
  if (s->count > 0) s->step = x - s->last;
  if (s->count == 0) s->first = x;
  if (!(x <= s->high)) s->at_high = t;
  s->low = fmin(s->low, x);
  s->high = fmax(s->high, x);
  s->sum += x;
  s->last = x;
  s->count++;
  return 1;
}

static survey look_at(const item_data* data, const item_check* c)
{
  survey s = {.low = INFINITY, .high = -INFINITY, .at_high = NAN};
  visit_series(data, c, add_to_survey, &s);
  if (s.count == 0) s.low = s.high = s.last = s.sum = s.variation = NAN;
  return s;
}

double largest(const item_data* data, const item_check* c)
{
  return look_at(data, c).high;
}
double smallest(const item_data* data, const item_check* c)
{
  return look_at(data, c).low;
}
double final_value(const item_data* data, const item_check* c)
{
  return look_at(data, c).last;
}
double total_variation(const item_data* data, const item_check* c)
{
  return look_at(data, c).variation;
}
double largest_rise(const item_data* data, const item_check* c)
{
  return look_at(data, c).rise;
}
double sign_changes(const item_data* data, const item_check* c)
{
  return (double)look_at(data, c).signs;
}

double turns(const item_data* data, const item_check* c)
{
  return (double)look_at(data, c).turns;
}

double total(const item_data* data, const item_check* c)
{
  return look_at(data, c).sum;
}

double lost_share(const item_data* data, const item_check* c)
{
  survey s = look_at(data, c);
  return (s.first - s.last) / s.first;
}

double time_of_largest(const item_data* data, const item_check* c)
{
  return look_at(data, c).at_high;
}

double largest_size(const item_data* data, const item_check* c)
{
  survey s = look_at(data, c);
  return fmax(fabs(s.low), fabs(s.high));
}

double spread(const item_data* data, const item_check* c)
{
  survey s = look_at(data, c);
  return s.high - s.low;
}

double mean(const item_data* data, const item_check* c)
{
  survey s = look_at(data, c);
  return s.count ? s.sum / (double)s.count : NAN;
}

/* The state nearest to a time. */
typedef struct nearest {
  double t, distance, x;
} nearest;

static int compare_distance(void* into, double t, double x)
{
  nearest* n = into;
  double distance = fabs(t - n->t);
  if (distance < n->distance) *n = (nearest){n->t, distance, x};
  return 1;
}

double value_at(const item_data* data, const item_check* c)
{
  item_check all = *c;
  all.from = all.to = 0;
  nearest n = {c->from, INFINITY, NAN};
  visit_series(data, &all, compare_distance, &n);
  return n.x;
}

double value_where(const item_data* data, const item_check* c)
{
  const run_data* run = data->run[c->run];
  double *x = series_values(run, &c->of), *place = series_values(run, &c->over), found = NAN;
  for (long i = 1; x && place && isnan(found) && i < run->count; i++)
    if (place[i - 1] < c->level && place[i] >= c->level)
      found = x[i - 1] + (x[i] - x[i - 1]) * (c->level - place[i - 1]) / (place[i] - place[i - 1]);
  free(x);
  free(place);
  return found;
}

/* The first time at which a series reaches a level from below. */
typedef struct crossing {
  double level, t, x; /* of the state before */
  double found;
} crossing;

static int find_crossing(void* into, double t, double x)
{
  crossing* c = into;
  if (x >= c->level) {
    c->found = isnan(c->x) ? t : c->t + (t - c->t) * (c->level - c->x) / (x - c->x);
    return 0;
  }
  c->t = t;
  c->x = x;
  return 1;
}

double time_reached(const item_data* data, const item_check* check)
{
  crossing c = {.level = check->level, .x = NAN, .found = NAN};
  visit_series(data, check, find_crossing, &c);
  return c.found;
}

/* The last state whose size is above a level. */
typedef struct last_high {
  double level, t;
} last_high;

static int note_high(void* into, double t, double x)
{
  last_high* s = into;
  if (fabs(x) > s->level) s->t = t;
  return 1;
}

double last_above(const item_data* data, const item_check* c)
{
  last_high s = {c->level, NAN};
  visit_series(data, c, note_high, &s);
  return s.t;
}

/* From negative to positive. */
typedef struct crossings {
  int count, wanted;
  double found, last;
} crossings;

static int note_crossing(void* into, double t, double x)
{
  crossings* s = into;
  if (s->last < 0 && x > 0 && ++s->count == s->wanted) s->found = t;
  if (x != 0) s->last = x;
  return 1;
}

double nth_impact(const item_data* data, const item_check* c)
{
  crossings s = {.wanted = c->n, .found = NAN};
  visit_series(data, c, note_crossing, &s);
  return s.found;
}

/* States at or below a level, and those whose size is: the last ones without a break, and the
 * most. */
typedef struct low_states {
  double level;
  long count, lasting, longest;
} low_states;

static int count_low(void* into, double t, double x)
{
  (void)t;
  low_states* s = into;
  s->count += x <= s->level;
  s->lasting = fabs(x) <= s->level ? s->lasting + 1 : 0;
  if (s->lasting > s->longest) s->longest = s->lasting;
  return 1;
}

double time_below(const item_data* data, const item_check* c)
{
  low_states s = {.level = c->level};
  visit_series(data, c, count_low, &s);
  return (double)s.count * data->run[c->run]->spec->dt;
}

double longest_within(const item_data* data, const item_check* c)
{
  low_states s = {.level = c->level};
  visit_series(data, c, count_low, &s);
  return (double)s.longest * data->run[c->run]->spec->dt;
}

/* A percussion over time: when it begins and ceases. */
typedef struct closings {
  int count, wanted;
  double found, last_open, first, last; /* [s]; first and last: closed */
  double first_P;
  long closed; /* states */
  int is_closed;
} closings;

static int follow_percussion(void* into, double t, double P)
{
  closings* s = into;
  int now = P > 0;
  if (now && !s->is_closed && ++s->count == s->wanted) s->found = t;
  if (!now) s->last_open = t;
  if (now && s->closed == 0) s->first = t;
  if (now && s->closed == 0) s->first_P = P;
  if (now) s->last = t;
  s->closed += now;
  s->is_closed = now;
  return 1;
}

static closings follow(const item_data* data, const item_check* c)
{
  closings s = {.wanted = c->n, .found = NAN, .last_open = NAN, .first = NAN};
  visit_series(data, c, follow_percussion, &s);
  return s;
}

double closing_time(const item_data* data, const item_check* c)
{
  return follow(data, c).found;
}
double closing_count(const item_data* data, const item_check* c)
{
  return follow(data, c).count;
}
double last_open(const item_data* data, const item_check* c)
{
  return follow(data, c).last_open;
}
double contact_time(const item_data* data, const item_check* c)
{
  return (double)follow(data, c).closed * data->run[c->run]->spec->dt;
}

double first_positive(const item_data* data, const item_check* c)
{
  return follow(data, c).first_P;
}

double contact_span(const item_data* data, const item_check* c)
{
  closings s = follow(data, c);
  return s.last - s.first + data->run[c->run]->spec->dt;
}

double largest_tau(const item_data* data, const item_check* c)
{
  const run_data* run = data->run[c->run];
  double *q = series_values(run, &(item_series){.of = {"q"}, .value = NULL}), most = NAN;
  double* v = series_values(run, &(item_series){.of = {"q'"}, .value = NULL});
  for (long k = 0; q && v && k + 1 < run->count; k++)
    if (is_inside(c, (double)(k + 1) * run->spec->dt))
      most = fmax(most, q[k + 1] - q[k] - run->spec->dt * (v[k] + v[k + 1]) / 2);
  free(q);
  free(v);
  return most;
}

static int is_done(const item_data* data, const item_check* c)
{
  return data->run[c->run]->job.started && data->run[c->run]->job.status == PC_OK;
}

double penetration(const item_data* data, const item_check* c)
{
  return is_done(data, c) ? data->run[c->run]->job.summary.penetration_max : NAN;
}

double inaccurate_steps(const item_data* data, const item_check* c)
{
  return is_done(data, c) ? (double)data->run[c->run]->job.summary.trouble.inaccurate : NAN;
}

double joint_violation(const item_data* data, const item_check* c)
{
  return is_done(data, c) ? data->run[c->run]->job.summary.constraint_position_max : NAN;
}

double joint_velocity(const item_data* data, const item_check* c)
{
  return is_done(data, c) ? data->run[c->run]->job.summary.constraint_velocity_max : NAN;
}

double joint_acceleration(const item_data* data, const item_check* c)
{
  return is_done(data, c) ? data->run[c->run]->job.summary.constraint_acceleration_max : NAN;
}

static int find_phase(const pc_summary* s, const char* name)
{
  for (int i = 0; i < s->phase_count; i++)
    if (!strcmp(s->phase[i], name)) return i;
  return -1;
}

double iterations_avg(const item_data* data, const item_check* c)
{
  const pc_summary* s = &data->run[c->run]->job.summary;
  int phase = is_done(data, c) ? find_phase(s, c->phase) : -1;
  return phase < 0 ? NAN : s->iterations_avg[phase];
}

double iterations_max(const item_data* data, const item_check* c)
{
  const pc_summary* s = &data->run[c->run]->job.summary;
  int phase = is_done(data, c) ? find_phase(s, c->phase) : -1;
  return phase < 0 ? NAN : (double)s->iterations_max[phase];
}

double measure_run(const item_data* data, const item_check* c, int run)
{
  item_check one = *c;
  one.run = run;
  return (c->each ? c->each : c->ours)(data, &one);
}

double order(const item_data* data, const item_check* c)
{
  double dt[ITEM_RUNS_MAX], error[ITEM_RUNS_MAX];
  int count = 0;
  for (int run = c->run; run <= c->last; run++, count++) {
    dt[count] = data->run[run]->spec->dt;
    error[count] = measure_run(data, c, run);
  }
  return fit_order(dt, error, count).order;
}

double ratio(const item_data* data, const item_check* c)
{
  return measure_run(data, c, c->run) / measure_run(data, c, c->last);
}

/* The runs may have steps of different length: states of the first whose times are those of a state
 * of the second are compared. */
double difference(const item_data* data, const item_check* c)
{
  const run_data *a = data->run[c->run], *b = data->run[c->last];
  double *x = series_values(a, &c->of), *y = series_values(b, &c->of), most = NAN;
  double tie = 1e-3 * fmin(a->spec->dt, b->spec->dt);
  for (long i = 0, k = 0; x && y && i < a->count; i++) {
    double t = a->value[(size_t)i * (size_t)a->column_count];
    while (k < b->count && b->value[(size_t)k * (size_t)b->column_count] < t - tie) k++;
    if (k == b->count || b->value[(size_t)k * (size_t)b->column_count] > t + tie) continue;
    if (is_inside(c, t)) most = fmax(most, fabs(x[i] - y[k])); /* of NAN and a number: the number */
  }
  free(x);
  free(y);
  return most;
}

double lead(const item_data* data, const item_check* c)
{
  return measure_run(data, c, c->run) - measure_run(data, c, c->last);
}

double depth(const item_data* data, const item_check* c)
{
  return fmax(0, -look_at(data, c).low);
}

/* ---- errors against a finer run, or the exact motion of the model file ---- */

static double error_against_exact(const run_data* run, const item_check* c)
{
  states exact = {0};
  double error = NAN;
  if (make_exact_states(run->model, &run->job.states, &exact, NULL) == PC_OK)
    error = measure_error(run->job.def.system, &run->job.states, &exact, c->norm, c->part);
  free_states(&exact);
  return error;
}

double error_of_run(const item_data* data, const item_check* c)
{
  const run_data *run = data->run[c->run], *reference = data->run[c->reference];
  if (run->job.status != PC_OK || !run->job.states.count) return NAN;
  if (c->reference == 0) return error_against_exact(run, c);
  if (reference->job.status != PC_OK || !reference->job.states.count) return NAN;
  return measure_error(run->job.def.system, &run->job.states, &reference->job.states, c->norm,
                       c->part);
}
