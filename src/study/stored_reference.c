#include "study/stored_reference.h"

#include <stdlib.h>
#include <string.h>

#include "study/error.h"

/* Reads a column of the reference into every `columns`-th place. */
static pc_status read_column(const pc_result* r, int series, double* to, int columns, int column,
                             double* buffer, pc_error* error)
{
  long length = pc_result_length(r);
  pc_status status = pc_result_read(r, series, 0, length, buffer, error);
  if (status != PC_OK) return status;
  for (long i = 0; i < length; i++) to[(size_t)i * (size_t)columns + (size_t)column] = buffer[i];
  return PC_OK;
}

/* All coordinates, velocities and percussions of the model, by their names. */
static pc_status read_columns(const pc_result* r, const pc_system* system, states* s,
                              double* buffer, pc_error* error)
{
  pc_status status = read_column(r, 0, s->t, 1, 0, buffer, error);
  for (int i = 0; status == PC_OK && i < pc_system_quantity_count(system); i++) {
    pc_quantity x = pc_system_quantity(system, i);
    int is_q = x.kind == PC_QUANTITY_Q, is_u = x.kind == PC_QUANTITY_U;
    if (!is_q && !is_u && x.kind != PC_QUANTITY_ROW_P) continue;
    int series = pc_result_find(r, x.name);
    if (series < 0)
      return set_error(error, PC_BAD_MODEL, "'%s' has no '%s': it is a result of another model",
                       pc_result_path(r), x.name);
    status = read_column(r, series,
                         is_q   ? s->q
                         : is_u ? s->u
                                : s->P,
                         is_q   ? s->q_count
                         : is_u ? s->u_count
                                : s->P_count,
                         x.index, buffer, error);
  }
  return status;
}

/* Are there rows for all steps? Else percussions between the rows are not known. */
static int has_all_steps(const states* s, const pc_result* r)
{
  const char* line = strstr(pc_result_options(r), "dt=");
  return line && s->count > 1 && s->t[1] - s->t[0] < 1.000001 * strtod(line + 3, NULL);
}

static void sum_up(states* s)
{
  size_t columns = (size_t)s->P_count;
  for (size_t i = columns; i < (size_t)s->count * columns; i++)
    s->P_sum[i] = s->P_sum[i - columns] + s->P[i];
}

pc_status read_stored_states(const pc_result* result, const pc_system* system, states* stored,
                             int* all_steps, pc_error* error)
{
  states* s = stored;
  *s = (states){.count = pc_result_length(result),
                .q_count = pc_system_q_count(system),
                .u_count = pc_system_u_count(system),
                .P_count = pc_system_row_count(system)};
  double bytes = 8.0 * (double)s->count * (1.0 + s->q_count + s->u_count + 2.0 * s->P_count);
  if (bytes > BATCH_BYTES_MAX)
    return set_error(error, PC_BAD_ARGUMENT,
                     "'%s' needs %.3g GB of memory, more than the 2 GB allowed",
                     pc_result_path(result), bytes / (1 << 30));
  double* buffer = calloc((size_t)s->count + 1, sizeof *buffer);
  pc_status status = buffer && create_states(s, s->count, 1) ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK) status = read_columns(result, system, s, buffer, error);
  free(buffer);
  if (status != PC_OK) return status;
  sum_up(s);
  *all_steps = has_all_steps(s, result);
  return PC_OK;
}
