#include "steps/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"

/* A loop that so often did not halve what is left will not do so any more. */
enum { STALLS_MAX = 3 };

int pc_is_scaled(const pc_scheme_settings* settings)
{
  double usual = pc_default_scheme_settings().tolerance;
  return settings->residual == PC_RESIDUAL_AUTO ? settings->tolerance == usual
                                                : settings->residual == PC_RESIDUAL_SCALED;
}

void pc_measure_clear(pc_measure* m)
{
  void* array[] = {m->body_of,    m->first,  m->inertia, m->root, m->inverse, m->motion,
                   m->percussion, m->forces, m->pace,    m->top,  m->change};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_lengths_clear(&m->lengths);
  *m = (pc_measure){0};
}

static void weigh_bodies(pc_measure* m, pc_terms* terms)
{
  double* zero = m->motion; /* as it still is */
  pc_terms_evaluate(terms, &(pc_at){0, pc_system_q0(terms->system), zero, NULL});
  pc_terms_own_inertia(terms, m->inertia);
  for (int i = 0; i < m->n_u; i++) {
    if (!(m->inertia[i] > 0)) m->inertia[i] = 1;
    m->root[i] = sqrt(m->inertia[i]);
    m->inverse[i] = 1 / m->root[i];
  }
  for (int k = 0; k < m->body_count; k++)
    for (int i = m->first[k]; i < m->first[k + 1]; i++) {
      m->top[k] = pc_larger(m->top[k], m->root[i]);
      m->body_of[i] = k;
    }
}

void pc_measure_set_limits(pc_measure* m, const pc_scheme_settings* settings)
{
  int scaled = pc_is_scaled(settings);
  m->relative = scaled ? settings->tolerance : 0;
  m->velocity = scaled ? pc_most_velocity(settings) : 0;
  m->absolute = scaled ? 0 : settings->tolerance;
}

/* *vector has n zeros; 0 if there is no memory. */
static int make(int n, double** vector)
{
  return (*vector = pc_alloc((size_t)n, sizeof **vector)) != NULL;
}

pc_status pc_measure_create(pc_measure* m, pc_terms* terms, const pc_scheme_settings* settings,
                            pc_error* error)
{
  pc_measure_set_limits(m, settings);
  PC_TRY(pc_lengths_create(&m->lengths, terms->system, error));
  int n = m->n_u = pc_system_u_count(terms->system);
  m->has_forces = (pc_system_provides(terms->system) & (PC_TERM_H_Q | PC_TERM_H_U)) != 0;
  m->first = pc_alloc((size_t)n + 1, sizeof *m->first);
  m->body_of = pc_alloc((size_t)n, sizeof *m->body_of);
  if (!m->first || !m->body_of) return pc_no_memory(error);
  m->body_count = pc_system_find_bodies(terms->system, m->first);
  int good = make(n, &m->inertia) && make(n, &m->root) && make(n, &m->inverse) &&
             make(n, &m->motion) && make(n, &m->change) && make(n, &m->percussion) &&
             make(m->body_count, &m->pace) && make(m->body_count, &m->top) &&
             (!m->has_forces || make(n, &m->forces));
  if (!good) return pc_no_memory(error);
  weigh_bodies(m, terms);
  return PC_OK;
}

void pc_measure_begin(pc_measure* m)
{
  m->last = HUGE_VAL;
  m->stalls = 0;
}

/* The largest of a body's momenta, over the roots of their inertias. */
static double largest_of(const pc_measure* m, int body, const double* x)
{
  double largest = 0;
  for (int i = m->first[body]; i < m->first[body + 1]; i++)
    largest = pc_larger(largest, m->inverse[i] * fabs(x[i]));
  return largest;
}

/* What is left of a body's equations, and the largest of their terms, over the roots of their
 * inertias. */
typedef struct balance {
  double left, change, motion, percussion;
} balance;

/* The residual is known to be finite. */
PC_INLINE balance balance_of(pc_measure* m, int body, const double* residual)
{
  balance b = {0};
  for (int i = m->first[body], end = m->first[body + 1]; i < end; i++) {
    double inverse = m->inverse[i], left = inverse * fabs(residual[i]);
    double motion = inverse * m->motion[i], percussion = inverse * m->percussion[i];
    double change = inverse * m->change[i];
    if (left > b.left) b.left = left;
    if (change > b.change) b.change = change;
    if (motion > b.motion) b.motion = motion;
    if (percussion > b.percussion) b.percussion = percussion;
  }
  m->pace[body] = b.motion;
  return b;
}

/* The largest residual of a body's equations in units of a tolerance that is the same for all. */
static double absolute_excess(const pc_measure* m, int body, const double* residual)
{
  double largest = 0;
  for (int i = m->first[body]; i < m->first[body + 1]; i++)
    largest = pc_larger(largest, fabs(residual[i]));
  return largest / m->absolute;
}

/* The same in units of what may be left. Of the motion --abs-tol is the most, of percussions, which
 * a light body passes on from one heavy body to another, a share. */
static double excess(const pc_measure* m, int body, const balance* b, const double* residual)
{
  if (m->absolute > 0) return absolute_excess(m, body, residual);
  double limit = m->relative * b->change, most = m->velocity * m->top[body];
  if (limit > most) limit = most;
  if (limit < m->relative * b->percussion) limit = m->relative * b->percussion;
  return b->left > limit ? b->left / pc_larger(limit, DBL_MIN) : 0;
}

static void find_forces(pc_measure* m, const pc_iterate* at)
{
  if (at->locate) at->locate(at->user);
  for (int i = 0; i < m->n_u; i++) m->forces[i] = 0;
  pc_terms_add_h_magnitude(at->terms, at->q, at->v, m->forces);
}

/* What round-off leaves of a body's equations, over the roots of their inertias. */
static double round_off(const pc_measure* m, int body, const balance* b, double dt)
{
  double terms = PC_ROUND_OFF * pc_larger(b->motion, b->percussion);
  if (!m->has_forces) return terms;
  return pc_larger(terms, PC_ROUND_OFF_OF_FORCES * dt * largest_of(m, body, m->forces));
}

/* The loop gets no further: the round-off of any body may have reached all others. */
static int holds_as_a_whole(pc_measure* m, const pc_iterate* at)
{
  double left = 0, noise = 0;
  for (int k = 0; k < m->body_count; k++) {
    balance b = balance_of(m, k, at->residual);
    if (b.left > m->top[k] * m->still) left = pc_larger(left, b.left);
    noise = pc_larger(noise, round_off(m, k, &b, at->dt));
  }
  return left <= noise;
}

int pc_measure_holds(pc_measure* m, const pc_iterate* at)
{
  double worst = 0;
  int has_forces = !m->has_forces; /* they are found, where they are asked for */
  int is_slow = m->stalls + 1 >= STALLS_MAX;
  if (is_slow && at->locate) at->locate(at->user);
  if (is_slow) m->still = pc_position_round_off(m, at->q) / at->dt;
  for (int k = 0; k < m->body_count; k++) {
    balance b = balance_of(m, k, at->residual);
    double by = excess(m, k, &b, at->residual);
    if (by <= 1) continue;
    if (!has_forces) find_forces(m, at);
    has_forces = 1;
    if (b.left > round_off(m, k, &b, at->dt)) worst = pc_larger(worst, by);
  }
  if (worst <= 1) return 1;
  if (worst > m->last / 2) m->stalls++;
  m->last = worst;
  return m->stalls >= STALLS_MAX && holds_as_a_whole(m, at);
}

/* Is what is left of a row's velocity within the tolerance, by the velocities of its bodies and
 * what forces make of them in a step? Percussions do not count: below a heavy body, a light one
 * would be accepted too early. */
static int is_small(const pc_measure* m, pc_row row, double left)
{
  const double* w = row.w;
  double sum = 0;
  if (m->absolute > 0) return left <= m->absolute;
  if (left > m->velocity) return 0;
  for (int k = 0; k < row.block_count; k++)
    for (int i = row.block[k].first; i < row.block[k].first + row.block[k].width; i++, w++) {
      sum += fabs(*w) * m->inverse[i] * m->pace[m->body_of[i]];
      if (left <= m->relative * sum) return 1;
    }
  return left == 0;
}

double pc_measure_row_change(const pc_measure* m, pc_row row)
{
  const double* w = row.w;
  double sum = 0;
  for (int k = 0; k < row.block_count; k++)
    for (int i = row.block[k].first; i < row.block[k].first + row.block[k].width; i++, w++)
      sum += fabs(*w) * pc_measure_size(m, i) / m->inertia[i];
  return sum;
}

/* What the largest terms of momentum anywhere could change of a row's velocity. */
static double largest_change(const pc_measure* m, pc_row row)
{
  const double* w = row.w;
  double largest = 0, sum = 0;
  for (int k = 0; k < m->body_count; k++)
    largest =
        pc_larger(largest, pc_larger(largest_of(m, k, m->motion), largest_of(m, k, m->percussion)));
  for (int k = 0; k < row.block_count; k++)
    for (int i = row.block[k].first; i < row.block[k].first + row.block[k].width; i++, w++)
      sum += fabs(*w) * m->inverse[i];
  return largest * sum;
}

int pc_measure_row_holds(const pc_measure* m, pc_row row, double left, double round_off)
{
  left = fabs(left);
  if (left == 0 || is_small(m, row, left)) return 1;
  double length = pc_lengths_of_row(&m->lengths, row);
  return length * left <= round_off || left <= PC_ROUND_OFF * pc_measure_row_change(m, row) ||
         (m->stalls >= STALLS_MAX &&
          (length * left <= m->still || left <= PC_ROUND_OFF * largest_change(m, row)));
}

double pc_position_round_off(const pc_measure* m, const double* q)
{
  return PC_ROUND_OFF_OF_ROWS * pc_lengths_reach(&m->lengths, q);
}
