/* What a step costs: processor time, the best of several runs. */
#ifndef PC_STUDY_COST_H
#define PC_STUDY_COST_H

#include "study/batch.h"

/* Processor time of a step of each job [s], the best of the run that was made and of up to
 * `repeats` - 1 more, which keep no states. A job whose runs have taken `seconds` is not repeated
 * again. The jobs take turns, so that a busy minute of the machine meets all of them. NAN where a
 * job has failed. No run is repeated once the monitor (or NULL) asks for the end. */
void measure_costs(const job* jobs, int count, int repeats, double seconds,
                   const batch_monitor* monitor, double* per_step);

#endif
