#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* Looks at a counter before a thread goes to sleep, or lets others run: some 20 us. */
enum { LOOKS = 4000 };

typedef struct worker {
  struct pc_threads* all;
  int index; /* from 1 */
  pthread_t thread;
} worker;

struct pc_threads {
  int size, started; /* with the caller's; those that were started */
  worker* worker;
  atomic_uint loop;   /* how many loops have begun */
  atomic_int pending; /* ranges of the loop that others have yet to finish */
  atomic_int asleep;
  pthread_mutex_t mutex;
  pthread_cond_t wake;

  /* The loop at hand; task is NULL at the end. */
  pc_threads_task* task;
  void* user;
  int count;
};

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Waits until a loop begins that is not the last one; its number. */
static unsigned wait_for_loop(pc_threads* p, unsigned last)
{
  for (int i = 0; i < LOOKS; i++) {
    unsigned now = atomic_load(&p->loop);
    if (now != last) return now;
    pause_a_little();
  }
  pthread_mutex_lock(&p->mutex);
  atomic_fetch_add(&p->asleep, 1);
  while (atomic_load(&p->loop) == last) pthread_cond_wait(&p->wake, &p->mutex);
  atomic_fetch_sub(&p->asleep, 1);
  pthread_mutex_unlock(&p->mutex);
  return atomic_load(&p->loop);
}

static void do_range(pc_threads* p, int index)
{
  int first = (int)((long long)p->count * index / p->size);
  int last = (int)((long long)p->count * (index + 1) / p->size);
  if (first < last) p->task(p->user, index, first, last);
}

static void* work(void* user)
{
  worker* w = user;
  pc_threads* p = w->all;
  unsigned last = 0;
  for (;;) {
    last = wait_for_loop(p, last);
    if (!p->task) return NULL;
    do_range(p, w->index);
    atomic_fetch_sub(&p->pending, 1);
  }
}

/* Tells the others of a loop: `pending` of them are to do a range of it. */
static void begin(pc_threads* p, int count, pc_threads_task* task, void* user)
{
  p->count = count;
  p->task = task;
  p->user = user;
  atomic_store(&p->pending, p->size - 1);
  atomic_fetch_add(&p->loop, 1);
  if (atomic_load(&p->asleep) == 0) return;
  pthread_mutex_lock(&p->mutex);
  pthread_cond_broadcast(&p->wake);
  pthread_mutex_unlock(&p->mutex);
}

void pc_threads_run(pc_threads* p, int count, int least, pc_threads_task* task, void* user)
{
  if (count <= 0) return;
  if (!p || count < least) {
    task(user, 0, 0, count);
    return;
  }
  begin(p, count, task, user);
  do_range(p, 0);
  for (int i = 0; atomic_load(&p->pending) > 0; i++) {
    pause_a_little();
    if (i >= LOOKS) sched_yield();
  }
}

int pc_threads_size(const pc_threads* p)
{
  return p ? p->size : 1;
}

void pc_threads_destroy(pc_threads* p)
{
  if (!p) return;
  if (p->started > 0) begin(p, 0, NULL, NULL);
  for (int i = 0; i < p->started; i++) pthread_join(p->worker[i].thread, NULL);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->mutex);
  free(p->worker);
  free(p);
}

pc_status pc_threads_create(int count, pc_threads** made, pc_error* error)
{
  *made = NULL;
  if (count <= 1) return PC_OK;
  pc_threads* p = pc_alloc(1, sizeof *p);
  worker* workers = pc_alloc((size_t)count - 1, sizeof *workers);
  if (!p || !workers) {
    free(p);
    free(workers);
    return pc_no_memory(error);
  }
  p->size = count;
  p->worker = workers;
  pthread_mutex_init(&p->mutex, NULL);
  pthread_cond_init(&p->wake, NULL);
  for (; p->started < count - 1; p->started++) {
    worker* w = &p->worker[p->started];
    *w = (worker){.all = p, .index = p->started + 1};
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
      pc_threads_destroy(p);
      return pc_fail(error, PC_OUT_OF_MEMORY, "cannot start %d threads", count);
    }
  }
  *made = p;
  return PC_OK;
}
