/* Block rows: a row of W' as a short list of dense blocks.
 *
 * A constraint touches few bodies, so its row has few nonzero runs. The runs (`pc_block`) are fixed
 * when the system is frozen; the values lie one after the other, block by block.
 *
 * Most runs are the three velocities of a body in the plane, or twice three of one in space, or a
 * single one. A loop over them costs more than what it does, so that three at a time are written
 * out; sums keep their order. */
#ifndef PC_LINALG_ROW_H
#define PC_LINALG_ROW_H

#include <stddef.h>

#include "base/inline.h"
#include "linalg/two.h"

typedef struct pc_block {
  int first; /* first index of the run */
  int width;
} pc_block;

typedef struct pc_row {
  int block_count;
  const pc_block* block;
  const double* w; /* sum of the widths */
} pc_row;

/* w . x */
static inline double pc_row_dot(pc_row row, const double* x)
{
  double sum = 0;
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++) {
    const double* xb = x + row.block[b].first;
    int n = row.block[b].width;
    if (n == 1) {
      sum += *w++ * *xb;
      continue;
    }
    if (n == 3) {
      sum = sum + w[0] * xb[0] + w[1] * xb[1] + w[2] * xb[2];
      w += 3;
      continue;
    }
    for (; n >= 3; n -= 3, w += 3, xb += 3) {
      sum += w[0] * xb[0];
      sum += w[1] * xb[1];
      sum += w[2] * xb[2];
    }
    if (n > 0) sum += *w++ * *xb++;
    if (n > 1) sum += *w++ * *xb;
  }
  return sum;
}

/* The same for three rows of one or two bodies in space; the sums are as above. */
PC_INLINE void pc_row_dot_three(int bodies, const pc_row* row, const double* x, const double* y,
                                double* into)
{
  for (int r = 0; r < 3; r++) {
    const double* w = row[r].w;
    double sum = 0;
    PC_UNROLL
    for (int i = 0; i < 6; i++) sum += w[i] * x[i];
    PC_UNROLL
    for (int i = 0; i < 6 && bodies == 2; i++) sum += w[6 + i] * y[i];
    into[r] = sum;
  }
}

/* The first three of `count` rows have the same runs, one or two bodies in space: a contact with
 * friction. Then it is how many bodies, else 0. */
static inline int pc_rows_of_bodies(int count, const pc_row* row)
{
  const pc_block* of = row->block;
  if (count < 3 || row->block_count < 1 || row->block_count > 2 || of->width != 6) return 0;
  if (row[1].block != of || row[2].block != of) return 0;
  return of[row->block_count - 1].width == 6 ? row->block_count : 0;
}

/* into_c = w . X_c for n columns that are `width` apart, four at a time: the sums do not wait for
 * each other. */
static inline void pc_row_dot_columns(pc_row row, int n, const double* X, size_t width,
                                      double* into)
{
  int c = 0;
  for (; c + 4 <= n; c += 4, X += 4 * width) {
    pc_two sum = {0, 0}, other = {0, 0};
    const double* w = row.w;
    for (int b = 0; b < row.block_count; b++) {
      const double* x = X + row.block[b].first;
      for (const double* end = x + row.block[b].width; x < end; x++, w++) {
        sum += *w * (pc_two){x[0], x[width]};
        other += *w * (pc_two){x[2 * width], x[3 * width]};
      }
    }
    pc_store_two(sum, into + c);
    pc_store_two(other, into + c + 2);
  }
  for (; c < n; c++, X += width) into[c] = pc_row_dot(row, X);
}

/* The sum of |w_i x_i|: the size of what w . x is made of. */
static inline double pc_row_size(pc_row row, const double* x)
{
  double sum = 0;
  const double* w = row.w;
  for (int b = 0; b < row.block_count; b++) {
    const double* xb = x + row.block[b].first;
    for (int i = 0; i < row.block[b].width; i++)
      sum += w[i] * xb[i] < 0 ? -w[i] * xb[i] : w[i] * xb[i];
    w += row.block[b].width;
  }
  return sum;
}

/* x += scale * w */
static inline void pc_row_add(pc_row row, double scale, double* x)
{
  const double* restrict w = row.w;
  for (int b = 0; b < row.block_count; b++) {
    double* restrict xb = x + row.block[b].first;
    int n = row.block[b].width;
    if (n == 1) {
      *xb += scale * *w++;
      continue;
    }
    for (; n >= 3; n -= 3, w += 3, xb += 3) {
      xb[0] += scale * w[0];
      xb[1] += scale * w[1];
      xb[2] += scale * w[2];
    }
    for (; n > 0; n--) *xb++ += scale * *w++;
  }
}

#endif
