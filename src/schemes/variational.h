/* Nonsmooth RATTLE and the Lobatto IIIA-IIIB family: one scheme with s stages.
 *
 * With the velocity increments w_j = b_j a^_j and the percussions P_j = b_j R_j of the stages
 * (Lobatto (47), (55)) as unknowns, a step is two problems, of which the second does not act back
 * on the first, since the last column of the IIIB tableau is zero:
 *
 *   stage 1, for j = 1 ... s-1 and i = j+1:
 *     M_j w_j = b_j dt h(t_j, Q_j, V_j) + W(t_j, Q_j) P_j                      (47d), (47f)
 *     V_i = u_n + sum_l (a^_il/b_l) w_l,   Q_i = q_n + dt sum_l a_il q'(t_l, Q_l, V_l)
 *     g(t_i, Q_i) = 0                                                          (50)
 *     gamma(t_i, Q_i, V_i) = 0                                                 (51), or averaged
 *     g_N(t_i, Q_i) in the normal cone of (-inf, 0] at -P_N,j                  (52)
 *     gamma_F(t_i, Q_i, V_i) in the normal cone of B(mu P_N,j) at -P_F,j       (57)
 *
 *   stage 2, with P = sum_j P_j over all stages:
 *     M(q_n+1) (u_n+1 - u_n - sum_j w_j) = b_s dt h(t_n+1, q_n+1, V_s) + W(q_n+1) P_s
 *     g' = 0, gamma = 0                                                        (50), (51)
 *     xi_N in the normal cone of (-inf, 0] at -P_N if stage 1 closed it, else P_N = 0  (56)
 *     xi_F in the normal cone of B(mu P_N) at -P_F                             (58)
 *
 * In this velocity form each M belongs to its own stage: for s = 2 it is RATTLE (25)-(36) word for
 * word. Where M is constant it is (47) as well. Where some M is not, momentum form is (47), (49),
 * (61) as printed: the momenta p = dT/du of the stages take the place of the velocities. The
 * unknowns are all V_i, as increments w_i = V_i - u_n, and with L of the tableau, which solves
 * (47d) for the forces,
 *
 *     sum_i L_ji (p(t_i, Q_i, V_i) - p_n) = b_j dt h(t_j, Q_j, V_j) + W(t_j, Q_j) P_j,  j < s
 *     sum_i L_si p(t_i, Q_i, V_i) = 0
 *     p(q_n+1, u_n+1) - p_n - sum_j (...)_j = b_s dt h(t_n+1, q_n+1, V_s) + W(q_n+1) P_s
 *
 * with h the force of p' = h, d(T - V)/dq + F; the last line is stage 2. The laws are the same. */
#ifndef PC_SCHEMES_VARIATIONAL_H
#define PC_SCHEMES_VARIATIONAL_H

#include "base/larger.h"
#include "implicit/implicit_step.h"
#include "linalg/assembly.h"
#include "schemes/scheme.h"
#include "steps/measure.h"
#include "steps/stage_kinematics.h"
#include "system/stages.h"

/* Which of its forms the scheme has for this system. */
typedef struct pc_variational_form {
  int paper_start; /* Q = q_n and V of the last step, as RATTLE's Table 1 counts */
  int momentum;
  unsigned provides; /* by the system */
  int constant_M;
  int has_restitution_above; /* contacts rebound from some speed on only */
} pc_variational_form;

/* The step at hand. */
typedef struct pc_variational_now {
  const pc_state* state;
  double t, dt;
} pc_variational_now;

/* What is known at the start of a step. */
typedef struct pc_variational_start_point {
  pc_terms* terms; /* with the rows there: those at the end of the last step */
  double t;        /* where they were evaluated */
  double* q;       /* n_q */
  double* p;       /* n_u: the momentum, in momentum form, */
  int has_p;       /* once it is known */
} pc_variational_start_point;

/* Stage 1: law j * rows + r is that of row r at stage j + 1, with the percussion of stage j. */
typedef struct pc_position_stage {
  pc_implicit_step* engine;
  pc_implicit_problem problem;
  pc_stage_tangent* tangent; /* NULL: the contacts listed would fill it; by blocks only */
  pc_stage_blocks* blocks;   /* the same by blocks */
  pc_implicit_graph graph;
  int factored; /* the tangent never changes and is factorised already, for this dt */
  double* w;    /* n x n_u */
  double* P;    /* m x rows */
  pc_stage_at* at;
  int* bilateral;
  int* unit; /* m x rows: the joint or contact of each row */
  pc_cone* cone;
  pc_block** block; /* per row: its runs, once for each stage */
  double* gradient; /* of one law */
  double* slope;    /* m times, for each row: how its velocity changes with Q of the stage */
  int* slope_at;    /* rows: where it begins within those of a stage, */
  int slope_count;  /* which are so many numbers */
  double* moment;   /* m x s: b_i c_i^j, the weights of averaged velocity constraints */
} pc_position_stage;

/* Stage 2. */
typedef struct pc_velocity_stage {
  pc_implicit_step* engine;
  pc_implicit_problem problem;
  pc_assembly* mass;
  pc_stage_blocks* blocks;
  pc_implicit_graph graph;
  int factored;  /* the mass is */
  double* u;     /* n_u: u_n+1 */
  double* known; /* n_u: b_s dt h_s, and in momentum form what u_1 lacks of the momentum */
  double* u_1;   /* n_u: u_n + sum w, the velocity after stage 1; V_s in momentum form */
  double* jump;  /* n_u: u - u_1 */
  double* P;     /* rows */
  double* P_sum; /* rows: of stage 1 */
  int* bilateral;
  pc_cone* cone;
} pc_velocity_stage;

/* Impact and friction. */
typedef struct pc_variational_laws {
  double* before;        /* rows: y'(-) */
  double* e;             /* rows: restitution */
  unsigned char* normal; /* rows: whether it is that of a contact */
  int* contact_of;       /* rows: the contact, or -1 */
  unsigned char* closed; /* contacts to which the impact law applies in this step */
  double* impact;        /* contacts: by how much the laws are violated at its end [m/s] */
  double* friction;
} pc_variational_laws;

/* How residuals count: as velocities, unless the papers' tolerance is asked for. */
typedef struct pc_variational_limits {
  pc_measure measure;
  int scaled;       /* they do */
  double* F_weight; /* n x n_u: 1 over an inertia [1/kg], or 1 */
  double* y_unit;   /* m x rows: 1/dt for positions [1/s], 1 for velocities */
  double*
      y_per_length;  /* m x rows: 1 over the length of the model for positions, 0 for velocities */
  double unit_dt;    /* for which they are these */
  double* P_weight;  /* m x contacts: as F_weight */
  double* noise;     /* n_u: round-off of stage 2 [N s] */
  double* size;      /* n x n_u: the largest term of each equation [N s], then of its body */
  int has_sizes;     /* they are those of the iterate at hand */
  double reach;      /* of the iterate at hand, or negative: see pc_variational_reach */
  double* parts;     /* n_u: of which forces [N] or momenta [N s] are added up, for round-off */
  double* inertial;  /* n x n_u: M w of the stages, or M times the jump, at the iterate [N s] */
  double activation; /* the gap up to which a contact counts as closed [m] */
} pc_variational_limits;

typedef struct pc_variational {
  const pc_system* system;
  pc_scheme_settings settings;
  pc_variational_form form;
  int s, m; /* stages; m = s - 1 */
  int n;    /* unknown increments of velocity: m, s in momentum form */
  int n_q, n_u, rows, contacts, g_count, bilateral;
  long layout; /* of the found contacts for which all of this was made */
  pc_variational_now step;

  pc_tableau* tableau;
  pc_stage_kinematics* motion;
  pc_terms** terms; /* s: at the stages; those of the first have no rows */
  pc_variational_start_point start;
  double* zero; /* n n_u */
  double* kept; /* 2 x n x n_u: w, or u of stage 2, kept in two slots */
  pc_position_stage positions;
  pc_velocity_stage velocities;
  pc_variational_laws laws;
  pc_variational_limits limits;
} pc_variational;

/* The form is momentum form only where it makes a difference: where some M is not constant. */
pc_status pc_variational_create(const pc_system* system, const pc_scheme_settings* settings, int s,
                                int paper_start, pc_form form, void** scheme, pc_error* error);
void pc_variational_destroy(void* scheme); /* NULL is fine */
pc_status pc_variational_refit(void* scheme, pc_error* error);

/* What the state remembers: w (or V of the last step), P_1, P of stage 2, and r of all laws. */
int pc_variational_memory(const void* scheme);

/* The coefficient of friction of contact k. Without friction it has no rows of friction, either:
 * none acts. */
void pc_variational_set_friction(pc_variational* scheme, int k, double mu);

pc_status pc_variational_start(void* scheme, pc_state* state, double dt, pc_error* error);
pc_status pc_variational_step(void* scheme, pc_state* state, double dt, pc_step_info* info,
                              pc_error* error);

/* Rows at the state, for the observation. */
const pc_terms* pc_variational_rows(void* scheme, const pc_state* state);

/* Terms with the rows of stage i. */
static inline const pc_terms* pc_variational_stage_rows(const pc_variational* v, int i)
{
  return i == 0 ? v->start.terms : v->terms[i];
}

/* The largest coordinate of the iterate of stage 1. */
static inline double pc_variational_reach(const pc_variational* v)
{
  const pc_lengths* lengths = &v->limits.measure.lengths;
  double largest = 0;
  for (int i = 0; i < v->s; i++)
    largest = pc_larger(largest, pc_lengths_reach(lengths, v->motion->Q + i * v->n_q));
  return largest;
}

/* Rows with a position: joints, and the normal of a contact. */
static inline int pc_variational_is_position(const pc_variational* v, int row)
{
  return row < v->g_count || v->laws.normal[row];
}

/* Whether a row belongs to a contact that is open at stage j + 1, beyond a tie, and has no
 * percussions P (rows) there: nothing but that is asked of it, unless it is made to act. */
static inline int pc_variational_is_idle(const pc_variational* v, int j, int row, const double* P)
{
  int contact = v->laws.contact_of[row];
  if (contact < 0) return 0;
  const pc_cone* cone = &v->velocities.cone[contact];
  for (int i = 0; i <= cone->dimension; i++)
    if (P[cone->row + i] != 0) return 0;
  return v->terms[j + 1]->y[cone->row] > v->limits.activation;
}

/* Whether a row is that of a joint or of a contact to which the impact law applies. */
static inline int pc_variational_may_act(const pc_variational* v, int row)
{
  return v->laws.contact_of[row] < 0 || v->laws.closed[v->laws.contact_of[row]];
}

/* How the velocity of a row changes with Q of stage i > 0, as it was linearised last. */
static inline double* pc_variational_slope(const pc_variational* v, int i, int row)
{
  return v->positions.slope + (i - 1) * v->positions.slope_count + v->positions.slope_at[row];
}

/* What is left of their equations in units of what may be, see variational_limits.c. */
double pc_position_excess(void* scheme, const double* F, double share);
double pc_position_row_excess(void* scheme, int law, double left, double share);
double pc_position_percussion_excess(void* scheme, int law, double P, double share);
double pc_velocity_excess(void* scheme, const double* F, double share);
double pc_velocity_row_excess(void* scheme, int row, double left, double share);
double pc_velocity_percussion_excess(void* scheme, int row, double P, double share);

/* The two problems, as the engine asks for them, */
pc_implicit_problem pc_position_problem(pc_variational* scheme);
pc_implicit_problem pc_velocity_problem(pc_variational* scheme);

/* and what is another in every step: known terms and tolerances. */
void pc_begin_positions(pc_variational* scheme);
void pc_begin_velocities(pc_variational* scheme);

#endif
