/* The geometry that joints, contacts and line forces share: points and directions that move with a
 * part, as jets, and the rows of W that they make.
 *
 * A row of W is the wrench of a unit force along a direction e at a point. With the arm r from a
 * body's centre to the point it is (e, e . (z x r)) on a planar body, (e, A' (r x e)) on a spatial
 * one, whose angular velocity is in its own frame, and e on a point mass. The values of these jets
 * are the row, their derivatives are its W_q.
 *
 * What jets are differentiated by. On a line and in the plane q' = u, so derivatives by q and rows
 * over u have the same layout; a jet has a component for each local coordinate of both parts. In
 * space a kernel runs once for each part that moves: components 0 to 2 are derivatives by that
 * part's position, 3 to 5 those by turning it about the inertial axes. The geometry of a spatial
 * body depends on its quaternion p through the rotation of p/|p| alone, so a derivative by p is
 * that by turning times pc_rotation_turn_inertial. */
#ifndef PC_ELEMENTS_GEOMETRY_H
#define PC_ELEMENTS_GEOMETRY_H

#include <string.h>

#include "base/elementary.h"
#include "base/rotation.h"
#include "elements/jet.h"
#include "system/element.h"

/* Where a part's coordinates are among the local ones of an element. */
typedef struct pc_place {
  int kind;    /* PC_PART_POINT_MASS, PC_PART_PLANAR_BODY, PC_PART_SPATIAL_BODY, PC_PLACE_GROUND */
  int first;   /* its first local coordinate */
  int width;   /* number of its coordinates: 0 for the ground */
  int u_first; /* its first local velocity; `first` but behind a spatial body */
  int turned;  /* whether its angle matters: something off its centre, or a direction, hangs on it;
                * always so for a spatial body */
} pc_place;

enum { PC_PLACE_GROUND = -1 };

/* The most coordinates and velocities that two parts can have. */
enum { PC_PAIR_Q_MAX = 14, PC_PAIR_U_MAX = 12 };

/* The two parts of an element. */
typedef struct pc_pair {
  pc_place place[2];
  int dimension;
  int q_count, u_count; /* local coordinates and velocities of both */
} pc_pair;

/* How a part is turned in space: its rotation A, and with derivatives pc_rotation_turn_inertial. */
typedef struct pc_turn {
  double A[9];
  double S[12];
} pc_turn;

/* What a kernel is compiled for: the dimension (1, 2, 3), the components of its jets, and in space
 * the part by which they are derivatives and how both parts are turned. It is no larger than two
 * registers: through memory, clang would not see the constants in time to unroll the loops. */
typedef struct pc_space {
  short dim;
  short n;
  int part;
  const pc_turn* turn;
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

PC_INLINE pc_jet pc_jet_minor(int n, pc_jet a, pc_jet b, pc_jet c, pc_jet d) /* a b - c d */
{
  return pc_jet_plus(n, pc_jet_times(n, a, b), -1, pc_jet_times(n, c, d));
}

/* a x b in space */
PC_INLINE pc_vec pc_vec_cross(pc_space s, pc_vec a, pc_vec b)
{
  return (pc_vec){pc_jet_minor(s.n, a.y, b.z, a.z, b.y), pc_jet_minor(s.n, a.z, b.x, a.x, b.z),
                  pc_jet_minor(s.n, a.x, b.y, a.y, b.x)};
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

/* A part of a pair at a configuration. */
typedef struct pc_frame {
  const pc_place* place;
  int part;            /* 0 or 1 */
  double cosine, sine; /* of its angle, in the plane */
} pc_frame;

/* Whether jets have derivatives by this frame's coordinates. */
PC_INLINE int pc_frame_counts(pc_space s, const pc_frame* f)
{
  return s.n && (s.dim < 3 || f->part == s.part);
}

/* Sine and cosine of an angle, from `turns` (may be NULL) if they are there. The product spreads
 * angles that differ in a few bits over all places. */
static inline void pc_turn_by(pc_turns* turns, double angle, double* sine, double* cosine)
{
  uint64_t bits;
  memcpy(&bits, &angle, sizeof bits);
  size_t k = (size_t)((bits * 0x9e3779b97f4a7c15u) >> 32) % PC_TURNS;
  if (!turns) {
    pc_sin_cos(angle, sine, cosine);
    return;
  }
  if (turns->of[k].angle != bits) {
    pc_sin_cos(angle, &turns->of[k].sine, &turns->of[k].cosine);
    turns->of[k].angle = bits;
  }
  *sine = turns->of[k].sine;
  *cosine = turns->of[k].cosine;
}

PC_INLINE pc_frame pc_frame_at(pc_space s, const pc_pair* pair, int part, const double* q,
                               pc_turns* turns)
{
  const pc_place* place = &pair->place[part];
  if (s.dim == 3 || !place->turned) return (pc_frame){place, part, 1, 0};
  double sine, cosine;
  pc_turn_by(turns, q[place->first + 2], &sine, &cosine);
  return (pc_frame){place, part, cosine, sine};
}

/* A vector of space that turns with the frame: its derivative by turning about an axis is the
 * axis x v. */
PC_INLINE pc_vec pc_frame_turned(pc_space s, const pc_frame* f, const double v[3])
{
  pc_vec r = pc_vec_of(v);
  if (!pc_frame_counts(s, f)) return r;
  r.x.d[4] = v[2], r.x.d[5] = -v[1];
  r.y.d[3] = -v[2], r.y.d[5] = v[0];
  r.z.d[3] = v[1], r.z.d[4] = -v[0];
  return r;
}

/* A vector that is fixed in the frame, in the inertial axes. */
PC_INLINE pc_vec pc_frame_vec(pc_space s, const pc_frame* f, const double v[3])
{
  if (s.dim == 3 && f->place->kind == PC_PART_SPATIAL_BODY) {
    double turned[3];
    pc_rotation_apply(s.turn[f->part].A, v, turned);
    return pc_frame_turned(s, f, turned);
  }
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
  if (s.dim == 3) {
    pc_vec r = pc_vec_of(q + first);
    if (pc_frame_counts(s, f)) r.x.d[0] = r.y.d[1] = r.z.d[2] = 1;
    return r;
  }
  pc_vec r = {.x = pc_jet_of(s.n, q[first], first, 1)};
  if (s.dim > 1) r.y = pc_jet_of(s.n, q[first + 1], first + 1, 1);
  return r;
}

/* A pair at a configuration. */
typedef struct pc_scene {
  const pc_pair* pair;
  pc_frame frame[2];
} pc_scene;

PC_INLINE pc_scene pc_scene_at(pc_space s, const pc_pair* pair, const double* q, pc_turns* turns)
{
  return (pc_scene){pair, {pc_frame_at(s, pair, 0, q, turns), pc_frame_at(s, pair, 1, q, turns)}};
}

/* A point of each part of a pair: their arms from the frames' origins, and r = c_1 - c_0. */
typedef struct pc_two_points {
  pc_vec arm[2];
  pc_vec r;
} pc_two_points;

PC_INLINE pc_two_points pc_two_points_at(pc_space s, const pc_scene* scene, const double at[2][3],
                                         const double* q)
{
  pc_two_points p;
  pc_vec c[2];
  for (int i = 0; i < 2; i++) {
    p.arm[i] = pc_frame_vec(s, &scene->frame[i], at[i]);
    c[i] = pc_vec_plus(s, pc_frame_origin(s, &scene->frame[i], q), 1, p.arm[i]);
  }
  p.r = pc_vec_plus(s, c[1], -1, c[0]);
  return p;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Rows in space: these are functions of their own (geometry_spatial.c), since inlined they would be
 * thousands of instructions. Vectors are passed by value: a vector whose address is taken anywhere
 * would not live in registers, not even where the plane is compiled. */
void pc_put_spatial_row(pc_space s, const pc_pair* pair, const pc_local* l, int row, pc_vec e,
                        int plus, pc_vec plus_arm, pc_vec minus_arm);
void pc_put_spatial_turning_row(pc_space s, const pc_pair* pair, const pc_local* l, int row,
                                pc_vec e, double scale, int plus);

/* A row without derivatives: of jets, which are seven times as long, the copies would take longer
 * than the row. */
void pc_put_spatial_values(const pc_turn turn[2], const pc_pair* pair, const pc_local* l, int row,
                           const double e[3], int plus, const double arm0[3], const double arm1[3]);

/* The values of a vector, as the initialiser of an array. */
#define PC_VALUES(vector)                    \
  {                                          \
    (vector).x.v, (vector).y.v, (vector).z.v \
  }

/* One entry of a row: *W (may be NULL), and its derivatives by all local coordinates. */
PC_INLINE void pc_put(pc_space s, const pc_pair* pair, pc_jet value, double sign, double* W,
                      double* W_q)
{
  if (W) *W = sign * value.v;
  PC_UNROLL
  for (int k = 0; k < s.n; k++)
    if (k < pair->q_count) W_q[k] = sign * value.d[k];
}

/* One part's share of a row on a line or in the plane: sign times the wrench of e at the end of the
 * arm. W is the row (may be NULL), W_q its derivative (u_count x q_count), used if the space has
 * derivatives. */
PC_INLINE void pc_put_wrench(pc_space s, const pc_pair* pair, int part, pc_vec e, pc_vec arm,
                             double sign, double* W, double* W_q)
{
  const pc_place* place = &pair->place[part];
  int n_q = pair->q_count;
  if (place->kind == PC_PLACE_GROUND) return;
  if (W) W += place->u_first;
  if (s.n) W_q += place->u_first * n_q;
  pc_put(s, pair, e.x, sign, W, W_q);
  if (s.dim > 1) pc_put(s, pair, e.y, sign, W ? W + 1 : NULL, s.n ? W_q + n_q : NULL);
  if (s.dim == 2 && place->kind == PC_PART_PLANAR_BODY) {
    pc_jet moment = pc_vec_dot(s, e, pc_vec_turned_left(s, arm));
    pc_put(s, pair, moment, sign, W ? W + 2 : NULL, s.n ? W_q + 2 * n_q : NULL);
  }
}

/* Local row `row`: the velocity along e of a point of part `plus` relative to a point of the
 * other. */
PC_INLINE void pc_put_row(pc_space s, const pc_scene* scene, const pc_local* l, int row, pc_vec e,
                          int plus, pc_vec plus_arm, pc_vec minus_arm)
{
  const pc_pair* pair = scene->pair;
  if (s.dim == 3 && !s.n) {
    const double along[3] = PC_VALUES(e), p[3] = PC_VALUES(plus_arm), m[3] = PC_VALUES(minus_arm);
    pc_put_spatial_values(s.turn, pair, l, row, along, plus, plus ? m : p, plus ? p : m);
    return;
  }
  if (s.dim == 3) {
    pc_put_spatial_row(s, pair, l, row, e, plus, plus_arm, minus_arm);
    return;
  }
  double* W = l->W ? l->W + row * pair->u_count : NULL;
  double* W_q = s.n ? l->W_q + row * pair->u_count * pair->q_count : NULL;
  pc_put_wrench(s, pair, plus, e, plus_arm, 1, W, W_q);
  pc_put_wrench(s, pair, 1 - plus, e, minus_arm, -1, W, W_q);
}

/* Local row `row` in the plane: the spin of part 1 relative to part 0 (its W_q is zero and stays
 * so). */
PC_INLINE void pc_put_spin_row(const pc_pair* pair, const pc_local* l, int row)
{
  if (!l->W) return;
  double* W = l->W + row * pair->u_count;
  if (pair->place[1].width) W[pair->place[1].u_first + 2] = 1;
  if (pair->place[0].width) W[pair->place[0].u_first + 2] = -1;
}

/* The angle of part 1 relative to part 0. */
PC_INLINE double pc_pair_angle(const pc_pair* pair, const double* q)
{
  double angle = pair->place[1].width ? q[pair->place[1].first + 2] : 0;
  return pair->place[0].width ? angle - q[pair->place[0].first + 2] : angle;
}

/* The derivative by q of a length whose rate is W . u: on a spatial body that by p is W's torque
 * times pc_rotation_turn. */
static inline void pc_gradient_of_row(const pc_pair* pair, const double* q, const double* W,
                                      double* gradient)
{
  for (int i = 0; i < 2; i++) {
    const pc_place* place = &pair->place[i];
    const double* w = W + place->u_first;
    double* to = gradient + place->first;
    int body = place->kind == PC_PART_SPATIAL_BODY;
    for (int k = 0; k < (body ? 3 : place->width); k++) to[k] = w[k];
    if (!body) continue;
    double turn[12];
    pc_rotation_turn(q + place->first + 3, turn);
    for (int k = 0; k < 4; k++)
      to[3 + k] = w[3] * turn[k] + w[4] * turn[4 + k] + w[5] * turn[8 + k];
  }
}

/* ---- friction ----------------------------------------------------------------------------- */

/* What a contact's friction is made of. In space the tangents are two unit vectors normal to n. On
 * a plane they are fixed in it. Between spheres they are those of Duff et al. (pc_basis_of)
 * relative to the normal at the start: smooth as long as the normal stays within 120 degrees of
 * that, where they change to others; no pair of tangents is smooth for all normals. */
typedef struct pc_friction {
  int rows;             /* 0; 1 in the plane; 2 in space; 3 with drilling friction */
  double drilling;      /* the third row is this length times the relative spin about n [m] */
  double tangent[2][3]; /* fixed in the frame of part 1, for planes */
  double axis[3][3];    /* for spheres: two vectors normal to the normal at the start, and itself */
} pc_friction;

/* Where a contact in space touches: the unit normal, which points to part 0, and the arms to the
 * point. */
typedef struct pc_touch {
  double n[3], arm[2][3];
} pc_touch;

/* Friction rows in space from local row 1 on, along two tangents; with derivatives, and without. */
void pc_put_friction_jets(pc_space s, const pc_pair* pair, const pc_local* l,
                          const pc_friction* friction, pc_vec n, pc_vec t0, pc_vec t1, pc_vec arm0,
                          pc_vec arm1);
void pc_put_friction_values(const pc_turn turn[2], const pc_pair* pair, const pc_local* l,
                            const pc_friction* friction, const pc_touch* at, const double t0[3],
                            const double t1[3]);

/* The same for a normal that may turn anywhere. */
void pc_put_turning_friction_jets(pc_space s, const pc_pair* pair, const pc_local* l,
                                  const pc_friction* friction, pc_vec n, pc_vec arm0, pc_vec arm1);
void pc_put_turning_friction_values(const pc_turn turn[2], const pc_pair* pair, const pc_local* l,
                                    const pc_friction* friction, const pc_touch* at);

PC_INLINE void pc_put_spatial_friction(pc_space s, const pc_pair* pair, const pc_local* l,
                                       const pc_friction* friction, pc_vec n, pc_vec t0, pc_vec t1,
                                       pc_vec arm0, pc_vec arm1)
{
  if (s.n) {
    pc_put_friction_jets(s, pair, l, friction, n, t0, t1, arm0, arm1);
    return;
  }
  const pc_touch at = {PC_VALUES(n), {PC_VALUES(arm0), PC_VALUES(arm1)}};
  const double a[3] = PC_VALUES(t0), b[3] = PC_VALUES(t1);
  pc_put_friction_values(s.turn, pair, l, friction, &at, a, b);
}

PC_INLINE void pc_put_turning_friction(pc_space s, const pc_pair* pair, const pc_local* l,
                                       const pc_friction* friction, pc_vec n, pc_vec arm0,
                                       pc_vec arm1)
{
  if (s.n) {
    pc_put_turning_friction_jets(s, pair, l, friction, n, arm0, arm1);
    return;
  }
  const pc_touch at = {PC_VALUES(n), {PC_VALUES(arm0), PC_VALUES(arm1)}};
  pc_put_turning_friction_values(s.turn, pair, l, friction, &at);
}

/* Friction rows in the plane: the tangent is (n_y, -n_x); a floor has the tangent (1, 0). */
PC_INLINE void pc_put_planar_friction(pc_space s, const pc_scene* scene, const pc_local* l,
                                      pc_vec n, pc_vec arm0, pc_vec arm1)
{
  pc_vec t = {.x = n.y, .y = pc_jet_affine(s.n, -1, n.x, 0)};
  pc_put_row(s, scene, l, 1, t, 0, arm0, arm1);
}

/* Friction rows on a plane of part 1 with the unit normal n. */
PC_INLINE void pc_put_plane_friction(pc_space s, const pc_scene* scene, const pc_local* l,
                                     const pc_friction* friction, pc_vec n, pc_vec arm0,
                                     pc_vec arm1)
{
  if (!friction->rows) return;
  if (s.dim == 2) pc_put_planar_friction(s, scene, l, n, arm0, arm1);
  if (s.dim < 3) return;
  pc_vec t0 = pc_frame_vec(s, &scene->frame[1], friction->tangent[0]);
  pc_vec t1 = pc_frame_vec(s, &scene->frame[1], friction->tangent[1]);
  pc_put_spatial_friction(s, scene->pair, l, friction, n, t0, t1, arm0, arm1);
}

/* Friction rows for a unit normal n that may turn anywhere. */
PC_INLINE void pc_put_sphere_friction(pc_space s, const pc_scene* scene, const pc_local* l,
                                      const pc_friction* friction, pc_vec n, pc_vec arm0,
                                      pc_vec arm1)
{
  if (!friction->rows) return;
  if (s.dim == 2) pc_put_planar_friction(s, scene, l, n, arm0, arm1);
  if (s.dim < 3) return;
  pc_put_turning_friction(s, scene->pair, l, friction, n, arm0, arm1);
}

/* ---- compiling a kernel for each space ------------------------------------------------------ */

typedef void pc_kernel(const void* data, pc_local* l, pc_space s);

/* How the parts of a pair are turned. */
static inline void pc_turn_at(const pc_pair* pair, const double* q, int derivatives,
                              pc_turn turn[2])
{
  for (int i = 0; i < 2; i++) {
    const pc_place* place = &pair->place[i];
    if (place->kind != PC_PART_SPATIAL_BODY) continue;
    pc_rotation_matrix(q + place->first + 3, turn[i].A);
    if (derivatives) pc_rotation_turn_inertial(q + place->first + 3, turn[i].S);
  }
}

/* Runs a kernel, which must be PC_INLINE, in space. It may run twice, with the same values and the
 * derivatives by one part and then the other. */
PC_INLINE void pc_run_spatial_kernel(pc_kernel* kernel, const void* data, const pc_pair* pair,
                                     pc_local* l, int derivatives)
{
  pc_turn turn[2];
  pc_turn_at(pair, l->q, derivatives, turn);
  if (!derivatives) {
    kernel(data, l, (pc_space){3, 0, 0, turn});
    return;
  }
  if (pair->place[0].width) kernel(data, l, (pc_space){3, PC_JET_SIZE, 0, turn});
  if (pair->place[1].width) kernel(data, l, (pc_space){3, PC_JET_SIZE, 1, turn});
}

/* Runs a kernel, which must be PC_INLINE, on a line or in the plane, with the space as constants.
 * An element that there is in space as well needs another function for it: in one function with the
 * large kernel of space, those of the plane get half as slow again. */
PC_INLINE void pc_run_kernel(pc_kernel* kernel, const void* data, const pc_pair* pair, pc_local* l,
                             int derivatives)
{
  switch (2 * pair->dimension + (derivatives != 0)) {
    case 2: kernel(data, l, (pc_space){1, 0, 0, NULL}); break;
    case 3: kernel(data, l, (pc_space){1, PC_JET_SIZE, 0, NULL}); break;
    case 4: kernel(data, l, (pc_space){2, 0, 0, NULL}); break;
    default: kernel(data, l, (pc_space){2, PC_JET_SIZE, 0, NULL}); break;
  }
}

#endif
