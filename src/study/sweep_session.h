/* A sweep with its table: a new one, or one that is completed; alone, as a share, or with other
 * processes. */
#ifndef PC_STUDY_SWEEP_SESSION_H
#define PC_STUDY_SWEEP_SESSION_H

#include "study/sweep.h"
#include "study/sweep_table.h"
#include "study/team.h"

typedef struct sweep_session {
  sweep_def def;
  const char* out; /* the table */
  /* lines "name: value": what the sweep is; two sweeps with the same text have the same rows */
  const char* about;
  int resume; /* complete the table that is there */
  int force;
  sweep_share share;
  int threads; /* of each process */
  const team* team;
} sweep_session;

/* What became of the whole table. */
typedef struct sweep_report {
  long rows;     /* of the sweep, or of the share */
  long there;    /* in the table now */
  long missing;  /* not yet */
  long done;     /* rows whose run ended as it should */
  long doubtful; /* rows whose run reached its end, but is not to be believed */
  long resumed;  /* rows that were there before */
  int processes; /* that did not come to their end */
} sweep_report;

/* Does what is missing. Process 0 has the report and the table; PC_STOPPED if the monitor asked for
 * the end. */
pc_status do_sweep(const sweep_session* s, const batch_monitor* monitor, sweep_report* report,
                   pc_error* error);

#endif
