/* How the velocity and the acceleration of a row change with the state: what implicit schemes need
 * that hold constraints at those levels. */
#include <string.h>

#include "system/system.h"
#include "system/terms.h"

/* out (over the element's u) += scale * slope B, with `slope` over its q; `scratch` holds one B. */
static void add_times_B(const pc_system* s, const pc_element* e, const pc_at* at, double scale,
                        const double* slope, double* scratch, double* out)
{
  if (e->plain_kinematics) {
    for (int i = 0; i < e->u_count; i++) out[i] += scale * slope[i];
    return;
  }
  for (int i = 0; i < e->part_count; i++) {
    const pc_part* p = &s->part[e->part[i]];
    if (p->kinematics.B) {
      p->kinematics.B(p->user, at->t, at->q + p->q_first, scratch);
      for (int k = 0; k < p->q_count; k++)
        for (int c = 0; c < p->u_count; c++)
          out[c] += scale * slope[k] * scratch[k * p->u_count + c];
    } else {
      for (int c = 0; c < p->u_count; c++) out[c] += scale * slope[c];
    }
    slope += p->q_count;
    out += p->u_count;
  }
}

/* slope (over the element's q) := sum_j x_j dW_rj/dq + share * dchi_r/dq */
static void slope_of_row(const pc_element* e, const pc_local* l, int local, const double* x,
                         double share, double* slope)
{
  int n_q = e->q_count, n_u = e->u_count;
  const double* W_q = l->W_q + (size_t)local * (size_t)n_u * (size_t)n_q;
  for (int k = 0; k < n_q; k++) slope[k] = share * l->chi_q[local * n_q + k];
  int j = 0;
  for (int b = 0; b < e->block_count; b++)
    for (int i = 0; i < e->u_block[b].width; i++, j++) {
      double x_j = x[e->u_block[b].first + i];
      if (x_j == 0) continue;
      for (int k = 0; k < n_q; k++) slope[k] += x_j * W_q[j * n_q + k];
    }
}

void pc_terms_add_row_velocity_slope(const pc_terms* t, const pc_at* at, int row, const double* u,
                                     double scale, double* value)
{
  pc_row_place place = pc_system_row_place(t->system, row);
  pc_element found;
  const pc_element* e = pc_system_element_at(t->system, place.element, &found);
  pc_terms_complete_slopes(t, place.element);
  slope_of_row(e, pc_terms_local(t, place.element), place.local, u, 1, t->work.scratch);
  add_times_B(t->system, e, at, scale, t->work.scratch, t->work.scratch + e->q_count, value);
}

void pc_terms_add_row_zeta_u(const pc_terms* t, const pc_at* at, int row, double scale,
                             double* value)
{
  pc_row_place place = pc_system_row_place(t->system, row);
  pc_element found;
  const pc_element* e = pc_system_element_at(t->system, place.element, &found);
  const pc_local* l = pc_terms_local(t, place.element);
  int n_q = e->q_count, n_u = e->u_count;
  const double* W_q = l->W_q + (size_t)place.local * (size_t)n_u * (size_t)n_q;
  for (int j = 0; j < n_u; j++) {
    double sum = 0;
    int k = 0;
    for (int b = 0; b < e->block_count; b++)
      for (int i = 0; i < e->q_block[b].width; i++, k++)
        sum += W_q[j * n_q + k] * t->work.q_dot[e->q_block[b].first + i];
    value[j] += scale * (sum + l->W_t[place.local * n_u + j]);
  }
  slope_of_row(e, l, place.local, at->u, 1, t->work.scratch);
  add_times_B(t->system, e, at, scale, t->work.scratch, t->work.scratch + n_q, value);
}
