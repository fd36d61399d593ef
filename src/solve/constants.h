/* Constants that more than one file of the contact solvers uses, with their reasons. */
#ifndef PC_SOLVE_CONSTANTS_H
#define PC_SOLVE_CONSTANTS_H

#include <float.h>

/* A residual that further work on a well-scaled problem will not improve: direct methods stop. */
#define PC_ROUND_OFF (64 * DBL_EPSILON)

/* No tolerance below this one is asked for: it is the round-off of the residual itself. */
#define PC_TOLERANCE_FLOOR (8 * DBL_EPSILON)

/* Islands of up to this many rows of contacts, and as many of equalities, are solved by the dense
 * solvers: factors of this size fit into the first-level cache, and complete pivoting costs less than
 * the bookkeeping of a sparse factorisation. */
enum { PC_DENSE_ROWS_MAX = 60 };

/* Iterations that the dense sweeps get before the interior point method is asked: what they have not
 * solved by then they solve slowly or not at all, and it takes some twenty factorisations. */
enum { PC_QUICK_ITERATIONS = 200 };

#endif
