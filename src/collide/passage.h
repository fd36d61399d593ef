/* Whether a shape passes through another one between two places: where they are on the way is
 * sampled. */
#ifndef PC_COLLIDE_PASSAGE_H
#define PC_COLLIDE_PASSAGE_H

#include "collide/narrow_phase.h"
#include "collide/world.h"

/* Two convex shapes that move from q to q_end along straight lines, turning evenly. */
typedef struct pc_passage {
  const pc_world* world;
  int shape[2];
  const double *q, *q_end;
  double way;  /* how far their points move towards each other, at most [m] */
  double half; /* half of the way through both [m] */
} pc_passage;

/* Whether samples are at most `half` apart, so that a passage cannot lie between two of them. */
int pc_passage_is_resolved(const pc_passage* passage);

/* Whether the shapes are more than `half` into each other at one of the samples, the last of which
 * is at q_end; `narrow` and `found` are scratch. Also where there is no memory to tell. */
int pc_passage_is_deep(const pc_passage* passage, pc_narrow_phase* narrow, pc_found_list* found);

#endif
