/* Shapes: the geometry of what can collide, in the frame of the shape, fixed once it is made.
 *
 * A shape is a convex core and a radius around it: a sphere is a point with a radius, a capsule
 * a segment with a radius, a box or polyhedron a polytope with radius 0. Cylinders and
 * ellipsoids are smooth cores of their own, half-spaces are unbounded, and meshes and polylines
 * are surfaces of ground, made of triangles or segments. One shape can serve any number of
 * bodies (`pc_collider`). */
#ifndef PC_COLLIDE_SHAPE_H
#define PC_COLLIDE_SHAPE_H

#include "collide/polytope.h"

typedef enum pc_geometry_kind {
  /* in the plane */
  PC_GEOMETRY_DISC,
  PC_GEOMETRY_RECTANGLE,
  PC_GEOMETRY_POLYGON,
  PC_GEOMETRY_STADIUM,    /* a capsule in the plane */
  PC_GEOMETRY_SEGMENT,    /* without thickness; both sides count */
  PC_GEOMETRY_HALF_PLANE, /* solid for y < 0 */
  PC_GEOMETRY_POLYLINE,   /* ground: free space is on the left of its direction */
  /* in space */
  PC_GEOMETRY_SPHERE,
  PC_GEOMETRY_BOX,
  PC_GEOMETRY_CAPSULE,
  PC_GEOMETRY_CYLINDER,
  PC_GEOMETRY_ELLIPSOID,
  PC_GEOMETRY_POLYHEDRON,
  PC_GEOMETRY_HALF_SPACE, /* solid for z < 0 */
  PC_GEOMETRY_MESH,       /* ground: free space is where the normals of its triangles point */
  PC_GEOMETRY_KINDS
} pc_geometry_kind;

/* What a shape is made from. Fields that its kind does not name are ignored. */
typedef struct pc_geometry_def {
  pc_geometry_kind kind;
  double radius;  /* disc, stadium, sphere, capsule, cylinder [m] */
  double length;  /* stadium, segment (along x), capsule, cylinder (along z): of the axis, without
                         * the round ends [m] */
  double size[3]; /* rectangle, box: full lengths; ellipsoid: semi-axes [m] */
  /* Polygon, polyline: x and y of each corner; polyhedron (its hull), mesh: x, y, z [m]. Copied. */
  int corner_count;
  const double* corner;
  int triangle_count;  /* mesh */
  const int* triangle; /* three corners each, counterclockwise seen from free space; copied */
} pc_geometry_def;

typedef struct pc_mesh_tree pc_mesh_tree;

typedef struct pc_geometry {
  pc_geometry_kind kind;
  int dimension;  /* 2 or 3 */
  double radius;  /* around the core; of a cylinder [m] */
  double half[3]; /* half lengths of a box; semi-axes; half length of an axis in half[0] [m] */
  double reach;   /* largest distance of a point of it from its origin [m], or INFINITY */
  double extent;  /* a length of its size, for round-off [m]; 0 for half-spaces */
  pc_polytope* polytope; /* the core, the triangles, or NULL */
  pc_mesh_tree* tree;    /* of the triangles or segments of ground, or NULL */
} pc_geometry;

/* Whether a shape can belong to a body that moves: not half-spaces, polylines and meshes. */
int pc_geometry_moves(const pc_geometry* geometry);
int pc_geometry_is_unbounded(const pc_geometry* geometry);
const char* pc_geometry_kind_name(pc_geometry_kind kind);

/* Makes a shape, or says what is wrong with its numbers. The caller destroys it. */
pc_status pc_geometry_create(const pc_geometry_def* def, pc_geometry** geometry, pc_error* error);
void pc_geometry_destroy(pc_geometry* geometry); /* NULL is fine */

/* A frame in which a half-space (or half-plane) has this point on its surface and this unit normal
 * towards free space. */
pc_pose pc_pose_of_plane(int dimension, const double point[3], const double normal[3]);

#endif
