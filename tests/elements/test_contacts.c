/* Gaps, normals and slips against closed forms. */
#include "scene.h"
#include "system/terms.h"

typedef struct fixture {
  pc_system* system;
  pc_terms* terms;
} fixture;

static fixture start(pc_system* s)
{
  pc_error error = {0};
  fixture f = {.system = s};
  CHECK_OK(pc_system_freeze(s, &error), error);
  CHECK_OK(pc_terms_create(s, PC_TERM_ALL, &f.terms, &error), error);
  return f;
}

static void stop(fixture* f)
{
  pc_terms_destroy(f->terms);
  pc_system_destroy(f->system);
}

static void evaluate(fixture* f, const double* q, const double* u)
{
  pc_terms_evaluate(f->terms, &(pc_at){0, q, u, NULL});
}

static double velocity(const fixture* f, int row, const double* u)
{
  return pc_terms_row_velocity(f->terms, row, u);
}

static void add_disc_on_plane(pc_system* s, pc_part_id part, double radius, double nx, double ny)
{
  pc_error error = {0};
  pc_disc_plane_def def = pc_default_disc_plane_def();
  def.law = (pc_contact_law){.name = "floor", .mu = 0.3, .e_N = 0};
  def.centre.part = part;
  def.radius = radius;
  def.plane.normal[0] = nx;
  def.plane.normal[1] = ny;
  CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
}

static void rolling_disc_slips_with_its_lowest_point(void** state)
{
  (void)state;
  pc_system* s = make_system(2);
  add_disc_on_plane(s, make_body(s, "disc", 0, 0, 0), 0.5, 0, 1);
  fixture f = start(s);
  const double q[3] = {3, 0.7, 1.1}, u[3] = {2, -1, 5};
  evaluate(&f, q, u);
  CHECK_NEAR(f.terms->y[0], 0.2, 1e-15);
  CHECK_NEAR(velocity(&f, 0, u), -1, 1e-15);
  CHECK_NEAR(velocity(&f, 1, u), 2 + 5 * 0.5, 1e-15);
  stop(&f);
}

static void disc_below_a_ceiling_slips_towards_minus_x(void** state)
{
  (void)state;
  pc_system* s = make_system(2);
  add_disc_on_plane(s, make_body(s, "disc", 0, 0, 0), 0.5, 0, -1);
  fixture f = start(s);
  const double q[3] = {3, -0.7, 1.1}, u[3] = {2, -1, 5};
  evaluate(&f, q, u);
  CHECK_NEAR(f.terms->y[0], 0.2, 1e-15);
  CHECK_NEAR(velocity(&f, 0, u), 1, 1e-15);
  CHECK_NEAR(velocity(&f, 1, u), -(2 - 5 * 0.5), 1e-15);
  stop(&f);
}

/* A wheel on a board that turns about its centre: the velocities of both material points count. */
static void slip_is_relative_to_a_plane_that_moves(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id wheel = make_body(s, "wheel", 0, 0, 0), board = make_body(s, "board", 0, 0, 0);
  pc_disc_plane_def def = pc_default_disc_plane_def();
  def.law = (pc_contact_law){.name = "touch", .mu = 0.3, .e_N = 0};
  def.centre.part = wheel;
  def.radius = 0.5;
  def.plane = (pc_plane){board, {0, 0.1, 0}, {0, 1, 0}};
  CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
  fixture f = start(s);
  /* wheel above (2, 0.1) of an untilted board at the origin, closed */
  const double q[6] = {2, 0.6, 0.3, 0, 0, 0}, u[6] = {1, 2, 3, 0.4, 0.5, 0.6};
  evaluate(&f, q, u);
  CHECK_NEAR(f.terms->y[0], 0, 1e-15);
  CHECK_NEAR(velocity(&f, 0, u), 2 - (0.5 + 0.6 * 2), 1e-15);
  CHECK_NEAR(velocity(&f, 1, u), (1 + 3 * 0.5) - (0.4 - 0.6 * 0.1), 1e-15);
  stop(&f);
}

/* A percussion at a closed contact acts on both bodies at one point: it leaves momentum and moment
 * of momentum of the pair as they are. */
static void closed_contact_keeps_the_momentum_of_a_pair(void** state)
{
  (void)state;
  pc_error error = {0};
  for (int inside = 0; inside < 2; inside++) {
    pc_system* s = make_system(2);
    pc_disc_disc_def def = pc_default_disc_disc_def();
    def.law = (pc_contact_law){.name = "touch", .mu = 0.3, .e_N = 0};
    def.centre[0].part = make_body(s, "a", 0, 0, 0);
    def.centre[1].part = make_body(s, "b", 0, 0, 0);
    def.radius[0] = 0.4;
    def.radius[1] = 1.1;
    def.inside = inside;
    CHECK_OK(pc_add_disc_disc(s, &def, NULL, &error), error);
    fixture f = start(s);
    double distance = inside ? 0.7 : 1.5, x = distance * cos(0.8), y = distance * sin(0.8);
    const double q[6] = {1 + x, 2 + y, 0.3, 1, 2, -0.4}, u[6] = {0};
    evaluate(&f, q, u);
    CHECK_NEAR(f.terms->y[0], 0, 1e-15);
    for (int r = 0; r < 2; r++) {
      const double* w = f.terms->row[r].w;
      CHECK_NEAR(w[0] + w[3], 0, 1e-15);
      CHECK_NEAR(w[1] + w[4], 0, 1e-15);
      CHECK_NEAR(w[2] + w[5] + x * w[1] - y * w[0], 0, 1e-15);
    }
    stop(&f);
  }
}

static void disc_inside_a_circle_touches_its_far_side(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_disc_disc_def def = pc_default_disc_disc_def();
  def.law = (pc_contact_law){.name = "ring", .mu = 0.3, .e_N = 0};
  def.centre[0].part = make_body(s, "ball", 0, 0, 0);
  def.radius[0] = 0.25;
  def.radius[1] = 1;
  def.inside = 1;
  CHECK_OK(pc_add_disc_disc(s, &def, NULL, &error), error);
  fixture f = start(s);
  int shape = pc_system_element_count(s) - 1; /* as it is drawn */
  assert_true(pc_system_shape(s, shape).inside);
  /* at the bottom of the circle: like a floor with the normal (0, 1) */
  const double q[3] = {0, -0.6, 0}, u[3] = {2, 3, 4};
  evaluate(&f, q, u);
  CHECK_NEAR(f.terms->y[0], 0.15, 1e-15);
  CHECK_NEAR(velocity(&f, 0, u), 3, 1e-15);
  CHECK_NEAR(velocity(&f, 1, u), 2 + 4 * 0.25, 1e-15);
  /* in the middle there is no normal: all numbers stay finite */
  const double middle[3] = {0, 0, 0};
  evaluate(&f, middle, u);
  CHECK_NEAR(f.terms->y[0], 0.75, 0);
  for (int r = 0; r < 2; r++) assert_true(isfinite(velocity(&f, r, u)));
  assert_true(isfinite(f.terms->zeta[0]) && isfinite(f.terms->zeta[1]));
  stop(&f);
}

static void tangents_in_space_are_orthonormal(void** state)
{
  (void)state;
  const double normal[][3] = {{0, 0, 1}, {0, 0, -1},  {1, 0, 0},    {0, -2, 0},
                              {1, 2, 3}, {-3, 1, -2}, {1e-9, 0, -1}};
  for (size_t i = 0; i < sizeof normal / sizeof *normal; i++) {
    pc_error error = {0};
    pc_system* s = make_system(3);
    pc_disc_plane_def def = pc_default_disc_plane_def();
    def.law = (pc_contact_law){.name = "floor", .mu = 0.3, .e_N = 0};
    def.centre.part = make_mass(s, "ball", 0, 0, 0);
    for (int k = 0; k < 3; k++) def.plane.normal[k] = normal[i][k];
    CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
    fixture f = start(s);
    const double q[3] = {1, 2, 3}, u[3] = {0};
    evaluate(&f, q, u);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const double *x = f.terms->row[a].w, *y = f.terms->row[b].w;
        CHECK_NEAR(x[0] * y[0] + x[1] * y[1] + x[2] * y[2], a == b, 1e-15);
      }
    if (i == 0) CHECK_NEAR(f.terms->row[1].w[0], 1, 0);
    if (i == 0) CHECK_NEAR(f.terms->row[2].w[1], 1, 0);
    stop(&f);
  }
}

static void circle(const void* user, const double at[2], double* gap, double gradient[2],
                   double hessian[4])
{
  double radius = *(const double*)user, r = hypot(at[0], at[1]), x = at[0] / r, y = at[1] / r;
  *gap = r - radius;
  gradient[0] = x;
  gradient[1] = y;
  hessian[0] = y * y / r;
  hessian[1] = hessian[2] = -x * y / r;
  hessian[3] = x * x / r;
}

static void curve_in_the_shape_of_a_circle_is_a_disc(void** state)
{
  (void)state;
  static double radius = 0.6;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id a = make_body(s, "a", 0, 0, 0), b = make_body(s, "b", 0, 0, 0);
  pc_point_curve_def curve = pc_default_point_curve_def();
  curve.law = (pc_contact_law){.name = "curve", .mu = 0.3, .e_N = 0};
  curve.point = (pc_point){a, {0.2, 0.1, 0}};
  curve.part = b;
  curve.curve = (pc_gap_field){.value = circle, .user = &radius};
  CHECK_OK(pc_add_point_curve(s, &curve, NULL, &error), error);
  pc_disc_disc_def disc = pc_default_disc_disc_def();
  disc.law = (pc_contact_law){.name = "disc", .mu = 0.3, .e_N = 0};
  disc.centre[0] = curve.point;
  disc.centre[1].part = b;
  disc.radius[1] = radius;
  CHECK_OK(pc_add_disc_disc(s, &disc, NULL, &error), error);
  fixture f = start(s);
  const double q[6] = {1, 2, 0.3, 0.4, 1.5, 0.6}, u[6] = {1, -2, 3, -4, 5, -6};
  evaluate(&f, q, u);
  CHECK_NEAR(f.terms->y[0], f.terms->y[2], 1e-15);
  for (int r = 0; r < 2; r++) {
    CHECK_NEAR(velocity(&f, r, u), velocity(&f, r + 2, u), 1e-13);
    CHECK_NEAR(f.terms->zeta[r], f.terms->zeta[r + 2], 1e-12);
  }
  stop(&f);
}

static void friction_rows_follow_the_dimension(void** state)
{
  (void)state;
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int friction = 0; friction < 2; friction++) {
      pc_error error = {0};
      pc_system* s = make_system(dimension);
      pc_disc_plane_def def = pc_default_disc_plane_def();
      def.law.name = "wall";
      if (friction) def.law.mu = 0;
      def.centre.part = make_mass(s, "ball", 1, 0, 0);
      def.plane.normal[0] = 2;
      CHECK_OK(pc_add_disc_plane(s, &def, NULL, &error), error);
      fixture f = start(s);
      assert_int_equal(pc_system_contact(s, 0).dimension, friction ? dimension - 1 : 0);
      const double q[3] = {0.7, 5, 6}, u[3] = {-1, 2, 3};
      evaluate(&f, q, u);
      CHECK_NEAR(f.terms->y[0], 0.7, 0);
      CHECK_NEAR(velocity(&f, 0, u), -1, 0);
      stop(&f);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rolling_disc_slips_with_its_lowest_point),
      cmocka_unit_test(disc_below_a_ceiling_slips_towards_minus_x),
      cmocka_unit_test(slip_is_relative_to_a_plane_that_moves),
      cmocka_unit_test(closed_contact_keeps_the_momentum_of_a_pair),
      cmocka_unit_test(disc_inside_a_circle_touches_its_far_side),
      cmocka_unit_test(tangents_in_space_are_orthonormal),
      cmocka_unit_test(curve_in_the_shape_of_a_circle_is_a_disc),
      cmocka_unit_test(friction_rows_follow_the_dimension),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
