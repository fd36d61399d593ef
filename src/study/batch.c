#include "study/batch.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "study/clock.h"

enum { THREADS_DEFAULT_MAX = 8, THREADS_MAX = 64 };

/* What the threads share. */
typedef struct batch {
  job* jobs;
  int count;
  pthread_mutex_t choosing; /* of the next job */
  pthread_mutex_t showing;  /* of the progress: guards `shown` */
  double started, shown;    /* wall clock [s] */
  atomic_long done;         /* steps of all jobs */
  long steps;
  const batch_monitor* monitor; /* may be NULL */
} batch;

/* A job as its observer sees it. */
typedef struct observed_job {
  batch* of;
  job* job;
} observed_job;

static double* numbers(long rows, int columns)
{
  return calloc((size_t)rows * (size_t)columns + 1, sizeof(double));
}

int create_states(states* s, long rows, int sums)
{
  s->t = numbers(rows, 1);
  s->q = numbers(rows, s->q_count);
  s->u = numbers(rows, s->u_count);
  s->P = numbers(rows, s->P_count);
  s->series = numbers(rows, s->series_count);
  if (sums) s->P_sum = numbers(rows + 1, s->P_count); /* the last row: up to now */
  return s->t && s->q && s->u && s->P && s->series && (s->P_sum || !sums);
}

void free_states(states* s)
{
  free(s->t);
  free(s->q);
  free(s->u);
  free(s->P);
  free(s->P_sum);
  free(s->series);
  *s = (states){0};
}

/* No more than two rows for each time of the grid. */
static long row_count(const job* j)
{
  if (!j->keep_all) return 1;
  long all = pc_step_count(j->def.settings.dt, j->until) + 1, needed = 0;
  if (!j->grid) return all;
  for (int i = 0; i < j->grid_count && needed < all; i++)
    needed += 2 * (pc_step_count(j->grid[i], j->until) + 2);
  return needed < all ? needed : all;
}

static int column_count(const job* j)
{
  const pc_system* system = j->def.system;
  return 1 + pc_system_q_count(system) + pc_system_u_count(system) +
         pc_system_row_count(system) * (j->grid ? 2 : 1) + j->quantity_count;
}

/* Is there a time of the grid at t, or less than a step away from it? */
static int is_needed(const job* j, double t)
{
  double step = (1 - 1e-6) * j->def.settings.dt;
  for (int i = 0; i < j->grid_count; i++)
    if (fabs(t - round(t / j->grid[i]) * j->grid[i]) < step) return 1;
  return !j->grid;
}

double batch_bytes(const job* jobs, int count)
{
  double bytes = 0;
  for (int i = 0; i < count; i++)
    bytes += (double)row_count(&jobs[i]) * column_count(&jobs[i]) * (double)sizeof(double);
  return bytes;
}

int default_threads(void)
{
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1) return 1;
  return cores < THREADS_DEFAULT_MAX ? (int)cores : THREADS_DEFAULT_MAX;
}

int batch_stops(const batch_monitor* monitor)
{
  return monitor && monitor->stop && monitor->stop(monitor->user);
}

/* One thread at a time shows the progress; the others do not wait for it. */
static void show_progress(batch* b, long done)
{
  if (!b->monitor || !b->monitor->show || done % 16 || pthread_mutex_trylock(&b->showing) != 0)
    return;
  double now = wall_clock();
  if (now - b->shown >= 0.2) {
    b->shown = now;
    double left = (now - b->started) * (double)(b->steps - done) / (double)done;
    b->monitor->show(b->monitor->user, (double)done / (double)b->steps, b->count, left);
  }
  pthread_mutex_unlock(&b->showing);
}

static void copy_row(double* to, long row, int columns, const double* from)
{
  if (columns > 0) memcpy(to + (size_t)row * (size_t)columns, from, (size_t)columns * sizeof *to);
}

static double* row_of_sums(const states* s, long row)
{
  return s->P_sum + (size_t)row * (size_t)s->P_count;
}

/* The row of sums behind that of the last state is the one up to now. */
static void add_percussions(states* s, const double* P)
{
  double* sum = row_of_sums(s, s->count);
  for (int i = 0; i < s->P_count; i++) sum[i] += P[i];
}

static void keep_row(job* j, const pc_observation* seen)
{
  states* s = &j->states;
  long row = j->keep_all ? s->count : 0;
  s->t[row] = seen->state->t;
  copy_row(s->q, row, s->q_count, seen->state->q);
  copy_row(s->u, row, s->u_count, seen->state->u);
  if (seen->state->step > 0) copy_row(s->P, row, s->P_count, seen->state->P);
  for (int i = 0; i < s->series_count; i++)
    s->series[(size_t)row * (size_t)s->series_count + (size_t)i] =
        pc_observe_quantity(seen, j->quantity[i]);
  s->count = row + 1;
  if (s->P_sum) copy_row(s->P_sum, row + 1, s->P_count, row_of_sums(s, row));
}

/* An observer: adds the state to those of the job. */
static int keep_state(void* user, const pc_observation* seen)
{
  observed_job* w = user;
  states* s = &w->job->states;
  if (s->P_sum && seen->state->step > 0) add_percussions(s, seen->state->P);
  if (is_needed(w->job, seen->state->t)) keep_row(w->job, seen);
  if (seen->state->step > 0) show_progress(w->of, atomic_fetch_add(&w->of->done, 1) + 1);
  return !batch_stops(w->of->monitor);
}

static pc_status prepare(job* j)
{
  const pc_system* system = j->def.system;
  states* s = &j->states;
  *s = (states){.q_count = pc_system_q_count(system),
                .u_count = pc_system_u_count(system),
                .P_count = pc_system_row_count(system),
                .series_count = j->quantity_count};
  if (create_states(s, row_count(j), j->grid != NULL)) return PC_OK;
  snprintf(j->error.text, sizeof j->error.text, "no memory for the states of the run");
  return PC_OUT_OF_MEMORY;
}

/* Of this thread [s]. */
static double processor_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void do_job(batch* b, job* j)
{
  observed_job w = {b, j};
  pc_sim* sim = NULL;
  j->status = prepare(j);
  if (j->status == PC_OK) j->status = pc_sim_create(&j->def, &sim, &j->error);
  if (j->status == PC_OK) j->status = pc_sim_add_observer(sim, keep_state, &w, &j->error);
  if (j->status == PC_OK && j->observer)
    j->status = pc_sim_add_observer(sim, j->observer, j->observer_user, &j->error);
  if (j->status == PC_OK) {
    double started = wall_clock(), busy = processor_clock();
    j->status = pc_sim_run(sim, j->until, &j->error);
    j->seconds = wall_clock() - started;
    j->processor_seconds = processor_clock() - busy;
    j->summary = pc_sim_summary(sim);
    pc_verdict verdict = pc_sim_judge(sim);
    j->doubts = verdict.doubt_count;
    j->doubt = verdict.doubt[0];
  }
  pc_sim_destroy(sim);
}

/* The longest job that nobody does yet, or NULL: so that no thread is left alone with it. */
static job* choose_job(batch* b)
{
  job* longest = NULL;
  long most = -1;
  pthread_mutex_lock(&b->choosing);
  for (int i = 0; !batch_stops(b->monitor) && i < b->count; i++) {
    job* j = &b->jobs[i];
    long steps = pc_step_count(j->def.settings.dt, j->until);
    if (j->started || steps <= most) continue;
    most = steps;
    longest = j;
  }
  if (longest) longest->started = 1;
  pthread_mutex_unlock(&b->choosing);
  return longest;
}

/* What was stopped before it began. */
static void give_up(batch* b)
{
  for (int i = 0; i < b->count; i++) {
    job* j = &b->jobs[i];
    if (j->started) continue;
    j->status = PC_STOPPED;
    snprintf(j->error.text, sizeof j->error.text, "it had not begun");
  }
}

static void* work(void* user)
{
  for (job* j; (j = choose_job(user)) != NULL;) do_job(user, j);
  return NULL;
}

void run_batch(job* jobs, int count, int threads, const batch_monitor* monitor)
{
  batch b = {.jobs = jobs, .count = count, .monitor = monitor};
  pthread_mutex_init(&b.choosing, NULL);
  pthread_mutex_init(&b.showing, NULL);
  for (int i = 0; i < count; i++) b.steps += pc_step_count(jobs[i].def.settings.dt, jobs[i].until);
  b.started = b.shown = wall_clock();
  /* This thread works too; if others cannot be had, it does all. */
  pthread_t other[THREADS_MAX];
  int others = 0, wanted = (threads < count ? threads : count) - 1;
  while (others < wanted && others < THREADS_MAX &&
         pthread_create(&other[others], NULL, work, &b) == 0)
    others++;
  work(&b);
  for (int i = 0; i < others; i++) pthread_join(other[i], NULL);
  give_up(&b);
  pthread_mutex_destroy(&b.choosing);
  pthread_mutex_destroy(&b.showing);
}
