#include "draw/palette.h"

#include <stddef.h>
#include <string.h>

/* Okabe and Ito's colours, which stay apart for every kind of colour vision; yellow is too light
 * for lines. */
static const char* const palette[PALETTE_COUNT] = {"#0072B2", "#D55E00", "#009E73", "#E69F00",
                                                   "#CC79A7", "#56B4E9", "#000000"};

static const struct {
  const char* scheme;
  const char* colour;
} schemes[] = {
    {"moreau-jean", "#0072B2"},
    {"direct-projection", "#D55E00"},
    {"combined-projection", "#009E73"},
    {"schatzman-paoli", "#E69F00"},
    {"rattle", "#CC79A7"},
    {"moreau", "#56B4E9"},
    {"lobatto", "#000000"},
    {"generalized-alpha", "#882255"},
};

const char* palette_colour(int i)
{
  return palette[i % PALETTE_COUNT];
}

const char* scheme_colour(const char* scheme)
{
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if (!strcmp(schemes[i].scheme, scheme)) return schemes[i].colour;
  return NULL;
}
