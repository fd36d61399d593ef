/* A given number of Gauss-Seidel sweeps over contacts of free bodies, in velocity space.
 *
 * Where the tangent A falls apart into small blocks, one for each body, a contact needs neither the
 * Delassus operator nor a list of its neighbours: their impulses are in the velocities of its two
 * bodies. With the factors A_b^-1 = L U of each block and v = L^-1 u,
 *
 *     y_k = c_k + G_k v,    v += F_k' dz_k,    G = W L,  F = W U'
 *
 * so that a contact costs two products with its own rows, and where A is symmetric F = G. Memory is
 * proportional to the number of contacts. Contacts are coloured: those of a colour share no body,
 * and a sweep goes from colour to colour. The colours depend on the contacts and their order alone,
 * so that the threads that share a colour do not change a bit. */
#ifndef PC_CONTACT_VELOCITY_SWEEPS_H
#define PC_CONTACT_VELOCITY_SWEEPS_H

#include "base/memory.h"
#include "base/threads.h"
#include "linalg/assembly.h"
#include "solve/dense.h"

typedef struct pc_velocity_sweeps pc_velocity_sweeps;

/* The threads is not owned and may be NULL. */
pc_status pc_velocity_sweeps_create(pc_threads* threads, pc_velocity_sweeps** sweeps,
                                    pc_error* error);
void pc_velocity_sweeps_destroy(pc_velocity_sweeps* sweeps); /* NULL is fine */

/* Takes contacts with their rows, and the tangent with its present factors, which it must outlive:
 * what follows from the tangent alone is kept until it is factorised again. *fits tells whether all
 * of the bodies are blocks of at most six velocities of their own. Memory grows with the largest
 * number of contacts. `spare` is used from when all rows have been read until the next contacts are
 * taken, and may be the memory of their values; it is not touched if the contacts do not fit. */
pc_status pc_velocity_sweeps_set(pc_velocity_sweeps* sweeps, const pc_assembly* tangent,
                                 int contact_count, const pc_cone* cone, const pc_row* row,
                                 pc_spare spare, int* fits, pc_error* error);

/* u: in the velocity without contacts, out that with the impulses P, which hold a guess before.
 * Returns the residual of the answer, as pc_problem_residual. */
double pc_velocity_sweeps_solve(pc_velocity_sweeps* sweeps, int count, const double* c, double* u,
                                double* P);

/* The mass that contact i meets: pc_contact_problem_mass. */
double pc_velocity_sweeps_mass(const pc_velocity_sweeps* sweeps, int contact);

/* After a solution: y = c + W u of the rows of contact i. */
const double* pc_velocity_sweeps_dual(const pc_velocity_sweeps* sweeps, int contact);

#endif
