/* The list of schemes: a new one is a file of its own and a line here. */
#include <string.h>

#include "schemes/scheme.h"

static const pc_scheme_ops* const schemes[] = {&pc_moreau,
                                               &pc_moreau_jean,
                                               &pc_schatzman_paoli,
                                               &pc_direct_projection,
                                               &pc_combined_projection,
                                               &pc_rattle,
                                               &pc_lobatto,
                                               &pc_generalized_alpha};

enum { SCHEME_COUNT = sizeof schemes / sizeof *schemes };

/* The same names, for those who only list them. */
static const char* const names[SCHEME_COUNT + 1] = {"moreau",
                                                    "moreau-jean",
                                                    "schatzman-paoli",
                                                    "direct-projection",
                                                    "combined-projection",
                                                    "rattle",
                                                    "lobatto",
                                                    "generalized-alpha",
                                                    NULL};

const pc_scheme_ops* pc_find_scheme(const char* name)
{
  for (int i = 0; i < SCHEME_COUNT; i++)
    if (!strcmp(schemes[i]->name, name)) return schemes[i];
  return NULL;
}

const char* const* pc_scheme_names(void)
{
  return names;
}

const char* pc_scheme_summary(const char* name)
{
  const pc_scheme_ops* scheme = pc_find_scheme(name);
  return scheme ? scheme->summary : NULL;
}
