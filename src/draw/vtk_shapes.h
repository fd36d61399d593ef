/* Shapes and contacts between them for ParaView, beside the points of the bodies
 * (pc_result_write_vtk). */
#ifndef PC_DRAW_VTK_SHAPES_H
#define PC_DRAW_VTK_SHAPES_H

#include "percuss/percuss.h"

/* Writes into the directory, which is there: `shapes.pvd` and a file for each N-th row and the last
 * one with the surfaces of all shapes (cells know their shape, by its number, and name);
 * `contacts.pvd` and files with a point for each contact between shapes (impulse, normal, gap).
 * Nothing where the model has no shapes. `go_on` as there. */
pc_status write_vtk_shapes(const pc_result* result, const char* directory, long every,
                           int (*go_on)(void* user), void* user, pc_error* error);

#endif
