/* Derivatives of a system's terms through the stages of a Runge-Kutta scheme.
 *
 * The unknowns are m increments of velocity w_1 ... w_m (n_u each, one after the other). The
 * velocity of a stage is V = u + sum_l v_l w_l; its coordinates Q follow from the kinematics of all
 * stages. What a term changes with Q is asked for in velocity space: a change of q that the
 * velocities can bring about is dq = B dtheta, and dtheta = sum_l T_l dw_l. For parts with q' = u,
 * T_l is a number c_l times the identity; others have small matrices of their own.
 *
 * That is enough since no term changes along directions that B does not reach: a rotation does not
 * depend on the length of its quaternion. */
#ifndef PC_SYSTEM_STAGES_H
#define PC_SYSTEM_STAGES_H

#include "linalg/assembly.h"
#include "linalg/block_matrix.h"
#include "system/terms.h"

/* How one stage moves with the unknowns. */
typedef struct pc_stage_motion {
  int m;
  const double* v;        /* m: dV/dw_l = v_l I */
  const double* c;        /* m: T_l = c_l I of parts with q' = u [s]; NULL: Q is given */
  const int* own;         /* per part: its number among parts with kinematics of their own, or -1 */
  const double* const* B; /* of those parts: n_q x n_u */
  const double* const* T; /* of those parts: m matrices n_u x n_u, one after the other */
  const double* theta;    /* n_u: the kinematic defect of Q is B theta; NULL: none */
} pc_stage_motion;

/* out (m runs of the row's own width) += scale d y_r / dw for a row of position. */
void pc_terms_add_position_row(const pc_terms* terms, int row, const pc_stage_motion* motion,
                               double scale, double* out);

/* slope (the row's own width) = d(W_r . V + chi_r)/dtheta with the velocities V of the stage. */
void pc_terms_velocity_slope(const pc_terms* terms, int row, const pc_stage_motion* motion,
                             const double* V, double* slope);

/* out (m runs of the row's own width) += scale d(W_r . V + chi_r)/dw, with that slope; NULL where Q
 * is given. */
void pc_terms_add_velocity_row(const pc_terms* terms, int row, const pc_stage_motion* motion,
                               const double* slope, double scale, double* out);

/* The number of velocities that a row touches. */
int pc_system_row_width(const pc_system* system, int row);

/* The element that a row belongs to. */
int pc_system_row_element(const pc_system* system, int row);

/* The matrix of m stages, order m n_u: block (j, l) is
 *
 *     delta_jl M - f_j v_jl h_u + ((M w_j)_q - f_j h_q - (W P_j)_q) B T_jl
 *
 * with all terms at stage j. The bracket is left out at a stage whose Q is given (motion.c is
 * NULL), as it is at the first stage of a Runge-Kutta scheme.
 *
 * In momentum form (stage.L) equation j has the momenta of all stages, sum_i L_ji p_i, instead of
 * M_j w_j: block (j, l) is
 *
 *     sum_i L_ji (v_il M_i + (p_i)_q B T_il) - f_j v_jl h_u - (f_j h_q + (W P_j)_q) B T_jl. */
typedef struct pc_stage_tangent pc_stage_tangent;

typedef struct pc_stage_at {
  const pc_terms* terms; /* M, h_u; where Q moves also Ma_q with a = w_j (or p_q), h_q, W_q */
  double f;              /* b_j dt; 0 with P = NULL: there are no forces in the equation */
  const double* P;       /* rows: percussions of the stage, or NULL */
  const pc_stage_motion* motion;
  const double* L; /* m, in momentum form; else NULL */
} pc_stage_at;

/* `moves`: the coordinates of some stage move with the unknowns. */
pc_status pc_stage_tangent_create(const pc_system* system, int m, int moves,
                                  pc_stage_tangent** tangent, pc_error* error);
void pc_stage_tangent_destroy(pc_stage_tangent* tangent); /* NULL is fine */

/* The matrix itself: filled and factorised by the next function. */
const pc_assembly* pc_stage_tangent_matrix(const pc_stage_tangent* tangent);

/* Fills and factorises; F (m n_u) += what the kinematic defect adds to the equations. */
pc_status pc_stage_tangent_factor(pc_stage_tangent* tangent, const pc_stage_at* stage, double* F);

/* The same matrix by dense blocks, for systems of many bodies.
 *
 * A group is a run of velocities of which no element sees a part only: a body, a node of a beam.
 * Its unknowns at all stages are one node of a block matrix. Contacts couple bodies by the
 * curvature of their rows, (W P)_q, where they have a percussion at a stage whose coordinates move,
 * and only then they are in the pattern: it follows the contacts that act, not those that are
 * listed. */
typedef struct pc_stage_blocks {
  const pc_system* system;
  int m;
  int moves; /* the first stage whose coordinates move with the unknowns; m: none does */
  int loads; /* stages with percussions */
  int group_count;
  int* first; /* group_count + 1: the first velocity of each group */
  int* size;  /* group_count: unknowns of each, m times its velocities */
  int* group; /* m n_u: of each unknown */
  /* m n_u: its row among the groups' rows, which are group by group, then stage by stage */
  int* place;
  int edge_max; /* how many edges there can be */
  int stiff;    /* some groups are coupled by mass, stiffness or damping */

  /* How it is done: */
  struct pc_patch_work* work;
  int* touched; /* groups of one element */
  int *fixed,
      *loaded; /* elements that always couple; those that do so while they have a percussion */
  int fixed_count, loaded_count;
  pc_edge* fixed_edge;
  int fixed_edge_count;
} pc_stage_blocks;

pc_status pc_stage_blocks_create(const pc_system* system, int m, int moves, int loads,
                                 pc_stage_blocks** blocks, pc_error* error);
void pc_stage_blocks_destroy(pc_stage_blocks* blocks); /* NULL is fine */

/* The edges between groups with percussions P (loads x rows of the system), some more than once.
 * Returns how many there are. */
int pc_stage_blocks_edges(const pc_stage_blocks* blocks, const double* P, pc_edge* edge);

/* Adds the matrix to the first nodes of a block matrix, whose pattern has those edges for the
 * percussions of all stages together; F (m n_u) += what the kinematic defect adds to the
 * equations. */
void pc_stage_blocks_add(const pc_stage_blocks* blocks, const pc_stage_at* stage, double* F,
                         pc_block_matrix* matrix);

#endif
