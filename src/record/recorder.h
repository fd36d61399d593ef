/* The inside of pc_recorder, for the files of this module. */
#ifndef PC_RECORD_RECORDER_H
#define PC_RECORD_RECORDER_H

#include "percuss/record.h"
#include "record/column.h"
#include "record/events.h"
#include "record/found.h"
#include "record/layout.h"
#include "record/tally.h"
#include "record/violations.h"

/* The columns: scalars, the layout's datasets, the iterations, the scheme's memory. */
enum {
  PC_COLUMN_TIME,
  PC_COLUMN_STEP,
  PC_COLUMN_KINETIC,
  PC_COLUMN_POTENTIAL,
  PC_COLUMN_TALLY, /* and those that follow it, see tally.h */
  PC_COLUMN_DATASETS = PC_COLUMN_TALLY + PC_TALLY_COUNT,
  PC_COLUMN_ITERATIONS = PC_COLUMN_DATASETS + PC_DATASET_COUNT,
  PC_COLUMN_MEMORY = PC_COLUMN_ITERATIONS + PC_PHASES_MAX,
  PC_COLUMN_COUNT
};

/* When a file that is killed keeps what was written to it. */
typedef struct pc_flushes {
  long rows;      /* that it keeps */
  long every;     /* with so many rows ... */
  double seconds; /* ... or after so long, at the latest */
  double last;    /* when that was */
} pc_flushes;

/* What of the run is in the file. */
typedef struct pc_recorded {
  int stored[PC_DATASET_COUNT]; /* not 0: this dataset of the layout is */
  pc_quantity* series;          /* see series.h */
  int series_count;
  int everything; /* not 0: all quantities of the system are recorded */
} pc_recorded;

/* Rows of all columns. */
typedef struct pc_recorded_rows {
  int capacity; /* of the buffers */
  int waiting;  /* in the buffers: recorded, but not written */
  int unkept;   /* not 0: the row after these holds a state that is not recorded */
  long written; /* in the file */
} pc_recorded_rows;

/* Where a resumed file goes on. */
typedef struct pc_resumed {
  long next_step; /* the step that must be observed next; -1: any */
  double* state;  /* to go on from: q, u, P, memory */
  pc_found_contacts found;
} pc_resumed;

struct pc_recorder {
  char* path;
  hid_t file;     /* negative: none */
  int began;      /* not 0: this recorder has created the file */
  hid_t complete; /* the dataset, see complete.h; negative: none */
  pc_layout layout;
  pc_recorded content;
  int phase_count;  /* 0: no step was seen yet */
  int memory_count; /* of the scheme; -1: no state was seen yet */
  pc_column* column;
  int column_count;
  pc_events events;
  pc_found_record found;
  pc_violations violations;
  pc_tally tally; /* of the steps since the row recorded last */
  pc_flushes flushes;
  long every;
  pc_recorded_rows rows;
  pc_resumed resumed;
  pc_error error;
};

/* A recorder with its buffers, without a file. To be destroyed also on failure, which leaves NULL
 * only if there is no memory at all. */
pc_status pc_recorder_prepare(const pc_recorder_def* def, pc_recorder** recorder, pc_error* error);

/* Creates its file with all datasets, still empty. */
pc_status pc_recorder_create_file(pc_recorder* recorder, const pc_recorder_def* def,
                                  pc_error* error);

/* Closes the datasets and the file. -1 if they could not be closed as they should be. */
int pc_recorder_close_file(pc_recorder* recorder);
void pc_recorder_destroy(pc_recorder* recorder); /* NULL is fine */

/* Says in the file that so many rows and events are complete, once all of them are in it: what was
 * written is flushed before and the number after it, so that after a kill in between it is never
 * too large. -1 if HDF5 refuses. */
int pc_recorder_commit(pc_recorder* recorder, long rows, long events);

/* The path of a column's dataset in the file, or "" for one that only the first states define, or
 * that is not stored. */
void pc_recorder_column_path(const pc_recorder* recorder, int column, char* path, size_t size);

/* As which numbers it stands there. */
pc_column_type pc_recorder_column_type(const pc_recorder* recorder, int column);

/* What never changes: names and units of columns, the series. -1 if HDF5 refuses. */
int pc_recorder_describe_datasets(pc_recorder* recorder);

/* All datasets of a new file but those that only the first states define. -1 if HDF5 refuses. */
int pc_recorder_create_datasets(pc_recorder* recorder);

/* Those: the iterations, whose names are known with the first step, and the scheme's memory. In a
 * resumed file they may be there already. -1 and the recorder's error if that fails. */
int pc_recorder_complete_datasets(pc_recorder* recorder, const pc_observation* seen);

/* Width of /memory, before its dataset is created or opened. */
pc_status pc_recorder_size_memory(pc_recorder* recorder, int count);

#endif
