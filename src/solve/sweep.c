#include "solve/sweep.h"
#include "solve/constants.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "linalg/complete_lu.h"

pc_status pc_sweep_prepare(pc_island* s, pc_sweep* sweep)
{
  size_t nodes = (size_t)s->node_count, largest = 0;
  if (s->contact_count == s->node_count) {
    *sweep = (pc_sweep){0};
    return PC_OK;
  }
  *sweep = (pc_sweep){.factor = (double**)pc_arena_doubles(s->arena, nodes),
                      .order = (int**)pc_arena_doubles(s->arena, nodes),
                      .rank = pc_arena_ints(s->arena, nodes)};
  if (!sweep->factor || !sweep->order || !sweep->rank) return PC_OUT_OF_MEMORY;
  for (int k = 0; k < s->node_count; k++) {
    if (pc_island_is_contact(s, k)) continue;
    int n = pc_island_size(s, k);
    size_t size = (size_t)n;
    double* factor = pc_arena_doubles(s->arena, size * size);
    int* order = pc_arena_ints(s->arena, 2 * size);
    if (!factor || !order) return PC_OUT_OF_MEMORY;
    memcpy(factor, &s->A.value[s->A.place[s->A.diagonal[k]]], size * size * sizeof(double));
    sweep->rank[k] = pc_complete_lu_factor(n, factor, order, order + n, PC_PIVOT_ROUND_OFF);
    sweep->factor[k] = factor;
    sweep->order[k] = order;
    if (size > largest) largest = size;
  }
  sweep->work = pc_arena_doubles(s->arena, 2 * largest);
  return sweep->work ? PC_OK : PC_OUT_OF_MEMORY;
}

double pc_sweep_equality(pc_island* s, const pc_sweep* sweep, int k)
{
  int n = pc_island_size(s, k);
  double *y = sweep->work, *z = &s->z[s->A.row[k]], change = 0;
  pc_sweep_dual(s, k, y);
  pc_complete_lu_solve(n, sweep->factor[k], sweep->order[k], sweep->order[k] + n, sweep->rank[k], y,
                       y + n);
  for (int i = 0; i < n; i++) {
    z[i] -= y[i];
    change = pc_larger(change, fabs(y[i]));
  }
  return change;
}
