/* Errors over steps with logarithmic axes, beside lines of slope 1 and 2. */
#ifndef PC_DRAW_CONVERGENCE_FIGURE_H
#define PC_DRAW_CONVERGENCE_FIGURE_H

#include <stdio.h>

#include "study/convergence.h"

/* Is there an error that a logarithmic axis can show? */
int can_draw_convergence(const convergence* c);

/* Draws it into an open file, as SVG or PNG. */
pc_status draw_convergence(const convergence* c, int svg, FILE* to, pc_error* error);

#endif
