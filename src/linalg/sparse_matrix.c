#include "linalg/sparse_matrix.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

void pc_entries_add(pc_entries* e, int i, int j, double value)
{
  if (!e->failed && pc_grow(&e->entry, &e->capacity, e->count, sizeof(pc_entry)) != PC_OK)
    e->failed = 1;
  if (!e->failed) ((pc_entry*)e->entry)[e->count++] = (pc_entry){i, j, value};
}

void pc_entries_free(pc_entries* e)
{
  free(e->entry);
  *e = (pc_entries){0};
}

static pc_status allocate(int order, size_t count, pc_sparse_matrix* m, pc_error* error)
{
  m->pattern.order = order;
  m->pattern.start = pc_alloc((size_t)order + 2, sizeof(int));
  m->pattern.row = pc_alloc(count, sizeof(int));
  m->value = pc_alloc(count, sizeof(double));
  return m->pattern.start && m->pattern.row && m->value ? PC_OK : pc_no_memory(error);
}

/* `to` := the numbers of the entries, sorted by rows, each row in the order in which they came. */
static void sort_by_rows(int order, const pc_entries* e, int* start, int* to)
{
  const pc_entry* entry = e->entry;
  for (int i = 0; i < order + 2; i++) start[i] = 0;
  for (int k = 0; k < e->count; k++) start[entry[k].i + 2]++;
  for (int i = 0; i < order; i++) start[i + 2] += start[i + 1];
  for (int k = 0; k < e->count; k++) to[start[entry[k].i + 1]++] = k;
}

/* Into columns, rows ascending: start[j + 1] moves from the begin of column j to its end. */
static void fill(const pc_entries* e, const int* by_row, pc_sparse_matrix* m)
{
  const pc_entry* entry = e->entry;
  int order = m->pattern.order, *start = m->pattern.start;
  for (int j = 0; j < order + 2; j++) start[j] = 0;
  for (int k = 0; k < e->count; k++) start[entry[k].j + 2]++;
  for (int j = 0; j < order; j++) start[j + 2] += start[j + 1];
  for (int k = 0; k < e->count; k++) {
    const pc_entry* of = &entry[by_row[k]];
    int to = start[of->j + 1]++;
    m->pattern.row[to] = of->i;
    m->value[to] = of->value;
  }
}

/* Sums what lies at the same place and drops zeros. */
static void compress(pc_sparse_matrix* m)
{
  int *start = m->pattern.start, *row = m->pattern.row, count = 0;
  for (int j = 0, p = 0; j < m->pattern.order; j++) {
    int end = start[j + 1];
    start[j] = count;
    while (p < end) {
      int i = row[p];
      double sum = 0;
      for (; p < end && row[p] == i; p++) sum += m->value[p];
      if (sum == 0) continue;
      row[count] = i;
      m->value[count++] = sum;
    }
  }
  start[m->pattern.order] = count;
}

pc_status pc_sparse_matrix_create(int order, const pc_entries* entries, pc_sparse_matrix* matrix,
                                  pc_error* error)
{
  *matrix = (pc_sparse_matrix){0};
  if (entries->failed) return pc_no_memory(error);
  pc_status status = allocate(order, (size_t)entries->count, matrix, error);
  int* by_row = pc_alloc((size_t)entries->count, sizeof *by_row);
  if (status == PC_OK && !by_row) status = pc_no_memory(error);
  if (status == PC_OK) {
    sort_by_rows(order, entries, matrix->pattern.start, by_row);
    fill(entries, by_row, matrix);
    compress(matrix);
  } else {
    pc_sparse_matrix_free(matrix);
  }
  free(by_row);
  return status;
}

void pc_sparse_matrix_free(pc_sparse_matrix* m)
{
  pc_pattern_free(&m->pattern);
  free(m->value);
  *m = (pc_sparse_matrix){0};
}

void pc_sparse_matrix_times(const pc_sparse_matrix* m, double scale, const double* x, double* y)
{
  for (int j = 0; j < m->pattern.order; j++)
    for (int p = m->pattern.start[j]; p < m->pattern.start[j + 1]; p++)
      y[m->pattern.row[p]] += m->value[p] * (scale * x[j]);
}

void pc_sparse_matrix_transposed_times(const pc_sparse_matrix* m, double scale, const double* x,
                                       double* y)
{
  for (int j = 0; j < m->pattern.order; j++) {
    double sum = 0;
    for (int p = m->pattern.start[j]; p < m->pattern.start[j + 1]; p++)
      sum += m->value[p] * x[m->pattern.row[p]];
    y[j] += scale * sum;
  }
}
