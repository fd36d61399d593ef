#include "linalg/quadratic_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/eigen.h"

/* Modes i and j are coupled if an entry between them is more than this share of the geometric mean
 * of their own. For a symmetric semidefinite D what is neglected changes it by less than n times
 * this share; couplings by round-off alone are below it, or do no harm. */
static const long double COUPLING_SHARE = 1e-6L;

/* A row of W depends on those before it if less than this share of its square is left: the same as
 * in linalg/delassus.c, which the steps of a simulation use. */
static const long double RANK_SHARE = 1e-11L;

/* All in long double (see linalg/eigen.h); the matrices are n x n. */
typedef struct modal {
  int n;
  long double *L, *K, *D; /* D: NULL without one */
  long double *V, *kappa; /* modes, and the eigenvalues of the symmetric part of K */
  long double *basis, *x; /* of the constraints: up to n rows; a vector */
  int basis_count;
  long double *A, *re, *im; /* a group of modes: 2 n x 2 n; 2 n each */
  long double* work;        /* 4 n */
  int* group;               /* n: the modes of a group */
  unsigned char* done;      /* n */
} modal;

static void destroy(modal* m)
{
  void* array[] = {m->L, m->K,  m->D,  m->V,    m->kappa, m->basis, m->x,
                   m->A, m->re, m->im, m->work, m->group, m->done};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static pc_status create(modal* m, const pc_quadratic* p, pc_error* error)
{
  size_t n = (size_t)p->n, square = n * n, size = sizeof(long double);
  m->n = p->n;
  int bad = 0;
  long double** of_square[] = {&m->L, &m->K, &m->V, &m->basis};
  for (size_t i = 0; i < sizeof of_square / sizeof *of_square; i++)
    bad |= !(*of_square[i] = pc_alloc(square, size));
  if (p->D) bad |= !(m->D = pc_alloc(square, size));
  bad |= !(m->A = pc_alloc(4 * square, size));
  long double** of_n[] = {&m->kappa, &m->x, &m->re, &m->im, &m->work};
  for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++)
    bad |= !(*of_n[i] = pc_alloc(4 * n, size));
  bad |= !(m->group = pc_alloc(n, sizeof(int)));
  bad |= !(m->done = pc_alloc(n, 1));
  if (bad) return pc_no_memory(error);
  for (size_t i = 0; i < square; i++) {
    m->L[i] = p->M[i];
    m->K[i] = p->K[i];
    if (m->D) m->D[i] = p->D[i];
  }
  return PC_OK;
}

static long double dot(int n, const long double* x, const long double* y)
{
  long double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void add(int n, long double a, const long double* x, long double* y)
{
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

static void transpose(int n, long double* A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      long double a = A[i * n + j];
      A[i * n + j] = A[j * n + i];
      A[j * n + i] = a;
    }
}

/* ---- M = L L', constraints ------------------------------------------------------------------ */

static pc_status factor(int n, long double* L)
{
  for (int i = 0; i < n; i++) {
    long double* row = L + i * n;
    for (int j = 0; j < i; j++) row[j] = (row[j] - dot(j, row, L + j * n)) / L[j * n + j];
    long double pivot = row[i] - dot(i, row, row);
    if (!(pivot > 0) || !isfinite(pivot)) return PC_SINGULAR;
    row[i] = sqrtl(pivot);
  }
  return PC_OK;
}

static void solve(int n, const long double* L, long double* x)
{
  for (int i = 0; i < n; i++) x[i] = (x[i] - dot(i, L + i * n, x)) / L[i * n + i];
}

/* A := L^-1 A L^-T: L^-1 on the rows, seen as columns, of A and of what comes out. */
static void reduce(int n, const long double* L, long double* A)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n; i++) solve(n, L, A + i * n);
    transpose(n, A);
  }
}

/* An orthonormal basis of the rows of W L^-T, by Gram and Schmidt, twice. */
static void find_basis(modal* m, const pc_quadratic* p)
{
  int n = m->n;
  for (int r = 0; r < p->row_count && m->basis_count < n; r++) {
    for (int i = 0; i < n; i++) m->x[i] = p->W[(size_t)r * (size_t)n + (size_t)i];
    solve(n, m->L, m->x);
    long double before = dot(n, m->x, m->x);
    for (int pass = 0; pass < 2; pass++)
      for (int b = 0; b < m->basis_count; b++)
        add(n, -dot(n, m->x, m->basis + b * n), m->basis + b * n, m->x);
    long double left = dot(n, m->x, m->x);
    if (!(left > RANK_SHARE * before)) continue;
    long double* row = m->basis + m->basis_count++ * n;
    for (int i = 0; i < n; i++) row[i] = m->x[i] / sqrtl(left);
  }
}

/* Takes the constraints' directions out of the rows and the columns of A. */
static void project(const modal* m, long double* A)
{
  int n = m->n;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n; i++)
      for (int b = 0; b < m->basis_count; b++)
        add(n, -dot(n, A + i * n, m->basis + b * n), m->basis + b * n, A + i * n);
    transpose(n, A);
  }
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* A := V A V' */
static void turn(modal* m, long double* A)
{
  int n = m->n;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) m->x[j] = dot(n, A + i * n, m->V + j * n);
      memcpy(A + i * n, m->x, (size_t)n * sizeof *A);
    }
    transpose(n, A);
  }
}

static pc_status find_modes(modal* m)
{
  int n = m->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) m->A[i * n + j] = (m->K[i * n + j] + m->K[j * n + i]) / 2;
  return pc_symmetric_eigen(n, m->A, m->kappa, m->V, m->work);
}

static int is_coupled_by(int n, const long double* A, int i, int j)
{
  long double own = sqrtl(fabsl(A[i * n + i] * A[j * n + j]));
  return fabsl(A[i * n + j]) > COUPLING_SHARE * own || fabsl(A[j * n + i]) > COUPLING_SHARE * own;
}

static int is_coupled(const modal* m, int i, int j)
{
  return is_coupled_by(m->n, m->K, i, j) || (m->D && is_coupled_by(m->n, m->D, i, j));
}

/* The modes that hang together with `first`, in m->group; their number. */
static int find_group(modal* m, int first)
{
  int count = 1;
  m->group[0] = first;
  m->done[first] = 1;
  for (int k = 0; k < count; k++)
    for (int j = 0; j < m->n; j++) {
      if (m->done[j] || !is_coupled(m, m->group[k], j)) continue;
      m->done[j] = 1;
      m->group[count++] = j;
    }
  return count;
}

/* [0 1; K D] of the group */
static void fill(const modal* m, int count)
{
  int n = m->n, order = 2 * count;
  for (int i = 0; i < order * order; i++) m->A[i] = 0;
  for (int i = 0; i < count; i++) {
    m->A[i * order + count + i] = 1;
    for (int j = 0; j < count; j++) {
      long double* row = m->A + (count + i) * order;
      row[j] = m->K[m->group[i] * n + m->group[j]];
      if (m->D) row[count + j] = m->D[m->group[i] * n + m->group[j]];
    }
  }
}

/* Both eigenvalues of lambda^2 = K_ii + lambda D_ii. */
static void solve_single(const modal* m, int i)
{
  long double k = m->K[i * m->n + i], half = m->D ? m->D[i * m->n + i] / 2 : 0;
  long double square = half * half + k;
  m->im[0] = m->im[1] = square < 0 ? sqrtl(-square) : 0;
  long double root = square > 0 ? sqrtl(square) : 0;
  m->re[0] = m->re[1] = half + (half < 0 ? -root : root); /* the larger one */
}

static pc_status solve_groups(modal* m, pc_rates* rates)
{
  long double rate = 0, frequency = 0;
  for (int i = 0; i < m->n; i++) {
    if (m->done[i]) continue;
    int count = find_group(m, i);
    if (count == 1) {
      solve_single(m, i);
    } else {
      fill(m, count);
      PC_TRY(pc_eigenvalues(2 * count, m->A, m->re, m->im, m->work));
    }
    for (int k = 0; k < 2 * count; k++) {
      rate = fmaxl(rate, hypotl(m->re[k], m->im[k])); /* all are finite */
      frequency = fmaxl(frequency, m->im[k]);
    }
  }
  *rates = (pc_rates){(double)rate, (double)frequency};
  return PC_OK;
}

static pc_status find_rates(modal* m, const pc_quadratic* p, pc_rates* rates)
{
  PC_TRY(factor(m->n, m->L));
  find_basis(m, p);
  reduce(m->n, m->L, m->K);
  project(m, m->K);
  PC_TRY(find_modes(m));
  turn(m, m->K);
  if (m->D) {
    reduce(m->n, m->L, m->D);
    project(m, m->D);
    turn(m, m->D);
  }
  return solve_groups(m, rates);
}

static int is_finite(const pc_quadratic* p)
{
  const double* matrix[] = {p->M, p->K, p->D};
  for (int k = 0; k < 3; k++)
    for (int i = 0; matrix[k] && i < p->n * p->n; i++)
      if (!isfinite(matrix[k][i])) return 0;
  for (int i = 0; i < p->row_count * p->n; i++)
    if (!isfinite(p->W[i])) return 0;
  return 1;
}

pc_status pc_quadratic_rates(const pc_quadratic* problem, pc_rates* rates, pc_error* error)
{
  modal m = {0};
  *rates = (pc_rates){0};
  if (!is_finite(problem))
    return pc_fail(error, PC_NOT_FINITE, "the linearised motion is not finite");
  pc_status status = create(&m, problem, error);
  if (status == PC_OK) {
    status = find_rates(&m, problem, rates);
    if (status == PC_SINGULAR) pc_fail(error, status, "the mass matrix is not positive definite");
    if (status != PC_OK && status != PC_SINGULAR)
      pc_fail(error, status, "the linearised motion has no eigenvalues");
  }
  destroy(&m);
  return status;
}
