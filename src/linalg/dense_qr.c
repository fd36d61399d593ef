/* Householder's QR with column pivoting (Businger and Golub 1965).
 *
 * Held transposed (column-major), so that every loop runs along memory: below the diagonal lie the
 * reflectors v with v_k = 1 not stored, H = I - tau v v', on and above it R. The norms of the
 * remaining columns are computed anew in each step: a third more work than downdating them, and no
 * cancellation to watch for, where the rank is to be trusted. */
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/transpose.h"

/* The column of k, k+1, .. with the largest part below row k; *square is that part's squared norm.
 * A column with a NaN wins, so that it is seen. */
static int longest_column(int n, const double* A, int k, double* square)
{
  int best = k;
  *square = -1;
  for (int j = k; j < n; j++) {
    double sum = 0;
    for (int i = k; i < n; i++) sum += A[j * n + i] * A[j * n + i];
    if (sum <= *square) continue;
    best = j;
    *square = sum;
    if (isnan(sum)) break;
  }
  return best;
}

static void swap_columns(int n, double* A, int j, int k)
{
  for (int i = 0; i < n; i++) {
    double a = A[j * n + i];
    A[j * n + i] = A[k * n + i];
    A[k * n + i] = a;
  }
}

/* x := (I - tau v v') x on rows k.. */
static void reflect(int n, int k, const double* v, double tau, double* x)
{
  double sum = x[k];
  for (int i = k + 1; i < n; i++) sum += v[i] * x[i];
  sum *= tau;
  x[k] -= sum;
  for (int i = k + 1; i < n; i++) x[i] -= sum * v[i];
}

/* Makes the reflector that takes column k to (R_kk, 0, .., 0). */
static double make_reflector(int n, int k, double norm, double* column)
{
  double alpha = column[k];
  double beta = alpha > 0 ? -norm : norm;
  for (int i = k + 1; i < n; i++) column[i] /= alpha - beta;
  column[k] = beta;
  return (beta - alpha) / beta;
}

pc_status pc_qr_factor(int n, double* A, double* tau, int* pivot, double tolerance, int* rank)
{
  pc_transpose(n, A);
  double first = 0;
  *rank = 0;
  for (int k = 0; k < n; k++) {
    double square;
    int p = longest_column(n, A, k, &square);
    if (!isfinite(square)) return PC_NOT_FINITE;
    double norm = sqrt(square);
    if (k == 0) first = norm;
    if (norm <= tolerance * first) break;
    pivot[k] = p;
    if (p != k) swap_columns(n, A, p, k);
    tau[k] = make_reflector(n, k, norm, A + k * n);
    for (int j = k + 1; j < n; j++) reflect(n, k, A + k * n, tau[k], A + j * n);
    *rank = k + 1;
  }
  return PC_OK;
}

void pc_qr_solve(int n, const double* QR, const double* tau, const int* pivot, int rank, double* x,
                 double* work)
{
  for (int i = 0; i < n; i++) work[i] = x[i];
  for (int k = 0; k < rank; k++) reflect(n, k, QR + k * n, tau[k], work);
  for (int i = 0; i < n; i++) x[i] = 0;
  for (int k = rank - 1; k >= 0; k--) {
    x[k] = work[k] / QR[k * n + k];
    for (int i = 0; i < k; i++) work[i] -= QR[k * n + i] * x[k];
  }
  for (int k = rank - 1; k >= 0; k--) {
    double a = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = a;
  }
}

/* LAPACK's complete orthogonal factorisation. */
pc_status pc_least_norm_solve(int n, double* A, double* b, double tolerance, int* rank, int* pivot,
                              double* work)
{
  for (int i = 0; i < n * n; i++)
    if (!isfinite(A[i])) return PC_NOT_FINITE;
  pc_transpose(n, A);
  for (int i = 0; i < n; i++) pivot[i] = 0; /* all columns are free to move */
  lapack_int info = LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, A, n, b, n, pivot, tolerance,
                                        rank, work, 5 * n + 64);
  return info == 0 ? PC_OK : PC_NOT_FINITE;
}
