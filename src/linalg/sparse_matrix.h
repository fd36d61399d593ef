/* A square sparse matrix by compressed columns, made of entries that come in any order. */
#ifndef PC_LINALG_SPARSE_MATRIX_H
#define PC_LINALG_SPARSE_MATRIX_H

#include "linalg/pattern.h"

typedef struct pc_entry {
  int i, j;
  double value;
} pc_entry;

/* Entries so far; one that is all zero bytes is a valid empty one. */
typedef struct pc_entries {
  int count, capacity;
  void* entry; /* pc_entry */
  int failed;  /* memory ran out: what came after is missing */
} pc_entries;

void pc_entries_add(pc_entries* entries, int i, int j, double value);
void pc_entries_free(pc_entries* entries);

typedef struct pc_sparse_matrix {
  pc_pattern pattern;
  double* value; /* as many as the pattern has entries */
} pc_sparse_matrix;

/* Entries of the same place are summed, zeros left out. PC_OUT_OF_MEMORY, for what was lost when
 * entries were added too; on failure nothing is left to free. */
pc_status pc_sparse_matrix_create(int order, const pc_entries* entries, pc_sparse_matrix* matrix,
                                  pc_error* error);
void pc_sparse_matrix_free(pc_sparse_matrix* matrix);

/* y += scale A x, and y += scale A' x. */
void pc_sparse_matrix_times(const pc_sparse_matrix* matrix, double scale, const double* x,
                            double* y);
void pc_sparse_matrix_transposed_times(const pc_sparse_matrix* matrix, double scale,
                                       const double* x, double* y);

#endif
