/* Constants that more than one file of the contact solvers uses, with their reasons. */
#ifndef PC_SOLVE_CONSTANTS_H
#define PC_SOLVE_CONSTANTS_H

#include <float.h>

/* A residual that further work on a well-scaled problem will not improve: direct methods stop. */
#define PC_RESIDUAL_ROUND_OFF (64 * DBL_EPSILON)

/* No tolerance below this one is asked for: it is the round-off of the residual itself. */
#define PC_TOLERANCE_FLOOR (8 * DBL_EPSILON)

/* Complete pivoting of a system that is not regularised: a pivot below this part of the first one
 * is round-off, and its row depends on others. */
#define PC_PIVOT_ROUND_OFF 1e-12

/* The proximal term of Newton's matrices in units of the inverse mass: above the round-off of an
 * elimination, below what would slow down the convergence on all but nearly dependent contacts.
 * With it a row that depends on others keeps this part of its pivot; what is left below the second
 * constant is round-off. */
#define PC_PROXIMAL           1e-9
#define PC_PROXIMAL_ROUND_OFF 1e-13

/* Islands of up to this many rows of contacts, and as many of equalities, are solved by the dense
 * solvers: factors of this size fit into the first-level cache, and complete pivoting costs less
 * than the bookkeeping of a sparse factorisation. */
enum { PC_DENSE_ROWS_MAX = 60 };

/* Iterations that the dense sweeps get before the interior point method is asked: what they have
 * not solved by then they solve slowly or not at all, and it takes some twenty factorisations. */
enum { PC_QUICK_ITERATIONS = 200 };

/* The same where friction has two or three dimensions: a sweep finds modes only, Newton's method
 * from there either ends within some steps or cycles, and each of its steps is a
 * factorisation. */
enum { PC_QUICK_ITERATIONS_SPATIAL = 4 };

#endif
