/* The rows of a contact: gap, directions and their derivatives, from what is near each other on two
 * bodies.
 *
 * Each body brings a feature: a point, a line, a face (a plane), or a curved one, an ellipsoid or
 * the rim of a disc, with a radius around it. Whatever the features are, the gap is a maximum over
 * unit vectors n that point from body 1 to body 0,
 *
 *     g_N = max n . (P_0 + x_0(-n) - P_1 - x_1(n)) - R_0 - R_1,    x(n) = F F'n/|F'n|
 *
 * with the points P of the features, the radii R and, for curved ones, the support point x(n) of
 * the ellipsoid that is the image of the unit ball by F: its columns are the semi-axes; one of them
 * is zero for a rim, all are for a point. (F F', which is enough for x(n), has lost half of the
 * digits of |F'n| where n is nearly along the axis of a rim, as in a cylinder that stands.) A line
 * restricts n to its normals, a face leaves only one. So there are closed forms but where something
 * is curved: then Newton's method on the sphere of n. At the maximum, the points
 * c_0 and c_1 on the bodies satisfy c_0 - c_1 = g_N n, the rate of the gap is n . (v(c_0) -
 * v(c_1)), and W is a wrench as in elements/geometry.h, with the same coordinates: q = (x, y,
 * angle) or (x, p) with a quaternion p, scalar first, u = (x', angle') or (v, w) with w in the
 * frame of the body; point masses have no rotation, the ground nothing. dW/dq is exact: where n was
 * iterated, one more step in jets differentiates it. */
#ifndef PC_COLLIDE_CONTACT_ROWS_H
#define PC_COLLIDE_CONTACT_ROWS_H

#include "collide/collider.h"
#include "collide/vector.h"

typedef enum pc_feature_kind {
  PC_FEATURE_POINT,
  PC_FEATURE_LINE,
  PC_FEATURE_FACE,
  PC_FEATURE_CURVED
} pc_feature_kind;

/* A feature in the frame of its body. */
typedef struct pc_feature {
  pc_feature_kind kind;
  double radius; /* around it [m] */
  double p[3];   /* a point of it; the centre of a curved one [m] */
  union {
    double d[3];              /* unit vector: along a line, out of a face */
    const pc_collider* curve; /* what a curved one is of: an ellipsoid, or a cylinder with a rim */
  };
} pc_feature;

/* What a contact is between, and the normal where it was found: it decides between the two normals
 * of crossing lines, begins iterations, and is the reference for tangents. */
typedef struct pc_contact_geometry {
  pc_feature side[2];
  double n[3]; /* unit vector, inertial, from body 1 to body 0 */
} pc_contact_geometry;

/* Where a contact is at a configuration. */
typedef struct pc_contact_point {
  double gap; /* [m] */
  pc_v3 n;    /* unit vector from body 1 to body 0 */
  pc_v3 c[2]; /* the points on the bodies, inertial; c_0 - c_1 = gap n */
} pc_contact_point;

/* What carries a shape, by its coordinates. */
typedef enum pc_carrier {
  PC_CARRIER_GROUND, /* none */
  PC_CARRIER_POINT,  /* a position */
  PC_CARRIER_BODY    /* a position and an angle, or a quaternion */
} pc_carrier;

static inline int pc_carrier_q_count(pc_carrier carrier, int dimension)
{
  return carrier == PC_CARRIER_GROUND  ? 0
         : carrier == PC_CARRIER_POINT ? dimension
                                       : 4 * dimension - 5;
}

static inline int pc_carrier_u_count(pc_carrier carrier, int dimension)
{
  return carrier == PC_CARRIER_GROUND  ? 0
         : carrier == PC_CARRIER_POINT ? dimension
                                       : 3 * dimension - 3;
}

/* Where a carrier is; q is not read for the ground. */
pc_pose pc_carrier_pose(pc_carrier carrier, int dimension, const double* q);

/* Where a contact is, for bodies at these poses. */
pc_contact_point pc_contact_at(const pc_contact_geometry* contact, const pc_pose body[2]);

pc_contact_point pc_contact_between(const pc_contact_geometry* contact,
                                    const pc_pose* const body[2]);

/* The two bodies of a contact. */
typedef struct pc_contact_bodies {
  int dimension;
  pc_carrier carrier[2];
  const double* q[2]; /* their coordinates; NULL for the ground */
} pc_contact_bodies;

/* Which rows, beyond the normal one: none without friction, one in the plane, two in space, and a
 * third for the spin about the normal times the Contensou radius [m]. */
typedef struct pc_contact_friction {
  int rows;
  double contensou_radius;
} pc_contact_friction;

/* The rows of a contact over the velocities of body 0, then those of body 1 (n_u together), and
 * their derivatives by the coordinates of both (n_q): *gap, W ((1 + rows) x n_u) and W_q ((1 +
 * rows) x n_u x n_q), row-major. Any of the three may be NULL; what is given is written in full. */
void pc_contact_rows(const pc_contact_geometry* contact, const pc_contact_bodies* bodies,
                     const pc_contact_friction* friction, double* gap, double* W, double* W_q);

/* The tangents of the friction rows for a normal, those of pc_contact_rows: in the plane (n_y,
 * -n_x), in space those of the reference normal, turned with it on the shortest way. */
void pc_contact_tangents(int dimension, const double reference[3], pc_v3 n, pc_v3 tangent[2]);

/* The same at the reference normal itself. */
void pc_reference_tangents(int dimension, const double reference[3], pc_v3 tangent[2]);

#endif
