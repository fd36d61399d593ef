/// \file
/// Contacts that are found: shapes on the parts of a system, and materials.
///
/// A *collider* is a shape on a part. What touches what is found in every step; the law of a
/// contact follows from the materials of its two colliders. Two colliders meet unless
///
/// * they are on the same part, or both on the ground,
/// * a group of one is not in the mask of the other,
/// * their parts are excluded (`pc_exclude_parts`), or an element with constraints, a joint, ties
///   them and `pc_allow_parts` was not called. A joint with the ground excludes nothing: all that
///   stands still is one part, and a pendulum may hit a wall.
///
/// All of this is added before the system is frozen.
#ifndef PERCUSS_COLLIDE_H
#define PERCUSS_COLLIDE_H

#include <stdint.h>

#include "percuss/geometry.h"
#include "percuss/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \name Materials
/// @{

/// What a shape is made of; also the law between two materials.
typedef struct pc_material {
  double mu;   ///< friction coefficient; negative: no friction rows at all
  double e_N;  ///< normal restitution, 0 to 1
  double e_F;  ///< tangential restitution, 0 to 1
  /// of Coulomb-Contensou friction, in space [m]; 0: contacts are points
  double contact_radius;
  /// an impact that approaches at no more than this [m/s] has no restitution; 0: every one has
  double e_above;
  double stribeck;    ///< 0, or the speed of Stribeck's curve from mu to mu_kinetic [m/s]
  double mu_kinetic;  ///< with stribeck: friction coefficient at speed
} pc_material;

/// No friction, no restitution.
PC_API pc_material pc_default_material(void);

/// Names a material of one system.
typedef struct pc_material_id {
  int index;  ///< from 0, in the order of pc_add_material
} pc_material_id;

/// Adds a material; `name` is for texts of errors. For a pair of materials that is not listed,
/// friction is the geometric mean of both coefficients (none if one is frictionless), at speed too,
/// restitution and contact radius are the smaller of both, the speeds of restitution and of
/// Stribeck's curve the larger.
PC_API pc_status pc_add_material(pc_system* system, const char* name, const pc_material* material,
                                 pc_material_id* id, pc_error* error);

/// The law between two materials, which may be the same one twice. A later law replaces an earlier.
PC_API pc_status pc_set_material_pair(pc_system* system, pc_material_id a, pc_material_id b,
                                      const pc_material* law, pc_error* error);
/// @}

/// \name Colliders
/// @{

/// Names a shape of one system.
typedef struct pc_geometry_id {
  int index;  ///< from 0, in the order of pc_add_geometry
} pc_geometry_id;

/// Hands a shape over to the system: it belongs to it from the call on, whether that succeeds or
/// not. Any number of colliders may use it.
PC_API pc_status pc_add_geometry(pc_system* system, pc_geometry* geometry, pc_geometry_id* id,
                                 pc_error* error);

/// A shape on a part.
typedef struct pc_collider_def {
  const char* name;         ///< copied
  pc_part_id part;          ///< a point mass, a body, a node of a beam, or PC_GROUND
  pc_geometry_id geometry;  ///< from pc_add_geometry, of the same system
  pc_pose pose;  ///< of the shape in the frame of the part, the origin being its centre of mass
  pc_material_id material;  ///< from pc_add_material, of the same system
  uint32_t group;           ///< groups it belongs to, a bit for each
  uint32_t mask;            ///< groups it meets: two meet if each has a group in the other's mask
} pc_collider_def;

/// On the ground, at the origin, in the first group and meeting all groups.
PC_API pc_collider_def pc_default_collider_def(void);

/// Adds a collider; its index is the number of those before it (`index` may be NULL). Half-spaces,
/// half-planes, meshes and polylines belong to the ground.
PC_API pc_status pc_add_collider(pc_system* system, const pc_collider_def* def, int* index,
                                 pc_error* error);

/// The colliders of two parts never meet; PC_GROUND is fine.
PC_API pc_status pc_exclude_parts(pc_system* system, pc_part_id a, pc_part_id b, pc_error* error);

/// They meet although a joint ties their parts.
PC_API pc_status pc_allow_parts(pc_system* system, pc_part_id a, pc_part_id b, pc_error* error);
/// @}

/// \name Looking at a system
/// @{

/// A collider of a system.
typedef struct pc_collider_info {
  const char* name;             ///< owned by the system
  pc_part_id part;              ///< which carries it
  pc_pose pose;                 ///< in the frame of the part
  const pc_geometry* geometry;  ///< owned by the system; see pc_geometry_describe
  pc_material_id material;      ///< of which it is made
  uint32_t group;               ///< groups it belongs to, a bit for each
  uint32_t mask;                ///< groups it meets
} pc_collider_info;

/// How many colliders the system has.
PC_API int pc_system_collider_count(const pc_system* system);
/// A collider by its number, from 0.
PC_API pc_collider_info pc_system_collider(const pc_system* system, int collider);

/// The law between the materials of two colliders.
PC_API pc_material pc_system_collider_law(const pc_system* system, int a, int b);

/// Whether two colliders of a frozen system may touch.
PC_API int pc_system_colliders_meet(const pc_system* system, int a, int b);

/// Where the frame of a collider is at q.
PC_API pc_pose pc_collider_pose(const pc_system* system, int collider, const double* q);
/// @}

#ifdef __cplusplus
}
#endif
#endif
