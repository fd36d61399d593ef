/* The rotational spring in space. */
#ifndef PC_ELEMENTS_ROTATIONAL_SPRING_H
#define PC_ELEMENTS_ROTATIONAL_SPRING_H

#include "elements/attach.h"

/* Name, stiffness, damping and angle have been checked. */
pc_status pc_add_spatial_rotational_spring(const pc_adding* adding,
                                           const pc_rotational_spring_def* def);

#endif
