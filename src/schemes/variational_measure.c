/* What the equations of the two problems are measured by.
 *
 * A tolerance in N s says little to a body with an inertia of 4e-7 kg m^2: 1e-10 N m s are 2e-4 rad/s. So an
 * equation of momentum is measured by its own terms: the momenta and impulses in it, the largest of all
 * velocities of a body, as energies: what is a momentum [N s] or an angular one [N m s] is divided by the root of its
 * inertia. A gap is measured by the path of the step along its row, a velocity by the velocities. */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "schemes/variational.h"

/* Adds |w P| of a row to the sizes of equations. */
static void note_impulse(pc_row row, double P, double* size)
{
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++)
    for (int i = 0; i < row.block[b].width; i++, w++) {
      double* there = &size[row.block[b].first + i];
      *there = pc_larger(*there, fabs(*w * P));
    }
}

static void note_sizes(int n, const double* x, double factor, double* size)
{
  for (int i = 0; i < n; i++) size[i] = pc_larger(size[i], fabs(factor * x[i]));
}

/* The velocities of a body have one size in common; that of round-off has the whole system. */
static void share_sizes(const pc_variational* v, int blocks, double* size)
{
  const double round_off = 1e-5; /* of the whole system: a millionth of a millionth, in energies */
  double whole = 0;
  for (int i = 0; i < blocks * v->n_u; i++)
    whole = pc_larger(whole, size[i] / v->root_inertia[i % v->n_u]);
  (void)round_off;
  for (int j = 0; j < blocks; j++)
    for (int b = 0; b < v->body_count; b++) {
      double largest = 0;
      int first = v->body_first[b], end = v->body_first[b + 1];
      for (int i = first; i < end; i++)
        largest = pc_larger(largest, size[j * v->n_u + i] / v->root_inertia[i]);
      for (int i = first; i < end; i++) size[j * v->n_u + i] = largest * v->root_inertia[i];
    }
}
