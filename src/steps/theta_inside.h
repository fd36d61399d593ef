/* What the theta step and its Newton loop share besides theta_step.h. */
#ifndef PC_STEPS_THETA_INSIDE_H
#define PC_STEPS_THETA_INSIDE_H

#include "base/inline.h"
#include "linalg/axpy.h"
#include "steps/theta_step.h"

/* Rows or contacts that are worth sharing among threads. */
enum { PC_THETA_SHARED_LEAST = 512 };

/* Positions are projected, and not in the same problem as the velocities. */
static inline int pc_theta_is_projected(const pc_theta_step* s)
{
  return s->kind.gaps && !s->kind.position_level && !s->settings.coupled;
}

/* f := v + A^-1 f, the velocity without percussions. */
PC_INLINE void pc_theta_add_free_velocity(const pc_theta_step* s, double* f)
{
  pc_assembly_solve_by(s->stage.tangent, s->threads, f);
  pc_axpy(s->n_u, 1, s->v, f);
}

/* Gaps and W at the end of the step, at the iterate. */
void pc_theta_step_evaluate_end(pc_theta_step* step, const pc_state* state);

/* The residual up to which the contact problem of the iterate has to be solved, or 0: as far as it
 * can be. The first iterates of a Newton loop show where to linearise next, and are hardly ever the
 * last: a loop leaves a tenth to a thousandth in each iterate. If the tolerance is given, iterates
 * are those of the paper. */
static inline double pc_theta_roughness(const pc_theta_step* s)
{
  static const double of_iterate[] = {1e-3, 1e-5};
  int is_last = s->loop.unsolved >= (int)(sizeof of_iterate / sizeof *of_iterate);
  return is_last || s->kind.single || !s->kind.scaled ? 0 : of_iterate[s->loop.unsolved];
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
