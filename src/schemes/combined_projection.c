/* The combined projection and activation: Acary (65)-(70), Algorithm 2.
 *
 * Within a step, index sets I of active contacts, from none or from those that are closed at its
 * start (begin_active), which only grow but for what leave_opening takes back once:
 *
 *     solve     the theta step with                                                    (65)
 *                   0 <= U_k+1 + e U_k  _|_  P >= 0       contacts of I, P = 0 outside
 *                   g = 0, tau free                       contacts of I with P > 0, and joints
 *                   0 <= g  _|_  tau >= 0                 contacts of I with P = 0      (68)
 *     activate  I := I and all contacts with g_k+1 <= 0                                (66)
 *     until     I stays the same
 *
 * So no position is projected that does not obey the impact law, and a contact that carries a
 * percussion is closed: what the direct projection lacks. P > 0 is decided in every Newton
 * iteration with its own percussions, (70). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "schemes/scheme.h"
#include "steps/projected_step.h"
#include "steps/restitution.h"
#include "system/found.h"

typedef struct combined {
  const pc_system* system;
  pc_projected_step step;
  int from_closed; /* I begins with closed contacts: see begin_active */
  size_t capacity;
  char* active; /* I, for each contact */
  int* normal;  /* the normal row of each contact */
  int* next;    /* the next contact of a list of leave_opening, -1 at its end */
  int* first;   /* n_u: the first one of those whose rows begin at this velocity */
} combined;

static void destroy(void* scheme)
{
  combined* s = scheme;
  if (!s) return;
  pc_projected_step_clear(&s->step);
  free(s->active);
  free(s->normal);
  free(s->next);
  free(s->first);
  free(s);
}

/* (68) */
static pc_projection_role role(const void* scheme, int contact, const double* P)
{
  const combined* s = scheme;
  if (!s->active[contact]) return PC_PROJECT_NOT;
  return P[s->normal[contact]] > 0 ? PC_PROJECT_FREE : PC_PROJECT_ONE_SIDED;
}

/* Arrays for all contacts of the system; those from number `first` on are new. */
static pc_status take_system(combined* s, int first, pc_error* error)
{
  const pc_array array[] = {PC_ARRAY(s->active), PC_ARRAY(s->normal), PC_ARRAY(s->next)};
  int contacts = pc_system_contact_count(s->system);
  if (pc_reserve_arrays(3, array, &s->capacity, (size_t)contacts) != PC_OK)
    return pc_no_memory(error);
  for (int k = first; k < contacts; k++) s->normal[k] = pc_system_contact(s->system, k).row;
  return PC_OK;
}

static pc_status create_parts(combined* s, const pc_scheme_settings* settings, pc_error* error)
{
  s->first = pc_alloc((size_t)pc_system_u_count(s->system), sizeof *s->first);
  if (!s->first) return pc_no_memory(error);
  PC_TRY(take_system(s, 0, error));
  return pc_projected_step_create(&s->step, s->system, settings, error);
}

static pc_status create(const pc_system* system, const pc_scheme_settings* settings, void** scheme,
                        pc_error* error)
{
  combined* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->from_closed = pc_is_scaled(settings);
  s->step.role = role;
  s->step.scheme = s;
  pc_status status = create_parts(s, settings, error);
  if (status != PC_OK) {
    destroy(s);
    return status;
  }
  *scheme = s;
  return PC_OK;
}

/* The set I as the theta step's active contacts. */
static void activate(combined* s)
{
  pc_theta_step* theta = s->step.theta;
  for (int k = 0; k < theta->contact.count; k++)
    theta->contact.forecast[k] = s->active[k] ? -HUGE_VAL : HUGE_VAL;
  pc_contact_step_activate(theta->contact_step, theta->contact.forecast);
}

/* (66); returns how many contacts came in. */
static int grow(combined* s)
{
  pc_theta_step* theta = s->step.theta;
  pc_contact_step_locate(theta->contact_step, theta->q);
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  int added = 0;
  for (int k = 0; k < theta->contact.count; k++)
    if (!s->active[k] && theta->end.terms->y[s->normal[k]] <= closed) {
      s->active[k] = 1;
      added++;
    }
  return added;
}

/* The first set I. Algorithm 2 begins with an empty one, as here where a tolerance is asked for.
 * Else it begins with the contacts that are closed and do not open by their velocity alone: should
 * one of them approach at the end of the step, its gap there is at most g_k + h (1 - theta) U_k to
 * first order, so that (66) has it, too; should it not, it has no percussion. A pass less for all
 * contacts that stay closed. */
static void begin_active(combined* s)
{
  pc_theta_step* theta = s->step.theta;
  memset(s->active, 0, (size_t)theta->contact.count * sizeof *s->active);
  if (!s->from_closed) return;
  double opening = theta->dt * (1 - theta->settings.theta);
  pc_contact_step_locate(theta->contact_step, theta->end.q);
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  for (int k = 0; k < theta->contact.count; k++) {
    int row = s->normal[k];
    s->active[k] = theta->end.terms->y[row] + opening * pc_larger(0, theta->before[row]) <= closed;
  }
}

static void forget_projection(combined* s)
{
  pc_theta_step* theta = s->step.theta;
  pc_projection_begin(s->step.projection);
  if (theta->displaced) pc_zero(theta->n_u, theta->d);
  theta->displaced = 0;
}

/* Whether two contacts act on the same velocities: corners of a body on another one. */
static int act_alike(pc_row a, pc_row b)
{
  if (a.block_count != b.block_count) return 0;
  for (int i = 0; i < a.block_count; i++)
    if (a.block[i].first != b.block[i].first || a.block[i].width != b.block[i].width) return 0;
  return 1;
}

/* Lists the active contacts with a percussion by the first velocity they act on, in their order. */
static void list_percussions(combined* s)
{
  pc_theta_step* theta = s->step.theta;
  int count;
  const int* active = pc_contact_step_active(theta->contact_step, &count);
  for (int i = 0; i < theta->n_u; i++) s->first[i] = -1;
  for (int i = count - 1; i >= 0; i--) {
    int k = active[i];
    pc_row row = pc_terms_row(theta->end.terms, s->normal[k]);
    if (theta->P[s->normal[k]] == 0 || row.block_count == 0) continue;
    s->next[k] = s->first[row.block[0].first];
    s->first[row.block[0].first] = k;
  }
}

/* What the percussions between the bodies of a listed contact have added to its velocity [m/s]. */
static double velocity_given(const combined* s, pc_row row)
{
  pc_theta_step* theta = s->step.theta;
  double sum = 0, *x = theta->free_v;
  if (row.block_count == 0) return 0;
  pc_assembly_solve_row(theta->stage.tangent, row, x);
  for (int k = s->first[row.block[0].first]; k >= 0; k = s->next[k]) {
    pc_contact_info c = pc_system_contact(s->system, k);
    if (!act_alike(row, pc_terms_row(theta->end.terms, c.row))) continue;
    for (int r = c.row; r <= c.row + c.dimension; r++)
      sum += theta->P[r] * pc_row_dot(pc_terms_row(theta->end.terms, r), x);
  }
  return sum;
}

/* To second order a contact may open although it approaches, where bodies are curved or turn. So
 * those of the first set whose gap would be open without the percussions between their bodies leave
 * it after the first pass, and (66) has to find them: the gap is -W d before the projection moves
 * it by W d, and less by h theta times what these percussions give. Returns how many left. */
static int leave_opening(combined* s)
{
  pc_theta_step* theta = s->step.theta;
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  double reach = theta->dt * theta->settings.theta;
  int count, left = 0;
  if (!theta->displaced) return 0;
  const int* active = pc_contact_step_active(theta->contact_step, &count);
  list_percussions(s);
  for (int i = 0; i < count; i++) {
    int row = s->normal[active[i]];
    if (!(theta->P[row] > 0)) continue;
    pc_row w = pc_terms_row(theta->end.terms, row);
    double before = -pc_row_dot(w, theta->d);
    if (before <= closed || before - reach * velocity_given(s, w) <= closed) continue;
    s->active[active[i]] = 0;
    left++;
  }
  if (left > 0) forget_projection(s);
  return left;
}

/* The next pass begins at the last iterate, with W there: it is that of Table 3 too. A linear
 * system has thrown its linearisation away. A projection after the loop begins anew, from q_k + h
 * v_theta. The guess of the percussions is that of the last step, which has all contacts that stay
 * closed. */
static pc_status begin_again(combined* s, const pc_state* state, pc_error* error)
{
  pc_theta_step* theta = s->step.theta;
  if (theta->kind.linear && !s->step.coupled) return pc_theta_step_restart(theta, state, error);
  if (!s->step.coupled) pc_copy(theta->rows, state->P, theta->P);
  if (theta->settings.project == PC_PROJECT_AFTER) forget_projection(s);
  return PC_OK;
}

static pc_status step(void* scheme, pc_state* state, double dt, pc_step_info* info, pc_error* error)
{
  combined* s = scheme;
  pc_theta_step* theta = s->step.theta;
  PC_TRY(pc_theta_step_begin(theta, state, dt, info, error));
  begin_active(s);
  pc_restitution_above(theta->system, theta->settings.restitution_above, theta->before);
  pc_projection_begin(s->step.projection);
  do {
    if (info->iterations[3]++ > 0) PC_TRY(begin_again(s, state, error));
    activate(s);
    PC_TRY(pc_projected_step_solve(&s->step, state, info, error));
  } while ((s->from_closed && info->iterations[3] == 1 && leave_opening(s)) || grow(s));
  pc_theta_step_commit(theta, state, info);
  return PC_OK;
}

static pc_status refit(void* scheme, pc_error* error)
{
  combined* s = scheme;
  PC_TRY(take_system(s, pc_system_fixed_contact_count(s->system), error));
  return pc_projected_step_refit(&s->step, error);
}

static void set_friction(void* scheme, const double* mu)
{
  combined* s = scheme;
  pc_projected_step_set_friction(&s->step, mu);
}

static const pc_terms* rows(void* scheme, const pc_state* state)
{
  combined* s = scheme;
  return pc_theta_step_rows(s->step.theta, state);
}

const pc_scheme_ops pc_combined_projection = {
    .name = "combined-projection",
    .summary = "the same, with contacts activated by their positions (Acary, Algorithm 2)",
    .phase_count = 4,
    .phase = PC_PROJECTED_PHASES,
    .create = create,
    .destroy = destroy,
    .step = step,
    .refit = refit,
    .set_friction = set_friction,
    .rows = rows,
};
