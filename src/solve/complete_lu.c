#include "solve/complete_lu.h"

#include <math.h>

static void swap(double* a, double* b)
{
  double t = *a;
  *a = *b;
  *b = t;
}

static void swap_ints(int* a, int* b)
{
  int t = *a;
  *a = *b;
  *b = t;
}

/* Brings the largest entry of the lower right part to its corner (s, s); returns its size. */
static double bring_pivot(int n, double* A, int s, int* row, int* column)
{
  int p = s, q = s;
  double largest = 0;
  for (int i = s; i < n; i++)
    for (int j = s; j < n; j++)
      if (fabs(A[i * n + j]) > largest) {
        largest = fabs(A[i * n + j]);
        p = i;
        q = j;
      }
  if (p != s) {
    for (int j = 0; j < n; j++) swap(&A[s * n + j], &A[p * n + j]);
    swap_ints(&row[s], &row[p]);
  }
  if (q != s) {
    for (int i = 0; i < n; i++) swap(&A[i * n + s], &A[i * n + q]);
    swap_ints(&column[s], &column[q]);
  }
  return largest;
}

int pc_complete_lu_factor(int n, double* A, int* row, int* column, double tolerance)
{
  double first = 0;
  for (int i = 0; i < n; i++) row[i] = column[i] = i;
  for (int s = 0; s < n; s++) {
    double size = bring_pivot(n, A, s, row, column);
    if (s == 0) first = size;
    if (!(size > tolerance * first)) return s;
    const double* top = &A[s * n];
    double inverse = 1 / top[s];
    for (int i = s + 1; i < n; i++) {
      double* below = &A[i * n];
      double l = below[s] *= inverse;
      if (l == 0) continue;
      for (int j = s + 1; j < n; j++) below[j] -= l * top[j];
    }
    A[s * n + s] = inverse; /* the diagonal of U is kept inverted */
  }
  return n;
}

void pc_complete_lu_solve(int n, const double* LU, const int* row, const int* column, int rank,
                          double* x, double* work)
{
  for (int i = 0; i < rank; i++) {
    double sum = x[row[i]];
    for (int j = 0; j < i; j++) sum -= LU[i * n + j] * work[j];
    work[i] = sum;
  }
  for (int i = rank - 1; i >= 0; i--) {
    double sum = work[i];
    for (int j = i + 1; j < rank; j++) sum -= LU[i * n + j] * work[j];
    work[i] = sum * LU[i * n + i];
  }
  for (int i = 0; i < n; i++) x[column[i]] = i < rank ? work[i] : 0;
}
