/// \file
/// The elements a system is made of: bodies, joints, forces and contacts.
///
/// Every element has a definition structure with a default. Definitions are copied and never kept;
/// a text in them may go away after the call. Lengths are in m, masses in kg, angles in rad, times
/// in s. A point "of a part" is given in the frame of that part, the ground's frame being the
/// inertial one; `at` of a joint is a point of the inertial frame in the initial configuration.
///
/// Every `pc_add_*` function returns PC_BAD_MODEL with a text that names the field where a
/// definition does not make sense, and leaves the system as it was.
#ifndef PERCUSS_ELEMENTS_H
#define PERCUSS_ELEMENTS_H

#include "percuss/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \name Bodies
/// @{

/// A rigid body in the plane: coordinates x, y, angle of its centre of mass and frame.
typedef struct pc_body_def {
  const char* name;    ///< copied; its coordinates are called after it; unique in the system
  double mass;         ///< [kg], positive
  double inertia;      ///< about the centre of mass [kg m^2], positive
  double position[2];  ///< of the centre of mass [m]
  double angle;        ///< [rad]
  double velocity[2];  ///< [m/s]
  double spin;         ///< [rad/s]
} pc_body_def;

/// A rigid body in space: the position x, y, z of its centre of mass, and a quaternion qw, qx, qy,
/// qz (scalar first) that turns the body's frame out of the inertial one. Its velocities are vx,
/// vy, vz in the inertial frame and the angular velocity wx, wy, wz in the body's frame.
typedef struct pc_spatial_body_def {
  const char* name;       ///< copied; its coordinates are called after it; unique in the system
  double mass;            ///< [kg], positive
  double inertia[9];      ///< about the centre of mass, in the body's frame, 3 x 3 [kg m^2]
  double position[3];     ///< of the centre of mass [m]
  double orientation[4];  ///< quaternion, of any length but 0; it is normalised
  double velocity[3];     ///< of the centre of mass, in the inertial frame [m/s]
  double angular_velocity[3];  ///< in the body's frame [rad/s]
} pc_spatial_body_def;

/// A point mass with as many coordinates as the system has dimensions.
typedef struct pc_point_mass_def {
  const char* name;    ///< copied; its coordinates are called after it; unique in the system
  double mass;         ///< [kg], positive
  double position[3];  ///< [m]
  double velocity[3];  ///< [m/s]
} pc_point_mass_def;

/// An elastic bar on a line (dimension 1): linear rod finite elements with the consistent mass
/// matrix. Its coordinates are the positions of its nodes, which are numbered from 0, the root, to
/// `elements`, the tip. At the start it has no strain.
typedef struct pc_bar_def {
  const char* name;    ///< copied; its coordinates are called after it; unique in the system
  int elements;        ///< number of finite elements, 1 to 1 000 000
  double root[3];      ///< position of one end [m]
  double tip[3];       ///< position of the other, on either side of the root [m]
  double area;         ///< of the cross section [m^2], positive
  double density;      ///< [kg/m^3], positive
  double modulus;      ///< Young's modulus [Pa], positive
  double velocity[3];  ///< of the whole bar [m/s]
} pc_bar_def;

/// A geometrically exact (Reissner, Simo) beam in the plane or in space: finite elements with 2
/// nodes and one Gauss point, or 3 nodes and two, with the consistent mass matrix. It may bend,
/// stretch and shear as much as it likes; its material is linear. Every node has a place and the
/// angle of its cross section; in space a quaternion, as a spatial body has. Nodes are numbered
/// from 0, the root, on; the last one is the tip. Without strain, which is how it starts, it lies
/// on a straight line or on an arc. In space the first axis of a cross section is along the beam,
/// the third is `up`; the arc turns about it.
typedef struct pc_beam_def {
  const char* name;  ///< copied; its coordinates are called after it; unique in the system
  int elements;      ///< number of finite elements, 1 to 1 000 000
  int nodes;         ///< of an element: 2 or 3
  double root[3];    ///< position of one end [m]
  double tip[3];     ///< position of the other [m]
  double turn;       ///< how far the arc turns left from root to tip [rad]; 0: straight
  double up[3];      ///< in space: the third axis of the cross sections, if not along the beam
  double area;       ///< of the cross section [m^2], positive
  double inertia;    ///< its second moment for bending in the plane [m^4], positive; in space that
                     ///< about `up`
  double inertia_2;  ///< in space: for bending towards `up` [m^4]; 0: the same
  double torsion;    ///< in space: torsion constant [m^4]; 0: the sum of the two
  double density;    ///< [kg/m^3], positive
  double modulus;    ///< Young's modulus E [Pa], positive
  double poisson;    ///< Poisson's ratio, above -1, at most 0.5: G = E/(2 (1 + poisson))
  double shear_factor;  ///< shear area over area, positive
  double damping;       ///< stress per rate of strain over that per strain [s], not negative
  double velocity[3];   ///< of the root [m/s]; the beam starts like a rigid body ...
  double spin[3];  ///< ... with this angular velocity [rad/s]; in the plane the third component
} pc_beam_def;

/// 1 kg, 1 kg m^2, at rest in the origin; without a name.
PC_API pc_body_def pc_default_body_def(void);
/// 1 kg, the unit matrix [kg m^2], at rest in the origin, not turned; without a name.
PC_API pc_spatial_body_def pc_default_spatial_body_def(void);
/// 1 kg, at rest in the origin; without a name.
PC_API pc_point_mass_def pc_default_point_mass_def(void);
/// Adds a body, in the plane. `id` names it from then on. PC_BAD_ARGUMENT names the field that is
/// wrong.
PC_API pc_status pc_add_body(pc_system* system, const pc_body_def* def, pc_part_id* id,
                             pc_error* error);
/// The inertia tensor must be symmetric, positive definite, and that of a body: no principal moment
/// exceeds the sum of the other two.
PC_API pc_status pc_add_spatial_body(pc_system* system, const pc_spatial_body_def* def,
                                     pc_part_id* id, pc_error* error);
/// Adds a point mass, in any dimension.
PC_API pc_status pc_add_point_mass(pc_system* system, const pc_point_mass_def* def, pc_part_id* id,
                                   pc_error* error);
/// A number that is held while steps are computed, as a part with one coordinate `name` that
/// nothing moves; forces of formulas and callbacks may depend on it. pc_hold_quantity says what it
/// holds; until then it is `value`.
PC_API pc_status pc_add_held(pc_system* system, const char* name, double value, pc_part_id* id,
                             pc_error* error);
/// One element from 0 to 1 m; area, density and modulus are 1.
PC_API pc_bar_def pc_default_bar_def(void);
/// Adds a bar, on a line. Its nodes are parts of their own, see pc_bar_node.
PC_API pc_status pc_add_bar(pc_system* system, const pc_bar_def* def, pc_part_id* id,
                            pc_error* error);
/// The number of finite elements of a bar; 0 for any other part.
PC_API int pc_bar_elements(const pc_system* system, pc_part_id bar);
/// A node of a bar as a part, to which joints, forces and contacts attach as to a point mass.
PC_API pc_status pc_bar_node(pc_system* system, pc_part_id id, int node, pc_part_id* node_id,
                             pc_error* error);
/// One element with two nodes along x, 1 m long; `up` is z, Poisson's ratio 0.3, the shear factor
/// 5/6; all other material numbers are 1, without damping.
PC_API pc_beam_def pc_default_beam_def(void);
/// Adds a beam, in the plane or in space. Its nodes are parts of their own, see pc_beam_node.
PC_API pc_status pc_add_beam(pc_system* system, const pc_beam_def* def, pc_part_id* id,
                             pc_error* error);
/// The number of a beam's last node, its tip; -1 for any other part.
PC_API int pc_beam_last_node(const pc_system* system, pc_part_id beam);
/// A node of a beam as a part, to which joints, forces and contacts attach as to a rigid body.
PC_API pc_status pc_beam_node(pc_system* system, pc_part_id id, int node, pc_part_id* node_id,
                              pc_error* error);
/// @}

/// A point that moves with a part. The frame of a point mass moves without turning. Components past
/// the system's dimension are ignored.
typedef struct pc_point {
  pc_part_id part;  ///< may be PC_GROUND
  double at[3];     ///< in the part's frame [m]
} pc_point;

/// \name Joints
/// @{

/// Two parts, a point and an axis shared by them in the initial configuration. The rows measure the
/// second part relative to the first; a percussion acts on the second, its opposite on the first.
/// Spherical joints, and revolute ones in the plane, hold bodies and point masses, the others
/// bodies. On a line there are fixed joints alone.
typedef struct pc_joint_def {
  const char* name;    ///< copied; its quantities are called after it
  pc_part_id part[2];  ///< either may be PC_GROUND
  double at[3];        ///< all but fixed: a point of the joint, inertial frame [m]
  double axis[3];  ///< prismatic, cylindrical: the direction of sliding; revolute, in space: the
                   ///< axis of turning; universal: that in the first part; planar: the normal of
                   ///< the plane; inertial frame
  double second_axis[3];  ///< universal: the axis in the second part, at right angles to `axis`
  /// not 0: `point` gives the points of the parts that belong together, in their frames [m],
  /// instead of `at`. They need not meet at the start: see pc_assemble.
  int by_points;
  pc_point point[2];  ///< with the parts of `part`
} pc_joint_def;

/// Two points at a constant distance, in any dimension; they must not coincide at the start.
typedef struct pc_distance_def {
  const char* name;   ///< copied; its quantities are called after it
  pc_point point[2];  ///< of two parts, one of which may be PC_GROUND
  double length;      ///< [m]; negative: as in the initial configuration
} pc_distance_def;

/// A skate, or knife edge: a point of a body moves along the blade and not across it.
typedef struct pc_skate_def {
  const char* name;  ///< copied; its quantities are called after it
  pc_point point;    ///< where the blade touches the ice, of a body
  double along[3];   ///< direction of the blade, in the body's frame
  double normal[3];  ///< in space: normal of the ice, inertial frame
} pc_skate_def;

/// A half-space fixed to a part.
typedef struct pc_plane {
  pc_part_id part;   ///< may be PC_GROUND
  double point[3];   ///< of the surface, in the part's frame [m]
  double normal[3];  ///< out of the material; need not have unit length
} pc_plane;

/// Rolling without slip: a disc in the plane, a sphere or a thin disc in space stays on a plane,
/// and its lowest point has the velocity of the plane below it.
typedef struct pc_rolling_def {
  const char* name;  ///< copied; its quantities are called after it
  pc_point centre;   ///< of the disc or sphere
  double radius;     ///< [m], positive
  double axis[3];    ///< of a thin disc in space, in the frame of the centre's part; zero: a sphere
  pc_plane plane;    ///< on which it rolls
} pc_rolling_def;

/// Between the ground and the ground, which must be changed, in the origin, along x.
PC_API pc_joint_def pc_default_joint_def(void);
/// On the ground, which must be changed; the blade along x, the ice with the normal z.
PC_API pc_skate_def pc_default_skate_def(void);
/// Centre and plane on the ground, radius 0 and no normal: all of them must be given.
PC_API pc_rolling_def pc_default_rolling_def(void);
/// Between two points of the ground, which must be changed; the length is the initial one.
PC_API pc_distance_def pc_default_distance_def(void);
/// Two rows in the plane: the points that meet at `at` stay together. Five rows in space: and the
/// second body turns about `axis` alone.
PC_API pc_status pc_add_revolute(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                                 pc_error* error);
/// Three rows, in space: the points that meet at `at` stay together.
PC_API pc_status pc_add_spherical(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                                  pc_error* error);
/// Two rows, five in space: the second body slides along `axis`, which turns with the first, and
/// does not rotate.
PC_API pc_status pc_add_prismatic(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                                  pc_error* error);
/// Four rows, in space: the points that meet at `at` stay together, and `axis`, fixed in the first
/// body, stays at right angles to `second_axis`, fixed in the second: Cardan's joint.
PC_API pc_status pc_add_universal(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                                  pc_error* error);
/// Four rows, in space: the second body slides along `axis` and turns about it.
PC_API pc_status pc_add_cylindrical(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                                    pc_error* error);
/// Three rows, in space: the second body slides on the plane through `at` with the normal `axis`,
/// which is fixed in the first, and turns about that normal.
PC_API pc_status pc_add_planar(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                               pc_error* error);
/// Three rows, six in space: the bodies keep their relative position and angle. On a line one row,
/// between any parts: they keep their relative position.
PC_API pc_status pc_add_fixed(pc_system* system, const pc_joint_def* def, pc_joint_id* id,
                              pc_error* error);
/// One row on velocities.
PC_API pc_status pc_add_skate(pc_system* system, const pc_skate_def* def, pc_joint_id* id,
                              pc_error* error);
/// One row on positions, the gap, and one on velocities in the plane, two in space.
PC_API pc_status pc_add_rolling(pc_system* system, const pc_rolling_def* def, pc_joint_id* id,
                                pc_error* error);
/// One row.
PC_API pc_status pc_add_distance(pc_system* system, const pc_distance_def* def, pc_joint_id* id,
                                 pc_error* error);
/// @}

/// \name Forces
/// @{

/// A number that may depend on time. `value` is NULL for a constant; otherwise it is called from
/// any thread that simulates and must depend on nothing but its arguments. `destroy` (may be NULL)
/// releases `user` when the system goes; it is also called when the element is refused.
typedef struct pc_signal {
  double constant;                              ///< the number, where `value` is NULL
  double (*value)(const void* user, double t);  ///< the number at time t [s]
  void* user;                                   ///< handed to `value`
  void (*destroy)(void* user);                  ///< releases `user`; may be NULL
} pc_signal;

/// A signal that is this number at all times.
PC_API pc_signal pc_constant_signal(double value);

/// A spring and a damper in line between two points: force k (l - length) + c l'. With length 0 it
/// is a vector spring, smooth also where the points meet.
typedef struct pc_spring_def {
  const char* name;   ///< copied; its quantities are called after it
  pc_point point[2];  ///< its ends, of two parts
  double stiffness;   ///< k [N/m], not negative
  double damping;     ///< c [N s/m], not negative
  double length;      ///< unstretched [m]; negative: as in the initial configuration
} pc_spring_def;

/// A rotational spring and damper: torque k (angle_1 - angle_0 - angle) + c times its rate. In
/// space it acts about an axis that both bodies carry and that a joint holds together, as a
/// revolute one does; the angle is that by which the second has turned about it, relative to the
/// first, since the start. It is followed over a full turn, 2 pi, either side of the angle without
/// torque, and jumps there to the other end.
typedef struct pc_rotational_spring_def {
  const char* name;    ///< copied; its quantities are called after it
  pc_part_id part[2];  ///< two bodies; either may be PC_GROUND
  double stiffness;    ///< k [N m/rad], not negative
  double damping;      ///< c [N m s/rad], not negative
  double angle;        ///< relative angle without torque [rad]; in space within (-2 pi, 2 pi)
  double axis[3];      ///< in space: the axis of turning at the start, inertial frame
} pc_rotational_spring_def;

/// A force of given components in the inertial frame at a point of a part.
typedef struct pc_force_def {
  const char* name;    ///< copied; its quantities are called after it
  pc_point point;      ///< where it acts
  pc_signal force[3];  ///< [N]
} pc_force_def;

/// A torque on a body: one component in the plane, three in space.
typedef struct pc_torque_def {
  const char* name;     ///< copied; its quantities are called after it
  pc_part_id part;      ///< the body on which it acts
  pc_signal torque[3];  ///< [N m]; in the plane the first alone
  int in_body_frame;    ///< in space: components in the body's frame, else in the inertial one
} pc_torque_def;

/// Between two points of the ground, which must be changed; no stiffness, no damping; unstretched
/// at the start.
PC_API pc_spring_def pc_default_spring_def(void);
/// Between the ground and the ground, which must be changed; no stiffness, no damping.
PC_API pc_rotational_spring_def pc_default_rotational_spring_def(void);
/// 0 N on the ground; the point must be changed.
PC_API pc_force_def pc_default_force_def(void);
/// 0 N m on the ground; the part must be changed.
PC_API pc_torque_def pc_default_torque_def(void);
/// Adds a spring, in any dimension. At least one of its ends belongs to a part that moves.
PC_API pc_status pc_add_spring(pc_system* system, const pc_spring_def* def, pc_error* error);
/// Adds a rotational spring between two bodies, in the plane or in space.
PC_API pc_status pc_add_rotational_spring(pc_system* system, const pc_rotational_spring_def* def,
                                          pc_error* error);
/// Adds a force, in any dimension. Its signals belong to the system from the call on, also on
/// failure.
PC_API pc_status pc_add_force(pc_system* system, const pc_force_def* def, pc_error* error);
/// Adds a torque on a body, in the plane or in space. Its signals belong to the system from the
/// call on, also on failure.
PC_API pc_status pc_add_torque(pc_system* system, const pc_torque_def* def, pc_error* error);
/// @}

/// \name Contacts
/// @{

/// In place of a friction coefficient: the contact has no friction rows.
#define PC_FRICTIONLESS (-1.0)

/// A contact as a force, for comparison with the hard one. At the depth d, with its rate d', it is
/// stiffness d^exponent (1 + dissipation d') + damping d', and not less than 0. exponent 1 is a
/// linear spring, 3/2 Hertz' law, dissipation that of Hunt and Crossley.
typedef struct pc_compliance {
  double stiffness;    ///< [N/m^exponent]; 0: the contact is hard
  double exponent;     ///< at least 1
  double damping;      ///< [N s/m]
  double dissipation;  ///< [s/m]
  double slip_speed;   ///< with friction: the sliding speed at which 0.7 of it acts [m/s], positive
} pc_compliance;

/// The law of a contact, whatever its geometry. The normal n points from the second part named to
/// the first; slip is the velocity of the first's contact point relative to the second's along the
/// tangent (n_y, -n_x) in the plane, along two tangents in space. On a line there is no friction.
/// Drilling friction adds a third component, 3 pi/16 contact_radius times the relative angular
/// velocity about n.
typedef struct pc_contact_law {
  const char* name;  ///< copied; its quantities are called after it
  double mu;         ///< friction coefficient; PC_FRICTIONLESS: no friction rows at all
  double e_N;        ///< normal restitution, 0 to 1
  double e_F;        ///< tangential restitution, 0 to 1
  /// radius of the circle in which bodies touch [m], in space: with it, friction resists turning
  /// about the normal as well (Coulomb-Contensou); 0: they touch in a point
  double contact_radius;
  /// an impact that approaches at no more than this [m/s] has no restitution; 0: every one has
  double e_above;
  /// Stribeck's curve: with this speed v_s > 0 [m/s], the coefficient at the sliding speed v is
  /// mu_kinetic + (mu - mu_kinetic) exp(-(v/v_s)^2); mu itself is that of rest. A step takes v at
  /// its start.
  double stribeck;
  double mu_kinetic;         ///< with stribeck: what the coefficient goes to at speed
  pc_compliance compliance;  ///< a force in place of the impact law; stiffness 0: none
} pc_contact_law;

/// A disc, in space a sphere (radius > 0), or a point (radius 0) against a plane.
typedef struct pc_disc_plane_def {
  pc_contact_law law;  ///< friction, restitution, name
  pc_point centre;     ///< of the disc or sphere, or the point
  double radius;       ///< [m], not negative
  pc_plane plane;      ///< which it may touch
} pc_disc_plane_def;

/// A sharp circular edge, the rim of a thin disc, against a plane, in space.
typedef struct pc_edge_plane_def {
  pc_contact_law law;  ///< friction, restitution, name
  pc_point centre;     ///< of the disc
  double radius;       ///< [m], positive
  double axis[3];  ///< of the disc, in the frame of the centre's part; need not have unit length
  pc_plane plane;  ///< which its rim may touch
} pc_edge_plane_def;

/// An ellipsoid, whose principal axes are those of its body's frame, against a plane, in space.
typedef struct pc_ellipsoid_plane_def {
  pc_contact_law law;   ///< friction, restitution, name
  pc_point centre;      ///< of the ellipsoid, of a body
  double semi_axes[3];  ///< [m], positive
  pc_plane plane;       ///< which it may touch
} pc_ellipsoid_plane_def;

/// What an arc may touch, in the frame of the part that carries it.
typedef enum pc_surface_kind {
  PC_SURFACE_CYLINDER,  ///< the outside of a cylinder: a pin, or a sector of one: a round nose
  PC_SURFACE_BORE,      ///< the inside of one
  PC_SURFACE_FACE,      ///< a rectangle; beside it the distance is that to its edges
  PC_SURFACE_WEDGE      ///< two planes at right angles with a rounded edge
} pc_surface_kind;

/// A circle or an arc, the edge of a body, against a surface of another, in space. A whole circle
/// in a bore or around a cylinder may touch in two points: then there are two contacts, called NAME
/// and NAME.2, of which the first has the smaller gap.
typedef struct pc_arc_contact_def {
  pc_contact_law law;  ///< friction, restitution, name
  pc_point centre;     ///< of the circle
  double radius;       ///< [m], positive
  double axis[3];      ///< of the circle, in the frame of the centre's part
  double from[3];  ///< where an arc begins, as seen from the centre; zero: anywhere, for a circle
  double angle;    ///< how far it goes about the axis [rad]; 2 pi and more: a whole circle
  double offset;   ///< subtracted from the distance [m]
  pc_surface_kind surface;  ///< what it may touch
  pc_part_id part;          ///< carries the surface
  double surface_point[3];  ///< on the axis, the centre of the face, on the sharp edge of the wedge
  double surface_axis[3];   ///< the axis; the normal of the face; the first normal of the wedge
  /// An edge of the face; the second normal of the wedge; where the cylinder begins, as seen from
  /// its axis, unless it goes all round.
  double surface_second[3];
  double
      surface_angle;  ///< how far the cylinder goes about its axis [rad], at most pi; 0: all round
  double surface_radius;  ///< of the cylinder or bore; of the rounding of the wedge, may be 0 [m]
  double size[2];         ///< of the face along surface_second and across it [m]
} pc_arc_contact_def;

/// What a joint with play would be without it.
typedef enum pc_clearance_kind {
  PC_CLEARANCE_REVOLUTE,   ///< a pin in a bore
  PC_CLEARANCE_PRISMATIC,  ///< a box in a guide
  PC_CLEARANCE_SPHERICAL   ///< in space: a ball in a socket
} pc_clearance_kind;

/// A joint with play, as contacts: something of the second part within something of the first, both
/// centred on `at` in the initial configuration.
///
/// A pin in the plane and a ball are one contact of this name. A pin in space has those of the
/// bore's edges, NAME-low and NAME-high, and with axial play NAME-low-end and NAME-high-end. A
/// slider has its corners against the sides of the guide: NAME-left-1 and -2, NAME-right-1 and -2
/// in the plane, in space four for each of left, right, bottom and top.
typedef struct pc_clearance_def {
  pc_contact_law law;  ///< of each of its contacts
  pc_part_id
      part[2];     ///< the bore, guide or socket; the pin, slider or ball; either may be PC_GROUND
  double at[3];    ///< the middle of the joint, inertial frame [m]
  double axis[3];  ///< of the pin in space; of sliding; inertial frame
  double radius;   ///< of the bore or socket [m]
  double play;     ///< by which the radius of the pin is less; of a slider on each side [m]
  double length;   ///< of the bore in space; of the slider [m]
  double axial;    ///< play along the axis of a pin in space [m]; 0: it is free
  pc_clearance_kind kind;  ///< which joint it replaces
  double width;            ///< of a slider, across the axis [m]
  double height;           ///< of a slider in space [m]
  double second_axis[3];   ///< in space: the direction of the width, at right angles to `axis`
  int by_points;      ///< not 0: `point` gives the middle in both parts' frames, instead of `at`
  pc_point point[2];  ///< with the parts of `part`
} pc_clearance_def;

/// Two discs, in space spheres, outside each other, or, with `inside`, the first within the second.
typedef struct pc_disc_disc_def {
  pc_contact_law law;  ///< friction, restitution, name
  pc_point centre[2];  ///< of the two discs or spheres
  double radius[2];    ///< [m], not negative; the first may be a point
  int inside;          ///< not 0: the first moves inside the circle of the second
} pc_disc_disc_def;

/// A curve f(x, y) = 0 as a signed distance, in the frame of a part: value, gradient (2) and
/// Hessian (2 x 2, row-major) of a gap that is positive on the free side. Same rules as pc_signal.
typedef struct pc_gap_field {
  /// gap [m], its gradient and its Hessian [1/m] at a point of the part's frame [m]
  void (*value)(const void* user, const double at[2], double* gap, double gradient[2],
                double hessian[4]);
  void* user;                   ///< handed to `value`
  void (*destroy)(void* user);  ///< releases `user`; may be NULL
} pc_gap_field;

/// A point against a curve.
typedef struct pc_point_curve_def {
  pc_contact_law law;  ///< friction, restitution, name
  pc_point point;      ///< which may touch the curve
  pc_part_id part;     ///< which carries the curve
  pc_gap_field curve;  ///< in the frame of `part`
} pc_point_curve_def;

/// Hard, without friction and without restitution; without a name.
PC_API pc_contact_law pc_default_contact_law(void);
/// The default law; a point of the ground against a plane of the ground without a normal, all of
/// which must be given.
PC_API pc_disc_plane_def pc_default_disc_plane_def(void);
/// The default law; centre and plane on the ground, the axis along z, radius 0.
PC_API pc_edge_plane_def pc_default_edge_plane_def(void);
/// The default law; centre and plane on the ground, semi-axes 0.
PC_API pc_ellipsoid_plane_def pc_default_ellipsoid_plane_def(void);
/// The default law; a whole circle about z of radius 0 on the ground, against a cylinder about z.
PC_API pc_arc_contact_def pc_default_arc_contact_def(void);
/// The default law; a revolute joint of the ground with itself, all sizes 0.
PC_API pc_clearance_def pc_default_clearance_def(void);
/// The default law; two points of the ground, outside each other.
PC_API pc_disc_disc_def pc_default_disc_disc_def(void);
/// The default law; a point of the ground; the curve must be given.
PC_API pc_point_curve_def pc_default_point_curve_def(void);
/// Adds the contact of a disc (sphere, point) with a plane. `id` may be NULL.
PC_API pc_status pc_add_disc_plane(pc_system* system, const pc_disc_plane_def* def,
                                   pc_contact_id* id, pc_error* error);
/// Adds the contact of the rim of a thin disc with a plane, in space. `id` may be NULL.
PC_API pc_status pc_add_edge_plane(pc_system* system, const pc_edge_plane_def* def,
                                   pc_contact_id* id, pc_error* error);
/// Adds the contact of an ellipsoid with a plane, in space. `id` may be NULL.
PC_API pc_status pc_add_ellipsoid_plane(pc_system* system, const pc_ellipsoid_plane_def* def,
                                        pc_contact_id* id, pc_error* error);
/// Adds the contact, or the two contacts, of an arc with a surface, in space. `id`, which may be
/// NULL, is the first.
PC_API pc_status pc_add_arc_contact(pc_system* system, const pc_arc_contact_def* def,
                                    pc_contact_id* id, pc_error* error);
/// Adds the contacts of a joint with play. `id`, which may be NULL, is the first.
PC_API pc_status pc_add_clearance(pc_system* system, const pc_clearance_def* def, pc_contact_id* id,
                                  pc_error* error);
/// Adds the contact of two discs or spheres. `id` may be NULL.
PC_API pc_status pc_add_disc_disc(pc_system* system, const pc_disc_disc_def* def, pc_contact_id* id,
                                  pc_error* error);
/// Adds the contact of a point with a curve, in the plane. The curve belongs to the system from the
/// call on, also on failure. `id` may be NULL.
PC_API pc_status pc_add_point_curve(pc_system* system, const pc_point_curve_def* def,
                                    pc_contact_id* id, pc_error* error);
/// @}

/// \name Terms from user code
/// @{

/// Kinematics q' = B(t,q) u + beta(t,q) of user coordinates: q_dot and B, or neither.
typedef struct pc_kinematics {
  /// q_dot (n_q) from t, q (n_q), u (n_u)
  void (*q_dot)(const void* user, double t, const double* q, const double* u, double* q_dot);
  /// B, n_q x n_u, row-major
  void (*B)(const void* user, double t, const double* q, double* B);
  /// d(q_dot)/dq, n_q x n_q, row-major; may be NULL: taken by central differences
  void (*q_dot_q)(const void* user, double t, const double* q, const double* u, double* K);
  /// the first so many coordinates have q' = u, and nothing else depends on them
  int plain;
} pc_kinematics;

/// Coordinates that belong to user code.
typedef struct pc_coordinates_def {
  const char* name;           ///< copied; its quantities are called after it
  int q_count;                ///< number of coordinates, 1 or more
  int u_count;                ///< equal to q_count where kinematics are NULL (then q' = u)
  const double* q0;           ///< q_count initial values
  const double* u0;           ///< u_count initial values
  const char* const* q_name;  ///< q_count names of recorded quantities, or NULL: name.q.1 ...
  const char* const* u_name;  ///< u_count names, or NULL: name.u.1 ...
  pc_kinematics kinematics;   ///< all zero: q' = u
  const void* user;           ///< for the kinematics; stays the caller's
} pc_coordinates_def;

/// An element whose terms are functions of the caller. It sees the coordinates of `part`, one part
/// after the other, as one local q and u, and gives local terms. A NULL function means: no such
/// term; a NULL derivative is taken by central differences. Two terms can stand in for others:
/// where all rows have a position, W may be NULL and is then a difference of y (W_q is good to
/// about 1e-7); where M is given and `energy` is not, the kinetic energy is u'Mu/2. Outputs arrive
/// as zero. Matrices are row-major. The rows are numbered: g, gamma, then each contact's normal and
/// friction rows.
typedef struct pc_callback_def {
  const char* name;               ///< copied; its quantities are called after it
  int part_count;                 ///< number of parts, 1 or more
  const pc_part_id* part;         ///< part_count of them; copied
  int g_count;                    ///< constraints on positions
  int gamma_count;                ///< constraints on velocities alone
  int contact_count;              ///< contacts, each with a normal row
  const pc_contact_law* contact;  ///< contact_count laws; mu >= 0 means dimension - 1 friction rows
  void* user;                     ///< handed to every function
  void (*destroy)(void* user);    ///< may be NULL

  /// M is the same at all times and places. Where it is not, schemes in momentum form differentiate
  /// it along the motion, numerically where Ma_q is missing.
  int constant_mass;
  /// mass matrix, n_u x n_u
  void (*M)(const void* user, double t, const double* q, double* M);
  /// d(M a)/dq, n_u x n_q
  void (*Ma_q)(const void* user, double t, const double* q, const double* a, double* Ma_q);
  /// forces (n_u)
  void (*h)(const void* user, double t, const double* q, const double* u, double* h);
  /// their derivatives by q, n_u x n_q
  void (*h_q)(const void* user, double t, const double* q, const double* u, double* h_q);
  /// and by u, n_u x n_u
  void (*h_u)(const void* user, double t, const double* q, const double* u, double* h_u);
  /// kinetic and potential energy. With it, h is taken to derive from them; without it, all of h
  /// counts as work in the energy balance.
  void (*energy)(const void* user, double t, const double* q, const double* u, double energy[2]);
  /// for each row its position: g, g_N; rows of velocity level are not to be written
  void (*y)(const void* user, double t, const double* q, double* y);
  /// for each row r its velocity W_r . u + chi_r: W is rows x n_u, chi is rows
  void (*W)(const void* user, double t, const double* q, double* W, double* chi);
  /// dW/dq: rows x n_u x n_q
  void (*W_q)(const void* user, double t, const double* q, double* W_q);
} pc_callback_def;

/// All zero: no coordinates.
PC_API pc_coordinates_def pc_default_coordinates_def(void);
/// All zero: no parts, no rows, no functions.
PC_API pc_callback_def pc_default_callback_def(void);
/// Adds coordinates as a part. The arrays are copied; `user` stays the caller's and must outlive
/// the system.
PC_API pc_status pc_add_coordinates(pc_system* system, const pc_coordinates_def* def,
                                    pc_part_id* id, pc_error* error);
/// Adds an element of the caller's functions. `user` belongs to the system from the call on, also
/// on failure, if `destroy` is given.
PC_API pc_status pc_add_callback(pc_system* system, const pc_callback_def* def, pc_error* error);
/// @}

#ifdef __cplusplus
}
#endif
#endif
