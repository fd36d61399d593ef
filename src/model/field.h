/* Field tables: what stands in the mapping of an element, said once.
 *
 * A table gives each key its type, unit, range, default and a line of help, and the place of the
 * value in the element's definition. The reader, the checks and the documentation follow it. */
#ifndef PC_MODEL_FIELD_H
#define PC_MODEL_FIELD_H

#include <stddef.h>

#include "formula/frame.h"
#include "percuss/collide.h"
#include "percuss/elements.h"
#include "text/files.h"
#include "text/parameters.h"
#include "text/tree.h"

typedef enum pc_field_type {
  PC_FIELD_NUMBER,         /* double */
  PC_FIELD_COUNT,          /* int: a whole number from 1 on */
  PC_FIELD_VECTOR,         /* double[dimension] */
  PC_FIELD_INERTIA,        /* double[9]: three moments, six numbers or three rows */
  PC_FIELD_TURN,           /* double[4]: a quaternion, or {axis, angle} */
  PC_FIELD_LAW,            /* a number, which is the first of the group, or the group */
  PC_FIELD_BODY,           /* pc_part_id: a body, or a node of a bar or beam */
  PC_FIELD_BODIES,         /* pc_part_id[2] */
  PC_FIELD_POINT,          /* pc_point: [body, [x, y]] */
  PC_FIELD_POINTS,         /* pc_point[2] */
  PC_FIELD_SIGNAL,         /* pc_signal: expression of t */
  PC_FIELD_SIGNALS,        /* pc_signal[dimension] */
  PC_FIELD_CURVE,          /* pc_gap_field: expression of x and y */
  PC_FIELD_FLAG,           /* int: true or false */
  PC_FIELD_WORD,           /* read by whoever chose the table; only allowed here */
  PC_FIELD_FORMULA,        /* const pc_node*: expression of t, coordinates and velocities */
  PC_FIELD_FORMULAS,       /* const pc_node*: one, or a list of them */
  PC_FIELD_VECTOR_FORMULA, /* const pc_node*: a list with one for each dimension */
  PC_FIELD_JOINT,          /* int: a joint, by its number among those of the reader */
  PC_FIELD_JOINTS,         /* int[2] */
  PC_FIELD_PAIR,           /* double[2]: two numbers */
  PC_FIELD_GROUP           /* a mapping with a table of its own */
} pc_field_type;

typedef enum pc_range { PC_ANY, PC_POSITIVE, PC_NOT_NEGATIVE, PC_FROM_0_TO_1 } pc_range;

typedef struct pc_field pc_field;

struct pc_field {
  const char* path; /* the key; within a group "plane.normal", of which the key is the end.
                     * NULL ends a table */
  pc_field_type type;
  size_t offset; /* in the definition, or in that of the group */
  pc_range range;
  const char* about;     /* the type for a person: "positive number [kg]" */
  const char* otherwise; /* the default as a text; NULL: required */
  const char* help;
  const pc_field* group;
};

const char* pc_field_key(const pc_field* field);

/* A body that elements can refer to. */
typedef struct pc_body_entry {
  const char* name;
  pc_part_id id;
  int is_point;
  const char* chain; /* "bar" or "beam": elements refer to its nodes; NULL: it has none */
  int is_spatial;    /* a rigid body in space */
  int is_fixed;      /* a part of the ground, whose frame is `frame` */
  pc_pose frame;
  double centre[3]; /* of mass, in the frame in which shapes and points of the body are given [m] */
} pc_body_entry;

/* A coordinate of formulas. */
typedef struct pc_coordinate_entry {
  const char* name;
  pc_part_id id;
} pc_coordinate_entry;

/* A named point of a body. */
typedef struct pc_point_entry {
  const char* name;
  pc_point point;
} pc_point_entry;

/* A joint, for formulas that use its coordinates. */
typedef struct pc_joint_entry {
  char* name;       /* own memory */
  const char* kind; /* "revolute" */
  pc_part_id part[2];
  pc_joint_frame frame;
} pc_joint_entry;

/* An output of the model's own. */
typedef struct pc_output_entry {
  const char* name;
  const pc_node* key;
  const pc_node* value;
  const char* unit;
  int of_motor; /* what a motor does: it is there only if it is asked for */
} pc_output_entry;

/* A coordinate that holds a quantity, or a formula. */
typedef struct pc_held_entry {
  const char* name; /* of the quantity; of the formula's output */
  int coordinate;   /* among those of the reader */
  const pc_node* place;
  const pc_node* value; /* the formula; NULL: a quantity */
  const char* unit;     /* of the formula */
  double interval;      /* [s] */
} pc_held_entry;

/* A name that recorded quantities begin with, and where it stands. */
typedef struct pc_claim {
  char* text;
  const pc_node* node;
} pc_claim;

/* Groups of shapes, a bit for each. */
enum { PC_GROUPS_MAX = 32 };

typedef struct pc_group_names {
  int count;
  const char* name[PC_GROUPS_MAX];
  const pc_node* place[PC_GROUPS_MAX]; /* where it came first */
  int belongs[PC_GROUPS_MAX];          /* whether a shape is in it */
} pc_group_names;

/* A geometry that other shapes can use, too. */
typedef struct pc_known_geometry {
  pc_geometry_kind kind;
  double radius, length, size[3];
  const char* file; /* NULL: none */
  double scale;
  const pc_geometry* form; /* the system's */
  pc_geometry_id id;
} pc_known_geometry;

/* What readers of shapes share. */
typedef struct pc_shape_reader {
  pc_files* files;
  pc_names materials;
  pc_material_id smooth; /* of shapes without a material, if no material is called default */
  int has_smooth;
  pc_group_names groups;
  pc_known_geometry* known;
  int known_count, known_capacity;
} pc_shape_reader;

/* Lists in the order of the file; `names` is an index, sorted. */
typedef struct pc_body_list {
  pc_body_entry* entry;
  int count;
  pc_names names;
} pc_body_list;

typedef struct pc_coordinate_list {
  pc_coordinate_entry* entry;
  int count, capacity;
  pc_names names;
} pc_coordinate_list;

typedef struct pc_point_list {
  pc_point_entry* entry;
  int count;
  pc_names names;
} pc_point_list;

typedef struct pc_joint_list {
  pc_joint_entry* entry;
  int count, capacity;
} pc_joint_list;

/* A force made of formulas: the points that it acts on, the second before the first. */
typedef struct pc_force_entry {
  int element;
  pc_point at[2];
} pc_force_entry;

typedef struct pc_force_list {
  pc_force_entry* entry;
  int count, capacity;
} pc_force_list;

typedef struct pc_output_entries {
  pc_output_entry* entry;
  int count, capacity;
} pc_output_entries;

typedef struct pc_held_entries {
  pc_held_entry* entry;
  int count, capacity;
} pc_held_entries;

typedef struct pc_claim_list {
  pc_claim* entry;
  int count, capacity;
} pc_claim_list;

typedef struct pc_text_list {
  char** text; /* own memory */
  int count, capacity;
} pc_text_list;

/* What the readers of all sections share. */
typedef struct pc_reader {
  pc_error* error; /* never NULL */
  const pc_parameters* parameters;
  pc_scope scope; /* of the parameters */
  int dimension;
  pc_system* system;
  pc_body_list bodies;
  pc_coordinate_list coordinates;
  pc_point_list points;
  pc_joint_list joints;     /* those that have coordinates */
  pc_text_list joint_names; /* of all of them */
  pc_force_list forces;     /* those made of formulas */
  pc_output_entries outputs;
  pc_held_entries held;
  pc_text_list texts; /* names that no node of the file holds */
  pc_claim_list claims;
  pc_shape_reader shapes;
} pc_reader;

/* Notes where the force that was added last acts. */
pc_status pc_note_force(pc_reader* r, const pc_point at[2]);

/* Reads the keys of a mapping into a definition that holds the defaults. `what` names the element
 * in errors: "body 'crank'". On error, whatever the definition owns is released. */
pc_status pc_read_fields(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                         const char* what, void* definition);

/* Refuses a key that is not in a table. */
pc_status pc_check_keys(const pc_reader* r, const pc_field* table, const pc_node* mapping,
                        const char* what);

/* Whether `key` ("bodies", "at") stands for what `points` says in another way, in a table that has
 * both. */
int pc_is_alternative(const pc_field* table, const char* key);

/* A number as a function of time alone; whether an expression is that. */
pc_status pc_read_signal(const pc_reader* r, const pc_node* node, pc_signal* signal);
pc_status pc_is_of_time(const pc_reader* r, const pc_node* node, int* is);

/* A point of a body, [body, [x, y]], or just the body's name for the origin of its frame. */
pc_status pc_read_point(const pc_reader* r, const pc_node* node, pc_point* point);

/* A vector of the space's dimension; in one dimension a number will do. */
pc_status pc_read_vector(const pc_reader* r, const pc_node* node, double* vector);

#endif
