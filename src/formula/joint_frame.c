/* The coordinates of joints as expressions. */
#include <math.h>

#include "base/rotation.h"
#include "elements/attach.h"
#include "formula/frame.h"
#include "formula/pool.h"

static void conjugate(const double p[4], double to[4])
{
  for (int i = 0; i < 4; i++) to[i] = i ? -p[i] : p[i];
}

void pc_joint_frame_of(const pc_system* system, const pc_joint_def* def, const double second[3],
                       pc_joint_frame* j)
{
  double triad[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, length = 0;
  *j = (pc_joint_frame){.dimension = pc_system_dimension(system)};
  for (int i = 0; i < j->dimension; i++) length += def->axis[i] * def->axis[i];
  for (int i = 0; length > 0 && i < 3; i++)
    triad[0][i] = i < j->dimension ? def->axis[i] / sqrt(length) : 0;
  if (j->dimension == 3) pc_basis_of(triad[0], triad[1], triad[2]);
  double size =
      second ? sqrt(second[0] * second[0] + second[1] * second[1] + second[2] * second[2]) : 1;
  for (int i = 0; second && i < 3; i++) triad[1][i] = second[i] / size;
  if (second) pc_cross(triad[0], triad[1], triad[2]);
  for (int i = 0; i < 2; i++) {
    pc_joint_point(system, def, i, j->at[i]);
    for (int k = 0; k < 3; k++)
      pc_initial_direction_to_part(system, def->part[i], triad[k], j->axis[i][k]);
  }
  j->angle = pc_initial_angle(system, def->part[1]) - pc_initial_angle(system, def->part[0]);
  if (j->dimension < 3) return;
  double p[2][4], back[4];
  for (int i = 0; i < 2; i++) pc_initial_quaternion(system, def->part[i], p[i]);
  conjugate(p[0], back);
  pc_quaternion_product(back, p[1], j->start);
}

/* a o b */
static void product(pc_pool* pool, const pc_expr a[4], const pc_expr b[4], pc_expr to[4])
{
  static const int index[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};
  for (int i = 0; i < 4; i++) {
    to[i] = pc_expr_number(pool, 0);
    for (int k = 0; k < 4; k++) {
      pc_expr x = pc_product(pool, a[k], b[index[i][k]]);
      to[i] = sign[i][k] > 0 ? pc_sum(pool, to[i], x) : pc_difference(pool, to[i], x);
    }
  }
}

/* In space: with the turn d = (p_0* p_1) start* of part 1 since the start, seen from part 0, the
 * angle about the axis a is 2 atan2(d . a, d_0). It does not depend on the lengths of p. */
pc_expr pc_joint_angle(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2])
{
  if (j->dimension < 3) {
    pc_expr angle = pc_difference(pool, f[1].angle, f[0].angle);
    return pc_difference(pool, angle, pc_expr_number(pool, j->angle));
  }
  pc_expr back[4], relative[4], start[4], d[4], axis[3];
  for (int i = 0; i < 4; i++) {
    back[i] = i ? pc_negative(pool, f[0].p[i]) : f[0].p[i];
    start[i] = pc_expr_number(pool, i ? -j->start[i] : j->start[i]);
  }
  product(pool, back, f[1].p, relative);
  product(pool, relative, start, d);
  for (int i = 0; i < 3; i++) axis[i] = pc_expr_number(pool, j->axis[0][0][i]);
  pc_expr half = pc_expr_atan2(pool, pc_expr_dot(pool, d + 1, axis), d[0]);
  return pc_product(pool, pc_expr_number(pool, 2), half);
}

static void axis_of(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2], int part,
                    int i, pc_expr to[3])
{
  pc_expr v[3];
  for (int k = 0; k < 3; k++) v[k] = pc_expr_number(pool, j->axis[part][i][k]);
  pc_expr_turned(pool, &f[part], v, to);
}

void pc_joint_axis(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2], int i,
                   pc_expr to[3])
{
  axis_of(pool, j, f, 0, i, to);
}

/* Angular velocity of part 1 relative to part 0, inertial components. */
static void relative_spin(pc_pool* pool, const pc_expr_frame f[2], pc_expr w[3])
{
  for (int k = 0; k < 3; k++) w[k] = pc_difference(pool, f[1].spin[k], f[0].spin[k]);
}

pc_expr pc_joint_rate(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2])
{
  pc_expr w[3], a[3];
  relative_spin(pool, f, w);
  if (j->dimension < 3) return w[2];
  axis_of(pool, j, f, 0, 0, a);
  return pc_expr_dot(pool, a, w);
}

pc_expr pc_joint_displacement(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2],
                              int i)
{
  pc_expr_point c0 = pc_expr_point_of(pool, &f[0], j->at[0]);
  pc_expr_point c1 = pc_expr_point_of(pool, &f[1], j->at[1]);
  pc_expr a[3], r[3];
  axis_of(pool, j, f, 0, i, a);
  for (int k = 0; k < 3; k++) r[k] = pc_difference(pool, c1.position[k], c0.position[k]);
  return pc_expr_dot(pool, a, r);
}

/* a . (v_1 - v_0) with both velocities those of material points where the point of part 1 is. */
pc_expr pc_joint_speed(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2], int i)
{
  pc_expr_point c1 = pc_expr_point_of(pool, &f[1], j->at[1]);
  pc_expr a[3], arm[3], swing[3], v[3];
  axis_of(pool, j, f, 0, i, a);
  for (int k = 0; k < 3; k++) arm[k] = pc_difference(pool, c1.position[k], f[0].origin[k]);
  pc_expr_cross(pool, f[0].spin, arm, swing);
  for (int k = 0; k < 3; k++) {
    pc_expr carried = pc_sum(pool, f[0].velocity[k], swing[k]);
    v[k] = pc_difference(pool, c1.velocity[k], carried);
  }
  return pc_expr_dot(pool, a, v);
}

/* For angle 0: a is the axis in part 0, b the other axis as it was at the start, fixed in part 0,
 * and c the same in part 1; c turns about a from b. Angle 1 is the same with the parts exchanged
 * and the opposite sense. */
typedef struct cross_view {
  pc_expr x, y;         /* components of c along b and a x b */
  pc_expr x_dot, y_dot; /* their rates, of the relative turning */
  int opposite;
} cross_view;

static cross_view view_cross(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2],
                             int i)
{
  pc_expr a[3], b[3], c[3], ab[3], w[3], c_dot[3];
  axis_of(pool, j, f, i, i, a);
  axis_of(pool, j, f, i, 1 - i, b);
  axis_of(pool, j, f, 1 - i, 1 - i, c);
  pc_expr_cross(pool, a, b, ab);
  relative_spin(pool, f, w);
  for (int k = 0; i && k < 3; k++) w[k] = pc_negative(pool, w[k]);
  pc_expr_cross(pool, w, c, c_dot);
  cross_view v = {.opposite = i};
  v.x = pc_expr_dot(pool, b, c);
  v.y = pc_expr_dot(pool, ab, c);
  v.x_dot = pc_expr_dot(pool, b, c_dot);
  v.y_dot = pc_expr_dot(pool, ab, c_dot);
  return v;
}

pc_expr pc_joint_cross_angle(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2],
                             int i)
{
  cross_view v = view_cross(pool, j, f, i);
  pc_expr angle = pc_expr_atan2(pool, v.y, v.x);
  return v.opposite ? pc_negative(pool, angle) : angle;
}

pc_expr pc_joint_cross_rate(pc_pool* pool, const pc_joint_frame* j, const pc_expr_frame f[2], int i)
{
  cross_view v = view_cross(pool, j, f, i);
  pc_expr xx = pc_product(pool, v.x, v.x), yy = pc_product(pool, v.y, v.y);
  pc_expr square = pc_sum(pool, xx, yy);
  pc_expr x_dy = pc_product(pool, v.x, v.y_dot), y_dx = pc_product(pool, v.y, v.x_dot);
  pc_expr area = pc_difference(pool, x_dy, y_dx);
  pc_expr rate = pc_quotient(pool, area, square);
  return v.opposite ? pc_negative(pool, rate) : rate;
}
