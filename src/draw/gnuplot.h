/* gnuplot, which draws the figures: a program of its own that reads a script. */
#ifndef PC_DRAW_GNUPLOT_H
#define PC_DRAW_GNUPLOT_H

#include <stdio.h>

#include "percuss/percuss.h"

/* Lets gnuplot run a script (read from its beginning) and write what it draws to `figure`. */
pc_status run_gnuplot(FILE* script, FILE* figure, pc_error* error);

/* Whether it can be started at all, for those who have much to do before
 * they draw. */
pc_status find_gnuplot(pc_error* error);

/* A text in single quotes for a script; line ends become spaces. */
void put_quoted(FILE* script, const char* text);

#endif
