/* A run in memory. A kept state is one row of numbers behind a header of plain values; all rows are
 * one array. What the observation points to is found again by its place in the row. Contacts
 * between shapes, of which there are more or fewer in each state, are in arrays of their own. */
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
  size_t contact_first,
      memory_first; /* of its contacts between shapes, and what is remembered of them */
  int contact_count, opened_count;
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
  int has_found;    /* the system has shapes */
  int found_memory; /* numbers that are remembered of each contact between shapes */
  pc_shape_contact* contact;
  size_t contact_count, contact_capacity;
  double* memory;
  size_t memory_count, memory_capacity;
  pc_violation* violation; /* of the last state */
  int violation_count;
};

pc_status pc_history_create(const pc_system* system, pc_history** history, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(history, "history", error));
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

/* The memory stays: new pages would have to be mapped and cleared for the states that follow, under
 * a lock that all threads of the process share. */
void pc_history_clear(pc_history* h)
{
  if (!h) return;
  h->contact_count = h->memory_count = 0;
  h->length = 0;
}

void pc_history_destroy(pc_history* h)
{
  if (!h) return;
  free(h->rows);
  free(h->contact);
  free(h->memory);
  free(h->violation);
  free(h);
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

/* Copies `count` numbers, or zeros where there are none (before the first step), and goes past
 * them. */
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
  const header head = {.info = *seen->info,
                       .step = seen->state->step,
                       .t = seen->state->t,
                       .kinetic = seen->kinetic,
                       .potential = seen->potential,
                       .balance = seen->balance,
                       .contact_first = h->contact_count,
                       .memory_first = h->memory_count,
                       .contact_count = seen->found ? seen->found->count : 0,
                       .opened_count = seen->found ? seen->found->opened_count : 0};
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

/* Space for the contacts between shapes of a state. */
static pc_status reserve_found(pc_history* h, const pc_found_contacts* found)
{
  if (!found) return PC_OK;
  size_t contacts = (size_t)found->count + (size_t)found->opened_count;
  size_t numbers = (size_t)found->count * (size_t)found->memory_count;
  if (pc_reserve((void**)&h->contact, &h->contact_capacity, h->contact_count + contacts,
                 sizeof *h->contact) != PC_OK)
    return PC_OUT_OF_MEMORY;
  return pc_reserve((void**)&h->memory, &h->memory_capacity, h->memory_count + numbers,
                    sizeof *h->memory);
}

static void add_contacts(pc_history* h, const pc_shape_contact* from, int count)
{
  for (int i = 0; i < count; i++) h->contact[h->contact_count++] = from[i];
}

static void add_found(pc_history* h, const pc_found_contacts* found)
{
  h->has_found = found != NULL;
  if (!found) return;
  h->found_memory = found->memory_count;
  add_contacts(h, found->contact, found->count);
  add_contacts(h, found->opened, found->opened_count);
  put(h->memory + h->memory_count, found->memory, found->count * found->memory_count);
  h->memory_count += (size_t)found->count * (size_t)found->memory_count;
}

int pc_history_observe(void* history, const pc_observation* seen)
{
  if (!history || !seen) return 0;
  pc_history* h = history;
  if (h->length == 0) lay_out(h, seen);
  if (reserve_found(h, seen->found) != PC_OK) return 0;
  size_t used = (size_t)h->length * h->row_size;
  if (pc_reserve((void**)&h->rows, &h->capacity, used + h->row_size, 1) != PC_OK) return 0;
  fill(h, seen, h->rows + used);
  add_found(h, seen->found);
  memcpy(h->violation, seen->violation, (size_t)h->violation_count * sizeof *h->violation);
  h->length++;
  return 1;
}

long pc_history_length(const pc_history* h)
{
  if (!h) return 0;
  return h->length;
}

size_t pc_history_bytes(const pc_history* h)
{
  if (!h) return 0;
  if (h->length == 0) return h->row_size;
  size_t found = h->contact_count * sizeof *h->contact + h->memory_count * sizeof *h->memory;
  return h->row_size + found / (size_t)h->length;
}

static pc_found_contacts recall_found(const pc_history* h, const header* head)
{
  const pc_shape_contact* contact = h->contact ? h->contact + head->contact_first : NULL;
  return (pc_found_contacts){.count = head->contact_count,
                             .contact = contact,
                             .opened_count = head->opened_count,
                             .opened = contact ? contact + head->contact_count : NULL,
                             .memory_count = h->found_memory,
                             .memory = h->memory ? h->memory + head->memory_first : NULL};
}

/* What the observation of a row points to besides it. */
typedef struct recalled {
  pc_state state;
  pc_step_info info;
  pc_found_contacts found;
} recalled;

/* The observation of a row. */
static pc_observation recall(const pc_history* h, char* row, recalled* into)
{
  header head;
  memcpy(&head, row, sizeof head);
  double *array[ARRAYS], *at = (double*)(void*)(row + sizeof head);
  for (int i = 0; i < ARRAYS; i++) {
    array[i] = at;
    at += h->size[i];
  }
  into->state =
      (pc_state){head.step, head.t, array[Q], array[U], array[P], array[MEMORY], h->size[MEMORY]};
  into->info = head.info;
  into->info.lambda = NULL; /* the scheme's own, and gone */
  into->info.impact_law = array[IMPACT_LAW];
  into->info.friction_law = array[FRICTION_LAW];
  into->found = recall_found(h, &head);
  return (pc_observation){.system = h->system,
                          .state = &into->state,
                          .info = &into->info,
                          .found = h->has_found ? &into->found : NULL,
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
  PC_TRY(pc_need(h, "history", error));
  PC_TRY(pc_need(observer ? "" : NULL, "observer", error));
  for (long k = first < 0 ? 0 : first; k < h->length; k++) {
    recalled held;
    pc_observation seen = recall(h, h->rows + (size_t)k * h->row_size, &held);
    if (!observer(user, &seen))
      return pc_fail(error, PC_STOPPED, "stopped after step %ld at t = %.9g s", held.state.step,
                     held.state.t);
  }
  return PC_OK;
}
