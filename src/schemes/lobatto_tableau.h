/* The coefficients of the Lobatto IIIA-IIIB pair with s stages, computed from the nodes. */
#ifndef PC_SCHEMES_LOBATTO_TABLEAU_H
#define PC_SCHEMES_LOBATTO_TABLEAU_H

#include "percuss/base.h"

typedef struct pc_tableau {
  int s;
  double* c;     /* s: nodes, c_1 = 0, c_s = 1 */
  double* b;     /* s: weights */
  double* a;     /* s x s: IIIA, a_ij = integral of the j-th Lagrange polynomial from 0 to c_i */
  double* a_hat; /* s x s: IIIB, Lobatto (46); its last column is zero */
} pc_tableau;

/* s >= 2; to be freed by the caller. */
pc_status pc_tableau_create(int s, pc_tableau** tableau, pc_error* error);
void pc_tableau_destroy(pc_tableau* tableau); /* NULL is fine */

#endif
