/* Outputs of a simulation. The turns of periodic ones belong to the state: they are counted on at
 * the end of each step, and a run that is resumed goes on counting. */
#include <math.h>

#include "simulate/sim.h"

void pc_sim_compute_outputs(pc_sim* s, int follow)
{
  const pc_state* state = &s->state;
  const pc_output_at at = {.t = state->t,
                           .dt = s->settings.dt,
                           .q = state->q,
                           .u = state->u,
                           .y = s->y,
                           .y_dot = s->y_dot,
                           .P = state->P};
  for (int i = 0; i < pc_system_output_count(s->system); i++) {
    double value = pc_system_output(s->system, i, &at);
    double period = pc_system_output_period(s->system, i);
    if (period > 0 && follow) s->turns[i] = round((s->output[i] - value) / period);
    s->output[i] = period > 0 ? value + s->turns[i] * period : value;
  }
}
