/* The dense Delassus operator of a small problem: what a unit percussion on one row does to the
 * velocity of another.
 *
 * With a factorised tangent A and the rows W of the active constraints it is W' A^-1 W. Bilateral
 * rows are eliminated first, so that what is left concerns contacts alone:
 *
 *     u = u_free + X_b P_b + X_c P_c,         X = A^-1 W
 *     0 = W_b' u + c_b                        =>  P_b = -S^-1 (W_b' (u_free + X_c P_c) + c_b)
 *     S = W_b' X_b                            (rank-revealing: redundant joints are normal)
 *
 * so that contacts see  D = W_c' (X_c - X_b S^-1 W_b' X_c). */
#ifndef PC_LINALG_DELASSUS_H
#define PC_LINALG_DELASSUS_H

#include "linalg/assembly.h"
#include "linalg/row.h"

typedef struct pc_delassus pc_delassus;

/* Memory for up to the given numbers of bilateral and contact rows of width n. */
pc_status pc_delassus_create(int n, int bilateral_max, int contact_max, pc_delassus** delassus,
                             pc_error* error);
void pc_delassus_destroy(pc_delassus* delassus); /* NULL is fine */

/* Takes the bilateral rows and eliminates them. The rows' values must stay valid. */
pc_status pc_delassus_set_bilateral(pc_delassus* delassus, const pc_assembly* tangent, int count,
                                    const pc_row* row);

/* Takes the contact rows and computes D (count x count, row-major, owned by the object). `force`
 * are the directions of the percussions if they are others than the rows, or NULL. */
const double* pc_delassus_set_contacts(pc_delassus* delassus, const pc_assembly* tangent, int count,
                                       const pc_row* row, const pc_row* force);

/* Makes u (n entries; in: free velocity) satisfy W_b' u + c = 0, adding to P_b (may be NULL) the
 * percussions that do it. */
void pc_delassus_project(const pc_delassus* delassus, const double* c, double* u, double* P_b);

/* u += (X_c - X_b S^-1 W_b' X_c) P_c, and P_b (may be NULL) -= S^-1 W_b' X_c P_c. */
void pc_delassus_apply(const pc_delassus* delassus, const double* P_c, double* u, double* P_b);

/* The number of linearly independent bilateral rows. */
int pc_delassus_rank(const pc_delassus* delassus);

#endif
