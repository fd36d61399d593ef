/// \file
/// Geometry of what can collide: shapes, where they are, their mass, and files of triangles.
///
/// A geometry is made once and never changes. It is handed over to a system (`pc_add_geometry` of
/// collide.h), where any number of colliders may use it. Lengths are in metres.
#ifndef PERCUSS_GEOMETRY_H
#define PERCUSS_GEOMETRY_H

#include "percuss/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A rigid motion, or a frame: its origin [m] and the rotation matrix (3 x 3, row-major) that takes
/// components in it to those outside. In the plane the rotation is about the third axis.
typedef struct pc_pose {
  double x[3];  ///< origin [m]
  double A[9];  ///< rotation matrix, row-major
} pc_pose;

/// A frame in the plane, turned by an angle [rad]; (0, 0, 0) is the identity, also in space.
PC_API pc_pose pc_pose_in_plane(double x, double y, double angle);

/// A frame in space, turned by a quaternion, scalar first, of any length but 0.
PC_API pc_pose pc_pose_in_space(const double position[3], const double quaternion[4]);

/// A frame in which a half-space (or half-plane) has this point on its surface and this unit normal
/// towards free space.
PC_API pc_pose pc_pose_of_plane(int dimension, const double point[3], const double normal[3]);

/// What shapes there are, and where they lie in their own frames.
typedef enum pc_geometry_kind {
  // in the plane
  PC_GEOMETRY_DISC,
  PC_GEOMETRY_RECTANGLE,
  PC_GEOMETRY_POLYGON,     ///< convex
  PC_GEOMETRY_STADIUM,     ///< a capsule in the plane, its axis along x
  PC_GEOMETRY_SEGMENT,     ///< along x, without thickness; both sides count
  PC_GEOMETRY_HALF_PLANE,  ///< solid for y < 0
  PC_GEOMETRY_POLYLINE,    ///< ground: free space is on the left of its direction
  // in space
  PC_GEOMETRY_SPHERE,
  PC_GEOMETRY_BOX,
  PC_GEOMETRY_CAPSULE,   ///< axis along z
  PC_GEOMETRY_CYLINDER,  ///< axis along z
  PC_GEOMETRY_ELLIPSOID,
  PC_GEOMETRY_POLYHEDRON,  ///< the convex hull of its corners
  PC_GEOMETRY_HALF_SPACE,  ///< solid for z < 0
  PC_GEOMETRY_MESH,        ///< ground: free space is where the normals of its triangles point
  PC_GEOMETRY_KINDS
} pc_geometry_kind;

/// "disc", "box", "polygon", "capsule", ...: together with the dimension it names a kind.
PC_API const char* pc_geometry_kind_name(pc_geometry_kind kind);
/// 2 or 3.
PC_API int pc_geometry_kind_dimension(pc_geometry_kind kind);

/// What a shape is made from. Fields that its kind does not name are ignored.
typedef struct pc_geometry_def {
  pc_geometry_kind kind;  ///< decides which of the fields are read
  double radius;          ///< disc, stadium, sphere, capsule, cylinder [m]
  double length;     ///< stadium, segment, capsule, cylinder: of the axis, without round ends [m]
  double size[3];    ///< rectangle, box: full lengths; ellipsoid: semi-axes [m]
  int corner_count;  ///< polygon, polyline, polyhedron, mesh
  /// x and y of each corner in the plane, x, y, z in space [m]; copied
  const double* corner;  ///< corner_count times 2 or 3 numbers
  /// mesh; of a polyhedron the surface that its corners are of, or 0: then a check can tell how
  /// much the convex hull adds to it
  int triangle_count;
  const int* triangle;  ///< three corners each, counterclockwise seen from free space; copied
} pc_geometry_def;

/// A shape, which never changes.
typedef struct pc_geometry pc_geometry;

/// Makes a shape, or says what is wrong with its numbers. The caller destroys it or hands it over
/// to a system.
PC_API pc_status pc_geometry_create(const pc_geometry_def* def, pc_geometry** geometry,
                                    pc_error* error);
PC_API void pc_geometry_destroy(pc_geometry* geometry);  ///< NULL is fine

/// What a shape looks like, for those who draw it. Arrays belong to the geometry.
typedef struct pc_geometry_info {
  pc_geometry_kind kind;   ///< which shape it is
  double radius;           ///< around the core: of a disc, sphere, capsule; of a cylinder [m]
  double length;           ///< of the axis of a capsule, cylinder or segment [m]
  double size[3];          ///< full lengths of a box, semi-axes of an ellipsoid [m]
  int corner_count;        ///< of the core; 0 for cylinders, ellipsoids and half-spaces
  const double* corner;    ///< x, y, z each [m]
  int face_count;          ///< polygons in space, sides in the plane
  const int* face_first;   ///< face_count + 1: where the corners of a face begin in face_corner
  const int* face_corner;  ///< numbers of corners, face after face
} pc_geometry_info;

/// What a shape looks like; valid as long as the shape lives.
PC_API pc_geometry_info pc_geometry_describe(const pc_geometry* geometry);

/// \name Mass
/// @{

/// Mass, centre and inertia of something of constant density.
typedef struct pc_mass_properties {
  double mass;       ///< [kg]
  double centre[3];  ///< of mass [m]
  /// about the centre of mass [kg m^2], 3 x 3, along the axes of the frame; in the plane its last
  /// entry is the moment and the others are zero
  double inertia[9];
} pc_mass_properties;

/// Of a shape in its own frame. The density is in kg/m^3, in the plane in kg/m^2. Shapes without a
/// volume are refused.
PC_API pc_status pc_geometry_mass(const pc_geometry* geometry, double density,
                                  pc_mass_properties* mass, pc_error* error);

/// Adds another one, given in the frame `pose`, to a sum, which begins with zeros. Its mass may be
/// negative: a hole.
PC_API void pc_mass_add(pc_mass_properties* sum, const pc_mass_properties* more,
                        const pc_pose* pose);

/// Makes the mass this one, the density being whatever it then is.
PC_API void pc_mass_scale(pc_mass_properties* properties, double mass);
/// @}

/// \name Files of triangles
/// @{

/// A surface of triangles.
typedef struct pc_triangles {
  int corner_count;    ///< number of corners
  double* corner;      ///< x, y, z each, in the unit of the file
  int triangle_count;  ///< number of triangles
  int* triangle;       ///< three corners each, as the file orders them
} pc_triangles;

/// Reads triangles from an STL file, binary or text, or an OBJ file; the format is found from the
/// content. Corners of an STL file with the same numbers become one, triangles without area are
/// left out, and polygons of an OBJ file are triangulated. Anything that is not understood, or
/// a file that ends early, is an error that names the line or the triangle. What has been read is
/// released by pc_triangles_release.
PC_API pc_status pc_triangles_read(const char* path, pc_triangles* triangles, pc_error* error);
/// Frees the arrays; a zeroed one is fine.
PC_API void pc_triangles_release(pc_triangles* triangles);
/// @}

#ifdef __cplusplus
}
#endif
#endif
