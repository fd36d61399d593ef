/* What a rigid body in space and a node of a beam in space have in common. */
#ifndef PC_ELEMENTS_BODY_SPATIAL_H
#define PC_ELEMENTS_BODY_SPATIAL_H

#include "system/element.h"

/* q = (x, p) and u = (v, w): x' = v in the inertial frame, p' = Q(p) w/2. */
extern const pc_kinematics pc_spatial_kinematics;

/* x + d, and p turned by the rotation vector that follows in d. */
pc_retract pc_spatial_retract;

#endif
