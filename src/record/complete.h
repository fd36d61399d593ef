/* How much of a file is complete: the rows and the events that were flushed with all their columns.
 *
 * They are the two numbers of the dataset /complete. Its numbers are written in place and belong to
 * no header or index, so that a kill finds them either as they were or as they will be. */
#ifndef PC_RECORD_COMPLETE_H
#define PC_RECORD_COMPLETE_H

#include "record/hdf5.h"

typedef struct pc_complete {
  long rows;
  long events;
} pc_complete;

/* Its dataset, open; negative if HDF5 refuses. A new one says 0. */
hid_t pc_complete_create(hid_t file);
hid_t pc_complete_open(hid_t file);

/* -1 if HDF5 refuses, or if the dataset is of another shape or holds negative numbers. */
int pc_complete_write(hid_t dataset, pc_complete complete);
int pc_complete_read(hid_t file, pc_complete* complete);

#endif
