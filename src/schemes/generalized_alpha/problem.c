#include "schemes/generalized_alpha/problem.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/stages.h"

enum { KINDS = 5 }; /* of values besides W */

static pc_status create_values(pc_alpha_problem* p, const pc_alpha_model* m, pc_error* error)
{
  double*** of[KINDS] = {&p->slope, &p->extra, &p->curvature, &p->turned, &p->direction};
  size_t width = 0, at = 0;
  for (int r = 0; r < m->rows; r++) width += (size_t)pc_system_row_width(m->system, r);
  p->values = pc_alloc(KINDS * width, sizeof *p->values);
  if (!p->values) return pc_no_memory(error);
  for (int i = 0; i < KINDS; i++) {
    *of[i] = pc_alloc((size_t)m->rows, sizeof **of[i]);
    if (!*of[i]) return pc_no_memory(error);
    for (int r = 0; r < m->rows; r++) {
      (*of[i])[r] = p->values + at;
      at += (size_t)pc_system_row_width(m->system, r);
    }
  }
  return PC_OK;
}

pc_status pc_alpha_problem_create(pc_alpha_problem* p, const pc_alpha_model* m, pc_error* error)
{
  size_t rows = (size_t)m->rows;
  p->held_positions = -1;
  p->row = pc_alloc(rows, sizeof *p->row);
  p->force = pc_alloc(rows, sizeof *p->force);
  p->measure = pc_alloc(rows, sizeof *p->measure);
  p->c = pc_alloc(rows, sizeof *p->c);
  p->y = pc_alloc(rows, sizeof *p->y);
  p->x = pc_alloc((size_t)m->n_u, sizeof *p->x);
  if (!p->row || !p->force || !p->measure || !p->c || !p->y || !p->x) return pc_no_memory(error);
  return create_values(p, m, error);
}

void pc_alpha_problem_free(pc_alpha_problem* p)
{
  void* array[] = {p->row,   p->force,     p->measure, p->c,         p->y,     p->x,
                   p->slope, p->curvature, p->turned,  p->direction, p->extra, p->values};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}
