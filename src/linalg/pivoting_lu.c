#include "linalg/pivoting_lu.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/sparse_lu.h"

struct pc_pivoting_lu {
  pc_pattern pattern;
  size_t* place; /* of each entry of the pattern: where it is in the values of the block matrix */
  double* value; /* as many */
  pc_sparse_lu* lu;
};

static size_t entry_count(const pc_block_matrix* m)
{
  size_t count = 0;
  for (int k = 0; k < m->node_count; k++)
    for (int e = m->start[k]; e < m->start[k + 1]; e++)
      count += (size_t)pc_block_matrix_size(m, k) * (size_t)pc_block_matrix_size(m, m->column[e]);
  return count;
}

static pc_status allocate(pc_pivoting_lu* lu, int order, size_t entries)
{
  if (entries > INT_MAX) return PC_OUT_OF_MEMORY; /* KLU counts them by int */
  lu->pattern.order = order;
  lu->pattern.start = pc_alloc((size_t)order + 1, sizeof(int));
  lu->pattern.row = pc_alloc(entries, sizeof(int));
  lu->place = pc_alloc(entries, sizeof(size_t));
  lu->value = pc_alloc(entries, sizeof(double));
  return lu->pattern.start && lu->pattern.row && lu->place && lu->value ? PC_OK : PC_OUT_OF_MEMORY;
}

/* Entries of each column. The blocks of a column are those of the row, since the pattern is
 * symmetric. */
static void count_columns(const pc_block_matrix* m, int* start)
{
  start[0] = 0;
  for (int k = 0; k < m->node_count; k++) {
    int rows = 0;
    for (int e = m->start[k]; e < m->start[k + 1]; e++)
      rows += pc_block_matrix_size(m, m->column[e]);
    for (int c = m->row[k]; c < m->row[k + 1]; c++) start[c + 1] = start[c] + rows;
  }
}

/* Block row after block row, so that rows are ascending in each column; `start` moves with the
 * entries and is put back at the end. */
static void fill(const pc_block_matrix* m, pc_pivoting_lu* lu)
{
  int *start = lu->pattern.start, order = lu->pattern.order;
  for (int k = 0; k < m->node_count; k++)
    for (int e = m->start[k]; e < m->start[k + 1]; e++) {
      int first = m->row[m->column[e]], columns = pc_block_matrix_size(m, m->column[e]);
      for (int i = 0; i < pc_block_matrix_size(m, k); i++)
        for (int c = 0; c < columns; c++) {
          int to = start[first + c]++;
          lu->pattern.row[to] = m->row[k] + i;
          lu->place[to] = m->place[e] + (size_t)(i * columns + c);
        }
    }
  for (int c = order; c > 0; c--) start[c] = start[c - 1];
  start[0] = 0;
}

pc_status pc_pivoting_lu_create(const pc_block_matrix* m, pc_pivoting_lu** lu, pc_error* error)
{
  *lu = NULL;
  pc_pivoting_lu* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  pc_status status = allocate(made, pc_block_matrix_order(m), entry_count(m));
  if (status != PC_OK) {
    pc_no_memory(error);
  } else {
    count_columns(m, made->pattern.start);
    fill(m, made);
    status = pc_sparse_lu_create(&made->pattern, &made->lu, error);
  }
  if (status != PC_OK) {
    pc_pivoting_lu_destroy(made);
    return status;
  }
  *lu = made;
  return PC_OK;
}

void pc_pivoting_lu_destroy(pc_pivoting_lu* lu)
{
  if (!lu) return;
  pc_sparse_lu_destroy(lu->lu);
  pc_pattern_free(&lu->pattern);
  free(lu->place);
  free(lu->value);
  free(lu);
}

pc_status pc_pivoting_lu_factor(pc_pivoting_lu* lu, const pc_block_matrix* m)
{
  int count = lu->pattern.start[lu->pattern.order];
  for (int i = 0; i < count; i++) lu->value[i] = m->value[lu->place[i]];
  return pc_sparse_lu_factor(lu->lu, lu->value);
}

void pc_pivoting_lu_solve(pc_pivoting_lu* lu, double* x)
{
  pc_sparse_lu_solve(lu->lu, x);
}
