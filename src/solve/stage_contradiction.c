/* Rows that contradict each other, and which contact gives way.
 *
 * A heap that sticks together can have more closed rows than degrees of freedom. Around a closed chain
 * of bodies they then contradict each other, be it by what earlier steps were allowed to leave, and no x
 * makes all of them zero: Newton's method settles at the least squares of K x = b, and its branches say
 * no more. The rest rho = b - K x does. A change v of percussions in the null space of K moves nothing:
 * it is a self-stress. Along the one that is closest to rho, which presses where bodies overlap and
 * releases where they gape, percussions change until one contact has none left or its friction is used
 * up. It leaves its branch, and there is a row less to contradict. In the same way a dual active-set
 * method for quadratic programs drops a constraint (Goldfarb and Idnani, 1983). */
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "linalg/dense.h"
#include "solve/stage_inside.h"

/* Relative: how far beyond the end of a branch percussions go, and what counts as no change at all. */
#define BEYOND 1e-6

/* A row of a gap is a velocity times a length of time, and this is its share in the rest: in a chain of
 * gaps and slips the stress goes with their rates. */
static void take_rates(const pc_stage* s, double* rest)
{
  const pc_stage_problem* p = s->problem;
  int n = s->active_count;
  for (int k = 0; k < p->contact_count; k++) {
    if (s->law[k] == PC_LAW_OPEN || s->G_F[k] <= 0) continue;
    int i = s->place[p->cone[k].row];
    rest[i] *= fabs(s->D[i * n + i]) / s->G_F[k];
  }
}

static void multiply(int n, const double* K, const double* x, double* y)
{
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int c = 0; c < n; c++) y[i] += K[i * n + c] * x[c];
  }
}

/* Whether what is left of K x = b is more than the tolerance, in units of y and P. */
static int contradicts(const pc_stage* s, const double* x, const double* b, double* rest)
{
  int n = s->active_count;
  double largest = 0;
  multiply(n, s->K, x, rest);
  for (int i = 0; i < n; i++) {
    rest[i] = b[i] - rest[i];
    largest = pc_larger(largest, fabs(rest[i] / s->work[i]));
  }
  return largest >= s->settings.tolerance;
}

/* stress := the part of the rest in the null space of K, in units of P. Its largest entry. */
static double find_stress(pc_stage* s, const double* rest, double* stress)
{
  int n = s->active_count, rank;
  double* lapack = s->copy + (size_t)s->dense_max * (size_t)s->dense_max;
  double largest = 0;
  multiply(n, s->K, rest, stress);
  memcpy(s->copy, s->K, (size_t)n * (size_t)n * sizeof *s->K);
  if (pc_least_norm_solve(n, s->copy, stress, PC_STAGE_RANK_SHARE, &rank, s->pivot, lapack) !=
      PC_OK)
    return 0;
  for (int i = 0; i < n; i++) {
    stress[i] = s->weight[i] * (rest[i] - stress[i]);
    largest = pc_larger(largest, fabs(stress[i]));
  }
  return largest;
}

/* The smallest a >= 0 with |F + a f| = reach + a more, for a friction F inside its cone; HUGE_VAL if
 * there is none. */
static double reach_cone(int d, const double* F, const double* f, double reach, double more)
{
  double A = -more * more, B = -reach * more, C = -reach * reach;
  for (int i = 0; i < d; i++) {
    A += f[i] * f[i];
    B += F[i] * f[i];
    C += F[i] * F[i];
  }
  double root = B * B - A * C;
  if (C >= 0 || root < 0) return C >= 0 && B > 0 ? 0 : HUGE_VAL;
  root = sqrt(root);
  double a = B > 0 ? -C / (B + root) : A != 0 ? (root - B) / A : HUGE_VAL;
  return a >= 0 ? a : HUGE_VAL;
}

/* How far contact k can go along the stress until it leaves its branch. */
static double reach(const pc_stage* s, int k, const double* P, const double* stress, double least)
{
  const pc_cone* cone = &s->problem->cone[k];
  const double* change = stress + s->place[cone->row];
  double now[4], a = HUGE_VAL;
  for (int f = 0; f <= cone->dimension; f++) now[f] = P[cone->row + f] + s->dP[cone->row + f];
  if (change[0] < -least) a = pc_larger(0, -now[0] / change[0]);
  if (s->law[k] != PC_LAW_STICK || now[0] <= 0) return a;
  double mu = cone->mu;
  return fmin(a, reach_cone(cone->dimension, now + 1, change + 1, mu * now[0], mu * change[0]));
}

void pc_stage_yield(pc_stage* s, const double* P)
{
  const pc_stage_problem* p = s->problem;
  const double *b = s->own, *x = s->free;
  double *rest = s->trial + p->row_count, *stress = s->b, furthest = HUGE_VAL, largest_P = 0;
  pc_stage_scaled_equations(s, P);
  if (!contradicts(s, x, b, rest)) return;
  take_rates(s, rest);
  double largest = find_stress(s, rest, stress);
  for (int k = 0; k < p->contact_count; k++)
    if (s->law[k] != PC_LAW_OPEN)
      furthest = fmin(furthest, reach(s, k, P, stress, BEYOND * largest));
  if (!(furthest < HUGE_VAL) || largest == 0) return;
  for (int i = 0; i < s->active_count; i++)
    largest_P = pc_larger(largest_P, fabs(P[s->active[i]] + s->dP[s->active[i]]));
  furthest += BEYOND * pc_larger(furthest, BEYOND * largest_P / largest);
  for (int i = 0; i < s->active_count; i++) s->dP[s->active[i]] += furthest * stress[i];
  s->yields = 1;
}
