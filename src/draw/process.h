/* Programs that draw for us: gnuplot, rsvg-convert, ffmpeg. */
#ifndef PC_DRAW_PROCESS_H
#define PC_DRAW_PROCESS_H

#include "percuss/percuss.h"

/* Runs a program of the PATH, argument[0], and waits for it. `input` and `output` are open files,
 * or -1: nothing to read, and what it prints is not wanted. `package` is what to install where it
 * is missing, and `what` it is for. */
pc_status run_program(char* const* argument, int input, int output, const char* what,
                      const char* package, pc_error* error);

#endif
