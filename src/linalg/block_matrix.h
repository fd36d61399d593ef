/* A square sparse matrix by dense blocks.
 *
 * Its rows and columns are grouped into nodes (the velocities of a body, the rows of a joint, those
 * of a contact), and there is a dense block for every pair of nodes that act on each other. The
 * pattern is symmetric and holds the diagonal, the values need not be symmetric. The pattern may
 * change from one use to the next: memory grows to the largest one that was met and is kept, so
 * that nothing is allocated once the sizes have been seen. */
#ifndef PC_LINALG_BLOCK_MATRIX_H
#define PC_LINALG_BLOCK_MATRIX_H

#include <stddef.h>

#include "percuss/base.h"

/* A pair of nodes that act on each other. */
typedef struct pc_edge {
  int i, j;
} pc_edge;

typedef struct pc_block_matrix {
  int node_count;
  int* row;    /* node_count + 1: the first row of each node; the last entry is the order */
  int* start;  /* node_count + 1: where the blocks of a node's rows begin in the two arrays below */
  int* column; /* of each block: the node of its columns, increasing within a block row */
  size_t* place; /* of each block: where its entries begin in `value`, row-major */
  int* diagonal; /* node_count: which of the blocks is the diagonal one */
  double* value;

  /* Capacities and scratch, of no concern to users. */
  size_t row_capacity, start_capacity, diagonal_capacity, column_capacity, place_capacity;
  size_t value_capacity, scratch_capacity, list_capacity;
  int* scratch;
  int* list;
} pc_block_matrix;

/* Takes the pattern: `size` rows in each node, and the edges, in any order, each once or more
 * often, either way round; the diagonal need not be among them. All values become zero. A matrix
 * that is all zero bytes is a valid empty one. PC_OUT_OF_MEMORY leaves it empty. */
pc_status pc_block_matrix_shape(pc_block_matrix* matrix, int node_count, const int* size,
                                int edge_count, const pc_edge* edge, pc_error* error);
void pc_block_matrix_free(pc_block_matrix* matrix);

/* All values to zero. */
void pc_block_matrix_clear(pc_block_matrix* matrix);

/* The block of rows i and columns j, row-major, or NULL if the pattern has none. */
double* pc_block_matrix_find(const pc_block_matrix* matrix, int i, int j);

/* y += A x */
void pc_block_matrix_times(const pc_block_matrix* matrix, const double* x, double* y);

static inline int pc_block_matrix_order(const pc_block_matrix* matrix)
{
  return matrix->node_count ? matrix->row[matrix->node_count] : 0;
}

static inline int pc_block_matrix_size(const pc_block_matrix* matrix, int node)
{
  return matrix->row[node + 1] - matrix->row[node];
}

#endif
