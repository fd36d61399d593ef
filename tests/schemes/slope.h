/* The point mass on the slope y = exp(-x) of RATTLE 5.3 and Lobatto 6.3, and its motion while it
 * slides down, from an ordinary differential equation along the curve. */
#ifndef PC_TESTS_SCHEMES_SLOPE_H
#define PC_TESTS_SCHEMES_SLOPE_H

#include "run.h"

static const char slope[] =
    "percuss: 1\n"
    "parameters: {m: pi, g: 10, mu: 0.3, e: 0, y0: 1, speed: 0}\n"
    "coordinates:\n"
    "  x: {value: 0, velocity: speed/sqrt(2)}\n"
    "  y: {value: y0, velocity: -speed/sqrt(2)}\n"
    "kinetic: m/2*(x'^2 + y'^2)\n"
    "potential: m*g*y\n"
    "contacts:\n"
    "  slope:\n"
    "    gap: (y - exp(-x))/sqrt(1 + exp(-2*x))\n"
    "    slip: (x' - exp(-x)*y')/sqrt(1 + exp(-2*x))\n"
    "    friction: mu\n"
    "    restitution: e\n";

/* The four cases of RATTLE; cases 1 and 4 are 1 and 2 of Lobatto, with m = 1. */
static const char* const slope_case[4][3] = {
    {NULL}, {"speed", "1", NULL}, {"speed", "-1", NULL}, {"y0", "1.5", NULL}};

/* x'' of a mass that slides along the curve with x' > 0:
 *     N = (f x'^2 + g)/sqrt(1 + f^2),   (1 + f^2) x'' = f^2 x'^2 + g f - mu (f x'^2 + g),
 *     f = exp(-x)
 * The mass cancels. */
static inline double slide(double x, double v)
{
  const double g = 10, mu = 0.3;
  double f = exp(-x);
  return (f * f * v * v + g * f - mu * (f * v * v + g)) / (1 + f * f);
}

/* One step of the classical Runge-Kutta scheme of order 4. */
static inline void slide_step(double h, double* x, double* v)
{
  double v1 = *v, a1 = slide(*x, v1);
  double v2 = *v + h / 2 * a1, a2 = slide(*x + h / 2 * v1, v2);
  double v3 = *v + h / 2 * a2, a3 = slide(*x + h / 2 * v2, v3);
  double v4 = *v + h * a3, a4 = slide(*x + h * v3, v4);
  *x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

#endif
