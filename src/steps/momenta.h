/* Does the momentum balance of a step hold? It is asked body by body.
 *
 * The tolerance is a momentum: for a body of a milligram it may be all that a step brings, and the
 * round-off of a heavy body may be all that a step brings to a light one beside it. So bodies lighter
 * than a gram are measured as if they had one, their turning as if their inertia were 1e-6 kg m^2 where
 * it is less, and each is forgiven its own round-off only. */
#ifndef PC_STEPS_MOMENTA_H
#define PC_STEPS_MOMENTA_H

#include <math.h>

#include "system/terms.h"

typedef struct pc_momenta_body {
  int first, end; /* its velocities */
} pc_momenta_body;

typedef struct pc_momenta {
  int n_u;
  pc_momenta_body* body;
  int body_count;
  double* weight; /* n_u: of what is left, 1 from a gram and 1e-6 kg m^2 on */
  double* own;    /* n_u: the diagonal of M at the start */
  double* size;  /* n_u: the largest term of each equation; filled by the scheme for each iterate */
  double* noise; /* n_u: round-off of each equation */
  double* scratch; /* n_q + 2 n_u */
  double last;     /* of the iterate before: the largest weighted rest of a body */
  int stalls;      /* how often that was not halved in this loop */
} pc_momenta;

/* An iterate: `terms` (M, h, h_q, h_u) at q, the velocity v, the rest of the balance [N s]. */
typedef struct pc_momenta_iterate {
  const pc_terms* terms;
  const double *q, *v, *rest;
  double dt;
  int stands_still; /* the loop has come to rest (see stagnation.h) */
} pc_momenta_iterate;

/* `terms` have M; they are evaluated at the system's start. */
pc_status pc_momenta_create(pc_momenta* momenta, pc_terms* terms, pc_error* error);
void pc_momenta_clear(pc_momenta* momenta);

/* A new loop. */
void pc_momenta_begin(pc_momenta* momenta);

/* Adds the percussion P of a row to the rest of the balance, and to the sizes of its terms. A number that is
 * not finite shows in the rest. */
static inline void pc_momenta_add_row(pc_momenta* momenta, pc_row row, double P, double* rest)
{
  const double* w = row.w;
  for (int k = 0; k < row.block_count; k++)
    for (int i = row.block[k].first, end = i + row.block[k].width; i < end; i++) {
      double term = *w++ * P, size = fabs(term);
      rest[i] += term;
      momenta->size[i] = size > momenta->size[i] ? size : momenta->size[i];
    }
}

/* The rest is within the tolerance [N s] or round-off in every body, or the loop gets no further and
 * it is so with the system as a whole. */
int pc_momenta_holds(pc_momenta* momenta, const pc_momenta_iterate* iterate, double tolerance);

/* How much the momenta that act on a row's bodies change of its velocity, each by itself [m/s]. */
double pc_momenta_row_change(const pc_momenta* momenta, pc_row row);

/* How much of a row's velocity is round-off of the momenta that act on the same bodies [m/s]: below a
 * heavy body, a light one is known no better. */
double pc_momenta_row_noise(const pc_momenta* momenta, pc_row row);

#endif
