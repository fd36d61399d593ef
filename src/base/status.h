/* Making and passing on errors. */
#ifndef PC_BASE_STATUS_H
#define PC_BASE_STATUS_H

#include "base/export.h"

/* Returns early with a status that is not PC_OK. */
#define PC_TRY(call)                                    \
  do {                                                  \
    pc_status pc_try_status_ = (call);                  \
    if (pc_try_status_ != PC_OK) return pc_try_status_; \
  } while (0)

/* Fills `error` (may be NULL) and returns `status`, so that a check is one line:
 *     if (mass <= 0) return pc_fail(error, PC_BAD_MODEL, "body '%s': mass is %g", name, mass); */
PC_SIBLING_API pc_status pc_fail(pc_error* error, pc_status status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* PC_BAD_ARGUMENT with the name if a public function was given NULL where it needs something. */
PC_SIBLING_API pc_status pc_need(const void* given, const char* name, pc_error* error);

/* The status for a failed allocation, with its text. */
PC_SIBLING_API pc_status pc_no_memory(pc_error* error);

#endif
