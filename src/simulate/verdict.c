/* Whether a run that reached its end is plausible. All limits are shares: of the energy that was
 * available, or of a body. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/larger.h"
#include "simulate/sim.h"

static const double GAIN_SHARE = 0.05; /* of the available energy: well above a scheme's error */
static const double NOISE_SHARE =
    1e-11; /* of T + |V|: what round-off may add up to in a long run */

__attribute__((format(printf, 3, 4))) static void doubt(pc_verdict* v, const char* remedy,
                                                        const char* format, ...)
{
  if (v->doubt_count == PC_DOUBTS_MAX) return;
  pc_warning* w = &v->doubt[v->doubt_count++];
  w->kind = PC_WARNING_RESULT;
  va_list args;
  va_start(args, format);
  vsnprintf(w->text, sizeof w->text, format, args);
  va_end(args);
  snprintf(w->remedy, sizeof w->remedy, "%s", remedy);
}

/* ---- energy --------------------------------------------------------------------------------- */

/* Less than the forces give to a body at rest in one step is below the resolution of any scheme. */
static double at_least_a_step(const pc_sim* s, double energy)
{
  return energy > s->energy.step ? energy : s->energy.step;
}

static double limit_of(const pc_sim* s, double energy)
{
  return pc_larger(GAIN_SHARE * energy, NOISE_SHARE * s->ledger.growth.magnitude);
}

/* Contacts take energy, whatever drives give: what they give instead is measured by the motion that
 * was there. */
static void judge_contacts(const pc_sim* s, pc_verdict* v)
{
  const pc_energy_growth* growth = &s->ledger.growth;
  double motion = at_least_a_step(s, growth->kinetic), limit = limit_of(s, motion);
  double impact = s->ledger.sum.balance.impact;
  if (-impact > limit)
    doubt(v,
          "Newton's law can create energy where contacts with restitution act together: use "
          "restitution 0 for them, or a smaller dt",
          "impacts give energy instead of taking it: %.3g J, where the motion has at most %.3g J",
          -impact, motion);
  if (-growth->friction > limit)
    doubt(v,
          "restitution together with a large friction coefficient can create energy: reduce one "
          "of them, or use a smaller dt",
          "friction gives energy instead of taking it: %.3g J, where the motion has at most %.3g J",
          -growth->friction, motion);
}

static void judge_energy(const pc_sim* s, pc_verdict* v)
{
  const pc_energy_growth* growth = &s->ledger.growth;
  double limit = limit_of(s, v->energy_available);
  if (v->energy_gain > limit)
    doubt(v, "use a smaller dt or another scheme; 'percuss compare' shows which schemes agree",
          "energy rises without work: by %.3g J until t = %.4g s, where %.3g J are available",
          growth->gain, growth->time, v->energy_available);
  else if (pc_monitor_suspects(s->monitor))
    doubt(v, "use a smaller dt, or an implicit scheme", "the energy multiplies in the last steps");
  judge_contacts(s, v);
}

/* ---- penetration ---------------------------------------------------------------------------- */

/* Only the deepest is named: others have the same cause. */
static void judge_depths(const pc_sim* s, pc_verdict* v)
{
  const pc_ledger* l = &s->ledger;
  const pc_violation *gap = l->violation + l->g_count + l->constraint_count, *worst = NULL;
  double share = PC_DEPTH_SHARE, size = 0;
  for (int k = 0; k < l->contact_count; k++) {
    double body = pc_body_size_at(&l->sizes, k), depth = gap[3 * k].value;
    if (!(depth > share * body)) continue;
    share = depth / body;
    size = body;
    worst = &gap[3 * k];
  }
  if (worst)
    doubt(v, "use a smaller dt, or a scheme that keeps gaps closed: rattle, combined-projection",
          "contact '%.80s' penetrates by %.3g m at t = %.4g s, %.0f %% of the body of %.3g m",
          worst->part, worst->value, worst->t, 100 * share, size);
}

static void judge_penetration(const pc_sim* s, pc_verdict* v)
{
  if (!(s->ledger.sum.penetration_max > 0)) return;
  judge_depths(s, v);
  const pc_found_tally* found = &s->ledger.found;
  if (found->depth_share > PC_DEPTH_SHARE)
    doubt(v, "use a smaller dt, or a scheme that keeps gaps closed: rattle, combined-projection",
          "contact '%.80s' penetrates by %.3g m at t = %.4g s, %.0f %% of the smaller body",
          found->depth_name, found->depth_max, found->depth_time, 100 * found->depth_share);
}

/* ---- accuracy ------------------------------------------------------------------------------- */

static void judge_accuracy(const pc_sim* s, pc_verdict* v)
{
  const pc_summary* sum = &s->ledger.sum;
  if (s->settings.sweeps > 0) return; /* that was asked for; the summary has the figures */
  if (sum->trouble.inaccurate > 0 && sum->trouble.inaccuracy_max > s->settings.acceptance)
    doubt(v, "use --on-failure halve, a smaller dt or another scheme",
          "%ld of %ld steps were used without a solution, the first is step %ld: a share of %.2g "
          "of the velocities and impulses is left",
          sum->trouble.inaccurate, sum->steps, sum->trouble.first_inaccurate,
          sum->trouble.inaccuracy_max);
}

pc_verdict pc_sim_judge(const pc_sim* s)
{
  if (!s) return (pc_verdict){0};
  const pc_energy_growth* growth = &s->ledger.growth;
  pc_verdict v = {.energy_gain = growth->gain,
                  .energy_gain_time = growth->time,
                  .energy_available = at_least_a_step(s, growth->available)};
  judge_energy(s, &v);
  judge_penetration(s, &v);
  judge_accuracy(s, &v);
  return v;
}
