/* What the solver asks a given problem about its nodes. */
#ifndef PC_SOLVE_PROBLEM_H
#define PC_SOLVE_PROBLEM_H

#include "percuss/solver.h"

/* The block of rows i and columns j, or -1. */
int pc_problem_find(const pc_problem* problem, int i, int j);

/* Whether the node's diagonal block is zero. */
int pc_problem_is_bare(const pc_problem* problem, int k);

/* m_k of pc_problem_residual, or zero if nothing can move the node. */
double pc_problem_mass(const pc_problem* problem, int k);

/* The m of a node that nothing can move. */
double pc_problem_least_mass(const pc_problem* problem);

#endif
