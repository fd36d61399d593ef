#include "base/rotation.h"

#include <math.h>

#include "base/elementary.h"

void pc_quaternion_product(const double a[4], const double b[4], double r[4])
{
  const double product[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
      a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
  };
  for (int i = 0; i < 4; i++) r[i] = product[i];
}

static double length(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Below this angle [rad] series are used: the first term left out is of relative size 1e-16 or
 * so. */
static const double SMALL = 0.05;

/* (1 - cos x)/x^2 and (x - sin x)/x^3: for small x they lose digits as they stand. */
static double one_minus_cosine(double x)
{
  if (x > SMALL) {
    double s = pc_sin(x / 2) / x;
    return 2 * s * s;
  }
  double y = x * x;
  return (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90)))) / 2;
}

static double angle_minus_sine(double x)
{
  double y = x * x;
  if (x > SMALL) return (x - pc_sin(x)) / (x * y);
  return (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110)))) / 6;
}

/* (1 - x/2 cot(x/2))/x^2 */
static double inverse_factor(double x)
{
  double y = x * x;
  if (x > SMALL) return (1 - x / 2 / pc_tan(x / 2)) / y;
  return (1 + y / 60 * (1 + y / 42 * (1 + y / 40))) / 12;
}

void pc_rotation_exp(const double v[3], double p[4])
{
  double angle = length(v), y = angle * angle / 4;
  double scale = angle > SMALL ? pc_sin(angle / 2) / angle
                               : (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72)))) / 2;
  p[0] = pc_cos(angle / 2);
  for (int i = 0; i < 3; i++) p[i + 1] = scale * v[i];
}

void pc_rotation_log(const double p[4], double v[3])
{
  double sine = length(p + 1), sign = p[0] < 0 ? -1 : 1; /* p and -p are the same rotation */
  double half = pc_atan2(sine, fabs(p[0]));
  double scale = sine > 0 ? 2 * sign * half / sine : 0;
  for (int i = 0; i < 3; i++) v[i] = scale * p[i + 1];
}

/* T = 1 + a [v]x + b [v]x^2 */
static void polynomial(const double v[3], double a, double b, double T[9])
{
  double y = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const double cross[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      T[3 * i + k] = (i == k ? 1 - b * y : 0) + a * cross[3 * i + k] + b * v[i] * v[k];
}

void pc_rotation_tangent(const double v[3], double T[9])
{
  double angle = length(v);
  polynomial(v, -one_minus_cosine(angle), angle_minus_sine(angle), T);
}

void pc_rotation_tangent_inverse(const double v[3], double T[9])
{
  polynomial(v, 0.5, inverse_factor(length(v)), T);
}

void pc_basis_of(const double n[3], double a[3], double b[3])
{
  double sign = copysign(1, n[2]), scale = -1 / (sign + n[2]);
  double xy = n[0] * n[1] * scale;
  a[0] = 1 + sign * n[0] * n[0] * scale;
  a[1] = sign * xy;
  a[2] = -sign * n[0];
  b[0] = xy;
  b[1] = sign + n[1] * n[1] * scale;
  b[2] = -n[1];
}
