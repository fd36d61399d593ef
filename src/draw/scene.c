#include "draw/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/error.h"

enum { POINTS_MAX = 256 }; /* that hang on one body */

item* add_item(scene* s, layer on, int colour, int count)
{
  if (s->count == s->capacity) {
    int capacity = s->capacity ? 2 * s->capacity : 32;
    item* larger = realloc(s->item, (size_t)capacity * sizeof *larger);
    if (!larger) return NULL;
    s->item = larger;
    s->capacity = capacity;
  }
  item* i = &s->item[s->count];
  *i = (item){.layer = on, .colour = colour, .count = count};
  i->point = calloc((size_t)count, sizeof *i->point);
  if (!i->point) return NULL;
  s->count++;
  return i;
}

void release_scene(scene* s)
{
  for (int i = 0; i < s->count; i++) free(s->item[i].point);
  free(s->item);
  free(s->contact);
  release_scene_index(s);
}

/* ---- sizes -------------------------------------------------------------------------------- */

static double longest_bar(const pc_system* system)
{
  double longest = 0;
  const double* q0 = pc_system_q0(system);
  for (int i = 0; i < pc_system_part_count(system); i++) {
    pc_part_info p = pc_system_part_info(system, (pc_part_id){i});
    if (p.kind == PC_PART_BAR)
      longest = fmax(longest, fabs(q0[p.q_first + p.q_count - 1] - q0[p.q_first]));
    if (p.kind == PC_PART_BEAM)
      longest = fmax(longest, hypot(q0[p.q_first + p.q_count - 3] - q0[p.q_first],
                                    q0[p.q_first + p.q_count - 2] - q0[p.q_first + 1]));
  }
  return longest;
}

typedef struct box {
  double low[3], high[3];
} box;

static void widen(box* b, const double at[3])
{
  for (int i = 0; i < 3; i++) {
    b->low[i] = fmin(b->low[i], at[i]);
    b->high[i] = fmax(b->high[i], at[i]);
  }
}

/* Over all frames: the points of a shape but for those of surfaces on the ground, which have no
 * end. */
static void widen_by_shape(const scene* s, const pc_shape* shape, box* b)
{
  int is_surface = shape->kind == PC_SHAPE_PLANE || shape->kind == PC_SHAPE_CURVE;
  for (int k = 0; shape->kind && k < 2 * s->motion->frame_count; k++) {
    double at[3];
    if (k % 2 && is_surface && shape->at[1].part.index < 0) continue;
    frame_position(s->motion, k / 2, &shape->at[k % 2], at);
    widen(b, at);
  }
}

/* The centres of bodies that something hangs on. */
static void widen_by_bodies(const scene* s, box* b)
{
  for (int i = 0; i < pc_system_part_count(s->motion->system); i++) {
    int count;
    shapes_of_part(s, (pc_part_id){i}, &count);
    const pc_point centre = {.part = {i}};
    for (int k = 0; count > 0 && k < s->motion->frame_count; k++) {
      double at[3];
      frame_position(s->motion, k, &centre, at);
      widen(b, at);
    }
  }
}

/* The shapes of bodies, as far as they reach. */
static void widen_by_colliders(const scene* s, box* b)
{
  for (int c = 0; c < pc_system_collider_count(s->motion->system); c++) {
    pc_collider_info on = pc_system_collider(s->motion->system, c);
    double reach = collider_reach(on.geometry);
    for (int k = 0; reach > 0 && k < (on.part.index < 0 ? 1 : s->motion->frame_count); k++) {
      const double* q = s->motion->q + (size_t)k * (size_t)pc_system_q_count(s->motion->system);
      pc_pose pose = pc_collider_pose(s->motion->system, c, q);
      for (int side = -1; side <= 1; side += 2) {
        double at[3];
        for (int i = 0; i < 3; i++) at[i] = pose.x[i] + side * reach;
        widen(b, at);
      }
    }
  }
}

static void widen_by_drawings(const scene* s, box* b)
{
  const motion* m = s->motion;
  for (int k = 0; k < m->frame_count * m->drawn_count; k++) {
    const pc_point point = {.part = drawn_point(m, k % m->drawn_count)};
    double at[3];
    frame_position(m, k / m->drawn_count, &point, at);
    widen(b, at);
  }
}

/* The larger side of the box around everything that is known of the mechanism, over all frames. */
static double measure(scene* s)
{
  const pc_system* system = s->motion->system;
  box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double size = longest_bar(system);
  for (int e = 0; e < pc_system_element_count(system); e++) {
    const pc_shape* shape = &s->shape[e];
    widen_by_shape(s, shape, &b);
    for (int i = 0; shape->kind && i < 2; i++) size = fmax(size, 2 * shape->radius[i]);
    for (int i = 0; shape->kind && i < 3; i++) size = fmax(size, 2 * shape->semi_axes[i]);
  }
  widen_by_bodies(s, &b);
  widen_by_drawings(s, &b);
  widen_by_colliders(s, &b);
  for (int i = 0; i < 3; i++) {
    size = fmax(size, b.high[i] - b.low[i]);
    s->low[i] = isfinite(b.low[i]) ? b.low[i] : -0.5;
    s->high[i] = isfinite(b.high[i]) ? b.high[i] : 0.5;
  }
  return size > 0 && isfinite(size) ? size : 1;
}

/* ---- bodies ------------------------------------------------------------------------------- */

/* A circle or a sphere with a spoke to see it turn, or a rim of a disc in space. */
static pc_status add_round(scene* s, const pc_shape* shape, int end, int colour)
{
  pc_point centre = shape->at[end];
  int open = shape->kind == PC_SHAPE_CIRCLE && shape->inside && end == 1;
  item* disc = add_item(s, open ? LAYER_SHEET : LAYER_BODY, colour, 1);
  if (!disc) return PC_OUT_OF_MEMORY;
  disc->point[0] = centre;
  disc->radius = shape->radius[end];
  if (centre.part.index < 0) return PC_OK;
  item* spoke = add_item(s, LAYER_MARK, colour, 2);
  if (!spoke) return PC_OUT_OF_MEMORY;
  if (pc_system_dimension(s->motion->system) == 3) spoke->where = IN_FILM; /* within the ball */
  spoke->point[0] = spoke->point[1] = centre;
  spoke->point[0].at[0] += (open ? 0.9 : 0) * shape->radius[end];
  spoke->point[1].at[0] += shape->radius[end];
  return PC_OK;
}

enum { RIM_POINTS = 48 };

/* A closed curve c + a cos + b sin in the frame of a part. */
static pc_status add_ellipse(scene* s, layer on, int colour, pc_point c, const double a[3],
                             const double b[3])
{
  item* rim = add_item(s, on, colour, RIM_POINTS);
  if (!rim) return PC_OUT_OF_MEMORY;
  rim->closed = 1;
  for (int k = 0; k < RIM_POINTS; k++) {
    double angle = 2 * 3.14159265358979323846 * k / RIM_POINTS;
    rim->point[k] = c;
    for (int i = 0; i < 3; i++) rim->point[k].at[i] += a[i] * cos(angle) + b[i] * sin(angle);
  }
  return PC_OK;
}

void span(const double n[3], double r, double a[3], double b[3])
{
  int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2)
                                      : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  double e[3] = {0}, length = 0;
  e[least] = 1;
  for (int i = 0; i < 3; i++) a[i] = e[i] - n[least] * n[i];
  for (int i = 0; i < 3; i++) length += a[i] * a[i];
  for (int i = 0; i < 3; i++) a[i] *= r / sqrt(length);
  for (int i = 0; i < 3; i++)
    b[i] = n[(i + 1) % 3] * a[(i + 2) % 3] - n[(i + 2) % 3] * a[(i + 1) % 3];
}

static pc_status add_thin_disc(scene* s, const pc_shape* shape, int colour)
{
  double a[3], b[3];
  span(shape->rim, shape->radius[0], a, b);
  pc_status status = add_ellipse(s, LAYER_BODY, colour, shape->at[0], a, b);
  item* spoke = status == PC_OK ? add_item(s, LAYER_MARK, colour, 2) : NULL;
  if (!spoke) return PC_OUT_OF_MEMORY;
  spoke->point[0] = spoke->point[1] = shape->at[0];
  for (int i = 0; i < 3; i++) spoke->point[1].at[i] += a[i];
  return PC_OK;
}

/* Its three great ellipses. */
static pc_status add_ellipsoid(scene* s, const pc_shape* shape, int colour)
{
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < 3; i++) {
    double a[3] = {0}, b[3] = {0};
    a[(i + 1) % 3] = shape->semi_axes[(i + 1) % 3];
    b[(i + 2) % 3] = shape->semi_axes[(i + 2) % 3];
    status = add_ellipse(s, i == 0 ? LAYER_BODY : LAYER_MARK, colour, shape->at[0], a, b);
    if (status == PC_OK) s->item[s->count - 1].where = IN_FILM;
  }
  item* body = status == PC_OK ? add_item(s, LAYER_BODY, colour, 1) : NULL;
  if (!body) return PC_OUT_OF_MEMORY;
  body->where = IN_PAGE;
  body->solid = SOLID_ELLIPSOID;
  body->point[0] = shape->at[0];
  memcpy(body->size, shape->semi_axes, sizeof body->size);
  return PC_OK;
}

static pc_status add_round_end(scene* s, const pc_shape* shape, int end, int colour)
{
  if (shape->kind == PC_SHAPE_ARC) return PC_OK;
  int has_rim = shape->rim[0] != 0 || shape->rim[1] != 0 || shape->rim[2] != 0;
  if (end == 0 && shape->semi_axes[0] > 0) return add_ellipsoid(s, shape, colour);
  if (shape->radius[end] > 0 && end == 0 && has_rim) return add_thin_disc(s, shape, colour);
  return shape->radius[end] > 0 ? add_round(s, shape, end, colour) : PC_OK;
}

/* Whether an earlier contact has drawn the same round thing already. */
static int is_repeated(const scene* s, const int* ends, int k)
{
  const pc_shape* mine = &s->shape[ends[k] / 2];
  int end = ends[k] % 2;
  for (int i = 0; i < k; i++) {
    const pc_shape* other = &s->shape[ends[i] / 2];
    int its = ends[i] % 2, differs = other->radius[its] != mine->radius[end] ||
                                     (other->inside && its == 1) != (mine->inside && end == 1);
    for (int d = 0; d < 3; d++)
      differs |= other->at[its].at[d] != mine->at[end].at[d] ||
                 (its ? 0 : other->semi_axes[d]) != (end ? 0 : mine->semi_axes[d]) ||
                 (its ? 0 : other->rim[d]) != (end ? 0 : mine->rim[d]);
    if (!differs) return 1;
  }
  return 0;
}

/* What is round about a part; returns 1 if there was something, 0, or -1 without memory. */
static int add_round_things(scene* s, pc_part_id part, int colour)
{
  pc_status status = PC_OK;
  int count, before = s->count;
  const int* ends = shapes_of_part(s, part, &count);
  for (int k = 0; status == PC_OK && k < count; k++)
    if (!is_repeated(s, ends, k))
      status = add_round_end(s, &s->shape[ends[k] / 2], ends[k] % 2, colour);
  return status == PC_OK ? s->count > before : -1;
}

/* A point that hangs on a part, each once. */
static void hang(hanging* h, const double at[3])
{
  for (int k = 0; k < h->count; k++)
    if (hypot(hypot(h->at[k][0] - at[0], h->at[k][1] - at[1]), h->at[k][2] - at[2]) < 1e-12) return;
  if (h->count < POINTS_MAX) memcpy(h->at[h->count++], at, 3 * sizeof *at);
}

static int is_point_contact(const pc_shape* shape)
{
  return (shape->kind == PC_SHAPE_PLANE || shape->kind == PC_SHAPE_CIRCLE ||
          shape->kind == PC_SHAPE_CURVE) &&
         shape->radius[0] == 0 && shape->semi_axes[0] == 0;
}

/* Whether an end of a shape is something round that does not cover the centre of its body: a link
 * leads to it. */
static int is_round_beside(const pc_shape* shape, int end)
{
  const double* at = shape->at[end].at;
  if (shape->kind == PC_SHAPE_ARC) return 1;
  int touches = shape->kind == PC_SHAPE_PLANE || shape->kind == PC_SHAPE_CIRCLE;
  return touches && shape->radius[end] > 0 &&
         hypot(hypot(at[0], at[1]), at[2]) > shape->radius[end];
}

/* Whether a link or an outline leads to the end of a joint or force. */
static int is_joining(const pc_shape* shape, int end)
{
  return shape->kind == PC_SHAPE_PIN || shape->kind == PC_SHAPE_ROD ||
         shape->kind == PC_SHAPE_SPRING || (shape->kind == PC_SHAPE_BLADE && end == 0);
}

/* Points of contact first, then those of joints and forces and of round things. */
static void gather(const scene* s, pc_part_id part, hanging* h)
{
  int count;
  const int* ends = shapes_of_part(s, part, &count);
  for (int contacts = 1; contacts >= 0; contacts--) {
    for (int k = 0; k < count; k++) {
      const pc_shape* shape = &s->shape[ends[k] / 2];
      int end = ends[k] % 2;
      int wanted = contacts ? end == 0 && is_point_contact(shape)
                            : is_joining(shape, end) || is_round_beside(shape, end);
      if (wanted) hang(h, shape->at[end].at);
    }
    if (contacts) h->contacts = h->count;
  }
}

/* Whether a plane or a curve of a contact is fixed to the part. */
static int carries_surface(const scene* s, pc_part_id part)
{
  int count;
  const int* ends = shapes_of_part(s, part, &count);
  for (int k = 0; k < count; k++) {
    pc_shape_kind kind = s->shape[ends[k] / 2].kind;
    if (ends[k] % 2 == 1 && (kind == PC_SHAPE_PLANE || kind == PC_SHAPE_CURVE)) return 1;
  }
  return 0;
}

static pc_status add_body(scene* s, pc_part_id part, int colour)
{
  if (is_drawn(s, part)) return PC_OK;
  int round = add_round_things(s, part, colour);
  if (round < 0) return PC_OUT_OF_MEMORY;
  double at[POINTS_MAX][3];
  hanging h = {at, 0, 0};
  gather(s, part, &h);
  double reach = 0;
  for (int k = 0; k < h.count; k++) reach = fmax(reach, hypot(hypot(at[k][0], at[k][1]), at[k][2]));
  int shaped = s->part_shaped[part.index], covered = shaped;
  for (int k = 0; covered && k < h.count; k++) covered = is_within_collider(s, part, h.at[k]);
  if (covered) return PC_OK; /* it has a shape of its own */
  int drawn = round || shaped || carries_surface(s, part);
  if (drawn && (h.count == 0 || reach < 1e-9 * s->size)) return PC_OK;
  return add_outline(s, part, colour, &h);
}

static pc_status add_bodies(scene* s)
{
  const pc_system* system = s->motion->system;
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < pc_system_part_count(system); i++) {
    pc_part_info p = pc_system_part_info(system, (pc_part_id){i});
    i += p.chain; /* a beam is a line through its nodes */
    int is_body = p.chain == 0 && p.within < 0 &&
                  (p.kind == PC_PART_PLANAR_BODY || p.kind == PC_PART_SPATIAL_BODY ||
                   p.kind == PC_PART_POINT_MASS);
    if (is_body) status = add_body(s, (pc_part_id){i}, s->part_colour[i]);
  }
  return status == PC_OK && add_round_things(s, PC_GROUND, -1) < 0 ? PC_OUT_OF_MEMORY : status;
}

/* ---- joints, forces, contacts ------------------------------------------------------------- */

static pc_status add_mark(scene* s, layer on, const pc_point* point)
{
  item* mark = add_item(s, on, -1, 1);
  if (!mark) return PC_OUT_OF_MEMORY;
  mark->point[0] = *point;
  return PC_OK;
}

static pc_status add_line(scene* s, layer on, const pc_point point[2])
{
  item* line = add_item(s, on, -1, 2);
  if (!line) return PC_OUT_OF_MEMORY;
  memcpy(line->point, point, 2 * sizeof *point);
  return PC_OK;
}

/* The line that at[1] slides along, as far as it gets. */
static pc_status add_guide(scene* s, const pc_shape* shape)
{
  double low = 0, high = 0;
  for (int k = 0; k < s->motion->frame_count; k++) {
    double a[3], b[3], along = 0;
    pc_point end = shape->at[0];
    for (int i = 0; i < 3; i++) end.at[i] += shape->axis[i];
    frame_position(s->motion, k, &shape->at[0], a);
    frame_position(s->motion, k, &end, b);
    double c[3];
    frame_position(s->motion, k, &shape->at[1], c);
    for (int i = 0; i < 3; i++) along += (b[i] - a[i]) * (c[i] - a[i]);
    low = fmin(low, along);
    high = fmax(high, along);
  }
  pc_point ends[2] = {shape->at[0], shape->at[0]};
  for (int i = 0; i < 3; i++) {
    ends[0].at[i] += shape->axis[i] * (low - 0.15 * s->size);
    ends[1].at[i] += shape->axis[i] * (high + 0.15 * s->size);
  }
  return add_line(s, LAYER_GUIDE, ends);
}

static pc_status add_pin(scene* s, const pc_shape* shape)
{
  int grounded = shape->at[0].part.index < 0 || shape->at[1].part.index < 0;
  pc_status status =
      grounded ? add_mark(s, LAYER_SUPPORT, &shape->at[shape->at[0].part.index < 0 ? 0 : 1])
               : PC_OK;
  return status == PC_OK ? add_mark(s, LAYER_PIN, &shape->at[0]) : status;
}

static pc_status add_blade(scene* s, const pc_shape* shape)
{
  pc_point ends[2] = {shape->at[0], shape->at[0]};
  for (int i = 0; i < 3; i++) {
    ends[0].at[i] -= shape->axis[i] * s->size / 20;
    ends[1].at[i] += shape->axis[i] * s->size / 20;
  }
  return add_line(s, LAYER_ROD, ends);
}

static pc_status add_element(scene* s, const pc_shape* shape)
{
  switch (shape->kind) {
    case PC_SHAPE_PIN: return add_pin(s, shape);
    case PC_SHAPE_SLIDE: return add_guide(s, shape);
    case PC_SHAPE_WELD: return add_mark(s, LAYER_WELD, &shape->at[1]);
    case PC_SHAPE_ROD: return add_line(s, LAYER_ROD, shape->at);
    case PC_SHAPE_SPRING: return add_line(s, LAYER_SPRING, shape->at);
    case PC_SHAPE_BLADE: return add_blade(s, shape);
    default: return PC_OK;
  }
}

static pc_status add_contact(scene* s, const pc_shape* shape)
{
  int on = shape->at[1].part.index, colour = on >= 0 ? s->part_colour[on] : -1;
  if (shape->contact >= 0) s->contact[s->contact_count++] = *shape;
  if (shape->kind == PC_SHAPE_ARC) return add_arc(s, shape);
  pc_status status = is_drawn(s, shape->at[1].part) ? PC_OK : add_surface(s, shape, colour);
  return status == PC_OK && is_point_contact(shape) ? add_mark(s, LAYER_TOUCH, &shape->at[0])
                                                    : status;
}

static pc_status add_elements(scene* s)
{
  pc_status status = PC_OK;
  for (int e = 0; status == PC_OK && e < pc_system_element_count(s->motion->system); e++) {
    pc_shape shape = s->shape[e];
    int touches = shape.kind == PC_SHAPE_PLANE || shape.kind == PC_SHAPE_CIRCLE ||
                  shape.kind == PC_SHAPE_CURVE || shape.kind == PC_SHAPE_ARC;
    status = touches ? add_contact(s, &shape) : add_element(s, &shape);
  }
  return status;
}

/* ---- formulas ----------------------------------------------------------------------------- */

/* Without geometry there are still the gaps: a ball above a floor for each contact. */
static pc_status add_gap(scene* s, int k, double spacing)
{
  double x = k * spacing, r = spacing / 8;
  item* ball = add_item(s, LAYER_BODY, k, 1);
  if (!ball) return PC_OUT_OF_MEMORY;
  ball->point[0] = (pc_point){gap_of(k), {x, r, 0}};
  ball->radius = r;
  item* floor = add_item(s, LAYER_GROUND, -1, 2);
  if (!floor) return PC_OUT_OF_MEMORY;
  floor->point[0] = (pc_point){PC_GROUND, {x - 0.36 * spacing, 0, 0}};
  floor->point[1] = (pc_point){PC_GROUND, {x + 0.36 * spacing, 0, 0}};
  s->contact[s->contact_count++] = (pc_shape){.contact = k, .at = {{gap_of(k), {x, 0, 0}}}};
  return PC_OK;
}

static pc_status add_gaps(scene* s, pc_error* error)
{
  const motion* m = s->motion;
  int contacts = pc_system_contact_count(m->system);
  pc_status status = PC_OK;
  if (contacts == 0)
    return set_error(error, PC_BAD_MODEL,
                     "'%s' has neither bodies nor contacts to draw: its model is made of formulas",
                     pc_result_path(m->result));
  double highest = 0;
  for (int i = 0; i < m->frame_count * contacts; i++) highest = fmax(highest, m->gap[i]);
  s->abstract = 1;
  s->size = highest > 0 ? highest : 1;
  for (int k = 0; status == PC_OK && k < contacts; k++) status = add_gap(s, k, 0.8 * s->size);
  return status;
}

/* By layers; within one in the order of bodies, so that a body's area and its marks stay
 * together. */
static pc_status sort_items(scene* s)
{
  item* sorted = malloc(((size_t)s->count + 1) * sizeof *sorted);
  if (!sorted) return PC_OUT_OF_MEMORY;
  int next[LAYER_COUNT + 1] = {0};
  for (int i = 0; i < s->count; i++) next[s->item[i].layer + 1]++;
  for (int i = 0; i < LAYER_COUNT; i++) next[i + 1] += next[i];
  for (int i = 0; i < s->count; i++) sorted[next[s->item[i].layer]++] = s->item[i];
  free(s->item);
  s->item = sorted;
  s->capacity = s->count;
  return PC_OK;
}

static int has_geometry(const pc_system* system)
{
  for (int i = 0; i < pc_system_part_count(system); i++)
    if (pc_system_part_info(system, (pc_part_id){i}).kind != PC_PART_COORDINATES) return 1;
  return 0;
}

pc_status make_scene(const motion* m, scene* s, pc_error* error)
{
  *s = (scene){.motion = m};
  size_t contacts = (size_t)pc_system_contact_count(m->system) + (size_t)m->drawn_count;
  s->contact = calloc(contacts + 1, sizeof *s->contact);
  if (!s->contact) return PC_OUT_OF_MEMORY;
  if (!has_geometry(m->system) && m->drawn_count == 0) return add_gaps(s, error);
  pc_status status = make_scene_index(s);
  if (status != PC_OK) return status;
  s->size = measure(s);
  status = add_elements(s);
  if (status == PC_OK) status = add_bodies(s);
  if (status == PC_OK) status = add_colliders(s);
  if (status == PC_OK) status = add_drawings(s);
  return status == PC_OK ? sort_items(s) : status;
}
