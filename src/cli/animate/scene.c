#include "cli/animate/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/animate/builder.h"
#include "cli/animate/outline.h"
#include "cli/cli.h"

enum { CIRCLE_POINTS = 32, NODES_MAX = 200 };

static const double pi = 3.14159265358979323846;

/* ---- the picture ------------------------------------------------------------------------- */

/* A point of space on the picture. In space: seen from the front, the left and above, without
 * perspective. */
void project(const scene* s, const double at[3], double to[2])
{
  to[0] = s->spatial ? 0.866 * (at[0] + at[1]) * 0.8 : at[0];
  to[1] = s->spatial ? at[2] + 0.4 * (at[1] - at[0]) : at[1];
}

shape* add_shape(builder* b, shape_kind kind, int colour, int points, int closed)
{
  scene* s = b->s;
  if (s->shape_count == s->shape_capacity) {
    int capacity = s->shape_capacity ? 2 * s->shape_capacity : 32;
    shape* more = realloc(s->shape, (size_t)capacity * sizeof *more);
    if (!more) return b->failed = 1, NULL;
    s->shape = more;
    s->shape_capacity = capacity;
  }
  size_t numbers = 2 * (size_t)points * (size_t)s->frames.count;
  double* point = calloc(numbers + 1, sizeof *point);
  if (!point) return b->failed = 1, NULL;
  s->shape[s->shape_count] = (shape){kind, colour, closed, points, point};
  return &s->shape[s->shape_count++];
}

double* point_of(const shape* x, int frame, int i)
{
  return x->point + 2 * ((size_t)frame * (size_t)x->point_count + (size_t)i);
}

/* A point of a part, in all frames. */
static void set_point(builder* b, shape* x, int i, const pose* p, const double at[3])
{
  for (int f = 0; x && f < b->s->frames.count; f++) {
    double place[3];
    place_point(p, f, at, place);
    project(b->s, place, point_of(x, f, i));
  }
}

/* ---- parts ------------------------------------------------------------------------------- */

const pose* find_pose(const builder* b, const char* part)
{
  for (int i = 0; part && i < b->pose_count; i++)
    if (!strcmp(b->pose[i].name, part)) return &b->pose[i];
  return NULL;
}

static int number_of(const builder* b, const pose* p)
{
  return p ? (int)(p - b->pose) : -1;
}

static int add_pose(builder* b, const char* part)
{
  if (find_pose(b, part)) return 1;
  if (b->pose_count == b->pose_capacity) {
    int capacity = b->pose_capacity ? 2 * b->pose_capacity : 16;
    pose* more = realloc(b->pose, (size_t)capacity * sizeof *more);
    if (!more) return b->failed = 1, 0;
    b->pose = more;
    b->pose_capacity = capacity;
  }
  int found = read_pose(&b->s->frames, part, &b->pose[b->pose_count]);
  if (found < 0) b->failed = 1;
  b->pose_count += found > 0;
  return found > 0;
}

/* "crank" of "crank.x", unless it is a node inside a bar or a beam; 0 else. */
static int body_of(const builder* b, const char* quantity, char* part, size_t size)
{
  size_t length = strlen(quantity);
  if (length < 3 || strcmp(quantity + length - 2, ".x") != 0) return 0;
  snprintf(part, size, "%.*s", (int)(length - 2), quantity);
  char* dot = strrchr(part, '.');
  if (!dot) return 1;
  char tip[192];
  snprintf(tip, sizeof tip, "%.*s.tip.x", (int)(dot - part), part);
  int chain = pc_system_find_quantity(b->system, tip) >= 0;
  return !chain || !strcmp(dot, ".root") || !strcmp(dot, ".tip");
}

static void find_parts(builder* b)
{
  char part[128];
  for (int i = 0; i < pc_system_quantity_count(b->system); i++)
    if (body_of(b, pc_system_quantity(b->system, i).name, part, sizeof part)) add_pose(b, part);
}

/* The extent of what moves, for sizes that are not given. */
static void measure(builder* b)
{
  scene* s = b->s;
  for (int k = 0; k < 2; k++) s->low[k] = INFINITY, s->high[k] = -INFINITY;
  for (int i = 0; i < s->shape_count; i++) {
    const shape* x = &s->shape[i];
    for (size_t n = 0; n < (size_t)x->point_count * (size_t)s->frames.count; n++)
      for (int k = 0; k < 2; k++) {
        s->low[k] = fmin(s->low[k], x->point[2 * n + (size_t)k]);
        s->high[k] = fmax(s->high[k], x->point[2 * n + (size_t)k]);
      }
  }
  b->size = fmax(s->high[0] - s->low[0], s->high[1] - s->low[1]);
  if (!(b->size > 0)) b->size = 1;
}

/* ---- bodies ------------------------------------------------------------------------------ */

/* The points that a body is known by, in its frame. Contact points are mirrored at the centre of
 * mass: a block that stands on two corners has four. */
static int collect_points(const builder* b, const pose* p, double (*point)[3])
{
  pc_feature f;
  int count = 0;
  for (int i = 0; pc_system_feature(b->system, i, &f) && count + 2 <= OUTLINE_MAX; i++) {
    if (find_pose(b, f.part) != p) continue;
    int touches = f.kind == PC_FEATURE_POINT, held = f.kind == PC_FEATURE_JOINT;
    int ends = f.kind == PC_FEATURE_ROD || f.kind == PC_FEATURE_SPRING;
    if (touches || held || ends) memcpy(point[count++], f.at, sizeof f.at);
    for (int k = 0; touches && k < 3; k++) point[count][k] = -f.at[k];
    count += touches;
  }
  return count;
}

/* In the plane: the convex hull of what is known, a bar if that is a line. */
static void add_flat_body(builder* b, const pose* p, double (*point)[3], int count)
{
  memset(point[count++], 0, sizeof *point); /* the centre of mass */
  int hull = convex_hull(point, count);
  if (hull < 2) return;
  shape* x = add_shape(b, hull > 2 ? SHAPE_BODY : SHAPE_LINK, number_of(b, p), hull, hull > 2);
  for (int i = 0; i < hull; i++) set_point(b, x, i, p, point[i]);
}

/* In space: bars from the centre of mass to each point. */
static void add_spatial_body(builder* b, const pose* p, double (*point)[3], int count)
{
  const double centre[3] = {0, 0, 0};
  for (int i = 0; i < count; i++) {
    if (point[i][0] == 0 && point[i][1] == 0 && point[i][2] == 0) continue;
    shape* x = add_shape(b, SHAPE_LINK, number_of(b, p), 2, 0);
    set_point(b, x, 0, p, centre);
    set_point(b, x, 1, p, point[i]);
  }
}

static void add_bodies(builder* b)
{
  const double centre[3] = {0, 0, 0};
  for (int i = 0; i < b->pose_count; i++) {
    double point[OUTLINE_MAX + 2][3];
    int count = collect_points(b, &b->pose[i], point);
    if (count && b->s->spatial)
      add_spatial_body(b, &b->pose[i], point, count);
    else if (count)
      add_flat_body(b, &b->pose[i], point, count);
    set_point(b, add_shape(b, SHAPE_MASS, i, 1, 0), 0, &b->pose[i], centre);
  }
}

/* Bars and beams: a line through their nodes. */
static void add_chain(builder* b, const char* tip)
{
  char name[256], part[NODES_MAX + 1][160];
  size_t length = strlen(tip) - strlen(".tip");
  int count = 0;
  snprintf(part[count++], sizeof *part, "%.*s.root", (int)length, tip);
  for (int n = 1; count < NODES_MAX; n++) {
    snprintf(name, sizeof name, "%.*s.%d.x", (int)length, tip, n);
    if (pc_result_find(b->s->frames.result, name) < 0) break;
    snprintf(part[count++], sizeof *part, "%.*s.%d", (int)length, tip, n);
  }
  snprintf(part[count++], sizeof *part, "%s", tip);
  shape* x = add_shape(b, SHAPE_LINK, number_of(b, find_pose(b, tip)), count, 0);
  for (int i = 0; x && i < count; i++) {
    pose node;
    const double centre[3] = {0, 0, 0};
    if (read_pose(&b->s->frames, part[i], &node) <= 0) continue;
    set_point(b, x, i, &node, centre);
    free_pose(&node);
  }
}

static void add_chains(builder* b)
{
  for (int i = 0; i < b->pose_count; i++) {
    const char* dot = strrchr(b->pose[i].name, '.');
    if (dot && !strcmp(dot, ".tip")) add_chain(b, b->pose[i].name);
  }
}

/* ---- discs and balls --------------------------------------------------------------------- */

/* A circle about `at` in the plane of two axes of the part's frame. */
static void add_circle(builder* b, const pose* p, const double at[3], const double e[2][3],
                       const double radius[2], shape_kind kind)
{
  shape* x = add_shape(b, kind, number_of(b, p), CIRCLE_POINTS, 1);
  for (int i = 0; i < CIRCLE_POINTS; i++) {
    double angle = 2 * pi * i / CIRCLE_POINTS, point[3];
    for (int k = 0; k < 3; k++)
      point[k] = at[k] + radius[0] * cos(angle) * e[0][k] + radius[1] * sin(angle) * e[1][k];
    set_point(b, x, i, p, point);
  }
}

static void add_spoke(builder* b, const pose* p, const double at[3], const double e[3],
                      double radius)
{
  const double end[3] = {at[0] + radius * e[0], at[1] + radius * e[1], at[2] + radius * e[2]};
  shape* x = add_shape(b, SHAPE_LINE, number_of(b, p), 2, 0);
  set_point(b, x, 0, p, at);
  set_point(b, x, 1, p, end);
}

/* Two unit vectors across a third. */
static void across(const double n[3], double e[2][3])
{
  double spare[3] = {fabs(n[0]) < 0.8, fabs(n[0]) >= 0.8, 0}, length = 0, along = 0;
  for (int k = 0; k < 3; k++) along += spare[k] * n[k];
  for (int k = 0; k < 3; k++) length += (spare[k] - along * n[k]) * (spare[k] - along * n[k]);
  for (int k = 0; k < 3; k++) e[0][k] = (spare[k] - along * n[k]) / sqrt(length);
  for (int k = 0; k < 3; k++)
    e[1][k] = n[(k + 1) % 3] * e[0][(k + 2) % 3] - n[(k + 2) % 3] * e[0][(k + 1) % 3];
}

static const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void add_ellipses(builder* b, const pose* p, const pc_feature* f, const double size[3])
{
  for (int k = 0; k < 3; k++) {
    const double e[2][3] = {{own[k][0], own[k][1], own[k][2]},
                            {own[(k + 1) % 3][0], own[(k + 1) % 3][1], own[(k + 1) % 3][2]}};
    const double radius[2] = {size[k], size[(k + 1) % 3]};
    add_circle(b, p, f->at, e, radius, SHAPE_LINE);
  }
}

static void add_round(builder* b, const pc_feature* f)
{
  const pose* p = find_pose(b, f->part);
  const double r[2] = {f->size[0], f->size[0]}, sphere[3] = {r[0], r[0], r[0]};
  double e[2][3] = {{1, 0, 0}, {0, 1, 0}};
  if (f->kind == PC_FEATURE_ELLIPSOID) add_ellipses(b, p, f, f->size);
  if (f->kind == PC_FEATURE_SPHERE && b->s->spatial) add_ellipses(b, p, f, sphere);
  if (f->kind == PC_FEATURE_DISC) across(f->direction, e);
  if (f->kind == PC_FEATURE_DISC || (f->kind == PC_FEATURE_SPHERE && !b->s->spatial)) {
    add_circle(b, p, f->at, (const double(*)[3])e, r, SHAPE_BODY);
    add_spoke(b, p, f->at, e[0], r[0]);
  }
}

/* ---- joints, rods, walls ----------------------------------------------------------------- */

static void add_rod(builder* b, const pc_feature* one, const pc_feature* other)
{
  shape* x = add_shape(b, SHAPE_LINE, -1, 2, 0);
  set_point(b, x, 0, find_pose(b, one->part), one->at);
  set_point(b, x, 1, find_pose(b, other->part), other->at);
}

static void add_features(builder* b)
{
  pc_feature f, next;
  for (int i = 0; pc_system_feature(b->system, i, &f); i++) {
    if (f.part && !find_pose(b, f.part)) continue;
    add_round(b, &f);
    int ends = f.kind == PC_FEATURE_ROD || f.kind == PC_FEATURE_SPRING;
    if (ends && pc_system_feature(b->system, i + 1, &next) && next.kind == f.kind) {
      add_rod(b, &f, &next);
      i++;
    }
  }
}

static void add_joints(builder* b)
{
  pc_feature f;
  for (int i = 0; pc_system_feature(b->system, i, &f); i++)
    if (f.kind == PC_FEATURE_JOINT && (!f.part || find_pose(b, f.part)))
      set_point(b, add_shape(b, SHAPE_JOINT, number_of(b, find_pose(b, f.part)), 1, 0), 0,
                find_pose(b, f.part), f.at);
}

/* A wall in the plane: a strip of the picture's width behind the free side; on a body a short
 * one. */
static void add_flat_wall(builder* b, const pc_feature* f)
{
  const pose* p = find_pose(b, f->part);
  double half = f->part ? 0.12 * b->size : 3 * b->size, depth = 0.03 * b->size;
  const double t[2] = {-f->direction[1], f->direction[0]};
  shape* x = add_shape(b, SHAPE_WALL, number_of(b, p), 4, 1);
  static const double corner[4][2] = {{-1, 0}, {1, 0}, {1, 1}, {-1, 1}};
  for (int i = 0; i < 4; i++) {
    double point[3] = {0, 0, 0};
    for (int k = 0; k < 2; k++)
      point[k] = f->at[k] + corner[i][0] * half * t[k] - corner[i][1] * depth * f->direction[k];
    set_point(b, x, i, p, point);
  }
}

/* In space: a square. */
static void add_spatial_wall(builder* b, const pc_feature* f)
{
  const pose* p = find_pose(b, f->part);
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  double e[2][3], half = (f->part ? 0.15 : 0.75) * b->size;
  across(f->direction, e);
  shape* x = add_shape(b, SHAPE_WALL, number_of(b, p), 4, 1);
  for (int i = 0; i < 4; i++) {
    double point[3];
    for (int k = 0; k < 3; k++)
      point[k] = f->at[k] + half * (corner[i][0] * e[0][k] + corner[i][1] * e[1][k]);
    set_point(b, x, i, p, point);
  }
}

/* Several contacts may share a wall. */
static int is_new_wall(const builder* b, int index, const pc_feature* f)
{
  pc_feature g;
  for (int i = 0; i < index && pc_system_feature(b->system, i, &g); i++)
    if (g.kind == PC_FEATURE_PLANE && g.part == f->part && !memcmp(g.at, f->at, sizeof g.at) &&
        !memcmp(g.direction, f->direction, sizeof g.direction))
      return 0;
  return 1;
}

static void add_walls(builder* b)
{
  pc_feature f;
  for (int i = 0; pc_system_feature(b->system, i, &f); i++) {
    if (f.kind != PC_FEATURE_PLANE || !is_new_wall(b, i, &f)) continue;
    if (f.part && !find_pose(b, f.part)) continue;
    if (b->s->spatial)
      add_spatial_wall(b, &f);
    else
      add_flat_wall(b, &f);
  }
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Walls go first, behind all, but their size follows from the others. */
static void put_first(scene* s, int count)
{
  int others = s->shape_count - count;
  shape* all = calloc((size_t)s->shape_count + 1, sizeof *all);
  if (!all) return;
  memcpy(all, s->shape + others, (size_t)count * sizeof *all);
  memcpy(all + count, s->shape, (size_t)others * sizeof *all);
  memcpy(s->shape, all, (size_t)s->shape_count * sizeof *all);
  free(all);
}

int build_scene(scene* s, const pc_model* model)
{
  builder b = {.s = s, .system = pc_model_system(model)};
  s->title = pc_model_title(model);
  s->spatial = pc_system_dimension(b.system) == 3;
  find_parts(&b);
  if (b.pose_count == 0 && !b.failed)
    return complain(EXIT_MODEL,
                    "the model has no bodies to draw, only formulas; 'percuss plot' draws "
                    "their motion over time");
  add_bodies(&b);
  add_chains(&b);
  add_features(&b);
  measure(&b);
  int before = s->shape_count;
  add_walls(&b);
  put_first(s, s->shape_count - before);
  add_joints(&b);
  add_arrows(&b);
  for (int i = 0; i < b.pose_count; i++) free_pose(&b.pose[i]);
  free(b.pose);
  return b.failed ? complain(EXIT_FAILED, "no memory") : EXIT_DONE;
}

void free_scene(scene* s)
{
  for (int i = 0; i < s->shape_count; i++) free(s->shape[i].point);
  free(s->shape);
  free_frames(&s->frames);
}
