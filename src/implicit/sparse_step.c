/* A Newton step on given branches as one sparse system, for problems with many rows:
 *
 *     [  T     -W  ] [dx]   [   -F   ]
 *     [ L_y G  L_P ] [dP] = [  rhs   ]
 *
 * On its branch a law has small matrices L_y, L_P of its own (contact_mode.h). Bodies are
 * eliminated first; rows that depend on others are found on the way, and their percussions stay
 * what they are. */
#include <string.h>

#include "base/status.h"
#include "implicit/saddle.h"

/* The rows of a contact's law at the iterate, L_y G dx + L_P dP = rhs: what further unknowns add to
 * y counts as a change of y. */
static void rows_of_law(const pc_implicit_step* s, int k, const double* P, pc_law_rows* law)
{
  const pc_cone* cone = &s->problem->cone[k];
  int n = 1 + cone->dimension;
  const double *there = s->y_there + cone->row, *y = s->y + cone->row;
  double t[PC_CONE_ROWS_MAX - 1] = {0}; /* of the friction, against the slip */
  for (int i = 0; i < cone->dimension; i++) t[i] = -s->laws.slip[3 * k + i];
  pc_contact_mode_rows(s->laws.mode[k], cone->dimension, cone->mu, s->laws.r_F[k], t, P + cone->row,
                       there, law);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) law->rhs[i] -= law->y[i * n + j] * (y[j] - there[j]);
}

/* The rows of a contact, which stand one after the other from active row i on. */
static void write_contact(pc_implicit_step* s, int k, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  const pc_block_matrix* m = &a->matrix;
  int row = p->cone[k].row, i = s->active.place[row], node = a->node[i];
  int size = pc_block_matrix_size(m, node), first = m->row[node];
  int of_P = s->laws.mode[k] == PC_CONTACT_SLIP || s->laws.mode[k] == PC_CONTACT_CLOSED;
  double* own = m->value + m->place[m->diagonal[node]];
  int n = 1 + p->cone[k].dimension;
  pc_law_rows law;
  rows_of_law(s, k, P, &law);
  for (int f = 0; f < n; f++) { /* rows of P are scaled as P is */
    a->row_weight[i + f] = f > 0 && of_P ? 1 / a->weight[i + f] : a->weight[i + f];
    a->x[a->at[i + f]] = a->row_weight[i + f] * law.rhs[f];
  }
  for (int e = 0; e < n; e++) {
    pc_row g = {0};
    for (int f = 0; f < n; f++) {
      double scale = a->row_weight[i + f];
      own[(a->at[i + f] - first) * size + a->at[i + e] - first] +=
          scale * law.z[f * n + e] * a->weight[i + e];
      if (law.y[f * n + e] == 0) continue;
      if (!g.w) g = p->gradient(p->user, row + e);
      pc_saddle_add_row(a, p->graph, g, scale * law.y[f * n + e], i + f);
    }
  }
}

static void write_equations(pc_implicit_step* s, const double* P)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  for (int i = 0; i < p->x_count; i++) a->x[p->graph->place[i]] = -s->F[i];
  for (int i = 0; i < p->bilateral_count; i++) {
    pc_saddle_add_row(a, p->graph, p->gradient(p->user, s->active.row[i]), 1, i);
    a->x[a->at[i]] = -s->y[s->active.row[i]];
  }
  for (int c = 0; c < s->active.closed_count; c++) write_contact(s, s->active.closed[c], P);
}

static pc_status solve(pc_implicit_step* s, pc_error* error)
{
  const pc_implicit_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  PC_TRY(pc_block_lu_analyse(a->lu, &a->matrix, a->late, error));
  pc_status status = pc_block_lu_factor(a->lu, &a->matrix, PC_IMPLICIT_RANK_SHARE);
  if (status == PC_NOT_FINITE)
    return pc_fail(error, status, "the matrix of the step is not a finite number");
  if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
  s->redundant = pc_block_matrix_order(&a->matrix) - pc_block_lu_rank(a->lu);
  pc_block_lu_solve(a->lu, a->x);
  for (int i = 0; i < p->x_count; i++) s->dx[i] = a->x[p->graph->place[i]];
  for (int i = 0; i < s->active.count; i++) s->dP[s->active.row[i]] = a->weight[i] * a->x[a->at[i]];
  return PC_OK;
}

pc_status pc_implicit_sparse_step(pc_implicit_step* s, const double* P, pc_error* error)
{
  s->dense.row_count = -1;
  PC_TRY(pc_saddle_fill(s, P, 0, error));
  write_equations(s, P);
  return solve(s, error);
}
