/* The active sets (55)-(57) by augmented multipliers. */
#include <string.h>

#include "base/status.h"
#include "schemes/generalized_alpha.h"

/* A step that has not settled its sets after this many iterations goes through them in a circle:
 * from then on a closed contact stays closed, and one that leaves S does not come back. */
enum { LATCH_AFTER = 8 };

int pc_alpha_near_contact(const pc_alpha* s)
{
  for (int k = 0; k < s->contacts; k++) {
    int row = s->contact[k].row;
    if (!(s->terms->y[row] > 0) || s->nu[row] != 0 || s->lambda[row] != 0) return 1;
    if (s->settings.activation == PC_ACTIVATION_TOTAL) return 1; /* averages may remember one */
  }
  return 0;
}

pc_status pc_alpha_weigh_contacts(pc_alpha* s, pc_error* error)
{
  s->weighed = 1;
  for (int r = 0; r < s->bilateral; r++) s->force[r] = s->terms->row[r];
  if (pc_alpha_saddle_factor(s->saddle, s->mass, s->bilateral, s->force, s->force) != PC_OK)
    return pc_fail(error, PC_NOT_FINITE, "the joints' equations are not finite");
  for (int k = 0; k < s->contacts; k++) {
    const pc_contact_info* c = &s->contact[k];
    const pc_row* w = s->terms->row + c->row;
    s->r[k] = s->settings.activation_factor * pc_alpha_saddle_mass(s->saddle, s->mass, w[0]);
    for (int d = 1; d <= c->dimension; d++) {
      double mass = pc_alpha_saddle_mass(s->saddle, s->mass, w[d]);
      if (d == 1 || mass < s->m_F[k]) s->m_F[k] = mass;
    }
  }
  return PC_OK;
}

/* nu* and Lambda* of (65n), (65m), or what is left of them without earlier steps: eta remembers the
 * force of a contact that has opened, so the total ones can reject both states of it. Friction's laws
 * are written for the latter. */
static void total_impulses(const pc_alpha* s, const pc_state* state, int row, double* nu,
                           double* Lambda)
{
  const double* eta = pc_alpha_memory(s->system, state->memory, PC_ALPHA_ETA);
  const pc_alpha_coefficients* c = &s->c;
  double dt = s->dt;
  if (s->settings.activation == PC_ACTIVATION_HISTORY_FREE || s->has_friction) {
    *nu = s->nu[row] + s->q_share * s->lambda[row];
    *Lambda = pc_alpha_own_percussion(s, row);
  } else {
    *nu = s->nu[row] + dt * dt * ((0.5 - c->beta) * eta[row] + c->beta * s->eta[row]);
    *Lambda = s->Lambda[row] + dt * ((1 - c->gamma) * eta[row] + c->gamma * s->eta[row]);
  }
}

/* A force that is round-off is no reason to leave S, as it is when a bar at rest in itself arrives. */
static int keeps_smooth_contact(pc_alpha* s, int k)
{
  int row = s->contact[k].row;
  double augmented = s->lambda[row] - s->r[k] * pc_alpha_row_acceleration(s, row);
  return augmented >= 0 || augmented >= -pc_alpha_noise(s, row);
}

static pc_alpha_level find_level(pc_alpha* s, const pc_state* state, int k)
{
  const pc_contact_info* c = &s->contact[k];
  double nu, Lambda, r = s->r[k];
  if (!s->weighed) return PC_ALPHA_OPEN;
  total_impulses(s, state, c->row, &nu, &Lambda);
  if (!(nu - r * s->terms->y[c->row] >= 0)) return PC_ALPHA_OPEN;
  double xi = pc_terms_row_velocity(s->terms, c->row, s->u) + c->e_N * s->before[c->row];
  if (!(Lambda - r * xi >= 0)) return PC_ALPHA_A;
  if (s->settings.strategy < 3 || s->form.row != PC_ALPHA_ACCELERATION) return PC_ALPHA_B;
  return keeps_smooth_contact(s, k) ? PC_ALPHA_S : PC_ALPHA_B;
}

static pc_alpha_level hold(pc_alpha_level level, pc_alpha_level held)
{
  if (level == PC_ALPHA_S && held != PC_ALPHA_S) level = PC_ALPHA_B; /* the intersection of S */
  pc_alpha_level closed = held == PC_ALPHA_S ? PC_ALPHA_B : held;    /* the union of A and B */
  return level > closed ? level : closed;
}

void pc_alpha_update_sets(pc_alpha* s, const pc_state* state, int iteration)
{
  for (int k = 0; k < s->contacts; k++) {
    int first = s->contact[k].row;
    pc_alpha_level level = find_level(s, state, k);
    if (iteration > LATCH_AFTER) level = hold(level, (pc_alpha_level)s->level[k]);
    if (level != (pc_alpha_level)s->level[k]) s->linearised = 0;
    s->level[k] = (unsigned char)level;
    if (level < PC_ALPHA_A) s->nu[first] = 0;
    for (int row = first; row <= first + s->contact[k].dimension; row++) {
      if (level < PC_ALPHA_S) s->lambda[row] = 0;
      if (level < PC_ALPHA_B) s->Lambda[row] = 0;
      if (level < PC_ALPHA_B && row > first) s->nu[row] = 0;
      s->eta[row] = s->eta_0[row] + s->c.s * s->lambda[row];
    }
  }
}
