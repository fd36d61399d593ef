/* Two polyhedra, triangles, segments or points with radii in space.
 *
 * Convex polyhedra overlap unless a face of one of them separates them, or a plane along an edge of
 * each, and then the least translation that separates them is along one of these normals
 * (Gottschalk, Lin, Manocha, OBBTree, SIGGRAPH 1996). If they are apart, the nearest points are a
 * corner and a face, or belong to an edge of each: its inside or its ends. */
#include <float.h>

#include "collide/solid.h"

/* The nearest contact: features of both, and its normal towards the first. */
typedef struct nearest {
  pc_feature_ref ref[2];
  pc_v3 n;
  double separation; /* of the cores */
} nearest;

/* Edges closer to being parallel than this have no crossing worth a contact: the sine of their
 * angle. Without the crossing, a patch with sides of length l is smaller by less than l times half
 * of it. */
static const double CROSSING = 0.05;

/* The sine of an angle of edges that is round-off. Taking such edges as parallel changes distances
 * by as much of their lengths. */
static const double PARALLEL = 1e-12;

enum { CANDIDATES_MOST = 48, LOOP_MOST = 64 };

/* ---- faces --------------------------------------------------------------------------------- */

typedef struct face_query {
  double separation;
  int face, corner;
} face_query;

static double lowest(const pc_solid* s, pc_v3 n, int* corner)
{
  double least = DBL_MAX;
  for (int i = 0; i < s->corner_count; i++) {
    double x = pc_v3_dot(n, s->corner[i]);
    if (x < least) least = x, *corner = i;
  }
  return least;
}

static face_query most_separating(const pc_solid* a, const pc_solid* b)
{
  face_query best = {-DBL_MAX, -1, -1};
  for (int f = 0; f < a->face_count; f++) {
    pc_v3 n = a->normal[f], on = a->corner[a->face_corner[a->face_first[f]]];
    int corner = -1;
    double s = lowest(b, n, &corner) - pc_v3_dot(n, on);
    if (s > best.separation)
      best = (face_query){pc_v3_dot(n, pc_v3_minus(b->corner[corner], on)), f, corner};
  }
  return best;
}

static nearest corner_and_face(const pc_solid solid[2], int owner, int face, int corner,
                               double separation)
{
  nearest r = {.separation = separation};
  r.ref[owner] = (pc_feature_ref){PC_FEATURE_FACE, face};
  r.ref[1 - owner] = (pc_feature_ref){PC_FEATURE_POINT, corner};
  r.n = pc_v3_scaled(owner == 1 ? 1 : -1, solid[owner].normal[face]);
  return r;
}

/* ---- edges --------------------------------------------------------------------------------- */

/* The edges of a solid that come close to a box; a point counts as an edge from itself to
 * itself. */
typedef struct edge_list {
  int count;
  const int* index; /* the scratch of the solid */
} edge_list;

static pc_bounds bounds_of(const pc_solid* s, double grown)
{
  pc_bounds b = pc_bounds_empty();
  for (int i = 0; i < s->corner_count; i++) pc_bounds_add_point(&b, s->corner[i]);
  return pc_bounds_grown(b, grown);
}

static pc_edge edge_at(const pc_solid* s, int index)
{
  return s->edge_count ? s->edge[index] : (pc_edge){{0, 0}, {-1, -1}};
}

static edge_list list_edges(const pc_solid* s, const pc_bounds* near)
{
  edge_list list = {0, s->near_edge};
  int count = s->edge_count ? s->edge_count : 1;
  for (int i = 0; i < count; i++) {
    pc_edge e = edge_at(s, i);
    pc_bounds b = pc_bounds_empty();
    pc_bounds_add_point(&b, s->corner[e.corner[0]]);
    pc_bounds_add_point(&b, s->corner[e.corner[1]]);
    if (pc_bounds_overlap(&b, near)) s->near_edge[list.count++] = i;
  }
  return list;
}

/* The direction in which a polyhedron leaves at an edge: the sum of the normals of its faces, or
 * zero if it has not two of them. */
static pc_v3 outward_at(const pc_solid* s, const pc_edge* e)
{
  if (e->face[0] < 0 || e->face[1] < 0) return (pc_v3){0};
  return pc_v3_plus(s->normal[e->face[0]], s->normal[e->face[1]]);
}

/* Whether planes along both edges can touch both polyhedra: the arcs between the normals of the
 * faces at the edges, one of them seen from the other side, cross on the unit sphere (Gregorius,
 * Game Developers Conference 2013). Edges without two faces are not decided. */
static int arcs_cross(const pc_solid solid[2], const pc_edge* e, const pc_edge* f)
{
  if (e->face[0] < 0 || e->face[1] < 0 || f->face[0] < 0 || f->face[1] < 0) return 1;
  pc_v3 a = solid[0].normal[e->face[0]], b = solid[0].normal[e->face[1]];
  pc_v3 c = pc_v3_scaled(-1, solid[1].normal[f->face[0]]),
        d = pc_v3_scaled(-1, solid[1].normal[f->face[1]]);
  pc_v3 ba = pc_v3_cross(b, a), dc = pc_v3_cross(d, c);
  double cba = pc_v3_dot(c, ba), dba = pc_v3_dot(d, ba), adc = pc_v3_dot(a, dc),
         bdc = pc_v3_dot(b, dc);
  return cba * dba <= 0 && adc * bdc <= 0 && cba * bdc >= 0;
}

/* The separation by a plane along both edges, if it is more than that of `best`. */
static void try_normal(const pc_solid solid[2], int i, int k, pc_v3 n, double round_off,
                       nearest* best)
{
  pc_v3 p0 = solid[0].corner[solid[0].edge[i].corner[0]];
  pc_v3 p1 = solid[1].corner[solid[1].edge[k].corner[0]];
  double separation = pc_v3_dot(n, pc_v3_minus(p0, p1));
  if (separation <= best->separation + round_off) return;
  int corner;
  double low = lowest(&solid[0], n, &corner);
  double high = -lowest(&solid[1], pc_v3_scaled(-1, n), &corner);
  if (low - high < separation - 4 * round_off) return; /* other parts reach farther */
  *best = (nearest){{{PC_FEATURE_LINE, i}, {PC_FEATURE_LINE, k}}, n, separation};
}

/* Edges i of the first and k of the second. The normal leaves the second at its edge and enters the
 * first; for edges of something flat both normals do. */
static void try_edges(const pc_solid solid[2], int i, int k, double round_off, nearest* best)
{
  const pc_edge *e = &solid[0].edge[i], *f = &solid[1].edge[k];
  pc_v3 d0 = pc_v3_minus(solid[0].corner[e->corner[1]], solid[0].corner[e->corner[0]]);
  pc_v3 d1 = pc_v3_minus(solid[1].corner[f->corner[1]], solid[1].corner[f->corner[0]]);
  pc_v3 n = pc_v3_cross(d0, d1);
  double length = pc_v3_length(n);
  if (!(length > PARALLEL * pc_v3_length(d0) * pc_v3_length(d1)) || !arcs_cross(solid, e, f))
    return;
  /* Round-off has a part along nearly parallel edges, which grows with one over their angle. */
  n = pc_v3_along(n, -pc_v3_dot(n, d0) / pc_v3_dot(d0, d0), d0);
  n = pc_v3_unit(n, n);
  pc_v3 way = pc_v3_minus(outward_at(&solid[1], f), outward_at(&solid[0], e));
  double sense = pc_v3_dot(n, way);
  if (sense >= 0) try_normal(solid, i, k, n, round_off, best);
  if (sense <= 0) try_normal(solid, i, k, pc_v3_scaled(-1, n), round_off, best);
}

static void separate_by_edges(const pc_solid solid[2], const edge_list list[2], double round_off,
                              nearest* best)
{
  if (!solid[0].edge_count || !solid[1].edge_count) return;
  for (int i = 0; i < list[0].count; i++)
    for (int k = 0; k < list[1].count; k++)
      try_edges(solid, list[0].index[i], list[1].index[k], round_off, best);
}

/* Whether a point is inside a polyhedron, or on its surface. */
static int is_inside(const pc_solid* s, pc_v3 x, double round_off)
{
  for (int f = 0; f < s->face_count; f++) {
    pc_v3 on = s->corner[s->face_corner[s->face_first[f]]];
    if (pc_v3_dot(s->normal[f], pc_v3_minus(x, on)) > round_off) return 0;
  }
  return s->face_count > 0;
}

/* The middle of what the boxes around both have in common. */
static pc_v3 middle_of(const pc_solid solid[2])
{
  pc_bounds a = bounds_of(&solid[0], 0), b = bounds_of(&solid[1], 0);
  double x[3];
  for (int i = 0; i < 3; i++) x[i] = (fmax(a.low[i], b.low[i]) + fmin(a.high[i], b.high[i])) / 2;
  return pc_v3_of(x);
}

/* Whether solids that neither a face nor an edge near the other separates are apart nevertheless,
 * by more than edges were looked for: then only edges farther away tell. A point that is in both
 * rules that out. */
static int are_farther_apart(const pc_solid solid[2], int owner, const face_query* q,
                             double round_off)
{
  if (is_inside(&solid[owner], solid[1 - owner].corner[q->corner], round_off)) return 0;
  pc_v3 middle = middle_of(solid);
  if (is_inside(&solid[0], middle, round_off) && is_inside(&solid[1], middle, round_off)) return 0;
  const pc_bounds everywhere = bounds_of(&solid[owner], INFINITY);
  const edge_list all[2] = {list_edges(&solid[0], &everywhere), list_edges(&solid[1], &everywhere)};
  nearest best = {.separation = round_off};
  separate_by_edges(solid, all, round_off, &best);
  return best.separation > round_off;
}

/* The nearest points p + s d and q + t e of two segments, s and t from 0 to 1 (Lumelsky 1985;
 * Ericson, Real-Time Collision Detection, 5.1.9). By cross products: of nearly parallel segments
 * the determinant |d|^2 |e|^2 - (d . e)^2 is lost in round-off, and half of the digits of the
 * distance with it. */
static void nearest_of_segments(pc_v3 p, pc_v3 d, pc_v3 q, pc_v3 e, double* s, double* t)
{
  pc_v3 r = pc_v3_minus(p, q), n = pc_v3_cross(d, e);
  double a = pc_v3_dot(d, d), b = pc_v3_dot(d, e), c = pc_v3_dot(e, e);
  double f = pc_v3_dot(d, r), g = pc_v3_dot(e, r), square = pc_v3_dot(n, n);
  int crosses = square > PARALLEL * PARALLEL * a * c;
  *s = crosses ? fmin(fmax(-pc_v3_dot(pc_v3_cross(r, e), n) / square, 0), 1) : 0;
  *t = c > 0 ? (b * *s + g) / c : 0;
  if (*t < 0 || *t > 1 || !(c > 0)) {
    *t = c > 0 ? fmin(fmax(*t, 0), 1) : 0;
    *s = a > 0 ? fmin(fmax((b * *t - f) / a, 0), 1) : 0;
  }
}

/* An end of an edge, or the edge itself. */
static pc_feature_ref ref_on_edge(const pc_solid* s, int edge, double at)
{
  pc_edge e = edge_at(s, edge);
  if (at <= 0) return (pc_feature_ref){PC_FEATURE_POINT, e.corner[0]};
  if (at >= 1) return (pc_feature_ref){PC_FEATURE_POINT, e.corner[1]};
  return (pc_feature_ref){PC_FEATURE_LINE, edge};
}

static void nearest_by_edges(const pc_solid solid[2], const edge_list list[2], nearest* best)
{
  for (int i = 0; i < list[0].count; i++)
    for (int k = 0; k < list[1].count; k++) {
      pc_edge e = edge_at(&solid[0], list[0].index[i]), f = edge_at(&solid[1], list[1].index[k]);
      pc_v3 p = solid[0].corner[e.corner[0]], q = solid[1].corner[f.corner[0]];
      pc_v3 d = pc_v3_minus(solid[0].corner[e.corner[1]], p);
      pc_v3 g = pc_v3_minus(solid[1].corner[f.corner[1]], q);
      double s, t;
      nearest_of_segments(p, d, q, g, &s, &t);
      pc_v3 apart = pc_v3_minus(pc_v3_along(p, s, d), pc_v3_along(q, t, g));
      double length = pc_v3_length(apart);
      if (!(length < best->separation)) continue;
      best->separation = length;
      best->ref[0] = ref_on_edge(&solid[0], list[0].index[i], s);
      best->ref[1] = ref_on_edge(&solid[1], list[1].index[k], t);
      best->n = pc_v3_unit(apart, (pc_v3){0, 0, 1});
    }
}

static void nearest_over_faces(const pc_solid solid[2], int owner, double round_off, nearest* best)
{
  const pc_solid *a = &solid[owner], *b = &solid[1 - owner];
  for (int f = 0; f < a->face_count; f++) {
    pc_v3 n = a->normal[f], on = a->corner[a->face_corner[a->face_first[f]]];
    for (int i = 0; i < b->corner_count; i++) {
      double s = pc_v3_dot(n, pc_v3_minus(b->corner[i], on));
      if (s >= 0 && s <= best->separation + round_off && pc_is_over_face(a, f, b->corner[i], 0, 3))
        *best = corner_and_face(solid, owner, f, i, s);
    }
  }
}

/* ---- the nearest contact ------------------------------------------------------------------- */

/* Overlapping ground is left in front of it. 0 if there is no contact with it. */
static int leave_ground(const pc_solid solid[2], const face_query q[2], nearest* best)
{
  int ground = solid[1].one_sided ? 1 : 0;
  if (!solid[ground].one_sided) return 1;
  if (pc_is_behind(&solid[ground], &solid[1 - ground], q[ground].separation)) return 0;
  pc_v3 outward = pc_v3_scaled(ground ? 1 : -1, best->n);
  if (!pc_ground_allows(&solid[ground], best->ref[ground], outward))
    *best = corner_and_face(solid, ground, 0, q[ground].corner, q[ground].separation);
  return 1;
}

/* Whether a contact of a corner and a face is beside the face. */
static int is_beside(const pc_solid solid[2], const nearest* r, double tolerance)
{
  int owner = r->ref[1].kind == PC_FEATURE_FACE;
  if (r->ref[owner].kind != PC_FEATURE_FACE) return 0;
  pc_v3 corner = solid[1 - owner].corner[r->ref[1 - owner].index];
  return !pc_is_over_face(&solid[owner], r->ref[owner].index, corner, tolerance, 3);
}

/* Cores without faces that touch: any normal to both will do, as for spheres with the same
 * centre. */
static pc_v3 normal_of_touching(const pc_solid solid[2])
{
  pc_v3 d[2] = {{0, 0, 0}, {0, 0, 0}}, up = {0, 0, 1};
  for (int i = 0; i < 2; i++)
    if (solid[i].corner_count == 2) d[i] = pc_v3_minus(solid[i].corner[1], solid[i].corner[0]);
  pc_v3 n = pc_v3_cross(d[0], d[1]);
  double sizes = pc_v3_length(d[0]) * pc_v3_length(d[1]);
  if (pc_v3_length(n) > 1e-6 * sizes) return pc_v3_unit(n, up);
  pc_v3 along = pc_v3_plus(d[0], pc_v3_length(d[0]) > 0 ? (pc_v3){0} : d[1]);
  if (!(pc_v3_length(along) > 0)) return up;
  double a[3], b[3], unit[3];
  pc_v3_put(pc_v3_unit(along, up), unit);
  pc_basis_of(unit, a, b);
  return pc_v3_of(a);
}

/* The nearest points of cores that are apart, or `touching` if they are not quite. */
static void find_apart(const pc_solid solid[2], const edge_list list[2], double round_off,
                       const nearest* touching, nearest* best)
{
  *best = (nearest){.separation = INFINITY};
  nearest_by_edges(solid, list, best);
  for (int i = 0; i < 2; i++) nearest_over_faces(solid, i, round_off, best);
  if (best->separation > round_off) return;
  if (touching)
    *best = *touching;
  else
    best->n = normal_of_touching(solid);
}

/* The nearest contact; 0 if the solids are farther apart than `reach`. */
static int find_nearest(const pc_solid solid[2], double reach, double round_off, nearest* best)
{
  face_query q[2];
  for (int i = 0; i < 2; i++) {
    q[i] = most_separating(&solid[i], &solid[1 - i]);
    if (q[i].face >= 0 && q[i].separation > reach) return 0;
  }
  int owner = q[1].face >= 0 && (q[0].face < 0 || q[1].separation >= q[0].separation - round_off);
  int has_faces = q[owner].face >= 0;
  nearest apart = {.separation = -DBL_MAX};
  if (has_faces)
    apart = corner_and_face(solid, owner, q[owner].face, q[owner].corner, q[owner].separation);
  double grown = fmax(reach, has_faces ? -apart.separation : 0) + round_off;
  edge_list list[2];
  for (int i = 0; i < 2; i++) {
    pc_bounds near = bounds_of(&solid[1 - i], grown);
    list[i] = list_edges(&solid[i], &near);
  }
  int overlap = has_faces && apart.separation <= round_off;
  /* The only plane of a triangle does not separate it from a point beside it. A segment behind it
   * touches it with an end, not with its inside. */
  int is_flat = solid[owner].one_sided && !solid[1 - owner].face_count;
  int is_behind = is_flat && pc_is_behind(&solid[owner], &solid[1 - owner], -INFINITY);
  if (overlap && !is_behind) separate_by_edges(solid, list, round_off, &apart);
  if (overlap && is_flat && is_beside(solid, &apart, round_off)) overlap = 0;
  if (overlap && apart.separation <= round_off) {
    if (are_farther_apart(solid, owner, &q[owner], round_off)) return 0;
    *best = apart;
    return leave_ground(solid, q, best);
  }
  find_apart(solid, list, round_off, has_faces ? &apart : NULL, best);
  return best->separation <= reach;
}

/* ---- the patch ----------------------------------------------------------------------------- */

/* What of a solid faces the other: a face, a segment or a point, as a loop of corners. */
typedef struct facing {
  int face; /* -1: none */
  int count;
  int corner[LOOP_MOST];
} facing;

static facing facing_along(const pc_solid* s, pc_v3 out)
{
  facing r = {.face = -1};
  double most = 0;
  for (int f = 0; f < s->face_count; f++) {
    double along = pc_v3_dot(s->normal[f], out);
    if (along > most) most = along, r.face = f;
  }
  if (r.face < 0 && s->face_count) return r; /* nothing of a polyhedron faces there */
  int first = r.face < 0 ? 0 : s->face_first[r.face];
  int count = r.face < 0 ? s->corner_count : s->face_first[r.face + 1] - first;
  int stride = (count + LOOP_MOST - 1) / LOOP_MOST; /* of many corners a part will do for a patch */
  for (int i = 0; i < count; i += stride)
    r.corner[r.count++] = r.face < 0 ? i : s->face_corner[first + i];
  return r;
}

typedef struct patch {
  pc_search* search;
  const pc_solid* solid;
  facing side[2];
  pc_v3 n;
  double same;    /* [m] */
  double gap;     /* of the nearest contact */
  double aligned; /* cosine of the angle between the faces; 0: not both have one */
  int count;
  pc_found candidate[CANDIDATES_MOST];
} patch;

static void add_candidate(patch* p, const pc_feature_ref ref[2], pc_v3 n)
{
  if (p->count == CANDIDATES_MOST) return;
  for (int i = 0; i < 2; i++) {
    pc_v3 outward = pc_v3_scaled(i == 0 ? -1 : 1, n);
    if (p->solid[i].one_sided && !pc_ground_allows(&p->solid[i], ref[i], outward)) return;
  }
  pc_found* c = &p->candidate[p->count];
  if (!pc_make_contact(p->search, p->solid, ref, n, c)) return;
  /* A corner may be behind a face that is not the way out, unless both faces are nearly
   * parallel. */
  if (p->aligned < 0.9 && c->gap < p->gap - p->same) return;
  if (pc_v3_dot(pc_v3_of(c->geometry.n), p->n) < 0.5) return;
  p->count++;
}

static void add_corners(patch* p, int owner)
{
  const pc_solid *a = &p->solid[owner], *b = &p->solid[1 - owner];
  int face = p->side[owner].face;
  if (face < 0) return;
  for (int i = 0; i < p->side[1 - owner].count; i++) {
    int corner = p->side[1 - owner].corner[i];
    if (!pc_is_over_face(a, face, b->corner[corner], p->same, 3)) continue;
    nearest r = corner_and_face(p->solid, owner, face, corner, 0);
    add_candidate(p, r.ref, r.n);
  }
}

static int edge_between(const pc_solid* s, int a, int b)
{
  for (int i = 0; i < s->edge_count; i++) {
    const int* c = s->edge[i].corner;
    if ((c[0] == a && c[1] == b) || (c[0] == b && c[1] == a)) return i;
  }
  return -1;
}

/* Sides of both loops that cross, seen along the normal, and that are nearest to each other inside
 * of both. */
static void add_crossing(patch* p, const int a[2], const int b[2])
{
  const pc_solid* s = p->solid;
  pc_v3 p0 = s[0].corner[a[0]], p1 = s[1].corner[b[0]];
  pc_v3 d0 = pc_v3_across(pc_v3_minus(s[0].corner[a[1]], p0), p->n);
  pc_v3 d1 = pc_v3_across(pc_v3_minus(s[1].corner[b[1]], p1), p->n);
  pc_v3 r = pc_v3_minus(p1, p0);
  double cross = pc_v3_dot(p->n, pc_v3_cross(d0, d1));
  if (fabs(cross) < CROSSING * pc_v3_length(d0) * pc_v3_length(d1) || cross == 0) return;
  double at0 = pc_v3_dot(p->n, pc_v3_cross(r, d1)) / cross;
  double at1 = pc_v3_dot(p->n, pc_v3_cross(r, d0)) / cross;
  if (at0 <= 0 || at0 >= 1 || at1 <= 0 || at1 >= 1) return;
  pc_v3 e0 = pc_v3_minus(s[0].corner[a[1]], p0), e1 = pc_v3_minus(s[1].corner[b[1]], p1);
  nearest_of_segments(p0, e0, p1, e1, &at0, &at1);
  if (at0 <= 0 || at0 >= 1 || at1 <= 0 || at1 >= 1) return;
  const pc_feature_ref ref[2] = {{PC_FEATURE_LINE, edge_between(&s[0], a[0], a[1])},
                                 {PC_FEATURE_LINE, edge_between(&s[1], b[0], b[1])}};
  if (ref[0].index >= 0 && ref[1].index >= 0) add_candidate(p, ref, p->n);
}

static void add_crossings(patch* p)
{
  const facing *a = &p->side[0], *b = &p->side[1];
  if (a->count < 2 || b->count < 2) return;
  int sides[2] = {a->count == 2 ? 1 : a->count, b->count == 2 ? 1 : b->count};
  for (int i = 0; i < sides[0]; i++)
    for (int k = 0; k < sides[1]; k++)
      add_crossing(p, (const int[]){a->corner[i], a->corner[(i + 1) % a->count]},
                   (const int[]){b->corner[k], b->corner[(k + 1) % b->count]});
}

/* Ends of two nearly parallel segments (capsules side by side), each over the other one. */
static void add_ends(patch* p, int owner)
{
  const pc_solid *a = &p->solid[owner], *b = &p->solid[1 - owner];
  pc_v3 on = a->corner[0], along = pc_v3_minus(a->corner[1], on);
  double square = pc_v3_dot(along, along);
  for (int i = 0; i < 2; i++) {
    pc_v3 r = pc_v3_minus(b->corner[i], on);
    double at = pc_v3_dot(along, r);
    if (at < 0 || at > square) continue;
    pc_feature_ref ref[2];
    ref[owner] = (pc_feature_ref){PC_FEATURE_LINE, 0};
    ref[1 - owner] = (pc_feature_ref){PC_FEATURE_POINT, i};
    pc_v3 n = pc_v3_unit(pc_v3_along(r, -at / square, along), p->n);
    add_candidate(p, ref, owner == 1 ? n : pc_v3_scaled(-1, n));
  }
}

static int are_parallel_segments(const pc_solid solid[2])
{
  for (int i = 0; i < 2; i++)
    if (solid[i].face_count || solid[i].corner_count != 2) return 0;
  pc_v3 d0 = pc_v3_minus(solid[0].corner[1], solid[0].corner[0]);
  pc_v3 d1 = pc_v3_minus(solid[1].corner[1], solid[1].corner[0]);
  return pc_v3_length(pc_v3_cross(d0, d1)) < 0.1 * pc_v3_length(d0) * pc_v3_length(d1);
}

/* Corners over faces and crossing edges of what faces each other. */
static void add_patch(patch* p)
{
  const pc_solid* solid = p->solid;
  p->side[0] = facing_along(&solid[0], pc_v3_scaled(-1, p->n));
  p->side[1] = facing_along(&solid[1], p->n);
  if (p->side[0].face >= 0 && p->side[1].face >= 0)
    p->aligned = -pc_v3_dot(solid[0].normal[p->side[0].face], solid[1].normal[p->side[1].face]);
  if (are_parallel_segments(solid)) {
    for (int owner = 1; owner >= 0; owner--) add_ends(p, owner);
  } else if (solid[0].face_count || solid[1].face_count) {
    for (int owner = 1; owner >= 0; owner--) add_corners(p, owner);
    add_crossings(p);
  }
}

/* Whether a corner beside a part of ground is left to another part of it. */
static int belongs_to_neighbour(const pc_solid solid[2], const nearest* best, double gap)
{
  int ground = solid[1].one_sided ? 1 : 0;
  if (!solid[ground].one_sided) return 0;
  return !solid[1 - ground].face_count || is_beside(solid, best, PC_LEANING * fabs(gap));
}

void pc_collide_spatial(pc_search* search, const pc_solid solid[2])
{
  nearest best;
  pc_found first;
  double reach = search->margin + solid[0].radius + solid[1].radius;
  if (!find_nearest(solid, reach, 16 * pc_search_round_off(search), &best)) return;
  if (!pc_make_contact(search, solid, best.ref, best.n, &first)) return;
  patch p; /* not initialised as a whole: it is large */
  p.search = search;
  p.solid = solid;
  p.gap = first.gap;
  p.aligned = 0;
  p.count = 0;
  double size = fmin(solid[0].extent, solid[1].extent) + fmax(solid[0].radius, solid[1].radius);
  p.same = 1e-9 * size;
  p.n = pc_v3_of(first.geometry.n);
  add_candidate(&p, best.ref, best.n);
  pc_nearest_place place = p.count ? PC_NEAREST_FIRST : PC_NEAREST_NOWHERE;
  if (p.count && is_beside(solid, &best, p.same)) place = PC_NEAREST_BESIDE;
  add_patch(&p);
  if (place == PC_NEAREST_BESIDE && p.count == 1 && belongs_to_neighbour(solid, &best, p.gap))
    return;
  p.count = pc_order_candidates(search, p.count, p.candidate, place, p.n, p.same);
  pc_append_patch(search, 3, p.count, p.candidate, p.n, p.same);
}
