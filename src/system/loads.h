/* What elements do to parts at a state, for outputs: the generalised forces of force elements and
 * the directions W' of the rows of joints. A row's share in the force on a velocity is its entry
 * there times the row's force, lambda, or its percussion over the step.
 *
 * Evaluated on top of a step, where some output asks for it (pc_output_def.loads). */
#ifndef PC_SYSTEM_LOADS_H
#define PC_SYSTEM_LOADS_H

#include "base/export.h"
#include "system/system.h"

typedef struct pc_loads pc_loads;

pc_status pc_loads_create(const pc_system* system, pc_loads** loads, pc_error* error);
void pc_loads_destroy(pc_loads* loads); /* NULL is fine */

/* Whether some output of the system asks for them. */
int pc_system_has_load_outputs(const pc_system* system);

/* From now on they are those at this state, whose vectors stay where they are, and at half a step
 * of length dt before it, q - dt/2 q'(t, q, u): there a percussion over the step, divided by dt,
 * is a force to second order. A function of the state alone: a resumed run has the same. */
void pc_loads_evaluate(pc_loads* loads, double t, double dt, const double* q, const double* u);

/* The entry of a row of W' at velocity i, half a step before the state or at it; a coordinate half
 * a step before; the force of an element on a velocity at the state [N, N m]. */
PC_SIBLING_API double pc_loads_mean_row(const pc_loads* loads, int row, int i);
PC_SIBLING_API double pc_loads_row(const pc_loads* loads, int row, int i);
PC_SIBLING_API double pc_loads_mean_q(const pc_loads* loads, int i);
PC_SIBLING_API double pc_loads_force(pc_loads* loads, int element, int i);

#endif
