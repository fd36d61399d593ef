/* Coordinates that hold quantities, for whoever sets them. */
#ifndef PC_SYSTEM_HELD_H
#define PC_SYSTEM_HELD_H

#include "system/system.h"

/* Whether any of them depends on impulses. */
int pc_system_holds_impulses(const pc_system* system);

/* Whether number `held` takes its value at t, the end of a step of length dt or the start. */
int pc_held_is_due(const pc_system* system, int held, double t, double dt);

#endif
