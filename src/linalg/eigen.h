/* Eigenvalues of dense matrices, row-major, for the time scales of a linearised motion.
 *
 * In long double: a thin beam has frequencies whose squares differ by a factor of 1e13, and an
 * error of round-off of the largest must not show in the smallest. (On x86-64 these are 64 bits of
 * mantissa, on every processor the same ones.) No function allocates. */
#ifndef PC_LINALG_EIGEN_H
#define PC_LINALG_EIGEN_H

#include "percuss/base.h"

/* A = V' diag(value) V for a symmetric A, of which the lower triangle is read and overwritten. Row
 * i of V (n x n) is the eigenvector of value[i], of length 1; `work` has 2 n entries.
 * PC_NOT_FINITE; PC_NOT_CONVERGED if the iteration fails. */
pc_status pc_symmetric_eigen(int n, long double* A, long double* value, long double* V,
                             long double* work);

/* The eigenvalues re + i im of a square matrix, which is overwritten; `work` has 2 n entries.
 * The matrix is balanced first. PC_NOT_FINITE; PC_NOT_CONVERGED if the iteration fails. */
pc_status pc_eigenvalues(int n, long double* A, long double* re, long double* im,
                         long double* work);

#endif
