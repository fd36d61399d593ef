/* A matrix whose pattern follows the rows that act. */
#include "implicit/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/dense.h"

void pc_implicit_saddle_destroy(pc_saddle* a)
{
  if (!a) return;
  pc_block_matrix_free(&a->matrix);
  pc_block_matrix_free(&a->units.matrix);
  pc_block_lu_destroy(a->lu);
  void* array[] = {a->size,
                   a->late,
                   a->unit_node,
                   a->filled,
                   a->at,
                   a->weight,
                   a->row_weight,
                   a->x,
                   a->pattern.edge,
                   a->pattern.known_edge,
                   a->pattern.known_size,
                   a->group.factor,
                   a->group.pivot,
                   a->b,
                   a->law,
                   a->units.edge,
                   a->node};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(a);
}

static pc_status create(pc_implicit_step* s, pc_error* error)
{
  const pc_implicit_graph* g = s->problem->graph;
  size_t units = (size_t)g->unit_count + (size_t)s->contact_max;
  size_t nodes = (size_t)g->group_count + units, rows = (size_t)s->row_max;
  pc_saddle* a = s->saddle = pc_alloc(1, sizeof *a);
  if (!a) return pc_no_memory(error);
  int bad = 0;
  bad |= !(a->size = pc_alloc(nodes, sizeof(int)));
  bad |= !(a->pattern.known_size = pc_alloc(nodes, sizeof(int)));
  bad |= !(a->late = pc_alloc(nodes, 1));
  bad |= !(a->law = pc_alloc(nodes, sizeof *a->law));
  bad |= !(a->filled = pc_alloc(nodes, sizeof(int)));
  bad |= !(a->unit_node = pc_alloc(units, sizeof(int)));
  bad |= !(a->node = pc_alloc(rows, sizeof(int)));
  bad |= !(a->at = pc_alloc(rows, sizeof(int)));
  bad |= !(a->weight = pc_alloc(rows, sizeof(double)));
  bad |= !(a->row_weight = pc_alloc(rows, sizeof(double)));
  if (bad) return pc_no_memory(error);
  for (size_t u = 0; u < units; u++) a->unit_node[u] = -1;
  a->pattern.known_node_count = -1;
  return pc_block_lu_create(&a->lu, error);
}

/* ---- the pattern ------------------------------------------------------------------------- */

static int unit_of(const pc_implicit_graph* g, int row, int law)
{
  return law < 0 ? g->unit[row] : g->unit_count + law;
}

/* The node of active row i, made when its unit is met first. */
static void assign_node(pc_implicit_step* s, int i, int law)
{
  pc_saddle* a = s->saddle;
  int* node = &a->unit_node[unit_of(s->problem->graph, s->active.row[i], law)];
  if (*node < 0) {
    *node = a->node_count++;
    a->size[*node] = 0;
    a->late[*node] = 1;
  }
  a->size[*node]++;
  a->node[i] = *node;
}

/* Numbers the units that act, behind the groups, and counts their rows. */
static void number_nodes(pc_implicit_step* s, int by_law)
{
  const pc_implicit_problem* p = s->problem;
  const pc_implicit_graph* g = p->graph;
  pc_saddle* a = s->saddle;
  a->node_count = g->group_count;
  memcpy(a->size, g->size, (size_t)g->group_count * sizeof *a->size);
  memset(a->late, 0, (size_t)g->group_count);
  for (int i = 0; i < p->bilateral_count; i++) assign_node(s, i, -1);
  for (int c = 0; c < s->active.closed_count; c++) {
    int k = s->active.closed[c], i = s->active.place[p->cone[k].row];
    for (int f = 0; f <= p->cone[k].dimension; f++) assign_node(s, i + f, by_law ? k : -1);
  }
  for (int i = 0; i < p->bilateral_count; i++) a->unit_node[g->unit[s->active.row[i]]] = -1;
  for (int c = 0; c < s->active.closed_count; c++)
    a->unit_node[unit_of(g, p->cone[s->active.closed[c]].row, by_law ? s->active.closed[c] : -1)] =
        -1;
}

static pc_status add_edge(pc_saddle* a, int i, int j, pc_error* error)
{
  if (pc_reserve((void**)&a->pattern.edge, &a->pattern.edge_capacity,
                 (size_t)a->pattern.edge_count + 1, sizeof *a->pattern.edge) != PC_OK)
    return pc_no_memory(error);
  a->pattern.edge[a->pattern.edge_count++] = (pc_edge){i, j};
  return PC_OK;
}

/* Edges between a unit and the groups of one of its rows. */
static pc_status add_unit_edges(pc_implicit_step* s, int node, int row, pc_error* error)
{
  const int* group = s->problem->graph->group;
  pc_row w = s->problem->column(s->problem->user, row);
  for (int b = 0; b < w.block_count; b++)
    for (int i = 0, last = -1; i < w.block[b].width; i++) {
      int now = group[w.block[b].first + i];
      if (now != last) PC_TRY(add_edge(s->saddle, node, now, error));
      last = now;
    }
  return PC_OK;
}

static pc_status list_edges(pc_implicit_step* s, const double* P, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  const pc_implicit_graph* g = p->graph;
  pc_saddle* a = s->saddle;
  if (pc_reserve((void**)&a->pattern.edge, &a->pattern.edge_capacity, (size_t)g->edge_max + 1,
                 sizeof *a->pattern.edge) != PC_OK)
    return pc_no_memory(error);
  a->pattern.edge_count = p->edges(p->user, P, a->pattern.edge);
  for (int i = 0, met = g->group_count; i < s->active.count; i++) {
    if (a->node[i] < met) continue; /* nodes are numbered as they are met */
    met = a->node[i] + 1;
    PC_TRY(add_unit_edges(s, a->node[i], s->active.row[i], error));
  }
  return PC_OK;
}

/* Whether the matrix has this pattern already. */
static int is_known(const pc_saddle* a)
{
  size_t nodes = (size_t)a->node_count, edges = (size_t)a->pattern.edge_count;
  return a->node_count == a->pattern.known_node_count &&
         a->pattern.edge_count == a->pattern.known_edge_count &&
         !memcmp(a->size, a->pattern.known_size, nodes * sizeof *a->size) &&
         !memcmp(a->pattern.edge, a->pattern.known_edge, edges * sizeof *a->pattern.edge);
}

static pc_status shape(pc_saddle* a, pc_error* error)
{
  size_t edges = (size_t)a->pattern.edge_count;
  if (is_known(a)) {
    pc_block_matrix_clear(&a->matrix);
    return PC_OK;
  }
  a->pattern.known_node_count = -1;
  if (pc_reserve((void**)&a->pattern.known_edge, &a->pattern.known_edge_capacity, edges + 1,
                 sizeof *a->pattern.known_edge) != PC_OK)
    return pc_no_memory(error);
  PC_TRY(pc_block_matrix_shape(&a->matrix, a->node_count, a->size, a->pattern.edge_count,
                               a->pattern.edge, error));
  memcpy(a->pattern.known_edge, a->pattern.edge, edges * sizeof *a->pattern.edge);
  memcpy(a->pattern.known_size, a->size, (size_t)a->node_count * sizeof *a->size);
  a->pattern.known_edge_count = a->pattern.edge_count;
  a->pattern.known_node_count = a->node_count;
  return PC_OK;
}

/* The row of the matrix for each row that acts, in the order of `active` within a unit. */
static void place_rows(pc_implicit_step* s)
{
  pc_saddle* a = s->saddle;
  memset(a->filled, 0, (size_t)a->node_count * sizeof *a->filled);
  for (int i = 0; i < s->active.count; i++)
    a->at[i] = a->matrix.row[a->node[i]] + a->filled[a->node[i]]++;
}

static pc_status make_pattern(pc_implicit_step* s, const double* P, int by_law, pc_error* error)
{
  pc_saddle* a = s->saddle;
  number_nodes(s, by_law);
  PC_TRY(list_edges(s, P, error));
  PC_TRY(shape(a, error));
  place_rows(s);
  size_t order = (size_t)pc_block_matrix_order(&a->matrix);
  return pc_reserve((void**)&a->x, &a->x_capacity, order, sizeof *a->x) == PC_OK &&
                 pc_reserve((void**)&a->b, &a->b_capacity, order, sizeof *a->b) == PC_OK
             ? PC_OK
             : pc_no_memory(error);
}

/* ---- r ------------------------------------------------------------------------------------ */

/* The groups of a row, one after the other: solves with each one's own block of T. */
static pc_status solve_groups(pc_saddle* a, int unit_node, double* x, pc_error* error)
{
  const pc_block_matrix* m = &a->matrix;
  for (int b = m->start[unit_node]; b < m->start[unit_node + 1]; b++) {
    int g = m->column[b];
    if (a->late[g]) continue;
    int n = pc_block_matrix_size(m, g);
    size_t size = (size_t)n * (size_t)n;
    if (pc_reserve((void**)&a->group.factor, &a->group.factor_capacity, size,
                   sizeof *a->group.factor) != PC_OK ||
        pc_reserve((void**)&a->group.pivot, &a->group.pivot_capacity, (size_t)n,
                   sizeof *a->group.pivot) != PC_OK)
      return pc_no_memory(error);
    memcpy(a->group.factor, m->value + m->place[m->diagonal[g]], size * sizeof *a->group.factor);
    if (pc_lu_factor(n, a->group.factor, a->group.pivot) != PC_OK)
      memset(x + m->row[g], 0, (size_t)n * sizeof *x);
    else
      pc_lu_solve(n, a->group.factor, a->group.pivot, x + m->row[g]);
  }
  return PC_OK;
}

/* The diagonal entry of D that a row would have if no other element coupled its bodies. */
static pc_status own_delassus(pc_implicit_step* s, int row, double* G, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  const int* place = p->graph->place;
  pc_row w = p->column(p->user, row), g = p->gradient(p->user, row);
  int node = a->node[s->active.place[row]];
  const double* value = w.w;
  for (int b = 0; b < w.block_count; b++)
    for (int i = 0; i < w.block[b].width; i++) a->x[place[w.block[b].first + i]] += *value++;
  PC_TRY(solve_groups(a, node, a->x, error));
  double sum = 0;
  value = g.w;
  for (int b = 0; b < g.block_count; b++)
    for (int i = 0; i < g.block[b].width; i++) sum += *value++ * a->x[place[g.block[b].first + i]];
  const pc_block_matrix* m = &a->matrix;
  for (int b = m->start[node]; b < m->start[node + 1]; b++)
    memset(a->x + m->row[m->column[b]], 0,
           (size_t)pc_block_matrix_size(m, m->column[b]) * sizeof *a->x);
  *G = fabs(sum);
  return PC_OK;
}

/* r of contacts that act for the first time in this solve. `x` is zero and stays so. */
static pc_status choose_r(pc_implicit_step* s, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  memset(s->saddle->x, 0, (size_t)pc_block_matrix_order(&s->saddle->matrix) * sizeof(double));
  for (int c = 0; c < s->active.closed_count; c++) {
    int k = s->active.closed[c];
    const pc_cone* cone = &p->cone[k];
    if (s->laws.has_r[k]) continue;
    double G_N = 0, G_F = 0, G;
    PC_TRY(own_delassus(s, cone->row, &G_N, error));
    for (int f = 1; f <= cone->dimension; f++) {
      PC_TRY(own_delassus(s, cone->row + f, &G, error));
      G_F = pc_larger(G_F, G);
    }
    s->laws.has_r[k] = 1;
    s->laws.G_F[k] = G_F;
    if (s->settings.r > 0) G_N = G_F = 1 / s->settings.r;
    if (G_N > 0) s->laws.r_N[k] = s->laws.r_factor / G_N;
    if (G_F > 0) s->laws.r_F[k] = s->laws.r_factor / G_F;
  }
  return PC_OK;
}

/* ---- entries ------------------------------------------------------------------------------ */

void pc_saddle_add_row(pc_saddle* a, const pc_implicit_graph* graph, pc_row w, double scale, int i)
{
  const pc_block_matrix* m = &a->matrix;
  int node = a->node[i], line = a->at[i] - m->row[node], last = -1, width = 0;
  double* block = NULL;
  const double* value = w.w;
  for (int b = 0; b < w.block_count; b++)
    for (int k = w.block[b].first; k < w.block[b].first + w.block[b].width; k++, value++) {
      int g = graph->group[k];
      if (g != last) {
        width = pc_block_matrix_size(m, g);
        block = pc_block_matrix_find(m, node, g) + line * width;
        last = g;
      }
      block[graph->place[k] - m->row[g]] += scale * *value;
    }
}

/* The column -W of active row i. */
static void write_column(pc_saddle* a, const pc_implicit_graph* graph, pc_row w, int i)
{
  const pc_block_matrix* m = &a->matrix;
  int node = a->node[i], width = pc_block_matrix_size(m, node), last = -1;
  double *block = NULL, scale = -a->weight[i];
  const double* value = w.w;
  for (int b = 0; b < w.block_count; b++)
    for (int k = w.block[b].first; k < w.block[b].first + w.block[b].width; k++, value++) {
      int g = graph->group[k];
      if (g != last) block = pc_block_matrix_find(m, g, node) + (a->at[i] - m->row[node]);
      last = g;
      block[(graph->place[k] - m->row[g]) * width] += scale * *value;
    }
}

/* Units of unknowns: those of a contact by its r, so that lengths, velocities and percussions can
 * be compared. The three of a contact's friction have the same. */
static void choose_weights(pc_implicit_step* s, int by_law)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  for (int i = 0; i < s->active.count; i++) a->weight[i] = 1;
  for (int c = 0; !by_law && c < s->active.closed_count; c++) {
    int k = s->active.closed[c], i = s->active.place[p->cone[k].row];
    a->weight[i] = pc_implicit_unit_weight(1 / s->laws.r_N[k]);
    for (int f = 1; f <= p->cone[k].dimension; f++)
      a->weight[i + f] = pc_implicit_unit_weight(1 / s->laws.r_F[k]);
  }
}

pc_status pc_saddle_fill(pc_implicit_step* s, const double* P, int by_law, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  if (!s->saddle) PC_TRY(create(s, error));
  PC_TRY(make_pattern(s, P, by_law, error));
  PC_TRY(p->linearise(p->user, P, s->active.acts, s->F, s->y, &s->saddle->matrix, error));
  pc_implicit_drop_percussions(s, P);
  PC_TRY(choose_r(s, error));
  choose_weights(s, by_law);
  for (int i = 0; i < s->active.count; i++)
    write_column(s->saddle, p->graph, p->column(p->user, s->active.row[i]), i);
  return PC_OK;
}
