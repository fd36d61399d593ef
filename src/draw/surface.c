/* The surfaces that contacts are made with: planes and curves, as far as the contact gets along
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene.h"

/* The least and largest coordinates of the contact's point along directions of the second part. */
typedef struct range {
  double low[2], high[2];
} range;

/* A point of the inertial frame in the frame of a part at a frame of the film. */
static void seen_from(const motion* m, int frame, pc_part_id part, const double at[3], double to[3])
{
  double x[3], A[9];
  const double* q = m->q + (size_t)frame * (size_t)pc_system_q_count(m->system);
  pc_part_pose(m->system, part, q, x, A);
  for (int i = 0; i < 3; i++)
    to[i] = A[i] * (at[0] - x[0]) + A[3 + i] * (at[1] - x[1]) + A[6 + i] * (at[2] - x[2]);
}

/* Up to which gap a surface is drawn below a contact. A point of a beam has the beam behind it,
 * which passes through the surface where the point is far away: there nothing is drawn. */
static double largest_gap_drawn(const motion* m, const pc_shape* shape)
{
  const double near = 0.3; /* of the largest gap */
  int contacts = pc_system_contact_count(m->system);
  double largest = 0;
  if (shape->at[0].part.index < 0 || shape->contact < 0 ||
      pc_system_part_info(m->system, shape->at[0].part).within < 0)
    return INFINITY;
  for (int k = 0; k < m->frame_count; k++)
    largest = fmax(largest, m->gap[k * contacts + shape->contact]);
  return m->frame_count > 1 ? near * largest : INFINITY;
}

static range find_range(const motion* m, const pc_shape* shape, const double e[2][3])
{
  range r = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  double most = largest_gap_drawn(m, shape);
  int contacts = pc_system_contact_count(m->system);
  for (int k = 0; k < m->frame_count; k++) {
    double at[3], own[3];
    if (isfinite(most) && m->gap[k * contacts + shape->contact] > most) continue;
    const double* q = m->q + (size_t)k * (size_t)pc_system_q_count(m->system);
    pc_shape_contact_point(m->system, shape, q, at);
    seen_from(m, k, shape->at[1].part, at, own);
    for (int d = 0; d < 2; d++) {
      double along = 0;
      for (int i = 0; i < 3; i++) along += e[d][i] * (own[i] - shape->at[1].at[i]);
      r.low[d] = fmin(r.low[d], along);
      r.high[d] = fmax(r.high[d], along);
    }
  }
  return r;
}

/* Corner a, b of the part of a plane. */
static pc_point on_plane(const pc_shape* shape, const double e[2][3], double a, double b)
{
  pc_point p = shape->at[1];
  for (int i = 0; i < 3; i++) p.at[i] += a * e[0][i] + b * e[1][i];
  return p;
}

/* A line with its material behind it: hatched on the ground, a slab on a body. */
static pc_status add_planar_plane(scene* s, const pc_shape* shape, int colour, range r)
{
  const double e[2][3] = {{shape->axis[1], -shape->axis[0], 0},
                          {-shape->axis[0], -shape->axis[1], 0}};
  int moves = shape->at[1].part.index >= 0;
  double margin = moves ? fmax(0.6 * shape->radius[0], 0.05 * s->size) : 0.12 * s->size;
  double low = r.low[0] - margin, high = r.high[0] + margin, depth = 0.12 * s->size;
  item* surface = add_item(s, moves ? LAYER_BODY : LAYER_GROUND, colour, moves ? 4 : 2);
  if (!surface) return PC_OUT_OF_MEMORY;
  surface->closed = moves;
  surface->point[0] = on_plane(shape, e, low, 0);
  surface->point[1] = on_plane(shape, e, high, 0);
  if (!moves) return PC_OK;
  surface->point[2] = on_plane(shape, e, high, depth);
  surface->point[3] = on_plane(shape, e, low, depth);
  return PC_OK;
}

enum { GRID_LINES = 6 };

/* A square with a grid. */
static pc_status add_spatial_plane(scene* s, const pc_shape* shape, int colour,
                                   const double e[2][3], range r)
{
  double low[2], high[2], margin = 0.25 * s->size;
  for (int d = 0; d < 2; d++) {
    low[d] = r.low[d] - margin;
    high[d] = r.high[d] + margin;
  }
  item* square = add_item(s, LAYER_GROUND, colour, 4);
  if (!square) return PC_OUT_OF_MEMORY;
  square->closed = 1;
  for (int k = 0; k < 4; k++)
    square->point[k] =
        on_plane(shape, e, k == 1 || k == 2 ? high[0] : low[0], k >= 2 ? high[1] : low[1]);
  for (int k = 0; k < 2 * GRID_LINES; k++) {
    item* line = add_item(s, LAYER_GRID, colour, 2);
    if (!line) return PC_OUT_OF_MEMORY;
    double part = (k / 2 + 0.5) / GRID_LINES;
    double a = low[k % 2] + part * (high[k % 2] - low[k % 2]);
    for (int i = 0; i < 2; i++) {
      double b = i ? high[1 - k % 2] : low[1 - k % 2];
      line->point[i] = on_plane(shape, e, k % 2 ? b : a, k % 2 ? a : b);
    }
  }
  return PC_OK;
}

/* Two unit vectors along a plane in space, the first as near to x as it can be. */
static void choose_directions(const double n[3], double e[2][3])
{
  int from = fabs(n[0]) < 0.9 ? 0 : 1;
  double length = 0;
  for (int i = 0; i < 3; i++) e[0][i] = (i == from) - n[from] * n[i];
  for (int i = 0; i < 3; i++) length += e[0][i] * e[0][i];
  for (int i = 0; i < 3; i++) e[0][i] /= sqrt(length);
  for (int i = 0; i < 3; i++)
    e[1][i] = n[(i + 1) % 3] * e[0][(i + 2) % 3] - n[(i + 2) % 3] * e[0][(i + 1) % 3];
}

static int same_plane(const pc_shape* a, const pc_shape* b)
{
  double apart = 0, turned = 0;
  if (a->kind != b->kind || a->at[1].part.index != b->at[1].part.index) return 0;
  for (int i = 0; i < 3; i++) {
    apart += a->axis[i] * (a->at[1].at[i] - b->at[1].at[i]);
    turned += fabs(a->axis[i] - b->axis[i]);
  }
  return fabs(apart) < 1e-12 && turned < 1e-12;
}

/* A plane is drawn once, for the first of the contacts with it, as far as any of them gets. */
static pc_status add_plane(scene* s, const pc_shape* shape, int colour)
{
  const pc_system* system = s->motion->system;
  double e[2][3] = {{shape->axis[1], -shape->axis[0], 0}};
  int spatial = pc_system_dimension(system) == 3, mine = 0;
  if (spatial) choose_directions(shape->axis, e);
  range all = find_range(s->motion, shape, (const double(*)[3])e);
  for (int k = 0; k < pc_system_element_count(system); k++) {
    pc_shape other = s->shape[k];
    if (!same_plane(&other, shape)) continue;
    if (!mine && strcmp(other.name, shape->name) != 0) return PC_OK;
    mine = 1;
    pc_shape moved = other;
    moved.at[1] = shape->at[1];
    range r = find_range(s->motion, &moved, (const double(*)[3])e);
    for (int d = 0; d < 2; d++) {
      all.low[d] = fmin(all.low[d], r.low[d]);
      all.high[d] = fmax(all.high[d], r.high[d]);
    }
  }
  return spatial ? add_spatial_plane(s, shape, colour, (const double(*)[3])e, all)
                 : add_planar_plane(s, shape, colour, all);
}

/* ---- curves ------------------------------------------------------------------------------- */

enum { CURVE_CELLS = 96 };

static double field(const pc_gap_field* f, double x, double y)
{
  double at[2] = {x, y}, gap = 0, gradient[2], hessian[4];
  f->value(f->user, at, &gap, gradient, hessian);
  return gap;
}

/* Where the field is zero on a side of a cell, as a part of the way; -1 if it is not. */
static double crossing(double a, double b)
{
  return (a > 0) != (b > 0) ? a / (a - b) : -1;
}

/* The segment of the curve within a cell, by marching squares: its first two crossings. */
static pc_status add_cell(scene* s, const pc_shape* shape, int colour, const double corner[4][2])
{
  double f[4];
  pc_point end[4];
  int found = 0;
  for (int k = 0; k < 4; k++) f[k] = field(shape->curve, corner[k][0], corner[k][1]);
  for (int k = 0; k < 4; k++) {
    const double *a = corner[k], *b = corner[(k + 1) % 4];
    double part = crossing(f[k], f[(k + 1) % 4]);
    if (!(part >= 0)) continue;
    end[found] = (pc_point){shape->at[1].part, {0}};
    for (int i = 0; i < 2; i++) end[found].at[i] = a[i] + part * (b[i] - a[i]);
    found++;
  }
  for (int k = 0; k + 1 < found; k += 2) {
    item* segment = add_item(s, LAYER_SHEET, colour, 2);
    if (!segment) return PC_OUT_OF_MEMORY;
    segment->point[0] = end[k];
    segment->point[1] = end[k + 1];
  }
  return PC_OK;
}

static pc_status add_curve(scene* s, const pc_shape* shape, int colour)
{
  const double e[2][3] = {{1, 0, 0}, {0, 1, 0}};
  range r = find_range(s->motion, shape, e);
  double low[2], step[2];
  for (int d = 0; d < 2; d++) {
    double margin = 0.15 * s->size;
    low[d] = r.low[d] - margin;
    step[d] = (r.high[d] + margin - low[d]) / CURVE_CELLS;
  }
  for (int k = 0; k < CURVE_CELLS * CURVE_CELLS; k++) {
    double x = low[0] + k / CURVE_CELLS * step[0], y = low[1] + k % CURVE_CELLS * step[1];
    const double corner[4][2] = {
        {x, y}, {x + step[0], y}, {x + step[0], y + step[1]}, {x, y + step[1]}};
    if (add_cell(s, shape, colour, corner) != PC_OK) return PC_OUT_OF_MEMORY;
  }
  return PC_OK;
}

pc_status add_surface(scene* s, const pc_shape* shape, int colour)
{
  if (shape->kind == PC_SHAPE_PLANE) return add_plane(s, shape, colour);
  if (shape->kind == PC_SHAPE_CURVE) return add_curve(s, shape, colour);
  return PC_OK;
}
