/* A sweep: runs of one model with other values of its parameters, in threads; a row of numbers
 * comes out of each.
 *
 * The rows are handed over in the order of the list, whatever thread is ready first, and their bits
 * depend on nothing but the row. */
#ifndef PC_STUDY_SWEEP_H
#define PC_STUDY_SWEEP_H

#include "study/batch.h"
#include "study/collect.h"
#include "study/design.h"

/* Which runs are recorded as a whole. */
typedef struct sweep_keep {
  const long* row; /* sorted */
  long count;
  int failed; /* not 0: runs that do not end as "done", too; they are done a second time */
  /* Where the result of a row goes. */
  void (*path)(void* user, long row, char* path, size_t size);
  void* user;
} sweep_keep;

typedef struct sweep_def {
  const char* text;         /* of the model */
  const pc_override* fixed; /* parameters that are the same in all runs */
  int fixed_count;
  const design* design;
  const measures* measures;
  /* Scheme, settings and end time for a model that has been read; called by all threads. Not PC_OK
   * ends the run. */
  pc_status (*configure)(void* user, const pc_model* model, pc_sim_def* def, double* until,
                         pc_error* error);
  void* user;
  sweep_keep keep;
} sweep_def;

/* Where the rows come from and where they go. */
typedef struct sweep_flow {
  /* The next rows to do, up to `most`; returns how many, 0 at the end. One thread calls at a
   * time. */
  long (*take)(void* user, long* row, long most);
  /* A row, in the order in which they were taken. One thread calls at a time; not PC_OK ends the
   * sweep. */
  pc_status (*put)(void* user, const pc_table_row* row, pc_error* error);
  void* user;
} sweep_flow;

/* The columns of the table: the axes, then the measures; `column` has space for all, its texts are
 * those of the definition and of the model. */
int sweep_column_count(const sweep_def* def);
void sweep_columns(const sweep_def* def, const pc_model* model, pc_table_column* column);

/* The model of a row, to be destroyed by the caller. */
pc_status sweep_model(const sweep_def* def, long row, pc_model** model, pc_error* error);

/* Does all rows of the flow. PC_STOPPED if the monitor has asked for the end: rows that were not
 * complete are missing. */
pc_status run_sweep(const sweep_def* def, const sweep_flow* flow, long rows, int threads,
                    const batch_monitor* monitor, pc_error* error);

#endif
