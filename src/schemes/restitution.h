/* From which approach speed on contacts rebound. */
#ifndef PC_SCHEMES_RESTITUTION_H
#define PC_SCHEMES_RESTITUTION_H

#include "percuss/system.h"

/* Takes the velocities y'(-) of contacts that approach at no more than `above` [m/s] out of `before` (all
 * rows), so that e y'(-) vanishes: they close without a rebound. Nothing is done for 0, as the law has it. */
static inline void pc_restitution_above(const pc_system* system, double above, double* before)
{
  for (int k = 0; above > 0 && k < pc_system_contact_count(system); k++) {
    pc_contact_info c = pc_system_contact(system, k);
    if (before[c.row] < -above) continue;
    for (int d = 0; d <= c.dimension; d++) before[c.row + d] = 0;
  }
}

#endif
