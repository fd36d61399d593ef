/* A stored result as a reference of convergence. */
#ifndef PC_STUDY_STORED_REFERENCE_H
#define PC_STUDY_STORED_REFERENCE_H

#include "study/batch.h"

/* All states of a result of the same model, with sums of percussions, to be freed by the caller in
 * any case. `all_steps`: whether there is a row for each step; else percussions between the rows
 * are not known. */
pc_status read_stored_states(const pc_result* result, const pc_system* system, states* stored,
                             int* all_steps, pc_error* error);

#endif
