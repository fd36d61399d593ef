/* L D L' of a sparse symmetric positive definite matrix whose pattern is fixed and whose values
 * change: LDL of SuiteSparse, which calls no BLAS, so that its digits do not depend on the
 * processor.
 *
 * The fill-reducing order is asked for first (pc_sparse_order: AMD), the component is renumbered,
 * and the factorisation works on the values as they lie, without allocating. */
#ifndef PC_LINALG_SPARSE_CHOLESKY_H
#define PC_LINALG_SPARSE_CHOLESKY_H

#include "linalg/pattern.h"

typedef struct pc_sparse_cholesky pc_sparse_cholesky;

/* A fill-reducing, postordered elimination order: place k is for the old index order[k]. */
pc_status pc_sparse_order(const pc_pattern* pattern, int* order, pc_error* error);

/* Analyses the pattern, which must be ordered well. Keeps a pointer to it. */
pc_status pc_sparse_cholesky_create(const pc_pattern* pattern, pc_sparse_cholesky** cholesky,
                                    pc_error* error);
void pc_sparse_cholesky_destroy(pc_sparse_cholesky* cholesky); /* NULL is fine */

/* PC_SINGULAR (not positive definite) or PC_NOT_FINITE if it fails; the next call may succeed
 * again. Reads the upper triangle. */
pc_status pc_sparse_cholesky_factor(pc_sparse_cholesky* cholesky, const double* value);

void pc_sparse_cholesky_solve(pc_sparse_cholesky* cholesky, double* x);

#endif
