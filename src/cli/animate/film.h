/* A scene as an animated SVG picture (SMIL), alone or in a page with a player. */
#ifndef PC_CLI_ANIMATE_FILM_H
#define PC_CLI_ANIMATE_FILM_H

#include <stdio.h>

#include "cli/animate/scene.h"

/* `duration`: of the film [s], which then begins again. */
void write_svg(const scene* s, double duration, FILE* to);
void write_html(const scene* s, double duration, FILE* to);

#endif
