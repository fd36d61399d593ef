/* Shapes on a half-space or half-plane: corners with radii, ellipsoids, and cylinders on their
 * rims. */
#include <float.h>

#include "collide/solid.h"

pc_feature pc_plane_feature(const pc_collider* c)
{
  pc_feature f = {.kind = PC_FEATURE_FACE};
  pc_v3 up = c->geometry->dimension == 2 ? (pc_v3){0, 1, 0} : (pc_v3){0, 0, 1};
  pc_v3_put(pc_v3_of(c->pose.x), f.p);
  pc_v3_put(pc_pose_turn(&c->pose, up), f.d);
  return f;
}

/* A contact of a feature of the other shape with the plane. */
static int make(const pc_search* search, int ground, const pc_feature* feature, uint32_t key,
                pc_found* found)
{
  pc_feature plane = pc_plane_feature(&search->own[ground]);
  pc_contact_geometry* g = &found->geometry;
  g->side[ground] = plane;
  g->side[1 - ground] = *feature;
  pc_v3_put((pc_v3){0, 0, 1}, g->n);
  pc_contact_point at = pc_contact_at(g, search->frame);
  pc_v3_put(at.n, g->n);
  found->gap = at.gap;
  uint32_t plane_key = pc_feature_key(PC_FEATURE_FACE, 0);
  found->feature = ground ? pc_pair_key(key, plane_key) : pc_pair_key(plane_key, key);
  return at.gap <= search->margin;
}

/* The corners within the margin, the deepest one first. Of many, the patch keeps those that span
 * most. */
static void collide_corners(pc_search* search, int ground, const pc_solid* s)
{
  enum { MOST = 48 };
  pc_found found[MOST];
  const pc_pose* at = &search->frame[ground];
  int dimension = s->collider->geometry->dimension, count = 0, deepest = 0;
  pc_v3 n = pc_pose_turn(at, dimension == 2 ? (pc_v3){0, 1, 0} : (pc_v3){0, 0, 1});
  double offset = pc_v3_dot(n, pc_v3_of(at->x)) + search->margin + s->radius;
  double slack = 32 * pc_search_round_off(search); /* pc_contact_at decides */
  for (int i = 1; i < s->corner_count; i++)
    if (pc_v3_dot(n, s->corner[i]) < pc_v3_dot(n, s->corner[deepest])) deepest = i;
  for (int k = 0; k < s->corner_count && count < MOST; k++) {
    int i = k == 0 ? deepest : k == deepest ? 0 : k; /* the deepest changes places with the first */
    if (pc_v3_dot(n, s->corner[i]) > offset + slack) continue;
    uint32_t key;
    pc_feature f = pc_solid_feature(s, (pc_feature_ref){PC_FEATURE_POINT, i}, &key);
    count += make(search, ground, &f, key, &found[count]);
  }
  if (count == 1)
    pc_append(search, found);
  else
    pc_append_patch(search, dimension, count, found, n, 1e-9 * s->extent);
}

static void collide_ellipsoid(pc_search* search, int ground)
{
  const pc_collider* c = &search->own[1 - ground];
  pc_found found;
  pc_feature f = pc_ellipsoid_feature(c);
  if (make(search, ground, &f, pc_feature_key(PC_FEATURE_CURVED, 0), &found))
    pc_append(search, &found);
}

/* A rim touches where it is lowest; that point moves around it as the cylinder turns, unless the
 * rim is so flat on the plane that there is no such point. Three more points of the
 * rim, at right angles, carry a cylinder that stands. `flat` is the sine of the angle between rim
 * and plane below which the lowest point is taken as a point of the body for this step. */
static int collide_rim(pc_search* search, int ground, int rim, pc_v3 n, pc_found* found)
{
  static const double flat = 1e-4;
  const pc_collider* c = &search->own[1 - ground];
  const pc_pose* pose = &search->frame[1 - ground];
  double radius = c->geometry->radius, height = (rim ? 1 : -1) * c->geometry->half[0];
  pc_v3 own = pc_pose_turn_back(pose, n); /* the normal in the frame of the cylinder */
  double sine = pc_v3_from_axis(own);
  double x = sine > 0 ? -own.x / sine : 1, y = sine > 0 ? -own.y / sine : 0;
  int count = 0;
  if (sine > flat) {
    pc_feature f = pc_rim_feature(c, rim);
    count += make(search, ground, &f, pc_feature_key(PC_FEATURE_CURVED, rim), &found[count]);
  }
  for (int i = sine > flat; i < 4; i++) { /* quarter turns from the lowest point */
    double a = i == 0 ? x : i == 1 ? -y : i == 2 ? -x : y;
    double b = i == 0 ? y : i == 1 ? x : i == 2 ? -y : -x;
    pc_feature f = {.kind = PC_FEATURE_POINT};
    pc_v3_put((pc_v3){radius * a, radius * b, height}, f.p);
    /* the lowest point has the same key in both cases */
    uint32_t key =
        i ? pc_feature_key(PC_FEATURE_POINT, 4 * rim + i) : pc_feature_key(PC_FEATURE_CURVED, rim);
    count += make(search, ground, &f, key, &found[count]);
  }
  return count;
}

static void collide_cylinder(pc_search* search, int ground)
{
  pc_found found[8];
  pc_v3 n = pc_pose_turn(&search->frame[ground], (pc_v3){0, 0, 1});
  double along = pc_v3_dot(n, pc_pose_turn(&search->frame[1 - ground], (pc_v3){0, 0, 1}));
  int lower = along < 0; /* the rim whose points come first */
  int count = collide_rim(search, ground, lower, n, found);
  count += collide_rim(search, ground, 1 - lower, n, found + count);
  pc_append_patch(search, 3, count, found, n,
                  1e-9 * search->collider[1 - ground]->geometry->extent);
}

void pc_collide_half_space(pc_search* search, int ground, const pc_solid* solid)
{
  const pc_geometry* g = search->collider[1 - ground]->geometry;
  if (solid)
    collide_corners(search, ground, solid);
  else if (g->kind == PC_GEOMETRY_ELLIPSOID)
    collide_ellipsoid(search, ground);
  else
    collide_cylinder(search, ground);
}
