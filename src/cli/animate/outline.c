#include "cli/animate/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_place(const void* a, const void* b)
{
  const double *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Twice the area of the triangle o a b, positive if it turns left. */
static double turn(const double* o, const double* a, const double* b)
{
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/* Andrew's monotone chain: the lower side from left to right, then the upper one back. */
int convex_hull(double (*point)[3], int count)
{
  double hull[2 * OUTLINE_MAX + 8][3], extent = 0;
  int corners = 0;
  qsort(point, (size_t)count, sizeof *point, by_place);
  for (int i = 1; i < count; i++)
    extent = fmax(extent, hypot(point[i][0] - point[0][0], point[i][1] - point[0][1]));
  double least = 1e-9 * extent * extent;
  for (int pass = 0; pass < 2; pass++) {
    int first = corners;
    for (int n = 0; n < count; n++) {
      const double* p = point[pass ? count - 1 - n : n];
      while (corners >= first + 2 && turn(hull[corners - 2], hull[corners - 1], p) <= least)
        corners--;
      memcpy(hull[corners++], p, sizeof *hull);
    }
    corners--; /* the other side begins with it */
  }
  memcpy(point, hull, (size_t)corners * sizeof *point);
  return extent > 0 ? corners : 1;
}
