/* The matrix J A^-1 W' of many rows, by blocks: what a unit percussion on one row does to the
 * velocity of another.
 *
 * Rows come in nodes (those of a joint, of a contact). A row touches few components of the tangent
 * A, and two nodes have a block where they share a component: cost and memory follow the rows and
 * the bodies that they touch, never their product. For free bodies this is the Delassus operator,
 * ready for Gauss-Seidel and for sparse elimination (block_lu.h). A component with many rows on it
 * couples all of them with each other. */
#ifndef PC_LINALG_PERCUSSION_FORM_H
#define PC_LINALG_PERCUSSION_FORM_H

#include "linalg/assembly.h"
#include "linalg/block_matrix.h"
#include "linalg/row.h"

typedef struct pc_percussion_form pc_percussion_form;

/* Rows in nodes: node i has the rows first[i] .. first[i + 1]. `force` are the directions W of the
 * percussions, `measure` the rows J of the velocities; mostly they are the same array. A node has
 * one row at least, and all of its rows, of force and of measure, lie on the same runs. */
typedef struct pc_row_nodes {
  int count;
  const int* first; /* count + 1 */
  const pc_row* force;
  const pc_row* measure;
} pc_row_nodes;

pc_status pc_percussion_form_create(pc_percussion_form** form, pc_error* error);
void pc_percussion_form_destroy(pc_percussion_form* form); /* NULL is fine */

/* Computes the matrix with the present factors of the tangent. Runs that are the same as the last
 * time leave the pattern as it is; memory grows where it has to. */
pc_status pc_percussion_form_compute(pc_percussion_form* form, const pc_assembly* tangent,
                                     const pc_row_nodes* nodes, pc_error* error);

const pc_block_matrix* pc_percussion_form_matrix(const pc_percussion_form* form);

/* u += A^-1 W' P, with one entry of P for each row. */
void pc_percussion_form_apply(const pc_percussion_form* form, const double* P, double* u);

#endif
