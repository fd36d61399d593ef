#include "collide/curved_normal.h"

#include <float.h>

static pc_v3 apply(const double E[9], pc_v3 n)
{
  return (pc_v3){E[0] * n.x + E[1] * n.y + E[2] * n.z, E[3] * n.x + E[4] * n.y + E[5] * n.z,
                 E[6] * n.x + E[7] * n.y + E[8] * n.z};
}

/* Along the axis of a rim, h is 0 and all its points are equally far: the gap has a kink there, and
 * its centre stands for them. The way uphill then leads towards the other feature, if it leads
 * anywhere. */
static int is_flat(const double E[9], double square)
{
  static const double sine = 1e-7;
  return !(square > sine * sine * (E[0] + E[4] + E[8]));
}

/* r(n) = r - E_0 n/h_0 - E_1 n/h_1 */
static pc_v3 difference_at(const pc_curved_pair* p, pc_v3 n)
{
  pc_v3 r = p->r;
  for (int i = 0; i < 2; i++) {
    if (!p->curved[i]) continue;
    pc_v3 y = apply(p->E[i], n);
    double square = pc_v3_dot(n, y);
    if (!is_flat(p->E[i], square)) r = pc_v3_along(r, -1 / sqrt(square), y);
  }
  return r;
}

/* -(dr/dn) t = sum of (E t - y (y . t)/h^2)/h */
static pc_v3 curvature(const pc_curved_pair* p, pc_v3 n, pc_v3 t)
{
  pc_v3 sum = {0};
  for (int i = 0; i < 2; i++) {
    if (!p->curved[i]) continue;
    pc_v3 y = apply(p->E[i], n);
    double square = pc_v3_dot(n, y);
    if (is_flat(p->E[i], square)) continue;
    pc_v3 z = pc_v3_along(apply(p->E[i], t), -pc_v3_dot(y, t) / square, y);
    sum = pc_v3_along(sum, 1 / sqrt(square), z);
  }
  return sum;
}

pc_curved_slope pc_curved_slope_at(const pc_curved_pair* p, pc_v3 n)
{
  pc_curved_slope s = {.count = p->along ? 1 : 2};
  if (p->along) {
    s.t[0] = pc_v3_cross(*p->along, n);
  } else {
    double a[3], b[3];
    pc_basis_of((const double[]){n.x, n.y, n.z}, a, b);
    s.t[0] = pc_v3_of(a);
    s.t[1] = pc_v3_of(b);
  }
  pc_v3 r = difference_at(p, n);
  s.value = pc_v3_dot(n, p->r);
  for (int i = 0; i < 2; i++) {
    if (!p->curved[i]) continue;
    double square = pc_v3_dot(n, apply(p->E[i], n));
    s.value -= square > 0 ? sqrt(square) : 0;
    if (is_flat(p->E[i], square)) s.flat += sqrt((p->E[i][0] + p->E[i][4] + p->E[i][8]) / 2);
  }
  for (int i = 0; i < s.count; i++) {
    pc_v3 curved = curvature(p, n, s.t[i]);
    s.gradient[i] = pc_v3_dot(s.t[i], r);
    for (int k = 0; k < s.count; k++)
      s.hessian[2 * i + k] = -pc_v3_dot(s.t[k], curved) - (i == k ? s.value : 0);
  }
  return s;
}

void pc_curved_solve(const pc_curved_slope* s, double x[2])
{
  const double* H = s->hessian;
  if (s->count == 1) {
    x[0] = H[0] != 0 ? -x[0] / H[0] : 0;
    return;
  }
  double det = H[0] * H[3] - H[1] * H[2], a = x[0], b = x[1];
  x[0] = det != 0 ? -(H[3] * a - H[1] * b) / det : 0;
  x[1] = det != 0 ? -(H[0] * b - H[2] * a) / det : 0;
}

static int is_negative_definite(const pc_curved_slope* s)
{
  const double* H = s->hessian;
  if (s->count == 1) return H[0] < 0;
  return H[0] < 0 && H[0] * H[3] - H[1] * H[2] > 0;
}

static pc_v3 moved(const pc_curved_pair* p, pc_v3 n, const pc_curved_slope* s, const double x[2],
                   double scale)
{
  pc_v3 to = n;
  for (int i = 0; i < s->count; i++) to = pc_v3_along(to, scale * x[i], s->t[i]);
  if (p->along) to = pc_v3_across(to, *p->along);
  return pc_v3_unit(to, n);
}

static double length_of(const double x[2])
{
  return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* A step uphill, at most half a radian: Newton's where the gap is concave, else along the gradient.
 * Away from the axis of a rim of radius R the gap loses R for each radian, so that the way leads
 * along the gradient there, if that is more. */
static void choose_step(const pc_curved_slope* s, double x[2])
{
  static const double longest = 0.5;
  x[0] = s->gradient[0], x[1] = s->count > 1 ? s->gradient[1] : 0;
  double slope = length_of(x);
  if (s->flat > 0 || !is_negative_definite(s)) {
    double scale = slope > s->flat ? longest / slope : 0;
    x[0] *= scale, x[1] *= scale;
    return;
  }
  pc_curved_solve(s, x);
  double length = length_of(x);
  if (length > longest) x[0] *= longest / length, x[1] *= longest / length;
}

/* [m] */
static double size_of(const pc_curved_pair* p)
{
  double size = pc_v3_length(p->r);
  for (int i = 0; i < 2; i++)
    if (p->curved[i]) size += sqrt(p->E[i][0] + p->E[i][4] + p->E[i][8]);
  return size;
}

pc_v3 pc_curved_normal(const pc_curved_pair* p, pc_v3 n)
{
  enum { STEPS = 60, HALVINGS = 40 };
  if (p->along) n = pc_v3_unit(pc_v3_across(n, *p->along), n);
  pc_curved_slope s = pc_curved_slope_at(p, n);
  double size = size_of(p);
  for (int step = 0; step < STEPS; step++) {
    double x[2], scale = 1;
    choose_step(&s, x);
    double length = length_of(x), slope = length_of(s.gradient);
    /* Where a rim touches a corner or another rim, all normals between its face and its side are as
     * good. */
    if (!(length > 0) || slope <= 4 * DBL_EPSILON * size) break;
    pc_v3 next = moved(p, n, &s, x, 1);
    pc_curved_slope t = pc_curved_slope_at(p, next);
    double round_off = 8 * DBL_EPSILON * size;
    for (int i = 0; i < HALVINGS && t.value < s.value - round_off; i++) {
      scale /= 2;
      next = moved(p, n, &s, x, scale);
      t = pc_curved_slope_at(p, next);
    }
    int converged = length < 1e-9; /* the next step would be its square, less than round-off */
    n = next;
    s = t;
    if (converged) break;
  }
  return n;
}
