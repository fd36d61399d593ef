/* The coefficients of the Lobatto IIIA-IIIB pair with s stages, computed from the nodes. */
#ifndef PC_STEPS_LOBATTO_TABLEAU_H
#define PC_STEPS_LOBATTO_TABLEAU_H

#include "percuss/base.h"

typedef struct pc_tableau {
  int s;
  double* c;     /* s: nodes, c_1 = 0, c_s = 1 */
  double* b;     /* s: weights */
  double* a;     /* s x s: IIIA, a_ij = integral of the j-th Lagrange polynomial from 0 to c_i */
  double* a_hat; /* s x s: IIIB, Lobatto (46); its last column is zero */
  double* L;     /* s x s: what solves x = A^ k for k, see below */
} pc_tableau;

/* IIIB as discontinuous collocation: with x_i = sum_j a^_ij k_j/b_j, the x are values of a
 * polynomial x(c) of degree s - 2 with k_1 = x(0) + b_1 x'(0) and k_j = b_j x'(c_j), 1 < j < s. Row
 * j < s of L makes k_j of x by the derivative of the polynomial through all nodes; the last row is
 * the divided difference that vanishes because the degree is one less. */

/* s >= 2; to be freed by the caller. */
pc_status pc_tableau_create(int s, pc_tableau** tableau, pc_error* error);
void pc_tableau_destroy(pc_tableau* tableau); /* NULL is fine */

#endif
