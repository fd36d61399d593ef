/* Kinds that are made with the help of the reader: `make` of pc_kind. */
#ifndef PC_MODEL_MAKERS_H
#define PC_MODEL_MAKERS_H

#include "model/kinds.h"

typedef pc_status pc_make(pc_reader* r, const pc_any_def* def, const pc_node* place,
                          const pc_node* fields);

/* forces.c */
pc_make pc_make_force;
pc_make pc_make_torque;
pc_make pc_make_line_force;

/* bushing.c */
pc_make pc_make_bushing;

/* drives.c */
pc_make pc_make_drive;
pc_make pc_make_limit;
pc_make pc_make_joint_friction;

/* couplings.c */
pc_make pc_make_gear;
pc_make pc_make_belt;
pc_make pc_make_rack;
pc_make pc_make_screw;

#endif
