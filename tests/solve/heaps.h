/* Random heaps of bodies with contacts and joints, as contact problems by blocks in both forms.
 *
 * Bodies lie on a lattice with random offsets; neighbours touch in one or several points (faces),
 * the lowest ones the ground. Masses, friction, restitution and velocities are random. */
#ifndef PC_TESTS_SOLVE_HEAPS_H
#define PC_TESTS_SOLVE_HEAPS_H

#include <stdlib.h>

#include "percuss/solver.h"
#include "solve/problems.h"

enum { HEAP_DOFS = 6, HEAP_NODE_ROWS = 4 };

typedef struct heap_options {
  int planar; /* otherwise spatial */
  int bodies;
  int dimension;  /* of friction; -1: random, node by node */
  int points_max; /* contact points between two bodies: 1 to this many */
  int joints;     /* of every hundred pairs, this many are hinged instead of touching */
  int copies;     /* of every joint: more than one makes it redundant */
  double mu_min, mu_max;
  double mass_ratio;
  double restitution;
  double
      skew; /* of the inverse mass, as by gyroscopic forces in an implicit step: A is unsymmetric */
} heap_options;

/* A joint or a contact between body a and body b (-1: the ground), with the rows of W. */
typedef struct heap_node {
  int body[2], rows, is_contact;
  double mu, W[2][HEAP_NODE_ROWS][HEAP_DOFS], b[HEAP_NODE_ROWS];
} heap_node;

typedef struct heap {
  int dofs, bodies, node_count, node_capacity;
  double skew;
  double (*position)[3], (*inverse_mass)[HEAP_DOFS], (*u)[HEAP_DOFS];
  heap_node* node;
  /* the problem that was made last */
  pc_problem problem;
  pc_problem_node* law;
  int *row, *start, *column;
  size_t* place;
  double *value, *b;
} heap;

static inline void heap_forget_problem(heap* h)
{
  free(h->law), free(h->row), free(h->start), free(h->column), free(h->place), free(h->value);
  free(h->b);
  h->law = NULL, h->row = h->start = h->column = NULL, h->place = NULL, h->value = h->b = NULL;
}

static inline void heap_free(heap* h)
{
  heap_forget_problem(h);
  free(h->position), free(h->inverse_mass), free(h->u), free(h->node);
}

static inline void heap_cross(const double* a, const double* b, double* c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* A row of W: the relative velocity, b minus a, of a point along a direction; or the relative
 * spin. */
static inline void heap_row(heap* h, heap_node* k, int row, const double* at, const double* along,
                            double spin)
{
  for (int side = 0; side < 2; side++) {
    if (k->body[side] < 0) continue;
    double sign = side ? 1 : -1, arm[3], moment[3];
    for (int i = 0; i < 3; i++) arm[i] = at[i] - h->position[k->body[side]][i];
    heap_cross(arm, along, moment);
    double* w = k->W[side][row];
    for (int i = 0; i < 3; i++) {
      double force = spin != 0 ? 0 : along[i], turn = spin != 0 ? spin * along[i] : moment[i];
      if (h->dofs == 6) w[i] = sign * force, w[3 + i] = sign * turn;
      if (h->dofs == 3 && i < 2) w[i] = sign * force;
      if (h->dofs == 3 && i == 2) w[2] = sign * turn;
    }
  }
}

static inline heap_node* heap_add(heap* h, int a, int b)
{
  if (h->node_count == h->node_capacity) {
    h->node_capacity = h->node_capacity ? 2 * h->node_capacity : 64;
    h->node = realloc(h->node, (size_t)h->node_capacity * sizeof *h->node);
  }
  heap_node* k = &h->node[h->node_count++];
  memset(k, 0, sizeof *k);
  k->body[0] = a;
  k->body[1] = b;
  return k;
}

/* b = W u, with Newton's restitution of the normal velocity: 0 < e makes a hard problem, which has
 * a solution all the same because all contacts share it. */
static inline void heap_load(heap* h, heap_node* k, double e)
{
  for (int i = 0; i < k->rows; i++)
    for (int side = 0; side < 2; side++)
      for (int c = 0; c < h->dofs && k->body[side] >= 0; c++)
        k->b[i] += k->W[side][i][c] * h->u[k->body[side]][c];
  if (k->is_contact) k->b[0] *= 1 + e;
}

static inline void heap_contact(heap* h, dice* d, const heap_options* o, int a, int b,
                                const double* at, const double* normal)
{
  heap_node* k = heap_add(h, a, b);
  int dimension = o->dimension >= 0 ? o->dimension : below(d, o->planar ? 2 : 4);
  double t[2][3] = {{-normal[1], normal[0], 0}}, helper[3] = {1, 0, 0};
  if (!o->planar) {
    if (fabs(normal[0]) > 0.7) helper[0] = 0, helper[1] = 1;
    heap_cross(normal, helper, t[0]);
    double length = sqrt(t[0][0] * t[0][0] + t[0][1] * t[0][1] + t[0][2] * t[0][2]);
    for (int i = 0; i < 3; i++) t[0][i] /= length;
    heap_cross(normal, t[0], t[1]);
  }
  k->is_contact = 1;
  k->mu = uniform(d, o->mu_min, o->mu_max);
  k->rows = 1 + dimension;
  heap_row(h, k, 0, at, normal, 0);
  for (int i = 0; i < dimension && i < 2; i++) heap_row(h, k, 1 + i, at, t[i], 0);
  if (dimension == 3) heap_row(h, k, 3, at, normal, 0.1);
  heap_load(h, k, o->restitution);
}

static inline void heap_joint(heap* h, int a, int b, const double* at)
{
  heap_node* k = heap_add(h, a, b);
  k->rows = h->dofs == 3 ? 2 : 3;
  for (int i = 0; i < k->rows; i++) {
    double along[3] = {0};
    along[i] = 1;
    heap_row(h, k, i, at, along, 0);
  }
  heap_load(h, k, 0);
}

/* Bodies a and b (or the ground), whose centres are `length` apart along `normal`, touch or are
 * hinged. */
static inline void heap_join(heap* h, dice* d, const heap_options* o, int a, int b,
                             const double* middle, const double* normal)
{
  if (below(d, 100) < o->joints) {
    for (int i = 0; i < o->copies; i++) heap_joint(h, a, b, middle);
    return;
  }
  int points = 1 + below(d, o->points_max);
  for (int i = 0; i < points; i++) {
    double at[3], offset[3], along = 0;
    for (int c = 0; c < 3; c++) offset[c] = c == 2 && o->planar ? 0 : uniform(d, -0.4, 0.4);
    for (int c = 0; c < 3; c++) along += offset[c] * normal[c];
    for (int c = 0; c < 3; c++)
      at[c] = middle[c] + (points > 1 ? offset[c] - along * normal[c] : 0);
    heap_contact(h, d, o, a, b, at, normal);
  }
}

static inline void heap_place(heap* h, dice* d, const heap_options* o)
{
  int width = (int)ceil(o->planar ? sqrt(o->bodies) : cbrt(o->bodies));
  for (int i = 0; i < o->bodies; i++) {
    double* x = h->position[i];
    double jitter = 0.25, mass = pow(o->mass_ratio, uniform(d, 0, 1));
    x[0] = i % width + uniform(d, -jitter, jitter);
    if (o->planar) {
      x[1] = i / width + uniform(d, -jitter, jitter);
    } else {
      x[1] = i / (width * width) + uniform(d, -jitter, jitter);
      x[2] = i / width % width + uniform(d, -jitter, jitter);
    }
    for (int c = 0; c < h->dofs; c++) {
      int turns = h->dofs == 3 ? c == 2 : c >= 3;
      h->inverse_mass[i][c] = (turns ? 8 : 1) / mass;
      h->u[i][c] = uniform(d, -0.3, 0.3);
    }
    h->u[i][1] -= 0.3;
  }
}

static inline void heap_make(heap* h, dice* d, const heap_options* o)
{
  memset(h, 0, sizeof *h);
  h->dofs = o->planar ? 3 : 6;
  h->bodies = o->bodies;
  h->skew = o->skew;
  h->position = calloc((size_t)o->bodies, sizeof *h->position);
  h->inverse_mass = calloc((size_t)o->bodies, sizeof *h->inverse_mass);
  h->u = calloc((size_t)o->bodies, sizeof *h->u);
  heap_place(h, d, o);
  int width = (int)ceil(o->planar ? sqrt(o->bodies) : cbrt(o->bodies));
  int layer = o->planar ? width : width * width;
  for (int j = 0; j < o->bodies; j++) {
    for (int i = j - 2 * layer < 0 ? 0 : j - 2 * layer; i < j; i++) {
      double normal[3], middle[3], length = 0;
      for (int c = 0; c < 3; c++) {
        normal[c] = h->position[j][c] - h->position[i][c];
        middle[c] = 0.5 * (h->position[j][c] + h->position[i][c]);
        length += normal[c] * normal[c];
      }
      length = sqrt(length);
      if (length > 1.15) continue;
      for (int c = 0; c < 3; c++) normal[c] /= length;
      heap_join(h, d, o, i, j, middle, normal);
    }
    if (j >= layer) continue;
    double floor[3] = {h->position[j][0], -0.5, h->position[j][2]}, up[3] = {0, 1, 0};
    heap_join(h, d, o, -1, j, floor, up);
  }
}

/* --- the problem --- */

typedef struct heap_block {
  int i, j;
} heap_block;

static inline int heap_compare(const void* a, const void* b)
{
  const heap_block *x = a, *y = b;
  return x->i != y->i ? (x->i < y->i ? -1 : 1) : x->j < y->j ? -1 : x->j > y->j;
}

/* Sorts the blocks, drops what is there twice, and makes the arrays of the problem; values are
 * zero. */
static inline void heap_shape(heap* h, int nodes, heap_block* block, int count)
{
  qsort(block, (size_t)count, sizeof *block, heap_compare);
  int kept = 0;
  for (int e = 0; e < count; e++)
    if (e == 0 || heap_compare(&block[e], &block[e - 1]) != 0) block[kept++] = block[e];
  h->start = calloc((size_t)nodes + 1, sizeof(int));
  h->column = calloc((size_t)kept + 1, sizeof(int));
  h->place = calloc((size_t)kept + 1, sizeof(size_t));
  size_t at = 0;
  for (int e = 0; e < kept; e++) {
    int i = block[e].i, j = block[e].j;
    h->start[i + 1] = e + 1;
    h->column[e] = j;
    h->place[e] = at;
    at += (size_t)((h->row[i + 1] - h->row[i]) * (h->row[j + 1] - h->row[j]));
  }
  for (int i = 0; i < nodes; i++)
    if (h->start[i + 1] < h->start[i]) h->start[i + 1] = h->start[i];
  h->value = calloc(at + 1, sizeof(double));
  h->problem = (pc_problem){nodes, h->law, h->row, h->start, h->column, h->place, h->value, h->b};
}

static inline double* heap_find(heap* h, int i, int j)
{
  for (int e = h->start[i]; e < h->start[i + 1]; e++)
    if (h->column[e] == j) return &h->value[h->place[e]];
  return NULL;
}

/* w' M^-1 v of one body, with a skew part that couples neighbouring components. */
static inline double heap_inverse(const heap* h, int body, const double* w, const double* v)
{
  const double* inverse = h->inverse_mass[body];
  double sum = 0;
  for (int l = 0; l < h->dofs; l++) sum += w[l] * inverse[l] * v[l];
  for (int l = 0; l + 1 < h->dofs; l++)
    sum += h->skew * sqrt(inverse[l] * inverse[l + 1]) * (w[l] * v[l + 1] - w[l + 1] * v[l]);
  return sum;
}

/* A_ij += W_i M^-1 W_j' over the bodies that both touch. */
static inline void heap_couple(heap* h, int i, int j)
{
  const heap_node *a = &h->node[i], *b = &h->node[j];
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      if (a->body[p] < 0 || a->body[p] != b->body[q]) continue;
      double* to = heap_find(h, i, j);
      for (int r = 0; r < a->rows; r++)
        for (int c = 0; c < b->rows; c++)
          to[r * b->rows + c] += heap_inverse(h, a->body[p], a->W[p][r], b->W[q][c]);
    }
}

/* The percussion form. */
static inline void heap_percussion_form(heap* h)
{
  heap_forget_problem(h);
  int n = h->node_count, rows = 0, count = 0, capacity = 64;
  heap_block* block = malloc((size_t)capacity * sizeof *block);
  h->law = calloc((size_t)n + 1, sizeof *h->law);
  h->row = calloc((size_t)n + 1, sizeof(int));
  for (int i = 0; i < n; i++) {
    const heap_node* k = &h->node[i];
    h->law[i] = (pc_problem_node){k->is_contact ? PC_NODE_CONTACT : PC_NODE_EQUALITY, k->mu};
    h->row[i + 1] = rows += k->rows;
    for (int j = 0; j < n; j++) {
      int shared = i == j;
      for (int p = 0; p < 4; p++)
        shared |= k->body[p / 2] >= 0 && k->body[p / 2] == h->node[j].body[p % 2];
      if (!shared) continue;
      if (count == capacity) block = realloc(block, (size_t)(capacity *= 2) * sizeof *block);
      block[count++] = (heap_block){i, j};
    }
  }
  h->b = calloc((size_t)rows + 1, sizeof(double));
  for (int i = 0; i < n; i++)
    memcpy(&h->b[h->row[i]], h->node[i].b, (size_t)h->node[i].rows * sizeof(double));
  heap_shape(h, n, block, count);
  free(block);
  for (int i = 0; i < n; i++)
    for (int e = h->start[i]; e < h->start[i + 1]; e++) heap_couple(h, i, h->column[e]);
}

/* The saddle form: bodies first, du as unknowns, M du - W' P = 0 and W du + b = y. */
static inline void heap_saddle_form(heap* h)
{
  heap_forget_problem(h);
  int n = h->bodies + h->node_count, count = 0;
  heap_block* block = malloc(((size_t)n + 4 * (size_t)h->node_count) * sizeof *block);
  h->law = calloc((size_t)n + 1, sizeof *h->law);
  h->row = calloc((size_t)n + 1, sizeof(int));
  for (int i = 0; i < n; i++) {
    const heap_node* k = i < h->bodies ? NULL : &h->node[i - h->bodies];
    int contact = k && k->is_contact;
    h->law[i] =
        (pc_problem_node){contact ? PC_NODE_CONTACT : PC_NODE_EQUALITY, contact ? k->mu : 0};
    h->row[i + 1] = h->row[i] + (k ? k->rows : h->dofs);
    block[count++] = (heap_block){i, i};
    for (int side = 0; k && side < 2; side++) {
      if (k->body[side] < 0) continue;
      block[count++] = (heap_block){i, k->body[side]};
      block[count++] = (heap_block){k->body[side], i};
    }
  }
  h->b = calloc((size_t)h->row[n] + 1, sizeof(double));
  heap_shape(h, n, block, count);
  free(block);
  for (int i = 0; i < h->bodies; i++)
    for (int c = 0; c < h->dofs; c++)
      heap_find(h, i, i)[c * h->dofs + c] = 1 / h->inverse_mass[i][c];
  for (int i = h->bodies; i < n; i++) {
    const heap_node* k = &h->node[i - h->bodies];
    memcpy(&h->b[h->row[i]], k->b, (size_t)k->rows * sizeof(double));
    for (int side = 0; side < 2; side++) {
      if (k->body[side] < 0) continue;
      double *G = heap_find(h, i, k->body[side]), *W = heap_find(h, k->body[side], i);
      for (int r = 0; r < k->rows; r++)
        for (int c = 0; c < h->dofs; c++) {
          G[r * h->dofs + c] = k->W[side][r][c];
          W[c * k->rows + r] = -k->W[side][r][c];
        }
    }
  }
}

#endif
