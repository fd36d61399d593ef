/* Has a Newton loop come to rest above its tolerance?
 *
 * Stiff forces turn the round-off of q into a residual of dt K eps |q|, which no iteration takes away:
 * in a bar of 10 000 elements it is above 1e-10 N s. Then q moves by no more than its round-off from
 * one iterate to the next, and the residual does not become smaller. */
#ifndef PC_STEPS_STAGNATION_H
#define PC_STEPS_STAGNATION_H

#include "percuss/base.h"

typedef struct pc_stagnation {
  int n_q;
  double* q;       /* n_q: of the iterate before */
  double residual; /* its residual [N s] */
} pc_stagnation;

pc_status pc_stagnation_create(pc_stagnation* stagnation, int n_q, pc_error* error);
void pc_stagnation_clear(pc_stagnation* stagnation);

/* A new loop. */
void pc_stagnation_begin(pc_stagnation* stagnation);

/* Notes an iterate. The largest terms that must have cancelled in its residual, if the loop stands
 * still; 0 if it does not. */
double pc_stagnation_cancelled(pc_stagnation* stagnation, const double* q, double residual);

#endif
