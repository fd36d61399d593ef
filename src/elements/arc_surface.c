#include "elements/arc_surface.h"

#include <math.h>

#include "base/elementary.h"

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

/* In the cross-section of a sector: the distance, its gradient, its curvature along the tangent. */
typedef struct in_section {
  double distance, gradient[2], curvature;
} in_section;

static in_section from_place(double x, double y, double radius)
{
  double rho = sqrt(x * x + y * y);
  if (rho > 0) return (in_section){rho - radius, {x / rho, y / rho}, 1 / rho};
  return (in_section){-radius, {1, 0}, 0};
}

/* x along the middle of the sector. It is a body whose sides go from the axis to the ends of the
 * round face: beside them the distance is that to a side or to the edge at its end; within, the
 * deepest place is out through the face or through a side. */
static in_section in_sector(const pc_surface* s, double x, double y)
{
  double sense = y < 0 ? -1 : 1, height = fabs(y);
  double beyond = height * s->cosine - x * s->sine, along = x * s->cosine + height * s->sine;
  in_section side = {beyond, {-s->sine, sense * s->cosine}, 0};
  in_section face = from_place(x, y, s->radius);
  if (beyond <= 0) return face.distance >= beyond ? face : side;
  if (along >= s->radius)
    return from_place(x - s->radius * s->cosine, y - sense * s->radius * s->sine, 0);
  return along > 0 ? side : from_place(x, y, 0);
}

static void sector_at(const pc_surface* s, const double x[3], pc_surface_value* v)
{
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = x[i] - s->point[i];
  in_section in = in_sector(s, dot(r, s->second), dot(r, s->third));
  const double* g = in.gradient;
  v->distance = in.distance;
  for (int i = 0; i < 3; i++) {
    double t_i = g[0] * s->third[i] - g[1] * s->second[i];
    v->gradient[i] = g[0] * s->second[i] + g[1] * s->third[i];
    for (int k = 0; k < 3; k++)
      v->hessian[3 * i + k] = in.curvature * t_i * (g[0] * s->third[k] - g[1] * s->second[k]);
  }
}

/* Within a face the deepest place is out through it or through one of its sides. */
static void inside_face(const pc_surface* s, const double y[3], pc_surface_value* v)
{
  const double* out = s->axis;
  double sign = 1;
  v->distance = y[2];
  for (int i = 0; i < 2; i++) {
    double beyond = fabs(y[i]) - s->half[i];
    if (!(beyond > v->distance)) continue;
    v->distance = beyond;
    out = i ? s->third : s->second;
    sign = y[i] < 0 ? -1 : 1;
  }
  for (int i = 0; i < 3; i++) v->gradient[i] = sign * out[i];
  for (int i = 0; i < 9; i++) v->hessian[i] = 0;
}

/* The distance to the body whose face a rectangle is: over it the height, beside it the distance to
 * its edges or, below its plane, to the sides that go down from them. */
static void face_at(const pc_surface* s, const double x[3], pc_surface_value* v)
{
  const double* const base[3] = {s->second, s->third, s->axis};
  double r[3], y[3], beyond[3];
  for (int i = 0; i < 3; i++) r[i] = x[i] - s->point[i];
  for (int i = 0; i < 3; i++) y[i] = dot(r, base[i]);
  for (int i = 0; i < 2; i++)
    beyond[i] = y[i] > s->half[i] ? y[i] - s->half[i] : y[i] < -s->half[i] ? y[i] + s->half[i] : 0;
  beyond[2] = y[2] > 0 ? y[2] : 0;
  double length = sqrt(dot(beyond, beyond));
  if ((beyond[0] == 0 && beyond[1] == 0) || !(length > 0)) {
    inside_face(s, y, v);
    return;
  }
  double g[3];
  v->distance = length;
  for (int i = 0; i < 3; i++) v->gradient[i] = 0;
  for (int i = 0; i < 9; i++) v->hessian[i] = 0;
  for (int a = 0; a < 3; a++) {
    g[a] = beyond[a] / length;
    for (int i = 0; i < 3; i++) v->gradient[i] += g[a] * base[a][i];
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double h = ((a == b && beyond[a] != 0) - g[a] * g[b]) / length;
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
    case PC_SURFACE_CYLINDER:
      if (s->sine > 0)
        sector_at(s, x, v);
      else
        cylinder_at(s, x, 1, v);
      break;
    case PC_SURFACE_BORE: cylinder_at(s, x, -1, v); break;
    case PC_SURFACE_FACE: face_at(s, x, v); break;
    case PC_SURFACE_WEDGE: wedge_at(s, x, v); break;
  }
}

/* ---- the nearest point -------------------------------------------------------------------- */

void pc_arc_place(const pc_arc* a, double f, double x[3], double slope[3])
{
  double c, s;
  pc_sin_cos(f, &s, &c);
  c *= a->radius;
  s *= a->radius;
  for (int i = 0; i < 3; i++) {
    x[i] = a->centre[i] + c * a->e1[i] + s * a->e2[i];
    slope[i] = -s * a->e1[i] + c * a->e2[i];
  }
}

/* An arc in the axes of its surface: c + cos f x + sin f y relative to the surface's point, along
 * its second and third direction and its axis. In these the distance along the arc takes a few
 * operations. */
typedef struct flat_arc {
  const pc_surface* surface;
  double c[3], x[3], y[3];
} flat_arc;

static flat_arc flatten(const pc_surface* s, const pc_arc* a)
{
  const double third[3] = {s->axis[1] * s->second[2] - s->axis[2] * s->second[1],
                           s->axis[2] * s->second[0] - s->axis[0] * s->second[2],
                           s->axis[0] * s->second[1] - s->axis[1] * s->second[0]};
  const double* const base[3] = {s->second, third, s->axis};
  flat_arc flat = {.surface = s};
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = a->centre[i] - s->point[i];
  for (int i = 0; i < 3; i++) {
    flat.c[i] = dot(r, base[i]);
    flat.x[i] = a->radius * dot(a->e1, base[i]);
    flat.y[i] = a->radius * dot(a->e2, base[i]);
  }
  return flat;
}

/* A point of it: relative to the surface, relative to its centre, and its derivative by f. */
typedef struct flat_point {
  double at[3], out[3], slope[3];
} flat_point;

static flat_point point_at(const flat_arc* a, double f)
{
  double c, s;
  flat_point p;
  pc_sin_cos(f, &s, &c);
  for (int i = 0; i < 3; i++) {
    p.out[i] = c * a->x[i] + s * a->y[i];
    p.slope[i] = c * a->y[i] - s * a->x[i];
    p.at[i] = a->c[i] + p.out[i];
  }
  return p;
}

/* The distance along the arc and its first two derivatives by f. The second derivative of a point
 * is -out: the curvature is slope' hessian slope - gradient . out. */
typedef struct along_arc {
  double distance, slope, curvature;
} along_arc;

static along_arc along_cylinder(const flat_point* p, double radius, double sign)
{
  double rho = sqrt(p->at[0] * p->at[0] + p->at[1] * p->at[1]);
  double g0 = rho > 0 ? p->at[0] / rho : 1, g1 = rho > 0 ? p->at[1] / rho : 0;
  double across = g0 * p->slope[1] - g1 * p->slope[0];
  double curvature_term = rho > 0 ? across * across / rho : 0;
  return (along_arc){sign * (rho - radius), sign * (g0 * p->slope[0] + g1 * p->slope[1]),
                     sign * (curvature_term - g0 * p->out[0] - g1 * p->out[1])};
}

static along_arc along_sector(const flat_point* p, const pc_surface* s)
{
  in_section in = in_sector(s, p->at[0], p->at[1]);
  const double* g = in.gradient;
  double across = g[0] * p->slope[1] - g[1] * p->slope[0];
  return (along_arc){in.distance, g[0] * p->slope[0] + g[1] * p->slope[1],
                     in.curvature * across * across - g[0] * p->out[0] - g[1] * p->out[1]};
}

static along_arc along_face(const flat_point* p, const double half[2])
{
  double beyond[3] = {0, 0, p->at[2] > 0 ? p->at[2] : 0}, deepest = p->at[2], sign = 1;
  int side = 2;
  for (int i = 0; i < 2; i++) {
    double over = fabs(p->at[i]) - half[i], sense = p->at[i] < 0 ? -1 : 1;
    if (over > 0) beyond[i] = sense * over;
    if (over > deepest) deepest = over, side = i, sign = sense;
  }
  double length = sqrt(dot(beyond, beyond));
  if ((beyond[0] == 0 && beyond[1] == 0) || !(length > 0))
    return (along_arc){deepest, sign * p->slope[side], -sign * p->out[side]};
  along_arc r = {length, dot(beyond, p->slope) / length, -dot(beyond, p->out) / length};
  double curvature_term = -r.slope * r.slope;
  for (int i = 0; i < 3; i++)
    if (beyond[i] != 0) curvature_term += p->slope[i] * p->slope[i];
  r.curvature += curvature_term / length;
  return r;
}

static along_arc along_wedge(const flat_point* p, double radius)
{
  double a = p->at[2] + radius, b = p->at[0] + radius, rho = sqrt(a * a + b * b);
  int round = a > 0 && b > 0;
  double ga = round ? a / rho : a >= b, gb = round ? b / rho : a < b;
  double across = gb * p->slope[2] - ga * p->slope[0];
  return (along_arc){(round    ? rho
                      : a >= b ? a
                               : b) -
                         radius,
                     ga * p->slope[2] + gb * p->slope[0],
                     (round ? across * across / rho : 0) - ga * p->out[2] - gb * p->out[0]};
}

static along_arc distance_at(const flat_arc* a, double f)
{
  const pc_surface* s = a->surface;
  flat_point p = point_at(a, f);
  switch (s->kind) {
    case PC_SURFACE_CYLINDER:
      return s->sine > 0 ? along_sector(&p, s) : along_cylinder(&p, s->radius, 1);
    case PC_SURFACE_BORE: return along_cylinder(&p, s->radius, -1);
    case PC_SURFACE_WEDGE: return along_wedge(&p, s->radius);
    case PC_SURFACE_FACE: break;
  }
  return along_face(&p, s->half);
}

/* Where local minima are looked for. */
enum { STARTS_MAX = 6 };

typedef struct starts {
  int count;
  double f[STARTS_MAX];
} starts;

static void add_start(starts* to, double f)
{
  to->f[to->count++] = f;
}

/* The point of the circle that is farthest against a direction. */
static double lowest_along(const pc_arc* a, const double n[3], double sign)
{
  return pc_atan2(-sign * dot(n, a->e2), -sign * dot(n, a->e1));
}

/* Over a face the lowest point of the circle is the nearest one. Beside it or too near to a side of
 * the body it may also be where the circle passes the plane of the face, the lowest point as seen
 * from a side, or the point in the direction of the nearest place of the face. */
static void list_face_starts(const pc_surface* s, const pc_arc* a, starts* to)
{
  const double* const side[2] = {s->second, s->third};
  double lowest = lowest_along(a, s->axis, 1), x[3], slope[3], r[3], y[2], towards[3];
  pc_arc_place(a, lowest, x, slope);
  for (int i = 0; i < 3; i++) r[i] = x[i] - s->point[i];
  add_start(to, lowest);
  double height = dot(r, s->axis), beyond = -INFINITY;
  for (int k = 0; k < 2; k++) {
    y[k] = dot(r, side[k]);
    beyond = fmax(beyond, fabs(y[k]) - s->half[k]);
  }
  if (beyond <= 0 && beyond <= height) return;
  for (int k = 0; k < 2; k++) add_start(to, lowest_along(a, side[k], y[k] < 0 ? -1 : 1));
  for (int i = 0; i < 3; i++) r[i] = a->centre[i] - s->point[i];
  double middle = dot(r, s->axis), reach = middle - height;
  if (fabs(middle) < reach) {
    double turn = pc_acos(middle / reach);
    add_start(to, lowest - turn);
    add_start(to, lowest + turn);
  }
  for (int k = 0; k < 2; k++) y[k] = fmax(-s->half[k], fmin(s->half[k], dot(r, side[k])));
  for (int i = 0; i < 3; i++) towards[i] = r[i] - y[0] * s->second[i] - y[1] * s->third[i];
  add_start(to, lowest_along(a, towards, 1));
}

/* Along the offset of the centre, and along the axes of the ellipse that the circle is seen as. */
static void list_cylinder_starts(const pc_surface* s, const pc_arc* a, starts* to)
{
  double n1 = dot(s->axis, a->e1), n2 = dot(s->axis, a->e2);
  double r[3], d[3], turn = s->kind == PC_SURFACE_BORE ? 0 : PI;
  for (int i = 0; i < 3; i++) r[i] = a->centre[i] - s->point[i];
  double along = dot(r, s->axis);
  for (int i = 0; i < 3; i++) d[i] = r[i] - along * s->axis[i];
  add_start(to, pc_atan2(dot(d, a->e2), dot(d, a->e1)) + turn);
  /* Seen along the axis the circle is an ellipse. Its evolute, within which there are two minima,
   * lies within a sin^2/cos of its centre, with the tilt of the axes. */
  double sine = n1 * n1 + n2 * n2, cosine = sqrt(fmax(0, 1 - sine));
  if (cosine * sqrt(dot(d, d)) >= a->radius * sine && dot(d, d) > 0) return;
  if (n1 == 0 && n2 == 0) return;
  double tilt = pc_atan2(n2, n1) + (s->kind == PC_SURFACE_BORE ? PI / 2 : 0);
  add_start(to, tilt);
  add_start(to, tilt + PI);
}

/* Towards the axis, towards the edges at the ends of the face, and across the sides. */
static void list_sector_starts(const pc_surface* s, const pc_arc* a, starts* to)
{
  double r[3], towards[3];
  for (int i = 0; i < 3; i++) r[i] = a->centre[i] - s->point[i];
  double along = dot(r, s->axis);
  for (int i = 0; i < 3; i++) r[i] -= along * s->axis[i];
  add_start(to, lowest_along(a, r, 1));
  for (int end = -1; end <= 1; end += 2) {
    for (int i = 0; i < 3; i++)
      towards[i] = r[i] - s->radius * (s->cosine * s->second[i] + end * s->sine * s->third[i]);
    add_start(to, lowest_along(a, towards, 1));
    for (int i = 0; i < 3; i++) towards[i] = end * s->cosine * s->third[i] - s->sine * s->second[i];
    add_start(to, lowest_along(a, towards, 1));
  }
}

/* Across either normal, and towards the rounding. */
static void list_wedge_starts(const pc_surface* s, const pc_arc* a, starts* to)
{
  double between[3];
  for (int i = 0; i < 3; i++) between[i] = s->axis[i] + s->second[i];
  add_start(to, lowest_along(a, s->axis, 1));
  add_start(to, lowest_along(a, s->second, 1));
  add_start(to, lowest_along(a, between, 1));
}

static starts list_starts(const pc_surface* s, const pc_arc* a)
{
  starts to = {0, {0}};
  switch (s->kind) {
    case PC_SURFACE_CYLINDER:
    case PC_SURFACE_BORE:
      if (s->sine > 0)
        list_sector_starts(s, a, &to);
      else
        list_cylinder_starts(s, a, &to);
      break;
    case PC_SURFACE_FACE: list_face_starts(s, a, &to); break;
    case PC_SURFACE_WEDGE: list_wedge_starts(s, a, &to); break;
  }
  return to;
}

/* Newton's method to a minimum (sense 1) or a maximum (-1). The slope is continuous; where the
 * curvature has the wrong sign a step follows the slope. Once the slope has had both signs the
 * steps stay between these places, and where Newton's method does not halve the interval within two
 * steps, half of it is taken: at the edges of a face the curvature jumps. */
static double follow(const flat_arc* a, double f, double sense)
{
  enum { STEPS_MAX = 100 };
  /* [rad]; a Newton step as short as the second leaves an error of its square; halving ends at the
   * round-off of an angle */
  static const double LONGEST = 0.5, SHORT = 1e-8, FINEST = 1e-15;
  double low = -INFINITY, high = INFINITY, before = INFINITY;
  for (int i = 0; i < STEPS_MAX; i++) {
    along_arc at = distance_at(a, f);
    double slope = sense * at.slope, curvature = sense * at.curvature;
    if (slope == 0 && curvature >= 0) break;
    if (slope > 0)
      high = f;
    else
      low = f;
    double step = curvature > 0 ? -slope / curvature : slope > 0 ? -LONGEST / 2 : LONGEST / 2;
    step = fmax(-LONGEST, fmin(LONGEST, step));
    int slow = i % 2 == 0 && high - low > before / 2;
    if (i % 2 == 0) before = high - low;
    int halve = isfinite(high - low) && (slow || !(f + step > low && f + step < high));
    if (halve) step = (low + high) / 2 - f;
    f += step;
    if (fabs(step) <= (halve ? FINEST : SHORT)) break;
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
  return fabs(pc_sin((f - g) / 2));
}

static int is_whole(const pc_arc* a)
{
  return a->angle >= 2 * PI;
}

/* A stationary point within the arc, or an end of it, with its distance. */
typedef struct candidate {
  pc_arc_point point;
  double distance;
  int is_minimum; /* along the arc, at an end to its inner side */
} candidate;

static candidate candidate_at(const flat_arc* flat, const pc_arc* a, double f)
{
  candidate c = {.point = {wrapped(f), 1, 0, 0}};
  pc_arc_point* p = &c.point;
  if (!is_whole(a) && p->f > a->angle) {
    p->free = 0;
    p->f = p->f - a->angle < 2 * PI - p->f ? a->angle : 0;
  }
  along_arc at = distance_at(flat, p->f);
  p->curvature = at.curvature;
  c.distance = at.distance;
  c.is_minimum = p->free ? at.curvature > 0 : p->f > 0 ? at.slope < 0 : at.slope > 0;
  return c;
}

enum { CANDIDATES_MAX = STARTS_MAX + 3 };

/* From the starts of the surface, and if they all lead to minima outside the arc, from its middle;
 * and its ends. */
static int list_minima(const flat_arc* flat, const pc_arc* a, candidate list[CANDIDATES_MAX])
{
  starts from = list_starts(flat->surface, a);
  int count = 0, within = 0;
  for (int i = 0; i < from.count; i++) {
    list[count] = candidate_at(flat, a, follow(flat, from.f[i], 1));
    within += list[count++].point.free;
  }
  if (!within) list[count++] = candidate_at(flat, a, follow(flat, a->angle / 2, 1));
  for (int end = 0; end < 2 && !is_whole(a); end++) {
    list[count] = candidate_at(flat, a, end ? a->angle : 0);
    list[count++].point.free = 0;
  }
  return count;
}

/* The farthest point: opposite to the nearest, or an end. */
static pc_arc_point farthest(const flat_arc* flat, const pc_arc* a, double nearest)
{
  candidate far = candidate_at(flat, a, follow(flat, nearest + PI, -1));
  for (int end = 0; end < 2 && !is_whole(a); end++) {
    candidate c = candidate_at(flat, a, end ? a->angle : 0);
    c.point.free = 0;
    if (c.distance > far.distance) far = c;
  }
  return far.point;
}

pc_arc_point pc_nearest_on_arc(const pc_surface* s, const pc_arc* a, int second)
{
  static const double DISTINCT = 0.05; /* half-angle sines between two minima */
  candidate list[CANDIDATES_MAX] = {{.distance = 0}};
  const flat_arc flat = flatten(s, a);
  int count = list_minima(&flat, a, list), best = 0, next = -1;
  for (int i = 1; i < count; i++)
    if (list[i].distance < list[best].distance) best = i;
  list[best].point.least = list[best].distance;
  if (!second) return list[best].point;
  for (int i = 0; i < count; i++)
    if (list[i].is_minimum && apart(list[i].point.f, list[best].point.f) > DISTINCT &&
        (next < 0 || list[i].distance < list[next].distance))
      next = i;
  pc_arc_point other = next >= 0 ? list[next].point : farthest(&flat, a, list[best].point.f);
  other.least = list[best].distance;
  return other;
}
