#include "system/loads.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/terms.h"

struct pc_loads {
  pc_terms *rows, *mean_rows, *forces; /* W at both points; h of one element at a time */
  double* q;                           /* half a step before */
  pc_at at;
  int element; /* whose forces there are, or -1 */
};

pc_status pc_loads_create(const pc_system* system, pc_loads** loads, pc_error* error)
{
  *loads = pc_alloc(1, sizeof **loads);
  if (!*loads) return pc_no_memory(error);
  pc_loads* l = *loads;
  l->element = -1;
  l->q = pc_alloc((size_t)pc_system_q_count(system), sizeof *l->q);
  pc_status status = l->q ? PC_OK : pc_no_memory(error);
  if (status == PC_OK) status = pc_terms_create(system, PC_TERM_W, &l->rows, error);
  if (status == PC_OK) status = pc_terms_create(system, PC_TERM_W, &l->mean_rows, error);
  if (status == PC_OK) status = pc_terms_create(system, PC_TERM_H, &l->forces, error);
  if (status == PC_OK) return PC_OK;
  pc_loads_destroy(l);
  *loads = NULL;
  return status;
}

void pc_loads_destroy(pc_loads* loads)
{
  if (!loads) return;
  free(loads->q);
  pc_terms_destroy(loads->rows);
  pc_terms_destroy(loads->mean_rows);
  pc_terms_destroy(loads->forces);
  free(loads);
}

int pc_system_has_load_outputs(const pc_system* s)
{
  for (int i = 0; i < s->output.count; i++)
    if (s->output.item[i].loads) return 1;
  return 0;
}

void pc_loads_evaluate(pc_loads* loads, double t, double dt, const double* q, const double* u)
{
  const pc_system* system = loads->rows->system;
  loads->at = (pc_at){t, q, u, NULL};
  loads->element = -1;
  pc_system_q_dot(system, t, q, u, loads->q);
  for (int i = 0; i < pc_system_q_count(system); i++) loads->q[i] = q[i] - dt / 2 * loads->q[i];
  pc_terms_evaluate(loads->rows, &loads->at);
  pc_terms_evaluate(loads->mean_rows, &(pc_at){t - dt / 2, loads->q, u, NULL});
}

static double entry(const pc_terms* terms, int row, int i)
{
  pc_row of = pc_terms_row(terms, row);
  const double* w = of.w;
  for (int b = 0; b < of.block_count; w += of.block[b++].width)
    if (i >= of.block[b].first && i < of.block[b].first + of.block[b].width)
      return w[i - of.block[b].first];
  return 0;
}

static double sum_over_rows(const pc_terms* terms, int first, int count, int i,
                            const double* carried)
{
  double sum = 0;
  for (int r = first; r < first + count; r++) sum += carried[r] * entry(terms, r, i);
  return sum;
}

static double reaction(const pc_terms* terms, int element, int i, const double* carried)
{
  const pc_element* e = &terms->system->element[element];
  return sum_over_rows(terms, e->g_first, e->g_count, i, carried) +
         sum_over_rows(terms, e->gamma_first, e->gamma_count, i, carried);
}

double pc_loads_of_joint_mean(const pc_loads* loads, int element, int i, const double* carried)
{
  return reaction(loads->mean_rows, element, i, carried);
}

double pc_loads_of_joint(const pc_loads* loads, int element, int i, const double* carried)
{
  return reaction(loads->rows, element, i, carried);
}

double pc_loads_mean_q(const pc_loads* loads, int i)
{
  return loads->q[i];
}

double pc_loads_of_force(pc_loads* loads, int element, int i)
{
  if (loads->element != element) pc_terms_evaluate_force(loads->forces, element, &loads->at);
  loads->element = element;
  return loads->forces->h[i];
}
