/* Schwarz' alternating method for large heaps with friction: long sweeps, and the contacts that
 * these do not bring to rest solved together. */
#ifndef PC_SOLVE_SCHWARZ_H
#define PC_SOLVE_SCHWARZ_H

#include "solve/solver_inside.h"

/* How much work: sweeps of Gauss-Seidel, then rounds of sweeps and subdomains. */
typedef struct pc_schwarz_work {
  int sweeps, rounds;
} pc_schwarz_work;

/* From z of the island, which is not in saddle form, until the tolerance is met or a residual of
 * `usable`. Leaves z where it ended, and the nodes ordered for factorisations of the island.
 * PC_OUT_OF_MEMORY. */
pc_status pc_schwarz_solve(pc_solver* solver, pc_island* island, pc_schwarz_work work,
                           double usable);

#endif
