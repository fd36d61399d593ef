/* The constraints of a level with the laws of its contacts: a linear contact problem.
 *
 *     A x = r + W' y,     J x = c                                for joints
 *     y_N = J_N x - c_N,  0 <= y_N  _|_  P_N >= 0                for contacts, P their part of y
 *     y_F = J_F x - c_F   in the normal cone of B(mu P_N) at -P_F
 *
 * Joints are eliminated, and the rest goes to a contact solver: unlike the active sets of the semismooth
 * iteration that cannot cycle. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_CONTACT_PROBLEM_H
#define PC_SCHEMES_GENERALIZED_ALPHA_CONTACT_PROBLEM_H

#include "schemes/generalized_alpha/problem.h"
#include "schemes/generalized_alpha/saddle.h"

typedef struct pc_alpha_contact_problem {
  const char* solver_name; /* NULL: chosen by size and friction */
  pc_solver_settings settings;
  int n, bilateral; /* unknowns; most joint rows */
  int friction;     /* largest dimension of a contact */
  int row_capacity; /* of contact rows: grows to the largest problem that was met */
  int cone_count;   /* of the problem that is being collected */
  pc_cone* cone;    /* their rows count from the first contact row */
  int* contact;     /* of each cone */
  pc_solver* solver;
  double *X, *Y; /* rows x n, rows x bilateral: what a unit of each P does to x and the joints */
  double *D, *b, *P; /* the problem */
  double* zero;      /* bilateral */
} pc_alpha_contact_problem;

pc_status pc_alpha_contact_problem_create(pc_alpha_contact_problem* contacts,
                                          const pc_alpha_model* model, pc_error* error);
void pc_alpha_contact_problem_free(pc_alpha_contact_problem* contacts);

/* Begins to collect; takes contact k, whose normal row is number `row` of the problem's rows. */
void pc_alpha_contact_problem_begin(pc_alpha_contact_problem* contacts);
void pc_alpha_contact_problem_add(pc_alpha_contact_problem* contacts, int k, int row, int dimension,
                                  double mu);

/* Solves for the rows of `problem`, of which the first `joints` are bilateral: problem->x holds A^-1 r and
 * receives x; problem->y receives the forces, and holds a guess of P. */
pc_status pc_alpha_contact_problem_solve(pc_alpha_contact_problem* contacts,
                                         pc_alpha_saddle* saddle, const pc_assembly* A,
                                         pc_alpha_problem* problem, int joints,
                                         pc_solver_info* info, pc_error* error);

#endif
