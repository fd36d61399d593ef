/* The nonlinear implicit problem: find x and percussions P such that
 *
 *     F(x, P) = 0                                        smooth, x_count equations
 *     y_r(x) = 0                                         bilateral rows
 *     0 <= y_N  _|_  P_N >= 0                            each contact
 *     y_F in the normal cone of the ball B(mu P_N) at -P_F
 *
 * y is whatever a scheme puts there: a gap, xi_N, a constraint of position or velocity. It solves
 * by semismooth Newton in active-set form: a law is two or three rows and a switch,
 *
 *     open    P_N = 0, P_F = 0                           r_N y_N - P_N > 0
 *     closed  y_N = 0, and P_F = 0 while P_N <= 0        else
 *     stick   y_F = 0                                    |r_F y_F - P_F| <= mu P_N
 *     slip    P_F + mu P_N p/|p| = 0, p = r_F y_F - P_F  else
 *
 * so that r decides on the branch and on the path, not on what is solved (RATTLE, section 4): where
 * the slip row holds, p/|p| is y_F/|y_F|. Written with p it is less curved than with y_F, and
 * Newton needs fewer steps where the slip turns (tippedisk: 2.00 instead of 2.20). Each Newton step
 * is condensed to the percussions of the rows that act: with the factorised tangent A = dF/dx, F_P
 * = -W and the gradients G = dy/dx,
 *
 *     dx = -A^-1 (F - W dP),        y + G dx = (y - G A^-1 F) + D dP,       D = G A^-1 W.
 *
 * Where rows of D depend on each other (four legs on a floor) the percussions are not unique: the
 * system is then solved by a rank-revealing factorisation that changes P as little as it has to.
 *
 * The order of methods: Newton; if the active set repeats itself, or after too many steps,
 * complementarity steps, in which the linearised contact problem is solved as a whole by the
 * contact solvers (Josephy-Newton). What does not converge says so. */
#ifndef PC_IMPLICIT_IMPLICIT_STEP_H
#define PC_IMPLICIT_IMPLICIT_STEP_H

#include "linalg/assembly.h"
#include "linalg/block_matrix.h"
#include "linalg/row.h"
#include "solve/dense.h"

/* What the residual of an iterate is compared with. */
typedef struct pc_implicit_sizes {
  double floor; /* a residual that round-off forbids to fall below; 0 if none */
  /* the largest term of F: the residual is to be well below it, too, where the problem does not
   * measure its equations one by one; 0: no matter */
  double scale;
  double speed; /* the largest velocity at hand [m/s] */
} pc_implicit_sizes;

/* The unknowns and rows of a problem as nodes of a graph: groups of unknowns that belong together
 * (a body at all stages) and units of rows (a joint or a contact at all stages). */
typedef struct pc_implicit_graph {
  int group_count;
  const int* size;  /* group_count: unknowns of each */
  const int* group; /* x_count: of each unknown, */
  const int* place; /* and its row in a block matrix whose first nodes are the groups */
  int edge_max;     /* of the tangent */
  int stiff;        /* groups are coupled by more than the curvature of rows */
  int unit_count;
  /* row_count: of each row. Gradients and columns of a unit's rows lie in the same groups */
  const int* unit;
} pc_implicit_graph;

/* How much the residuals of a problem count. */
typedef struct pc_implicit_measure {
  const double* F_weight; /* x_count, or NULL: what an entry of F counts in the residual, ... */
  const double* F_noise;  /* ... once it is above this, which round-off leaves; or NULL */
  const double* P_weight; /* contact_count, or NULL: the same for its percussions */
  const double* y_unit;   /* row_count, or NULL: what makes a velocity of y, 1/s for a length */
  /* With F_excess, row_count: a position y counts in the residual as y times this times the largest
   * velocity, so that it is as small a share of the length of the model; 0 of velocities. NULL: y
   * counts as it is. */
  const double* y_per_length;
  double own_per_length; /* the same for the equations that the problem solves by itself, or 0 */

  /* What is left at the iterate that was evaluated last, in units of what may be, so that it is
   * `share` of its own terms, or round-off: the largest of F where that is above 1, else 0; and,
   * after that, the same for what is left of one row, and for the percussion of a row that is to
   * have none. This is asked for besides the tolerance, as long as iterations bring the residual
   * down. NULL: it is not. */
  double (*F_excess)(void* user, const double* F, double share);
  double (*y_excess)(void* user, int row, double left, double share);
  double (*P_excess)(void* user, int row, double P, double share);
} pc_implicit_measure;

/* A problem, as a scheme gives it. The iterate x belongs to the scheme (`user`), which may carry
 * further unknowns that follow from x: it is told to evaluate, to linearise, and to advance. */
typedef struct pc_implicit_problem {
  int x_count;
  int row_count; /* of P and y */
  int bilateral_count;
  const int* bilateral; /* rows */
  int contact_count;
  const pc_cone* cone;
  const unsigned char* may_close; /* per contact, or NULL: all may */
  double tie;                     /* a contact without percussion is closed where y_N <= tie */
  pc_implicit_measure measure;
  int linear; /* tangent, columns and gradients are the same at all iterates of a solve */
  void* user;

  /* F (x_count) and y (row_count) at the iterate. Returns the largest residual of equations that
   * the problem solves by itself. */
  double (*evaluate)(void* user, const double* P, double* F, double* y);
  /* At the iterate that was evaluated last; few are asked for them. */
  pc_implicit_sizes (*sizes)(void* user);

  /* Linearises at the iterate that was evaluated last; `tangent` is factorised afterwards, or,
   * where `blocks` is not NULL, added to the nodes of the groups there. F and y (for which `acts`
   * is set; NULL: for all) receive what further unknowns add when their own equations are fulfilled
   * to first order. */
  pc_status (*linearise)(void* user, const double* P, const unsigned char* acts, double* F,
                         double* y, pc_block_matrix* blocks, pc_error* error);
  const pc_assembly* tangent; /* NULL: by blocks only */

  /* At another iterate, close to the one that was linearised last: tangent, columns and gradients
   * of all rows for which `acts` is set stay those of there, and y receives what linearise would
   * add. Returns 0 where linearise has to be called. NULL: always. */
  int (*keep_linear)(void* user, const double* P, const unsigned char* acts, double* y);

  /* The edges of the tangent in the graph, some of them more than once; returns how many. */
  const pc_implicit_graph* graph;
  int (*edges)(const void* user, const double* P, pc_edge* edge);

  pc_row (*column)(const void* user, int row);   /* of W = -dF/dP */
  pc_row (*gradient)(const void* user, int row); /* of y */

  /* x += scale dx, and what follows from it, to first order about the iterate that was linearised
   * last. */
  void (*advance)(void* user, double scale, const double* dx);

  /* Keeps the iterate, with all that follows from x, in one of two slots, and puts it back. */
  void (*keep)(void* user, int slot);
  void (*put_back)(void* user, int slot);
} pc_implicit_problem;

typedef struct pc_implicit_settings {
  double tolerance; /* on the maximum norm of the residual as it is weighted, strictly below, */
  double share;     /* and, where the problem has limits for each equation, relative to the terms of
                 * each, and of the largest */
  int max_iterations;
  double r;           /* of all laws; 0: the inverse of the Delassus diagonal of each */
  const char* solver; /* of complementarity steps; NULL: by size and friction dimension */
  double solver_tolerance;
  /* what an answer may lack to be used, as a share of the velocities at hand and of the
   * percussions over the masses they move */
  double acceptance;
  int dense_max; /* rows that act up to which a Newton step is condensed to a dense system; 0: any
                  * number */
} pc_implicit_settings;

/* The default of schemes for `dense_max`. Measured on pendulum chains, see
 * docs/solvers/implicit-step.md. */
enum { PC_IMPLICIT_DENSE_MAX = 60 };

typedef struct pc_implicit_info {
  int converged;
  int accepted;   /* converged, or good enough by the acceptance limit */
  int iterations; /* Newton steps; 0 if the start was good enough */
  int switched;   /* complementarity steps were needed */
  int redundant;  /* rows beyond the rank in the last step */
  double residual;
  double left; /* accepted, not converged: what is left, as a share of velocities and impulses */
} pc_implicit_info;

typedef struct pc_implicit_step pc_implicit_step;

/* Memory for problems up to the given sizes. `friction` is the largest dimension. */
pc_status pc_implicit_step_create(int x_max, int row_max, int contact_max, int friction,
                                  const pc_implicit_settings* settings, pc_implicit_step** into,
                                  pc_error* error);
void pc_implicit_step_destroy(pc_implicit_step* s); /* NULL is fine */

/* P (row_count) holds a guess and receives the answer. PC_OK also where it did not converge:
 * `info->converged` tells; an error is what makes going on impossible. Memory grows with the
 * largest set of active rows and with the first complementarity step; otherwise nothing is
 * allocated. */
pc_status pc_implicit_step_solve(pc_implicit_step* s, const pc_implicit_problem* problem, double* P,
                                 pc_implicit_info* info, pc_error* error);

/* All that a solve leaves for the next: r of each contact, contact_max for the normals and as many
 * for the friction; 0: not known yet. To be kept with a state that is to go on with the same
 * bits. */
double* pc_implicit_step_memory(pc_implicit_step* s);

/* After a solve: whether contact k is closed. */
int pc_implicit_step_is_closed(const pc_implicit_step* s, int k);

/* By how much contact k violates its laws at y and P, in units of y: the natural map divided by r.
 * 0 for contacts that never acted. */
double pc_implicit_step_normal_violation(const pc_implicit_step* s, const pc_cone* cone, int k,
                                         const double* y, const double* P);
double pc_implicit_step_friction_violation(const pc_implicit_step* s, const pc_cone* cone, int k,
                                           const double* y, const double* P);

#endif
