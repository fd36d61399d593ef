#include "fclib/sparse.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

void pc_sparse_free(pc_sparse* matrix)
{
  free(matrix->entry);
  *matrix = (pc_sparse){0};
}

pc_status pc_sparse_reserve(pc_sparse* matrix, size_t count)
{
  matrix->entry = pc_alloc(count, sizeof *matrix->entry);
  matrix->capacity = matrix->entry ? count : 0;
  return matrix->entry ? PC_OK : PC_OUT_OF_MEMORY;
}

void pc_sparse_append(pc_sparse* matrix, const pc_sparse* part, int row, int column, double factor,
                      int transposed)
{
  for (size_t k = 0; k < part->count && matrix->count < matrix->capacity; k++) {
    const pc_triplet* e = &part->entry[k];
    int i = transposed ? e->column : e->row, j = transposed ? e->row : e->column;
    matrix->entry[matrix->count++] = (pc_triplet){row + i, column + j, factor * e->value};
  }
}

/* --- the problem by blocks --- */

void pc_blocks_free(pc_blocks* b)
{
  free(b->node);
  free(b->row);
  free(b->start);
  free(b->column);
  free(b->place);
  free(b->value);
  free(b->b);
  *b = (pc_blocks){0};
}

static int compare(const void* a, const void* b)
{
  uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return x < y ? -1 : x > y;
}

/* Blocks as row * 2^32 + column, sorted, each once: those of nonzero entries and their
 * counterparts, and the diagonal. */
static uint64_t* find_pattern(const pc_sparse* matrix, int node_count, const int* node_of,
                              size_t* count)
{
  size_t n = 0, kept = 0;
  uint64_t* key = pc_alloc(2 * matrix->count + (size_t)node_count, sizeof *key);
  if (!key) return NULL;
  for (size_t k = 0; k < matrix->count; k++) {
    if (matrix->entry[k].value == 0) continue;
    uint64_t i = (uint64_t)node_of[matrix->entry[k].row],
             j = (uint64_t)node_of[matrix->entry[k].column];
    key[n++] = i << 32 | j;
    if (i != j) key[n++] = j << 32 | i;
  }
  for (int k = 0; k < node_count; k++) key[n++] = (uint64_t)k << 32 | (uint64_t)k;
  qsort(key, n, sizeof *key, compare);
  for (size_t k = 0; k < n; k++)
    if (k == 0 || key[k] != key[k - 1]) key[kept++] = key[k];
  *count = kept;
  return key;
}

static int size_of(const int* first, int node)
{
  return first[node + 1] - first[node];
}

/* Arrays of the pattern, values zero. */
static pc_status shape(pc_blocks* b, int node_count, const int* first, const uint64_t* key,
                       size_t count)
{
  size_t nodes = (size_t)node_count, at = 0;
  if (count > INT_MAX) return PC_OUT_OF_MEMORY;
  b->start = pc_alloc(nodes + 1, sizeof(int));
  b->column = pc_alloc(count, sizeof(int));
  b->place = pc_alloc(count, sizeof(size_t));
  if (!b->start || !b->column || !b->place) return PC_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++) {
    int i = (int)(key[k] >> 32), j = (int)(key[k] & UINT32_MAX);
    b->start[i + 1] = (int)k + 1;
    b->column[k] = j;
    b->place[k] = at;
    at += (size_t)size_of(first, i) * (size_t)size_of(first, j);
  }
  b->value = pc_alloc(at, sizeof(double));
  return b->value ? PC_OK : PC_OUT_OF_MEMORY;
}

/* The block (i, j), which exists. */
static double* find_block(const pc_blocks* b, int i, int j)
{
  int low = b->start[i], high = b->start[i + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (b->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return &b->value[b->place[low]];
}

static void fill(pc_blocks* b, const pc_sparse* matrix, const int* node_of, const int* first)
{
  for (size_t k = 0; k < matrix->count; k++) {
    const pc_triplet* e = &matrix->entry[k];
    if (e->value == 0) continue;
    int i = node_of[e->row], j = node_of[e->column];
    find_block(b, i, j)[(e->row - first[i]) * size_of(first, j) + e->column - first[j]] += e->value;
  }
}

static pc_status copy_vectors(pc_blocks* b, int node_count, const pc_problem_node* node,
                              const int* first, const double* from)
{
  size_t nodes = (size_t)node_count, rows = (size_t)first[node_count];
  b->node = pc_alloc(nodes, sizeof *b->node);
  b->row = pc_alloc(nodes + 1, sizeof(int));
  b->b = pc_alloc(rows, sizeof(double));
  if (!b->node || !b->row || !b->b) return PC_OUT_OF_MEMORY;
  memcpy(b->node, node, nodes * sizeof *node);
  memcpy(b->row, first, (nodes + 1) * sizeof(int));
  memcpy(b->b, from, rows * sizeof(double));
  return PC_OK;
}

pc_status pc_blocks_make(const pc_sparse* matrix, int node_count, const pc_problem_node* node,
                         const int* first, const double* b, pc_blocks* blocks)
{
  *blocks = (pc_blocks){0};
  size_t count = 0;
  int* node_of = pc_alloc((size_t)first[node_count], sizeof(int));
  for (int k = 0; node_of && k < node_count; k++)
    for (int i = first[k]; i < first[k + 1]; i++) node_of[i] = k;
  uint64_t* key = node_of ? find_pattern(matrix, node_count, node_of, &count) : NULL;
  pc_status status = key ? shape(blocks, node_count, first, key, count) : PC_OUT_OF_MEMORY;
  if (status == PC_OK) status = copy_vectors(blocks, node_count, node, first, b);
  if (status == PC_OK) fill(blocks, matrix, node_of, first);
  free(node_of);
  free(key);
  if (status != PC_OK) {
    pc_blocks_free(blocks);
    return status;
  }
  blocks->problem = (pc_problem){node_count,     blocks->node,  blocks->row,   blocks->start,
                                 blocks->column, blocks->place, blocks->value, blocks->b};
  return PC_OK;
}
