/* Alternating directions (ADMM) on an island: where they are between two calls. */
#ifndef PC_SOLVE_ADMM_H
#define PC_SOLVE_ADMM_H

#include "solve/island.h"

/* Arrays belong to the island's arena, and are gone with the caller's mark. */
typedef struct pc_admm {
  pc_island* s;
  pc_block_matrix K; /* the arrays of A, values of its own: A + rho/m */
  double* x;         /* rows: impulses that obey the laws of friction */
  double* lambda;    /* rows: minus their duals, De Saxce's term included */
  double* slip;      /* node_count: De Saxce's term mu |y_F| */
  double* z;         /* rows: impulses that obey the equations of motion */
} pc_admm;

/* For an island that is not in saddle form, whose nodes have been ordered (pc_island_analyse).
 * PC_OUT_OF_MEMORY. */
pc_status pc_admm_prepare(pc_admm* a, pc_island* island);

/* Begins at z of the island. */
void pc_admm_begin(pc_admm* a);

/* So many iterations, or fewer if the tolerance is met; a factorisation first. Offers, and leaves x
 * in z of the island. */
void pc_admm_iterate(pc_admm* a, int iterations);

#endif
