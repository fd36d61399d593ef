/* (m M + k K + d D) x + W' mu = f,  W x = 0: a factorised combination of the matrices of a linear
 * motion, with its constraints, for real or complex m, k, d.
 *
 * KLU on real numbers; complex ones are pairs. Solutions are refined with residuals in long double,
 * term by term: the stiffness of a mesh is up to 1e13 times what its slow vibrations feel of it. */
#ifndef PC_LINALG_SADDLE_LU_H
#define PC_LINALG_SADDLE_LU_H

#include <complex.h>

#include "linalg/sparse_rates.h"

typedef struct pc_saddle_lu pc_saddle_lu;

typedef struct pc_combination {
  double complex m, k, d;
} pc_combination;

/* Keeps a pointer to the problem. With real numbers (is_complex 0) the imaginary parts must be
 * zero. PC_SINGULAR, PC_NOT_FINITE, PC_OUT_OF_MEMORY. */
pc_status pc_saddle_lu_create(const pc_sparse_quadratic* problem, pc_combination of, int is_complex,
                              pc_saddle_lu** lu, pc_error* error);
void pc_saddle_lu_destroy(pc_saddle_lu* lu); /* NULL is fine */

/* f := x; n numbers, or n pairs of real and imaginary part. */
void pc_saddle_lu_solve(pc_saddle_lu* lu, double* f);

#endif
