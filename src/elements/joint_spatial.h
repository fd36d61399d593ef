/* Joints in space, which pc_add_revolute and so on make of a definition in a spatial system. */
#ifndef PC_ELEMENTS_JOINT_SPATIAL_H
#define PC_ELEMENTS_JOINT_SPATIAL_H

#include "elements/attach.h"

pc_status pc_add_spatial_revolute(const pc_adding* adding, const pc_joint_def* def);
pc_status pc_add_spatial_prismatic(const pc_adding* adding, const pc_joint_def* def);
pc_status pc_add_spatial_fixed(const pc_adding* adding, const pc_joint_def* def);

#endif
