/* Rows of constraints and contacts through the stages of a scheme. */
#include <string.h>

#include "system/stages.h"
#include "system/system.h"

int pc_system_row_width(const pc_system* s, int row)
{
  return s->element[s->row[row].element].u_count;
}

/* out (m runs of `width`) += scale x T_l for a row x over the velocities of an element. */
static void through_T(const pc_system* s, const pc_element* e, const pc_stage_motion* motion,
                      const double* x, double scale, double* out)
{
  int width = e->u_count;
  for (int l = 0; l < motion->m; l++, out += width) {
    if (e->plain_kinematics) {
      for (int i = 0; i < width; i++) out[i] += scale * motion->c[l] * x[i];
      continue;
    }
    int first = 0;
    for (int k = 0; k < e->part_count; k++) {
      const pc_part* p = &s->part[e->part[k]];
      int n = p->u_count, own = motion->own[e->part[k]];
      if (own < 0) {
        for (int i = 0; i < n; i++) out[first + i] += scale * motion->c[l] * x[first + i];
      } else {
        const double* T = motion->T[own] + l * n * n;
        for (int j = 0; j < n; j++)
          for (int i = 0; i < n; i++) out[first + i] += scale * x[first + j] * T[j * n + i];
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
    int own = motion->own[e->part[k]];
    for (int i = 0; i < p->u_count; i++) {
      if (own < 0) {
        x[i] = slope[i];
        continue;
      }
      x[i] = 0;
      for (int j = 0; j < p->q_count; j++) x[i] += slope[j] * motion->B[own][j * p->u_count + i];
    }
    slope += p->q_count;
    x += p->u_count;
  }
}

/* d(W_r . V + chi_r)/dtheta, in the scratch of the terms. */
static const double* velocity_slope(const pc_terms* t, int row, const pc_stage_motion* motion,
                                    const double* V)
{
  const pc_system* s = t->system;
  const pc_element* e = &s->element[s->row[row].element];
  double* slope = t->scratch;
  if (!t->local[s->row[row].element].W_q) return NULL;
  pc_terms_row_velocity_q(t, row, V, slope);
  if (e->plain_kinematics) return slope;
  through_B(s, e, motion, slope, slope + e->q_count);
  return slope + e->q_count;
}

void pc_terms_add_position_row(const pc_terms* t, int row, const pc_stage_motion* motion,
                               double scale, double* out)
{
  const pc_element* e = &t->system->element[t->system->row[row].element];
  through_T(t->system, e, motion, t->row[row].w, scale, out);
}

void pc_terms_add_velocity_row(const pc_terms* t, int row, const pc_stage_motion* motion,
                               const double* V, double scale, double* out)
{
  const pc_element* e = &t->system->element[t->system->row[row].element];
  const double* w = t->row[row].w;
  for (int l = 0; l < motion->m; l++)
    for (int i = 0; i < e->u_count; i++) out[l * e->u_count + i] += scale * motion->v[l] * w[i];
  const double* slope = motion->c ? velocity_slope(t, row, motion, V) : NULL;
  if (slope) through_T(t->system, e, motion, slope, scale, out);
}

double pc_terms_owed_position(const pc_terms* t, int row, const pc_stage_motion* motion)
{
  return motion->theta ? pc_row_dot(t->row[row], motion->theta) : 0;
}

double pc_terms_owed_velocity(const pc_terms* t, int row, const pc_stage_motion* motion,
                              const double* V)
{
  if (!motion->theta) return 0;
  const double* slope = velocity_slope(t, row, motion, V);
  if (!slope) return 0;
  const pc_row* w = &t->row[row];
  return pc_row_dot((pc_row){w->block_count, w->block, slope}, motion->theta);
}
