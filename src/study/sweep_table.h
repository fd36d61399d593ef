/* The tables of sweeps as files: which rows are missing, parts that belong together, rows in their
 * order. */
#ifndef PC_STUDY_SWEEP_TABLE_H
#define PC_STUDY_SWEEP_TABLE_H

#include "percuss/percuss.h"

/* Rows of a sweep that belong to a share of it: share 1 of 4 has the rows 0, 4, 8 ... */
typedef struct sweep_share {
  int share, shares; /* from 1; 1 of 1: all */
} sweep_share;

/* The rows of a share that a table (NULL: none) does not have, ascending; to be freed. */
pc_status find_missing_rows(const pc_table_content* there, long rows, sweep_share share, long** row,
                            long* count, pc_error* error);

/* PC_BAD_ARGUMENT, with the first line that differs, if two tables are not of the same sweep. Lines
 * about a share do not count. */
pc_status check_same_sweep(const char* path, const char* about, const char* other, pc_error* error);

/* The value of a line "name: value" of a table's description, or "". */
void read_about(const char* about, const char* name, char* value, size_t size);

/* One table of several of the same sweep: each row once, ascending. Rows that are in several of
 * them must be the same. The file at `path` is replaced when the new one is complete. `missing`
 * rows are counted. */
pc_status merge_tables(pc_table_content* const* part, int count, const char* path, int force,
                       long* missing, pc_error* error);

/* Are the rows ascending? */
int is_ascending(const pc_table_content* table);

/* The mean of the numbers in a column (no list) over the rows that are done, with their standard
 * deviation and the standard errors of both. Returns how many there are. */
typedef struct column_statistics {
  double mean, mean_error, spread, spread_error, min, max;
} column_statistics;

long find_statistics(const pc_table_content* table, int column, column_statistics* s);

#endif
