/* Coordinates that belong to user code. They have no terms: callbacks and formulas give those. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/attach.h"
#include "elements/part_names.h"

enum { TAIL_SIZE = 16, COUNT_MAX = 1000000 };

static pc_status check(const pc_adding* a, const pc_coordinates_def* def)
{
  PC_TRY(pc_check_name(a));
  if (def->q_count < 1 || def->q_count > COUNT_MAX)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': q_count is %d; it must be from 1 to %d",
                   a->kind, a->name, def->q_count, (int)COUNT_MAX);
  if (def->u_count < 1 || def->u_count > COUNT_MAX)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': u_count is %d; it must be from 1 to %d",
                   a->kind, a->name, def->u_count, (int)COUNT_MAX);
  if (!def->kinematics.q_dot != !def->kinematics.B)
    return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': kinematics.%s is missing", a->kind, a->name,
                   def->kinematics.B ? "q_dot" : "B");
  if (!def->kinematics.B && def->u_count != def->q_count)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': u_count is %d; without kinematics it must be q_count, %d", a->kind,
                   a->name, def->u_count, def->q_count);
  if (!def->q0) return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': q0 is missing", a->kind, a->name);
  if (!def->u0) return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': u0 is missing", a->kind, a->name);
  PC_TRY(pc_check_finite(a, "q0", def->q_count, def->q0));
  return pc_check_finite(a, "u0", def->u_count, def->u0);
}

/* letter.1, letter.2, ... as one block: the pointers, then the texts. */
static char** make_tails(char letter, int count)
{
  char** tail = pc_alloc((size_t)count, sizeof *tail + TAIL_SIZE);
  if (!tail) return NULL;
  char* text = (char*)(tail + count);
  for (int i = 0; i < count; i++) {
    tail[i] = text + (size_t)i * TAIL_SIZE;
    snprintf(tail[i], TAIL_SIZE, "%c.%d", letter, i + 1);
  }
  return tail;
}

pc_status pc_add_coordinates(pc_system* system, const pc_coordinates_def* def, pc_part_id* id,
                             pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, "coordinates", def->name, error};
  PC_TRY(check(&a, def));
  int units = def->q_count > def->u_count ? def->q_count : def->u_count;
  const char** unit = pc_alloc((size_t)units, sizeof *unit);
  char** q_tail = def->q_name ? NULL : make_tails('q', def->q_count);
  char** u_tail = def->u_name ? NULL : make_tails('u', def->u_count);
  pc_status status;
  if (!unit || (!def->q_name && !q_tail) || (!def->u_name && !u_tail)) {
    status = pc_no_memory(error);
  } else {
    for (int i = 0; i < units; i++) unit[i] = "";
    const pc_part_def part = {
        .kind = PC_PART_COORDINATES,
        .q_count = def->q_count,
        .u_count = def->u_count,
        .q0 = def->q0,
        .u0 = def->u0,
        .q_name = def->q_name,
        .u_name = def->u_name,
        .q_unit = unit,
        .u_unit = unit,
        .kinematics = def->kinematics,
        .user = def->user,
    };
    status =
        pc_add_named_part(&a, &part, (const char* const*)q_tail, (const char* const*)u_tail, id);
  }
  free(unit);
  free(q_tail);
  free(u_tail);
  return status;
}
