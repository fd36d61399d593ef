/* A progress line on a terminal: percentage, simulated time, time left. */
#ifndef PC_CONSOLE_PROGRESS_H
#define PC_CONSOLE_PROGRESS_H

#include "percuss/simulate.h"
#include "study/batch.h"

typedef struct progress {
  long first;                  /* the step it began with: not 0 where a run is resumed */
  long steps;                  /* in all */
  long next, stride;           /* the step at which the clock is read again, and after how many */
  double started, shown, read; /* wall clock [s]: at the beginning, of the last line, last read */
  int on;
} progress;

/* Shows something only if standard error is a terminal and `quiet` is 0. */
void progress_begin(progress* p, long steps, int quiet);
int progress_observe(void* p, const pc_observation* seen); /* an observer */
void progress_end(progress* p);                            /* wipes the line */

/* Of several runs at once, under the same conditions. From here on Ctrl-C ends them. */
batch_monitor begin_batch(int quiet);
void end_batch(const batch_monitor* monitor);

#endif
