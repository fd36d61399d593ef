/* Residuals of the implicit problem relative to the terms of each equation. */
#include <float.h>
#include <math.h>

#include "base/larger.h"
#include "implicit/inside.h"

static int rows_hold(const pc_implicit_step* s, int row, int count)
{
  for (int i = row; i < row + count; i++)
    if (!(fabs(s->y[i]) <= s->y_limit[i])) return 0;
  return 1;
}

/* P_F + mu P_N t is measured by mu P_N. */
static int slip_holds(const pc_implicit_step* s, const pc_cone* cone, int k, const double* P,
                      double share)
{
  double reach = cone->mu * P[cone->row];
  for (int i = 0; i < cone->dimension; i++)
    if (!(fabs(P[cone->row + 1 + i] + reach * s->slip[3 * k + i]) <= share * reach)) return 0;
  return 1;
}

/* What can have no percussion is to have none. */
static int is_zero(int count, const double* P)
{
  for (int i = 0; i < count; i++)
    if (P[i] != 0) return 0;
  return 1;
}

static int law_holds(const pc_implicit_step* s, int k, const double* P, double share)
{
  const pc_cone* cone = &s->problem->cone[k];
  int row = cone->row, friction = cone->dimension;
  if (s->law[k] == PC_CONTACT_OPEN) return is_zero(1 + friction, P + row);
  if (!rows_hold(s, row, 1)) return 0;
  if (s->law[k] == PC_CONTACT_STICK) return rows_hold(s, row + 1, friction);
  if (s->law[k] == PC_CONTACT_SLIP) return slip_holds(s, cone, k, P, share);
  return is_zero(friction, P + row + 1);
}

int pc_implicit_holds_relatively(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  double share = pc_larger(s->settings.share, 16 * DBL_EPSILON);
  p->limits(p->user, P, share, s->F_limit, s->y_limit);
  for (int i = 0; i < p->x_count; i++) {
    double size = fabs(s->F[i]);
    if (!(size <= s->F_limit[i]) && !(p->F_noise && size <= p->F_noise[i])) return 0;
  }
  for (int i = 0; i < p->bilateral_count; i++)
    if (!rows_hold(s, p->bilateral[i], 1)) return 0;
  for (int k = 0; k < p->contact_count; k++)
    if (!law_holds(s, k, P, share)) return 0;
  return 1;
}
