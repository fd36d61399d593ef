/// \file
/// The contact problem, and the solvers for it.
///
/// Unknowns z and their duals y are grouped into nodes, y = A z + b, and each node obeys a law:
///
///     equality   y = 0,  z free
///     contact    0 <= y_N  _|_  z_N >= 0
///                y_F in the normal cone of the ball of radius mu z_N at -z_F
///
/// that is: a frictional contact sticks (y_F = 0), slips (z_F = -mu z_N y_F/|y_F|) or is open (z =
/// 0). The matrix A is sparse by blocks and need not be symmetric; rows may depend on others. Two
/// forms are usual:
///
/// * the *impulse (percussion) form*: z are the impulses of joints (equalities) and contacts, y
///   their relative velocities, A = W' M^-1 W, with blocks for nodes that share a body. The local
///   problems of FCLib have this form.
/// * the *saddle form*: the velocities of bodies are unknowns too, as equality nodes,
///   [M -W; W' 0]. Nodes of joints and contacts then have no diagonal block of their own.
#ifndef PERCUSS_SOLVER_H
#define PERCUSS_SOLVER_H

#include <stddef.h>

#include "percuss/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Contacts have a complementarity law, equalities y = 0.
typedef enum pc_problem_node_kind { PC_NODE_CONTACT, PC_NODE_EQUALITY } pc_problem_node_kind;

/// The law of a node. A contact has 1 + d rows, the normal first, d = 0 to 3 those of friction:
/// none, along a line (planar), in a plane, in a plane with drilling.
typedef struct pc_problem_node {
  pc_problem_node_kind kind;  ///< contact or equality
  double mu;                  ///< of a contact, not negative
} pc_problem_node;

/// A problem, in the caller's arrays. The pattern of blocks is symmetric and holds the diagonal.
typedef struct pc_problem {
  int node_count;               ///< number of nodes
  const pc_problem_node* node;  ///< node_count laws
  const int* row;     ///< node_count + 1: the first row of each node; row[node_count] is the order
  const int* start;   ///< node_count + 1: where the blocks of a node's rows begin
  const int* column;  ///< of each block: the node of its columns, increasing within a block row
  const size_t* place;  ///< of each block: where it begins in `value`
  const double* value;  ///< the blocks, each row-major
  const double* b;      ///< as many as there are rows
} pc_problem;

/// PC_BAD_ARGUMENT, with the node and what is wrong, if the arrays do not describe a problem;
/// PC_NOT_FINITE if A or b hold a number that is not finite.
PC_API pc_status pc_problem_check(const pc_problem* problem, pc_error* error);

/// The one measure of all solvers, without unit. Each node k has a mass m_k: the inverse of the
/// mean diagonal of its block A_kk; where that block is zero, of -sum_j A_kj A_jj^-1 A_jk over the
/// equality nodes j that act on it; where this is zero too (nothing can move it), the least m of
/// the others, or 1. For a contact the natural map
///
///     z_N - max(0, z_N - m_k y_N),   z_F - proj(z_F - m_k y_F; ball of radius mu z_N)
///
/// in the maximum norm is divided by the largest of |z| and m_k |b| over all contacts, S. What it
/// is above the round-off of impulses, 64 eps S, is also divided by the impulse of the velocities
/// at hand, the larger one of m_k V and sqrt(m_k E): V is the largest free velocity of the
/// contacts, |b| + sum_j |A_kj| m_j |b_j| over the equality nodes j, and E the energy that the
/// impulses exchange, the sum of z (y - b) over the contacts with a diagonal block. So impulses
/// that are large because contacts work against each other do not hide an error of the velocities.
/// For an equality node m_k |y| is divided by the largest m_k (|b| + sum_j |A_kj| (|z_j| + m_j
/// |b_j|)) over all equality nodes that have a diagonal block, or over those that have none (their
/// units differ in the saddle form). The residual is the largest of all; a NaN or an infinite
/// number makes it infinite, and so does a lack of memory for a scaled copy of the problem, which
/// keeps numbers of any size in range. `problem` has passed pc_problem_check.
PC_API double pc_problem_residual(const pc_problem* problem, const double* z);

/// What can give an answer. The nodes fall into *islands* that do not act on each other; each is
/// solved on its own.
typedef enum pc_method {
  PC_METHOD_DIRECT,       ///< no iteration: a single contact, free motion, equalities alone
  PC_METHOD_NEWTON,       ///< semismooth Newton method
  PC_METHOD_LEMKE,        ///< complementary pivoting
  PC_METHOD_ENUMERATION,  ///< all combinations of modes of a few contacts
  PC_METHOD_NSGS,         ///< nonsmooth Gauss-Seidel
  PC_METHOD_PROX,         ///< proximal fixed point
  PC_METHOD_IPM,          ///< interior point method
  PC_METHOD_ADMM,         ///< alternating directions, in large heaps
  PC_METHOD_COUNT
} pc_method;

/// "newton", "ipm" ...; never NULL.
PC_API const char* pc_method_name(pc_method method);

/// How accurate an answer has to be.
typedef struct pc_solver_settings {
  double tolerance;    ///< asked for, on the residual of each island
  double acceptance;   ///< an answer up to this residual may be used, but is counted as inaccurate
  int max_iterations;  ///< of an iterative solver on one island
} pc_solver_settings;

/// How a solve ended. `converged` and `accepted` are only ever set after the residual was computed
/// from the answer.
typedef struct pc_solver_info {
  int converged;   ///< all islands meet the tolerance
  int accepted;    ///< all islands meet the acceptance limit
  int iterations;  ///< of all islands
  /// the largest of the islands', each with its own scale; not below that of the whole
  double residual;
  const char* solver;             ///< the method that gave the answer with the largest residual
  int island_count;               ///< parts of the problem that do not act on each other
  int inaccurate_count;           ///< islands that are accepted without having converged
  int answered[PC_METHOD_COUNT];  ///< islands by the method that gave their answer
} pc_solver_info;

/// A solver for repeated use. Its memory grows with the largest problem that was met; on problems
/// that are not larger, nothing is allocated.
typedef struct pc_solver pc_solver;

/// Known names, ended by NULL: "auto" (the default) and those of single methods.
PC_API const char* const* pc_solver_names(void);

/// A line about a solver, or NULL if there is none of this name.
PC_API const char* pc_solver_summary(const char* name);

/// The largest friction dimension that a solver takes, -1 for an unknown name.
PC_API int pc_solver_friction_max(const char* name);

/// tolerance 1e-12, acceptance 1e-6, 10000 iterations
PC_API pc_solver_settings pc_default_solver_settings(void);

/// `name` may be NULL: "auto". PC_BAD_ARGUMENT for an unknown name or settings that make no sense.
PC_API pc_status pc_solver_create(const char* name, const pc_solver_settings* settings,
                                  pc_solver** solver, pc_error* error);
PC_API void pc_solver_destroy(pc_solver* solver);  ///< NULL is fine

/// Solves. z holds a first guess and receives the answer, or the best that was found; `info` tells
/// which. A solver that is asked for by name works alone; "auto" goes from one method to the next.
/// Errors are those of pc_problem_check, PC_BAD_ARGUMENT for friction that the solver does not
/// take, PC_OUT_OF_MEMORY; `info` then says that nothing was solved, and z is zero.
PC_API pc_status pc_solver_solve(pc_solver* solver, const pc_problem* problem, double* z,
                                 pc_solver_info* info, pc_error* error);

#ifdef __cplusplus
}
#endif
#endif
