/* The shapes and materials of a system: a world, and which part each of its bodies is. */
#ifndef PC_COLLIDE_COLLIDERS_H
#define PC_COLLIDE_COLLIDERS_H

#include "base/texts.h"
#include "collide/world.h"
#include "percuss/collide.h"

/* Pairs of parts, by their indices. */
typedef struct pc_part_pairs {
  pc_body_pair* pair;
  int count, capacity;
} pc_part_pairs;

typedef struct pc_colliders {
  pc_world* world;
  int* body; /* by the index of a part: a body of the world, or -1 */
  int body_capacity;
  pc_part_id* part; /* of each body of the world */
  int part_capacity;
  pc_texts names;
  char** name; /* of each collider, among them */
  int name_capacity;
  pc_part_pairs excluded, allowed;
} pc_colliders;

/* Those of a system, or NULL: it has none. */
const pc_colliders* pc_system_colliders(const pc_system* system);

#endif
