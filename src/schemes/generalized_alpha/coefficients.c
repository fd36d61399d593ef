#include "schemes/generalized_alpha/coefficients.h"

#include <math.h>

#include "base/status.h"

/* (61): second order, and rho is what a step leaves of infinitely fast vibrations. */
static pc_alpha_coefficients chung_hulbert(double rho)
{
  pc_alpha_coefficients c = {.alpha_m = (2 * rho - 1) / (rho + 1), .alpha_f = rho / (rho + 1)};
  c.gamma = 0.5 + c.alpha_f - c.alpha_m;
  c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
  return c;
}

/* In the terms of (60) the method averages forces, not inertia: alpha_m = 0. */
static pc_alpha_coefficients hilber_hughes_taylor(double alpha)
{
  return (pc_alpha_coefficients){
      .alpha_f = alpha, .gamma = 0.5 + alpha, .beta = 0.25 * (1 + alpha) * (1 + alpha)};
}

pc_status pc_alpha_choose_coefficients(const pc_scheme_settings* settings, pc_alpha_coefficients* c,
                                       pc_error* error)
{
  int newmark = !isnan(settings->alpha.newmark[0]), hht = !isnan(settings->alpha.hht);
  if (newmark && hht)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "newmark and hht are two choices of the same coefficients; give one of them");
  if (newmark)
    *c = (pc_alpha_coefficients){.beta = settings->alpha.newmark[0],
                                 .gamma = settings->alpha.newmark[1]};
  else
    *c = hht ? hilber_hughes_taylor(settings->alpha.hht) : chung_hulbert(settings->alpha.rho);
  if (!(c->beta > 0) || !(c->gamma > 0))
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "newmark is %g,%g; beta and gamma must be positive, since a step is implicit in "
                   "positions and velocities",
                   c->beta, c->gamma);
  c->s = (1 - c->alpha_f) / (1 - c->alpha_m);
  return PC_OK;
}
