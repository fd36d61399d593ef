/* The events of a run in the result file: /ledger/events, a row for every contact that closes or
 * opens in any step, recorded or not. */
#ifndef PC_RECORD_EVENTS_H
#define PC_RECORD_EVENTS_H

#include "percuss/simulate.h"
#include "record/column.h"

enum {
  PC_EVENT_TIME,
  PC_EVENT_STEP,
  PC_EVENT_CONTACT,
  PC_EVENT_KIND,
  PC_EVENT_P_N,
  PC_EVENT_P_F,
  PC_EVENT_BEFORE,
  PC_EVENT_AFTER,
  PC_EVENT_KEY, /* only where the system has shapes */
  PC_EVENT_COLUMN_COUNT
};

typedef struct pc_events {
  pc_column column[PC_EVENT_COLUMN_COUNT];
  int column_count;
  int waiting;  /* in the buffers */
  long written; /* in the file */
} pc_events;

/* Buffers, without datasets; to be closed also on failure. */
pc_status pc_events_allocate(pc_events* events, const pc_system* system);

/* The empty datasets of a new file. -1 if HDF5 refuses. */
int pc_events_create(pc_events* events, hid_t file);

/* The datasets of an existing file. -1 if they are not there. */
int pc_events_open(pc_events* events, hid_t file);

/* Counts as written those of the first `complete` events that are not later than `step`. -1 if a
 * dataset does not hold that many. */
int pc_events_count(pc_events* events, long complete, long step);

/* Truncates the datasets to what counts as written. */
int pc_events_trim(pc_events* events);

int pc_events_full(const pc_events* events);
void pc_events_add(pc_events* events, const pc_event* event); /* not when full */
int pc_events_write(pc_events* events);
int pc_events_close(pc_events* events);

/* Where a column is in the file, and how many numbers a row has; 0: the dataset has rank 1. */
const char* pc_event_column_path(int column);
int pc_event_column_width(int column);

/* What writing full buffers adds to the file. */
size_t pc_events_chunk_bytes(const pc_events* events);

#endif
