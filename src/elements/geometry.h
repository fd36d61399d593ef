/* The geometry that joints, contacts and line forces share: points and directions that move with a
 * part, as jets, and the rows of W that they make.
 *
 * A row of W is the wrench of a unit force along a direction e at a point. On a planar body with
 * centre x it is (e, e . (z x r)) with the arm r from x to the point; on a point mass it is e. The
 * values of these jets are the row, their derivatives are its W_q. A body's velocities are the rates
 * of its coordinates (q' = u), so derivatives by q and rows over u have the same layout. */
#ifndef PC_ELEMENTS_GEOMETRY_H
#define PC_ELEMENTS_GEOMETRY_H

#include "elements/jet.h"
#include "system/element.h"

/* Where a part's coordinates are among the local ones of an element. */
typedef struct pc_place {
  int kind;   /* PC_PART_POINT_MASS, PC_PART_PLANAR_BODY or PC_PLACE_GROUND */
  int first;  /* its first local coordinate */
  int width;  /* number of its coordinates: 0 for the ground */
  int turned; /* whether its angle matters: something off its centre, or a direction, hangs on it */
} pc_place;

enum { PC_PLACE_GROUND = -1 };

/* The two parts of an element. */
typedef struct pc_pair {
  pc_place place[2];
  int dimension;
  int count; /* local coordinates of both */
} pc_pair;

/* What a kernel is compiled for: the dimension (1, 2, 3) and the components of its jets. */
typedef struct pc_space {
  int dim;
  int n;
} pc_space;

/* A vector of jets; components past the dimension are neither read nor meaningful. */
typedef struct pc_vec {
  pc_jet x, y, z;
} pc_vec;

/* ---- vectors ------------------------------------------------------------------------------ */

PC_INLINE pc_vec pc_vec_of(const double v[3])
{
  return (pc_vec){pc_jet_number(v[0]), pc_jet_number(v[1]), pc_jet_number(v[2])};
}

/* a + scale * b */
PC_INLINE pc_vec pc_vec_plus(pc_space s, pc_vec a, double scale, pc_vec b)
{
  pc_vec r = {.x = pc_jet_plus(s.n, a.x, scale, b.x)};
  if (s.dim > 1) r.y = pc_jet_plus(s.n, a.y, scale, b.y);
  if (s.dim > 2) r.z = pc_jet_plus(s.n, a.z, scale, b.z);
  return r;
}

PC_INLINE pc_vec pc_vec_scaled(pc_space s, pc_vec a, double scale)
{
  pc_vec r = {.x = pc_jet_affine(s.n, scale, a.x, 0)};
  if (s.dim > 1) r.y = pc_jet_affine(s.n, scale, a.y, 0);
  if (s.dim > 2) r.z = pc_jet_affine(s.n, scale, a.z, 0);
  return r;
}

PC_INLINE pc_vec pc_vec_times(pc_space s, pc_vec a, pc_jet b)
{
  pc_vec r = {.x = pc_jet_times(s.n, a.x, b)};
  if (s.dim > 1) r.y = pc_jet_times(s.n, a.y, b);
  if (s.dim > 2) r.z = pc_jet_times(s.n, a.z, b);
  return r;
}

PC_INLINE pc_jet pc_vec_dot(pc_space s, pc_vec a, pc_vec b)
{
  pc_jet r = pc_jet_times(s.n, a.x, b.x);
  if (s.dim > 1) r = pc_jet_plus(s.n, r, 1, pc_jet_times(s.n, a.y, b.y));
  if (s.dim > 2) r = pc_jet_plus(s.n, r, 1, pc_jet_times(s.n, a.z, b.z));
  return r;
}

/* z x a in the plane */
PC_INLINE pc_vec pc_vec_turned_left(pc_space s, pc_vec a)
{
  return (pc_vec){.x = pc_jet_affine(s.n, -1, a.y, 0), .y = a.x};
}

PC_INLINE pc_jet pc_vec_length(pc_space s, pc_vec a)
{
  return pc_jet_sqrt(s.n, pc_vec_dot(s, a, a));
}

/* a/|a| with |a| given. A vector of length zero has no direction: the first axis, fixed, stands in
 * for it, so that all numbers stay finite. */
PC_INLINE pc_vec pc_vec_unit(pc_space s, pc_vec a, pc_jet length)
{
  if (!(length.v > 0)) return pc_vec_of((const double[3]){1, 0, 0});
  return pc_vec_times(s, a, pc_jet_inverse(s.n, length));
}

/* ---- frames ------------------------------------------------------------------------------- */

/* A place at a configuration. */
typedef struct pc_frame {
  const pc_place* place;
  double cosine, sine; /* of its angle */
} pc_frame;

PC_INLINE pc_frame pc_frame_at(const pc_place* place, const double* q)
{
  if (!place->turned) return (pc_frame){place, 1, 0};
  double angle = q[place->first + 2];
  return (pc_frame){place, cos(angle), sin(angle)};
}

/* A vector that is fixed in the frame, in the inertial axes. */
PC_INLINE pc_vec pc_frame_vec(pc_space s, const pc_frame* f, const double v[3])
{
  if (s.dim != 2 || !f->place->turned) return pc_vec_of(v);
  double x = f->cosine * v[0] - f->sine * v[1], y = f->sine * v[0] + f->cosine * v[1];
  int angle = f->place->first + 2;
  return (pc_vec){.x = pc_jet_of(s.n, x, angle, -y), .y = pc_jet_of(s.n, y, angle, x)};
}

/* The origin of the frame: the centre of mass, or the inertial origin. */
PC_INLINE pc_vec pc_frame_origin(pc_space s, const pc_frame* f, const double* q)
{
  if (f->place->kind == PC_PLACE_GROUND) return pc_vec_of((const double[3]){0, 0, 0});
  int first = f->place->first;
  pc_vec r = {.x = pc_jet_of(s.n, q[first], first, 1)};
  if (s.dim > 1) r.y = pc_jet_of(s.n, q[first + 1], first + 1, 1);
  if (s.dim > 2) r.z = pc_jet_of(s.n, q[first + 2], first + 2, 1);
  return r;
}

/* A point of each part of a pair: their arms from the frames' origins, and r = c_1 - c_0. */
typedef struct pc_two_points {
  pc_frame frame[2];
  pc_vec arm[2];
  pc_vec r;
} pc_two_points;

PC_INLINE pc_two_points pc_two_points_at(pc_space s, const pc_pair* pair, const double at[2][3],
                                         const double* q)
{
  pc_two_points p;
  pc_vec c[2];
  for (int i = 0; i < 2; i++) {
    p.frame[i] = pc_frame_at(&pair->place[i], q);
    p.arm[i] = pc_frame_vec(s, &p.frame[i], at[i]);
    c[i] = pc_vec_plus(s, pc_frame_origin(s, &p.frame[i], q), 1, p.arm[i]);
  }
  p.r = pc_vec_plus(s, c[1], -1, c[0]);
  return p;
}

/* ---- rows --------------------------------------------------------------------------------- */

PC_INLINE void pc_put(pc_space s, pc_jet value, double sign, int count, double* W, double* W_q)
{
  if (W) *W = sign * value.v;
  PC_UNROLL
  for (int k = 0; k < s.n; k++)
    if (k < count) W_q[k] = sign * value.d[k];
}

/* One part's share of a row: sign times the wrench of e at the end of the arm. W is the row (may be
 * NULL), W_q its derivative (count x count), used if the space has derivatives. */
PC_INLINE void pc_put_wrench(pc_space s, const pc_place* place, pc_vec e, pc_vec arm, double sign,
                             int count, double* W, double* W_q)
{
  if (place->kind == PC_PLACE_GROUND) return;
  if (W) W += place->first;
  if (s.n) W_q += place->first * count;
  pc_put(s, e.x, sign, count, W, W_q);
  if (s.dim > 1) pc_put(s, e.y, sign, count, W ? W + 1 : NULL, s.n ? W_q + count : NULL);
  if (s.dim > 2) pc_put(s, e.z, sign, count, W ? W + 2 : NULL, s.n ? W_q + 2 * count : NULL);
  if (s.dim == 2 && place->kind == PC_PART_PLANAR_BODY) {
    pc_jet moment = pc_vec_dot(s, e, pc_vec_turned_left(s, arm));
    pc_put(s, moment, sign, count, W ? W + 2 : NULL, s.n ? W_q + 2 * count : NULL);
  }
}

/* Local row `row`: the velocity along e of a point of `plus` relative to a point of `minus`. */
PC_INLINE void pc_put_row(pc_space s, const pc_pair* pair, const pc_local* l, int row, pc_vec e,
                          const pc_place* plus, pc_vec plus_arm, const pc_place* minus,
                          pc_vec minus_arm)
{
  int count = pair->count;
  double* W = l->W ? l->W + row * count : NULL;
  double* W_q = s.n ? l->W_q + row * count * count : NULL;
  pc_put_wrench(s, plus, e, plus_arm, 1, count, W, W_q);
  pc_put_wrench(s, minus, e, minus_arm, -1, count, W, W_q);
}

/* Local row `row`: the spin of part 1 relative to part 0 (its W_q is zero and stays so). */
PC_INLINE void pc_put_spin_row(const pc_pair* pair, const pc_local* l, int row)
{
  if (!l->W) return;
  double* W = l->W + row * pair->count;
  if (pair->place[1].width) W[pair->place[1].first + 2] = 1;
  if (pair->place[0].width) W[pair->place[0].first + 2] = -1;
}

/* The angle of part 1 relative to part 0. */
PC_INLINE double pc_pair_angle(const pc_pair* pair, const double* q)
{
  double angle = pair->place[1].width ? q[pair->place[1].first + 2] : 0;
  return pair->place[0].width ? angle - q[pair->place[0].first + 2] : angle;
}

/* Friction rows from local row `row` on, for the unit normal n that points to `plus`. In the plane
 * the tangent is (n_y, -n_x): a floor has the tangent (1, 0). In space the two tangents are those of
 * Duff et al., Building an orthonormal basis, revisited, JCGT 6 (2017): smooth but where n_z changes
 * its sign; a floor has the tangents (1, 0, 0) and (0, 1, 0). */
PC_INLINE void pc_put_friction_rows(pc_space s, const pc_pair* pair, const pc_local* l, int row,
                                    pc_vec n, const pc_place* plus, pc_vec plus_arm,
                                    const pc_place* minus, pc_vec minus_arm)
{
  if (s.dim == 2) {
    pc_vec t = {.x = n.y, .y = pc_jet_affine(s.n, -1, n.x, 0)};
    pc_put_row(s, pair, l, row, t, plus, plus_arm, minus, minus_arm);
  } else if (s.dim == 3) {
    double sign = copysign(1, n.z.v);
    pc_jet a = pc_jet_inverse(s.n, pc_jet_affine(s.n, -1, n.z, -sign)); /* -1/(sign + n_z) */
    pc_jet b = pc_jet_times(s.n, pc_jet_times(s.n, n.x, n.y), a);
    pc_jet xx = pc_jet_times(s.n, pc_jet_times(s.n, n.x, n.x), a);
    pc_jet yy = pc_jet_times(s.n, pc_jet_times(s.n, n.y, n.y), a);
    pc_vec t = {pc_jet_affine(s.n, sign, xx, 1), pc_jet_affine(s.n, sign, b, 0),
                pc_jet_affine(s.n, -sign, n.x, 0)};
    pc_put_row(s, pair, l, row, t, plus, plus_arm, minus, minus_arm);
    t = (pc_vec){b, pc_jet_affine(s.n, 1, yy, sign), pc_jet_affine(s.n, -1, n.y, 0)};
    pc_put_row(s, pair, l, row + 1, t, plus, plus_arm, minus, minus_arm);
  }
}

/* ---- compiling a kernel for each space ------------------------------------------------------ */

typedef void pc_kernel(const void* data, pc_local* l, pc_space s);

/* Runs a kernel, which must be PC_INLINE, with the space as constants. */
PC_INLINE void pc_run_kernel(pc_kernel* kernel, const void* data, pc_local* l, int dimension,
                             int derivatives)
{
  switch (2 * dimension + (derivatives != 0)) {
    case 2: kernel(data, l, (pc_space){1, 0}); break;
    case 3: kernel(data, l, (pc_space){1, PC_JET_SIZE}); break;
    case 4: kernel(data, l, (pc_space){2, 0}); break;
    case 5: kernel(data, l, (pc_space){2, PC_JET_SIZE}); break;
    case 6: kernel(data, l, (pc_space){3, 0}); break;
    default: kernel(data, l, (pc_space){3, PC_JET_SIZE}); break;
  }
}

#endif
