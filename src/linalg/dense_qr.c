/* Householder's QR with column pivoting (Businger and Golub 1965).
 *
 * Held transposed (column-major), so that every loop runs along memory: below the diagonal lie the
 * reflectors v with v_k = 1 not stored, H = I - tau v v', on and above it R. The norms of the
 * remaining columns are computed anew in each step, while the columns are reflected: no
 * cancellation to check, where the rank is to be trusted. */
#include <math.h>

#include "base/status.h"
#include "linalg/axpy.h"
#include "linalg/dense.h"
#include "linalg/transpose.h"

/* Columns that are reflected together: their sums do not wait for each other. */
enum { TOGETHER = 4 };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The largest of square[k], square[k + 1], ..; a NaN wins, so that it is seen. */
static int find_longest(int n, const double* square, int k)
{
  int best = k;
  for (int j = k; j < n; j++) {
    if (isnan(square[j])) return j;
    if (square[j] > square[best]) best = j;
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

/* The same for `count` columns x; their squares below row k are noted. */
ALWAYS_INLINE void reflect_columns(int count, int n, int k, const double* v, double tau, double* x,
                                   double* square)
{
  double sum[TOGETHER], below[TOGETHER];
  for (int c = 0; c < count; c++) sum[c] = x[c * n + k];
  for (int i = k + 1; i < n; i++)
    for (int c = 0; c < count; c++) sum[c] += v[i] * x[c * n + i];
  for (int c = 0; c < count; c++) {
    sum[c] *= tau;
    x[c * n + k] -= sum[c];
    below[c] = 0;
  }
  for (int i = k + 1; i < n; i++)
    for (int c = 0; c < count; c++) {
      double reflected = x[c * n + i] - sum[c] * v[i];
      x[c * n + i] = reflected;
      below[c] += reflected * reflected;
    }
  for (int c = 0; c < count; c++) square[c] = below[c];
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

/* tau[k], tau[k + 1], .. are the squares of the columns that are left, until they get their
 * reflectors. */
pc_status pc_qr_factor(int n, double* A, double* tau, int* pivot, double tolerance, int* rank)
{
  pc_transpose(n, A);
  for (int j = 0; j < n; j++) {
    tau[j] = 0;
    for (int i = 0; i < n; i++) tau[j] += A[j * n + i] * A[j * n + i];
  }
  double first = 0;
  *rank = 0;
  for (int k = 0; k < n; k++) {
    int p = find_longest(n, tau, k);
    if (!isfinite(tau[p])) return PC_NOT_FINITE;
    double norm = sqrt(tau[p]);
    if (k == 0) first = norm;
    if (norm <= tolerance * first) break;
    pivot[k] = p;
    if (p != k) swap_columns(n, A, p, k);
    tau[k] = make_reflector(n, k, norm, A + k * n);
    int j = k + 1;
    for (; j + TOGETHER <= n; j += TOGETHER)
      reflect_columns(TOGETHER, n, k, A + k * n, tau[k], A + j * n, tau + j);
    for (; j < n; j++) reflect_columns(1, n, k, A + k * n, tau[k], A + j * n, tau + j);
    *rank = k + 1;
  }
  return PC_OK;
}

static void undo_pivoting(int rank, const int* pivot, double* x)
{
  for (int k = rank - 1; k >= 0; k--) {
    double a = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = a;
  }
}

/* x := the solution of the triangular system of the first `rank` rows; `b` is overwritten. */
static void solve_triangle(int n, const double* R, int rank, double* b, double* x)
{
  for (int k = rank - 1; k >= 0; k--) {
    x[k] = b[k] / R[k * n + k];
    pc_axpy(k, -x[k], R + k * n, b);
  }
}

void pc_qr_solve(int n, const double* QR, const double* tau, const int* pivot, int rank, double* x,
                 double* work)
{
  for (int i = 0; i < n; i++) work[i] = x[i];
  for (int k = 0; k < rank; k++) reflect(n, k, QR + k * n, tau[k], work);
  for (int i = 0; i < n; i++) x[i] = 0;
  solve_triangle(n, QR, rank, work, x);
  undo_pivoting(rank, pivot, x);
}

/* ---- the solution of least norm ------------------------------------------------------------- */

/* One row of the trapezoid [R_11 R_12]: places k and rank .. n - 1 of row i, a stride of n
 * apart. */
typedef struct trapezoid_row {
  int n, first; /* columns, and the first one behind the triangle */
  double* row;  /* A + i */
} trapezoid_row;

/* row := row (I - tau z z') for z = (1 at place k, and those of `z` behind the triangle) */
static void reflect_row(trapezoid_row x, int k, trapezoid_row z, double tau)
{
  double sum = x.row[k * x.n];
  for (int j = x.first; j < x.n; j++) sum += x.row[j * x.n] * z.row[j * x.n];
  sum *= tau;
  x.row[k * x.n] -= sum;
  for (int j = x.first; j < x.n; j++) x.row[j * x.n] -= sum * z.row[j * x.n];
}

/* Takes row k to (R_kk, 0, .., 0); returns tau. Behind the triangle it keeps z. */
static double clear_row(trapezoid_row x, int k)
{
  double alpha = x.row[k * x.n], square = 0;
  for (int j = x.first; j < x.n; j++) square += x.row[j * x.n] * x.row[j * x.n];
  if (square == 0) return 0;
  double norm = sqrt(alpha * alpha + square), beta = alpha > 0 ? -norm : norm;
  for (int j = x.first; j < x.n; j++) x.row[j * x.n] /= alpha - beta;
  x.row[k * x.n] = beta;
  return (beta - alpha) / beta;
}

/* The complete orthogonal decomposition Q [T 0; 0 0] Z of a matrix of this rank: [R_11 R_12] = [T
 * 0] Z, Z the product of the reflections of rows 0, 1, .., rank - 1. `tau` (rank) receives
 * theirs. */
static void clear_trapezoid(int n, double* A, int rank, double* tau)
{
  for (int k = rank - 1; k >= 0; k--) {
    trapezoid_row z = {n, rank, A + k};
    tau[k] = clear_row(z, k);
    for (int i = 0; i < k; i++) reflect_row((trapezoid_row){n, rank, A + i}, k, z, tau[k]);
  }
}

/* x := Z' x, Z' = H_(rank - 1) .. H_0, for an x that is zero behind `rank`. */
static void turn_back(int n, const double* A, int rank, const double* tau, double* x)
{
  for (int k = 0; k < rank; k++) {
    double sum = x[k];
    for (int j = rank; j < n; j++) sum += x[j] * A[j * n + k];
    sum *= tau[k];
    x[k] -= sum;
    for (int j = rank; j < n; j++) x[j] -= sum * A[j * n + k];
  }
}

/* Brings the largest entry of A near 1 by a power of two, so that no square over- or underflows;
 * returns the power, 0 if A is not finite. */
static double scale(int n, double* A)
{
  double largest = 0, sum = 0;
  for (int i = 0; i < n * n; i++) {
    sum += A[i] - A[i];
    if (fabs(A[i]) > largest) largest = fabs(A[i]);
  }
  if (sum != 0) return 0; /* inf - inf and NaN - NaN are NaN */
  if (largest > 0x1p-300 && largest < 0x1p+300) return 1;
  int exponent;
  frexp(largest, &exponent);
  double factor =
      ldexp(1, largest > 0 ? -(exponent / 2) : 0); /* by halves: twice is a number, too */
  for (int i = 0; i < n * n; i++) A[i] = A[i] * factor * factor;
  return factor;
}

pc_status pc_least_norm_solve(int n, double* A, double* b, double tolerance, int* rank, int* pivot,
                              double* work)
{
  double *tau = work, *c = work + n, factor = scale(n, A);
  *rank = 0;
  if (!(factor > 0)) return PC_NOT_FINITE;
  PC_TRY(pc_qr_factor(n, A, tau, pivot, tolerance, rank));
  for (int i = 0; i < n; i++) c[i] = b[i];
  for (int k = 0; k < *rank; k++) reflect(n, k, A + k * n, tau[k], c);
  for (int i = 0; i < n; i++) b[i] = 0;
  if (*rank < n) clear_trapezoid(n, A, *rank, tau);
  solve_triangle(n, A, *rank, c, b);
  if (*rank < n) turn_back(n, A, *rank, tau, b);
  undo_pivoting(*rank, pivot, b);
  if (factor != 1)
    for (int i = 0; i < n; i++) b[i] = b[i] * factor * factor;
  return PC_OK;
}
