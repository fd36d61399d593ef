/// \file
/// Where the parts and elements of a frozen system are: for those who draw it.
#ifndef PERCUSS_SHAPE_H
#define PERCUSS_SHAPE_H

#include "percuss/elements.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What geometry a part has.
typedef enum pc_part_kind {
  PC_PART_COORDINATES,   ///< none: coordinates of formulas or of user code
  PC_PART_POINT_MASS,    ///< its coordinates are its position
  PC_PART_PLANAR_BODY,   ///< x, y, angle
  PC_PART_SPATIAL_BODY,  ///< x, y, z, qw, qx, qy, qz
  PC_PART_BAR,           ///< positions of its nodes on a line, from the root to the tip
  PC_PART_BEAM           ///< x, y, angle of its nodes in the plane, from the root to the tip
} pc_part_kind;

/// A part of a system.
typedef struct pc_part_info {
  const char* name;   ///< owned by the system
  pc_part_kind kind;  ///< which geometry it has
  int q_first;        ///< its first coordinate within q
  int q_count;        ///< how many it has
  int within;         ///< index of the part whose coordinates these are (a node's bar), or -1
  int chain;          ///< how many of the parts that follow are further nodes of the same beam
  int u_first;        ///< its first velocity within u
  int u_count;        ///< how many it has
} pc_part_info;

/// Acceleration [m/s^2], 3 components, zero past the dimension.
PC_API const double* pc_system_gravity(const pc_system* system);

/// How many parts the system has, nodes of bars and beams among them.
PC_API int pc_system_part_count(const pc_system* system);
/// The part of a name; PC_BAD_ARGUMENT if there is none. "ground" is PC_GROUND.
PC_API pc_status pc_system_find_part(const pc_system* system, const char* name, pc_part_id* part,
                                     pc_error* error);
/// What a part is, and where its coordinates are.
PC_API pc_part_info pc_system_part_info(const pc_system* system, pc_part_id part);

/// Where the frame of a part is at q: its origin [m] and the matrix (3 x 3, row-major) that takes
/// components in it to inertial ones. PC_GROUND is fine.
PC_API void pc_part_pose(const pc_system* system, pc_part_id part, const double* q,
                         double origin[3], double rotation[9]);

/// A point that moves with a part, in the inertial frame.
PC_API void pc_point_position(const pc_system* system, const pc_point* point, const double* q,
                              double position[3]);

/// What there is to draw of an element.
typedef enum pc_shape_kind {
  PC_SHAPE_NONE,    ///< nothing to draw: a body, a torque, formulas
  PC_SHAPE_PIN,     ///< the points at[0] and at[1] stay together
  PC_SHAPE_SLIDE,   ///< at[1] slides along `axis` of the first part
  PC_SHAPE_WELD,    ///< the parts are fixed to each other in a common point
  PC_SHAPE_ROD,     ///< a massless rod between the points
  PC_SHAPE_SPRING,  ///< a spring, or a damper, between them
  PC_SHAPE_BLADE,   ///< a skate at at[0], along `axis` of the first part
  PC_SHAPE_PLANE,   ///< a round thing around at[0] against the plane through at[1], normal `axis`
  PC_SHAPE_CIRCLE,  ///< two round things around at[0] and at[1]
  PC_SHAPE_CURVE,   ///< the point at[0] against the curve of the second part
  PC_SHAPE_ARC      ///< an arc around at[0] against a surface of the second part, in space
} pc_shape_kind;

/// The geometry of an element.
typedef struct pc_shape {
  pc_shape_kind kind;         ///< which fields below are used
  const char* name;           ///< of the element, owned by the system
  int contact;                ///< which contact it is, or -1: a joint, a force
  pc_point at[2];             ///< points of its two parts, in their frames
  double axis[3];             ///< unit vector: of the first part, the plane's normal of the second
  double radius[2];           ///< of the round things [m]; 0: a point
  double semi_axes[3];        ///< of an ellipsoid against a plane [m], else zero
  double rim[3];              ///< axis of a thin disc against a plane, of the first part, else zero
  int inside;                 ///< the first is within the circle of the second
  const pc_gap_field* curve;  ///< owned by the system
  /// \name Of an arc: radius[0] about `rim`. The surface: at[1] on its axis, in its middle or on
  /// its edge, `axis` that axis or its normal, radius[1] that of a cylinder or bore. @{
  double start[3];          ///< unit vector of the first part to where the arc begins
  double angle;             ///< how far it goes about `rim` [rad]; 2 pi and more: a whole circle
  pc_surface_kind surface;  ///< what it is against
  double across[3];         ///< an edge of a face, the second normal of a wedge, of the second part
  double size[2];           ///< of a face, along `across` and at right angles to it [m]
  int other;                ///< the second contact of a whole circle, opposite to the first
  /// @}
} pc_shape;

/// How many elements the system has: joints, forces, contacts, masses.
PC_API int pc_system_element_count(const pc_system* system);
/// The geometry of an element by its number, from 0.
PC_API pc_shape pc_system_shape(const pc_system* system, int element);

/// Where a contact's shapes touch or would touch, a point of the first, in the inertial frame.
PC_API void pc_shape_contact_point(const pc_system* system, const pc_shape* shape, const double* q,
                                   double position[3]);

/// The percussion on the first part of a contact in inertial components [N s], from those of its
/// rows, P: the normal one and those of friction. The contact must be that of a shape, not of
/// formulas.
PC_API pc_status pc_shape_percussion(const pc_system* system, const pc_shape* shape, double t,
                                     const double* q, const double* P, double percussion[3],
                                     pc_error* error);

#ifdef __cplusplus
}
#endif
#endif
