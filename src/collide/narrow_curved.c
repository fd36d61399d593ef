/* Ellipsoids and cylinders against each other, against polyhedra, rounded shapes and ground.
 *
 * For a unit vector n let S(n) be the separation of the shapes along it, from their support
 * functions. The signed distance is the maximum of S, and S is no more than it for any n: so one
 * direction with S above the margin says that there is no contact. To find the maximum, the
 * features that are in touch with the two planes normal to n are tried in pairs: each pair has its
 * own best normal (contact_rows.h), and the next n is the one with the largest S among them. A pair
 * whose own gap is S at its normal is a contact; where nothing increases S any more, the best of
 * those is the nearest one. If the shapes are apart, that is the only maximum. If they overlap,
 * there may be several, and the search begins from several directions. */
#include <float.h>

#include "collide/solid.h"

enum { NEAR_MOST = 96, STARTS = 64, TRIES = 4, CANDIDATES = 40 };

/* The sine of the angle between a rim and a face below which the rim is flat on it, as in
 * narrow_half_space.c. */
static const double FLAT = 1e-4;

/* The sine of the angle between the normal and the axis of a rim that is round-off: then the cap is
 * in touch. */
static const double AXIAL = 1e-11;

/* The sine of an angle of lines that have no normal in common: it would be round-off over that
 * angle. */
static const double PARALLEL = 1e-12;

/* Places that differ by less are the same: relative to the size of both shapes. */
static const double SAME = 1e-9;

/* One of the two shapes. */
typedef struct view {
  const pc_collider* collider; /* in its frame */
  const pc_solid* solid;       /* NULL for an ellipsoid or cylinder */
  const pc_pose* shape;        /* its frame */
} view;

/* A feature with its key, and its number if it belongs to a solid. */
typedef struct near_feature {
  pc_feature feature;
  uint32_t key;
  pc_feature_ref ref;
} near_feature;

typedef struct near_list {
  int count;
  near_feature item[NEAR_MOST];
} near_list;

typedef struct pair {
  pc_search* search;
  view view[2];
  double size;      /* of both [m] */
  double round_off; /* [m] */
} pair;

/* ---- separation ---------------------------------------------------------------------------- */

/* max of n . x over the shape */
static double support(const view* v, pc_v3 n)
{
  const pc_geometry* g = v->collider->geometry;
  if (v->solid) {
    double most = -DBL_MAX;
    for (int i = 0; i < v->solid->corner_count; i++)
      most = fmax(most, pc_v3_dot(n, v->solid->corner[i]));
    return most + v->solid->radius;
  }
  pc_v3 own = pc_pose_turn_back(v->shape, n);
  double at = pc_v3_dot(n, pc_v3_of(v->shape->x)), across = pc_v3_from_axis(own);
  if (g->kind == PC_GEOMETRY_CYLINDER) return at + g->radius * across + g->half[0] * fabs(own.z);
  pc_v3 scaled = {g->half[0] * own.x, g->half[1] * own.y, g->half[2] * own.z};
  return at + pc_v3_length(scaled);
}

static double separation(const pair* p, pc_v3 n)
{
  return -support(&p->view[0], pc_v3_scaled(-1, n)) - support(&p->view[1], n);
}

/* ---- features near a direction ------------------------------------------------------------- */

static void add_near(near_list* list, pc_feature feature, uint32_t key, pc_feature_ref ref)
{
  if (list->count < NEAR_MOST) list->item[list->count++] = (near_feature){feature, key, ref};
}

/* The lateral surface of a cylinder is a line with a radius, its ends are faces. */
static pc_feature lateral_of(const pc_collider* c)
{
  return (pc_feature){
      .kind = PC_FEATURE_LINE, .radius = c->geometry->radius, .p = {0, 0, 0}, .d = {0, 0, 1}};
}

static pc_feature cap_of(const pc_collider* c, int cap)
{
  double sign = cap ? 1 : -1;
  return (pc_feature){
      .kind = PC_FEATURE_FACE, .p = {0, 0, sign * c->geometry->half[0]}, .d = {0, 0, sign}};
}

static void list_cylinder(const view* v, pc_v3 out, near_list* list)
{
  const pc_feature_ref none = {PC_FEATURE_CURVED, -1};
  pc_v3 own = pc_pose_turn_back(v->shape, out);
  int end = own.z > 0;
  add_near(list, pc_rim_feature(v->collider, end), pc_feature_key(PC_FEATURE_CURVED, end), none);
  add_near(list, lateral_of(v->collider), pc_feature_key(PC_FEATURE_LINE, 0), none);
  add_near(list, cap_of(v->collider, end), pc_feature_key(PC_FEATURE_FACE, end), none);
  if (fabs(own.z) < 0.3)
    add_near(list, pc_rim_feature(v->collider, 1 - end), pc_feature_key(PC_FEATURE_CURVED, 1 - end),
             none);
}

static void add_solid_feature(const pc_solid* s, pc_feature_kind kind, int index, near_list* list)
{
  uint32_t key;
  pc_feature_ref ref = {kind, index};
  pc_feature f = pc_solid_feature(s, ref, &key);
  add_near(list, f, key, ref);
}

/* Corners that are farthest along `out`, but for a little, since those of an edge or face normal to
 * it are equally far; their edges and faces. */
static void list_solid(const pc_solid* s, pc_v3 out, near_list* list)
{
  double most = -DBL_MAX, little = 1e-3 * s->extent;
  for (int i = 0; i < s->corner_count; i++) most = fmax(most, pc_v3_dot(out, s->corner[i]));
  double level = most - little;
  for (int face = 0; face < s->face_count; face++) {
    int has = 0;
    for (int i = s->face_first[face]; i < s->face_first[face + 1]; i++)
      has |= pc_v3_dot(out, s->corner[s->face_corner[i]]) >= level;
    if (has) add_solid_feature(s, PC_FEATURE_FACE, face, list);
  }
  for (int e = 0; e < s->edge_count; e++) {
    const int* c = s->edge[e].corner;
    if (fmax(pc_v3_dot(out, s->corner[c[0]]), pc_v3_dot(out, s->corner[c[1]])) >= level)
      add_solid_feature(s, PC_FEATURE_LINE, e, list);
  }
  for (int i = 0; i < s->corner_count; i++)
    if (pc_v3_dot(out, s->corner[i]) >= level) add_solid_feature(s, PC_FEATURE_POINT, i, list);
}

static void list_near(const view* v, pc_v3 out, near_list* list)
{
  list->count = 0;
  if (v->solid)
    list_solid(v->solid, out, list);
  else if (v->collider->geometry->kind == PC_GEOMETRY_CYLINDER)
    list_cylinder(v, out, list);
  else
    add_near(list, pc_ellipsoid_feature(v->collider), pc_feature_key(PC_FEATURE_CURVED, 0),
             (pc_feature_ref){PC_FEATURE_CURVED, -1});
}

/* A point over a face of the other shape: a polygon, or the cap of a cylinder. */
static int is_over(const view* v, uint32_t face_key, pc_v3 x, double tolerance)
{
  int index = (int)(face_key & 0xfffffff);
  if (v->solid) {
    int own = 0;
    for (int f = 0; f < v->solid->face_count; f++)
      if ((v->solid->face_id ? v->solid->face_id[f] : f) == index) own = f;
    return pc_is_over_face(v->solid, own, x, tolerance, 3);
  }
  pc_v3 own = pc_pose_apply_inverse(v->shape, x);
  return pc_v3_from_axis(own) <= v->collider->geometry->radius + tolerance;
}

/* Whether a point of a line or face is within its ends or sides; the numbers are those in keys. */
static int is_within(const view* v, const near_feature* f, pc_v3 x, double tolerance)
{
  if (f->feature.kind == PC_FEATURE_FACE) return is_over(v, f->key, x, tolerance);
  if (f->feature.kind != PC_FEATURE_LINE) return 1;
  if (!v->solid) {
    pc_v3 own = pc_pose_apply_inverse(v->shape, x);
    return fabs(own.z) <= v->collider->geometry->half[0] + tolerance;
  }
  const int* end = v->solid->edge[f->ref.index].corner;
  pc_v3 a = v->solid->corner[end[0]], d = pc_v3_minus(v->solid->corner[end[1]], a);
  double length = pc_v3_length(d), at = pc_v3_dot(d, pc_v3_minus(x, a));
  return at >= -tolerance * length && at <= length * (length + tolerance);
}

/* ---- the maximum of the separation --------------------------------------------------------- */

typedef struct trial {
  pc_found found;
  pc_feature_ref ref[2];
  pc_v3 n;
  double separation; /* S(n) */
  int valid;         /* it is the gap of the pair as well */
  int within;        /* the points of the contact belong to the shapes */
  double bound;      /* the largest S of all trials */
} trial;

/* Whether a normal is along the axis of a cylinder, but for this sine, and the feature is its
 * rim. */
static int is_along_axis(const view* v, const pc_feature* f, pc_v3 n, double sine)
{
  if (f->kind != PC_FEATURE_CURVED || v->collider->geometry->kind != PC_GEOMETRY_CYLINDER) return 0;
  pc_v3 own = pc_pose_turn_back(v->shape, n);
  return pc_v3_from_axis(own) < sine;
}

/* Of lines that are parallel but for round-off the ends are nearest to the other, or as near. */
static int are_parallel(const pair* p, const near_feature* a, const near_feature* b)
{
  pc_v3 d = pc_pose_turn(p->view[0].shape, pc_v3_of(a->feature.d));
  pc_v3 e = pc_pose_turn(p->view[1].shape, pc_v3_of(b->feature.d));
  return pc_v3_length(pc_v3_cross(d, e)) < PARALLEL;
}

/* 0 if these features do not make a pair: faces meet points and curves only. */
static int try_pair(const pair* p, const near_feature* a, const near_feature* b, pc_v3 start,
                    trial* t)
{
  int faces = (a->feature.kind == PC_FEATURE_FACE) + (b->feature.kind == PC_FEATURE_FACE);
  int lines = (a->feature.kind == PC_FEATURE_LINE) + (b->feature.kind == PC_FEATURE_LINE);
  if (faces == 2 || (faces && lines) || (lines == 2 && are_parallel(p, a, b))) return 0;
  t->found.geometry.side[0] = a->feature;
  t->found.geometry.side[1] = b->feature;
  pc_v3_put(start, t->found.geometry.n);
  pc_contact_point at = pc_contact_at(&t->found.geometry, p->search->frame);
  t->n = at.n;
  pc_v3_put(at.n, t->found.geometry.n);
  t->found.gap = at.gap;
  t->found.feature = pc_pair_key(a->key, b->key);
  t->ref[0] = a->ref, t->ref[1] = b->ref;
  t->separation = separation(p, at.n);
  t->valid = fabs(t->separation - at.gap) <= p->round_off;
  /* Along the axis it is the cap that is in touch with a point, not the rim. */
  if (!faces && (is_along_axis(&p->view[0], &a->feature, at.n, AXIAL) ||
                 is_along_axis(&p->view[1], &b->feature, at.n, AXIAL)))
    t->valid = 0;
  t->within = t->valid && is_within(&p->view[0], a, at.c[0], SAME * p->size) &&
              is_within(&p->view[1], b, at.c[1], SAME * p->size);
  return 1;
}

/* Along edges that are parallel and faces that are flush many pairs of features have the same gap.
 * Then it is one of those that are opposite each other, not of their lines and planes beyond. */
static int is_better(const pair* p, const trial* t, const trial* best)
{
  if (t->within != best->within && fabs(t->separation - best->separation) <= p->round_off)
    return t->within;
  return t->separation > best->separation;
}

/* Ascends from n to a local maximum of S. `best` is kept if nothing better is found. */
static void find_maximum(const pair* p, pc_v3 n, trial* best)
{
  enum { STEPS = 24 };
  double here = separation(p, n);
  near_list list[2];
  for (int step = 0; step < STEPS; step++) {
    pc_v3 next = n;
    double most = here;
    list_near(&p->view[0], pc_v3_scaled(-1, n), &list[0]);
    list_near(&p->view[1], n, &list[1]);
    for (int i = 0; i < list[0].count; i++)
      for (int k = 0; k < list[1].count; k++) {
        trial t;
        if (!try_pair(p, &list[0].item[i], &list[1].item[k], n, &t)) continue;
        if (t.separation > most) most = t.separation, next = t.n;
        t.bound = fmax(best->bound, most);
        if (t.valid && is_better(p, &t, best)) *best = t;
        best->bound = t.bound;
      }
    if (!(most > here + p->round_off)) return;
    n = next;
    here = most;
  }
}

/* Directions to begin from, the best ones first. */
typedef struct starts {
  int count;
  pc_v3 n[STARTS];
  double separation[STARTS];
} starts;

static void add_start(const pair* p, starts* s, pc_v3 n)
{
  if (s->count == STARTS) return;
  double x = separation(p, n);
  int at = s->count++;
  for (; at > 0 && s->separation[at - 1] < x; at--) {
    s->n[at] = s->n[at - 1];
    s->separation[at] = s->separation[at - 1];
  }
  s->n[at] = n;
  s->separation[at] = x;
}

static void list_starts(const pair* p, starts* s)
{
  s->count = 0;
  pc_v3 up = {0, 0, 1};
  pc_v3 apart = pc_v3_minus(pc_v3_of(p->view[0].shape->x), pc_v3_of(p->view[1].shape->x));
  add_start(p, s, pc_v3_unit(apart, up));
  /* Towards faces, edges and corners of a cube that turns with a shape, so that what is found does
   * not depend on the axes of the world. */
  const pc_pose* axes = p->view[p->view[0].solid ? 1 : 0].shape;
  for (int i = 0; i < 27; i++) {
    pc_v3 d = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    if (i != 13) add_start(p, s, pc_pose_turn(axes, pc_v3_unit(d, up)));
  }
  for (int v = 0; v < 2; v++) {
    for (int k = 0; k < 6 && !p->view[v].solid; k++) {
      double sign = k % 2 ? 1 : -1;
      pc_v3 own = {k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0};
      add_start(p, s, pc_pose_turn(p->view[v].shape, own));
    }
    const pc_solid* solid = p->view[v].solid;
    for (int f = 0; solid && f < solid->face_count && f < 20; f++)
      add_start(p, s, pc_v3_scaled(v == 1 ? 1 : -1, solid->normal[f]));
    if (solid && solid->one_sided) /* from behind */
      add_start(p, s, pc_v3_scaled(v == 1 ? -1 : 1, solid->normal[0]));
  }
}

/* 0 if the shapes are farther apart than the margin. */
static int find_nearest(const pair* p, trial* best)
{
  starts s;
  list_starts(p, &s);
  best->separation = -DBL_MAX;
  best->bound = s.separation[0];
  best->valid = best->within = 0;
  if (s.separation[0] > p->search->margin + p->round_off) return 0;
  pc_v3 tried[TRIES];
  int tries = 0;
  for (int i = 0; i < s.count && tries < TRIES; i++) {
    int again = 0;
    for (int k = 0; k < tries; k++) again |= pc_v3_dot(tried[k], s.n[i]) > 0.9;
    if (again) continue;
    tried[tries++] = s.n[i];
    find_maximum(p, s.n[i], best);
    if (best->separation > p->round_off) break; /* apart: there is no other maximum */
  }
  return best->valid && best->found.gap <= p->search->margin;
}

/* ---- patches of cylinders ------------------------------------------------------------------ */

typedef struct patch {
  const pair* p;
  pc_v3 n;
  double same;
  int count;
  pc_found item[CANDIDATES];
} patch;

static void add_contact(patch* q, const near_feature side[2])
{
  if (q->count == CANDIDATES) return;
  pc_search* search = q->p->search;
  pc_found* f = &q->item[q->count];
  f->geometry.side[0] = side[0].feature;
  f->geometry.side[1] = side[1].feature;
  pc_v3_put(q->n, f->geometry.n);
  pc_contact_point at = pc_contact_at(&f->geometry, search->frame);
  pc_v3_put(at.n, f->geometry.n);
  f->gap = at.gap;
  f->feature = pc_pair_key(side[0].key, side[1].key);
  if (at.gap > search->margin || pc_v3_dot(at.n, q->n) < 0.9) return;
  if (at.gap < q->item[0].gap - q->same) return; /* not the way out, or not within both features */
  for (int i = 0; i < 2; i++) {
    const pc_solid* s = q->p->view[i].solid;
    pc_v3 outward = pc_v3_scaled(i == 0 ? -1 : 1, at.n);
    if (s && s->one_sided && !pc_ground_allows(s, side[i].ref, outward)) return;
    int other = side[1 - i].feature.kind == PC_FEATURE_POINT ||
                side[1 - i].feature.kind == PC_FEATURE_CURVED;
    if (side[i].feature.kind == PC_FEATURE_FACE && other &&
        !is_over(&q->p->view[i], side[i].key, at.c[1 - i], q->same))
      return;
  }
  q->count++;
}

/* Points of a rim, a quarter turn apart, from the one that is deepest along `in`: that is where it
 * is curved, unless it is flat on the face. Numbers as on half-spaces. */
static void list_rim(const view* v, int rim, pc_v3 in, near_feature list[4])
{
  const pc_collider* c = v->collider;
  pc_v3 own = pc_pose_turn_back(v->shape, in);
  double sine = pc_v3_from_axis(own), height = (rim ? 1 : -1) * c->geometry->half[0];
  double x = sine > 0 ? own.x / sine : 1, y = sine > 0 ? own.y / sine : 0, r = c->geometry->radius;
  for (int i = 0; i < 4; i++) {
    double a = i == 0 ? x : i == 1 ? -y : i == 2 ? -x : y;
    double b = i == 0 ? y : i == 1 ? x : i == 2 ? -y : -x;
    pc_feature f = {.kind = PC_FEATURE_POINT};
    pc_v3_put((pc_v3){r * a, r * b, height}, f.p);
    if (i == 0 && sine > FLAT) f = pc_rim_feature(c, rim);
    uint32_t key =
        i ? pc_feature_key(PC_FEATURE_POINT, 4 * rim + i) : pc_feature_key(PC_FEATURE_CURVED, rim);
    list[i] = (near_feature){f, key, {f.kind, -1}};
  }
}

/* The face of the other shape that faces against `out` most; 0: none. */
static int facing(const view* v, pc_v3 out, near_feature* face)
{
  if (!v->solid) {
    if (v->collider->geometry->kind != PC_GEOMETRY_CYLINDER) return 0;
    int cap = pc_pose_turn_back(v->shape, out).z > 0;
    *face = (near_feature){
        cap_of(v->collider, cap), pc_feature_key(PC_FEATURE_FACE, cap), {PC_FEATURE_FACE, cap}};
    return 1;
  }
  int best = -1;
  double most = 0;
  for (int f = 0; f < v->solid->face_count; f++) {
    double along = pc_v3_dot(v->solid->normal[f], out);
    if (along > most) most = along, best = f;
  }
  if (best < 0) return 0;
  face->ref = (pc_feature_ref){PC_FEATURE_FACE, best};
  face->feature = pc_solid_feature(v->solid, face->ref, &face->key);
  return 1;
}

/* Points of a rim of a cylinder over a face of the other shape. */
static void add_rim_over_face(patch* q, int i, int rim, pc_v3 in, const near_feature* face)
{
  near_feature point[4], side[2];
  list_rim(&q->p->view[i], rim, in, point);
  side[1 - i] = *face;
  for (int k = 0; k < 4; k++) {
    side[i] = point[k];
    add_contact(q, side);
  }
}

/* Two cylinders side by side: a rim over the side of the other. */
static void add_rim_over_side(patch* q, int i, int rim)
{
  const view *own = &q->p->view[i], *other = &q->p->view[1 - i];
  double height = (rim ? 1 : -1) * own->collider->geometry->half[0];
  pc_v3 centre = pc_pose_apply(own->shape, (pc_v3){0, 0, height});
  pc_v3 there = pc_pose_apply_inverse(other->shape, centre);
  if (fabs(there.z) > other->collider->geometry->half[0]) return;
  near_feature side[2];
  side[i] = (near_feature){pc_rim_feature(own->collider, rim),
                           pc_feature_key(PC_FEATURE_CURVED, rim),
                           {PC_FEATURE_CURVED, -1}};
  side[1 - i] = (near_feature){
      lateral_of(other->collider), pc_feature_key(PC_FEATURE_LINE, 0), {PC_FEATURE_LINE, -1}};
  add_contact(q, side);
}

/* Both rims of a cylinder, the nearer one first; without a face they are over the side of another
 * cylinder. */
static void add_rims(patch* q, int i, const near_feature* face)
{
  const view *own = &q->p->view[i], *other = &q->p->view[1 - i];
  pc_v3 in = pc_v3_scaled(i == 0 ? -1 : 1, q->n); /* towards the other */
  int first = pc_pose_turn_back(own->shape, in).z > 0;
  for (int k = 0; k < 2; k++) {
    if (face)
      add_rim_over_face(q, i, k ? 1 - first : first, in, face);
    else if (!other->solid && other->collider->geometry->kind == PC_GEOMETRY_CYLINDER)
      add_rim_over_side(q, i, k);
  }
}

/* A point of a rim where it leaves the face that it is flat on: a point of the body for this
 * step. */
static void add_rim_point(patch* q, int i, double x, double y, int number, const near_feature* face)
{
  const view* own = &q->p->view[i];
  pc_v3 in = pc_v3_scaled(i == 0 ? -1 : 1, q->n);
  double height = own->collider->geometry->half[0];
  if (pc_pose_turn_back(own->shape, in).z < 0) height = -height;
  pc_feature f = {.kind = PC_FEATURE_POINT};
  pc_v3_put((pc_v3){x, y, height}, f.p);
  near_feature side[2];
  side[i] = (near_feature){f, pc_feature_key(PC_FEATURE_POINT, number), {PC_FEATURE_POINT, -1}};
  side[1 - i] = *face;
  add_contact(q, side);
}

/* Numbers of such points in keys, after those of list_rim. */
enum { OFF_CAP = 8, OFF_EDGE = 16 };

/* Where the rims of two flat caps cross. */
static void add_crossing_rims(patch* q, const near_feature* cap)
{
  const view *own = &q->p->view[0], *other = &q->p->view[1];
  pc_v3 c = pc_pose_apply_inverse(own->shape, pc_v3_of(other->shape->x));
  double d = pc_v3_from_axis(c), r = own->collider->geometry->radius;
  double s = other->collider->geometry->radius;
  if (!(d > fabs(r - s)) || !(d < r + s)) return;
  double a = (d * d + r * r - s * s) / (2 * d), h = sqrt(fmax(r * r - a * a, 0));
  for (int k = 0; k < 2; k++) {
    double side = k ? h : -h;
    add_rim_point(q, 0, (a * c.x - side * c.y) / d, (a * c.y + side * c.x) / d, OFF_CAP + k, cap);
  }
}

/* Where a flat rim crosses the edge between two corners of a face. */
static void add_crossing_edge(patch* q, int i, const pc_solid* s, int edge,
                              const near_feature* face)
{
  const view* own = &q->p->view[i];
  pc_v3 a = pc_pose_apply_inverse(own->shape, s->corner[s->edge[edge].corner[0]]);
  pc_v3 b = pc_pose_apply_inverse(own->shape, s->corner[s->edge[edge].corner[1]]);
  double x = b.x - a.x, y = b.y - a.y, r = own->collider->geometry->radius;
  double A = x * x + y * y, B = a.x * x + a.y * y, C = a.x * a.x + a.y * a.y - r * r;
  double root = B * B - A * C;
  if (!(root > 0)) return;
  for (int k = 0; k < 2; k++) {
    double at = (-B + (k ? 1 : -1) * sqrt(root)) / A;
    if (at > 0 && at < 1)
      add_rim_point(q, i, a.x + at * x, a.y + at * y, OFF_EDGE + 2 * edge + k, face);
  }
}

/* Corners of the facing face of a polyhedron over a cap. */
static void add_corners(patch* q, int cylinder, int cap, const near_feature* face)
{
  const pc_solid* s = q->p->view[1 - cylinder].solid;
  near_feature side[2];
  side[cylinder] = (near_feature){cap_of(q->p->view[cylinder].collider, cap),
                                  pc_feature_key(PC_FEATURE_FACE, cap),
                                  {PC_FEATURE_FACE, cap}};
  for (int i = s->face_first[face->ref.index]; i < s->face_first[face->ref.index + 1]; i++) {
    near_feature* corner = &side[1 - cylinder];
    corner->ref = (pc_feature_ref){PC_FEATURE_POINT, s->face_corner[i]};
    corner->feature = pc_solid_feature(s, corner->ref, &corner->key);
    add_contact(q, side);
  }
}

/* An edge of that face across the side of a cylinder that lies on it, if they cross inside of both.
 * `own` is the normal in the frame of the cylinder. */
static void add_edge_across(patch* q, int cylinder, int edge, pc_v3 own)
{
  const pc_solid* s = q->p->view[1 - cylinder].solid;
  const pc_collider* c = q->p->view[cylinder].collider;
  const pc_pose* at = q->p->view[cylinder].shape;
  pc_v3 a = pc_pose_apply_inverse(at, s->corner[s->edge[edge].corner[0]]);
  pc_v3 b = pc_pose_apply_inverse(at, s->corner[s->edge[edge].corner[1]]);
  pc_v3 across = pc_v3_cross(own, (pc_v3){0, 0, 1});
  double from = pc_v3_dot(across, a), to = pc_v3_dot(across, b);
  if (!(from * to < 0) || fabs(to - from) < 0.05 * pc_v3_length(pc_v3_minus(b, a))) return;
  double z = a.z + (b.z - a.z) * from / (from - to);
  if (fabs(z) >= c->geometry->half[0]) return;
  near_feature side[2];
  side[cylinder] =
      (near_feature){lateral_of(c), pc_feature_key(PC_FEATURE_LINE, 0), {PC_FEATURE_LINE, -1}};
  side[1 - cylinder].ref = (pc_feature_ref){PC_FEATURE_LINE, edge};
  side[1 - cylinder].feature = pc_solid_feature(s, side[1 - cylinder].ref, &side[1 - cylinder].key);
  add_contact(q, side);
}

/* What a face of a polyhedron adds to the points of the rims over it. */
static void add_face(patch* q, int cylinder, const near_feature* face)
{
  const pc_solid* s = q->p->view[1 - cylinder].solid;
  pc_v3 own = pc_pose_turn_back(q->p->view[cylinder].shape, q->n);
  int stands = fabs(own.z) > 0.9, lies = fabs(own.z) < 0.1;
  if (stands) add_corners(q, cylinder, (cylinder == 0 ? -own.z : own.z) > 0, face);
  for (int e = 0; e < s->edge_count; e++) {
    if (s->edge[e].face[0] != face->ref.index && s->edge[e].face[1] != face->ref.index) continue;
    if (stands) add_crossing_edge(q, cylinder, s, e, face);
    if (lies) add_edge_across(q, cylinder, e, own);
  }
}

static void add_patch(patch* q)
{
  const pair* p = q->p;
  for (int i = 0; i < 2; i++) {
    const view *own = &p->view[i], *other = &p->view[1 - i];
    if (own->solid || own->collider->geometry->kind != PC_GEOMETRY_CYLINDER) continue;
    near_feature face;
    pc_v3 out = pc_v3_scaled(i == 0 ? 1 : -1, q->n); /* of the other shape */
    int has = facing(other, out, &face);
    if (has) {
      pc_v3 normal = pc_pose_turn(&p->search->frame[1 - i], pc_v3_of(face.feature.d));
      has = pc_v3_dot(normal, out) > 0.9;
    }
    add_rims(q, i, has ? &face : NULL);
    if (has && i == 0 && !other->solid) add_crossing_rims(q, &face);
    if (has && other->solid) add_face(q, i, &face);
  }
}

/* ---- all together -------------------------------------------------------------------------- */

/* With a part of ground: what the ground allows, and otherwise the contact with its face. */
static int keep_off_ground(const pair* p, int ground, trial* t)
{
  const pc_solid* s = p->view[ground].solid;
  pc_v3 outward = pc_v3_scaled(ground ? 1 : -1, t->n);
  /* Ground has no back: what is behind it is apart from it along a normal that no contact has. */
  if (t->bound > p->round_off && t->bound > t->separation + 16 * p->round_off) return 0;
  if (pc_ground_allows(s, t->ref[ground], outward)) return 1;
  if (t->separation > p->round_off) return 0;
  near_feature face = {.ref = {PC_FEATURE_FACE, 0}};
  face.feature = pc_solid_feature(s, face.ref, &face.key);
  near_list list;
  pc_v3 in = pc_v3_scaled(-1, s->normal[0]), n = pc_v3_scaled(ground ? 1 : -1, s->normal[0]);
  list_near(&p->view[1 - ground], in, &list);
  if (support(&p->view[1 - ground], s->normal[0]) <= pc_v3_dot(s->normal[0], s->corner[0]))
    return 0;
  for (int i = 0; i < list.count; i++) {
    const near_feature* a = ground ? &list.item[i] : &face;
    const near_feature* b = ground ? &face : &list.item[i];
    if (!try_pair(p, a, b, n, t)) continue;
    pc_contact_point at = pc_contact_at(&t->found.geometry, p->search->frame);
    if (pc_is_over_face(s, 0, at.c[1 - ground], SAME * p->size, 3)) return 1;
  }
  return 0;
}

/* Whether a contact with a face gives way to others of the patch: it is that of a rim that is flat
 * on the face, which points of it represent better, or it is beside the face. */
static int belongs_to_patch(const pair* p, const trial* t)
{
  const pc_feature* side = t->found.geometry.side;
  for (int i = 0; i < 2; i++) {
    if (side[i].kind != PC_FEATURE_FACE) continue;
    if (!t->within || is_along_axis(&p->view[1 - i], &side[1 - i], t->n, FLAT)) return 1;
  }
  return 0;
}

void pc_collide_curved(pc_search* search, const pc_solid* const solid[2])
{
  pair p = {.search = search};
  int ground = -1;
  for (int i = 0; i < 2; i++) {
    const pc_geometry* g = search->collider[i]->geometry;
    p.view[i] = (view){&search->own[i], solid[i], &search->frame[i]};
    p.size += solid[i] ? solid[i]->extent + solid[i]->radius : g->extent;
    if (solid[i] && solid[i]->one_sided) ground = i;
  }
  p.round_off = 256 * pc_search_round_off(search);
  trial best;
  if (!find_nearest(&p, &best)) return;
  if (ground >= 0 && !keep_off_ground(&p, ground, &best)) return;
  patch q = {.p = &p, .n = best.n, .same = SAME * p.size, .count = 1};
  q.item[0] = best.found;
  add_patch(&q);
  q.count = pc_order_candidates(search, q.count, q.item,
                                belongs_to_patch(&p, &best) ? PC_NEAREST_BESIDE : PC_NEAREST_FIRST,
                                q.n, q.same);
  pc_append_patch(search, 3, q.count, q.item, q.n, q.same);
}
