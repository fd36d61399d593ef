/* Two shapes as the narrow phase sees them: corners, edges and faces of their cores, and how a pair
 * of features becomes a contact. Internal to the narrow phase.
 *
 * All coordinates are relative to the pair: the axes are inertial, the origin is the centre of one
 * of the two shapes. So round-off is that of the sizes of the shapes and of their distance,
 * wherever in the world they are, and tolerances are multiples of it. Coordinates of bodies enter
 * once, as a difference of two positions (pc_search_begin), and leave once, when the features of a
 * contact are taken to the frames of the bodies (pc_append). */
#ifndef PC_COLLIDE_SOLID_H
#define PC_COLLIDE_SOLID_H

#include <float.h>

#include "collide/bounds.h"
#include "collide/narrow_phase.h"

/* A polytope at its place. A triangle of a mesh or a segment of a polyline is one of its own with a
 * single face, and knows the numbers of its features in the mesh. */
typedef struct pc_solid {
  const pc_collider* collider;
  pc_v3 centre; /* in the frame of the shape: the origin of the features */
  int corner_count, edge_count, face_count;
  const pc_v3* corner; /* relative to the pair */
  const pc_v3* normal; /* of the faces; inertial axes */
  const pc_edge* edge;
  const int *face_first, *face_corner;
  const int *corner_id, *edge_id, *face_id; /* their numbers in the shape; NULL: the same */
  double radius;
  double extent;  /* of the core and its radius about the centre [m] */
  int* near_edge; /* scratch: space for edge_count numbers, and one at least */
  int one_sided;  /* part of ground: it has a front, in the direction of its only normal */
} pc_solid;

/* One pair of shapes. Features of a candidate are given in frames with the axes of the shapes,
 * whose origins are the centres of the shapes, or a corner of the part of ground that is looked
 * at. */
typedef struct pc_search {
  const pc_collider* collider[2]; /* on the bodies */
  pc_collider own[2];             /* the shapes in their frames, for features of ellipsoids and
                                     cylinders */
  const pc_pose* body;
  pc_v3 centre[2];  /* of the frames, in those of the shapes */
  pc_pose frame[2]; /* relative to the pair */
  double size;      /* of both shapes, and the distance of their centres: what the coordinates of
                       features are of at most [m] */
  double margin;
  pc_found_list* found;
  pc_status status; /* of adding to the list */
} pc_search;

/* The round-off of a coordinate of the pair [m]. */
static inline double pc_search_round_off(const pc_search* search)
{
  return DBL_EPSILON * search->size;
}

/* A search between two shapes on bodies at these poses. */
pc_search pc_search_begin(const pc_collider* const collider[2], const pc_pose body[2],
                          double margin, pc_found_list* found);

/* A feature of a solid by its number there; PC_FEATURE_CURVED is not among them. */
typedef struct pc_feature_ref {
  pc_feature_kind kind;
  int index;
} pc_feature_ref;

/* Numbers of features within a key: the kind in the upper four of 32 bits. */
static inline uint32_t pc_feature_key(pc_feature_kind kind, int index)
{
  return (uint32_t)kind << 28 | (uint32_t)index;
}

static inline uint64_t pc_pair_key(uint32_t a, uint32_t b)
{
  return (uint64_t)a << 32 | b;
}

/* A feature of a solid in its frame, and its key. */
pc_feature pc_solid_feature(const pc_solid* solid, pc_feature_ref ref, uint32_t* key);

/* A contact between features of two solids with the normal n (from the second to the first), if its
 * gap is within the margin. It is appended to the candidates; 1 if it was. */
int pc_make_contact(const pc_search* search, const pc_solid solid[2], const pc_feature_ref ref[2],
                    pc_v3 n, pc_found* candidate);

/* Appends a contact to the list, with its features in the frames of the bodies and the gap that its
 * rows have. */
void pc_append(pc_search* search, const pc_found* found);

/* The candidates that stay when there are more than PC_PATCH: the first, the one farthest from it,
 * and those that span most area. In the plane two. Candidates at the same place as an earlier one
 * are dropped. All that stay are appended. */
void pc_append_patch(pc_search* search, int dimension, int count, const pc_found* candidate,
                     pc_v3 n, double same);

/* Where the nearest contact is among the candidates of a patch. Where faces are flush, all corners
 * of one are at the same depth, and the nearest one may be beside the face of the other. Bodies
 * whose other candidates are deeper keep it: their gaps are not the distance. */
typedef enum pc_nearest_place {
  PC_NEAREST_FIRST,  /* at the beginning */
  PC_NEAREST_BESIDE, /* there, but beside the face: to be replaced if there are others */
  PC_NEAREST_NOWHERE /* not among them, because ground does not allow it */
} pc_nearest_place;

/* A corner may have entered ground through one part of it and be below another one: it counts for
 * the first as well if it is beside it by less than so many times its depth. */
enum { PC_LEANING = 10 };

/* Brings the nearest candidate to the beginning. Where the patch has the same place (within `same`
 * [m]), its features are taken: which of several equally near features the search finds is
 * round-off, and keys of contacts at rest must not change from step to step. Returns how many
 * stay. */
int pc_order_candidates(const pc_search* search, int count, pc_found* candidate,
                        pc_nearest_place place, pc_v3 n, double same);

/* Whether a point is over a face of a solid, in the plane or in space: on the inner side of the
 * planes through its sides, but for `tolerance` [m]. */
int pc_is_over_face(const pc_solid* solid, int face, pc_v3 point, double tolerance, int dimension);

/* The contacts of two solids in the plane, and in space. */
void pc_collide_planar(pc_search* search, const pc_solid solid[2]);
void pc_collide_spatial(pc_search* search, const pc_solid solid[2]);

/* Pairs with a half-space or half-plane (collider `ground` of the two), with the other as a solid
 * or, if it is an ellipsoid or cylinder, without. */
void pc_collide_half_space(pc_search* search, int ground, const pc_solid* solid);

/* Pairs with an ellipsoid or a cylinder; solid[i] is NULL for those, and else the other shape,
 * which may be a part of ground. */
void pc_collide_curved(pc_search* search, const pc_solid* const solid[2]);

/* The plane of a half-space in the frame that the pose of the collider is given in. */
pc_feature pc_plane_feature(const pc_collider* collider);

/* An ellipsoid, and a rim of a cylinder (1: that at z > 0), in the frames of these shapes. */
pc_feature pc_ellipsoid_feature(const pc_collider* collider);
pc_feature pc_rim_feature(const pc_collider* collider, int rim);

/* All near faces of a mesh or polyline (collider `ground` of the two) against a solid, or NULL for
 * an ellipsoid or cylinder. */
void pc_collide_ground(pc_search* search, int ground, const pc_solid* solid);

/* Whether the core of a solid is behind a part of ground, and its deepest corner, at this
 * separation, so far that its radius does not reach the front: then it is not in contact. */
int pc_is_behind(const pc_solid* ground, const pc_solid* other, double separation);

/* Whether a normal at a corner or edge of ground leads away from it for all of the mesh around:
 * otherwise a neighbour is nearer, and the contact is that of the neighbour. `solid` is a part of
 * the ground. */
int pc_ground_allows(const pc_solid* solid, pc_feature_ref ref, pc_v3 outward);

#endif
