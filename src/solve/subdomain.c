#include "solve/subdomain.h"

#include <string.h>

#include "base/status.h"

/* The arrays of a subdomain while they are filled. */
typedef struct arrays {
  pc_problem_node* node;
  int *row, *start, *column;
  size_t* place;
  double *value, *b;
} arrays;

/* Numbers the nodes that are taken; counts rows, blocks and their entries. */
static void count(const pc_island* s, const int* local, size_t* rows, size_t* blocks,
                  size_t* entries)
{
  const pc_block_matrix* A = &s->A;
  *rows = *blocks = *entries = 0;
  for (int k = 0; k < s->node_count; k++) {
    if (local[k] < 0) continue;
    size_t size = (size_t)pc_island_size(s, k);
    *rows += size;
    for (int e = A->start[k]; e < A->start[k + 1]; e++) {
      if (local[A->column[e]] < 0) continue;
      *blocks += 1;
      *entries += size * (size_t)pc_island_size(s, A->column[e]);
    }
  }
}

static pc_status allocate(const pc_island* s, size_t nodes, pc_subdomain* d, arrays* a)
{
  size_t rows, blocks, entries;
  count(s, d->local, &rows, &blocks, &entries);
  *a = (arrays){.node = (pc_problem_node*)pc_arena_doubles(s->arena, 2 * nodes),
                .row = pc_arena_ints(s->arena, nodes + 1),
                .start = pc_arena_ints(s->arena, nodes + 1),
                .column = pc_arena_ints(s->arena, blocks),
                .place = (size_t*)pc_arena_doubles(s->arena, blocks),
                .value = pc_arena_doubles(s->arena, entries),
                .b = pc_arena_doubles(s->arena, rows)};
  d->z = pc_arena_doubles(s->arena, rows);
  int complete = a->node && a->row && a->start && a->column && a->place && a->value && a->b && d->z;
  return complete ? PC_OK : PC_OUT_OF_MEMORY;
}

/* y += a x for a block. */
static void add_product(int rows, int columns, const double* a, const double* x, double* y)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) y[i] += a[i * columns + j] * x[j];
}

/* The blocks of node k inside, from number `next` on; those outside go to b. */
static void take_blocks(const pc_island* s, const int* local, int k, int* next, size_t* at,
                        arrays* a)
{
  int rows = pc_island_size(s, k);
  double* b = &a->b[a->row[local[k]]];
  for (int e = s->A.start[k]; e < s->A.start[k + 1]; e++) {
    int j = s->A.column[e], columns = pc_island_size(s, j);
    const double* block = &s->A.value[s->A.place[e]];
    if (local[j] < 0) {
      add_product(rows, columns, block, &s->z[s->A.row[j]], b);
      continue;
    }
    size_t entries = (size_t)rows * (size_t)columns;
    memcpy(&a->value[*at], block, entries * sizeof(double));
    a->column[*next] = local[j];
    a->place[(*next)++] = *at;
    *at += entries;
  }
}

pc_status pc_subdomain_extract(const pc_island* s, const unsigned char* taken, pc_subdomain* d)
{
  arrays a;
  int nodes = 0, next = 0;
  size_t at = 0;
  *d = (pc_subdomain){.local = pc_arena_ints(s->arena, (size_t)s->node_count)};
  if (!d->local) return PC_OUT_OF_MEMORY;
  for (int k = 0; k < s->node_count; k++) d->local[k] = taken[k] ? nodes++ : -1;
  PC_TRY(allocate(s, (size_t)nodes, d, &a));
  a.row[0] = 0;
  for (int k = 0; k < s->node_count; k++) {
    int l = d->local[k], size = pc_island_size(s, k);
    if (l < 0) continue;
    a.node[l] = s->node[k];
    a.row[l + 1] = a.row[l] + size;
    a.start[l] = next;
    memcpy(&a.b[a.row[l]], &s->b[s->A.row[k]], (size_t)size * sizeof(double));
    memcpy(&d->z[a.row[l]], &s->z[s->A.row[k]], (size_t)size * sizeof(double));
    take_blocks(s, d->local, k, &next, &at, &a);
  }
  a.start[nodes] = next;
  d->problem = (pc_problem){nodes, a.node, a.row, a.start, a.column, a.place, a.value, a.b};
  return PC_OK;
}

void pc_subdomain_put(const pc_subdomain* d, pc_island* s)
{
  for (int k = 0; k < s->node_count; k++) {
    if (d->local[k] < 0) continue;
    size_t bytes = (size_t)pc_island_size(s, k) * sizeof(double);
    memcpy(&s->z[s->A.row[k]], &d->z[d->problem.row[d->local[k]]], bytes);
  }
}
