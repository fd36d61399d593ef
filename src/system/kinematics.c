/* What holds for the system as a whole: q' = B u + beta, and which terms there are. */
#include <float.h>
#include <math.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/rotation.h"
#include "linalg/copy.h"
#include "system/found.h"
#include "system/system.h"
#include "system/terms.h"

void pc_system_q_dot(const pc_system* s, double t, const double* q, const double* u, double* q_dot)
{
  if (s->terms.plain_kinematics) {
    pc_copy(s->u_count, u, q_dot);
    return;
  }
  for (int i = 0; i < s->part_count; i++) {
    const pc_part* p = &s->part[i];
    if (p->kinematics.q_dot)
      p->kinematics.q_dot(p->user, t, q + p->q_first, u + p->u_first, q_dot + p->q_first);
    else
      pc_copy(p->u_count, u + p->u_first, q_dot + p->q_first);
  }
}

/* q = q_0 + dt q'(t + dt/2, (q_0 + q)/2, mean u) by fixed-point iteration, which contracts as long
 * as a step turns by less than a radian or two. A linear q' (a quaternion's) keeps its norm
 * exactly. */
static void midpoint(const pc_part* p, double t, double dt, const double* q_0, const double* mean,
                     double* mid, double* q)
{
  enum { ITERATIONS_MAX = 60 };
  pc_copy(p->q_count, q_0, q);
  for (int n = 0; n < ITERATIONS_MAX; n++) {
    double change = 0, size = 0;
    for (int i = 0; i < p->q_count; i++) mid[i] = (q_0[i] + q[i]) / 2;
    p->kinematics.q_dot(p->user, t + dt / 2, mid, mean, q);
    for (int i = 0; i < p->q_count; i++) {
      double next = q_0[i] + dt * q[i];
      change = pc_larger(change, fabs(next - (2 * mid[i] - q_0[i])));
      size = pc_larger(size, fabs(next));
      q[i] = next;
    }
    if (!(change > 4 * DBL_EPSILON * size)) return;
  }
}

/* What the parts of a theta point have in common. */
typedef struct theta_loop {
  const pc_system* system;
  const pc_theta_interval* over;
  const double* u;
  double *q_theta, *q;
} theta_loop;

/* q and q_theta of a part from its q', which may lie where q is to be; returns the largest change
 * of q_theta. */
PC_INLINE double move_part(const theta_loop* l, const pc_part* p, const double* q_dot)
{
  const pc_theta_interval* over = l->over;
  double change = 0;
  for (int k = 0, i = p->q_first; k < p->q_count; k++, i++) {
    l->q[i] = over->q_0[i] + over->dt * q_dot[k];
    double q_theta = (1 - over->theta) * over->q_0[i] + over->theta * l->q[i];
    change = pc_larger(change, fabs(q_theta - l->q_theta[i]));
    l->q_theta[i] = q_theta;
  }
  return change;
}

/* Passes until round-off is all that changes; a pass shortens the change to dt theta |dq'/dq| of
 * it. Where the change does not shrink, Newton's method is left with it. */
static void iterate_part(const theta_loop* l, const pc_part* p)
{
  enum { PASSES = 64 };
  double change = HUGE_VAL, last, *q_dot = l->q + p->q_first;
  int pass = 0;
  do {
    last = change;
    if (p->kinematics.q_dot)
      p->kinematics.q_dot(p->user, l->over->t, l->q_theta + p->q_first, l->u + p->u_first, q_dot);
    else
      pc_copy(p->u_count, l->u + p->u_first, q_dot);
    change = move_part(l, p, q_dot);
  } while (p->kinematics.q_dot && change > 0 && change < last && ++pass < PASSES);
}

/* A body in space has a closed form, since p' = Q(p) w/2 = p o (0, w)/2 is linear in p: with
 * a = theta dt/2, p_theta o (1, -a w) = p_0 is solved by p_theta = p_0 o (1, a w)/(1 + a^2 |w|^2).
 */
static void turn_body(const theta_loop* l, const pc_part* p)
{
  const double *p_0 = l->over->q_0 + p->q_first + 3, *u = l->u + p->u_first, *w = u + 3;
  double rate[7], *p_theta = l->q_theta + p->q_first + 3;
  double a = l->over->theta * l->over->dt / 2;
  double scale = 1 / (1 + a * a * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  pc_rotation_rate(p_0, w, rate + 3);
  for (int i = 0; i < 4; i++) p_theta[i] = scale * (p_0[i] + 2 * a * rate[3 + i]);
  for (int i = 0; i < 3; i++) rate[i] = u[i];
  pc_rotation_rate(p_theta, w, rate + 3);
  move_part(l, p, rate);
}

static void theta_points(void* user, int worker, int begin, int end)
{
  const theta_loop* l = user;
  (void)worker;
  for (int k = begin; k < end; k++) {
    const pc_part* p = &l->system->part[k];
    if (p->within >= 0) continue;
    if (p->kind == PC_PART_SPATIAL_BODY)
      turn_body(l, p);
    else
      iterate_part(l, p);
  }
}

/* Parts that are worth sharing among threads. */
enum { SHARED_LEAST = 256 };

void pc_system_theta_point(const pc_system* s, const pc_theta_interval* over, const double* u,
                           double* q_theta, double* q)
{
  theta_loop loop = {s, over, u, q_theta, q};
  pc_threads_run(pc_system_threads(s), s->part_count, SHARED_LEAST, theta_points, &loop);
}

void pc_system_retract(const pc_system* s, double t, double dt, const double* q_0, const double* d,
                       double* scratch, double* q)
{
  if (s->terms.plain_kinematics) {
    for (int i = 0; i < s->q_count; i++) q[i] = q_0[i] + d[i];
    return;
  }
  for (int i = 0; i < s->part_count; i++) {
    const pc_part* p = &s->part[i];
    const double *from = q_0 + p->q_first, *by = d + p->u_first;
    double* to = q + p->q_first;
    if (p->within >= 0) continue;
    if (p->retract) {
      p->retract(p->user, t, dt, from, by, to);
    } else if (p->kinematics.q_dot) {
      for (int k = 0; k < p->u_count; k++) scratch[s->q_count + k] = by[k] / dt;
      midpoint(p, t, dt, from, scratch + s->q_count, scratch, to);
    } else {
      for (int k = 0; k < p->q_count; k++) to[k] = from[k] + by[k];
    }
  }
}

int pc_system_plain_kinematics(const pc_system* s)
{
  return s->terms.plain_kinematics;
}

/* An element with M that has several runs joins what lies between them, too. */
int pc_system_find_bodies(const pc_system* s, int* first)
{
  int count = 0;
  for (int i = 0; i <= s->u_count; i++) first[i] = 1; /* begins here? */
  for (int e = 0; e < s->element_count; e++) {
    const pc_element* of = &s->element[e];
    if (!(of->provides & PC_TERM_M) || of->block_count == 0) continue;
    int from = s->u_count, to = 0;
    for (int b = 0; b < of->block_count; b++) {
      int end = of->u_block[b].first + of->u_block[b].width;
      if (of->u_block[b].first < from) from = of->u_block[b].first;
      if (end > to) to = end;
    }
    for (int i = from + 1; i < to; i++) first[i] = 0;
  }
  for (int i = 0; i <= s->u_count; i++)
    if (first[i]) first[count++] = i;
  return count - 1;
}

unsigned pc_system_provides(const pc_system* s)
{
  return s->terms.provides | (s->found.count ? PC_FOUND_PROVIDES : 0u);
}

unsigned pc_system_constant(const pc_system* s)
{
  return s->terms.constant & ~(s->found.count ? PC_FOUND_PROVIDES : 0u);
}
