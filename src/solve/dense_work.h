/* What the dense solvers share: one scaled problem, one current answer, the best answer so far.
 *
 * A contact k is scaled by a power of two s_k close to sqrt(m_k), and all velocities by another
 * power of two beta, so that the blocks of A and the largest entry of b are of order one:
 *
 *     A^_kj = s_k A_kj s_j,   b^_k = s_k b_k / beta,   P_k = beta s_k P^_k,   y_k = beta y^_k / s_k
 *
 * Powers of two leave every mantissa as it was. So a symmetric mechanism stays symmetric to the
 * last bit, and the residual of the scaled problem is that of the given one. */
#ifndef PC_SOLVE_DENSE_WORK_H
#define PC_SOLVE_DENSE_WORK_H

#include <stddef.h>

#include "solve/constants.h"
#include "solve/contact.h"
#include "solve/contact_mode.h"
#include "solve/dense.h"

enum { PC_MODES_TRIALS = 3 };

/* Modes of all contacts and the linear system that goes with them; a contact without friction
 * counts as slipping with mu = 0 (dense_modes.c). */
typedef struct pc_modes {
  pc_contact_mode* mode; /* contacts */
  int* unknowns;         /* contacts: how many of its percussions are unknown */
  double* direction;     /* rows: t in the friction rows of a slipping contact */
  double* K;             /* rows x rows: factors of the system */
  double* rhs;           /* rows */
  double* full;          /* rows: an equation before it is reduced to the unknowns */
  int* row_order;        /* rows: which row of the system stands where in the factors */
  int* column_order;     /* rows */
  double r;              /* of the prox step that chooses the next modes, in units of m_k */
  int trials;            /* values of r that an attempt tries, up to PC_MODES_TRIALS */
  int attempt_rounds;    /* of an attempt between sweeps */
  int stagnation_max;    /* rounds of a search in a row that need not halve the residual */
  int frozen;            /* slip directions do not turn: P_N is the only unknown of every slip */
  int size;              /* unknowns */
  int rank;
} pc_modes;

typedef struct pc_work {
  int row_count;
  int contact_count;
  const pc_cone* cone;
  double* A;          /* rows x rows, scaled */
  double* b;          /* rows, scaled */
  double* mass;       /* contacts: m_k, scaled, close to one */
  double* weight;     /* contacts: s_k */
  double* row_weight; /* rows: the same */
  double load;        /* the largest s_k m_k |b_k| */
  double speed;       /* the largest |b_k|, over beta */
  double beta;

  double tolerance;
  int max_iterations;

  double* P; /* rows: the answer at hand */
  double* y; /* rows: A P + b, wherever a function says so */

  double* best; /* rows */
  double best_residual;
  pc_method best_by; /* meaningless before an offer */
  int iterations;

  pc_modes modes;
} pc_work;

/* A solver: starts from work->P and offers what it finds. `scratch` tells how many bytes `solve`
 * is to be given for problems up to a size; it may be NULL if none. */
typedef struct pc_dense_ops {
  const char* name;
  int max_dimension;
  size_t (*scratch)(int row_max, int contact_max);
  void (*solve)(pc_work* work, void* scratch);
} pc_dense_ops;

extern const pc_dense_ops pc_dense_lemke;
extern const pc_dense_ops pc_dense_enumeration;
extern const pc_dense_ops pc_dense_nsgs;
extern const pc_dense_ops pc_dense_prox;

/* --- dense_residual.c --- */

/* The natural map of one contact in the maximum norm; P and y are its 1 + dimension entries. */
double pc_natural_map(const pc_cone* cone, double mass, const double* P, const double* y);

/* Fills the scaled problem, and P from the guess (zero where the guess is of no use). Returns 0,
 * and leaves nothing to solve, if A or b hold something that is not a finite number. */
int pc_work_scale(pc_work* work, const pc_dense_problem* problem, const double* guess);

/* y = A P + b. */
void pc_work_velocity(pc_work* work);

/* The residual of work->P; y has to be up to date. */
double pc_work_residual(const pc_work* work);

/* Computes y and the residual of work->P, and keeps it as the best if it is better. */
double pc_work_offer(pc_work* work, pc_method by);

/* The best so far meets the tolerance. */
int pc_work_done(const pc_work* work);

/* --- dense_modes.c --- */

/* Semismooth Newton on the modes: from work->P up to `rounds` times {modes -> linear system -> P};
 * offers each P under the name `by`. Ends early at round-off or if the modes repeat. Returns the
 * best residual it met. */
double pc_modes_search(pc_work* work, int rounds, pc_method by);

/* Solves the linear system of the modes as they are, starting at work->P, and offers the answer.
 * Undetermined percussions keep what they have in work->P. */
double pc_modes_solve(pc_work* work, pc_method by);

/* A search from an iterate that is worth keeping: offers what it finds and leaves work->P as it
 * was. `keep` has space for all rows. Does nothing for problems that are too large to factor. */
void pc_modes_attempt(pc_work* work, int rounds, pc_method by, double* keep);

#endif
