#include "linalg/complete_lu.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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

/* Two numbers at a time in the loops that are as long as the matrix has columns: compilers do not
 * make vectors of a maximum by themselves, which has to leave NaNs out. What is computed, and its
 * bits, are the same. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_bits __attribute__((vector_size(16)));

static pair load(const double* x)
{
  pair p;
  memcpy(&p, x, sizeof p);
  return p;
}

static pair size_of(pair x)
{
  return (pair)((pair_bits)x & INT64_MAX);
}

/* Of each place the larger number, or b where a is a NaN. */
static pair larger(pair a, pair b)
{
  pair_bits is_a = a > b;
  return (pair)(((pair_bits)a & is_a) | ((pair_bits)b & ~is_a));
}

static double largest(pair p, double x)
{
  x = fabs(x) > p[0] ? fabs(x) : p[0];
  return p[1] > x ? p[1] : x;
}

/* The largest |x|; NaNs do not count. */
static double largest_size(int n, const double* x)
{
  pair found = {0, 0};
  int i = 0;
  for (; i + 2 <= n; i += 2) found = larger(size_of(load(x + i)), found);
  return largest(found, i < n ? x[i] : 0);
}

/* x -= factor top. Returns the largest |x| that it leaves: a search for the next pivot of its own
 * would take as long as the elimination. */
static double eliminate(int n, double factor, const double* restrict top, double* restrict x)
{
  pair found = {0, 0};
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    pair left = load(x + i) - factor * load(top + i);
    memcpy(x + i, &left, sizeof left);
    found = larger(size_of(left), found);
  }
  if (i < n) x[i] -= factor * top[i];
  return largest(found, i < n ? x[i] : 0);
}

/* The largest entry of the part of the matrix that is not yet eliminated: its size and the first
 * row that has it. */
typedef struct pivot {
  double size;
  int row;
} pivot;

static void consider(pivot* p, int row, double size)
{
  if (size > p->size) *p = (pivot){size, row};
}

/* Brings the pivot to the corner (s, s) of that part. */
static void bring_pivot(int n, double* A, int s, pivot p, int* row, int* column)
{
  int q = s;
  while (q < n - 1 && !(fabs(A[p.row * n + q]) >= p.size)) q++;
  if (p.row != s) {
    for (int j = 0; j < n; j++) swap(&A[s * n + j], &A[p.row * n + j]);
    swap_ints(&row[s], &row[p.row]);
  }
  if (q != s) {
    for (int i = 0; i < n; i++) swap(&A[i * n + s], &A[i * n + q]);
    swap_ints(&column[s], &column[q]);
  }
}

int pc_complete_lu_factor(int n, double* A, int* row, int* column, double tolerance)
{
  pivot next = {0, 0};
  for (int i = 0; i < n; i++) {
    row[i] = column[i] = i;
    consider(&next, i, largest_size(n, &A[i * n]));
  }
  double least = tolerance * next.size;
  for (int s = 0; s < n; s++) {
    if (!(next.size > least)) return s;
    bring_pivot(n, A, s, next, row, column);
    const double* top = &A[s * n];
    double inverse = 1 / top[s];
    next = (pivot){0, s + 1};
    for (int i = s + 1; i < n; i++) {
      double* below = &A[i * n];
      double l = below[s] *= inverse;
      consider(&next, i, eliminate(n - s - 1, l, top + s + 1, below + s + 1));
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
