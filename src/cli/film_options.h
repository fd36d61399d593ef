/* What animate and view share: which part of a run is shown, how fast, in how many frames. */
#ifndef PC_CLI_FILM_OPTIONS_H
#define PC_CLI_FILM_OPTIONS_H

#include "draw/motion.h"

/* A finite number, or NAN. */
double read_number(const char* text);

/* --from, --until, --to, --speed, --fps, --frames; returns an exit code. */
int take_film_option(motion_options* o, const char* name, const char* value, int fps_max);

#endif
