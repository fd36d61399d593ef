#include "linalg/krylov.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/eigen.h"

/* What is left of A v beside the basis counts as nothing below this share of A v. */
static const double NOTHING = 1e-13;

static double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static double* vector(const pc_krylov* k, int j)
{
  return k->V + (size_t)j * (size_t)k->n;
}

static double* column(const pc_krylov* k, int j)
{
  return k->H + (size_t)j * (size_t)(k->max + 1);
}

static double length(pc_krylov* k, const double* x)
{
  k->weigh(k->user, x, k->work);
  return sqrt(dot(k->n, x, k->work));
}

static pc_status not_finite(pc_error* error)
{
  return pc_fail(error, PC_NOT_FINITE, "the linearised motion is not finite");
}

static pc_status begin(pc_krylov* k, const double* x, pc_error* error)
{
  double size = length(k, x);
  if (!isfinite(size)) return not_finite(error);
  k->is_complete = size == 0;
  for (int i = 0; i < k->n && size > 0; i++) k->V[i] = x[i] / size;
  return PC_OK;
}

pc_status pc_krylov_create(pc_krylov* k, const double* x, pc_error* error)
{
  if (k->max > k->n) k->max = k->n;
  size_t n = (size_t)k->n, max = (size_t)k->max;
  k->count = 0;
  k->V = pc_alloc((max + 1) * n, sizeof *k->V);
  k->H = pc_alloc((max + 1) * max, sizeof *k->H);
  k->work = pc_alloc(n, sizeof *k->work);
  pc_status status = k->V && k->H && k->work ? begin(k, x, error) : pc_no_memory(error);
  if (status != PC_OK) pc_krylov_free(k);
  return status;
}

void pc_krylov_free(pc_krylov* k)
{
  free(k->V);
  free(k->H);
  free(k->work);
  k->V = k->H = k->work = NULL;
}

/* Takes the basis out of w, and adds to h how much there was of each vector. */
static void take_out(pc_krylov* k, double* w, double* h)
{
  k->weigh(k->user, w, k->work);
  for (int j = 0; j <= k->count; j++) {
    const double* v = vector(k, j);
    double part = dot(k->n, v, k->work);
    h[j] += part;
    for (int i = 0; i < k->n; i++) w[i] -= part * v[i];
  }
}

static pc_status add_vector(pc_krylov* k, pc_error* error)
{
  double *w = vector(k, k->count + 1), *h = column(k, k->count);
  k->apply(k->user, vector(k, k->count), w);
  double before = length(k, w);
  for (int pass = 0; pass < 2; pass++) take_out(k, w, h);
  double left = length(k, w);
  if (!isfinite(before) || !isfinite(left)) return not_finite(error);
  k->count++;
  k->is_complete = !(left > NOTHING * before) || k->count == k->n;
  h[k->count] = left;
  for (int i = 0; i < k->n && left > 0; i++) w[i] /= left;
  return PC_OK;
}

pc_status pc_krylov_extend(pc_krylov* k, int count, pc_error* error)
{
  for (int i = 0; i < count && k->count < k->max && !k->is_complete; i++)
    PC_TRY(add_vector(k, error));
  return PC_OK;
}

/* ---- Ritz values ---------------------------------------------------------------------------- */

/* `squares` matrices of the order of the projection, of which the first is the projection,
 * row-major; and 2 more rows. */
static long double* copy_projection(const pc_krylov* k, size_t squares)
{
  size_t m = (size_t)k->count;
  long double* A = pc_alloc((squares * m + 3) * m, sizeof *A);
  for (size_t j = 0; A && j < m; j++)
    for (size_t i = 0; i < m && i <= j + 1; i++) A[i * m + j] = column(k, (int)j)[i];
  return A;
}

pc_status pc_krylov_values(const pc_krylov* k, long double* re, long double* im, pc_error* error)
{
  long double* A = copy_projection(k, 1);
  if (!A) return pc_no_memory(error);
  int m = k->count;
  pc_status status = pc_eigenvalues(m, A, re, im, A + m * m);
  free(A);
  return status == PC_OK ? PC_OK
                         : pc_fail(error, status, "the linearised motion has no eigenvalues");
}

static long double diagonal(const pc_krylov* k, int i)
{
  return column(k, i)[i];
}

/* Between i and i + 1. */
static long double beside(const pc_krylov* k, int i)
{
  return i >= 0 && i < k->count - 1 ? column(k, i)[i + 1] : 0;
}

/* How many eigenvalues of the projection, symmetric with three diagonals, are below x: the negative
 * pivots of its factorisation (Sturm). */
static int count_below(const pc_krylov* k, long double x)
{
  int count = 0;
  long double pivot = 1;
  for (int i = 0; i < k->count; i++) {
    long double b = beside(k, i - 1);
    pivot = diagonal(k, i) - x - b * b / pivot;
    if (pivot == 0) pivot = LDBL_MIN;
    count += pivot < 0;
  }
  return count;
}

/* By bisection of the interval of Gershgorin's circles. */
static double largest_value(const pc_krylov* k)
{
  long double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < k->count; i++) {
    long double radius = fabsl(beside(k, i - 1)) + fabsl(beside(k, i));
    low = fminl(low, diagonal(k, i) - radius);
    high = fmaxl(high, diagonal(k, i) + radius);
  }
  for (int step = 0; step < LDBL_MANT_DIG + 8; step++) {
    long double middle = low + (high - low) / 2;
    if (count_below(k, middle) < k->count)
      low = middle;
    else
      high = middle;
  }
  return k->count > 0 ? (double)low : 0;
}

static void combine(const pc_krylov* k, const long double* y, double* x)
{
  memset(x, 0, (size_t)k->n * sizeof *x);
  for (int j = 0; j < k->count; j++)
    for (int i = 0; i < k->n; i++) x[i] += (double)y[j] * vector(k, j)[i];
}

/* Of the projection's vectors the one of the largest value. */
static pc_status largest_vector(const pc_krylov* k, double* x)
{
  int m = k->count;
  long double* A = copy_projection(k, 2);
  if (!A) return PC_OUT_OF_MEMORY;
  long double *V = A + m * m, *kappa = V + m * m;
  for (int i = 0; i < m; i++) /* above the diagonal there is round-off but for its neighbours */
    for (int j = 0; j < i - 1; j++) A[i * m + j] = 0;
  pc_status status = pc_symmetric_eigen(m, A, kappa, V, kappa + m);
  int top = 0;
  for (int i = 1; i < m; i++)
    if (kappa[i] > kappa[top]) top = i;
  combine(k, V + top * m, x);
  free(A);
  return status;
}

pc_status pc_krylov_largest(const pc_krylov* k, double* value, double* x, pc_error* error)
{
  *value = largest_value(k);
  pc_status status = x ? largest_vector(k, x) : PC_OK;
  if (status == PC_OUT_OF_MEMORY) return pc_no_memory(error);
  return status == PC_OK ? PC_OK
                         : pc_fail(error, status, "the linearised motion has no eigenvalues");
}
