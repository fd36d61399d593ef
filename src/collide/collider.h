/* A shape on a body. */
#ifndef PC_COLLIDE_COLLIDER_H
#define PC_COLLIDE_COLLIDER_H

#include <stdint.h>

#include "collide/shape.h"

typedef struct pc_collider {
  const pc_geometry* geometry; /* not owned */
  int body;                    /* an index of the user, or PC_COLLIDER_GROUND */
  pc_pose pose;                /* of the shape in the frame of the body */
  int material;                /* an index, see material.h */
  uint32_t group;              /* which groups it belongs to, a bit for each */
  uint32_t mask;               /* with which groups it collides */
} pc_collider;

enum { PC_COLLIDER_GROUND = -1 };

#endif
