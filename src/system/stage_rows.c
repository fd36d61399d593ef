/* Rows of constraints and contacts through the stages of a scheme. */
#include <string.h>

#include "system/stages.h"
#include "system/system.h"

int pc_system_row_width(const pc_system* s, int row)
{
  pc_element found;
  return pc_system_element_at(s, pc_system_row_place(s, row).element, &found)->u_count;
}

int pc_system_row_element(const pc_system* s, int row)
{
  return pc_system_row_place(s, row).element;
}

/* out (m runs of `width`) += scale x T_l for a row x over the velocities of an element. */
static void through_T(const pc_system* s, const pc_element* e, const pc_stage_motion* motion,
                      const double* x, double scale, double* out)
{
  int width = e->u_count;
  for (int l = 0; l < motion->m; l++, out += width) {
    double c = scale * motion->c[l];
    if (e->plain_kinematics) {
      for (int i = 0; i < width; i++) out[i] += c * x[i];
      continue;
    }
    int first = 0;
    for (int k = 0; k < e->part_count; k++) {
      const pc_part* p = &s->part[e->part[k]];
      int n = p->u_count, own = motion->own[e->part[k]], lead = own < 0 ? n : p->kinematics.plain;
      const double* T = own < 0 ? NULL : motion->T[own] + l * n * n;
      for (int i = 0; i < lead; i++) out[first + i] += c * x[first + i];
      for (int i = lead; i < n; i++) {
        double sum = 0;
        for (int j = lead; j < n; j++) sum += x[first + j] * T[j * n + i];
        out[first + i] += scale * sum;
      }
      first += n;
    }
  }
}

/* x (over velocities) = slope (over coordinates) B. */
static void through_B(const pc_system* s, const pc_element* e, const pc_stage_motion* motion,
                      const double* slope, double* x)
{
  for (int k = 0; k < e->part_count; k++) {
    const pc_part* p = &s->part[e->part[k]];
    int n = p->u_count, own = motion->own[e->part[k]], lead = own < 0 ? n : p->kinematics.plain;
    const double* B = own < 0 ? NULL : motion->B[own];
    for (int i = 0; i < lead; i++) x[i] = slope[i];
    for (int i = lead; i < n; i++) {
      double sum = 0;
      for (int j = lead; j < p->q_count; j++) sum += slope[j] * B[j * n + i];
      x[i] = sum;
    }
    slope += p->q_count;
    x += n;
  }
}

void pc_terms_velocity_slope(const pc_terms* t, int row, const pc_stage_motion* motion,
                             const double* V, double* slope)
{
  const pc_system* s = t->system;
  pc_element found;
  const pc_element* e = pc_system_element_at(s, pc_system_row_place(s, row).element, &found);
  if (e->plain_kinematics) {
    pc_terms_row_velocity_q(t, row, V, slope);
    return;
  }
  pc_terms_row_velocity_q(t, row, V, t->work.scratch);
  through_B(s, e, motion, t->work.scratch, slope);
}

void pc_terms_add_position_row(const pc_terms* t, int row, const pc_stage_motion* motion,
                               double scale, double* out)
{
  pc_element found;
  const pc_element* e =
      pc_system_element_at(t->system, pc_system_row_place(t->system, row).element, &found);
  through_T(t->system, e, motion, pc_terms_row(t, row).w, scale, out);
}

void pc_terms_add_velocity_row(const pc_terms* t, int row, const pc_stage_motion* motion,
                               const double* slope, double scale, double* out)
{
  pc_element found;
  const pc_element* e =
      pc_system_element_at(t->system, pc_system_row_place(t->system, row).element, &found);
  const double* w = pc_terms_row(t, row).w;
  for (int l = 0; l < motion->m; l++) {
    double v = scale * motion->v[l];
    for (int i = 0; v != 0 && i < e->u_count; i++) out[l * e->u_count + i] += v * w[i];
  }
  if (slope) through_T(t->system, e, motion, slope, scale, out);
}
