/* A circle or an arc, the edge of a bore, a pin or a plate, against a surface of another body, in
 * space.
 *
 * In the frame of the surface's part the gap at the angle f of the arc is the signed distance of
 * its point, less an offset. The contact is at the angle f* where it is least, so that f* needs no
 * derivative in the row of the gap (dgap/df = 0): the row is the normal at the nearest point. The
 * derivative of that row needs how f* moves with the bodies, which is one Newton step in jets from
 * the converged f*: df* = -d(dgap/df)/(d2gap/df2).
 *
 * A ring in a bore or around a pin can touch in two points, where seen along the axis its ellipse
 * has two minima of the gap; so can an arc that hangs over the edge of a face, on both sides of its
 * lowest point. They are two contacts, made of two elements: the lower minimum, and the other, or,
 * where there is none, the farthest point, which is open. A ring that is concentric and aligned
 * with its cylinder is nearest everywhere: then its first point stands in for all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "elements/arc_surface.h"
#include "elements/attach.h"

typedef struct arc_contact {
  pc_pair pair; /* 0 the arc, 1 the surface */
  double centre[3], e1[3], e2[3];
  double radius, angle, offset;
  pc_surface surface;
  double reach; /* no point of the arc is farther from the origin of its part */
  int second;
  pc_friction friction;
} arc_contact;

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- values ------------------------------------------------------------------------------- */

static void to_surface(const double A[9], const pc_vec* v, double to[3])
{
  const double x[3] = {v->x.v, v->y.v, v->z.v};
  pc_rotation_apply_inverse(A, x, to);
}

/* The nearest point at a configuration, in the frame of the surface. */
typedef struct nearest {
  pc_arc_point point;
  pc_surface_value value;
  double slope[3]; /* of the arc by f */
  double far;      /* no point of the arc is farther from the origin of the surface's part */
} nearest;

static nearest find_nearest(const arc_contact* k, const double A[9], const pc_vec* r,
                            const pc_vec* e1, const pc_vec* e2)
{
  nearest n;
  double x[3];
  pc_arc arc = {.radius = k->radius, .angle = k->angle};
  to_surface(A, r, arc.centre);
  n.far = sqrt(dot(arc.centre, arc.centre)) + k->radius;
  to_surface(A, e1, arc.e1);
  to_surface(A, e2, arc.e2);
  n.point = pc_nearest_on_arc(&k->surface, &arc, k->second);
  pc_arc_place(&arc, n.point.f, x, n.slope);
  pc_surface_at(&k->surface, x, &n.value);
  return n;
}

/* ---- jets --------------------------------------------------------------------------------- */

static const double inertial[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* The normal in inertial axes, a function of the place x of the arc's point relative to the
 * surface's origin: the gradient changes by the Hessian times the change of x in the frame of the
 * surface. */
PC_INLINE pc_vec normal_at(pc_space s, const pc_vec axis[3], const pc_surface_value* v, pc_vec x)
{
  pc_vec n = pc_vec_of(inertial[0]);
  pc_jet local[3];
  for (int i = 0; i < 3; i++) local[i] = pc_vec_dot(s, axis[i], x);
  for (int i = 0; i < 3; i++) {
    pc_jet g = pc_jet_number(v->gradient[i]);
    for (int c = 0; c < s.n; c++)
      g.d[c] = v->hessian[3 * i] * local[0].d[c] + v->hessian[3 * i + 1] * local[1].d[c] +
               v->hessian[3 * i + 2] * local[2].d[c];
    pc_vec share = pc_vec_times(s, axis[i], g);
    n = i ? pc_vec_plus(s, n, 1, share) : share;
  }
  return n;
}

/* Adds to x its change with f: slope is dx/df. */
PC_INLINE pc_vec with_angle(pc_space s, pc_vec x, pc_vec slope, pc_jet f)
{
  for (int c = 0; c < s.n; c++) {
    x.x.d[c] += slope.x.v * f.d[c];
    x.y.d[c] += slope.y.v * f.d[c];
    x.z.d[c] += slope.z.v * f.d[c];
  }
  return x;
}

/* How the angle of the nearest point moves. A minimum without curvature, of a ring that is
 * concentric with its cylinder, and the end of an arc stay. */
PC_INLINE pc_jet angle_at(pc_space s, const arc_contact* k, const nearest* at, pc_vec n,
                          pc_vec slope)
{
  static const double FLAT = 1e-14; /* of the radius: rounding of the curvature */
  pc_jet f = pc_jet_number(at->point.f);
  if (!at->point.free || !(fabs(at->point.curvature) > FLAT * k->radius)) return f;
  pc_jet rise = pc_vec_dot(s, n, slope);
  for (int c = 0; c < s.n; c++) f.d[c] = -rise.d[c] / at->point.curvature;
  return f;
}

PC_INLINE void put_friction(pc_space s, const arc_contact* k, const pc_scene* scene,
                            const pc_local* l, pc_vec n, pc_vec arm0, pc_vec arm1)
{
  if (!k->friction.rows) return;
  if (k->surface.kind == PC_SURFACE_FACE || k->surface.kind == PC_SURFACE_WEDGE) {
    pc_put_turning_friction(s, scene->pair, l, &k->friction, n, arm0, arm1);
    return;
  }
  pc_vec t0 =
      pc_frame_vec(s, &scene->frame[1], k->surface.axis); /* along the cylinder, around it */
  pc_put_spatial_friction(s, scene->pair, l, &k->friction, n, t0, pc_vec_cross(s, t0, n), arm0,
                          arm1);
}

/* A contact with the nearest point at a configuration, found once for both runs of the kernel. */
typedef struct at_point {
  const arc_contact* contact;
  nearest at;
} at_point;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const arc_contact* k = ((const at_point*)data)->contact;
  nearest at = ((const at_point*)data)->at;
  pc_scene scene = pc_scene_at(s, &k->pair, l->q, l->turns);
  const pc_frame *f0 = &scene.frame[0], *f1 = &scene.frame[1];
  pc_vec arm0 = pc_frame_vec(s, f0, k->centre);
  pc_vec e1 = pc_frame_vec(s, f0, k->e1), e2 = pc_frame_vec(s, f0, k->e2);
  pc_vec o0 = pc_frame_origin(s, f0, l->q), o1 = pc_frame_origin(s, f1, l->q);
  pc_vec r = pc_vec_plus(s, pc_vec_plus(s, o0, 1, arm0), -1, o1);
  double c, sine;
  pc_sin_cos(at.point.f, &sine, &c);
  c *= k->radius;
  sine *= k->radius;
  pc_vec reach = pc_vec_plus(s, pc_vec_scaled(s, e1, c), sine, e2);
  pc_vec slope = pc_vec_plus(s, pc_vec_scaled(s, e2, c), -sine, e1);
  pc_vec axis[3];
  for (int i = 0; i < 3; i++) axis[i] = pc_frame_vec(s, f1, inertial[i]);
  pc_vec x = pc_vec_plus(s, r, 1, reach);
  pc_vec n = normal_at(s, axis, &at.value, x);
  if (s.n) {
    pc_jet f = angle_at(s, k, &at, n, slope);
    reach = with_angle(s, reach, slope, f);
    x = with_angle(s, x, slope, f);
    n = normal_at(s, axis, &at.value, x);
  }
  arm0 = pc_vec_plus(s, arm0, 1, reach);
  pc_vec arm1 = pc_vec_plus(s, x, -at.value.distance, n);
  if (s.n) { /* the foot keeps to the surface: the distance changes by n . dx in its frame */
    pc_jet distance = pc_jet_number(at.value.distance);
    for (int i = 0; i < 3; i++) {
      pc_jet local = pc_vec_dot(s, axis[i], x);
      for (int d = 0; d < s.n; d++) distance.d[d] += at.value.gradient[i] * local.d[d];
    }
    arm1 = pc_vec_plus(s, x, -1, pc_vec_times(s, n, distance));
  }
  pc_put_row(s, &scene, l, 0, n, 0, arm0, arm1);
  put_friction(s, k, &scene, l, n, arm0, arm1);
}

/* ---- rows without derivatives --------------------------------------------------------------- */

/* A vector that is fixed in a part, in inertial axes. */
static void turned(const pc_pair* pair, const pc_turn turn[2], int part, const double v[3],
                   double to[3])
{
  if (pair->place[part].kind == PC_PART_SPATIAL_BODY)
    pc_rotation_apply(turn[part].A, v, to);
  else
    memcpy(to, v, 3 * sizeof *to);
}

/* The point of contact as the kernel has it, in plain numbers: this is what most schemes ask for,
 * and jets cost several times as much also where they have no derivatives. */
static pc_touch touch_at(const arc_contact* k, const nearest* at, const pc_turn turn[2],
                         const double* q)
{
  static const double origin[3] = {0, 0, 0};
  const pc_place* place = k->pair.place;
  const double* o0 = place[0].kind == PC_PLACE_GROUND ? origin : q + place[0].first;
  const double* o1 = place[1].kind == PC_PLACE_GROUND ? origin : q + place[1].first;
  pc_touch to;
  double c, s, e1[3], e2[3], *arm0 = to.arm[0], *arm1 = to.arm[1];
  turned(&k->pair, turn, 0, k->centre, arm0);
  turned(&k->pair, turn, 0, k->e1, e1);
  turned(&k->pair, turn, 0, k->e2, e2);
  turned(&k->pair, turn, 1, at->value.gradient, to.n);
  pc_sin_cos(at->point.f, &s, &c);
  for (int i = 0; i < 3; i++) {
    double reach = k->radius * c * e1[i] + k->radius * s * e2[i];
    arm1[i] = o0[i] + arm0[i] - o1[i] + reach - at->value.distance * to.n[i];
    arm0[i] += reach;
  }
  return to;
}

static void put_values(const arc_contact* k, const nearest* at, pc_local* l)
{
  pc_turn turn[2];
  pc_turn_at(&k->pair, l->q, 0, turn);
  const pc_touch to = touch_at(k, at, turn, l->q);
  pc_put_spatial_values(turn, &k->pair, l, 0, to.n, 0, to.arm[0], to.arm[1]);
  if (!k->friction.rows) return;
  if (k->surface.kind == PC_SURFACE_FACE || k->surface.kind == PC_SURFACE_WEDGE) {
    pc_put_turning_friction_values(turn, &k->pair, l, &k->friction, &to);
    return;
  }
  double t0[3], t1[3]; /* along the cylinder, around it */
  turned(&k->pair, turn, 1, k->surface.axis, t0);
  pc_cross(t0, to.n, t1);
  pc_put_friction_values(turn, &k->pair, l, &k->friction, &to, t0, t1);
}

/* The gap, and what the rows need. */
static nearest nearest_at(const arc_contact* k, const double* q)
{
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  pc_turn turn[2];
  pc_turn_at(&k->pair, q, 0, turn);
  const pc_space s = {3, 0, 0, turn};
  pc_scene scene = pc_scene_at(s, &k->pair, q, NULL);
  const pc_frame *f0 = &scene.frame[0], *f1 = &scene.frame[1];
  pc_vec c = pc_vec_plus(s, pc_frame_origin(s, f0, q), 1, pc_frame_vec(s, f0, k->centre));
  pc_vec r = pc_vec_plus(s, c, -1, pc_frame_origin(s, f1, q));
  pc_vec e1 = pc_frame_vec(s, f0, k->e1), e2 = pc_frame_vec(s, f0, k->e2);
  int turned = k->pair.place[1].kind == PC_PART_SPATIAL_BODY;
  return find_nearest(k, turned ? turn[1].A : identity, &r, &e1, &e2);
}

/* The last search, so that gap, W and W_q at the same coordinates share one. */
typedef struct search {
  int done;
  double q[PC_PAIR_Q_MAX];
  nearest at;
} search;

static pc_status prepare(const void* data, unsigned mask, void** work)
{
  (void)data, (void)mask;
  *work = pc_alloc(1, sizeof(search));
  return *work ? PC_OK : PC_OUT_OF_MEMORY;
}

static nearest search_at(const arc_contact* k, const double* q, search* last)
{
  size_t size = (size_t)k->pair.q_count * sizeof *q;
  if (!last) return nearest_at(k, q);
  if (last->done && !memcmp(q, last->q, size)) return last->at;
  last->at = nearest_at(k, q);
  memcpy(last->q, q, size);
  last->done = 1;
  return last->at;
}

/* No point of a part within `far` [m] of its origin has moved more than this between two
 * configurations. For unit quaternions |A - A_0| <= 2 |p - p_0|; Newton's iterates are that up to
 * less than a tenth. */
static double movement(const pc_place* place, const double* q_0, const double* q, double far)
{
  double x = 0, p = 0;
  for (int i = place->first; i < place->first + place->width; i++) {
    double d = (q[i] - q_0[i]) * (q[i] - q_0[i]);
    if (i < place->first + 3)
      x += d;
    else
      p += d;
  }
  return sqrt(x) + 2.5 * far * sqrt(p);
}

/* Distances from a surface change by no more than the point moves in its frame. */
static double least_gap(const void* data, const pc_local* l)
{
  static const double ROUND_OFF = 1e-12; /* of the lengths at hand */
  const arc_contact* k = data;
  const search* last = l->work;
  if (!last || !last->done) return -1;
  double arm = k->reach, far = last->at.far;
  double moved = movement(&k->pair.place[0], last->q, l->q, arm) +
                 movement(&k->pair.place[1], last->q, l->q, far);
  return last->at.point.least - k->offset - moved - ROUND_OFF * (arm + far);
}

static void evaluate(const void* data, pc_local* l)
{
  const arc_contact* k = data;
  const at_point at = {k, search_at(k, l->q, l->work)};
  if (l->y) l->y[0] = at.at.value.distance - k->offset;
  if (l->W_q)
    pc_run_spatial_kernel(kernel, &at, &k->pair, l, 1);
  else if (l->W)
    put_values(k, &at.at, l);
}

static void shape(const void* data, pc_shape* s)
{
  const arc_contact* k = data;
  *s = (pc_shape){.kind = PC_SHAPE_ARC, .contact = s->contact, .surface = k->surface.kind};
  for (int i = 0; i < 2; i++)
    s->at[i].part.index = k->pair.place[i].kind == PC_PART_SPATIAL_BODY ? i : -1;
  for (int i = 0; i < 3; i++) {
    s->at[0].at[i] = k->centre[i];
    s->at[1].at[i] = k->surface.point[i];
    s->start[i] = k->e1[i];
    s->axis[i] = k->surface.axis[i];
    s->across[i] = k->surface.second[i];
  }
  pc_cross(k->e1, k->e2, s->rim);
  s->radius[0] = k->radius;
  s->radius[1] = k->surface.radius;
  s->angle = k->angle;
  for (int i = 0; i < 2; i++) s->size[i] = 2 * k->surface.half[i];
  s->other = k->second;
}

static const pc_element_ops ops = {.kind = "arc",
                                   .evaluate = evaluate,
                                   .least_gap = least_gap,
                                   .prepare = prepare,
                                   .release = free,
                                   .shape = shape};

/* ---- adding ------------------------------------------------------------------------------- */

static const double SQUARE = 1e-6; /* cosines of directions that are at right angles */

/* A direction at right angles to a given unit vector. */
static pc_status check_across(const pc_adding* a, const char* field, const double v[3],
                              const char* other, const double unit[3], double to[3])
{
  PC_TRY(pc_check_direction(a, field, v, to));
  double cosine = dot(to, unit);
  if (fabs(cosine) > SQUARE)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': %s is not at right angles to %s: their cosine is %g", a->kind, a->name,
                   field, other, cosine);
  for (int i = 0; i < 3; i++) to[i] -= cosine * unit[i];
  return PC_OK;
}

/* The sector of a cylinder from `surface_second` on, about its axis. */
static pc_status prepare_sector(const pc_adding* a, const pc_arc_contact_def* def, pc_surface* s)
{
  static const double MOST = 3.1415926536; /* pi, as it is written: the sides go to the axis */
  double from[3], across[3];
  PC_TRY(pc_check_positive(a, "surface_angle", def->surface_angle));
  if (def->surface_angle > MOST)
    return pc_fail(a->error, PC_BAD_MODEL,
                   "%s '%s': a cylinder goes all round or at most by pi, not by %g rad", a->kind,
                   a->name, def->surface_angle);
  PC_TRY(check_across(a, "surface_second", def->surface_second, "surface_axis", s->axis, from));
  pc_cross(s->axis, from, across);
  pc_sin_cos(def->surface_angle / 2, &s->sine, &s->cosine);
  s->cosine = fmax(0, s->cosine);
  for (int i = 0; i < 3; i++) s->second[i] = s->cosine * from[i] + s->sine * across[i];
  pc_cross(s->axis, s->second, s->third);
  return PC_OK;
}

static pc_status prepare_surface(const pc_adding* a, const pc_arc_contact_def* def, pc_surface* s)
{
  *s = (pc_surface){.kind = def->surface, .radius = def->surface_radius};
  PC_TRY(pc_check_finite(a, "surface_point", 3, def->surface_point));
  PC_TRY(pc_check_direction(a, "surface_axis", def->surface_axis, s->axis));
  for (int i = 0; i < 3; i++) s->point[i] = def->surface_point[i];
  for (int i = 0; i < 2; i++) s->half[i] = def->size[i] / 2;
  switch (def->surface) {
    case PC_SURFACE_CYLINDER:
    case PC_SURFACE_BORE:
      PC_TRY(pc_check_positive(a, "surface_radius", def->surface_radius));
      if (def->surface == PC_SURFACE_CYLINDER && def->surface_angle != 0)
        return prepare_sector(a, def, s);
      pc_basis_of(s->axis, s->second, s->third);
      return PC_OK;
    case PC_SURFACE_FACE:
      PC_TRY(pc_check_positive(a, "size[0]", def->size[0]));
      PC_TRY(pc_check_positive(a, "size[1]", def->size[1]));
      break;
    case PC_SURFACE_WEDGE:
      PC_TRY(pc_check_not_negative(a, "surface_radius", def->surface_radius));
      break;
  }
  PC_TRY(
      check_across(a, "surface_second", def->surface_second, "surface_axis", s->axis, s->second));
  pc_cross(s->axis, s->second, s->third);
  return PC_OK;
}

static pc_status prepare_arc(const pc_adding* a, const pc_arc_contact_def* def, arc_contact* k)
{
  double axis[3];
  PC_TRY(pc_check_finite(a, "centre.at", 3, def->centre.at));
  PC_TRY(pc_check_positive(a, "radius", def->radius));
  PC_TRY(pc_check_positive(a, "angle", def->angle));
  PC_TRY(pc_check_finite(a, "offset", 1, &def->offset));
  PC_TRY(pc_check_direction(a, "axis", def->axis, axis));
  int has_from = def->from[0] != 0 || def->from[1] != 0 || def->from[2] != 0;
  if (has_from)
    PC_TRY(check_across(a, "from", def->from, "axis", axis, k->e1));
  else
    pc_basis_of(axis, k->e1, k->e2);
  pc_cross(axis, k->e1, k->e2);
  for (int i = 0; i < 3; i++) k->centre[i] = def->centre.at[i];
  k->radius = def->radius;
  k->angle = def->angle;
  k->reach = sqrt(dot(k->centre, k->centre)) + k->radius;
  k->offset = def->offset;
  return PC_OK;
}

/* The normal at the start, for the tangents of faces and wedges. */
static void choose_tangents(const pc_system* system, const pc_arc_contact_def* def, arc_contact* k)
{
  double A[9], origin[3], v[3], normal[3];
  pc_vec r, e[2];
  pc_initial_from_part(system, def->part, (const double[3]){0, 0, 0}, origin);
  for (int i = 0; i < 3; i++) {
    pc_initial_direction_to_part(system, def->part, inertial[i], v);
    for (int j = 0; j < 3; j++)
      A[3 * i + j] = v[j]; /* row i: inertial axis i in the part's frame */
  }
  pc_initial_from_part(system, def->centre.part, k->centre, v);
  for (int i = 0; i < 3; i++) v[i] -= origin[i];
  r = pc_vec_of(v);
  for (int n = 0; n < 2; n++) {
    double tip[3], at[3];
    for (int i = 0; i < 3; i++) at[i] = k->centre[i] + (n ? k->e2 : k->e1)[i];
    pc_initial_from_part(system, def->centre.part, at, tip);
    for (int i = 0; i < 3; i++) tip[i] -= origin[i] + v[i];
    e[n] = pc_vec_of(tip);
  }
  nearest at = find_nearest(k, A, &r, &e[0], &e[1]);
  pc_rotation_apply(A, at.value.gradient, normal);
  pc_choose_sphere_tangents(normal, &k->friction);
}

static pc_status add_point(const pc_adding* a, const pc_arc_contact_def* def, arc_contact* k,
                           const char* name)
{
  const pc_part_id part[2] = {def->centre.part, def->part};
  pc_contact_law law = def->law;
  law.name = name;
  PC_TRY(pc_attach_contact(a, &law, part, (const char* const[]){"centre.part", "part"}, &k->pair,
                           &k->friction));
  choose_tangents(a->system, def, k);
  pc_adding own = *a;
  own.name = name;
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = part,
      .contact_count = 1,
      .contact = &law,
      .contact_dimension = &k->friction.rows,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&own, &element, k, sizeof *k);
}

/* A circle on a cylinder does where it is tilted; a circle or an arc on a face does beside the
 * face, where it passes its plane, and with its two ends. */
static int can_touch_twice(const pc_arc_contact_def* def)
{
  int whole = def->angle >= 2 * 3.14159265358979323846;
  int round = def->surface == PC_SURFACE_CYLINDER || def->surface == PC_SURFACE_BORE;
  return def->surface == PC_SURFACE_FACE || (round && whole);
}

pc_status pc_add_arc_contact(pc_system* system, const pc_arc_contact_def* def, pc_contact_id* id,
                             pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_contact(system, &def->law, id);
  pc_adding a = {system, ops.kind, def->law.name, error};
  arc_contact k = {0};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_spatial(&a));
  PC_TRY(prepare_arc(&a, def, &k));
  PC_TRY(prepare_surface(&a, def, &k.surface));
  PC_TRY(add_point(&a, def, &k, def->law.name));
  if (!can_touch_twice(def)) return PC_OK;
  char name[128];
  snprintf(name, sizeof name, "%.100s.2", def->law.name);
  k.second = 1;
  return add_point(&a, def, &k, name);
}
