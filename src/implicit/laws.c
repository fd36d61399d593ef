/* Which branch a law is on, and what is left of it there. */
#include <math.h>

#include "base/larger.h"
#include "implicit/inside.h"

static double norm(int n, const double* x)
{
  double sum = 0;
  if (n == 1) return fabs(x[0]);
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Without a percussion the sign of y decides, and a tie counts as closed until the contact has been
 * seen to open. With one, r weighs the two. */
static int is_closed(const pc_implicit_step* s, int k, double y, double P)
{
  const pc_implicit_problem* p = s->problem;
  if (p->may_close && !p->may_close[k]) return 0;
  if (P == 0) return y <= (s->laws.opened[k] ? 0 : p->tie);
  return s->laws.r_N[k] * y - P <= 0;
}

/* Stick or slip, by the trial force r_F y_F - P_F; its size and direction are kept for slip. */
static pc_contact_mode friction_branch(pc_implicit_step* s, int k, const pc_cone* cone,
                                       const double* P)
{
  const double *y_F = s->y + cone->row + 1, *P_F = P + cone->row + 1;
  double* t = s->laws.slip + 3 * k;
  int d = cone->dimension;
  if (d == 0 || P[cone->row] <= 0) return PC_CONTACT_CLOSED;
  for (int i = 0; i < d; i++) t[i] = s->laws.r_F[k] * y_F[i] - P_F[i];
  double trial_friction = s->laws.trial_friction[k] = norm(d, t);
  if (trial_friction <= cone->mu * P[cone->row]) return PC_CONTACT_STICK;
  for (int i = 0; i < d; i++) t[i] /= trial_friction;
  return PC_CONTACT_SLIP;
}

void pc_implicit_choose(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  pc_contact_mode* mode = s->laws.mode;
  for (int k = 0, count = p->contact_count; k < count; k++) {
    const pc_cone* cone = &p->cone[k];
    if (is_closed(s, k, s->y[cone->row], P[cone->row])) {
      mode[k] = friction_branch(s, k, cone, P);
      s->laws.was_closed[k] = 1;
    } else if (mode[k] != PC_CONTACT_OPEN) {
      mode[k] = PC_CONTACT_OPEN;
      s->laws.opened[k] = 1;
    }
  }
}

/* An r that is far too small (r G << 1, with G the Delassus diagonal) hides what y_F has to say:
 * the row is then weighted up, so that no r can pass a wrong direction of slip for a right one. */
static double slip_residual(const pc_implicit_step* s, int k, const double* P)
{
  const pc_cone* cone = &s->problem->cone[k];
  double largest = 0, reach = cone->mu * P[cone->row], rG = s->laws.r_F[k] * s->laws.G_F[k];
  for (int i = 0; i < cone->dimension; i++)
    largest = pc_larger(largest, fabs(P[cone->row + 1 + i] + reach * s->laws.slip[3 * k + i]));
  return rG > 0 && rG < 0.01 ? largest * 0.01 / rG : largest;
}

static double y_unit(const pc_implicit_problem* p, int row)
{
  return p->measure.y_unit ? p->measure.y_unit[row] : 1;
}

/* What y counts in the residual. */
static double residual_unit(const pc_implicit_step* s, int row)
{
  const pc_implicit_measure* m = &s->problem->measure;
  double by = m->F_excess && m->y_per_length ? m->y_per_length[row] : 0;
  return by > 0 ? by * s->pace : 1;
}

double pc_implicit_law_residual(const pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int i = 0; i < p->bilateral_count; i++)
    largest = pc_larger(largest, residual_unit(s, p->bilateral[i]) * fabs(s->y[p->bilateral[i]]));
  for (int k = 0; k < p->contact_count; k++) {
    const pc_cone* cone = &p->cone[k];
    pc_contact_mode law = s->laws.mode[k];
    double weight = p->measure.P_weight ? p->measure.P_weight[k] : 1;
    double normal = law == PC_CONTACT_OPEN ? weight * P[cone->row]
                                           : residual_unit(s, cone->row) * s->y[cone->row];
    largest = pc_larger(largest, fabs(normal));
    if (law == PC_CONTACT_SLIP) largest = pc_larger(largest, weight * slip_residual(s, k, P));
    for (int i = 1; law != PC_CONTACT_SLIP && i <= cone->dimension; i++)
      largest = pc_larger(largest, fabs(law == PC_CONTACT_STICK
                                            ? residual_unit(s, cone->row + i) * s->y[cone->row + i]
                                            : weight * P[cone->row + i]));
  }
  return largest;
}

double pc_implicit_law_merit(const pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int i = 0; i < p->bilateral_count; i++) {
    int row = p->bilateral[i];
    largest = pc_larger(largest, y_unit(p, row) * fabs(s->y[row]));
  }
  for (int k = 0; k < p->contact_count; k++) {
    const pc_cone* cone = &p->cone[k];
    int row = cone->row;
    if (p->may_close && !p->may_close[k]) continue;
    if (s->laws.mode[k] == PC_CONTACT_OPEN && P[row] == 0 &&
        (cone->dimension == 0 || P[row + 1] == 0))
      continue;
    largest =
        pc_larger(largest, y_unit(p, row) * pc_implicit_step_normal_violation(s, cone, k, s->y, P));
    if (cone->dimension)
      largest = pc_larger(
          largest, y_unit(p, row + 1) * pc_implicit_step_friction_violation(s, cone, k, s->y, P));
  }
  return largest;
}

double pc_implicit_percussion_speed(const pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  double largest = 0;
  for (int k = 0; k < p->contact_count; k++) {
    int row = p->cone[k].row;
    if (s->laws.mode[k] == PC_CONTACT_OPEN || s->laws.r_N[k] == 0) continue;
    largest = pc_larger(largest, y_unit(p, row) * fabs(P[row]) / s->laws.r_N[k]);
  }
  return largest;
}

/* FNV-1a over the branches; in one dimension slipping forth and back are different branches. */
static uint64_t fingerprint(const pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < p->contact_count; k++) {
    const pc_cone* cone = &p->cone[k];
    unsigned branch = s->laws.mode[k];
    if (branch == PC_CONTACT_SLIP && cone->dimension == 1 && s->laws.slip[3 * k] < 0) branch += 8;
    hash = (hash ^ branch) * 1099511628211u;
  }
  return hash;
}

int pc_implicit_same_branches(const pc_implicit_step* s)
{
  return s->laws.seen_count > 0 && s->laws.seen[s->laws.seen_count - 1] == fingerprint(s);
}

int pc_implicit_repeats(pc_implicit_step* s)
{
  uint64_t now = fingerprint(s);
  int found = 0;
  for (int i = 0; i + 1 < s->laws.seen_count; i++) found |= s->laws.seen[i] == now;
  if (s->laws.seen_count > 0 && s->laws.seen[s->laws.seen_count - 1] == now) return 0;
  if (s->laws.seen_count < PC_IMPLICIT_HISTORY) s->laws.seen[s->laws.seen_count++] = now;
  return found;
}

int pc_implicit_step_is_closed(const pc_implicit_step* s, int k)
{
  return s->laws.mode[k] != PC_CONTACT_OPEN;
}

double pc_implicit_step_normal_violation(const pc_implicit_step* s, const pc_cone* cone, int k,
                                         const double* y, const double* P)
{
  double r = s->laws.r_N[k];
  if (r == 0) return 0;
  return fabs(pc_larger(0, P[cone->row] / r - y[cone->row]) - P[cone->row] / r);
}

double pc_implicit_step_friction_violation(const pc_implicit_step* s, const pc_cone* cone, int k,
                                           const double* y, const double* P)
{
  double r = s->laws.r_F[k], trial_friction[3], largest = 0;
  if (cone->dimension == 0 || r == 0) return 0;
  double radius = cone->mu * pc_larger(0, P[cone->row]) / r;
  for (int i = 0; i < cone->dimension; i++)
    trial_friction[i] = y[cone->row + 1 + i] - P[cone->row + 1 + i] / r;
  double size = norm(cone->dimension, trial_friction), shrink = size > radius ? radius / size : 1;
  for (int i = 0; i < cone->dimension; i++)
    largest = pc_larger(largest, fabs(P[cone->row + 1 + i] / r + shrink * trial_friction[i]));
  return largest;
}
