/* The constraints of a level with the laws of its contacts: a linear contact problem in saddle
 * form.
 *
 *     A x = r + W' y,     J x = c                                for joints
 *     y_N = J_N x - c_N,  0 <= y_N  _|_  P_N >= 0                for contacts, P their part of y
 *     y_F = J_F x - c_F   in the normal cone of B(mu P_N) at -P_F
 *
 * It goes to a contact solver: unlike the active sets of the semismooth iteration that cannot
 * cycle. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_CONTACT_PROBLEM_H
#define PC_SCHEMES_GENERALIZED_ALPHA_CONTACT_PROBLEM_H

#include "schemes/generalized_alpha/problem.h"
#include "schemes/generalized_alpha/sparse_saddle.h"

/* A contact of a problem. */
typedef struct pc_alpha_contact {
  int k;     /* of the system */
  int first; /* its normal row in the problem */
  double mu;
} pc_alpha_contact;

typedef struct pc_alpha_contact_problem {
  int n, rows; /* velocities; most constraints */
  int count;   /* of contacts of the problem that is being collected */
  pc_alpha_contact* contact;
  int* owner;                     /* rows: the contact of a constraint, -1 for joints */
  pc_problem_node* node;          /* n + rows */
  double *b, *z;                  /* n + rows */
  pc_alpha_sparse_saddle* saddle; /* NULL until the first problem */
  pc_solver* solver;
} pc_alpha_contact_problem;

/* Takes little memory until the first problem comes. */
pc_status pc_alpha_contact_problem_create(pc_alpha_contact_problem* contacts,
                                          const pc_alpha_model* model, pc_error* error);
void pc_alpha_contact_problem_free(pc_alpha_contact_problem* contacts);

/* Begins to collect; takes contact k, whose normal row is number `first` of the problem's rows. */
void pc_alpha_contact_problem_begin(pc_alpha_contact_problem* contacts);
void pc_alpha_contact_problem_add(pc_alpha_contact_problem* contacts, int k, int first, double mu);

/* Solves for the rows of `problem`, of which the first `joints` are bilateral: problem->x holds r
 * and receives x; problem->y receives the forces, and holds a guess of P. A is always of the same
 * kind. */
pc_status pc_alpha_contact_problem_solve(pc_alpha_contact_problem* contacts, pc_alpha_operator A,
                                         pc_alpha_problem* problem, int joints,
                                         pc_solver_info* info, pc_error* error);

#endif
