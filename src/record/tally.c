#include "record/tally.h"

#include "base/larger.h"

static void raise_to(double* largest, double value)
{
  *largest = pc_larger(*largest, value);
}

void pc_tally_add(pc_tally* tally, const pc_observation* seen)
{
  double* v = tally->value;
  const pc_step_info* info = seen->info;
  v[PC_TALLY_WORK] += seen->balance.work;
  v[PC_TALLY_IMPACT] += seen->balance.impact;
  v[PC_TALLY_FRICTION] += seen->balance.friction;
  v[PC_TALLY_SCHEME] += seen->balance.scheme;
  raise_to(&v[PC_TALLY_STEP_RESIDUAL], info->residual);
  raise_to(&v[PC_TALLY_SOLVER_RESIDUAL], info->solver_residual);
  raise_to(&v[PC_TALLY_IMPACT_RESIDUAL], info->impact_residual);
  raise_to(&v[PC_TALLY_FRICTION_RESIDUAL], info->friction_residual);
  raise_to(&v[PC_TALLY_INACCURATE], info->inaccurate ? 1 : 0);
  raise_to(&v[PC_TALLY_SUBSTEPS], info->substeps);
}
