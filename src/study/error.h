/* Errors of the program's own modules: a status and its text, as the library gives them. What a
 * module cannot do is reported by the caller; only the command line prints. */
#ifndef PC_STUDY_ERROR_H
#define PC_STUDY_ERROR_H

#include "percuss/percuss.h"

/* Fills in the error, unless it is NULL, and returns the status. PC_OUT_OF_MEMORY needs no text. */
pc_status set_error(pc_error* error, pc_status status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
