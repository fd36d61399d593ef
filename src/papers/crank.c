#include "papers/crank.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Table 1 of Flores */
static const double l1 = 0.153, l2 = 0.306, clearance = 0.001; /* [m] */

double crank_revolutions(const double* th1)
{
  return th1[0] / (2 * pi);
}

double slider_x(const double* th)
{
  return l1 * cos(th[0]) + l2 * cos(th[1]);
}

double slider_y(const double* th)
{
  return l1 * sin(th[0]) + l2 * sin(th[1]);
}

double upper_corner(const double* gap)
{
  return 1 - gap[0] / clearance;
}

double lower_corner(const double* gap)
{
  return gap[0] / clearance - 1;
}
