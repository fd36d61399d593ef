/* Josephy-Newton: the problem is linearised, the laws are not. With the bilateral rows eliminated
 * what is left is a linear contact problem, for which there are solvers that do not cycle. */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "solve/stage_inside.h"

/* Bilateral rows, then all rows of the contacts that have been closed in this solve; the others have no
 * percussion and are not near, as far as one knows. One that turns out to be is in the next step. */
void pc_stage_list_all(pc_stage* s)
{
  const pc_stage_problem* p = s->problem;
  int rows = 0;
  s->cone_count = 0;
  for (int k = 0; k < p->contact_count; k++) {
    s->law[k] = s->was_closed[k] ? PC_LAW_STICK : PC_LAW_OPEN;
    if (s->law[k] == PC_LAW_OPEN) continue;
    s->cone[s->cone_count] = p->cone[k];
    s->cone[s->cone_count++].row = rows;
    rows += 1 + p->cone[k].dimension;
  }
  pc_stage_list_active(s);
}

/* rhs := D_bb^-1 rhs, scaled to a unit diagonal. The factors are made anew for each column: where D_bb is
 * singular there are none to keep, and steps of this rung are rare. */
static void solve_bilateral(pc_stage* s, int nb, double* rhs)
{
  int n = s->active_count;
  for (int i = 0; i < nb; i++)
    for (int c = 0; c < nb; c++) s->K[i * nb + c] = s->D[i * n + c] * s->weight[i] * s->weight[c];
  for (int i = 0; i < nb; i++) rhs[i] *= s->weight[i];
  pc_stage_solve_dense(s, nb, rhs);
  for (int i = 0; i < nb; i++) rhs[i] *= s->weight[i];
}

/* A = D_cc - D_cb S^-1 D_bc and the y of contacts without contact percussions. The column S^-1 D_bc
 * replaces D_bc. */
static void eliminate_bilateral(pc_stage* s, int nb, double* column)
{
  int n = s->active_count, nc = n - nb;
  for (int i = 0; i < nb; i++) s->weight[i] = 1 / sqrt(fabs(s->D[i * n + i]) + 1e-300);
  for (int c = 0; c < nc; c++) {
    for (int i = 0; i < nb; i++) column[i] = s->D[i * n + nb + c];
    solve_bilateral(s, nb, column);
    for (int r = 0; r < nc; r++) {
      double sum = s->D[(nb + r) * n + nb + c];
      for (int i = 0; i < nb; i++) sum -= s->D[(nb + r) * n + i] * column[i];
      s->A[r * nc + c] = sum;
    }
    for (int i = 0; i < nb; i++) s->D[i * n + nb + c] = column[i];
  }
  for (int i = 0; i < nb; i++) column[i] = s->b[i];
  solve_bilateral(s, nb, column); /* dP_b without contacts is -column */
  for (int r = 0; r < nc; r++) {
    s->free[r] = s->b[nb + r];
    for (int i = 0; i < nb; i++) s->free[r] -= s->D[(nb + r) * n + i] * column[i];
  }
}

/* The contact problem in the percussions themselves, not in their changes. */
static void solve_contacts(pc_stage* s, int nb, const double* P)
{
  int nc = s->active_count - nb;
  for (int r = 0; r < nc; r++) s->own[r] = P[s->active[nb + r]];
  for (int r = 0; r < nc; r++)
    for (int c = 0; c < nc; c++) s->free[r] -= s->A[r * nc + c] * P[s->active[nb + c]];
  pc_dense_problem problem = {nc, s->cone_count, s->cone, s->A, s->free};
  pc_solver_info info;
  pc_dense_solver_solve(s->solver, &problem, s->own, &info);
  for (int r = 0; r < nc; r++) s->dP[s->active[nb + r]] = s->own[r] - P[s->active[nb + r]];
}

void pc_stage_complementarity_step(pc_stage* s, const double* P)
{
  const pc_stage_problem* p = s->problem;
  int nb = p->bilateral_count, n;
  s->yields = 0;
  pc_stage_drop_percussions(s, P); /* of contacts that may not close */
  pc_stage_condense(s);
  pc_stage_choose_r(s); /* a contact may act here for the first time */
  n = s->active_count;
  double* column = s->trial + p->row_count; /* rows */
  eliminate_bilateral(s, nb, column);
  s->condensed_count = -1; /* D is another now */
  if (n > nb) solve_contacts(s, nb, P);
  for (int i = 0; i < nb; i++) {
    double dP = -column[i];
    for (int c = nb; c < n; c++) dP -= s->D[i * n + c] * s->dP[s->active[c]];
    s->dP[s->active[i]] = dP;
  }
  pc_stage_finish_step(s);
}
