/* Triangles from files: STL, binary and text, and OBJ. */
#ifndef PC_COLLIDE_MESH_FILE_H
#define PC_COLLIDE_MESH_FILE_H

#include <stddef.h>

#include "base/export.h"
#include "percuss/geometry.h"

/* Reads triangles from the `size` bytes of a file; the format is found from the content. Corners of
 * an STL file with the same numbers become one, triangles without area are left out, and polygons
 * of an OBJ file are triangulated. Anything that is not understood, or a file that ends
 * early, is an error that names `name` and the line or the triangle. What has been read is released
 * by pc_triangles_release. */
PC_SIBLING_API pc_status pc_triangles_parse(const char* name, const char* bytes, size_t size,
                                            pc_triangles* triangles, pc_error* error);

#endif
