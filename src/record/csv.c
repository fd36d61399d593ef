/* Comma-separated columns: a header line, then a line per row. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "percuss/result.h"
#include "record/field.h"
#include "record/number.h"
#include "record/result.h"

enum { NUMBERS_MAX = 1 << 18 }; /* in memory at a time: 2 MiB */

/* "name [unit]" */
static void print_heading(FILE* to, pc_series s)
{
  pc_print_field(to, *s.unit ? 4 : 1, (const char*[]){s.name, " [", s.unit, "]"});
}

static void print_header(FILE* to, const pc_result* r, const int* series, int count)
{
  for (int i = 0; i < count; i++) {
    if (i) fputc(',', to);
    print_heading(to, pc_result_series(r, series[i]));
  }
  fputc('\n', to);
}

/* A block of rows of a result, from `first` on: its columns one after the other, each of `rows`
 * numbers. */
typedef struct row_block {
  const double* number;
  long first, rows;
} row_block;

/* Prints those of its rows that `every` asks for. */
static void print_block(FILE* to, const pc_result* r, const row_block* b, int columns, long every)
{
  long row = pc_result_every(r, every, b->first), end = b->first + b->rows;
  for (; row < end; row = pc_result_every(r, every, row + 1)) {
    for (int i = 0; i < columns; i++) {
      if (i) fputc(',', to);
      pc_print_number(to, b->number[(long)i * b->rows + row - b->first]);
    }
    fputc('\n', to);
  }
}

/* Fills a block; behind its `capacity` rows there is scratch memory for as many. */
static pc_status read_block(const pc_result* r, const int* series, int columns, long first,
                            long rows, long capacity, double* block, pc_error* error)
{
  double* scratch = block + capacity * columns;
  for (int i = 0, done = 0; i < columns; i += done)
    PC_TRY(pc_result_read_neighbours(r, series + i, columns - i, first, rows,
                                     block + (long)i * rows, scratch, &done, error));
  return PC_OK;
}

static pc_status print_rows(FILE* to, const pc_result* r, const int* series, int columns,
                            long every, long capacity, double* block, pc_error* error)
{
  long length = pc_result_length(r);
  for (long first = 0; first < length && !ferror(to); first += capacity) {
    long rows = length - first < capacity ? length - first : capacity;
    PC_TRY(read_block(r, series, columns, first, rows, capacity, block, error));
    print_block(to, r, &(row_block){block, first, rows}, columns, every);
  }
  return PC_OK;
}

static pc_status check_arguments(const pc_result* r, const int* series, int count, long every,
                                 pc_error* error)
{
  if (count < 1)
    return pc_fail(error, PC_BAD_ARGUMENT, "series_count: %d, must be 1 or more", count);
  if (every < 1) return pc_fail(error, PC_BAD_ARGUMENT, "every: %ld, must be 1 or more", every);
  for (int i = 0; i < count; i++)
    if (series[i] < 0 || series[i] >= pc_result_series_count(r))
      return pc_fail(error, PC_BAD_ARGUMENT, "series: %d, '%s' has 0 to %d", series[i],
                     pc_result_path(r), pc_result_series_count(r) - 1);
  return PC_OK;
}

pc_status pc_result_write_csv(const pc_result* r, const int* series, int count, long every,
                              FILE* to, pc_error* error)
{
  PC_TRY(check_arguments(r, series, count, every, error));
  long capacity = NUMBERS_MAX / count > 0 ? NUMBERS_MAX / count : 1;
  double* block = pc_alloc(2 * (size_t)capacity * (size_t)count, sizeof *block);
  if (!block) return pc_no_memory(error);
  print_header(to, r, series, count);
  pc_status status = print_rows(to, r, series, count, every, capacity, block, error);
  free(block);
  if (status != PC_OK) return status;
  if (fflush(to) != 0 || ferror(to))
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write the columns");
  return PC_OK;
}
