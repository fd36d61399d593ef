/* The time scales of a linear motion with constraints, M u' = K v + D u + W' lambda, v' = u, W u =
 * 0: the eigenvalues of lambda^2 M x = K x + lambda D x in the null space of W.
 *
 * As an unsymmetric problem of order 2 n this is ill-conditioned for meshes of damped elements,
 * whose fastest rates of decay are 1e13 times their slowest frequencies. So M = L L' is taken out
 * first and the symmetric part of K diagonalised. Where damping is proportional (a material's),
 * every mode is then an oscillator by itself and its two eigenvalues are known in closed form;
 * modes that damping, gyroscopic or circulatory forces do couple are solved together. */
#ifndef PC_LINALG_QUADRATIC_EIGEN_H
#define PC_LINALG_QUADRATIC_EIGEN_H

#include "percuss/base.h"

typedef struct pc_quadratic {
  int n;
  const double* M; /* n x n, row-major, symmetric and positive definite */
  const double* K; /* n x n */
  const double* D; /* n x n, or NULL */
  int row_count;
  const double* W; /* row_count x n; rows may depend on each other */
} pc_quadratic;

typedef struct pc_rates {
  double rate;      /* the largest |lambda| [1/s] */
  double frequency; /* the largest imaginary part [rad/s] */
} pc_rates;

/* Allocates. PC_SINGULAR if M is not positive definite; PC_NOT_FINITE; PC_NOT_CONVERGED. */
pc_status pc_quadratic_rates(const pc_quadratic* problem, pc_rates* rates, pc_error* error);

#endif
