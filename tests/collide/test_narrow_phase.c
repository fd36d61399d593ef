#include "collide/pairs.h"

static const pc_geometry_kind planar[] = {PC_GEOMETRY_DISC, PC_GEOMETRY_RECTANGLE,
                                          PC_GEOMETRY_POLYGON, PC_GEOMETRY_STADIUM,
                                          PC_GEOMETRY_SEGMENT};
static const pc_geometry_kind spatial[] = {PC_GEOMETRY_SPHERE,    PC_GEOMETRY_BOX,
                                           PC_GEOMETRY_CAPSULE,   PC_GEOMETRY_CYLINDER,
                                           PC_GEOMETRY_ELLIPSOID, PC_GEOMETRY_POLYHEDRON};
enum { PLANAR = sizeof planar / sizeof *planar, SPATIAL = sizeof spatial / sizeof *spatial };

static const double TOLERANCE = 1e-12; /* [m] at a size of 1 m */

/* The nearest contact is the signed distance: see pairs.h. */
static void check_nearest(const two* t, const pc_found* found, random_source* r)
{
  pc_contact_point at = pc_contact_at(&found->geometry, t->body);
  CHECK_NEAR(at.gap, found->gap, 0);
  CHECK_NEAR(separation(t, at.n), at.gap, TOLERANCE);
  for (int k = 0; k < 200; k++) {
    pc_v3 n = random_unit(r, t->collider[0].geometry->dimension);
    if (k % 2) n = pc_v3_unit(pc_v3_along(at.n, pow(10, -(k % 16) / 2.0), n), at.n);
    if (separation(t, n) > at.gap + TOLERANCE) {
      print_error("S is %.17g along (%g, %g, %g), the gap %.17g along (%g, %g, %g)\n",
                  separation(t, n), n.x, n.y, n.z, at.gap, at.n.x, at.n.y, at.n.z);
      fail();
    }
  }
  assert_true(outside(t, 0, at.c[0], pc_v3_scaled(-1, at.n), r) < TOLERANCE);
  assert_true(outside(t, 1, at.c[1], at.n, r) < TOLERANCE);
}

/* All contacts are within the margin, with different keys; if the shapes are apart none is nearer
 * than the nearest. */
static void check_list(const pc_found_list* list, double margin, int dimension)
{
  assert_true(list->count <= (dimension == 2 ? 2 : PC_PATCH));
  for (int i = 0; i < list->count; i++) {
    assert_true(list->item[i].gap <= margin);
    if (list->item[0].gap > 0) assert_true(list->item[i].gap >= list->item[0].gap - TOLERANCE);
    for (int k = 0; k < i; k++) assert_true(list->item[i].feature != list->item[k].feature);
  }
}

static void check_pairs(pc_geometry_kind a, pc_geometry_kind b, int trials, random_source* r)
{
  finder f = finder_create();
  int apart = 0, overlapping = 0;
  for (int trial = 0; trial < trials; trial++) {
    pc_geometry *g = random_shape(r, a), *h = random_shape(r, b);
    for (int pose = 0; pose < 10; pose++) {
      two t = random_two(r, g, h, pose % 2 ? 1.5 : 0.6);
      assert_true(find(&f, &t, 10) >= 1); /* everything is within this margin */
      check_list(&f.list, 10, g->dimension);
      check_nearest(&t, &f.list.item[0], r);
      double gap = f.list.item[0].gap;
      gap > 0 ? apart++ : overlapping++;
      /* the margin decides which contacts are found */
      int count = find(&f, &t, gap + 1e-9);
      assert_true(count >= 1);
      CHECK_NEAR(f.list.item[0].gap, gap, 0);
      assert_int_equal(find(&f, &t, gap - 1e-9), 0);
    }
    pc_geometry_destroy(g);
    pc_geometry_destroy(h);
  }
  assert_true(apart > trials && overlapping > trials);
  finder_destroy(&f);
}

static void planar_gaps_are_signed_distances(void** state)
{
  (void)state;
  random_source r = {201};
  for (int a = 0; a < PLANAR; a++)
    for (int b = 0; b < PLANAR; b++)
      if (planar[a] != PC_GEOMETRY_SEGMENT || planar[b] != PC_GEOMETRY_SEGMENT)
        check_pairs(planar[a], planar[b], 40, &r);
}

static void spatial_gaps_are_signed_distances(void** state)
{
  (void)state;
  random_source r = {203};
  for (int a = 0; a < SPATIAL; a++)
    for (int b = 0; b < SPATIAL; b++) check_pairs(spatial[a], spatial[b], 40, &r);
}

/* Sharp shapes may be apart although no face of theirs separates them, only a plane along two
 * edges; and these may be farther from each other than the margin. */
static void shapes_that_are_apart_have_no_contact_whatever_the_margin(void** state)
{
  (void)state;
  random_source r = {205};
  finder f = finder_create();
  for (int trial = 0; trial < 400; trial++) {
    pc_geometry *g = random_shape(&r, PC_GEOMETRY_POLYHEDRON), *h = random_polyhedron(&r, 4);
    for (int pose = 0; pose < 20; pose++) {
      two t = random_two(&r, g, h, 1.2);
      find(&f, &t, 10);
      double gap = f.list.item[0].gap;
      for (int k = 0; gap > 0 && k < 4; k++) assert_int_equal(find(&f, &t, gap * k / 4), 0);
    }
    pc_geometry_destroy(g);
    pc_geometry_destroy(h);
  }
  finder_destroy(&f);
}

/* A shape that is moved along the normal has its gap changed by as much, through contact and beyond
 * it, unless the contact is one of sharp corners, whose normal is not the way out. */
static void move_through(finder* f, const two* at_rest, random_source* r)
{
  static const double target[] = {1e-2,   1e-4,   1e-7,  1e-10, 1e-13, 0,
                                  -1e-13, -1e-10, -1e-7, -1e-4, -1e-3};
  two t = *at_rest;
  find(f, &t, 10);
  pc_found first = f->list.item[0];
  pc_v3 n = pc_v3_of(first.geometry.n);
  double core = first.gap, radius = 0;
  int sharp = 1;
  for (int i = 0; i < 2; i++) {
    pc_feature_kind kind = first.geometry.side[i].kind;
    radius += first.geometry.side[i].radius;
    sharp &= kind != PC_FEATURE_FACE && t.collider[i].geometry->kind != PC_GEOMETRY_ELLIPSOID;
  }
  sharp &= !(first.geometry.side[0].kind == PC_FEATURE_LINE &&
             first.geometry.side[1].kind == PC_FEATURE_LINE);
  if (core < 0.02 || (sharp && radius < 2e-3)) return;
  for (size_t k = 0; k < sizeof target / sizeof *target; k++) {
    t.body[0] = at_rest->body[0];
    pc_v3_put(pc_v3_along(pc_v3_of(t.body[0].x), target[k] - first.gap, n), t.body[0].x);
    assert_true(find(f, &t, 1) >= 1);
    CHECK_NEAR(f->list.item[0].gap, target[k], TOLERANCE);
    check_nearest(&t, &f->list.item[0], r);
  }
}

static void gaps_are_exact_on_both_sides_of_contact(void** state)
{
  (void)state;
  random_source r = {207};
  finder f = finder_create();
  for (int dimension = 2; dimension < 4; dimension++)
    for (int trial = 0; trial < 400; trial++) {
      const pc_geometry_kind* kind = dimension == 2 ? planar : spatial;
      int kinds = dimension == 2 ? PLANAR - 1 : SPATIAL;
      pc_geometry *g = random_shape(&r, kind[trial % kinds]),
                  *h = random_shape(&r, kind[trial / kinds % kinds]);
      two t = random_two(&r, g, h, 2);
      move_through(&f, &t, &r);
      pc_geometry_destroy(g);
      pc_geometry_destroy(h);
    }
  finder_destroy(&f);
}

/* On a path the gap never changes by more than the points of the shape move. */
static void gaps_do_not_jump_where_features_change(void** state)
{
  (void)state;
  random_source r = {211};
  finder f = finder_create();
  for (int dimension = 2; dimension < 4; dimension++)
    for (int trial = 0; trial < 120; trial++) {
      const pc_geometry_kind* kind = dimension == 2 ? planar : spatial;
      int kinds = dimension == 2 ? PLANAR - 1 : SPATIAL;
      pc_geometry *g = random_shape(&r, kind[trial % kinds]),
                  *h = random_shape(&r, kind[trial / kinds % kinds]);
      two t = random_two(&r, g, h, 1);
      const double step = trial % 2 ? 1e-3 : 1e-8, turn = step;
      pc_v3 v = random_unit(&r, dimension),
            w = dimension == 2 ? (pc_v3){0, 0, 1} : random_unit(&r, 3);
      double before = 0;
      for (int i = 0; i < 300; i++) {
        find(&f, &t, 10);
        double gap = f.list.item[0].gap,
               reach = pc_v3_length(pc_v3_of(t.collider[0].pose.x)) + g->reach;
        if (i) CHECK_NEAR(gap, before, step + turn * reach + TOLERANCE);
        before = gap;
        pc_v3_put(pc_v3_along(pc_v3_of(t.body[0].x), step, v), t.body[0].x);
        double p[4], x[3] = {0};
        pc_rotation_exp((const double[]){turn * w.x, turn * w.y, turn * w.z}, p);
        pc_pose spin = pc_pose_spatial(x, p), own = t.body[0];
        for (int k = 0; k < 3; k++) own.x[k] = 0;
        pc_pose turned = pc_pose_product(&spin, &own);
        for (int k = 0; k < 9; k++) t.body[0].A[k] = turned.A[k];
      }
      pc_geometry_destroy(g);
      pc_geometry_destroy(h);
    }
  finder_destroy(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_gaps_are_signed_distances),
      cmocka_unit_test(spatial_gaps_are_signed_distances),
      cmocka_unit_test(shapes_that_are_apart_have_no_contact_whatever_the_margin),
      cmocka_unit_test(gaps_are_exact_on_both_sides_of_contact),
      cmocka_unit_test(gaps_do_not_jump_where_features_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
