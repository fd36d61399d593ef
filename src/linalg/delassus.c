#include "linalg/delassus.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/constants.h"
#include "linalg/dense.h"

struct pc_delassus {
  int n;
  int bilateral_max;
  int contact_max;

  int bilateral_count;
  const pc_row* bilateral;
  double* X_b;   /* bilateral_count x n: row j is A^-1 w_j */
  double* S;     /* its factorisation, of the matrix scaled by `scale` from both sides */
  double* scale; /* 1 / sqrt|S_ii|: the rank must not depend on units */
  double* tau;
  int* pivot;
  int rank;
  double* L;   /* Cholesky's factor of the scaled S, where it is symmetric and clearly regular */
  int regular; /* L is used instead of the QR factorisation */

  int contact_count;
  double* X_c; /* contact_count x n: row j is (X_c - X_b S^-1 W_b' X_c)_j */
  double* Y;   /* contact_count x bilateral_count: row j is S^-1 W_b' A^-1 w_j */
  double* D;

  double* work;   /* bilateral_max */
  double* change; /* bilateral_max: percussions in pc_delassus_project */
};

pc_status pc_delassus_create(int n, int bilateral_max, int contact_max, pc_delassus** delassus,
                             pc_error* error)
{
  if (n < 0 || bilateral_max < 0 || contact_max < 0)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "a Delassus operator of %d bilateral and %d contact rows", bilateral_max,
                   contact_max);
  pc_delassus* made = pc_alloc(1, sizeof *made);
  if (!made) return pc_no_memory(error);
  size_t width = (size_t)n, b = (size_t)bilateral_max, c = (size_t)contact_max;
  *made = (pc_delassus){
      .n = n,
      .bilateral_max = bilateral_max,
      .contact_max = contact_max,
      .X_b = pc_alloc(b * width, sizeof(double)),
      .S = pc_alloc(b * b, sizeof(double)),
      .L = pc_alloc(b * b, sizeof(double)),
      .scale = pc_alloc(b, sizeof(double)),
      .tau = pc_alloc(b, sizeof(double)),
      .pivot = pc_alloc(b, sizeof(int)),
      .X_c = pc_alloc(c * width, sizeof(double)),
      .Y = pc_alloc(c * b, sizeof(double)),
      .D = pc_alloc(c * c, sizeof(double)),
      .work = pc_alloc(b, sizeof(double)),
      .change = pc_alloc(b, sizeof(double)),
  };
  if (!made->X_b || !made->S || !made->L || !made->scale || !made->tau || !made->pivot ||
      !made->X_c || !made->Y || !made->D || !made->work || !made->change) {
    pc_delassus_destroy(made);
    return pc_no_memory(error);
  }
  *delassus = made;
  return PC_OK;
}

void pc_delassus_destroy(pc_delassus* delassus)
{
  if (!delassus) return;
  free(delassus->X_b);
  free(delassus->S);
  free(delassus->L);
  free(delassus->scale);
  free(delassus->tau);
  free(delassus->pivot);
  free(delassus->X_c);
  free(delassus->Y);
  free(delassus->D);
  free(delassus->work);
  free(delassus->change);
  free(delassus);
}

int pc_delassus_rank(const pc_delassus* delassus)
{
  return delassus->rank;
}

/* y += scale * x */
static void add_vector(int n, double scale, const double* restrict x, double* restrict y)
{
  for (int i = 0; i < n; i++) y[i] += scale * x[i];
}

/* Column j of W' X, with x its column of X; a symmetric product is computed once. */
static void add_column(int count, const pc_row* row, int j, const double* x, int symmetric,
                       double* product)
{
  int first = symmetric ? j : 0;
  double* column = product + j;
  const double* mirror = product + (size_t)j * (size_t)count;
  for (int i = 0; i < first; i++, column += count) *column = mirror[i];
  for (int i = first; i < count; i++, column += count) *column = pc_row_dot(row[i], x);
}

/* r := S^-1 r, in the basic least-squares sense where S is singular. */
static void solve_bilateral(const pc_delassus* delassus, double* r)
{
  int count = delassus->bilateral_count;
  const double* scale = delassus->scale;
  for (int i = 0; i < count; i++) r[i] *= scale[i];
  if (delassus->regular)
    pc_cholesky_solve(count, delassus->L, r);
  else
    pc_qr_solve(count, delassus->S, delassus->tau, delassus->pivot, delassus->rank, r,
                delassus->work);
  for (int i = 0; i < count; i++) r[i] *= scale[i];
}

static void choose_scale(int count, const double* S, double* scale)
{
  for (int i = 0; i < count; i++) {
    double diagonal = fabs(S[i * count + i]);
    scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  }
}

static void scale_bilateral(int count, const double* scale, double* S)
{
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) S[i * count + j] *= scale[i] * scale[j];
}

/* Is S, scaled, symmetric to round-off? What was computed once for both halves is so. */
static int is_symmetric(int count, const double* scale, const double* S)
{
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++)
      if (!(fabs(S[i * count + j] - S[j * count + i]) * scale[i] * scale[j] <= 1e-13)) return 0;
  return 1;
}

/* Is the scaled S, which is symmetric, far from singular? Then L holds its factor. */
static int factor_regular(pc_delassus* delassus)
{
  int count = delassus->bilateral_count;
  const double *S = delassus->S, *scale = delassus->scale;
  double* L = delassus->L;
  for (int i = 0; i < count; i++, S += count, L += count)
    for (int j = 0; j <= i; j++) L[j] = S[j] * (scale[i] * scale[j]);
  return pc_cholesky_factor(count, delassus->L) == PC_OK &&
         pc_cholesky_smallest_pivot(count, delassus->L) >= PC_REGULAR_SHARE;
}

pc_status pc_delassus_set_bilateral(pc_delassus* delassus, const pc_assembly* tangent, int count,
                                    const pc_row* row)
{
  if (count < 0 || count > delassus->bilateral_max) return PC_BAD_ARGUMENT;
  int n = delassus->n, symmetric = pc_assembly_is_symmetric(tangent);
  delassus->bilateral_count = count;
  delassus->bilateral = row;
  delassus->contact_count = 0; /* what is known of contacts leaned on the old rows */
  for (int j = 0; j < count; j++) {
    double* x = delassus->X_b + (size_t)j * (size_t)n;
    pc_assembly_solve_row(tangent, row[j], x);
    add_column(count, row, j, x, symmetric, delassus->S);
  }
  delassus->rank = count;
  if (count == 0) return PC_OK;
  choose_scale(count, delassus->S, delassus->scale);
  delassus->regular =
      (symmetric || is_symmetric(count, delassus->scale, delassus->S)) && factor_regular(delassus);
  if (delassus->regular) return PC_OK;
  scale_bilateral(count, delassus->scale, delassus->S);
  return pc_qr_factor(count, delassus->S, delassus->tau, delassus->pivot, PC_RANK_TOLERANCE,
                      &delassus->rank);
}

/* x := x - X_b S^-1 W_b' x, and y := S^-1 W_b' x. */
static void eliminate_bilateral(const pc_delassus* delassus, double* x, double* y)
{
  int count = delassus->bilateral_count, n = delassus->n;
  for (int i = 0; i < count; i++) y[i] = pc_row_dot(delassus->bilateral[i], x);
  solve_bilateral(delassus, y);
  for (int i = 0; i < count; i++)
    if (y[i] != 0) add_vector(n, -y[i], delassus->X_b + (size_t)i * (size_t)n, x);
}

/* Column j of X_c without what the bilateral rows take. Of a row that depends on them only
 * round-off would be left, by which no solver should divide: what they hold does not move. They
 * take its percussion (Y). */
static void condense_column(pc_delassus* delassus, int j, pc_row row, double* x)
{
  int n = delassus->n, bilateral = delassus->bilateral_count;
  double whole = fabs(pc_row_dot(row, x)), *y = delassus->Y + (size_t)j * (size_t)bilateral;
  eliminate_bilateral(delassus, x, y);
  if (fabs(pc_row_dot(row, x)) > PC_RANK_TOLERANCE * whole) return;
  memset(x, 0, (size_t)n * sizeof *x);
}

/* Rows of D without a diagonal entry are those of contacts that are held. */
static void clear_held_rows(int count, double* D)
{
  for (int j = 0; j < count; j++)
    if (D[j * count + j] == 0) memset(D + j * count, 0, (size_t)count * sizeof *D);
}

const double* pc_delassus_set_contacts(pc_delassus* delassus, const pc_assembly* tangent, int count,
                                       const pc_row* row, const pc_row* force)
{
  int n = delassus->n, bilateral = delassus->bilateral_count;
  int symmetric = pc_assembly_is_symmetric(tangent) && !force;
  assert(count <= delassus->contact_max);
  delassus->contact_count = count;
  for (int j = 0; j < count; j++) {
    double* x = delassus->X_c + (size_t)j * (size_t)n;
    pc_assembly_solve_row(tangent, force ? force[j] : row[j], x);
    if (bilateral > 0) condense_column(delassus, j, row[j], x);
    add_column(count, row, j, x, symmetric, delassus->D);
  }
  if (bilateral > 0) clear_held_rows(count, delassus->D);
  return delassus->D;
}

void pc_delassus_project(const pc_delassus* delassus, const double* c, double* u, double* P_b)
{
  int count = delassus->bilateral_count, n = delassus->n;
  double* change = delassus->change;
  for (int i = 0; i < count; i++) change[i] = -pc_row_dot(delassus->bilateral[i], u) - c[i];
  if (count > 0) solve_bilateral(delassus, change);
  for (int i = 0; i < count; i++)
    if (change[i] != 0) add_vector(n, change[i], delassus->X_b + (size_t)i * (size_t)n, u);
  if (P_b) add_vector(count, 1, change, P_b);
}

void pc_delassus_apply(const pc_delassus* delassus, const double* P_c, double* u, double* P_b)
{
  int n = delassus->n, bilateral = delassus->bilateral_count;
  for (int j = 0; j < delassus->contact_count; j++) {
    if (P_c[j] == 0) continue;
    add_vector(n, P_c[j], delassus->X_c + (size_t)j * (size_t)n, u);
    if (P_b && bilateral > 0)
      add_vector(bilateral, -P_c[j], delassus->Y + (size_t)j * (size_t)bilateral, P_b);
  }
}
