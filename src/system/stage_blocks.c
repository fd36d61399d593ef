/* The matrix of several stages by dense blocks. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/stage_patch.h"

/* ---- groups ------------------------------------------------------------------------------ */

/* Marks where the runs of an element, or of its cells, begin and end. */
static void mark_ends(const pc_element* e, unsigned char* mark)
{
  int runs = e->cell.stride ? 1 : e->block_count;
  for (int c = 0; c < e->cell.count; c++)
    for (int b = 0; b < runs; b++) {
      int first = e->u_block[b].first + c * e->cell.stride;
      mark[first] = 1;
      mark[first + (e->cell.stride ? e->cell.u : e->u_block[b].width)] = 1;
    }
}

static void number_unknowns(pc_stage_blocks* b)
{
  int n = b->system->u_count;
  for (int g = 0; g < b->group_count; g++) {
    int first = b->first[g], width = b->first[g + 1] - first;
    b->size[g] = b->m * width;
    for (int j = 0; j < b->m; j++)
      for (int i = 0; i < width; i++) {
        b->group[j * n + first + i] = g;
        b->place[j * n + first + i] = b->m * first + j * width + i;
      }
  }
}

static pc_status find_groups(pc_stage_blocks* b, pc_error* error)
{
  const pc_system* s = b->system;
  size_t n = (size_t)s->u_count, unknowns = (size_t)b->m * n;
  unsigned char* mark = pc_alloc(n + 1, 1);
  b->first = pc_alloc(n + 1, sizeof(int));
  b->size = pc_alloc(n, sizeof(int));
  b->group = pc_alloc(unknowns, sizeof(int));
  b->place = pc_alloc(unknowns, sizeof(int));
  if (!mark || !b->first || !b->size || !b->group || !b->place) {
    free(mark);
    return pc_no_memory(error);
  }
  pc_element found;
  for (int i = 0; i < pc_system_all_elements(s); i++)
    mark_ends(pc_system_element_at(s, i, &found), mark);
  for (int p = 0; p < s->part_count; p++) mark[s->part[p].u_first] = 1;
  for (int i = 0; i < s->u_count; i++)
    if (mark[i] || i == 0) b->first[b->group_count++] = i;
  b->first[b->group_count] = s->u_count;
  number_unknowns(b);
  free(mark);
  return PC_OK;
}

/* ---- edges ------------------------------------------------------------------------------- */

/* The groups of a patch, in its own order. Each is there as a whole. */
static int list_groups(const pc_stage_blocks* b, const pc_patch* p, int* group)
{
  const pc_element* e = p->e;
  int count = 0, runs = e->cell.stride ? 1 : e->block_count;
  for (int r = 0; r < runs; r++) {
    int first = e->u_block[r].first + p->cell * e->cell.stride;
    int end = first + (e->cell.stride ? p->n_u : e->u_block[r].width);
    while (first < end) {
      group[count++] = b->group[first];
      first = b->first[b->group[first] + 1];
    }
  }
  return count;
}

/* All pairs of groups of an element; `edge` may be NULL. Returns how many. */
static int list_edges(const pc_stage_blocks* b, int element, pc_edge* edge)
{
  pc_element found;
  const pc_element* e = pc_system_element_at(b->system, element, &found);
  int count = 0;
  for (int c = 0; c < e->cell.count; c++) {
    pc_patch p = {e, element, c, e->cell.u, e->cell.q};
    int groups = list_groups(b, &p, b->touched);
    for (int i = 0; i < groups; i++)
      for (int j = i + 1; j < groups; j++, count++)
        if (edge) edge[count] = (pc_edge){b->touched[i], b->touched[j]};
  }
  return count;
}

/* Whether an element couples by its mass, stiffness or damping. */
static int is_stiff(const pc_element* e, int moves)
{
  unsigned terms = PC_TERM_M | PC_TERM_H_U;
  if (moves) terms |= PC_TERM_MA_Q | PC_TERM_P_Q | PC_TERM_H_Q;
  return (e->provides & terms) != 0;
}

/* Whether an element couples whatever the percussions of its contacts are. */
static int is_fixed(const pc_element* e, int moves)
{
  return is_stiff(e, moves) || (moves && e->g_count + e->gamma_count > 0);
}

static pc_status list_elements(pc_stage_blocks* b, pc_error* error)
{
  const pc_system* s = b->system;
  size_t count = (size_t)pc_system_all_elements(s);
  int moves = b->moves < b->m, fixed_edges = 0;
  b->fixed = pc_alloc(count, sizeof(int));
  b->loaded = pc_alloc(count, sizeof(int));
  if (!b->fixed || !b->loaded) return pc_no_memory(error);
  for (int i = 0; i < pc_system_all_elements(s); i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(s, i, &found);
    if (!pc_element_couples(e, moves)) continue;
    int edges = list_edges(b, i, NULL);
    b->edge_max += edges;
    b->stiff |= edges > 0 && is_stiff(e, moves);
    if (is_fixed(e, moves)) {
      b->fixed[b->fixed_count++] = i;
      fixed_edges += edges;
    } else {
      b->loaded[b->loaded_count++] = i;
    }
  }
  b->fixed_edge = pc_alloc((size_t)fixed_edges, sizeof *b->fixed_edge);
  if (!b->fixed_edge) return pc_no_memory(error);
  for (int i = 0; i < b->fixed_count; i++)
    b->fixed_edge_count += list_edges(b, b->fixed[i], b->fixed_edge + b->fixed_edge_count);
  return PC_OK;
}

static int has_load(const pc_element* e, const double* P)
{
  for (int r = 0; r < e->row_count; r++)
    if (P[e->contact_row_first + r] != 0) return 1;
  return 0;
}

int pc_stage_blocks_edges(const pc_stage_blocks* b, const double* P, pc_edge* edge)
{
  const pc_system* s = b->system;
  int count = b->fixed_edge_count;
  memcpy(edge, b->fixed_edge, (size_t)count * sizeof *edge);
  for (int i = 0; i < b->loaded_count; i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(s, b->loaded[i], &found);
    for (int j = b->moves; j < b->loads; j++) {
      if (!has_load(e, P + (size_t)j * (size_t)s->row_count)) continue;
      count += list_edges(b, b->loaded[i], edge + count);
      break;
    }
  }
  return count;
}

/* ---- creation ---------------------------------------------------------------------------- */

pc_status pc_stage_blocks_create(const pc_system* system, int m, int moves, int loads,
                                 pc_stage_blocks** blocks, pc_error* error)
{
  *blocks = NULL;
  pc_stage_blocks* b = pc_alloc(1, sizeof *b);
  if (!b) return pc_no_memory(error);
  b->system = system;
  b->m = m;
  b->moves = moves;
  b->loads = loads;
  b->work = pc_alloc(1, sizeof *b->work);
  b->touched = pc_alloc((size_t)system->u_count, sizeof *b->touched);
  pc_status status = b->work && b->touched ? PC_OK : pc_no_memory(error);
  if (status == PC_OK) status = pc_patch_work_create(system, m, b->work, error);
  if (status == PC_OK) status = find_groups(b, error);
  if (status == PC_OK) status = list_elements(b, error);
  if (status != PC_OK) {
    pc_stage_blocks_destroy(b);
    return status;
  }
  *blocks = b;
  return PC_OK;
}

void pc_stage_blocks_destroy(pc_stage_blocks* b)
{
  if (!b) return;
  if (b->work) pc_patch_work_free(b->work);
  void* array[] = {b->first,   b->size,  b->group,  b->place,     b->work,
                   b->touched, b->fixed, b->loaded, b->fixed_edge};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(b);
}

/* ---- entries ----------------------------------------------------------------------------- */

/* The part of a patch's matrix that belongs to one pair of groups, at `row` and `column` within a
 * stage. */
static void add_pair(const pc_stage_blocks* b, const pc_patch* p, int row, int column, int height,
                     int width, double* to)
{
  int m = b->m, stride = m * p->n_u;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < height; i++) {
      const double* line = b->work->big + (j * p->n_u + row + i) * stride + column;
      for (int l = 0; l < m; l++, line += p->n_u, to += width)
        for (int k = 0; k < width; k++) to[k] += line[k];
    }
}

static void add_patch(const pc_stage_blocks* b, const pc_patch* p, const pc_stage_at* stage,
                      double* F, pc_block_matrix* matrix)
{
  pc_patch_fill(b->system, p, b->m, stage, b->work, F);
  int groups = list_groups(b, p, b->touched), row = 0;
  for (int i = 0; i < groups; i++) {
    int g = b->touched[i], height = b->first[g + 1] - b->first[g], column = 0;
    for (int k = 0; k < groups; k++) {
      int to = b->touched[k], width = b->first[to + 1] - b->first[to];
      add_pair(b, p, row, column, height, width, pc_block_matrix_find(matrix, g, to));
      column += width;
    }
    row += height;
  }
}

static void add_element(const pc_stage_blocks* b, int element, const pc_stage_at* stage, double* F,
                        pc_block_matrix* matrix)
{
  pc_element found;
  const pc_element* e = pc_system_element_at(b->system, element, &found);
  for (int c = 0; c < e->cell.count; c++) {
    pc_patch p = {e, element, c, e->cell.u, e->cell.q};
    add_patch(b, &p, stage, F, matrix);
  }
}

void pc_stage_blocks_add(const pc_stage_blocks* b, const pc_stage_at* stage, double* F,
                         pc_block_matrix* matrix)
{
  const pc_system* s = b->system;
  for (int i = 0; i < b->fixed_count; i++) add_element(b, b->fixed[i], stage, F, matrix);
  for (int i = 0; i < b->loaded_count; i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(s, b->loaded[i], &found);
    for (int j = b->moves; j < b->loads; j++) {
      if (!has_load(e, stage[j].P)) continue;
      add_element(b, b->loaded[i], stage, F, matrix);
      break;
    }
  }
}
