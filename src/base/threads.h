/* Threads that share the work of a loop.
 *
 * They belong to one simulation. They wait for loops: for a short while actively, so that a loop of some
 * microseconds is worth sharing, then asleep. A loop is cut into one range of indices for each thread. Nothing may depend on
 * where it is cut: tasks write only what belongs to their indices, and sums are made afterwards in a fixed order. So results have
 * the same bits for any number of threads. (Not OpenMP: its runtime is not built for the thread sanitizer, which
 * then reports races that are none, and it would be one more dependency of the library.) */
#ifndef PC_BASE_THREADS_H
#define PC_BASE_THREADS_H

#include "percuss/base.h"

typedef struct pc_threads pc_threads;

/* `count` in all, that of the caller among them. *threads is NULL for one: all functions take that. */
pc_status pc_threads_create(int count, pc_threads** threads, pc_error* error);
void pc_threads_destroy(pc_threads* threads);

/* How many threads take part, and so how many ranges a loop has at most. */
int pc_threads_size(const pc_threads* threads);

/* Does the indices from `first` to before `last`; `worker`, from 0 to their number, is different in ranges that run at
 * the same time: for scratch memory. */
typedef void pc_threads_task(void* user, int worker, int first, int last);

/* Does the indices from 0 to count, and returns when all are done. A loop of fewer than `least` is not shared. */
void pc_threads_run(pc_threads* threads, int count, int least, pc_threads_task* task, void* user);

#endif
