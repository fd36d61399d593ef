#include "schemes/generalized_alpha/sparse_saddle.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"

struct pc_alpha_sparse_saddle {
  int n, group_count;
  int* first;             /* group_count + 1: the velocities of a group */
  int* group;             /* n: of each velocity */
  int entry_count;        /* of A */
  size_t* target;         /* entry_count: where an entry of A goes, in the order of a visit */
  int count;              /* of constraints */
  int node_count;         /* groups, then nodes of constraints */
  int* node;              /* rows_max: of each constraint */
  const pc_block** shape; /* rows_max: the runs of each, by which a pattern is known ... */
  int* owner;             /* rows_max: ... and its owner */
  int shape_count;        /* -1: none */
  int* size;              /* of nodes */
  unsigned char* late;    /* nodes: constraints */
  pc_edge* edge;
  int edge_count, edge_capacity, A_edge_count; /* the first ones are those of A */
  pc_edge* A_edge;                             /* by blocks: those of A as it is now */
  pc_block_matrix matrix;
  pc_block_lu* lu;
  double *solution, *product; /* n + rows_max */
};

/* ---- creation ----------------------------------------------------------------------------- */

static pc_status add_edge(pc_alpha_sparse_saddle* s, int i, int j)
{
  if (s->edge_count == s->edge_capacity) {
    int capacity = 2 * s->edge_capacity + 64;
    pc_edge* grown = realloc(s->edge, (size_t)capacity * sizeof *grown);
    if (!grown) return PC_OUT_OF_MEMORY;
    s->edge = grown;
    s->edge_capacity = capacity;
  }
  s->edge[s->edge_count++] = (pc_edge){i, j};
  return PC_OK;
}

static void note_entry(void* user, int i, int j, double value)
{
  pc_alpha_sparse_saddle* s = user;
  (void)value;
  s->entry_count++;
  if (i != s->first[s->group[i]] || j != s->first[s->group[j]] || s->group[i] >= s->group[j])
    return;
  if (add_edge(s, s->group[i], s->group[j]) != PC_OK) s->edge_capacity = -1;
}

static void number_groups(pc_alpha_sparse_saddle* s)
{
  for (int g = 0; g < s->group_count; g++) {
    s->size[g] = s->first[g + 1] - s->first[g];
    for (int i = s->first[g]; i < s->first[g + 1]; i++) s->group[i] = g;
  }
}

static pc_status read_assembly(pc_alpha_sparse_saddle* s, const pc_assembly* A, pc_error* error)
{
  s->group_count = pc_assembly_find_groups(A, s->first);
  number_groups(s);
  pc_assembly_visit(A, note_entry, s);
  s->A_edge_count = s->edge_count;
  s->target = pc_alloc((size_t)s->entry_count, sizeof *s->target);
  return s->edge_capacity < 0 || !s->target ? pc_no_memory(error) : PC_OK;
}

/* Their edges are found whenever a matrix comes. */
static pc_status read_blocks(pc_alpha_sparse_saddle* s, const pc_stage_blocks* blocks,
                             pc_error* error)
{
  s->group_count = blocks->group_count;
  memcpy(s->first, blocks->first, ((size_t)s->group_count + 1) * sizeof *s->first);
  number_groups(s);
  s->edge_capacity = blocks->edge_max + 1;
  s->edge = pc_alloc((size_t)s->edge_capacity, sizeof *s->edge);
  s->A_edge = pc_alloc((size_t)s->edge_capacity, sizeof *s->A_edge);
  return s->edge && s->A_edge ? PC_OK : pc_no_memory(error);
}

pc_status pc_alpha_sparse_saddle_create(pc_alpha_operator A, int rows_max,
                                        pc_alpha_sparse_saddle** saddle, pc_error* error)
{
  *saddle = NULL;
  pc_alpha_sparse_saddle* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->n = A.assembly ? pc_assembly_order(A.assembly) : A.blocks->first[A.blocks->group_count];
  s->shape_count = -1;
  size_t n = (size_t)s->n, rows = (size_t)rows_max;
  s->first = pc_alloc(n + 1, sizeof *s->first);
  s->group = pc_alloc(n, sizeof *s->group);
  s->node = pc_alloc(rows, sizeof *s->node);
  s->shape = pc_alloc(rows, sizeof *s->shape);
  s->owner = pc_alloc(rows, sizeof *s->owner);
  s->size = pc_alloc(n + rows, sizeof *s->size);
  s->late = pc_alloc(n + rows, sizeof *s->late);
  s->solution = pc_alloc(n + rows, sizeof *s->solution);
  s->product = pc_alloc(n + rows, sizeof *s->product);
  int made = s->first && s->group && s->node && s->shape && s->owner && s->size && s->late &&
             s->solution && s->product;
  pc_status status = !made        ? pc_no_memory(error)
                     : A.assembly ? read_assembly(s, A.assembly, error)
                                  : read_blocks(s, A.blocks, error);
  if (status == PC_OK) status = pc_block_lu_create(&s->lu, error);
  if (status != PC_OK) {
    pc_alpha_sparse_saddle_destroy(s);
    return status;
  }
  *saddle = s;
  return PC_OK;
}

void pc_alpha_sparse_saddle_destroy(pc_alpha_sparse_saddle* s)
{
  if (!s) return;
  void* array[] = {s->first, s->group, s->target, s->node,   (void*)s->shape, s->owner,
                   s->size,  s->late,  s->edge,   s->A_edge, s->solution,     s->product};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_block_matrix_free(&s->matrix);
  pc_block_lu_destroy(s->lu);
  free(s);
}

/* ---- the pattern -------------------------------------------------------------------------- */

/* By blocks: lists the edges of A; whether they are those of the pattern. */
static int has_edges(pc_alpha_sparse_saddle* s, pc_alpha_operator A, int* count)
{
  *count = pc_stage_blocks_edges(A.blocks, A.at->P, s->A_edge);
  return *count == s->A_edge_count && !memcmp(s->A_edge, s->edge, (size_t)*count * sizeof *s->edge);
}

static int has_shape(pc_alpha_sparse_saddle* s, pc_alpha_operator A, int count, const int* owner,
                     const pc_row* row)
{
  int edges = s->A_edge_count;
  if (!A.assembly && !has_edges(s, A, &edges)) {
    memcpy(s->edge, s->A_edge, (size_t)edges * sizeof *s->edge);
    s->A_edge_count = edges;
    return 0;
  }
  if (count != s->shape_count) return 0;
  for (int r = 0; r < count; r++)
    if (row[r].block != s->shape[r] || (owner ? owner[r] : 0) != s->owner[r]) return 0;
  return 1;
}

/* A node holds constraints that follow each other and have the same runs and owner. */
static pc_status find_nodes(pc_alpha_sparse_saddle* s, int count, const int* owner,
                            const pc_row* row)
{
  s->node_count = s->group_count;
  s->edge_count = s->A_edge_count;
  for (int r = 0; r < count; r++) {
    s->shape[r] = row[r].block;
    s->owner[r] = owner ? owner[r] : 0;
    if (r > 0 && row[r].block == row[r - 1].block && s->owner[r] == s->owner[r - 1]) {
      s->node[r] = s->node[r - 1];
      s->size[s->node[r]]++;
      continue;
    }
    s->node[r] = s->node_count++;
    s->size[s->node[r]] = 1;
    for (int b = 0; b < row[r].block_count; b++) {
      int end = row[r].block[b].first + row[r].block[b].width;
      for (int i = row[r].block[b].first; i < end; i = s->first[s->group[i] + 1])
        if (add_edge(s, s->group[i], s->node[r]) != PC_OK) return PC_OUT_OF_MEMORY;
    }
  }
  for (int i = 0; i < s->node_count; i++) s->late[i] = i >= s->group_count;
  return PC_OK;
}

typedef struct place {
  pc_alpha_sparse_saddle* saddle;
  int at;
} place;

static void find_target(void* user, int i, int j, double value)
{
  place* p = user;
  pc_alpha_sparse_saddle* s = p->saddle;
  int g = s->group[i], h = s->group[j];
  const double* block = pc_block_matrix_find(&s->matrix, g, h);
  (void)value;
  s->target[p->at++] = (size_t)(block - s->matrix.value) +
                       (size_t)((i - s->first[g]) * s->size[h] + j - s->first[h]);
}

static pc_status set_shape(pc_alpha_sparse_saddle* s, pc_alpha_operator A, int count,
                           const int* owner, const pc_row* row, pc_error* error)
{
  s->shape_count = -1;
  if (find_nodes(s, count, owner, row) != PC_OK) return pc_no_memory(error);
  PC_TRY(pc_block_matrix_shape(&s->matrix, s->node_count, s->size, s->edge_count, s->edge, error));
  place at = {s, 0};
  if (A.assembly) pc_assembly_visit(A.assembly, find_target, &at);
  s->shape_count = count;
  return PC_OK;
}

/* ---- values ------------------------------------------------------------------------------- */

static void add_entry(void* user, int i, int j, double value)
{
  place* p = user;
  (void)i;
  (void)j;
  p->saddle->matrix.value[p->saddle->target[p->at++]] += value;
}

/* Constraint r, at place `in` of its node: -W' in its column, J in its row. */
static void add_constraint(pc_alpha_sparse_saddle* s, int r, int in, pc_row force, pc_row measure)
{
  int node = s->node[r], width = s->size[node];
  const double *w = force.w, *j = measure.w;
  for (int b = 0; b < force.block_count; b++) {
    int i = force.block[b].first, end = i + force.block[b].width;
    while (i < end) {
      int g = s->group[i], size = s->size[g];
      double* column = pc_block_matrix_find(&s->matrix, g, node);
      double* row = pc_block_matrix_find(&s->matrix, node, g);
      for (; i < end && i < s->first[g + 1]; i++, w++, j++) {
        column[(i - s->first[g]) * width + in] -= *w;
        row[in * size + i - s->first[g]] += *j;
      }
    }
  }
}

static void add_matrix(pc_alpha_sparse_saddle* s, pc_alpha_operator A)
{
  place at = {s, 0};
  pc_block_matrix_clear(&s->matrix);
  if (A.assembly)
    pc_assembly_visit(A.assembly, add_entry, &at);
  else
    pc_stage_blocks_add(A.blocks, A.at, NULL, &s->matrix);
}

pc_status pc_alpha_sparse_saddle_fill(pc_alpha_sparse_saddle* s, pc_alpha_operator A, int count,
                                      const int* owner, const pc_row* force, const pc_row* measure,
                                      pc_error* error)
{
  if (!has_shape(s, A, count, owner, force)) PC_TRY(set_shape(s, A, count, owner, force, error));
  s->count = count;
  add_matrix(s, A);
  for (int r = 0, in = 0; r < count; r++) {
    in = r > 0 && s->node[r] == s->node[r - 1] ? in + 1 : 0;
    add_constraint(s, r, in, force[r], measure[r]);
  }
  return PC_OK;
}

const pc_block_matrix* pc_alpha_sparse_saddle_matrix(const pc_alpha_sparse_saddle* s)
{
  return &s->matrix;
}

int pc_alpha_sparse_saddle_node(const pc_alpha_sparse_saddle* s, int constraint)
{
  return s->node[constraint];
}

pc_status pc_alpha_sparse_saddle_factor(pc_alpha_sparse_saddle* s, double tolerance,
                                        pc_error* error)
{
  PC_TRY(pc_block_lu_analyse(s->lu, &s->matrix, s->late, error));
  return pc_block_lu_factor(s->lu, &s->matrix, tolerance);
}

void pc_alpha_sparse_saddle_solve(pc_alpha_sparse_saddle* s, const double* c, double* x, double* y)
{
  double* z = s->solution;
  pc_copy(s->n, x, z);
  for (int r = 0; r < s->count; r++) z[s->n + r] = c[r];
  pc_block_lu_solve(s->lu, z);
  pc_copy(s->n, z, x);
  for (int r = 0; r < s->count; r++) y[r] = z[s->n + r];
}

void pc_alpha_sparse_saddle_times(const pc_alpha_sparse_saddle* s, const double* x, double* y)
{
  double *from = s->solution, *to = s->product;
  pc_zero(s->n + s->count, from);
  pc_zero(s->n + s->count, to);
  pc_copy(s->n, x, from);
  pc_block_matrix_times(&s->matrix, from, to);
  for (int i = 0; i < s->n; i++) y[i] += to[i];
}
