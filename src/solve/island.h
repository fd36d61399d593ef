/* An island: nodes of a contact problem that act on each other and on no others, in scaled form,
 * with the answer at hand and the best one so far. The solvers for islands of any size work on it.
 *
 * A node k is scaled by a power of two s_k close to sqrt(m_k), and all duals by another power of
 * two beta, so that the diagonal blocks and the largest entry of b are of order one:
 *
 *     A^_kj = s_k A_kj s_j,   b^_k = s_k b_k / beta,   z_k = beta s_k z^_k,   y_k = beta y^_k / s_k
 *
 * Powers of two leave every mantissa as it was: the residual of the scaled problem is that of the
 * given one. All arrays belong to an arena and are gone with the caller's mark. */
#ifndef PC_SOLVE_ISLAND_H
#define PC_SOLVE_ISLAND_H

#include "base/memory.h"
#include "linalg/block_lu.h"
#include "linalg/block_matrix.h"
#include "percuss/solver.h"
#include "solve/constants.h"
#include "solve/contact_mode.h"

typedef struct pc_island {
  pc_arena* arena;
  pc_block_lu* lu; /* for whatever matrix of this pattern */

  int node_count;
  int row_count;
  int contact_count;
  int friction_max; /* largest dimension */
  int is_saddle;    /* a node without a diagonal block acts on others */

  pc_problem_node* node; /* node_count */
  unsigned char* bare;   /* node_count: the diagonal block is zero */
  unsigned char* late;   /* node_count: see block_lu.h; its rows may depend on others */
  double* mass;          /* node_count: m_k, scaled, close to one */
  double* weight;        /* node_count: s_k */
  int beta;              /* the exponent: the power itself may be beyond all numbers */
  pc_block_matrix A;     /* scaled */
  double* b;             /* rows, scaled */
  double load;           /* of contacts: the largest s_k m_k |b_k| */
  double speed;          /* of contacts: the largest free velocity, over beta */

  double tolerance;
  int max_iterations; /* of one solver */

  double* z; /* rows: the answer at hand */
  double* y; /* rows: A z + b, wherever a function says so */

  double* best; /* rows */
  double best_residual;
  pc_method best_by;
  int iterations; /* of all solvers */
} pc_island;

/* Which nodes make up the islands of a problem: those of island i are
 * member[first[i]] ... member[first[i + 1] - 1], increasing. */
typedef struct pc_islands {
  int count;
  int* first;  /* count + 1 */
  int* member; /* node_count */
  int* local;  /* node_count: a node's number within its island */
} pc_islands;

/* Connected components; arrays come from the arena. PC_OUT_OF_MEMORY. */
pc_status pc_find_islands(const pc_problem* problem, pc_arena* arena, pc_islands* islands);

/* Island i in scaled form, with `guess` in z (zero where it is of no use). PC_OUT_OF_MEMORY. */
pc_status pc_island_extract(const pc_problem* problem, const pc_islands* islands, int i,
                            const double* guess, pc_arena* arena, pc_island* island);

/* Copies the best answer into z of the problem. Where that is beyond the range of numbers, or loses
 * digits, the best residual becomes that of the z that is given. */
void pc_island_unscale(pc_island* island, const pc_problem* problem, const pc_islands* islands,
                       int i, double* z);

/* Orders the nodes for factorisations of matrices with the pattern of A. PC_OUT_OF_MEMORY. */
pc_status pc_island_analyse(pc_island* island);

/* Sweeps of Gauss-Seidel that cost about as much as one factorisation, within limits; the nodes
 * have been ordered. */
enum { PC_SWEEPS_MIN = 30, PC_SWEEPS_MAX = 1000 };
int pc_island_sweeps_of_factorisation(const pc_island* island);

/* y = A z + b. */
void pc_island_dual(pc_island* island);

/* The residual of z; y has to be up to date. */
double pc_island_residual(const pc_island* island);

/* The part of it that is relative to impulses: where these are large, as under a heavy body, it
 * tells earlier that a solution is near. */
double pc_island_impulse_residual(const pc_island* island);

/* Computes y. What z leaves of the laws of the contacts, the largest natural map; over beta
 * [impulse]. */
double pc_island_violation(pc_island* island);

/* Computes y and the residual of z, and keeps it as the best if it is better. */
double pc_island_offer(pc_island* island, pc_method by);

/* The best so far meets the tolerance. */
static inline int pc_island_done(const pc_island* island)
{
  return island->best_residual <= island->tolerance;
}

/* Puts the best answer into z. */
void pc_island_take_best(pc_island* island);

static inline int pc_island_size(const pc_island* island, int k)
{
  return island->A.row[k + 1] - island->A.row[k];
}

/* Numbers in all blocks of A, which are stored one after the other. */
static inline size_t pc_island_entry_count(const pc_island* island)
{
  size_t count = 0;
  for (int k = 0; k < island->node_count; k++)
    for (int e = island->A.start[k]; e < island->A.start[k + 1]; e++)
      count += (size_t)(pc_island_size(island, k) * pc_island_size(island, island->A.column[e]));
  return count;
}

static inline int pc_island_is_contact(const pc_island* island, int k)
{
  return island->node[k].kind == PC_NODE_CONTACT;
}

#endif
