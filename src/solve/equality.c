/* Equality nodes alone: a linear system, by the sparse factorisation and steps of refinement. */
#include <string.h>

#include "linalg/constants.h"
#include "solve/methods.h"

enum { CORRECTIONS = 4 };

pc_status pc_equality_solve(pc_island* s)
{
  pc_mark mark = pc_arena_mark(s->arena);
  double* dz = pc_arena_doubles(s->arena, (size_t)s->row_count);
  pc_status status = dz ? pc_island_analyse(s) : PC_OUT_OF_MEMORY;
  pc_island_offer(s, PC_METHOD_DIRECT);
  if (status == PC_OK && pc_block_lu_factor(s->lu, &s->A, PC_RANK_TOLERANCE) == PC_OK) {
    for (int i = 0; i < CORRECTIONS; i++) {
      double before = s->best_residual;
      for (int j = 0; j < s->row_count; j++) dz[j] = -s->y[j];
      pc_block_lu_solve(s->lu, dz);
      for (int j = 0; j < s->row_count; j++) s->z[j] += dz[j];
      s->iterations++;
      if (pc_island_offer(s, PC_METHOD_DIRECT) >= before ||
          s->best_residual <= PC_RESIDUAL_ROUND_OFF)
        break;
    }
  }
  pc_arena_release(s->arena, mark);
  return status;
}
