/* What may be left of the equations of the two problems, by their own terms.
 *
 * A tolerance in N s says little to a body with an inertia of 4e-7 kg m^2: 1e-10 N m s turn it by 2e-4 rad/s.
 * So an equation of momentum is measured by the momenta and impulses in it. The equations of a body have one
 * measure in common, as one of them may have no terms but round-off; momenta [N s] and angular momenta [N m s] are made
 * comparable by the roots of their inertias, as the energy does it. A position is measured by the path of the step
 * along its row, a velocity by the velocities in it. */
#include <math.h>

#include "base/larger.h"
#include "schemes/variational.h"

static void note_terms(int n, const double* x, double factor, double* size)
{
  for (int i = 0; i < n; i++) size[i] = pc_larger(size[i], fabs(factor * x[i]));
}

static void note_impulse(pc_row row, double P, double* size)
{
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++)
    for (int i = 0; i < row.block[b].width; i++, w++) {
      double* there = &size[row.block[b].first + i];
      *there = pc_larger(*there, fabs(*w * P));
    }
}

/* The momentum M V and the impulses of stage j. */
static void note_stage(pc_variational* v, int j, const double* P, double* size)
{
  const pc_terms* terms = v->terms[j];
  double* p = v->momentum_scratch;
  for (int i = 0; i < v->n_u; i++) p[i] = size[i] = 0;
  pc_terms_add_M_times(terms, v->motion->V + j * v->n_u, p);
  note_terms(v->n_u, p, 1, size);
  note_terms(v->n_u, terms->h, v->tableau->b[j] * v->dt, size);
  for (int r = 0; P && r < v->rows; r++)
    if (P[r] != 0) note_impulse(pc_terms_row(pc_variational_stage_rows(v, j), r), P[r], size);
}

/* Sizes become limits: of all equations of a body together. */
static void limit_bodies(const pc_variational* v, int blocks, double share, double* size)
{
  for (int j = 0; j < blocks; j++)
    for (int b = 0; b < v->measure.body_count; b++) {
      double largest = 0, *own = size + j * v->n_u;
      for (int i = v->measure.first[b]; i < v->measure.first[b + 1]; i++)
        largest = pc_larger(largest, own[i] * v->measure.inverse[i]);
      for (int i = v->measure.first[b]; i < v->measure.first[b + 1]; i++)
        own[i] = share * largest * v->measure.root[i];
    }
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

/* The round-off of a row's velocity: that of the velocities which the terms of momentum would make. At rest these
 * cancel. */
static double noise_of(const pc_variational* v, pc_row row, const double* size)
{
  const double* w = row.w;
  double sum = 0;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++, w++)
      sum += fabs(*w * size[i]) / v->measure.inertia[i];
  return PC_ROUND_OFF * sum;
}

static double largest_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = pc_larger(largest, fabs(x[i]));
  return largest;
}

void pc_position_limits(void* user, const double* P, double share, double* F, double* y)
{
  pc_variational* v = user;
  double far = largest_of(v->s * v->n_q, v->motion->Q);
  for (int j = 0; j < v->n; j++)
    note_stage(v, j, j < v->m ? P + j * v->rows : NULL, F + j * v->n_u);
  for (int l = 0; l < v->m * v->rows; l++) {
    int j = l / v->rows, r = l % v->rows;
    if (pc_variational_is_idle(v, j, r, P + j * v->rows)) continue;
    pc_row row = pc_terms_row(v->terms[j + 1], r);
    double speed = speed_of(row, v->motion->V + (j + 1) * v->n_u);
    y[l] = pc_variational_is_position(v, r)
               ? pc_larger(share * speed * v->dt, PC_ROUND_OFF * far)
               : pc_larger(share * speed, noise_of(v, row, F + j * v->n_u));
  }
  limit_bodies(v, v->n, share, F);
}

void pc_velocity_limits(void* user, const double* P, double share, double* F, double* y)
{
  pc_variational* v = user;
  const pc_terms* end = v->terms[v->m];
  double* p = v->momentum_scratch;
  for (int i = 0; i < v->n_u; i++) p[i] = F[i] = 0;
  pc_terms_add_M_times(end, v->u, p);
  note_terms(v->n_u, p, 1, F);
  note_terms(v->n_u, v->known, 1, F);
  for (int r = 0; r < v->rows; r++)
    if (P[r] != 0) note_impulse(pc_terms_row(end, r), P[r], F);
  for (int r = 0; r < v->rows; r++) {
    if (!pc_variational_may_act(v, r)) continue;
    pc_row row = pc_terms_row(end, r);
    double speed = speed_of(row, v->u) + fabs(v->e[r] * v->before[r]);
    y[r] = pc_larger(share * speed, noise_of(v, row, F));
  }
  limit_bodies(v, 1, share, F);
}
