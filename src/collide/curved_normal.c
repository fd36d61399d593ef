#include "collide/curved_normal.h"

#include <float.h>

/* The sum of the squares of the semi-axes [m^2]. */
static double square_of_axes(const double F[9])
{
  double sum = 0;
  for (int i = 0; i < 9; i++) sum += F[i] * F[i];
  return sum;
}

/* Along the axis of a rim, h = |F'n| is 0 and all its points are equally far: the gap has a kink
 * there, and its centre stands for them. The way uphill then leads towards the other feature, if it
 * leads anywhere. */
static int is_flat(double square, double h)
{
  static const double sine = 1e-12;
  return !(h * h > sine * sine * square);
}

/* What a feature adds to a gap, with w = F'n, h = |w|, a_i = F't_i: -h to the value, -a_i . w/h to
 * the gradient, and the curvature of its surface to the Hessian, -(a_i . a_k - (a_i . w)(a_k .
 * w)/h^2)/h. */
static void add_feature(const double F[9], pc_v3 n, pc_curved_slope* s)
{
  pc_v3 w = pc_curved_components(F, n), a[2];
  double h = pc_v3_length(w), square = square_of_axes(F), along[2];
  s->value -= h;
  if (is_flat(square, h)) {
    s->flat += sqrt(square / 2);
    return;
  }
  for (int i = 0; i < s->count; i++) {
    a[i] = pc_curved_components(F, s->t[i]);
    along[i] = pc_v3_dot(a[i], w) / h;
    s->gradient[i] -= along[i];
    for (int k = 0; k <= i; k++) {
      double curved = (pc_v3_dot(a[i], a[k]) - along[i] * along[k]) / h;
      s->hessian[2 * i + k] -= curved;
      if (k < i) s->hessian[2 * k + i] -= curved;
    }
  }
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
  s.value = pc_v3_dot(n, p->r);
  for (int i = 0; i < s.count; i++) s.gradient[i] = pc_v3_dot(s.t[i], p->r);
  for (int i = 0; i < 2; i++)
    if (p->curved[i]) add_feature(p->F[i], n, &s);
  for (int i = 0; i < s.count; i++) s.hessian[3 * i] -= s.value;
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
    if (p->curved[i]) size += sqrt(square_of_axes(p->F[i]));
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
