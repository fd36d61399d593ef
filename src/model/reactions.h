/* Forces and torques of joints and of force elements on the parts they act on, by name:
 *
 *     <element>[.on.<part>][.about.<point or part>][.in.<part>][.end].(force|torque)[.x|.y|.z]
 *
 * Without `on` it is what acts on the second part, or on the first where the second is the ground;
 * without `about` a torque is that about the element's point on this part, or about its origin
 * where the element has none; without `in` components are inertial. Without a component it is the
 * size. A joint's are means over a step, impulses over dt; with `end`, those at its end. */
#ifndef PC_MODEL_REACTIONS_H
#define PC_MODEL_REACTIONS_H

#include "formula/frame.h"
#include "model/field.h"

/* Of an output in the making: the variable of a source. */
typedef struct pc_source_variables {
  const pc_reader* r;
  pc_pool* pool;
  pc_expr (*variable)(void* user, pc_pool* pool, pc_output_source source);
  void* user;
} pc_source_variables;

/* The load of this name and its unit; NULL: there is none. */
const char* pc_find_reaction(const pc_source_variables* v, const char* name, pc_expr* load);

/* Whether the joint of this name has a point, about which its torque is. */
int pc_has_joint_point(const pc_reader* r, const char* joint);

#endif
