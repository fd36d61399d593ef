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
};

/* Parses a formula in the scope of the element. */
pc_status pc_maker_parse(pc_maker* m, const pc_node* node, pc_expr* expr);

/* Adds to the generalized force on a velocity of a part. */
void pc_maker_add_force(pc_maker* m, int part, int offset, pc_expr expr);

/* Makes an element and adds it. An error of the element as a whole is left without a place, for the
 * caller to say (pc_place_error). `none` tells, if not NULL, that the formulas use no part at all:
 * then nothing is added. */
pc_status pc_make_formula(pc_reader* r, const char* name, pc_fill_formula* fill, void* user,
                          int* none);

#endif
