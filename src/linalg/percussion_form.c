#include "linalg/percussion_form.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* A node on a component: its rows restricted to the component's members, dense. */
typedef struct term {
  int node, rows;
  int component, order;
  const int* member; /* of the component */
  size_t place;      /* where its rows x order entries begin in W, J and X */
  int next;          /* of the same component; -1: the last */
} term;

/* Where an entry of a node's first row goes, relative to the node's first term, and how far behind
 * it the same entry of the next row. */
typedef struct target {
  int place, stride;
} target;

/* Two terms on the same component contribute J_a X_b' to a block. */
typedef struct pair {
  int a, b;
  size_t place; /* of the block in the matrix */
} pair;

/* A block and the one across the diagonal. */
typedef struct mirror {
  size_t from, to;
  int rows, columns;
} mirror;

/* A growing array. */
typedef struct array {
  void* at;
  size_t capacity;
} array;

struct pc_percussion_form {
  pc_block_matrix matrix;
  int symmetric; /* A and the rows are: only the upper blocks are computed */

  /* The pattern that was met last. */
  const pc_assembly* tangent;
  int node_count, row_count;
  array first; /* int: node_count + 1 */
  array runs;  /* pc_block: those of each node's rows; (their number, 0) stands before them */

  array terms;   /* term: those of a node one after the other */
  array nodes;   /* int: node_count + 1, the first term of each node */
  array targets; /* target: for the entries of a node's first row, node by node */
  array pairs;   /* pair */
  array mirrors; /* mirror */
  int term_count, pair_count, mirror_count;
  size_t entry_count;
  array W, J, X; /* double: entry_count; J is unused if force and measure are the same */

  array head;    /* int, by component: its first term */
  array edges;   /* pc_edge */
  array sizes;   /* int, by node */
  array scatter; /* int: scratch, by node */
};

static int reserve(array* a, size_t count, size_t size)
{
  return pc_reserve(&a->at, &a->capacity, count, size) == PC_OK;
}

pc_status pc_percussion_form_create(pc_percussion_form** form, pc_error* error)
{
  *form = pc_alloc(1, sizeof **form);
  return *form ? PC_OK : pc_no_memory(error);
}

void pc_percussion_form_destroy(pc_percussion_form* f)
{
  if (!f) return;
  array* all[] = {&f->first, &f->runs, &f->terms, &f->nodes, &f->targets, &f->pairs, &f->mirrors,
                  &f->W,     &f->J,    &f->X,     &f->head,  &f->edges,   &f->sizes, &f->scatter};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->at);
  pc_block_matrix_free(&f->matrix);
  free(f);
}

const pc_block_matrix* pc_percussion_form_matrix(const pc_percussion_form* f)
{
  return &f->matrix;
}

/* ---- pattern ------------------------------------------------------------------------------- */

static int is_known(const pc_percussion_form* f, const pc_assembly* tangent,
                    const pc_row_nodes* nodes)
{
  int symmetric = pc_assembly_is_symmetric(tangent) && nodes->force == nodes->measure;
  if (f->tangent != tangent || f->node_count != nodes->count || f->symmetric != symmetric) return 0;
  if (memcmp(f->first.at, nodes->first, ((size_t)nodes->count + 1) * sizeof(int)) != 0) return 0;
  const pc_block* runs = f->runs.at;
  for (int i = 0; i < nodes->count; i++) {
    pc_row row = nodes->force[nodes->first[i]];
    if (runs->first != row.block_count) return 0;
    runs++;
    for (int b = 0; b < row.block_count; b++, runs++)
      if (runs->first != row.block[b].first || runs->width != row.block[b].width) return 0;
  }
  return 1;
}

/* A copy of the runs themselves: where they lie says nothing, contacts that are found anew take
 * each other's place. */
static int keep_runs(pc_percussion_form* f, const pc_row_nodes* nodes)
{
  size_t count = 0;
  for (int i = 0; i < nodes->count; i++)
    count += 1 + (size_t)nodes->force[nodes->first[i]].block_count;
  if (!reserve(&f->runs, count, sizeof(pc_block))) return 0;
  pc_block* to = f->runs.at;
  for (int i = 0; i < nodes->count; i++) {
    pc_row row = nodes->force[nodes->first[i]];
    *to++ = (pc_block){row.block_count, 0};
    for (int b = 0; b < row.block_count; b++) *to++ = row.block[b];
  }
  return 1;
}

static int keep_pattern(pc_percussion_form* f, const pc_assembly* tangent,
                        const pc_row_nodes* nodes)
{
  size_t count = (size_t)nodes->count;
  int rows = nodes->first[count];
  f->tangent = NULL;
  if (!reserve(&f->first, count + 1, sizeof(int)) || !reserve(&f->nodes, count + 1, sizeof(int)) ||
      !reserve(&f->sizes, count, sizeof(int)) || !reserve(&f->scatter, count, sizeof(int)) ||
      !keep_runs(f, nodes) ||
      !reserve(&f->head, (size_t)pc_assembly_component_count(tangent), sizeof(int)))
    return 0;
  memcpy(f->first.at, nodes->first, (count + 1) * sizeof(int));
  for (size_t i = 0; i < count; i++) ((int*)f->sizes.at)[i] = nodes->first[i + 1] - nodes->first[i];
  f->node_count = nodes->count;
  f->row_count = rows;
  f->symmetric = pc_assembly_is_symmetric(tangent) && nodes->force == nodes->measure;
  return 1;
}

/* The term of a node on a component: one of those from `from` on, or a new one. */
static int find_term(pc_percussion_form* f, const pc_assembly* tangent, int node, int from,
                     int component)
{
  term* t = f->terms.at;
  for (int i = from; i < f->term_count; i++)
    if (t[i].component == component) return i;
  if (!reserve(&f->terms, (size_t)f->term_count + 1, sizeof *t)) return -1;
  int *head = f->head.at, rows = ((int*)f->sizes.at)[node];
  int order = pc_assembly_component_order(tangent, component);
  t = f->terms.at;
  t[f->term_count] = (term){node,
                            rows,
                            component,
                            order,
                            pc_assembly_component_members(tangent, component),
                            f->entry_count,
                            head[component]};
  head[component] = f->term_count;
  f->entry_count += (size_t)rows * (size_t)order;
  return f->term_count++;
}

/* The terms of a node, and where the entries of its rows go. */
static int list_terms_of(pc_percussion_form* f, const pc_assembly* tangent, int node, pc_row row,
                         size_t* gathered)
{
  int from = f->term_count, *begin = f->nodes.at;
  size_t base = f->entry_count;
  begin[node] = from;
  for (int b = 0; b < row.block_count; b++)
    for (int i = row.block[b].first; i < row.block[b].first + row.block[b].width; i++) {
      int place, c = pc_assembly_component_of(tangent, i, &place);
      int t = find_term(f, tangent, node, from, c);
      if (t < 0 || !reserve(&f->targets, *gathered + 1, sizeof(target))) return 0;
      const term* made = (term*)f->terms.at + t;
      size_t at = made->place - base + (size_t)place;
      if (at > INT32_MAX) return 0;
      ((target*)f->targets.at)[(*gathered)++] = (target){(int)at, made->order};
    }
  return 1;
}

static int list_terms(pc_percussion_form* f, const pc_assembly* tangent, const pc_row_nodes* nodes)
{
  int *head = f->head.at, count = pc_assembly_component_count(tangent);
  size_t gathered = 0;
  for (int c = 0; c < count; c++) head[c] = -1;
  f->term_count = 0;
  f->entry_count = 0;
  for (int i = 0; i < nodes->count; i++)
    if (!list_terms_of(f, tangent, i, nodes->force[nodes->first[i]], &gathered)) return 0;
  ((int*)f->nodes.at)[nodes->count] = f->term_count;
  if (!reserve(&f->W, f->entry_count, sizeof(double)) ||
      !reserve(&f->J, f->entry_count, sizeof(double)) ||
      !reserve(&f->X, f->entry_count, sizeof(double)))
    return 0;
  memset(f->W.at, 0, f->entry_count * sizeof(double));
  memset(f->J.at, 0, f->entry_count * sizeof(double));
  return 1;
}

/* Terms on the same component are an edge; the matrix takes each edge once. */
static int shape_matrix(pc_percussion_form* f, pc_error* error)
{
  const term* t = f->terms.at;
  int count = 0;
  for (int a = 0; a < f->term_count; a++)
    for (int b = t[a].next; b >= 0; b = t[b].next) {
      if (!reserve(&f->edges, (size_t)count + 1, sizeof(pc_edge))) return 0;
      ((pc_edge*)f->edges.at)[count++] = (pc_edge){t[a].node, t[b].node};
    }
  return pc_block_matrix_shape(&f->matrix, f->node_count, f->sizes.at, count, f->edges.at, error) ==
         PC_OK;
}

static int add_pair(pc_percussion_form* f, int a, int b)
{
  const term* t = f->terms.at;
  if (!reserve(&f->pairs, (size_t)f->pair_count + 1, sizeof(pair))) return 0;
  const double* block = pc_block_matrix_find(&f->matrix, t[a].node, t[b].node);
  ((pair*)f->pairs.at)[f->pair_count++] = (pair){a, b, (size_t)(block - f->matrix.value)};
  return 1;
}

/* A chain of terms runs from later to earlier nodes: its first term has the largest node. */
static int list_pairs(pc_percussion_form* f)
{
  const term* t = f->terms.at;
  f->pair_count = 0;
  for (int a = 0; a < f->term_count; a++) {
    if (!add_pair(f, a, a)) return 0;
    for (int b = t[a].next; b >= 0; b = t[b].next)
      if (!add_pair(f, b, a) || (!f->symmetric && !add_pair(f, a, b))) return 0;
  }
  return 1;
}

static int list_mirrors(pc_percussion_form* f)
{
  const pc_block_matrix* m = &f->matrix;
  f->mirror_count = 0;
  for (int i = 0; f->symmetric && i < m->node_count; i++)
    for (int b = m->diagonal[i] + 1; b < m->start[i + 1]; b++) {
      int j = m->column[b];
      if (!reserve(&f->mirrors, (size_t)f->mirror_count + 1, sizeof(mirror))) return 0;
      size_t to = (size_t)(pc_block_matrix_find(m, j, i) - m->value);
      ((mirror*)f->mirrors.at)[f->mirror_count++] =
          (mirror){m->place[b], to, pc_block_matrix_size(m, i), pc_block_matrix_size(m, j)};
    }
  return 1;
}

static pc_status learn_pattern(pc_percussion_form* f, const pc_assembly* tangent,
                               const pc_row_nodes* nodes, pc_error* error)
{
  if (!keep_pattern(f, tangent, nodes) || !list_terms(f, tangent, nodes) ||
      !shape_matrix(f, error) || !list_pairs(f) || !list_mirrors(f))
    return pc_no_memory(error);
  f->tangent = tangent;
  return PC_OK;
}

/* ---- values -------------------------------------------------------------------------------- */

/* The entries of all rows, by terms. Members of a component that a row does not touch stay zero. */
static void gather(const pc_percussion_form* f, const pc_row_nodes* nodes, const pc_row* row,
                   double* to)
{
  const target* at = f->targets.at;
  const term* t = f->terms.at;
  const int* begin = f->nodes.at;
  for (int i = 0; i < nodes->count; i++) {
    if (begin[i] == begin[i + 1]) continue;
    pc_row first = row[nodes->first[i]];
    double* base = to + t[begin[i]].place;
    int width = 0, rows = nodes->first[i + 1] - nodes->first[i];
    for (int b = 0; b < first.block_count; b++) width += first.block[b].width;
    for (int r = 0; r < rows; r++) {
      const double* w = row[nodes->first[i] + r].w;
      for (int k = 0; k < width; k++) base[at[k].place + r * at[k].stride] = w[k];
    }
    at += width;
  }
}

/* X := A^-1 W', row by row. */
static void solve_terms(pc_percussion_form* f, const pc_assembly* tangent)
{
  const term* t = f->terms.at;
  double* X = f->X.at;
  memcpy(X, f->W.at, f->entry_count * sizeof *X);
  for (int i = 0; i < f->term_count; i++) {
    double* x = X + t[i].place;
    for (int r = 0; r < t[i].rows; r++, x += t[i].order)
      pc_assembly_solve_component(tangent, t[i].component, x);
  }
}

/* x . y; most components are bodies in the plane or in space. */
static inline double dot(int n, const double* x, const double* y)
{
  if (n == 3) return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  if (n == 6)
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * y[k];
  return sum;
}

/* block += J_a X_b' */
static void add_product(const term* a, const term* b, const double* restrict J,
                        const double* restrict X, double* restrict block)
{
  int n = a->order, rows = a->rows, columns = b->rows;
  for (int i = 0; i < rows; i++, J += n) {
    const double* x = X;
    for (int j = 0; j < columns; j++, x += n) *block++ += dot(n, J, x);
  }
}

static void add_products(pc_percussion_form* f, const double* J)
{
  const term* t = f->terms.at;
  const pair* p = f->pairs.at;
  const double* X = f->X.at;
  pc_block_matrix_clear(&f->matrix);
  for (int k = 0; k < f->pair_count; k++) {
    const term *a = &t[p[k].a], *b = &t[p[k].b];
    add_product(a, b, J + a->place, X + b->place, f->matrix.value + p[k].place);
  }
}

static void copy_mirrors(pc_percussion_form* f)
{
  const mirror* m = f->mirrors.at;
  for (int k = 0; k < f->mirror_count; k++) {
    const double* from = f->matrix.value + m[k].from;
    double* to = f->matrix.value + m[k].to;
    for (int i = 0; i < m[k].rows; i++)
      for (int j = 0; j < m[k].columns; j++) to[j * m[k].rows + i] = *from++;
  }
}

pc_status pc_percussion_form_compute(pc_percussion_form* f, const pc_assembly* tangent,
                                     const pc_row_nodes* nodes, pc_error* error)
{
  if (!is_known(f, tangent, nodes)) PC_TRY(learn_pattern(f, tangent, nodes, error));
  gather(f, nodes, nodes->force, f->W.at);
  if (nodes->measure != nodes->force) gather(f, nodes, nodes->measure, f->J.at);
  solve_terms(f, tangent);
  add_products(f, nodes->measure != nodes->force ? f->J.at : f->W.at);
  copy_mirrors(f);
  return PC_OK;
}

void pc_percussion_form_apply(const pc_percussion_form* f, const double* P, double* u)
{
  const term* t = f->terms.at;
  const int* first = f->first.at;
  for (int i = 0; i < f->term_count; i++) {
    const double *x = (const double*)f->X.at + t[i].place, *own = P + first[t[i].node];
    for (int r = 0; r < t[i].rows; r++, x += t[i].order)
      for (int k = 0; own[r] != 0 && k < t[i].order; k++) u[t[i].member[k]] += own[r] * x[k];
  }
}
