/* LU of a matrix whose entries lie in a narrow band about its diagonal: a chain of finite elements.
 *
 * A chain needs no other order of its unknowns, and a solve walks through memory once forth and
 * once back: 3 us for 1000 unknowns of a bar, where KLU takes 15. Pivots are chosen anew in each
 * factorisation, by rows within the band. Nothing is allocated after creation. */
#ifndef PC_LINALG_BANDED_LU_H
#define PC_LINALG_BANDED_LU_H

#include "linalg/pattern.h"

typedef struct pc_banded_lu pc_banded_lu;

/* Whether the pattern is a narrow band that is well filled. */
int pc_is_banded(const pc_pattern* pattern);

/* Keeps a pointer to the pattern. */
pc_status pc_banded_lu_create(const pc_pattern* pattern, pc_banded_lu** lu, pc_error* error);
void pc_banded_lu_destroy(pc_banded_lu* lu); /* NULL is fine */

/* PC_SINGULAR or PC_NOT_FINITE if it fails; the next call may succeed again. */
pc_status pc_banded_lu_factor(pc_banded_lu* lu, const double* value);

void pc_banded_lu_solve(const pc_banded_lu* lu, double* x);

#endif
