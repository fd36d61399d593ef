/* The outline of a body: it has no shape of its own, but points where joints, forces and contacts
 * hang on it, and a centre of mass.
 *
 * In the plane it is the convex hull of these, or a link where they lie on a line. Two points of
 * contact beside the centre are corners of a box around it; three or more on a line are feet of a
 * table. In space four points of contact or more are the corners of a solid; links from the
 * centre lead to all other points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene.h"

enum { CORNERS_MAX = 520 }; /* points, their reflections, the centre */

static pc_status add_link(scene* s, pc_part_id part, int colour, const double a[3],
                          const double b[3])
{
  item* link = add_item(s, LAYER_LINK, colour, 2);
  if (!link) return PC_OUT_OF_MEMORY;
  link->point[0].part = link->point[1].part = part;
  memcpy(link->point[0].at, a, 3 * sizeof *a);
  memcpy(link->point[1].at, b, 3 * sizeof *b);
  return PC_OK;
}

static pc_status add_dot(scene* s, pc_part_id part, int colour)
{
  item* dot = add_item(s, LAYER_BODY, colour, 1);
  if (!dot) return PC_OUT_OF_MEMORY;
  dot->point[0].part = part;
  dot->radius = s->size / 30;
  return PC_OK;
}

/* ---- in the plane ------------------------------------------------------------------------- */

static double area(const double a[3], const double b[3], const double c[3])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int compare_points(const void* a, const void* b)
{
  const double *x = a, *y = b;
  for (int i = 0; i < 2; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Andrew's monotone chain; returns how many corners `hull` got, 2 if all points are on a line. */
static int find_hull(double (*p)[3], int count, double flat, double (*hull)[3])
{
  int n = 0;
  qsort(p, (size_t)count, sizeof *p, compare_points);
  for (int pass = 0; pass < 2; pass++) {
    int base = n;
    for (int k = 0; k < count; k++) {
      const double* next = p[pass ? count - 1 - k : k];
      while (n >= base + 2 && area(hull[n - 2], hull[n - 1], next) <= flat) n--;
      memcpy(hull[n++], next, sizeof *hull);
    }
    n--; /* the last is the first of the other chain */
  }
  return n;
}

/* Whether points of contact are on a line that misses the centre, and its direction. */
static int beside_centre(const hanging* h, double flat)
{
  const double centre[3] = {0};
  if (h->contacts < 2) return 0;
  for (int k = 2; k < h->contacts; k++)
    if (fabs(area(h->at[0], h->at[1], h->at[k])) > flat) return 0;
  return fabs(area(h->at[0], h->at[1], centre)) > flat;
}

/* A top through the centre, as wide as the feet are apart, and legs. */
static pc_status add_table(scene* s, pc_part_id part, int colour, const hanging* h)
{
  double e[2] = {h->at[1][0] - h->at[0][0], h->at[1][1] - h->at[0][1]};
  double length = hypot(e[0], e[1]), low[3] = {0}, high[3] = {0}, first = INFINITY,
         last = -INFINITY;
  for (int k = 0; k < h->contacts; k++) {
    double along = (h->at[k][0] * e[0] + h->at[k][1] * e[1]) / length;
    double top[3] = {along * e[0] / length, along * e[1] / length, 0};
    if (add_link(s, part, colour, top, h->at[k]) != PC_OK) return PC_OUT_OF_MEMORY;
    first = fmin(first, along);
    last = fmax(last, along);
  }
  for (int i = 0; i < 2; i++) {
    low[i] = first * e[i] / length;
    high[i] = last * e[i] / length;
  }
  return add_link(s, part, colour, low, high);
}

static pc_status add_planar(scene* s, pc_part_id part, int colour, const hanging* h)
{
  double flat = 1e-6 * s->size * s->size;
  double p[CORNERS_MAX][3] = {{0}}, hull[2 * CORNERS_MAX][3];
  int count = 1; /* the centre */
  int beside = beside_centre(h, flat);
  if (beside && h->contacts > 2) return add_table(s, part, colour, h);
  for (int k = 0; k < h->count; k++) memcpy(p[count++], h->at[k], sizeof *p);
  for (int k = 0; beside && k < h->contacts; k++, count++)
    for (int i = 0; i < 2; i++) p[count][i] = -h->at[k][i];
  int n = find_hull(p, count, flat, hull);
  if (n < 3) return add_link(s, part, colour, p[0], p[count - 1]);
  item* body = add_item(s, LAYER_BODY, colour, n);
  if (!body) return PC_OUT_OF_MEMORY;
  body->closed = 1;
  for (int k = 0; k < n; k++) {
    body->point[k].part = part;
    memcpy(body->point[k].at, hull[k], sizeof hull[k]);
  }
  return PC_OK;
}

/* ---- in space ----------------------------------------------------------------------------- */

enum { EDGE_POINTS_MAX = 40 }; /* the search for edges takes count^4 */

/* The unit normal of a plane through three points with all others behind it; 0 if there is none. */
static int supports(const double (*p)[3], int count, const int k[3], double n[3])
{
  double a[3], b[3], length = 0, reach = 0;
  for (int i = 0; i < 3; i++) {
    a[i] = p[k[1]][i] - p[k[0]][i];
    b[i] = p[k[2]][i] - p[k[0]][i];
    reach = fmax(reach, fmax(fabs(a[i]), fabs(b[i])));
  }
  for (int i = 0; i < 3; i++)
    n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  for (int i = 0; i < 3; i++) length += n[i] * n[i];
  if (sqrt(length) < 1e-9 * reach * reach) return 0;
  for (int i = 0; i < 3; i++) n[i] /= sqrt(length);
  for (int j = 0; j < count; j++) {
    double height = 0;
    for (int i = 0; i < 3; i++) height += n[i] * (p[j][i] - p[k[0]][i]);
    if (height > 1e-9 * reach) return 0;
  }
  return 1;
}

/* Whether two different faces meet between points a and b. */
static int is_edge(const double (*p)[3], int count, int a, int b)
{
  double n[3], first[3] = {0};
  int found = 0;
  for (int c = 0; c < count; c++)
    for (int way = 0; way < 2; way++) {
      const int k[3] = {way ? a : b, way ? b : a, c};
      if (c == a || c == b || !supports(p, count, k, n)) continue;
      if (found && first[0] * n[0] + first[1] * n[1] + first[2] * n[2] < 1 - 1e-9) return 1;
      memcpy(first, n, sizeof n);
      found = 1;
    }
  return 0;
}

/* Links from the centre to the points from `first` on. */
static pc_status add_star(scene* s, pc_part_id part, int colour, const hanging* h, int first)
{
  static const double centre[3] = {0};
  pc_status status = PC_OK;
  for (int k = first; status == PC_OK && k < h->count; k++)
    status = add_link(s, part, colour, centre, h->at[k]);
  return status;
}

static pc_status add_silhouette(scene* s, pc_part_id part, int colour, const hanging* h)
{
  item* body = add_item(s, LAYER_BODY, colour, h->contacts);
  if (!body) return PC_OUT_OF_MEMORY;
  body->silhouette = body->closed = 1;
  for (int k = 0; k < h->contacts; k++) {
    body->point[k].part = part;
    memcpy(body->point[k].at, h->at[k], sizeof *h->at);
  }
  return PC_OK;
}

/* Four points of contact or more are corners, unless they are in one plane. */
static pc_status add_spatial(scene* s, pc_part_id part, int colour, const hanging* h)
{
  int edges = 0, corners = h->contacts;
  const double(*p)[3] = (const double(*)[3])h->at;
  if (corners < 4 || corners > EDGE_POINTS_MAX) return add_star(s, part, colour, h, 0);
  for (int a = 0; a < corners; a++)
    for (int b = a + 1; b < corners; b++) {
      if (!is_edge(p, corners, a, b)) continue;
      item* edge = add_item(s, LAYER_MARK, colour, 2);
      if (!edge) return PC_OUT_OF_MEMORY;
      edge->where = IN_FILM; /* the viewer has the solid */
      edge->point[0].part = edge->point[1].part = part;
      memcpy(edge->point[0].at, p[a], sizeof *p);
      memcpy(edge->point[1].at, p[b], sizeof *p);
      edges++;
    }
  if (!edges) return add_star(s, part, colour, h, 0);
  pc_status status = add_silhouette(s, part, colour, h);
  return status == PC_OK ? add_star(s, part, colour, h, corners) : status;
}

pc_status add_outline(scene* s, pc_part_id part, int colour, const hanging* h)
{
  int only_centre = h->count == 0 || (h->count == 1 && hypot(hypot(h->at[0][0], h->at[0][1]),
                                                             h->at[0][2]) < 1e-9 * s->size);
  if (only_centre) return add_dot(s, part, colour);
  return pc_system_dimension(s->motion->system) == 3 ? add_spatial(s, part, colour, h)
                                                     : add_planar(s, part, colour, h);
}
