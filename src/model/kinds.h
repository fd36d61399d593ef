/* The kinds of elements that a model file can hold, each with its field table. */
#ifndef PC_MODEL_KINDS_H
#define PC_MODEL_KINDS_H

#include "model/field.h"
#include "percuss/geometry.h"

/* A contact between formulas. */
typedef struct pc_formula_contact_def {
  pc_contact_law law;
  const pc_node* gap;
  const pc_node* slip; /* NULL: none */
} pc_formula_contact_def;

/* A coordinate of formulas. */
typedef struct pc_coordinate_def {
  const char* name;
  double value, velocity;
} pc_coordinate_def;

/* A constraint on velocities. */
typedef struct pc_velocity_constraint_def {
  const char* name;
  const pc_node* velocity;
} pc_velocity_constraint_def;

/* A force whose components may depend on the motion. */
typedef struct pc_moving_force_def {
  const char* name;
  pc_point point;
  const pc_node* value;
  pc_part_id frame;  /* of the components */
  pc_point reaction; /* where the opposite acts; on the ground: nowhere */
} pc_moving_force_def;

typedef struct pc_moving_torque_def {
  const char* name;
  pc_part_id part;
  const pc_node* value;
  int in_body_frame;
  pc_part_id frame;
  pc_part_id reaction;
} pc_moving_torque_def;

/* A force along the line of two points. */
typedef struct pc_line_force_def {
  const char* name;
  pc_point point[2];
  const pc_node* value;
} pc_line_force_def;

/* A bushing: springs and dampers along and about the axes of the first body, as formulas; NULL:
 * 0. */
typedef struct pc_bushing_def {
  const char* name;
  pc_joint_def joint; /* its bodies and where it is */
  const pc_node *stiffness, *damping;
  const pc_node *angular_stiffness, *angular_damping;
} pc_bushing_def;

/* A joint's coordinate or a body's velocity that follows a law of time, or a motor. */
enum { PC_DRIVE_VALUES = 13 };

typedef struct pc_drive_def {
  const char* name;
  int joint;                             /* -1: none */
  pc_part_id body;                       /* the ground: none */
  const pc_node* value[PC_DRIVE_VALUES]; /* in the order of the table; NULL: not given */
  double sample, delay;                  /* of a motor [s]; 0: none */
} pc_drive_def;

/* Stops of a joint's coordinate. */
typedef struct pc_limit_def {
  pc_contact_law law;
  int joint;
  const pc_node* coordinate; /* NULL: the first of the joint */
  double min, max;           /* NAN: none */
  double
      radius; /* of the circle in which the faces of a stop with friction touch; NAN: not given */
} pc_limit_def;

/* Two joints that move together. */
typedef struct pc_coupling_def {
  pc_contact_law law;
  int joint[2];
  double pair[2]; /* teeth, radii; 0: not given */
  double ratio;   /* NAN: not given */
  double radius;
  int opposite; /* internal gear, crossed belt */
  double backlash;
} pc_coupling_def;

typedef struct pc_screw_def {
  const char* name;
  pc_joint_def joint;
  double pitch;
} pc_screw_def;

/* Friction in a joint, under a preload and under its own load. */
typedef struct pc_joint_friction_def {
  const char* name;
  int joint;
  const pc_node* bound;   /* NULL: 0 */
  const pc_node* kinetic; /* NULL: as the bound */
  double mu, mu_kinetic;  /* of the load; NAN: not given */
  double radius;          /* of the bearing; NAN: not given */
  double stribeck;
  const pc_node* coordinate;
} pc_joint_friction_def;

/* An output of the model's own. */
typedef struct pc_own_output_def {
  const char* name;
  const pc_node* value;
  const pc_node* unit;
} pc_own_output_def;

/* A shape, on a body or on the ground. What is not in here is read from its mapping: corners,
 * files, groups. */
typedef struct pc_shape_def {
  const char* name;
  pc_geometry_def geometry;
  double position[3];
  double angle;
  double orientation[4];
  double axis[3];          /* zero: not given */
  double normal[3];        /* of a half-plane or half-space */
  double scale;            /* of a file */
  double density, mass;    /* NAN: not given */
  const pc_node* material; /* NULL: not given */
} pc_shape_def;

/* Memory for any definition. Each begins with the name of its element. */
typedef union pc_any_def {
  const char* name;
  pc_body_def body;
  pc_spatial_body_def spatial_body;
  pc_point_mass_def point_mass;
  pc_bar_def bar;
  pc_beam_def beam;
  pc_joint_def joint;
  pc_distance_def distance;
  pc_skate_def skate;
  pc_rolling_def rolling;
  pc_spring_def spring;
  pc_rotational_spring_def rotational_spring;
  pc_moving_force_def force;
  pc_moving_torque_def torque;
  pc_line_force_def line_force;
  pc_bushing_def bushing;
  pc_own_output_def output;
  pc_drive_def drive;
  pc_limit_def limit;
  pc_coupling_def coupling;
  pc_screw_def screw;
  pc_joint_friction_def joint_friction;
  pc_disc_plane_def disc_plane;
  pc_edge_plane_def edge_plane;
  pc_ellipsoid_plane_def ellipsoid_plane;
  pc_disc_disc_def disc_disc;
  pc_arc_contact_def arc_contact;
  pc_clearance_def clearance;
  pc_point_curve_def point_curve;
  pc_formula_contact_def formula_contact;
  pc_coordinate_def coordinate;
  pc_velocity_constraint_def velocity_constraint;
  pc_shape_def shape;
  pc_contact_law law;
} pc_any_def;

/* The spaces that a kind is for, as a mask: line, plane, space. */
enum {
  PC_LINE = 1 << 1,
  PC_PLANE = 1 << 2,
  PC_SPACE = 1 << 3,
  PC_LINE_AND_PLANE = PC_LINE | PC_PLANE,
  PC_PLANE_AND_SPACE = PC_PLANE | PC_SPACE,
  PC_EVERYWHERE = PC_LINE | PC_PLANE | PC_SPACE
};

typedef struct pc_kind {
  pc_element_kind about;
  unsigned spaces;
  const pc_field* field;
  void (*set_defaults)(pc_any_def* def);
  /* Adds a filled definition; `id` is set by bodies. NULL for formulas, which go in together. */
  pc_status (*add)(pc_system* system, const pc_any_def* def, pc_part_id* id, pc_error* error);
  /* The same for kinds that need what the reader knows; NULL for the others. `fields` is the
   * mapping that the definition was read from. Errors have a place. */
  pc_status (*make)(pc_reader* r, const pc_any_def* def, const pc_node* place,
                    const pc_node* fields);
} pc_kind;

extern const pc_kind pc_kinds[]; /* ended by one without a name */

/* The kind of a section ("joints", "revolute") in a space of this dimension, or NULL. A name can
 * stand for several kinds, each for other spaces. */
const pc_kind* pc_find_kind(const char* section, const char* name, int dimension);

#endif
