/* The matrix of several stages, assembled element by element. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/stage_patch.h"

struct pc_stage_tangent {
  const pc_system* system;
  int m;
  int moves;
  pc_assembly* matrix;
  int is_one_patch; /* the matrix is that of a single one, in its order */
  pc_patch_work work;
};

/* Index sets: the runs of an element, or of each of its cells, once for each stage. */
static int list_sets(const pc_system* s, int m, int moves, pc_index_set* set, pc_block* block)
{
  int count = 0;
  for (int i = 0; i < pc_system_all_elements(s); i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(s, i, &found);
    if (!pc_element_couples(e, moves)) continue;
    for (int c = 0; c < e->cell.count; c++) {
      int runs = e->cell.stride ? 1 : e->block_count;
      set[count++] = (pc_index_set){m * runs, block, 0};
      for (int j = 0; j < m; j++)
        for (int b = 0; b < runs; b++, block++) {
          *block = e->u_block[b];
          block->first += j * s->u_count + c * e->cell.stride;
          if (e->cell.stride) block->width = e->cell.u;
        }
    }
  }
  return count;
}

static pc_status create_matrix(pc_stage_tangent* t, pc_error* error)
{
  const pc_system* s = t->system;
  size_t sets = 0, blocks = 0;
  for (int i = 0; i < pc_system_all_elements(s); i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(s, i, &found);
    sets += (size_t)e->cell.count;
    blocks += (size_t)(e->cell.count * e->block_count * t->m);
  }
  pc_index_set* set = pc_alloc(sets, sizeof *set);
  pc_block* block = pc_alloc(blocks, sizeof *block);
  pc_status status = PC_OUT_OF_MEMORY;
  if (set && block) {
    int count = list_sets(s, t->m, t->moves, set, block);
    int only_mass = !t->moves && !(pc_system_provides(s) & PC_TERM_H_U);
    status =
        pc_assembly_create(t->m * s->u_count, count, set,
                           only_mass ? PC_POSITIVE_DEFINITE : PC_UNSYMMETRIC, &t->matrix, error);
  } else {
    pc_no_memory(error);
  }
  free(set);
  free(block);
  return status;
}

pc_status pc_stage_tangent_create(const pc_system* system, int m, int moves,
                                  pc_stage_tangent** tangent, pc_error* error)
{
  *tangent = NULL;
  pc_stage_tangent* t = pc_alloc(1, sizeof *t);
  if (!t) return pc_no_memory(error);
  t->system = system;
  t->m = m;
  t->moves = moves;
  pc_status status = pc_patch_work_create(system, m, &t->work, error);
  if (status == PC_OK) status = create_matrix(t, error);
  if (status == PC_OK) t->is_one_patch = moves && pc_assembly_is_one_set(t->matrix);
  if (status != PC_OK) {
    pc_stage_tangent_destroy(t);
    return status;
  }
  *tangent = t;
  return PC_OK;
}

void pc_stage_tangent_destroy(pc_stage_tangent* t)
{
  if (!t) return;
  pc_assembly_destroy(t->matrix);
  pc_patch_work_free(&t->work);
  free(t);
}

const pc_assembly* pc_stage_tangent_matrix(const pc_stage_tangent* t)
{
  return t->matrix;
}

/* The patch's matrix, on index set `set`. With a single stage, whose coordinates are given, it is
 * M - f v h_u. */
static void add_patch(pc_stage_tangent* t, const pc_patch* p, int set, const pc_stage_at* stage,
                      double* F)
{
  const pc_local* l = pc_terms_local(stage[0].terms, p->index);
  int size = p->n_u * p->n_u;
  if (!t->moves) {
    double space[PC_THIN_MOST * PC_THIN_MOST];
    const double* M = pc_terms_M(stage[0].terms, p->index, space);
    if (M) pc_assembly_add(t->matrix, set, 1, M + p->cell * size);
    double f = -stage[0].f * stage[0].motion->v[0];
    if (l->h_u) pc_assembly_add(t->matrix, set, f, l->h_u + p->cell * size);
    return;
  }
  pc_patch_fill(t->system, p, t->m, stage, &t->work, F);
  if (t->is_one_patch)
    pc_assembly_put(t->matrix, t->work.big);
  else
    pc_assembly_add(t->matrix, set, 1, t->work.big);
}

pc_status pc_stage_tangent_factor(pc_stage_tangent* t, const pc_stage_at* stage, double* F)
{
  const pc_system* s = t->system;
  int set = 0;
  if (!t->is_one_patch) pc_assembly_clear(t->matrix);
  for (int i = 0; i < pc_system_all_elements(s); i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(s, i, &found);
    if (!pc_element_couples(e, t->moves)) continue;
    for (int c = 0; c < e->cell.count; c++) {
      pc_patch p = {e, i, c, e->cell.u, e->cell.q};
      add_patch(t, &p, set++, stage, F);
    }
  }
  return pc_assembly_factor(t->matrix);
}
