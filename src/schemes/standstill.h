/* Has a Newton loop come to rest above its tolerance?
 *
 * Stiff forces turn the round-off of q into a residual of dt K eps |q|, which no iteration takes away:
 * in a bar of 10 000 elements it is above 1e-10 N s. Then q moves by no more than its round-off from
 * one iterate to the next, and the residual does not become smaller. */
#ifndef PC_SCHEMES_STANDSTILL_H
#define PC_SCHEMES_STANDSTILL_H

#include "percuss/base.h"

typedef struct pc_standstill {
  int n_q;
  double* q;       /* n_q: of the iterate before */
  double residual; /* its residual [N s] */
} pc_standstill;

pc_status pc_standstill_create(pc_standstill* standstill, int n_q, pc_error* error);
void pc_standstill_clear(pc_standstill* standstill);

/* A new loop. */
void pc_standstill_begin(pc_standstill* standstill);

/* Notes an iterate. The largest terms that must have cancelled in its residual, if the loop stands
 * still; 0 if it does not. */
double pc_standstill_cancelled(pc_standstill* standstill, const double* q, double residual);

#endif
