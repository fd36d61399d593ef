/* The constraints of one level, as a linear problem for a change x of the motion and forces y:
 *
 *     A x = r + W' y,     J x = c
 *
 * with A the matrix of the level (M, or that of the smooth motion), W the directions of the forces
 * and J what the constraints measure. The values of rows that are not W itself lie here. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_PROBLEM_H
#define PC_SCHEMES_GENERALIZED_ALPHA_PROBLEM_H

#include "linalg/row.h"
#include "schemes/generalized_alpha/model.h"

typedef struct pc_alpha_problem {
  int count;          /* of constraints */
  int* row;           /* the system's row of each */
  pc_row* force;      /* W */
  pc_row* measure;    /* J */
  double *c, *y;      /* right sides and solution */
  double* x;          /* n_u */
  double** slope;     /* rows: J of the smooth level */
  double** extra;     /* rows: what J has besides W ... */
  double** curvature; /* rows: ... the part of it that comes with positions, per unit of d */
  double** turned;    /* rows: W T, by which a position answers to d */
  double** direction; /* rows: W_N + ratio W_F of a contact that slips */
  double* values;     /* of the five above */
  int held_positions; /* rows whose problem with M the position level has left factorised; or -1 */
} pc_alpha_problem;

pc_status pc_alpha_problem_create(pc_alpha_problem* problem, const pc_alpha_model* model,
                                  pc_error* error);
void pc_alpha_problem_free(pc_alpha_problem* problem);

/* The number of velocities that a row touches. */
static inline int pc_alpha_row_width(pc_row row)
{
  int width = 0;
  for (int b = 0; b < row.block_count; b++) width += row.block[b].width;
  return width;
}

#endif
