/* Two polygons, segments or points with radii in the plane.
 *
 * Convex polygons overlap unless a side of one of them separates them, and then the least
 * translation that separates them is along the normal of a side. If they are apart, the nearest
 * points are a corner and a side, or two corners. */
#include <float.h>

#include "collide/solid.h"

/* The side that separates most, and the corner of the other polygon that is nearest to it or
 * deepest. */
typedef struct side_query {
  double separation;
  int face, corner;
} side_query;

static side_query most_separating(const pc_solid* a, const pc_solid* b)
{
  side_query best = {-DBL_MAX, -1, -1};
  for (int f = 0; f < a->face_count; f++) {
    pc_v3 n = a->normal[f], on = a->corner[a->face_corner[a->face_first[f]]];
    double least = DBL_MAX;
    int corner = -1;
    for (int i = 0; i < b->corner_count; i++) {
      double s = pc_v3_dot(n, pc_v3_minus(b->corner[i], on));
      if (s < least) least = s, corner = i;
    }
    if (least > best.separation) best = (side_query){least, f, corner};
  }
  return best;
}

/* The nearest contact: features of both, and its normal towards the first. */
typedef struct nearest {
  pc_feature_ref ref[2];
  pc_v3 n;
  double separation; /* of the cores */
} nearest;

static nearest corner_and_side(const pc_solid solid[2], int owner, int face, int corner,
                               double separation)
{
  nearest r = {.separation = separation};
  r.ref[owner] = (pc_feature_ref){PC_FEATURE_FACE, face};
  r.ref[1 - owner] = (pc_feature_ref){PC_FEATURE_POINT, corner};
  r.n = pc_v3_scaled(owner == 1 ? 1 : -1, solid[owner].normal[face]);
  return r;
}

/* The nearest two corners; a corner over a side has been dealt with. */
static nearest two_corners(const pc_solid solid[2])
{
  nearest r = {.separation = INFINITY};
  for (int i = 0; i < solid[0].corner_count; i++)
    for (int k = 0; k < solid[1].corner_count; k++) {
      pc_v3 d = pc_v3_minus(solid[0].corner[i], solid[1].corner[k]);
      double length = pc_v3_length(d);
      if (!(length < r.separation)) continue;
      r.separation = length;
      r.ref[0] = (pc_feature_ref){PC_FEATURE_POINT, i};
      r.ref[1] = (pc_feature_ref){PC_FEATURE_POINT, k};
      r.n = pc_v3_unit(d, (pc_v3){0, 1, 0});
    }
  return r;
}

/* The nearest corner over a side, if there is one: its distance is the separation by this side. */
static void nearest_over_sides(const pc_solid solid[2], int owner, nearest* best)
{
  const pc_solid *a = &solid[owner], *b = &solid[1 - owner];
  for (int f = 0; f < a->face_count; f++)
    for (int i = 0; i < b->corner_count; i++) {
      pc_v3 on = a->corner[a->face_corner[a->face_first[f]]];
      double s = pc_v3_dot(a->normal[f], pc_v3_minus(b->corner[i], on));
      if (s >= 0 && s < best->separation && pc_is_over_face(a, f, b->corner[i], 0, 2))
        *best = corner_and_side(solid, owner, f, i, s);
    }
}

/* Overlapping ground is left in front of it. 0 if there is no contact with it. */
static int leave_ground(const pc_solid solid[2], const side_query q[2], nearest* best)
{
  int ground = solid[1].one_sided ? 1 : 0;
  if (!solid[ground].one_sided) return 1;
  if (pc_is_behind(&solid[ground], &solid[1 - ground], q[ground].separation)) return 0;
  pc_v3 outward = pc_v3_scaled(ground ? 1 : -1, best->n);
  if (!pc_ground_allows(&solid[ground], best->ref[ground], outward))
    *best = corner_and_side(solid, ground, 0, q[ground].corner, q[ground].separation);
  return 1;
}

/* Whether a contact of a corner and a side is beside the side. */
static int is_beside(const pc_solid solid[2], const nearest* r, double tolerance)
{
  int owner = r->ref[1].kind == PC_FEATURE_FACE;
  if (r->ref[owner].kind != PC_FEATURE_FACE) return 0;
  pc_v3 corner = solid[1 - owner].corner[r->ref[1 - owner].index];
  return !pc_is_over_face(&solid[owner], r->ref[owner].index, corner, tolerance, 2);
}

/* The nearest contact; 0 if the polygons are farther apart than `reach`. */
static int find_nearest(const pc_solid solid[2], double reach, double round_off, nearest* best)
{
  side_query q[2];
  for (int i = 0; i < 2; i++) {
    q[i] = most_separating(&solid[i], &solid[1 - i]);
    if (q[i].face >= 0 && q[i].separation > reach) return 0;
  }
  int owner = q[1].face >= 0 && (q[0].face < 0 || q[1].separation >= q[0].separation);
  int has_sides = q[owner].face >= 0;
  nearest by_side = {0};
  if (has_sides)
    by_side = corner_and_side(solid, owner, q[owner].face, q[owner].corner, q[owner].separation);
  int overlap = has_sides && by_side.separation <= round_off;
  /* The only line of a segment does not separate it from a point beside it. */
  int is_flat = solid[owner].one_sided && !solid[1 - owner].face_count;
  if (overlap && is_flat && is_beside(solid, &by_side, round_off)) overlap = 0;
  if (overlap) {
    *best = by_side;
    return leave_ground(solid, q, best);
  }
  *best = two_corners(solid);
  for (int i = 0; i < 2; i++) nearest_over_sides(solid, i, best);
  if (has_sides && best->separation <= round_off) *best = by_side;
  return best->separation <= reach;
}

/* The side that faces along `out` most, or -1. */
static int side_facing(const pc_solid* s, pc_v3 out)
{
  int best = -1;
  double most = 0;
  for (int f = 0; f < s->face_count; f++) {
    double along = pc_v3_dot(s->normal[f], out);
    if (along > most) most = along, best = f;
  }
  return best;
}

/* Corners of a side of one polygon that are over the facing side of the other. */
static int add_corners(pc_search* search, const pc_solid solid[2], const int face[2], int owner,
                       double tolerance, double gap, int count, pc_found* candidate)
{
  const pc_solid *a = &solid[owner], *b = &solid[1 - owner];
  int corners = face[1 - owner] >= 0 ? 2 : b->corner_count;
  double aligned = face[0] >= 0 && face[1] >= 0
                       ? -pc_v3_dot(solid[0].normal[face[0]], solid[1].normal[face[1]])
                       : 0;
  if (face[owner] < 0) return count;
  for (int i = 0; i < corners; i++) {
    int corner = face[1 - owner] >= 0 ? b->face_corner[b->face_first[face[1 - owner]] + i] : i;
    if (!pc_is_over_face(a, face[owner], b->corner[corner], tolerance, 2)) continue;
    nearest r = corner_and_side(solid, owner, face[owner], corner, 0);
    if (!pc_make_contact(search, solid, r.ref, r.n, &candidate[count])) continue;
    /* A corner may be behind a side that is not the way out, unless both sides are nearly
     * parallel. */
    if (aligned < 0.9 && candidate[count].gap < gap - tolerance) continue;
    if (b->one_sided && !pc_ground_allows(b, r.ref[1 - owner], pc_v3_scaled(owner ? -1 : 1, r.n)))
      continue;
    count++;
  }
  return count;
}

/* Whether a corner beside a part of ground is left to another part of it. */
static int belongs_to_neighbour(const pc_solid solid[2], const nearest* best, double gap)
{
  int ground = solid[1].one_sided ? 1 : 0;
  if (!solid[ground].one_sided) return 0;
  return !solid[1 - ground].face_count || is_beside(solid, best, PC_LEANING * fabs(gap));
}

void pc_collide_planar(pc_search* search, const pc_solid solid[2])
{
  nearest best;
  pc_found candidate[8];
  double reach = search->margin + solid[0].radius + solid[1].radius;
  if (!find_nearest(solid, reach, 8 * pc_search_round_off(search), &best)) return;
  if (!pc_make_contact(search, solid, best.ref, best.n, &candidate[0])) return;
  double gap = candidate[0].gap;
  int allowed = 1;
  for (int i = 0; i < 2; i++) {
    pc_v3 outward = pc_v3_scaled(i == 0 ? -1 : 1, best.n);
    if (solid[i].one_sided) allowed &= pc_ground_allows(&solid[i], best.ref[i], outward);
  }
  const int face[2] = {side_facing(&solid[0], pc_v3_scaled(-1, best.n)),
                       side_facing(&solid[1], best.n)};
  double size = fmin(solid[0].extent, solid[1].extent) + fmax(solid[0].radius, solid[1].radius);
  double same = 1e-9 * size;
  pc_nearest_place place = !allowed                        ? PC_NEAREST_NOWHERE
                           : is_beside(solid, &best, same) ? PC_NEAREST_BESIDE
                                                           : PC_NEAREST_FIRST;
  int count = allowed;
  for (int owner = 1; owner >= 0; owner--)
    count = add_corners(search, solid, face, owner, same, gap, count, candidate);
  if (place == PC_NEAREST_BESIDE && count == 1 && belongs_to_neighbour(solid, &best, gap)) return;
  count = pc_order_candidates(search, count, candidate, place, best.n, same);
  pc_append_patch(search, 2, count, candidate, best.n, same);
}
