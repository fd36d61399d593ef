/* A dataset that grows by rows, and the rows in memory that wait to be written.
 *
 * A column of scalars has the shape (rows), any other (rows, width); a width of 0 is fine. The
 * buffer has as many rows as a chunk of the file, and is written when it is full: so a chunk is
 * written once, whole, and HDF5 needs no cache for it. */
#ifndef PC_RECORD_COLUMN_H
#define PC_RECORD_COLUMN_H

#include <hdf5.h>
#include <stddef.h>

#include "percuss/base.h"

typedef struct pc_column {
  hid_t dataset; /* negative: none yet */
  int scalar;    /* not 0: rank 1 */
  int width;     /* numbers per row; 1 for scalars */
  int capacity;  /* rows of the buffer */
  double* buffer;
} pc_column;

/* Numbers in the file: lengths and percussions, or counts. In memory all are doubles. */
typedef enum pc_column_type { PC_COLUMN_REAL, PC_COLUMN_INTEGER } pc_column_type;

#define PC_SCALAR (-1)

/* Memory for `capacity` rows of `width` numbers (PC_SCALAR: one, rank 1), zeroed; no dataset yet. */
pc_status pc_column_allocate(pc_column* column, int width, int capacity);

/* Its empty dataset. -1 if HDF5 refuses. */
int pc_column_create(pc_column* column, hid_t group, const char* name, pc_column_type type);

/* Where to put row `row` of the buffer. */
double* pc_column_row(const pc_column* column, int row);

/* Writes the first `count` rows of the buffer as the rows from `first` on. -1 if HDF5 refuses. */
int pc_column_write(pc_column* column, long first, int count);

/* What a full buffer takes in the file. */
size_t pc_column_chunk_bytes(const pc_column* column);

/* Closes the dataset and releases the buffer; a zeroed or half-made column is fine. */
int pc_column_close(pc_column* column);

#endif
