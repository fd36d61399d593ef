/* Compliant contacts against closed forms, and their derivatives. */
#include "elements/conformance.h"
#include "example.h"

static const double PI = 3.14159265358979323846;

static void check_text(const char* text)
{
  pc_error error = {0};
  pc_model* model;
  conformance options = default_conformance();
  options.spread = 0.2;
  options.applied = 1;
  options.tolerance = 1e-8; /* of differences: forces of shapes that turn are far from linear */
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  check_conformance((pc_system*)pc_model_system(model), options);
  pc_model_destroy(model);
}

#define COMPLIANCE "compliance: {stiffness: 3, exponent: 1.5, damping: 0.1, dissipation: 0.2"

static void derivatives_in_the_plane(void** state)
{
  (void)state;
  check_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.3, position: [0.1, 1], angle: 0.4}\n"
      "  b: {mass: 1, inertia: 0.5, position: [1, -0.3], angle: -1.2}\n"
      "contacts:\n"
      "  c: {disc: a, radius: 3, other: b, other_radius: 2, friction: 0.4, " COMPLIANCE
      ", slip_speed: 5}}\n"
      "  d: {disc: [a, [0.1, 0.2]], radius: 2, plane: {part: b, point: [0, 1], normal: [1, 2]},\n"
      "      friction: 0.1, " COMPLIANCE
      ", slip_speed: 5}}\n"
      "  e: {point: a, curve: {f: y - 0.1*x^2 - 8}, " COMPLIANCE "}}\n");
}

static void derivatives_in_space(void** state)
{
  (void)state;
  check_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.2, 0.3, 0.4], position: [1, 0.2, 0.1],\n"
      "      orientation: [0.9, 0.3, -0.4, 0.2]}\n"
      "  b: {mass: 2, inertia: [0.5, 0.3, 0.4], position: [-1, 0.5, 0.6],\n"
      "      orientation: [0.5, -0.3, 0.4, 0.6]}\n"
      "contacts:\n"
      "  c: {sphere: [a, [0.1, 0.2, 0.3]], radius: 2, other: b, other_radius: 3,\n"
      "      friction: {mu: 0.4, contact_radius: 0.3}, " COMPLIANCE
      ", slip_speed: 5}}\n"
      "  d: {ellipsoid: a, semi_axes: [2, 3, 4], friction: 0.3, " COMPLIANCE
      ", slip_speed: 5},\n"
      "      plane: {part: b, point: [0, 1, 0], normal: [1, 2, 1]}}\n"
      "  e: {ellipsoid: a, semi_axes: [2, 3, 4], plane: {point: [0, 0, 0], normal: [0, 0, 1]},\n"
      "      friction: 0.2, " COMPLIANCE ", slip_speed: 5}}\n");
}

/* Velocity after the impact of a ball without gravity on a floor of this law. */
static double rebound(const char* scheme, double dt, const char* law)
{
  char text[400];
  snprintf(text, sizeof text,
           "percuss: 1\nbodies: {ball: {mass: 0.5, inertia: 1, position: [0, 0.1], "
           "velocity: [0, -2]}}\n"
           "contacts: {floor: {disc: ball, radius: 0.1, compliance: {%s},\n"
           "  plane: {point: [0, 0], normal: [0, 1]}}}\n",
           law);
  run r = open_text(text, scheme, dt, NULL, NULL);
  run_until(&r, 0.02);
  CHECK_NEAR(value(&r, "floor.force_N"), 0, 0);
  assert_true(value(&r, "floor.gap") > 0);
  double v = value(&r, "ball.vy");
  close_run(&r);
  return v;
}

/* m v dv/(1 + a v) = -k d^n dd both ways: v/a - log(1 + a v)/a^2 is the same after as before. */
static double hunt_crossley(double v, double a)
{
  double goal = v / a - log(1 + a * v) / (a * a), low = 0, high = v;
  for (int i = 0; i < 100; i++) {
    double w = (low + high) / 2;
    if (-w / a - log(1 - a * w) / (a * a) < goal)
      low = w;
    else
      high = w;
  }
  return low;
}

static void hunt_and_crossleys_law_has_its_restitution(void** state)
{
  (void)state;
  static const char* const schemes[] = {
      "moreau", "moreau-jean", "schatzman-paoli",  "direct-projection", "combined-projection",
      "rattle", "lobatto",     "generalized-alpha"};
  for (int i = 0; i < 8; i++) {
    double v = rebound(schemes[i], 2e-6, "stiffness: 1e6, exponent: 1.5, dissipation: 0.2");
    CHECK_NEAR(v, hunt_crossley(2, 0.2), i == 2 ? 1e-3 : 1e-6); /* schatzman-paoli: order 1 */
  }
  CHECK_NEAR(rebound("rattle", 2e-6, "stiffness: 1e6, exponent: 1.5"), 2, 1e-6);
}

/* A linear spring and damper that does not pull: d'' = 0 where f = 0. */
static void a_spring_and_damper_has_its_restitution(void** state)
{
  (void)state;
  double k = 1e5, m = 0.5, w = sqrt(k / m), z = 0.2, wd = w * sqrt(1 - z * z);
  double phase = atan2(2 * z * sqrt(1 - z * z), 2 * z * z - 1); /* when d'' vanishes first */
  double e = exp(-z * w * phase / wd) * fabs(cos(phase) - z / sqrt(1 - z * z) * sin(phase));
  char law[100];
  snprintf(law, sizeof law, "stiffness: %g, damping: %.17g", k, 2 * z * w * m);
  /* the force of the damper begins with a jump: order 1 */
  double error = fabs(rebound("rattle", 1e-6, law) - 2 * e);
  assert_true(error < 2e-4);
  CHECK_NEAR(rebound("lobatto", 2.5e-7, law), 2 * e, 5e-5);
}

/* A ball that rests on a linear contact sinks in by m g/k and vibrates with sqrt(k/m). */
static void a_ball_on_a_spring_has_its_period(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {ball: {mass: 0.5, inertia: [1, 1, 1], position: [0, 0, 0.1 - 0.7e-3]}}\n"
      "contacts: {floor: {sphere: ball, radius: 0.1, compliance: {stiffness: 1e4},\n"
      "  plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
      "lobatto", 1e-4, NULL, NULL);
  double period = 2 * PI / sqrt(1e4 / 0.5);
  for (int i = 1; i <= 5; i++) {
    run_until(&r, 0.01 * i);
    double t = pc_sim_observation(r.sim)->state->t;
    CHECK_NEAR(value(&r, "floor.gap"), -0.5e-3 - 0.2e-3 * cos(2 * PI * t / period), 1e-9);
    CHECK_NEAR(value(&r, "floor.force_N"), -1e4 * value(&r, "floor.gap"), 1e-9);
  }
  close_run(&r);
}

/* As it gets stiffer, the compliant contact of the documentation goes to the hard one. */
static void the_example_of_the_documentation(void** state)
{
  (void)state;
  run r = open_example("compliance");
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "hard.x"), value(&r, "soft.x"), 2e-3);
  CHECK_NEAR(value(&r, "soft.vx"), value(&r, "hard.vx"), 2e-2);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_in_the_plane),
      cmocka_unit_test(derivatives_in_space),
      cmocka_unit_test(hunt_and_crossleys_law_has_its_restitution),
      cmocka_unit_test(a_spring_and_damper_has_its_restitution),
      cmocka_unit_test(a_ball_on_a_spring_has_its_period),
      cmocka_unit_test(the_example_of_the_documentation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
