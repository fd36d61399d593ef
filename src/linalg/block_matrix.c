#include "linalg/block_matrix.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

void pc_block_matrix_free(pc_block_matrix* m)
{
  void* array[] = {m->row,      m->start, m->column,  m->place,
                   m->diagonal, m->value, m->scratch, m->list};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  *m = (pc_block_matrix){0};
}

static int reserve_ints(int** array, size_t* capacity, size_t count)
{
  return pc_reserve((void**)array, capacity, count, sizeof **array) == PC_OK;
}

/* Space for the nodes, and for lists of `links` neighbours in all. */
static int reserve_pattern(pc_block_matrix* m, size_t nodes, size_t links)
{
  return reserve_ints(&m->row, &m->row_capacity, nodes + 1) &&
         reserve_ints(&m->start, &m->start_capacity, nodes + 1) &&
         reserve_ints(&m->diagonal, &m->diagonal_capacity, nodes + 1) &&
         reserve_ints(&m->scratch, &m->scratch_capacity, nodes + 1) &&
         reserve_ints(&m->list, &m->list_capacity, links) &&
         reserve_ints(&m->column, &m->column_capacity, links) &&
         pc_reserve((void**)&m->place, &m->place_capacity, links, sizeof *m->place) == PC_OK;
}

/* The neighbours of each node, itself among them, unsorted, with repetitions: node i's begin at
 * start[i] in `list`. */
static void list_neighbours(pc_block_matrix* m, int edge_count, const pc_edge* edge)
{
  int n = m->node_count, *next = m->scratch;
  for (int i = 0; i <= n; i++) m->start[i] = i; /* each is its own neighbour */
  for (int i = 0; i < n; i++) next[i] = 1;
  for (int e = 0; e < edge_count; e++)
    if (edge[e].i != edge[e].j) next[edge[e].i]++, next[edge[e].j]++;
  m->start[0] = 0;
  for (int i = 0; i < n; i++) m->start[i + 1] = m->start[i] + next[i];
  for (int i = 0; i < n; i++) next[i] = m->start[i];
  for (int i = 0; i < n; i++) m->list[next[i]++] = i;
  for (int e = 0; e < edge_count; e++) {
    if (edge[e].i == edge[e].j) continue;
    m->list[next[edge[e].i]++] = edge[e].j;
    m->list[next[edge[e].j]++] = edge[e].i;
  }
}

/* Transposing a symmetric pattern sorts it: rows are met in increasing order. */
static void sort_neighbours(pc_block_matrix* m)
{
  int n = m->node_count, *next = m->scratch;
  for (int i = 0; i < n; i++) next[i] = m->start[i];
  for (int i = 0; i < n; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) m->column[next[m->list[k]]++] = i;
}

/* Leaves each neighbour once, and finds the diagonal blocks and the places of all. */
static size_t place_blocks(pc_block_matrix* m)
{
  int count = 0;
  size_t place = 0;
  for (int i = 0; i < m->node_count; i++) {
    int from = m->start[i], last = -1;
    m->start[i] = count;
    for (int k = from; k < m->start[i + 1]; k++) {
      int j = m->column[k];
      if (j == last) continue;
      last = j;
      if (j == i) m->diagonal[i] = count;
      m->column[count] = j;
      m->place[count++] = place;
      place += (size_t)pc_block_matrix_size(m, i) * (size_t)pc_block_matrix_size(m, j);
    }
  }
  m->start[m->node_count] = count;
  return place;
}

pc_status pc_block_matrix_shape(pc_block_matrix* m, int node_count, const int* size, int edge_count,
                                const pc_edge* edge, pc_error* error)
{
  size_t links = (size_t)node_count + 2 * (size_t)edge_count, order = 0;
  if (links > INT_MAX) return pc_fail(error, PC_BAD_ARGUMENT, "a matrix has too many blocks");
  m->node_count = 0;
  if (!reserve_pattern(m, (size_t)node_count, links)) return pc_no_memory(error);
  for (int i = 0; i < node_count; i++) {
    m->row[i] = (int)order;
    order += (size_t)size[i];
    if (order > INT_MAX) return pc_fail(error, PC_BAD_ARGUMENT, "a matrix has too many rows");
  }
  m->row[node_count] = (int)order;
  m->node_count = node_count;
  list_neighbours(m, edge_count, edge);
  sort_neighbours(m);
  size_t entries = place_blocks(m);
  if (pc_reserve((void**)&m->value, &m->value_capacity, entries, sizeof *m->value) != PC_OK) {
    m->node_count = 0;
    return pc_no_memory(error);
  }
  memset(m->value, 0, entries * sizeof *m->value);
  return PC_OK;
}

static size_t entry_count(const pc_block_matrix* m)
{
  int n = m->node_count, blocks = n ? m->start[n] : 0;
  if (blocks == 0) return 0;
  size_t last = (size_t)pc_block_matrix_size(m, n - 1) *
                (size_t)pc_block_matrix_size(m, m->column[blocks - 1]);
  return m->place[blocks - 1] + last;
}

void pc_block_matrix_clear(pc_block_matrix* m)
{
  if (m->node_count) memset(m->value, 0, entry_count(m) * sizeof *m->value);
}

double* pc_block_matrix_find(const pc_block_matrix* m, int i, int j)
{
  int low = m->start[i], high = m->start[i + 1] - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (m->column[middle] == j) return m->value + m->place[middle];
    if (m->column[middle] < j)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return NULL;
}

void pc_block_matrix_times(const pc_block_matrix* m, const double* x, double* y)
{
  const double* a = m->value;
  for (int i = 0; i < m->node_count; i++) {
    int rows = pc_block_matrix_size(m, i);
    double* y_i = y + m->row[i];
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      const double* x_j = x + m->row[m->column[k]];
      int columns = pc_block_matrix_size(m, m->column[k]);
      for (int r = 0; r < rows; r++, a += columns) {
        double sum = 0;
        for (int c = 0; c < columns; c++) sum += a[c] * x_j[c];
        y_i[r] += sum;
      }
    }
  }
}
