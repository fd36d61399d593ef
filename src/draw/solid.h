/* Surfaces of shapes as polygons, for programs that draw polygons. */
#ifndef PC_DRAW_SOLID_H
#define PC_DRAW_SOLID_H

#include <stddef.h>

#include "percuss/percuss.h"

/* Corners in the frame of the shape, and polygons of them; a shape without area has lines
 * instead. */
typedef struct solid {
  double* point; /* x, y, z each [m] */
  int point_count, point_capacity;
  int* corner; /* of all polygons, one after the other */
  int corner_count, corner_capacity;
  int* end; /* of each polygon: where the next begins */
  int face_count, face_capacity;
  int is_line;
} solid;

typedef struct solid_options {
  int around;    /* corners of a circle */
  double extent; /* half of the side by which half-spaces are drawn [m] */
} solid_options;

/* To be released in any case. PC_OUT_OF_MEMORY. */
pc_status make_solid(const pc_geometry* geometry, const solid_options* options, solid* s);
void release_solid(solid* s);

#endif
