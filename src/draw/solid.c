#include "draw/solid.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

void release_solid(solid* s)
{
  free(s->point);
  free(s->corner);
  free(s->end);
  *s = (solid){0};
}

static int grow(void** items, int* capacity, int count, size_t size)
{
  if (count < *capacity) return 0;
  int larger = *capacity ? 2 * *capacity : 32;
  void* moved = realloc(*items, (size_t)larger * size);
  if (!moved) return -1;
  *items = moved;
  *capacity = larger;
  return 0;
}

static pc_status add_point(solid* s, double x, double y, double z)
{
  if (grow((void**)&s->point, &s->point_capacity, s->point_count, 3 * sizeof *s->point) != 0)
    return PC_OUT_OF_MEMORY;
  double* p = s->point + 3 * (size_t)s->point_count++;
  p[0] = x;
  p[1] = y;
  p[2] = z;
  return PC_OK;
}

static pc_status add_corner(solid* s, int point)
{
  if (grow((void**)&s->corner, &s->corner_capacity, s->corner_count, sizeof *s->corner) != 0)
    return PC_OUT_OF_MEMORY;
  s->corner[s->corner_count++] = point;
  return PC_OK;
}

/* The polygon of the corners added since the one before. */
static pc_status end_face(solid* s)
{
  if (grow((void**)&s->end, &s->face_capacity, s->face_count, sizeof *s->end) != 0)
    return PC_OUT_OF_MEMORY;
  s->end[s->face_count++] = s->corner_count;
  return PC_OK;
}

static pc_status add_face(solid* s, int count, const int* point)
{
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < count; i++) status = add_corner(s, point[i]);
  return status == PC_OK ? end_face(s) : status;
}

/* All points, in their order, as one polygon or line. */
static pc_status join_points(solid* s)
{
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < s->point_count; i++) status = add_corner(s, i);
  return status == PC_OK ? end_face(s) : status;
}

/* ---- in the plane ---------------------------------------------------------------------------- */

/* Part of a circle, counterclockwise. */
static pc_status add_arc(solid* s, const double centre[2], double radius, double from, double angle,
                         int segments)
{
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i <= segments; i++) {
    double phi = from + angle * i / segments;
    status = add_point(s, centre[0] + radius * cos(phi), centre[1] + radius * sin(phi), 0);
  }
  return status;
}

static pc_status make_disc(const pc_geometry_info* g, int around, solid* s)
{
  const double centre[2] = {0, 0};
  pc_status status = add_arc(s, centre, g->radius, 0, 2 * PI * (around - 1) / around, around - 1);
  return status == PC_OK ? join_points(s) : status;
}

static pc_status make_stadium(const pc_geometry_info* g, int around, solid* s)
{
  const double right[2] = {g->length / 2, 0}, left[2] = {-g->length / 2, 0};
  pc_status status = add_arc(s, right, g->radius, -PI / 2, PI, around / 2);
  if (status == PC_OK) status = add_arc(s, left, g->radius, PI / 2, PI, around / 2);
  return status == PC_OK ? join_points(s) : status;
}

static pc_status make_corners(const pc_geometry_info* g, solid* s)
{
  pc_status status = PC_OK;
  for (int k = 0; status == PC_OK && k < g->corner_count; k++) {
    const double* c = g->corner + 3 * (size_t)k;
    status = add_point(s, c[0], c[1], c[2]);
  }
  return status;
}

static pc_status make_outline(const pc_geometry_info* g, int is_line, solid* s)
{
  pc_status status = make_corners(g, s);
  s->is_line = is_line;
  return status == PC_OK ? join_points(s) : status;
}

/* Four corners: a strip below the line, or a square of the plane. */
static pc_status make_half(int in_space, double extent, solid* s)
{
  const double depth = in_space ? 2 * extent : extent / 25, top = in_space ? extent : 0;
  const double corner[4][2] = {
      {-extent, top - depth}, {extent, top - depth}, {extent, top}, {-extent, top}};
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < 4; i++)
    status = add_point(s, corner[i][0], corner[i][1], 0);
  return status == PC_OK ? join_points(s) : status;
}

/* ---- in space -------------------------------------------------------------------------------- */

static pc_status make_faces(const pc_geometry_info* g, solid* s)
{
  pc_status status = make_corners(g, s);
  for (int f = 0; status == PC_OK && f < g->face_count; f++)
    status =
        add_face(s, g->face_first[f + 1] - g->face_first[f], g->face_corner + g->face_first[f]);
  return status;
}

/* A ring of points about z; those of radius 0 are as many, all in one place. */
static pc_status add_ring(solid* s, double radius, double z, int around)
{
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < around; i++) {
    double phi = 2 * PI * i / around;
    status = add_point(s, radius * cos(phi), radius * sin(phi), z);
  }
  return status;
}

/* Quadrangles between rings that follow each other. */
static pc_status join_rings(solid* s, int around)
{
  pc_status status = PC_OK;
  for (int ring = around; ring < s->point_count; ring += around)
    for (int i = 0; status == PC_OK && i < around; i++) {
      int next = (i + 1) % around;
      const int face[4] = {ring - around + i, ring - around + next, ring + next, ring + i};
      status = add_face(s, 4, face);
    }
  return status;
}

/* Half a sphere about (0, 0, z), from its equator to its pole (`up` 1) or the other way (-1). */
static pc_status add_cap(solid* s, double radius, double z, int up, int around)
{
  int rings = around / 4;
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i <= rings; i++) {
    double latitude = PI / 2 * (up > 0 ? i : rings - i) / rings;
    status = add_ring(s, radius * cos(latitude), z + up * radius * sin(latitude), around);
  }
  return status;
}

static pc_status make_round(double radius, double length, int around, solid* s)
{
  pc_status status = add_cap(s, radius, -length / 2, -1, around);
  if (status == PC_OK) status = add_cap(s, radius, length / 2, 1, around);
  return status == PC_OK ? join_rings(s, around) : status;
}

static pc_status make_cylinder(const pc_geometry_info* g, int around, solid* s)
{
  const double r[4] = {0, g->radius, g->radius, 0}, z = g->length / 2;
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < 4; i++) status = add_ring(s, r[i], i < 2 ? -z : z, around);
  return status == PC_OK ? join_rings(s, around) : status;
}

static pc_status make_ellipsoid(const pc_geometry_info* g, int around, solid* s)
{
  pc_status status = make_round(1, 0, around, s);
  for (int i = 0; i < 3 * s->point_count; i++) s->point[i] *= g->size[i % 3];
  return status;
}

pc_status make_solid(const pc_geometry* geometry, const solid_options* o, solid* s)
{
  pc_geometry_info g = pc_geometry_describe(geometry);
  *s = (solid){0};
  switch (g.kind) {
    case PC_GEOMETRY_DISC: return make_disc(&g, o->around, s);
    case PC_GEOMETRY_STADIUM: return make_stadium(&g, o->around, s);
    case PC_GEOMETRY_RECTANGLE:
    case PC_GEOMETRY_POLYGON: return make_outline(&g, 0, s);
    case PC_GEOMETRY_SEGMENT:
    case PC_GEOMETRY_POLYLINE: return make_outline(&g, 1, s);
    case PC_GEOMETRY_HALF_PLANE: return make_half(0, o->extent, s);
    case PC_GEOMETRY_HALF_SPACE: return make_half(1, o->extent, s);
    case PC_GEOMETRY_SPHERE: return make_round(g.radius, 0, o->around, s);
    case PC_GEOMETRY_CAPSULE: return make_round(g.radius, g.length, o->around, s);
    case PC_GEOMETRY_CYLINDER: return make_cylinder(&g, o->around, s);
    case PC_GEOMETRY_ELLIPSOID: return make_ellipsoid(&g, o->around, s);
    default: return make_faces(&g, s);
  }
}
