#include "schemes/generalized_alpha/contact_problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "solve/methods.h"

pc_status pc_alpha_contact_problem_create(pc_alpha_contact_problem* c, const pc_alpha_model* m,
                                          pc_error* error)
{
  size_t all = (size_t)m->n_u + (size_t)m->rows;
  *c = (pc_alpha_contact_problem){.n = m->n_u, .rows = m->rows};
  if (m->contacts == 0) return PC_OK;
  c->contact = pc_alloc((size_t)m->contacts, sizeof *c->contact);
  c->owner = pc_alloc((size_t)m->rows, sizeof *c->owner);
  c->node = pc_alloc(all, sizeof *c->node);
  c->b = pc_alloc(all, sizeof *c->b);
  c->z = pc_alloc(all, sizeof *c->z);
  if (!c->contact || !c->owner || !c->node || !c->b || !c->z) return pc_no_memory(error);
  pc_solver_settings settings = pc_default_solver_settings();
  settings.tolerance = m->settings.solver_tolerance;
  PC_TRY(pc_solver_create(m->settings.solver, &settings, &c->solver, error));
  pc_solver_be_brief(c->solver);
  return PC_OK;
}

void pc_alpha_contact_problem_free(pc_alpha_contact_problem* c)
{
  void* array[] = {c->contact, c->owner, c->node, c->b, c->z};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_alpha_sparse_saddle_destroy(c->saddle);
  pc_solver_destroy(c->solver);
}

void pc_alpha_contact_problem_begin(pc_alpha_contact_problem* c)
{
  c->count = 0;
}

void pc_alpha_contact_problem_add(pc_alpha_contact_problem* c, int k, int first, double mu)
{
  c->contact[c->count++] = (pc_alpha_contact){k, first, mu};
}

static void find_owners(pc_alpha_contact_problem* c, int joints, int rows)
{
  for (int r = 0; r < joints; r++) c->owner[r] = -1;
  for (int i = 0; i < c->count; i++) {
    int end = i + 1 < c->count ? c->contact[i + 1].first : rows;
    for (int r = c->contact[i].first; r < end; r++) c->owner[r] = c->contact[i].k;
  }
}

/* y = A z + b: what is left of the equations of motion, and what the constraints measure. */
static pc_problem fill(pc_alpha_contact_problem* c, const pc_alpha_problem* p)
{
  const pc_block_matrix* matrix = pc_alpha_sparse_saddle_matrix(c->saddle);
  for (int i = 0; i < matrix->node_count; i++) c->node[i] = (pc_problem_node){PC_NODE_EQUALITY, 0};
  for (int i = 0; i < c->count; i++) {
    int node = pc_alpha_sparse_saddle_node(c->saddle, c->contact[i].first);
    c->node[node] = (pc_problem_node){PC_NODE_CONTACT, c->contact[i].mu};
  }
  for (int i = 0; i < c->n; i++) {
    c->b[i] = -p->x[i];
    c->z[i] = 0;
  }
  for (int r = 0; r < p->count; r++) {
    c->b[c->n + r] = -p->c[r];
    c->z[c->n + r] = c->owner[r] < 0 ? 0 : p->y[r];
  }
  return (pc_problem){.node_count = matrix->node_count,
                      .node = c->node,
                      .row = matrix->row,
                      .start = matrix->start,
                      .column = matrix->column,
                      .place = matrix->place,
                      .value = matrix->value,
                      .b = c->b};
}

pc_status pc_alpha_contact_problem_solve(pc_alpha_contact_problem* c, pc_alpha_operator A,
                                         pc_alpha_problem* p, int joints, pc_solver_info* info,
                                         pc_error* error)
{
  if (!c->saddle) PC_TRY(pc_alpha_sparse_saddle_create(A, c->rows, &c->saddle, error));
  find_owners(c, joints, p->count);
  PC_TRY(
      pc_alpha_sparse_saddle_fill(c->saddle, A, p->count, c->owner, p->force, p->measure, error));
  pc_problem problem = fill(c, p);
  PC_TRY(pc_solver_solve(c->solver, &problem, c->z, info, error));
  pc_copy(c->n, c->z, p->x);
  pc_copy(p->count, c->z + c->n, p->y);
  return PC_OK;
}
