/* Nonsmooth RATTLE and the Lobatto IIIA-IIIB family: one scheme with s stages.
 *
 * With the velocity increments w_j = b_j a^_j and the percussions P_j = b_j R_j of the stages
 * (Lobatto (47), (55)) as unknowns, a step is two problems, of which the second does not act back on
 * the first, since the last column of the IIIB tableau is zero:
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
 *     xi_N in the normal cone of (-inf, 0] at -P_N  if stage 1 closed the contact, else P_N = 0   (56)
 *     xi_F in the normal cone of B(mu P_N) at -P_F                             (58)
 *
 * In this velocity form each M belongs to its own stage: for s = 2 it is RATTLE (25)-(36) word for word.
 * Where M is constant it is (47) as well. Where some M is not, momentum form is (47), (49), (61) as printed:
 * the momenta p = dT/du of the stages take the place of the velocities. The unknowns are all V_i, as
 * increments w_i = V_i - u_n, and with L of the tableau, which solves (47d) for the forces,
 *
 *     sum_i L_ji (p(t_i, Q_i, V_i) - p_n) = b_j dt h(t_j, Q_j, V_j) + W(t_j, Q_j) P_j,   j = 1 ... s-1
 *     sum_i L_si p(t_i, Q_i, V_i) = 0
 *     p(q_n+1, u_n+1) - p_n - sum_j (...)_j = b_s dt h(t_n+1, q_n+1, V_s) + W(q_n+1) P_s      (stage 2)
 *
 * with h the force of p' = h, d(T - V)/dq + F. The laws are the same. */
#ifndef PC_SCHEMES_VARIATIONAL_H
#define PC_SCHEMES_VARIATIONAL_H

#include "implicit/implicit_step.h"
#include "linalg/assembly.h"
#include "schemes/scheme.h"
#include "steps/measure.h"
#include "steps/stage_kinematics.h"
#include "system/stages.h"

typedef struct pc_variational {
  const pc_system* system;
  pc_scheme_settings settings;
  int paper_start; /* Q = q_n and V of the last step, as RATTLE's Table 1 counts */
  int s, m;        /* stages; m = s - 1 */
  int momentum;    /* the form */
  int n;           /* unknown increments of velocity: m, s in momentum form */
  int n_q, n_u, rows, contacts, g_count, bilateral;
  unsigned provides;
  int constant_M;
  int has_restitution_above; /* contacts rebound from some speed on only */
  double t, dt;
  const pc_state* state; /* of the step at hand */

  pc_tableau* tableau;
  pc_stage_kinematics* motion;
  pc_terms** terms; /* s: at the stages; those of the first have no rows */
  pc_terms* start;  /* with the rows at the start of the step: those at the end of the last one */
  double start_t;   /* where they were evaluated */
  double* start_q;  /* n_q */
  double* zero;     /* n n_u */
  double* p;        /* n_u: the momentum at the start of the step, in momentum form */

  /* stage 1: law j * rows + r is that of row r at stage j + 1, with the percussion of stage j */
  pc_implicit_step* positions;
  pc_stage_tangent* tangent; /* NULL: the contacts listed would fill it; by blocks only */
  pc_stage_blocks* blocks_1; /* the same by blocks */
  pc_implicit_graph graph_1;
  int factored; /* it never changes and is factorised already, for this dt */
  double* w;    /* n x n_u */
  double* kept; /* 2 x n x n_u: w, or u of stage 2, kept in two slots */
  double* P_1;  /* m x rows */
  pc_stage_at* at;
  int* bilateral_1;
  int* unit_1; /* m x rows: the joint or contact of each row */
  pc_cone* cone_1;
  pc_block** block; /* per row: its runs, once for each stage */
  double* gradient; /* of one law */
  double* slope;    /* m times, for each row: how its velocity changes with Q of the stage */
  int* slope_at;    /* rows: where it begins within those of a stage, */
  int slope_count;  /* which are so many numbers */
  double* moment;   /* m x s: b_i c_i^j, the weights of averaged velocity constraints */

  /* stage 2 */
  pc_implicit_step* velocities;
  pc_assembly* mass;
  pc_stage_blocks* blocks_2;
  pc_implicit_graph graph_2;
  int mass_factored;
  double* u;      /* n_u: u_n+1 */
  double* known;  /* n_u: b_s dt h_s, and in momentum form what u_1 lacks of the momentum */
  double* u_1;    /* n_u: u_n + sum w, the velocity after stage 1; V_s in momentum form */
  double* jump;   /* n_u: u - u_1 */
  double* P;      /* rows */
  double* P_sum;  /* rows: of stage 1 */
  double* before; /* rows: y'(-) */
  int* bilateral_2;
  pc_cone* cone_2;
  double* e;             /* rows: restitution */
  unsigned char* normal; /* rows: whether it is that of a contact */
  int* contact_of;       /* rows: the contact, or -1 */
  unsigned char* closed;

  /* How residuals count: as velocities, unless the papers' tolerance is asked for. */
  pc_measure measure;
  int scaled;       /* they do */
  double* F_weight; /* n x n_u: 1 over an inertia [1/kg], or 1 */
  double* y_unit;   /* m x rows: 1/dt for positions [1/s], 1 for velocities */
  double unit_dt;   /* for which they are these */
  double* P_weight; /* m x contacts: as F_weight */
  double* noise;    /* n_u: round-off of stage 2 [N s] */
  int has_noise;    /* it counts */
  double* size;     /* n x n_u: the largest term of each equation [N s], then of its body */
  double reach;     /* the largest coordinate of the iterate of stage 1 */

  double* impact_law; /* contacts [m/s] */
  double* friction_law;
} pc_variational;

/* The form is momentum form only where it makes a difference: where some M is not constant. */
pc_status pc_variational_create(const pc_system* system, const pc_scheme_settings* settings, int s,
                                int paper_start, pc_form form, void** scheme, pc_error* error);
void pc_variational_destroy(void* scheme); /* NULL is fine */

/* What the state remembers: w (or V of the last step), P_1, P of stage 2, and r of all laws. */
int pc_variational_memory(const void* scheme);

/* The coefficient of friction of contact k. Without friction it has no rows of friction, either: none acts. */
void pc_variational_set_friction(pc_variational* scheme, int k, double mu);

pc_status pc_variational_start(void* scheme, pc_state* state, double dt, pc_error* error);
pc_status pc_variational_step(void* scheme, pc_state* state, double dt, pc_step_info* info,
                              pc_error* error);

/* Rows at the state, for the observation. */
const pc_terms* pc_variational_rows(void* scheme, const pc_state* state);

/* Terms with the rows of stage i. */
static inline const pc_terms* pc_variational_stage_rows(const pc_variational* v, int i)
{
  return i == 0 ? v->start : v->terms[i];
}

/* Rows with a position: joints, and the normal of a contact. */
static inline int pc_variational_is_position(const pc_variational* v, int row)
{
  return row < v->g_count || v->normal[row];
}

/* Whether a row belongs to a contact that is open at stage j + 1, beyond a tie, and has no percussions P (rows) there:
 * nothing but that is asked of it, unless it is made to act. */
static inline int pc_variational_is_idle(const pc_variational* v, int j, int row, const double* P)
{
  int contact = v->contact_of[row];
  if (contact < 0) return 0;
  const pc_cone* cone = &v->cone_2[contact];
  for (int i = 0; i <= cone->dimension; i++)
    if (P[cone->row + i] != 0) return 0;
  return v->terms[j + 1]->y[cone->row] > v->settings.activation_tolerance;
}

/* Whether a row is that of a joint or of a contact to which the impact law applies. */
static inline int pc_variational_may_act(const pc_variational* v, int row)
{
  return v->contact_of[row] < 0 || v->closed[v->contact_of[row]];
}

/* How the velocity of a row changes with Q of stage i > 0, as it was linearised last. */
static inline double* pc_variational_slope(const pc_variational* v, int i, int row)
{
  return v->slope + (i - 1) * v->slope_count + v->slope_at[row];
}

/* What is left of their equations in units of what may be, see variational_limits.c. */
double pc_position_excess(void* scheme, const double* P, const double* F, double share);
double pc_position_row_excess(void* scheme, int law, double left, double share);
double pc_position_percussion_excess(void* scheme, int law, double P, double share);
double pc_velocity_excess(void* scheme, const double* P, const double* F, double share);
double pc_velocity_row_excess(void* scheme, int row, double left, double share);
double pc_velocity_percussion_excess(void* scheme, int row, double P, double share);

/* The two problems, as the engine asks for them. */
pc_implicit_problem pc_position_problem(pc_variational* scheme);
pc_implicit_problem pc_velocity_problem(pc_variational* scheme);

#endif
