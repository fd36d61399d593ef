/* Accelerations and forces at the state of a simulation, for outputs that read them. */
#ifndef PC_SIMULATE_FORCES_H
#define PC_SIMULATE_FORCES_H

#include "schemes/scheme.h"

typedef struct pc_forces pc_forces;

/* For a system whose found contacts, if any, stay as they are. */
pc_status pc_forces_create(const pc_system* system, const pc_scheme_settings* settings,
                           pc_forces** forces, pc_error* error);
void pc_forces_destroy(pc_forces* forces); /* NULL is fine */

/* Those that the scheme has as unknowns, or else those that belong to the state that a step of
 * length dt has led to: see pc_consistent_start_solve_after. What cannot be determined is NAN. */
void pc_forces_compute(pc_forces* forces, const pc_scheme_ops* ops, void* scheme,
                       const pc_state* state, double dt);

/* Fills a, y_ddot and lambda; without `forces` (NULL) they are NULL. */
void pc_forces_show(const pc_forces* forces, pc_output_at* at);

#endif
