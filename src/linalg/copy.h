/* Copies of vectors. Most of them have a few numbers, for which a call of memcpy, and a loop that
 * compilers prepare for vectors of any length, take longer than the copy itself: these are written
 * out. */
#ifndef PC_LINALG_COPY_H
#define PC_LINALG_COPY_H

#include <string.h>

/* Up to this many numbers are copied one by one. */
enum { PC_COPY_FEW = 4 };

static inline void pc_copy(int n, const double* from, double* to)
{
  if (n > PC_COPY_FEW) {
    memcpy(to, from, (size_t)n * sizeof *to);
    return;
  }
  if (n > 0) to[0] = from[0];
  if (n > 1) to[1] = from[1];
  if (n > 2) to[2] = from[2];
  if (n > 3) to[3] = from[3];
}

static inline void pc_zero(int n, double* x)
{
  if (n > PC_COPY_FEW) {
    memset(x, 0, (size_t)n * sizeof *x);
    return;
  }
  if (n > 0) x[0] = 0;
  if (n > 1) x[1] = 0;
  if (n > 2) x[2] = 0;
  if (n > 3) x[3] = 0;
}

/* Whether two vectors are the same, bit by bit. */
static inline int pc_same(int n, const double* a, const double* b)
{
  if (n > PC_COPY_FEW) return memcmp(a, b, (size_t)n * sizeof *a) == 0;
  for (int i = 0; i < n; i++)
    if (memcmp(a + i, b + i, sizeof *a) != 0) return 0;
  return 1;
}

#endif
