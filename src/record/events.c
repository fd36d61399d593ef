#include "record/events.h"

#include "percuss/collide.h"
#include "record/found.h"
#include "record/text.h"

enum { CAPACITY = 1024, DIRECTIONS = 3 };

typedef struct event_column {
  const char* path;
  int width;
  pc_column_type type;
  const char* unit;
} event_column;

static const event_column columns[PC_EVENT_COLUMN_COUNT] = {
    [PC_EVENT_TIME] = {"ledger/events/time", PC_SCALAR, PC_COLUMN_REAL, "s"},
    [PC_EVENT_STEP] = {"ledger/events/step", PC_SCALAR, PC_COLUMN_LONG, ""},
    [PC_EVENT_CONTACT] = {"ledger/events/contact", PC_SCALAR, PC_COLUMN_INTEGER, ""},
    [PC_EVENT_KIND] = {"ledger/events/kind", PC_SCALAR, PC_COLUMN_INTEGER, ""},
    [PC_EVENT_P_N] = {"ledger/events/P_N", PC_SCALAR, PC_COLUMN_REAL, "N s"},
    [PC_EVENT_P_F] = {"ledger/events/P_F", DIRECTIONS, PC_COLUMN_REAL, "N s"},
    [PC_EVENT_BEFORE] = {"ledger/events/velocity_before", PC_SCALAR, PC_COLUMN_REAL, "m/s"},
    [PC_EVENT_AFTER] = {"ledger/events/velocity_after", PC_SCALAR, PC_COLUMN_REAL, "m/s"},
    [PC_EVENT_KEY] = {"ledger/events/key", PC_KEY_WIDTH, PC_COLUMN_INTEGER, ""},
};

pc_status pc_events_allocate(pc_events* e, const pc_system* system)
{
  e->column_count = pc_system_collider_count(system) ? PC_EVENT_COLUMN_COUNT : PC_EVENT_KEY;
  for (int i = 0; i < e->column_count; i++)
    if (pc_column_allocate(&e->column[i], columns[i].width, columns[i].type, CAPACITY, 0) != PC_OK)
      return PC_OUT_OF_MEMORY;
  return PC_OK;
}

int pc_events_create(pc_events* e, hid_t file)
{
  for (int i = 0; i < e->column_count; i++)
    if (pc_column_create(&e->column[i], file, columns[i].path) != 0 ||
        pc_write_text(e->column[i].dataset, "unit", columns[i].unit) != 0)
      return -1;
  return 0;
}

int pc_events_open(pc_events* e, hid_t file)
{
  for (int i = 0; i < e->column_count; i++)
    if (pc_column_open(&e->column[i], file, columns[i].path) != 0) return -1;
  return 0;
}

/* Steps never descend: the number of events up to `step` by bisection. */
int pc_events_count(pc_events* e, long complete, long step)
{
  for (int i = 0; i < e->column_count; i++)
    if (!pc_column_holds(&e->column[i], complete)) return -1;
  long low = 0, high = complete;
  while (low < high) {
    long middle = low + (high - low) / 2;
    double of_middle;
    if (pc_column_read(&e->column[PC_EVENT_STEP], middle, &of_middle) != 0) return -1;
    if ((long)of_middle <= step)
      low = middle + 1;
    else
      high = middle;
  }
  e->written = low;
  return 0;
}

int pc_events_trim(pc_events* e)
{
  for (int i = 0; i < e->column_count; i++)
    if (pc_column_renew(&e->column[i], e->written) != 0 ||
        pc_column_take_up(&e->column[i], e->written) != 0)
      return -1;
  return 0;
}

int pc_events_full(const pc_events* e)
{
  return e->waiting == CAPACITY;
}

void pc_events_add(pc_events* e, const pc_event* event)
{
  int row = e->waiting++;
  *pc_column_row(&e->column[PC_EVENT_TIME], row) = event->t;
  *pc_column_row(&e->column[PC_EVENT_STEP], row) = (double)event->step;
  *pc_column_row(&e->column[PC_EVENT_CONTACT], row) = event->contact;
  *pc_column_row(&e->column[PC_EVENT_KIND], row) = event->kind;
  *pc_column_row(&e->column[PC_EVENT_P_N], row) = event->P_N;
  for (int d = 0; d < DIRECTIONS; d++)
    pc_column_row(&e->column[PC_EVENT_P_F], row)[d] = event->P_F[d];
  *pc_column_row(&e->column[PC_EVENT_BEFORE], row) = event->velocity_before;
  *pc_column_row(&e->column[PC_EVENT_AFTER], row) = event->velocity_after;
  if (e->column_count <= PC_EVENT_KEY) return;
  double* key = pc_column_row(&e->column[PC_EVENT_KEY], row);
  pc_key_to_numbers(&event->key, key);
  for (int i = 0; event->contact != PC_FOUND && i < PC_KEY_WIDTH; i++) key[i] = -1;
}

int pc_events_write(pc_events* e)
{
  for (int i = 0; i < e->column_count && e->waiting > 0; i++)
    if (pc_column_write(&e->column[i], e->written, e->waiting) != 0) return -1;
  return 0;
}

int pc_events_close(pc_events* e)
{
  int ok = 1;
  for (int i = 0; i < e->column_count; i++) ok = pc_column_close(&e->column[i]) == 0 && ok;
  return ok ? 0 : -1;
}

size_t pc_events_chunk_bytes(const pc_events* e)
{
  size_t bytes = 0;
  for (int i = 0; i < e->column_count; i++) bytes += pc_column_chunk_bytes(&e->column[i]);
  return bytes;
}

const char* pc_event_column_path(int column)
{
  return columns[column].path;
}

int pc_event_column_width(int column)
{
  return columns[column].width == PC_SCALAR ? 0 : columns[column].width;
}
