/* Two numbers side by side, which a processor takes at once; each has the bits it would have
 * alone. For files that are not vectorised, as most of their loops are too short for it. */
#ifndef PC_LINALG_TWO_H
#define PC_LINALG_TWO_H

#include <string.h>

typedef double pc_two __attribute__((vector_size(16)));

static inline pc_two pc_load_two(const double* x)
{
  pc_two both;
  memcpy(&both, x, sizeof both);
  return both;
}

static inline void pc_store_two(pc_two both, double* x)
{
  memcpy(x, &both, sizeof both);
}

#endif
