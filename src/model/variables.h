/* What names mean in a formula: coordinates, bodies, points and joints as expressions of the
 * variables of an element, or of an output, in the making. */
#ifndef PC_MODEL_VARIABLES_H
#define PC_MODEL_VARIABLES_H

#include "formula/frame.h"
#include "model/field.h"

/* The parts that formulas know, numbered: coordinates of formulas first, then bodies. */
int pc_part_total(const pc_reader* r);

/* How many coordinates and velocities a part has, 0 for bars and beams; its id. */
int pc_part_q_width(const pc_reader* r, int part);
int pc_part_u_width(const pc_reader* r, int part);
pc_part_id pc_part_id_of(const pc_reader* r, int part);

/* The number of a part, or -1: a node of a bar or beam, the ground. */
int pc_part_number(const pc_reader* r, pc_part_id id);

/* A coordinate or velocity of a part. */
typedef struct pc_part_quantity {
  int part, offset, velocity;
} pc_part_quantity;

/* x, x' of a coordinate; crank.angle, crank.spin of a body. 0 if there is none of that name. */
int pc_find_part_quantity(const pc_reader* r, const char* name, size_t length,
                          pc_part_quantity* found);

/* The scope of a formula. Whoever owns it decides what a coordinate or velocity becomes, and may
 * know more names. */
typedef struct pc_variables pc_variables;

struct pc_variables {
  pc_reader* r;
  pc_scope scope; /* to parse with; made by pc_variables_begin */
  pc_expr (*get)(pc_variables* v, pc_pool* pool, pc_part_quantity of);
  /* t, and what else the owner knows; 0 if it does not know the name */
  int (*find)(pc_variables* v, pc_pool* pool, const char* name, size_t length, pc_expr* meaning);
  void (*list)(const pc_variables* v, pc_suggestion* names); /* may be NULL */
  /* An angle that coordinates give up to multiples of a period, counted on over any number of
   * turns; NULL: it is not. */
  pc_expr (*follow)(pc_variables* v, pc_pool* pool, const char* name, size_t length, pc_expr angle,
                    double period);
  const char* own_output; /* the output being defined, which cannot use itself; may be NULL */
  int depth;              /* of outputs within outputs */
};

/* Fills in r and the scope. */
void pc_variables_begin(pc_variables* v, pc_reader* r);

/* The frame of a part of formulas, PC_GROUND included. 0 if it has none: a node of a bar or
 * beam. */
int pc_variables_frame(pc_variables* v, pc_pool* pool, pc_part_id id, pc_expr_frame* frame);

/* ---- derived quantities ------------------------------------------------------------------- */

/* A quantity of a point or a joint, made of the motion of its bodies. */
typedef struct pc_derived {
  const char* unit;
  double period; /* of an angle that is known up to multiples of it, else 0 */
  pc_expr expr;
} pc_derived;

/* tip.x, tip.vx of a point; pin.angle, pin.rate, slide.displacement, slide.speed of a joint. */
int pc_find_derived(pc_variables* v, pc_pool* pool, const char* name, size_t length,
                    pc_derived* found);

/* The names of all derived quantities, one after the other; 0 past the last. */
int pc_list_derived(const pc_reader* r, int index, char* name, size_t size);

#endif
