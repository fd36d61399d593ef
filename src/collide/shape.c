#include "collide/shape.h"

#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "collide/bounds.h"
#include "collide/mesh_tree.h"

static const struct {
  const char* name;
  int dimension;
} kinds[PC_GEOMETRY_KINDS] = {
    [PC_GEOMETRY_DISC] = {"disc", 2},
    [PC_GEOMETRY_RECTANGLE] = {"box", 2},
    [PC_GEOMETRY_POLYGON] = {"polygon", 2},
    [PC_GEOMETRY_STADIUM] = {"capsule", 2},
    [PC_GEOMETRY_SEGMENT] = {"segment", 2},
    [PC_GEOMETRY_HALF_PLANE] = {"half-plane", 2},
    [PC_GEOMETRY_POLYLINE] = {"polyline", 2},
    [PC_GEOMETRY_SPHERE] = {"sphere", 3},
    [PC_GEOMETRY_BOX] = {"box", 3},
    [PC_GEOMETRY_CAPSULE] = {"capsule", 3},
    [PC_GEOMETRY_CYLINDER] = {"cylinder", 3},
    [PC_GEOMETRY_ELLIPSOID] = {"ellipsoid", 3},
    [PC_GEOMETRY_POLYHEDRON] = {"polyhedron", 3},
    [PC_GEOMETRY_HALF_SPACE] = {"half-space", 3},
    [PC_GEOMETRY_MESH] = {"mesh", 3},
};

const char* pc_geometry_kind_name(pc_geometry_kind kind)
{
  return (unsigned)kind < PC_GEOMETRY_KINDS ? kinds[kind].name : "unknown";
}

int pc_geometry_kind_dimension(pc_geometry_kind kind)
{
  return (unsigned)kind < PC_GEOMETRY_KINDS ? kinds[kind].dimension : 0;
}

int pc_geometry_is_unbounded(const pc_geometry* g)
{
  return g->kind == PC_GEOMETRY_HALF_PLANE || g->kind == PC_GEOMETRY_HALF_SPACE;
}

int pc_geometry_moves(const pc_geometry* g)
{
  return !pc_geometry_is_unbounded(g) && g->kind != PC_GEOMETRY_POLYLINE &&
         g->kind != PC_GEOMETRY_MESH;
}

/* ---- checks -------------------------------------------------------------------------------- */

static pc_status check_positive(pc_geometry_kind kind, const char* field, double value,
                                pc_error* error)
{
  if (value > 0 && isfinite(value)) return PC_OK;
  return pc_fail(error, PC_BAD_MODEL, "%s: %s is %g; it must be positive", kinds[kind].name, field,
                 value);
}

static pc_status check_sizes(const pc_geometry_def* def, int count, pc_error* error)
{
  static const char* const field[3] = {"size[0]", "size[1]", "size[2]"};
  for (int i = 0; i < count; i++) PC_TRY(check_positive(def->kind, field[i], def->size[i], error));
  return PC_OK;
}

static pc_status check_corners(const pc_geometry_def* def, int least, pc_error* error)
{
  const char* name = kinds[def->kind].name;
  int dimension = kinds[def->kind].dimension;
  if (def->corner_count < least)
    return pc_fail(error, PC_BAD_MODEL, "%s: %d corners; it needs %d at least", name,
                   def->corner_count, least);
  for (int i = 0; i < dimension * def->corner_count; i++)
    if (!isfinite(def->corner[i]))
      return pc_fail(error, PC_BAD_MODEL, "%s: corner %d is not finite", name, i / dimension);
  return PC_OK;
}

/* The turn of a polygon at corner i, twice the area of the triangle with its neighbours. */
static double turn_at(int count, const double* c, int i)
{
  int before = (i + count - 1) % count, after = (i + 1) % count;
  double ax = c[2 * i] - c[2 * before], ay = c[2 * i + 1] - c[2 * before + 1];
  double bx = c[2 * after] - c[2 * i], by = c[2 * after + 1] - c[2 * i + 1];
  return ax * by - ay * bx;
}

/* A convex polygon turns the same way at every corner, once around in all. The sum of the turning
 * angles tells a pentagram from a pentagon. */
static pc_status check_convex(const pc_geometry_def* def, int* clockwise, pc_error* error)
{
  int count = def->corner_count;
  double first = turn_at(count, def->corner, 0), angles = 0;
  for (int i = 0; i < count; i++) {
    double turn = turn_at(count, def->corner, i);
    if (!(turn * first > 0))
      return pc_fail(
          error, PC_BAD_MODEL,
          "polygon: it is not convex at corner %d (counted from 0), or three corners in a "
          "row are on a line",
          i);
    const double *a = def->corner + 2 * ((i + count - 1) % count), *b = def->corner + 2 * i,
                 *c = def->corner + 2 * ((i + 1) % count);
    double along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    angles += pc_atan2(fabs(turn), along);
  }
  if (angles > 7) /* 2 pi for a convex polygon, 4 pi at least for one that winds around twice */
    return pc_fail(error, PC_BAD_MODEL, "polygon: its sides cross each other");
  *clockwise = first < 0;
  return PC_OK;
}

static pc_status check_triangles(const pc_geometry_def* def, pc_error* error)
{
  if (def->triangle_count < 1) return pc_fail(error, PC_BAD_MODEL, "mesh: it has no triangles");
  for (int i = 0; i < 3 * def->triangle_count; i++)
    if (def->triangle[i] < 0 || def->triangle[i] >= def->corner_count)
      return pc_fail(error, PC_BAD_MODEL, "mesh: triangle %d has corner %d; there are %d", i / 3,
                     def->triangle[i], def->corner_count);
  return PC_OK;
}

/* ---- making -------------------------------------------------------------------------------- */

static pc_status make_polygon(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  int clockwise = 0, count = def->corner_count;
  PC_TRY(check_corners(def, 3, error));
  PC_TRY(check_convex(def, &clockwise, error));
  double* corner = pc_alloc(2 * (size_t)count, sizeof *corner);
  if (!corner) return pc_no_memory(error);
  for (int i = 0; i < count; i++) {
    int from = clockwise ? count - 1 - i : i;
    corner[2 * i] = def->corner[2 * from];
    corner[2 * i + 1] = def->corner[2 * from + 1];
  }
  g->own = pc_polytope_polygon(count, corner);
  free(corner);
  return g->own ? PC_OK : pc_no_memory(error);
}

static pc_status make_rectangle(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  PC_TRY(check_sizes(def, 2, error));
  double a = def->size[0] / 2, b = def->size[1] / 2;
  g->half[0] = a, g->half[1] = b;
  g->own = pc_polytope_polygon(4, (const double[]){-a, -b, a, -b, a, b, -a, b});
  return g->own ? PC_OK : pc_no_memory(error);
}

static pc_status make_box(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  PC_TRY(check_sizes(def, 3, error));
  for (int i = 0; i < 3; i++) g->half[i] = def->size[i] / 2;
  g->own = pc_polytope_box(g->half);
  return g->own ? PC_OK : pc_no_memory(error);
}

static pc_status make_round(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  int is_long = def->kind == PC_GEOMETRY_STADIUM || def->kind == PC_GEOMETRY_CAPSULE ||
                def->kind == PC_GEOMETRY_SEGMENT || def->kind == PC_GEOMETRY_CYLINDER;
  if (def->kind != PC_GEOMETRY_SEGMENT) {
    PC_TRY(check_positive(def->kind, "radius", def->radius, error));
    g->radius = def->radius;
  }
  if (is_long) PC_TRY(check_positive(def->kind, "length", def->length, error));
  g->half[0] = is_long ? def->length / 2 : 0;
  if (def->kind == PC_GEOMETRY_CYLINDER) return PC_OK;
  if (!is_long) {
    g->polytope = pc_polytope_point();
    return PC_OK;
  }
  g->own = pc_polytope_segment(g->dimension, g->half[0]);
  return g->own ? PC_OK : pc_no_memory(error);
}

static pc_status make_ellipsoid(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  PC_TRY(check_sizes(def, 3, error));
  for (int i = 0; i < 3; i++) g->half[i] = def->size[i];
  return PC_OK;
}

/* An edge of a triangle, by its corners in ascending order, and whether it runs that way. */
typedef struct directed_edge {
  int corner[2], way; /* 1 or -1 */
} directed_edge;

static int compare_edges(const void* x, const void* y)
{
  const directed_edge *a = x, *b = y;
  for (int i = 0; i < 2; i++)
    if (a->corner[i] != b->corner[i]) return a->corner[i] < b->corner[i] ? -1 : 1;
  return 0;
}

/* Whether every edge is run through as often one way as the other. */
static int edges_cancel(directed_edge* edge, int count)
{
  qsort(edge, (size_t)count, sizeof *edge, compare_edges);
  for (int i = 0, next; i < count; i = next) {
    int sum = 0;
    for (next = i; next < count && compare_edges(&edge[i], &edge[next]) == 0; next++)
      sum += edge[next].way;
    if (sum != 0) return 0;
  }
  return 1;
}

static pc_status is_closed(const pc_geometry_def* def, int* closed, pc_error* error)
{
  int count = 3 * def->triangle_count;
  directed_edge* edge = pc_alloc((size_t)count, sizeof *edge);
  if (!edge) return pc_no_memory(error);
  for (int i = 0; i < count; i++) {
    int from = def->triangle[i], to = def->triangle[i % 3 == 2 ? i - 2 : i + 1];
    edge[i] = from < to ? (directed_edge){{from, to}, 1} : (directed_edge){{to, from}, -1};
  }
  *closed = edges_cancel(edge, count);
  free(edge);
  return PC_OK;
}

/* The volume within a closed surface of triangles. */
static double volume_within(const pc_geometry_def* def)
{
  pc_v3 first = pc_v3_of(def->corner);
  double volume = 0;
  for (int i = 0; i < def->triangle_count; i++) {
    pc_v3 x[3];
    for (int k = 0; k < 3; k++)
      x[k] = pc_v3_minus(pc_v3_of(def->corner + 3 * def->triangle[3 * i + k]), first);
    volume += pc_v3_dot(x[0], pc_v3_cross(x[1], x[2])) / 6;
  }
  return fabs(volume);
}

static double volume_of(const pc_polytope* p)
{
  double volume = 0;
  for (int f = 0; f < p->face_count; f++) {
    const int* corner = p->face_corner + p->face_first[f];
    int count = p->face_first[f + 1] - p->face_first[f];
    pc_v3 first = pc_v3_minus(p->corner[corner[0]], p->corner[0]);
    for (int i = 1; i + 1 < count; i++)
      volume += pc_v3_dot(first, pc_v3_cross(pc_v3_minus(p->corner[corner[i]], p->corner[0]),
                                             pc_v3_minus(p->corner[corner[i + 1]], p->corner[0]))) /
                6;
  }
  return fabs(volume);
}

/* How deep a point lies below the nearest face. */
static double depth_within(const pc_polytope* p, pc_v3 x)
{
  double least = INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    pc_v3 corner = p->corner[p->face_corner[p->face_first[f]]];
    least = fmin(least, pc_v3_dot(p->normal[f], pc_v3_minus(corner, x)));
  }
  return least;
}

/* What the hull of a surface adds to it: see hull_adds. An open surface is concave where a corner
 * lies within the hull. */
static pc_status find_what_hull_adds(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  static const double NOTICEABLE = 1e-6; /* of the volume, or of the size */
  const pc_polytope* hull = g->own;
  int closed = 0;
  PC_TRY(is_closed(def, &closed, error));
  if (closed) {
    double volume = volume_of(hull), within = volume_within(def);
    g->hull_adds = volume > (1 + NOTICEABLE) * within ? volume / within - 1 : 0;
    return PC_OK;
  }
  double size = 0;
  for (int i = 0; i < hull->corner_count; i++)
    size = fmax(size, pc_v3_length(pc_v3_minus(hull->corner[i], hull->corner[0])));
  for (int i = 0; i < def->corner_count; i++)
    if (depth_within(hull, pc_v3_of(def->corner + 3 * i)) > NOTICEABLE * size)
      g->hull_adds = INFINITY;
  return PC_OK;
}

static pc_status make_polyhedron(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  PC_TRY(check_corners(def, 4, error));
  PC_TRY(pc_polytope_hull(def->corner_count, def->corner, &g->own, error));
  if (def->triangle_count == 0) return PC_OK;
  PC_TRY(check_triangles(def, error));
  return find_what_hull_adds(def, g, error);
}

/* A polyline's faces are its segments, their normals on the left. */
static pc_status make_polyline(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  PC_TRY(check_corners(def, 2, error));
  int faces = def->corner_count - 1;
  pc_polytope* p = g->own = pc_polytope_create(def->corner_count, faces, 2 * faces);
  if (!p) return pc_no_memory(error);
  for (int i = 0; i <= faces; i++)
    p->corner[i] = (pc_v3){def->corner[2 * i], def->corner[2 * i + 1], 0};
  for (int i = 0; i < faces; i++) {
    pc_v3 d = pc_v3_minus(p->corner[i + 1], p->corner[i]);
    if (!(pc_v3_length(d) > 0))
      return pc_fail(error, PC_BAD_MODEL, "polyline: corners %d and %d are the same point", i,
                     i + 1);
    p->face_first[i + 1] = 2 * (i + 1);
    p->face_corner[2 * i] = i;
    p->face_corner[2 * i + 1] = i + 1;
    p->normal[i] = pc_v3_unit((pc_v3){-d.y, d.x, 0}, d);
  }
  return pc_mesh_tree_create(p, &g->tree, error);
}

static pc_status make_mesh(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  PC_TRY(check_corners(def, 3, error));
  PC_TRY(check_triangles(def, error));
  int faces = def->triangle_count;
  pc_polytope* p = g->own = pc_polytope_create(def->corner_count, faces, 3 * faces);
  if (!p) return pc_no_memory(error);
  for (int i = 0; i < def->corner_count; i++) p->corner[i] = pc_v3_of(def->corner + 3 * i);
  for (int f = 0; f < faces; f++) p->face_first[f + 1] = 3 * (f + 1);
  for (int i = 0; i < 3 * faces; i++) p->face_corner[i] = def->triangle[i];
  PC_TRY(pc_polytope_connect(p, "mesh", error));
  PC_TRY(pc_polytope_list_stars(p, error));
  return pc_mesh_tree_create(p, &g->tree, error);
}

static pc_status make_unbounded(const pc_geometry_def* def, pc_geometry* g, pc_error* error)
{
  (void)def;
  (void)g;
  (void)error;
  return PC_OK;
}

/* The distance of the mean of the corners from the nearest face. */
static double inner_of_polytope(const pc_polytope* p)
{
  double least = INFINITY;
  pc_v3 mean = {0, 0, 0};
  for (int i = 0; i < p->corner_count; i++)
    mean = pc_v3_along(mean, 1.0 / p->corner_count, p->corner[i]);
  for (int f = 0; f < p->face_count; f++) {
    pc_v3 corner = p->corner[p->face_corner[p->face_first[f]]];
    least = fmin(least, pc_v3_dot(p->normal[f], pc_v3_minus(corner, mean)));
  }
  return least;
}

static double inner_of(const pc_geometry* g)
{
  static const double OF_SEGMENT = 0.05; /* of its length: it has no inside */
  switch (g->kind) {
    case PC_GEOMETRY_HALF_PLANE:
    case PC_GEOMETRY_HALF_SPACE: return INFINITY;
    case PC_GEOMETRY_POLYLINE:
    case PC_GEOMETRY_MESH: return 0;
    case PC_GEOMETRY_SEGMENT: return 2 * OF_SEGMENT * g->half[0];
    case PC_GEOMETRY_CYLINDER: return fmin(g->radius, g->half[0]);
    case PC_GEOMETRY_ELLIPSOID: return fmin(g->half[0], fmin(g->half[1], g->half[2]));
    case PC_GEOMETRY_RECTANGLE:
    case PC_GEOMETRY_BOX:
    case PC_GEOMETRY_POLYGON:
    case PC_GEOMETRY_POLYHEDRON: return inner_of_polytope(g->polytope);
    default: return g->radius;
  }
}

static double farthest_corner(const pc_polytope* p, pc_v3 from)
{
  double most = 0;
  for (int i = 0; i < p->corner_count; i++)
    most = fmax(most, pc_v3_length(pc_v3_minus(p->corner[i], from)));
  return most;
}

/* Halves are added, not the sum halved, so that the middle of two opposite numbers is zero and that
 * of large ones is finite. */
static pc_v3 middle_of_corners(const pc_polytope* p)
{
  pc_bounds b = pc_bounds_empty();
  for (int i = 0; i < p->corner_count; i++) pc_bounds_add_point(&b, p->corner[i]);
  return (pc_v3){b.low[0] / 2 + b.high[0] / 2, b.low[1] / 2 + b.high[1] / 2,
                 b.low[2] / 2 + b.high[2] / 2};
}

static void measure(pc_geometry* g)
{
  const double *half = g->half, radius = g->radius;
  g->inner = inner_of(g);
  if (pc_geometry_is_unbounded(g)) {
    g->reach = INFINITY;
    return;
  }
  if (g->polytope) {
    g->centre = middle_of_corners(g->polytope);
    g->extent = farthest_corner(g->polytope, g->centre) + radius;
    g->reach = farthest_corner(g->polytope, (pc_v3){0}) + radius;
    return;
  }
  g->extent = g->kind == PC_GEOMETRY_CYLINDER ? sqrt(half[0] * half[0] + radius * radius)
                                              : fmax(half[0], fmax(half[1], half[2]));
  g->reach = g->extent;
}

pc_status pc_geometry_create(const pc_geometry_def* def, pc_geometry** geometry, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  PC_TRY(pc_need(geometry, "geometry", error));
  typedef pc_status maker(const pc_geometry_def*, pc_geometry*, pc_error*);
  static maker* const make[PC_GEOMETRY_KINDS] = {
      [PC_GEOMETRY_DISC] = make_round,
      [PC_GEOMETRY_RECTANGLE] = make_rectangle,
      [PC_GEOMETRY_POLYGON] = make_polygon,
      [PC_GEOMETRY_STADIUM] = make_round,
      [PC_GEOMETRY_SEGMENT] = make_round,
      [PC_GEOMETRY_HALF_PLANE] = make_unbounded,
      [PC_GEOMETRY_POLYLINE] = make_polyline,
      [PC_GEOMETRY_SPHERE] = make_round,
      [PC_GEOMETRY_BOX] = make_box,
      [PC_GEOMETRY_CAPSULE] = make_round,
      [PC_GEOMETRY_CYLINDER] = make_round,
      [PC_GEOMETRY_ELLIPSOID] = make_ellipsoid,
      [PC_GEOMETRY_POLYHEDRON] = make_polyhedron,
      [PC_GEOMETRY_HALF_SPACE] = make_unbounded,
      [PC_GEOMETRY_MESH] = make_mesh,
  };
  *geometry = NULL;
  if ((unsigned)def->kind >= PC_GEOMETRY_KINDS)
    return pc_fail(error, PC_BAD_MODEL, "there is no shape of kind %d", (int)def->kind);
  pc_geometry* g = pc_alloc(1, sizeof *g);
  if (!g) return pc_no_memory(error);
  g->kind = def->kind;
  g->dimension = kinds[def->kind].dimension;
  pc_status status = make[def->kind](def, g, error);
  if (g->own) g->polytope = g->own;
  if (status != PC_OK) {
    pc_geometry_destroy(g);
    return status;
  }
  measure(g);
  *geometry = g;
  return PC_OK;
}

void pc_geometry_destroy(pc_geometry* g)
{
  if (!g) return;
  pc_polytope_destroy(g->own);
  pc_mesh_tree_destroy(g->tree);
  free(g);
}

pc_pose pc_pose_of_plane(int dimension, const double point[3], const double normal[3])
{
  if (!point || !normal) return (pc_pose){0};
  if (dimension == 2) {
    double x = normal[0], y = normal[1]; /* the y axis of the frame; its x axis is to the right */
    return (pc_pose){{point[0], point[1], 0}, {y, x, 0, -x, y, 0, 0, 0, 1}};
  }
  double a[3], b[3];
  pc_basis_of(normal, a, b);
  pc_pose p = {.x = {point[0], point[1], point[2]}};
  for (int i = 0; i < 3; i++) {
    p.A[3 * i] = a[i];
    p.A[3 * i + 1] = b[i];
    p.A[3 * i + 2] = normal[i];
  }
  return p;
}

pc_pose pc_pose_in_plane(double x, double y, double angle)
{
  return pc_pose_planar(x, y, angle);
}

pc_pose pc_pose_in_space(const double position[3], const double quaternion[4])
{
  if (!position || !quaternion) return (pc_pose){0};
  return pc_pose_spatial(position, quaternion);
}

pc_geometry_info pc_geometry_describe(const pc_geometry* g)
{
  if (!g) return (pc_geometry_info){0};
  pc_geometry_info info = {.kind = g->kind, .radius = g->radius};
  int is_box = g->kind == PC_GEOMETRY_RECTANGLE || g->kind == PC_GEOMETRY_BOX;
  int is_ellipsoid = g->kind == PC_GEOMETRY_ELLIPSOID;
  if (is_box || is_ellipsoid)
    for (int i = 0; i < 3; i++) info.size[i] = is_box ? 2 * g->half[i] : g->half[i];
  else
    info.length = 2 * g->half[0];
  if (!g->polytope) return info;
  info.corner_count = g->polytope->corner_count;
  info.corner = &g->polytope->corner->x;
  info.face_count = g->polytope->face_count;
  info.face_first = g->polytope->face_first;
  info.face_corner = g->polytope->face_corner;
  return info;
}
