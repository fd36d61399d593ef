#include "system/stage_patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/inline.h"
#include "base/memory.h"
#include "base/status.h"
#include "linalg/two.h"

int pc_element_couples(const pc_element* e, int moves)
{
  unsigned terms = PC_TERM_M | PC_TERM_H_U;
  if (moves) terms |= PC_TERM_MA_Q | PC_TERM_P_Q | PC_TERM_H_Q | PC_TERM_W_Q;
  return (e->provides & terms) != 0;
}

pc_status pc_patch_work_create(const pc_system* system, int m, pc_patch_work* work, pc_error* error)
{
  size_t widest = 0, slopes = 0;
  for (int i = 0; i < pc_system_all_elements(system); i++) {
    pc_element found;
    const pc_element* e = pc_system_element_at(system, i, &found);
    size_t n = (size_t)e->cell.u, q = (size_t)e->cell.q;
    if (n > widest) widest = n;
    if (n * (q + n) > slopes) slopes = n * (q + n);
  }
  work->big = pc_alloc((size_t)(m * m) * widest * widest, sizeof *work->big);
  work->K = pc_alloc(slopes, sizeof *work->K);
  work->block = pc_alloc(widest * widest, sizeof *work->block);
  work->multiple = pc_alloc(2 * (size_t)m + 2, sizeof *work->multiple);
  return work->big && work->K && work->block && work->multiple ? PC_OK : pc_no_memory(error);
}

void pc_patch_work_free(pc_patch_work* work)
{
  free(work->big);
  free(work->K);
  free(work->block);
  free(work->multiple);
}

/* K (n_u x n_q) -= (W P)_q of the element's rows. */
static void subtract_row_slopes(const pc_patch* p, const pc_stage_at* at, double* K)
{
  const pc_local* l = pc_terms_local(at->terms, p->index);
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
    pc_terms_complete_slopes(at->terms, p->index);
    const double* slope = l->W_q + (size_t)r * size;
    for (size_t i = 0; i < size; i++) K[i] -= P * slope[i];
  }
}

/* The bracket (M w)_q - f h_q - (W P)_q at one stage, over coordinates. 0 if it vanishes. */
static int bracket(const pc_patch* p, const pc_stage_at* at, double* K)
{
  const pc_local* l = pc_terms_local(at->terms, p->index);
  int size = p->n_u * p->n_q;
  if (!l->Ma_q && !l->h_q && !l->W_q) return 0;
  memset(K, 0, (size_t)size * sizeof *K);
  for (int i = 0; l->Ma_q && i < size; i++) K[i] += l->Ma_q[p->cell * size + i];
  for (int i = 0; l->h_q && i < size; i++) K[i] -= at->f * l->h_q[p->cell * size + i];
  subtract_row_slopes(p, at, K);
  return 1;
}

/* Over velocities: K B, part by part; in place where q' = u. */
static const double* times_B(const pc_system* s, const pc_patch* p, const pc_stage_motion* motion,
                             double* K)
{
  if (p->e->plain_kinematics) return K;
  double* product = K + p->n_u * p->n_q;
  int q = 0, u = 0;
  for (int k = 0; k < p->e->cell.parts; k++) {
    int index = p->e->part[p->cell * p->e->cell.part_stride + k];
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

/* Adds factor[l] A (n x n) to each of the m blocks side by side at `to`, whose lines are `stride`
 * apart. */
PC_INLINE void add_multiples_of(int n, int m, const double* factor, double scale,
                                const double* restrict A, double* restrict to, int stride)
{
  for (int l = 0; l < m; l++) {
    double c = scale * factor[l];
    if (c == 0) continue;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) to[j * stride + l * n + i] += c * A[j * n + i];
  }
}

/* The loops of the few velocities of small elements have constant lengths. */
static void add_multiples(int n, int m, const double* factor, double scale, const double* A,
                          double* to, int stride)
{
  switch (n) {
    case 1: add_multiples_of(1, m, factor, scale, A, to, stride); return;
    case 2: add_multiples_of(2, m, factor, scale, A, to, stride); return;
    case 3: add_multiples_of(3, m, factor, scale, A, to, stride); return;
    default: add_multiples_of(n, m, factor, scale, A, to, stride);
  }
}

/* Adds scale * K T_l to the block of stage l, for all of them; the lines of `to` are `stride`
 * apart. */
static void add_K_T(const pc_system* s, const pc_patch* p, const pc_stage_motion* motion, int m,
                    double scale, const double* K, double* to, int stride)
{
  int n = p->n_u, u = 0;
  if (p->e->plain_kinematics) {
    add_multiples(n, m, motion->c, scale, K, to, stride);
    return;
  }
  for (int k = 0; k < p->e->cell.parts; k++) {
    int index = p->e->part[p->cell * p->e->cell.part_stride + k];
    const pc_part* part = &s->part[index];
    int own = motion->own[index], width = part->u_count;
    for (int l = 0; l < m; l++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < width; i++) {
          double sum = own < 0 ? motion->c[l] * K[j * n + u + i] : 0;
          for (int c = 0; own >= 0 && c < width; c++)
            sum += K[j * n + u + c] * motion->T[own][(l * width + c) * width + i];
          to[j * stride + l * n + u + i] += scale * sum;
        }
    u += width;
  }
}

/* F += scale * K theta for the element's runs; theta is the kinematic defect. */
static void add_defect(const pc_patch* p, const double* theta, double scale, const double* K,
                       double* F)
{
  const pc_element* e = p->e;
  int first = p->cell * e->cell.stride, j = 0;
  for (int b = 0; b < e->block_count; b++) {
    int rows = e->cell.stride ? p->n_u : e->u_block[b].width;
    for (int row = 0; row < rows; row++, j++) {
      double sum = 0;
      int i = 0;
      for (int c = 0; c < e->block_count; c++) {
        int width = e->cell.stride ? p->n_u : e->u_block[c].width;
        for (int k = 0; k < width; k++, i++)
          sum += K[j * p->n_u + i] * theta[e->u_block[c].first + first + k];
      }
      F[e->u_block[b].first + first + row] += scale * sum;
    }
  }
}

/* Adds factor[l] M of the patch, if it has one, to the block of stage l, for all of them. */
static void add_mass(const pc_terms* t, const pc_patch* p, int m, const double* factor,
                     double scale, double* to, int stride)
{
  int n = p->n_u;
  const double *thin = pc_terms_thin_M(t, p->index), *M = pc_terms_local(t, p->index)->M;
  if (M) add_multiples(n, m, factor, scale, M + p->cell * n * n, to, stride);
  for (int l = 0; thin && l < m; l++)
    for (int i = 0; i < n; i++) to[l * n + i * (stride + 1)] += scale * factor[l] * thin[i];
}

/* The forces of block row j: -f (v h_u + h_q B T) - (W P)_q B T. */
static void add_forces(const pc_system* s, const pc_patch* p, int m, int j, const pc_stage_at* at,
                       const pc_patch_work* work, double* F)
{
  const pc_local* l = pc_terms_local(at->terms, p->index);
  int n = p->n_u, stride = m * n, size = n * n;
  double* line = work->big + j * n * stride;
  if (l->h_u) add_multiples(n, m, at->motion->v, -at->f, l->h_u + p->cell * size, line, stride);
  if (!at->motion->c || !bracket(p, at, work->K)) return;
  const double* K = times_B(s, p, at->motion, work->K);
  add_K_T(s, p, at->motion, m, 1, K, line, stride);
  if (at->motion->theta) add_defect(p, at->motion->theta, 1, K, F + j * s->u_count);
}

/* The momenta of stage i in all block rows. */
static void add_momenta(const pc_system* s, const pc_patch* p, int m, int i,
                        const pc_stage_at* stage, const pc_patch_work* work, double* F)
{
  const pc_local* l = pc_terms_local(stage[i].terms, p->index);
  const pc_stage_motion* motion = stage[i].motion;
  int n = p->n_u, stride = m * n;
  const double* K = motion->c && l->p_q ? l->p_q + p->cell * n * p->n_q : NULL;
  if (K && !p->e->plain_kinematics) {
    memcpy(work->K, K, (size_t)(n * p->n_q) * sizeof *K);
    K = times_B(s, p, motion, work->K);
  }
  for (int j = 0; j < m; j++) {
    double L = stage[j].L[i], *line = work->big + j * n * stride;
    add_mass(stage[i].terms, p, m, motion->v, L, line, stride);
    if (K) add_K_T(s, p, motion, m, L, K, line, stride);
    if (K && motion->theta) add_defect(p, motion->theta, L, K, F + j * s->u_count);
  }
}

/* ---- momentum form with q' = u -------------------------------------------------------------- */

/* Whether that is so, with a whole M, and nothing is to be added to F. Then every block of the
 * matrix is a sum of the same few matrices with other factors, and is written once. */
static int is_sum_of_multiples(const pc_patch* p, int m, const pc_stage_at* stage)
{
  return stage[0].L && p->e->plain_kinematics && !stage[m - 1].motion->theta &&
         !pc_terms_thin_M(stage[0].terms, p->index);
}

/* Lists the matrices of block row j, in the order in which they are added elsewhere: the bits of a
 * matrix do not depend on who makes it. Returns how many there are. */
static int list_multiples(const pc_patch* p, int m, int j, const pc_stage_at* stage,
                          const pc_patch_work* work)
{
  pc_multiple* next = work->multiple;
  int first = p->cell * p->n_u * p->n_u;
  for (int i = 0; i < m; i++) {
    const pc_local* l = pc_terms_local(stage[i].terms, p->index);
    const pc_stage_motion* motion = stage[i].motion;
    double L = stage[j].L[i];
    if (l->M) *next++ = (pc_multiple){L, motion->v, l->M + first};
    if (motion->c && l->p_q) *next++ = (pc_multiple){L, motion->c, l->p_q + first};
    if (i != j || (stage[j].f == 0 && !stage[j].P)) continue;
    if (l->h_u) *next++ = (pc_multiple){-stage[j].f, motion->v, l->h_u + first};
    if (motion->c && bracket(p, &stage[j], work->K)) *next++ = (pc_multiple){1, motion->c, work->K};
  }
  return (int)(next - work->multiple);
}

/* sum += c A */
PC_INLINE void add_multiple(int size, double c, const double* A, double* restrict sum)
{
  for (int k = 0; k + 2 <= size; k += 2)
    pc_store_two(pc_load_two(sum + k) + c * pc_load_two(A + k), sum + k);
  if (size & 1) sum[size - 1] += c * A[size - 1];
}

/* Writes a block row; `sum` has space for a block. */
PC_INLINE void write_line(int n, int m, int count, const pc_multiple* of, double* restrict sum,
                          double* restrict line)
{
  for (int l = 0; l < m; l++, line += n) {
    for (int k = 0; k < n * n; k++) sum[k] = 0;
    for (int k = 0; k < count; k++) {
      double c = of[k].scale * of[k].factor[l];
      if (c != 0) add_multiple(n * n, c, of[k].A, sum);
    }
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) line[j * m * n + i] = sum[j * n + i];
  }
}

static void fill_with_multiples(const pc_patch* p, int m, const pc_stage_at* stage,
                                const pc_patch_work* work)
{
  int n = p->n_u;
  double sum[9], *line = work->big;
  for (int j = 0; j < m; j++, line += n * m * n) {
    int count = list_multiples(p, m, j, stage, work);
    switch (n) {
      case 1: write_line(1, m, count, work->multiple, sum, line); break;
      case 2: write_line(2, m, count, work->multiple, sum, line); break;
      case 3: write_line(3, m, count, work->multiple, sum, line); break;
      default: write_line(n, m, count, work->multiple, work->block, line);
    }
  }
}

void pc_patch_fill(const pc_system* s, const pc_patch* p, int m, const pc_stage_at* stage,
                   const pc_patch_work* work, double* F)
{
  if (is_sum_of_multiples(p, m, stage)) {
    fill_with_multiples(p, m, stage, work);
    return;
  }
  memset(work->big, 0, (size_t)(m * m * p->n_u * p->n_u) * sizeof *work->big);
  int n = p->n_u;
  const double own = 1;
  for (int j = 0; j < m; j++) {
    if (stage[j].L)
      add_momenta(s, p, m, j, stage, work, F);
    else
      add_mass(stage[j].terms, p, 1, &own, 1, work->big + j * n * (m * n + 1), m * n);
    if (stage[j].f != 0 || stage[j].P) add_forces(s, p, m, j, &stage[j], work, F);
  }
}
