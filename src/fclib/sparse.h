/* Sparse matrices by triplets, and the contact problem by blocks that is made of them. */
#ifndef PC_FCLIB_SPARSE_H
#define PC_FCLIB_SPARSE_H

#include <stddef.h>

#include "percuss/solver.h"

typedef struct pc_triplet {
  int row, column;
  double value;
} pc_triplet;

typedef struct pc_sparse {
  int rows, columns;
  size_t count, capacity;
  pc_triplet* entry; /* in any order; entries at the same place add up */
} pc_sparse;

void pc_sparse_free(pc_sparse* matrix);

/* PC_OUT_OF_MEMORY. */
pc_status pc_sparse_reserve(pc_sparse* matrix, size_t count);

/* Appends factor * part at (row, column), or its transpose. There has to be space. */
void pc_sparse_append(pc_sparse* matrix, const pc_sparse* part, int row, int column, double factor,
                      int transposed);

/* A problem with memory of its own. */
typedef struct pc_blocks {
  pc_problem problem;
  pc_problem_node* node;
  int *row, *start, *column;
  size_t* place;
  double *value, *b;
} pc_blocks;

/* The problem with this matrix, whose order is that of b, and these nodes: `first` has node_count +
 * 1 rows. Blocks that are zero are left out, those that the pattern asks for are added. Takes
 * nothing over. PC_OUT_OF_MEMORY. */
pc_status pc_blocks_make(const pc_sparse* matrix, int node_count, const pc_problem_node* node,
                         const int* first, const double* b, pc_blocks* blocks);
void pc_blocks_free(pc_blocks* blocks);

#endif
