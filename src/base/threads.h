/* Threads that share the work of a loop.
 *
 * They belong to one simulation. They wait for loops: for a short while actively, so that a loop of
 * some microseconds is worth sharing, then asleep. A loop is divided into chunks of indices, more
 * of them than there are threads, and each thread takes the next one: on a machine that has other
 * things to do, those threads that run do the work. Nothing may depend on who does what: tasks
 * write only what belongs to their indices, or what is put in order afterwards. So results have the
 * same bits for any number of threads. (Not OpenMP: its runtime is not built for the thread
 * sanitizer, which then reports races that are none, and it would be one more dependency of the
 * library.) */
#ifndef PC_BASE_THREADS_H
#define PC_BASE_THREADS_H

#include "percuss/base.h"

typedef struct pc_threads pc_threads;

/* `count` in all, that of the caller among them. *threads is NULL for one: all functions take
 * that. */
pc_status pc_threads_create(int count, pc_threads** threads, pc_error* error);
void pc_threads_destroy(pc_threads* threads);

/* How many threads take part. */
int pc_threads_size(const pc_threads* threads);

/* How many chunks a loop has at most. */
int pc_threads_chunks(const pc_threads* threads);

/* Does the indices from `first` to before `last`, for one chunk of a loop. `worker`, from 0 to
 * their number, is different in calls at the same time: for scratch memory. Each worker is given
 * chunks in the order of their indices. */
typedef void pc_threads_task(void* user, int worker, int first, int last);

/* Does the indices from 0 to count, and returns when all are done. A loop of fewer than `least` is
 * not shared. */
void pc_threads_run(pc_threads* threads, int count, int least, pc_threads_task* task, void* user);

#endif
