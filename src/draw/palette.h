/* Colours of all figures. */
#ifndef PC_DRAW_PALETTE_H
#define PC_DRAW_PALETTE_H

enum { PALETTE_COUNT = 7 };

/* The i-th colour, "#rrggbb"; they repeat. */
const char* palette_colour(int i);

/* A scheme's own colour, the same in all figures; NULL if it has none. */
const char* scheme_colour(const char* scheme);

#endif
