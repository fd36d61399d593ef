/* A dataset that grows by rows, and the rows in memory that wait to be written.
 *
 * A column of scalars has the shape (rows), any other (rows, width); a width of 0 is fine. The file
 * gets whole chunks, each with a checksum (Fletcher32) that HDF5 verifies when it reads. The rows
 * of the last chunk, if it is not full, stay in the buffer: the chunk is written again, whole, with
 * the rows that follow. So HDF5 need not read, convert and copy anything to append. */
#ifndef PC_RECORD_COLUMN_H
#define PC_RECORD_COLUMN_H

#include <stddef.h>
#include "record/hdf5.h"

#include "percuss/base.h"

/* Numbers in the file: reals of 64 bits, and of 32 bits for residuals; counts of 32, 8 and 64 bits.
 * In memory all are doubles. */
typedef enum pc_column_type {
  PC_COLUMN_REAL,
  PC_COLUMN_SINGLE,
  PC_COLUMN_INTEGER,
  PC_COLUMN_BYTE,
  PC_COLUMN_LONG
} pc_column_type;

typedef struct pc_column {
  hid_t dataset; /* negative: none yet */
  pc_column_type type;
  int scalar;     /* not 0: rank 1 */
  int width;      /* numbers per row; 1 for scalars */
  int capacity;   /* rows that may wait */
  int chunk_rows; /* of the file */
  int begun;      /* rows of the last chunk that are in the file; they come first in the buffer */
  double* buffer; /* chunk_rows + capacity rows */
  unsigned char* chunk; /* as it is in the file */
} pc_column;

#define PC_SCALAR (-1)

/* Rows of a chunk, at most: bytes that fit into a page of 4 KiB together with their checksum. */
enum { PC_CHUNK_ROWS_MAX = 4092 };

/* Memory for `capacity` rows of `width` numbers (PC_SCALAR: one, rank 1), zeroed; no dataset yet. 0
 * chunk_rows: as many as fit into a page. */
pc_status pc_column_allocate(pc_column* column, int width, pc_column_type type, int capacity,
                             int chunk_rows);

/* What a chunk of so many rows takes in the file. */
size_t pc_chunk_bytes(int width, pc_column_type type, int rows);

/* Space for more rows that wait; those that do stay. */
pc_status pc_column_reserve(pc_column* column, int capacity);

/* Its empty dataset. -1 if HDF5 refuses. */
int pc_column_create(pc_column* column, hid_t group, const char* name);

/* Its dataset in an existing file. -1 if there is none of this rank, width, type and chunks, with
 * checksums. */
int pc_column_open(pc_column* column, hid_t group, const char* name);

/* Rows of a dataset, numbers in each; -1 if that cannot be known. */
long pc_dataset_rows(hid_t dataset);
int pc_dataset_width(hid_t dataset);

/* Does the file hold `rows` rows of it? A file interrupted while it was written may be ahead of
 * what is really there: a row counts only with the chunk that it is in. */
int pc_column_holds(const pc_column* column, long rows);

/* Reads row `row` of the dataset, `width` numbers. -1 if HDF5 refuses. */
int pc_column_read(const pc_column* column, long row, double* numbers);

/* Reads `count` of them, from row `first` on. */
int pc_column_read_rows(const pc_column* column, long first, int count, double* numbers);

/* Removes all rows of the dataset but the first `rows`, and makes it ready to be written on. If the
 * last flush was interrupted, its index may list chunks beyond its rows, up to row `beyond`, that
 * were written in part and whose checksums are wrong; they are removed, too. -1 if HDF5 refuses. */
int pc_dataset_renew(hid_t dataset, long rows, long beyond);
int pc_column_renew(const pc_column* column, long rows);

/* Makes ready to append to the first `rows` rows of the dataset, none of which are in the buffer
 * yet: reads those of a last chunk that is not full. -1 if HDF5 refuses. */
int pc_column_take_up(pc_column* column, long rows);

/* Where to put the row that waits as the `row`-th. */
static inline double* pc_column_row(const pc_column* column, int row)
{
  return column->buffer + (size_t)(column->begun + row) * (size_t)column->width;
}

/* Writes the first `count` rows that wait as the rows from `first` on; `first` are in the file. -1
 * if HDF5 refuses. */
int pc_column_write(pc_column* column, long first, int count);

/* The same, for the last time: chunks that are not full get their checksums, too. */
int pc_column_finish(pc_column* column, long first, int count);

/* What a full buffer takes in the file. */
size_t pc_column_chunk_bytes(const pc_column* column);

/* Closes the dataset and releases the buffer; a zeroed or half-made column is fine. */
int pc_column_close(pc_column* column);

#endif
