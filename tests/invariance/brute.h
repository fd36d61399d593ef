/* Signed distances of convex shapes without the code under test, in long double.
 *
 * S(n) is the lowest point of shape 0 along n minus the highest of shape 1. The signed distance is
 * the maximum of S over all unit vectors n. For cores with corners that overlap it is found among
 * the normals of all faces and the cross products of all edges; if they are apart, among all pairs
 * of a corner and a face and of two edges. Of ellipsoids and cylinders S is climbed from many
 * directions. */
#ifndef PC_TESTS_INVARIANCE_BRUTE_H
#define PC_TESTS_INVARIANCE_BRUTE_H

#include <float.h>

#include "collide/pairs.h"

typedef long double real;

typedef struct vec {
  real x, y, z;
} vec;

static inline vec vec_of(pc_v3 a)
{
  return (vec){a.x, a.y, a.z};
}

static inline vec along(vec a, real s, vec b)
{
  return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline vec minus(vec a, vec b)
{
  return along(a, -1, b);
}

static inline real dot(vec a, vec b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec cross(vec a, vec b)
{
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline real length(vec a)
{
  return sqrtl(dot(a, a));
}

static inline vec unit(vec a)
{
  real l = length(a);
  return l > 0 ? (vec){a.x / l, a.y / l, a.z / l} : a;
}

/* ---- shapes in the frame of the pair ------------------------------------------------------- */

enum { CORNERS = 32, FACES = 64, LOOP = 256, EDGES = 256 };

/* A shape at its place relative to the origin of body 1. Its core is the hull of some corners, or
 * an ellipsoid or cylinder. */
typedef struct body {
  const pc_geometry* g;
  int dimension, count, faces, edges;
  vec corner[CORNERS], normal[FACES];
  int first[FACES + 1], loop[LOOP], edge[EDGES][2];
  real radius;
  vec x;
  real A[3][3];
} body;

static inline vec turn(const body* b, vec a)
{
  return (vec){b->A[0][0] * a.x + b->A[0][1] * a.y + b->A[0][2] * a.z,
               b->A[1][0] * a.x + b->A[1][1] * a.y + b->A[1][2] * a.z,
               b->A[2][0] * a.x + b->A[2][1] * a.y + b->A[2][2] * a.z};
}

static inline vec turn_back(const body* b, vec a)
{
  return (vec){b->A[0][0] * a.x + b->A[1][0] * a.y + b->A[2][0] * a.z,
               b->A[0][1] * a.x + b->A[1][1] * a.y + b->A[2][1] * a.z,
               b->A[0][2] * a.x + b->A[1][2] * a.y + b->A[2][2] * a.z};
}

static inline vec newell(const body* b, int face)
{
  vec sum = {0, 0, 0}, origin = b->corner[b->loop[b->first[face]]];
  for (int i = b->first[face] + 1; i + 1 < b->first[face + 1]; i++)
    sum = along(
        sum, 1,
        cross(minus(b->corner[b->loop[i]], origin), minus(b->corner[b->loop[i + 1]], origin)));
  return unit(sum);
}

/* The faces of the core: sides in the plane. */
static inline void place_faces(body* b, const pc_polytope* p)
{
  b->faces = p->face_count;
  if (b->faces == 0) return; /* there are no lists */
  memcpy(b->first, p->face_first, ((size_t)p->face_count + 1) * sizeof(int));
  memcpy(b->loop, p->face_corner, (size_t)p->face_first[p->face_count] * sizeof(int));
  for (int f = 0; f < b->faces; f++) {
    int from = b->first[f], to = b->first[f + 1];
    vec side = minus(b->corner[b->loop[from + 1]], b->corner[b->loop[from]]);
    b->normal[f] = b->dimension == 2 ? unit((vec){side.y, -side.x, 0}) : newell(b, f);
    for (int i = from; i < to; i++) {
      int a = b->loop[i], c = b->loop[i + 1 < to ? i + 1 : from];
      if (a > c && b->dimension == 3) continue; /* each edge once */
      b->edge[b->edges][0] = a;
      b->edge[b->edges++][1] = c;
    }
  }
}

static inline body place_body(const two* t, int i)
{
  const pc_geometry* g = t->collider[i].geometry;
  const pc_pose *outer = &t->body[i], *inner = &t->collider[i].pose;
  body b = {
      .g = g, .dimension = g->dimension, .radius = g->kind == PC_GEOMETRY_CYLINDER ? 0 : g->radius};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) b.A[r][c] += (real)outer->A[3 * r + k] * inner->A[3 * k + c];
  b.x = i ? (vec){0, 0, 0} : minus(vec_of(pc_v3_of(outer->x)), vec_of(pc_v3_of(t->body[1].x)));
  real* at[3] = {&b.x.x, &b.x.y, &b.x.z};
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) *at[r] += (real)outer->A[3 * r + k] * inner->x[k];
  const pc_polytope* p = g->polytope;
  if (!p) return b;
  b.count = p->corner_count;
  for (int k = 0; k < b.count; k++) b.corner[k] = along(b.x, 1, turn(&b, vec_of(p->corner[k])));
  place_faces(&b, p);
  if (!b.faces && b.count == 2) b.edges = 1, b.edge[0][0] = 0, b.edge[0][1] = 1;
  return b;
}

/* max n . x over the core */
static inline real highest(const body* b, vec n)
{
  real most = -INFINITY;
  for (int i = 0; i < b->count; i++) most = fmaxl(most, dot(n, b->corner[i]));
  if (b->count) return most;
  const double* h = b->g->half;
  vec own = turn_back(b, n);
  if (b->g->kind == PC_GEOMETRY_CYLINDER)
    return dot(n, b->x) + b->g->radius * sqrtl(own.x * own.x + own.y * own.y) + h[0] * fabsl(own.z);
  return dot(n, b->x) + length((vec){h[0] * own.x, h[1] * own.y, h[2] * own.z});
}

/* S(n) with the radii. */
static inline real separation_along(const body b[2], vec n)
{
  return -highest(&b[0], (vec){-n.x, -n.y, -n.z}) - highest(&b[1], n) - b[0].radius - b[1].radius;
}

/* ---- cores with corners -------------------------------------------------------------------- */

static inline real most_of_axes(const body b[2])
{
  real most = -INFINITY;
  for (int i = 0; i < 2; i++)
    for (int f = 0; f < b[i].faces; f++) {
      vec n = b[i].normal[f];
      if (i == 0) n = (vec){-n.x, -n.y, -n.z};
      most = fmaxl(most, separation_along(b, n));
    }
  for (int i = 0; i < b[0].edges && b[0].dimension == 3; i++)
    for (int k = 0; k < b[1].edges; k++) {
      vec d = minus(b[0].corner[b[0].edge[i][1]], b[0].corner[b[0].edge[i][0]]);
      vec e = minus(b[1].corner[b[1].edge[k][1]], b[1].corner[b[1].edge[k][0]]);
      vec n = cross(d, e);
      if (length(n) <= 1e-15L * length(d) * length(e)) continue;
      n = unit(n);
      most = fmaxl(most, separation_along(b, n));
      most = fmaxl(most, separation_along(b, (vec){-n.x, -n.y, -n.z}));
    }
  return most;
}

static inline real clamped(real x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

static inline real from_point_to_segment(vec x, vec a, vec b)
{
  vec d = minus(b, a);
  real square = dot(d, d), s = square > 0 ? clamped(dot(d, minus(x, a)) / square) : 0;
  return length(minus(x, along(a, s, d)));
}

/* The inside of both, if it is nearest, and the ends of each. */
static inline real between_segments(vec p, vec p1, vec q, vec q1)
{
  real least = fminl(fminl(from_point_to_segment(p, q, q1), from_point_to_segment(p1, q, q1)),
                     fminl(from_point_to_segment(q, p, p1), from_point_to_segment(q1, p, p1)));
  vec d = minus(p1, p), e = minus(q1, q), n = cross(d, e), r = minus(q, p);
  real square = dot(n, n);
  if (!(square > 0)) return least;
  real s = dot(cross(r, e), n) / square, t = dot(cross(r, d), n) / square;
  if (s > 0 && s < 1 && t > 0 && t < 1)
    least = fminl(least, length(minus(along(p, s, d), along(q, t, e))));
  return least;
}

static inline real from_corner_to_face(const body* b, int face, vec x)
{
  vec n = b->normal[face], on = b->corner[b->loop[b->first[face]]];
  for (int i = b->first[face]; i < b->first[face + 1]; i++) {
    vec a = b->corner[b->loop[i]],
        c = b->corner[b->loop[i + 1 < b->first[face + 1] ? i + 1 : b->first[face]]];
    if (dot(cross(minus(c, a), n), minus(x, a)) > 0) return INFINITY;
  }
  return fabsl(dot(n, minus(x, on)));
}

/* Of cores that are apart. */
static inline real distance_of_cores(const body b[2])
{
  real least = INFINITY;
  for (int i = 0; i < b[0].count; i++)
    for (int k = 0; k < b[1].count; k++)
      least = fminl(least, length(minus(b[0].corner[i], b[1].corner[k])));
  for (int i = 0; i < b[0].edges; i++)
    for (int k = 0; k < b[1].edges; k++) {
      const int *e = b[0].edge[i], *f = b[1].edge[k];
      least = fminl(least, between_segments(b[0].corner[e[0]], b[0].corner[e[1]], b[1].corner[f[0]],
                                            b[1].corner[f[1]]));
    }
  for (int i = 0; i < 2; i++) {
    for (int e = 0; e < b[i].edges; e++)
      for (int k = 0; k < b[1 - i].count; k++)
        least = fminl(least, from_point_to_segment(b[1 - i].corner[k], b[i].corner[b[i].edge[e][0]],
                                                   b[i].corner[b[i].edge[e][1]]));
    for (int f = 0; f < b[i].faces && b[i].dimension == 3; f++)
      for (int k = 0; k < b[1 - i].count; k++)
        least = fminl(least, from_corner_to_face(&b[i], f, b[1 - i].corner[k]));
  }
  return least;
}

static inline real distance_of_polytopes(const body b[2])
{
  real radii = b[0].radius + b[1].radius, by_axes = most_of_axes(b);
  int have_inside = b[0].faces || b[1].faces;
  if (have_inside && by_axes + radii <= 0) return by_axes;
  return distance_of_cores(b) - radii;
}

/* ---- curved shapes ------------------------------------------------------------------------- */

/* The points of both shapes that are extreme along n: the gradient of S is their difference. */
static inline vec extreme(const body* b, vec n)
{
  vec best = {0, 0, 0};
  real most = -INFINITY;
  for (int i = 0; i < b->count; i++)
    if (dot(n, b->corner[i]) > most) most = dot(n, b->corner[i]), best = b->corner[i];
  if (b->count) return best;
  const double* h = b->g->half;
  vec own = turn_back(b, n), at;
  if (b->g->kind == PC_GEOMETRY_CYLINDER) {
    real across = sqrtl(own.x * own.x + own.y * own.y), r = b->g->radius;
    if (!(across > 0)) across = 1;
    at = (vec){r * own.x / across, r * own.y / across, own.z < 0 ? -h[0] : h[0]};
  } else {
    real l = length((vec){h[0] * own.x, h[1] * own.y, h[2] * own.z});
    at = (vec){h[0] * h[0] * own.x / l, h[1] * h[1] * own.y / l, h[2] * h[2] * own.z / l};
  }
  return along(b->x, 1, turn(b, at));
}

/* Climbs S from n along its gradient, which S follows by no less than half, with steps that double
 * and halve. */
static inline real climbed(const body b[2], vec n, real from)
{
  real here = from, step = 0.1L;
  for (int i = 0; i < 200 && step > 1e-9L; i++) {
    vec g = minus(extreme(&b[0], (vec){-n.x, -n.y, -n.z}), extreme(&b[1], n));
    g = unit(along(g, -dot(g, n), n));
    vec to = unit(along(n, step, g));
    real there = separation_along(b, to);
    if (there > here)
      here = there, n = to, step *= 1.5L;
    else
      step /= 2;
  }
  return here;
}

/* At least so much: the largest maximum that is reached from many directions. */
static inline real distance_of_curved(const body b[2])
{
  enum { DIRECTIONS = 200, CLIMBS = 3 };
  vec best[CLIMBS];
  real most[CLIMBS];
  int count = 0;
  for (int i = 0; i < DIRECTIONS; i++) { /* a spiral over the sphere */
    real z = 1 - (2 * i + 1.0L) / DIRECTIONS, r = sqrtl(1 - z * z), angle = 2.399963229728653L * i;
    vec n = {r * cosl(angle), r * sinl(angle), z};
    real s = separation_along(b, n);
    int at = count < CLIMBS ? count++ : CLIMBS;
    for (; at > 0 && most[at - 1] < s; at--)
      if (at < CLIMBS) most[at] = most[at - 1], best[at] = best[at - 1];
    if (at < CLIMBS) most[at] = s, best[at] = n;
  }
  real largest = -INFINITY;
  for (int i = 0; i < count; i++) largest = fmaxl(largest, climbed(b, best[i], most[i]));
  return largest;
}

#endif
