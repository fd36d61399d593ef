/* Adding an element: checks whose texts name the element and the field, and the step from parts and
 * points of a definition to places among local coordinates. */
#ifndef PC_ELEMENTS_ATTACH_H
#define PC_ELEMENTS_ATTACH_H

#include <stddef.h>

#include "elements/geometry.h"
#include "system/element.h"

/* What is being added, and where errors are reported. */
typedef struct pc_adding {
  pc_system* system;
  const char* kind; /* "revolute", ... */
  const char* name;
  pc_error* error;
} pc_adding;

pc_status pc_check_name(const pc_adding* adding);
pc_status pc_check_finite(const pc_adding* adding, const char* field, int count,
                          const double* value);
pc_status pc_check_positive(const pc_adding* adding, const char* field, double value);
pc_status pc_check_not_negative(const pc_adding* adding, const char* field, double value);
pc_status pc_check_planar(const pc_adding* adding);  /* the system has two dimensions */
pc_status pc_check_spatial(const pc_adding* adding); /* it has three */
pc_status pc_check_no_line(const pc_adding* adding); /* it has two or three */

/* A vector that is not zero, as a unit vector; components past the dimension are ignored. */
pc_status pc_check_direction(const pc_adding* adding, const char* field, const double vector[3],
                             double unit[3]);

/* A law of contact, and its number of friction rows: 0 without friction, else dimension - 1. */
pc_status pc_check_law(const pc_adding* adding, const pc_contact_law* law, int* rows);

/* Which parts an element can hold on to. */
typedef enum pc_holds {
  PC_HOLDS_POINTS, /* point masses, bodies, the ground */
  PC_HOLDS_ANGLES  /* bodies, the ground */
} pc_holds;

/* The places of two parts of which at least one moves; `field` are their names in error texts. */
pc_status pc_attach_pair(const pc_adding* adding, pc_holds holds, const pc_part_id part[2],
                         const char* const field[2], pc_pair* pair);

/* The place of a single part that moves, as a pair with the ground. */
pc_status pc_attach_one(const pc_adding* adding, pc_holds holds, pc_part_id part, const char* field,
                        pc_pair* pair);

/* The places of the two parts of a contact and its friction, but for the tangents. */
pc_status pc_attach_contact(const pc_adding* adding, const pc_contact_law* law,
                            const pc_part_id part[2], const char* const field[2], pc_pair* pair,
                            pc_friction* friction);

/* The tangents on a plane with a unit normal, both in the frame of its part. */
void pc_choose_plane_tangents(const double normal[3], pc_friction* friction);

/* The tangents for a normal that turns, from the one at the start, of any length. */
void pc_choose_sphere_tangents(const double normal[3], pc_friction* friction);

/* Says that a point (in the part's frame) or a direction hangs on a place. */
void pc_hang_point(pc_place* place, const double at[3]);
void pc_hang_direction(pc_place* place);

/* In the initial configuration: an inertial point or vector seen from the part's frame, a point of
 * the part in the inertial frame, the angle of the part. */
void pc_initial_to_part(const pc_system* system, pc_part_id part, const double at[3], double to[3]);
void pc_initial_from_part(const pc_system* system, pc_part_id part, const double at[3],
                          double to[3]);
void pc_initial_direction_to_part(const pc_system* system, pc_part_id part, const double v[3],
                                  double to[3]);
double pc_initial_angle(const pc_system* system, pc_part_id part);

/* The quaternion of a spatial body in the initial configuration; that of no turn for the ground. */
void pc_initial_quaternion(const pc_system* system, pc_part_id part, double p[4]);

/* The point of a joint in the frame of its part `i`. */
PC_SIBLING_API void pc_joint_point(const pc_system* system, const pc_joint_def* def, int i,
                                   double to[3]);

/* The distance of two points in the initial configuration. */
double pc_initial_distance(const pc_system* system, const pc_point* from, const pc_point* to);

/* Of two sets of operations, the first for line and plane and the second for space, the one for
 * this system. */
const pc_element_ops* pc_choose_ops(const pc_adding* adding, const pc_element_ops ops[2]);

/* The two points of a shape, which hang on the places of a pair. */
void pc_place_shape(const pc_pair* pair, const double at[2][3], pc_shape* shape);

/* The id (if not NULL) of the joint or contact that is added next; -1 for a compliant contact,
 * which has no rows. */
void pc_next_joint(const pc_system* system, pc_joint_id* id);
void pc_next_contact(const pc_system* system, const pc_contact_law* law, pc_contact_id* id);

/* Copies `data`, which owns nothing else, to the heap and adds the element. */
pc_status pc_add_copy(const pc_adding* adding, pc_element_def* def, const void* data, size_t size);

#endif
