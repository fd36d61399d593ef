#include "linalg/components.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* The number of indices of all sets together, or a failure if one is out of range. */
static pc_status count_indices(int n, int set_count, const pc_index_set* set, int* total,
                               pc_error* error)
{
  long long sum = 0;
  for (int s = 0; s < set_count; s++)
    for (int b = 0; b < set[s].block_count; b++) {
      pc_block block = set[s].block[b];
      if (block.first < 0 || block.width < 0 || block.first > n - block.width)
        return pc_fail(error, PC_BAD_ARGUMENT,
                       "index set %d: block of width %d at %d does not fit into order %d", s,
                       block.width, block.first, n);
      sum += block.width;
    }
  if (sum > INT_MAX)
    return pc_fail(error, PC_BAD_ARGUMENT, "index sets with %lld entries are too large", sum);
  *total = (int)sum;
  return PC_OK;
}

static void expand_sets(const pc_index_set* set, pc_components* components)
{
  int next = 0;
  for (int s = 0; s < components->set_count; s++) {
    components->set_start[s] = next;
    for (int b = 0; b < set[s].block_count; b++)
      for (int i = 0; i < set[s].block[b].width; i++)
        components->set_index[next++] = set[s].block[b].first + i;
  }
  components->set_start[components->set_count] = next;
}

static int find_root(int* parent, int i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Union-find; the root of a tree is its smallest index, so that the numbering is ascending. */
static void join_sets(const pc_components* components, int* parent)
{
  for (int i = 0; i < components->n; i++) parent[i] = i;
  for (int s = 0; s < components->set_count; s++) {
    int start = components->set_start[s];
    for (int k = start + 1; k < components->set_start[s + 1]; k++) {
      int a = find_root(parent, components->set_index[start]);
      int b = find_root(parent, components->set_index[k]);
      if (a < b) parent[b] = a;
      if (b < a) parent[a] = b;
    }
  }
}

/* `of` comes in as the forest of the union-find and goes out as the component numbers. */
static void number_components(pc_components* components)
{
  int n = components->n;
  int* of = components->of;
  for (int i = 0; i < n; i++) of[i] = find_root(of, i);
  for (int i = 0; i < n; i++) of[i] = of[i] == i ? components->count++ : of[of[i]];
  for (int i = 0; i < n; i++) components->local[i] = components->start[of[i] + 1]++;
  for (int c = 0; c < components->count; c++) components->start[c + 1] += components->start[c];
  for (int i = 0; i < n; i++)
    components->member[components->start[of[i]] + components->local[i]] = i;
}

pc_status pc_components_find(int n, int set_count, const pc_index_set* set,
                             pc_components* components, pc_error* error)
{
  int total = 0;
  PC_TRY(count_indices(n, set_count, set, &total, error));
  size_t size = (size_t)n;
  *components = (pc_components){
      .n = n,
      .set_count = set_count,
      .set_start = pc_alloc((size_t)set_count + 1, sizeof(int)),
      .set_index = pc_alloc((size_t)total, sizeof(int)),
      .start = pc_alloc(size + 1, sizeof(int)),
      .member = pc_alloc(size, sizeof(int)),
      .of = pc_alloc(size, sizeof(int)),
      .local = pc_alloc(size, sizeof(int)),
  };
  if (!components->set_start || !components->set_index || !components->start ||
      !components->member || !components->of || !components->local) {
    pc_components_free(components);
    return pc_no_memory(error);
  }
  expand_sets(set, components);
  join_sets(components, components->of);
  number_components(components);
  int entries = (int)size + 1; /* of `start`, which has space for components of one index each */
  if (pc_trim((void**)&components->start, &entries, components->count + 1, sizeof(int)) == PC_OK)
    return PC_OK;
  pc_components_free(components);
  return pc_no_memory(error);
}

void pc_components_release_sets(pc_components* components)
{
  free(components->set_start);
  free(components->set_index);
  components->set_start = components->set_index = NULL;
}

void pc_components_free(pc_components* components)
{
  pc_components_release_sets(components);
  free(components->start);
  free(components->member);
  free(components->of);
  free(components->local);
  *components = (pc_components){0};
}

void pc_components_reorder(pc_components* components, int c, const int* order, int* work)
{
  int* member = components->member + components->start[c];
  int count = components->start[c + 1] - components->start[c];
  for (int k = 0; k < count; k++) work[k] = member[order[k]];
  for (int k = 0; k < count; k++) {
    member[k] = work[k];
    components->local[work[k]] = k;
  }
}
