#include "steps/combined_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "system/found.h"
#include "system/inspect.h"

/* What Newton's loop may still change of a gap, as a share of its last change: an iterate leaves a
 * hundredth to a tenth. */
static const double LEFT = 0.25;

/* Arrays for all contacts of the system; those from number `first` on are new. */
static pc_status take_system(pc_combined_set* s, int first, pc_error* error)
{
  const pc_array array[] = {PC_ARRAY(s->active), PC_ARRAY(s->normal), PC_ARRAY(s->next),
                            PC_ARRAY(s->gap)};
  int contacts = pc_system_contact_count(s->system);
  if (pc_reserve_arrays(4, array, &s->capacity, (size_t)contacts) != PC_OK)
    return pc_no_memory(error);
  for (int k = first; k < contacts; k++) s->normal[k] = pc_system_contact_row(s->system, k);
  return PC_OK;
}

pc_status pc_combined_set_create(pc_combined_set* s, const pc_system* system,
                                 const pc_scheme_settings* settings, pc_error* error)
{
  *s = (pc_combined_set){.system = system, .has_shortcuts = pc_is_scaled(settings)};
  s->first = pc_alloc((size_t)pc_system_u_count(system), sizeof *s->first);
  if (!s->first) return pc_no_memory(error);
  return take_system(s, 0, error);
}

void pc_combined_set_clear(pc_combined_set* s)
{
  void* array[] = {s->active, s->gap, s->normal, s->next, s->first};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

pc_status pc_combined_set_refit(pc_combined_set* s, pc_error* error)
{
  return take_system(s, pc_system_fixed_contact_count(s->system), error);
}

/* Algorithm 2 begins with an empty set. A contact that is closed and does not open by its velocity
 * alone may as well be in it: should it approach at the end of the step, its gap there is at most
 * g_k + h (1 - theta) U_k to first order, so that (66) has it, too; should it not, it has no
 * percussion. A pass less for all contacts that stay closed. */
void pc_combined_set_begin(pc_combined_set* s, const pc_theta_step* theta)
{
  s->pass_count = s->has_converged = 0;
  memset(s->active, 0, (size_t)theta->contact.count * sizeof *s->active);
  if (!s->has_shortcuts) return;
  double opening = theta->dt * (1 - theta->settings.theta);
  pc_contact_step_locate(theta->contact_step, theta->end.q);
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  for (int k = 0; k < theta->contact.count; k++) {
    int row = s->normal[k];
    s->gap[k] = theta->end.terms->y[row];
    double at_end = s->gap[k] + opening * pc_larger(0, theta->before[row]);
    s->active[k] = pc_contact_step_length(theta->contact_step, k, at_end) <= closed;
  }
}

void pc_combined_set_activate(pc_combined_set* s, pc_theta_step* theta)
{
  s->is_cut = 0;
  for (int k = 0; k < theta->contact.count; k++)
    theta->contact.forecast[k] = s->active[k] ? -HUGE_VAL : HUGE_VAL;
  pc_contact_step_activate(theta->contact_step, theta->contact.forecast);
}

/* (66); returns how many contacts came in. */
static int grow(pc_combined_set* s, const pc_theta_step* theta)
{
  pc_contact_step_locate(theta->contact_step, theta->q);
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  int added = 0;
  for (int k = 0; k < theta->contact.count; k++) {
    double gap = theta->end.terms->y[s->normal[k]];
    if (s->active[k] || !(pc_contact_step_length(theta->contact_step, k, gap) <= closed)) continue;
    s->active[k] = 1;
    added++;
  }
  return added;
}

int pc_combined_set_grow_early(pc_combined_set* s, const pc_theta_step* theta)
{
  int added = 0;
  if (!s->has_shortcuts) return 0;
  pc_contact_step_locate(theta->contact_step, theta->q);
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  for (int k = 0; k < theta->contact.count; k++) {
    double gap = theta->end.terms->y[s->normal[k]];
    double most = gap + LEFT * fabs(gap - s->gap[k]);
    if (!s->active[k] && pc_contact_step_length(theta->contact_step, k, most) <= closed) {
      s->active[k] = 1;
      added++;
    }
    s->gap[k] = gap;
  }
  s->is_cut = added > 0;
  return added;
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
static void list_percussions(pc_combined_set* s, const pc_theta_step* theta)
{
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
static double velocity_given(const pc_combined_set* s, pc_theta_step* theta, pc_row row)
{
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
 * it, and (66) has to find them: the gap is -W d before the projection moves it by W d, and less by
 * h theta times what these percussions give. Returns how many left. */
static int leave_opening(pc_combined_set* s, pc_theta_step* theta)
{
  if (!theta->displaced) return 0;
  double closed = pc_contact_step_closed_gap(theta->contact_step);
  double reach = theta->dt * theta->settings.theta;
  int count, left = 0;
  const int* active = pc_contact_step_active(theta->contact_step, &count);
  list_percussions(s, theta);
  for (int i = 0; i < count; i++) {
    int row = s->normal[active[i]];
    if (!(theta->P[row] > 0)) continue;
    pc_row w = pc_terms_row(theta->end.terms, row);
    double before = -pc_row_dot(w, theta->d);
    if (before <= closed || before - reach * velocity_given(s, theta, w) <= closed) continue;
    s->active[active[i]] = 0;
    left++;
  }
  return left;
}

/* Contacts leave after the first pass, so that those that they would push aside do not come in, and
 * after the first one that has converged, where it is certain. From then on the set only grows, so
 * that the passes end. */
int pc_combined_set_change(pc_combined_set* s, pc_theta_step* theta, pc_projection* projection)
{
  int is_first = s->pass_count++ == 0, left = 0;
  if (s->has_shortcuts && (is_first || (!s->is_cut && !s->has_converged)))
    left = leave_opening(s, theta);
  if (left > 0) pc_projection_forget(projection, theta);
  if (s->is_cut) return 1;
  s->has_converged = 1;
  return left > 0 || grow(s, theta) > 0;
}

/* Those of the last pass, and of contacts that come in those of the last step. With the percussions
 * of the last step alone, each pass would have to find once more what the one before has found. */
void pc_combined_set_guess(const pc_combined_set* s, pc_theta_step* theta, const pc_state* state)
{
  int count;
  const int* active = pc_contact_step_active(theta->contact_step, &count);
  for (int k = 0, i = 0; k < theta->contact.count; k++) {
    if (i < count && active[i] == k) {
      i++;
      continue;
    }
    pc_contact_info c = pc_system_contact(s->system, k);
    pc_copy(1 + c.dimension, state->P + c.row, theta->P + c.row);
  }
}
