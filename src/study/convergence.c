#include "study/convergence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const norm_names[NORM_COUNT] = {"max", "rattle", "lobatto", "l1", "l2"};
static const char* const part_names[PART_COUNT] = {"q",   "u",         "P_N",
                                                   "P_F", "P_N_paper", "P_F_paper"};

norm find_norm(const char* name)
{
  int n = 0;
  while (n < NORM_COUNT && strcmp(norm_names[n], name) != 0) n++;
  return (norm)n;
}

const char* norm_name(norm n)
{
  return norm_names[n];
}

const char* part_name(part p)
{
  return part_names[p];
}

static int is_friction(part p)
{
  return p == PART_P_F || p == PART_P_F_PAPER;
}

int has_part(const pc_system* system, part p)
{
  if (p == PART_Q || p == PART_U) return 1;
  for (int k = 0; k < pc_system_contact_count(system); k++)
    if (!is_friction(p) || pc_system_contact(system, k).dimension > 0) return 1;
  return 0;
}

/* Where a time lies in the reference: between rows `left` and `left` + 1, or at `left`. */
typedef struct place {
  long left;
  double fraction; /* 0 to 1 */
} place;

/* Looks from row `from` on. Times within 1e-6 of a step are the same. */
static place locate(const states* s, double t, long from)
{
  long left = from;
  while (left + 1 < s->count) {
    double step = s->t[left + 1] - s->t[left];
    if (t < s->t[left + 1] - 1e-6 * step) break;
    left++;
  }
  if (left + 1 == s->count) return (place){left, 0};
  double fraction = (t - s->t[left]) / (s->t[left + 1] - s->t[left]);
  return (place){left, fraction < 1e-6 ? 0 : fraction};
}

static const double* row_of(const double* numbers, int columns, long row)
{
  return numbers + (size_t)row * (size_t)columns;
}

/* q of the reference, linear between its rows. */
static double reference_q(const states* s, place at, int i)
{
  double left = row_of(s->q, s->q_count, at.left)[i];
  if (at.fraction == 0) return left;
  return left + at.fraction * (row_of(s->q, s->q_count, at.left + 1)[i] - left);
}

/* The percussion of a row of the system from the start to a place. */
static double reference_sum(const states* s, place at, int i)
{
  double left = row_of(s->P_sum, s->P_count, at.left)[i];
  if (at.fraction == 0) return left;
  return left + at.fraction * (row_of(s->P_sum, s->P_count, at.left + 1)[i] - left);
}

/* The percussion of a row of the system over a step of the run. */
static double reference_P(const states* s, place before, place at, part p, int i)
{
  if (p == PART_P_N_PAPER || p == PART_P_F_PAPER) return row_of(s->P, s->P_count, at.left)[i];
  return reference_sum(s, at, i) - reference_sum(s, before, i);
}

/* Adds a difference to those of this time, unless the reference does not say. */
static void add_difference(double x, double reference, double* e, int* count)
{
  if (!isnan(reference)) e[(*count)++] = x - reference;
}

/* Percussions of row n of the run minus those of the reference; the number of components. */
static int subtract_percussions(const pc_system* system, const states* run, long n,
                                const states* reference, place before, place at, part p, double* e)
{
  int count = 0;
  const double* P = row_of(run->P, run->P_count, n);
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    pc_contact_info contact = pc_system_contact(system, k);
    int first = contact.row + is_friction(p);
    int last = is_friction(p) ? contact.row + contact.dimension : contact.row;
    for (int i = first; i <= last; i++)
      add_difference(P[i], reference_P(reference, before, at, p, i), e, &count);
  }
  return count;
}

/* Row n of the run minus the reference; the number of components. */
static int subtract(const pc_system* system, const states* run, long n, const states* reference,
                    place before, place at, part p, double* e)
{
  if (p != PART_Q && p != PART_U)
    return subtract_percussions(system, run, n, reference, before, at, p, e);
  int components = p == PART_Q ? run->q_count : run->u_count, count = 0;
  const double* x = row_of(p == PART_Q ? run->q : run->u, components, n);
  for (int i = 0; i < components; i++)
    add_difference(
        x[i],
        p == PART_Q ? reference_q(reference, at, i) : row_of(reference->u, components, at.left)[i],
        e, &count);
  return count;
}

/* Adds the differences of one time to what the norm sums up: one number per component for RATTLE,
 * else one. */
static void accumulate(norm n, const double* e, int count, double* sum)
{
  double largest = 0;
  for (int i = 0; i < count; i++) {
    double size = fabs(e[i]);
    largest = size > largest || isnan(size) ? size : largest;
    if (n == NORM_RATTLE) sum[i] += size;
    if (n == NORM_LOBATTO) sum[0] += size;
  }
  if (n == NORM_MAX && !(largest <= sum[0])) sum[0] = largest;
  if (n == NORM_L1) sum[0] += largest;
  if (n == NORM_L2) sum[0] += largest * largest;
}

/* The norm from its sums over `steps` steps of length dt. */
static double conclude(norm n, const double* sum, int count, double dt, long steps)
{
  double largest = 0;
  switch (n) {
    case NORM_RATTLE:
      for (int i = 0; i < count; i++) largest = fmax(largest, sum[i]);
      return dt * largest;
    case NORM_LOBATTO: return dt * sum[0];
    case NORM_L1: return sum[0] / (double)steps;
    case NORM_L2: return sqrt(sum[0] / (double)steps);
    default: return sum[0];
  }
}

double measure_error(const pc_system* system, const states* run, const states* reference, norm n,
                     part p)
{
  size_t size = (size_t)(run->q_count + run->u_count + run->P_count) + 1;
  double* e = calloc(2 * size, sizeof *e);
  long steps = run->count - 1;
  if (!e || steps < 1) {
    free(e);
    return NAN;
  }
  double* sum = e + size;
  int count = 0;
  place before = locate(reference, run->t[0], 0);
  for (long row = 1; row < run->count; row++) {
    place at = locate(reference, run->t[row], before.left);
    count = subtract(system, run, row, reference, before, at, p, e);
    accumulate(n, e, count, sum);
    before = at;
  }
  double error = count == 0
                     ? NAN
                     : conclude(n, sum, count, (run->t[steps] - run->t[0]) / (double)steps, steps);
  free(e);
  return error;
}

/* Can its logarithm be taken? */
static int counts(double error)
{
  return isfinite(error) && error > 0;
}

fit fit_order(const double* dt, const double* error, int count)
{
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0, rest = 0;
  int points = 0;
  for (int i = 0; i < count; i++) {
    if (!counts(error[i])) continue;
    x_mean += log(dt[i]);
    y_mean += log(error[i]);
    points++;
  }
  if (points < 2) return (fit){NAN, NAN};
  x_mean /= points;
  y_mean /= points;
  for (int i = 0; i < count; i++) {
    if (!counts(error[i])) continue;
    xx += (log(dt[i]) - x_mean) * (log(dt[i]) - x_mean);
    xy += (log(dt[i]) - x_mean) * (log(error[i]) - y_mean);
  }
  double order = xy / xx;
  for (int i = 0; i < count; i++) {
    if (!counts(error[i])) continue;
    double off = log(error[i]) - y_mean - order * (log(dt[i]) - x_mean);
    rest += off * off;
  }
  return (fit){order, points > 2 ? sqrt(rest / (points - 2) / xx) : NAN};
}
