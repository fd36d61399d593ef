#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

enum {
  LOOKS =
      1000,  /* at a counter before a thread goes to sleep, or lets others run: some 20 to 50 us */
  CHUNKS = 4 /* of a loop for each thread: who comes late finds less to do */
};

typedef struct worker {
  struct pc_threads* all;
  int index; /* from 1 */
  pthread_t thread;
} worker;

struct pc_threads {
  int size, started; /* with the caller's; those that were started */
  worker* worker;
  /* The number of the loop in the upper half, in the lower one the chunk that is to be done next.
   * Whoever raises it has the chunk, and what follows stays as it is until that is done: the caller
   * waits for chunks that somebody has, not for threads that have not come. */
  _Atomic uint64_t next;
  atomic_int done; /* chunks of the loop */
  atomic_int asleep;
  pthread_mutex_t mutex;
  pthread_cond_t wake;

  /* The loop at hand. */
  pc_threads_task* task;
  void* user;
  int count, chunk_count;
  int end; /* threads are to return; under the mutex */
};

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static unsigned loop_of(uint64_t next)
{
  return (unsigned)(next >> 32);
}

/* Waits until a loop begins that is not the last one; 0 at the end of all. */
static int wait_for_loop(pc_threads* p, unsigned* last)
{
  for (int i = 0; i < LOOKS; i++) {
    unsigned now = loop_of(atomic_load(&p->next));
    if (now != *last) return *last = now, 1;
    pause_a_little();
  }
  pthread_mutex_lock(&p->mutex);
  atomic_fetch_add(&p->asleep, 1);
  while (loop_of(atomic_load(&p->next)) == *last && !p->end) pthread_cond_wait(&p->wake, &p->mutex);
  atomic_fetch_sub(&p->asleep, 1);
  int end = p->end;
  pthread_mutex_unlock(&p->mutex);
  *last = loop_of(atomic_load(&p->next));
  return !end;
}

/* Does chunks of a loop as long as there are some. A chunk that was taken cannot be that of another
 * loop: its number would be another one, and the loop does not end before it is done. */
static void do_chunks(pc_threads* p, unsigned loop, int index)
{
  uint64_t next = atomic_load(&p->next);
  while (loop_of(next) == loop && (uint32_t)next > 0) {
    if (!atomic_compare_exchange_weak(&p->next, &next, next - 1)) continue;
    int chunk = p->chunk_count - (int)(uint32_t)next;
    int first = (int)((long long)p->count * chunk / p->chunk_count);
    int last = (int)((long long)p->count * (chunk + 1) / p->chunk_count);
    if (first < last) p->task(p->user, index, first, last);
    atomic_fetch_add(&p->done, 1);
    next = atomic_load(&p->next);
  }
}

static void* work(void* user)
{
  worker* w = user;
  unsigned last = 0;
  while (wait_for_loop(w->all, &last)) do_chunks(w->all, last, w->index);
  return NULL;
}

static void wake_all(pc_threads* p)
{
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
  unsigned loop = loop_of(atomic_load(&p->next)) + 1;
  p->count = count;
  p->chunk_count = pc_threads_chunks(p);
  p->task = task;
  p->user = user;
  atomic_store(&p->done, 0);
  atomic_store(&p->next, (uint64_t)loop << 32 | (uint32_t)p->chunk_count);
  wake_all(p);
  do_chunks(p, loop, 0);
  for (int i = 0; atomic_load(&p->done) < p->chunk_count; i++) {
    pause_a_little();
    if (i >= LOOKS) sched_yield();
  }
}

int pc_threads_size(const pc_threads* p)
{
  return p ? p->size : 1;
}

int pc_threads_chunks(const pc_threads* p)
{
  return p ? CHUNKS * p->size : 1;
}

void pc_threads_destroy(pc_threads* p)
{
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  p->end = 1;
  pthread_cond_broadcast(&p->wake);
  pthread_mutex_unlock(&p->mutex);
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
