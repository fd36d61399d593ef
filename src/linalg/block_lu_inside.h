/* What the parts of the block-sparse factorisation share: block_lu_pattern.c orders the nodes and
 * finds the pattern of the factors, block_lu.c eliminates, block_lu_panels.c does so for positions
 * with the same neighbours.
 *
 * Nodes are renumbered by the order of their elimination ("positions"). Position k keeps its
 * diagonal block, which becomes its inverse, and for every position i > k that is its neighbour, by
 * the matrix or by fill, two blocks: L_ik = A_ik D_k^-1 and U_ki = A_ki. Eliminating k changes the
 * blocks of all pairs of these: A_ij -= L_ik U_kj.
 *
 * Positions in a row that have the same neighbours beyond them (a supernode) are a panel: what they
 * do to the pairs of these neighbours is one product of matrices, of which each entry is fetched
 * and stored once. */
#ifndef PC_LINALG_BLOCK_LU_INSIDE_H
#define PC_LINALG_BLOCK_LU_INSIDE_H

#include "linalg/block_lu.h"

/* An array of ints or doubles that grows. */
typedef struct pc_lu_ints {
  int* at;
  size_t capacity;
} pc_lu_ints;

typedef struct pc_lu_doubles {
  double* at;
  size_t capacity;
} pc_lu_doubles;

/* What has been analysed last, to find out whether it is met again. */
typedef struct pc_lu_analysed {
  int node_count; /* -1: nothing */
  int has_late;
  pc_lu_ints row, start, column, late;
} pc_lu_analysed;

/* Panels, and what their products need. */
typedef struct pc_lu_panels {
  pc_lu_ints end;       /* n: of the panel that begins at a position, the position after its last */
  pc_lu_ints cursor;    /* for each neighbour beyond a panel: a place in its own list */
  pc_lu_doubles L;      /* rows of one neighbour */
  pc_lu_doubles U;      /* of all of them, see panel.h */
  pc_lu_doubles change; /* the product of these */
  int is_wide;
} pc_lu_panels;

struct pc_block_lu {
  pc_lu_analysed known;
  int n; /* nodes */

  /* The pattern of the factors, by positions. */
  pc_lu_ints node;  /* n: the node at a position */
  pc_lu_ints place; /* n: the position of a node */
  pc_lu_ints size;  /* n: rows of a position */
  pc_lu_ints start; /* n + 1: where the neighbours of a position begin in ... */
  pc_lu_ints below; /* ... this list, increasing */
  size_t* diagonal; /* n: where the diagonal block of a position begins in `value` */
  size_t* lower;    /* for each entry of `below`: where L_ik begins in `value`; U_ki follows it */
  size_t* target;   /* for each block of the matrix: where it goes */
  int has_fill;     /* some blocks of the factors are none of the matrix */
  size_t diagonal_capacity, lower_capacity, target_capacity;
  size_t entry_count;
  pc_lu_doubles value;
  pc_lu_panels panels;

  /* Of the last factorisation. */
  pc_lu_ints row;          /* n: the first row of a node in the matrix */
  pc_lu_doubles reference; /* rows, by node: the size of the terms that make up a pivot */
  pc_lu_ints redundant;    /* rows, by node */
  int rank;
  int sign; /* of the determinant, but for rows that were left out */

  pc_lu_ints work;       /* ordering, pivoting */
  pc_lu_doubles scratch; /* a diagonal block, its scales, a vector */
  pc_lu_doubles x;       /* one node */
};

/* The neighbours of position k that come after it. */
static inline int pc_lu_count_below(const pc_block_lu* lu, int k)
{
  return lu->start.at[k + 1] - lu->start.at[k];
}

/* The rows of the neighbours of position k. */
static inline int pc_lu_rows_below(const pc_block_lu* lu, int k)
{
  int rows = 0;
  for (int e = lu->start.at[k]; e < lu->start.at[k + 1]; e++) rows += lu->size.at[lu->below.at[e]];
  return rows;
}

/* Where U_ki begins, given where L_ik does. */
static inline size_t pc_lu_upper(const pc_block_lu* lu, int k, int e)
{
  return lu->lower[e] + (size_t)lu->size.at[k] * (size_t)lu->size.at[lu->below.at[e]];
}

/* Rows of a panel, at most: within it elimination goes block by block, as without panels. */
enum { PC_LU_PANEL_ROWS_MAX = 36 };

/* What eliminating the panel from k to `end` does to the pairs of the neighbours beyond it. */
void pc_block_lu_update_beyond(pc_block_lu* lu, int k, int end);

#endif
