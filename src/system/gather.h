/* The part of a global vector that an element sees. */
#ifndef PC_SYSTEM_GATHER_H
#define PC_SYSTEM_GATHER_H

#include "linalg/copy.h"
#include "linalg/row.h"

/* In place if it is one run, else copied to `scratch`. */
static inline const double* pc_gather(int count, const pc_block* block, const double* x,
                                      double* scratch)
{
  if (count == 1) return x + block[0].first;
  double* to = scratch;
  for (int b = 0; b < count; b++) {
    pc_copy(block[b].width, x + block[b].first, to);
    to += block[b].width;
  }
  return scratch;
}

#endif
