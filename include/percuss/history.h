/// \file
/// Keeping a run in memory: what observers were shown, to be shown again to others.
///
/// A history is an observer (pc_history_observe). Whoever did not observe the run itself, such as a
/// recorder that is created at its end, can be shown every state of it afterwards.
#ifndef PERCUSS_HISTORY_H
#define PERCUSS_HISTORY_H

#include <stddef.h>

#include "percuss/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/// States of one run.
typedef struct pc_history pc_history;

/// An empty history, to be destroyed by the caller. The system must outlive it.
PC_API pc_status pc_history_create(const pc_system* system, pc_history** history, pc_error* error);
PC_API void pc_history_destroy(pc_history* history);  ///< NULL is fine

/// An observer: pass it to pc_sim_add_observer with the history as `user`. Copies the state and
/// what was seen of it. Returns 0, which stops the run, when there is no memory.
PC_API int pc_history_observe(void* history, const pc_observation* seen);

/// How many states are kept.
PC_API long pc_history_length(const pc_history* history);
/// How many bytes each of them takes, on average (0 before the first).
PC_API size_t pc_history_bytes(const pc_history* history);

/// Forgets all states. The memory that they took is kept for those that follow.
PC_API void pc_history_clear(pc_history* history);

/// Shows the states from number `first` (from 0) on to an observer, in their order and with the
/// same numbers as during the run; `info->lambda` is NULL, and `violation` is that of the last
/// state for all of them. PC_STOPPED where it returned 0.
PC_API pc_status pc_history_show(const pc_history* history, long first, pc_observer* observer,
                                 void* user, pc_error* error);

#ifdef __cplusplus
}
#endif
#endif
