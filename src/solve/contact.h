/* One contact alone, exactly. */
#ifndef PC_SOLVE_CONTACT_H
#define PC_SOLVE_CONTACT_H

#include "solve/dense.h"

/* The contact problem of a single contact of dimension 0 to 3: y = a P + q with the block a, (1 +
 * dimension)^2 entries, row-major. P receives the answer; if there is none (a block that cannot
 * move), zero or what comes closest. The cone's row is of no concern. */
void pc_contact_solve(const pc_cone* cone, const double* a, const double* q, double* P);

#endif
