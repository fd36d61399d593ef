/* A contact whose normal force is given: friction with a bound that is known at the start of a
 * step. */
#ifndef PC_MODEL_FRICTION_H
#define PC_MODEL_FRICTION_H

#include "model/kinds.h"
#include "model/maker.h"

/* In the making: a mass of its own, pressed on a floor. */
typedef struct pc_held_contact {
  int preload; /* the coordinate of the mass, among those of the reader */
  pc_formula_contact contact;
} pc_held_contact;

/* Adds the coordinate <name>.preload; the contact is called `name`. */
pc_status pc_begin_held_contact(pc_reader* r, const char* name, const pc_node* place,
                                pc_held_contact* contact);

/* Within pc_fill_formula: the contact with this bound against these sliding velocities; `turns`:
 * they are rates of angles, and the bound is a torque. */
void pc_fill_held_contact(pc_maker* m, pc_held_contact* contact, pc_expr bound, int turns,
                          int count, const pc_expr* slip);

/* pc_make_formula, whose errors name the element and its kind. */
pc_status pc_make_friction(pc_reader* r, const char* kind, const char* name, const pc_node* place,
                           pc_fill_formula* fill, void* user);

/* Friction in a contact beside sliding, if its mapping asks for it: resistance to rolling and
 * drilling with the normal force of the last step. */
pc_status pc_read_rolling_friction(pc_reader* r, const pc_kind* kind, const pc_any_def* def,
                                   const pc_node* place, const pc_node* fields);

#endif
