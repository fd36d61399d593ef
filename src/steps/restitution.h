/* From which approach speed on contacts rebound. */
#ifndef PC_STEPS_RESTITUTION_H
#define PC_STEPS_RESTITUTION_H

#include "base/larger.h"
#include "percuss/system.h"
#include "system/found.h"

/* Whether there is such a speed, in the settings or the law of a contact; else there is nothing to
 * do. */
static inline int pc_has_restitution_above(const pc_system* system, double above)
{
  return above != 0 || (pc_system_laws(system) & PC_LAW_ABOVE);
}

/* Takes the velocities y'(-) of contacts that approach at no more than `above` [m/s], or than their
 * own law says, out of `before` (all rows), so that e y'(-) vanishes: they close without a rebound.
 * Nothing is done where both are 0, as Newton's law has it. */
static inline void pc_restitution_above(const pc_system* system, double above, double* before)
{
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    pc_contact_info c = pc_system_contact(system, k);
    double least = pc_larger(above, c.e_above);
    if (least == 0 || before[c.row] < -least) continue;
    for (int d = 0; d <= c.dimension; d++) before[c.row + d] = 0;
  }
}

#endif
