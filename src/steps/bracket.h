/* A fixed point x = G(x) where x <- G(x) goes to and fro: between two points whose residuals f =
 * G(x) - x point against each other there is one where f along their difference e changes its sign.
 *
 * In a step with contacts and friction, G is the solution of the contact problem with W at x, and
 * it can jump: as W turns, a contact changes from slip one way to slip the other way, and just
 * between there is a whole segment of solutions, in which it sticks and its percussion is anything
 * in its range. One point of the segment is the solution of the step: the one whose W is that W. It
 * is a combination of both ends, percussions too. */
#ifndef PC_STEPS_BRACKET_H
#define PC_STEPS_BRACKET_H

#include "percuss/base.h"

typedef struct pc_bracket pc_bracket;

pc_status pc_bracket_create(int n, pc_bracket** bracket, pc_error* error);
void pc_bracket_destroy(pc_bracket* bracket); /* NULL is fine */

/* For so many percussions. */
pc_status pc_bracket_fit(pc_bracket* bracket, int rows, pc_error* error);

/* A new iteration: there are no two points. */
void pc_bracket_begin(pc_bracket* bracket);

/* The same, from a combination that was not good enough. */
void pc_bracket_refine(pc_bracket* bracket);

/* For x (n), g = G(x) (n) and the percussions P (rows) that go with it; g becomes the next point to
 * try. Returns 0, and leaves g as it is, as long as residuals do not point against each other;
 * `weight` (n) makes them comparable. */
int pc_bracket_next(pc_bracket* bracket, const double* weight, const double* x, const double* P,
                    double* g);

/* Whether the two points are close to each other. Then the combination of G and P that has the W of
 * both, but for what it lies beside their line: a search that begins there has a line through
 * it. */
int pc_bracket_combine(const pc_bracket* bracket, double* g, double* P);

#endif
