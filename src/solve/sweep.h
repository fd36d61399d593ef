/* What the sweeping methods (Gauss-Seidel, prox) share: the dual of one node, and equality nodes,
 * which they solve exactly with the others held. */
#ifndef PC_SOLVE_SWEEP_H
#define PC_SOLVE_SWEEP_H

#include "solve/island.h"

/* Factors of the diagonal blocks of equality nodes. */
typedef struct pc_sweep {
  double** factor; /* node_count: NULL for contacts */
  int** order;     /* node_count: rows, then columns */
  int* rank;       /* node_count */
  double* work;    /* twice the rows of the largest equality node */
} pc_sweep;

/* PC_OUT_OF_MEMORY. */
pc_status pc_sweep_prepare(pc_island* island, pc_sweep* sweep);

/* Solves A_kk z_k = -(b_k + sum over j != k of A_kj z_j). Returns the largest change of z_k. */
double pc_sweep_equality(pc_island* island, const pc_sweep* sweep, int k);

/* y = b_k + sum over all j of A_kj z_j, for a node of any size. */
static inline void pc_sweep_dual(const pc_island* s, int k, double* y)
{
  const int *column = s->A.column, *row = s->A.row;
  int first = row[k], rows = row[k + 1] - first, end = s->A.start[k + 1];
  if (rows == 3) {
    double y_0 = s->b[first], y_1 = s->b[first + 1], y_2 = s->b[first + 2];
    for (int e = s->A.start[k]; e < end; e++) {
      int j = column[e];
      const double *a = &s->A.value[s->A.place[e]], *x = &s->z[row[j]];
      if (row[j + 1] - row[j] == 3) {
        y_0 += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
        y_1 += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
        y_2 += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
        continue;
      }
      int columns = row[j + 1] - row[j];
      for (int l = 0; l < columns; l++) {
        y_0 += a[l] * x[l];
        y_1 += a[columns + l] * x[l];
        y_2 += a[2 * columns + l] * x[l];
      }
    }
    y[0] = y_0;
    y[1] = y_1;
    y[2] = y_2;
    return;
  }
  for (int i = 0; i < rows; i++) y[i] = s->b[first + i];
  for (int e = s->A.start[k]; e < end; e++) {
    int j = column[e], columns = row[j + 1] - row[j];
    const double *a = &s->A.value[s->A.place[e]], *x = &s->z[row[j]];
    for (int i = 0; i < rows; i++)
      for (int l = 0; l < columns; l++) y[i] += a[i * columns + l] * x[l];
  }
}

#endif
