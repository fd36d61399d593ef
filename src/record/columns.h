/* What the columns of a dataset are: a table /columns/<dataset> with a row for each of them.
 *
 * Its fields are `name` and `unit`; of datasets of contacts also `contact`, of friction
 * `component`, of series `column`. A table and not attributes: those are part of the dataset's
 * header, which is written again with every flush and must stay small (see file.c). */
#ifndef PC_RECORD_COLUMNS_H
#define PC_RECORD_COLUMNS_H

#include "record/hdf5.h"

typedef struct pc_columns {
  int count;
  const char* const* name;
  const char* const* unit;    /* or NULL */
  const char* const* contact; /* or NULL */
  const int* component;       /* or NULL */
  const char* const* column;  /* of a series: what its column is called; or NULL */
  const char* const* body;    /* of a shape; or NULL */
} pc_columns;

/* A dataset that begins with a slash is the place of the table itself: /found/shape has a row for
 * each shape. -1 if HDF5 refuses or there is no memory. */
int pc_columns_write(hid_t file, const char* dataset, const pc_columns* columns);

/* The texts of one field, `count` of them, each to be freed. -1 also if the table has another
 * number of rows or no such field; there is nothing to free then. */
int pc_columns_read(hid_t file, const char* dataset, const char* name, int count, char** text);

/* The number of rows, or -1. */
int pc_columns_count(hid_t file, const char* dataset);

#endif
