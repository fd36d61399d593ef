#ifndef PC_STEPS_STEP_END_H
#define PC_STEPS_STEP_END_H

#include <math.h>

#include "percuss/scheme.h"

/* Where a step ends. Simulate puts the state on the grid, t_k = k dt, so that no error adds up;
 * what is evaluated at the end of a step is then evaluated at exactly that time. A substep ends at
 * t + dt. */
static inline double pc_step_end(const pc_state* state, double dt)
{
  double end = state->t + dt, grid = (double)(state->step + 1) * dt;
  return fabs(grid - end) <= 1e-6 * dt ? grid : end;
}

#endif
