/* The shapes of bodies that find their contacts, and those of the ground.
 *
 * The film draws outlines: of a body in space its silhouette and the edges that it has. The viewer
 * gets the solids themselves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene.h"

enum { RIM_POINTS = 24, FACES_MAX = 1500 }; /* FACES_MAX: of a mesh, in a film */
static const double PI = 3.14159265358979323846;

/* A collider being drawn. */
typedef struct drawn {
  scene* s;
  pc_collider_info on;
  pc_geometry_info shape;
  int colour;
} drawn;

/* A point of the shape in the frame of its part. */
static pc_point place(const drawn* d, double x, double y, double z)
{
  const double* A = d->on.pose.A;
  pc_point p = {.part = d->on.part};
  for (int i = 0; i < 3; i++)
    p.at[i] = d->on.pose.x[i] + A[3 * i] * x + A[3 * i + 1] * y + A[3 * i + 2] * z;
  return p;
}

static pc_point corner(const drawn* d, int k)
{
  const double* c = d->shape.corner + 3 * (size_t)k;
  return place(d, c[0], c[1], c[2]);
}

static item* add(const drawn* d, layer on, int count, where in)
{
  item* it = add_item(d->s, on, d->colour, count);
  if (it) it->where = in;
  return it;
}

/* ---- lengths ------------------------------------------------------------------------------ */

double collider_reach(const pc_geometry* geometry)
{
  pc_geometry_info g = pc_geometry_describe(geometry);
  if (g.kind == PC_GEOMETRY_HALF_PLANE || g.kind == PC_GEOMETRY_HALF_SPACE) return 0;
  if (g.kind == PC_GEOMETRY_ELLIPSOID) return fmax(g.size[0], fmax(g.size[1], g.size[2]));
  if (g.kind == PC_GEOMETRY_CYLINDER) return hypot(g.radius, g.length / 2);
  double reach = 0;
  for (int k = 0; k < g.corner_count; k++) {
    const double* c = g.corner + 3 * (size_t)k;
    reach = fmax(reach, hypot(hypot(c[0], c[1]), c[2]));
  }
  return reach + g.radius;
}

int is_within_collider(const scene* s, pc_part_id part, const double at[3])
{
  for (int k = 0; k < pc_system_collider_count(s->motion->system); k++) {
    pc_collider_info c = pc_system_collider(s->motion->system, k);
    const double* x = c.pose.x;
    if (c.part.index == part.index &&
        hypot(hypot(at[0] - x[0], at[1] - x[1]), at[2] - x[2]) <= 1.3 * collider_reach(c.geometry))
      return 1;
  }
  return 0;
}

/* ---- round things ------------------------------------------------------------------------- */

static pc_status add_ball(const drawn* d, pc_point centre, where in)
{
  item* ball = add(d, LAYER_BODY, 1, in);
  if (!ball) return PC_OUT_OF_MEMORY;
  ball->point[0] = centre;
  ball->radius = d->shape.radius;
  return PC_OK;
}

/* A disc or sphere with a spoke to see it turn, which a viewer shows in its own way in space. */
static pc_status add_disc(const drawn* d)
{
  pc_status status = add_ball(d, place(d, 0, 0, 0), IN_FILM_AND_PAGE);
  if (status != PC_OK || d->on.part.index < 0) return status;
  item* spoke =
      add(d, LAYER_MARK, 2, d->shape.kind == PC_GEOMETRY_SPHERE ? IN_FILM : IN_FILM_AND_PAGE);
  if (!spoke) return PC_OUT_OF_MEMORY;
  spoke->point[0] = place(d, 0, 0, 0);
  spoke->point[1] = place(d, d->shape.radius, 0, 0);
  return PC_OK;
}

/* Points on the rim of a circle about z, at a height. */
static void put_rim(const drawn* d, double radius, double height, pc_point* to)
{
  for (int k = 0; k < RIM_POINTS; k++) {
    double angle = 2 * PI * k / RIM_POINTS;
    to[k] = place(d, radius * cos(angle), radius * sin(angle), height);
  }
}

static pc_status add_silhouette(const drawn* d, int rims, const double* radius,
                                const double* height)
{
  item* body = add(d, LAYER_BODY, rims * RIM_POINTS, IN_FILM);
  if (!body) return PC_OUT_OF_MEMORY;
  body->silhouette = body->closed = 1;
  for (int k = 0; k < rims; k++) put_rim(d, radius[k], height[k], body->point + k * RIM_POINTS);
  return PC_OK;
}

/* Between two points of the axis, for the viewer. */
static pc_status add_tube(const drawn* d)
{
  item* tube = add(d, LAYER_BODY, 2, IN_PAGE);
  if (!tube) return PC_OUT_OF_MEMORY;
  tube->solid = SOLID_CYLINDER;
  tube->size[0] = d->shape.radius;
  for (int k = 0; k < 2; k++) tube->point[k] = place(d, 0, 0, (k ? 0.5 : -0.5) * d->shape.length);
  return PC_OK;
}

static pc_status add_cylinder(const drawn* d)
{
  double r = d->shape.radius, h = d->shape.length / 2;
  pc_status status = add_silhouette(d, 2, (double[]){r, r}, (double[]){-h, h});
  for (int k = 0; status == PC_OK && k < 2; k++) {
    item* rim = add(d, LAYER_MARK, RIM_POINTS, IN_FILM);
    if (!rim) return PC_OUT_OF_MEMORY;
    rim->closed = 1;
    put_rim(d, r, k ? h : -h, rim->point);
  }
  return status == PC_OK ? add_tube(d) : status;
}

/* Rims over both halves of the ends give the silhouette. */
static pc_status add_capsule(const drawn* d)
{
  enum { RIMS = 10 };
  double radius[RIMS], height[RIMS];
  for (int k = 0; k < RIMS; k++) {
    double angle = PI / 2 * (k % 5) / 4, side = k < 5 ? -1 : 1;
    radius[k] = d->shape.radius * cos(angle);
    height[k] = side * (d->shape.length / 2 + d->shape.radius * sin(angle));
  }
  pc_status status = add_silhouette(d, RIMS, radius, height);
  for (int k = 0; status == PC_OK && k < 2; k++)
    status = add_ball(d, place(d, 0, 0, (k ? 0.5 : -0.5) * d->shape.length), IN_PAGE);
  return status == PC_OK ? add_tube(d) : status;
}

static pc_status add_ellipsoid(const drawn* d)
{
  enum { RIMS = 9 };
  const double* size = d->shape.size;
  item* body = add(d, LAYER_BODY, RIMS * RIM_POINTS, IN_FILM);
  if (!body) return PC_OUT_OF_MEMORY;
  body->silhouette = body->closed = 1;
  for (int k = 0; k < RIMS * RIM_POINTS; k++) {
    double up = PI * (k / RIM_POINTS + 0.5) / RIMS, round = 2 * PI * (k % RIM_POINTS) / RIM_POINTS;
    body->point[k] =
        place(d, size[0] * sin(up) * cos(round), size[1] * sin(up) * sin(round), size[2] * cos(up));
  }
  item* whole = add(d, LAYER_BODY, 1, IN_PAGE);
  if (!whole) return PC_OUT_OF_MEMORY;
  whole->solid = SOLID_ELLIPSOID;
  whole->point[0] = place(d, 0, 0, 0);
  memcpy(whole->size, size, sizeof whole->size);
  memcpy(whole->turn, d->on.pose.A, sizeof whole->turn);
  return PC_OK;
}

/* ---- corners ------------------------------------------------------------------------------ */

/* A rectangle or polygon; with a radius around its corners a stadium. */
static pc_status add_polygon(const drawn* d)
{
  int count = d->shape.corner_count;
  item* area = add(d, LAYER_BODY, count, IN_FILM_AND_PAGE);
  if (!area) return PC_OUT_OF_MEMORY;
  area->closed = 1;
  for (int k = 0; k < count; k++) area->point[k] = corner(d, k);
  return PC_OK;
}

static pc_status add_stadium(const drawn* d)
{
  enum { HALF = 13 };
  item* area = add(d, LAYER_BODY, 2 * HALF, IN_FILM_AND_PAGE);
  if (!area) return PC_OUT_OF_MEMORY;
  area->closed = 1;
  for (int k = 0; k < 2 * HALF; k++) {
    double side = k < HALF ? 1 : -1, angle = PI * (k % HALF) / (HALF - 1) - side * PI / 2;
    area->point[k] = place(d, side * d->shape.length / 2 + d->shape.radius * cos(angle),
                           d->shape.radius * sin(angle), 0);
  }
  return PC_OK;
}

/* A line through the corners: of ground, with its material to the right. */
static pc_status add_polyline(const drawn* d, layer on)
{
  int count = d->shape.corner_count;
  item* line = add(d, on, count, IN_FILM_AND_PAGE);
  if (!line) return PC_OUT_OF_MEMORY;
  for (int k = 0; k < count; k++) line->point[k] = corner(d, k);
  return PC_OK;
}

/* The sides of a face; each is one of another face, too, and is drawn for the one with the smaller
 * first corner. */
static pc_status add_edges(const drawn* d, int face)
{
  int first = d->shape.face_first[face], count = d->shape.face_first[face + 1] - first;
  for (int k = 0; k < count; k++) {
    int a = d->shape.face_corner[first + k], b = d->shape.face_corner[first + (k + 1) % count];
    if (a > b && d->shape.kind != PC_GEOMETRY_MESH) continue;
    item* edge = add(d, d->on.part.index < 0 ? LAYER_GRID : LAYER_MARK, 2, IN_FILM);
    if (!edge) return PC_OUT_OF_MEMORY;
    edge->point[0] = corner(d, a);
    edge->point[1] = corner(d, b);
  }
  return PC_OK;
}

static pc_status add_box_solid(const drawn* d)
{
  item* box = add(d, LAYER_BODY, 1, IN_PAGE);
  if (!box) return PC_OUT_OF_MEMORY;
  box->solid = SOLID_BOX;
  box->point[0] = place(d, 0, 0, 0);
  memcpy(box->size, d->shape.size, sizeof box->size);
  memcpy(box->turn, d->on.pose.A, sizeof box->turn);
  return PC_OK;
}

/* The faces themselves, for the viewer. */
static pc_status add_faces(const drawn* d)
{
  item* whole = add(d, LAYER_BODY, d->shape.corner_count, IN_PAGE);
  if (!whole) return PC_OUT_OF_MEMORY;
  whole->solid = SOLID_FACES;
  whole->geometry = d->on.geometry;
  for (int k = 0; k < d->shape.corner_count; k++) whole->point[k] = corner(d, k);
  return PC_OK;
}

static pc_status add_polytope(const drawn* d)
{
  int mesh = d->shape.kind == PC_GEOMETRY_MESH;
  pc_status status = PC_OK;
  if (!mesh) {
    item* body = add(d, LAYER_BODY, d->shape.corner_count, IN_FILM);
    if (!body) return PC_OUT_OF_MEMORY;
    body->silhouette = body->closed = 1;
    for (int k = 0; k < d->shape.corner_count; k++) body->point[k] = corner(d, k);
  }
  for (int k = 0; status == PC_OK && k < d->shape.face_count && k < FACES_MAX; k++)
    status = add_edges(d, k);
  if (status != PC_OK) return status;
  return d->shape.kind == PC_GEOMETRY_BOX ? add_box_solid(d) : add_faces(d);
}

/* ---- ground without end ------------------------------------------------------------------- */

/* The part of a plane beside everything that moves: the extent of the scene along its axes. */
static void find_extent(const drawn* d, double low[3], double high[3])
{
  for (int i = 0; i < 3; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (int k = 0; k < 8; k++) {
    const double at[3] = {k & 1 ? d->s->high[0] : d->s->low[0],
                          k & 2 ? d->s->high[1] : d->s->low[1],
                          k & 4 ? d->s->high[2] : d->s->low[2]};
    for (int i = 0; i < 3; i++) {
      double along = 0;
      for (int j = 0; j < 3; j++) along += d->on.pose.A[3 * j + i] * (at[j] - d->on.pose.x[j]);
      low[i] = fmin(low[i], along);
      high[i] = fmax(high[i], along);
    }
  }
}

static pc_status add_half_plane(const drawn* d)
{
  double low[3], high[3], margin = 0.06 * d->s->size;
  find_extent(d, low, high);
  item* line = add(d, LAYER_GROUND, 2, IN_FILM_AND_PAGE);
  if (!line) return PC_OUT_OF_MEMORY;
  line->point[0] = place(d, low[0] - margin, 0, 0);
  line->point[1] = place(d, high[0] + margin, 0, 0);
  return PC_OK;
}

/* A wall is a frame, so that one sees what is behind it; a floor, whose normal points up, is an
 * area. */
static pc_status add_half_space(const drawn* d)
{
  double low[3], high[3];
  const double* g = pc_system_gravity(d->s->motion->system);
  double down = 0, size = hypot(hypot(g[0], g[1]), g[2]);
  for (int i = 0; i < 3; i++) down -= d->on.pose.A[3 * i + 2] * g[i];
  find_extent(d, low, high);
  int is_floor = down > 0.5 * size;
  item* square = add(d, is_floor ? LAYER_GROUND : LAYER_GRID, 4, IN_FILM_AND_PAGE);
  if (!square) return PC_OUT_OF_MEMORY;
  square->closed = 1;
  for (int k = 0; k < 4; k++)
    square->point[k] = place(d, k == 1 || k == 2 ? high[0] : low[0], k >= 2 ? high[1] : low[1], 0);
  return PC_OK;
}

/* ---- all of them -------------------------------------------------------------------------- */

static pc_status add_one(const drawn* d)
{
  switch (d->shape.kind) {
    case PC_GEOMETRY_DISC:
    case PC_GEOMETRY_SPHERE: return add_disc(d);
    case PC_GEOMETRY_RECTANGLE:
    case PC_GEOMETRY_POLYGON: return add_polygon(d);
    case PC_GEOMETRY_STADIUM: return add_stadium(d);
    case PC_GEOMETRY_SEGMENT: return add_polyline(d, LAYER_ROD);
    case PC_GEOMETRY_POLYLINE: return add_polyline(d, LAYER_GROUND);
    case PC_GEOMETRY_HALF_PLANE: return add_half_plane(d);
    case PC_GEOMETRY_HALF_SPACE: return add_half_space(d);
    case PC_GEOMETRY_CAPSULE: return add_capsule(d);
    case PC_GEOMETRY_CYLINDER: return add_cylinder(d);
    case PC_GEOMETRY_ELLIPSOID: return add_ellipsoid(d);
    default: return add_polytope(d);
  }
}

pc_status add_colliders(scene* s)
{
  const pc_system* system = s->motion->system;
  pc_status status = PC_OK;
  for (int k = 0; status == PC_OK && k < pc_system_collider_count(system); k++) {
    drawn d = {.s = s, .on = pc_system_collider(system, k)};
    d.shape = pc_geometry_describe(d.on.geometry);
    d.colour = d.on.part.index >= 0 ? s->part_colour[d.on.part.index] : -1;
    status = add_one(&d);
  }
  return status;
}
