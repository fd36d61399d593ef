/* A static tree of boxes over the faces of a mesh or polyline: which faces are near a box. */
#ifndef PC_COLLIDE_MESH_TREE_H
#define PC_COLLIDE_MESH_TREE_H

#include "collide/bounds.h"
#include "collide/polytope.h"

typedef struct pc_mesh_tree pc_mesh_tree;

pc_status pc_mesh_tree_create(const pc_polytope* mesh, pc_mesh_tree** tree, pc_error* error);
void pc_mesh_tree_destroy(pc_mesh_tree* tree); /* NULL is fine */

/* The box around the whole, in the frame of the mesh. */
pc_bounds pc_mesh_tree_bounds(const pc_mesh_tree* tree);

/* Calls `visit` for every face whose box overlaps `bounds`, in an order that depends on the mesh
 * alone. Both are in the frame of the mesh. */
typedef void pc_visit_face(void* user, int face);
void pc_mesh_tree_visit(const pc_mesh_tree* tree, const pc_bounds* bounds, pc_visit_face* visit,
                        void* user);

#endif
