/* From the mapping of a shape to a geometry of the system, and where it is. */
#ifndef PC_MODEL_GEOMETRY_H
#define PC_MODEL_GEOMETRY_H

#include "model/kinds.h"

/* Makes the geometry of a shape of this kind ("box"), or takes an equal one that is there. `*form`
 * belongs to the system. */
pc_status pc_make_geometry(pc_reader* r, const char* kind, const pc_node* shape,
                           const pc_shape_def* def, pc_geometry_id* id, const pc_geometry** form);

/* Where a shape is in the frame that it is given in. */
pc_status pc_make_pose(const pc_reader* r, const char* kind, const pc_node* shape,
                       const pc_shape_def* def, pc_pose* pose);

/* The frame `inner`, given in the frame `outer`, outside of that. */
pc_pose pc_compose_poses(const pc_pose* outer, const pc_pose* inner);

void pc_geometries_clear(pc_shape_reader* shapes);

#endif
