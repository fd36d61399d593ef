/* Islands: the connected components of the block pattern, by union and find. */
#include <string.h>

#include "solve/island.h"

static int root_of(int* parent, int k)
{
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/* Joins all nodes that share a block; the root of an island is its first node. */
static void join(const pc_problem* problem, int* parent)
{
  for (int k = 0; k < problem->node_count; k++) parent[k] = k;
  for (int k = 0; k < problem->node_count; k++) {
    for (int e = problem->start[k]; e < problem->start[k + 1] && problem->column[e] < k; e++) {
      int a = root_of(parent, k), b = root_of(parent, problem->column[e]);
      if (a < b) parent[b] = a;
      if (b < a) parent[a] = b;
    }
  }
}

pc_status pc_find_islands(const pc_problem* problem, pc_arena* arena, pc_islands* islands)
{
  size_t n = (size_t)problem->node_count;
  int* island_of = pc_arena_ints(arena, n); /* first the parents, then the islands */
  *islands = (pc_islands){.first = pc_arena_ints(arena, n + 1),
                          .member = pc_arena_ints(arena, n),
                          .local = pc_arena_ints(arena, n)};
  if (!island_of || !islands->first || !islands->member || !islands->local) return PC_OUT_OF_MEMORY;

  join(problem, island_of);
  memset(islands->first, 0, (n + 1) * sizeof(int));
  for (int k = 0; k < problem->node_count; k++) islands->local[k] = root_of(island_of, k);
  for (int k = 0; k < problem->node_count; k++) {
    int root = islands->local[k];
    island_of[k] = root == k ? islands->count++ : island_of[root];
  }
  for (int k = 0; k < problem->node_count; k++) {
    int* size = &islands->first[island_of[k] + 1];
    islands->local[k] = (*size)++;
  }
  for (int i = 0; i < islands->count; i++) islands->first[i + 1] += islands->first[i];
  for (int k = 0; k < problem->node_count; k++)
    islands->member[islands->first[island_of[k]] + islands->local[k]] = k;
  return PC_OK;
}
