/* Residuals of the implicit problem relative to the terms of each equation. */
#include <float.h>
#include <math.h>

#include "base/larger.h"
#include "implicit/inside.h"

static double rows_excess(const pc_implicit_step* s, int row, int count, double share)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int i = row; i < row + count; i++)
    if (s->y[i] != 0) largest = pc_larger(largest, p->measure.y_excess(p->user, i, s->y[i], share));
  return largest;
}

/* P_F + mu P_N t is measured by mu P_N. */
static double slip_excess(const pc_implicit_step* s, const pc_cone* cone, int k, const double* P,
                          double share)
{
  double reach = cone->mu * P[cone->row], largest = 0;
  for (int i = 0; i < cone->dimension; i++)
    largest = pc_larger(
        largest,
        pc_excess(fabs(P[cone->row + 1 + i] + reach * s->laws.slip[3 * k + i]), share * reach));
  return largest;
}

/* A percussion where there is to be none is measured by the momenta of the bodies that it acts
 * on. */
static double percussion_excess(const pc_implicit_step* s, int row, int count, const double* P,
                                double share)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int i = row; i < row + count; i++)
    if (P[i] != 0) largest = pc_larger(largest, p->measure.P_excess(p->user, i, P[i], share));
  return largest;
}

static double law_excess(const pc_implicit_step* s, int k, const double* P, double share)
{
  const pc_cone* cone = &s->problem->cone[k];
  int row = cone->row, friction = cone->dimension;
  if (s->laws.mode[k] == PC_CONTACT_OPEN) return percussion_excess(s, row, 1 + friction, P, share);
  double normal = rows_excess(s, row, 1, share);
  if (s->laws.mode[k] == PC_CONTACT_STICK)
    return pc_larger(normal, rows_excess(s, row + 1, friction, share));
  if (s->laws.mode[k] == PC_CONTACT_SLIP)
    return pc_larger(normal, slip_excess(s, cone, k, P, share));
  return pc_larger(normal, percussion_excess(s, row + 1, friction, P, share));
}

double pc_implicit_excess(pc_implicit_step* s, const double* P, int whole)
{
  const pc_implicit_problem* p = s->problem;
  double share = pc_larger(s->settings.share, 16 * DBL_EPSILON);
  double largest = p->measure.F_excess(p->user, s->F, share);
  if (!whole && largest > 0) return largest;
  for (int i = 0; i < p->bilateral_count; i++) {
    largest = pc_larger(largest, rows_excess(s, p->bilateral[i], 1, share));
    if (!whole && largest > 0) return largest;
  }
  for (int k = 0; k < p->contact_count; k++) {
    largest = pc_larger(largest, law_excess(s, k, P, share));
    if (!whole && largest > 0) return largest;
  }
  return largest;
}
