/* Geometry as expressions: the frames of parts, their points and wrenches, and the coordinates of
 * joints, for formulas that depend on the motion of bodies in the plane and in space.
 *
 * Vectors of expressions have three components, also in the plane, where the third is the number 0.
 * Constructors return negative expressions without memory and pass on those that they are given,
 * so that only the last result has to be looked at. */
#ifndef PC_FORMULA_FRAME_H
#define PC_FORMULA_FRAME_H

#include "formula/formula.h"

/* a op b for op one of + - * / */
PC_SIBLING_API pc_expr pc_expr_of(pc_pool* pool, pc_expr a, char op, pc_expr b);

PC_SIBLING_API pc_expr pc_expr_root(pc_pool* pool, pc_expr a); /* sqrt(a) */

/* sign(v) (1 - exp(-(v/v_s)^2)) */
PC_SIBLING_API pc_expr pc_expr_stribeck(pc_pool* pool, pc_expr v, double v_s);

/* x less the multiple of the period that brings it into [-period/2, period/2). */
PC_SIBLING_API pc_expr pc_expr_wrapped(pc_pool* pool, pc_expr x, double period);

/* x plus that multiple of the period which brings it within half a period of `last`. */
PC_SIBLING_API pc_expr pc_expr_followed(pc_pool* pool, pc_expr x, pc_expr last, double period);

/* A part as expressions of its coordinates and velocities. */
typedef struct pc_expr_frame {
  int dimension;
  int kind; /* PC_PART_POINT_MASS, PC_PART_PLANAR_BODY, PC_PART_SPATIAL_BODY; negative: ground */
  pc_expr origin[3];
  pc_expr velocity[3]; /* of the origin, inertial frame */
  pc_expr A[9];        /* rotation, row-major: from the frame to the inertial one */
  pc_expr spin[3];     /* angular velocity, inertial frame */
  pc_expr angle;       /* in the plane */
  pc_expr p[4];        /* quaternion, in space */
} pc_expr_frame;

/* The inertial frame; a part with the coordinates q and velocities u in the order of its kind. */
PC_SIBLING_API pc_expr_frame pc_expr_ground(pc_pool* pool, int dimension);
PC_SIBLING_API pc_expr_frame pc_expr_frame_of(pc_pool* pool, int dimension, int kind,
                                              const pc_expr* q, const pc_expr* u);

/* A vector of the frame in inertial components; back. */
PC_SIBLING_API void pc_expr_turned(pc_pool* pool, const pc_expr_frame* f, const pc_expr v[3],
                                   pc_expr to[3]);
PC_SIBLING_API void pc_expr_turned_back(pc_pool* pool, const pc_expr_frame* f, const pc_expr v[3],
                                        pc_expr to[3]);

/* A point of the frame, inertial components: from the origin, from the inertial origin, its
 * velocity. */
typedef struct pc_expr_point {
  pc_expr arm[3];
  pc_expr position[3];
  pc_expr velocity[3];
} pc_expr_point;

PC_SIBLING_API pc_expr_point pc_expr_point_of(pc_pool* pool, const pc_expr_frame* f,
                                              const double at[3]);

/* The generalized forces on a part (as many as it has velocities, at most 6) of a force F at an arm
 * and a torque T, both with inertial components. */
PC_SIBLING_API void pc_expr_wrench(pc_pool* pool, const pc_expr_frame* f, const pc_expr arm[3],
                                   const pc_expr F[3], const pc_expr T[3], pc_expr force[6]);

PC_SIBLING_API pc_expr pc_expr_dot(pc_pool* pool, const pc_expr a[3], const pc_expr b[3]);
PC_SIBLING_API void pc_expr_cross(pc_pool* pool, const pc_expr a[3], const pc_expr b[3],
                                  pc_expr to[3]);
PC_SIBLING_API pc_expr pc_expr_length(pc_pool* pool, const pc_expr a[3]);

/* ---- joints ------------------------------------------------------------------------------- */

/* What the coordinates of a joint are measured with: they are 0 at the start. */
typedef struct pc_joint_frame {
  int dimension;
  double at[2][3];      /* the joint's point in the frame of each part */
  double axis[2][3][3]; /* triads that agree at the start; the first is the joint's axis */
  double start[4];      /* quaternion of part 1 seen from part 0 at the start */
  double angle;         /* in the plane: of part 1 relative to part 0 at the start */
} pc_joint_frame;

/* From the initial configuration. `second` (may be NULL) gives the second axis of the triad, at
 * right angles to the first. */
PC_SIBLING_API void pc_joint_frame_of(const pc_system* system, const pc_joint_def* def,
                                      const double second[3], pc_joint_frame* frame);

/* Axis `i` of part 0 in inertial components; in the plane axis 0 is the direction of sliding. */
PC_SIBLING_API void pc_joint_axis(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2],
                                  int i, pc_expr to[3]);

/* The turn of part 1 about the axis relative to part 0. In space it is known up to multiples of
 * PC_ANGLE_PERIOD, and within half of that of 0. */
#define PC_ANGLE_PERIOD (4 * 3.14159265358979323846)
PC_SIBLING_API pc_expr pc_joint_angle(pc_pool* pool, const pc_joint_frame* j,
                                      const pc_expr_frame f[2]);
PC_SIBLING_API pc_expr pc_joint_rate(pc_pool* pool, const pc_joint_frame* j,
                                     const pc_expr_frame f[2]);

/* The way of the point of part 1 along axis `i` of part 0, from the point of part 0. */
PC_SIBLING_API pc_expr pc_joint_displacement(pc_pool* pool, const pc_joint_frame* j,
                                             const pc_expr_frame f[2], int i);
PC_SIBLING_API pc_expr pc_joint_speed(pc_pool* pool, const pc_joint_frame* j,
                                      const pc_expr_frame f[2], int i);

/* A universal joint, with axis 0 in part 0 and axis 1 in part 1: the angle `i` about its axis, in
 * (-pi, pi], and its rate. */
PC_SIBLING_API pc_expr pc_joint_cross_angle(pc_pool* pool, const pc_joint_frame* j,
                                            const pc_expr_frame f[2], int i);
PC_SIBLING_API pc_expr pc_joint_cross_rate(pc_pool* pool, const pc_joint_frame* j,
                                           const pc_expr_frame f[2], int i);

/* ---- outputs ------------------------------------------------------------------------------ */

/* Where a variable of an output comes from: a quantity of the system by its kind and index, or t
 * (index PC_SOURCE_T) and dt (PC_SOURCE_DT) for any kind; or the force of an element on a
 * velocity, see system/loads.h. */
typedef struct pc_output_source {
  int kind; /* a pc_quantity_kind, PC_SOURCE_FORCES + a pc_force_kind, or a load */
  int index;
  int on; /* of a load: the velocity that it acts on */
} pc_output_source;

enum {
  PC_SOURCE_T = -1,
  PC_SOURCE_DT = -2,
  PC_SOURCE_FORCES = 64,
  PC_SOURCE_LOADS = 128,                  /* from here on: loads */
  PC_SOURCE_MEAN_FORCE = PC_SOURCE_LOADS, /* of the joint `index`: impulse over dt */
  PC_SOURCE_END_FORCE,                    /* the same at the end of the step */
  PC_SOURCE_FORCE,                        /* of the force element `index` */
  PC_SOURCE_MEAN_Q                        /* the coordinate `index` half a step before */
};

/* The function of an output as an expression of `count` variables. Sets value, user and destroy.
 * Fails only for want of memory. */
PC_SIBLING_API pc_status pc_formula_output(pc_pool* pool, pc_expr expr, int count,
                                           const pc_output_source* source, pc_output_def* def);

#endif
