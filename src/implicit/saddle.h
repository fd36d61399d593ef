/* The sparse matrix of a step, by blocks on the graph of bodies and of the joints and contacts
 * between them:
 *
 *     [ T  -W ]  groups of unknowns
 *     [ G   0 ]  rows that act, unit by unit
 *
 * A Newton step puts laws on their branches into the second line; a complementarity step hands it
 * to the contact solvers as it is. */
#ifndef PC_IMPLICIT_SADDLE_H
#define PC_IMPLICIT_SADDLE_H

#include "implicit/inside.h"
#include "linalg/block_lu.h"

/* The pattern: the one at hand, and the one that the matrix has. */
typedef struct pc_saddle_pattern {
  pc_edge *edge, *known_edge;
  int* known_size;
  size_t edge_capacity, known_edge_capacity;
  int edge_count, known_edge_count, known_node_count;
} pc_saddle_pattern;

/* In percussion form: the units alone. */
typedef struct pc_saddle_units {
  pc_block_matrix matrix;
  pc_edge* edge;
  size_t edge_capacity;
  int edge_count;
} pc_saddle_units;

/* One group's block of T, and what it makes of a unit's columns. */
typedef struct pc_saddle_group {
  double* factor;
  int* pivot;
  size_t factor_capacity, pivot_capacity;
} pc_saddle_group;

typedef struct pc_saddle {
  pc_block_matrix matrix;
  pc_block_lu* lu;
  int node_count;       /* groups, then units of the rows that act */
  int* size;            /* nodes */
  unsigned char* late;  /* nodes: 1 for units */
  int* unit_node;       /* units: its node, or -1 */
  int* filled;          /* nodes: how many of its rows have their place */
  int* node;            /* active rows: the node they belong to, */
  int* at;              /* the row of the matrix, */
  double* weight;       /* the unit of its unknown, */
  double* row_weight;   /* and that of its equation */
  double* x;            /* all: right-hand side, then the unknowns */
  double* b;            /* all: that of a contact problem */
  pc_problem_node* law; /* nodes of a contact problem */
  size_t x_capacity, b_capacity;
  pc_saddle_pattern pattern;
  pc_saddle_units units;
  pc_saddle_group group;
} pc_saddle;

/* The matrix of the rows in `active`, linearised: T and -W are there, G is not. The units are those
 * of the graph or, `by_law`, contacts of different stages apart and their percussions unscaled. F
 * and y are corrected by the kinematic defect, F and dP by percussions that are dropped. r of
 * contacts that act for the first time in this solve is chosen. */
pc_status pc_saddle_fill(pc_implicit_step* s, const double* P, int by_law, pc_error* error);

/* Adds scale * w to the matrix row of active row i. */
void pc_saddle_add_row(pc_saddle* saddle, const pc_implicit_graph* graph, pc_row w, double scale,
                       int i);

/* Eliminates the groups (the first `groups` nodes) from matrix and b, each by its own block:
 * `units` and the rest of b are then the problem of the units, y = A P + b. Of use where groups are
 * coupled by little. */
pc_status pc_saddle_condense(pc_saddle* saddle, int groups, pc_error* error);

/* After that: the unknowns of the groups in x, from the percussions there. */
pc_status pc_saddle_expand(pc_saddle* saddle, int groups, pc_error* error);

#endif
