/* Contact of a body in space with a floor: a plane that stands still, as most planes do.
 *
 * All is written in the frame of the body, where the floor's normal m = A'n turns and nothing else
 * does. A convex shape about its centre c has a support function h(m): it reaches h below c, at c -
 * grad h(m). So a shape is its support function with two derivatives, and the rest is common. */
#ifndef PC_ELEMENTS_CONTACT_FLOOR_H
#define PC_ELEMENTS_CONTACT_FLOOR_H

#include "elements/contact_plane.h"

/* Whether a contact is one with a floor. */
PC_INLINE int pc_is_floor(const pc_plane_contact* contact)
{
  const pc_place* place = contact->pair.place;
  return place[0].kind == PC_PART_SPATIAL_BODY && place[1].kind == PC_PLACE_GROUND;
}

/* The normal of the floor seen from the body. */
typedef struct pc_floor_view {
  double A[9]; /* of the body */
  double m[3]; /* A'n */
} pc_floor_view;

PC_INLINE pc_floor_view pc_floor_view_at(const pc_plane_contact* contact, const double* q)
{
  pc_floor_view v;
  pc_rotation_matrix(q + 3, v.A);
  pc_rotation_apply_inverse(v.A, contact->normal, v.m);
  return v;
}

/* The support of a shape at m. */
typedef struct pc_support {
  double depth;    /* h */
  double reach[3]; /* -grad h, from the centre to the deepest point */
  double slope[9]; /* d(reach)/dm, 3 x 3 */
} pc_support;

/* The rows of the contact, as pc_put_plane_contact. */
void pc_put_floor_contact(const pc_plane_contact* contact, const pc_floor_view* view,
                          const pc_support* support, const pc_local* l);

#endif
