/* A sensible time step, from the time scales that the system has at its start.
 *
 * Vibration: check_vibration.c.
 *
 * Rotation: how fast the rows of W turn, |W'|/|W| in the metric of M^-1: a rate without regard to
 * what the coordinates are. A disc that spins on a plane does not count; a crank does.
 *
 * Closing gap: the first time at which a gap becomes zero with its present velocity and
 * acceleration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "simulate/check.h"

static const double TURN = 0.01; /* rad */
static const double CLOSING_SHARE = 1.0 / 20;
/* A gap that closes within this share of every other limit closes in the first step, whatever
 * dt. */
static const double CLOSING_MIN = 1e-2;

/* ---- rotation ------------------------------------------------------------------------------- */

/* turn (n_u) := the rate of change of W_r. `unit` has n_u zeros, `value` space for n_q numbers. */
static void row_rate(const pc_checking* c, int r, double* unit, double* value, double* turn)
{
  const pc_terms* terms = c->terms;
  pc_row row = terms->row[r];
  double still = pc_row_dot(pc_terms_row_velocity_q(terms, r, unit, value), terms->work.q_dot);
  memset(turn, 0, (size_t)c->report->u_count * sizeof *turn);
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++) {
      unit[i] = 1;
      turn[i] =
          pc_row_dot(pc_terms_row_velocity_q(terms, r, unit, value), terms->work.q_dot) - still;
      unit[i] = 0;
    }
}

/* x' M^-1 x; `work` has n_u entries. */
static double inverse_square(const pc_checking* c, const double* x, double* work)
{
  int n = c->report->u_count;
  memcpy(work, x, (size_t)n * sizeof *work);
  pc_assembly_solve(pc_consistent_start_mass(c->start), work);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += work[i] * x[i];
  return sum;
}

static pc_status check_rotation(pc_checking* c)
{
  size_t n_u = (size_t)c->report->u_count;
  double* unit = pc_alloc(4 * n_u + (size_t)c->report->q_count, sizeof *unit);
  if (!unit) return pc_no_memory(c->error);
  double *turn = unit + n_u, *w = turn + n_u, *work = w + n_u, *value = work + n_u;
  double fastest = 0; /* squared */
  for (int r = 0; r < pc_system_row_count(c->system); r++) {
    row_rate(c, r, unit, value, turn);
    memset(w, 0, n_u * sizeof *w);
    pc_row_add(c->terms->row[r], 1, w);
    double size = inverse_square(c, w, work);
    if (size > 0) fastest = pc_larger(fastest, inverse_square(c, turn, work) / size);
  }
  free(unit);
  if (sqrt(fastest) > PC_RATE_MIN) c->report->step.rotation = TURN / sqrt(fastest);
  return PC_OK;
}

/* ---- closing gaps --------------------------------------------------------------------------- */

/* The first positive zero of g + v t + a t^2/2 for g > 0, or infinity. */
static double first_zero(double g, double v, double a)
{
  double square = v * v - 2 * a * g;
  if (square < 0) return INFINITY;
  double denominator = -v + sqrt(square); /* t = 2 g/(-v + sqrt(v^2 - 2 a g)), without cancelling */
  return denominator > 0 ? 2 * g / denominator : INFINITY;
}

/* The smallest limit of gaps that close later than `least`. */
static void check_closing(pc_checking* c, double least)
{
  for (int k = 0; k < c->report->contact_count; k++) {
    const pc_check_contact* contact = &c->report->contact[k];
    if (contact->closed) continue;
    int row = pc_system_contact(c->system, k).row;
    double a = pc_row_dot(c->terms->row[row], c->a) + c->terms->zeta[row];
    double limit = CLOSING_SHARE * first_zero(contact->gap, contact->gap_velocity, a);
    if (!isfinite(limit) || limit < least) continue;
    if (!(c->report->step.closing <= limit)) c->report->step.closing = limit;
  }
}

pc_status pc_check_dt(pc_checking* c)
{
  pc_check_report* r = c->report;
  r->step.dt = r->step.vibration = r->step.rotation = r->step.closing = NAN;
  PC_TRY(pc_check_vibration(c));
  PC_TRY(check_rotation(c));
  double other = fmin(r->step.vibration, r->step.rotation); /* fmin passes over NAN */
  check_closing(c, isnan(other) ? 0 : CLOSING_MIN * other);
  r->step.dt = fmin(other, r->step.closing);
  if (r->step.dt == r->step.vibration) r->step.reason = c->vibration;
  if (r->step.dt == r->step.rotation) r->step.reason = "rotation";
  if (r->step.dt == r->step.closing) r->step.reason = "closing gap";
  return PC_OK;
}
