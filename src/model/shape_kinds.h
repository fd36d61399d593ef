/* Field tables of shapes and materials; see kinds.h. */
#ifndef PC_MODEL_SHAPE_KINDS_H
#define PC_MODEL_SHAPE_KINDS_H

#include "model/kinds.h"

extern const pc_field pc_material_fields[], pc_spatial_material_fields[];
/* {value, above} of a restitution, in a pc_contact_law. */
extern const pc_field pc_restitution_fields[];

extern const pc_field pc_disc_shape_fields[], pc_rectangle_shape_fields[],
    pc_polygon_shape_fields[], pc_stadium_shape_fields[], pc_segment_shape_fields[],
    pc_half_plane_shape_fields[], pc_polyline_shape_fields[];
extern const pc_field pc_sphere_shape_fields[], pc_box_shape_fields[], pc_capsule_shape_fields[],
    pc_cylinder_shape_fields[], pc_ellipsoid_shape_fields[], pc_polyhedron_shape_fields[],
    pc_half_space_shape_fields[], pc_mesh_shape_fields[];

void pc_default_shape(pc_any_def* def);
void pc_default_material_law(pc_any_def* def);

#endif
