/* A held number: a coordinate of mass 1 at rest, on which nothing acts. */
#include <stdio.h>

#include "base/status.h"
#include "elements/attach.h"

static void evaluate(const void* data, pc_local* l)
{
  (void)data;
  if (l->M) l->M[0] = 1;
  if (l->energy) l->energy[0] = l->u[0] * l->u[0] / 2;
}

static const pc_element_ops ops = {.kind = "held", .evaluate = evaluate};

pc_status pc_add_held(pc_system* system, const char* name, double value, pc_part_id* id,
                      pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(id, "id", error));
  pc_adding a = {system, ops.kind, name, error};
  char rate[160];
  const double at_rest = 0;
  const char *rate_name = rate, *no_unit = "";
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_finite(&a, "value", 1, &value));
  snprintf(rate, sizeof rate, "%s'", name);
  const pc_part_def part = {.name = name,
                            .kind = PC_PART_COORDINATES,
                            .q_count = 1,
                            .u_count = 1,
                            .q0 = &value,
                            .u0 = &at_rest,
                            .q_name = &name,
                            .u_name = &rate_name,
                            .q_unit = &no_unit,
                            .u_unit = &no_unit};
  PC_TRY(pc_system_add_part(system, &part, id, error));
  const char nothing = 0;
  pc_element_def element = {.ops = &ops,
                            .part_count = 1,
                            .part = id,
                            .provides = PC_TERM_M | PC_TERM_ENERGY,
                            .constant = PC_TERM_M};
  return pc_add_copy(&a, &element, &nothing, sizeof nothing);
}
