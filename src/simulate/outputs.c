/* Outputs of a simulation. The turns of periodic ones belong to the state: they are counted on at
 * the end of each step, and a run that is resumed goes on counting. */
#include <math.h>

#include "simulate/sim.h"
#include "system/forces.h"

/* Found contacts are others in each step. */
static pc_status fit_forces(pc_sim* s)
{
  if (s->outputs.forces && !s->finder) return PC_OK;
  pc_forces_destroy(s->outputs.forces);
  return pc_forces_create(s->step_system, &s->settings, &s->outputs.forces, NULL);
}

/* Without memory the outputs are no numbers; the motion does not depend on them. */
static void compute_forces(pc_sim* s)
{
  if (fit_forces(s) != PC_OK) return;
  pc_state state = pc_sim_scheme_state(s);
  pc_forces_compute(s->outputs.forces, s->ops, s->scheme, &state, s->settings.dt);
}

void pc_sim_compute_outputs(pc_sim* s, int follow)
{
  const pc_state* state = &s->state;
  int count = pc_system_output_count(s->system);
  if (count == 0) return;
  pc_output_at at = {.t = state->t,
                     .dt = s->settings.dt,
                     .q = state->q,
                     .u = state->u,
                     .y = s->rows.y,
                     .y_dot = s->rows.y_dot,
                     .P = state->P,
                     .loads = s->outputs.loads};
  if (at.loads) pc_loads_evaluate(at.loads, at.t, at.dt, at.q, at.u);
  if (s->outputs.read_forces) compute_forces(s);
  pc_forces_show(s->outputs.forces, &at);
  for (int i = 0; i < count; i++) {
    double value = pc_system_output(s->system, i, &at);
    double period = pc_system_output_period(s->system, i);
    if (period > 0 && follow) s->outputs.turns[i] = round((s->outputs.value[i] - value) / period);
    s->outputs.value[i] = period > 0 ? value + s->outputs.turns[i] * period : value;
  }
}
