/* The natural map of one contact, z - proj(z - m y), in the maximum norm. */
#ifndef PC_SOLVE_NATURAL_MAP_H
#define PC_SOLVE_NATURAL_MAP_H

#include <math.h>

#include "base/larger.h"
#include "solve/contact_mode.h"

static inline double pc_euclidean_norm(int n, const double* x)
{
  if (n == 1) return fabs(x[0]);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* z and y are the 1 + d entries of the contact, the normal first. */
static inline double pc_natural_map_of(int d, double mu, double mass, const double* z,
                                       const double* y)
{
  double z_N = z[0], free_N = z_N - mass * y[0];
  double norm = fabs(z_N - (free_N <= 0 ? 0 : free_N));
  if (d == 0) return norm;

  double p[PC_CONE_ROWS_MAX - 1];
  for (int i = 0; i < d; i++) p[i] = z[1 + i] - mass * y[1 + i];
  double radius = z_N > 0 ? mu * z_N : 0, length = pc_euclidean_norm(d, p);
  double shrink = length > radius ? radius / length : 1;
  for (int i = 0; i < d; i++) norm = pc_larger(norm, fabs(z[1 + i] - shrink * p[i]));
  return norm;
}

#endif
