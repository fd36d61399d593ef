/* A force F along a row w: what springs and dampers, in line and rotational, have in common.
 *
 * With the length or angle whose rate is w . u, the force on the parts is h = -F w. Its derivatives
 * follow from those of F and from w_q, the derivative of the row:
 *     h_q = -(w F_q' + F w_q),  h_u = -w F_u'. */
#ifndef PC_ELEMENTS_SPRING_FORCE_H
#define PC_ELEMENTS_SPRING_FORCE_H

#include "elements/geometry.h"

/* The row over the local velocities of a pair. */
typedef struct pc_spring_force_row {
  int n_q, n_u;
  const double* w;   /* n_u */
  const double* w_q; /* n_u x n_q, read where h_q is wanted */
} pc_spring_force_row;

typedef struct pc_spring_force {
  double F;
  double F_q[PC_PAIR_Q_MAX];
  double F_u[PC_PAIR_U_MAX];
} pc_spring_force;

/* h_q and h_u, which arrive as they were left, become zero. */
static inline void pc_spring_force_clear(const pc_local* l, pc_spring_force_row x)
{
  for (int i = 0; l->h_q && i < x.n_u * x.n_q; i++) l->h_q[i] = 0;
  for (int i = 0; l->h_u && i < x.n_u * x.n_u; i++) l->h_u[i] = 0;
}

/* A spring's share of a force: stiffness times a stretch whose rate is w . u. */
static inline void pc_spring_force_stretch(const pc_pair* pair, const pc_local* l, double stiffness,
                                           double stretch, pc_spring_force_row x,
                                           pc_spring_force* p)
{
  double gradient[PC_PAIR_Q_MAX];
  p->F += stiffness * stretch;
  if (!l->h_q) return;
  pc_gradient_of_row(pair, l->q, x.w, gradient);
  for (int k = 0; k < x.n_q; k++) p->F_q[k] += stiffness * gradient[k];
}

/* A damper's share: F = c w . u, with its derivatives; its force is put into l->f as well. */
static inline void pc_spring_force_damp(const pc_local* l, double c, pc_spring_force_row x,
                                        pc_spring_force* p)
{
  if (!(c > 0)) return;
  double F = 0;
  for (int j = 0; j < x.n_u; j++) {
    F += c * x.w[j] * l->u[j];
    p->F_u[j] += c * x.w[j];
    for (int k = 0; l->h_q && k < x.n_q; k++) p->F_q[k] += c * x.w_q[j * x.n_q + k] * l->u[j];
  }
  for (int j = 0; l->f && j < x.n_u; j++) l->f[j] -= F * x.w[j];
  p->F += F;
}

/* The forces on the parts. */
static inline void pc_spring_force_add(const pc_local* l, pc_spring_force_row x,
                                       const pc_spring_force* p)
{
  for (int j = 0; j < x.n_u; j++) {
    if (l->h) l->h[j] -= p->F * x.w[j];
    for (int k = 0; l->h_q && k < x.n_q; k++)
      l->h_q[j * x.n_q + k] -= x.w[j] * p->F_q[k] + p->F * x.w_q[j * x.n_q + k];
    for (int k = 0; l->h_u && k < x.n_u; k++) l->h_u[j * x.n_u + k] -= x.w[j] * p->F_u[k];
  }
}

#endif
