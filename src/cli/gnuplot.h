/* gnuplot, which draws the figures: a program of its own that reads a script. */
#ifndef PC_CLI_GNUPLOT_H
#define PC_CLI_GNUPLOT_H

#include <stdio.h>

/* Lets gnuplot run a script (read from its beginning) and write what it draws to `figure`. An exit
 * code; what is wrong has been said. */
int run_gnuplot(FILE* script, FILE* figure);

/* Whether it can be started at all: an exit code, as above. For those who have much to do before
 * they draw. */
int find_gnuplot(void);

/* A text in single quotes for a script; line ends become spaces. */
void put_quoted(FILE* script, const char* text);

#endif
