/* What may be left of the equations of the two problems, by their own terms.
 *
 * A tolerance in N s says little to a body with an inertia of 4e-7 kg m^2: 1e-10 N m s turn it by
 * 2e-4 rad/s. So an equation of momentum is measured by the momenta and impulses in it. The
 * equations of a body have one measure in common, as one of them may have no terms but round-off;
 * momenta [N s] and angular momenta [N m s] are made comparable by the roots of their inertias, as
 * the energy does it. A position is measured by the path of the step along its row, a velocity by
 * the velocities in it; of the velocities of stages, which are there to make positions, those that
 * move no coordinate in a step are none. */
#include <math.h>

#include "base/larger.h"
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

/* The largest term of each equation: momentum, impulse of forces, percussions of the rows of
 * `terms`. A term that is not finite shows in the residual, which is known to be. */
static void note_terms(const pc_variational* v, const double* velocity, const double* impulse,
                       double factor, double* size)
{
  const double* inertia = v->limits.measure.inertia;
  for (int i = 0; i < v->n_u; i++) {
    double momentum = inertia[i] * fabs(velocity[i]), term = fabs(factor * impulse[i]);
    size[i] = momentum > term ? momentum : term;
  }
}

static void note_rows(const pc_variational* v, const pc_terms* terms, const double* P, double* size)
{
  for (int r = 0; r < v->rows; r++)
    if (P[r] != 0) note_impulse(pc_terms_row(terms, r), P[r], size);
}

/* The largest of what is left of a body's equations in units of what may be, where that is
 * exceeded; else 0. Their sizes become that of the largest over the root of its inertia. */
static double body_excess(const pc_measure* m, int body, double* size, const double* F,
                          const double* noise, double share)
{
  double largest = 0, left = 0;
  for (int i = m->first[body]; i < m->first[body + 1]; i++) {
    double term = size[i] * m->inverse[i], residual = fabs(F[i]);
    if (term > largest) largest = term;
    if (noise && residual <= noise[i]) continue;
    left = pc_larger(left, residual * m->inverse[i]);
  }
  for (int i = m->first[body]; i < m->first[body + 1]; i++) size[i] = largest;
  return pc_excess(left, share * largest);
}

static double excess_of_bodies(const pc_variational* v, int blocks, const double* F,
                               const double* noise, double share)
{
  double largest = 0;
  for (int j = 0; j < blocks; j++)
    for (int b = 0; b < v->limits.measure.body_count; b++)
      largest = pc_larger(largest, body_excess(&v->limits.measure, b, v->limits.size + j * v->n_u,
                                               F + j * v->n_u, noise, share));
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

/* The round-off of a row's velocity: that of the velocities which the terms of momentum would make.
 * At rest these cancel, and it may be all there is of a position, too. */
static double noise_of(const pc_variational* v, pc_row row, const double* size)
{
  const double* w = row.w;
  double sum = 0;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      sum += fabs(*w * size[i]) * v->limits.measure.inverse[i];
  return PC_ROUND_OFF * sum;
}

/* A percussion that is to be zero is measured as what it would leave of its bodies' equations. One
 * that moves no coordinate in a step is what round-off of positions makes. */
static double percussion_excess(const pc_variational* v, pc_row row, double P, const double* size,
                                double share)
{
  const double *w = row.w, *inverse = v->limits.measure.inverse;
  double largest = 0, still = PC_ROUND_OFF * v->limits.reach / v->step.dt;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++) {
      double left = fabs(*w * P) * inverse[i];
      if (left * inverse[i] > still) largest = pc_larger(largest, pc_excess(left, share * size[i]));
    }
  return largest;
}

double pc_position_excess(void* user, const double* P, const double* F, double share)
{
  pc_variational* v = user;
  for (int j = 0; j < v->n; j++) {
    double* size = v->limits.size + j * v->n_u;
    note_terms(v, v->motion->V + j * v->n_u, v->terms[j]->h, v->tableau->b[j] * v->step.dt, size);
    if (j < v->m) note_rows(v, pc_variational_stage_rows(v, j), P + j * v->rows, size);
  }
  return excess_of_bodies(v, v->n, F, NULL, share);
}

double pc_position_row_excess(void* user, int law, double left, double share)
{
  pc_variational* v = user;
  int j = law / v->rows, r = law % v->rows;
  double still = PC_ROUND_OFF * v->limits.reach;
  if (pc_variational_is_position(v, r)) left /= v->step.dt;
  left = fabs(left);
  if (left * v->step.dt <= still) return 0;
  pc_row row = pc_terms_row(v->terms[j + 1], r);
  double speed = share * speed_of(row, v->motion->V + (j + 1) * v->n_u);
  return left <= speed
             ? 0
             : pc_excess(left, pc_larger(speed, noise_of(v, row, v->limits.size + j * v->n_u)));
}

double pc_position_percussion_excess(void* user, int law, double P, double share)
{
  const pc_variational* v = user;
  int j = law / v->rows, r = law % v->rows;
  return percussion_excess(v, pc_terms_row(pc_variational_stage_rows(v, j), r), P,
                           v->limits.size + j * v->n_u, share);
}

double pc_velocity_excess(void* user, const double* P, const double* F, double share)
{
  pc_variational* v = user;
  note_terms(v, v->velocities.u, v->velocities.known, 1, v->limits.size);
  note_rows(v, v->terms[v->m], P, v->limits.size);
  return excess_of_bodies(v, 1, F, v->limits.has_noise ? v->limits.noise : NULL, share);
}

double pc_velocity_row_excess(void* user, int r, double left, double share)
{
  pc_variational* v = user;
  pc_row row = pc_terms_row(v->terms[v->m], r);
  double speed = share * (speed_of(row, v->velocities.u) + fabs(v->laws.e[r] * v->laws.before[r]));
  left = fabs(left);
  return left <= speed ? 0 : pc_excess(left, pc_larger(speed, noise_of(v, row, v->limits.size)));
}

double pc_velocity_percussion_excess(void* user, int r, double P, double share)
{
  const pc_variational* v = user;
  return percussion_excess(v, pc_terms_row(v->terms[v->m], r), P, v->limits.size, share);
}
