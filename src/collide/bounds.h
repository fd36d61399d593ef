/* Boxes along the axes around shapes. */
#ifndef PC_COLLIDE_BOUNDS_H
#define PC_COLLIDE_BOUNDS_H

#include "collide/vector.h"

typedef struct pc_geometry pc_geometry;

typedef struct pc_bounds {
  double low[3], high[3]; /* [m]; infinite for half-spaces */
} pc_bounds;

static inline int pc_bounds_overlap(const pc_bounds* a, const pc_bounds* b)
{
  /* One branch: which of the comparisons fails is as good as random in a walk through a tree. */
  int x = (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]);
  int y = (a->low[1] <= b->high[1]) & (b->low[1] <= a->high[1]);
  int z = (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
  return x & y & z;
}

static inline pc_bounds pc_bounds_empty(void)
{
  return (pc_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void pc_bounds_add_point(pc_bounds* b, pc_v3 p)
{
  const double x[3] = {p.x, p.y, p.z};
  for (int i = 0; i < 3; i++) {
    b->low[i] = x[i] < b->low[i] ? x[i] : b->low[i];
    b->high[i] = x[i] > b->high[i] ? x[i] : b->high[i];
  }
}

static inline void pc_bounds_add(pc_bounds* b, const pc_bounds* other)
{
  for (int i = 0; i < 3; i++) {
    b->low[i] = other->low[i] < b->low[i] ? other->low[i] : b->low[i];
    b->high[i] = other->high[i] > b->high[i] ? other->high[i] : b->high[i];
  }
}

static inline pc_bounds pc_bounds_grown(pc_bounds b, double by)
{
  for (int i = 0; i < 3; i++) b.low[i] -= by, b.high[i] += by;
  return b;
}

/* The smallest box around a shape at a pose; all of space for a half-space. */
pc_bounds pc_geometry_bounds(const pc_geometry* geometry, const pc_pose* pose);

/* The box, along the axes of the frame `pose`, around a box that is given outside of it. */
pc_bounds pc_bounds_seen_from(const pc_bounds* bounds, const pc_pose* pose);

#endif
