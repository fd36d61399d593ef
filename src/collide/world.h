/* What can collide: bodies with shapes, materials, and which of them meet. Made once and then
 * const. */
#ifndef PC_COLLIDE_WORLD_H
#define PC_COLLIDE_WORLD_H

#include <stddef.h>

#include "collide/collider.h"
#include "collide/contact_rows.h"
#include "collide/material.h"

/* A body of the system that carries shapes. */
typedef struct pc_world_body {
  pc_carrier carrier; /* PC_CARRIER_POINT or PC_CARRIER_BODY */
  int q_first;        /* of its coordinates in q */
  int u_first;        /* of its velocities in u */
} pc_world_body;

typedef struct pc_world {
  int dimension; /* 2 or 3 */
  int body_count, body_capacity;
  pc_world_body* body;
  int geometry_count, geometry_capacity;
  pc_geometry** geometry; /* owned */
  int collider_count, collider_capacity;
  pc_collider* collider;
  pc_material_table* material; /* owned */
  int excluded_count, excluded_capacity;
  struct pc_body_pair* excluded; /* sorted, see pc_world_freeze */
  int frozen;
} pc_world;

typedef struct pc_body_pair {
  int a, b; /* a < b; the ground is PC_COLLIDER_GROUND */
} pc_body_pair;

pc_world* pc_world_create(int dimension); /* NULL if there is no memory */
void pc_world_destroy(pc_world* world);

/* A body; its index is the number of those before it. */
pc_status pc_world_add_body(pc_world* world, const pc_world_body* body, int* index,
                            pc_error* error);

/* A shape; it belongs to the world from the call on, whether it succeeds or not. */
pc_status pc_world_add_geometry(pc_world* world, pc_geometry* geometry, int* index,
                                pc_error* error);

/* A shape on a body or on the ground. A collider's group and mask say with which it meets: two meet
 * if each has a group in the other's mask. Shapes on the same body do not meet, nor do those on the
 * ground. `name` is for errors: shapes that do not move belong on the ground, dimensions must
 * agree. */
pc_status pc_world_add_collider(pc_world* world, const char* name, const pc_collider* collider,
                                int* index, pc_error* error);

/* Two bodies that do not meet, because a joint ties them. */
pc_status pc_world_exclude(pc_world* world, int body_a, int body_b, pc_error* error);

/* After this, nothing may be added. PC_OUT_OF_MEMORY. */
pc_status pc_world_freeze(pc_world* world);

/* How many of the colliders are half-spaces or half-planes. */
size_t pc_world_count_unbounded(const pc_world* world);

/* Whether two colliders may touch. */
int pc_world_meets(const pc_world* world, int collider_a, int collider_b);

/* The radius of the largest ball in the smaller of two shapes, or nearly so [m]; infinity for
 * half-spaces and surfaces of ground, into which everything sinks. */
double pc_world_inner(const pc_world* world, const int shape[2]);

/* Where a body, or the ground, is at q. */
pc_pose pc_world_body_pose(const pc_world* world, int body, const double* q);

#endif
