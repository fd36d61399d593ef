/* The tangent m M - c h_u - k h_q B of implicit schemes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"
#include "system/terms.h"

static unsigned couples(const pc_element* e)
{
  return e->provides & (PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U);
}

/* One index set for each element that couples velocities, or for each of its cells, whose runs are
 * made at `cell`. */
static int list_sets(const pc_system* s, pc_index_set* set, pc_block* cell)
{
  int count = 0;
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    if (!couples(e)) continue;
    int diagonal = e->diagonal_M && couples(e) == PC_TERM_M;
    if (!e->cell.stride) set[count++] = (pc_index_set){e->block_count, e->u_block, diagonal};
    for (int c = 0; e->cell.stride && c < e->cell.count; c++) {
      *cell = (pc_block){e->u_block[0].first + c * e->cell.stride, e->cell.u};
      set[count++] = (pc_index_set){1, cell++, 0};
    }
  }
  return count;
}

pc_status pc_system_create_tangent(const pc_system* s, pc_assembly** tangent, pc_error* error)
{
  size_t most = 0;
  for (int i = 0; i < s->element_count; i++) most += (size_t)s->element[i].cell.count;
  pc_index_set* set = pc_alloc(most, sizeof *set);
  pc_block* cell = pc_alloc(most, sizeof *cell);
  pc_status status = PC_OUT_OF_MEMORY;
  if (set && cell) {
    int count = list_sets(s, set, cell);
    int only_mass = !(pc_system_provides(s) & (PC_TERM_H_Q | PC_TERM_H_U));
    status = pc_assembly_create(s->u_count, count, set,
                                only_mass ? PC_POSITIVE_DEFINITE : PC_UNSYMMETRIC, tangent, error);
  } else {
    pc_no_memory(error);
  }
  free(set);
  free(cell);
  return status;
}

/* Adds an element's matrix, all cells of it, from index set `set` on. */
static void add_matrix(pc_assembly* tangent, int set, const pc_element* e, double scale,
                       const double* value)
{
  for (int c = 0; c < e->cell.count; c++) {
    pc_assembly_add(tangent, set + c, scale, value);
    value += e->cell.u * e->cell.u;
  }
}

/* K = h_q B of one cell, for parts with kinematics of their own; `scratch` holds one B. */
static void times_B(const pc_system* s, const pc_element* e, int cell, const pc_at* at,
                    const double* h_q, double* K, double* scratch)
{
  int q_offset = 0, u_offset = 0, n_u = e->cell.u, n_q = e->cell.q;
  for (int i = 0; i < e->cell.parts; i++) {
    const pc_part* p = &s->part[e->part[cell * e->cell.part_stride + i]];
    if (p->kinematics.B) {
      p->kinematics.B(p->user, at->t, at->q + p->q_first, scratch);
    } else {
      memset(scratch, 0, (size_t)(p->q_count * p->u_count) * sizeof *scratch);
      for (int k = 0; k < p->q_count; k++) scratch[k * p->u_count + k] = 1;
    }
    for (int j = 0; j < n_u; j++)
      for (int c = 0; c < p->u_count; c++) {
        double sum = 0;
        for (int k = 0; k < p->q_count; k++)
          sum += h_q[j * n_q + q_offset + k] * scratch[k * p->u_count + c];
        K[j * n_u + u_offset + c] = sum;
      }
    q_offset += p->q_count;
    u_offset += p->u_count;
  }
}

/* Adds -k h_q B, cell by cell. */
static void add_stiffness(const pc_terms* t, const pc_element* e, const pc_at* at, double k,
                          const double* h_q, int set, pc_assembly* tangent)
{
  double* product = t->work.scratch;
  double* scratch = product + e->cell.u * e->cell.u;
  for (int c = 0; c < e->cell.count; c++, h_q += e->cell.u * e->cell.q) {
    times_B(t->system, e, c, at, h_q, product, scratch);
    pc_assembly_add(tangent, set + c, -k, product);
  }
}

/* Adds -k X B for X = h_q or (M a)_q. */
static void add_slope(const pc_terms* t, const pc_element* e, const pc_at* at, double k,
                      const double* slope, int set, pc_assembly* tangent)
{
  if (slope && e->plain_kinematics) add_matrix(tangent, set, e, -k, slope);
  if (slope && !e->plain_kinematics) add_stiffness(t, e, at, k, slope, set, tangent);
}

void pc_terms_tangent(const pc_terms* t, const pc_at* at, double m, double c, double k,
                      pc_assembly* tangent)
{
  const pc_system* s = t->system;
  pc_assembly_clear(tangent);
  int set = 0;
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    const pc_local* l = pc_terms_local(t, i);
    if (!couples(e)) continue;
    double space[PC_THIN_MOST * PC_THIN_MOST];
    const double* M = pc_terms_M(t, i, space);
    if (M) add_matrix(tangent, set, e, m, M);
    if (l->h_u) add_matrix(tangent, set, e, -c, l->h_u);
    add_slope(t, e, at, k, l->h_q, set, tangent);
    set += e->cell.count;
  }
}

void pc_terms_stiffness(const pc_terms* t, const pc_at* at, pc_assembly* stiffness)
{
  const pc_system* s = t->system;
  pc_assembly_clear(stiffness);
  int set = 0;
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    const pc_local* l = pc_terms_local(t, i);
    if (!couples(e)) continue;
    add_slope(t, e, at, -1, l->h_q, set, stiffness);
    add_slope(t, e, at, 1, l->Ma_q, set, stiffness);
    set += e->cell.count;
  }
}
