/* What planar and spatial beams share: the interpolation of a finite element. */
#ifndef PC_ELEMENTS_BEAM_H
#define PC_ELEMENTS_BEAM_H

#include "elements/attach.h"

enum { PC_BEAM_NODES = 3, PC_BEAM_POINTS = 2 }; /* of an element, at most */

/* Lagrange polynomials N_i on equally spaced nodes, seen from the Gauss points. There is a point
 * less than there are nodes: the reduced integration that keeps thin beams from locking. What is
 * quadratic in N, the mass, is integrated exactly. */
typedef struct pc_beam_shape {
  int nodes, points;
  double weight[PC_BEAM_POINTS];               /* of a Gauss point [m] */
  double N[PC_BEAM_POINTS][PC_BEAM_NODES];     /* N_i there */
  double slope[PC_BEAM_POINTS][PC_BEAM_NODES]; /* dN_i/ds there [1/m] */
  double mass[PC_BEAM_NODES][PC_BEAM_NODES];   /* integral of N_i N_j ds [m] */
  double load[PC_BEAM_NODES];                  /* integral of N_i ds [m] */
} pc_beam_shape;

/* The shape of an element with 2 or 3 nodes and an arc length without strain. */
pc_beam_shape pc_beam_shape_of(int nodes, double length);

/* The arc length from root to tip without strain: |tip - root| for a straight beam. */
double pc_beam_length(const pc_beam_def* def, int dimension);

/* The place of a node on the arc with respect to the root, along the tangent there and to its left,
 * and the angle from that tangent. `share` is 0 at the root and 1 at the tip. */
void pc_beam_arc(double length, double turn, double share, double place[2], double* angle);

/* The frame at the root of a beam in space. */
typedef struct pc_beam_base {
  double length;
  double axis[3][3]; /* along the tangent, to its left, and up */
  double p[4];       /* the quaternion of that frame */
} pc_beam_base;

pc_status pc_beam_find_base(const pc_adding* adding, const pc_beam_def* def, pc_beam_base* base);

/* Coordinates (7) and velocities (6) of a node in space: the beam moves like a rigid body that
 * turns about its root. */
void pc_beam_place_node(const pc_beam_def* def, const pc_beam_base* base, double share, double* q,
                        double* u);

pc_status pc_add_planar_beam(const pc_adding* adding, const pc_beam_def* def, pc_part_id* id);
pc_status pc_add_spatial_beam(const pc_adding* adding, const pc_beam_def* def, pc_part_id* id);

#endif
