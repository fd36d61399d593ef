/* A Newton step on given branches as one sparse system, for problems with many rows:
 *
 *     [  T     -W  ] [dx]   [   -F   ]
 *     [ L_y G  L_P ] [dP] = [ -rest  ]
 *
 * On its branch a law is L_y y + L_P P = 0, with small matrices of a contact's own. Bodies are eliminated
 * first; rows that depend on others are found on the way, and their percussions stay what they are. */
#include <string.h>

#include "base/status.h"
#include "solve/stage_saddle.h"

/* A contact's law on its branch, L_y (y + dy) + L_P (P + dP) = const, as L_y dy + L_P dP = -rest. */
typedef struct law_rows {
  int count;
  double L_y[4][4], L_P[4][4], rest[4];
} law_rows;

static void rows_of_slip(const pc_stage* s, int k, const double* P, law_rows* law)
{
  const pc_cone* cone = &s->problem->cone[k];
  const double* t = s->slip + 3 * k;
  int d = cone->dimension;
  double r = s->r_F[k], P_N = P[cone->row], turn = d > 1 ? cone->mu * P_N / s->pull[k] : 0;
  for (int f = 0; f < d; f++) {
    int row = cone->row + 1 + f;
    law->L_P[1 + f][0] = cone->mu * t[f];
    law->L_P[1 + f][1 + f] = 1;
    law->rest[1 + f] = P[row] + cone->mu * P_N * t[f];
    for (int e = 0; turn != 0 && e < d; e++) {
      double across = turn * ((e == f) - t[f] * t[e]);
      law->L_y[1 + f][1 + e] = across * r;
      law->L_P[1 + f][1 + e] -= across;
      int other = cone->row + 1 + e;
      law->rest[1 + f] += across * r * (s->y[other] - s->y_there[other]);
    }
  }
}

static void rows_of_law(const pc_stage* s, int k, const double* P, law_rows* law)
{
  const pc_cone* cone = &s->problem->cone[k];
  *law = (law_rows){.count = 1 + cone->dimension};
  law->L_y[0][0] = 1;
  law->rest[0] = s->y[cone->row];
  if (s->law[k] == PC_LAW_SLIP) rows_of_slip(s, k, P, law);
  for (int f = 1; s->law[k] == PC_LAW_STICK && f < law->count; f++) {
    law->L_y[f][f] = 1;
    law->rest[f] = s->y[cone->row + f];
  }
  for (int f = 1; s->law[k] == PC_LAW_CLOSED && f < law->count; f++) {
    law->L_P[f][f] = 1;
    law->rest[f] = P[cone->row + f];
  }
}

/* The rows of a contact, which stand one after the other from active row i on. */
static void write_contact(pc_stage* s, int k, const double* P)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  const pc_block_matrix* m = &a->matrix;
  int row = p->cone[k].row, i = s->place[row], node = a->node[i];
  int size = pc_block_matrix_size(m, node), first = m->row[node];
  int of_P = s->law[k] == PC_LAW_SLIP || s->law[k] == PC_LAW_CLOSED;
  double* own = m->value + m->place[m->diagonal[node]];
  law_rows law;
  rows_of_law(s, k, P, &law);
  for (int f = 0; f < law.count; f++) { /* rows of P are scaled as P is */
    a->row_weight[i + f] = f > 0 && of_P ? 1 / a->weight[i + f] : a->weight[i + f];
    a->x[a->at[i + f]] = -a->row_weight[i + f] * law.rest[f];
  }
  for (int e = 0; e < law.count; e++) {
    pc_row g = {0};
    for (int f = 0; f < law.count; f++) {
      double scale = a->row_weight[i + f];
      own[(a->at[i + f] - first) * size + a->at[i + e] - first] +=
          scale * law.L_P[f][e] * a->weight[i + e];
      if (law.L_y[f][e] == 0) continue;
      if (!g.w) g = p->gradient(p->user, row + e);
      pc_saddle_add_row(a, p->graph, g, scale * law.L_y[f][e], i + f);
    }
  }
}

static void write_equations(pc_stage* s, const double* P)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  for (int i = 0; i < p->x_count; i++) a->x[p->graph->place[i]] = -s->F[i];
  for (int i = 0; i < p->bilateral_count; i++) {
    pc_saddle_add_row(a, p->graph, p->gradient(p->user, s->active[i]), 1, i);
    a->x[a->at[i]] = -s->y[s->active[i]];
  }
  for (int c = 0; c < s->closed_count; c++) write_contact(s, s->closed[c], P);
}

static pc_status solve(pc_stage* s, pc_error* error)
{
  const pc_stage_problem* p = s->problem;
  pc_saddle* a = s->saddle;
  PC_TRY(pc_block_lu_analyse(a->lu, &a->matrix, a->late, error));
  pc_status status = pc_block_lu_factor(a->lu, &a->matrix, PC_STAGE_RANK_SHARE);
  if (status == PC_NOT_FINITE)
    return pc_fail(error, status, "the matrix of the step is not a finite number");
  if (status != PC_OK) return pc_fail(error, status, "the scheme's matrix cannot be inverted");
  s->redundant = pc_block_matrix_order(&a->matrix) - pc_block_lu_rank(a->lu);
  pc_block_lu_solve(a->lu, a->x);
  for (int i = 0; i < p->x_count; i++) s->dx[i] = a->x[p->graph->place[i]];
  for (int i = 0; i < s->active_count; i++) s->dP[s->active[i]] = a->weight[i] * a->x[a->at[i]];
  return PC_OK;
}

pc_status pc_stage_sparse_step(pc_stage* s, const double* P, pc_error* error)
{
  s->condensed_count = -1;
  PC_TRY(pc_saddle_fill(s, P, 0, error));
  write_equations(s, P);
  return solve(s, error);
}
