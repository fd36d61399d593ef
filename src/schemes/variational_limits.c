/* What may be left of the equations of the two problems, by the terms that enter them.
 *
 * A tolerance in N s says little to a body with an inertia of 4e-7 kg m^2: 1e-10 N m s turn it by
 * 2e-4 rad/s. So an equation of momentum is measured by its terms: the change of momentum in the
 * step and the impulses of forces and percussions. The momentum itself is none of them. It does not
 * shrink with the step as they do: a share of it, left in every step, would add up to a velocity
 * that grows with the number of steps. It counts for round-off, where it is added up.
 *
 * The equations of a body have one measure in common, as one of them may have no terms but
 * round-off; momenta [N s] and angular momenta [N m s] are made comparable by the roots of their
 * inertias, as the energy does it. A position is measured by the path of the step along its row, a
 * velocity by the velocities in it: what is left of these does not add up, since every step asks
 * for the whole position and velocity. Of the velocities of stages, which are there to make
 * positions, those that move no coordinate in a step are none. */
#include <float.h>
#include <math.h>

#include "base/larger.h"
#include "linalg/copy.h"
#include "schemes/variational.h"

static void note_impulse(pc_row row, double P, double* size)
{
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++)
    for (int i = 0; i < row.block[b].width; i++, w++) {
      double term = fabs(*w * P), *there = &size[row.block[b].first + i];
      if (term > *there) *there = term;
    }
}

/* The larger of two terms of each equation: the change of momentum, and `factor` times the force.
 * A term that is not finite shows in the residual, which is known to be. */
static void note_terms(int n_u, const double* change, const double* impulse, double factor,
                       double* size)
{
  for (int i = 0; i < n_u; i++) {
    double momentum = fabs(change[i]), term = fabs(factor * impulse[i]);
    size[i] = momentum > term ? momentum : term;
  }
}

static void note_rows(const pc_variational* v, const pc_terms* terms, const double* P, double* size)
{
  for (int r = 0; r < v->rows; r++)
    if (P[r] != 0) note_impulse(pc_terms_row(terms, r), P[r], size);
}

/* The largest of a body's momenta, over the roots of their inertias. */
static double largest_of_body(const pc_measure* m, int body, const double* x)
{
  double largest = 0;
  for (int i = m->first[body]; i < m->first[body + 1]; i++)
    largest = pc_larger(largest, fabs(x[i]) * m->inverse[i]);
  return largest;
}

/* Whether what is left of the equations of all bodies is so small by their changes of momentum and
 * forces alone. Percussions could only add to these: the sizes need not be found for such
 * equations. */
static int bodies_hold(const pc_variational* v, const double* change, const double* impulse,
                       double factor, const double* F, double share)
{
  const pc_measure* m = &v->limits.measure;
  for (int b = 0; b < m->body_count; b++) {
    double left = largest_of_body(m, b, F);
    int i = m->first[b], end = m->first[b + 1];
    for (; !(left < DBL_MIN) && i < end; i++) {
      double momentum = fabs(change[i]), term = fabs(factor * impulse[i]);
      double size = momentum > term ? momentum : term;
      if (left <= share * (size * m->inverse[i])) break;
    }
    if (i == end) return 0;
  }
  return 1;
}

/* The sizes of a body's equations become that of the largest over the root of its inertia. */
static void join_sizes(const pc_measure* m, double* size)
{
  for (int b = 0; b < m->body_count; b++) {
    double largest = 0;
    for (int i = m->first[b]; i < m->first[b + 1]; i++) {
      double term = size[i] * m->inverse[i];
      if (term > largest) largest = term;
    }
    for (int i = m->first[b]; i < m->first[b + 1]; i++) size[i] = largest;
  }
}

/* The largest residual of a body's equations over its limit, where it is above one: a share of
 * their terms, and what round-off leaves of these, of a momentum p that is added up (NULL: none)
 * and of forces whose parts add up to `parts` [N] in a step dt. */
static double excess_of_bodies(const pc_measure* m, const double* size, const double* F,
                               const double* p, const double* parts, double dt, double share)
{
  double largest = 0;
  for (int b = 0; b < m->body_count; b++) {
    double left = largest_of_body(m, b, F), limit = share * size[m->first[b]];
    if (left <= limit || left < DBL_MIN) continue;
    if (p) limit = pc_larger(limit, PC_ROUND_OFF * largest_of_body(m, b, p));
    if (parts) limit = pc_larger(limit, PC_ROUND_OFF_OF_FORCES * dt * largest_of_body(m, b, parts));
    largest = pc_larger(largest, pc_excess(left, limit));
  }
  return largest;
}

/* sum_k |w_k u_k| */
static double speed_of(pc_row row, const double* u)
{
  const double* w = row.w;
  double sum = 0;
  for (int b = 0; b < row.block_count; b++)
    for (int i = 0; i < row.block[b].width; i++, w++) sum += fabs(*w * u[row.block[b].first + i]);
  return sum;
}

/* The round-off of a row's velocity: that of the velocities which the terms of its bodies'
 * equations would make. At rest these cancel, and it may be all there is of a position, too. */
static double noise_of(const pc_variational* v, pc_row row, const double* size)
{
  const double* w = row.w;
  double sum = 0;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      sum += fabs(*w * size[i]) * v->limits.measure.inverse[i];
  return PC_ROUND_OFF * sum;
}

/* The largest of impulses of forces and of a percussion, whose row begins with w here, in the
 * equations of a body; 0 for a run of velocities of more than one. */
static double largest_impulse(const pc_measure* m, pc_block run, const double* w,
                              const double* impulse, double P)
{
  double largest = 0;
  if (m->body_of[run.first] != m->body_of[run.first + run.width - 1]) return 0;
  for (int i = run.first; i < run.first + run.width; i++) {
    double force = fabs(impulse[i]), own = fabs(*w++ * P);
    double term = (force > own ? force : own) * m->inverse[i];
    if (term > largest) largest = term;
  }
  return largest;
}

/* No more than noise_of: what impulses of forces and the row's own percussion alone make of it. */
static double least_noise(const pc_variational* v, pc_row row, const double* impulse, double P)
{
  const pc_measure* m = &v->limits.measure;
  const double* w = row.w;
  double sum = 0;
  for (int b = 0; b < row.block_count; b++) {
    double largest = largest_impulse(m, row.block[b], w, impulse, P);
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      sum += fabs(*w * largest) * m->inverse[i];
  }
  return PC_ROUND_OFF * sum;
}

/* A new iterate is looked at: its sizes are not known yet. */
static void forget_sizes(pc_variational* v)
{
  v->limits.has_sizes = 0;
  v->limits.reach = -1;
}

/* pc_variational_reach, once for an iterate: many rows ask for it. */
static double reach(pc_variational* v)
{
  if (v->limits.reach < 0) v->limits.reach = pc_variational_reach(v);
  return v->limits.reach;
}

/* A percussion that is to be zero is measured as what it would leave of its bodies' equations. One
 * that moves no coordinate in a step is what round-off of positions makes. */
static double percussion_excess(pc_variational* v, pc_row row, double P, const double* size,
                                double share)
{
  const double *w = row.w, *inverse = v->limits.measure.inverse;
  double largest = 0, still = PC_ROUND_OFF * reach(v) / v->step.dt;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++) {
      double left = fabs(*w * P) * inverse[i];
      if (left * inverse[i] > still) largest = pc_larger(largest, pc_excess(left, share * size[i]));
    }
  return largest;
}

/* The changes of momentum in equation j of stage 1. Those of the last equation of momentum form,
 * the sum of which is to vanish, are as large as those of the one before. */
static const double* inertial_of(const pc_variational* v, int j)
{
  return v->limits.inertial + (j < v->m ? j : v->m - 1) * v->n_u;
}

/* The sizes of the equations of stage 1, of all of them, once for an iterate. */
static const double* position_sizes(pc_variational* v)
{
  if (v->limits.has_sizes) return v->limits.size;
  v->limits.has_sizes = 1;
  for (int j = 0; j < v->n; j++) {
    double* size = v->limits.size + j * v->n_u;
    note_terms(v->n_u, inertial_of(v, j), v->terms[j]->h, v->tableau->b[j] * v->step.dt, size);
    if (j < v->m) note_rows(v, pc_variational_stage_rows(v, j), v->positions.P + j * v->rows, size);
    join_sizes(&v->limits.measure, size);
  }
  return v->limits.size;
}

/* sum |dh/dq| |q| + |dh/du| |u| of stage j, where the forces change with the iterate; else NULL. */
static const double* force_parts(pc_variational* v, int j)
{
  double* parts = v->limits.parts;
  if (j == v->m || !v->limits.measure.has_forces) return NULL;
  pc_zero(v->n_u, parts);
  pc_terms_evaluate_slopes(v->terms[j]);
  pc_terms_add_h_magnitude(v->terms[j], v->motion->Q + j * v->n_q, v->motion->V + j * v->n_u,
                           parts);
  return parts;
}

double pc_position_excess(void* user, const double* F, double share)
{
  pc_variational* v = user;
  double largest = 0;
  forget_sizes(v);
  for (int j = 0; j < v->n; j++) {
    const double *own = F + j * v->n_u, *p = v->form.momentum ? v->start.p : NULL;
    double f = v->tableau->b[j] * v->step.dt;
    if (!bodies_hold(v, inertial_of(v, j), v->terms[j]->h, f, own, share))
      largest =
          pc_larger(largest, excess_of_bodies(&v->limits.measure, position_sizes(v) + j * v->n_u,
                                              own, p, force_parts(v, j), f, share));
  }
  return largest;
}

double pc_position_row_excess(void* user, int law, double left, double share)
{
  pc_variational* v = user;
  int j = law / v->rows, r = law % v->rows;
  if (pc_variational_is_position(v, r)) left /= v->step.dt;
  left = fabs(left);
  pc_row row = pc_terms_row(v->terms[j + 1], r);
  double speed = share * speed_of(row, v->motion->V + (j + 1) * v->n_u);
  if (left <= speed || left * v->step.dt <= PC_ROUND_OFF * reach(v)) return 0;
  return pc_excess(left, pc_larger(speed, noise_of(v, row, position_sizes(v) + j * v->n_u)));
}

double pc_position_percussion_excess(void* user, int law, double P, double share)
{
  pc_variational* v = user;
  int j = law / v->rows, r = law % v->rows;
  return percussion_excess(v, pc_terms_row(pc_variational_stage_rows(v, j), r), P,
                           position_sizes(v) + j * v->n_u, share);
}

/* The sizes of the equations of stage 2, once for an iterate. */
static const double* velocity_sizes(pc_variational* v)
{
  if (v->limits.has_sizes) return v->limits.size;
  v->limits.has_sizes = 1;
  note_terms(v->n_u, v->limits.inertial, v->velocities.known, 1, v->limits.size);
  note_rows(v, v->terms[v->m], v->velocities.P, v->limits.size);
  join_sizes(&v->limits.measure, v->limits.size);
  return v->limits.size;
}

/* The jump is a difference of velocities, which have the round-off of momenta. */
double pc_velocity_excess(void* user, const double* F, double share)
{
  pc_variational* v = user;
  const pc_measure* m = &v->limits.measure;
  forget_sizes(v);
  if (bodies_hold(v, v->limits.inertial, v->velocities.known, 1, F, share)) return 0;
  for (int i = 0; i < v->n_u; i++) v->limits.parts[i] = m->inertia[i] * v->velocities.u_1[i];
  return excess_of_bodies(m, velocity_sizes(v), F, v->limits.parts, NULL, 0, share);
}

double pc_velocity_row_excess(void* user, int r, double left, double share)
{
  pc_variational* v = user;
  pc_row row = pc_terms_row(v->terms[v->m], r);
  double speed = share * (speed_of(row, v->velocities.u) + fabs(v->laws.e[r] * v->laws.before[r]));
  left = fabs(left);
  if (left <= speed || left <= least_noise(v, row, v->velocities.known, v->velocities.P[r]))
    return 0;
  return pc_excess(left, pc_larger(speed, noise_of(v, row, velocity_sizes(v))));
}

double pc_velocity_percussion_excess(void* user, int r, double P, double share)
{
  pc_variational* v = user;
  return percussion_excess(v, pc_terms_row(v->terms[v->m], r), P, velocity_sizes(v), share);
}
