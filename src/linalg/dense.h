/* Dense matrices, row-major, by our own loops: results must be the same bits on every machine, and
 * BLAS chooses its kernels by the processor. No function allocates. */
#ifndef PC_LINALG_DENSE_H
#define PC_LINALG_DENSE_H

#include "percuss/base.h"

/* P A = L U in place; pivot has n entries. PC_SINGULAR if a pivot vanishes to round-off (relative
 * to the largest entry of its column), PC_NOT_FINITE if it is not a number. */
pc_status pc_lu_factor(int n, double* A, int* pivot);
void pc_lu_solve(int n, const double* LU, const int* pivot, double* x);

/* The smallest pivot: for a matrix with ones on its diagonal, what is left of the row that depends
 * most on the others. */
double pc_lu_smallest_pivot(int n, const double* LU);

/* A = L L' in place (lower triangle). PC_SINGULAR if not positive definite. */
pc_status pc_cholesky_factor(int n, double* A);
void pc_cholesky_solve(int n, const double* L, double* x);

/* The smallest pivot L_ii^2: for a matrix with ones on its diagonal, what is left of the row that
 * depends most on those before it. */
double pc_cholesky_smallest_pivot(int n, const double* L);

/* Rank-revealing factorisation of a square matrix that may be singular (redundant constraints):
 * QR with column pivoting in place, tau (n), pivot (n); the rank is found relative to `tolerance`
 * times the largest diagonal entry of R. The solve gives the basic least-squares solution; `work`
 * has n entries. */
pc_status pc_qr_factor(int n, double* A, double* tau, int* pivot, double tolerance, int* rank);
void pc_qr_solve(int n, const double* QR, const double* tau, const int* pivot, int rank, double* x,
                 double* work);

/* The least-squares solution of least norm of A x = b, whatever the rank, which is found relative
 * to `tolerance` as by pc_qr_factor. A is overwritten, b receives x; `pivot` has n entries, `work`
 * 2 n. PC_NOT_FINITE. */
pc_status pc_least_norm_solve(int n, double* A, double* b, double tolerance, int* rank, int* pivot,
                              double* work);

#endif
