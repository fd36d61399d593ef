/* Active sets: guess the mode of each contact, solve the linear system of this combination, verify.
 *
 * With the modes known, the contact problem is linear:
 *
 *     open   P = 0
 *     stick  y_N = 0, y_F = 0
 *     slip   y_N = 0, P_F = mu P_N t
 *
 * For friction of dimension 0 and 1 the direction t is nothing or a sign, and P_N is the only
 * unknown of a slipping contact. From dimension 2 on t turns with the velocity,
 * t = z/|z| with z = P_F - m y_F, and its linearisation enters the system:
 *
 *     dP_F - mu t dP_N - rho (I - t t') (dP_F - m A_F dP) = mu P_N t - P_F,   rho = mu P_N / |z|
 *
 * (Alart and Curnier, 1991). The system is solved for a correction of P, not for P itself. So a
 * second solve with the same factors is a refinement, and percussions that redundant contacts leave
 * undetermined keep the value of the guess. */
#include <math.h>
#include <string.h>

#include "linalg/complete_lu.h"
#include "solve/constants.h"
#include "solve/dense_work.h"

/* Above this many rows a factorisation costs more than the sweeps that it may save. */
enum { ROWS_MAX = 120 };

/* |P_F| within this part of mu P_N is on the boundary of the cone: the contact slips. */
static const double boundary = 1e-12;

/* A correction beyond this part of P_N is refined once more. */
static const double large_correction = 1e-2;

/* Factors are kept while modes do not change, only directions turn, and the residual falls to this
 * part in each round: close to the solution another factorisation would save less than it costs. */
static const double kept_gain = 0.1;

/* Which modes follow depends on r; what cycles with one value often ends with another. */
static const double trial_r[PC_MODES_TRIALS] = {1, 0.1, 10};

static double length_of(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* A slipping contact whose only unknown is P_N. */
static int is_reduced(const pc_modes* modes, int k)
{
  return modes->mode[k] == PC_CONTACT_SLIP && modes->unknowns[k] == 1;
}

/* The slip direction of this contact is unknown; else it is part of the matrix, by P_F = mu P_N
 * t. */
static int turns(const pc_modes* modes, const pc_cone* cone)
{
  return cone->dimension >= 2 && !modes->frozen;
}

static void count_unknowns(pc_work* work)
{
  pc_modes* modes = &work->modes;
  modes->size = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int held = cone->mu == 0 || !turns(modes, cone);
    int count = modes->mode[k] == PC_CONTACT_SLIP && held ? 1 : 1 + cone->dimension;
    modes->unknowns[k] = modes->mode[k] == PC_CONTACT_OPEN ? 0 : count;
    modes->size += modes->unknowns[k];
  }
}

/* The mode that a contact's percussion p belongs to; t is set where it slips. */
static pc_contact_mode mode_of(const pc_cone* cone, const double* p, double* t)
{
  int d = cone->dimension;
  if (!(p[0] > 0)) return PC_CONTACT_OPEN;
  double length = d == 1 ? fabs(p[1]) : length_of(d, &p[1]);
  if (length < cone->mu * p[0] * (1 - boundary)) return PC_CONTACT_STICK;
  for (int i = 0; i < d; i++) t[1 + i] = length > 0 ? p[1 + i] / length : 0;
  return PC_CONTACT_SLIP;
}

/* What a new choice of the modes has changed: nothing, directions of slip alone, or a mode. */
typedef enum change { NOTHING, DIRECTIONS, MODES } change;

/* Modes from P (r = 0), or from the prox step P - r m y. */
static change assign_modes(pc_work* work, double r)
{
  pc_modes* modes = &work->modes;
  change changed = NOTHING;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    double p[PC_CONE_ROWS_MAX] = {0}, t[PC_CONE_ROWS_MAX] = {0};
    for (int i = 0; i <= cone->dimension; i++) {
      int row = cone->row + i;
      p[i] = work->P[row] - r * work->mass[k] * work->y[row];
    }
    pc_contact_mode mode = mode_of(cone, p, t);
    if (mode != modes->mode[k]) changed = MODES;
    for (int i = 1; i <= cone->dimension && mode == PC_CONTACT_SLIP; i++) {
      if (t[i] != modes->direction[cone->row + i] && changed != MODES)
        changed = turns(modes, cone) ? DIRECTIONS : MODES;
      modes->direction[cone->row + i] = t[i];
    }
    modes->mode[k] = mode;
  }
  return changed;
}

/* P_F = mu P_N t of a reduced contact. */
static void put_on_cone(const pc_cone* cone, const double* direction, double* P)
{
  for (int i = 1; i <= cone->dimension; i++)
    P[cone->row + i] = cone->mu * P[cone->row] * direction[cone->row + i];
}

/* Makes P what its modes demand without solving. */
static void project_on_modes(pc_work* work)
{
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    pc_contact_mode mode = work->modes.mode[k];
    if (mode == PC_CONTACT_OPEN)
      for (int i = 0; i <= cone->dimension; i++) work->P[cone->row + i] = 0;
    else if (is_reduced(&work->modes, k))
      put_on_cone(cone, work->modes.direction, work->P);
  }
}

/* The turning-slip equation of friction component f (1 to dimension), over all of P. */
static void slip_equation(const pc_work* work, int k, int f, double* row)
{
  const pc_cone* cone = &work->cone[k];
  int n = work->row_count, d = cone->dimension, N = cone->row;
  double z[PC_CONE_ROWS_MAX - 1], mass = work->modes.r * work->mass[k];
  for (int i = 0; i < d; i++) z[i] = work->P[N + 1 + i] - mass * work->y[N + 1 + i];
  double length = length_of(d, z);
  double rho = length > 0 ? cone->mu * work->P[N] / length : 0;
  const double* t = &work->modes.direction[N];

  memset(row, 0, (size_t)n * sizeof(double));
  for (int g = 1; g <= d; g++) {
    double projector = (f == g ? 1 : 0) - t[f] * t[g];
    const double* A_F = &work->A[(size_t)(N + g) * (size_t)n];
    for (int j = 0; j < n; j++) row[j] += rho * mass * projector * A_F[j];
    row[N + g] -= rho * projector;
  }
  row[N + f] += 1;
  row[N] -= cone->mu * t[f];
}

/* Picks the unknowns' columns out of an equation over all of P. */
static void reduce_columns(const pc_work* work, const double* row, double* out)
{
  const pc_modes* modes = &work->modes;
  for (int j = 0; j < work->contact_count; j++) {
    const pc_cone* cone = &work->cone[j];
    const double* block = &row[cone->row];
    if (modes->mode[j] == PC_CONTACT_OPEN) continue;
    if (is_reduced(modes, j)) {
      double sum = block[0];
      for (int i = 1; i <= cone->dimension; i++)
        sum += cone->mu * modes->direction[cone->row + i] * block[i];
      *out++ = sum;
    } else {
      for (int i = 0; i <= cone->dimension; i++) *out++ = block[i];
    }
  }
}

/* The matrix of the modes, unknowns in the order of the contacts. */
static void build(pc_work* work)
{
  pc_modes* modes = &work->modes;
  size_t n = (size_t)work->row_count;
  modes->size = 0;
  for (int k = 0; k < work->contact_count; k++) modes->size += modes->unknowns[k];

  double* out = modes->K;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int equations = modes->unknowns[k];
    for (int i = 0; i < equations; i++, out += modes->size) {
      const double* row = &work->A[(size_t)(cone->row + i) * n];
      if (i > 0 && modes->mode[k] == PC_CONTACT_SLIP) {
        slip_equation(work, k, i, modes->full);
        row = modes->full;
      }
      reduce_columns(work, row, out);
    }
  }
}

/* The right-hand side of the correction: what the equations lack at P; y has to belong to P. */
static void fill_rhs(pc_work* work)
{
  pc_modes* modes = &work->modes;
  double* x = modes->rhs;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int N = cone->row, turning = modes->mode[k] == PC_CONTACT_SLIP;
    if (modes->unknowns[k] > 0) *x++ = -work->y[N];
    for (int i = 1; i < modes->unknowns[k]; i++) {
      double aim = cone->mu * work->P[N] * modes->direction[N + i];
      *x++ = turning ? aim - work->P[N + i] : -work->y[N + i];
    }
  }
}

/* One correction of P by the factored system. Returns whether it was large, so that its round-off
 * may matter. */
static int correct(pc_work* work)
{
  pc_modes* modes = &work->modes;
  fill_rhs(work);
  pc_complete_lu_solve(modes->size, modes->K, modes->row_order, modes->column_order, modes->rank,
                       modes->rhs, modes->full);
  const double* x = modes->rhs;
  int large = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    double* P = &work->P[cone->row];
    for (int i = 0; i < modes->unknowns[k]; i++, x++) {
      P[i] += *x;
      large |= !(fabs(*x) <= large_correction * fabs(P[0]));
    }
    if (is_reduced(modes, k)) put_on_cone(cone, modes->direction, work->P);
  }
  return large;
}

static int modes_are_linear(const pc_work* work)
{
  for (int k = 0; k < work->contact_count; k++) {
    if (work->modes.mode[k] == PC_CONTACT_SLIP && !is_reduced(&work->modes, k)) return 0;
  }
  return 1;
}

/* Corrects P by the factors at hand, which are those of the modes, and offers it; y has to belong
 * to P. */
static double correct_and_offer(pc_work* work, pc_method by)
{
  int large = correct(work);
  double residual = pc_work_offer(work, by);
  /* The second correction removes the round-off of the first. */
  if (large && residual > DBL_EPSILON && residual < 1e-6 && modes_are_linear(work)) {
    correct(work);
    residual = pc_work_offer(work, by);
  }
  return residual;
}

double pc_modes_solve(pc_work* work, pc_method by)
{
  pc_modes* modes = &work->modes;
  count_unknowns(work);
  project_on_modes(work);
  pc_work_velocity(work);
  build(work);
  modes->rank = pc_complete_lu_factor(modes->size, modes->K, modes->row_order, modes->column_order,
                                      PC_PIVOT_ROUND_OFF);
  return correct_and_offer(work, by);
}

static int is_zero(int n, const double* x)
{
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return 0;
  return 1;
}

double pc_modes_search(pc_work* work, int rounds, pc_method by)
{
  double best = INFINITY;
  if (work->row_count > ROWS_MAX) return best;
  int blank = is_zero(work->row_count, work->P);
  if (blank) pc_work_velocity(work);
  assign_modes(work, blank ? work->modes.r : 0);
  int idle = 0; /* rounds since the residual was last halved */
  int keep = 0; /* the factors */
  double last = 1;
  for (int round = 0; round < rounds && idle < work->modes.stagnation_max; round++) {
    work->iterations++;
    double residual = keep ? correct_and_offer(work, by) : pc_modes_solve(work, by);
    int gains = residual <= kept_gain * last;
    if (residual < 0.5 * best)
      idle = 0;
    else if (!keep)
      idle++;
    last = residual;
    if (residual < best) best = residual;
    if (best <= PC_RESIDUAL_ROUND_OFF || residual == INFINITY) break;
    if (idle > 0 && best <= work->tolerance) break; /* it is good enough, and becomes no better */
    change changed = assign_modes(work, work->modes.r);
    if (changed == NOTHING) break;
    keep = gains && changed == DIRECTIONS;
  }
  return best;
}

void pc_modes_attempt(pc_work* work, int rounds, pc_method by, double* keep)
{
  if (work->row_count > ROWS_MAX) return;
  size_t bytes = (size_t)work->row_count * sizeof(double);
  memcpy(keep, work->P, bytes);
  for (int i = 0; i < work->modes.trials; i++) {
    if (i > 0 && pc_work_done(work)) break;
    work->modes.r = trial_r[i];
    pc_modes_search(work, rounds, by);
    memcpy(work->P, keep, bytes);
  }
  work->modes.r = trial_r[0];
}
