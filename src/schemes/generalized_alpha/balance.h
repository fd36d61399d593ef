/* Does an iterate obey (65)? What its balances leave, body by body, and by what that is measured.
 *
 * What may be left of a balance is a share of the forces on the same body: beside a heavy machine a
 * light oscillator would otherwise be left to itself, its own forces being below the tolerance. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_BALANCE_H
#define PC_SCHEMES_GENERALIZED_ALPHA_BALANCE_H

#include "schemes/generalized_alpha/model.h"
#include "system/terms.h"

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
  double acceleration;  /* as above */
  double round_off;     /* of h, once in each step [N] */
  double largest, norm; /* of the balance that was computed last: its largest term, its residual */
} pc_alpha_body;

/* The equation of (65) that was found not to hold, for a message. */
typedef enum pc_alpha_equation {
  PC_ALPHA_FORCES,           /* (65a), as a share of the forces */
  PC_ALPHA_IMPULSES,         /* (65d), (65g), likewise */
  PC_ALPHA_JOINT,            /* of row `index`, in the units of the level */
  PC_ALPHA_GAP,              /* of contact `index` [m] */
  PC_ALPHA_LAW,              /* of contact `index` [m/s] */
  PC_ALPHA_GAP_ACCELERATION, /* of contact `index` [m/s^2] */
} pc_alpha_equation;

typedef struct pc_alpha_violation {
  pc_alpha_equation equation;
  int index;
  double by;
} pc_alpha_violation;

typedef struct pc_alpha_balance {
  pc_alpha_body* body;
  int body_count;
  int* body_of; /* n_u */
  pc_alpha_sizes size;
  double* residual;             /* n_u: of (65a) */
  double* impulse_residual;     /* n_u: of (65d) or (65g) */
  double* free_acceleration;    /* n_u: M^-1 h */
  double* round_off;            /* n_u: of h */
  int has_round_off;            /* the bodies' round-off is that of this step */
  double best;                  /* the least residual of (65a) in the step's iterations so far */
  double last, forecast;        /* that of the last iterate, and what is left of it */
  int stalled;                  /* iterations since then */
  pc_alpha_violation violation; /* found last */
  double *impact_law, *friction_law; /* contacts: by how much they are violated [m/s] */
} pc_alpha_balance;

pc_status pc_alpha_balance_create(pc_alpha_balance* balance, const pc_alpha_model* model,
                                  pc_error* error);
void pc_alpha_balance_free(pc_alpha_balance* balance);

/* The round-off of h on each body at a point where `terms` are evaluated: in stiff systems, where forces
 * come from differences of large positions, that is far above the last digit of h. */
void pc_alpha_find_round_off(pc_alpha_balance* balance, const pc_alpha_model* model,
                             const pc_terms* terms, const double* q, const double* u);

#endif
