/* The ledger of a result file: contacts that close and open, in any step, and where the energy
 * went. */
#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/complete.h"
#include "record/events.h"
#include "record/found.h"
#include "record/number.h"
#include "record/result.h"
#include "record/sound.h"

static void put_numbers(pc_event* e, int column, const double* x)
{
  switch (column) {
    case PC_EVENT_TIME: e->t = *x; break;
    case PC_EVENT_STEP: e->step = pc_long_of(*x); break;
    case PC_EVENT_CONTACT: e->contact = pc_int_of(*x); break;
    case PC_EVENT_KIND: e->kind = *x == 1 ? PC_CONTACT_CLOSED : PC_CONTACT_OPENED; break;
    case PC_EVENT_P_N: e->P_N = *x; break;
    case PC_EVENT_P_F:
      for (int i = 0; i < 3; i++) e->P_F[i] = x[i];
      break;
    case PC_EVENT_BEFORE: e->velocity_before = *x; break;
    case PC_EVENT_AFTER: e->velocity_after = *x; break;
    default: e->key = pc_key_of_numbers(x);
  }
}

/* Whether the contact of an event is one of the file. */
static int is_sound(const pc_result* r, const pc_event* e)
{
  if (e->contact != PC_FOUND) return e->contact >= 0 && e->contact < r->contact_count;
  for (int i = 0; i < 2; i++)
    if (e->key.shape[i] < 0 || e->key.shape[i] >= r->shape_count) return 0;
  return 1;
}

static int holds_events(const pc_result* r, long count)
{
  hid_t dataset = pc_open_dataset(r->file, pc_event_column_path(0), H5P_DEFAULT);
  int holds = dataset >= 0 && pc_dataset_holds(dataset, pc_event_column_width(0) ? 2 : 1, count);
  if (dataset >= 0) H5Dclose(dataset);
  return holds;
}

pc_status pc_result_event_count(const pc_result* r, long* count, pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  PC_TRY(pc_need(count, "count", error));
  pc_complete complete = {0};
  pc_hdf5_use use = pc_hdf5_begin();
  errno = 0;
  int failed = pc_complete_read(r->file, &complete) != 0;
  if (!failed && complete.events > 0) failed = !holds_events(r, complete.events);
  pc_hdf5_end(use);
  *count = complete.events;
  return failed ? pc_result_damaged(r, "complete", error) : PC_OK;
}

/* One column of the events; `number` has space for the widest. */
static pc_status read_column(const pc_result* r, int column, long first, long count, double* number,
                             pc_event* event, pc_error* error)
{
  int width = pc_event_column_width(column);
  const char* path = pc_event_column_path(column);
  if (pc_result_read_numbers(r, path, first, count, width, number) != 0)
    return pc_result_damaged(r, path, error);
  for (long k = 0; k < count; k++) put_numbers(&event[k], column, number + k * (width ? width : 1));
  return PC_OK;
}

pc_status pc_result_read_events(const pc_result* r, long first, long count, pc_event* event,
                                pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  long all;
  PC_TRY(pc_result_event_count(r, &all, error));
  if (first < 0 || count < 0 || first > all || count > all - first)
    return pc_fail(error, PC_BAD_ARGUMENT, "events: %ld from number %ld on, but '%s' has %ld",
                   count, first, r->path, all);
  double* number = pc_alloc((size_t)count * PC_KEY_WIDTH, sizeof *number);
  if (!number) return pc_no_memory(error);
  for (long k = 0; k < count; k++) event[k] = (pc_event){0};
  int columns = r->shape_count > 0 ? PC_EVENT_COLUMN_COUNT : PC_EVENT_KEY;
  pc_status status = PC_OK;
  for (int i = 0; i < columns && status == PC_OK; i++)
    status = read_column(r, i, first, count, number, event, error);
  for (long k = 0; k < count && status == PC_OK; k++)
    if (!is_sound(r, &event[k])) status = pc_result_damaged(r, "ledger/events/contact", error);
  free(number);
  return status;
}

/* ---- the ledger ------------------------------------------------------------------------------ */

static pc_status sum_up(const pc_result* r, const char* path, long first, long count, double* sum,
                        pc_error* error)
{
  double* number = pc_alloc((size_t)count, sizeof *number);
  if (!number) return pc_no_memory(error);
  pc_status status = PC_OK;
  if (pc_result_read_numbers(r, path, first, count, 0, number) != 0)
    status = pc_result_damaged(r, path, error);
  for (long k = 0; status == PC_OK && k < count; k++) *sum += number[k];
  free(number);
  return status;
}

pc_status pc_result_balance(const pc_result* r, long first, long count, pc_balance* balance,
                            pc_error* error)
{
  PC_TRY(pc_need(balance, "balance", error));
  *balance = (pc_balance){0};
  if (count <= 0) return PC_OK;
  if (first < 1 || first > r->length || count > r->length - first)
    return pc_fail(error, PC_BAD_ARGUMENT, "rows: %ld from row %ld on, but '%s' has %ld", count,
                   first, r->path, r->length);
  PC_TRY(sum_up(r, "ledger/energy/work", first, count, &balance->work, error));
  PC_TRY(sum_up(r, "ledger/energy/impact", first, count, &balance->impact, error));
  PC_TRY(sum_up(r, "ledger/energy/friction", first, count, &balance->friction, error));
  return sum_up(r, "ledger/energy/scheme", first, count, &balance->scheme, error);
}
