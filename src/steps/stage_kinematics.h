/* Coordinates and velocities at the stages of a Lobatto scheme:
 *
 *     V_i = u_n + sum_l v_il w_l                 v_il = a^_il/b_l,  l = 1 ... s - 1    (47d)
 *     Q_i = q_n + dt sum_j a_ij q'(t_j, Q_j, V_j)                                      (47c)
 *
 * with the increments of velocity w_l = b_l dV of the stages as unknowns. In momentum form, in
 * which V of the stages are free, the unknowns are w_i = V_i - u_n of all s stages, and v is the
 * identity. Where q' = u the second is explicit; where q' = B(q) u it is a small system for each
 * such part, of which the Q are unknowns that follow those of the step: they may have a kinematic
 * defect. */
#ifndef PC_STEPS_STAGE_KINEMATICS_H
#define PC_STEPS_STAGE_KINEMATICS_H

#include "steps/lobatto_tableau.h"
#include "system/stages.h"

/* Parts with kinematics of their own, q' = B(q) u. */
typedef struct pc_own_parts {
  int count;
  int* of; /* per part */
  struct pc_own_kinematics* part;
  const double** B; /* s x count */
  const double** T; /* s x count */
} pc_own_parts;

typedef struct pc_stage_kinematics {
  const pc_system* system;
  const pc_tableau* tableau;
  int s, m; /* m = s - 1 */
  int n;    /* unknown increments: m, or s where velocities are free */
  int n_q, n_u;
  const double* of_q; /* n_q: the lengths of the units of coordinates, see lengths.h, or NULL */
  double dt;
  double* t;      /* s */
  double* v;      /* s x n */
  double* c;      /* s x n: dt sum_j a_ij v_jl */
  double* Q;      /* s x n_q; the first is q_n */
  double* V;      /* s x n_u */
  double* q_dot;  /* s x n_q */
  double* defect; /* s x n_q: what Q lacks in (47c), the kinematic defect; the first row is zero */
  double* theta;  /* s x n_u: the same in velocity space */
  int has_defect; /* any of it is not zero */
  int predicted;  /* Q is a prediction without a defect, V and q' are evaluated */
  double* correction; /* s x n_q: the defect as it was linearised last: a full step adds it to Q */
  int has_correction; /* any of it is not zero */
  double* kept;       /* 2 x m x n_q: Q of the stages past the first, kept */
  pc_own_parts own;
  pc_stage_motion*
      motion; /* s: how each stage moves, as it was linearised last; of the first only the
                            * velocity does */
} pc_stage_kinematics;

pc_status pc_stage_kinematics_create(const pc_system* system, const pc_tableau* tableau,
                                     int free_velocities, pc_stage_kinematics** kinematics,
                                     pc_error* error);
void pc_stage_kinematics_destroy(pc_stage_kinematics* kinematics); /* NULL is fine */

/* A step begins at (t, q, u) with a length; Q_i = q for all stages. */
void pc_stage_kinematics_begin(pc_stage_kinematics* k, double t, double dt, const double* q);

/* V from the increments w (n x n_u), q' at all stages, and the kinematic defect of Q; its maximum
 * norm [m], or 0 where it is round-off. */
double pc_stage_kinematics_evaluate(pc_stage_kinematics* k, const double* u, const double* w);

/* After an evaluation: Q without a defect but for round-off, for the same w, by passing through
 * (47c). Of what Newton's method is allowed to leave, this is what adds up from step to step: |p|
 * of quaternions grew by 4e-14 a step, and the energy of a rolling disc by 2e-13 of 6.8 J. Returns
 * whether Q changed. */
int pc_stage_kinematics_correct(pc_stage_kinematics* k, const double* u, const double* w);

/* Q of the stages as w moves them from the start of the step: exactly where q' = u, else with an
 * error of dt^3. The next evaluation is one for the same w. */
void pc_stage_kinematics_predict(pc_stage_kinematics* k, const double* u, const double* w);

/* T and theta at the iterate, and with them `motion`. */
pc_status pc_stage_kinematics_linearise(pc_stage_kinematics* k, pc_error* error);

/* At another iterate that has no defect: T stays as it was linearised last. */
void pc_stage_kinematics_keep_linear(pc_stage_kinematics* k);

/* Q += scale (the defect + the change by dw), both as they were linearised last: until they are
 * linearised anew, steps of several scales add up. */
void pc_stage_kinematics_advance(pc_stage_kinematics* k, double scale, const double* dw);

/* Keeps Q in one of two slots, and puts it back. Where q' = B(q) u this is the only way back over
 * more than one linearisation. */
void pc_stage_kinematics_keep(pc_stage_kinematics* k, int slot);
void pc_stage_kinematics_put_back(pc_stage_kinematics* k, int slot);

#endif
