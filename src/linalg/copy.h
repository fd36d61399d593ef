/* Copies of vectors. Most of them have a few numbers, for which a call of memcpy takes longer than
 * the copy itself. */
#ifndef PC_LINALG_COPY_H
#define PC_LINALG_COPY_H

#include <string.h>

/* Up to this many numbers are copied one by one. */
enum { PC_COPY_FEW = 4 };

static inline void pc_copy(int n, const double* from, double* to)
{
  if (n > PC_COPY_FEW)
    memcpy(to, from, (size_t)n * sizeof *to);
  else
    for (int i = 0; i < n; i++) to[i] = from[i];
}

static inline void pc_zero(int n, double* x)
{
  if (n > PC_COPY_FEW)
    memset(x, 0, (size_t)n * sizeof *x);
  else
    for (int i = 0; i < n; i++) x[i] = 0;
}

/* Whether two vectors are the same, bit by bit. */
static inline int pc_same(int n, const double* a, const double* b)
{
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

#endif
