/* Held quantities: coordinates that take the values of quantities at the start of steps. */
#include "system/held.h"

#include "simulate/sim.h"

/* One may hold what another one has held so far: all values are taken before any is set. */
void pc_sim_hold(pc_sim* s, int with_impulses)
{
  const pc_system* system = s->system;
  for (int i = 0; i < system->held.count; i++) {
    const pc_held* h = &system->held.item[i];
    int due =
        pc_held_is_due(system, i, s->state.t, s->settings.dt) && (with_impulses || !h->of_impulses);
    s->held[i] = due ? pc_observe_quantity(&s->seen, h->quantity) : s->state.q[h->q];
  }
  for (int i = 0; i < system->held.count; i++) s->state.q[system->held.item[i].q] = s->held[i];
}
