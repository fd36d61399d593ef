/* The runs behind a convergence: one per step, and what they are compared with. */
#ifndef PC_STUDY_CONVERGENCE_RUNS_H
#define PC_STUDY_CONVERGENCE_RUNS_H

#include "study/convergence.h"

typedef struct convergence_runs {
  const pc_model* model;
  pc_sim_def def;          /* of all runs but for dt */
  double until;            /* [s] */
  job jobs[STEPS_MAX + 1]; /* one per step, then that of the reference, if that is a run */
  int job_count;
  int exact;      /* the model's exact motion is the reference */
  states stored;  /* of a stored reference; no rows: there is none */
  int increments; /* the reference holds the percussions of all its steps */
  convergence found;
} convergence_runs;

/* Adds a run with steps of dt until a time [s]. */
job* add_convergence_run(convergence_runs* r, double dt, double until);

/* Adds the run of the reference behind those of all steps. It lasts until all others have ended,
 * also if `until` is no multiple of its step. */
job* add_reference_run(convergence_runs* r, double dt);

/* Drops what did not reach the end: the runs that did come first, the reference behind them.
 * Returns whether there is something to compare. */
int keep_finished(convergence_runs* r);

/* All errors and orders, into `found`. */
pc_status measure_convergence(convergence_runs* r, pc_error* error);

void free_convergence_runs(convergence_runs* r);

#endif
