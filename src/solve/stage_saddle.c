/* A Newton step on given branches as one sparse system, for problems with many rows:
 *
 *     [  T     -W  ] [dx]   [   -F   ]
 *     [ L_y G  L_P ] [dP] = [ -rest  ]
 *
 * by blocks on the graph of bodies and of the joints and contacts between them. On its branch a law is
 * L_y y + L_P P = rest, with small matrices of a contact's own. Bodies are eliminated first; rows that
 * depend on others are found on the way, and their percussions stay what they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "solve/stage_inside.h"

typedef struct pc_saddle {
  pc_block_matrix matrix;
  pc_block_lu* lu;
  int node_count;      /* groups, then the units that act */
  int* size;           /* nodes */
  unsigned char* late; /* nodes */
  int* unit_node;      /* units: its node, or -1 */
  int* filled;         /* nodes: how many of its rows have their place */
  int* at;             /* active rows: the row of the matrix, */
  double* weight;      /* the unit of its unknown, */
  double* row_weight;  /* and that of its equation */
  double* x;           /* all: right-hand side, then the unknowns */
  size_t x_capacity;
  pc_edge* edge;
  size_t edge_capacity;
  int edge_count;
  pc_edge* known_edge; /* the pattern that the matrix has */
  int* known_size;
  size_t known_edge_capacity;
  int known_edge_count, known_node_count;
  double* factor; /* of one group's block of T */
  int* pivot;
  size_t factor_capacity, pivot_capacity;
} pc_saddle;

void pc_stage_saddle_destroy(pc_saddle* a)
{
  if (!a) return;
  pc_block_matrix_free(&a->matrix);
  pc_block_lu_destroy(a->lu);
  void* array[] = {a->size,       a->late,       a->unit_node, a->filled, a->at,
                   a->weight,     a->row_weight, a->x,         a->edge,   a->known_edge,
                   a->known_size, a->factor,     a->pivot};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(a);
}

static pc_status create(pc_stage* s, pc_error* error)
{
  const pc_stage_graph* g = s->problem->graph;
  size_t nodes = (size_t)g->group_count + (size_t)g->unit_count, rows = (size_t)s->row_max;
  pc_saddle* a = s->saddle = pc_alloc(1, sizeof *a);
  if (!a) return pc_no_memory(error);
  int bad = 0;
  bad |= !(a->size = pc_alloc(nodes, sizeof(int)));
  bad |= !(a->known_size = pc_alloc(nodes, sizeof(int)));
  bad |= !(a->late = pc_alloc(nodes, 1));
  bad |= !(a->filled = pc_alloc(nodes, sizeof(int)));
  bad |= !(a->unit_node = pc_alloc((size_t)g->unit_count, sizeof(int)));
  bad |= !(a->at = pc_alloc(rows, sizeof(int)));
  bad |= !(a->weight = pc_alloc(rows, sizeof(double)));
  bad |= !(a->row_weight = pc_alloc(rows, sizeof(double)));
  if (bad) return pc_no_memory(error);
  for (int u = 0; u < g->unit_count; u++) a->unit_node[u] = -1;
  a->known_node_count = -1;
  return pc_block_lu_create(&a->lu, error);
}

/* ---- the pattern ------------------------------------------------------------------------- */

/* Numbers the units that act, behind the groups, and counts their rows. */
static void number_nodes(pc_stage* s)
{
  const pc_stage_graph* g = s->problem->graph;
  pc_saddle* a = s->saddle;
  a->node_count = g->group_count;
  memcpy(a->size, g->size, (size_t)g->group_count * sizeof *a->size);
  for (int i = 0; i < s->active_count; i++) {
    int* node = &a->unit_node[g->unit[s->active[i]]];
    if (*node < 0) {
      *node = a->node_count++;
      a->size[*node] = 0;
      a->late[*node] = 1;
    }
    a->size[*node]++;
  }
}

static pc_status add_edge(pc_saddle* a, int i, int j, pc_error* error)
{
  if (pc_reserve((void**)&a->edge, &a->edge_capacity, (size_t)a->edge_count + 1, sizeof *a->edge) !=
      PC_OK)
    return pc_no_memory(error);
  a->edge[a->edge_count++] = (pc_edge){i, j};
  return PC_OK;
}

/* Edges between a unit and the groups of one of its rows. */
static pc_status add_unit_edges(pc_stage* s, int node, int row, pc_error* error)
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

static pc_status list_edges(pc_stage* s, const double* P, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  const pc_stage_graph* g = p->graph;
  pc_saddle* a = s->saddle;
  if (pc_reserve((void**)&a->edge, &a->edge_capacity, (size_t)g->edge_max + 1, sizeof *a->edge) !=
      PC_OK)
    return pc_no_memory(error);
  a->edge_count = p->edges(p->user, P, a->edge);
  for (int i = 0, met = g->group_count; i < s->active_count; i++) {
    int node = a->unit_node[g->unit[s->active[i]]];
    if (node < met) continue; /* nodes are numbered as they are met */
    met = node + 1;
    PC_TRY(add_unit_edges(s, node, s->active[i], error));
  }
  return PC_OK;
}

/* Whether the matrix has this pattern already. */
static int is_known(const pc_saddle* a)
{
  size_t nodes = (size_t)a->node_count, edges = (size_t)a->edge_count;
  return a->node_count == a->known_node_count && a->edge_count == a->known_edge_count &&
         !memcmp(a->size, a->known_size, nodes * sizeof *a->size) &&
         !memcmp(a->edge, a->known_edge, edges * sizeof *a->edge);
}

static pc_status shape(pc_saddle* a, pc_error* error)
{
  size_t edges = (size_t)a->edge_count;
  if (is_known(a)) {
    pc_block_matrix_clear(&a->matrix);
    return PC_OK;
  }
  a->known_node_count = -1;
  if (pc_reserve((void**)&a->known_edge, &a->known_edge_capacity, edges + 1,
                 sizeof *a->known_edge) != PC_OK)
    return pc_no_memory(error);
  PC_TRY(pc_block_matrix_shape(&a->matrix, a->node_count, a->size, a->edge_count, a->edge, error));
  PC_TRY(pc_block_lu_analyse(a->lu, &a->matrix, a->late, error));
  memcpy(a->known_edge, a->edge, edges * sizeof *a->edge);
  memcpy(a->known_size, a->size, (size_t)a->node_count * sizeof *a->size);
  a->known_edge_count = a->edge_count;
  a->known_node_count = a->node_count;
  return PC_OK;
}

/* The row of the matrix for each row that acts, in the order of `active` within a unit. */
static void place_rows(pc_stage* s)
{
  pc_saddle* a = s->saddle;
  const int* unit = s->problem->graph->unit;
  memset(a->filled, 0, (size_t)a->node_count * sizeof *a->filled);
  for (int i = 0; i < s->active_count; i++) {
    int node = a->unit_node[unit[s->active[i]]];
    a->at[i] = a->matrix.row[node] + a->filled[node]++;
  }
}

static pc_status make_pattern(pc_stage* s, const double* P, pc_error* error)
{
  pc_saddle* a = s->saddle;
  const int* unit = s->problem->graph->unit;
  number_nodes(s);
  pc_status status = list_edges(s, P, error);
  if (status == PC_OK) status = shape(a, error);
  if (status == PC_OK) place_rows(s);
  for (int i = 0; i < s->active_count && status != PC_OK; i++)
    a->unit_node[unit[s->active[i]]] = -1;
  size_t order = status == PC_OK ? (size_t)pc_block_matrix_order(&a->matrix) : 0;
  if (status == PC_OK && pc_reserve((void**)&a->x, &a->x_capacity, order, sizeof *a->x) != PC_OK)
    status = pc_no_memory(error);
  return status;
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
    if (pc_reserve((void**)&a->factor, &a->factor_capacity, size, sizeof *a->factor) != PC_OK ||
        pc_reserve((void**)&a->pivot, &a->pivot_capacity, (size_t)n, sizeof *a->pivot) != PC_OK)
      return pc_no_memory(error);
    memcpy(a->factor, m->value + m->place[m->diagonal[g]], size * sizeof *a->factor);
    if (pc_lu_factor(n, a->factor, a->pivot) != PC_OK)
      memset(x + m->row[g], 0, (size_t)n * sizeof *x);
    else
      pc_lu_solve(n, a->factor, a->pivot, x + m->row[g]);
  }
  return PC_OK;
}

/* The diagonal entry of D that a row would have if no other element coupled its bodies. */
static pc_status own_delassus(pc_stage* s, int row, double* G, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  const int* place = p->graph->place;
  pc_row w = p->column(p->user, row), g = p->gradient(p->user, row);
  int node = a->unit_node[p->graph->unit[row]];
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
static pc_status choose_r(pc_stage* s, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  memset(s->saddle->x, 0, (size_t)pc_block_matrix_order(&s->saddle->matrix) * sizeof(double));
  for (int k = 0; k < p->contact_count; k++) {
    const pc_cone* cone = &p->cone[k];
    if (s->law[k] == PC_LAW_OPEN || s->has_r[k]) continue;
    double G_N = 0, G_F = 0, G;
    PC_TRY(own_delassus(s, cone->row, &G_N, error));
    for (int f = 1; f <= cone->dimension; f++) {
      PC_TRY(own_delassus(s, cone->row + f, &G, error));
      G_F = pc_larger(G_F, G);
    }
    s->has_r[k] = 1;
    s->G_F[k] = G_F;
    if (s->settings.r > 0) G_N = G_F = 1 / s->settings.r;
    if (G_N > 0) s->r_N[k] = 1 / G_N;
    if (G_F > 0) s->r_F[k] = 1 / G_F;
  }
  return PC_OK;
}

/* ---- entries ------------------------------------------------------------------------------ */

/* Adds scale * w to row `at` of the unit's blocks, or, `transposed`, to that column. */
static void add_row(pc_stage* s, pc_row w, double scale, int node, int at, int transposed)
{
  const int *group = s->problem->graph->group, *place = s->problem->graph->place;
  const pc_block_matrix* m = &s->saddle->matrix;
  int line = at - m->row[node], rows = pc_block_matrix_size(m, node), last = -1, width = 0;
  double* block = NULL;
  const double* value = w.w;
  for (int b = 0; b < w.block_count; b++)
    for (int i = w.block[b].first; i < w.block[b].first + w.block[b].width; i++, value++) {
      int g = group[i];
      if (g != last) {
        block = transposed ? pc_block_matrix_find(m, g, node) : pc_block_matrix_find(m, node, g);
        width = pc_block_matrix_size(m, g);
        last = g;
      }
      int k = place[i] - m->row[g];
      block[transposed ? k * rows + line : line * width + k] += scale * *value;
    }
}

/* The columns -W. */
static void write_columns(pc_stage* s)
{
  const pc_stage_problem* p = s->problem;
  const pc_saddle* a = s->saddle;
  for (int i = 0; i < s->active_count; i++) {
    int row = s->active[i];
    add_row(s, p->column(p->user, row), -a->weight[i], a->unit_node[p->graph->unit[row]], a->at[i],
            1);
  }
}

/* A contact's law on its branch, L_y (y + dy) + L_P (P + dP) = const, as L_y dy + L_P dP = -rest. */
typedef struct law_rows {
  int count;
  double L_y[4][4], L_P[4][4], rest[4];
} law_rows;

static void rows_of_slip(const pc_stage* s, int k, const double* P, law_rows* law)
{
  const pc_cone* cone = &s->problem->cone[k];
  const double* t = s->slip + 3 * k;
  int d = cone->dimension;
  double r = s->r_F[k], P_N = P[cone->row], turn = d > 1 ? cone->mu * P_N / s->pull[k] : 0;
  for (int f = 0; f < d; f++) {
    int row = cone->row + 1 + f;
    law->L_P[1 + f][0] = cone->mu * t[f];
    law->L_P[1 + f][1 + f] = 1;
    law->rest[1 + f] = P[row] + cone->mu * P_N * t[f];
    for (int e = 0; turn != 0 && e < d; e++) {
      double across = turn * ((e == f) - t[f] * t[e]);
      law->L_y[1 + f][1 + e] = across * r;
      law->L_P[1 + f][1 + e] -= across;
      int other = cone->row + 1 + e;
      law->rest[1 + f] += across * r * (s->y[other] - s->y_there[other]);
    }
  }
}

static void rows_of_law(const pc_stage* s, int k, const double* P, law_rows* law)
{
  const pc_cone* cone = &s->problem->cone[k];
  *law = (law_rows){.count = 1 + cone->dimension};
  law->L_y[0][0] = 1;
  law->rest[0] = s->y[cone->row];
  if (s->law[k] == PC_LAW_SLIP) rows_of_slip(s, k, P, law);
  for (int f = 1; s->law[k] == PC_LAW_STICK && f < law->count; f++) {
    law->L_y[f][f] = 1;
    law->rest[f] = s->y[cone->row + f];
  }
  for (int f = 1; s->law[k] == PC_LAW_CLOSED && f < law->count; f++) {
    law->L_P[f][f] = 1;
    law->rest[f] = P[cone->row + f];
  }
}

/* The rows of a contact, which stand one after the other from active row i on. */
static void write_contact(pc_stage* s, int k, int i, const double* P)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  const pc_block_matrix* m = &a->matrix;
  int row = p->cone[k].row, node = a->unit_node[p->graph->unit[row]], size;
  law_rows law;
  rows_of_law(s, k, P, &law);
  size = pc_block_matrix_size(m, node);
  double* own = m->value + m->place[m->diagonal[node]];
  for (int e = 0; e < law.count; e++) {
    pc_row g = {0};
    int column = a->at[i + e] - m->row[node];
    for (int f = 0; f < law.count; f++) {
      double scale = a->row_weight[i + f];
      int line = a->at[i + f] - m->row[node];
      own[line * size + column] += scale * law.L_P[f][e] * a->weight[i + e];
      if (law.L_y[f][e] == 0) continue;
      if (!g.w) g = p->gradient(p->user, row + e);
      add_row(s, g, scale * law.L_y[f][e], node, a->at[i + f], 0);
    }
    a->x[a->at[i + e]] = -a->row_weight[i + e] * law.rest[e];
  }
}

static void write_joint(pc_stage* s, int i)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  int row = s->active[i];
  add_row(s, p->gradient(p->user, row), 1, a->unit_node[p->graph->unit[row]], a->at[i], 0);
  a->x[a->at[i]] = -s->y[row];
}

/* Units of unknowns and equations: those of a contact by its r, so that rows of lengths, velocities and
 * percussions can be compared. */
static void choose_weights(pc_stage* s)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  for (int i = 0; i < p->bilateral_count; i++) a->weight[i] = a->row_weight[i] = 1;
  for (int k = 0; k < p->contact_count; k++) {
    if (s->law[k] == PC_LAW_OPEN) continue;
    int i = s->place[p->cone[k].row];
    int of_P = s->law[k] == PC_LAW_SLIP || s->law[k] == PC_LAW_CLOSED;
    a->weight[i] = a->row_weight[i] = pc_stage_unit_weight(1 / s->r_N[k]);
    for (int f = 1; f <= p->cone[k].dimension; f++) {
      a->weight[i + f] = pc_stage_unit_weight(1 / s->r_F[k]);
      a->row_weight[i + f] = of_P ? 1 / a->weight[i + f] : a->weight[i + f];
    }
  }
}

static void write_equations(pc_stage* s, const double* P)
{
  const pc_stage_problem* p = s->problem;
  choose_weights(s);
  write_columns(s);
  for (int i = 0; i < p->x_count; i++) s->saddle->x[p->graph->place[i]] = -s->F[i];
  for (int i = 0; i < p->bilateral_count; i++) write_joint(s, i);
  for (int k = 0; k < p->contact_count; k++)
    if (s->law[k] != PC_LAW_OPEN) write_contact(s, k, s->place[p->cone[k].row], P);
}

/* ---- the step ----------------------------------------------------------------------------- */

static pc_status solve(pc_stage* s, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  pc_status status = pc_block_lu_factor(a->lu, &a->matrix, PC_STAGE_RANK_SHARE);
  if (status == PC_NOT_FINITE)
    return pc_fail(error, status, "the matrix of the step is not a finite number");
  if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
  s->redundant = pc_block_matrix_order(&a->matrix) - pc_block_lu_rank(a->lu);
  pc_block_lu_solve(a->lu, a->x);
  for (int i = 0; i < p->x_count; i++) s->dx[i] = a->x[p->graph->place[i]];
  for (int i = 0; i < s->active_count; i++) s->dP[s->active[i]] = a->weight[i] * a->x[a->at[i]];
  return PC_OK;
}

static pc_status take(pc_stage* s, const double* P, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  PC_TRY(p->linearise(p->user, P, s->acts, s->F, s->y, &s->saddle->matrix, error));
  pc_stage_drop_percussions(s, P);
  PC_TRY(choose_r(s, error));
  write_equations(s, P);
  return solve(s, error);
}

pc_status pc_stage_saddle_step(pc_stage* s, const double* P, pc_error* error)
{
  const int* unit = s->problem->graph->unit;
  s->yields = 0;
  s->condensed_count = -1;
  if (!s->saddle) PC_TRY(create(s, error));
  PC_TRY(make_pattern(s, P, error));
  pc_status status = take(s, P, error);
  for (int i = 0; i < s->active_count; i++) s->saddle->unit_node[unit[s->active[i]]] = -1;
  return status;
}
