/// \file
/// Result files (HDF5), written as the run goes. In libpercuss-io.
#ifndef PERCUSS_RECORD_H
#define PERCUSS_RECORD_H

#include "percuss/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pc_recorder pc_recorder;

typedef struct pc_recorder_def {
  const char* path;
  const pc_system* system;
  const int* quantity;  ///< quantities for /series
  int quantity_count;
  long every;              ///< record each N-th step; the initial state always, the last on closing
  const char* model_text;  ///< attribute of the file; may be NULL
  const char* options;     ///< attribute of the file; may be NULL
} pc_recorder_def;

PC_API pc_recorder_def pc_default_recorder_def(void);

/// Creates the file (an existing one is replaced only when this succeeds up to the first write).
PC_API pc_status pc_recorder_create(const pc_recorder_def* def, pc_recorder** recorder,
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
