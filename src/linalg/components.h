/* Which indices hang together: index sets expanded, and joined to connected components. */
#ifndef PC_LINALG_COMPONENTS_H
#define PC_LINALG_COMPONENTS_H

#include "linalg/assembly.h"

typedef struct pc_components {
  int n;
  int set_count;
  /* Until they are released (pc_components_release_sets): */
  int* set_start; /* set_count + 1 */
  int* set_index; /* the indices of set s, in its order: set_start[s] .. set_start[s + 1] */
  int count;
  int* start;  /* count + 1 */
  int* member; /* n: the indices of component c: start[c] .. start[c + 1], ascending */
  int* of;     /* n: the component of an index */
  int* local;  /* n: the place of an index among its component's members */
} pc_components;

/* An index that no set touches is a component of its own. On failure nothing is left to free. */
pc_status pc_components_find(int n, int set_count, const pc_index_set* set,
                             pc_components* components, pc_error* error);
void pc_components_free(pc_components* components);

/* Releases the expanded sets, which are as long as the matrix has rows. */
void pc_components_release_sets(pc_components* components);

/* Renumbers the members of component c: the new place k has what was at place order[k]. `work` has
 * as many entries as the component has members. */
void pc_components_reorder(pc_components* components, int c, const int* order, int* work);

#endif
