/* Contacts of two shapes beside distances by brute force, and the same contacts wherever the pair
 * is: translated, turned, mirrored, scaled.
 *
 * Each pair of kinds of shapes is tried 1000 times, or as the environment variable PERCUSS_PAIRS
 * says: apart, touching, deep, with edges nearly parallel, with faces flush. PERCUSS_SEED begins
 * other random numbers. */
#include <stdlib.h>

#include "invariance/brute.h"

static const pc_geometry_kind planar[] = {PC_GEOMETRY_DISC, PC_GEOMETRY_RECTANGLE,
                                          PC_GEOMETRY_POLYGON, PC_GEOMETRY_STADIUM,
                                          PC_GEOMETRY_SEGMENT};
static const pc_geometry_kind spatial[] = {PC_GEOMETRY_SPHERE,    PC_GEOMETRY_BOX,
                                           PC_GEOMETRY_CAPSULE,   PC_GEOMETRY_CYLINDER,
                                           PC_GEOMETRY_ELLIPSOID, PC_GEOMETRY_POLYHEDRON};
enum { PLANAR = sizeof planar / sizeof *planar, SPATIAL = sizeof spatial / sizeof *spatial };

static int pairs_of_kind(int usual)
{
  const char* said = getenv("PERCUSS_PAIRS");
  return said && atoi(said) > 0 ? atoi(said) : usual;
}

static uint64_t seed(void)
{
  const char* said = getenv("PERCUSS_SEED");
  return said ? 1000003 * (uint64_t)strtoul(said, NULL, 10) : 0;
}

/* ---- random shapes ------------------------------------------------------------------------- */

/* What a shape is made of, so that it can be made again, mirrored or of another size. */
typedef struct recipe {
  pc_geometry_def def;
  double corner[3 * 20];
} recipe;

static recipe random_recipe(random_source* r, pc_geometry_kind kind, double size)
{
  recipe a = {.def = {.kind = kind}};
  a.def.radius = size * uniform(r, 0.2, 0.6);
  a.def.length = size * uniform(r, 0.3, 1.5);
  for (int i = 0; i < 3; i++) a.def.size[i] = size * uniform(r, 0.3, 1);
  if (kind == PC_GEOMETRY_POLYGON) {
    int count = a.def.corner_count = 3 + (int)uniform(r, 0, 6);
    double angle = uniform(r, 0, 6);
    for (int i = 0; i < count; i++) {
      a.corner[2 * i] = a.def.size[0] * cos(angle);
      a.corner[2 * i + 1] = a.def.size[1] * sin(angle);
      angle += 2 * 3.14159265358979 / count * uniform(r, 0.7, 1);
    }
  } else if (kind == PC_GEOMETRY_POLYHEDRON) {
    a.def.corner_count = 4 + (int)uniform(r, 0, 12);
    for (int i = 0; i < a.def.corner_count; i++)
      pc_v3_put(pc_v3_scaled(size * uniform(r, 0.6, 1), random_unit(r, 3)), a.corner + 3 * i);
  }
  return a;
}

static pc_geometry* make_recipe(const recipe* a)
{
  pc_geometry_def def = a->def;
  def.corner = a->corner;
  return make_shape(&def);
}

static pc_geometry* make_scaled(const recipe* a, double by)
{
  recipe b = *a;
  b.def.radius *= by;
  b.def.length *= by;
  for (int i = 0; i < 3; i++) b.def.size[i] *= by;
  for (size_t i = 0; i < sizeof b.corner / sizeof *b.corner; i++) b.corner[i] *= by;
  return make_recipe(&b);
}

/* In the mirror x -> -x of its frame; all but polygons and polyhedra are their own images. */
static pc_geometry* make_mirrored(const recipe* a)
{
  recipe b = *a;
  int dimension = pc_geometry_kind_dimension(a->def.kind);
  for (int i = 0; i < b.def.corner_count; i++) b.corner[dimension * i] *= -1;
  return make_recipe(&b);
}

/* ---- random places ------------------------------------------------------------------------- */

typedef enum situation { APART, TOUCHING, DEEP, PARALLEL, FLUSH, SITUATIONS } situation;

static const char* const situation_name[] = {"apart", "touching", "deep", "edges nearly parallel",
                                             "faces flush"};

/* A direction of a shape in its frame and a point on it: an edge or axis, or the normal of a face
 * and its middle; any where there is none. */
static pc_v3 pick_direction(random_source* r, const pc_geometry* g, int face, pc_v3* at)
{
  const pc_polytope* p = g->polytope;
  *at = (pc_v3){0};
  if (g->kind == PC_GEOMETRY_CYLINDER) {
    pc_v3 up = {0, 0, 1};
    double side = uniform(r, -1, 1) < 0 ? -1 : 1;
    *at = face ? pc_v3_scaled(side * g->half[0], up) : (pc_v3){g->radius, 0, 0};
    return pc_v3_scaled(side, up);
  }
  if (face && p && p->face_count) {
    int f = (int)uniform(r, 0, p->face_count), count = p->face_first[f + 1] - p->face_first[f];
    for (int i = 0; i < count; i++)
      *at = pc_v3_along(*at, 1.0 / count, p->corner[p->face_corner[p->face_first[f] + i]]);
    *at = pc_v3_along(*at, g->radius, p->normal[f]);
    return p->normal[f];
  }
  if (p && p->corner_count > 1) {
    int a = 0, b = 1;
    if (p->edge_count) {
      int e = (int)uniform(r, 0, p->edge_count);
      a = p->edge[e].corner[0], b = p->edge[e].corner[1];
    }
    *at = pc_v3_scaled(0.5, pc_v3_plus(p->corner[a], p->corner[b]));
    pc_v3 d = pc_v3_unit(pc_v3_minus(p->corner[b], p->corner[a]), (pc_v3){0});
    return d;
  }
  return random_unit(r, g->dimension);
}

/* The columns d and two vectors normal to it. */
static pc_pose frame_of(pc_v3 d, int dimension)
{
  double n[3], a[3], b[3];
  pc_v3_put(d, n);
  if (dimension == 2)
    a[0] = -n[1], a[1] = n[0], a[2] = 0, b[0] = b[1] = 0, b[2] = 1;
  else
    pc_basis_of(n, a, b);
  pc_pose p = {{0}, {0}};
  for (int i = 0; i < 3; i++) p.A[3 * i] = n[i], p.A[3 * i + 1] = a[i], p.A[3 * i + 2] = b[i];
  return p;
}

static pc_pose inverse_turn(const pc_pose* p)
{
  pc_pose r = {{0}, {0}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) r.A[3 * i + k] = p->A[3 * k + i];
  return r;
}

static pc_pose small_turn(random_source* r, int dimension, double angle)
{
  if (dimension == 2) return pc_pose_planar(0, 0, angle);
  double p[4], w[3];
  pc_v3_put(pc_v3_scaled(angle, random_unit(r, 3)), w);
  pc_rotation_exp(w, p);
  return pc_pose_spatial((const double[]){0, 0, 0}, p);
}

/* Turns shape 0 so that its direction is `sign` times that of shape 1, but for a small angle, and
 * brings the two points together, but for a shift. */
static void align(two* t, random_source* r, int face, double sign)
{
  static const double angle[] = {0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  const pc_geometry* g[2] = {t->collider[0].geometry, t->collider[1].geometry};
  int dimension = g[0]->dimension;
  pc_v3 at[2];
  pc_v3 d0 = pick_direction(r, g[0], face, &at[0]), d1 = pick_direction(r, g[1], face, &at[1]);
  pc_pose own = frame_of(d0, dimension), other = frame_of(pc_v3_scaled(sign, d1), dimension);
  pc_pose about = pc_pose_identity();
  if (dimension == 3) { /* about the common direction */
    double c, s;
    pc_sin_cos(uniform(r, -3, 3), &s, &c);
    about.A[4] = about.A[8] = c, about.A[5] = -s, about.A[7] = s;
  }
  pc_pose back = inverse_turn(&own), spun = pc_pose_product(&about, &back);
  pc_pose to = pc_pose_product(&other, &spun);
  pc_pose tilt = small_turn(r, dimension, angle[(int)uniform(r, 0, 11)]);
  to = pc_pose_product(&tilt, &to); /* the axes of shape 0 in the frame of shape 1 */
  double size = fmin(g[0]->extent, g[1]->extent), sideways = face ? uniform(r, 0, 1.2) : 0.2;
  static const double lift[] = {0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-5, -1e-5, 1e-2, -1e-2};
  pc_v3 shift = pc_v3_scaled(sideways * size, random_unit(r, dimension));
  if (face) shift = pc_v3_across(shift, d1);
  if (face) shift = pc_v3_along(shift, size * lift[(int)uniform(r, 0, 9)], d1);
  pc_v3 x = pc_v3_minus(pc_v3_plus(at[1], shift), pc_pose_turn(&to, at[0]));
  pc_v3_put(x, to.x);
  /* The same in the world, with the shapes on their bodies. */
  pc_pose shape1 = pc_pose_product(&t->body[1], &t->collider[1].pose);
  pc_pose shape0 = pc_pose_product(&shape1, &to);
  pc_pose inner = inverse_turn(&t->collider[0].pose);
  t->body[0] = pc_pose_product(&shape0, &inner);
  pc_v3 arm = pc_pose_turn(&t->body[0], pc_v3_of(t->collider[0].pose.x));
  pc_v3_put(pc_v3_minus(pc_v3_of(shape0.x), arm), t->body[0].x);
}

/* Positions are multiples of this part of the size, so that the pair can be moved without any
 * round-off. */
static const double GRID = 0x1p-32;

static void round_positions(two* t, double size)
{
  double unit_of = GRID * pow(2, ceil(log2(size)));
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) t->body[i].x[k] = unit_of * round(t->body[i].x[k] / unit_of);
}

static double size_of(const two* t)
{
  return t->collider[0].geometry->extent + t->collider[1].geometry->extent;
}

static two place_pair(random_source* r, finder* f, const pc_geometry* a, const pc_geometry* b,
                      situation s)
{
  two t = {.collider = {{.geometry = a, .body = 0}, {.geometry = b, .body = 1}}};
  double size = a->extent + b->extent;
  for (int i = 0; i < 2; i++) {
    t.body[i] = random_pose(r, a->dimension, 0);
    t.collider[i].pose = random_pose(r, a->dimension, uniform(r, -1, 1) < 0 ? 0 : 0.3 * size);
    if (uniform(r, -1, 1) < 0) t.collider[i].pose = pc_pose_identity();
    if (a->dimension == 2) t.collider[i].pose.x[2] = 0;
  }
  if (s == PARALLEL || s == FLUSH) {
    align(&t, r, s == FLUSH, s == FLUSH ? -1 : uniform(r, -1, 1) < 0 ? -1 : 1);
  } else {
    double far = s == DEEP ? uniform(r, 0, 0.5) : uniform(r, 0.7, 2);
    pc_v3 x = pc_v3_scaled(far * size, random_unit(r, a->dimension));
    pc_v3 arm0 = pc_pose_turn(&t.body[0], pc_v3_of(t.collider[0].pose.x));
    pc_v3 arm1 = pc_pose_turn(&t.body[1], pc_v3_of(t.collider[1].pose.x));
    pc_v3_put(pc_v3_plus(pc_v3_minus(x, arm0), arm1), t.body[0].x);
  }
  if (s == TOUCHING) {
    static const double target[] = {0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3};
    assert_true(find(f, &t, 20 * size) >= 1);
    pc_v3 n = pc_v3_of(f->list.item[0].geometry.n);
    double by = size * target[(int)uniform(r, 0, 9)] - f->list.item[0].gap;
    pc_v3_put(pc_v3_along(pc_v3_of(t.body[0].x), by, n), t.body[0].x);
  }
  round_positions(&t, size);
  return t;
}

/* ---- the distance -------------------------------------------------------------------------- */

typedef struct label {
  const two* t;
  situation situation;
  int trial;
} label;

static void describe(const label* l)
{
  const pc_geometry *a = l->t->collider[0].geometry, *b = l->t->collider[1].geometry;
  print_error("%s and %s, %s, trial %d: ", pc_geometry_kind_name(a->kind),
              pc_geometry_kind_name(b->kind), situation_name[l->situation], l->trial);
}

static long failures;

#define EXPECT(condition, l, ...)                                 \
  do {                                                            \
    if (!(condition)) {                                           \
      if (failures++ < 40) describe(l), print_error(__VA_ARGS__); \
    }                                                             \
  } while (0)

/* Relative to the size of the pair. */
static const double TOLERANCE = 1e-12;

static int has_corners(const pc_geometry* g)
{
  return g->polytope != NULL;
}

static void check_distance(const label* l, const finder* f, random_source* r)
{
  const two* t = l->t;
  const pc_found* found = &f->list.item[0];
  const body b[2] = {place_body(t, 0), place_body(t, 1)};
  double size = size_of(t), gap = found->gap, tolerance = TOLERANCE * size;
  pc_contact_point at = pc_contact_at(&found->geometry, t->body);
  EXPECT(at.gap == gap, l, "the row has %.17g, found was %.17g\n", at.gap, gap);
  int corners = has_corners(t->collider[0].geometry) && has_corners(t->collider[1].geometry);
  if (corners) {
    double distance = (double)distance_of_polytopes(b);
    EXPECT(fabs(gap - distance) <= tolerance, l,
           "gap %.17g, by brute force %.17g (%.3g), features %lx\n", gap, distance, gap - distance,
           (unsigned long)found->feature);
    return;
  }
  /* The separation along any normal is a lower bound of the distance; the points are an upper bound
   * if the shapes are apart. A rim that is tilted by less than a thousand times round-off gives way
   * to points of the faces that are flush, whose normals are not quite that of the distance. */
  int has_rim = t->collider[0].geometry->kind == PC_GEOMETRY_CYLINDER ||
                t->collider[1].geometry->kind == PC_GEOMETRY_CYLINDER;
  double tilt = has_rim && l->situation == FLUSH ? 1e-9 * size : 0;
  double along_n = -INFINITY;
  for (int i = 0; i < f->list.count; i++)
    along_n =
        fmax(along_n, (double)separation_along(b, vec_of(pc_v3_of(f->list.item[i].geometry.n))));
  EXPECT(fabs(gap - along_n) <= fmax(tolerance, tilt), l, "gap %.17g, S(n) %.17g (%.3g)\n", gap,
         along_n, gap - along_n);
  double distance = (double)distance_of_curved(b);
  EXPECT(gap >= distance - tolerance, l, "gap %.17g, by brute force at least %.17g (%.3g)\n", gap,
         distance, gap - distance);
  if (gap < 0) return;
  double out[2] = {outside(t, 0, at.c[0], pc_v3_scaled(-1, at.n), r),
                   outside(t, 1, at.c[1], at.n, r)};
  EXPECT(out[0] <= tolerance && out[1] <= tolerance, l, "points are %.3g and %.3g outside\n",
         out[0], out[1]);
}

/* ---- the same contacts --------------------------------------------------------------------- */

static pc_found_list copy_of(const pc_found_list* list)
{
  pc_found_list copy = {malloc(((size_t)list->count + 1) * sizeof *list->item), list->count, 0};
  for (int i = 0; i < list->count; i++) copy.item[i] = list->item[i];
  return copy;
}

/* Qhull may number the faces of a hull differently if it is scaled. */
static int have_other_faces(const pc_polytope* a, const pc_polytope* b)
{
  if (!a) return 0;
  if (a->face_count != b->face_count) return 1;
  if (a->face_count == 0) return 0; /* there are no lists */
  int corners = a->face_first[a->face_count];
  return memcmp(a->face_first, b->face_first, ((size_t)a->face_count + 1) * sizeof(int)) != 0 ||
         memcmp(a->face_corner, b->face_corner, (size_t)corners * sizeof(int)) != 0;
}

/* The same contacts, their gaps times `scale` and their normals turned: to `tolerance` in gaps. */
static void check_same(const label* l, const char* what, const pc_found_list* want,
                       const pc_found_list* got, const pc_pose* turned, double scale,
                       double tolerance, double angle, int renumbered)
{
  EXPECT(want->count == got->count, l, "%s: %d contacts, not %d\n", what, got->count, want->count);
  if (want->count != got->count) return;
  for (int i = 0; i < want->count; i++) {
    const pc_found *a = &want->item[i], *b = &got->item[i];
    pc_v3 n = pc_pose_turn(turned, pc_v3_of(a->geometry.n));
    double off = pc_v3_length(pc_v3_minus(n, pc_v3_of(b->geometry.n)));
    EXPECT(a->feature == b->feature || renumbered, l, "%s: contact %d is %lx, not %lx\n", what, i,
           (unsigned long)b->feature, (unsigned long)a->feature);
    EXPECT(fabs(b->gap - scale * a->gap) <= tolerance, l, "%s: gap %.17g, not %.17g\n", what,
           b->gap, scale * a->gap);
    EXPECT(off <= angle, l, "%s: normal off by %.3g\n", what, off);
  }
}

static pc_v3 random_shift(random_source* r, int dimension, double far)
{
  pc_v3 x = {uniform(r, -far, far), uniform(r, -far, far), uniform(r, -far, far)};
  if (dimension == 2) x.z = 0;
  return x;
}

static void move_bodies(two* t, pc_v3 by)
{
  for (int i = 0; i < 2; i++) pc_v3_put(pc_v3_plus(pc_v3_of(t->body[i].x), by), t->body[i].x);
}

/* To a place where the positions of both bodies have no round-off: the same bits. */
static void check_exact_move(const label* l, finder* f, double margin, const pc_found_list* want,
                             random_source* r)
{
  two moved = *l->t;
  double size = pow(2, ceil(log2(size_of(l->t))));
  pc_v3 by = random_shift(r, moved.collider[0].geometry->dimension, 1);
  by = pc_v3_scaled(pow(2, (int)uniform(r, 3, 20)), by);
  by = (pc_v3){size * GRID * round(by.x / GRID), size * GRID * round(by.y / GRID),
               size * GRID * round(by.z / GRID)};
  move_bodies(&moved, by);
  find(f, &moved, margin);
  const pc_pose none = pc_pose_identity();
  check_same(l, "moved", want, &f->list, &none, 1, 0, 0, 0);
}

/* Anywhere: the distance changes by no more than the positions, whose coordinates are rounded. */
static void check_move(const label* l, finder* f, double margin, const pc_found_list* want,
                       random_source* r)
{
  two moved = *l->t;
  double size = size_of(l->t), far = size * pow(10, uniform(r, 1, 6));
  move_bodies(&moved, random_shift(r, moved.collider[0].geometry->dimension, far));
  find(f, &moved, margin);
  double gap = f->list.count ? f->list.item[0].gap : INFINITY, most = 0;
  for (int i = 0; i < 2; i++) most += pc_v3_length(pc_v3_of(moved.body[i].x));
  double tolerance = DBL_EPSILON * most + TOLERANCE * size;
  EXPECT(fabs(gap - want->item[0].gap) <= tolerance, l, "moved by %.3g: gap %.17g, not %.17g\n",
         far, gap, want->item[0].gap);
}

static void check_scale(const label* l, const recipe own[2], finder* f, double margin,
                        const pc_found_list* want, random_source* r)
{
  two scaled = *l->t;
  double by = pow(2, (int)uniform(r, -20, 20));
  pc_geometry* g[2];
  for (int i = 0; i < 2; i++) {
    scaled.collider[i].geometry = g[i] = make_scaled(&own[i], by);
    for (int k = 0; k < 3; k++) scaled.body[i].x[k] *= by, scaled.collider[i].pose.x[k] *= by;
  }
  find(f, &scaled, by * margin);
  const pc_pose none = pc_pose_identity();
  int renumbered = 0;
  for (int i = 0; i < 2; i++)
    renumbered |= have_other_faces(l->t->collider[i].geometry->polytope, g[i]->polytope);
  double off = renumbered ? TOLERANCE : 0; /* sums in another order */
  check_same(l, "scaled", want, &f->list, &none, by, off * by * size_of(l->t), off, renumbered);
  for (int i = 0; i < 2; i++) pc_geometry_destroy(g[i]);
}

/* By any angle: the same contacts but for round-off. */
static void check_turn(const label* l, finder* f, double margin, const pc_found_list* want,
                       random_source* r)
{
  two turned = *l->t;
  pc_pose by = random_pose(r, turned.collider[0].geometry->dimension, 0);
  for (int i = 0; i < 2; i++) turned.body[i] = pc_pose_product(&by, &l->t->body[i]);
  find(f, &turned, margin);
  double tolerance = TOLERANCE * size_of(l->t);
  EXPECT(f->list.count > 0 && fabs(f->list.item[0].gap - want->item[0].gap) <= tolerance, l,
         "turned: gap %.17g, not %.17g\n", f->list.count ? f->list.item[0].gap : INFINITY,
         want->item[0].gap);
}

/* x -> -x of the world and of the frames of the shapes. */
static void check_mirror(const label* l, const recipe own[2], finder* f, double margin,
                         const pc_found_list* want)
{
  two mirrored = *l->t;
  pc_geometry* g[2];
  for (int i = 0; i < 2; i++) {
    mirrored.collider[i].geometry = g[i] = make_mirrored(&own[i]);
    pc_pose* pose[2] = {&mirrored.body[i], &mirrored.collider[i].pose};
    for (int k = 0; k < 2; k++) {
      pose[k]->x[0] *= -1;
      for (int e = 0; e < 9; e++)
        if ((e / 3 == 0) != (e % 3 == 0)) pose[k]->A[e] *= -1;
    }
  }
  find(f, &mirrored, margin);
  double tolerance = TOLERANCE * size_of(l->t);
  EXPECT(f->list.count > 0 && fabs(f->list.item[0].gap - want->item[0].gap) <= tolerance, l,
         "mirrored: gap %.17g, not %.17g\n", f->list.count ? f->list.item[0].gap : INFINITY,
         want->item[0].gap);
  for (int i = 0; i < 2; i++) pc_geometry_destroy(g[i]);
}

static void check_pair(const label* l, const recipe own[2], finder* f, random_source* r)
{
  double margin = 20 * size_of(l->t);
  find(f, l->t, margin);
  EXPECT(f->list.count > 0, l, "no contact\n");
  if (f->list.count == 0) return;
  check_distance(l, f, r);
  pc_found_list want = copy_of(&f->list);
  switch ((int)uniform(r, 0, 5)) {
    case 0: check_exact_move(l, f, margin, &want, r); break;
    case 1: check_move(l, f, margin, &want, r); break;
    case 2: check_scale(l, own, f, margin, &want, r); break;
    case 3: check_turn(l, f, margin, &want, r); break;
    default: check_mirror(l, own, f, margin, &want); break;
  }
  /* The margin alone decides: nothing below the distance. */
  double gap = want.item[0].gap, least = 1e-9 * size_of(l->t);
  int below = find(f, l->t, gap - least), above = find(f, l->t, gap + least);
  EXPECT(below == 0 && above > 0, l, "%d contacts below the gap %.3g, %d above\n", below, gap,
         above);
  free(want.item);
}

static void check_kinds(pc_geometry_kind a, pc_geometry_kind b, int count, random_source* r)
{
  finder f = finder_create();
  for (int trial = 0; trial < count; trial++) {
    double size = trial % 3 ? 1 : pow(10, uniform(r, -3, 0));
    const recipe own[2] = {random_recipe(r, a, 1), random_recipe(r, b, size)};
    int swap = trial % 2;
    const recipe ordered[2] = {own[swap], own[1 - swap]};
    pc_geometry* g[2] = {make_recipe(&ordered[0]), make_recipe(&ordered[1])};
    situation s = (situation)(trial / 2 % SITUATIONS);
    two t = place_pair(r, &f, g[0], g[1], s);
    const label l = {&t, s, trial};
    check_pair(&l, ordered, &f, r);
    for (int i = 0; i < 2; i++) pc_geometry_destroy(g[i]);
  }
  finder_destroy(&f);
}

static void planar_pairs(void** state)
{
  (void)state;
  random_source r = {401 + seed()};
  failures = 0;
  for (int a = 0; a < PLANAR; a++)
    for (int b = 0; b <= a; b++) check_kinds(planar[a], planar[b], pairs_of_kind(1000), &r);
  assert_int_equal(failures, 0);
}

static void spatial_pairs(void** state)
{
  (void)state;
  random_source r = {403 + seed()};
  failures = 0;
  for (int a = 0; a < SPATIAL; a++)
    for (int b = 0; b <= a; b++) check_kinds(spatial[a], spatial[b], pairs_of_kind(1000), &r);
  assert_int_equal(failures, 0);
}

/* ---- ground -------------------------------------------------------------------------------- */

static pc_geometry* rough_ground(random_source* r, int dimension)
{
  enum { SIDE = 5 };
  double corner[3 * SIDE * SIDE];
  int triangle[6 * SIDE * SIDE], triangles = 0;
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++) {
      double x[3] = {i - 2, k - 2, uniform(r, -0.2, 0.2)};
      memcpy(corner + 3 * (SIDE * i + k), x, sizeof x);
    }
  for (int i = 0; i + 1 < SIDE; i++)
    for (int k = 0; k + 1 < SIDE; k++) {
      int a = SIDE * i + k, own[6] = {a, a + SIDE, a + SIDE + 1, a, a + SIDE + 1, a + 1};
      memcpy(triangle + 3 * triangles, own, sizeof own);
      triangles += 2;
    }
  double line[2 * SIDE];
  for (int i = 0; i < SIDE; i++) line[2 * i] = i - 2, line[2 * i + 1] = corner[3 * i + 2];
  if (dimension == 2)
    return make_shape(
        &(pc_geometry_def){.kind = PC_GEOMETRY_POLYLINE, .corner_count = SIDE, .corner = line});
  return make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_MESH,
                                       .corner_count = SIDE * SIDE,
                                       .corner = corner,
                                       .triangle_count = triangles,
                                       .triangle = triangle});
}

/* A plane or facets on the ground and a body that reaches into them, or not, together at another
 * place: contacts come and go only where their gaps are the margin, but for the round-off of the
 * position, and each moves by no more than that. */
static void check_ground(const two* at_origin, finder* f, double margin, random_source* r)
{
  two moved = *at_origin;
  int dimension = moved.collider[0].geometry->dimension;
  find(f, at_origin, margin);
  pc_found_list want = copy_of(&f->list);
  double far = pow(10, uniform(r, 1, 6));
  pc_v3 by = random_shift(r, dimension, far);
  by = (pc_v3){GRID * round(by.x / GRID), GRID * round(by.y / GRID), GRID * round(by.z / GRID)};
  pc_v3_put(pc_v3_plus(pc_v3_of(moved.body[0].x), by), moved.body[0].x);
  pc_v3_put(by, moved.collider[1].pose.x);
  find(f, &moved, margin);
  /* Three products and sums of coordinates for each of body, arm and plane. */
  double tolerance = 8 * DBL_EPSILON * (pc_v3_length(by) + 4);
  const label l = {at_origin, APART, 0};
  EXPECT(f->list.count == want.count, &l, "%d contacts at %.3g, not %d\n", f->list.count, far,
         want.count);
  for (int i = 0; i < want.count && f->list.count == want.count; i++) {
    const pc_found *a = &want.item[i], *b = &f->list.item[i];
    EXPECT(a->feature == b->feature, &l, "feature %lx, not %lx\n", (unsigned long)b->feature,
           (unsigned long)a->feature);
    EXPECT(fabs(a->gap - b->gap) <= tolerance, &l, "at %.3g gap %.17g, not %.17g\n", far, b->gap,
           a->gap);
  }
  free(want.item);
}

static void ground_with(random_source* r, pc_geometry_kind kind, int count)
{
  finder f = finder_create();
  int dimension = pc_geometry_kind_dimension(kind);
  for (int trial = 0; trial < count; trial++) {
    pc_geometry* g = random_shape(r, kind);
    pc_geometry_kind plane = dimension == 2 ? PC_GEOMETRY_HALF_PLANE : PC_GEOMETRY_HALF_SPACE;
    pc_geometry* ground =
        trial % 2 ? rough_ground(r, dimension) : make_shape(&(pc_geometry_def){.kind = plane});
    two t = {
        .collider = {{.geometry = g, .body = 0, .pose = pc_pose_identity()},
                     {.geometry = ground, .body = PC_COLLIDER_GROUND, .pose = pc_pose_identity()}}};
    t.body[0] = random_pose(r, dimension, 1);
    t.body[0].x[dimension - 1] = uniform(r, 0, 1.2);
    t.body[1] = pc_pose_identity();
    round_positions(&t, 1);
    check_ground(&t, &f, trial % 3 ? 0.2 : 0, r);
    if (trial % 2 == 0 && find(&f, &t, 10) > 0) {
      pc_v3 up = {0, dimension == 2, dimension == 3};
      double gap = -support(&t, 0, pc_v3_scaled(-1, up));
      CHECK_NEAR(f.list.item[0].gap, gap, TOLERANCE);
    }
    pc_geometry_destroy(g);
    pc_geometry_destroy(ground);
  }
  finder_destroy(&f);
}

static void shapes_on_ground(void** state)
{
  (void)state;
  random_source r = {405 + seed()};
  failures = 0;
  for (int i = 0; i < PLANAR; i++) ground_with(&r, planar[i], pairs_of_kind(1000));
  for (int i = 0; i < SPATIAL; i++) ground_with(&r, spatial[i], pairs_of_kind(1000));
  assert_int_equal(failures, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_pairs),
      cmocka_unit_test(spatial_pairs),
      cmocka_unit_test(shapes_on_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
