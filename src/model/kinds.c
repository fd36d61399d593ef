#include "model/kinds.h"

#include <math.h>
#include <string.h>

#include "model/makers.h"
#include "model/shape_kinds.h"

_Static_assert(
    offsetof(pc_body_def, name) == 0 && offsetof(pc_spatial_body_def, name) == 0 &&
        offsetof(pc_point_mass_def, name) == 0 && offsetof(pc_skate_def, name) == 0 &&
        offsetof(pc_rolling_def, name) == 0 && offsetof(pc_edge_plane_def, law.name) == 0 &&
        offsetof(pc_ellipsoid_plane_def, law.name) == 0 && offsetof(pc_bar_def, name) == 0 &&
        offsetof(pc_beam_def, name) == 0 && offsetof(pc_joint_def, name) == 0 &&
        offsetof(pc_distance_def, name) == 0 && offsetof(pc_spring_def, name) == 0 &&
        offsetof(pc_rotational_spring_def, name) == 0 && offsetof(pc_moving_force_def, name) == 0 &&
        offsetof(pc_moving_torque_def, name) == 0 && offsetof(pc_line_force_def, name) == 0 &&
        offsetof(pc_bushing_def, name) == 0 && offsetof(pc_disc_plane_def, law.name) == 0 &&
        offsetof(pc_disc_disc_def, law.name) == 0 && offsetof(pc_arc_contact_def, law.name) == 0 &&
        offsetof(pc_clearance_def, law.name) == 0 && offsetof(pc_point_curve_def, law.name) == 0,
    "pc_any_def.name is the name of every definition");

/* A row of a table: key, type, the type for a person, range, place, default, help. */
#define ROW(key, type, about, range, place, otherwise, help)                             \
  {                                                                                      \
    key, PC_FIELD_##type, offsetof(DEF, place), PC_##range, about, otherwise, help, NULL \
  }
#define GROUP(key, table, place, help)                                              \
  {                                                                                 \
    key, PC_FIELD_GROUP, offsetof(DEF, place), PC_ANY, "mapping", NULL, help, table \
  }
#define END                                                  \
  {                                                          \
    NULL, PC_FIELD_NUMBER, 0, PC_ANY, NULL, NULL, NULL, NULL \
  }

/* The two functions of a kind, from those of elements.h. */
#define DEFAULTS(kind, member)                 \
  static void default_##kind(pc_any_def* def)  \
  {                                            \
    def->member = pc_default_##member##_def(); \
  }
#define ADDER(kind, member)                                                             \
  static pc_status add_##kind(pc_system* system, const pc_any_def* def, pc_part_id* id, \
                              pc_error* error)                                          \
  {                                                                                     \
    (void)id;                                                                           \
    return pc_add_##kind(system, &def->member, error);                                  \
  }
/* The same for what has an id of its own kind, joints and contacts: names serve here. */
#define NAMED_ADDER(kind, member)                                                       \
  static pc_status add_##kind(pc_system* system, const pc_any_def* def, pc_part_id* id, \
                              pc_error* error)                                          \
  {                                                                                     \
    (void)id;                                                                           \
    return pc_add_##kind(system, &def->member, NULL, error);                            \
  }

/* --- bodies --------------------------------------------------------------------------------- */

#define KIND_ROW                                                            \
  {                                                                         \
    "kind", PC_FIELD_WORD, 0, PC_ANY, "rigid, point, bar or beam", "rigid", \
        "what kind of body it is", NULL                                     \
  }

/* What pc_read_body reads besides. */
#define SHAPE_ROWS                                                                               \
  ROW("shape", WORD, "shape", ANY, mass, "none", "its shape, for contacts that are found"),      \
      ROW("shapes", WORD, "list of shapes", ANY, mass, "none", "several of them"),               \
      ROW("density", WORD, "positive number [kg/m^3], in the plane [kg/m^2]", ANY, mass, "none", \
          "of its shapes, from which its mass and inertia then follow"),                         \
      ROW("material", WORD, "name of a material", ANY, mass, "default", "that of its shapes"),   \
      ROW("group", WORD, "name or list of names", ANY, mass, "default", "that of its shapes"),   \
      ROW("meets", WORD, "name or list of names", ANY, mass, "all", "that of its shapes"),       \
      ROW("fixed", WORD, "true or false", ANY, mass, "false", "true: it is a part of the ground")

#define DEF pc_body_def
static const pc_field rigid_fields[] = {
    KIND_ROW,
    ROW("mass", NUMBER, "positive number [kg]", POSITIVE, mass, "from its shapes",
        "mass of the body"),
    ROW("inertia", NUMBER, "positive number [kg m^2]", POSITIVE, inertia, "from its shapes",
        "moment of inertia about the centre of mass"),
    ROW("position", VECTOR, "vector [m]", ANY, position, "[0, 0]",
        "centre of mass at the start, which is the origin of the body's frame"),
    ROW("angle", NUMBER, "number [rad]", ANY, angle, "0", "angle of the body's frame at the start"),
    ROW("velocity", VECTOR, "vector [m/s]", ANY, velocity, "[0, 0]",
        "velocity of the centre of mass at the start"),
    ROW("spin", NUMBER, "number [rad/s]", ANY, spin, "0", "angular velocity at the start"),
    SHAPE_ROWS,
    END};
#undef DEF

#define DEF pc_spatial_body_def
static const pc_field spatial_fields[] = {
    KIND_ROW,
    ROW("mass", NUMBER, "positive number [kg]", POSITIVE, mass, "from its shapes",
        "mass of the body"),
    ROW("inertia", INERTIA, "3 or 6 numbers, or 3 rows of 3 [kg m^2]", ANY, inertia,
        "from its shapes",
        "[xx, yy, zz], [xx, yy, zz, xy, xz, yz] or the matrix, about the centre of mass, in the "
        "body's frame"),
    ROW("position", VECTOR, "vector [m]", ANY, position, "[0, 0, 0]",
        "centre of mass at the start, which is the origin of the body's frame"),
    ROW("orientation", TURN, "quaternion [w, x, y, z], or {axis, angle}", ANY, orientation,
        "[1, 0, 0, 0]",
        "turn of the body's frame at the start; a quaternion may have any length but 0"),
    ROW("velocity", VECTOR, "vector [m/s]", ANY, velocity, "[0, 0, 0]",
        "velocity of the centre of mass at the start, in the inertial frame"),
    ROW("angular_velocity", VECTOR, "vector [rad/s]", ANY, angular_velocity, "[0, 0, 0]",
        "angular velocity at the start, in the body's frame"),
    SHAPE_ROWS,
    END};
#undef DEF

#define DEF pc_point_mass_def
static const pc_field point_fields[] = {
    KIND_ROW,
    ROW("mass", NUMBER, "positive number [kg]", POSITIVE, mass, "from its shapes",
        "mass of the point"),
    ROW("position", VECTOR, "vector [m]", ANY, position, "zero", "position at the start"),
    ROW("velocity", VECTOR, "vector [m/s]", ANY, velocity, "zero", "velocity at the start"),
    SHAPE_ROWS,
    END};
#undef DEF

#define DEF pc_bar_def
static const pc_field bar_fields[] = {
    KIND_ROW,
    ROW("elements", COUNT, "whole number from 1 on", ANY, elements, NULL,
        "how many finite elements it is made of"),
    ROW("root", VECTOR, "vector [m]", ANY, root, NULL, "one end at the start, without strain"),
    ROW("tip", VECTOR, "vector [m]", ANY, tip, NULL, "the other end, on either side of the root"),
    ROW("area", NUMBER, "positive number [m^2]", POSITIVE, area, NULL, "area of the cross section"),
    ROW("density", NUMBER, "positive number [kg/m^3]", POSITIVE, density, NULL, "mass per volume"),
    ROW("modulus", NUMBER, "positive number [Pa]", POSITIVE, modulus, NULL, "Young's modulus"),
    ROW("velocity", VECTOR, "vector [m/s]", ANY, velocity, "zero",
        "velocity of the whole bar at the start"),
    END};
#undef DEF

#define DEF pc_beam_def
#define BEAM_PLACE_ROWS                                                                           \
  ROW("elements", COUNT, "whole number from 1 on", ANY, elements, NULL,                           \
      "how many finite elements it is made of"),                                                  \
      ROW("nodes", COUNT, "2 or 3", ANY, nodes, "2", "how many nodes an element has"),            \
      ROW("root", VECTOR, "vector [m]", ANY, root, NULL, "one end at the start, without strain"), \
      ROW("tip", VECTOR, "vector [m]", ANY, tip, NULL, "the other end")
#define BEAM_MATERIAL_ROWS                                                                        \
  ROW("density", NUMBER, "positive number [kg/m^3]", POSITIVE, density, NULL, "mass per volume"), \
      ROW("modulus", NUMBER, "positive number [Pa]", POSITIVE, modulus, NULL,                     \
          "Young's modulus E"),                                                                   \
      ROW("poisson", NUMBER, "number above -1, at most 0.5", ANY, poisson, "0.3",                 \
          "Poisson's ratio: the shear modulus is E/(2 (1 + poisson))"),                           \
      ROW("shear_factor", NUMBER, "positive number", POSITIVE, shear_factor, "5/6",               \
          "share of the area that resists shear"),                                                \
      ROW("damping", NUMBER, "number, not negative [s]", NOT_NEGATIVE, damping, "0",              \
          "stress per rate of strain, over stress per strain"),                                   \
      ROW("velocity", VECTOR, "vector [m/s]", ANY, velocity, "zero",                              \
          "velocity of the root at the start")
static const pc_field beam_fields[] = {
    KIND_ROW,
    BEAM_PLACE_ROWS,
    ROW("turn", NUMBER, "number [rad]", ANY, turn, "0",
        "how far the beam turns left from root to tip at the start, along an arc; 0: straight"),
    ROW("area", NUMBER, "positive number [m^2]", POSITIVE, area, NULL,
        "area A of the cross section"),
    ROW("inertia", NUMBER, "positive number [m^4]", POSITIVE, inertia, NULL,
        "second moment I of the cross section, for bending in the plane"),
    BEAM_MATERIAL_ROWS,
    ROW("spin", NUMBER, "number [rad/s]", ANY, spin[2], "0",
        "angular velocity of the whole beam at the start, about its root"),
    END};
static const pc_field spatial_beam_fields[] = {
    KIND_ROW,
    BEAM_PLACE_ROWS,
    ROW("up", VECTOR, "vector", ANY, up, "[0, 0, 1]",
        "not along the beam; its part across the beam is the third axis of the cross sections, of "
        "which the first is along the beam"),
    ROW("turn", NUMBER, "number [rad]", ANY, turn, "0",
        "how far the beam turns about `up` from root to tip at the start, along an arc; 0: "
        "straight"),
    ROW("area", NUMBER, "positive number [m^2]", POSITIVE, area, NULL,
        "area A of the cross section"),
    ROW("inertia", NUMBER, "positive number [m^4]", POSITIVE, inertia, NULL,
        "second moment of the cross section about its third axis, for bending across `up`"),
    ROW("inertia_2", NUMBER, "positive number [m^4]", POSITIVE, inertia_2, "as inertia",
        "second moment about the second axis, for bending towards `up`"),
    ROW("torsion", NUMBER, "positive number [m^4]", POSITIVE, torsion, "inertia + inertia_2",
        "torsion constant of the cross section"),
    BEAM_MATERIAL_ROWS,
    ROW("spin", VECTOR, "vector [rad/s]", ANY, spin, "zero",
        "angular velocity of the whole beam at the start, about its root, in the inertial frame"),
    END};
#undef DEF

DEFAULTS(body, body)
static pc_status add_body(pc_system* system, const pc_any_def* def, pc_part_id* id, pc_error* error)
{
  return pc_add_body(system, &def->body, id, error);
}

DEFAULTS(spatial_body, spatial_body)
static pc_status add_spatial_body(pc_system* system, const pc_any_def* def, pc_part_id* id,
                                  pc_error* error)
{
  return pc_add_spatial_body(system, &def->spatial_body, id, error);
}

DEFAULTS(point_mass, point_mass)
static pc_status add_point_mass(pc_system* system, const pc_any_def* def, pc_part_id* id,
                                pc_error* error)
{
  return pc_add_point_mass(system, &def->point_mass, id, error);
}

DEFAULTS(bar, bar)
static pc_status add_bar(pc_system* system, const pc_any_def* def, pc_part_id* id, pc_error* error)
{
  return pc_add_bar(system, &def->bar, id, error);
}

DEFAULTS(beam, beam)
static pc_status add_beam(pc_system* system, const pc_any_def* def, pc_part_id* id, pc_error* error)
{
  return pc_add_beam(system, &def->beam, id, error);
}

/* --- joints --------------------------------------------------------------------------------- */

#define DEF pc_joint_def
#define BODIES_ROW \
  ROW("bodies", BODIES, "two names of bodies", ANY, part, NULL, "the two bodies that are joined")
#define JOINT_POINTS_ROW                                            \
  ROW("points", POINTS, "two points of bodies", ANY, point, "none", \
      "instead of bodies and at: a point of each body; assemble: true brings them together")
static const pc_field revolute_fields[] = {
    BODIES_ROW, JOINT_POINTS_ROW,
    ROW("at", VECTOR, "vector [m]", ANY, at, NULL,
        "the point they share, in the inertial frame at the start"),
    END};
static const pc_field spatial_revolute_fields[] = {
    BODIES_ROW, JOINT_POINTS_ROW,
    ROW("at", VECTOR, "vector [m]", ANY, at, NULL,
        "a point of the axis, in the inertial frame at the start"),
    ROW("axis", VECTOR, "vector", ANY, axis, NULL, "the direction of the axis, likewise"), END};
static const pc_field prismatic_fields[] = {
    BODIES_ROW, JOINT_POINTS_ROW,
    ROW("at", VECTOR, "vector [m]", ANY, at, "zero",
        "a point of the line of sliding, in the inertial frame at the start"),
    ROW("axis", VECTOR, "vector", ANY, axis, NULL,
        "the direction of sliding at the start; it turns with the first body"),
    END};
static const pc_field cylindrical_fields[] = {
    BODIES_ROW, JOINT_POINTS_ROW,
    ROW("at", VECTOR, "vector [m]", ANY, at, NULL,
        "a point of the axis, in the inertial frame at the start"),
    ROW("axis", VECTOR, "vector", ANY, axis, NULL,
        "the direction of sliding and turning, likewise; it turns with the first body"),
    END};
static const pc_field planar_fields[] = {
    BODIES_ROW,
    ROW("at", VECTOR, "vector [m]", ANY, at, "zero",
        "a point of the plane, in the inertial frame at the start"),
    ROW("normal", VECTOR, "vector", ANY, axis, NULL,
        "the normal of the plane, likewise; it turns with the first body"),
    END};
static const pc_field universal_fields[] = {
    BODIES_ROW,
    JOINT_POINTS_ROW,
    ROW("at", VECTOR, "vector [m]", ANY, at, NULL,
        "the point they share, in the inertial frame at the start"),
    ROW("axis", VECTOR, "vector", ANY, axis, NULL,
        "the axis of the cross that is fixed in the first body, likewise"),
    ROW("second_axis", VECTOR, "vector", ANY, second_axis, NULL,
        "that in the second body, at right angles to the first"),
    END};
static const pc_field fixed_fields[] = {BODIES_ROW, END};
#undef DEF

#define DEF pc_distance_def
static const pc_field distance_fields[] = {ROW("points", POINTS, "two points of bodies", ANY, point,
                                               NULL, "the two points that keep their distance"),
                                           ROW("length", NUMBER, "positive number [m]", POSITIVE,
                                               length, "as at the start", "the distance"),
                                           END};
#undef DEF

#define DEF pc_skate_def
#define SKATE_ROWS                                                                \
  ROW("point", POINT, "point of a body", ANY, point, NULL, "where the blade is"), \
      ROW("along", VECTOR, "vector", ANY, along, NULL,                            \
          "the direction of the blade, in the body's frame: the point moves along it alone")
static const pc_field skate_fields[] = {SKATE_ROWS, END};
static const pc_field spatial_skate_fields[] = {
    SKATE_ROWS,
    ROW("normal", VECTOR, "vector", ANY, normal, "[0, 0, 1]", "of the ice, in the inertial frame"),
    END};
#undef DEF

#define DEF pc_plane
static const pc_field plane_fields[] = {ROW("plane.part", BODY, "name of a body", ANY, part,
                                            "ground", "the body that carries the plane"),
                                        ROW("plane.point", VECTOR, "vector [m]", ANY, point, NULL,
                                            "a point of the surface, in its frame"),
                                        ROW("plane.normal", VECTOR, "vector", ANY, normal, NULL,
                                            "out of the material, in its frame; of any length"),
                                        END};
#undef DEF

#define DEF pc_rolling_def
static const pc_field rolling_fields[] = {
    ROW("disc", POINT, "point of a body", ANY, centre, NULL, "the centre of the disc"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "its radius"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"), END};
static const pc_field spatial_rolling_fields[] = {
    ROW("centre", POINT, "point of a body", ANY, centre, NULL,
        "the centre of the sphere, or of the thin disc"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "its radius"),
    ROW("axis", VECTOR, "vector", ANY, axis, "none: a sphere",
        "the axis of a thin disc, in the body's frame"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"), END};
#undef DEF

/* Restitution can depend on the speed of an impact. */
#define RESTITUTION(help)                                                                      \
  {                                                                                            \
    "restitution", PC_FIELD_LAW, offsetof(DEF, law), PC_ANY, "number from 0 to 1, or mapping", \
        "0", help ", or {value, above}", pc_restitution_fields                                 \
  }

#define DEF pc_coupling_def
static const pc_field gear_fields[] = {
    ROW("joints", JOINTS, "two names of joints", ANY, joint, NULL,
        "the two joints whose angles are coupled"),
    ROW("teeth", PAIR, "two positive numbers", POSITIVE, pair, "none",
        "whole numbers of teeth: teeth1 angle1 + teeth2 angle2 stays 0"),
    ROW("internal", FLAG, "true or false", ANY, opposite, "false",
        "with teeth: whether the wheels turn the same way"),
    ROW("ratio", NUMBER, "number", ANY, ratio, "none", "instead of teeth: angle2 = ratio angle1"),
    ROW("backlash", NUMBER, "number, not negative [rad]", NOT_NEGATIVE, backlash, "0",
        "play, as an angle of the second wheel: with it there are two contacts instead of a row"),
    RESTITUTION("with backlash: Newton's coefficient of the teeth"),
    END};
static const pc_field belt_fields[] = {
    ROW("joints", JOINTS, "two names of joints", ANY, joint, NULL,
        "the two joints whose angles are coupled"),
    ROW("radii", PAIR, "two positive numbers [m]", POSITIVE, pair, NULL,
        "of the pulleys: radius1 angle1 = radius2 angle2"),
    ROW("crossed", FLAG, "true or false", ANY, opposite, "false",
        "whether the pulleys turn opposite ways"),
    END};
static const pc_field rack_fields[] = {
    ROW("joints", JOINTS, "two names of joints", ANY, joint, NULL,
        "the joint of the pinion, with an angle, and that of the rack, with a displacement"),
    ROW("radius", NUMBER, "number [m]", ANY, radius, NULL,
        "displacement = radius angle; negative: the other way"),
    ROW("backlash", NUMBER, "number, not negative [m]", NOT_NEGATIVE, backlash, "0",
        "play of the rack: with it there are two contacts instead of a row"),
    RESTITUTION("with backlash: Newton's coefficient of the teeth"), END};
#undef DEF

#define DEF pc_screw_def
static const pc_field screw_fields[] = {
    ROW("bodies", BODIES, "two names of bodies", ANY, joint.part, NULL,
        "the two bodies that are joined"),
    ROW("at", VECTOR, "vector [m]", ANY, joint.at, NULL,
        "a point of the axis, in the inertial frame at the start"),
    ROW("axis", VECTOR, "vector", ANY, joint.axis, NULL,
        "the direction of sliding and turning, likewise; it turns with the first body"),
    ROW("pitch", NUMBER, "number [m]", ANY, pitch, NULL,
        "displacement per turn; negative: a left-handed thread"),
    END};
#undef DEF

static void default_coupling(pc_any_def* def)
{
  def->coupling = (pc_coupling_def){.law = pc_default_contact_law(), .ratio = NAN};
}

static void default_screw(pc_any_def* def)
{
  def->screw = (pc_screw_def){.joint = pc_default_joint_def()};
}

DEFAULTS(joint, joint)
DEFAULTS(distance, distance)
NAMED_ADDER(revolute, joint)
NAMED_ADDER(prismatic, joint)
NAMED_ADDER(fixed, joint)
NAMED_ADDER(universal, joint)
NAMED_ADDER(cylindrical, joint)
NAMED_ADDER(planar, joint)
NAMED_ADDER(distance, distance)
DEFAULTS(skate, skate)
DEFAULTS(rolling, rolling)
NAMED_ADDER(spherical, joint)
NAMED_ADDER(skate, skate)
NAMED_ADDER(rolling, rolling)

/* --- forces --------------------------------------------------------------------------------- */

#define DEF pc_spring_def
static const pc_field spring_fields[] = {
    ROW("points", POINTS, "two points of bodies", ANY, point, NULL, "the two ends"),
    ROW("stiffness", NUMBER, "number, not negative [N/m]", NOT_NEGATIVE, stiffness, "0",
        "force per elongation"),
    ROW("damping", NUMBER, "number, not negative [N s/m]", NOT_NEGATIVE, damping, "0",
        "force per rate of elongation"),
    ROW("length", NUMBER, "number, not negative [m]", NOT_NEGATIVE, length, "as at the start",
        "length without force"),
    END};
#undef DEF

#define DEF pc_rotational_spring_def
static const pc_field rotational_spring_fields[] = {
    ROW("bodies", BODIES, "two names of bodies", ANY, part, NULL,
        "the two bodies; the angle is that of the second relative to the first"),
    ROW("stiffness", NUMBER, "number, not negative [N m/rad]", NOT_NEGATIVE, stiffness, "0",
        "torque per angle"),
    ROW("damping", NUMBER, "number, not negative [N m s/rad]", NOT_NEGATIVE, damping, "0",
        "torque per rate of the angle"),
    ROW("angle", NUMBER, "number [rad]", ANY, angle, "0", "relative angle without torque"), END};
static const pc_field spatial_rotational_spring_fields[] = {
    ROW("bodies", BODIES, "two names of bodies", ANY, part, NULL,
        "the two bodies; the angle is that of the second relative to the first"),
    ROW("axis", VECTOR, "vector", ANY, axis, NULL,
        "the axis about which they turn, as that of their revolute joint: inertial frame, at the "
        "start"),
    ROW("stiffness", NUMBER, "number, not negative [N m/rad]", NOT_NEGATIVE, stiffness, "0",
        "torque per angle"),
    ROW("damping", NUMBER, "number, not negative [N m s/rad]", NOT_NEGATIVE, damping, "0",
        "torque per rate of the angle"),
    ROW("angle", NUMBER, "number from -2 pi to 2 pi [rad]", ANY, angle, "0",
        "angle without torque; 0 is that of the start"),
    END};
#undef DEF

#define DEF pc_moving_force_def
#define FRAME_ROW                                            \
  ROW("frame", BODY, "name of a body", ANY, frame, "ground", \
      "the body in whose frame the components are; the ground is the inertial frame")
static const pc_field force_fields[] = {
    ROW("point", POINT, "point of a body", ANY, point, NULL, "where it acts"),
    ROW("value", VECTOR_FORMULA, "vector of formulas [N]", ANY, value, NULL, "its components"),
    FRAME_ROW,
    ROW("reaction", POINT, "point of a body", ANY, reaction, "none", "where its opposite acts"),
    END};
#undef DEF

#define DEF pc_moving_torque_def
static const pc_field torque_fields[] = {
    ROW("body", BODY, "name of a body", ANY, part, NULL, "the body it acts on"),
    ROW("value", FORMULA, "formula [N m]", ANY, value, NULL, "the torque"),
    ROW("reaction", BODY, "name of a body", ANY, reaction, "none",
        "the body that its opposite acts on"),
    END};
static const pc_field spatial_torque_fields[] = {
    ROW("body", BODY, "name of a body", ANY, part, NULL, "the body it acts on"),
    ROW("value", VECTOR_FORMULA, "vector of formulas [N m]", ANY, value, NULL,
        "the torque's components"),
    ROW("in_body_frame", FLAG, "true or false", ANY, in_body_frame, "false",
        "whether they are in the frame of that body or in the one that `frame` names"),
    FRAME_ROW,
    ROW("reaction", BODY, "name of a body", ANY, reaction, "none",
        "the body that its opposite acts on"),
    END};
#undef DEF

#define DEF pc_line_force_def
static const pc_field line_force_fields[] = {
    ROW("points", POINTS, "two points of bodies", ANY, point, NULL, "the two ends"),
    ROW("value", FORMULA, "formula [N]", ANY, value, NULL,
        "the force, positive when it draws the points together; it may use `length` and its rate "
        "`speed`"),
    END};
#undef DEF

#define DEF pc_bushing_def
#define BUSHING_ROWS                                                                       \
  ROW("bodies", BODIES, "two names of bodies", ANY, joint.part, NULL,                      \
      "the two bodies that it holds"),                                                     \
      ROW("at", VECTOR, "vector [m]", ANY, joint.at, NULL,                                 \
          "where it is, in the inertial frame at the start"),                              \
      ROW("stiffness", VECTOR_FORMULA, "vector of formulas [N/m]", ANY, stiffness, "zero", \
          "force per displacement along the axes of the first body"),                      \
      ROW("damping", VECTOR_FORMULA, "vector of formulas [N s/m]", ANY, damping, "zero",   \
          "force per velocity, likewise")
static const pc_field bushing_fields[] = {
    BUSHING_ROWS,
    ROW("angular_stiffness", FORMULA, "formula [N m/rad]", ANY, angular_stiffness, "0",
        "torque per angle"),
    ROW("angular_damping", FORMULA, "formula [N m s/rad]", ANY, angular_damping, "0",
        "torque per rate of the angle"),
    END};
static const pc_field spatial_bushing_fields[] = {
    BUSHING_ROWS,
    ROW("angular_stiffness", VECTOR_FORMULA, "vector of formulas [N m/rad]", ANY, angular_stiffness,
        "zero", "torque per angle about the axes of the first body"),
    ROW("angular_damping", VECTOR_FORMULA, "vector of formulas [N m s/rad]", ANY, angular_damping,
        "zero", "torque per angular velocity, likewise"),
    END};
#undef DEF

static void default_bushing(pc_any_def* def)
{
  def->bushing = (pc_bushing_def){.joint = pc_default_joint_def()};
}

static void default_force(pc_any_def* def)
{
  def->force = (pc_moving_force_def){
      .point.part = PC_GROUND, .frame = PC_GROUND, .reaction.part = PC_GROUND};
}

static void default_torque(pc_any_def* def)
{
  def->torque =
      (pc_moving_torque_def){.part = PC_GROUND, .frame = PC_GROUND, .reaction = PC_GROUND};
}

static void default_line_force(pc_any_def* def)
{
  def->line_force = (pc_line_force_def){.point = {{PC_GROUND, {0}}, {PC_GROUND, {0}}}};
}

DEFAULTS(spring, spring)
DEFAULTS(rotational_spring, rotational_spring)
ADDER(spring, spring)
ADDER(rotational_spring, rotational_spring)

#define DEF pc_joint_friction_def
static const pc_field joint_friction_fields[] = {
    ROW("joint", JOINT, "name of a joint", ANY, joint, NULL, "the joint"),
    ROW("coordinate", FORMULA, "angle or displacement", ANY, coordinate,
        "angle, displacement if there is none", "the coordinate whose motion is resisted"),
    ROW("bound", FORMULA, "formula [N m] or [N]", ANY, bound, "0",
        "the largest torque or force of friction, with which it holds: static friction, as of a "
        "preload"),
    ROW("kinetic", FORMULA, "formula [N m] or [N]", ANY, kinetic, "as bound",
        "what is left of it at speed: kinetic friction"),
    ROW("mu", NUMBER, "number, not negative", NOT_NEGATIVE, mu, "0",
        "coefficient of static friction under the joint's own load, which is added to the bound: "
        "mu radius force for an angle, mu force for a displacement"),
    ROW("mu_kinetic", NUMBER, "number, not negative", NOT_NEGATIVE, mu_kinetic, "as mu",
        "coefficient of kinetic friction"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, "none",
        "of the bearing; needed with mu and an angle"),
    ROW("stribeck", NUMBER, "positive number [rad/s] or [m/s]", POSITIVE, stribeck, "none",
        "the speed at which 1/e of the difference of static and kinetic friction is left; needed "
        "with kinetic and mu_kinetic"),
    END};
#undef DEF

static void default_joint_friction(pc_any_def* def)
{
  def->joint_friction =
      (pc_joint_friction_def){.joint = -1, .mu = NAN, .mu_kinetic = NAN, .radius = NAN};
}

/* --- drives and limits ---------------------------------------------------------------------- */

#define DEF pc_drive_def
#define VALUE(key, number, unit, help) \
  ROW(key, FORMULA, "formula" unit, ANY, value[number], "none", help)
static const pc_field drive_fields[] = {
    ROW("joint", JOINT, "name of a joint", ANY, joint, "none", "the joint that is driven"),
    ROW("body", BODY, "name of a body", ANY, body, "none",
        "the body that is driven, if it is not a joint"),
    VALUE("angle", 0, " [rad]", "what the joint's angle is, counted from the start"),
    VALUE("rate", 1, " [rad/s]", "what the joint's rate is"),
    VALUE("displacement", 2, " [m]", "what the joint's displacement is, counted from the start"),
    VALUE("speed", 3, " [m/s]", "what the joint's speed is"),
    VALUE("torque", 4, " [N m]",
          "a motor: the torque on the second body, its opposite on the first"),
    VALUE("force", 5, " [N]", "a motor: the force on the second body, its opposite on the first"),
    VALUE("vx", 6, " [m/s]", "what the body's velocity is along x"),
    VALUE("vy", 7, " [m/s]", "along y"),
    VALUE("vz", 8, " [m/s]", "along z"),
    VALUE("spin", 9, " [rad/s]", "what its angular velocity is, in the plane"),
    VALUE("wx", 10, " [rad/s]", "in space: about the x axis of its frame"),
    VALUE("wy", 11, " [rad/s]", "about y"),
    VALUE("wz", 12, " [rad/s]", "about z"),
    ROW("sample", NUMBER, "positive number [s]", POSITIVE, sample, "none",
        "of a motor: its formula is computed at multiples of this time and held in between"),
    ROW("delay", NUMBER, "number, not negative [s]", NOT_NEGATIVE, delay, "0",
        "with sample: how much later a value acts, a multiple of sample"),
    END};
#undef DEF

static void default_drive(pc_any_def* def)
{
  def->drive = (pc_drive_def){.joint = -1, .body = PC_GROUND};
}

static void default_limit(pc_any_def* def)
{
  def->limit = (pc_limit_def){
      .law = pc_default_contact_law(), .joint = -1, .min = NAN, .max = NAN, .radius = NAN};
}

/* --- contacts ------------------------------------------------------------------------------- */

#define RESTITUTION_ROWS                                                                     \
  RESTITUTION("Newton's coefficient in the normal direction"),                               \
      ROW("restitution_tangential", NUMBER, "number from 0 to 1", FROM_0_TO_1, law.e_F, "0", \
          "Newton's coefficient in the tangential direction"),                               \
      END
/* Friction can be a law of several numbers. */
#define FRICTION(names, table)                                                                \
  {                                                                                           \
    "friction", PC_FIELD_LAW, offsetof(DEF, law), PC_ANY, "number, not negative, or mapping", \
        "none",                                                                               \
        "coefficient of Coulomb friction, or " names                                          \
        "; without it there are no friction "                                                 \
        "rows at all",                                                                        \
        table                                                                                 \
  }
#define COMPLIANCE                                                                         \
  {                                                                                        \
    "compliance", PC_FIELD_GROUP, offsetof(DEF, law), PC_ANY, "mapping", "none",           \
        "the contact is a force: {stiffness, exponent, damping, dissipation, slip_speed}", \
        compliance_fields                                                                  \
  }
#define LAW_ROWS \
  FRICTION("{mu, mu_kinetic, stribeck}", friction_fields), COMPLIANCE, RESTITUTION_ROWS
#define SPATIAL_LAW_ROWS                                                                       \
  FRICTION("{mu, mu_kinetic, stribeck, contact_radius}", spatial_friction_fields), COMPLIANCE, \
      RESTITUTION_ROWS

#define DEF pc_contact_law
static const pc_field compliance_fields[] = {
    ROW("compliance.stiffness", NUMBER, "positive number [N/m^exponent]", POSITIVE,
        compliance.stiffness, NULL, "k of the force k d^n (1 + a d') + c d' at the depth d"),
    ROW("compliance.exponent", NUMBER, "number from 1 on", ANY, compliance.exponent, "1",
        "n: 1 is a linear spring, 3/2 Hertz' law"),
    ROW("compliance.damping", NUMBER, "number, not negative [N s/m]", NOT_NEGATIVE,
        compliance.damping, "0", "c, of a linear damper"),
    ROW("compliance.dissipation", NUMBER, "number, not negative [s/m]", NOT_NEGATIVE,
        compliance.dissipation, "0", "a, of Hunt and Crossley"),
    ROW("compliance.slip_speed", NUMBER, "positive number [m/s]", POSITIVE, compliance.slip_speed,
        "none",
        "needed with friction, which is mu f s/sqrt(s^2 + slip_speed^2) at the sliding speed s"),
    END};
#undef DEF

#define DEF pc_contact_law
#define FRICTION_ROWS                                                                           \
  ROW("friction.mu", NUMBER, "number, not negative", NOT_NEGATIVE, mu, NULL,                    \
      "coefficient of Coulomb friction; with stribeck that at rest"),                           \
      ROW("friction.mu_kinetic", NUMBER, "number, not negative", NOT_NEGATIVE, mu_kinetic, "0", \
          "with stribeck: the coefficient at speed"),                                           \
      ROW("friction.stribeck", NUMBER, "positive number [m/s]", POSITIVE, stribeck, "none",     \
          "the sliding speed at which 1/e of the difference of the two is left")
static const pc_field friction_fields[] = {FRICTION_ROWS, END};
static const pc_field spatial_friction_fields[] = {
    FRICTION_ROWS,
    ROW("friction.contact_radius", NUMBER, "positive number [m]", POSITIVE, contact_radius, "none",
        "in space: radius of the circle in which the bodies touch; friction then resists drilling "
        "too (Coulomb-Contensou)"),
    END};
#undef DEF

/* --- limits --------------------------------------------------------------------------------- */

#define DEF pc_limit_def
static const pc_field limit_fields[] = {
    ROW("joint", JOINT, "name of a joint", ANY, joint, NULL, "the joint"),
    ROW("coordinate", FORMULA, "angle or displacement", ANY, coordinate,
        "angle, displacement if there is none", "the coordinate that is limited"),
    ROW("min", NUMBER, "number [rad] or [m]", ANY, min, "none",
        "the lowest value, counted from the start"),
    ROW("max", NUMBER, "number [rad] or [m]", ANY, max, "none", "the highest one"),
    FRICTION("{mu, mu_kinetic, stribeck}", friction_fields),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, "none",
        "with friction: how far from the axis the faces of the stop touch"),
    RESTITUTION("Newton's coefficient of the stops"),
    END};
#undef DEF

/* Read by pc_read_rolling_friction. */
#define ARM_ROW(key, help)                                                   \
  {                                                                          \
    key, PC_FIELD_WORD, 0, PC_ANY, "positive number [m]", "none", help, NULL \
  }
#define ROLLING_ROW                                                                 \
  ARM_ROW("rolling",                                                                \
          "arm of rolling resistance: its torque is at most this times the normal " \
          "force")
#define DRILLING_ROW \
  ARM_ROW("drilling", "likewise for turning about the normal, whatever friction does")

#define DEF pc_disc_plane_def
static const pc_field point_plane_fields[] = {
    ROW("point", POINT, "point of a body", ANY, centre, NULL, "the point"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"), SPATIAL_LAW_ROWS};
static const pc_field disc_plane_fields[] = {
    ROW("disc", POINT, "point of a body", ANY, centre, NULL, "the centre of the disc"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "radius of the disc"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"), ROLLING_ROW, LAW_ROWS};
static const pc_field sphere_plane_fields[] = {
    ROW("sphere", POINT, "point of a body", ANY, centre, NULL, "the centre of the sphere"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "radius of the sphere"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"),
    ROLLING_ROW,
    DRILLING_ROW,
    SPATIAL_LAW_ROWS};
#undef DEF

#define DEF pc_edge_plane_def
static const pc_field edge_plane_fields[] = {
    ROW("disc", POINT, "point of a body", ANY, centre, NULL, "the centre of the disc"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "radius of the disc"),
    ROW("axis", VECTOR, "vector", ANY, axis, NULL, "axis of the disc, in the body's frame"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"), SPATIAL_LAW_ROWS};
#undef DEF

#define DEF pc_ellipsoid_plane_def
static const pc_field ellipsoid_plane_fields[] = {
    ROW("ellipsoid", POINT, "point of a body", ANY, centre, NULL, "the centre of the ellipsoid"),
    ROW("semi_axes", VECTOR, "vector [m]", ANY, semi_axes, NULL,
        "semi-axes along the axes of the body's frame, positive"),
    GROUP("plane", plane_fields, plane, "the plane: {part, point, normal}"),
    ROLLING_ROW,
    DRILLING_ROW,
    SPATIAL_LAW_ROWS};
#undef DEF

#define DEF pc_arc_contact_def
/* The groups hold their fields at their places in the whole definition. */
#define SURFACE(key, table, help)                                \
  {                                                              \
    key, PC_FIELD_GROUP, 0, PC_ANY, "mapping", NULL, help, table \
  }
#define ARC_ROWS                                                                              \
  ROW("arc", POINT, "point of a body", ANY, centre, NULL, "the centre of the circle or arc"), \
      ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "its radius"),     \
      ROW("axis", VECTOR, "vector", ANY, axis, NULL, "its axis, in the body's frame"),        \
      ROW("from", VECTOR, "vector", ANY, from, "anywhere",                                    \
          "where an arc begins, as seen from its centre; across the axis"),                   \
      ROW("angle", NUMBER, "positive number [rad]", POSITIVE, angle, "a circle",              \
          "how far the arc goes about its axis"),                                             \
      ROW("offset", NUMBER, "number [m]", ANY, offset, "0", "subtracted from the distance")
#define CYLINDER_ROWS(name)                                                                      \
  ROW(name ".part", BODY, "name of a body", ANY, part, "ground", "the body that carries it"),    \
      ROW(name ".point", VECTOR, "vector [m]", ANY, surface_point, "zero",                       \
          "a point of its axis, in that frame"),                                                 \
      ROW(name ".axis", VECTOR, "vector", ANY, surface_axis, NULL, "the direction of its axis"), \
      ROW(name ".radius", NUMBER, "positive number [m]", POSITIVE, surface_radius, NULL,         \
          "its radius")
static const pc_field cylinder_fields[] = {
    CYLINDER_ROWS("cylinder"),
    ROW("cylinder.from", VECTOR, "vector", ANY, surface_second, "anywhere",
        "where the round face begins, as seen from the axis; across it"),
    ROW("cylinder.angle", NUMBER, "positive number [rad]", POSITIVE, surface_angle, "all round",
        "how far it goes about the axis, at most pi; its sides go to the axis"),
    END};
static const pc_field bore_fields[] = {CYLINDER_ROWS("bore"), END};
static const pc_field face_fields[] = {
    ROW("face.part", BODY, "name of a body", ANY, part, "ground", "the body that carries it"),
    ROW("face.centre", VECTOR, "vector [m]", ANY, surface_point, NULL, "its centre, in that frame"),
    ROW("face.normal", VECTOR, "vector", ANY, surface_axis, NULL, "out of the material"),
    ROW("face.edge", VECTOR, "vector", ANY, surface_second, NULL,
        "along one edge; across the normal"),
    ROW("face.size", PAIR, "two positive numbers [m]", POSITIVE, size, NULL,
        "its lengths along that edge and across it"),
    END};
static const pc_field wedge_fields[] = {
    ROW("wedge.part", BODY, "name of a body", ANY, part, "ground", "the body that carries it"),
    ROW("wedge.point", VECTOR, "vector [m]", ANY, surface_point, NULL,
        "a point of the edge where the planes meet, in that frame"),
    ROW("wedge.normal", VECTOR, "vector", ANY, surface_axis, NULL,
        "of one plane, out of the material"),
    ROW("wedge.second_normal", VECTOR, "vector", ANY, surface_second, NULL,
        "of the other, at right angles to the first"),
    ROW("wedge.radius", NUMBER, "number, not negative [m]", NOT_NEGATIVE, surface_radius, "0",
        "radius of the rounding of the edge"),
    END};
static const pc_field arc_cylinder_fields[] = {
    ARC_ROWS,
    SURFACE("cylinder", cylinder_fields, "the cylinder: {part, point, axis, radius, from, angle}"),
    SPATIAL_LAW_ROWS};
static const pc_field arc_bore_fields[] = {
    ARC_ROWS, SURFACE("bore", bore_fields, "the bore: {part, point, axis, radius}"),
    SPATIAL_LAW_ROWS};
static const pc_field arc_face_fields[] = {
    ARC_ROWS, SURFACE("face", face_fields, "the face: {part, centre, normal, edge, size}"),
    SPATIAL_LAW_ROWS};
static const pc_field arc_wedge_fields[] = {
    ARC_ROWS,
    SURFACE("wedge", wedge_fields, "the wedge: {part, point, normal, second_normal, radius}"),
    SPATIAL_LAW_ROWS};
#undef DEF

#define DEF pc_clearance_def
#define CLEARANCE_ROWS(kinds, first, middle)                                                      \
  {"clearance", PC_FIELD_WORD, 0, PC_ANY, kinds, NULL, "what the joint would be without play",    \
   NULL},                                                                                         \
      ROW("bodies", BODIES, "two names of bodies", ANY, part, NULL, first),                       \
      ROW("points", POINTS, "two points of bodies", ANY, point, "none",                           \
          "instead of bodies and at: a point of each body; assemble: true brings them together"), \
      ROW("at", VECTOR, "vector [m]", ANY, at, NULL, middle)
#define PIN_ROWS                                                                                  \
  CLEARANCE_ROWS("revolute", "the body with the bore, and the one with the pin",                  \
                 "the middle of the joint, in the inertial frame at the start"),                  \
      ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "radius of the bore"), \
      ROW("play", NUMBER, "positive number [m]", POSITIVE, play, NULL,                            \
          "by how much the radius of the pin is less")
#define SLIDER_ROWS                                                                         \
  CLEARANCE_ROWS("prismatic", "the body with the guide, and the slider",                    \
                 "the middle of the slider, in the inertial frame at the start"),           \
      ROW("axis", VECTOR, "vector", ANY, axis, NULL, "the direction of sliding, likewise"), \
      ROW("length", NUMBER, "positive number [m]", POSITIVE, length, NULL,                  \
          "length of the slider"),                                                          \
      ROW("width", NUMBER, "positive number [m]", POSITIVE, width, NULL,                    \
          "its width, across the axis"),                                                    \
      ROW("play", NUMBER, "positive number [m]", POSITIVE, play, NULL,                      \
          "distance of the guide on each side")
static const pc_field clearance_fields[] = {PIN_ROWS, LAW_ROWS};
static const pc_field spatial_clearance_fields[] = {
    PIN_ROWS, ROW("axis", VECTOR, "vector", ANY, axis, NULL, "the direction of the axis, likewise"),
    ROW("length", NUMBER, "positive number [m]", POSITIVE, length, NULL, "length of the bore"),
    ROW("axial", NUMBER, "number, not negative [m]", NOT_NEGATIVE, axial, "0",
        "play along the axis between two collars of the pin; 0: no collars"),
    SPATIAL_LAW_ROWS};
static const pc_field slider_clearance_fields[] = {SLIDER_ROWS, LAW_ROWS};
static const pc_field spatial_slider_clearance_fields[] = {
    SLIDER_ROWS,
    ROW("across", VECTOR, "vector", ANY, second_axis, NULL,
        "the direction of the width, at right angles to the axis"),
    ROW("height", NUMBER, "positive number [m]", POSITIVE, height, NULL, "its height, across both"),
    SPATIAL_LAW_ROWS};
static const pc_field ball_clearance_fields[] = {
    CLEARANCE_ROWS("spherical", "the body with the socket, and the one with the ball",
                   "their common centre, in the inertial frame at the start"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius, NULL, "radius of the socket"),
    ROW("play", NUMBER, "positive number [m]", POSITIVE, play, NULL,
        "by how much the radius of the ball is less"),
    SPATIAL_LAW_ROWS};
#undef DEF

#define ARC_DEFAULTS(kind, what)                     \
  static void default_##kind(pc_any_def* def)        \
  {                                                  \
    def->arc_contact = pc_default_arc_contact_def(); \
    def->arc_contact.surface = what;                 \
  }
ARC_DEFAULTS(arc_cylinder, PC_SURFACE_CYLINDER)
ARC_DEFAULTS(arc_bore, PC_SURFACE_BORE)
ARC_DEFAULTS(arc_face, PC_SURFACE_FACE)
ARC_DEFAULTS(arc_wedge, PC_SURFACE_WEDGE)

#define DEF pc_disc_disc_def
static const pc_field disc_disc_fields[] = {
    ROW("disc", POINT, "point of a body", ANY, centre[0], NULL, "the centre of the first disc"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius[0], NULL,
        "radius of the first disc"),
    ROW("other", POINT, "point of a body", ANY, centre[1], NULL, "the centre of the second disc"),
    ROW("other_radius", NUMBER, "positive number [m]", POSITIVE, radius[1], NULL,
        "radius of the second disc"),
    ROW("inside", FLAG, "true or false", ANY, inside, "false",
        "whether the first moves inside the second"),
    ROLLING_ROW,
    LAW_ROWS};
static const pc_field sphere_sphere_fields[] = {
    ROW("sphere", POINT, "point of a body", ANY, centre[0], NULL, "the centre of the first sphere"),
    ROW("radius", NUMBER, "positive number [m]", POSITIVE, radius[0], NULL,
        "radius of the first sphere"),
    ROW("other", POINT, "point of a body", ANY, centre[1], NULL, "the centre of the second sphere"),
    ROW("other_radius", NUMBER, "positive number [m]", POSITIVE, radius[1], NULL,
        "radius of the second sphere"),
    ROW("inside", FLAG, "true or false", ANY, inside, "false",
        "whether the first moves inside the second"),
    ROLLING_ROW,
    DRILLING_ROW,
    SPATIAL_LAW_ROWS};
static const pc_field circle_fields[] = {
    ROW("circle.part", BODY, "name of a body", ANY, centre[1].part, "ground",
        "the body that carries the circle"),
    ROW("circle.centre", VECTOR, "vector [m]", ANY, centre[1].at, "zero",
        "its centre, in that frame"),
    ROW("circle.radius", NUMBER, "positive number [m]", POSITIVE, radius[1], NULL, "its radius"),
    ROW("circle.inside", FLAG, "true or false", ANY, inside, "true",
        "whether the point moves inside or outside"),
    END};
static const pc_field point_circle_fields[] = {
    ROW("point", POINT, "point of a body", ANY, centre[0], NULL, "the point"),
    {"circle", PC_FIELD_GROUP, 0, PC_ANY, "mapping", NULL,
     "the circle: {part, centre, radius, inside}", circle_fields},
    LAW_ROWS};
#undef DEF

#define DEF pc_point_curve_def
static const pc_field curve_fields[] = {
    ROW("curve.part", BODY, "name of a body", ANY, part, "ground",
        "the body that carries the curve"),
    ROW("curve.f", CURVE, "expression of x and y", ANY, curve, NULL,
        "zero on the curve and positive on the free side, in the frame of that body"),
    END};
static const pc_field point_curve_fields[] = {
    ROW("point", POINT, "point of a body", ANY, point, NULL, "the point"),
    {"curve", PC_FIELD_GROUP, 0, PC_ANY, "mapping", NULL, "the curve: {part, f}", curve_fields},
    LAW_ROWS};
#undef DEF

#define DEF pc_formula_contact_def
static const pc_field formula_contact_fields[] = {
    ROW("gap", FORMULA, "formula", ANY, gap, NULL, "the gap, of t and the coordinates"),
    ROW("slip", FORMULAS, "formula, or a list of them", ANY, slip, "none",
        "the sliding velocity, linear in the velocities; needed with friction"),
    LAW_ROWS};
#undef DEF

DEFAULTS(disc_plane, disc_plane)
DEFAULTS(disc_disc, disc_disc)
static void default_point_circle(pc_any_def* def)
{
  def->disc_disc = pc_default_disc_disc_def();
  def->disc_disc.radius[0] = 0;
  def->disc_disc.inside = 1;
}

DEFAULTS(point_curve, point_curve)
static void default_formula_contact(pc_any_def* def)
{
  def->formula_contact = (pc_formula_contact_def){.law = pc_default_contact_law()};
}

DEFAULTS(edge_plane, edge_plane)
DEFAULTS(ellipsoid_plane, ellipsoid_plane)
NAMED_ADDER(disc_plane, disc_plane)
NAMED_ADDER(edge_plane, edge_plane)
NAMED_ADDER(ellipsoid_plane, ellipsoid_plane)
NAMED_ADDER(disc_disc, disc_disc)
NAMED_ADDER(arc_contact, arc_contact)
DEFAULTS(clearance, clearance)
static void default_slider_clearance(pc_any_def* def)
{
  default_clearance(def);
  def->clearance.kind = PC_CLEARANCE_PRISMATIC;
}

static void default_ball_clearance(pc_any_def* def)
{
  default_clearance(def);
  def->clearance.kind = PC_CLEARANCE_SPHERICAL;
}

NAMED_ADDER(clearance, clearance)
NAMED_ADDER(point_curve, point_curve)

/* --- formulas ------------------------------------------------------------------------------- */

#define DEF pc_coordinate_def
static const pc_field coordinate_fields[] = {
    ROW("value", NUMBER, "number", ANY, value, "0", "the coordinate at the start"),
    ROW("velocity", NUMBER, "number", ANY, velocity, "0", "its velocity at the start"), END};
#undef DEF

#define DEF pc_velocity_constraint_def
static const pc_field velocity_constraint_fields[] = {
    ROW("velocity", FORMULA, "formula", ANY, velocity, NULL,
        "what is to be zero, linear in the velocities"),
    END};
#undef DEF

#define DEF pc_own_output_def
static const pc_field output_fields[] = {
    ROW("value", FORMULA, "formula", ANY, value, NULL, "of t and any quantity of the model"),
    ROW("unit", FORMULA, "text", ANY, unit, "none", "its unit, for tables and plots"), END};
#undef DEF

static void default_output(pc_any_def* def)
{
  def->output = (pc_own_output_def){0};
}

static void default_coordinate(pc_any_def* def)
{
  def->coordinate = (pc_coordinate_def){0};
}

static void default_velocity_constraint(pc_any_def* def)
{
  def->velocity_constraint = (pc_velocity_constraint_def){0};
}

/* --- all of them ---------------------------------------------------------------------------- */

#define KIND(section, name, spaces, fields, defaults, adder, help)                       \
  {                                                                                      \
    {section, name, help}, PC_##spaces, fields##_fields, default_##defaults, adder, NULL \
  }
/* A kind that needs the reader. */
#define MADE(section, name, spaces, fields, defaults, maker, help)                       \
  {                                                                                      \
    {section, name, help}, PC_##spaces, fields##_fields, default_##defaults, NULL, maker \
  }

/* A shape: whoever reads a body or the section takes it from there. */
#define SHAPE(name, space, table, help)                                                   \
  {                                                                                       \
    {"shapes", name, help}, PC_##space, pc_##table##_fields, pc_default_shape, NULL, NULL \
  }

const pc_kind pc_kinds[] = {
    KIND("bodies", "rigid", PLANE, rigid, body, add_body, "a rigid body in the plane"),
    KIND("bodies", "rigid", SPACE, spatial, spatial_body, add_spatial_body,
         "a rigid body in space"),
    KIND("bodies", "point", EVERYWHERE, point, point_mass, add_point_mass, "a point mass"),
    KIND("bodies", "bar", LINE, bar, bar, add_bar, "an elastic bar on a line"),
    KIND("bodies", "beam", PLANE, beam, beam, add_beam, "an elastic beam in the plane"),
    KIND("bodies", "beam", SPACE, spatial_beam, beam, add_beam, "an elastic beam in space"),
    KIND("joints", "revolute", PLANE, revolute, joint, add_revolute, "two bodies share a point"),
    KIND("joints", "revolute", SPACE, spatial_revolute, joint, add_revolute,
         "two bodies share an axis, in space"),
    KIND("joints", "spherical", SPACE, revolute, joint, add_spherical,
         "two bodies share a point, in space"),
    KIND("joints", "prismatic", PLANE_AND_SPACE, prismatic, joint, add_prismatic,
         "the second body slides along a line of the first"),
    KIND("joints", "universal", SPACE, universal, joint, add_universal,
         "two bodies share a point and a cross with two axes: Cardan's joint"),
    KIND("joints", "cylindrical", SPACE, cylindrical, joint, add_cylindrical,
         "the second body slides along an axis of the first and turns about it"),
    KIND("joints", "planar", SPACE, planar, joint, add_planar,
         "the second body slides and turns on a plane of the first"),
    MADE("joints", "screw", SPACE, screw, screw, pc_make_screw,
         "as cylindrical, and the displacement goes with the angle"),
    MADE("joints", "gear", PLANE_AND_SPACE, gear, coupling, pc_make_gear,
         "the angles of two joints go with each other, by teeth"),
    MADE("joints", "belt", PLANE_AND_SPACE, belt, coupling, pc_make_belt,
         "the angles of two joints go with each other, by a belt"),
    MADE("joints", "rack", PLANE_AND_SPACE, rack, coupling, pc_make_rack,
         "the displacement of one joint goes with the angle of another"),
    KIND("joints", "fixed", EVERYWHERE, fixed, joint, add_fixed,
         "two bodies keep their relative position and angle"),
    KIND("joints", "distance", EVERYWHERE, distance, distance, add_distance,
         "two points keep their distance"),
    KIND("joints", "skate", PLANE, skate, skate, add_skate,
         "a point of a body moves along a blade alone"),
    KIND("joints", "skate", SPACE, spatial_skate, skate, add_skate,
         "a point of a body moves along a blade alone, in space"),
    KIND("joints", "rolling", PLANE, rolling, rolling, add_rolling,
         "a disc rolls on a plane without slip"),
    KIND("joints", "rolling", SPACE, spatial_rolling, rolling, add_rolling,
         "a sphere or a thin disc rolls on a plane without slip, in space"),
    KIND("forces", "spring", EVERYWHERE, spring, spring, add_spring,
         "a spring and a damper in line between two points"),
    KIND("forces", "rotational-spring", PLANE, rotational_spring, rotational_spring,
         add_rotational_spring, "a rotational spring and damper between two bodies"),
    KIND("forces", "rotational-spring", SPACE, spatial_rotational_spring, rotational_spring,
         add_rotational_spring, "a rotational spring and damper about an axis, in space"),
    MADE("forces", "force", EVERYWHERE, force, force, pc_make_force,
         "a force at a point of a body"),
    MADE("forces", "torque", PLANE, torque, torque, pc_make_torque, "a torque on a body"),
    MADE("forces", "torque", SPACE, spatial_torque, torque, pc_make_torque,
         "a torque on a body, in space"),
    MADE("forces", "line-force", EVERYWHERE, line_force, line_force, pc_make_line_force,
         "a force along the line of two points"),
    MADE("forces", "bushing", PLANE, bushing, bushing, pc_make_bushing,
         "springs and dampers along and about the axes of a body"),
    MADE("forces", "bushing", SPACE, spatial_bushing, bushing, pc_make_bushing,
         "springs and dampers along and about the axes of a body, in space"),
    MADE("forces", "joint-friction", PLANE_AND_SPACE, joint_friction, joint_friction,
         pc_make_joint_friction, "Coulomb friction in a joint, under a preload or its own load"),
    MADE("drives", "drive", EVERYWHERE, drive, drive, pc_make_drive,
         "a coordinate of a joint or a velocity of a body that is prescribed, or a motor"),
    MADE("limits", "limit", PLANE_AND_SPACE, limit, limit, pc_make_limit,
         "stops of a coordinate of a joint"),
    KIND("contacts", "point-plane", EVERYWHERE, point_plane, disc_plane, add_disc_plane,
         "a point against a plane"),
    KIND("contacts", "disc-plane", LINE_AND_PLANE, disc_plane, disc_plane, add_disc_plane,
         "a disc against a plane"),
    KIND("contacts", "edge-plane", SPACE, edge_plane, edge_plane, add_edge_plane,
         "the sharp edge of a disc against a plane, in space"),
    KIND("contacts", "sphere-plane", SPACE, sphere_plane, disc_plane, add_disc_plane,
         "a sphere against a plane"),
    KIND("contacts", "sphere-sphere", SPACE, sphere_sphere, disc_disc, add_disc_disc,
         "two spheres outside each other, or one inside the other"),
    KIND("contacts", "ellipsoid-plane", SPACE, ellipsoid_plane, ellipsoid_plane,
         add_ellipsoid_plane, "an ellipsoid against a plane"),
    KIND("contacts", "arc-cylinder", SPACE, arc_cylinder, arc_cylinder, add_arc_contact,
         "a circle or an arc around or beside a cylinder"),
    KIND("contacts", "arc-bore", SPACE, arc_bore, arc_bore, add_arc_contact,
         "a circle or an arc within a bore"),
    KIND("contacts", "arc-face", SPACE, arc_face, arc_face, add_arc_contact,
         "a circle or an arc against a rectangle"),
    KIND("contacts", "arc-wedge", SPACE, arc_wedge, arc_wedge, add_arc_contact,
         "a circle or an arc against a rounded edge"),
    KIND("contacts", "clearance", PLANE, clearance, clearance, add_clearance,
         "a joint with play: a pin in a bore"),
    KIND("contacts", "clearance", SPACE, spatial_clearance, clearance, add_clearance,
         "a joint with play: a pin in a bore, in space"),
    KIND("contacts", "clearance-prismatic", PLANE, slider_clearance, slider_clearance,
         add_clearance, "a joint with play: a slider in a guide"),
    KIND("contacts", "clearance-prismatic", SPACE, spatial_slider_clearance, slider_clearance,
         add_clearance, "a joint with play: a box in a guide, in space"),
    KIND("contacts", "clearance-spherical", SPACE, ball_clearance, ball_clearance, add_clearance,
         "a joint with play: a ball in a socket"),
    KIND("contacts", "disc-disc", LINE_AND_PLANE, disc_disc, disc_disc, add_disc_disc,
         "two discs outside each other, or one inside the other"),
    KIND("contacts", "point-circle", LINE_AND_PLANE, point_circle, point_circle, add_disc_disc,
         "a point inside (or outside) a circle"),
    KIND("contacts", "point-curve", PLANE, point_curve, point_curve, add_point_curve,
         "a point against a curve f(x, y) = 0"),
    KIND("contacts", "formula", EVERYWHERE, formula_contact, formula_contact, NULL,
         "a gap and a sliding velocity as formulas"),
    {{"materials", "material", "what shapes are made of"},
     PC_PLANE,
     pc_material_fields,
     pc_default_material_law,
     NULL,
     NULL},
    {{"materials", "material", "what shapes are made of, in space"},
     PC_SPACE,
     pc_spatial_material_fields,
     pc_default_material_law,
     NULL,
     NULL},
    SHAPE("disc", PLANE, disc_shape, "a disc"),
    SHAPE("box", PLANE, rectangle_shape, "a rectangle"),
    SHAPE("polygon", PLANE, polygon_shape, "a convex polygon"),
    SHAPE("capsule", PLANE, stadium_shape, "a rectangle with round ends"),
    SHAPE("segment", PLANE, segment_shape, "a segment without thickness"),
    SHAPE("half-plane", PLANE, half_plane_shape, "everything below a line; ground"),
    SHAPE("polyline", PLANE, polyline_shape, "a line with corners; ground"),
    SHAPE("sphere", SPACE, sphere_shape, "a sphere"),
    SHAPE("box", SPACE, box_shape, "a box, in space"),
    SHAPE("capsule", SPACE, capsule_shape, "a cylinder with round ends, in space"),
    SHAPE("cylinder", SPACE, cylinder_shape, "a cylinder"),
    SHAPE("ellipsoid", SPACE, ellipsoid_shape, "an ellipsoid"),
    SHAPE("polyhedron", SPACE, polyhedron_shape, "a convex polyhedron"),
    SHAPE("half-space", SPACE, half_space_shape, "everything below a plane; ground"),
    SHAPE("mesh", SPACE, mesh_shape, "triangles; ground"),
    KIND("coordinates", "coordinate", EVERYWHERE, coordinate, coordinate, NULL,
         "a coordinate of formulas"),
    KIND("constraints", "velocity", EVERYWHERE, velocity_constraint, velocity_constraint, NULL,
         "a formula in the velocities that stays zero"),
    KIND("record", "output", EVERYWHERE, output, output, NULL, "an output of the model's own"),
    {{NULL, NULL, NULL}, 0, NULL, NULL, NULL, NULL}};

const pc_kind* pc_find_kind(const char* section, const char* name, int dimension)
{
  for (const pc_kind* k = pc_kinds; k->field; k++)
    if (strcmp(k->about.section, section) == 0 && strcmp(k->about.name, name) == 0 &&
        (k->spaces >> dimension & 1u))
      return k;
  return NULL;
}

/* --- for the documentation ------------------------------------------------------------------ */

const pc_element_kind* pc_model_element_kind(int index)
{
  int count = (int)(sizeof pc_kinds / sizeof *pc_kinds) - 1;
  return index >= 0 && index < count ? &pc_kinds[index].about : NULL;
}

static int describe(const pc_field* f, pc_element_key* key)
{
  *key = (pc_element_key){f->path, f->about, f->otherwise ? f->otherwise : "required", f->help};
  return 1;
}

/* The keys of a group follow the group itself. */
int pc_model_element_key(int kind, int index, pc_element_key* key)
{
  if (!key) return 0;
  if (!pc_model_element_kind(kind) || index < 0) return 0;
  for (const pc_field* f = pc_kinds[kind].field; f->path; f++) {
    if (index-- == 0) return describe(f, key);
    for (const pc_field* g = f->group; g && g->path; g++)
      if (index-- == 0) return describe(g, key);
  }
  return 0;
}
