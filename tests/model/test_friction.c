/* Friction of joints under load, Stribeck's curve, rolling and drilling, sampled controllers:
 * against closed forms, under every scheme that supports friction. */
#include "elements/conformance.h"
#include "example.h"

static const double PI = 3.14159265358979323846;

static const char* const schemes[] = {
    "moreau", "moreau-jean", "direct-projection", "combined-projection",
    "rattle", "lobatto",     "generalized-alpha"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static void check_text(const char* text)
{
  pc_error error = {0};
  pc_model* model;
  conformance options = default_conformance();
  options.spread = 0.3;
  options.applied = 1;
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  check_conformance((pc_system*)pc_model_system(model), options);
  pc_model_destroy(model);
}

/* --- derivatives ---------------------------------------------------------------------------- */

static void derivatives_in_the_plane(void** state)
{
  (void)state;
  check_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.3, position: [0.1, 1], angle: 0.4}\n"
      "  b: {mass: 1, inertia: 0.5, position: [2, -0.3], angle: -1.2}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [a, b], at: [1, 0.5]}}\n"
      "  slide: {prismatic: {bodies: [a, b], at: [0, 1], axis: [1, 0.4]}}\n"
      "drives: {m: {joint: pin, torque: pin.angle*pin.rate, sample: 0.1, delay: 0.2}}\n"
      "forces:\n"
      "  f: {joint-friction: {joint: slide, bound: 2 + pin.angle, mu: 0.2, mu_kinetic: 0.1,\n"
      "      stribeck: 3}}\n"
      "  g: {joint-friction: {joint: pin, mu: 0.3, radius: 0.1}}\n"
      "  p: {force: {point: a, value: [pin.force*a.x, touch.force_N + touch.gap]}}\n"
      "contacts:\n"
      "  touch: {disc: a, radius: 0.2, other: b, other_radius: 0.3, rolling: 0.1,\n"
      "          friction: {mu: 0.4, mu_kinetic: 0.2, stribeck: 0.1}}\n"
      "  floor: {disc: a, radius: 0.2, plane: {part: b, point: [0, 1], normal: [1, 2]},\n"
      "          rolling: 0.2, friction: 0.1}\n");
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
      "  touch: {sphere: a, radius: 0.2, other: b, other_radius: 0.3, rolling: 0.1,\n"
      "          drilling: 0.2, friction: {mu: 0.4, mu_kinetic: 0.2, stribeck: 0.1}}\n"
      "  floor: {sphere: a, radius: 0.2, plane: {part: b, point: [0, 1, 0], normal: [1, 2, 1]},\n"
      "          rolling: 0.1, drilling: 0.2, friction: 0.1}\n");
}

/* --- joints --------------------------------------------------------------------------------- */

/* J w' = -mu r m g, and at rest it holds against a smaller torque. */
static void a_bearing_is_slowed_by_its_load(void** state)
{
  (void)state;
  for (int i = 0; i < SCHEMES; i++) {
    run r = open_text(
        "percuss: 1\ngravity: [0, -10]\nbodies: {rotor: {mass: 2, inertia: 0.1, spin: 5}}\n"
        "joints: {pin: {revolute: {bodies: [ground, rotor], at: [0, 0]}}}\n"
        "drives: {motor: {joint: pin, torque: 0.15*step(t - 3)}}\n"
        "forces: {drag: {joint-friction: {joint: pin, mu: 0.2, radius: 0.05}}}\n"
        "record: [pin]\n",
        schemes[i], 1e-3, NULL, NULL);
    int alpha =
        i == SCHEMES - 1; /* whose joint impulse of the first step is not that of the load */
    run_until(&r, 1);
    CHECK_NEAR(value(&r, "rotor.spin"), 5 - 0.2 * 0.05 * 20 / 0.1, alpha ? 4e-3 : 1e-9);
    run_until(&r, 4);
    CHECK_NEAR(value(&r, "rotor.spin"), 0, 1e-9);
    close_run(&r);
  }
}

/* The load of a pendulum that turns changes: m (g cos a + l w^2). Its bearing takes mu r times
 * that; the reference is an integration with 4e5 steps of Runge and Kutta. Loads are those of the
 * last step: order 1. */
static double pendulum_angle(double t_end)
{
  enum { STEPS = 400000 };
  double a = 0.3, w = 0, h = t_end / STEPS, mr = 0.1 * 0.02, m = 1, l = 0.5, J = 0.1, g = 10;
  for (int n = 0; n < STEPS; n++) {
    double k[4][2];
    for (int s = 0; s < 4; s++) {
      double c = s == 0 ? 0 : s == 3 ? h : h / 2, b = a + (s ? c * k[s - 1][0] : 0);
      double v = w + (s ? c * k[s - 1][1] : 0);
      /* tangential reaction: m g sin b + m l v' */
      double I = J + m * l * l, acc = -m * g * l * sin(b) / I, R_n, R_t, T;
      for (int i = 0; i < 20; i++) {
        R_n = m * (g * cos(b) + l * v * v);
        R_t = m * (g * sin(b) + l * acc);
        T = mr * sqrt(R_n * R_n + R_t * R_t);
        acc = (-m * g * l * sin(b) - T * (v > 0 ? 1 : -1)) / I;
      }
      k[s][0] = v;
      k[s][1] = acc;
    }
    a += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
    w += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
  }
  return a;
}

static void friction_follows_a_load_that_changes(void** state)
{
  (void)state;
  double error[2], reference = pendulum_angle(0.5);
  for (int i = 0; i < 2; i++) {
    run r = open_text(
        "percuss: 1\ngravity: [10, 0]\n"
        "bodies: {bob: {mass: 1, inertia: 0.1, position: [0.5*cos(0.3), 0.5*sin(0.3)]}}\n"
        "joints: {pin: {revolute: {bodies: [ground, bob], at: [0, 0]}}}\n"
        "forces: {drag: {joint-friction: {joint: pin, mu: 0.1, radius: 0.02}}}\n"
        "record: [pin]\n",
        "rattle", i ? 5e-4 : 1e-3, NULL, NULL);
    run_until(&r, 0.5);
    error[i] = fabs(0.3 + value(&r, "pin.angle") - reference);
    close_run(&r);
  }
  assert_true(error[0] < 2e-5);
  assert_true(error[1] < 0.65 * error[0]);
}

/* --- contacts ------------------------------------------------------------------------------- */

/* A block that a spring moves at the speed V: see stick_slip_has_its_period of test_machines.c. */
static double period_of(const char* scheme, double stribeck)
{
  char text[600];
  snprintf(text, sizeof text,
           "percuss: 1\ngravity: [0, -10]\nbodies: {a: {kind: point, mass: 1}}\n"
           "contacts: {floor: {point: a, plane: {point: [0, 0], normal: [0, 1]},\n"
           "  friction: {mu: 0.2, mu_kinetic: 0.12, stribeck: %g}}}\n"
           "forces: {spring: {force: {point: a, value: [50*(0.1*t - a.x), 0]}}}\n",
           stribeck);
  run r = open_text(text, scheme, 2e-4, NULL, NULL);
  double slips[4] = {0}, before = 0;
  for (int count = 0; count < 4;) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    double v = value(&r, "a.vx");
    if (before == 0 && v > 1e-12) slips[count++] = pc_sim_observation(r.sim)->state->t;
    before = fabs(v) < 1e-12 ? 0 : v;
  }
  close_run(&r);
  return (slips[3] - slips[1]) / 2;
}

static void stick_slip_of_a_contact_has_its_period(void** state)
{
  (void)state;
  double k = 50, V = 0.1, w = sqrt(50.0), D = (2.0 - 1.2) / k;
  double period = 2 * D / V + 2 * (PI - atan(D * w / V)) / w;
  for (int i = 0; i < SCHEMES; i++)
    CHECK_NEAR(period_of(schemes[i], 1e-6), period, 1.5e-3 * period);
}

/* At a prescribed speed the drive carries Stribeck's curve. */
static void friction_of_a_contact_follows_stribecks_curve(void** state)
{
  (void)state;
  for (int i = 0; i < SCHEMES; i++) {
    run r = open_text(
        "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
        "bodies: {a: {kind: point, mass: 1, velocity: [0.3, 0, 0]}}\n"
        "contacts: {floor: {point: a, plane: {point: [0, 0, 0], normal: [0, 0, 1]},\n"
        "  friction: {mu: 0.4, mu_kinetic: 0.1, stribeck: 0.2}}}\n"
        "drives: {push: {body: a, vx: 0.3}}\n",
        schemes[i], 1e-3, NULL, NULL);
    run_until(&r, 0.2);
    CHECK_NEAR(value(&r, "push.P") / 1e-3, 10 * (0.1 + 0.3 * exp(-2.25)), 1e-6);
    close_run(&r);
  }
}

/* Found contacts have the curve from their materials. */
static void friction_of_materials_follows_stribecks_curve(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\ngravity: [0, -10]\n"
      "materials: {default: {friction: 0.4, friction_kinetic: 0.1, stribeck: 0.2}}\n"
      "bodies: {a: {shape: {box: [1, 1]}, mass: 1, position: [0, 0.5], velocity: [0.3, 0]}}\n"
      "shapes: {floor: {half-plane: [0, 1]}}\n"
      "drives: {push: {body: a, vx: 0.3}}\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 0.2);
  CHECK_NEAR(value(&r, "push.P") / 1e-3, 10 * (0.1 + 0.3 * exp(-2.25)), 1e-6);
  close_run(&r);
}

/* (m + J/R^2) v' = -rho m g/R; the disc rolls to a stop and rests. */
static void a_rolling_disc_is_slowed(void** state)
{
  (void)state;
  for (int i = 0; i < SCHEMES; i++) {
    run r = open_text(
        "percuss: 1\ngravity: [0, -10]\n"
        "bodies: {wheel: {mass: 2, inertia: 0.01, position: [0, 0.1], velocity: [1, 0],\n"
        "  spin: -10}}\n"
        "contacts: {floor: {disc: wheel, radius: 0.1, plane: {point: [0, 0], normal: [0, 1]},\n"
        "  friction: 0.5, rolling: 0.01}}\n",
        schemes[i], 1e-3, NULL, NULL);
    double a = 0.01 * 20 / 0.1 / 3;
    run_until(&r, 0.5);
    CHECK_NEAR(value(&r, "wheel.vx"), 1 - 0.5 * a, 1e-6);
    CHECK_NEAR(value(&r, "wheel.spin"), -10 * (1 - 0.5 * a), 1e-5);
    run_until(&r, 2);
    CHECK_NEAR(value(&r, "wheel.vx"), 0, 1e-9);
    CHECK_NEAR(value(&r, "wheel.x"), 1 / (2 * a), 2e-3);
    close_run(&r);
  }
}

/* The same in space, whatever the direction: (m + J/R^2) v' = -rho m g/R. */
static void a_rolling_sphere_is_slowed_in_any_direction(void** state)
{
  (void)state;
  for (int i = 0; i < 2 * SCHEMES; i++) {
    int along_y = i / SCHEMES;
    char text[500];
    snprintf(text, sizeof text,
             "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
             "bodies: {ball: {mass: 2, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.1],\n"
             "  velocity: [%d, %d, 0], angular_velocity: [%d, %d, 0]}}\n"
             "contacts: {floor: {sphere: ball, radius: 0.1, friction: 0.5, rolling: 0.01,\n"
             "  plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
             !along_y, along_y, along_y ? -10 : 0, along_y ? 0 : 10);
    run r = open_text(text, schemes[i % SCHEMES], 1e-3, NULL, NULL);
    run_until(&r, 0.5);
    CHECK_NEAR(value(&r, along_y ? "ball.vy" : "ball.vx"), 1 - 0.5 * 0.01 * 20 / 0.1 / 4, 1e-6);
    CHECK_NEAR(value(&r, along_y ? "ball.vx" : "ball.vy"), 0, 1e-9);
    close_run(&r);
  }
}

/* J w' = -rho m g: a spinning sphere stops after J w/(rho m g), here 1 s, and one on another as
 * well. */
static void a_spinning_sphere_stops(void** state)
{
  (void)state;
  static const char* const contacts[2] = {"plane: {point: [0, 0, 0], normal: [0, 0, 1]}",
                                          "other: [ground, [0, 0, -0.2]], other_radius: 0.2"};
  for (int i = 0; i < 2 * SCHEMES; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
             "bodies: {ball: {mass: 2, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.1],\n"
             "  angular_velocity: [0, 0, 5]}}\n"
             "contacts: {floor: {sphere: ball, radius: 0.1, %s, friction: 0.3, drilling: 0.005,\n"
             "  rolling: 0.002}}\n",
             contacts[i / SCHEMES]);
    run r = open_text(text, schemes[i % SCHEMES], 1e-3, NULL, NULL);
    run_until(&r, 0.9);
    CHECK_NEAR(value(&r, "ball.wz"), 5 - 0.9 * 0.005 * 20 / 0.02, 1e-6);
    run_until(&r, 1.1);
    CHECK_NEAR(value(&r, "ball.wz"), 0, 1e-9);
    close_run(&r);
  }
}

/* --- controllers ---------------------------------------------------------------------------- */

/* A double integrator under a sampled PD law has an exact map from sample to sample. */
static void a_sampled_controller_has_its_exact_map(void** state)
{
  (void)state;
  enum { SAMPLES = 20 };
  double T = 0.1, J = 0.1, x = 0, v = 0, late[3] = {0};
  for (int i = 0; i < SAMPLES; i++) {
    late[2] = late[1], late[1] = late[0], late[0] = 0.2 * (1 - x) - 0.1 * v;
    double a = late[2] / J; /* two samples late */
    x += T * v + T * T / 2 * a;
    v += T * a;
  }
  for (int i = 0; i <= SCHEMES; i++) {
    run r = open_text(
        "percuss: 1\nbodies: {a: {mass: 1, inertia: 0.1}}\n"
        "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0]}}}\n"
        "drives: {motor: {joint: pin, torque: 0.2*(1 - pin.angle) - 0.1*pin.rate, sample: 0.1,\n"
        "  delay: 0.2}}\n",
        i < SCHEMES ? schemes[i] : "schatzman-paoli", 0.01, NULL, NULL);
    int exact = i < SCHEMES - 1;
    run_until(&r, SAMPLES * T);
    CHECK_NEAR(value(&r, "a.angle"), x, exact ? 1e-12 : 0.02);
    CHECK_NEAR(value(&r, "a.spin"), v, exact ? 1e-12 : 0.02);
    close_run(&r);
  }
}

/* A run that is resumed in the middle of a sample goes on with what is held. */
static void held_values_belong_to_the_state(void** state)
{
  (void)state;
  run r = open_example("sampled");
  run_until(&r, 0.995);
  assert_true(value(&r, "motor.held") != value(&r, "motor.command"));
  int held = pc_system_find_quantity(pc_model_system(r.model), "motor.held");
  assert_int_equal(pc_system_quantity(pc_model_system(r.model), held).kind, PC_QUANTITY_Q);
  run_until(&r, 3);
  CHECK_NEAR(value(&r, "pivot.angle"), 1, 0.05);
  close_run(&r);
}

/* --- documentation -------------------------------------------------------------------------- */

static void the_examples_of_the_documentation(void** state)
{
  (void)state;
  run r = open_example("bearing");
  run_until(&r, 2);
  CHECK_NEAR(value(&r, "rotor.spin"), 20 - 2 * (1e-3 + 0.1 * 8e-3 * 2 * 9.81) / 0.01, 1e-6);
  close_run(&r);
  r = open_example("rolling-resistance");
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "wheel.vx"), 1 - 0.01 * 2 * 9.81 / 0.1 / 3, 1e-6);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_in_the_plane),
      cmocka_unit_test(derivatives_in_space),
      cmocka_unit_test(a_bearing_is_slowed_by_its_load),
      cmocka_unit_test(friction_follows_a_load_that_changes),
      cmocka_unit_test(stick_slip_of_a_contact_has_its_period),
      cmocka_unit_test(friction_of_a_contact_follows_stribecks_curve),
      cmocka_unit_test(friction_of_materials_follows_stribecks_curve),
      cmocka_unit_test(a_rolling_disc_is_slowed),
      cmocka_unit_test(a_rolling_sphere_is_slowed_in_any_direction),
      cmocka_unit_test(a_spinning_sphere_stops),
      cmocka_unit_test(a_sampled_controller_has_its_exact_map),
      cmocka_unit_test(held_values_belong_to_the_state),
      cmocka_unit_test(the_examples_of_the_documentation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
