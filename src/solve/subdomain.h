/* A subdomain of an island: some of its nodes as a problem of their own, with the others held.
 *
 * Its b holds what the others do: b_k + sum over the nodes j outside of A_kj z_j. */
#ifndef PC_SOLVE_SUBDOMAIN_H
#define PC_SOLVE_SUBDOMAIN_H

#include "solve/island.h"

/* Arrays belong to the island's arena, and are gone with the caller's mark. */
typedef struct pc_subdomain {
  pc_problem problem;
  double* z;  /* rows of the problem: at first those of the island */
  int* local; /* node_count of the island: a node's number in the problem, or -1 */
} pc_subdomain;

/* Of the nodes whose `taken` is not 0; `taken` has node_count entries. PC_OUT_OF_MEMORY. */
pc_status pc_subdomain_extract(const pc_island* island, const unsigned char* taken,
                               pc_subdomain* subdomain);

/* Copies z of the subdomain into that of the island. */
void pc_subdomain_put(const pc_subdomain* subdomain, pc_island* island);

#endif
