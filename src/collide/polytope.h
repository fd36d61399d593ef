/* Convex polytopes and triangle meshes: corners, edges and faces, and which meets which.
 *
 * In space a face is a polygon whose corners run counterclockwise seen from outside. In the plane a
 * face is a side of a polygon, from its first corner to its second, and there are no edges. A point
 * has one corner, a segment in space two corners and an edge, a segment in the plane two corners
 * and two faces, one for each side of it. */
#ifndef PC_COLLIDE_POLYTOPE_H
#define PC_COLLIDE_POLYTOPE_H

#include "base/export.h"
#include "collide/vector.h"

typedef struct pc_edge {
  int corner[2];
  int face[2]; /* -1: none. Face 0 runs through the edge from corner 0 to corner 1. */
} pc_edge;

typedef struct pc_polytope {
  int corner_count, edge_count, face_count;
  /* Corners and faces lie behind the structure, edges and stars are added. */
  pc_v3* corner;    /* in the frame of the shape [m] */
  pc_edge* edge;    /* */
  int* face_first;  /* face_count + 1: where the corners of a face begin in face_corner */
  int* face_corner; /* */
  pc_v3* normal;    /* of the faces: unit vectors, outward */
  int*
      star_first; /* corner_count + 1: where the edges at a corner begin in star; NULL: not known */
  int* star;      /* edges */
} pc_polytope;

/* A polytope without edges, its numbers not set; NULL if there is no memory. */
pc_polytope* pc_polytope_create(int corners, int faces, int face_corners);
void pc_polytope_destroy(pc_polytope* polytope); /* NULL is fine */

/* Finds normals and edges of a polytope in space from its faces. A face without area is an error,
 * and `what` begins its text. Where not exactly two faces meet that run through an edge in opposite
 * directions, as at the boundary of a mesh, each has an edge of its own. */
pc_status pc_polytope_connect(pc_polytope* polytope, const char* what, pc_error* error);

/* Lists the edges at every corner. */
pc_status pc_polytope_list_stars(pc_polytope* polytope, pc_error* error);

/* The core of discs and spheres, of which there are many: one for all, which is never destroyed. */
const pc_polytope* pc_polytope_point(void);
pc_polytope* pc_polytope_segment(int dimension, double half); /* along x in the plane, z in space */
pc_polytope* pc_polytope_box(const double half[3]);
pc_polytope* pc_polytope_polygon(int count, const double* corner); /* x, y; counterclockwise */

/* The convex hull of points in space (x, y, z each), by libqhull. The faces of the hull are
 * polygons: what is coplanar to round-off is one face. */
pc_status pc_polytope_hull(int count, const double* point, pc_polytope** hull, pc_error* error);

#endif
