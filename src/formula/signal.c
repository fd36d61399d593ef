/* Formulas as signals and gap fields: small programs that run on the stack of the caller. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "formula/pool.h"

static double signal_value(const void* user, double t)
{
  const pc_program* program = user;
  double registers[PC_SIGNAL_REGISTERS], value;
  pc_program_load(program, registers);
  pc_program_run(program, &t, registers, &value);
  return value;
}

/* Gap, gradient and Hessian, with the mixed derivative once. */
enum { GAP, GAP_X, GAP_Y, GAP_XX, GAP_XY, GAP_YY, GAP_OUTPUTS };

static void gap_value(const void* user, const double at[2], double* gap, double gradient[2],
                      double hessian[4])
{
  const pc_program* program = user;
  double registers[PC_SIGNAL_REGISTERS], out[GAP_OUTPUTS];
  pc_program_load(program, registers);
  pc_program_run(program, at, registers, out);
  *gap = out[GAP];
  gradient[0] = out[GAP_X];
  gradient[1] = out[GAP_Y];
  hessian[0] = out[GAP_XX];
  hessian[1] = hessian[2] = out[GAP_XY];
  hessian[3] = out[GAP_YY];
}

static void destroy_program(void* user)
{
  pc_program_destroy(user);
}

/* A program that is small enough and has no variable from `limit` on. */
static pc_status small_program(pc_pool* pool, int limit, int count, const pc_expr* expr,
                               pc_program** program)
{
  for (int i = 0; i < count; i++)
    if (expr[i] < 0) return PC_OUT_OF_MEMORY;
  pc_pool* own = pc_pool_create();
  pc_expr copy[GAP_OUTPUTS];
  pc_status status = own ? pc_pool_import(own, pool, count, expr, copy) : PC_OUT_OF_MEMORY;
  if (status == PC_OK && pc_pool_variable_max(own) >= limit) status = PC_BAD_ARGUMENT;
  if (status == PC_OK) status = pc_program_create(own, count, copy, program);
  pc_pool_destroy(own);
  if (status != PC_OK || pc_program_register_count(*program) <= PC_SIGNAL_REGISTERS) return status;
  pc_program_destroy(*program);
  return PC_BAD_ARGUMENT;
}

pc_status pc_formula_signal(pc_pool* pool, pc_expr expr, pc_signal* signal)
{
  *signal = (pc_signal){0};
  if (pc_expr_is_number(pool, expr, &signal->constant)) return PC_OK;
  pc_program* program;
  PC_TRY(small_program(pool, 1, 1, &expr, &program));
  *signal = (pc_signal){.value = signal_value, .user = program, .destroy = destroy_program};
  return PC_OK;
}

pc_status pc_formula_gap_field(pc_pool* pool, pc_expr f, pc_gap_field* field)
{
  *field = (pc_gap_field){0};
  pc_expr two = pc_expr_number(pool, 2);
  pc_expr fx = pc_derivative(pool, f, 0), fy = pc_derivative(pool, f, 1);
  pc_expr xx = pc_power(pool, fx, two), yy = pc_power(pool, fy, two);
  pc_expr square = pc_sum(pool, xx, yy);
  pc_expr out[GAP_OUTPUTS];
  out[GAP] = pc_quotient(pool, f, pc_function(pool, PC_OP_SQRT, square));
  out[GAP_X] = pc_derivative(pool, out[GAP], 0);
  out[GAP_Y] = pc_derivative(pool, out[GAP], 1);
  out[GAP_XX] = pc_derivative(pool, out[GAP_X], 0);
  out[GAP_XY] = pc_derivative(pool, out[GAP_X], 1);
  out[GAP_YY] = pc_derivative(pool, out[GAP_Y], 1);
  pc_program* program;
  PC_TRY(small_program(pool, 2, GAP_OUTPUTS, out, &program));
  *field = (pc_gap_field){.value = gap_value, .user = program, .destroy = destroy_program};
  return PC_OK;
}
