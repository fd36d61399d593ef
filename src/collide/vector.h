/* Small vectors by value, and rigid motions: the algebra of collision detection. In the plane the
 * third component is zero and rotations are about the third axis, so that one code serves both. */
#ifndef PC_COLLIDE_VECTOR_H
#define PC_COLLIDE_VECTOR_H

#include <math.h>

#include "base/elementary.h"
#include "base/rotation.h"
#include "percuss/geometry.h"

typedef struct pc_v3 {
  double x, y, z;
} pc_v3;

static inline pc_v3 pc_v3_of(const double v[3])
{
  return (pc_v3){v[0], v[1], v[2]};
}

static inline void pc_v3_put(pc_v3 a, double v[3])
{
  v[0] = a.x, v[1] = a.y, v[2] = a.z;
}

static inline pc_v3 pc_v3_plus(pc_v3 a, pc_v3 b)
{
  return (pc_v3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline pc_v3 pc_v3_minus(pc_v3 a, pc_v3 b)
{
  return (pc_v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline pc_v3 pc_v3_scaled(double s, pc_v3 a)
{
  return (pc_v3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline pc_v3 pc_v3_along(pc_v3 a, double s, pc_v3 b)
{
  return (pc_v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double pc_v3_dot(pc_v3 a, pc_v3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pc_v3 pc_v3_cross(pc_v3 a, pc_v3 b)
{
  return (pc_v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double pc_v3_length(pc_v3 a)
{
  return sqrt(pc_v3_dot(a, a));
}

/* The distance of a point from the third axis. */
static inline double pc_v3_from_axis(pc_v3 a)
{
  return sqrt(a.x * a.x + a.y * a.y);
}

/* a/|a|; a vector of length zero has no direction and becomes `otherwise`. */
static inline pc_v3 pc_v3_unit(pc_v3 a, pc_v3 otherwise)
{
  double length = pc_v3_length(a);
  return length > 0 ? pc_v3_scaled(1 / length, a) : otherwise;
}

/* The part of a that is normal to the unit vector d. */
static inline pc_v3 pc_v3_across(pc_v3 a, pc_v3 d)
{
  return pc_v3_along(a, -pc_v3_dot(a, d), d);
}

/* Where a frame is: a point with components a in the frame is at x + A a. */
static inline pc_pose pc_pose_identity(void)
{
  return (pc_pose){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static inline pc_v3 pc_pose_turn(const pc_pose* p, pc_v3 a)
{
  const double* A = p->A;
  return (pc_v3){A[0] * a.x + A[1] * a.y + A[2] * a.z, A[3] * a.x + A[4] * a.y + A[5] * a.z,
                 A[6] * a.x + A[7] * a.y + A[8] * a.z};
}

static inline pc_v3 pc_pose_turn_back(const pc_pose* p, pc_v3 a)
{
  const double* A = p->A;
  return (pc_v3){A[0] * a.x + A[3] * a.y + A[6] * a.z, A[1] * a.x + A[4] * a.y + A[7] * a.z,
                 A[2] * a.x + A[5] * a.y + A[8] * a.z};
}

static inline pc_v3 pc_pose_apply(const pc_pose* p, pc_v3 a)
{
  return pc_v3_plus(pc_v3_of(p->x), pc_pose_turn(p, a));
}

static inline pc_v3 pc_pose_apply_inverse(const pc_pose* p, pc_v3 a)
{
  return pc_pose_turn_back(p, pc_v3_minus(a, pc_v3_of(p->x)));
}

/* C = A B, of matrices. */
static inline void pc_rotation_product(const double A[9], const double B[9], double C[9])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      C[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k];
}

/* The frame b, which is given in the frame a, from outside: a b. */
static inline pc_pose pc_pose_product(const pc_pose* a, const pc_pose* b)
{
  pc_pose r;
  pc_v3_put(pc_pose_apply(a, pc_v3_of(b->x)), r.x);
  pc_rotation_product(a->A, b->A, r.A);
  return r;
}

/* A frame in the plane, turned by an angle [rad]; and one in space, turned by a quaternion, scalar
 * first, of any length. */
static inline pc_pose pc_pose_planar(double x, double y, double angle)
{
  double s, c;
  pc_sin_cos(angle, &s, &c);
  return (pc_pose){{x, y, 0}, {c, -s, 0, s, c, 0, 0, 0, 1}};
}

static inline pc_pose pc_pose_spatial(const double x[3], const double p[4])
{
  pc_pose r = {.x = {x[0], x[1], x[2]}};
  pc_rotation_matrix(p, r.A);
  return r;
}

#endif
