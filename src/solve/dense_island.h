/* A small island as a dense contact problem. */
#ifndef PC_SOLVE_DENSE_ISLAND_H
#define PC_SOLVE_DENSE_ISLAND_H

#include "solve/dense.h"
#include "solve/island.h"

/* Eliminates the equality nodes, by LU with complete pivoting (rows that depend on others are left
 * out), and gives what is left to a dense solver: the methods in sequence, or the solver it was
 * created for alone. Offers the answer. The solver has to be large enough for the rows of the
 * contacts. PC_OUT_OF_MEMORY. */
pc_status pc_dense_island_solve(pc_island* island, pc_dense_solver* solver, int alone);

/* Rows of the contacts. */
int pc_island_contact_rows(const pc_island* island);

#endif
