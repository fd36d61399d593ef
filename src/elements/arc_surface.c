#include "elements/arc_surface.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- distances ---------------------------------------------------------------------------- */

/* distance = sign (|d| - R), d the part of x - p across the axis; its Hessian has the curvature
 * sign/|d| along the tangent axis x u. */
static void cylinder_at(const pc_surface* s, const double x[3], double sign, pc_surface_value* v)
{
  double r[3], d[3], u[3];
  for (int i = 0; i < 3; i++) r[i] = x[i] - s->point[i];
  double along = dot(r, s->axis);
  for (int i = 0; i < 3; i++) d[i] = r[i] - along * s->axis[i];
  double rho = sqrt(dot(d, d));
  for (int i = 0; i < 3; i++) u[i] = rho > 0 ? d[i] / rho : s->second[i];
  const double t[3] = {s->axis[1] * u[2] - s->axis[2] * u[1], s->axis[2] * u[0] - s->axis[0] * u[2],
                       s->axis[0] * u[1] - s->axis[1] * u[0]};
  v->distance = sign * (rho - s->radius);
  for (int i = 0; i < 3; i++) {
    v->gradient[i] = sign * u[i];
    for (int k = 0; k < 3; k++) v->hessian[3 * i + k] = rho > 0 ? sign * t[i] * t[k] / rho : 0;
  }
}

/* The distance to a rectangle: within its edges the height over it, beside them the distance to the
 * nearest point of the edges. */
static void face_at(const pc_surface* s, const double x[3], pc_surface_value* v)
{
  const double* const base[3] = {s->second, s->third, s->axis};
  double r[3], y[3], beyond[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) r[i] = x[i] - s->point[i];
  for (int i = 0; i < 3; i++) y[i] = dot(r, base[i]);
  for (int i = 0; i < 2; i++)
    beyond[i] = y[i] > s->half[i] ? y[i] - s->half[i] : y[i] < -s->half[i] ? y[i] + s->half[i] : 0;
  beyond[2] = y[2];
  int within = beyond[0] == 0 && beyond[1] == 0;
  double length = sqrt(dot(beyond, beyond));
  v->distance = within ? y[2] : length;
  for (int i = 0; i < 3; i++) {
    v->gradient[i] = within || !(length > 0) ? s->axis[i] : 0;
    for (int k = 0; k < 3; k++) v->hessian[3 * i + k] = 0;
  }
  if (within || !(length > 0)) return;
  double g[3];
  for (int a = 0; a < 3; a++) {
    g[a] = beyond[a] / length;
    for (int i = 0; i < 3; i++) v->gradient[i] += g[a] * base[a][i];
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      int moves = a == b && (a == 2 || beyond[a] != 0);
      double h = (moves - g[a] * g[b]) / length;
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) v->hessian[3 * i + k] += h * base[a][i] * base[b][k];
    }
}

/* Two half-spaces at right angles, their edge rounded by a radius. */
static void wedge_at(const pc_surface* s, const double x[3], pc_surface_value* v)
{
  const double *n1 = s->axis, *n2 = s->second;
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = x[i] - s->point[i] + s->radius * (n1[i] + n2[i]);
  double a = dot(r, n1), b = dot(r, n2), rho = sqrt(a * a + b * b);
  int round = a > 0 && b > 0;
  double ga = round ? a / rho : a >= b, gb = round ? b / rho : a < b;
  v->distance = (round ? rho : a >= b ? a : b) - s->radius;
  for (int i = 0; i < 3; i++) {
    double t_i = gb * n1[i] - ga * n2[i];
    v->gradient[i] = ga * n1[i] + gb * n2[i];
    for (int k = 0; k < 3; k++)
      v->hessian[3 * i + k] = round ? t_i * (gb * n1[k] - ga * n2[k]) / rho : 0;
  }
}

void pc_surface_at(const pc_surface* s, const double x[3], pc_surface_value* v)
{
  switch (s->kind) {
    case PC_SURFACE_CYLINDER: cylinder_at(s, x, 1, v); break;
    case PC_SURFACE_BORE: cylinder_at(s, x, -1, v); break;
    case PC_SURFACE_FACE: face_at(s, x, v); break;
    case PC_SURFACE_WEDGE: wedge_at(s, x, v); break;
  }
}

/* ---- the nearest point -------------------------------------------------------------------- */

void pc_arc_place(const pc_arc* a, double f, double x[3], double slope[3])
{
  double c = a->radius * cos(f), s = a->radius * sin(f);
  for (int i = 0; i < 3; i++) {
    x[i] = a->centre[i] + c * a->e1[i] + s * a->e2[i];
    slope[i] = -s * a->e1[i] + c * a->e2[i];
  }
}

/* The distance along the arc and its first two derivatives by f. */
typedef struct along_arc {
  double distance, slope, curvature;
} along_arc;

static along_arc distance_at(const pc_surface* s, const pc_arc* a, double f)
{
  double x[3], p[3];
  pc_surface_value v;
  pc_arc_place(a, f, x, p);
  pc_surface_at(s, x, &v);
  along_arc r = {v.distance, dot(v.gradient, p), 0};
  for (int i = 0; i < 3; i++) {
    r.curvature -= v.gradient[i] * (x[i] - a->centre[i]); /* the second derivative points inwards */
    for (int k = 0; k < 3; k++) r.curvature += p[i] * v.hessian[3 * i + k] * p[k];
  }
  return r;
}

/* Where local minima are looked for, at most four angles: across the normal, or, for cylinders, along
 * the offset of the centre and along the axes of the ellipse that the circle is seen as. */
static int list_starts(const pc_surface* s, const pc_arc* a, double start[4])
{
  int count = 0;
  double n1 = dot(s->axis, a->e1), n2 = dot(s->axis, a->e2);
  if (s->kind == PC_SURFACE_FACE || s->kind == PC_SURFACE_WEDGE) {
    start[count++] = atan2(-n2, -n1);
    if (s->kind == PC_SURFACE_WEDGE)
      start[count++] = atan2(-dot(s->second, a->e2), -dot(s->second, a->e1));
    return count;
  }
  double r[3], d[3], turn = s->kind == PC_SURFACE_BORE ? 0 : PI;
  for (int i = 0; i < 3; i++) r[i] = a->centre[i] - s->point[i];
  double along = dot(r, s->axis);
  for (int i = 0; i < 3; i++) d[i] = r[i] - along * s->axis[i];
  start[count++] = atan2(dot(d, a->e2), dot(d, a->e1)) + turn;
  /* Seen along the axis the circle is an ellipse. Its evolute, within which there are two minima, lies
   * within a sin^2/cos of its centre, with the tilt of the axes. */
  double sine = n1 * n1 + n2 * n2, cosine = sqrt(fmax(0, 1 - sine));
  if (cosine * sqrt(dot(d, d)) >= a->radius * sine && dot(d, d) > 0) return count;
  if (n1 == 0 && n2 == 0) return count;
  double tilt = atan2(n2, n1) + (s->kind == PC_SURFACE_BORE ? PI / 2 : 0);
  start[count++] = tilt;
  start[count++] = tilt + PI;
  return count;
}

/* Newton's method to a minimum (sense 1) or a maximum (-1): steps of at most half a radian, and where
 * the curvature has the wrong sign a step along the slope. */
static double follow(const pc_surface* s, const pc_arc* a, double f, double sense)
{
  enum { STEPS_MAX = 40 };
  /* [rad]; a Newton step as short as the second leaves an error of its square */
  static const double LONGEST = 0.5, SHORT = 1e-8;
  for (int i = 0; i < STEPS_MAX; i++) {
    along_arc at = distance_at(s, a, f);
    double slope = sense * at.slope, curvature = sense * at.curvature;
    double step = curvature > 0 ? -slope / curvature
                  : slope > 0   ? -LONGEST / 2
                  : slope < 0   ? LONGEST / 2
                                : 0;
    step = fmax(-LONGEST, fmin(LONGEST, step));
    f += step;
    if (fabs(step) <= SHORT) break;
  }
  return f;
}

/* Within [0, 2 pi). */
static double wrapped(double f)
{
  double w = f - 2 * PI * floor(f / (2 * PI));
  return w < 2 * PI ? w : 0;
}

static double apart(double f, double g)
{
  return fabs(sin((f - g) / 2));
}

/* A minimum within the arc, or an end of it. */
static pc_arc_point point_at(const pc_surface* s, const pc_arc* a, double f)
{
  int whole = a->angle >= 2 * PI;
  pc_arc_point p = {wrapped(f), 1, 0};
  if (!whole && p.f > a->angle) {
    p.free = 0;
    p.f = p.f - a->angle < 2 * PI - p.f ? a->angle : 0;
  }
  p.curvature = distance_at(s, a, p.f).curvature;
  return p;
}

pc_arc_point pc_nearest_on_arc(const pc_surface* s, const pc_arc* a, int second)
{
  static const double DISTINCT = 0.05; /* half-angle sines between two minima */
  double start[4], distance[6];
  pc_arc_point point[6];
  int count = list_starts(s, a, start), best = 0, next = -1;
  for (int i = 0; i < count; i++) point[i] = point_at(s, a, follow(s, a, start[i], 1));
  if (a->angle < 2 * PI)
    for (int end = 0; end < 2; end++) point[count++] = (pc_arc_point){end ? a->angle : 0, 0, 0};
  for (int i = 0; i < count; i++) {
    distance[i] = distance_at(s, a, point[i].f).distance;
    if (distance[i] < distance[best]) best = i;
  }
  if (!second) return point[best];
  for (int i = 0; i < count; i++)
    if (point[i].free && point[i].curvature > 0 && apart(point[i].f, point[best].f) > DISTINCT &&
        (next < 0 || distance[i] < distance[next]))
      next = i;
  if (next >= 0) return point[next];
  return point_at(s, a, follow(s, a, point[best].f + PI, -1));
}
