/* Right-looking elimination, block by block (block_lu_inside.h), and solution. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/block_lu_inside.h"

/* A block whose determinant keeps this share of the product of its rows' sizes loses two digits at
 * most where its inverse is made without pivoting. */
static const double FAR_FROM_SINGULAR = 1e-2;

/* ---- factorisation ------------------------------------------------------------------------- */

static void load(pc_block_lu* lu, const pc_block_matrix* m)
{
  if (lu->has_fill) memset(lu->value.at, 0, lu->entry_count * sizeof(double));
  for (int i = 0; i < lu->n; i++) {
    int rows = pc_block_matrix_size(m, i);
    for (int b = m->start[i]; b < m->start[i + 1]; b++) {
      int size = rows * pc_block_matrix_size(m, m->column[b]);
      const double* from = m->value + m->place[b];
      double* to = lu->value.at + lu->target[b];
      for (int k = 0; k < size; k++) to[k] = from[k];
    }
    const double* diagonal = m->value + m->place[m->diagonal[i]];
    for (int r = 0; r < rows; r++) lu->reference.at[m->row[i] + r] = fabs(diagonal[r * rows + r]);
  }
}

/* C -= A B with A of p x q and B of q x r. Terms are subtracted in the order of k, whatever the
 * size: the short ways have the same bits. */
static void subtract_long(int p, int q, int r, const double* restrict A, const double* restrict B,
                          double* restrict C)
{
  for (int i = 0; i < p; i++, A += q, C += r) {
    const double* b = B;
    for (int k = 0; k < q; k++, b += r) {
      double a = A[k];
      for (int j = 0; j < r; j++) C[j] -= a * b[j];
    }
  }
}

/* The same with a number in a register for each entry of C, for a known q of 1 to 3. */
static inline void subtract_short(int p, int q, int r, const double* restrict A,
                                  const double* restrict B, double* restrict C)
{
  for (int i = 0; i < p; i++, A += q, C += r)
    for (int j = 0; j < r; j++) {
      double c = C[j] - A[0] * B[j];
      if (q > 1) c -= A[1] * B[r + j];
      if (q > 2) c -= A[2] * B[2 * r + j];
      C[j] = c;
    }
}

static inline void subtract_product(int p, int q, int r, const double* restrict A,
                                    const double* restrict B, double* restrict C)
{
  switch (q) {
    case 1: subtract_short(p, 1, r, A, B, C); break;
    case 2: subtract_short(p, 2, r, A, B, C); break;
    case 3: subtract_short(p, 3, r, A, B, C); break;
    default: subtract_long(p, q, r, A, B, C);
  }
}

/* The largest entry of the lower right part from (s, s) on, brought to that corner. The two lists
 * of pivots note the exchange. */
static double bring_pivot(int n, double* B, int s, int* row, int* column)
{
  int p = s, q = s;
  double largest = 0;
  for (int i = s; i < n; i++)
    for (int j = s; j < n; j++)
      if (!(fabs(B[i * n + j]) <= largest)) {
        largest = fabs(B[i * n + j]);
        p = i, q = j;
      }
  for (int j = 0; p != s && j < n; j++) {
    double t = B[s * n + j];
    B[s * n + j] = B[p * n + j], B[p * n + j] = t;
  }
  for (int i = 0; q != s && i < n; i++) {
    double t = B[i * n + s];
    B[i * n + s] = B[i * n + q], B[i * n + q] = t;
  }
  int t = row[s];
  row[s] = row[p], row[p] = t;
  t = column[s];
  column[s] = column[q], column[q] = t;
  return largest;
}

/* L U of B with complete pivoting; the rank is where the largest entry left is below `tolerance`,
 * or no number (-1). Complete pivoting costs little in a block of a few rows and tells the rank. */
static int factor_small(int n, double* B, double tolerance, int* row, int* column)
{
  for (int i = 0; i < n; i++) row[i] = column[i] = i;
  for (int s = 0; s < n; s++) {
    double size = bring_pivot(n, B, s, row, column);
    if (!(size <= HUGE_VAL) || size == HUGE_VAL) return -1;
    if (size <= tolerance) return s;
    double inverse = 1 / B[s * n + s];
    for (int i = s + 1; i < n; i++) {
      double l = B[i * n + s] *= inverse;
      for (int j = s + 1; j < n; j++) B[i * n + j] -= l * B[s * n + j];
    }
  }
  return n;
}

/* Column c of the inverse of the first `rank` pivots of L U, in the order of the pivots. */
static void invert_column(int n, int rank, const double* LU, int c, double* x)
{
  for (int i = 0; i < rank; i++) {
    double sum = i == c;
    for (int j = c; j < i; j++) sum -= LU[i * n + j] * x[j];
    x[i] = i < c ? 0 : sum;
  }
  for (int i = rank - 1; i >= 0; i--) {
    double sum = x[i];
    for (int j = i + 1; j < rank; j++) sum -= LU[i * n + j] * x[j];
    x[i] = sum / LU[i * n + i];
  }
}

/* Three rows, by cofactors: see invert_small. */
static int invert_three(const double* reference, double* D)
{
  double C[9] = {D[4] * D[8] - D[5] * D[7], D[2] * D[7] - D[1] * D[8], D[1] * D[5] - D[2] * D[4],
                 D[5] * D[6] - D[3] * D[8], D[0] * D[8] - D[2] * D[6], D[2] * D[3] - D[0] * D[5],
                 D[3] * D[7] - D[4] * D[6], D[1] * D[6] - D[0] * D[7], D[0] * D[4] - D[1] * D[3]};
  double determinant = D[0] * C[0] + D[1] * C[3] + D[2] * C[6];
  double size = reference[0] * reference[1] * reference[2];
  if (!(fabs(determinant) > FAR_FROM_SINGULAR * size)) return 0;
  double inverse = 1 / determinant;
  for (int i = 0; i < 9; i++) D[i] = inverse * C[i];
  return determinant > 0 ? 1 : -1;
}

/* Blocks of up to three rows that are far from singular, for the reference sizes of their pivots,
 * have a short way. Returns the sign of the determinant, or 0 if it was not taken. */
static int invert_small(int n, const double* reference, double* D)
{
  if (n == 3) return invert_three(reference, D);
  if (n == 1) {
    if (!(fabs(D[0]) > FAR_FROM_SINGULAR * reference[0])) return 0;
    D[0] = 1 / D[0];
    return D[0] > 0 ? 1 : -1;
  }
  double determinant = D[0] * D[3] - D[1] * D[2];
  if (!(fabs(determinant) > FAR_FROM_SINGULAR * reference[0] * reference[1])) return 0;
  double inverse = 1 / determinant, first = D[0];
  D[0] = inverse * D[3];
  D[3] = inverse * first;
  D[1] *= -inverse;
  D[2] *= -inverse;
  return determinant > 0 ? 1 : -1;
}

/* -1 for an odd permutation of n numbers, else 1. */
static int parity(int n, const int* order)
{
  int sign = 1;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (order[j] < order[i]) sign = -sign;
  return sign;
}

/* Replaces the diagonal block of position k by its inverse, in which rows that are redundant are
 * left out. Rows are scaled by the size of what a pivot is made of: the rank must not depend on
 * units. */
static pc_status invert_diagonal(pc_block_lu* lu, int k, double tolerance)
{
  int n = lu->size.at[k], node = lu->node.at[k], *row = lu->work.at, *column = row + n;
  double *D = lu->value.at + lu->diagonal[k], *B = lu->scratch.at, *scale = B + n * n,
         *x = scale + n;
  const double* reference = lu->reference.at + lu->row.at[node];
  int* redundant = lu->redundant.at + lu->row.at[node];
  /* With tolerance 0 a pivot must be zero to be missed: three rows then have their largest
   * pivots. */
  int sign = n <= (tolerance > 0 ? 3 : 2) ? invert_small(n, reference, D) : 0;
  if (sign) {
    for (int i = 0; i < n; i++) redundant[i] = 0;
    lu->sign *= sign;
    lu->rank += n;
    return PC_OK;
  }
  for (int i = 0; i < n; i++) scale[i] = reference[i] > 0 ? 1 / sqrt(reference[i]) : 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i * n + j] = scale[i] * D[i * n + j] * scale[j];
  int rank = factor_small(n, B, tolerance, row, column);
  if (rank < 0) return PC_NOT_FINITE;
  int optional = tolerance > 0 && (!lu->known.has_late || lu->known.late.at[node]);
  if (rank < n && !optional) return PC_SINGULAR;
  lu->rank += rank;
  lu->sign *= parity(n, row) * parity(n, column);
  for (int i = 0; i < rank; i++)
    if (B[i * n + i] < 0) lu->sign = -lu->sign;
  for (int i = 0; i < n; i++) redundant[i] = 0;
  for (int i = rank; i < n; i++) redundant[row[i]] = 1;
  memset(D, 0, (size_t)(n * n) * sizeof *D);
  for (int c = 0; c < rank; c++) {
    invert_column(n, rank, B, c, x);
    for (int i = 0; i < rank; i++)
      D[column[i] * n + row[c]] = scale[column[i]] * x[i] * scale[row[c]];
  }
  return PC_OK;
}

/* L := A D, in place through `x`. */
static inline void scale_rows(int rows, int n, const double* D, double* x, double* L)
{
  for (int r = 0; r < rows; r++, L += n) {
    for (int c = 0; c < n; c++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += L[i] * D[i * n + c];
      x[c] = sum;
    }
    for (int c = 0; c < n; c++) L[c] = x[c];
  }
}

/* Loops of constant length for joints and bodies in the plane. */
static void scale_lower(int rows, int n, const double* D, double* x, double* L)
{
  double few[3];
  switch (n) {
    case 1: scale_rows(rows, 1, D, few, L); break;
    case 2: scale_rows(rows, 2, D, few, L); break;
    case 3: scale_rows(rows, 3, D, few, L); break;
    default: scale_rows(rows, n, D, x, L);
  }
}

/* D (p x p) -= L U, whose own diagonal counts as a term of the pivots. */
static inline void subtract_from_diagonal(int p, int q, const double* L, const double* U, double* D,
                                          double* reference)
{
  for (int r = 0; r < p; r++, L += q, D += p) {
    double before = D[r];
    for (int k = 0; k < q; k++)
      for (int c = 0; c < p; c++) D[c] -= L[k] * U[k * p + c];
    reference[r] += fabs(D[r] - before);
  }
}

/* The diagonal block of position i loses L_ik U_ki. */
static void update_diagonal(pc_block_lu* lu, int i, int q, const double* L, const double* U)
{
  int p = lu->size.at[i];
  double* D = lu->value.at + lu->diagonal[i];
  double* reference = lu->reference.at + lu->row.at[lu->node.at[i]];
  if (p == 2 && q == 3)
    subtract_from_diagonal(2, 3, L, U, D, reference);
  else if (p == 3 && q == 2)
    subtract_from_diagonal(3, 2, L, U, D, reference);
  else if (p == 2 && q == 2)
    subtract_from_diagonal(2, 2, L, U, D, reference);
  else if (p == 3 && q == 3)
    subtract_from_diagonal(3, 3, L, U, D, reference);
  else
    subtract_from_diagonal(p, q, L, U, D, reference);
}

/* What eliminating position k does to the pairs of its neighbours of which one is among the first
 * `count`. */
static void update_pairs(pc_block_lu* lu, int k, int count)
{
  const int *below = lu->below.at, *size = lu->size.at;
  int first = lu->start.at[k], end = lu->start.at[k + 1], q = size[k];
  double* value = lu->value.at;
  for (int a = first; a < first + count; a++) {
    int i = below[a], p = size[i], e = lu->start.at[i];
    const double *L_i = value + lu->lower[a], *U_i = value + pc_lu_upper(lu, k, a);
    update_diagonal(lu, i, q, L_i, U_i);
    for (int b = a + 1; b < end; b++) {
      int j = below[b], r = size[j];
      while (below[e] != j) e++;
      subtract_product(p, q, r, L_i, value + pc_lu_upper(lu, k, b), value + pc_lu_upper(lu, i, e));
      subtract_product(r, q, p, value + lu->lower[b], U_i, value + lu->lower[e]);
    }
  }
}

/* Inverts the diagonal block of position k and makes L of its lower blocks. */
static pc_status eliminate(pc_block_lu* lu, int k, double tolerance)
{
  pc_status status = invert_diagonal(lu, k, tolerance);
  if (status != PC_OK) return status;
  const double* D = lu->value.at + lu->diagonal[k];
  for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
    scale_lower(lu->size.at[lu->below.at[e]], lu->size.at[k], D, lu->scratch.at,
                lu->value.at + lu->lower[e]);
  return PC_OK;
}

pc_status pc_block_lu_factor(pc_block_lu* lu, const pc_block_matrix* m, double tolerance)
{
  lu->rank = 0;
  lu->sign = 1;
  load(lu, m);
  for (int k = 0, end; k < lu->n; k = end) {
    end = lu->panels.end.at[k];
    int is_panel = end > k + 1;
    for (int l = k; l < end; l++) {
      PC_TRY(eliminate(lu, l, tolerance));
      update_pairs(lu, l, is_panel ? end - 1 - l : pc_lu_count_below(lu, l));
    }
    if (is_panel) pc_block_lu_update_beyond(lu, k, end);
  }
  return PC_OK;
}

int pc_block_lu_rank(const pc_block_lu* lu)
{
  return lu->rank;
}

int pc_block_lu_determinant_sign(const pc_block_lu* lu)
{
  return lu->sign;
}

int pc_block_lu_is_redundant(const pc_block_lu* lu, int row)
{
  return lu->redundant.at[row];
}

size_t pc_block_lu_entry_count(const pc_block_lu* lu)
{
  return lu->entry_count;
}

/* ---- solution ------------------------------------------------------------------------------ */

/* y -= B x with B of rows x columns. */
static void subtract_times(int rows, int columns, const double* B, const double* x, double* y)
{
  for (int r = 0; r < rows; r++, B += columns) {
    double sum = 0;
    for (int c = 0; c < columns; c++) sum += B[c] * x[c];
    y[r] -= sum;
  }
}

void pc_block_lu_solve(const pc_block_lu* lu, double* x)
{
  const double* value = lu->value.at;
  const int *below = lu->below.at, *size = lu->size.at, *row = lu->row.at, *node = lu->node.at;
  for (int k = 0; k < lu->n; k++)
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
      subtract_times(size[below[e]], size[k], value + lu->lower[e], x + row[node[k]],
                     x + row[node[below[e]]]);
  for (int k = lu->n - 1; k >= 0; k--) {
    double *x_k = x + row[node[k]], *right = lu->x.at;
    const double* D = value + lu->diagonal[k];
    for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++)
      subtract_times(size[k], size[below[e]], value + pc_lu_upper(lu, k, e),
                     x + row[node[below[e]]], x_k);
    memcpy(right, x_k, (size_t)size[k] * sizeof *right);
    for (int r = 0; r < size[k]; r++, D += size[k]) {
      double sum = 0;
      for (int c = 0; c < size[k]; c++) sum += D[c] * right[c];
      x_k[r] = sum;
    }
  }
}
