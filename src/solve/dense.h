/* The contact problem of a small mechanism: a dense matrix, contacts only.
 *
 * It is what small islands become (solver.c), and what callers hand over that have a small dense
 * operator anyway: no islands are sought and nothing is copied but the scaled matrix. With
 * y = A P + b each contact obeys the laws of percuss/solver.h. */
#ifndef PC_SOLVE_DENSE_H
#define PC_SOLVE_DENSE_H

#include "percuss/solver.h"

/* A contact within a problem. */
typedef struct pc_cone {
  int row;       /* of the normal */
  int dimension; /* friction rows that follow: 0 to 3 */
  double mu;     /* not negative */
} pc_cone;

typedef struct pc_dense_problem {
  int row_count;
  int contact_count;
  const pc_cone* cone; /* contact_count, one after the other; they fill all rows */
  const double* A;     /* row_count x row_count, row-major */
  const double* b;     /* row_count */
} pc_dense_problem;

/* As pc_problem_residual. */
double pc_dense_residual(const pc_dense_problem* problem, const double* P);

/* A solver for problems up to a size; it does not allocate while it solves. */
typedef struct pc_dense_solver pc_dense_solver;

/* The one to begin with: by the size and the largest friction dimension. */
const char* pc_dense_default_solver(int row_count, int friction_dimension);

/* `name` is "lemke", "nsgs" or "prox", the first method of the sequence; any other name of
 * pc_solver_names stands for the default. PC_BAD_ARGUMENT for an unknown name, or for one that does
 * not take this friction dimension. */
pc_status pc_dense_solver_create(const char* name, int row_max, int contact_max,
                                 int friction_dimension, const pc_solver_settings* settings,
                                 pc_dense_solver** solver, pc_error* error);
void pc_dense_solver_destroy(pc_dense_solver* solver); /* NULL is fine */

/* Solves. P (row_count) holds a first guess and receives the answer, or the best found. The
 * sequence: modes of the guess, the solver asked for, then the others. */
void pc_dense_solver_solve(pc_dense_solver* solver, const pc_dense_problem* problem, double* P,
                           pc_solver_info* info);

/* The solver asked for, without the modes of the guess and without the others. */
void pc_dense_solver_solve_alone(pc_dense_solver* solver, const pc_dense_problem* problem,
                                 double* P, pc_solver_info* info);

/* Another limit of iterations for each solver from now on. */
void pc_dense_solver_limit(pc_dense_solver* solver, int max_iterations);

/* From now on (or no longer) problems are given up early, for the caller has better means for those
 * that resist: PC_QUICK_ITERATIONS of each solver; with spatial friction the first solver only. */
void pc_dense_solver_be_brief(pc_dense_solver* solver, int is_brief);

/* By pc_method. */
extern const char* const pc_method_names[PC_METHOD_COUNT];

#endif
