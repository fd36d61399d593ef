/* Mass properties against sums over the points of a fine grid that are in the shape. */
#include "collide/shape.h"

#include "collide/shapes.h"

/* One random point in every cell of a grid. */
static pc_mass_properties by_counting(const pc_geometry* g, double density)
{
  random_source r = {17};
  const int GRID = g->dimension == 2 ? 500 : 120;
  double S[9] = {0}, step = 2 * g->reach / GRID,
         cell = g->dimension == 2 ? step * step : step * step * step;
  pc_mass_properties p = {0};
  for (int i = 0; i < GRID; i++)
    for (int k = 0; k < GRID; k++)
      for (int l = 0; l < (g->dimension == 2 ? 1 : GRID); l++) {
        double x[3] = {(i + uniform(&r, 0, 1)) * step - g->reach,
                       (k + uniform(&r, 0, 1)) * step - g->reach,
                       g->dimension == 2 ? 0 : (l + uniform(&r, 0, 1)) * step - g->reach};
        if (!is_inside(g, pc_v3_of(x))) continue;
        p.mass += density * cell;
        for (int a = 0; a < 3; a++) {
          p.centre[a] += density * cell * x[a];
          for (int b = 0; b < 3; b++) S[3 * a + b] += density * cell * x[a] * x[b];
        }
      }
  for (int a = 0; a < 3; a++) p.centre[a] /= p.mass;
  for (int a = 0; a < 9; a++) S[a] -= p.mass * p.centre[a / 3] * p.centre[a % 3];
  for (int a = 0; a < 9; a++) p.inertia[a] = (a % 4 == 0 ? S[0] + S[4] + S[8] : 0) - S[a];
  for (int a = 0; g->dimension == 2 && a < 8; a++) p.inertia[a] = 0;
  return p;
}

static void check_same(const pc_mass_properties* a, const pc_mass_properties* b, double tolerance,
                       double size)
{
  CHECK_NEAR(a->mass, b->mass, tolerance * b->mass);
  for (int i = 0; i < 3; i++) CHECK_NEAR(a->centre[i], b->centre[i], tolerance * size);
  for (int i = 0; i < 9; i++)
    CHECK_NEAR(a->inertia[i], b->inertia[i], tolerance * b->mass * size * size);
}

static void mass_properties_are_those_of_a_fine_grid(void** state)
{
  (void)state;
  static const pc_geometry_kind kind[] = {
      PC_GEOMETRY_DISC,      PC_GEOMETRY_RECTANGLE, PC_GEOMETRY_POLYGON, PC_GEOMETRY_STADIUM,
      PC_GEOMETRY_SPHERE,    PC_GEOMETRY_BOX,       PC_GEOMETRY_CAPSULE, PC_GEOMETRY_CYLINDER,
      PC_GEOMETRY_ELLIPSOID, PC_GEOMETRY_POLYHEDRON};
  random_source r = {23};
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
    for (int trial = 0; trial < 2; trial++) {
      pc_geometry* g = random_shape(&r, kind[k]);
      pc_mass_properties exact, sum = by_counting(g, 7);
      pc_error error;
      CHECK_OK(pc_geometry_mass(g, 7, &exact, &error), error);
      check_same(&exact, &sum, 0.003, g->reach);
      pc_geometry_destroy(g);
    }
}

/* A polyhedron of random corners far from the origin, against the tetrahedra of its own faces with
 * its centre: the mass is the sum of determinants, the inertia that of tetrahedra by quadrature of
 * degree two (four points with barycentric coordinates (a, b, b, b), exact for quadratic
 * functions). */
static void polyhedra_agree_with_quadrature_over_tetrahedra(void** state)
{
  (void)state;
  const double b = (5 - sqrt(5)) / 20, a = 1 - 3 * b;
  random_source r = {29};
  for (int trial = 0; trial < 20; trial++) {
    pc_geometry* g = random_polyhedron(&r, 12);
    pc_polytope* p = g->own;
    for (int i = 0; i < p->corner_count; i++) p->corner[i].x += 3;
    pc_mass_properties exact, sum = {0};
    double S[9] = {0};
    pc_v3 o = {3.1, 0, 0.1};
    for (int f = 0; f < p->face_count; f++)
      for (int i = p->face_first[f] + 1; i + 1 < p->face_first[f + 1]; i++) {
        pc_v3 c[4] = {o, p->corner[p->face_corner[p->face_first[f]]], p->corner[p->face_corner[i]],
                      p->corner[p->face_corner[i + 1]]};
        double volume = pc_v3_dot(pc_v3_minus(c[1], o),
                                  pc_v3_cross(pc_v3_minus(c[2], o), pc_v3_minus(c[3], o))) /
                        6;
        for (int q = 0; q < 4; q++) {
          pc_v3 y = {0};
          for (int k = 0; k < 4; k++) y = pc_v3_along(y, k == q ? a : b, c[k]);
          const double x[3] = {y.x, y.y, y.z};
          sum.mass += volume / 4;
          for (int k = 0; k < 9; k++) S[k] += volume / 4 * x[k / 3] * x[k % 3];
          for (int k = 0; k < 3; k++) sum.centre[k] += volume / 4 * x[k];
        }
      }
    for (int k = 0; k < 3; k++) sum.centre[k] /= sum.mass;
    for (int k = 0; k < 9; k++) S[k] -= sum.mass * sum.centre[k / 3] * sum.centre[k % 3];
    for (int k = 0; k < 9; k++) sum.inertia[k] = (k % 4 == 0 ? S[0] + S[4] + S[8] : 0) - S[k];
    pc_error error;
    CHECK_OK(pc_geometry_mass(g, 1, &exact, &error), error);
    check_same(&exact, &sum, 1e-12, 1);
    pc_geometry_destroy(g);
  }
}

/* Two half boxes side by side, in any frame, are the box. */
static void parts_add_up_to_the_whole(void** state)
{
  (void)state;
  random_source r = {31};
  pc_geometry* whole =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_BOX, .size = {2, 0.6, 0.8}});
  pc_geometry* half =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_BOX, .size = {1, 0.6, 0.8}});
  pc_mass_properties one, two;
  pc_error error;
  CHECK_OK(pc_geometry_mass(whole, 3, &one, &error), error);
  CHECK_OK(pc_geometry_mass(half, 3, &two, &error), error);
  for (int trial = 0; trial < 20; trial++) {
    pc_pose pose = random_pose(&r, 3, 2), left = pose, right = pose;
    pc_v3_put(pc_pose_apply(&pose, (pc_v3){-0.5, 0, 0}), left.x);
    pc_v3_put(pc_pose_apply(&pose, (pc_v3){0.5, 0, 0}), right.x);
    pc_mass_properties a = {0}, b = {0};
    pc_mass_add(&a, &one, &pose);
    pc_mass_add(&b, &two, &left);
    pc_mass_add(&b, &two, &right);
    check_same(&b, &a, 1e-14, 4);
  }
  pc_mass_scale(&one, 5);
  CHECK_NEAR(one.mass, 5, 0);
  CHECK_NEAR(one.inertia[8], 5 * (4 + 0.36) / 12, 1e-15);
  pc_geometry_destroy(whole);
  pc_geometry_destroy(half);
}

static void planar_parts_add_up(void** state)
{
  (void)state;
  pc_geometry* half =
      make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_RECTANGLE, .size = {1, 0.6}});
  pc_mass_properties p, sum = {0};
  pc_error error;
  CHECK_OK(pc_geometry_mass(half, 2, &p, &error), error);
  pc_pose left = pc_pose_planar(1, 2 - 0.5, 1.5707963267948966),
          right = pc_pose_planar(1, 2.5, 1.5707963267948966);
  pc_mass_add(&sum, &p, &left);
  pc_mass_add(&sum, &p, &right);
  CHECK_NEAR(sum.mass, 2.4, 1e-15);
  CHECK_NEAR(sum.centre[1], 2, 1e-15);
  CHECK_NEAR(sum.inertia[8], 2.4 * (4 + 0.36) / 12, 1e-15);
  CHECK_NEAR(sum.inertia[0], 0, 0);
  pc_geometry_destroy(half);
}

static void shapes_without_volume_are_refused(void** state)
{
  (void)state;
  pc_geometry* g = make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_HALF_SPACE});
  pc_mass_properties p;
  pc_error error;
  assert_int_equal(pc_geometry_mass(g, 1, &p, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "half-space has no volume"));
  pc_geometry_destroy(g);
  g = make_shape(&(pc_geometry_def){.kind = PC_GEOMETRY_SPHERE, .radius = 1});
  assert_int_equal(pc_geometry_mass(g, -1, &p, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "density is -1"));
  pc_geometry_destroy(g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_properties_are_those_of_a_fine_grid),
      cmocka_unit_test(polyhedra_agree_with_quadrature_over_tetrahedra),
      cmocka_unit_test(parts_add_up_to_the_whole),
      cmocka_unit_test(planar_parts_add_up),
      cmocka_unit_test(shapes_without_volume_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
