#include "study/comparison.h"

#include <math.h>
#include <stdio.h>

#include "study/clock.h"
#include "study/cost.h"

job* candidate_job(comparison* c, int i, int check)
{
  return &c->jobs[c->scheme_count + (1 + CHECKS_MAX) * i + check];
}

/* How much larger the steps of the checks are, the first one for smooth motion, too. Of 178 runs
 * through impacts whose motion is known, these four and the factor below bound the error of 177;
 * the other one ends between an impact and the step that has it. */
static const double larger_steps[CHECKS_MAX] = {2, 2.6, 3.5, 5};
static const double SAFETY = 2;

long steps_of_check(long steps, int check)
{
  long fewer = (long)ceil((double)steps / larger_steps[check - 1]);
  return fewer < steps ? fewer : 0;
}

static double largest_difference(const double* a, const double* b, int count)
{
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* Of the final q and u of two runs, in the maximum norm. */
static double distance_between(const states* a, const states* b)
{
  size_t of_a = (size_t)a->count - 1, of_b = (size_t)b->count - 1;
  return fmax(largest_difference(a->q + of_a * (size_t)a->q_count, b->q + of_b * (size_t)b->q_count,
                                 a->q_count),
              largest_difference(a->u + of_a * (size_t)a->u_count, b->u + of_b * (size_t)b->u_count,
                                 a->u_count));
}

/* Did a contact act in the run? */
static int has_impacts(const job* j)
{
  return j->summary.events_closed > 0 || j->summary.events_opened > 0;
}

/* The error of a run by another one with a larger step, of the same scheme of order one. */
static double error_by_check(const job* fine, const job* large)
{
  double ratio = large->def.settings.dt / fine->def.settings.dt;
  return distance_between(&fine->states, &large->states) / (ratio - 1);
}

/* Whether candidate i has reached the end, with its uncertainty. */
static int assess_candidate(comparison* c, int i)
{
  candidate* of = &c->candidate[i];
  const job* fine = candidate_job(c, i, 0);
  of->uncertainty = NAN;
  if (!fine->started || fine->status != PC_OK) return 0;
  for (int k = 1; k <= of->checks; k++) {
    const job* large = candidate_job(c, i, k);
    if (large->started && large->status == PC_OK)
      of->uncertainty = fmax(of->uncertainty, error_by_check(fine, large));
  }
  if (has_impacts(fine)) of->uncertainty *= SAFETY;
  return 1;
}

/* The least uncertainty counts; if none is known, the order of preference. */
static void choose_reference(comparison* c)
{
  c->reference = -1;
  for (int i = 0; i < c->candidate_count; i++) {
    if (!assess_candidate(c, i)) continue;
    double known = c->reference < 0 ? NAN : c->candidate[c->reference].uncertainty;
    if (c->reference < 0 || c->candidate[i].uncertainty < known ||
        (isnan(known) && !isnan(c->candidate[i].uncertainty)))
      c->reference = i;
  }
}

/* Nobody wants to wait for a reference much longer than for what is compared. */
static const double WAIT_FACTOR = 100; /* times the runs of all schemes, ... */
static const double LEAST_WAIT = 5;    /* ... but this at least [s] */

/* A monitor that also ends the runs at a time. */
typedef struct deadline {
  const batch_monitor* monitor;
  double end; /* wall clock [s] */
} deadline;

static int stops_at_deadline(void* user)
{
  const deadline* d = user;
  return batch_stops(d->monitor) || wall_clock() > d->end;
}

static void show_through(void* user, double share, int runs, double left)
{
  const deadline* d = user;
  if (d->monitor && d->monitor->show) d->monitor->show(d->monitor->user, share, runs, left);
}

/* The first and the last candidate run in any case, those between only as long as none before them
 * has reached the end. The last one has all the time that it needs. */
static void run_candidates(comparison* c, int threads, const batch_monitor* monitor)
{
  int last = c->candidate_count - 1, found = 0;
  double taken = 0;
  for (int i = 0; i < c->scheme_count; i++) taken += c->jobs[i].seconds;
  for (int i = 0; i <= last; i++) {
    if (found && i < last) continue;
    job* fine = candidate_job(c, i, 0);
    deadline d = {monitor,
                  i == last ? INFINITY : wall_clock() + fmax(WAIT_FACTOR * taken, LEAST_WAIT)};
    batch_monitor with_deadline = {stops_at_deadline, show_through, &d};
    int checks = c->candidate[i].checks;
    run_batch(fine, checks ? 2 : 1, threads, &with_deadline);
    if (fine->status != PC_OK) continue;
    found = 1;
    if (checks > 1 && has_impacts(fine)) run_batch(fine + 2, checks - 1, threads, &with_deadline);
  }
  choose_reference(c);
}

int run_comparison(comparison* c, int threads, int repeats, double seconds,
                   const batch_monitor* monitor)
{
  int done = 0;
  run_batch(c->jobs, c->scheme_count, threads, monitor);
  for (int i = 0; i < c->scheme_count; i++) done += is_compared(c, i);
  run_candidates(c, threads, monitor);
  measure_costs(c->jobs, c->scheme_count, repeats, seconds, monitor, c->cost);
  return done;
}

void free_comparison(comparison* c)
{
  for (int i = 0; i < SCHEMES_MAX + (1 + CHECKS_MAX) * CANDIDATES_MAX; i++)
    free_states(&c->jobs[i].states);
}

const job* reference_job(const comparison* c)
{
  return c->reference < 0 ? NULL : &c->jobs[c->scheme_count + (1 + CHECKS_MAX) * c->reference];
}

int is_compared(const comparison* c, int i)
{
  return c->jobs[i].status == PC_OK;
}

const char* job_status_word(const job* j)
{
  if (j->status == PC_OK) return j->doubts ? "doubtful" : "done";
  if (j->status == PC_STOPPED) return "interrupted";
  return j->status == PC_BAD_MODEL || j->status == PC_BAD_ARGUMENT ? "refused" : "failed";
}

static double distance(const comparison* c, int i)
{
  const job* reference = reference_job(c);
  return reference ? distance_between(&c->jobs[i].states, &reference->states) : NAN;
}

/* The rows of the table above the final values. */
static const struct {
  const char* key;
  const char* unit;
} rows[] = {
    {"penetration.max", "m"}, {"constraint.position.max", ""}, {"constraint.velocity.max", ""},
    {"energy.final", "J"},    {"energy.change", "J"},          {"iterations.avg", ""},
    {"wall.per_step", "us"},  {"cost.per_step", "us"},         {"distance", ""}};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

double comparison_value(const comparison* c, int row, int i)
{
  const job* j = &c->jobs[i];
  const pc_summary* s = &j->summary;
  switch (row) {
    case 0: return s->penetration_max;
    case 1: return s->constraint_position_max;
    case 2: return s->constraint_velocity_max;
    case 3: return s->energy_final;
    case 4: return s->energy_final - s->energy_initial;
    case 5: return s->phase_count ? s->iterations_avg[0] : 0;
    case WALL_ROW: return j->seconds / (double)(s->steps ? s->steps : 1);
    case COST_ROW: return c->cost[i];
    case DISTANCE_ROW: return distance(c, i);
    default: break;
  }
  const states* last = &j->states;
  return last
      ->series[(size_t)(last->count - 1) * (size_t)last->series_count + (size_t)(row - ROW_COUNT)];
}

int comparison_row_count(const comparison* c)
{
  return ROW_COUNT + c->shown_count;
}

void name_comparison_row(const comparison* c, int row, const char** unit, char* name, size_t size)
{
  if (row < ROW_COUNT) {
    snprintf(name, size, "%s", rows[row].key);
    *unit = rows[row].unit;
    return;
  }
  pc_quantity x = pc_system_quantity(c->system, c->quantity[row - ROW_COUNT]);
  snprintf(name, size, "final.%.100s", x.name);
  *unit = x.unit;
}
