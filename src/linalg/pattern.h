/* The sparsity pattern of one component, by compressed columns. */
#ifndef PC_LINALG_PATTERN_H
#define PC_LINALG_PATTERN_H

#include "linalg/components.h"

typedef struct pc_pattern {
  int order;
  int* start; /* order + 1; start[order] is the number of entries */
  int* row;   /* local row indices, ascending in each column */
} pc_pattern;

/* The union of the index sets of component c, in the component's local numbering. On failure
 * nothing is left to free. */
pc_status pc_pattern_create(const pc_components* components, int c, pc_pattern* pattern,
                            pc_error* error);
void pc_pattern_free(pc_pattern* pattern);

/* Where the entry (i, j), which must be in the pattern, is stored. */
int pc_pattern_find(const pc_pattern* pattern, int i, int j);

#endif
