/* Where two shapes touch or nearly touch: the contacts between them, each a pair of features.
 *
 * The first contact of a pair of convex shapes is the nearest one: its gap is the signed distance,
 * the distance of the shapes if they are apart, minus the depth of penetration, the least
 * translation that separates them, if they overlap. Further ones make a patch of a contact of faces
 * or edges: corners of one over a face of the other, and edges that cross; at most PC_PATCH in all.
 * Every contact is a pair of features (contact_rows.h), and its number says which, so that it is
 * the same from step to step as long as the features are. */
#ifndef PC_COLLIDE_NARROW_PHASE_H
#define PC_COLLIDE_NARROW_PHASE_H

#include <stddef.h>

#include "collide/collider.h"
#include "collide/contact_rows.h"

enum { PC_PATCH = 4 };

typedef struct pc_found {
  uint64_t feature; /* which features of the two shapes; unique within the pair */
  double gap;       /* where it was found [m] */
  pc_contact_geometry geometry;
} pc_found;

typedef struct pc_found_list {
  pc_found* item;
  int count;
  size_t capacity;
} pc_found_list;

/* Scratch: corners and faces of two shapes. */
typedef struct pc_narrow_phase pc_narrow_phase;

pc_narrow_phase* pc_narrow_phase_create(void); /* NULL if there is no memory */
void pc_narrow_phase_destroy(pc_narrow_phase* work);

/* Appends the contacts of two colliders, on bodies at these poses, whose gaps are at most `margin`
 * [m]. Fails only for want of memory. Shapes that cannot both be in one pair (two that do not move)
 * give none. */
pc_status pc_narrow_phase_find(pc_narrow_phase* work, const pc_collider* const collider[2],
                               const pc_pose body[2], double margin, pc_found_list* found,
                               pc_error* error);

/* Discs and spheres, with each other or on a half-space, are the most frequent pairs and have one
 * contact at most: whether two colliders are such a pair, and that contact, written in place; 0 if
 * its gap is larger than `margin` [m]. */
typedef struct pc_found_ball {
  uint64_t feature;
  double gap;
  pc_contact_geometry* geometry;
} pc_found_ball;

int pc_narrow_phase_takes_balls(const pc_collider* const collider[2]);
int pc_narrow_phase_find_balls(const pc_collider* const collider[2], const pc_pose* const body[2],
                               double margin, pc_found_ball* found);

#endif
