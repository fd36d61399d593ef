/* The same as linalg/quadratic_eigen.h for large sparse problems: the largest |lambda| and the
 * largest imaginary part of lambda^2 M x = K x + lambda D x + W' mu, W x = 0, to a few parts in a
 * thousand and in a time that is nearly linear in their size.
 *
 * Largest |lambda|: Arnoldi's method on the motion (v, u) itself, in the metric of M.
 *
 * Largest imaginary part: what damping leaves of the vibrations of a mesh lies deep inside the
 * spectrum (|lambda| reaches 1e13 where the fastest vibration has 3 rad/s), so it is looked for
 * from a point near by. For symmetric M, K and D an eigenvector x with x* M x = 1, x* K x = -k and
 * x* D x = -c has lambda = -a + i b with c = 2 a, k = a^2 + b^2 if lambda is not real. With
 * kappa(s), the largest value of k - s c (the largest eigenvalue of a symmetric problem),
 *
 *     (a - s)^2 + b^2 <= kappa(s) + s^2      for every s,
 *
 * a circle about -s on the real axis. The smallest of these circles bounds b; for damping that is
 * proportional to stiffness, D = tau K, it has s = 1/tau, and all vibrations lie on it. Its top
 * -s + i r is the point from which to look: Arnoldi's method on the imaginary part of
 * (A - sigma)^-1, sigma = -s + i r, whose eigenvalues are r/((lambda + s)^2 + r^2), real arithmetic
 * with one sparse factorisation. It goes on until all eigenvalues are known that could lie in the
 * circle above the highest one found.
 *
 * Gyroscopic forces (D not symmetric) add at most their own largest rate to r; with strong damping
 * a motion that turns slowly while it decays fast is far from the top and may be passed over. Where
 * K is not symmetric, the circle is a guess, and only what is found from its top counts. */
#ifndef PC_LINALG_SPARSE_RATES_H
#define PC_LINALG_SPARSE_RATES_H

#include "linalg/quadratic_eigen.h"
#include "linalg/row.h"
#include "linalg/sparse_matrix.h"

typedef struct pc_sparse_quadratic {
  int n;
  const pc_sparse_matrix* M; /* symmetric and positive definite */
  const pc_sparse_matrix* K;
  const pc_sparse_matrix* D; /* or NULL */
  int row_count;
  const pc_row* row; /* of W, independent of each other */
  /* Not 0: a bound of the vibrations is enough, at a tenth of the cost. With damping D = tau K a
   * mode of frequency w vibrates with w sqrt(1 - (tau w/2)^2) <= 1/tau, and the largest |lambda| is
   * about tau w^2 for the largest w: tau, and 1/tau, follow from these two. */
  int is_rough;
} pc_sparse_quadratic;

/* Allocates. PC_SINGULAR if M cannot be inverted; PC_NOT_FINITE; PC_NOT_CONVERGED. */
pc_status pc_sparse_rates(const pc_sparse_quadratic* problem, pc_rates* rates, pc_error* error);

#endif
