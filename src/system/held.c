#include "system/held.h"

#include <math.h>

#include "base/memory.h"
#include "base/status.h"

static pc_status check(const pc_system* s, const pc_held_def* def, pc_error* error)
{
  const pc_part* part;
  if (s->frozen)
    return pc_fail(error, PC_BAD_ARGUMENT, "the system is frozen: nothing can be added to it");
  PC_TRY(pc_system_part(s, def->part, &part, error));
  if (!part || part->q_count != 1 || part->kinematics.q_dot)
    return pc_fail(error, PC_BAD_MODEL, "held quantity: the part must have one coordinate");
  if (def->quantity < 0 || def->quantity >= s->quantity.count)
    return pc_fail(error, PC_BAD_MODEL, "held quantity '%s': there is no quantity number %d",
                   part->name, def->quantity);
  if (!(def->interval >= 0) || !isfinite(def->interval))
    return pc_fail(error, PC_BAD_MODEL,
                   "held quantity '%s': interval is %g; it must be finite and not negative",
                   part->name, def->interval);
  return PC_OK;
}

pc_status pc_hold_quantity(pc_system* s, const pc_held_def* def, pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(check(s, def, error));
  PC_TRY(pc_system_close_rows(s, error));
  if (pc_grow((void**)&s->held.item, &s->held.capacity, s->held.count, sizeof *s->held.item) !=
      PC_OK)
    return pc_no_memory(error);
  s->held.item[s->held.count++] = (pc_held){.q = s->part[def->part.index].q_first,
                                            .quantity = def->quantity,
                                            .interval = def->interval,
                                            .of_impulses = def->of_impulses};
  return PC_OK;
}

int pc_system_held_count(const pc_system* s)
{
  if (!s) return 0;
  return s->held.count;
}

int pc_system_holds_impulses(const pc_system* s)
{
  for (int i = 0; i < s->held.count; i++)
    if (s->held.item[i].of_impulses) return 1;
  return 0;
}

/* Which sample the time t belongs to; t is a multiple of dt up to round-off. */
static double sample_of(double t, double interval)
{
  return floor(t / interval + 1e-9);
}

int pc_held_is_due(const pc_system* s, int held, double t, double dt)
{
  double interval = s->held.item[held].interval;
  return interval <= dt || t <= 0 || sample_of(t, interval) != sample_of(t - dt, interval);
}
