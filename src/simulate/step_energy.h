/* The smallest energy that a step resolves. */
#ifndef PC_SIMULATE_STEP_ENERGY_H
#define PC_SIMULATE_STEP_ENERGY_H

#include "percuss/system.h"

/* What the forces give to the system, at rest at its initial place, in one step of length dt [J]:
 *
 *     dt h' v / 2   with   (M - dt h_u - dt^2 h_q B) v = dt h + W_b P_b,   W_b' v = 0
 *
 * where W_b has the joints and the contacts that the forces press together. Stiff springs,
 * controlled drives and dampers give no more than they do in an implicit step, however long it is,
 * joints let a force move what hangs on them as a whole, and a preload moves nothing. 0 where this
 * cannot be computed. */
pc_status pc_find_step_energy(const pc_system* system, double dt, double* energy, pc_error* error);

/* The kinetic energy at the start that laws of time prescribe, of drives that turn a wheel at a
 * given speed [J]: the least one with W_b' v + chi = 0. The motion that is free has the rest, by
 * orthogonality in M, and cannot draw on it. 0 where this cannot be computed. */
pc_status pc_find_driven_energy(const pc_system* system, double* energy, pc_error* error);

#endif
