#include "study/cost.h"

#include <math.h>
#include <time.h>

/* One run is made at a time, so the time of the process is that of the run. */
static double processor_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of a run without observers [s]; NAN if it fails. */
static double time_run(const job* j)
{
  pc_error error = {0};
  pc_sim* sim = NULL;
  double seconds = NAN;
  if (pc_sim_create(&j->def, &sim, &error) == PC_OK) {
    double started = processor_clock();
    if (pc_sim_run(sim, j->until, &error) == PC_OK) seconds = processor_clock() - started;
  }
  pc_sim_destroy(sim);
  return seconds;
}

static long steps_of(const job* j)
{
  return j->summary.steps > 0 ? j->summary.steps : 1;
}

void measure_costs(const job* jobs, int count, int repeats, double seconds,
                   const batch_monitor* monitor, double* per_step)
{
  for (int i = 0; i < count; i++)
    per_step[i] =
        jobs[i].status == PC_OK ? jobs[i].processor_seconds / (double)steps_of(&jobs[i]) : NAN;
  for (int round = 1; round < repeats; round++)
    for (int i = 0; i < count && !batch_stops(monitor); i++) {
      double run = per_step[i] * (double)steps_of(&jobs[i]);
      if (!(round * run < seconds)) continue; /* or failed */
      per_step[i] = fmin(per_step[i], time_run(&jobs[i]) / (double)steps_of(&jobs[i]));
    }
}
