#include "study/exact_reference.h"

#include <math.h>
#include <string.h>

#include "study/error.h"

/* Normal row or friction row of a contact? Joints are neither. */
static int is_of_part(const pc_system* system, int row, part p)
{
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    pc_contact_info c = pc_system_contact(system, k);
    if (row == c.row) return p == PART_P_N;
    if (row > c.row && row <= c.row + c.dimension) return p == PART_P_F;
  }
  return 0;
}

int has_exact_part(const pc_model* model, part p)
{
  const pc_system* system = pc_model_system(model);
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    pc_quantity x = pc_system_quantity(system, i);
    int fits = (x.kind == PC_QUANTITY_Q && p == PART_Q) ||
               (x.kind == PC_QUANTITY_U && p == PART_U) ||
               (x.kind == PC_QUANTITY_ROW_P && is_of_part(system, x.index, p));
    double ignored;
    if (fits && pc_model_exact(model, i, 0, &ignored)) return 1;
  }
  return 0;
}

static void fill_with_nothing(states* s)
{
  for (size_t i = 0; i < (size_t)s->count * (size_t)s->q_count; i++) s->q[i] = NAN;
  for (size_t i = 0; i < (size_t)s->count * (size_t)s->u_count; i++) s->u[i] = NAN;
  for (size_t i = 0; i < (size_t)s->count * (size_t)s->P_count; i++) s->P_sum[i] = NAN;
}

/* A quantity at all times, if the model gives it. */
static pc_status fill_quantity(const pc_model* model, int i, states* s, pc_error* error)
{
  pc_quantity x = pc_system_quantity(pc_model_system(model), i);
  int is_q = x.kind == PC_QUANTITY_Q, is_u = x.kind == PC_QUANTITY_U;
  double* to = is_q ? s->q : is_u ? s->u : s->P_sum;
  size_t columns = (size_t)(is_q ? s->q_count : is_u ? s->u_count : s->P_count);
  for (long row = 0; row < s->count; row++) {
    double value;
    if (!pc_model_exact(model, i, s->t[row], &value)) return PC_OK;
    if (!isfinite(value))
      return set_error(error, PC_BAD_MODEL,
                       "the model's exact %s is not a finite number at t = %g s; take another "
                       "reference, or other parameters",
                       x.name, s->t[row]);
    to[(size_t)row * columns + (size_t)x.index] = value;
  }
  return PC_OK;
}

pc_status make_exact_states(const pc_model* model, const states* run, states* exact,
                            pc_error* error)
{
  const pc_system* system = pc_model_system(model);
  *exact = (states){.count = run->count,
                    .q_count = run->q_count,
                    .u_count = run->u_count,
                    .P_count = run->P_count};
  if (!create_states(exact, exact->count, 1)) return PC_OUT_OF_MEMORY;
  memcpy(exact->t, run->t, (size_t)run->count * sizeof *run->t);
  fill_with_nothing(exact);
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < pc_system_quantity_count(system); i++)
    status = fill_quantity(model, i, exact, error);
  return status;
}
