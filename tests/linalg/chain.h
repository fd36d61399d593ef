/* A chain of two-node finite elements, as an assembly: the sparse case of the tests. */
#ifndef PC_TESTS_LINALG_CHAIN_H
#define PC_TESTS_LINALG_CHAIN_H

#include <stdlib.h>

#include "check.h"
#include "linalg/assembly.h"

/* The matrix of order n from n - 1 elements on nodes (i, i + 1). Node i has the index i * stride
 * modulo n; with a stride (prime to n) that is not 1 the matrix is sparse, but not a narrow
 * band. */
static inline pc_assembly* make_strided_chain(int n, int stride, pc_symmetry symmetry)
{
  pc_error error = {0};
  pc_block* block = calloc((size_t)n, 2 * sizeof *block);
  pc_index_set* set = calloc((size_t)n, sizeof *set);
  assert_non_null(block);
  assert_non_null(set);
  for (int i = 0; i + 1 < n; i++) {
    block[2 * i] = (pc_block){i * stride % n, 1};
    block[2 * i + 1] = (pc_block){(i + 1) * stride % n, 1};
    set[i] = (pc_index_set){2, &block[2 * i], 0};
  }
  pc_assembly* chain = NULL;
  CHECK_OK(pc_assembly_create(n, n - 1, set, symmetry, &chain, &error), error);
  free(block);
  free(set);
  return chain;
}

static inline pc_assembly* make_chain(int n, pc_symmetry symmetry)
{
  return make_strided_chain(n, 1, symmetry);
}

/* Element i gets scale * (1 + i % 7) * element (2 x 2). */
static inline void fill_chain(pc_assembly* chain, double scale, const double element[4])
{
  pc_assembly_clear(chain);
  for (int i = 0; i + 1 < pc_assembly_order(chain); i++)
    pc_assembly_add(chain, i, scale * (1 + i % 7), element);
}

#endif
