/* The geometry of a frozen system, asked for by those who draw it. */
#include "percuss/shape.h"
#include "base/length.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/rotation.h"
#include "base/status.h"
#include "system/system.h"

pc_part_info pc_system_part_info(const pc_system* s, pc_part_id id)
{
  if ((unsigned)id.index >= (unsigned)pc_system_part_count(s)) return (pc_part_info){0};
  const pc_part* p = &s->part[id.index];
  return (pc_part_info){
      p->name,   (pc_part_kind)p->kind, p->q_first, p->q_count, p->within, p->chain, p->u_first,
      p->u_count};
}

pc_status pc_system_find_part(const pc_system* s, const char* name, pc_part_id* part,
                              pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(name, "name", error));
  PC_TRY(pc_need(part, "part", error));
  *part = PC_GROUND;
  if (!strcmp(name, "ground")) return PC_OK;
  for (int i = 0; i < s->part_count; i++)
    if (!strcmp(s->part[i].name, name)) {
      part->index = i;
      return PC_OK;
    }
  return pc_fail(error, PC_BAD_ARGUMENT, "there is no part '%.60s'", name);
}

/* ---- poses -------------------------------------------------------------------------------- */

void pc_part_pose(const pc_system* s, pc_part_id id, const double* q, double x[3], double A[9])
{
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (!x || !A) return;
  memcpy(A, one, sizeof one);
  for (int i = 0; i < 3; i++) x[i] = 0;
  if (!q || (unsigned)id.index >= (unsigned)pc_system_part_count(s)) return;
  const pc_part* p = &s->part[id.index];
  q += p->q_first;
  if (p->kind == PC_PART_COORDINATES) return;
  int placed = p->kind == PC_PART_BAR ? 1 : s->dimension;
  for (int i = 0; i < placed; i++) x[i] = q[i];
  if (p->kind == PC_PART_SPATIAL_BODY) pc_rotation_matrix(q + 3, A);
  if (p->kind != PC_PART_PLANAR_BODY) return;
  A[0] = A[4] = pc_cos(q[2]);
  A[3] = pc_sin(q[2]);
  A[1] = -A[3];
}

void pc_point_position(const pc_system* s, const pc_point* point, const double* q, double at[3])
{
  if (!s || !point || !q || !at) return;
  double x[3], A[9];
  pc_part_pose(s, point->part, q, x, A);
  pc_rotation_apply(A, point->at, at);
  for (int i = 0; i < 3; i++) at[i] += x[i];
}

/* A direction of a part in the inertial frame. */
static void turn(const pc_system* s, pc_part_id part, const double* q, const double v[3],
                 double to[3])
{
  double x[3], A[9];
  pc_part_pose(s, part, q, x, A);
  pc_rotation_apply(A, v, to);
}

/* ---- shapes ------------------------------------------------------------------------------- */

pc_shape pc_system_shape(const pc_system* s, int element)
{
  if ((unsigned)element >= (unsigned)pc_system_element_count(s)) return (pc_shape){.contact = -1};
  pc_element found;
  const pc_element* e = pc_system_element_at(s, element, &found);
  pc_shape shape = {.contact = -1};
  if (e->ops->shape) e->ops->shape(e->data, &shape);
  shape.name = e->name;
  if (e->contact_count) shape.contact = e->contact_first;
  for (int i = 0, next = 0; i < 2; i++)
    if (shape.kind && shape.at[i].part.index >= 0) shape.at[i].part.index = e->part[next++];
  return shape;
}

/* From the centre of a round thing to its point nearest to a plane with the normal n. */
static void reach_down(const pc_system* s, const pc_shape* shape, const double* q,
                       const double n[3], double reach[3])
{
  double x[3], A[9], own[3], length = 0;
  pc_part_pose(s, shape->at[0].part, q, x, A);
  pc_rotation_apply_inverse(A, n, own);
  double along = 0, rim = 0, support = 0;
  for (int i = 0; i < 3; i++) {
    along += own[i] * shape->rim[i];
    rim += shape->rim[i] * shape->rim[i];
    support += shape->semi_axes[i] * shape->semi_axes[i] * own[i] * own[i];
  }
  double down[3];
  for (int i = 0; i < 3; i++) {
    down[i] = own[i] - (rim > 0 ? along * shape->rim[i] : 0);
    length += down[i] * down[i];
  }
  for (int i = 0; i < 3; i++)
    down[i] = support > 0  ? -shape->semi_axes[i] * shape->semi_axes[i] * own[i] / sqrt(support)
              : length > 0 ? -shape->radius[0] * down[i] / sqrt(length)
                           : 0;
  pc_rotation_apply(A, down, reach);
}

/* The unit normal, from the second thing to the first. */
static void normal_of(const pc_system* s, const pc_shape* shape, const double* q, const double c[3],
                      double n[3])
{
  if (shape->kind == PC_SHAPE_PLANE) {
    turn(s, shape->at[1].part, q, shape->axis, n);
    return;
  }
  double other[3];
  pc_point_position(s, &shape->at[1], q, other);
  double length = pc_distance(3, other, c);
  double sign = shape->inside ? -1 : 1;
  for (int i = 0; i < 3; i++) n[i] = length > 0 ? sign * (c[i] - other[i]) / length : 0;
}

/* How far a point is from the surface of an arc's contact, in the frame of its part: less than zero
 * inside. */
static double height_above(const pc_shape* s, const double x[3])
{
  double d[3], along = 0, across = 0, third = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    d[i] = x[i] - s->at[1].at[i];
    along += d[i] * s->axis[i];
    across += d[i] * s->across[i];
    square += d[i] * d[i];
  }
  double from_axis = sqrt(fmax(0, square - along * along));
  if (s->surface == PC_SURFACE_CYLINDER) return from_axis - s->radius[1];
  if (s->surface == PC_SURFACE_BORE) return s->radius[1] - from_axis;
  if (s->surface == PC_SURFACE_WEDGE) return fmax(along, across);
  third = sqrt(fmax(0, square - along * along - across * across));
  const double beyond[] = {along, fmax(0, fabs(across) - s->size[0] / 2),
                           fmax(0, third - s->size[1] / 2)};
  return pc_length(3, beyond);
}

/* A point of an arc, in the frame of its part. */
static void on_arc(const pc_shape* s, double angle, double at[3])
{
  const double *e = s->start, *a = s->rim;
  for (int i = 0; i < 3; i++) {
    double f = a[(i + 1) % 3] * e[(i + 2) % 3] - a[(i + 2) % 3] * e[(i + 1) % 3];
    at[i] = s->at[0].at[i] + s->radius[0] * (pc_cos(angle) * e[i] + pc_sin(angle) * f);
  }
}

/* Where an arc is nearest to its surface: the least of many points, which is enough to draw it. The
 * other contact of a circle is on its other side. */
static void find_arc_point(const pc_system* s, const pc_shape* shape, const double* q, double at[3])
{
  enum { POINTS = 180 };
  const double whole = 2 * 3.14159265358979323846;
  double angle = fmin(shape->angle, whole), nearest = 0, x[3], A[9], own[3];
  pc_part_pose(s, shape->at[1].part, q, x, A);
  for (int pass = 0; pass <= shape->other; pass++) {
    double least = INFINITY, first = nearest;
    for (int k = 0; k <= POINTS; k++) {
      double f = angle * k / POINTS;
      if (pass && pc_cos(f - first) > 0) continue;
      pc_point point = shape->at[0];
      on_arc(shape, f, point.at);
      pc_point_position(s, &point, q, at);
      for (int i = 0; i < 3; i++) at[i] -= x[i];
      pc_rotation_apply_inverse(A, at, own);
      double height = height_above(shape, own);
      if (height < least) nearest = f;
      least = fmin(least, height);
    }
  }
  pc_point point = shape->at[0];
  on_arc(shape, nearest, point.at);
  pc_point_position(s, &point, q, at);
}

void pc_shape_contact_point(const pc_system* s, const pc_shape* shape, const double* q,
                            double at[3])
{
  if (!s || !shape || !q || !at) return;
  double n[3], reach[3] = {0};
  if (shape->kind == PC_SHAPE_ARC) {
    find_arc_point(s, shape, q, at);
    return;
  }
  pc_point_position(s, &shape->at[0], q, at);
  if (shape->kind != PC_SHAPE_PLANE && shape->kind != PC_SHAPE_CIRCLE) return;
  normal_of(s, shape, q, at, n);
  if (shape->kind == PC_SHAPE_PLANE) reach_down(s, shape, q, n, reach);
  for (int i = 0; i < 3; i++)
    at[i] += shape->kind == PC_SHAPE_PLANE ? reach[i] : -shape->radius[0] * n[i];
}

/* ---- percussions -------------------------------------------------------------------------- */

/* The element's rows over its velocities at q, or NULL without memory. To be freed. */
static double* evaluate_rows(const pc_element* e, double t, const double* q)
{
  size_t rows = (size_t)e->row_count, n_q = (size_t)e->q_count, n_u = (size_t)e->u_count;
  double* W = pc_alloc(rows * n_u + rows + n_q + n_u, sizeof *W);
  if (!W) return NULL;
  double *chi = W + rows * n_u, *own = chi + rows, *u = own + n_q, *next = own;
  for (int b = 0; b < e->block_count; b++) {
    memcpy(next, q + e->q_block[b].first, (size_t)e->q_block[b].width * sizeof *q);
    next += e->q_block[b].width;
  }
  pc_local l = {.t = t, .q = own, .u = u, .W = W, .chi = chi};
  e->ops->evaluate(e->data, &l);
  return W;
}

pc_status pc_shape_percussion(const pc_system* s, const pc_shape* shape, double t, const double* q,
                              const double* P, double percussion[3], pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(shape, "shape", error));
  PC_TRY(pc_need(q, "q", error));
  PC_TRY(pc_need(P, "P", error));
  PC_TRY(pc_need(percussion, "percussion", error));
  const pc_contact c = pc_system_contact_at(s, shape->contact);
  pc_element found;
  const pc_element* e = pc_system_element_at(s, c.element, &found);
  double* W = evaluate_rows(e, t, q);
  if (!W) return pc_no_memory(error);
  /* The first part's velocities come first; where it is the ground, those of the second do. */
  double sign = shape->at[0].part.index >= 0 ? 1 : -1;
  for (int i = 0; i < 3; i++) {
    percussion[i] = 0;
    for (int r = 0; i < s->dimension && r <= c.dimension; r++)
      percussion[i] += sign * P[r] * W[(e->g_count + e->gamma_count + r) * e->u_count + i];
  }
  free(W);
  return PC_OK;
}
