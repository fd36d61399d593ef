/* A batch: independent runs, several at a time, whose states are kept in memory. */
#ifndef PC_STUDY_BATCH_H
#define PC_STUDY_BATCH_H

#include "percuss/percuss.h"

/* The states of a run, a row each: the initial one, then one per step, or some of them. */
typedef struct states {
  long count;
  int q_count, u_count, P_count, series_count;
  double* t;      /* count [s] */
  double* q;      /* count x q_count */
  double* u;      /* count x u_count */
  double* P;      /* count x P_count: percussions over the step that ends here; 0 in row 0 */
  double* P_sum;  /* count x P_count: percussions from the start to here; NULL unless asked for */
  double* series; /* count x series_count: the quantities asked for */
} states;

/* Numbers for `rows` states, with sums of percussions if `sums`; 0 if there is no memory. */
int create_states(states* s, long rows, int sums);
void free_states(states* s);

/* A run: what to do, then what came of it. */
typedef struct job {
  pc_sim_def def;
  double until;
  int keep_all; /* 0: of the states only the last */
  const double*
      grid;       /* if there is any: of all states only those needed at the multiples of these */
  int grid_count; /* steps [s], and the sums of percussions */
  const int* quantity; /* to be kept in `series` */
  int quantity_count;
  pc_observer* observer; /* sees the run too; NULL: nobody */
  void* observer_user;

  int started;
  pc_status status;
  pc_error error;
  pc_summary summary;
  int doubts;               /* how many reasons there are not to believe it, see pc_sim_judge */
  pc_warning doubt;         /* the first of them */
  double seconds;           /* wall clock, without the preparations */
  double processor_seconds; /* processor time of the same */
  states states;            /* up to where it failed, if it did */
} job;

/* Bytes that the states of all jobs will take; more than BATCH_BYTES_MAX is too much. */
#define BATCH_BYTES_MAX 2147483648.0
double batch_bytes(const job* jobs, int count);

/* The number of threads for those who do not say: that of the cores, up to 8. */
int default_threads(void);

/* What the caller does while a batch is done; any part may be NULL. */
typedef struct batch_monitor {
  /* Called after each step, by all threads: not 0 ends all runs. */
  int (*stop)(void* user);
  /* Called by one thread at a time, five times a second at most: the share of all steps that is
   * done, the number of runs, the time left [s]. */
  void (*show)(void* user, double share, int runs, double left);
  void* user;
} batch_monitor;

/* Does the monitor, which may be NULL, ask for the end? */
int batch_stops(const batch_monitor* monitor);

/* Does all jobs, the longest first. What comes out does not depend on `threads`. Jobs that the
 * monitor (or NULL) has stopped are PC_STOPPED. Each job's states are the caller's to free. */
void run_batch(job* jobs, int count, int threads, const batch_monitor* monitor);

#endif
