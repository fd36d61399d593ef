/* Outputs: quantities that are functions of a state and its rows. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/forces.h"
#include "system/system.h"

static void release(pc_output_def* output)
{
  if (output->destroy) output->destroy(output->user);
  free((char*)output->unit);
}

void pc_outputs_clear(pc_system* s)
{
  for (int i = 0; i < s->output.count; i++) release(&s->output.item[i]);
  free(s->output.item);
  s->output.item = NULL;
  s->output.count = 0;
}

static pc_status check(const pc_system* s, const pc_output_def* def, pc_error* error)
{
  if (s->frozen)
    return pc_fail(error, PC_BAD_ARGUMENT, "the system is frozen: nothing can be added to it");
  if (!def->name || !def->name[0]) return pc_fail(error, PC_BAD_MODEL, "an output without a name");
  if (!def->value) return pc_fail(error, PC_BAD_MODEL, "output '%s': value is missing", def->name);
  if (!(def->period >= 0) || !isfinite(def->period))
    return pc_fail(error, PC_BAD_MODEL,
                   "output '%s': period is %g; it must be finite and not negative", def->name,
                   def->period);
  return PC_OK;
}

pc_status pc_add_output(pc_system* s, const pc_output_def* def, pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_output_def own = *def;
  own.unit = NULL;
  pc_status status = check(s, def, error);
  if (status == PC_OK) status = pc_system_close_rows(s, error);
  if (status == PC_OK) {
    own.unit = pc_copy_text(def->unit ? def->unit : "");
    if (!own.unit ||
        pc_grow((void**)&s->output.item, &s->output.capacity, s->output.count, sizeof own) ||
        pc_system_add_quantity(s, def->name, "", own.unit, PC_QUANTITY_OUTPUT, s->output.count))
      status = pc_no_memory(error);
  }
  if (status != PC_OK) {
    release(&own);
    return status;
  }
  own.name = pc_system_quantity(s, s->quantity.count - 1).name;
  s->output.item[s->output.count++] = own;
  return PC_OK;
}

int pc_system_output_count(const pc_system* s)
{
  if (!s) return 0;
  return s->output.count;
}

double pc_system_output(const pc_system* s, int output, const pc_output_at* at)
{
  if (!at || (unsigned)output >= (unsigned)pc_system_output_count(s)) return NAN;
  return s->output.item[output].value(s->output.item[output].user, at);
}

int pc_system_has_force_outputs(const pc_system* s)
{
  for (int i = 0; i < s->output.count; i++)
    if (s->output.item[i].forces) return 1;
  return 0;
}

double pc_system_output_period(const pc_system* s, int output)
{
  if ((unsigned)output >= (unsigned)pc_system_output_count(s)) return NAN;
  return s->output.item[output].period;
}
