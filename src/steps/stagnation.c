#include "steps/stagnation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"

pc_status pc_stagnation_create(pc_stagnation* s, int n_q, pc_error* error)
{
  s->n_q = n_q;
  s->q = pc_alloc((size_t)n_q, sizeof *s->q);
  return s->q ? PC_OK : pc_no_memory(error);
}

void pc_stagnation_clear(pc_stagnation* s)
{
  free(s->q);
  *s = (pc_stagnation){0};
}

void pc_stagnation_begin(pc_stagnation* s)
{
  s->residual = HUGE_VAL;
}

double pc_stagnation_cancelled(pc_stagnation* s, const double* q, double residual)
{
  int smaller = residual <= s->residual / 2; /* so it is in the first iterate, too */
  double moved = 0, largest = 1;
  for (int i = 0; !smaller && i < s->n_q; i++) {
    moved = pc_larger(moved, fabs(q[i] - s->q[i]));
    largest = pc_larger(largest, fabs(q[i]));
  }
  memcpy(s->q, q, (size_t)s->n_q * sizeof *q);
  s->residual = residual;
  return !smaller && moved <= 8 * DBL_EPSILON * largest ? residual / (8 * DBL_EPSILON) : 0;
}
