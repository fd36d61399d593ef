/* The terms of a frozen system at one point (t, q, u): what a scheme asks for, and nothing more.
 *
 * A scheme makes a `pc_terms` for a mask once and evaluates it as often as it likes. The memory is
 * made here, at creation: an evaluation does not allocate. Terms belong to one thread. */
#ifndef PC_SYSTEM_TERMS_H
#define PC_SYSTEM_TERMS_H

#include "base/memory.h"
#include "linalg/assembly.h"
#include "linalg/row.h"
#include "system/element.h"

/* Where the terms are evaluated. `u` may be NULL for terms without velocity (zeros are used);
 * `a` is needed by Ma_q alone. */
typedef struct pc_at {
  double t;
  const double* q; /* n_q */
  const double* u; /* n_u */
  const double* a; /* n_u */
} pc_at;

/* The elements to evaluate, once what is constant is known. */
typedef struct pc_terms_asked {
  int count;
  int* element;
  int* place;               /* of each in `local` */
  pc_local* local;          /* a copy of their own, less what is constant; or one for many */
  unsigned char* rows_only; /* they are asked for rows alone, and write them where they belong */
  int bodies;               /* the first so many are rigid bodies that are asked for energies, */
  double (*energy)[3];      /* which threads evaluate: of each of them; NULL: there are few */
} pc_terms_asked;

/* The elements that have memory of their own: matrices, rows, or what `prepare` made. */
typedef struct pc_terms_own {
  int elements; /* of the system, without found contacts */
  int count;
  int* place; /* by element: where its `local` is, -1: it has none */
} pc_terms_own;

/* The order of the largest M of which the diagonal alone may be kept: that of a body in space. */
enum { PC_THIN_MOST = 6 };

/* The elements with M. Of bodies about their centres, whose M never changes and is diagonal, there
 * are many: their diagonals lie one after the other, the matrices of others in their `local`. */
typedef struct pc_terms_mass {
  int count;
  int* element;
  unsigned char*
      diagonal; /* by element of the system: M never changes and has nothing off its diagonal */
  int* thin; /* by element: where its diagonal begins, -1: it is not kept like that; NULL: no M */
  double* entry; /* the diagonals */
} pc_terms_mass;

/* What an evaluation works with. */
typedef struct pc_terms_work {
  double* h_fixed; /* n_u: the part of h that never changes; NULL: all of it, or no h */
  double* scratch; /* gathered q, u, a of one element, and what it gives before it is scattered */
  double* q_dot;   /* n_q, with PC_TERM_ZETA */
  /* zeros in place of a missing u or a, as many as an element has at most; n_u with
   * PC_TERM_ZETA */
  double* zero;
  double M[PC_THIN_MOST * PC_THIN_MOST]; /* of an element whose diagonal alone is kept */
} pc_terms_work;

/* Found contacts, whose `local` are behind those of the elements that have one. */
typedef struct pc_terms_found {
  size_t row_capacity, local_capacity, pool_capacity;
  double* pool; /* their W and W_q */
} pc_terms_found;

typedef struct pc_terms {
  const pc_system* system;
  unsigned mask;
  double* h;    /* n_u (with PC_TERM_H), else NULL */
  double* f;    /* n_u: the part of h that does work which T + V do not know of (with PC_TERM_F) */
  double* p;    /* n_u: the momentum (with PC_TERM_P and PC_TERM_M), else NULL */
  double* y;    /* rows: g and g_N; 0 for rows of velocity level */
  double* chi;  /* rows */
  double* zeta; /* rows: y'' = W . u' + zeta (with PC_TERM_ZETA), else NULL */
  double kinetic;
  double potential;
  double power; /* d(V - T)/dt of explicit time [W] */
  double
      supply; /* power of the elements whose f give energy, dampers left out [W] (with PC_TERM_F) */
  pc_row* row;     /* rows of W' (with PC_TERM_W), all of the system; see pc_terms_row */
  pc_local* local; /* where matrices of elements lie: see pc_terms_local */
  /* How it is done: */
  pc_terms_own own;
  pc_terms_asked asked;
  int evaluated;     /* constant terms are there already */
  int leaves_slopes; /* some element leaves derivatives for later */
  pc_terms_mass mass;
  pc_terms_work work;
  pc_turns turns; /* of the angles of bodies in the plane */
  pc_terms_found found;
  struct pc_deferred* deferred;    /* NULL: an evaluation leaves nothing for later */
  int deferred_from, deferred_end; /* with that: the rows that may be left */
  unsigned char* unasked; /* by row: one of them that nobody has asked for since the evaluation */
} pc_terms;

/* With PC_TERM_LATER an evaluation leaves derivatives (PC_TERM_SLOPES) of elements that can compute
 * them afterwards: they are those of an earlier point until pc_terms_evaluate_slopes is called.
 * Many an iterate is the solution, where nobody asks for them. Not together with PC_TERM_ZETA. */
pc_status pc_terms_create(const pc_system* system, unsigned mask, pc_terms** terms,
                          pc_error* error);
void pc_terms_destroy(pc_terms* terms); /* NULL is fine */

/* Fits the terms to the found contacts of the system (system/found.h) after these have changed.
 * What was evaluated of rows is lost. Allocates where there are more of them than ever before. */
pc_status pc_terms_refit(pc_terms* terms, pc_error* error);

/* The memory of W of found contacts and of its derivatives, for use until the next evaluation. */
pc_spare pc_terms_spare(const pc_terms* terms);

/* Evaluates all terms of the mask. Never fails: what is not finite shows in the numbers, and
 * `pc_find_not_finite` tells where it came from. */
void pc_terms_evaluate(pc_terms* terms, const pc_at* at);

/* The force h of one element alone, until the next evaluation. */
void pc_terms_evaluate_force(pc_terms* terms, int element, const pc_at* at);

/* What it has left of derivatives. */
void pc_terms_evaluate_left_slopes(pc_terms* terms);
static inline void pc_terms_evaluate_slopes(pc_terms* terms)
{
  if (terms->leaves_slopes) pc_terms_evaluate_left_slopes(terms);
}

/* From now on an evaluation leaves W and its derivatives of contacts until somebody asks for them
 * by pc_terms_row, pc_terms_row_velocity or one of the functions of derivatives below; `row` and
 * `chi` of a contact are not to be read without. The gap of a contact that is open by more than
 * `reach` [m] may be a lower bound, beyond `reach` as well: its user needs to know only that it is
 * open, or asks pc_terms_gap. What is evaluated has the same bits. */
pc_status pc_terms_defer(pc_terms* terms, double reach, pc_error* error);

/* Evaluates what is left of gaps and W; all may be read then. It does not count as being asked. */
void pc_terms_complete_left(pc_terms* terms);
static inline void pc_terms_complete(pc_terms* terms)
{
  if (terms->deferred) pc_terms_complete_left(terms);
}

/* y of a row, not a bound. */
void pc_terms_complete_gap(const pc_terms* terms, int row);
static inline double pc_terms_gap(const pc_terms* terms, int row)
{
  if (row >= terms->deferred_from && row < terms->deferred_end) pc_terms_complete_gap(terms, row);
  return terms->y[row];
}

/* A row of W'. */
void pc_terms_complete_row(const pc_terms* terms, int row);
static inline pc_row pc_terms_row(const pc_terms* terms, int row)
{
  if (row < terms->deferred_end && terms->unasked[row]) pc_terms_complete_row(terms, row);
  return terms->row[row];
}

/* Where the matrices W, M, h_q ... of an element lie; nowhere, if it is asked for none of them.
 * Found contacts have a place where derivatives of rows are asked for. */
static inline const pc_local* pc_terms_local(const pc_terms* terms, int element)
{
  static const pc_local nowhere = {0};
  const pc_terms_own* own = &terms->own;
  int place = element < own->elements ? own->place[element] : own->count + element - own->elements;
  return place >= 0 && (size_t)place < terms->found.local_capacity ? &terms->local[place]
                                                                   : &nowhere;
}

/* The diagonal of M of an element, if that alone is kept, else NULL. */
static inline const double* pc_terms_thin_M(const pc_terms* terms, int element)
{
  const int* thin = terms->mass.thin;
  int is_thin = thin && element < terms->own.elements && thin[element] >= 0;
  return is_thin ? terms->mass.entry + thin[element] : NULL;
}

/* M of an element, made at `space` where its diagonal alone is kept; NULL: it has none, or was not
 * asked for it. */
const double* pc_terms_M(const pc_terms* terms, int element,
                         double space[PC_THIN_MOST * PC_THIN_MOST]);

/* W_q of an element is there. */
void pc_terms_complete_slopes(const pc_terms* terms, int element);

/* The velocity W_r . u + chi_r of a row. */
static inline double pc_terms_row_velocity(const pc_terms* terms, int row, const double* u)
{
  pc_row w = pc_terms_row(terms, row); /* and chi */
  return pc_row_dot(w, u) + terms->chi[row];
}

/* The same of the rows from `first` to before `last`; three and more may be those of contacts with
 * friction between bodies in space. */
void pc_terms_many_velocities(const pc_terms* terms, int first, int last, const double* u,
                              double* velocity);
static inline void pc_terms_row_velocities(const pc_terms* terms, int first, int last,
                                           const double* u, double* velocity)
{
  if (last - first >= 3) {
    pc_terms_many_velocities(terms, first, last, u, velocity);
    return;
  }
  for (int r = first; r < last; r++) *velocity++ = pc_terms_row_velocity(terms, r, u);
}

/* d(W_r . u + chi_r)/dq as a row over q; `value` has space for n_q numbers. */
pc_row pc_terms_row_velocity_q(const pc_terms* terms, int row, const double* u, double* value);

/* value (over the row's own blocks) += scale * d(W_r . u + chi_r)/dq B, for any u. */
void pc_terms_add_row_velocity_slope(const pc_terms* terms, const pc_at* at, int row,
                                     const double* u, double scale, double* value);

/* value (over the row's own blocks) += scale * dzeta_r/du at the evaluated point (with
 * PC_TERM_ZETA). What an explicit dependence of W on time would add is left out. */
void pc_terms_add_row_zeta_u(const pc_terms* terms, const pc_at* at, int row, double scale,
                             double* value);

/* out (n_u x n_q dense, row-major) += d(W lambda)/dq for a vector lambda of all rows. */
void pc_terms_add_W_lambda_q(const pc_terms* terms, const double* lambda, double* out);

/* h_q, h_u, M, Ma_q, p_q as dense matrices (row-major), for tests and small systems: out += scale *
 * X */
void pc_terms_add_dense(const pc_terms* terms, pc_term term, double scale, double* out);

/* M of one of the bodies of pc_system_find_bodies, as a dense matrix: out (count x count) += M. */
void pc_terms_add_M_of_body(const pc_terms* terms, int first, int count, double* out);

/* x = M u and u' M u / 2 by blocks: out (n_u) += M x. */
void pc_terms_add_M_times(const pc_terms* terms, const double* x, double* out);

/* Per velocity the inertia of the element that moves with it, the largest if there are several:
 * twice its kinetic energy where all velocities are one. A body has one number, and so has a whole
 * beam. */
void pc_terms_inertia(const pc_terms* terms, double* inertia);

/* The diagonal of M; a bar or beam has its one number there, too. */
void pc_terms_own_inertia(const pc_terms* terms, double* inertia);

/* out (n_u) += scale * h_q x for a vector x over q. */
void pc_terms_add_h_q_times(const pc_terms* terms, double scale, const double* x, double* out);

/* out (n_u) += scale * h_u x. */
void pc_terms_add_h_u_times(const pc_terms* terms, double scale, const double* x, double* out);

/* out (n_u) += |h_q| |q| + |h_u| |u|, entry by entry: where q and u are known to their last digits,
 * h is off by up to that many last digits [N]. In stiff systems, where forces come from differences
 * of large positions, this is far above h itself. */
void pc_terms_add_h_magnitude(const pc_terms* terms, const double* q, const double* u, double* out);

/* The tangent  m M - c h_u - k h_q B  of order n_u. `pc_system_create_tangent` lays out its
 * pattern; `pc_terms_tangent` fills it from terms that have M, h_u and h_q in their mask (a term
 * that no element provides need not be there). B is taken at (t, q). */
pc_status pc_system_create_tangent(const pc_system* system, pc_assembly** tangent, pc_error* error);
void pc_terms_tangent(const pc_terms* terms, const pc_at* at, double m, double c, double k,
                      pc_assembly* tangent);

/* (h_q - (M a)_q) B in a tangent's pattern: the stiffness, negative, of a motion with the
 * accelerations a that the terms were evaluated with (with PC_TERM_MA_Q). */
void pc_terms_stiffness(const pc_terms* terms, const pc_at* at, pc_assembly* stiffness);

/* q_dot = B u + beta, all parts. */
void pc_system_q_dot(const pc_system* system, double t, const double* q, const double* u,
                     double* q_dot);

/* q after the increment d (n_u), the integral of u over dt, from q_0 at t: q_0 + d where q' = u, a
 * part's own `retract` where it has one (the exponential map of a rotation), else the implicit
 * midpoint rule on q' = B u + beta, of second order too. `scratch` has n_q + n_u numbers. */
void pc_system_retract(const pc_system* system, double t, double dt, const double* q_0,
                       const double* d, double* scratch, double* q);

/* From q_0 on over dt, with a point between at theta (0 to 1), whose time is t. */
typedef struct pc_theta_interval {
  double t, dt, theta;
  const double* q_0;
} pc_theta_interval;

/* q = q_0 + dt q'(t, q_theta, u) with q_theta = (1 - theta) q_0 + theta q. Bodies in space
 * have a closed form; for other parts it is by iteration from the given q_theta on. The threads of
 * the system share the parts. */
void pc_system_theta_point(const pc_system* system, const pc_theta_interval* over, const double* u,
                           double* q_theta, double* q);

/* Whether q' = u throughout. */
int pc_system_plain_kinematics(const pc_system* system);

/* Runs of velocities that share a kinetic energy, in other words bodies: `first` (n_u + 1 numbers)
 * gets where each begins, and n_u behind the last. Returns how many there are. */
int pc_system_find_bodies(const pc_system* system, int* first);

/* Terms that some element provides, and those of them that never change. */
unsigned pc_system_provides(const pc_system* system);
unsigned pc_system_constant(const pc_system* system);

/* Names the element and the term that is not finite at a point; 0 if all is finite. The text goes
 * to `where`, such as "h of spring 'strut'". */
int pc_find_not_finite(pc_terms* terms, const pc_at* at, char* where, size_t size);

/* Says why an evaluated M cannot be inverted, such as "x' has no mass"; 0 if the velocity to blame
 * cannot be told, with a text all the same. */
int pc_find_massless(const pc_terms* terms, char* what, size_t size);

#endif
