/* Whether a run that reached its end is plausible. All limits are shares: of the energy that was
 * available, or of a body. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/larger.h"
#include "simulate/sim.h"
#include "system/inspect.h"

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

/* A scheme can hold only the contacts that it knows of: those found at the start of a step. */
static const char* deep_remedy(const pc_sim* s, double depth)
{
  return s->finder && depth > 2 * s->ledger.sum.penetration_known_max
             ? "use a smaller dt: the step that led there did not act on this contact"
             : "use a smaller dt, or a scheme that keeps gaps closed: rattle, combined-projection";
}

/* The contacts of the model; only the worst is named: others have the same cause. */
static void judge_depths(const pc_sim* s, pc_verdict* v)
{
  const pc_ledger* l = &s->ledger;
  const pc_violation *gap = l->violation + l->g_count + l->constraint_count, *worst = NULL;
  const pc_scale* scale = NULL;
  double share = PC_DEPTH_SHARE;
  for (int k = 0; k < l->contact_count; k++) {
    double of_this = gap[3 * k].value / l->scales.of_contact[k].size;
    if (!(of_this > share)) continue;
    share = of_this;
    scale = &l->scales.of_contact[k];
    worst = &gap[3 * k];
  }
  if (worst && worst->unit[0] == 'r')
    doubt(v, deep_remedy(s, 0), "stop '%.80s' is overrun by %.3g rad at t = %.4g s", worst->part,
          worst->value, worst->t);
  else if (worst)
    doubt(v, deep_remedy(s, 0),
          "contact '%.80s' penetrates by %.3g m at t = %.4g s, %.0f %% of %s, %.3g m", worst->part,
          worst->value, worst->t, 100 * share, scale->of, scale->size);
}

/* Contacts between shapes. */
static void judge_shapes(const pc_sim* s, pc_verdict* v)
{
  const pc_depths* d = s->depths;
  const pc_deepest *worst = &d->worst, *sudden = &d->sudden;
  char pair[PC_PAIR_NAME_SIZE];
  if (worst->share > PC_DEPTH_SHARE) {
    pc_depths_name(d, &worst->of, pair, sizeof pair);
    doubt(v, deep_remedy(s, worst->of.depth),
          "contact '%s' penetrates by %.3g m at t = %.4g s, %.0f %% of the inner radius of the "
          "smaller shape, %.3g m",
          pair, worst->of.depth, worst->t, 100 * worst->share, worst->of.depth / worst->share);
  }
  if (sudden->share > 0) {
    pc_depths_name(d, &sudden->of, pair, sizeof pair);
    doubt(v, "look at this pair with 'percuss view'; a smaller dt shows how they meet",
          "contact '%s' appears %.3g m deep at t = %.4g s, in a step that moves its shapes by %.3g "
          "m at most",
          pair, sudden->of.depth, sudden->t, sudden->way);
  }
}

/* ---- joints --------------------------------------------------------------------------------- */

static void judge_joints(const pc_sim* s, pc_verdict* v)
{
  const pc_row_group* worst = NULL;
  double share = PC_DEPTH_SHARE;
  for (int k = 0; k < s->ledger.scales.group_count; k++) {
    const pc_row_group* group = &s->ledger.scales.group[k];
    double of_this = group->max / group->scale.size;
    if (!(of_this > share)) continue;
    share = of_this;
    worst = group;
  }
  if (!worst) return;
  static const char remedy[] =
      "use a smaller dt, or a scheme that keeps joints closed: rattle, combined-projection, "
      "generalized-alpha";
  const char* name = pc_system_row_name(s->system, worst->row);
  if (worst->is_angle)
    doubt(v, remedy, "joint '%.80s' is off by %.3g rad at t = %.4g s", name, worst->max, worst->t);
  else
    doubt(v, remedy, "joint '%.80s' is %.3g m apart at t = %.4g s, %.0f %% of %s, %.3g m", name,
          worst->max, worst->t, 100 * share, worst->scale.of, worst->scale.size);
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
  pc_sim_found_tally(s); /* looks at the last state */
  pc_verdict v = {.energy_gain = growth->gain,
                  .energy_gain_time = growth->time,
                  .energy_available = at_least_a_step(s, growth->available - s->energy.driven)};
  judge_energy(s, &v);
  judge_depths(s, &v);
  if (s->finder) judge_shapes(s, &v);
  judge_joints(s, &v);
  judge_accuracy(s, &v);
  return v;
}
