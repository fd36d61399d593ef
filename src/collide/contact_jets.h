/* Vectors of jets, and the maximisation of contact_rows.h in them: derivatives by moving body 0
 * (components 0 to 2) and turning it about the inertial axes (3 to 5) while body 1 stands still.
 * Components are as in elements/jet.h: their number m is the constant 0 where only values are
 * wanted. */
#ifndef PC_COLLIDE_CONTACT_JETS_H
#define PC_COLLIDE_CONTACT_JETS_H

#include "collide/contact_rows.h"
#include "elements/jet.h"

typedef struct pc_jet3 {
  pc_jet x, y, z;
} pc_jet3;

PC_INLINE pc_jet3 pc_jet3_of(pc_v3 v)
{
  return (pc_jet3){pc_jet_number(v.x), pc_jet_number(v.y), pc_jet_number(v.z)};
}

PC_INLINE pc_v3 pc_jet3_value(pc_jet3 a)
{
  return (pc_v3){a.x.v, a.y.v, a.z.v};
}

/* a + s b */
PC_INLINE pc_jet3 pc_jet3_plus(int m, pc_jet3 a, double s, pc_jet3 b)
{
  return (pc_jet3){pc_jet_plus(m, a.x, s, b.x), pc_jet_plus(m, a.y, s, b.y),
                   pc_jet_plus(m, a.z, s, b.z)};
}

/* a + s b with a jet s */
PC_INLINE pc_jet3 pc_jet3_along(int m, pc_jet3 a, pc_jet s, pc_jet3 b)
{
  return (pc_jet3){pc_jet_plus(m, a.x, 1, pc_jet_times(m, s, b.x)),
                   pc_jet_plus(m, a.y, 1, pc_jet_times(m, s, b.y)),
                   pc_jet_plus(m, a.z, 1, pc_jet_times(m, s, b.z))};
}

PC_INLINE pc_jet3 pc_jet3_times(int m, pc_jet s, pc_jet3 b)
{
  return (pc_jet3){pc_jet_times(m, s, b.x), pc_jet_times(m, s, b.y), pc_jet_times(m, s, b.z)};
}

PC_INLINE pc_jet pc_jet3_dot(int m, pc_jet3 a, pc_jet3 b)
{
  pc_jet r = pc_jet_times(m, a.x, b.x);
  r = pc_jet_plus(m, r, 1, pc_jet_times(m, a.y, b.y));
  return pc_jet_plus(m, r, 1, pc_jet_times(m, a.z, b.z));
}

PC_INLINE pc_jet pc_jet3_minor(int m, pc_jet a, pc_jet b, pc_jet c, pc_jet d) /* a b - c d */
{
  return pc_jet_plus(m, pc_jet_times(m, a, b), -1, pc_jet_times(m, c, d));
}

PC_INLINE pc_jet3 pc_jet3_cross(int m, pc_jet3 a, pc_jet3 b)
{
  return (pc_jet3){pc_jet3_minor(m, a.y, b.z, a.z, b.y), pc_jet3_minor(m, a.z, b.x, a.x, b.z),
                   pc_jet3_minor(m, a.x, b.y, a.y, b.x)};
}

/* a/|a|, or a fixed vector in its place if it has no length. */
PC_INLINE pc_jet3 pc_jet3_unit(int m, pc_jet3 a, pc_v3 otherwise)
{
  pc_jet length = pc_jet_sqrt(m, pc_jet3_dot(m, a, a));
  if (!(length.v > 0)) return pc_jet3_of(otherwise);
  return pc_jet3_times(m, pc_jet_inverse(m, length), a);
}

/* A vector that turns with body 0: axis x v for each axis. */
PC_INLINE pc_jet3 pc_jet3_turning(int m, pc_v3 v, int turns)
{
  pc_jet3 r = pc_jet3_of(v);
  if (!m || !turns) return r;
  r.x.d[4] = v.z, r.x.d[5] = -v.y;
  r.y.d[3] = -v.z, r.y.d[5] = v.x;
  r.z.d[3] = v.y, r.z.d[4] = -v.x;
  return r;
}

/* A contact as jets: the arms lead from the origins of the bodies to the points. */
typedef struct pc_contact_jets {
  pc_jet gap;
  pc_jet3 n, arm[2];
} pc_contact_jets;

#endif
