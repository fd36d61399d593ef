/* pc_check on the models and on models with one thing wrong. */
#include <string.h>

#include "check.h"
#include "percuss/percuss.h"

typedef struct scene {
  pc_model* model;
  pc_check_report report;
  pc_error error;
} scene;

static scene look(pc_model* model)
{
  scene s = {.model = model};
  pc_scheme_settings settings = pc_model_settings(model);
  CHECK_OK(pc_check(pc_model_system(model), &settings, pc_model_until(model), &s.report, &s.error),
           s.error);
  return s;
}

static scene check_text(const char* text)
{
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  return look(model);
}

static scene check_model(const char* name, const pc_override* set, int count)
{
  char path[512];
  pc_model* model = NULL;
  pc_error error = {0};
  snprintf(path, sizeof path, "%s/models/%s.yaml", PC_SOURCE_DIR, name);
  CHECK_OK(pc_model_read(path, set, count, &model, &error), error);
  return look(model);
}

static void leave(scene* s)
{
  pc_check_free(&s->report);
  pc_model_destroy(s->model);
}

/* The first warning that contains a text; fails if there is none. */
static const pc_warning* warning(const scene* s, const char* part)
{
  for (int i = 0; i < s->report.warning_count; i++)
    if (strstr(s->report.warning[i].text, part)) return &s->report.warning[i];
  for (int i = 0; i < s->report.warning_count; i++) print_error("%s\n", s->report.warning[i].text);
  fail_msg("no warning says '%s'", part);
  return NULL;
}

static void all_models_are_consistent_and_without_warning(void** state)
{
  (void)state;
  static const struct {
    const char* name;
    int dof, closed;
  } model[] = {
      {"bouncing-ball", 1, 0}, {"oscillator", 1, 0},       {"rocking-block", 3, 0},
      {"slider-roller", 2, 0}, {"slider-crank", 3, 0},     {"slider-crank-minimal", 3, 0},
      {"rotating-ball", 3, 0}, {"block-on-incline", 3, 2}, {"four-legged-table", 3, 0},
  };
  for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
    scene s = check_model(model[i].name, NULL, 0);
    assert_true(s.report.consistent);
    assert_true(s.report.acceleration.solved);
    assert_int_equal(s.report.dof, model[i].dof);
    assert_int_equal(s.report.closed_count, model[i].closed);
    for (int w = 0; w < s.report.warning_count; w++)
      print_error("%s: %s\n", model[i].name, s.report.warning[w].text);
    assert_int_equal(s.report.warning_count, 0);
    leave(&s);
  }
}

static void slider_crank_has_three_freedoms_and_its_centripetal_acceleration(void** state)
{
  (void)state;
  scene s = check_model("slider-crank", NULL, 0);
  assert_int_equal(s.report.u_count, 9);
  assert_int_equal(s.report.rank, 6);
  assert_int_equal(s.report.joint_count, 3);
  assert_string_equal(s.report.joint[0].name, "base");
  assert_string_equal(s.report.joint[1].name, "crank-pin");
  assert_string_equal(s.report.joint[2].name, "wrist-pin");
  for (int i = 0; i < 3; i++) {
    assert_int_equal(s.report.joint[i].row_count, 2);
    assert_int_equal(s.report.joint[i].redundant_rows, 0);
  }
  /* stretched out: centripetal l1 w1^2 + l2 w2^2 */
  CHECK_NEAR(s.report.acceleration.max, 0.153 * 150 * 150 + 0.306 * 75 * 75, 1e-8);
  assert_string_equal(s.report.acceleration.of, "slider.vx");
  CHECK_NEAR(s.report.acceleration.constraint_residual, 0, 1e-9);
  /* the wrist pin pulls the slider along and carries its weight's share */
  assert_true(pc_check_find_joint(&s.report, "wrist-pin")->force > 0.076 * 5163);
  assert_null(pc_check_find_joint(&s.report, "rudder"));
  leave(&s);
}

static const char PINS[] =
    "percuss: 1\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  rod: {mass: 2, inertia: 0.5, position: [1, 0]}\n"
    "joints:\n"
    "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n";

static void a_doubled_pin_is_named(void** state)
{
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, "%s  twin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n", PINS);
  scene s = check_text(text);
  assert_int_equal(s.report.g_count, 4);
  assert_int_equal(s.report.rank, 2);
  assert_int_equal(s.report.dof, 1);
  assert_int_equal(pc_check_find_joint(&s.report, "pin")->redundant_rows, 0);
  assert_int_equal(pc_check_find_joint(&s.report, "twin")->redundant_rows, 2);
  assert_non_null(strstr(warning(&s, "redundant")->text, "'twin'"));
  assert_true(s.report.consistent);
  leave(&s);
}

/* A second pin elsewhere blocks the rod: of its two rows, one (along the rod) is redundant. */
static void a_second_pin_along_the_rod_is_half_redundant(void** state)
{
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, "%s  end: {revolute: {bodies: [ground, rod], at: [2, 0]}}\n", PINS);
  scene s = check_text(text);
  assert_int_equal(s.report.rank, 3);
  assert_int_equal(s.report.dof, 0);
  assert_int_equal(pc_check_find_joint(&s.report, "end")->redundant_rows, 1);
  warning(&s, "no degree of freedom");
  leave(&s);
}

/* A parallelogram with a third crank keeps its freedom in this position only by redundancy. */
static void the_third_crank_of_a_parallelogram_is_redundant(void** state)
{
  (void)state;
  scene s = check_text(
      "percuss: 1\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: 0.1, position: [0, 0.5], velocity: [-0.5, 0], spin: 1}\n"
      "  b: {mass: 1, inertia: 0.1, position: [1, 0.5], velocity: [-0.5, 0], spin: 1}\n"
      "  c: {mass: 1, inertia: 0.1, position: [2, 0.5], velocity: [-0.5, 0], spin: 1}\n"
      "  bar: {mass: 1, inertia: 0.1, position: [1, 1], velocity: [-1, 0]}\n"
      "joints:\n"
      "  a0: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
      "  b0: {revolute: {bodies: [ground, b], at: [1, 0]}}\n"
      "  c0: {revolute: {bodies: [ground, c], at: [2, 0]}}\n"
      "  a1: {revolute: {bodies: [a, bar], at: [0, 1]}}\n"
      "  b1: {revolute: {bodies: [b, bar], at: [1, 1]}}\n"
      "  c1: {revolute: {bodies: [c, bar], at: [2, 1]}}\n");
  assert_true(s.report.consistent);
  assert_int_equal(s.report.dof, 1);
  assert_int_equal(s.report.rank, 11);
  assert_int_equal(pc_check_find_joint(&s.report, "c1")->redundant_rows, 1);
  leave(&s);
}

static void an_inconsistent_velocity_is_found_and_named(void** state)
{
  (void)state;
  scene s = check_text(
      "percuss: 1\n"
      "bodies:\n"
      "  rod: {mass: 2, inertia: 0.5, position: [1, 0], velocity: [0, 1.001], spin: 1}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n");
  assert_false(s.report.consistent);
  CHECK_NEAR(s.report.start.velocity_max, 1e-3, 1e-15);
  assert_string_equal(s.report.start.velocity_joint, "pin");
  assert_non_null(strstr(warning(&s, "does not admit")->text, "'pin'"));
  leave(&s);
}

static void a_wrong_length_is_found_and_named(void** state)
{
  (void)state;
  scene s = check_text(
      "percuss: 1\n"
      "gravity: [0, -10]\n"
      "bodies:\n"
      "  bob: {kind: point, mass: 1, position: [1, 0]}\n"
      "joints:\n"
      "  string: {distance: {points: [[ground, [0, 0]], bob], length: 1.25}}\n");
  assert_false(s.report.consistent);
  CHECK_NEAR(s.report.start.position_max, 0.25, 1e-15);
  assert_string_equal(s.report.start.position_joint, "string");
  warning(&s, "violated at the start");
  leave(&s);
}

static void penetration_is_found_and_named(void** state)
{
  (void)state;
  pc_override set = {"y0", "0.09"};
  scene s = check_model("rotating-ball", &set, 1);
  assert_false(s.report.consistent);
  CHECK_NEAR(s.report.start.penetration_max, 0.01, 1e-15);
  assert_string_equal(s.report.start.penetration_contact, "floor");
  warning(&s, "penetrates");
  leave(&s);
}

static void an_approaching_closed_contact_is_an_impact_and_no_error(void** state)
{
  (void)state;
  pc_override set[] = {{"q0", "0"}, {"v0", "-3"}, {"e", "1"}};
  scene s = check_model("bouncing-ball", set, 3);
  assert_true(s.report.consistent);
  assert_int_equal(s.report.start.impact_count, 1);
  assert_string_equal(s.report.contact[0].state, "impact");
  CHECK_NEAR(s.report.contact[0].force_normal, 0, 0);
  warning(&s, "an impact in the first step");
  warning(&s, "restitution 1");
  leave(&s);
}

/* J theta'' = -m g l cos(theta) for a rod at angle theta, J about the pin. */
static void pendulum_accelerations_are_those_of_the_closed_form(void** state)
{
  (void)state;
  scene s = check_text(PINS);
  double alpha = 2 * 10 * 1 / (0.5 + 2);
  CHECK_NEAR(s.report.acceleration.max, alpha, 1e-12);
  /* the pin carries what is left of the weight: m (g - alpha l) */
  CHECK_NEAR(s.report.joint[0].force, 2 * (10 - alpha), 1e-12);
  leave(&s);
}

/* Hanging, it swings with sqrt(m g l/J): stiffness that comes from the pin's force alone. */
static void a_hanging_pendulum_has_its_frequency(void** state)
{
  (void)state;
  scene s = check_text(
      "percuss: 1\n"
      "gravity: [0, -10]\n"
      "bodies:\n"
      "  rod: {mass: 2, inertia: 0.5, position: [0, -1]}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n");
  CHECK_NEAR(s.report.step.rate_max, sqrt(2 * 10 * 1 / 2.5), 1e-7);
  CHECK_NEAR(s.report.joint[0].force, 20, 1e-12);
  leave(&s);
}

static void contact_forces_of_a_block_on_an_incline_carry_it(void** state)
{
  (void)state;
  const double angle = acos(-1.0) / 12, g = 9.81;
  scene s = check_model("block-on-incline", NULL, 0);
  const pc_check_contact* A = pc_check_find_contact(&s.report, "A");
  const pc_check_contact* B = pc_check_find_contact(&s.report, "B");
  assert_string_equal(A->state, "resting");
  CHECK_NEAR(A->force_normal + B->force_normal, g * cos(angle), 1e-12);
  CHECK_NEAR(fabs(A->force_tangent[0] + B->force_tangent[0]), g * sin(angle), 1e-12);
  CHECK_NEAR(s.report.acceleration.max, 0, 1e-12);
  leave(&s);
}

static void a_steep_block_begins_to_slide(void** state)
{
  (void)state;
  const double angle = 0.5, g = 9.81, mu = 0.3;
  pc_override set = {"angle", "0.5"};
  scene s = check_model("block-on-incline", &set, 1);
  const pc_check_contact* A = pc_check_find_contact(&s.report, "A");
  const pc_check_contact* B = pc_check_find_contact(&s.report, "B");
  double slide = g * (sin(angle) - mu * cos(angle)); /* down the plane, along (cos, -sin) */
  CHECK_NEAR(s.report.acceleration.max, slide * cos(angle), 1e-12);
  assert_string_equal(s.report.acceleration.of, "block.vx");
  CHECK_NEAR(fabs(A->force_tangent[0]), mu * A->force_normal, 1e-12);
  CHECK_NEAR(fabs(B->force_tangent[0]), mu * B->force_normal, 1e-12);
  leave(&s);
}

static void the_frequency_of_an_oscillator_decides_its_dt(void** state)
{
  (void)state;
  const double pi = acos(-1.0);
  pc_override set[] = {{"q0", "1"}, {"v0", "0"}, {"k", "400"}, {"m", "4"}};
  scene s = check_model("oscillator", set, 4);
  CHECK_NEAR(s.report.step.rate_max, 10, 1e-10);
  CHECK_NEAR(s.report.step.vibration, 2 * pi / 10 / 50, 1e-12);
  /* the stop is reached under the initial acceleration k q/m = 100 after sqrt(2/100) s */
  CHECK_NEAR(s.report.step.closing, sqrt(2.0 / 100) / 20, 1e-12);
  assert_string_equal(s.report.step.reason, "closing gap");
  leave(&s);
  s = check_text(
      "percuss: 1\nbodies: {rod: {mass: 1, inertia: 0.1, position: [1, 0], velocity: [0, 50], "
      "spin: 50}}\n"
      "joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}\n");
  assert_string_equal(s.report.step.reason, "rotation");
  leave(&s);
  pc_override apart[] = {{"k", "400"}, {"m", "4"}, {"q0", "1e-3"}, {"v0", "100"}};
  s = check_model("oscillator", apart, 4);
  assert_string_equal(s.report.step.reason, "vibration");
  CHECK_NEAR(s.report.step.dt, 2 * pi / 10 / 50, 1e-12);
  leave(&s);
}

/* Roots of m s^2 + c s + k: overdamped, the faster rate counts. */
static void damping_counts_as_a_rate(void** state)
{
  (void)state;
  pc_override set[] = {{"k", "100"}, {"m", "1"}, {"c", "101"}};
  scene s = check_model("oscillator", set, 3);
  CHECK_NEAR(s.report.step.rate_max, 100, 1e-8);
  leave(&s);
}

/* A chain of springs beyond the size for all eigenvalues: 2 sqrt(k/m) cos(pi/(2 (n + 1))). */
static void the_rate_of_a_long_chain_is_estimated(void** state)
{
  (void)state;
  enum { COUNT = 240 };
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  def.dimension = 1;
  pc_system* system;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_part_id before = PC_GROUND;
  for (int i = 0; i <= COUNT; i++) {
    char name[32];
    pc_part_id id = PC_GROUND;
    pc_point_mass_def mass = pc_default_point_mass_def();
    snprintf(name, sizeof name, "m%d", i);
    mass.name = name;
    mass.mass = 0.5;
    mass.position[0] = 1 + i;
    if (i < COUNT) CHECK_OK(pc_add_point_mass(system, &mass, &id, &error), error);
    pc_spring_def spring = pc_default_spring_def();
    snprintf(name, sizeof name, "k%d", i);
    spring.name = name;
    spring.point[0] = (pc_point){before, {0}};
    spring.point[1] = (pc_point){id, {i < COUNT ? 0 : COUNT + 1.0}};
    spring.stiffness = 200;
    spring.length = -1;
    CHECK_OK(pc_add_spring(system, &spring, &error), error);
    before = id;
  }
  CHECK_OK(pc_system_freeze(system, &error), error);
  pc_check_report report;
  CHECK_OK(pc_check(system, NULL, NAN, &report, &error), error);
  CHECK_NEAR(report.step.rate_max, 2 * sqrt(200 / 0.5), 0.05 * 40);
  pc_check_free(&report);
  pc_system_destroy(system);
}

static void remarks_on_the_model(void** state)
{
  (void)state;
  scene s = check_text(
      "percuss: 1\n"
      "bodies:\n"
      "  wall: {mass: 1e7, inertia: 1}\n"
      "  dust: {mass: 1, inertia: 1, position: [3, 3]}\n"
      "joints:\n"
      "  weld: {fixed: {bodies: [ground, wall]}}\n"
      "contacts:\n"
      "  idle: {point: [wall, [0, 1]], plane: {point: [0, -5], normal: [0, 1]}, friction: 2}\n"
      "simulate: {dt: 1e-2, until: 1e-3}\n");
  assert_true(s.report.consistent);
  assert_non_null(strstr(warning(&s, "flies freely")->text, "'dust'"));
  warning(&s, "times as heavy");
  warning(&s, "cannot move each other");
  warning(&s, "friction 2");
  warning(&s, "nothing will move");
  warning(&s, "before the first step");
  for (int i = 0; i < s.report.warning_count; i++) assert_true(*s.report.warning[i].remedy != 0);
  leave(&s);
}

/* The fastest mode of a free bar of linear elements, neighbours against each other, has the
 * frequency 2 sqrt(3) c/h; a step lasts as long as a wave takes to the next node, a little more
 * than that. */
static void waves_decide_the_dt_of_a_bar(void** state)
{
  (void)state;
  pc_override set = {"N", "20"};
  scene s = check_model("elastic-bar", &set, 1);
  double omega = 2 * sqrt(3) * 30 / 0.5;
  CHECK_NEAR(s.report.step.rate_max, omega, 1e-9 * omega);
  CHECK_NEAR(s.report.step.vibration, 2 / omega, 1e-11);
  CHECK_NEAR(s.report.step.explicit_limit, 2 / omega, 1e-11);
  assert_string_equal(s.report.step.reason, "waves");
  leave(&s);
}

/* A beam whose material damps all vibrations but the slowest: these are resolved, and the rest is
 * no reason for a small step but for schemes that are explicit. By hand, with w = 1.8751^2/L^2
 * sqrt(E I/ (rho A)) = 5.26/s and the damping tau = 0.3 s: omega = w sqrt(1 - (tau w/2)^2) =
 * 3.2/s. */
static void damped_vibrations_of_a_mesh_do_not_decide(void** state)
{
  (void)state;
  scene s = check_model("cantilever", NULL, 0);
  double w = 1.8751 * 1.8751 * sqrt(2.1e11 * 1e-6 / 12 / 7800), turn = 0.3 * w / 2;
  double omega = w * sqrt(1 - turn * turn), pi = acos(-1.0);
  CHECK_NEAR(s.report.step.vibration, 2 * pi / omega / 50, 1e-3 * s.report.step.vibration);
  assert_string_equal(s.report.step.reason, "vibration");
  assert_true(s.report.step.explicit_limit < 1e-12);
  assert_int_equal(s.report.warning_count, 0);
  leave(&s);
}

/* Meshes that are too large for all their eigenvalues, with damping that leaves one vibration and
 * with one that leaves several: of the modes w = x^2/L^2 sqrt(E I/(rho A)), cos x cosh x = -1, the
 * fastest w sqrt(1 - (tau w/2)^2). */
static void damped_vibrations_of_a_large_mesh_are_found(void** state)
{
  (void)state;
  const double x[] = {1.875104, 4.694091, 7.854757, 10.995541, 14.137168};
  const struct {
    const char *elements, *text;
    double tau;
  } of[] = {
      {"100", "0.3", 0.3}, {"100", "0.01", 0.01}, {"300", "0.004", 0.004}, {"1000", "0.3", 0.3}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    pc_override set[] = {{"N", of[i].elements}, {"tau", of[i].text}};
    scene s = check_model("cantilever", set, 2);
    double omega = 0, pi = acos(-1.0);
    for (size_t j = 0; j < sizeof x / sizeof *x; j++) {
      double w = x[j] * x[j] * sqrt(2.1e11 * 1e-6 / 12 / 7800), turn = of[i].tau * w / 2;
      if (turn < 1) omega = fmax(omega, w * sqrt(1 - turn * turn));
    }
    assert_true(s.report.u_count > 200);
    CHECK_NEAR(s.report.step.vibration, 2 * pi / omega / 50, 2e-3 * s.report.step.vibration);
    assert_string_equal(s.report.step.reason, "vibration");
    leave(&s);
  }
}

/* Joints that say the same twice leave the vibrations as they are, in a small mesh and in a large
 * one. */
static void redundant_joints_do_no_harm_to_frequencies(void** state)
{
  (void)state;
  const char* elements[] = {"20", "120"};
  double vibration[2];
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "percuss: 1\nbodies: {beam: {kind: beam, elements: %s, root: [0, 0], tip: [1, 0], "
             "area: 1e-5, inertia: 8.3e-13, density: 7800, modulus: 2.1e11, damping: 0.3}}\n"
             "joints:\n  clamp: {fixed: {bodies: [ground, beam.root]}}\n"
             "  again: {fixed: {bodies: [ground, beam.root]}}\n",
             elements[i]);
    scene s = check_text(text);
    vibration[i] = s.report.step.vibration;
    assert_int_equal(s.report.rank, 3);
    leave(&s);
  }
  CHECK_NEAR(vibration[1], vibration[0], 2e-3 * vibration[0]);
}

/* Two beams welded to a corner, of different damping: with 32 elements each all eigenvalues are
 * computed, with 35 not. Between them the vibration that is left changes by less than 0.2 %. */
static void corners_of_unequal_damping(void** state)
{
  (void)state;
  const struct {
    const char *first, *second;
  } tau[] = {{"1e-3", "1e-2"}, {"0.1", "1e-3"}, {"1e-5", "0.5"}, {"0", "0.05"}};
  for (size_t i = 0; i < sizeof tau / sizeof *tau; i++) {
    double vibration[2];
    for (int large = 0; large < 2; large++) {
      char text[900];
      int elements = large ? 35 : 32;
      snprintf(text, sizeof text,
               "percuss: 1\ngravity: [0, -9.81]\nbodies:\n"
               "  a: {kind: beam, elements: %d, root: [0, 0], tip: [1, 0], area: 1e-4, "
               "inertia: 8e-10, density: 7800, modulus: 2.1e11, damping: %s}\n"
               "  b: {kind: beam, elements: %d, root: [1, 0], tip: [1, -0.7], area: 4e-5, "
               "inertia: 1e-10, density: 2700, modulus: 7e10, damping: %s}\n"
               "joints:\n  clamp: {fixed: {bodies: [ground, a.root]}}\n"
               "  weld: {fixed: {bodies: [a.tip, b.root]}}\n",
               elements, tau[i].first, elements, tau[i].second);
      scene s = check_text(text);
      vibration[large] = s.report.step.vibration;
      assert_true((s.report.u_count > 200) == large);
      leave(&s);
    }
    CHECK_NEAR(vibration[1], vibration[0], 2e-3 * vibration[0]);
  }
}

/* The bar of waves_decide_the_dt_of_a_bar with 600 elements. */
static void waves_decide_the_dt_of_a_long_bar(void** state)
{
  (void)state;
  pc_override set = {"N", "600"};
  scene s = check_model("elastic-bar", &set, 1);
  double omega = 2 * sqrt(3) * 30 / (10.0 / 600);
  CHECK_NEAR(s.report.step.vibration, 2 / omega, 2e-3 * s.report.step.vibration);
  CHECK_NEAR(s.report.step.rate_max, omega, 2e-3 * omega);
  assert_string_equal(s.report.step.reason, "waves");
  leave(&s);
}

static void accelerations_of_the_start_are_told(void** state)
{
  (void)state;
  scene s = check_model("bouncing-pendulum", NULL, 0);
  double largest = 0;
  for (int i = 0; i < s.report.u_count; i++)
    largest = fmax(largest, fabs(s.report.acceleration.value[i]));
  CHECK_NEAR(largest, s.report.acceleration.max, 0);
  assert_true(largest > 1);
  leave(&s);
}

static void a_large_dt_is_remarked(void** state)
{
  (void)state;
  pc_override set[] = {{"k", "4e8"}, {"m", "4"}};
  scene s = check_model("oscillator", set, 2);
  assert_non_null(strstr(warning(&s, "times what is suggested")->remedy, "--dt"));
  leave(&s);
}

static void a_term_that_is_not_finite_is_an_error_that_names_it(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\ncoordinates: {x: {value: 0}}\nkinetic: x'^2/2\npotential: log(x)\n";
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  pc_check_report report;
  assert_int_equal(pc_check(pc_model_system(model), NULL, NAN, &report, &error), PC_NOT_FINITE);
  assert_non_null(strstr(error.text, "formula"));
  pc_check_free(&report);
  pc_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_models_are_consistent_and_without_warning),
      cmocka_unit_test(slider_crank_has_three_freedoms_and_its_centripetal_acceleration),
      cmocka_unit_test(a_doubled_pin_is_named),
      cmocka_unit_test(a_second_pin_along_the_rod_is_half_redundant),
      cmocka_unit_test(the_third_crank_of_a_parallelogram_is_redundant),
      cmocka_unit_test(an_inconsistent_velocity_is_found_and_named),
      cmocka_unit_test(a_wrong_length_is_found_and_named),
      cmocka_unit_test(penetration_is_found_and_named),
      cmocka_unit_test(an_approaching_closed_contact_is_an_impact_and_no_error),
      cmocka_unit_test(pendulum_accelerations_are_those_of_the_closed_form),
      cmocka_unit_test(a_hanging_pendulum_has_its_frequency),
      cmocka_unit_test(contact_forces_of_a_block_on_an_incline_carry_it),
      cmocka_unit_test(a_steep_block_begins_to_slide),
      cmocka_unit_test(the_frequency_of_an_oscillator_decides_its_dt),
      cmocka_unit_test(damping_counts_as_a_rate),
      cmocka_unit_test(the_rate_of_a_long_chain_is_estimated),
      cmocka_unit_test(remarks_on_the_model),
      cmocka_unit_test(waves_decide_the_dt_of_a_bar),
      cmocka_unit_test(damped_vibrations_of_a_mesh_do_not_decide),
      cmocka_unit_test(damped_vibrations_of_a_large_mesh_are_found),
      cmocka_unit_test(redundant_joints_do_no_harm_to_frequencies),
      cmocka_unit_test(corners_of_unequal_damping),
      cmocka_unit_test(waves_decide_the_dt_of_a_long_bar),
      cmocka_unit_test(accelerations_of_the_start_are_told),
      cmocka_unit_test(a_large_dt_is_remarked),
      cmocka_unit_test(a_term_that_is_not_finite_is_an_error_that_names_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
