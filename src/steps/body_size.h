/* How large the bodies of a system are, from the geometry of their joints, contacts and shapes, and
 * what meets at a contact: the measure of its depth. */
#ifndef PC_STEPS_BODY_SIZE_H
#define PC_STEPS_BODY_SIZE_H

#include "percuss/system.h"

/* The depth of a contact that is not plausible any more, as a share of its size. */
static const double PC_DEPTH_SHARE = 0.1;

typedef struct pc_body_sizes {
  const pc_system* system;
  double* reach; /* of each part: how far its geometry extends from its centre; 0: unknown [m] */
  double* of_contact; /* of each contact that is not found: see pc_contact_size_at [m] */
} pc_body_sizes;

/* `system` may be that of a step, with other found contacts later. */
pc_status pc_body_sizes_create(pc_body_sizes* sizes, const pc_system* system);
void pc_body_sizes_clear(pc_body_sizes* sizes);

/* The radius of the smaller shape at a contact: of a round thing its own, of others that of the
 * largest ball in it; of a point the reach of its body. Infinity where none is known [m]. */
double pc_contact_size_at(const pc_body_sizes* sizes, int contact);

#endif
