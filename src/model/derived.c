/* Quantities of points and joints, from the motion of their bodies. */
#include <stdio.h>
#include <string.h>

#include "model/variables.h"

static int is_text(const char* text, const char* name, size_t length)
{
  return strlen(text) == length && strncmp(text, name, length) == 0;
}

/* --- points --------------------------------------------------------------------------------- */

static const char* const point_tails[2][3] = {{"x", "y", "z"}, {"vx", "vy", "vz"}};

static int find_of_point(pc_variables* v, pc_pool* pool, const pc_point_entry* point,
                         const char* tail, size_t length, pc_derived* found)
{
  for (int velocity = 0; velocity < 2; velocity++)
    for (int i = 0; i < v->r->dimension; i++) {
      if (!is_text(point_tails[velocity][i], tail, length)) continue;
      pc_expr_frame frame;
      if (!pc_variables_frame(v, pool, point->point.part, &frame)) return 0;
      pc_expr_point p = pc_expr_point_of(pool, &frame, point->point.at);
      *found = (pc_derived){.unit = velocity ? "m/s" : "m",
                            .expr = velocity ? p.velocity[i] : p.position[i]};
      return 1;
    }
  return 0;
}

/* --- joints --------------------------------------------------------------------------------- */

typedef enum measure { ANGLE, RATE, DISPLACEMENT, SPEED, CROSS_ANGLE, CROSS_RATE } measure;

typedef struct coordinate {
  const char* joint; /* kind of the joint */
  const char* tail;
  measure measure;
  int axis;
} coordinate;

static const coordinate coordinates[] = {
    {"revolute", "angle", ANGLE, 0},
    {"revolute", "rate", RATE, 0},
    {"prismatic", "displacement", DISPLACEMENT, 0},
    {"prismatic", "speed", SPEED, 0},
    {"cylindrical", "angle", ANGLE, 0},
    {"cylindrical", "rate", RATE, 0},
    {"cylindrical", "displacement", DISPLACEMENT, 0},
    {"cylindrical", "speed", SPEED, 0},
    {"screw", "angle", ANGLE, 0},
    {"screw", "rate", RATE, 0},
    {"screw", "displacement", DISPLACEMENT, 0},
    {"screw", "speed", SPEED, 0},
    {"planar", "angle", ANGLE, 0},
    {"planar", "rate", RATE, 0},
    {"planar", "displacement.1", DISPLACEMENT, 1},
    {"planar", "displacement.2", DISPLACEMENT, 2},
    {"planar", "speed.1", SPEED, 1},
    {"planar", "speed.2", SPEED, 2},
    {"universal", "angle.1", CROSS_ANGLE, 0},
    {"universal", "angle.2", CROSS_ANGLE, 1},
    {"universal", "rate.1", CROSS_RATE, 0},
    {"universal", "rate.2", CROSS_RATE, 1},
};

enum { COORDINATE_COUNT = sizeof coordinates / sizeof *coordinates };

static pc_derived measure_of(pc_pool* pool, const coordinate* c, int dimension,
                             const pc_joint_frame* j, const pc_expr_frame f[2])
{
  static const double PI = 3.14159265358979323846;
  double period = dimension == 3 ? PC_ANGLE_PERIOD : 0;
  switch (c->measure) {
    case ANGLE: return (pc_derived){"rad", period, pc_joint_angle(pool, j, f)};
    case RATE: return (pc_derived){"rad/s", 0, pc_joint_rate(pool, j, f)};
    case DISPLACEMENT: return (pc_derived){"m", 0, pc_joint_displacement(pool, j, f, c->axis)};
    case SPEED: return (pc_derived){"m/s", 0, pc_joint_speed(pool, j, f, c->axis)};
    case CROSS_ANGLE: return (pc_derived){"rad", 2 * PI, pc_joint_cross_angle(pool, j, f, c->axis)};
    default: return (pc_derived){"rad/s", 0, pc_joint_cross_rate(pool, j, f, c->axis)};
  }
}

static int find_of_joint(pc_variables* v, pc_pool* pool, const pc_joint_entry* joint,
                         const char* tail, size_t length, pc_derived* found)
{
  for (int i = 0; i < COORDINATE_COUNT; i++) {
    const coordinate* c = &coordinates[i];
    if (strcmp(c->joint, joint->kind) != 0 || !is_text(c->tail, tail, length)) continue;
    pc_expr_frame f[2];
    for (int k = 0; k < 2; k++)
      if (!pc_variables_frame(v, pool, joint->part[k], &f[k])) return 0;
    *found = measure_of(pool, c, v->r->dimension, &joint->frame, f);
    return 1;
  }
  return 0;
}

/* --- both ----------------------------------------------------------------------------------- */

int pc_find_derived(pc_variables* v, pc_pool* pool, const char* name, size_t length,
                    pc_derived* found)
{
  const pc_reader* r = v->r;
  const char* dot = memchr(name, '.', length);
  if (!dot) return 0;
  size_t head = (size_t)(dot - name), rest = length - head - 1;
  int point = pc_names_find(&r->points.names, name, head);
  if (point >= 0) return find_of_point(v, pool, &r->points.entry[point], dot + 1, rest, found);
  for (int i = 0; i < r->joints.count; i++)
    if (is_text(r->joints.entry[i].name, name, head))
      return find_of_joint(v, pool, &r->joints.entry[i], dot + 1, rest, found);
  return 0;
}

int pc_list_derived(const pc_reader* r, int index, char* name, size_t size)
{
  int of_points = r->points.count * 2 * r->dimension;
  if (index < of_points) {
    int i = index % (2 * r->dimension);
    snprintf(name, size, "%s.%s", r->points.entry[index / (2 * r->dimension)].name,
             point_tails[i / r->dimension][i % r->dimension]);
    return 1;
  }
  index -= of_points;
  for (int j = 0; j < r->joints.count; j++)
    for (int i = 0; i < COORDINATE_COUNT; i++) {
      if (strcmp(coordinates[i].joint, r->joints.entry[j].kind) != 0 || index-- > 0) continue;
      snprintf(name, size, "%s.%s", r->joints.entry[j].name, coordinates[i].tail);
      return 1;
    }
  return 0;
}
