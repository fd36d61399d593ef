/* The matrix of a level, as its linear problem takes it.
 *
 * Either a factorised assembly, whose pattern is that of all elements; or dense blocks on the
 * bodies, whose pattern follows the contacts that carry a force. The latter is for systems in which
 * many contacts are listed: with the curvature of all of them every body would be coupled with
 * every other. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_OPERATOR_H
#define PC_SCHEMES_GENERALIZED_ALPHA_OPERATOR_H

#include "linalg/assembly.h"
#include "system/stages.h"

typedef struct pc_alpha_operator {
  const pc_assembly* assembly;   /* NULL: by blocks */
  const pc_stage_blocks* blocks; /* of one stage */
  const pc_stage_at* at; /* the terms and forces with which these are filled, when it is used */
} pc_alpha_operator;

static inline pc_alpha_operator pc_alpha_operator_of(const pc_assembly* assembly)
{
  return (pc_alpha_operator){.assembly = assembly};
}

#endif
