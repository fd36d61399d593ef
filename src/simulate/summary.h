/* What a run amounts to: largest violations, energies, iterations, events. */
#ifndef PC_SIMULATE_SUMMARY_H
#define PC_SIMULATE_SUMMARY_H

#include "percuss/simulate.h"

typedef struct pc_tally {
  pc_summary sum;
  double energy;                    /* at the last observation */
  double iterations[PC_STAGES_MAX]; /* in all */
} pc_tally;

/* The initial state. */
void pc_tally_begin(pc_tally* tally, const pc_observation* seen);

/* One more step; `P_before` are the percussions of the step before it. */
void pc_tally_add(pc_tally* tally, const pc_observation* seen, const double* P_before);

pc_summary pc_tally_summary(const pc_tally* tally, const pc_observation* seen);

#endif
