/* The round-off of a system's forces.
 *
 * In stiff systems, where forces come from differences of large positions, it is far above the last
 * digit of the forces themselves: a residual can stop there, and no iteration makes it smaller. */
#ifndef PC_STEPS_ROUND_OFF_H
#define PC_STEPS_ROUND_OFF_H

#include "system/terms.h"

/* h_off (n_u): how far each h can be off where (q, u) are known to their last digits [N], by one drawing
 * of lots (0, 1, 2, ...). One of them alone can be far too low where a system has few coordinates. `terms`
 * have h_q and h_u there; `scratch` has n_q + n_u numbers besides. */
void pc_forces_round_off(const pc_terms* terms, const double* q, const double* u, unsigned drawing,
                         double* scratch, double* h_off);

#endif
