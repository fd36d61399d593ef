/* The factorisation of a sparse matrix by dense blocks, in a fill-reducing order.
 *
 * It is the one elimination of percuss: of the joints and contacts of a large mechanism, of the
 * saddle point problems of implicit schemes, and of the linear systems of the contact solvers. Cost
 * and memory are linear in the number of nodes for chains, trees and bands. Pivots are sought
 * within the diagonal block of a node, never beyond it, so that the pattern of the factors is known
 * beforehand.
 *
 * Nodes whose diagonal block may be singular until their neighbours are eliminated (joints and
 * closed contacts in a saddle point problem) are named as `late`: each follows all neighbours that
 * are not late. Rows that depend on others are normal, in late nodes or, where none is late, in
 * all: a pivot that falls below `tolerance` times the size which the entry had before elimination
 * is taken as zero, its unknown is zero, and its equation is left out. So a solution is a basic
 * one: unknowns are changes, and redundant ones keep their value.
 *
 * No BLAS, no random choice: the same bits on every machine. */
#ifndef PC_LINALG_BLOCK_LU_H
#define PC_LINALG_BLOCK_LU_H

#include "linalg/block_matrix.h"

typedef struct pc_block_lu pc_block_lu;

pc_status pc_block_lu_create(pc_block_lu** lu, pc_error* error);
void pc_block_lu_destroy(pc_block_lu* lu); /* NULL is fine */

/* Orders the nodes and finds the pattern of the factors; `late` has an entry for each node, or is
 * NULL: none is. If pattern, sizes and `late` are those of the last call, nothing is to be done,
 * and that is found out at little cost. Allocates only where this pattern needs more than any
 * before. */
pc_status pc_block_lu_analyse(pc_block_lu* lu, const pc_block_matrix* matrix,
                              const unsigned char* late, pc_error* error);

/* Factorises a matrix of the pattern that was analysed. `tolerance` 0: no row may be left out.
 * PC_NOT_FINITE if a number is not; PC_SINGULAR if a node that is not late has a singular pivot, or
 * any node with tolerance 0. */
pc_status pc_block_lu_factor(pc_block_lu* lu, const pc_block_matrix* matrix, double tolerance);

/* Rows that were not left out. */
int pc_block_lu_rank(const pc_block_lu* lu);

/* 1 or -1: the sign of the determinant, without rows that were left out. */
int pc_block_lu_determinant_sign(const pc_block_lu* lu);

/* Whether a row was left out as dependent on others. */
int pc_block_lu_is_redundant(const pc_block_lu* lu, int row);

/* x := A^-1 x, in the order of the matrix's rows. Redundant rows receive zero. */
void pc_block_lu_solve(const pc_block_lu* lu, double* x);

/* Entries of the factors: what an elimination costs in memory. */
size_t pc_block_lu_entry_count(const pc_block_lu* lu);

#endif
