/* The inside of the implicit step, for its files. */
#ifndef PC_IMPLICIT_INSIDE_H
#define PC_IMPLICIT_INSIDE_H

#include <stdint.h>

#include "implicit/implicit_step.h"
#include "solve/contact_mode.h"

/* The rank of a system is found relative to this share of its largest pivot: the rows are scaled to
 * a unit diagonal, and what two redundant rows differ by is round-off. */
#define PC_IMPLICIT_RANK_SHARE 1e-11

/* Iterations of which the active set is remembered. */
enum { PC_IMPLICIT_HISTORY = 16 };

/* The laws of the contacts: their branches, what decides on them, and what is remembered of them in
 * a solve. */
typedef struct pc_implicit_laws {
  pc_contact_mode* mode;              /* contacts */
  double* r_N;                        /* contacts; 0: never needed so far */
  double* r_F;                        /* contacts; stands behind r_N */
  double r_factor;                    /* they are so many times what the Delassus diagonal gives */
  double* G_F;                        /* contacts: largest Delassus diagonal of the friction rows */
  double* slip;                       /* contacts x 3: direction, where the branch is slip ... */
  double* trial_friction;             /* ... and |r_F y_F - P_F| */
  unsigned char* has_r;               /* contacts: r belongs to this solve; of sparse steps */
  unsigned char* was_closed;          /* contacts: closed once in this solve */
  unsigned char* opened;              /* contacts: opened once in this solve, ties are over */
  uint64_t seen[PC_IMPLICIT_HISTORY]; /* active sets so far */
  int seen_count;
} pc_implicit_laws;

/* The rows that act: bilateral ones, and those of closed contacts. */
typedef struct pc_active_rows {
  int closed_count;
  int* closed; /* contacts */
  int count;
  int* row;            /* rows */
  unsigned char* acts; /* rows */
  int* place;          /* rows: where a row stands among the active ones, -1 */
} pc_active_rows;

/* A Newton step condensed to the percussions that act, K dP = b with dense matrices. */
typedef struct pc_condensed_system {
  int* row;       /* those for which X and D were made last ... */
  int row_count;  /* ... or -1 */
  double* X;      /* active x x_count: A^-1 W */
  double* D;      /* active x active */
  double* K;      /* active x active: the system of the active set, then its factors */
  double* copy;   /* active x active: of K, where it turns out to be singular */
  double* weight; /* active */
  double* b;      /* active: y - G A^-1 F; then the unknowns */
  double* work;   /* active */
  int* pivot;     /* active */
  int row_max;    /* so many rows have space in X, D, K and copy */
} pc_condensed_system;

struct pc_implicit_step {
  pc_implicit_settings settings;
  double tolerance; /* on the residual of the problem at hand, */
  double pace;      /* and the largest velocity in it as it began [m/s] */
  int x_max, row_max, contact_max, friction;

  const pc_implicit_problem* problem; /* of the solve at hand */
  double* F;                          /* x */
  double* y;                          /* rows */
  double* y_there;                    /* rows: y at the iterate, before linearisation corrects it */
  double* dx;                         /* x */
  double* P_start;                    /* rows: P of the first iterate */
  double* dP;                         /* rows */
  double* trial; /* 2 rows: P before a step that is tried; P where all has failed */
  double own;    /* residual of what the problem solves by itself, at the iterate */
  double strict; /* residual of the laws and of what the problem solves by itself, at the iterate */
  double smooth; /* residual of F and of what the problem solves by itself, at the iterate */
  int redundant; /* rows beyond the rank in the last step */
  int held;      /* contacts keep their percussions in the step at hand: see hold_joints */

  pc_implicit_laws laws;
  pc_active_rows active;
  pc_condensed_system dense;
  struct pc_saddle* saddle; /* steps with more rows; made when the first is met */
  pc_solver* solver;        /* of complementarity steps; NULL without contacts */
  int linear_solved;        /* it has met its tolerance in the last one */
};

/* --- laws.c --- */

/* Chooses the branch of every contact at (y, P). */
void pc_implicit_choose(pc_implicit_step* s, const double* P);

/* The largest residual of bilateral rows and laws on the branches chosen. */
double pc_implicit_law_residual(const pc_implicit_step* s, const double* P);

/* How far the laws are from being fulfilled, in units of y times y_unit: the natural map divided by
 * r, which does not jump where a contact changes its branch. */
double pc_implicit_law_merit(const pc_implicit_step* s, const double* P);

/* The largest percussion over the mass that it moves, as a velocity. */
double pc_implicit_percussion_speed(const pc_implicit_step* s, const double* P);

/* Whether the branches are those of the iterate at which the last Newton step was linearised. */
int pc_implicit_same_branches(const pc_implicit_step* s);

/* Whether the active set has been met in this solve, before the last iteration; notes it. */
int pc_implicit_repeats(pc_implicit_step* s);

/* --- measure.c --- */

/* What is left of the equations at the iterate, in units of what may be left by their own terms or
 * round-off: the largest that is above 1, or 0; `whole`: of all of them, else it ends with the
 * first. */
double pc_implicit_excess(pc_implicit_step* s, const double* P, int whole);

/* --- newton_step.c --- */

/* Lists the rows that act on the branches chosen. */
void pc_implicit_list_active(pc_implicit_step* s);

/* Open contacts lose their percussions at once: dP is that, and zero else; F is told. */
void pc_implicit_drop_percussions(pc_implicit_step* s, const double* P);

/* Whether X and D are those of the rows listed in `active`. */
int pc_implicit_is_condensed(const pc_implicit_step* s);

/* dP and dx of a Newton step on the branches chosen; `known`: with X and D as they are. */
void pc_implicit_newton_step(pc_implicit_step* s, const double* P, int known);

/* A power of two close to 1/sqrt(|d|), so that scaling leaves every mantissa as it is. */
double pc_implicit_unit_weight(double d);

/* A^-1 W, D (unless they are known) and y - G A^-1 F for the rows listed in `active`; dx = A^-1
 * F. */
void pc_implicit_condense(pc_implicit_step* s, int known);

/* r of the contacts that act, from the diagonal of D: one for the normal, one for all of the
 * friction. */
void pc_implicit_choose_r(pc_implicit_step* s);

/* dx = -A^-1 (F - W dP) from what was condensed. */
void pc_implicit_finish_step(pc_implicit_step* s);

/* Solves K x = b, n unknowns, row-major; b receives x. Singular systems by least change. */
void pc_implicit_solve_dense(pc_implicit_step* s, int n, double* b);

/* --- sparse_step.c --- */

/* Linearises and finds dP and dx of a Newton step on the branches chosen, as one sparse system. */
pc_status pc_implicit_sparse_step(pc_implicit_step* s, const double* P, pc_error* error);

/* --- saddle.c --- */

void pc_implicit_saddle_destroy(struct pc_saddle* saddle); /* NULL is fine */

/* --- complementarity_step.c --- */

/* Linearises and finds dP and dx of a step that solves the linearised contact problem as a
 * whole. */
pc_status pc_implicit_complementarity_step(pc_implicit_step* s, const double* P, pc_error* error);

#endif
