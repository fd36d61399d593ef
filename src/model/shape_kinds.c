#include "model/shape_kinds.h"

#include <math.h>

/* A row of a table: key, type, the type for a person, range, place, default, help. */
#define ROW(key, type, about, range, place, otherwise, help)                             \
  {                                                                                      \
    key, PC_FIELD_##type, offsetof(DEF, place), PC_##range, about, otherwise, help, NULL \
  }
#define END                                                  \
  {                                                          \
    NULL, PC_FIELD_NUMBER, 0, PC_ANY, NULL, NULL, NULL, NULL \
  }

/* --- materials ------------------------------------------------------------------------------ */

#define DEF pc_contact_law
const pc_field pc_restitution_fields[] = {
    ROW("restitution.value", NUMBER, "number from 0 to 1", FROM_0_TO_1, e_N, NULL,
        "Newton's coefficient"),
    ROW("restitution.above", NUMBER, "number, not negative [m/s]", NOT_NEGATIVE, e_above, "0",
        "impacts that approach at no more than this speed have no restitution"),
    END};
#define RESTITUTION_ROWS                                                                 \
  {"restitution",                                                                        \
   PC_FIELD_LAW,                                                                         \
   0,                                                                                    \
   PC_ANY,                                                                               \
   "number from 0 to 1, or mapping",                                                     \
   "0",                                                                                  \
   "Newton's coefficient in the normal direction, or {value, above}",                    \
   pc_restitution_fields},                                                               \
      ROW("restitution_tangential", NUMBER, "number from 0 to 1", FROM_0_TO_1, e_F, "0", \
          "Newton's coefficient in the tangential direction"),                           \
      END
#define STRIBECK_ROWS                                                                    \
  ROW("friction_kinetic", NUMBER, "number, not negative", NOT_NEGATIVE, mu_kinetic, "0", \
      "with stribeck: the coefficient at speed"),                                        \
      ROW("stribeck", NUMBER, "positive number [m/s]", POSITIVE, stribeck, "none",       \
          "the sliding speed at which 1/e of the difference of the coefficients is left")
const pc_field pc_material_fields[] = {
    ROW("friction", NUMBER, "number, not negative", NOT_NEGATIVE, mu, "none",
        "coefficient of Coulomb friction; without it there are no friction rows at all"),
    STRIBECK_ROWS, RESTITUTION_ROWS};
const pc_field pc_spatial_material_fields[] = {
    ROW("friction", NUMBER, "number, not negative", NOT_NEGATIVE, mu, "none",
        "coefficient of Coulomb friction; without it there are no friction rows at all"),
    STRIBECK_ROWS,
    ROW("contact_radius", NUMBER, "positive number [m]", POSITIVE, contact_radius, "none",
        "radius of the circle in which bodies touch; friction then resists drilling too "
        "(Coulomb-Contensou)"),
    RESTITUTION_ROWS};
#undef DEF

void pc_default_material_law(pc_any_def* def)
{
  def->law = pc_default_contact_law();
}

/* --- shapes --------------------------------------------------------------------------------- */

#define DEF pc_shape_def
#define LENGTH_ROW                                                              \
  ROW("length", NUMBER, "positive number [m]", POSITIVE, geometry.length, NULL, \
      "length of its axis, without the round ends")
#define SCALE_ROW                                               \
  ROW("scale", NUMBER, "positive number", POSITIVE, scale, "1", \
      "what the numbers of a file are multiplied by: 0.001 if it is in millimetres")
#define WHO_ROWS                                                                             \
  ROW("material", FORMULA, "name of a material", ANY, material, "default",                   \
      "what it is made of; without one, the material called default, or no friction and no " \
      "restitution"),                                                                        \
      ROW("group", WORD, "name or list of names", ANY, scale, "default",                     \
          "groups that it belongs to"),                                                      \
      ROW("meets", WORD, "name or list of names", ANY, scale, "all",                         \
          "groups that it can touch; two shapes meet if each meets a group of the other"),   \
      ROW("body", WORD, "name of a body", ANY, scale, "ground", "in the section shapes: its body")
#define MASS_ROWS                                                                              \
  ROW("density", NUMBER, "positive number [kg/m^3], in the plane [kg/m^2]", POSITIVE, density, \
      "the body's", "mass per volume"),                                                        \
      ROW("mass", NUMBER, "positive number [kg]", POSITIVE, mass, "from the density", "its mass")
#define PLANAR_POSE_ROWS                                         \
  ROW("position", VECTOR, "vector [m]", ANY, position, "[0, 0]", \
      "where it is in the body's frame"),                        \
      ROW("angle", NUMBER, "number [rad]", ANY, angle, "0", "by which it is turned there")
#define SPATIAL_POSE_ROWS                                                                     \
  ROW("position", VECTOR, "vector [m]", ANY, position, "[0, 0, 0]",                           \
      "where it is in the body's frame"),                                                     \
      ROW("orientation", TURN, "quaternion [w, x, y, z], or {axis, angle}", ANY, orientation, \
          "[1, 0, 0, 0]", "by which it is turned there")
#define AXIS_ROW                                        \
  ROW("axis", VECTOR, "vector", ANY, axis, "[0, 0, 1]", \
      "direction of its axis, in place of an orientation")
#define PLANAR_ROWS  PLANAR_POSE_ROWS, MASS_ROWS, WHO_ROWS, END
#define SPATIAL_ROWS SPATIAL_POSE_ROWS, MASS_ROWS, WHO_ROWS, END
#define PLANE_ROWS(zero) \
  ROW("point", VECTOR, "vector [m]", ANY, position, zero, "a point of its surface"), WHO_ROWS, END

const pc_field pc_disc_shape_fields[] = {
    ROW("disc", NUMBER, "positive number [m]", POSITIVE, geometry.radius, NULL, "its radius"),
    PLANAR_ROWS};
const pc_field pc_rectangle_shape_fields[] = {
    ROW("box", VECTOR, "vector [m]", ANY, geometry.size, NULL, "its full lengths along x and y"),
    PLANAR_ROWS};
const pc_field pc_polygon_shape_fields[] = {ROW("polygon", WORD, "list of vectors [m]", ANY, scale,
                                                NULL, "its corners, in order; it must be convex"),
                                            PLANAR_ROWS};
const pc_field pc_stadium_shape_fields[] = {
    ROW("capsule", NUMBER, "positive number [m]", POSITIVE, geometry.radius, NULL,
        "its radius; the axis is along x"),
    LENGTH_ROW, PLANAR_ROWS};
const pc_field pc_segment_shape_fields[] = {
    ROW("segment", NUMBER, "positive number [m]", POSITIVE, geometry.length, NULL,
        "its length, along x; both sides count"),
    PLANAR_ROWS};
const pc_field pc_half_plane_shape_fields[] = {
    ROW("half-plane", VECTOR, "vector", ANY, normal, NULL, "its normal, towards free space"),
    PLANE_ROWS("[0, 0]")};
const pc_field pc_polyline_shape_fields[] = {
    ROW("polyline", WORD, "list of vectors [m]", ANY, scale, NULL,
        "its corners, in order; free space is on the left"),
    PLANAR_POSE_ROWS, WHO_ROWS, END};

const pc_field pc_sphere_shape_fields[] = {
    ROW("sphere", NUMBER, "positive number [m]", POSITIVE, geometry.radius, NULL, "its radius"),
    SPATIAL_ROWS};
const pc_field pc_box_shape_fields[] = {
    ROW("box", VECTOR, "vector [m]", ANY, geometry.size, NULL, "its full lengths along x, y and z"),
    SPATIAL_ROWS};
const pc_field pc_capsule_shape_fields[] = {
    ROW("capsule", NUMBER, "positive number [m]", POSITIVE, geometry.radius, NULL, "its radius"),
    LENGTH_ROW, AXIS_ROW, SPATIAL_ROWS};
const pc_field pc_cylinder_shape_fields[] = {
    ROW("cylinder", NUMBER, "positive number [m]", POSITIVE, geometry.radius, NULL, "its radius"),
    ROW("length", NUMBER, "positive number [m]", POSITIVE, geometry.length, NULL,
        "length of its axis"),
    AXIS_ROW, SPATIAL_ROWS};
const pc_field pc_ellipsoid_shape_fields[] = {
    ROW("ellipsoid", VECTOR, "vector [m]", ANY, geometry.size, NULL, "its semi-axes"),
    SPATIAL_ROWS};
const pc_field pc_polyhedron_shape_fields[] = {
    ROW("polyhedron", WORD, "list of vectors [m], or name of a file", ANY, scale, NULL,
        "points whose convex hull it is, or an STL or OBJ file of them"),
    SCALE_ROW, SPATIAL_ROWS};
const pc_field pc_half_space_shape_fields[] = {
    ROW("half-space", VECTOR, "vector", ANY, normal, NULL, "its normal, towards free space"),
    PLANE_ROWS("[0, 0, 0]")};
const pc_field pc_mesh_shape_fields[] = {
    ROW("mesh", WORD, "name of a file", ANY, scale, NULL,
        "an STL or OBJ file of triangles; free space is where their normals point"),
    SCALE_ROW, SPATIAL_POSE_ROWS, WHO_ROWS, END};
#undef DEF

void pc_default_shape(pc_any_def* def)
{
  def->shape = (pc_shape_def){.orientation = {1, 0, 0, 0}, .scale = 1, .density = NAN, .mass = NAN};
}
