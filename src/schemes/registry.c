/* The list of schemes: a new one is a file of its own and a line here. */
#include <string.h>

#include "schemes/scheme.h"

/* The structure of a scheme and its name, which is the one in the structure. */
#define SCHEMES(X)                                 \
  X(pc_moreau, "moreau")                           \
  X(pc_moreau_jean, "moreau-jean")                 \
  X(pc_schatzman_paoli, "schatzman-paoli")         \
  X(pc_direct_projection, "direct-projection")     \
  X(pc_combined_projection, "combined-projection") \
  X(pc_rattle, "rattle")                           \
  X(pc_lobatto, "lobatto")                         \
  X(pc_generalized_alpha, "generalized-alpha")

#define SCHEME(ops, name) &ops,
#define NAME(ops, name)   name,

static const pc_scheme_ops* const schemes[] = {SCHEMES(SCHEME)};
static const char* const names[] = {SCHEMES(NAME) NULL};

enum { SCHEME_COUNT = sizeof schemes / sizeof *schemes };

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
  if (!name) return NULL;
  const pc_scheme_ops* scheme = pc_find_scheme(name);
  return scheme ? scheme->summary : NULL;
}
