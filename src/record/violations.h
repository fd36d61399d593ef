/* The largest violations of a run in the result file: /ledger/violations, two rows with a column
 * for every law of pc_list_violations: the largest violation, and the time when it occurred [s].
 *
 * They are written in place with every flush, like /complete. A run that is resumed takes them up:
 * those of steps beyond the row from which it goes on come out again, with the same bits. */
#ifndef PC_RECORD_VIOLATIONS_H
#define PC_RECORD_VIOLATIONS_H

#include "record/hdf5.h"

#include "percuss/simulate.h"

typedef struct pc_violations {
  int count;
  double* number; /* count values, count times */
  hid_t dataset;  /* negative: none */
} pc_violations;

/* None so far; to be closed also on failure. */
pc_status pc_violations_allocate(pc_violations* violations, const pc_system* system);

/* -1 if HDF5 refuses or there is no memory. Opening reads what is there. */
int pc_violations_describe(hid_t file, const pc_system* system); /* names and units */
int pc_violations_create(pc_violations* violations, hid_t file);
int pc_violations_open(pc_violations* violations, hid_t file);
int pc_violations_write(const pc_violations* violations);
int pc_violations_close(pc_violations* violations);

/* Takes up what the run has seen so far. */
void pc_violations_see(pc_violations* violations, const pc_observation* seen);

/* At most what they take in the file, with their names. */
size_t pc_violations_bytes(const pc_system* system);

#endif
