/* Two shapes side by side, and an independent judgement of the contact found between them.
 *
 * For a unit vector n let S(n) be the separation along it: the lowest point of shape 0 minus the
 * highest of shape 1. The signed distance of convex shapes is the maximum of S. So a contact is
 * right if S at its normal is its gap, and no other direction has more; and if the shapes are
 * apart, it is enough that its two points belong to the shapes. Support functions are written here
 * from the definitions of the shapes. */
#ifndef PC_TESTS_COLLIDE_PAIRS_H
#define PC_TESTS_COLLIDE_PAIRS_H

#include "collide/narrow_phase.h"
#include "collide/shapes.h"

typedef struct two {
  pc_collider collider[2];
  pc_pose body[2];
} two;

/* max of n . x over a shape in its own frame. */
static inline double own_support(const pc_geometry* g, pc_v3 n)
{
  double most = -INFINITY;
  if (g->kind == PC_GEOMETRY_ELLIPSOID)
    return sqrt(pow(g->half[0] * n.x, 2) + pow(g->half[1] * n.y, 2) + pow(g->half[2] * n.z, 2));
  if (g->kind == PC_GEOMETRY_CYLINDER) return g->radius * hypot(n.x, n.y) + g->half[0] * fabs(n.z);
  for (int i = 0; i < g->polytope->corner_count; i++)
    most = fmax(most, pc_v3_dot(n, g->polytope->corner[i]));
  return most + g->radius;
}

static inline pc_pose shape_pose(const two* t, int i)
{
  return pc_pose_product(&t->body[i], &t->collider[i].pose);
}

static inline double support(const two* t, int i, pc_v3 n)
{
  pc_pose pose = shape_pose(t, i);
  return own_support(t->collider[i].geometry, pc_pose_turn_back(&pose, n)) +
         pc_v3_dot(n, pc_v3_of(pose.x));
}

/* S(n), n from shape 1 to shape 0. */
static inline double separation(const two* t, pc_v3 n)
{
  return -support(t, 0, pc_v3_scaled(-1, n)) - support(t, 1, n);
}

static inline two random_two(random_source* r, const pc_geometry* a, const pc_geometry* b,
                             double spread)
{
  two t = {.collider = {{.geometry = a, .body = 0}, {.geometry = b, .body = 1}}};
  for (int i = 0; i < 2; i++) {
    t.body[i] = random_pose(r, a->dimension, i ? 0 : spread);
    t.collider[i].pose = random_pose(r, a->dimension, 0.3);
    /* the shapes, not the bodies, are where the random numbers say */
    pc_v3 back = pc_pose_turn(&t.body[i], pc_v3_of(t.collider[i].pose.x));
    pc_v3_put(pc_v3_minus(pc_v3_of(t.body[i].x), back), t.body[i].x);
    if (a->dimension == 2) t.body[i].x[2] = t.collider[i].pose.x[2] = 0;
  }
  return t;
}

typedef struct finder {
  pc_narrow_phase* work;
  pc_found_list list;
} finder;

static inline finder finder_create(void)
{
  finder f = {.work = pc_narrow_phase_create()};
  assert_non_null(f.work);
  return f;
}

static inline void finder_destroy(finder* f)
{
  pc_narrow_phase_destroy(f->work);
  free(f->list.item);
}

static inline int find(finder* f, const two* t, double margin)
{
  pc_error error;
  f->list.count = 0;
  const pc_collider* const collider[2] = {&t->collider[0], &t->collider[1]};
  CHECK_OK(pc_narrow_phase_find(f->work, collider, t->body, margin, &f->list, &error), error);
  return f->list.count;
}

/* How far a point of the inertial frame is outside of a convex shape, by its support function;
 * random directions about some. */
static inline double outside(const two* t, int i, pc_v3 x, pc_v3 about, random_source* r)
{
  double most = pc_v3_dot(about, x) - support(t, i, about);
  for (int k = 0; k < 50; k++) {
    pc_v3 n = random_unit(r, t->collider[i].geometry->dimension);
    if (k % 2) n = pc_v3_unit(pc_v3_along(about, pow(10, -k % 7), n), about);
    most = fmax(most, pc_v3_dot(n, x) - support(t, i, n));
  }
  return most;
}

#endif
