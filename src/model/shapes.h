/* Shapes and materials of a model file: what is found to touch. */
#ifndef PC_MODEL_SHAPES_H
#define PC_MODEL_SHAPES_H

#include "model/kinds.h"

/* A shape that has been read; it becomes a collider when its body is there. */
typedef struct pc_placed_shape {
  const pc_node* place;
  pc_geometry_id geometry;
  const pc_geometry* form; /* the system's */
  pc_pose pose;            /* in the frame in which the body's shapes are given */
  double density, mass;    /* NAN: not given */
  pc_material_id material;
  uint32_t group, mask;
} pc_placed_shape;

typedef struct pc_body_shapes {
  pc_placed_shape* item;
  int count;
  double centre[3]; /* of mass, in the frame in which the shapes are given [m] */
} pc_body_shapes;

/* `materials:`, and the laws of pairs in it. NULL: there is no such section. */
pc_status pc_read_materials(pc_reader* r, const pc_node* section);

/* Reads the shapes of a body, `key: {...}`, and completes its definition: mass and inertia that are
 * not given follow from the shapes, and the position becomes that of the centre of mass. The shapes
 * are released by pc_body_shapes_clear. */
pc_status pc_read_body_shapes(pc_reader* r, const pc_node* key, const pc_kind* kind,
                              pc_any_def* def, pc_body_shapes* shapes);
void pc_body_shapes_clear(pc_body_shapes* shapes);

/* Whether a body is a part of the ground, and where its frame is. */
pc_status pc_read_fixed(const pc_reader* r, const pc_node* key, int* fixed);
pc_pose pc_pose_of_body(const pc_reader* r, const pc_kind* kind, const pc_any_def* def);

/* Puts the shapes on a part; on the ground, with the frame of the body where it is. */
pc_status pc_add_body_shapes(pc_reader* r, const char* body, pc_part_id part, const pc_pose* frame,
                             const pc_body_shapes* shapes);

/* `shapes:`, those of the ground and further ones of bodies. NULL: there is no such section. */
pc_status pc_read_shapes(pc_reader* r, const pc_node* section);

/* Refuses groups that something meets but nothing belongs to. */
pc_status pc_check_groups(const pc_reader* r);

#endif
