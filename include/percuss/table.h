/// \file Tables of many runs, as `percuss sweep` makes them: a row per run, written as the rows
/// come. In libpercuss-io.
///
/// A path that ends in .h5 or .hdf5 is an HDF5 file, any other a text file of comma-separated
/// values. Either can be read after a kill, with all rows up to the last flush, and written on.
#ifndef PERCUSS_TABLE_H
#define PERCUSS_TABLE_H

#include <stddef.h>

#include "percuss/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A column of a table.
typedef struct pc_table_column {
  const char* name;  ///< of the column, such as "mu" or "final.x"
  const char* unit;  ///< "" where none is known
  int is_list;       ///< not 0: a row has any number of values in this column, else one
} pc_table_column;

/// A table that is to be written.
typedef struct pc_table_def {
  const char* path;               ///< of the file; .h5 and .hdf5 are HDF5, anything else CSV
  const char* about;              ///< lines "name: value" on where the table comes from
  const pc_table_column* column;  ///< column_count of them; copied
  int column_count;               ///< number of columns
  int force;  ///< not 0: replace a file at `path` even if it is no table of percuss
} pc_table_def;

/// A row: one run.
typedef struct pc_table_row {
  long row;            ///< its number
  const char* status;  ///< how the run ended: "done", "doubtful", "failed", "unstable", "bad model"
  const char* note;    ///< a line of text, such as the reason of a failure, or ""
  const double* const* value;  ///< of each column, `count` numbers
  const int* count;            ///< of each column; 1 where it is no list
} pc_table_row;

/// A table that is open for writing.
typedef struct pc_table pc_table;

/// A new table. PC_CANNOT_WRITE also if there is a file that is no table of percuss, unless `force`
/// is set.
PC_API pc_status pc_table_create(const pc_table_def* def, pc_table** table, pc_error* error);

/// Opens an existing table to append rows. What a kill has left behind the last complete row is
/// dropped. PC_BAD_ARGUMENT if it has other columns, PC_BAD_MODEL if it is no table.
PC_API pc_status pc_table_resume(const pc_table_def* def, pc_table** table, pc_error* error);

/// Appends a row, in memory at first.
PC_API pc_status pc_table_append(pc_table* table, const pc_table_row* row, pc_error* error);

/// Brings all rows into the file: whatever happens next, they can be read.
PC_API pc_status pc_table_flush(pc_table* table, pc_error* error);

/// Flushes and closes; the table is gone afterwards. NULL is fine.
PC_API pc_status pc_table_close(pc_table* table, pc_error* error);

/// A table in memory. Rows are in the order of the file. The numbers of row i in column k are
/// number[first[i * column_count + k]] and those after it, up to the next cell's.
typedef struct pc_table_content {
  char* about;              ///< lines "name: value" on where the table comes from
  int column_count;         ///< number of columns
  pc_table_column* column;  ///< column_count of them
  long count;               ///< rows
  long* row;                ///< their numbers
  char** status;            ///< of each row
  char** note;              ///< of each row: a line of text, or ""
  size_t* first;            ///< count * column_count + 1
  double* number;           ///< of all cells, row after row
} pc_table_content;

/// Reads a table; to be freed by the caller. PC_BAD_MODEL, with the file and the reason, if there
/// is none or it is damaged.
PC_API pc_status pc_table_read(const char* path, pc_table_content** content, pc_error* error);
PC_API void pc_table_free(pc_table_content* content);  ///< NULL is fine

/// Does the file begin as a table of percuss does? 0 also if it cannot be read.
PC_API int pc_is_table(const char* path);

#ifdef __cplusplus
}
#endif
#endif
