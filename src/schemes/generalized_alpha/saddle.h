/* A motion with active constraints: the linear problem that every level of generalized-alpha has.
 *
 *     A x = r + W' y,     J x = c
 *
 * W are the directions of the constraints' forces, J what the constraints measure: W itself at
 * position and velocity level, more than that at acceleration level. A is factorised outside. With
 * few constraints what is left is the small matrix S = J A^-1 W'; many of them, which touch a few
 * velocities each, go to a sparse elimination of A, W and J together (sparse_saddle.h). Either
 * finds out which constraints depend on others: redundant joints and contacts are normal. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_SADDLE_H
#define PC_SCHEMES_GENERALIZED_ALPHA_SADDLE_H

#include "linalg/row.h"
#include "schemes/generalized_alpha/operator.h"

typedef struct pc_alpha_saddle pc_alpha_saddle;

/* Up to so many constraints are solved dense. Instructions a step on pendulum chains, dense and
 * sparse: 16 rows 601 000 and 881 000, 20 rows 863 000 and 699 000, 60 rows 6.1 and 2.2 million. */
enum { PC_ALPHA_DENSE_MAX = 18 };

/* For up to `rows_max` constraints, with the two matrices that the levels have; M may be NULL. */
pc_status pc_alpha_saddle_create(int n, int rows_max, pc_alpha_operator A, const pc_assembly* M,
                                 pc_alpha_saddle** saddle, pc_error* error);
void pc_alpha_saddle_destroy(pc_alpha_saddle* saddle); /* NULL is fine */

/* Takes constraints; the values of the rows must stay valid. PC_NOT_FINITE if they are no numbers.
 * A is one of the two matrices, or has few constraints. */
pc_status pc_alpha_saddle_factor(pc_alpha_saddle* saddle, pc_alpha_operator A, int count,
                                 const pc_row* force, const pc_row* measure);

/* x: in r, out the solution; y (count): out. c may be y. */
void pc_alpha_saddle_solve(pc_alpha_saddle* saddle, const double* c, double* x, double* y);

/* y (n) += A x, with the A of the last constraints. */
void pc_alpha_saddle_times(const pc_alpha_saddle* saddle, const double* x, double* y);

/* 1/(w P w'), the mass that a force along w meets, P being A^-1 less what the constraints hold;
 * 0 where nothing can move. With many constraints it would take as long as their
 * elimination for each w: there it is 1/(w A^-1 w'), the mass of the bodies alone. */
double pc_alpha_saddle_mass(pc_alpha_saddle* saddle, const pc_assembly* A, pc_row w);

#endif
