#include "simulate/summary.h"

#include <math.h>

static void raise_to(double* largest, double value)
{
  if (value > *largest) *largest = value;
}

/* Violations of constraints and contacts at the state. */
static void add_violations(pc_summary* sum, const pc_observation* seen)
{
  const pc_system* system = seen->system;
  int g = pc_system_g_count(system), gamma = pc_system_gamma_count(system);
  for (int r = 0; r < g; r++) raise_to(&sum->constraint_position_max, fabs(seen->y[r]));
  for (int r = 0; r < g + gamma; r++) raise_to(&sum->constraint_velocity_max, fabs(seen->y_dot[r]));
  for (int k = 0; k < pc_system_contact_count(system); k++)
    raise_to(&sum->penetration_max, -seen->y[pc_system_contact(system, k).row]);
}

static void add_events(pc_summary* sum, const pc_observation* seen, const double* P_before)
{
  for (int k = 0; k < pc_system_contact_count(seen->system); k++) {
    int row = pc_system_contact(seen->system, k).row;
    int was = P_before[row] > 0, is = seen->state->P[row] > 0;
    sum->events_closed += is && !was;
    sum->events_opened += was && !is;
  }
}

void pc_tally_begin(pc_tally* tally, const pc_observation* seen)
{
  *tally = (pc_tally){0};
  tally->energy = tally->sum.energy_initial = seen->kinetic + seen->potential;
  tally->sum.stage_count = seen->info->stage_count;
  tally->sum.stage = seen->info->stage;
  add_violations(&tally->sum, seen);
}

void pc_tally_add(pc_tally* tally, const pc_observation* seen, const double* P_before)
{
  pc_summary* sum = &tally->sum;
  const pc_step_info* info = seen->info;
  sum->steps++;
  add_violations(sum, seen);
  add_events(sum, seen, P_before);
  raise_to(&sum->impact_residual_max, info->impact_residual);
  raise_to(&sum->friction_residual_max, info->friction_residual);
  raise_to(&sum->residual_max, info->residual);
  raise_to(&sum->solver_residual_max, info->solver_residual);
  double energy = seen->kinetic + seen->potential;
  raise_to(&sum->energy_max_increase, energy - tally->energy);
  tally->energy = energy;
  if (info->active_contacts > sum->contacts_active_max)
    sum->contacts_active_max = info->active_contacts;
  for (int i = 0; i < info->stage_count; i++) {
    tally->iterations[i] += info->iterations[i];
    if (info->iterations[i] > sum->iterations_max[i]) sum->iterations_max[i] = info->iterations[i];
  }
}

pc_summary pc_tally_summary(const pc_tally* tally, const pc_observation* seen)
{
  pc_summary sum = tally->sum;
  sum.time = seen->state->t;
  sum.energy_final = tally->energy;
  for (int i = 0; i < sum.stage_count; i++)
    sum.iterations_avg[i] = sum.steps ? tally->iterations[i] / (double)sum.steps : 0;
  return sum;
}
