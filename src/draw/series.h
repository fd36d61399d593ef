/* The series of a result by their names. */
#ifndef PC_DRAW_SERIES_H
#define PC_DRAW_SERIES_H

#include "percuss/percuss.h"

/* The index of a series; for a name that does not exist the error has a suggestion. */
pc_status find_series(const pc_result* result, const char* name, int* series, pc_error* error);

#endif
