/* LU of a sparse matrix whose pattern is fixed and whose values change: KLU.
 *
 * The pattern is analysed at creation. The first factorisation chooses the pivots; later ones keep
 * them as long as that is accurate, and choose anew (which allocates) when it is not. */
#ifndef PC_LINALG_SPARSE_LU_H
#define PC_LINALG_SPARSE_LU_H

#include "linalg/pattern.h"

typedef struct pc_sparse_lu pc_sparse_lu;

/* Keeps a pointer to the pattern. */
pc_status pc_sparse_lu_create(const pc_pattern* pattern, pc_sparse_lu** lu, pc_error* error);
void pc_sparse_lu_destroy(pc_sparse_lu* lu); /* NULL is fine */

/* PC_SINGULAR, PC_NOT_FINITE or PC_OUT_OF_MEMORY if it fails; the next call may succeed again. */
pc_status pc_sparse_lu_factor(pc_sparse_lu* lu, const double* value);

/* From now on a matrix is singular only if a pivot is zero: for those who judge solutions by their
 * residual. (Else a pivot must stand out from the round-off of its column.) */
void pc_sparse_lu_accept_any(pc_sparse_lu* lu);

void pc_sparse_lu_solve(pc_sparse_lu* lu, double* x);

#endif
