/* Josephy-Newton: the problem is linearised, the laws are not. What is left is a contact problem
 * whose unknowns are dx and the percussions themselves,
 *
 *     0 = T dx - W P + (F + W P_0)        groups
 *     y = G dx + y_0                      joints: 0; contacts: their laws
 *
 * for which there are solvers that do not cycle; in percussion form where groups are not coupled by
 * springs or beams (condense.c). */
#include <string.h>

#include "base/status.h"
#include "implicit/saddle.h"

/* All rows of the contacts that have been closed in this solve; the others have no percussion and
 * are not near, as far as one knows. One that turns out to be is in the next step. */
static void list_rows(pc_implicit_step* s)
{
  const pc_implicit_problem* p = s->problem;
  for (int k = 0; k < p->contact_count; k++)
    s->laws.mode[k] = s->laws.was_closed[k] ? PC_CONTACT_STICK : PC_CONTACT_OPEN;
  pc_implicit_list_active(s);
}

/* The right-hand sides of groups, F + W P_0; dx is scratch. */
static void write_groups(pc_implicit_step* s, const double* P, double* b)
{
  const pc_implicit_problem* p = s->problem;
  memcpy(s->dx, s->F, (size_t)p->x_count * sizeof *s->dx);
  for (int i = 0; i < s->active.count; i++)
    if (P[s->active.row[i]] != 0)
      pc_row_add(p->column(p->user, s->active.row[i]), P[s->active.row[i]], s->dx);
  for (int i = 0; i < p->x_count; i++) b[p->graph->place[i]] = s->dx[i];
}

/* G and y_0 of active row i, times `scale`. */
static void write_row(pc_implicit_step* s, int i, double scale, double* b)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  pc_saddle_add_row(a, p->graph, p->gradient(p->user, s->active.row[i]), scale, i);
  b[a->at[i]] = scale * s->y[s->active.row[i]];
}

/* A gap is a velocity times a length of time: it is scaled so that it moves as the sliding velocity
 * does, which its law does not mind. */
static void write_contact(pc_implicit_step* s, int k, double* b)
{
  const pc_cone* cone = &s->problem->cone[k];
  int i = s->active.place[cone->row];
  write_row(s, i, cone->dimension ? s->laws.r_N[k] / s->laws.r_F[k] : 1, b);
  for (int f = 1; f <= cone->dimension; f++) write_row(s, i + f, 1, b);
  s->saddle->law[s->saddle->node[i]] = (pc_problem_node){PC_NODE_CONTACT, cone->mu};
}

static void write_problem(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  memset(a->x, 0, (size_t)pc_block_matrix_order(&a->matrix) * sizeof *a->x);
  for (int n = 0; n < a->node_count; n++) a->law[n] = (pc_problem_node){PC_NODE_EQUALITY, 0};
  write_groups(s, P, a->b);
  for (int i = 0; i < p->bilateral_count; i++) write_row(s, i, 1, a->b);
  for (int c = 0; c < s->active.closed_count; c++) write_contact(s, s->active.closed[c], a->b);
  for (int i = 0; i < s->active.count; i++) a->x[a->at[i]] = P[s->active.row[i]];
}

static pc_problem problem_of(const pc_block_matrix* m, const pc_problem_node* law, const double* b)
{
  return (pc_problem){.node_count = m->node_count,
                      .node = law,
                      .row = m->row,
                      .start = m->start,
                      .column = m->column,
                      .place = m->place,
                      .value = m->value,
                      .b = b};
}

/* The unknowns of all nodes in x. */
static pc_status solve(pc_implicit_step* s, pc_solver_info* info, pc_error* error)
{
  pc_saddle* a = s->saddle;
  int groups = s->problem->graph->group_count, first = a->matrix.row[groups];
  if (s->problem->graph->stiff) {
    pc_problem whole = problem_of(&a->matrix, a->law, a->b);
    return pc_solver_solve(s->solver, &whole, a->x, info, error);
  }
  PC_TRY(pc_saddle_condense(a, groups, error));
  pc_problem units = problem_of(&a->units.matrix, a->law + groups, a->b + first);
  PC_TRY(pc_solver_solve(s->solver, &units, a->x + first, info, error));
  return pc_saddle_expand(a, groups, error);
}

pc_status pc_implicit_complementarity_step(pc_implicit_step* s, const double* P, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  pc_solver_info info;
  s->dense.row_count = -1;
  list_rows(s);
  PC_TRY(pc_saddle_fill(s, P, 1, error));
  pc_saddle* a = s->saddle;
  write_problem(s, P);
  PC_TRY(solve(s, &info, error));
  s->linear_solved = info.converged;
  for (int i = 0; i < p->x_count; i++) s->dx[i] = a->x[p->graph->place[i]];
  for (int i = 0; i < s->active.count; i++)
    s->dP[s->active.row[i]] = a->x[a->at[i]] - P[s->active.row[i]];
  return PC_OK;
}
