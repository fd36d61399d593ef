/* LU of a sparse matrix by blocks, with pivots sought in the whole column (KLU).
 *
 * block_lu.h looks for pivots inside the diagonal block of a node only. That is quick, and enough
 * as long as the leading parts of the matrix are far from singular; where they are not, its factors
 * grow and its answers have no digits. This one costs several times as much and allocates: it is
 * for the matrices whose answer did not fulfil the equations. */
#ifndef PC_LINALG_PIVOTING_LU_H
#define PC_LINALG_PIVOTING_LU_H

#include "linalg/block_matrix.h"

typedef struct pc_pivoting_lu pc_pivoting_lu;

/* Takes the pattern of the matrix, which all matrices to be factorised have. PC_OUT_OF_MEMORY. */
pc_status pc_pivoting_lu_create(const pc_block_matrix* matrix, pc_pivoting_lu** lu,
                                pc_error* error);
void pc_pivoting_lu_destroy(pc_pivoting_lu* lu); /* NULL is fine */

/* PC_SINGULAR, PC_NOT_FINITE or PC_OUT_OF_MEMORY if it fails; the next call may succeed again. */
pc_status pc_pivoting_lu_factor(pc_pivoting_lu* lu, const pc_block_matrix* matrix);

/* x := A^-1 x, with the factors of the last call, which succeeded. */
void pc_pivoting_lu_solve(pc_pivoting_lu* lu, double* x);

#endif
