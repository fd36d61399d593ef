/* What the two ways to follow the central path share: the quick one (ipm.c), and the one that
 * follows it round its turning points (ipm_path.c). Equations: see ipm.c. */
#ifndef PC_SOLVE_IPM_H
#define PC_SOLVE_IPM_H

#include "linalg/pivoting_lu.h"
#include "solve/island.h"

typedef struct pc_ipm {
  pc_island* s;
  int first; /* iterations of the island before this method, which has up to max_iterations more */
  pc_block_matrix K; /* the arrays of A, values of its own */
  double* r;         /* rows: D^-1 z */
  double* u;         /* rows of contacts */
  double* g;         /* friction rows of contacts: the derivative of |w_F| by w_F */
  double* defect;    /* rows of contacts: u - w - |w_F| e_N */
  double* scratch;   /* rows */
  double* rhs;       /* rows: of a linear system, and what its answer leaves of it */

  int is_on_path; /* the last digits come from proximal problems */

  pc_pivoting_lu* pivoting; /* NULL until the factors by blocks were inaccurate */
  int is_pivoted;           /* it has factors of the present matrix */
  int is_singular;          /* it refused a matrix of this island and is not asked again */
} pc_ipm;

/* A direction in (r, u). */
typedef struct pc_ipm_direction {
  double* r; /* rows */
  double* u; /* rows of contacts */
} pc_ipm_direction;

/* Rows of the cone of node k: all of a contact, or the normal one where there is no friction; none
 * of an equality node. */
static inline int pc_ipm_cone_size(const pc_island* s, int k)
{
  if (!pc_island_is_contact(s, k)) return 0;
  return s->node[k].mu > 0 ? pc_island_size(s, k) : 1;
}

/* z = D r. */
void pc_ipm_put_answer(pc_ipm* ipm);

/* Impulses `start` on the axes of the cones, with the dual of the island up to date. */
void pc_ipm_begin(pc_ipm* ipm, double start);

/* The guess and its dual, moved to the inside of the cones by `margin`. */
void pc_ipm_begin_warm(pc_ipm* ipm, const double* guess, double margin);

/* g and the defect at (r, u) with |w_F| replaced by sqrt(|w_F|^2 + square); the dual of the island
 * is up to date. */
void pc_ipm_evaluate(pc_ipm* ipm, double square);

/* Builds and factors the matrix at (r, u, g). Returns 0 if that is not possible. */
int pc_ipm_factor(pc_ipm* ipm);

/* Solves  du - G D A D dr = rho,  Arw(u) dr + Arw(r) du = kappa  at contacts and  A D dr = kappa
 * at equality nodes. `to->r` holds kappa and receives dr. */
void pc_ipm_solve_direction(pc_ipm* ipm, const double* rho, pc_ipm_direction* to);

/* The longest step of (r, u) along a direction within all cones. */
double pc_ipm_step_to_boundary(const pc_ipm* ipm, const pc_ipm_direction* along);

/* (r, u) += step * along. */
void pc_ipm_move(pc_ipm* ipm, const pc_ipm_direction* along, double step);

/* to = Arw(x) v, n components. */
void pc_ipm_arrow_times(int n, const double* x, const double* v, double* to);

/* Offers the present answer, and once it is near enough what Newton's method makes of it;
 * `threshold` is the residual from which this is tried. Returns whether the island is done or
 * cannot go on; the dual of the island is up to date. */
int pc_ipm_offer(pc_ipm* ipm, double* threshold, pc_status* status);

/* Where `threshold` begins. */
#define PC_IPM_NEAR 1e-4

/* How a path is followed. It ends where the residual is at most `sufficient`, too. */
typedef struct pc_ipm_path {
  double start;     /* impulses on the axes of the cones that it begins with; 0: z, moved inside */
  double margin;    /* ... by this much */
  double closeness; /* of an iterate to the path before the next step, relative to the gap */
  int limit;        /* iterations */
  double sufficient;
} pc_ipm_path;

/* Follows the central path from its start through all its turns. */
pc_status pc_ipm_follow_path(pc_ipm* ipm, const pc_ipm_path* how);

#endif
