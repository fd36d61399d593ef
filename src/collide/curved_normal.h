/* The normal of a contact with a curved feature: Newton's method on the sphere of unit vectors. */
#ifndef PC_COLLIDE_CURVED_NORMAL_H
#define PC_COLLIDE_CURVED_NORMAL_H

#include "collide/contact_rows.h"

/* F'a: components of a vector along the semi-axes of a curved feature, times their lengths. */
static inline pc_v3 pc_curved_components(const double F[9], pc_v3 a)
{
  return (pc_v3){F[0] * a.x + F[3] * a.y + F[6] * a.z, F[1] * a.x + F[4] * a.y + F[7] * a.z,
                 F[2] * a.x + F[5] * a.y + F[8] * a.z};
}

/* Two features with none that is a face, at least one of them curved, in the inertial frame. */
typedef struct pc_curved_pair {
  pc_v3 r;            /* P_0 - P_1 */
  double F[2][9];     /* of the features, inertial: see contact_rows.h */
  int curved[2];      /* */
  const pc_v3* along; /* of a line among the features, or NULL */
} pc_curved_pair;

/* The gap without radii, n . r(n), and its derivatives by turning n along the tangents t_i, which
 * are two, or with a line one: gradient t_i . r and Hessian t_i . (dr/dn) t_k - n . r delta_ik. */
typedef struct pc_curved_slope {
  int count;
  pc_v3 t[2];
  double value, gradient[2], hessian[4];
  double flat; /* sum of the radii of rims whose axes are along n: there the gap has a kink */
} pc_curved_slope;

pc_curved_slope pc_curved_slope_at(const pc_curved_pair* pair, pc_v3 n);

/* The maximum of the gap near n. Where the starting vector is too far for Newton's method the way
 * leads uphill; a maximum it is in any case. */
pc_v3 pc_curved_normal(const pc_curved_pair* pair, pc_v3 n);

/* -H^-1 times a vector of `count` numbers in place. */
void pc_curved_solve(const pc_curved_slope* slope, double x[2]);

#endif
