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

/* Interior point method; the last digits by Newton's method. Iterations of the island beyond the
 * number `first` count against the limit. First the quick way, from the guess and from nothing,
 * until the residual is at most `sufficient`. */
pc_status pc_ipm_solve_quickly(pc_island* island, int first, double sufficient);

/* The guess alone, or a cold start where there is none. */
pc_status pc_ipm_solve_from_guess(pc_island* island, int first, double sufficient);

/* Its path round the turns that friction gives it, from z moved well inside the cones: where a
 * solution has ceased to exist, the next one lies along it. */
pc_status pc_ipm_follow_path_nearby(pc_island* island, int first, double sufficient);

/* The same from impulses on the axes of the cones, loosely, then more closely; from where it ends
 * by proximal problems. */
pc_status pc_ipm_follow_first_paths(pc_island* island, int first, double sufficient);

/* Then ever more closely, and from another start; this may take ten times as long. */
pc_status pc_ipm_follow_other_paths(pc_island* island, int first, double sufficient);

/* Its path once more, as closely as possible and to its end or the limit of iterations, each a
 * factorisation. */
pc_status pc_ipm_follow_to_end(pc_island* island, int first);

/* Nonsmooth Gauss-Seidel, at most `sweeps`; not for saddle forms. */
pc_status pc_nsgs_solve(pc_island* island, int sweeps);

/* Proximal fixed point, at most `sweeps`; not for saddle forms. */
pc_status pc_prox_solve(pc_island* island, int sweeps);

/* From now on (or no longer) the quick dense methods have been tried on what a solver is given:
 * `auto` begins with the interior point method on small islands with spatial friction. */
void pc_solver_skip_quick(pc_solver* solver, int skip);

/* The problems of this solver are linearisations on the way to something else, and may have no
 * solution: what the usual sequence of methods does not solve is not worth following a path to its
 * end, which takes up to max_iterations factorisations. */
void pc_solver_be_brief(pc_solver* solver);

/* From now on (or no longer) the interior point method ends with its quick attempts: what they
 * leave is improved by the next linearisation, which begins with it. */
void pc_solver_skip_paths(pc_solver* solver, int skip);

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
