/* What the steps between two recorded rows amount to, so that nothing is lost with `every` > 1. */
#ifndef PC_RECORD_TALLY_H
#define PC_RECORD_TALLY_H

#include "percuss/simulate.h"

/* Sums of the energy balance, then the largest of the rest. */
enum {
  PC_TALLY_WORK,
  PC_TALLY_IMPACT,
  PC_TALLY_FRICTION,
  PC_TALLY_SCHEME,
  PC_TALLY_STEP_RESIDUAL,
  PC_TALLY_SOLVER_RESIDUAL,
  PC_TALLY_IMPACT_RESIDUAL,
  PC_TALLY_FRICTION_RESIDUAL,
  PC_TALLY_INACCURATE,
  PC_TALLY_SUBSTEPS,
  PC_TALLY_COUNT
};

typedef struct pc_tally {
  double value[PC_TALLY_COUNT];
} pc_tally;

/* One more step; the initial state adds zeros. */
void pc_tally_add(pc_tally* tally, const pc_observation* seen);

#endif
