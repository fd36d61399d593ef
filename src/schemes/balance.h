/* Does the momentum balance of a step hold? It is asked body by body.
 *
 * The tolerance is a momentum: for a body of a milligram it may be all that a step brings, and the
 * round-off of a heavy body may be all that a step brings to a light one beside it. So bodies lighter
 * than a gram are measured as if they had one, their turning as if their inertia were 1e-6 kg m^2 where
 * it is less, and each is forgiven its own round-off only. */
#ifndef PC_SCHEMES_BALANCE_H
#define PC_SCHEMES_BALANCE_H

#include "system/terms.h"

typedef struct pc_balance_body {
  int first, end; /* its velocities */
} pc_balance_body;

typedef struct pc_balance {
  int n_u;
  pc_balance_body* body;
  int body_count;
  double* weight; /* n_u: of what is left, 1 from a gram and 1e-6 kg m^2 on */
  double* size;  /* n_u: the largest term of each equation; filled by the scheme for each iterate */
  double* noise; /* n_u: round-off of each equation */
  double* room;  /* n_q + 2 n_u */
  double last;   /* of the iterate before: the largest weighted rest of a body */
  int stalls;    /* how often that was not halved in this loop */
} pc_balance;

/* An iterate: `terms` (M, h, h_q, h_u) at q, the velocity v, the rest of the balance [N s]. */
typedef struct pc_balance_iterate {
  const pc_terms* terms;
  const double *q, *v, *rest;
  double dt;
  int stands_still; /* the loop has come to rest (see standstill.h) */
} pc_balance_iterate;

/* `terms` have M; they are evaluated at the system's start. */
pc_status pc_balance_create(pc_balance* balance, pc_terms* terms, pc_error* error);
void pc_balance_clear(pc_balance* balance);

/* A new loop. */
void pc_balance_begin(pc_balance* balance);

/* Notes what the percussion P of a row adds to the sizes. */
void pc_balance_note(pc_balance* balance, pc_row row, double P);

/* The rest is within the tolerance [N s] or round-off in every body, or the loop gets no further and
 * it is so with the system as a whole. */
int pc_balance_holds(pc_balance* balance, const pc_balance_iterate* iterate, double tolerance);

#endif
