#include "collide/shapes.h"

static void refused(pc_geometry_def def, const char* text)
{
  pc_geometry* g;
  pc_error error = {0};
  assert_int_equal(pc_geometry_create(&def, &g, &error), PC_BAD_MODEL);
  assert_null(g);
  if (!strstr(error.text, text)) {
    print_error("'%s' does not say '%s'\n", error.text, text);
    fail();
  }
}

static void bad_numbers_are_refused_with_their_field(void** state)
{
  (void)state;
  refused((pc_geometry_def){.kind = PC_GEOMETRY_DISC}, "radius is 0");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_SPHERE, .radius = NAN}, "radius is nan");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_CAPSULE, .radius = 1, .length = -1},
          "length is -1");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_BOX, .size = {1, 0, 1}}, "size[1] is 0");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_ELLIPSOID, .size = {1, 1, INFINITY}}, "size[2]");
  refused((pc_geometry_def){.kind = (pc_geometry_kind)99}, "no shape of kind 99");
}

static void polygons_must_be_convex_and_simple(void** state)
{
  (void)state;
  const double dart[] = {0, 0, 1, 0, 0.2, 0.2, 0, 1};
  const double star[] = {0, 1, -0.588, -0.809, 0.951, 0.309, -0.951, 0.309, 0.588, -0.809};
  const double line[] = {0, 0, 1, 0, 2, 0};
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYGON, .corner_count = 2, .corner = line},
          "2 corners");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYGON, .corner_count = 3, .corner = line},
          "not convex");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYGON, .corner_count = 4, .corner = dart},
          "not convex");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYGON, .corner_count = 5, .corner = star},
          "cross");
}

static void a_clockwise_polygon_is_turned_around(void** state)
{
  (void)state;
  const double corner[] = {0, 0, 0, 1, 1, 1, 1, 0};
  pc_geometry* g = make_shape(
      &(pc_geometry_def){.kind = PC_GEOMETRY_POLYGON, .corner_count = 4, .corner = corner});
  assert_true(is_inside(g, (pc_v3){0.5, 0.5, 0}));
  assert_false(is_inside(g, (pc_v3){1.5, 0.5, 0}));
  pc_geometry_destroy(g);
}

static void flat_polyhedra_are_refused(void** state)
{
  (void)state;
  double square[3 * 5] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0};
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYHEDRON, .corner_count = 3, .corner = square},
          "3 corners");
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYHEDRON, .corner_count = 5, .corner = square},
          "plane");
  square[4] = NAN;
  refused((pc_geometry_def){.kind = PC_GEOMETRY_POLYHEDRON, .corner_count = 5, .corner = square},
          "corner 1");
}

static void meshes_must_refer_to_their_corners(void** state)
{
  (void)state;
  const double corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const int bad[3] = {0, 1, 3}, flat[3] = {0, 1, 1};
  pc_geometry_def def = {.kind = PC_GEOMETRY_MESH, .corner_count = 3, .corner = corner};
  refused(def, "no triangles");
  def.triangle_count = 1, def.triangle = bad;
  refused(def, "corner 3");
  def.triangle = flat;
  refused(def, "no area");
}

/* Euler's formula, two faces at every edge, and all points on the inner side of all faces. */
static void check_hull(const pc_polytope* p, int count, const double* point)
{
  assert_int_equal(p->corner_count - p->edge_count + p->face_count, 2);
  for (int i = 0; i < p->edge_count; i++) {
    assert_true(p->edge[i].face[0] >= 0 && p->edge[i].face[1] >= 0);
    assert_int_not_equal(p->edge[i].face[0], p->edge[i].face[1]);
  }
  for (int f = 0; f < p->face_count; f++) {
    pc_v3 n = p->normal[f], on = p->corner[p->face_corner[p->face_first[f]]];
    CHECK_NEAR(pc_v3_length(n), 1, 1e-15);
    for (int i = 0; i < count; i++)
      assert_true(pc_v3_dot(n, pc_v3_minus(pc_v3_of(point + 3 * i), on)) <= 1e-13);
  }
}

static void hulls_are_closed_and_contain_their_points(void** state)
{
  (void)state;
  random_source r = {7};
  for (int trial = 0; trial < 200; trial++) {
    double point[3 * 40];
    int count = 4 + trial % 36;
    for (int i = 0; i < count; i++)
      pc_v3_put(pc_v3_scaled(uniform(&r, 0, 1), random_unit(&r, 3)), point + 3 * i);
    pc_polytope* hull;
    pc_error error;
    CHECK_OK(pc_polytope_hull(count, point, &hull, &error), error);
    check_hull(hull, count, point);
    pc_polytope_destroy(hull);
  }
}

static void the_hull_of_a_turned_cube_has_six_square_faces(void** state)
{
  (void)state;
  random_source r = {3};
  for (int trial = 0; trial < 50; trial++) {
    pc_pose pose = random_pose(&r, 3, 2);
    double point[3 * 9] = {0};
    for (int i = 0; i < 8; i++) {
      pc_v3 c = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
      pc_v3_put(pc_pose_apply(&pose, c), point + 3 * i);
    }
    for (int i = 0; i < 3; i++) point[24 + i] = pose.x[i]; /* one inside */
    pc_polytope* hull;
    pc_error error;
    CHECK_OK(pc_polytope_hull(9, point, &hull, &error), error);
    assert_int_equal(hull->corner_count, 8);
    assert_int_equal(hull->edge_count, 12);
    assert_int_equal(hull->face_count, 6);
    pc_polytope_destroy(hull);
  }
}

static void boxes_around_shapes_touch_them(void** state)
{
  (void)state;
  static const pc_geometry_kind kind[] = {
      PC_GEOMETRY_DISC,      PC_GEOMETRY_RECTANGLE, PC_GEOMETRY_POLYGON, PC_GEOMETRY_STADIUM,
      PC_GEOMETRY_SPHERE,    PC_GEOMETRY_BOX,       PC_GEOMETRY_CAPSULE, PC_GEOMETRY_CYLINDER,
      PC_GEOMETRY_ELLIPSOID, PC_GEOMETRY_POLYHEDRON};
  random_source r = {11};
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
    pc_geometry* g = random_shape(&r, kind[k]);
    pc_pose pose = random_pose(&r, g->dimension, 1);
    pc_bounds b = pc_geometry_bounds(g, &pose), seen = pc_bounds_empty();
    for (int i = 0; i < 60000; i++) { /* points of the shape, of a box around all of it */
      pc_v3 x = {uniform(&r, -1.8, 1.8), uniform(&r, -1.8, 1.8),
                 g->dimension == 2 ? 0 : uniform(&r, -1.8, 1.8)};
      if (is_inside(g, x)) pc_bounds_add_point(&seen, pc_pose_apply(&pose, x));
    }
    for (int i = 0; i < g->dimension; i++) {
      assert_true(seen.low[i] >= b.low[i] && seen.high[i] <= b.high[i]);
      CHECK_NEAR(seen.low[i], b.low[i], 0.15);
      CHECK_NEAR(seen.high[i], b.high[i], 0.15);
    }
    pc_geometry_destroy(g);
  }
}

static void planes_are_placed_by_point_and_normal(void** state)
{
  (void)state;
  random_source r = {5};
  for (int dimension = 2; dimension < 4; dimension++)
    for (int trial = 0; trial < 20; trial++) {
      pc_v3 n = random_unit(&r, dimension);
      const double normal[3] = {n.x, n.y, n.z}, point[3] = {1, 2, dimension == 2 ? 0 : 3};
      pc_pose p = pc_pose_of_plane(dimension, point, normal);
      pc_v3 up = pc_pose_turn(&p, dimension == 2 ? (pc_v3){0, 1, 0} : (pc_v3){0, 0, 1});
      CHECK_NEAR(pc_v3_length(pc_v3_minus(up, n)), 0, 1e-15);
      double A_A[3] = {0}; /* the columns are orthonormal */
      for (int i = 0; i < 3; i++)
        A_A[0] += p.A[3 * i] * p.A[3 * i + 1], A_A[1] += p.A[3 * i + 1] * p.A[3 * i + 2],
            A_A[2] += p.A[3 * i] * p.A[3 * i];
      CHECK_NEAR(A_A[0], 0, 1e-15);
      CHECK_NEAR(A_A[1], 0, 1e-15);
      CHECK_NEAR(A_A[2], 1, 1e-15);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_numbers_are_refused_with_their_field),
      cmocka_unit_test(polygons_must_be_convex_and_simple),
      cmocka_unit_test(a_clockwise_polygon_is_turned_around),
      cmocka_unit_test(flat_polyhedra_are_refused),
      cmocka_unit_test(meshes_must_refer_to_their_corners),
      cmocka_unit_test(hulls_are_closed_and_contain_their_points),
      cmocka_unit_test(the_hull_of_a_turned_cube_has_six_square_faces),
      cmocka_unit_test(boxes_around_shapes_touch_them),
      cmocka_unit_test(planes_are_placed_by_point_and_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
