/* The methods for islands of any size, one file each. A method starts from z of the island and
 * offers what it finds; it leaves z where it ended. Scratch comes from the island's arena and is
 * given back. A status other than PC_OK is PC_OUT_OF_MEMORY. */
#ifndef PC_SOLVE_METHODS_H
#define PC_SOLVE_METHODS_H

#include "solve/island.h"

/* Semismooth Newton method, at most `rounds` iterations, and at most `stagnation_max` of them in a
 * row without the residual being halved; offers under the name `by`. */
pc_status pc_newton_solve(pc_island* island, int rounds, int stagnation_max, pc_method by);

/* The same with a proximal term that is a part of the residual: from a z that is near in its
 * residual, where corrections are too long because contacts slip slowly. */
pc_status pc_newton_solve_damped(pc_island* island, int rounds, int stagnation_max, pc_method by);

/* The same on one proximal problem after the other: slower, and not stopped by contacts that depend
 * on each other and are on the verge of closing or slipping. From a z that is near. */
pc_status pc_newton_solve_proximally(pc_island* island, int rounds, int stagnation_max,
                                     pc_method by);

/* Interior point method along the central path, the last digits by Newton's method: from where
 * sweeps from z end, moved inside the cones, then from the axes of the cones. At most so many
 * series, each a factorisation and some ten solutions; until the residual is at most
 * `sufficient`. */
pc_status pc_ipm_solve(pc_island* island, int series_max, double sufficient);

/* Nonsmooth Gauss-Seidel, at most `sweeps`; not for saddle forms. Offers under the name `by`. */
pc_status pc_nsgs_solve(pc_island* island, int sweeps, pc_method by);

/* Proximal fixed point, at most `sweeps`; not for saddle forms. */
pc_status pc_prox_solve(pc_island* island, int sweeps);

/* From now on (or no longer) the quick dense methods have been tried on what a solver is given:
 * `auto` begins with the interior point method on small islands with spatial friction. */
void pc_solver_skip_quick(pc_solver* solver, int skip);

/* The problems of this solver are linearisations on the way to something else, and may have no
 * solution: the interior point method gets few iterations, since what it leaves is improved by the
 * next linearisation. */
void pc_solver_be_brief(pc_solver* solver);

/* From now on (or no longer) problems are those of time steps, with a guess from the last one on
 * whose branches no more impulses are unknown than there are velocities, so that they are
 * determined in general. With
 * spatial friction sweeps and damping are then quicker than the interior point method, and an
 * answer within the acceptance limit is not worth its paths: where the solution has moved away from
 * the guess by a jump, they take hundreds of factorisations. Impulses that are not determined are
 * better taken from the interior point method: it gives those in the middle of all that there are,
 * from which Newton's method solves the next step; sweeps leave many contacts on the verge of
 * opening. */
void pc_solver_be_determinate(pc_solver* solver, int is_determinate);

/* From now on (until it is 0) islands with spatial friction need not be solved better than to this
 * residual: the next problem is a better one, and begins with the answer. `converged` still means
 * the tolerance of the solver. */
void pc_solver_be_rough(pc_solver* solver, double roughness);

/* Whether the answer of the last problem misses the acceptance limit in the island of this node. */
int pc_solver_refused(const pc_solver* solver, int node);

/* Equality nodes alone: a linear system. */
pc_status pc_equality_solve(pc_island* island);

#endif
