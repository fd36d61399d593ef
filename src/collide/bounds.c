#include "collide/bounds.h"

#include "collide/mesh_tree.h"
#include "collide/shape.h"

static const pc_bounds everywhere = {{-INFINITY, -INFINITY, -INFINITY},
                                     {INFINITY, INFINITY, INFINITY}};

/* Half the width along world axis i: for an ellipsoid |(a_k A_ik)|, for a cylinder H |A_i2| + R
 * |the rest|. */
static pc_bounds around_smooth(const pc_geometry* g, const pc_pose* pose)
{
  pc_bounds b;
  for (int i = 0; i < 3; i++) {
    const double *a = &pose->A[3 * i], *h = g->half;
    double half = g->kind == PC_GEOMETRY_ELLIPSOID
                      ? sqrt(h[0] * h[0] * a[0] * a[0] + h[1] * h[1] * a[1] * a[1] +
                             h[2] * h[2] * a[2] * a[2])
                      : h[0] * fabs(a[2]) + g->radius * sqrt(a[0] * a[0] + a[1] * a[1]);
    b.low[i] = pose->x[i] - half;
    b.high[i] = pose->x[i] + half;
  }
  return b;
}

/* Around the corners of a box with this centre and these half lengths in a frame. */
static pc_bounds around_box(pc_v3 centre, const double half[3], const pc_pose* pose)
{
  pc_bounds b;
  double c[3];
  pc_v3_put(pc_pose_apply(pose, centre), c);
  for (int i = 0; i < 3; i++) {
    const double* a = &pose->A[3 * i];
    double h = fabs(a[0]) * half[0] + fabs(a[1]) * half[1] + fabs(a[2]) * half[2];
    b.low[i] = c[i] - h;
    b.high[i] = c[i] + h;
  }
  return b;
}

static pc_bounds transformed(const pc_bounds* b, const pc_pose* pose)
{
  double half[3], centre[3];
  for (int i = 0; i < 3; i++) {
    centre[i] = (b->low[i] + b->high[i]) / 2;
    half[i] = (b->high[i] - b->low[i]) / 2;
  }
  return around_box(pc_v3_of(centre), half, pose);
}

pc_bounds pc_geometry_bounds(const pc_geometry* g, const pc_pose* pose)
{
  if (pc_geometry_is_unbounded(g)) return everywhere;
  if (g->kind == PC_GEOMETRY_ELLIPSOID || g->kind == PC_GEOMETRY_CYLINDER)
    return around_smooth(g, pose);
  if (g->kind == PC_GEOMETRY_BOX) return around_box((pc_v3){0}, g->half, pose);
  if (g->tree) {
    pc_bounds own = pc_mesh_tree_bounds(g->tree);
    return transformed(&own, pose);
  }
  pc_bounds b = pc_bounds_empty();
  for (int i = 0; i < g->polytope->corner_count; i++)
    pc_bounds_add_point(&b, pc_pose_apply(pose, g->polytope->corner[i]));
  return pc_bounds_grown(b, g->radius);
}

pc_bounds pc_bounds_seen_from(const pc_bounds* b, const pc_pose* pose)
{
  pc_pose back;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) back.A[3 * i + k] = pose->A[3 * k + i];
  pc_v3_put(pc_v3_scaled(-1, pc_pose_turn_back(pose, pc_v3_of(pose->x))), back.x);
  return transformed(b, &back);
}
