/* Coefficients of friction that depend on the sliding speed. */
#include <math.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "simulate/sim.h"
#include "system/found.h"

/* Stribeck's curve at the sliding velocity y_dot. */
static double coefficient(const pc_contact_info* c, const double* y_dot)
{
  double square = 0;
  if (c->stribeck == 0) return c->mu;
  for (int d = 1; d <= c->dimension; d++) square += y_dot[c->row + d] * y_dot[c->row + d];
  return c->mu_kinetic + (c->mu - c->mu_kinetic) * pc_exp(-square / (c->stribeck * c->stribeck));
}

int pc_has_friction_curves(const pc_system* system)
{
  return (pc_system_laws(system) & PC_LAW_CURVE) != 0;
}

pc_status pc_sim_set_friction(pc_sim* s, pc_error* error)
{
  if (!s->friction.has_curves || !s->ops->set_friction) return PC_OK;
  const pc_array mu = PC_ARRAY(s->friction.mu);
  size_t count = (size_t)pc_system_contact_count(s->step_system);
  if (pc_reserve_arrays(1, &mu, &s->friction.capacity, count) != PC_OK) return pc_no_memory(error);
  for (size_t k = 0; k < count; k++) {
    pc_contact_info c = pc_system_contact(s->step_system, (int)k);
    s->friction.mu[k] = coefficient(&c, s->rows.y_dot);
  }
  s->ops->set_friction(s->scheme, s->friction.mu);
  return PC_OK;
}
