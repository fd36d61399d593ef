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

/* The force of an element on a velocity [N, N m]: of a joint, sum of W' times what its rows carry
 * (percussions or forces of all rows of the system), with W half a step before the state or at it;
 * of a force element, h at the state. */
PC_SIBLING_API double pc_loads_of_joint_mean(const pc_loads* loads, int element, int i,
                                             const double* carried);
PC_SIBLING_API double pc_loads_of_joint(const pc_loads* loads, int element, int i,
                                        const double* carried);
PC_SIBLING_API double pc_loads_of_force(pc_loads* loads, int element, int i);

/* A coordinate half a step before the state. */
PC_SIBLING_API double pc_loads_mean_q(const pc_loads* loads, int i);

#endif
