#include "formula/frame.h"

#include "base/rotation.h"
#include "formula/pool.h"
#include "percuss/shape.h"

/* ---- numbers and vectors ------------------------------------------------------------------ */

pc_expr pc_expr_of(pc_pool* pool, pc_expr a, char op, pc_expr b)
{
  switch (op) {
    case '+': return pc_sum(pool, a, b);
    case '-': return pc_difference(pool, a, b);
    case '*': return pc_product(pool, a, b);
    default: return pc_quotient(pool, a, b);
  }
}

pc_expr pc_expr_root(pc_pool* pool, pc_expr a)
{
  return pc_function(pool, PC_OP_SQRT, a);
}

pc_expr pc_expr_stribeck(pc_pool* pool, pc_expr v, double v_s)
{
  pc_expr x = pc_quotient(pool, v, pc_expr_number(pool, v_s));
  pc_expr fall = pc_function(pool, PC_OP_EXP, pc_negative(pool, pc_product(pool, x, x)));
  pc_expr rise = pc_difference(pool, pc_expr_number(pool, 1), fall);
  return pc_product(pool, pc_function(pool, PC_OP_SIGN, v), rise);
}

/* floor has the derivative 0, so that those of x remain. */
/* T times the whole number nearest to x/T. */
static pc_expr whole_periods(pc_pool* pool, pc_expr x, double period)
{
  pc_expr T = pc_expr_number(pool, period), half = pc_expr_number(pool, 0.5);
  pc_expr turns = pc_function(pool, PC_OP_FLOOR, pc_sum(pool, pc_quotient(pool, x, T), half));
  return pc_product(pool, T, turns);
}

pc_expr pc_expr_wrapped(pc_pool* pool, pc_expr x, double period)
{
  return pc_difference(pool, x, whole_periods(pool, x, period));
}

pc_expr pc_expr_followed(pc_pool* pool, pc_expr x, pc_expr last, double period)
{
  return pc_difference(pool, x, whole_periods(pool, pc_difference(pool, x, last), period));
}

static void numbers(pc_pool* pool, const double v[3], pc_expr to[3])
{
  for (int i = 0; i < 3; i++) to[i] = pc_expr_number(pool, v[i]);
}

static void zero(pc_pool* pool, pc_expr to[3])
{
  numbers(pool, (const double[3]){0, 0, 0}, to);
}

pc_expr pc_expr_dot(pc_pool* pool, const pc_expr a[3], const pc_expr b[3])
{
  pc_expr sum = pc_product(pool, a[0], b[0]);
  for (int i = 1; i < 3; i++) sum = pc_sum(pool, sum, pc_product(pool, a[i], b[i]));
  return sum;
}

pc_expr pc_expr_length(pc_pool* pool, const pc_expr a[3])
{
  return pc_function(pool, PC_OP_SQRT, pc_expr_dot(pool, a, a));
}

void pc_expr_cross(pc_pool* pool, const pc_expr a[3], const pc_expr b[3], pc_expr to[3])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    pc_expr first = pc_product(pool, a[j], b[k]), second = pc_product(pool, a[k], b[j]);
    to[i] = pc_difference(pool, first, second);
  }
}

static void add(pc_pool* pool, const pc_expr a[3], char op, const pc_expr b[3], pc_expr to[3])
{
  for (int i = 0; i < 3; i++) to[i] = pc_expr_of(pool, a[i], op, b[i]);
}

/* ---- frames ------------------------------------------------------------------------------- */

pc_expr_frame pc_expr_ground(pc_pool* pool, int dimension)
{
  pc_expr_frame f = {.dimension = dimension, .kind = -1};
  zero(pool, f.origin);
  zero(pool, f.velocity);
  zero(pool, f.spin);
  f.angle = pc_expr_number(pool, 0);
  for (int i = 0; i < 9; i++) f.A[i] = pc_expr_number(pool, i % 4 == 0);
  for (int i = 0; i < 4; i++) f.p[i] = pc_expr_number(pool, i == 0);
  return f;
}

static void turn_in_plane(pc_pool* pool, pc_expr_frame* f, pc_expr angle, pc_expr spin)
{
  f->angle = angle;
  f->spin[2] = spin;
  f->A[0] = f->A[4] = pc_function(pool, PC_OP_COS, angle);
  f->A[3] = pc_function(pool, PC_OP_SIN, angle);
  f->A[1] = pc_negative(pool, f->A[3]);
}

/* s (p_i p_j + sign p_k p_l) */
static pc_expr entry(pc_pool* pool, pc_expr s, const pc_expr p[4], int i, int j, double sign, int k,
                     int l)
{
  pc_expr a = pc_product(pool, p[i], p[j]), b = pc_product(pool, p[k], p[l]);
  return pc_product(pool, s, sign > 0 ? pc_sum(pool, a, b) : pc_difference(pool, a, b));
}

/* As pc_rotation_matrix, of the rotation of p/|p|. */
static void turn_in_space(pc_pool* pool, pc_expr_frame* f, const pc_expr* p, const pc_expr* w)
{
  pc_expr square = pc_product(pool, p[0], p[0]), one = pc_expr_number(pool, 1);
  for (int i = 1; i < 4; i++) square = pc_sum(pool, square, pc_product(pool, p[i], p[i]));
  pc_expr s = pc_quotient(pool, pc_expr_number(pool, 2), square);
  for (int i = 0; i < 4; i++) f->p[i] = p[i];
  f->A[0] = pc_difference(pool, one, entry(pool, s, p, 2, 2, 1, 3, 3));
  f->A[1] = entry(pool, s, p, 1, 2, -1, 0, 3);
  f->A[2] = entry(pool, s, p, 1, 3, 1, 0, 2);
  f->A[3] = entry(pool, s, p, 1, 2, 1, 0, 3);
  f->A[4] = pc_difference(pool, one, entry(pool, s, p, 1, 1, 1, 3, 3));
  f->A[5] = entry(pool, s, p, 2, 3, -1, 0, 1);
  f->A[6] = entry(pool, s, p, 1, 3, -1, 0, 2);
  f->A[7] = entry(pool, s, p, 2, 3, 1, 0, 1);
  f->A[8] = pc_difference(pool, one, entry(pool, s, p, 1, 1, 1, 2, 2));
  pc_expr_turned(pool, f, w, f->spin);
}

pc_expr_frame pc_expr_frame_of(pc_pool* pool, int dimension, int kind, const pc_expr* q,
                               const pc_expr* u)
{
  pc_expr_frame f = pc_expr_ground(pool, dimension);
  f.kind = kind;
  for (int i = 0; i < dimension; i++) {
    f.origin[i] = q[i];
    f.velocity[i] = u[i];
  }
  if (kind == PC_PART_PLANAR_BODY) turn_in_plane(pool, &f, q[2], u[2]);
  if (kind == PC_PART_SPATIAL_BODY) turn_in_space(pool, &f, q + 3, u + 3);
  return f;
}

void pc_expr_turned(pc_pool* pool, const pc_expr_frame* f, const pc_expr v[3], pc_expr to[3])
{
  for (int i = 0; i < 3; i++) to[i] = pc_expr_dot(pool, f->A + 3 * i, v);
}

void pc_expr_turned_back(pc_pool* pool, const pc_expr_frame* f, const pc_expr v[3], pc_expr to[3])
{
  for (int i = 0; i < 3; i++) {
    const pc_expr column[3] = {f->A[i], f->A[3 + i], f->A[6 + i]};
    to[i] = pc_expr_dot(pool, column, v);
  }
}

static void turned_numbers(pc_pool* pool, const pc_expr_frame* f, const double v[3], pc_expr to[3])
{
  pc_expr x[3];
  numbers(pool, v, x);
  pc_expr_turned(pool, f, x, to);
}

pc_expr_point pc_expr_point_of(pc_pool* pool, const pc_expr_frame* f, const double at[3])
{
  pc_expr_point p;
  pc_expr swing[3];
  turned_numbers(pool, f, at, p.arm);
  add(pool, f->origin, '+', p.arm, p.position);
  pc_expr_cross(pool, f->spin, p.arm, swing);
  add(pool, f->velocity, '+', swing, p.velocity);
  return p;
}

void pc_expr_wrench(pc_pool* pool, const pc_expr_frame* f, const pc_expr arm[3], const pc_expr F[3],
                    const pc_expr T[3], pc_expr force[6])
{
  pc_expr moment[3], sum[3];
  for (int i = 0; i < f->dimension; i++) force[i] = F[i];
  pc_expr_cross(pool, arm, F, moment);
  add(pool, moment, '+', T, sum);
  if (f->kind == PC_PART_PLANAR_BODY) force[2] = sum[2];
  if (f->kind == PC_PART_SPATIAL_BODY) pc_expr_turned_back(pool, f, sum, force + 3);
}
