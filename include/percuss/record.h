/// \file
/// Result files (HDF5), written as the run goes. In libpercuss-io.
///
/// Recorders, results and tables may be used in several threads, each of them by one thread at a
/// time. HDF5 is not safe for threads: the library lets one in at a time, while it opens, reads or
/// closes a file and while a recorder writes a chunk.
#ifndef PERCUSS_RECORD_H
#define PERCUSS_RECORD_H

#include "percuss/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes one result file.
typedef struct pc_recorder pc_recorder;

/// What to record, and where.
typedef struct pc_recorder_def {
  const char* path;         ///< of the file; copied
  const pc_system* system;  ///< frozen; must outlive the recorder
  /// Quantities to record, by name under /series; none: all. What a run needs to go on (q, u,
  /// percussions) is recorded in any case; of gaps, velocities of rows, residuals of constraints
  /// and outputs only datasets of which a quantity is listed.
  const int* quantity;
  int quantity_count;      ///< number of them; 0: all
  long every;              ///< record each N-th step; the initial state always, the last on closing
  const char* model_text;  ///< attribute of the file; may be NULL
  /// Attribute of the file, one `name=value` per line; may be NULL. A run is resumed under the same
  /// lines, in any order; `until=` may differ.
  const char* options;
  /// about how many there will be, which decides on the layout of the file; 0: unknown
  long expected_rows;
  int chunk_rows;        ///< rows that are kept and written together; 0: 4096, or what 4 MiB hold
  double flush_seconds;  ///< what was recorded is in the file after so long [s], at the latest
  int force;             ///< not 0: replace a file at `path` even if it is no result of percuss
} pc_recorder_def;

/// Every step, flushed at least once a minute.
PC_API pc_recorder_def pc_default_recorder_def(void);

/// Creates the file (an existing one is replaced only when this succeeds up to the first write).
/// PC_CANNOT_WRITE also if there is a file that is no result of percuss, unless `force` is set.
PC_API pc_status pc_recorder_create(const pc_recorder_def* def, pc_recorder** recorder,
                                    pc_error* error);

/// Where a recorded run goes on: what pc_sim_restore and pc_sim_restore_found take. The arrays live
/// as long as the recorder.
typedef struct pc_resume_state {
  /// not 0: the file reaches `until_step`; it is left as it is, this is its last row
  int finished;
  long step;                ///< 0: the run starts from the beginning, there is nothing to restore
  double t;                 ///< [s]
  const double* q;          ///< n_q coordinates
  const double* u;          ///< n_u velocities
  const double* P;          ///< one per row of the system
  const double* memory;     ///< of scheme and simulation
  int memory_count;         ///< numbers in `memory`
  pc_found_contacts found;  ///< contacts between shapes: pc_sim_restore_found
} pc_resume_state;

/// Opens the file of a run that ended before `until_step`, by whatever cause, to append to it; the
/// finished file holds what that of an uninterrupted run would. Goes on from the last row whose
/// step is a multiple of `every`; what the file has beyond it (a last state recorded on closing,
/// rows truncated by a kill) is dropped. The first state observed must be that of the step after
/// it, or the initial state for step 0.
///
/// PC_BAD_MODEL: no such file, or not a sound result file of percuss. PC_BAD_ARGUMENT: it was
/// written with another model, other options or another `every`; the file is not touched.
/// PC_CANNOT_WRITE.
PC_API pc_status pc_recorder_resume(const pc_recorder_def* def, long until_step,
                                    pc_resume_state* resume, pc_recorder** recorder,
                                    pc_error* error);

/// An observer: pass it to pc_sim_add_observer with the recorder as `user`. It returns 0 when the
/// file cannot be written any more; the error is kept for pc_recorder_close.
PC_API int pc_recorder_observe(void* recorder, const pc_observation* seen);

/// Writes what is buffered and closes the file; the recorder is gone afterwards. NULL is fine.
PC_API pc_status pc_recorder_close(pc_recorder* recorder, pc_error* error);

#ifdef __cplusplus
}
#endif
#endif
