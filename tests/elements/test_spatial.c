/* What elements of space say, against geometry done by brute force, and what they refuse. */
#include <string.h>

#include "base/rotation.h"
#include "scene.h"
#include "system/terms.h"

static const double TURN[4] = {0.9, -0.4, 0.3, 0.5};
static const double NORMAL[3] = {-1.2, 2, 0.7};
static const pc_plane PLANE = {{-1}, {0.1, 0.2, 0.3}, {-1.2, 2, 0.7}};

typedef struct fixture {
  pc_system* system;
  pc_terms* terms;
} fixture;

static fixture start(pc_system* s, const double* u)
{
  pc_error error = {0};
  fixture f = {s, NULL};
  CHECK_OK(pc_system_freeze(s, &error), error);
  CHECK_OK(pc_terms_create(s, PC_TERM_ALL, &f.terms, &error), error);
  pc_terms_evaluate(f.terms, &(pc_at){0, pc_system_q0(s), u, NULL});
  return f;
}

static void stop(fixture* f)
{
  pc_terms_destroy(f->terms);
  pc_system_destroy(f->system);
}

/* The height above the plane of a point given in the frame of a body at x turned by TURN. */
static double height_of(const double x[3], const double at[3])
{
  double A[9], r[3], height = 0, length = 0;
  pc_rotation_matrix(TURN, A);
  pc_rotation_apply(A, at, r);
  for (int i = 0; i < 3; i++) {
    height += NORMAL[i] * (x[i] + r[i] - PLANE.point[i]);
    length += NORMAL[i] * NORMAL[i];
  }
  return height / sqrt(length);
}

static const double X[3] = {0.2, -1, -0.8};
enum { SAMPLES = 20000 };

/* The lowest of many points of the rim, about the axis z of the body. */
static void edge_is_as_deep_as_its_lowest_point(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_edge_plane_def def = pc_default_edge_plane_def();
  def.law.name = "rim";
  def.radius = 0.7;
  def.centre = (pc_point){make_spatial_body(s, "b", X[0], X[1], X[2], TURN), {0.1, 0.2, -0.3}};
  def.plane = PLANE;
  CHECK_OK(pc_add_edge_plane(s, &def, NULL, &error), error);
  fixture f = start(s, NULL);
  double lowest = INFINITY;
  for (int i = 0; i < SAMPLES; i++) {
    double angle = 2 * acos(-1) * i / SAMPLES;
    const double at[3] = {0.1 + 0.7 * cos(angle), 0.2 + 0.7 * sin(angle), -0.3};
    lowest = fmin(lowest, height_of(X, at));
  }
  CHECK_NEAR(f.terms->y[0], lowest, 1e-7);
  stop(&f);
}

/* The lowest of many points of the ellipsoid, by descent from a grid. */
static void ellipsoid_is_as_deep_as_its_lowest_point(void** state)
{
  (void)state;
  pc_error error = {0};
  const double a[3] = {0.5, 0.8, 1.1};
  pc_system* s = make_system(3);
  pc_ellipsoid_plane_def def = pc_default_ellipsoid_plane_def();
  def.law.name = "egg";
  def.centre.part = make_spatial_body(s, "b", X[0], X[1], X[2], TURN);
  for (int i = 0; i < 3; i++) def.semi_axes[i] = a[i];
  def.plane = PLANE;
  CHECK_OK(pc_add_ellipsoid_plane(s, &def, NULL, &error), error);
  fixture f = start(s, NULL);
  double lowest = INFINITY, pi = acos(-1);
  for (int i = 0; i <= 400; i++)
    for (int j = 0; j < 800; j++) {
      double polar = pi * i / 400, azimuth = 2 * pi * j / 800;
      const double at[3] = {a[0] * sin(polar) * cos(azimuth), a[1] * sin(polar) * sin(azimuth),
                            a[2] * cos(polar)};
      lowest = fmin(lowest, height_of(X, at));
    }
  assert_true(f.terms->y[0] <= lowest);
  CHECK_NEAR(f.terms->y[0], lowest, 1e-4);
  stop(&f);
}

/* A sphere is an ellipsoid. */
static void ball_is_a_round_ellipsoid(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_ellipsoid_plane_def egg = pc_default_ellipsoid_plane_def();
  egg.law = (pc_contact_law){.name = "egg", .mu = 0.3, .contact_radius = 0.2};
  egg.centre = (pc_point){make_spatial_body(s, "b", X[0], X[1], X[2], TURN), {0.1, 0.2, -0.3}};
  for (int i = 0; i < 3; i++) egg.semi_axes[i] = 0.6;
  egg.plane = PLANE;
  CHECK_OK(pc_add_ellipsoid_plane(s, &egg, NULL, &error), error);
  pc_disc_plane_def ball = pc_default_disc_plane_def();
  ball.law = egg.law;
  ball.law.name = "ball";
  ball.centre = egg.centre;
  ball.radius = 0.6;
  ball.plane = PLANE;
  CHECK_OK(pc_add_disc_plane(s, &ball, NULL, &error), error);
  const double u[6] = {1, -2, 3, 0.5, 1.5, -0.7};
  fixture f = start(s, u);
  CHECK_NEAR(f.terms->y[0], f.terms->y[4], 1e-15);
  for (int r = 0; r < 4; r++)
    CHECK_NEAR(pc_terms_row_velocity(f.terms, r, u), pc_terms_row_velocity(f.terms, 4 + r, u),
               1e-14);
  stop(&f);
}

/* The three shapes of one body against a plane of the given part. */
static void add_shapes(pc_system* s, pc_part_id body, pc_part_id part, const char* const name[3])
{
  pc_error error = {0};
  const pc_contact_law law = {.mu = 0.3, .contact_radius = 0.2};
  const pc_point centre = {body, {0.1, 0.2, -0.3}};
  pc_plane plane = PLANE;
  plane.part = part;
  pc_disc_plane_def ball = {.law = law, .centre = centre, .radius = 0.6, .plane = plane};
  pc_edge_plane_def rim = {
      .law = law, .centre = centre, .radius = 0.7, .axis = {0.2, -1, 0.4}, .plane = plane};
  pc_ellipsoid_plane_def egg = {
      .law = law, .centre = centre, .semi_axes = {0.5, 0.3, 0.8}, .plane = plane};
  ball.law.name = name[0];
  rim.law.name = name[1];
  egg.law.name = name[2];
  CHECK_OK(pc_add_disc_plane(s, &ball, NULL, &error), error);
  CHECK_OK(pc_add_edge_plane(s, &rim, NULL, &error), error);
  CHECK_OK(pc_add_ellipsoid_plane(s, &egg, NULL, &error), error);
}

/* A floor is a plane of a body that does not move. */
static void floor_is_a_plate_at_rest(void** state)
{
  (void)state;
  enum { ROWS = 12 }; /* of three contacts */
  pc_system* s = make_system(3);
  const double upright[4] = {1, 0, 0, 0}, u[12] = {1, -2, 3, 0.5, 1.5, -0.7};
  pc_part_id body = make_spatial_body(s, "b", X[0], X[1], X[2], TURN);
  add_shapes(s, body, PC_GROUND, (const char* const[]){"ball", "rim", "egg"});
  add_shapes(s, body, make_spatial_body(s, "plate", 0, 0, 0, upright),
             (const char* const[]){"ball on plate", "rim on plate", "egg on plate"});
  fixture f = start(s, u);
  for (int r = 0; r < ROWS; r++) {
    CHECK_NEAR(f.terms->y[r], f.terms->y[ROWS + r], 1e-14);
    for (int i = 0; i < 6; i++)
      CHECK_NEAR(f.terms->row[r].w[i], f.terms->row[ROWS + r].w[i], 1e-14);
    CHECK_NEAR(f.terms->zeta[r], f.terms->zeta[ROWS + r], 1e-13);
  }
  stop(&f);
}

/* A disc flat on the floor: all numbers stay finite, and the gap is the height. */
static void flat_disc_stays_finite(void** state)
{
  (void)state;
  pc_error error = {0};
  const double upright[4] = {1, 0, 0, 0}, u[6] = {1, 2, 3, 4, 5, 6};
  pc_system* s = make_system(3);
  pc_edge_plane_def def = pc_default_edge_plane_def();
  def.law = (pc_contact_law){.name = "rim", .mu = 0.3};
  def.radius = 0.7;
  def.centre.part = make_spatial_body(s, "b", 0, 0, 0.25, upright);
  def.plane.normal[2] = 1;
  CHECK_OK(pc_add_edge_plane(s, &def, NULL, &error), error);
  fixture f = start(s, u);
  CHECK_NEAR(f.terms->y[0], 0.25, 0);
  for (int r = 0; r < 3; r++)
    assert_true(isfinite(pc_terms_row_velocity(f.terms, r, u)) && isfinite(f.terms->zeta[r]));
  stop(&f);
}

/* Tangents between spheres: orthonormal and continuous where the normal is horizontal. */
static void tangents_of_spheres_do_not_jump_at_the_equator(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_disc_disc_def def = pc_default_disc_disc_def();
  def.law = (pc_contact_law){.name = "touch", .mu = 0.3};
  def.centre[0].part = make_mass(s, "ball", 1, 0.2, 0);
  def.radius[0] = def.radius[1] = 0.5;
  CHECK_OK(pc_add_disc_disc(s, &def, NULL, &error), error);
  fixture f = start(s, NULL);
  double before[2][3] = {{0}}, q[3] = {1, 0.2, 0};
  for (int side = 0; side < 2; side++) {
    q[2] = side ? 1e-9 : -1e-9;
    pc_terms_evaluate(f.terms, &(pc_at){0, q, NULL, NULL});
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const double *x = f.terms->row[a].w, *y = f.terms->row[b].w;
        CHECK_NEAR(x[0] * y[0] + x[1] * y[1] + x[2] * y[2], a == b, 1e-15);
      }
    for (int a = 0; a < 2; a++)
      for (int k = 0; k < 3; k++) {
        if (side) CHECK_NEAR(f.terms->row[1 + a].w[k], before[a][k], 1e-8);
        before[a][k] = f.terms->row[1 + a].w[k];
      }
  }
  stop(&f);
}

/* ---- refusals ------------------------------------------------------------------------------ */

#define REFUSED(call, expected)                                                            \
  do {                                                                                     \
    pc_error error_ = {0};                                                                 \
    assert_int_equal(call, PC_BAD_MODEL);                                                  \
    if (!strstr(error_.text, expected)) fail_msg("'%s', not '%s'", error_.text, expected); \
  } while (0)

static void bodies_that_cannot_be(void** state)
{
  (void)state;
  pc_system* s = make_system(3);
  pc_part_id id;
  pc_spatial_body_def good = pc_default_spatial_body_def(), bad;
  good.name = "b";
#define BODY(change, text) \
  bad = good;              \
  change;                  \
  REFUSED(pc_add_spatial_body(s, &bad, &id, &error_), text)
  BODY(bad.name = "", "body: name is missing");
  BODY(bad.mass = 0, "body 'b': mass is 0; it must be positive and finite");
  BODY(bad.inertia[4] = NAN, "body 'b': inertia is not finite");
  BODY(bad.inertia[1] = 0.1, "body 'b': inertia is not symmetric");
  BODY(bad.inertia[8] = -1, "body 'b': inertia is not positive definite");
  BODY(bad.inertia[8] = 2.1, "the largest exceeds the sum of the others");
  BODY(bad.orientation[0] = 0, "body 'b': orientation is zero");
  BODY(bad.angular_velocity[2] = INFINITY, "body 'b': angular_velocity is not finite");
  bad = good;
  bad.inertia[8] = 2; /* flat */
  pc_error error = {0};
  CHECK_OK(pc_add_spatial_body(s, &bad, &id, &error), error);
  pc_system_destroy(s);
}

/* ---- a rotational spring --------------------------------------------------------------------- */

static const double AXIS[3] = {0.6, 0, 0.8};

/* Two bodies, the first at rest with the rotation TURN, with a spring of stiffness 3 about AXIS. */
static pc_system* make_twist(double rest, pc_part_id part[2])
{
  pc_error error = {0};
  pc_system* s = make_system(3);
  const double other[4] = {0.3, 0.2, -0.7, 0.6};
  pc_rotational_spring_def def = pc_default_rotational_spring_def();
  def.name = "twist";
  def.part[0] = part[0] = make_spatial_body(s, "a", 0, 0, 0, TURN);
  def.part[1] = part[1] = make_spatial_body(s, "b", 0, 0, 0, other);
  def.stiffness = 3;
  def.angle = rest;
  for (int i = 0; i < 3; i++) def.axis[i] = 2 * AXIS[i];
  CHECK_OK(pc_add_rotational_spring(s, &def, &error), error);
  return s;
}

/* The terms where the second body has turned by an angle about the axis, followed from the
 * start. */
static void turn_second(const fixture* f, double angle)
{
  double q[14], turn[4];
  memcpy(q, pc_system_q0(f->system), sizeof q);
  const double vector[3] = {angle * AXIS[0], angle * AXIS[1], angle * AXIS[2]};
  pc_rotation_exp(vector, turn);
  pc_quaternion_product(turn, q + 10, q + 10);
  pc_terms_evaluate(f->terms, &(pc_at){0, q, pc_system_u0(f->system), NULL});
}

/* The torque on a body in the inertial frame. */
static void torque_on(const fixture* f, int body, double angle, double torque[3])
{
  double A[9], p[4], turn[4];
  const double vector[3] = {angle * AXIS[0], angle * AXIS[1], angle * AXIS[2]};
  pc_rotation_exp(vector, turn);
  memcpy(p, pc_system_q0(f->system) + 7 * body + 3, sizeof p);
  if (body) pc_quaternion_product(turn, p, p);
  pc_rotation_matrix(p, A);
  pc_rotation_apply(A, f->terms->h + 6 * body + 3, torque);
}

static void twist_is_followed_over_a_full_turn_either_way(void** state)
{
  (void)state;
  const double rests[3] = {0, 0.7, -5};
  for (int r = 0; r < 3; r++) {
    pc_part_id part[2];
    pc_system* s = make_twist(rests[r], part);
    const double u[14] = {0};
    fixture f = start(s, u);
    for (int i = -62; i <= 62; i++) {
      double twist = 0.1 * i, angle = twist + rests[r], own[3], other[3];
      turn_second(&f, angle);
      CHECK_NEAR(f.terms->potential, 1.5 * twist * twist, 1e-12);
      torque_on(&f, 1, angle, own);
      torque_on(&f, 0, angle, other);
      for (int k = 0; k < 3; k++) {
        CHECK_NEAR(own[k], -3 * twist * AXIS[k], 1e-12);
        CHECK_NEAR(other[k], -own[k], 1e-13);
      }
    }
    stop(&f);
  }
}

static void rotational_springs_that_cannot_be(void** state)
{
  (void)state;
  pc_system *s = make_system(3), *line = make_system(1);
  pc_part_id body = make_spatial_body(s, "b", 0, 0, 0, TURN), mass = make_mass(s, "m", 1, 1, 1);
  pc_rotational_spring_def good = pc_default_rotational_spring_def();
  good.name = "r";
  good.part[1] = body;
  REFUSED(pc_add_rotational_spring(s, &good, &error_), "axis is zero; it must have a direction");
  REFUSED(pc_add_rotational_spring(line, &good, &error_), "needs a planar or spatial system");
  good.axis[1] = 1;
#define TWIST(field, change, text)                             \
  do {                                                         \
    pc_rotational_spring_def bad = good;                       \
    bad.field = change;                                        \
    REFUSED(pc_add_rotational_spring(s, &bad, &error_), text); \
  } while (0)
  TWIST(axis[2], NAN, "axis is not finite");
  TWIST(angle, 6.3, "angle is 6.3; it must be less than a full turn, 2 pi, either way");
  TWIST(angle, -6.3, "angle is -6.3; it must be less than a full turn, 2 pi, either way");
  TWIST(angle, INFINITY, "angle is not finite");
  TWIST(stiffness, NAN, "stiffness is nan");
  TWIST(damping, -1, "damping is -1");
  TWIST(part[1], mass, "part[1]: 'm' is not a rigid body");
  TWIST(part[0], body, "are the same");
  pc_system_destroy(s);
  pc_system_destroy(line);
}

static void contacts_and_joints_that_cannot_be(void** state)
{
  (void)state;
  const double upright[4] = {1, 0, 0, 0};
  pc_system *s = make_system(3), *plane = make_system(2);
  pc_part_id body = make_spatial_body(s, "b", 0, 0, 0, upright), mass = make_mass(s, "m", 1, 1, 1);
  pc_disc_plane_def ball = pc_default_disc_plane_def();
  ball.law = (pc_contact_law){.name = "f", .mu = 0.3, .contact_radius = 0.1};
  ball.centre.part = mass;
  ball.plane.normal[2] = 1;
  REFUSED(pc_add_disc_plane(s, &ball, NULL, &error_), "contact_radius needs a body that can turn");
  ball.centre.part = body;
  ball.law.contact_radius = -1;
  REFUSED(pc_add_disc_plane(s, &ball, NULL, &error_), "contact_radius is -1");
  ball.law.contact_radius = 0.1;
  ball.law.mu = PC_FRICTIONLESS;
  REFUSED(pc_add_disc_plane(s, &ball, NULL, &error_),
          "contact_radius needs a friction coefficient");
  pc_ellipsoid_plane_def egg = pc_default_ellipsoid_plane_def();
  egg.law.name = "e";
  REFUSED(pc_add_ellipsoid_plane(s, &egg, NULL, &error_), "semi_axes[0] is 0");
  REFUSED(pc_add_ellipsoid_plane(plane, &egg, NULL, &error_), "needs a spatial system");
  pc_joint_def hinge = pc_default_joint_def();
  hinge.name = "h";
  hinge.part[1] = body;
  hinge.axis[0] = 0;
  REFUSED(pc_add_revolute(s, &hinge, NULL, &error_), "revolute 'h': axis is zero");
  hinge.axis[0] = 1;
  hinge.part[1] = mass;
  REFUSED(pc_add_revolute(s, &hinge, NULL, &error_), "'m' is not a rigid body");
  pc_rolling_def roll = pc_default_rolling_def();
  roll.name = "r";
  REFUSED(pc_add_rolling(s, &roll, NULL, &error_), "radius is 0");
  roll.radius = 1;
  roll.axis[2] = 1;
  REFUSED(pc_add_rolling(plane, &roll, NULL, &error_), "axis is given, but in the plane it is z");
  pc_system_destroy(s);
  pc_system_destroy(plane);
}

/* Where the inertia is a multiple of the unit matrix, w x Theta w is no round-off either, and there
 * is nothing to linearise. */
static void a_sphere_has_no_gyroscopic_torque(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_part_id id;
  pc_spatial_body_def def = pc_default_spatial_body_def();
  def.name = "ball";
  def.mass = 1.7;
  for (int i = 0; i < 3; i++) def.inertia[4 * i] = 0.3;
  CHECK_OK(pc_add_spatial_body(s, &def, &id, &error), error);
  const double u[6] = {1, 2, 3, 0.1, -0.7, 12.345};
  fixture f = start(s, u);
  for (int i = 3; i < 6; i++) assert_true(f.terms->h[i] == 0);
  assert_int_equal(pc_system_provides(s) & PC_TERM_H_U, 0);
  assert_int_not_equal(pc_system_constant(s) & PC_TERM_H, 0);
  stop(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edge_is_as_deep_as_its_lowest_point),
      cmocka_unit_test(ellipsoid_is_as_deep_as_its_lowest_point),
      cmocka_unit_test(ball_is_a_round_ellipsoid),
      cmocka_unit_test(floor_is_a_plate_at_rest),
      cmocka_unit_test(flat_disc_stays_finite),
      cmocka_unit_test(tangents_of_spheres_do_not_jump_at_the_equator),
      cmocka_unit_test(twist_is_followed_over_a_full_turn_either_way),
      cmocka_unit_test(rotational_springs_that_cannot_be),
      cmocka_unit_test(a_sphere_has_no_gyroscopic_torque),
      cmocka_unit_test(bodies_that_cannot_be),
      cmocka_unit_test(contacts_and_joints_that_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
