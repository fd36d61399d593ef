/* The surfaces that an arc can touch, as signed distances in the frame of their part, and the point
 * of an arc that is nearest to one. */
#ifndef PC_ELEMENTS_ARC_SURFACE_H
#define PC_ELEMENTS_ARC_SURFACE_H

#include "percuss/elements.h"

typedef struct pc_surface {
  pc_surface_kind kind;
  double point[3];
  double axis[3];   /* cylinder, bore: direction; face: normal; wedge: first normal; unit vectors */
  double second[3]; /* face: first edge; wedge: second normal; sector: its middle */
  double third[3];  /* face: second edge; sector: across the others */
  double half[2];   /* face: half lengths of the edges */
  double radius;    /* cylinder, bore; of the rounding of a wedge */
  double cosine;    /* cylinder: of half the angle of the sector that it is, at most pi/2 */
  double sine;      /* likewise; 0: all round */
} pc_surface;

/* Distance, positive on the free side, its gradient, a unit vector, and its Hessian. */
typedef struct pc_surface_value {
  double distance;
  double gradient[3];
  double hessian[9];
} pc_surface_value;

void pc_surface_at(const pc_surface* surface, const double x[3], pc_surface_value* value);

/* A circle c + R (cos f e_1 + sin f e_2) in the frame of the surface; of an arc f is from 0 to
 * angle, of a whole circle angle is 2 pi or more. */
typedef struct pc_arc {
  double centre[3], e1[3], e2[3];
  double radius, angle;
} pc_arc;

/* A point of an arc: where the distance is least, `free`, so that it slides along the arc as the
 * bodies move with the curvature d2(distance)/df2; or an end of the arc. */
typedef struct pc_arc_point {
  double f;
  int free;
  double curvature; /* [m] */
  double least;     /* distance of the arc [m]: at this point, or with `second` at another */
} pc_arc_point;

/* The point nearest to the surface: of several local minima the lowest, or, with `second`, the
 * next; where there is none, the farthest point, which is stationary as well. */
pc_arc_point pc_nearest_on_arc(const pc_surface* surface, const pc_arc* arc, int second);

/* The point at f, and its derivative by f. */
void pc_arc_place(const pc_arc* arc, double f, double x[3], double slope[3]);

#endif
