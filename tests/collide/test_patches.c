/* Contacts of faces, edges and ground: touching, flush and degenerate starts are normal. */
#include "collide/pairs.h"

static two place_two(const pc_geometry* a, pc_pose pa, const pc_geometry* b, pc_pose pb)
{
  return (two){.collider = {{.geometry = a, .pose = pc_pose_identity()},
                            {.geometry = b, .body = 1, .pose = pc_pose_identity()}},
               .body = {pa, pb}};
}

static pc_pose moved(double x, double y, double z)
{
  pc_pose p = pc_pose_identity();
  p.x[0] = x, p.x[1] = y, p.x[2] = z;
  return p;
}

static pc_pose turned(double x, double y, double z, double a, double b, double c)
{
  double p[4];
  pc_rotation_exp((const double[]){a, b, c}, p);
  return pc_pose_spatial((const double[]){x, y, z}, p);
}

static pc_geometry* box(double a, double b, double c)
{
  return make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_BOX, .size = {a, b, c}});
}

/* The points of all contacts on body 1: how far they reach along x and y. */
static pc_bounds reach_of(const finder* f, const two* t)
{
  pc_bounds b = pc_bounds_empty();
  for (int i = 0; i < f->list.count; i++)
    pc_bounds_add_point(&b, pc_contact_at(&f->list.item[i].geometry, t->body).c[1]);
  return b;
}

static void all_gaps_and_normals(const finder* f, double gap, pc_v3 n, double tolerance)
{
  for (int i = 0; i < f->list.count; i++) {
    CHECK_NEAR(f->list.item[i].gap, gap, tolerance);
    CHECK_NEAR(pc_v3_length(pc_v3_minus(pc_v3_of(f->list.item[i].geometry.n), n)), 0, 1e-6);
  }
}

static void equal_boxes_on_each_other_touch_in_four_corners(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* g = box(0.4, 0.2, 0.2);
  static const double height[] = {0.2, 0.2 + 1e-9, 0.2 - 1e-9, 0.1 + 0.1, 0.199, 0.201};
  for (size_t k = 0; k < 6; k++) {
    two t = place_two(g, moved(0, 0, height[k] + 0.3), g, moved(0, 0, 0.3));
    assert_int_equal(find(&f, &t, 0.01), 4);
    all_gaps_and_normals(&f, height[k] - 0.2, (pc_v3){0, 0, 1}, 1e-15);
    pc_bounds b = reach_of(&f, &t);
    CHECK_NEAR(b.low[0], -0.2, 1e-15);
    CHECK_NEAR(b.high[0], 0.2, 1e-15);
    CHECK_NEAR(b.high[1], 0.1, 1e-15);
  }
  pc_geometry_destroy(g);
  finder_destroy(&f);
}

/* As in a wall: half of each box on another one. Corners of one are over the face of the other,
 * sides coincide. */
static void bricks_touch_over_half_their_length(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* g = box(0.4, 0.2, 0.2);
  for (int k = 0; k < 40; k++) {
    double tilt = k ? pow(10, -k / 2.0) : 0;
    two t = place_two(g, turned(0.201, 0, 0.2 + 0.2 * tilt, tilt, -tilt / 2, tilt / 3), g,
                      moved(0, 0, 0));
    if (k >= 6) {
      assert_int_equal(find(&f, &t, 1), 4);
      pc_bounds b = reach_of(&f, &t);
      CHECK_NEAR(b.low[0], 0.001, 2 * tilt + 1e-12);
      CHECK_NEAR(b.high[0], 0.2, 2 * tilt + 1e-12);
      CHECK_NEAR(b.low[1], -0.1, 2 * tilt + 1e-12);
      CHECK_NEAR(b.high[1], 0.1, 2 * tilt + 1e-12);
    }
  }
  pc_geometry_destroy(g);
  finder_destroy(&f);
}

/* A box turned about the vertical on another one: the patch is an octagon, of which four points
 * stay. They belong to both faces and span most of it. */
static void turned_boxes_touch_where_their_sides_cross(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* g = box(1, 1, 1);
  for (int k = 1; k < 30; k++) {
    two t = place_two(g, turned(0.01, -0.02, 1, 0, 0, 0.05 * k), g, moved(0, 0, 0));
    assert_int_equal(find(&f, &t, 0.01), 4);
    all_gaps_and_normals(&f, 0, (pc_v3){0, 0, 1}, 1e-15);
    double area = 0;
    pc_v3 c[4];
    for (int i = 0; i < 4; i++) {
      c[i] = pc_contact_at(&f.list.item[i].geometry, t.body).c[1];
      assert_true(fabs(c[i].x) < 0.5 + 1e-12 && fabs(c[i].y) < 0.5 + 1e-12);
      pc_v3 other = pc_pose_apply_inverse(&t.body[0], c[i]);
      assert_true(fabs(other.x) < 0.5 + 1e-12 && fabs(other.y) < 0.5 + 1e-12);
    }
    for (int i = 0; i < 4; i++) /* of the hull: the largest quadrilateral of the four orders */
      for (int j = 0; j < 4; j++)
        for (int l = 0; l < 4; l++)
          area =
              fmax(area, fabs(pc_v3_cross(pc_v3_minus(c[j], c[i]), pc_v3_minus(c[l], c[i])).z) / 2);
    assert_true(area > 0.28); /* half of the largest quadrilateral in a regular octagon has 0.29 */
  }
  pc_geometry_destroy(g);
  finder_destroy(&f);
}

static void crossed_edges_touch_in_one_point(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* g = box(1, 1, 1);
  const double quarter = 0.78539816339744831;
  /* one stands on an edge along x, the other lies below with an edge along y */
  two t =
      place_two(g, turned(0, 0, sqrt(2) + 1e-3, quarter, 0, 0), g, turned(0, 0, 0, 0, quarter, 0));
  assert_int_equal(find(&f, &t, 0.01), 1);
  CHECK_NEAR(f.list.item[0].gap, 1e-3, 1e-15);
  assert_int_equal(f.list.item[0].geometry.side[0].kind, PC_FEATURE_LINE);
  assert_int_equal(f.list.item[0].geometry.side[1].kind, PC_FEATURE_LINE);
  t.body[0].x[2] -= 2e-3;
  assert_int_equal(find(&f, &t, 0.01), 1);
  CHECK_NEAR(f.list.item[0].gap, -1e-3, 1e-15);
  pc_geometry_destroy(g);
  finder_destroy(&f);
}

static void concentric_shapes_have_finite_contacts(void** state)
{
  (void)state;
  finder f = finder_create();
  random_source r = {301};
  static const pc_geometry_kind kind[] = {PC_GEOMETRY_SPHERE,  PC_GEOMETRY_CAPSULE,
                                          PC_GEOMETRY_BOX,     PC_GEOMETRY_DISC,
                                          PC_GEOMETRY_STADIUM, PC_GEOMETRY_RECTANGLE};
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) {
      if ((a < 3) != (b < 3)) continue;
      pc_geometry *g = random_shape(&r, kind[a]), *h = random_shape(&r, kind[b]);
      two t = place_two(g, moved(0, 0, 0), h, moved(0, 0, 0));
      assert_true(find(&f, &t, 0.01) >= 1);
      for (int i = 0; i < f.list.count; i++) {
        double W[4 * 12], W_q[4 * 12 * 14], gap, q[7] = {0, 0, 0, 1};
        int dimension = g->dimension;
        const double planar_q[3] = {0};
        pc_contact_bodies bodies = {dimension,
                                    {PC_CARRIER_BODY, PC_CARRIER_BODY},
                                    {dimension == 2 ? planar_q : q, dimension == 2 ? planar_q : q}};
        pc_contact_rows(&f.list.item[i].geometry, &bodies, &(pc_contact_friction){dimension - 1, 0},
                        &gap, W, W_q);
        assert_true(gap < 0);
        int n_u = 2 * (dimension == 2 ? 3 : 6), n_q = 2 * (dimension == 2 ? 3 : 7);
        for (int k = 0; k < dimension * n_u * n_q; k++) assert_true(isfinite(W_q[k]));
        for (int k = 0; k < dimension * n_u; k++) assert_true(isfinite(W[k]));
      }
      CHECK_NEAR(separation(&t, pc_v3_of(f.list.item[0].geometry.n)), f.list.item[0].gap, 1e-12);
      pc_geometry_destroy(g);
      pc_geometry_destroy(h);
    }
  finder_destroy(&f);
}

/* ---- half-spaces --------------------------------------------------------------------------- */

static void check_on_half_space(pc_geometry_kind kind, int dimension, random_source* r)
{
  finder f = finder_create();
  pc_geometry* floor = make_shape(
      &(pc_geometry_def){.kind = dimension == 2 ? PC_GEOMETRY_HALF_PLANE : PC_GEOMETRY_HALF_SPACE});
  for (int trial = 0; trial < 300; trial++) {
    pc_geometry* g = random_shape(r, kind);
    pc_v3 n = random_unit(r, dimension);
    const double point[3] = {0.1, 0.2, dimension == 2 ? 0 : 0.3}, normal[3] = {n.x, n.y, n.z};
    two t = random_two(r, g, g, 1);
    t.collider[1] = (pc_collider){.geometry = floor,
                                  .body = PC_COLLIDER_GROUND,
                                  .pose = pc_pose_of_plane(dimension, point, normal)};
    t.body[1] = pc_pose_identity();
    double expected = -support(&t, 0, pc_v3_scaled(-1, n)) - pc_v3_dot(n, pc_v3_of(point));
    for (int order = 0; order < 2; order++) {
      assert_true(find(&f, &t, expected + 0.5) >= 1);
      CHECK_NEAR(f.list.item[0].gap, expected, 1e-14 * 50);
      pc_v3 towards = pc_v3_scaled(order ? -1 : 1, n);
      for (int i = 0; i < f.list.count; i++) {
        assert_true(f.list.item[i].gap >= expected - 1e-12 && f.list.item[i].gap <= expected + 0.5);
        CHECK_NEAR(pc_v3_length(pc_v3_minus(pc_v3_of(f.list.item[i].geometry.n), towards)), 0,
                   1e-15 * 8);
      }
      assert_int_equal(find(&f, &t, expected - 1e-9), 0);
      two swapped = {{t.collider[1], t.collider[0]}, {t.body[1], t.body[0]}};
      t = swapped;
    }
    pc_geometry_destroy(g);
  }
  pc_geometry_destroy(floor);
  finder_destroy(&f);
}

static void gaps_with_half_spaces_are_those_of_support_functions(void** state)
{
  (void)state;
  static const pc_geometry_kind kind[] = {
      PC_GEOMETRY_DISC,     PC_GEOMETRY_RECTANGLE, PC_GEOMETRY_POLYGON,   PC_GEOMETRY_STADIUM,
      PC_GEOMETRY_SEGMENT,  PC_GEOMETRY_SPHERE,    PC_GEOMETRY_BOX,       PC_GEOMETRY_CAPSULE,
      PC_GEOMETRY_CYLINDER, PC_GEOMETRY_ELLIPSOID, PC_GEOMETRY_POLYHEDRON};
  random_source r = {307};
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
    check_on_half_space(kind[k], k < 5 ? 2 : 3, &r);
}

static void standing_and_lying_shapes_have_patches_on_the_floor(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* floor = make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_HALF_SPACE});
  pc_geometry* cylinder =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_CYLINDER, .radius = 0.3, .length = 1});
  pc_geometry* capsule =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_CAPSULE, .radius = 0.3, .length = 1});
  pc_geometry* brick = box(0.4, 0.2, 0.2);
  const double right = 1.5707963267948966;
  two t = place_two(cylinder, moved(0, 0, 0.5), floor, moved(0, 0, 0));
  assert_int_equal(find(&f, &t, 0.01), 4); /* standing */
  all_gaps_and_normals(&f, 0, (pc_v3){0, 0, 1}, 1e-15);
  t.body[0] = turned(0, 0, 0.5, 1e-6, 0, 0);
  assert_int_equal(find(&f, &t, 0.01), 4);
  CHECK_NEAR(f.list.item[0].gap, -0.3e-6, 1e-12);
  t.body[0] = turned(0, 0, 0.3, right, 0, 0);
  assert_int_equal(find(&f, &t, 0.01), 2); /* lying */
  all_gaps_and_normals(&f, 0, (pc_v3){0, 0, 1}, 1e-15);
  pc_bounds b = reach_of(&f, &t);
  CHECK_NEAR(b.high[1] - b.low[1], 1, 1e-12);
  t.body[0] = turned(0, 0, 0.5, 0.3, 0, 0);
  assert_int_equal(find(&f, &t, 0), 1); /* on its rim */
  t = place_two(capsule, turned(0, 0, 0.3, right, 0, 0), floor, moved(0, 0, 0));
  assert_int_equal(find(&f, &t, 0.01), 2);
  t = place_two(brick, moved(0, 0, 0.1), floor, moved(0, 0, 0));
  assert_int_equal(find(&f, &t, 0.01), 4);
  all_gaps_and_normals(&f, 0, (pc_v3){0, 0, 1}, 1e-15);
  pc_geometry_destroy(floor);
  pc_geometry_destroy(cylinder);
  pc_geometry_destroy(capsule);
  pc_geometry_destroy(brick);
  finder_destroy(&f);
}

/* On a box that is larger than them, as on the floor; on one that is smaller, over its corners and
 * edges. */
static void cylinders_stand_and_lie_on_boxes_and_each_other(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* cylinder =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_CYLINDER, .radius = 0.3, .length = 1});
  pc_geometry *table = box(3, 3, 0.2), *post = box(0.2, 0.2, 0.2), *beam = box(0.4, 3, 0.2);
  const double right = 1.5707963267948966;
  for (int k = 0; k < 12; k++) {
    double tilt = k ? pow(10, -k - 1) : 0;
    two t = place_two(cylinder, turned(0.1, 0.2, 0.6, tilt, 0, 0), table, moved(0, 0, 0));
    assert_int_equal(find(&f, &t, 0.1), 4); /* standing */
    CHECK_NEAR(f.list.item[0].gap, 0.5 - 0.5 * cos(tilt) - 0.3 * sin(tilt), 1e-12);
    t.body[0] = turned(0.1, 0.2, 0.4, right + tilt, 0, 0);
    assert_int_equal(find(&f, &t, 0.1), 2); /* lying */
    CHECK_NEAR(f.list.item[0].gap, 0.3 - 0.3 * cos(tilt) - 0.5 * sin(tilt), 1e-12);
    t = place_two(cylinder, turned(0, 0, 0.6, 0, tilt, 0), post, moved(0, 0, 0));
    assert_int_equal(find(&f, &t, 0.1), 4); /* standing on the corners of a post */
    pc_bounds b = reach_of(&f, &t);
    CHECK_NEAR(b.high[0] - b.low[0], 0.2, 2 * tilt + 1e-12);
    t = place_two(cylinder, turned(0, 0, 0.4, 0, right + tilt, 0), beam, moved(0, 0, 0));
    assert_int_equal(find(&f, &t, 0.1), 2); /* lying across a beam */
    b = reach_of(&f, &t);
    CHECK_NEAR(b.high[0] - b.low[0], 0.4, 2 * tilt + 1e-12);
    t = place_two(cylinder, turned(0, 0, 1, tilt, 0, 0), cylinder, moved(0.1, 0, 0));
    assert_true(find(&f, &t, 0.1) >= 3); /* on each other */
    t = place_two(cylinder, turned(0, 0.6, 0.3, 0, tilt, 0), cylinder, moved(0, 0, 0));
    assert_true(find(&f, &t, 0.1) >= 2); /* side by side */
    b = reach_of(&f, &t);
    CHECK_NEAR(b.high[2] - b.low[2], 0.7, 0.01 * (k > 0 && k < 3) + 2 * tilt + 1e-12);
  }
  pc_geometry_destroy(cylinder);
  pc_geometry_destroy(table);
  pc_geometry_destroy(post);
  pc_geometry_destroy(beam);
  finder_destroy(&f);
}

static void parallel_capsules_touch_at_both_ends_of_their_overlap(void** state)
{
  (void)state;
  finder f = finder_create();
  pc_geometry* g =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_CAPSULE, .radius = 0.1, .length = 1});
  for (int k = 0; k < 20; k++) {
    double tilt = k ? pow(10, -k) : 0;
    two t = place_two(g, turned(0.2, 0, 0.4, 0, tilt, 0), g, moved(0, 0, 0));
    int count = find(&f, &t, 1);
    assert_true(count >= 2);
    pc_bounds b = reach_of(&f, &t);
    CHECK_NEAR(b.low[2], -0.1, 0.1 * (k > 0) * (k < 2) + tilt + 1e-12);
    CHECK_NEAR(b.high[2], 0.5, 0.1 * (k > 0) * (k < 2) + tilt + 1e-12);
  }
  two t = place_two(g, turned(0.2, 0, 0, 1, 0, 0), g, moved(0, 0, 0));
  assert_int_equal(find(&f, &t, 1), 1); /* crossed */
  CHECK_NEAR(f.list.item[0].gap, 0, 1e-15);
  pc_geometry_destroy(g);
  finder_destroy(&f);
}

/* ---- ground -------------------------------------------------------------------------------- */

/* A flat ground of facets is as a half-plane: whatever slides over its joints finds no other
 * normal. */
static void joints_of_a_flat_polyline_do_not_catch(void** state)
{
  (void)state;
  static const pc_geometry_kind kind[] = {PC_GEOMETRY_DISC, PC_GEOMETRY_RECTANGLE,
                                          PC_GEOMETRY_POLYGON, PC_GEOMETRY_STADIUM};
  random_source r = {311};
  finder f = finder_create();
  double corner[2 * 21];
  for (int i = 0; i < 21; i++) corner[2 * i] = -5 + 0.5 * i, corner[2 * i + 1] = 0;
  pc_geometry* ground = make_shape(
      &(pc_geometry_def){.kind = PC_GEOMETRY_POLYLINE, .corner_count = 21, .corner = corner});
  for (int trial = 0; trial < 2000; trial++) {
    pc_geometry* g = random_shape(&r, kind[trial % 4]);
    two t = random_two(&r, g, g, 0.5);
    if (trial % 3 == 0)
      t.body[0] = pc_pose_planar(t.body[0].x[0], 0, 0), t.collider[0].pose = pc_pose_identity();
    t.collider[1] =
        (pc_collider){.geometry = ground, .body = PC_COLLIDER_GROUND, .pose = pc_pose_identity()};
    t.body[1] = pc_pose_identity();
    double gap = uniform(&r, -0.01, 0.01);
    t.body[0].x[1] += gap + support(&t, 0, (pc_v3){0, -1, 0});
    assert_true(find(&f, &t, 0.02) >= 1);
    double least = 1;
    for (int i = 0; i < f.list.count; i++) {
      least = fmin(least, f.list.item[i].gap);
      CHECK_NEAR(f.list.item[i].geometry.n[1], 1, 1e-12);
    }
    CHECK_NEAR(least, gap, 1e-12);
    pc_geometry_destroy(g);
  }
  pc_geometry_destroy(ground);
  finder_destroy(&f);
}

/* A roof: a disc above its ridge touches the ridge, one in a valley both sides. */
static void ridges_touch_and_valleys_do_not(void** state)
{
  (void)state;
  finder f = finder_create();
  const double roof[] = {-1, -1, 0, 0, 1, -1}, valley[] = {-1, 1, 0, 0, 1, 1};
  pc_geometry* up = make_shape(
      &(pc_geometry_def){.kind = PC_GEOMETRY_POLYLINE, .corner_count = 3, .corner = roof});
  pc_geometry* down = make_shape(
      &(pc_geometry_def){.kind = PC_GEOMETRY_POLYLINE, .corner_count = 3, .corner = valley});
  pc_geometry* disc = make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_DISC, .radius = 0.2});
  two t = place_two(disc, moved(0.05, 0.25, 0), up, moved(0, 0, 0));
  find(&f, &t, 0.1);
  for (int i = 1; i < f.list.count; i++)
    assert_true(f.list.item[i].feature == f.list.item[0].feature);
  assert_true(f.list.count >= 1);
  CHECK_NEAR(f.list.item[0].gap, hypot(0.05, 0.25) - 0.2, 1e-15);
  t = place_two(disc, moved(0.01, 0.3, 0), down, moved(0, 0, 0));
  assert_int_equal(find(&f, &t, 0.1), 2);
  CHECK_NEAR(f.list.item[0].gap, 0.31 / sqrt(2) - 0.2, 1e-15);
  CHECK_NEAR(f.list.item[1].gap, 0.29 / sqrt(2) - 0.2, 1e-15);
  t = place_two(disc, moved(0, -0.5, 0), up, moved(0, 0, 0)); /* below it */
  assert_int_equal(find(&f, &t, 0.1), 0);
  pc_geometry_destroy(up);
  pc_geometry_destroy(down);
  pc_geometry_destroy(disc);
  finder_destroy(&f);
}

static pc_geometry* flat_mesh(double tilt)
{
  enum { N = 11 };
  double corner[3 * N * N];
  int triangle[3 * 2 * (N - 1) * (N - 1)], count = 0;
  for (int i = 0; i < N * N; i++) {
    corner[3 * i] = -5 + i % N;
    corner[3 * i + 1] = -5 + i / N;
    corner[3 * i + 2] = tilt * corner[3 * i];
  }
  for (int i = 0; i < N - 1; i++)
    for (int k = 0; k < N - 1; k++) {
      int a = i * N + k;
      const int six[6] = {a, a + 1, a + N + 1, a, a + N + 1, a + N};
      for (int j = 0; j < 6; j++) triangle[count++] = six[j];
    }
  return make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_MESH,
                                       .corner_count = N * N,
                                       .corner = corner,
                                       .triangle_count = count / 3,
                                       .triangle = triangle});
}

static void edges_of_a_flat_mesh_do_not_catch(void** state)
{
  (void)state;
  static const pc_geometry_kind kind[] = {PC_GEOMETRY_SPHERE,     PC_GEOMETRY_BOX,
                                          PC_GEOMETRY_POLYHEDRON, PC_GEOMETRY_CAPSULE,
                                          PC_GEOMETRY_CYLINDER,   PC_GEOMETRY_ELLIPSOID};
  random_source r = {313};
  finder f = finder_create();
  for (int trial = 0; trial < 1000; trial++) {
    double tilt = trial % 2 ? 0.2 : 0;
    pc_geometry *ground = flat_mesh(tilt), *g = random_shape(&r, kind[trial % 6]);
    pc_v3 n = pc_v3_unit((pc_v3){-tilt, 0, 1}, (pc_v3){0});
    two t = random_two(&r, g, g, 1);
    if (trial % 3 == 0) t.body[0] = pc_pose_identity(), t.collider[0].pose = pc_pose_identity();
    t.collider[1] =
        (pc_collider){.geometry = ground, .body = PC_COLLIDER_GROUND, .pose = pc_pose_identity()};
    t.body[1] = pc_pose_identity();
    double gap = uniform(&r, -0.01, 0.01), below = support(&t, 0, pc_v3_scaled(-1, n));
    pc_v3_put(pc_v3_along(pc_v3_of(t.body[0].x), gap + below, n), t.body[0].x);
    assert_true(find(&f, &t, 0.02) >= 1);
    double least = 1;
    for (int i = 0; i < f.list.count; i++) {
      least = fmin(least, f.list.item[i].gap);
      CHECK_NEAR(pc_v3_dot(pc_v3_of(f.list.item[i].geometry.n), n), 1, 1e-12);
    }
    CHECK_NEAR(least, gap, 1e-12);
    pc_geometry_destroy(g);
    pc_geometry_destroy(ground);
  }
  finder_destroy(&f);
}

/* A closed mesh of a box is as the box, for what is outside. */
static void a_mesh_of_a_box_is_as_the_box(void** state)
{
  (void)state;
  random_source r = {317};
  finder f = finder_create(), exact = finder_create();
  pc_geometry* solid = box(1, 1.2, 0.8);
  int triangle[36], count = 0;
  double corner[24];
  const pc_polytope* p = solid->polytope;
  for (int i = 0; i < 8; i++) pc_v3_put(p->corner[i], corner + 3 * i);
  for (int face = 0; face < 6; face++)
    for (int i = 1; i < 3; i++) {
      triangle[count++] = p->face_corner[4 * face];
      triangle[count++] = p->face_corner[4 * face + i];
      triangle[count++] = p->face_corner[4 * face + i + 1];
    }
  pc_geometry* mesh = make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_MESH,
                                                    .corner_count = 8,
                                                    .corner = corner,
                                                    .triangle_count = 12,
                                                    .triangle = triangle});
  static const pc_geometry_kind kind[] = {PC_GEOMETRY_SPHERE,     PC_GEOMETRY_BOX,
                                          PC_GEOMETRY_POLYHEDRON, PC_GEOMETRY_CAPSULE,
                                          PC_GEOMETRY_CYLINDER,   PC_GEOMETRY_ELLIPSOID};
  int apart = 0;
  for (int trial = 0; trial < 2000; trial++) {
    pc_geometry* g = random_shape(&r, kind[trial % 6]);
    two t = random_two(&r, g, solid, 2);
    find(&exact, &t, 10);
    double gap = exact.list.item[0].gap;
    if (gap > 1e-6) {
      apart++;
      t.collider[1].geometry = mesh;
      assert_true(find(&f, &t, 10) >= 1);
      double least = INFINITY;
      for (int i = 0; i < f.list.count; i++) least = fmin(least, f.list.item[i].gap);
      CHECK_NEAR(least, gap, 1e-12);
    }
    pc_geometry_destroy(g);
  }
  assert_true(apart > 500);
  pc_geometry_destroy(mesh);
  pc_geometry_destroy(solid);
  finder_destroy(&f);
  finder_destroy(&exact);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_boxes_on_each_other_touch_in_four_corners),
      cmocka_unit_test(bricks_touch_over_half_their_length),
      cmocka_unit_test(turned_boxes_touch_where_their_sides_cross),
      cmocka_unit_test(crossed_edges_touch_in_one_point),
      cmocka_unit_test(concentric_shapes_have_finite_contacts),
      cmocka_unit_test(gaps_with_half_spaces_are_those_of_support_functions),
      cmocka_unit_test(standing_and_lying_shapes_have_patches_on_the_floor),
      cmocka_unit_test(cylinders_stand_and_lie_on_boxes_and_each_other),
      cmocka_unit_test(parallel_capsules_touch_at_both_ends_of_their_overlap),
      cmocka_unit_test(joints_of_a_flat_polyline_do_not_catch),
      cmocka_unit_test(ridges_touch_and_valleys_do_not),
      cmocka_unit_test(edges_of_a_flat_mesh_do_not_catch),
      cmocka_unit_test(a_mesh_of_a_box_is_as_the_box),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
