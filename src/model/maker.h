/* An element made of formulas, in the making. Its parts are the coordinates and bodies that its
 * formulas use; which these are is found by a first, scanning pass over the formulas. */
#ifndef PC_MODEL_MAKER_H
#define PC_MODEL_MAKER_H

#include "model/variables.h"

typedef struct pc_maker pc_maker;

/* Parses the formulas and fills in `def`: all but its name, parts and forces, which go through
 * pc_maker_add_force. It is called twice. */
typedef pc_status pc_fill_formula(pc_maker* m, void* user);

struct pc_maker {
  pc_variables v; /* its scope is the one to parse with */
  int scanning;   /* the first pass: expressions of it are not kept */
  pc_pool* pool;
  pc_formula_def def;
  int* q_first; /* of each part its first local coordinate and velocity, or -1 */
  int* u_first;
  int q_count, u_count;
  pc_part_id* part;
  pc_expr* force;
  int takes_loads;  /* the formula at hand may use loads, see model/held.h */
  char wanted[128]; /* a load that a formula uses and that is not held yet; "": none */
  const pc_node* wanted_by;
};

/* Parses a formula in the scope of the element. */
pc_status pc_maker_parse(pc_maker* m, const pc_node* node, pc_expr* expr);

/* The same for a force: it may also use loads, which are those of the last step. */
pc_status pc_maker_parse_force(pc_maker* m, const pc_node* node, pc_expr* expr);

/* Adds to the generalized force on a velocity of a part. */
void pc_maker_add_force(pc_maker* m, int part, int offset, pc_expr expr);

/* A joint's bodies as expressions. */
typedef struct pc_joint_view {
  const pc_joint_entry* joint;
  pc_expr_frame f[2];
} pc_joint_view;

/* `place` is for the error: a joint that holds a node of a beam has no coordinates. */
pc_status pc_view_joint(pc_maker* m, int joint, const pc_node* place, pc_joint_view* view);

/* Which coordinate of a joint: "angle", "displacement", or the one that it has (NULL). An error
 * says what there is. */
typedef enum pc_joint_coordinate {
  PC_COORDINATE_ANGLE,
  PC_COORDINATE_DISPLACEMENT
} pc_joint_coordinate;

pc_status pc_choose_coordinate(const pc_reader* r, int joint, const char* wanted,
                               const pc_node* place, pc_joint_coordinate* coordinate);

/* Whether the joint has an angle and a displacement along one axis: cylindrical, screw. */
int pc_joint_turns_and_slides(const pc_joint_entry* joint);

/* The angle called `name`, which coordinates give up to multiples of a period, counted on over any
 * number of turns: its last value becomes a coordinate that holds it, as a load does. */
pc_expr pc_maker_follow(pc_maker* m, const char* name, const pc_node* place, pc_expr angle,
                        double period);

/* The coordinate and its rate. */
pc_expr pc_coordinate_of(pc_pool* pool, const pc_joint_view* view, pc_joint_coordinate which);
pc_expr pc_coordinate_rate(pc_pool* pool, const pc_joint_view* view, pc_joint_coordinate which);

/* The period of the coordinate, or 0. */
double pc_coordinate_period(const pc_reader* r, pc_joint_coordinate which);

/* Adds a force along the coordinate: on the second body, and its opposite on the first. */
void pc_maker_add_joint_force(pc_maker* m, const pc_joint_view* view, pc_joint_coordinate which,
                              pc_expr force);

/* Adds a force F at an arm and a torque T (inertial components, times `sign`) to those on a
 * part. */
void pc_maker_add_wrench(pc_maker* m, pc_part_id id, const pc_expr_frame* frame,
                         const pc_expr arm[3], const pc_expr F[3], const pc_expr T[3], double sign);

/* Makes an element and adds it. An error of the element as a whole is left without a place, for the
 * caller to say (pc_place_error). `none` tells, if not NULL, that the formulas use no part at all:
 * then nothing is added. */
pc_status pc_make_formula(pc_reader* r, const char* name, pc_fill_formula* fill, void* user,
                          int* none);

#endif
