/* Copies of long vectors, which threads share: two cores read and write memory faster than one. */
#ifndef PC_LINALG_COPY_SHARED_H
#define PC_LINALG_COPY_SHARED_H

#include "base/threads.h"
#include "linalg/copy.h"

/* Numbers that are worth sharing: more than fit into the cache next to a core. */
enum { PC_COPY_SHARED_LEAST = 8192 };

typedef struct pc_copy_loop {
  const double* from;
  double* to;
} pc_copy_loop;

static inline void pc_copy_some(void* user, int worker, int first, int last)
{
  const pc_copy_loop* loop = (const pc_copy_loop*)user;
  (void)worker;
  pc_copy(last - first, loop->from + first, loop->to + first);
}

static inline void pc_copy_by_threads(pc_threads* threads, int n, const double* from, double* to)
{
  pc_copy_loop loop = {from, to};
  pc_threads_run(threads, n, PC_COPY_SHARED_LEAST, pc_copy_some, &loop);
}

/* Threads may be NULL. */
static inline void pc_copy_shared(pc_threads* threads, int n, const double* from, double* to)
{
  if (n < PC_COPY_SHARED_LEAST || !threads)
    pc_copy(n, from, to);
  else
    pc_copy_by_threads(threads, n, from, to);
}

#endif
