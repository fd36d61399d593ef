/* The contact problem that schemes fill and solvers empty.
 *
 * Given a factorised tangent A, a free velocity, bilateral rows W_b and the rows W_c of active
 * contacts, find u and P with
 *
 *     A (u - u_free) = W_b P_b + W_c P_c
 *     0 = W_b' u + c_b
 *     y = W_c' u + c_c,   P_c in the cones of Coulomb's law, y in the normal cones there
 *
 * A small problem is condensed to the dense Delassus operator of its contacts, the bilateral rows
 * being eliminated by a rank-revealing factorisation. A larger one becomes a block-sparse problem
 * over joints and contacts (linalg/percussion_form.h) that falls into islands: time and memory
 * follow the active rows and the bodies that they touch. Joints alone are a linear system, by
 * sparse elimination. */
#ifndef PC_CONTACT_CONTACT_PROBLEM_H
#define PC_CONTACT_CONTACT_PROBLEM_H

#include "base/memory.h"
#include "base/threads.h"
#include "linalg/assembly.h"
#include "linalg/row.h"
#include "percuss/solver.h"
#include "solve/dense.h"

typedef struct pc_contact_problem pc_contact_problem;

/* What there can be at most. */
typedef struct pc_contact_problem_def {
  int n;              /* order of A */
  int bilateral_max;  /* rows */
  int contact_max;    /* rows of all contacts that could become active */
  int grows;          /* there may be more later: pc_contact_problem_reserve */
  int friction;       /* the largest dimension */
  const char* solver; /* NULL: "auto" */
  int sweeps; /* not 0: so many Gauss-Seidel sweeps, whatever they leave, in place of the solver */
  pc_threads* threads; /* threads that share sweeps over contacts of free bodies; NULL: none */
  pc_solver_settings settings;
  /* y above minus this is no violation of a contact that joints hold, in units of y */
  double held_tolerance;
} pc_contact_problem_def;

pc_status pc_contact_problem_create(const pc_contact_problem_def* def, pc_contact_problem** problem,
                                    pc_error* error);
void pc_contact_problem_destroy(pc_contact_problem* problem); /* NULL is fine */

/* Makes space for so many rows, where the definition says that they grow. */
pc_status pc_contact_problem_reserve(pc_contact_problem* problem, int bilateral_max,
                                     int contact_max, pc_error* error);

/* Takes the bilateral rows, and the tangent with its present factors. Rows and their values must
 * stay valid until they are taken anew. What is known of contacts is forgotten. PC_NOT_FINITE. */
pc_status pc_contact_problem_set_bilateral(pc_contact_problem* problem, const pc_assembly* tangent,
                                           int count, const pc_row* row, pc_error* error);

/* Takes the contacts: their cones, whose rows are counted from the first row of the first contact
 * and follow each other, and the rows. `force` are the directions in which the percussions act if
 * these are others than W_c (friction of a given direction), or NULL. */
pc_status pc_contact_problem_set_contacts(pc_contact_problem* problem, int contact_count,
                                          const pc_cone* cone, const pc_row* row,
                                          const pc_row* force, pc_error* error);

/* Takes contacts for a given number of sweeps, if there are no bilateral rows: *taken, and 0 if it
 * was not asked for any, or these contacts need another way, by pc_contact_problem_set_contacts.
 * Their rows, and what belongs to them in a solution, may have others between them. `spare` may be
 * the memory of their values, which are not read any more once they are taken; it is used until the
 * next contacts are taken. */
pc_status pc_contact_problem_set_swept(pc_contact_problem* problem, int contact_count,
                                       const pc_cone* cone, const pc_row* row, pc_spare spare,
                                       int* taken, pc_error* error);

/* Solves. u: in u_free, out u. P_b (may be NULL) receives the percussions of the bilateral rows;
 * P_c holds a guess and receives those of the contacts, or the best found: `info` tells. */
pc_status pc_contact_problem_solve(pc_contact_problem* problem, const double* c_b,
                                   const double* c_c, double* u, double* P_b, double* P_c,
                                   pc_solver_info* info, pc_error* error);

/* From now on (until it is 0) answers of this residual are good enough to begin the next problem
 * with, where better ones take long: see pc_solver_be_rough. */
void pc_contact_problem_be_rough(pc_contact_problem* problem, double roughness);

/* After a solve that was not accepted: whether contact i is in an island whose answer was not. */
int pc_contact_problem_refused(const pc_contact_problem* problem, int contact);

/* Whether the problem, as it was set last, can be corrected as below: it is small, or has joints
 * alone. */
int pc_contact_problem_can_correct(const pc_contact_problem* problem);

/* Corrects a solution (u, P_b, P_c) after the values of the rows have changed a little since they
 * were set:
 *
 *     u += X dP,   P += dP    with the old X = A^-1 W, such that W' u + c obeys the laws of the
 *                             new W
 *
 * up to the change of W times that of P. `u` is on entry what the percussions P and the new W
 * give. */
pc_status pc_contact_problem_correct(pc_contact_problem* problem, const double* c_b,
                                     const double* c_c, double* u, double* P_b, double* P_c,
                                     pc_solver_info* info, pc_error* error);

/* Without contacts: u such that W_b' u + c_b = 0, adding to P_b (may be NULL) what does it. */
pc_status pc_contact_problem_project(pc_contact_problem* problem, const double* c_b, double* u,
                                     double* P_b, pc_error* error);

/* The mass that contact i meets: the inverse of the mean diagonal of its block [kg]; 0 where
 * nothing can move. In small problems joints are taken into account. */
double pc_contact_problem_mass(const pc_contact_problem* problem, int contact);

/* After a solution: c + W u of the rows of contact i where these are known, else NULL. */
const double* pc_contact_problem_dual(const pc_contact_problem* problem, int contact);

/* The number of linearly independent bilateral rows. */
pc_status pc_contact_problem_rank(pc_contact_problem* problem, int* rank, pc_error* error);

#endif
