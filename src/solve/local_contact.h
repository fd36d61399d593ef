/* One contact of a Gauss-Seidel sweep: y = a z + q with its law, all other contacts held. */
#ifndef PC_SOLVE_LOCAL_CONTACT_H
#define PC_SOLVE_LOCAL_CONTACT_H

#include "solve/contact_mode.h"

/* What a contact keeps from sweep to sweep. */
typedef struct pc_local_contact {
  pc_contact_mode mode; /* where the last sweep left it */
  int is_regular;       /* the inverse exists */
  double t[2];          /* direction of friction where it slips */
  double inverse[10];   /* of its block a, (1 + d)^2 entries, d = 1, 2, and a last one without use:
                         * rows of three can be read as four numbers */
} pc_local_contact;

/* Before the first sweep; a is rows x rows. */
void pc_local_contact_prepare(pc_local_contact* contact, int rows, const double* a);

/* z: in nothing, out the solution. Newton's method for the direction of slip ends after a turn by
 * `last_turn` [rad]: the next one would be about its square. */
void pc_local_contact_solve(pc_local_contact* contact, int rows, double mu, const double* a,
                            const double* q, double last_turn, double* z);

#endif
