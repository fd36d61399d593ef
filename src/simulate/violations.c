/* The laws of a system that a run may violate, by name. */
#include <stddef.h>

#include "percuss/simulate.h"
#include "system/found.h"
#include "system/inspect.h"

const char* pc_violated_name(pc_violated law)
{
  static const char* const name[PC_VIOLATED_COUNT] = {
      [PC_VIOLATED_POSITION] = "residual",     [PC_VIOLATED_VELOCITY] = "residual",
      [PC_VIOLATED_GAP] = "penetration",       [PC_VIOLATED_IMPACT] = "impact_law",
      [PC_VIOLATED_FRICTION] = "friction_law",
  };
  return (unsigned)law < PC_VIOLATED_COUNT ? name[law] : "unknown";
}

int pc_violation_count(const pc_system* system)
{
  if (!system) return 0;
  int g = pc_system_g_count(system), gamma = pc_system_gamma_count(system);
  return g + (g + gamma) + 3 * pc_system_fixed_contact_count(system);
}

/* The rows of constraints by the quantities that show them. */
static void name_constraints(const pc_system* system, pc_violation* position,
                             pc_violation* velocity)
{
  int g = pc_system_g_count(system), constraints = g + pc_system_gamma_count(system);
  for (int r = 0; r < constraints; r++) {
    if (r < g) position[r] = (pc_violation){PC_VIOLATED_POSITION, "", "", 0, 0};
    velocity[r] = (pc_violation){PC_VIOLATED_VELOCITY, "", "", 0, 0};
  }
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity x = pc_system_quantity(system, i);
    pc_violation* v = x.kind == PC_QUANTITY_ROW_POSITION && x.index < g ? &position[x.index]
                      : x.kind == PC_QUANTITY_ROW_VELOCITY && x.index < constraints
                          ? &velocity[x.index]
                          : NULL;
    if (!v) continue;
    v->part = x.name;
    v->unit = x.unit;
  }
}

/* The contact whose rows the row is among: rows ascend. */
static int contact_of_row(const pc_system* system, int row)
{
  int low = 0, high = pc_system_fixed_contact_count(system);
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (pc_system_contact_row(system, middle) <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The units of the contacts' laws: those of gap, its velocity and slip. */
static void put_contact_units(const pc_system* system, pc_violation* of_contact)
{
  int first = pc_system_g_count(system) + pc_system_gamma_count(system);
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity x = pc_system_quantity(system, i);
    int is_velocity = x.kind == PC_QUANTITY_ROW_VELOCITY;
    if ((!is_velocity && x.kind != PC_QUANTITY_ROW_POSITION) || x.index < first) continue;
    int k = contact_of_row(system, x.index), behind = x.index - pc_system_contact_row(system, k);
    if (behind < 2) of_contact[3 * k + is_velocity + behind].unit = x.unit;
  }
}

void pc_list_violations(const pc_system* system, pc_violation* list)
{
  if (!system || !list) return;
  int g = pc_system_g_count(system);
  name_constraints(system, list, list + g);
  pc_violation* v = list + 2 * g + pc_system_gamma_count(system);
  for (int k = 0; k < pc_system_fixed_contact_count(system); k++) {
    const char* contact = pc_system_contact(system, k).name;
    *v++ = (pc_violation){PC_VIOLATED_GAP, contact, "m", 0, 0};
    *v++ = (pc_violation){PC_VIOLATED_IMPACT, contact, "m/s", 0, 0};
    *v++ = (pc_violation){PC_VIOLATED_FRICTION, contact, "m/s", 0, 0};
  }
  put_contact_units(system, list + 2 * g + pc_system_gamma_count(system));
}
