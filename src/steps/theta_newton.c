/* The Newton loop of the theta step: whether an iterate solves the step, and what is done where
 * none does. */
#include <math.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/status.h"
#include "steps/theta_inside.h"
#include "system/found.h"

/* Iterates of a Newton loop that may be wrong before it is asked why; few loops have more. */
enum { UNSOLVED_FEW = 8 };

/* Iterates after which W of found contacts is held. Steps with projection hold that of listed ones
 * after the last iterate that may be accelerated, others after the search between two points. */
enum { HELD_AFTER = 16 };

/* Iterates of a search between two points that refines another. */
enum { BRACKET_ROUND = 8 };

/* An iterate within the acceptance limit is used if so many in a row have not halved the error. */
enum { STALLS_MAX = 4 };

void pc_theta_step_begin_loop(pc_theta_step* s)
{
  pc_anderson_begin(s->loop.anderson);
  pc_bracket_begin(s->loop.bracket);
  s->loop.unsolved = s->loop.stalls = s->loop.held = 0;
  s->loop.has_rest = s->loop.keeps_factors = 0;
  s->loop.best = s->loop.change = HUGE_VAL;
}

/* What makes a velocity of a row comparable with others [1, m]. */
static double unit_of(const pc_theta_step* s, int row)
{
  return pc_lengths_of_row(&s->measure.lengths, pc_terms_row(pc_theta_law_terms(s), row));
}

/* The largest |W . v + chi| of the joints, or what stands for it at position level [m/s]. */
static double joint_velocity(const pc_theta_step* s)
{
  int count = pc_system_g_count(s->system) + pc_system_gamma_count(s->system);
  double largest = 0;
  for (int r = 0; r < count; r++)
    largest = pc_larger(
        largest, unit_of(s, r) * fabs(pc_terms_row_velocity(pc_theta_law_terms(s), r, s->v)));
  return largest;
}

void pc_theta_step_find_violation(pc_theta_step* s, pc_step_info* info)
{
  if (s->loop.has_violation) return;
  s->loop.has_violation = 1;
  pc_theta_refresh_laws(s);
  pc_contact_step_violation(s->contact_step, pc_theta_law_terms(s), pc_theta_law_before(s), s->v,
                            s->P, info);
}

/* The largest violation of joints and contacts, at velocity level or what stands for it. */
static double law_violation(pc_theta_step* s, pc_step_info* info)
{
  pc_theta_step_find_violation(s, info);
  return pc_larger(joint_velocity(s), pc_larger(info->impact_residual, info->friction_residual));
}

/* The joints' and contacts' laws. At position level the round-off of positions is that of
 * velocities, too. */
static int laws_hold(const pc_theta_step* s)
{
  const pc_terms* terms = pc_theta_law_terms(s);
  int count = pc_system_g_count(s->system) + pc_system_gamma_count(s->system);
  double round_off = s->kind.position_level
                         ? pc_position_round_off(&s->measure, s->q) / (s->dt * s->settings.theta)
                         : 0;
  for (int r = 0; r < count; r++)
    if (!pc_measure_row_holds(&s->measure, pc_terms_row(terms, r),
                              pc_terms_row_velocity(terms, r, s->v), round_off))
      return 0;
  return pc_contact_step_holds(s->contact_step, terms, &s->measure, round_off);
}

/* (18a), and with `mid` the laws, too, for W at the new iterate: the contact problem was solved
 * with W at the one before, which (18a) alone does not see. Table 3 of the paper was made without
 * that. Where (18a) is not solved, the laws need not be measured. */
int pc_theta_step_converged(pc_theta_step* s, pc_step_info* info)
{
  s->loop.has_violation = 0;
  if (s->loop.held) info->inaccurate = 1; /* it counts, but leaves nothing of what was solved */
  pc_iterate iterate = {
      .terms = s->stage.terms, .q = s->stage.at.q, .v = s->v, .residual = s->stage.v, .dt = s->dt};
  if (!pc_measure_holds(&s->measure, &iterate)) return 0;
  pc_theta_step_find_violation(s, info);
  if ((s->kind.trapezoid && !s->kind.position_level) || laws_hold(s)) return 1;
  pc_measure_miss(&s->measure);
  return 0;
}

/* The size of the velocities that make up those of the joints and active contacts: of the bodies,
 * and of what the impulses of the step change of them. */
static double velocity_size(const pc_theta_step* s)
{
  const pc_terms* terms = pc_theta_law_terms(s);
  int bilateral = pc_system_g_count(s->system) + pc_system_gamma_count(s->system), count;
  const int* active = pc_contact_step_active(s->contact_step, &count);
  double largest = 0;
  for (int i = 0; i < bilateral + count; i++) {
    int row = i < bilateral ? i : s->contact.normal[active[i - bilateral]];
    pc_row w = pc_terms_row(terms, row);
    double size = pc_larger(pc_row_size(w, s->v), pc_measure_row_change(&s->measure, w));
    largest = pc_larger(largest, unit_of(s, row) * size);
  }
  return largest;
}

/* What is left of the step's equations, relative to the impulses and the velocities at hand.
 * Momenta and angular momenta are made comparable by the roots of their inertias. */
typedef struct shares_left {
  double momentum, velocity;
} shares_left;

static shares_left find_shares_left(pc_theta_step* s, pc_step_info* info)
{
  double left = 0, impulse = 0, velocity = velocity_size(s), violation = law_violation(s, info);
  for (int i = 0; i < s->n_u; i++) {
    double by = s->measure.inverse[i];
    left = pc_larger(left, by * fabs(s->stage.v[i]));
    impulse = pc_larger(impulse, by * pc_measure_size(&s->measure, i));
  }
  return (shares_left){left > 0 ? left / impulse : 0, violation > 0 ? violation / velocity : 0};
}

static double relative_error(pc_theta_step* s, pc_step_info* info)
{
  shares_left left = find_shares_left(s, info);
  return pc_larger(left.momentum, left.velocity);
}

/* The message names the one that is left, not one that has become round-off. */
pc_status pc_theta_step_give_up(pc_theta_step* s, const char* hint, pc_step_info* info,
                                pc_error* error)
{
  if (s->settings.on_failure == PC_ON_FAILURE_CONTINUE) {
    info->inaccurate = 1;
    info->inaccuracy = pc_larger(info->inaccuracy, relative_error(s, info));
    return PC_OK;
  }
  shares_left left = find_shares_left(s, info);
  int by_velocity = left.velocity > left.momentum;
  return pc_fail(error, PC_NOT_CONVERGED,
                 "the Newton loop stopped after %d iterations with a residual of %.3g %s; try a "
                 "smaller dt, %sor a larger --tol",
                 s->loop.unsolved, by_velocity ? law_violation(s, info) : info->residual,
                 by_velocity ? "m/s in joints and contacts" : "N s", hint);
}

void pc_theta_step_note(pc_theta_step* s)
{
  pc_anderson_note(s->loop.anderson, s->v);
}

/* A contact may be closed with W at one iterate and open with W at the next, which leads back to
 * the first: with large friction a small turn of a normal decides on an impulse that is not small,
 * and there need not be a solution with W at its own end. Then W is held where it is, and what the
 * loop solves is the scheme with G(q~), q~ within a step's motion of q_k+1. */
static void hold_rows(pc_theta_step* s)
{
  pc_terms_evaluate(s->end.held_terms, &(pc_at){s->end.t, s->end.q, NULL, NULL});
  s->loop.held = 1;
}

/* The unsolved iterates after which it is. */
static int hold_after(const pc_theta_step* s)
{
  int most = s->settings.max_iterations;
  return pc_system_is_extended(s->system) ? HELD_AFTER : pc_theta_is_projected(s) ? most : 2 * most;
}

/* The next v to linearise at, unless it is the present one; or one that may be the solution. */
static pc_theta_next next_point(pc_theta_step* s)
{
  const double *x = pc_anderson_noted(s->loop.anderson), *weight = s->measure.inertia;
  if (s->loop.unsolved < s->settings.max_iterations || pc_theta_is_projected(s) || s->loop.held)
    return pc_anderson_mix(s->loop.anderson, weight, s->v) ? PC_THETA_LINEARISE : PC_THETA_GO_ON;
  if (!pc_bracket_next(s->loop.bracket, weight, x, s->P, s->v)) return PC_THETA_GO_ON;
  return pc_bracket_combine(s->loop.bracket, s->v, s->P) ? PC_THETA_TRY : PC_THETA_LINEARISE;
}

/* Whether a combination is within the acceptance limit, and no better than half the one before or
 * the last that there will be. */
static int is_accepted(pc_theta_step* s, pc_step_info* info)
{
  double error = relative_error(s, info), before = s->loop.best;
  s->loop.best = fmin(before, error);
  int last = s->loop.unsolved + BRACKET_ROUND > 2 * s->settings.max_iterations;
  if (!(error <= s->settings.acceptance) || (error < before / 2 && !last)) return 0;
  info->inaccurate = 1;
  info->inaccuracy = pc_larger(info->inaccuracy, error);
  return 1;
}

/* By how much a row's velocity has moved from v = x, all parts counted. */
static double row_moved(pc_row row, const double* v, const double* x)
{
  double sum = 0;
  const double* w = row.w;
  for (int b = 0; b < row.block_count; w += row.block[b].width, b++)
    for (int i = 0; i < row.block[b].width; i++) {
      int u = row.block[b].first + i;
      sum += fabs(w[i] * (v[u] - x[u]));
    }
  return sum;
}

/* Whether the contact solver has left what is left of the laws, within its acceptance limit or a
 * tolerance above that of the loop: W moves with the velocities of the loop, and these have moved
 * by less than a tenth of it. More iterations change nothing then. */
static int is_left_by_solver(pc_theta_step* s, pc_step_info* info)
{
  if (pc_theta_roughness(s) > 0) return 0;
  if (!(info->inaccuracy > 0 || s->loop.solver_left > s->loop.solver_asked)) return 0;
  const double* x = pc_anderson_noted(s->loop.anderson);
  int count;
  const int* active = pc_contact_step_active(s->contact_step, &count);
  double moved = 0;
  for (int i = 0; i < count; i++) {
    pc_contact_info contact = pc_system_contact(s->system, active[i]);
    for (int r = 0; r <= contact.dimension; r++)
      moved = pc_larger(moved,
                        row_moved(pc_terms_row(pc_theta_law_terms(s), contact.row + r), s->v, x));
  }
  return moved <= law_violation(s, info) / 10;
}

pc_theta_next pc_theta_step_decide(pc_theta_step* s, pc_step_info* info)
{
  if (is_left_by_solver(s, info)) return PC_THETA_ACCEPT; /* inaccurate, as the solver has noted */
  if (++s->loop.unsolved < UNSOLVED_FEW) return PC_THETA_GO_ON;
  if (s->loop.unsolved == hold_after(s) && s->end.held_terms) {
    hold_rows(s);
    s->loop.best = HUGE_VAL;
    return PC_THETA_LINEARISE;
  }
  double error = relative_error(s, info);
  s->loop.stalls = error < s->loop.best / 2 ? 0 : s->loop.stalls + 1;
  if (error < s->loop.best) s->loop.best = error;
  if (error <= s->settings.acceptance) {
    if (s->loop.stalls < STALLS_MAX) return PC_THETA_GO_ON;
    info->inaccurate = 1;
    info->inaccuracy = pc_larger(info->inaccuracy, error);
    return PC_THETA_ACCEPT;
  }
  return next_point(s);
}

int pc_theta_step_iterations_max(const pc_theta_step* s)
{
  int most = s->settings.max_iterations;
  if (most < BRACKET_ROUND) return most;
  return s->end.held_terms && hold_after(s) == 2 * most ? 3 * most : 2 * most;
}

PC_APART pc_status iterate(pc_theta_step* s, const pc_state* state, pc_step_info* info,
                           pc_error* error)
{
  int others = 0;
  pc_theta_step_begin_loop(s);
  for (int n = 1, most = pc_theta_step_iterations_max(s); n <= most; n++) {
    pc_theta_step_note(s);
    PC_TRY(pc_theta_step_solve(s, state, info, error));
    others = s->kind.reforecasts && pc_theta_step_reforecast(s, state);
    PC_TRY(pc_theta_step_linearise(s, state, info, error));
    if (others) continue;
    if (pc_theta_step_converged(s, info)) return PC_OK;
    pc_theta_next next = pc_theta_step_decide(s, info);
    if (next == PC_THETA_ACCEPT) return PC_OK;
    if (next == PC_THETA_TRY) {
      PC_TRY(pc_theta_step_linearise(s, state, info, error));
      if (pc_theta_step_converged(s, info) || is_accepted(s, info)) return PC_OK;
      pc_bracket_refine(s->loop.bracket);
    }
    if (next == PC_THETA_LINEARISE) PC_TRY(pc_theta_step_linearise(s, state, info, error));
  }
  return others ? pc_theta_step_cycles(s, info, error) : pc_theta_step_give_up(s, "", info, error);
}

pc_status pc_theta_step_newton(pc_theta_step* s, const pc_state* state, pc_step_info* info,
                               pc_error* error)
{
  return s->kind.single ? pc_theta_step_solve_single(s, state, info, error)
                        : iterate(s, state, info, error);
}
