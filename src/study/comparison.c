#include "study/comparison.h"

#include <math.h>
#include <stdio.h>

#include "study/cost.h"

int run_comparison(comparison* c, int threads, int repeats, double seconds,
                   const batch_monitor* monitor)
{
  int done = 0;
  run_batch(c->jobs, c->scheme_count + 1, threads, monitor);
  for (int i = 0; i < c->scheme_count; i++) done += is_compared(c, i);
  measure_costs(c->jobs, c->scheme_count, repeats, seconds, monitor, c->cost);
  return done;
}

void free_comparison(comparison* c)
{
  for (int i = 0; i <= c->scheme_count && i <= SCHEMES_MAX; i++) free_states(&c->jobs[i].states);
}

int is_compared(const comparison* c, int i)
{
  return c->jobs[i].status == PC_OK;
}

const char* job_status_word(const job* j)
{
  if (j->status == PC_OK) return "done";
  if (j->status == PC_STOPPED) return "interrupted";
  return j->status == PC_BAD_MODEL || j->status == PC_BAD_ARGUMENT ? "refused" : "failed";
}

static double largest_difference(const double* a, const double* b, int count)
{
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* Of the final q and u to those of the reference, in the maximum norm; NAN if that failed. */
static double distance(const comparison* c, int i)
{
  if (!is_compared(c, c->scheme_count)) return NAN;
  const states *a = &c->jobs[i].states, *b = &c->jobs[c->scheme_count].states;
  size_t last = (size_t)a->count - 1;
  return fmax(largest_difference(a->q + last * (size_t)a->q_count, b->q, a->q_count),
              largest_difference(a->u + last * (size_t)a->u_count, b->u, a->u_count));
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
    case 5: return s->stage_count ? s->iterations_avg[0] : 0;
    case WALL_ROW: return j->seconds / (double)(s->steps ? s->steps : 1);
    case COST_ROW: return c->cost[i];
    case 8: return distance(c, i);
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
