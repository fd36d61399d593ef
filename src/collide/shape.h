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
#include "percuss/geometry.h"

typedef struct pc_mesh_tree pc_mesh_tree;

struct pc_geometry {
  pc_geometry_kind kind;
  int dimension;  /* 2 or 3 */
  double radius;  /* around the core; of a cylinder [m] */
  double half[3]; /* half lengths of a box; semi-axes; half length of an axis in half[0] [m] */
  double reach;   /* largest distance of a point of it from its origin [m], or INFINITY */
  pc_v3 centre;   /* the middle of the box around its corners, in its own frame [m] */
  double extent;  /* largest distance of a point of it from its centre [m]; 0 for half-spaces */
  double inner; /* how deep another shape can be in it until it may be pushed out on the other side
                   * [m]; INFINITY for half-spaces */
  /* Of the convex hull of a concave surface: the volume that it adds, as a share of that within the
   * surface; INFINITY where the surface is not closed. Else 0. */
  double hull_adds;
  const pc_polytope* polytope; /* the core, the triangles, or NULL */
  pc_polytope* own;            /* the same, unless it is the point that all round shapes share */
  pc_mesh_tree* tree;          /* of the triangles or segments of ground, or NULL */
};

/* Whether a shape can belong to a body that moves: not half-spaces, polylines and meshes. */
int pc_geometry_moves(const pc_geometry* geometry);
int pc_geometry_is_unbounded(const pc_geometry* geometry);

#endif
