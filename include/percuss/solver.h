/// \file
/// The linear contact problem, and the solvers for it.
///
/// Find the percussions P of `contact_count` contacts such that with y = A P + b each contact obeys
///
///     0 <= y_N  _|_  P_N >= 0
///     y_F in the normal cone of the ball of radius mu P_N at -P_F
///
/// that is: a frictional contact sticks (y_F = 0), slips (P_F = -mu P_N y_F/|y_F|) or is open.
/// A is the Delassus operator after elimination of bilateral constraints. A contact with friction
/// of dimension d has 1 + d consecutive rows, the normal one first.
#ifndef PERCUSS_SOLVER_H
#define PERCUSS_SOLVER_H

#include "percuss/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact within a problem.
typedef struct pc_cone {
  int row;        ///< of the normal
  int dimension;  ///< friction rows that follow: 0, 1, 2 (3 where a solver says so)
  double mu;      ///< not negative
} pc_cone;

typedef struct pc_problem {
  int row_count;
  int contact_count;
  const pc_cone* cone;  ///< contact_count
  const double* A;      ///< row_count x row_count, row-major
  const double* b;      ///< row_count
} pc_problem;

typedef struct pc_solver_settings {
  double tolerance;  ///< on `pc_problem_residual`
  int max_iterations;
} pc_solver_settings;

/// How a solve ended. `converged` is only ever set after the residual was computed from the answer.
typedef struct pc_solver_info {
  int converged;
  int iterations;
  double residual;     ///< `pc_problem_residual` of the answer
  const char* solver;  ///< which one gave the answer (a fallback may have stepped in)
} pc_solver_info;

/// The one measure of all solvers, without unit. For each contact, with m_k the inverse of the mean
/// diagonal of its block of A (a mass), the natural map
///
///     P_N - max(0, P_N - m_k y_N),   P_F - proj(P_F - m_k y_F; ball of radius mu P_N)
///
/// in the maximum norm, divided by the largest of |P| and m_k |b| over all contacts.
PC_API double pc_problem_residual(const pc_problem* problem, const double* P);

/// A solver for repeated use on problems up to a size; it does not allocate while it solves.
typedef struct pc_solver pc_solver;

/// Known names, ended by NULL: "lemke", "nsgs", "prox".
PC_API const char* const* pc_solver_names(void);

/// A line about a solver, or NULL if there is none of this name.
PC_API const char* pc_solver_summary(const char* name);

/// The default for a problem: by its size and the largest friction dimension of its contacts.
PC_API const char* pc_default_solver(int row_count, int friction_dimension);

/// tolerance 1e-12, 10000 iterations
PC_API pc_solver_settings pc_default_solver_settings(void);

/// PC_BAD_ARGUMENT for an unknown name, or for one that does not know this friction dimension.
PC_API pc_status pc_solver_create(const char* name, int row_max, int contact_max,
                                  int friction_dimension, const pc_solver_settings* settings,
                                  pc_solver** solver, pc_error* error);
PC_API void pc_solver_destroy(pc_solver* solver);

/// Solves. P (row_count) holds a first guess and receives the answer. Never fails silently:
/// `info->converged` tells, and then P is the best found.
PC_API void pc_solver_solve(pc_solver* solver, const pc_problem* problem, double* P,
                            pc_solver_info* info);

#ifdef __cplusplus
}
#endif
#endif
