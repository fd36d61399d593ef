/* Random shapes and poses, and membership in a shape by its definition: what the tests of collision
 * detection compare with. Nothing here uses the code under test but to make shapes. */
#ifndef PC_TESTS_COLLIDE_SHAPES_H
#define PC_TESTS_COLLIDE_SHAPES_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collide/bounds.h"
#include "collide/shape.h"
#include "linalg/random.h"

static inline double uniform(random_source* r, double low, double high)
{
  return low + (high - low) * (random_number(r) + 1) / 2;
}

static inline pc_geometry* make_shape(const pc_geometry_def* def)
{
  pc_geometry* g;
  pc_error error = {0};
  CHECK_OK(pc_geometry_create(def, &g, &error), error);
  return g;
}

static inline pc_pose random_pose(random_source* r, int dimension, double spread)
{
  double x[3], p[4];
  for (int i = 0; i < 3; i++) x[i] = uniform(r, -spread, spread);
  if (dimension == 2) return pc_pose_planar(x[0], x[1], uniform(r, -3, 3));
  random_numbers(r, 4, p);
  return pc_pose_spatial(x, p);
}

static inline pc_v3 random_unit(random_source* r, int dimension)
{
  for (;;) {
    double x[3] = {0};
    random_numbers(r, dimension, x);
    pc_v3 a = pc_v3_of(x);
    double length = pc_v3_length(a);
    if (length > 0.1 && length < 1) return pc_v3_scaled(1 / length, a);
  }
}

/* A convex polygon: points of an ellipse in order. */
static inline pc_geometry* random_polygon(random_source* r, int corners)
{
  double c[2 * 16], angle = uniform(r, 0, 6);
  double a = uniform(r, 0.3, 1);
  double b = uniform(r, 0.3, 1);
  for (int i = 0; i < corners; i++) {
    c[2 * i] = a * cos(angle);
    c[2 * i + 1] = b * sin(angle);
    angle += 2 * 3.14159265358979 / corners * uniform(r, 0.7, 1);
  }
  return make_shape(
      &(pc_geometry_def){.kind = PC_GEOMETRY_POLYGON, .corner_count = corners, .corner = c});
}

static inline pc_geometry* random_polyhedron(random_source* r, int corners)
{
  double c[3 * 64];
  for (int i = 0; i < corners; i++)
    pc_v3_put(pc_v3_scaled(uniform(r, 0.6, 1), random_unit(r, 3)), c + 3 * i);
  return make_shape(
      &(pc_geometry_def){.kind = PC_GEOMETRY_POLYHEDRON, .corner_count = corners, .corner = c});
}

/* A shape of a kind, of sizes between 0.2 and 1. */
static inline pc_geometry* random_shape(random_source* r, pc_geometry_kind kind)
{
  if (kind == PC_GEOMETRY_POLYGON) return random_polygon(r, 3 + (int)uniform(r, 0, 6));
  if (kind == PC_GEOMETRY_POLYHEDRON) return random_polyhedron(r, 4 + (int)uniform(r, 0, 16));
  /* one after the other: the order within an initialiser is up to the compiler */
  pc_geometry_def def = {.kind = kind};
  def.radius = uniform(r, 0.2, 0.6);
  def.length = uniform(r, 0.3, 1.5);
  for (int i = 0; i < 3; i++) def.size[i] = uniform(r, 0.3, 1);
  return make_shape(&def);
}

/* Whether a point of its own frame is in a shape with volume. */
static inline int is_inside(const pc_geometry* g, pc_v3 x)
{
  double r = g->radius, h = g->half[0];
  switch (g->kind) {
    case PC_GEOMETRY_DISC: return hypot(x.x, x.y) <= r;
    case PC_GEOMETRY_STADIUM: return hypot(fmax(fabs(x.x) - h, 0), x.y) <= r;
    case PC_GEOMETRY_SPHERE: return pc_v3_length(x) <= r;
    case PC_GEOMETRY_CAPSULE: return hypot(fmax(fabs(x.z) - h, 0), hypot(x.x, x.y)) <= r;
    case PC_GEOMETRY_CYLINDER: return hypot(x.x, x.y) <= r && fabs(x.z) <= h;
    case PC_GEOMETRY_ELLIPSOID:
      return pow(x.x / g->half[0], 2) + pow(x.y / g->half[1], 2) + pow(x.z / g->half[2], 2) <= 1;
    default:
      for (int f = 0; f < g->polytope->face_count; f++) {
        pc_v3 on = g->polytope->corner[g->polytope->face_corner[g->polytope->face_first[f]]];
        if (pc_v3_dot(pc_v3_minus(x, on), g->polytope->normal[f]) > 0) return 0;
      }
      return 1;
  }
}

#endif
