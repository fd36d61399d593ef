/* Does an iterate obey (65)? What its balances leave, body by body, and by what that is measured.
 *
 * What may be left of a balance is a share of the forces on the same body: beside a heavy machine a
 * light oscillator would otherwise be left to itself, its own forces being below the tolerance. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_BALANCE_H
#define PC_SCHEMES_GENERALIZED_ALPHA_BALANCE_H

#include "schemes/generalized_alpha/model.h"

/* The size of what a step deals with, to which its tolerance is relative. */
typedef struct pc_alpha_sizes {
  double acceleration; /* of v' and of M^-1 h, what the forces would do without constraints */
  double velocity;     /* of u, and sqrt(acceleration position) */
  double position;     /* of q, and what the others reach in a step */
} pc_alpha_sizes;

/* A run of velocities that share a kinetic energy: what its balances are measured by. */
typedef struct pc_alpha_body {
  int first, end;
  double force; /* the largest of h and M v', with several bodies also half of W' lambda [N] */
  double acceleration;   /* as above */
  double round_off;      /* of h, by one sample in each step [N] */
  double most_round_off; /* by many, while iterations no longer help; else 0 */
  double largest, norm;  /* of the balance that was computed last: its largest term, its residual */
} pc_alpha_body;

typedef struct pc_alpha_balance {
  pc_alpha_body* body;
  int body_count;
  int* body_of; /* n_u */
  pc_alpha_sizes size;
  double* residual;          /* n_u: of (65a) */
  double* impulse_residual;  /* n_u: of (65d) or (65g) */
  double* free_acceleration; /* n_u: M^-1 h */
  double* round_off;         /* n_u: of h */
  double* scratch;           /* n_q + n_u */
  int has_round_off;         /* the bodies' round-off is that of this step */
  double best;               /* the least residual of (65a) in the step's iterations so far */
  double last, forecast;  /* that of the last iterate, and what is left of it */
  int stalled;               /* iterations since then */
  double *impact_law, *friction_law; /* contacts: by how much they are violated [m/s] */
} pc_alpha_balance;

pc_status pc_alpha_balance_create(pc_alpha_balance* balance, const pc_alpha_model* model,
                                  pc_error* error);
void pc_alpha_balance_free(pc_alpha_balance* balance);

#endif
