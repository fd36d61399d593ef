/* Outputs as expressions: the numbers that they need are gathered, then a small program runs on the
 * stack of whoever calls. Any number of simulations may ask for the same output at a time, so that
 * those that need more numbers than a stack should hold take memory for as long as they are
 * evaluated. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "formula/frame.h"
#include "formula/pool.h"
#include "system/forces.h"
#include "system/loads.h"

typedef struct output {
  pc_program* program;
  int count;
  pc_output_source source[];
} output;

static double gather_load(pc_output_source s, const pc_output_at* at)
{
  if (s.kind == PC_SOURCE_MEAN_FORCE)
    return pc_loads_of_joint_mean(at->loads, s.index, s.on, at->P) / at->dt;
  if (s.kind == PC_SOURCE_END_FORCE) return pc_loads_of_joint(at->loads, s.index, s.on, at->lambda);
  if (s.kind == PC_SOURCE_FORCE) return pc_loads_of_force(at->loads, s.index, s.on);
  return pc_loads_mean_q(at->loads, s.index);
}

static double gather(pc_output_source s, const pc_output_at* at)
{
  if (s.index == PC_SOURCE_T) return at->t;
  if (s.index == PC_SOURCE_DT) return at->dt;
  if (s.kind >= PC_SOURCE_LOADS) return gather_load(s, at);
  if (s.kind >= PC_SOURCE_FORCES)
    return pc_force_value((pc_force_kind)(s.kind - PC_SOURCE_FORCES), s.index, at);
  switch ((pc_quantity_kind)s.kind) {
    case PC_QUANTITY_Q: return at->q[s.index];
    case PC_QUANTITY_U: return at->u[s.index];
    case PC_QUANTITY_ROW_POSITION: return at->y[s.index];
    case PC_QUANTITY_ROW_VELOCITY: return at->y_dot[s.index];
    case PC_QUANTITY_ROW_P: return at->P[s.index];
    case PC_QUANTITY_OUTPUT: break; /* outputs are made of what is not one */
  }
  return 0;
}

/* `work` has space for the variables and the registers. */
static double evaluate(const output* o, const pc_output_at* at, double* work)
{
  double *variable = work, *registers = work + o->count, result;
  for (int i = 0; i < o->count; i++) variable[i] = gather(o->source[i], at);
  pc_program_load(o->program, registers);
  pc_program_run(o->program, variable, registers, &result);
  return result;
}

static double value(const void* user, const pc_output_at* at)
{
  const output* o = user;
  double on_stack[2 * PC_SIGNAL_REGISTERS];
  size_t size = (size_t)o->count + (size_t)pc_program_register_count(o->program);
  if (size <= sizeof on_stack / sizeof *on_stack) return evaluate(o, at, on_stack);
  double* work = malloc(size * sizeof *work);
  double result = work ? evaluate(o, at, work) : NAN;
  free(work);
  return result;
}

static void destroy(void* user)
{
  output* o = user;
  pc_program_destroy(o->program);
  free(o);
}

pc_status pc_formula_output(pc_pool* pool, pc_expr expr, int count, const pc_output_source* source,
                            pc_output_def* def)
{
  if (expr < 0) return PC_OUT_OF_MEMORY;
  output* o = pc_alloc(1, sizeof *o + (size_t)count * sizeof *source);
  if (!o) return PC_OUT_OF_MEMORY;
  o->count = count;
  for (int i = 0; i < count; i++) o->source[i] = source[i];
  pc_status status = pc_program_create(pool, 1, &expr, &o->program);
  if (status != PC_OK) {
    destroy(o);
    return status;
  }
  def->value = value;
  def->user = o;
  def->destroy = destroy;
  for (int i = 0; i < count; i++) {
    int kind = source[i].kind, is_load = kind >= PC_SOURCE_LOADS;
    def->loads |= is_load;
    def->forces |= is_load ? kind == PC_SOURCE_END_FORCE : kind >= PC_SOURCE_FORCES;
  }
  return PC_OK;
}
