#include "linalg/pattern.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* The sets that touch each local index of a component, and a mark for each row. */
typedef struct touching {
  int* start; /* order + 1 */
  int* set;
  int* mark; /* the last column in which a row was seen */
} touching;

static void free_touching(touching* touch)
{
  free(touch->start);
  free(touch->set);
  free(touch->mark);
}

/* The component of a set; -1 if the set is empty. */
static int component_of_set(const pc_components* components, int s)
{
  int start = components->set_start[s];
  return start < components->set_start[s + 1] ? components->of[components->set_index[start]] : -1;
}

static pc_status find_touching(const pc_components* components, int c, int order, touching* touch)
{
  touch->start = pc_alloc((size_t)order + 2, sizeof(int));
  touch->mark = pc_alloc((size_t)order, sizeof(int));
  if (!touch->start || !touch->mark) return PC_OUT_OF_MEMORY;
  const int* index = components->set_index;
  for (int s = 0; s < components->set_count; s++)
    if (component_of_set(components, s) == c)
      for (int k = components->set_start[s]; k < components->set_start[s + 1]; k++)
        touch->start[components->local[index[k]] + 2]++;
  for (int j = 0; j < order; j++) touch->start[j + 2] += touch->start[j + 1];
  touch->set = pc_alloc((size_t)touch->start[order + 1], sizeof(int));
  if (!touch->set) return PC_OUT_OF_MEMORY;
  for (int s = 0; s < components->set_count; s++)
    if (component_of_set(components, s) == c)
      for (int k = components->set_start[s]; k < components->set_start[s + 1]; k++)
        touch->set[touch->start[components->local[index[k]] + 1]++] = s;
  return PC_OK;
}

/* Lists the rows of column j once each, unsorted, at `row` (NULL: only counts them). */
static int list_rows(const pc_components* components, const touching* touch, int j, int* row)
{
  int count = 0;
  for (int t = touch->start[j]; t < touch->start[j + 1]; t++) {
    int s = touch->set[t];
    for (int k = components->set_start[s]; k < components->set_start[s + 1]; k++) {
      int i = components->local[components->set_index[k]];
      if (touch->mark[i] == j) continue;
      touch->mark[i] = j;
      if (row) row[count] = i;
      count++;
    }
  }
  return count;
}

static int compare_ints(const void* a, const void* b)
{
  int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static pc_status list_columns(const pc_components* components, const touching* touch,
                              pc_pattern* pattern)
{
  int order = pattern->order;
  long long total = 0;
  for (int i = 0; i < order; i++) touch->mark[i] = -1;
  for (int j = 0; j < order; j++) {
    total += list_rows(components, touch, j, NULL);
    if (total > INT_MAX) return PC_BAD_ARGUMENT;
    pattern->start[j + 1] = (int)total;
  }
  pattern->row = pc_alloc((size_t)total, sizeof(int));
  if (!pattern->row) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < order; i++) touch->mark[i] = -1;
  for (int j = 0; j < order; j++) {
    int* row = pattern->row + pattern->start[j];
    int count = list_rows(components, touch, j, row);
    qsort(row, (size_t)count, sizeof *row, compare_ints);
  }
  return PC_OK;
}

pc_status pc_pattern_create(const pc_components* components, int c, pc_pattern* pattern,
                            pc_error* error)
{
  int order = components->start[c + 1] - components->start[c];
  *pattern = (pc_pattern){.order = order, .start = pc_alloc((size_t)order + 1, sizeof(int))};
  touching touch = {0};
  pc_status status = pattern->start ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK) status = find_touching(components, c, order, &touch);
  if (status == PC_OK) status = list_columns(components, &touch, pattern);
  free_touching(&touch);
  if (status == PC_OK) return PC_OK;
  pc_pattern_free(pattern);
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(error);
  return pc_fail(error, status, "a sparse matrix of order %d has too many entries", order);
}

void pc_pattern_free(pc_pattern* pattern)
{
  free(pattern->start);
  free(pattern->row);
  *pattern = (pc_pattern){0};
}

int pc_pattern_find(const pc_pattern* pattern, int i, int j)
{
  int low = pattern->start[j], high = pattern->start[j + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pattern->row[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  assert(low == high && pattern->row[low] == i);
  return low;
}
