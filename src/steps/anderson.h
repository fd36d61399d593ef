/* Anderson's acceleration of a fixed point iteration x := G(x) (Anderson, 1965; Walker and Ni,
 * 2011).
 *
 * The Newton loops of the theta schemes freeze the directions W of the constraints within an
 * iteration. Where these turn fast with the iterate, as in a bore with little play, the loop
 * converges slowly or not at all, along a few directions. From the last iterates the acceleration
 * learns the derivative of G in those, as a secant method does: the next x is the combination of
 * the last G(x) whose residuals G(x) - x cancel best. */
#ifndef PC_STEPS_ANDERSON_H
#define PC_STEPS_ANDERSON_H

#include "percuss/base.h"

typedef struct pc_anderson pc_anderson;

pc_status pc_anderson_create(int n, pc_anderson** anderson, pc_error* error);
void pc_anderson_destroy(pc_anderson* anderson); /* NULL is fine */

/* A new loop. */
void pc_anderson_begin(pc_anderson* anderson);

/* Notes x before an evaluation of G. */
void pc_anderson_note(pc_anderson* anderson, const double* x);

/* The x that was noted (n). */
const double* pc_anderson_noted(const pc_anderson* anderson);

/* g: in G(x) of the x that was noted, out the next x. `weight` (n) measures the residuals: the
 * square of what an entry counts. Returns whether g was changed. */
int pc_anderson_mix(pc_anderson* anderson, const double* weight, double* g);

#endif
