/* What the theta step and its Newton loop share besides theta_step.h. */
#ifndef PC_STEPS_THETA_INSIDE_H
#define PC_STEPS_THETA_INSIDE_H

#include "steps/theta_step.h"

/* Positions are projected, and not in the same problem as the velocities. */
static inline int pc_theta_is_projected(const pc_theta_step* s)
{
  return s->kind.gaps && !s->kind.position_level && !s->settings.coupled;
}

/* The first iterate of a Newton loop shows where to linearise next, and is hardly ever the last. It
 * need not be accurate, unless the tolerance is given: then iterates are those of the paper. */
static inline int pc_theta_is_rough(const pc_theta_step* s)
{
  return s->loop.unsolved == 0 && !s->kind.single && s->kind.scaled;
}

/* The rows whose velocities obey the laws: those of (18c), or, at position level, the normals and
 * joints with (g(q^n) + G'(q - q^n)) / (h theta) in place of G'v, which is linear in v too. These
 * are refreshed for the iterate. */
void pc_theta_refresh_laws(pc_theta_step* step);

static inline const pc_terms* pc_theta_law_terms(const pc_theta_step* s)
{
  return s->kind.position_level ? &s->end.position
         : s->loop.held         ? s->end.held_terms
                                : s->end.terms;
}

static inline const double* pc_theta_law_before(const pc_theta_step* s)
{
  return s->kind.position_level ? s->zero_rows : s->before;
}

#endif
