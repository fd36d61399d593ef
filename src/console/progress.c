#include "console/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "console/interrupt.h"
#include "study/clock.h"

void progress_begin(progress* p, long steps, int quiet)
{
  *p = (progress){.first = -1, .steps = steps, .stride = 1, .on = !quiet && isatty(STDERR_FILENO)};
  p->started = p->shown = p->read = wall_clock();
}

int progress_observe(void* user, const pc_observation* seen)
{
  progress* p = user;
  long done = seen->state->step;
  if (p->first < 0) p->first = done;
  if (!p->on || done < p->next || done == p->first) return 1;
  double now = wall_clock();
  if (now - p->read > 0.02)
    p->stride = 1; /* slow steps */
  else if (p->stride < 256)
    p->stride *= 2;
  p->next = done + p->stride;
  p->read = now;
  if (now - p->shown < 0.2) return 1;
  p->shown = now;
  double left = (now - p->started) * (double)(p->steps - done) / (double)(done - p->first);
  fprintf(stderr, "\r%3.0f %%   t = %.6g s   %.0f s left   ",
          100.0 * (double)done / (double)p->steps, seen->state->t, left);
  return 1;
}

void progress_end(progress* p)
{
  if (p->on) fprintf(stderr, "\r%60s\r", "");
}

static int is_interrupted(void* user)
{
  (void)user;
  return was_interrupted();
}

static void show_batch(void* user, double share, int runs, double left)
{
  (void)user;
  fprintf(stderr, "\r%3.0f %%   of %d runs   %.0f s left   ", 100 * share, runs, left);
}

batch_monitor begin_batch(int quiet)
{
  catch_interrupts();
  int shown = !quiet && isatty(STDERR_FILENO);
  return (batch_monitor){.stop = is_interrupted, .show = shown ? show_batch : NULL};
}

void end_batch(const batch_monitor* monitor)
{
  if (monitor->show) fprintf(stderr, "\r%60s\r", "");
}
