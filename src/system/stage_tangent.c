/* The matrix of several stages, assembled element by element. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/stages.h"
#include "system/system.h"

struct pc_stage_tangent {
  const pc_system* system;
  int m;
  int moves;
  pc_assembly* matrix;
  double* big; /* one element's matrix of all stages */
  double* K;   /* its bracket at one stage, over coordinates and then over velocities */
};

/* Whether an element has a say in the matrix: by its mass and damping, and, if there are stages
 * whose coordinates move, by its stiffness and its rows. */
static int couples(const pc_element* e, int moves)
{
  unsigned terms = PC_TERM_M | PC_TERM_H_U;
  if (moves) terms |= PC_TERM_MA_Q | PC_TERM_H_Q | PC_TERM_W_Q;
  return (e->provides & terms) != 0;
}

/* Index sets: the runs of an element, or of each of its cells, once for each stage. */
static int list_sets(const pc_system* s, int m, int moves, pc_index_set* set, pc_block* block)
{
  int count = 0;
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    if (!couples(e, moves)) continue;
    for (int c = 0; c < e->cell_count; c++) {
      int runs = e->cell_stride ? 1 : e->block_count;
      set[count++] = (pc_index_set){m * runs, block};
      for (int j = 0; j < m; j++)
        for (int b = 0; b < runs; b++, block++) {
          *block = e->u_block[b];
          block->first += j * s->u_count + c * e->cell_stride;
          if (e->cell_stride) block->width = e->cell_u;
        }
    }
  }
  return count;
}

static pc_status create_matrix(pc_stage_tangent* t, pc_error* error)
{
  const pc_system* s = t->system;
  size_t sets = 0, blocks = 0;
  for (int i = 0; i < s->element_count; i++) {
    sets += (size_t)s->element[i].cell_count;
    blocks += (size_t)(s->element[i].cell_count * s->element[i].block_count * t->m);
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
  size_t widest = 0, slopes = 0;
  for (int i = 0; i < system->element_count; i++) {
    const pc_element* e = &system->element[i];
    size_t n = (size_t)e->cell_u, q = (size_t)e->cell_q;
    if (n > widest) widest = n;
    if (n * (q + n) > slopes) slopes = n * (q + n);
  }
  t->big = pc_alloc((size_t)(m * m) * widest * widest, sizeof *t->big);
  t->K = pc_alloc(slopes, sizeof *t->K);
  pc_status status = t->big && t->K ? create_matrix(t, error) : pc_no_memory(error);
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
  free(t->big);
  free(t->K);
  free(t);
}

const pc_assembly* pc_stage_tangent_matrix(const pc_stage_tangent* t)
{
  return t->matrix;
}

/* An element, or one of its cells, at the stages. */
typedef struct patch {
  const pc_element* e;
  int index; /* of the element */
  int cell;
  int n_u, n_q;
} patch;

/* K (n_u x n_q) -= (W P)_q of the element's rows. */
static void subtract_row_slopes(const patch* p, const pc_stage_at* at, double* K)
{
  const pc_local* l = &at->terms->local[p->index];
  const pc_element* e = p->e;
  size_t size = (size_t)p->n_u * (size_t)p->n_q;
  if (!l->W_q || !at->P) return;
  for (int r = 0; r < e->row_count; r++) {
    int global = r < e->g_count ? e->g_first + r
                 : r < e->g_count + e->gamma_count
                     ? e->gamma_first + r - e->g_count
                     : e->contact_row_first + r - e->g_count - e->gamma_count;
    double P = at->P[global];
    if (P == 0) continue;
    const double* slope = l->W_q + (size_t)r * size;
    for (size_t i = 0; i < size; i++) K[i] -= P * slope[i];
  }
}

/* The bracket (M w)_q - f h_q - (W P)_q at one stage, over coordinates. 0 if it vanishes. */
static int bracket(const patch* p, const pc_stage_at* at, double* K)
{
  const pc_local* l = &at->terms->local[p->index];
  int size = p->n_u * p->n_q;
  if (!l->Ma_q && !l->h_q && !l->W_q) return 0;
  memset(K, 0, (size_t)size * sizeof *K);
  for (int i = 0; l->Ma_q && i < size; i++) K[i] += l->Ma_q[p->cell * size + i];
  for (int i = 0; l->h_q && i < size; i++) K[i] -= at->f * l->h_q[p->cell * size + i];
  subtract_row_slopes(p, at, K);
  return 1;
}

/* Over velocities: K B, part by part; in place where q' = u. */
static const double* times_B(const pc_system* s, const patch* p, const pc_stage_motion* motion,
                             double* K)
{
  if (p->e->plain_kinematics) return K;
  double* product = K + p->n_u * p->n_q;
  int q = 0, u = 0;
  for (int k = 0; k < p->e->cell_parts; k++) {
    int index = p->e->part[p->cell * p->e->cell_part_stride + k];
    const pc_part* part = &s->part[index];
    int own = motion->own[index];
    for (int j = 0; j < p->n_u; j++)
      for (int i = 0; i < part->u_count; i++) {
        double sum = own < 0 ? K[j * p->n_q + q + i] : 0;
        for (int c = 0; own >= 0 && c < part->q_count; c++)
          sum += K[j * p->n_q + q + c] * motion->B[own][c * part->u_count + i];
        product[j * p->n_u + u + i] = sum;
      }
    q += part->q_count;
    u += part->u_count;
  }
  return product;
}

/* Adds K T_l to the block at `to`, whose lines are `stride` apart. */
static void add_K_T(const pc_system* s, const patch* p, const pc_stage_motion* motion, int l,
                    const double* K, double* to, int stride)
{
  int n = p->n_u, u = 0;
  if (p->e->plain_kinematics) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) to[j * stride + i] += motion->c[l] * K[j * n + i];
    return;
  }
  for (int k = 0; k < p->e->cell_parts; k++) {
    int index = p->e->part[p->cell * p->e->cell_part_stride + k];
    const pc_part* part = &s->part[index];
    int own = motion->own[index], width = part->u_count;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < width; i++) {
        double sum = own < 0 ? motion->c[l] * K[j * n + u + i] : 0;
        for (int c = 0; own >= 0 && c < width; c++)
          sum += K[j * n + u + c] * motion->T[own][(l * width + c) * width + i];
        to[j * stride + u + i] += sum;
      }
    u += width;
  }
}

/* F += K theta for the element's runs; theta is what Q owes. */
static void add_owed(const patch* p, const double* theta, const double* K, double* F)
{
  const pc_element* e = p->e;
  int first = p->cell * e->cell_stride, j = 0;
  for (int b = 0; b < e->block_count; b++) {
    int rows = e->cell_stride ? p->n_u : e->u_block[b].width;
    for (int row = 0; row < rows; row++, j++) {
      double sum = 0;
      int i = 0;
      for (int c = 0; c < e->block_count; c++) {
        int width = e->cell_stride ? p->n_u : e->u_block[c].width;
        for (int k = 0; k < width; k++, i++)
          sum += K[j * p->n_u + i] * theta[e->u_block[c].first + first + k];
      }
      F[e->u_block[b].first + first + row] += sum;
    }
  }
}

/* Adds scale * A (n x n) to the block at `to`, whose lines are `stride` apart. */
static void add_block(int n, double scale, const double* restrict A, double* restrict to,
                      int stride)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) to[j * stride + i] += scale * A[j * n + i];
}

/* Block row j of the patch's matrix. */
static void add_stage(pc_stage_tangent* t, const patch* p, int j, const pc_stage_at* at, double* F)
{
  const pc_local* l = &at->terms->local[p->index];
  int n = p->n_u, stride = t->m * n, size = n * n;
  double* line = t->big + j * n * stride;
  if (l->M) add_block(n, 1, l->M + p->cell * size, line + j * n, stride);
  for (int k = 0; l->h_u && k < t->m; k++)
    add_block(n, -at->f * at->motion->v[k], l->h_u + p->cell * size, line + k * n, stride);
  if (!at->motion->c || !bracket(p, at, t->K)) return;
  const double* K = times_B(t->system, p, at->motion, t->K);
  for (int k = 0; k < t->m; k++) add_K_T(t->system, p, at->motion, k, K, line + k * n, stride);
  if (at->motion->theta) add_owed(p, at->motion->theta, K, F + j * t->system->u_count);
}

/* The patch's matrix, on index set `set`. With a single stage, whose coordinates are given, it is
 * M - f v h_u. */
static void add_patch(pc_stage_tangent* t, const patch* p, int set, const pc_stage_at* stage,
                      double* F)
{
  const pc_local* l = &stage[0].terms->local[p->index];
  int m = t->m, size = p->n_u * p->n_u;
  if (!t->moves) {
    if (l->M) pc_assembly_add(t->matrix, set, 1, l->M + p->cell * size);
    double f = -stage[0].f * stage[0].motion->v[0];
    if (l->h_u) pc_assembly_add(t->matrix, set, f, l->h_u + p->cell * size);
    return;
  }
  memset(t->big, 0, (size_t)(m * m * size) * sizeof *t->big);
  for (int j = 0; j < m; j++) add_stage(t, p, j, &stage[j], F);
  pc_assembly_add(t->matrix, set, 1, t->big);
}

pc_status pc_stage_tangent_factor(pc_stage_tangent* t, const pc_stage_at* stage, double* F)
{
  const pc_system* s = t->system;
  int set = 0;
  pc_assembly_clear(t->matrix);
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    if (!couples(e, t->moves)) continue;
    for (int c = 0; c < e->cell_count; c++) {
      patch p = {e, i, c, e->cell_u, e->cell_q};
      add_patch(t, &p, set++, stage, F);
    }
  }
  return pc_assembly_factor(t->matrix);
}
