/* Does an iterate obey (65)? What its equations leave, by the measure of convergence of all schemes
 * (steps/measure.h).
 *
 * The three balances are measured as momenta over the step: (65a) times dt, (65d) over dt, (65g) as
 * it is. Rows are measured as velocities: accelerations times dt by the terms of (65a), positions
 * over dt, velocities.
 *
 * With a --tol that is asked for the tolerance is a share of four sizes of the whole system, of
 * which the counts of iterations in the paper and in an independent implementation are: forces,
 * accelerations, positions, velocities. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_BALANCE_H
#define PC_SCHEMES_GENERALIZED_ALPHA_BALANCE_H

#include "schemes/generalized_alpha/model.h"
#include "steps/measure.h"
#include "system/terms.h"

/* The sizes of a system in motion, to which a tolerance that is asked for is relative. */
typedef struct pc_alpha_sizes {
  double force;        /* of h and M v', with several bodies also half of W' lambda [N] */
  double acceleration; /* of v' and of M^-1 h, what the forces would do without constraints */
  double velocity;     /* of u, and sqrt(acceleration position), so that rest has a measure, too */
  double position;     /* of q, and what the others reach in a step */
} pc_alpha_sizes;

/* What round-off leaves of the rows of each level. */
typedef struct pc_alpha_row_noise {
  double position, velocity, acceleration;
} pc_alpha_row_noise;

/* The equation of (65) that was found not to hold, for a message. */
typedef enum pc_alpha_equation {
  PC_ALPHA_FORCES,           /* (65a), as a share of the forces */
  PC_ALPHA_IMPULSES,         /* (65d), (65g), likewise */
  PC_ALPHA_JOINT,            /* of row `index`, in the units of the level */
  PC_ALPHA_GAP,              /* of contact `index` [m] */
  PC_ALPHA_LAW,              /* of contact `index` [m/s] */
  PC_ALPHA_GAP_ACCELERATION, /* of contact `index` [m/s^2] */
  PC_ALPHA_SLIP_ACCELERATION /* of its friction law [m/s^2] */
} pc_alpha_equation;

typedef struct pc_alpha_violation {
  pc_alpha_equation equation;
  int index;
  double by;
} pc_alpha_violation;

/* How the residual of (65a) goes in the iterations of a step. */
typedef struct pc_alpha_progress {
  double best;           /* the least so far */
  double last, forecast; /* that of the last iterate, and what is left of it */
  int stalled;           /* iterations that did not halve the best */
} pc_alpha_progress;

typedef struct pc_alpha_balance {
  pc_measure forces, positions, impulses; /* (65a), (65d), (65g) */
  pc_measure velocities;                  /* of rows of position and velocity: its terms alone */
  int scaled;                             /* by the terms of each equation */
  pc_alpha_sizes size;                    /* not scaled: of the iterate */
  double* residual;                       /* n_u: of (65a) [N] */
  double* momentum;                       /* n_u: residual of the balance at hand [N s] */
  double* free_acceleration;              /* n_u: M^-1 h */
  double *q_terms, *u_terms; /* n_q, n_u: the largest number that is added up to q, u */
  double* round_off;         /* n_u: what is added up in h [N] */
  int has_round_off;         /* it is that of this step */
  pc_alpha_row_noise noise;  /* at the iterate */
  pc_alpha_progress progress;
  pc_alpha_violation violation;      /* found last */
  double *impact_law, *friction_law; /* contacts: by how much they are violated [m/s] */
} pc_alpha_balance;

/* `terms` have M. */
pc_status pc_alpha_balance_create(pc_alpha_balance* balance, const pc_alpha_model* model,
                                  pc_terms* terms, pc_error* error);
void pc_alpha_balance_free(pc_alpha_balance* balance);

/* The round-off of h at a point where `terms` are evaluated: in stiff systems, where forces come
 * from differences of large positions, that is far above the last digit of h. */
void pc_alpha_find_round_off(pc_alpha_balance* balance, const pc_alpha_model* model,
                             const pc_terms* terms, const double* q, const double* u);
/* After that, on body k [N]. */
double pc_alpha_body_round_off(const pc_alpha_balance* balance, int k);

#endif
