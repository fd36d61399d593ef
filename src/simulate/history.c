/* A run in memory. A kept state is one row of numbers behind a header of plain values; all rows are one
 * array. What the observation points to is found again by its place in the row. */
#include "percuss/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* What of an observation has a fixed size. */
typedef struct header {
  pc_step_info info;
  long step;
  double t, kinetic, potential;
  pc_balance balance;
} header;

/* The arrays of a row, in their order. */
enum {
  Q,
  U,
  P,
  MEMORY,
  Y,
  Y_DOT,
  OUTPUT,
  Y_DOT_BEFORE,
  P_BEFORE,
  IMPACT_LAW,
  FRICTION_LAW,
  ARRAYS
};

struct pc_history {
  const pc_system* system;
  int size[ARRAYS]; /* in numbers */
  size_t row_size;  /* in bytes; 0: no state was seen */
  char* rows;
  size_t capacity; /* in bytes */
  long length;
  pc_violation* violation; /* of the last state */
  int violation_count;
};

pc_status pc_history_create(const pc_system* system, pc_history** history, pc_error* error)
{
  *history = NULL;
  pc_history* h = pc_alloc(1, sizeof *h);
  if (!h) return pc_no_memory(error);
  h->system = system;
  h->violation_count = pc_violation_count(system);
  h->violation = pc_alloc((size_t)h->violation_count, sizeof *h->violation);
  if (!h->violation) {
    free(h);
    return pc_no_memory(error);
  }
  *history = h;
  return PC_OK;
}

void pc_history_destroy(pc_history* h)
{
  if (!h) return;
  free(h->violation);
  free(h->rows);
  free(h);
}

void pc_history_clear(pc_history* h)
{
  free(h->rows);
  h->rows = NULL;
  h->capacity = 0;
  h->length = 0;
}

/* The sizes are those of the system; the scheme's memory is known from the first state on. */
static void lay_out(pc_history* h, const pc_observation* seen)
{
  int rows = pc_system_row_count(h->system), contacts = pc_system_contact_count(h->system);
  const int size[ARRAYS] = {[Q] = pc_system_q_count(h->system),
                            [U] = pc_system_u_count(h->system),
                            [P] = rows,
                            [MEMORY] = seen->state->memory_count,
                            [Y] = rows,
                            [Y_DOT] = rows,
                            [OUTPUT] = pc_system_output_count(h->system),
                            [Y_DOT_BEFORE] = rows,
                            [P_BEFORE] = rows,
                            [IMPACT_LAW] = contacts,
                            [FRICTION_LAW] = contacts};
  h->row_size = sizeof(header);
  for (int i = 0; i < ARRAYS; i++) {
    h->size[i] = size[i];
    h->row_size += (size_t)size[i] * sizeof(double);
  }
}

/* Copies `count` numbers, or zeros where there are none (before the first step), and goes past them. */
static double* put(double* to, const double* from, int count)
{
  size_t bytes = (size_t)count * sizeof *to;
  if (from && count)
    memcpy(to, from, bytes);
  else if (count)
    memset(to, 0, bytes);
  return to + count;
}

static void fill(const pc_history* h, const pc_observation* seen, char* row)
{
  const header head = {*seen->info,   seen->state->step, seen->state->t,
                       seen->kinetic, seen->potential,   seen->balance};
  memcpy(row, &head, sizeof head);
  const double* from[ARRAYS] = {[Q] = seen->state->q,
                                [U] = seen->state->u,
                                [P] = seen->state->P,
                                [MEMORY] = seen->state->memory,
                                [Y] = seen->y,
                                [Y_DOT] = seen->y_dot,
                                [OUTPUT] = seen->output,
                                [Y_DOT_BEFORE] = seen->y_dot_before,
                                [P_BEFORE] = seen->P_before,
                                [IMPACT_LAW] = seen->info->impact_law,
                                [FRICTION_LAW] = seen->info->friction_law};
  double* to = (double*)(void*)(row + sizeof head);
  for (int i = 0; i < ARRAYS; i++) to = put(to, from[i], h->size[i]);
}

int pc_history_observe(void* history, const pc_observation* seen)
{
  pc_history* h = history;
  if (h->length == 0) lay_out(h, seen);
  size_t used = (size_t)h->length * h->row_size;
  if (pc_reserve((void**)&h->rows, &h->capacity, used + h->row_size, 1) != PC_OK) return 0;
  fill(h, seen, h->rows + used);
  memcpy(h->violation, seen->violation, (size_t)h->violation_count * sizeof *h->violation);
  h->length++;
  return 1;
}

long pc_history_length(const pc_history* h)
{
  return h->length;
}

size_t pc_history_bytes(const pc_history* h)
{
  return h->row_size;
}

/* The observation of a row; what it points to is in `state` and `info`, and in the row. */
static pc_observation recall(const pc_history* h, char* row, pc_state* state, pc_step_info* info)
{
  header head;
  memcpy(&head, row, sizeof head);
  double *array[ARRAYS], *at = (double*)(void*)(row + sizeof head);
  for (int i = 0; i < ARRAYS; i++) {
    array[i] = at;
    at += h->size[i];
  }
  *state =
      (pc_state){head.step, head.t, array[Q], array[U], array[P], array[MEMORY], h->size[MEMORY]};
  *info = head.info;
  info->lambda = NULL; /* the scheme's own, and gone */
  info->impact_law = array[IMPACT_LAW];
  info->friction_law = array[FRICTION_LAW];
  return (pc_observation){.system = h->system,
                          .state = state,
                          .info = info,
                          .y = array[Y],
                          .y_dot = array[Y_DOT],
                          .output = array[OUTPUT],
                          .kinetic = head.kinetic,
                          .potential = head.potential,
                          .y_dot_before = array[Y_DOT_BEFORE],
                          .P_before = array[P_BEFORE],
                          .balance = head.balance,
                          .violation = h->violation};
}

pc_status pc_history_show(const pc_history* h, long first, pc_observer* observer, void* user,
                          pc_error* error)
{
  for (long k = first < 0 ? 0 : first; k < h->length; k++) {
    pc_state state;
    pc_step_info info;
    pc_observation seen = recall(h, h->rows + (size_t)k * h->row_size, &state, &info);
    if (!observer(user, &seen))
      return pc_fail(error, PC_STOPPED, "stopped after step %ld at t = %.9g s", state.step,
                     state.t);
  }
  return PC_OK;
}
