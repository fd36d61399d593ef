/* Outputs: own ones, which the section `record` defines, and those of points and joints. */
#ifndef PC_MODEL_OUTPUTS_H
#define PC_MODEL_OUTPUTS_H

#include "model/sections.h"

/* Notes the outputs that the section (NULL: not there) defines, so that formulas can use them. */
pc_status pc_list_outputs(pc_reader* r, const pc_node* section);

/* Adds the outputs that were noted and those of named points. The rows of the system get closed. */
pc_status pc_add_outputs(pc_reader* r);

/* A number by a formula of t and positions, which is not added to the system: a caller reads it by
 * def->value and releases it by def->destroy. */
pc_status pc_make_output(pc_reader* r, const pc_node* node, pc_output_def* def);

/* Adds an output that exists only if it is asked for, a coordinate or load of a joint ("pin.angle",
 * "pin.force"), the load of a drive, motor or contact ("floor.force_N"), an acceleration or a force
 * ("rod.ax", "pin.lambda.1"): `quantity` is its number, -1 if there is none of this name. */
pc_status pc_add_named_output(pc_reader* r, const char* name, int* quantity);

/* Adds the output of a sampled controller, its formula; whether that uses impulses. */
pc_status pc_add_command_output(pc_reader* r, const pc_held_entry* entry, int* quantity,
                                int* of_impulses);

/* Adds all outputs of the joint or motor called `name`, if there is one. */
pc_status pc_add_joint_outputs(pc_reader* r, const char* name);

#endif
