/* The problem of saddle.h for many constraints: A, W and J in one sparse matrix by blocks.
 *
 *     [A  -W'] [x]   [r]
 *     [J   0 ] [y] = [c]
 *
 * Its nodes are the groups of velocities that A has and the constraints, those with the same runs
 * in one node: so its elimination costs as much as there are joints in a chain, a tree or a
 * band. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_SPARSE_SADDLE_H
#define PC_SCHEMES_GENERALIZED_ALPHA_SPARSE_SADDLE_H

#include "linalg/block_lu.h"
#include "linalg/row.h"
#include "schemes/generalized_alpha/operator.h"

typedef struct pc_alpha_sparse_saddle pc_alpha_sparse_saddle;

/* For matrices of the kind of A, assemblies with the same pattern or the same blocks, and up to
 * `rows_max` constraints. */
pc_status pc_alpha_sparse_saddle_create(pc_alpha_operator A, int rows_max,
                                        pc_alpha_sparse_saddle** saddle, pc_error* error);
void pc_alpha_sparse_saddle_destroy(pc_alpha_sparse_saddle* saddle); /* NULL is fine */

/* Takes constraints; the values of the rows must stay valid. `owner` (count, or NULL) tells
 * constraints apart that have the same runs but belong to different nodes. Allocates only where
 * there are more, or other constraints than before. */
pc_status pc_alpha_sparse_saddle_fill(pc_alpha_sparse_saddle* saddle, pc_alpha_operator A,
                                      int count, const int* owner, const pc_row* force,
                                      const pc_row* measure, pc_error* error);

/* The matrix: its rows are the velocities, then the constraints, and so are its nodes. */
const pc_block_matrix* pc_alpha_sparse_saddle_matrix(const pc_alpha_sparse_saddle* saddle);
/* The node of a constraint. */
int pc_alpha_sparse_saddle_node(const pc_alpha_sparse_saddle* saddle, int constraint);

/* Factorises. Rows that depend on others, as measured by `tolerance`, are left out. */
pc_status pc_alpha_sparse_saddle_factor(pc_alpha_sparse_saddle* saddle, double tolerance,
                                        pc_error* error);

/* x: in r, out the solution; y (count): out. c may be y. */
void pc_alpha_sparse_saddle_solve(pc_alpha_sparse_saddle* saddle, const double* c, double* x,
                                  double* y);

/* y (n) += A x */
void pc_alpha_sparse_saddle_times(const pc_alpha_sparse_saddle* saddle, const double* x, double* y);

#endif
