/* The active sets (55)-(57) by augmented multipliers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "schemes/generalized_alpha/alpha.h"

pc_status pc_alpha_sets_create(pc_alpha_sets* set, const pc_alpha_model* m, pc_error* error)
{
  size_t contacts = (size_t)m->contacts;
  set->level = pc_alloc(contacts, sizeof *set->level);
  set->friction = pc_alloc(contacts, sizeof *set->friction);
  set->onset = pc_alloc(contacts, sizeof *set->onset);
  set->smooth = pc_alloc(contacts, sizeof *set->smooth);
  set->ratio = pc_alloc((size_t)m->rows, sizeof *set->ratio);
  set->weighed = pc_alloc(contacts, sizeof *set->weighed);
  set->r = pc_alloc(contacts, sizeof *set->r);
  set->m_F = pc_alloc(contacts, sizeof *set->m_F);
  int made = set->level && set->friction && set->onset && set->smooth && set->ratio &&
             set->weighed && set->r && set->m_F;
  if (!made) return pc_no_memory(error);
  memset(set->friction, PC_CONTACT_STICK, contacts);
  return PC_OK;
}

void pc_alpha_sets_free(pc_alpha_sets* set)
{
  void* array[] = {set->level, set->friction, set->onset, set->smooth,
                   set->ratio, set->weighed,  set->r,     set->m_F};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

/* Whether a contact is closed or carries a force, so that r matters. */
static int is_near(const pc_alpha* s, int k)
{
  int row = s->model.contact[k].row;
  if (s->set.level[k] != PC_ALPHA_OPEN || !(s->matrix.terms->y[row] > 0)) return 1;
  if (s->x.nu[row] != 0 || s->x.lambda[row] != 0) return 1;
  return s->model.settings.alpha.activation == PC_ACTIVATION_TOTAL; /* averages may remember one */
}

static void weigh(pc_alpha* s, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  const pc_row* w = s->matrix.terms->row + c->row;
  s->set.weighed[k] = 1;
  s->set.r[k] = s->model.settings.alpha.activation_factor *
                pc_alpha_saddle_mass(s->saddle, s->matrix.mass, w[0]);
  for (int d = 1; d <= c->dimension; d++) {
    double mass = pc_alpha_saddle_mass(s->saddle, s->matrix.mass, w[d]);
    if (d == 1 || mass < s->set.m_F[k]) s->set.m_F[k] = mass;
  }
}

pc_status pc_alpha_weigh_contacts(pc_alpha* s, const pc_at* at, pc_error* error)
{
  int held = 0; /* whether the joints are */
  for (int k = 0; k < s->model.contacts; k++) {
    if (s->set.weighed[k] || !is_near(s, k)) continue;
    if (!held) PC_TRY(pc_alpha_factor_mass(&s->matrix, at, error));
    for (int r = 0; !held && r < s->model.bilateral; r++)
      s->problem.force[r] = s->matrix.terms->row[r];
    if (!held &&
        pc_alpha_saddle_factor(s->saddle, pc_alpha_operator_of(s->matrix.mass), s->model.bilateral,
                               s->problem.force, s->problem.force) != PC_OK)
      return pc_fail(error, PC_NOT_FINITE, "the joints' equations are not finite");
    held = 1;
    weigh(s, k);
  }
  return PC_OK;
}

/* nu* and Lambda* of (65n), (65m), or what is left of them without earlier steps: eta remembers the
 * force of a contact that has opened, so the total ones can reject both states of it. Friction's
 * laws are written for the latter. */
static void total_impulses(const pc_alpha* s, const pc_state* state, int row, double* nu,
                           double* Lambda)
{
  const double* eta = pc_alpha_memory(s->model.n_u, s->model.rows, state->memory, PC_ALPHA_ETA);
  const pc_alpha_coefficients* c = &s->model.c;
  double dt = s->step.dt;
  if (s->model.settings.alpha.activation == PC_ACTIVATION_HISTORY_FREE || s->model.has_friction) {
    *nu = s->x.nu[row] + s->step.dq_dv * s->x.lambda[row];
    *Lambda = pc_alpha_own_impulse(&s->step, &s->x, row);
  } else {
    *nu = s->x.nu[row] + dt * dt * ((0.5 - c->beta) * eta[row] + c->beta * s->x.eta[row]);
    *Lambda = s->x.Lambda[row] + dt * ((1 - c->gamma) * eta[row] + c->gamma * s->x.eta[row]);
  }
}

/* A force that is round-off is no reason to leave S, as it is when a bar at rest in itself
 * arrives. */
static int keeps_smooth_contact(pc_alpha* s, int k)
{
  int row = s->model.contact[k].row;
  double augmented =
      s->x.lambda[row] - s->set.r[k] * pc_alpha_row_acceleration(&s->matrix, &s->x, row);
  return augmented >= 0 || augmented >= -pc_alpha_row_round_off(s, row);
}

static pc_alpha_level find_level(pc_alpha* s, const pc_state* state, int k)
{
  const pc_contact_info* c = &s->model.contact[k];
  double nu, Lambda, r = s->set.r[k];
  if (!s->set.weighed[k]) return PC_ALPHA_OPEN;
  total_impulses(s, state, c->row, &nu, &Lambda);
  if (!(nu - r * s->matrix.terms->y[c->row] >= 0)) return PC_ALPHA_OPEN;
  double xi =
      pc_terms_row_velocity(s->matrix.terms, c->row, s->x.u) + c->e_N * s->step.before[c->row];
  if (!(Lambda - r * xi >= 0)) return PC_ALPHA_A;
  if (s->model.settings.alpha.strategy < 3 || s->model.form.constraint != PC_ALPHA_ACCELERATION)
    return PC_ALPHA_B;
  return keeps_smooth_contact(s, k) ? PC_ALPHA_S : PC_ALPHA_B;
}

static pc_alpha_level hold(pc_alpha_level level, pc_alpha_level held)
{
  if (level == PC_ALPHA_S && held != PC_ALPHA_S) level = PC_ALPHA_B; /* the intersection of S */
  pc_alpha_level closed = held == PC_ALPHA_S ? PC_ALPHA_B : held;    /* the union of A and B */
  return level > closed ? level : closed;
}

/* Rows come or go: what was linearised, and how the residual went, is of the past. */
void pc_alpha_note_change(pc_alpha* s)
{
  s->matrix.linearised = 0;
  s->balance.progress.best = HUGE_VAL;
  s->balance.progress.stalled = 0;
}

void pc_alpha_update_sets(pc_alpha* s, const pc_state* state, int iteration)
{
  s->set.changed = s->set.closed = 0;
  for (int k = 0; k < s->model.contacts; k++) {
    int first = s->model.contact[k].row;
    pc_alpha_level level = find_level(s, state, k);
    if (iteration > PC_ALPHA_LATCH_AFTER) level = hold(level, (pc_alpha_level)s->set.level[k]);
    s->set.closed += level != PC_ALPHA_OPEN;
    if (level != (pc_alpha_level)s->set.level[k]) {
      s->set.changed++;
      pc_alpha_note_change(s);
    }
    s->set.level[k] = (unsigned char)level;
    if (level < PC_ALPHA_A) s->x.nu[first] = 0;
    for (int row = first; row <= first + s->model.contact[k].dimension; row++) {
      if (level < PC_ALPHA_S) s->x.lambda[row] = 0;
      if (level < PC_ALPHA_B) s->x.Lambda[row] = 0;
      if (level < PC_ALPHA_B && row > first) s->x.nu[row] = 0;
      s->x.eta[row] = s->step.eta_0[row] + s->model.c.s * s->x.lambda[row];
    }
  }
}
