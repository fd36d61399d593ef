/* Forces that depend on the motion, named points, coordinates of joints and outputs. */
#include "elements/conformance.h"
#include "example.h"

static const double PI = 3.14159265358979323846;

/* The terms of a model given as a text against differences. */
static void check_text(const char* text, conformance options)
{
  pc_error error = {0};
  pc_model* model;
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  check_conformance((pc_system*)pc_model_system(model), options);
  pc_model_destroy(model);
}

#define SPACE                                                                                    \
  "percuss: 1\nspace: spatial\nbodies:\n"                                                        \
  "  p: {kind: point, mass: 0.7, position: [0.3, 2, -1]}\n"                                      \
  "  a: {mass: 1, inertia: [0.2, 0.3, 0.4], position: [1, 0.2, 0.1], orientation: [0.9, 0.3, "   \
  "-0.4, 0.2]}\n"                                                                                \
  "  b: {mass: 2, inertia: [0.5, 0.3, 0.4], position: [-1, 0.5, 0.6], orientation: [0.5, -0.3, " \
  "0.4, 0.6]}\n"

static void formulas_on_bodies_in_space(void** state)
{
  (void)state;
  conformance options = default_conformance();
  check_text(SPACE
             "potential: a.x*b.qy + sin(a.qw*b.qx) + p.z^2*a.qz*cos(t)\n"
             "constraints:\n"
             "  g: a.x*b.qw^2 - a.qx*p.y + t*b.z\n"
             "  v: {velocity: a.wx*b.qx + a.vy - t*p.vz*a.x + b.wz}\n"
             "contacts:\n"
             "  c: {gap: a.z + b.qw*a.qy - p.x*t, slip: [a.vx - b.wy*a.qx, b.vz], friction: 0.3}\n",
             options);
}

static void forces_of_the_motion(void** state)
{
  (void)state;
  conformance options = default_conformance();
  options.applied = 1;
  check_text(SPACE
             "points: {tip: [a, [0.3, -0.2, 0.5]]}\n"
             "joints: {pin: {revolute: {bodies: [a, b], at: [0.2, 0.1, 0.4], axis: [1, 2, -1]}},\n"
             "         slide: {prismatic: {bodies: [a, b], at: [0, 1, 0], axis: [1, 0, 1]}}}\n"
             "forces:\n"
             "  f: {force: {point: [a, [0.1, 0.4, -0.2]], frame: b, reaction: [b, [0.3, 0, 0.2]],\n"
             "              value: [tip.x*b.wx, sin(t)*a.qx, tip.vz - p.vy*p.x]}}\n"
             "  g: {force: {point: p, frame: a, value: [pin.rate, pin.angle, slide.speed]}}\n"
             "  m: {torque: {body: a, value: [a.wx*p.x, slide.displacement, -a.wz], reaction: b}}\n"
             "  n: {torque: {body: b, in_body_frame: true, value: [0, b.wx*tip.y, t*a.x]}}\n"
             "  s: {line-force: {points: [[a, [0.2, 0, 0]], [b, [0, 0.1, 0]]],\n"
             "                   value: 3*(length - 0.4)^3 + 0.2*speed*length}}\n",
             options);
  check_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.3, position: [0.1, 1], angle: 0.4}\n"
      "  b: {mass: 1, inertia: 0.5, position: [2, -0.3], angle: -1.2}\n"
      "points: {tip: [a, [0.3, -0.2]]}\n"
      "joints: {pin: {revolute: {bodies: [a, b], at: [1, 0.5]}},\n"
      "         slide: {prismatic: {bodies: [a, b], at: [0, 1], axis: [1, 0.4]}}}\n"
      "forces:\n"
      "  f: {force: {point: [a, [0.1, 0.4]], frame: b, reaction: [b, [0.3, 0]],\n"
      "              value: [tip.x*b.spin, tip.vy*a.y]}}\n"
      "  m: {torque: {body: a, value: pin.angle*slide.speed - pin.rate, reaction: b}}\n"
      "  s: {line-force: {points: [[a, [0.2, 0]], [b, [0, 0.1]]], value: length^2*speed}}\n",
      options);
}

/* Its stiffnesses may depend on all its displacements and angles. */
static void a_bushing_has_exact_derivatives(void** state)
{
  (void)state;
  conformance options = default_conformance();
  options.applied = 1;
  check_text(
      SPACE
      "forces:\n"
      "  e: {bushing: {bodies: [a, b], at: [0.3, 0.1, 0.2], stiffness: [0.3, 0.2 + x*z/10, 1],\n"
      "                damping: [0.2, 0.3, y/10], angular_stiffness: [0.1, ax^2/10, 0.3],\n"
      "                angular_damping: [0.1, 0, az/10]}}\n",
      options);
  check_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.3, position: [0.1, 1], angle: 0.4}\n"
      "  b: {mass: 1, inertia: 0.5, position: [2, -0.3], angle: -1.2}\n"
      "forces:\n"
      "  e: {bushing: {bodies: [a, b], at: [0.3, 0.1], stiffness: [3, 2 + x*angle],\n"
      "                damping: [y, 0.3], angular_stiffness: 2, angular_damping: 0.1}}\n",
      options);
}

/* A force and its reaction in line change neither momentum nor angular momentum. */
static void a_reaction_keeps_the_momenta(void** state)
{
  (void)state;
  run r = open_text(SPACE
                    "forces:\n"
                    "  s: {line-force: {points: [[a, [0.2, 0, 0]], [b, [0, 0.1, 0.3]]],\n"
                    "                   value: 30*(length - 0.4)^3}}\n"
                    "  m: {torque: {body: a, value: [0, 3*a.wx, 1], reaction: b}}\n",
                    "rattle", 1e-3, NULL, NULL);
  run_until(&r, 0.5);
  assert_true(fabs(value(&r, "a.vx")) > 0.1);
  CHECK_NEAR(value(&r, "a.vx") + 2 * value(&r, "b.vx"), 0, 1e-11);
  CHECK_NEAR(value(&r, "a.vz") + 2 * value(&r, "b.vz"), 0, 1e-11);
  close_run(&r);
}

/* A damped oscillation from x = 0 with the velocity v: k, c per inertia. */
static double oscillation(double v, double k, double c, double t)
{
  double w = sqrt(k - c * c / 4);
  return v / w * exp(-c * t / 2) * sin(w * t);
}

/* A block on a bushing oscillates along and about each axis for itself; a turned first body takes
 * the axes with it. */
static void a_bushing_along_and_about_axes(void** state)
{
  (void)state;
  static const char* const text =
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  wall: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], angle: pi/2}, fixed: "
      "true}\n"
      "  a: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 2, 3], velocity: [0.1, 0.2, 0.3]}\n"
      "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], angular_velocity: [0, 0, 0.4]}\n"
      "forces:\n"
      "  m: {bushing: {bodies: [wall, a], at: [1, 2, 3], stiffness: [200, 800, 1800],\n"
      "                damping: [4, 0, 8]}}\n"
      "  n: {bushing: {bodies: [ground, b], at: [0, 0, 0], angular_stiffness: [10, 20, 30],\n"
      "                angular_damping: [0, 0, 0.6]}}\n"
      "record:\n  - a\n  - b\n  - turn: 2*atan2(b.qz, b.qw)\n";
  run r = open_text(text, "lobatto", 1e-3, NULL, NULL);
  run_until(&r, 0.5);
  /* x in the frame of the wall is y of the inertial frame, and y is -x */
  CHECK_NEAR(value(&r, "a.x") - 1, oscillation(0.1, 400, 0, 0.5), 1e-9);
  CHECK_NEAR(value(&r, "a.y") - 2, oscillation(0.2, 100, 2, 0.5), 1e-9);
  CHECK_NEAR(value(&r, "a.z") - 3, oscillation(0.3, 900, 4, 0.5), 1e-9);
  CHECK_NEAR(value(&r, "turn"), oscillation(0.4, 100, 2, 0.5), 1e-9);
  close_run(&r);
}

/* Between two free bodies it changes neither momentum nor angular momentum. */
static void a_bushing_keeps_the_momenta(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 0.3, position: [0.1, 1], angle: 0.4, spin: 2}\n"
      "  b: {mass: 2, inertia: 0.5, position: [2, -0.3], angle: -1.2, velocity: [1, 0.5]}\n"
      "forces:\n"
      "  m: {bushing: {bodies: [a, b], at: [1, 0.5], stiffness: [200 + 1e4*x^2, 800],\n"
      "                damping: [4, 0], angular_stiffness: 50, angular_damping: 0.1}}\n"
      "record:\n"
      "  - a\n"
      "  - px: a.vx + 2*b.vx\n"
      "  - py: a.vy + 2*b.vy\n"
      "  - L: 0.3*a.spin + 0.5*b.spin + a.x*a.vy - a.y*a.vx + 2*(b.x*b.vy - b.y*b.vx)\n",
      "lobatto", 1e-3, NULL, NULL);
  double L = 0.3 * 2 + 2 * (2 * 0.5 + 0.3);
  run_until(&r, 0.5);
  assert_true(fabs(value(&r, "a.spin") - 2) > 0.1);
  CHECK_NEAR(value(&r, "px"), 2, 1e-11);
  CHECK_NEAR(value(&r, "py"), 1, 1e-11);
  CHECK_NEAR(value(&r, "L"), L, 1e-9);
  close_run(&r);
}

/* J w' = M - c w about a hinge in space: w = M/c (1 - exp(-c t/J)), over several turns. */
static void an_angle_counts_turns(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [0.3, 0.2, 0.4], orientation: {axis: [1, 2, 3], "
      "angle: 1}}\n"
      "points: {tip: [a, [0.5, 0, 0]]}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 2, "
      "3]}}}\n"
      "forces:\n"
      "  m: {torque: {body: a, frame: a, value: [k*1, k*2, k*3]}}\n"
      "parameters: {k: 1}\n"
      "record: [pin, tip, {distance: sqrt(tip.x^2 + tip.y^2 + tip.z^2),\n"
      "         twice: {value: 2*distance, unit: m}}]\n",
      "lobatto", 2e-3, NULL, NULL);
  /* inertia about the axis n = (1, 2, 3)/sqrt(14), torque sqrt(14) */
  double J = (0.3 + 4 * 0.2 + 9 * 0.4) / 14, M = sqrt(14);
  run_until(&r, 3);
  CHECK_NEAR(value(&r, "pin.rate"), M / J * 3, 1e-8);
  CHECK_NEAR(value(&r, "pin.angle"), M / J * 9 / 2, 1e-6);
  assert_true(value(&r, "pin.angle") > 10 * PI);
  CHECK_NEAR(value(&r, "distance"), 0.5, 1e-12);
  CHECK_NEAR(value(&r, "twice"), 1, 1e-12);
  int quantity = pc_system_find_quantity(pc_model_system(r.model), "twice");
  assert_string_equal(pc_system_quantity(pc_model_system(r.model), quantity).unit, "m");
  close_run(&r);
}

/* The turns belong to the state: a run that goes on from it counts on. */
static void turns_are_a_part_of_the_state(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 30]}\n"
      "joints: {pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}}\n"
      "record: [pin.angle]\n";
  run r = open_text(text, "moreau-jean", 1e-2, NULL, NULL);
  run_until(&r, 1);
  const pc_state* s = pc_sim_observation(r.sim)->state;
  run again = open_text(text, "moreau-jean", 1e-2, NULL, NULL);
  CHECK_OK(pc_sim_restore(again.sim, s->step, s->q, s->u, s->P, s->memory, &again.error),
           again.error);
  CHECK_NEAR(value(&again, "pin.angle"), value(&r, "pin.angle"), 0);
  run_until(&again, 2);
  run_until(&r, 2);
  CHECK_NEAR(value(&again, "pin.angle"), value(&r, "pin.angle"), 0);
  assert_true(value(&r, "pin.angle") > 16 * PI);
  close_run(&again);
  close_run(&r);
}

/* A pendulum at rest: its hinge carries the weight; a clamped one the moment as well. */
static void joints_tell_their_loads(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\nbodies:\n"
      "  a: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -1]}\n"
      "  b: {mass: 3, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
      "joints:\n"
      "  pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "  clamp: {fixed: {bodies: [ground, b]}}\n"
      "forces: {pull: {force: {point: [b, [1, 0, 0]], value: [0, 0, -4]}}}\n"
      "record: [pin.force, clamp]\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 0.01);
  CHECK_NEAR(value(&r, "pin.force"), 20, 1e-8);
  CHECK_NEAR(value(&r, "clamp.force"), 34, 1e-8);
  CHECK_NEAR(value(&r, "clamp.torque"), 4, 1e-8);
  close_run(&r);
}

/* tip.x of a body in the plane, and its velocity. */
static void a_point_moves_with_its_body(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nbodies:\n"
      "  a: {mass: 1, inertia: 1, position: [1, 2], spin: 2, velocity: [3, 0]}\n"
      "points: {tip: [a, [0.5, 0.25]]}\n"
      "record: {speed: sqrt(tip.vx^2 + tip.vy^2)}\n",
      "moreau-jean", 1e-2, NULL, NULL);
  run_until(&r, 0.5);
  CHECK_NEAR(value(&r, "tip.x"), 2.5 + 0.5 * cos(1) - 0.25 * sin(1), 1e-12);
  CHECK_NEAR(value(&r, "tip.y"), 2 + 0.5 * sin(1) + 0.25 * cos(1), 1e-12);
  double vx = 3 - 2 * (0.5 * sin(1) + 0.25 * cos(1)), vy = 2 * (0.5 * cos(1) - 0.25 * sin(1));
  CHECK_NEAR(value(&r, "tip.vx"), vx, 1e-12);
  CHECK_NEAR(value(&r, "tip.vy"), vy, 1e-12);
  CHECK_NEAR(value(&r, "speed"), hypot(vx, vy), 1e-12);
  close_run(&r);
}

/* The motor of the example drives the rotor against its frame: total spin stays that of the jet. */
static void the_example_of_the_documentation(void** state)
{
  (void)state;
  run r = open_example("moving-forces");
  run_until(&r, 0.5);
  assert_true(value(&r, "shaft.angle") > 0.05);
  CHECK_NEAR(value(&r, "height"), value(&r, "rotor.z") - value(&r, "frame.z"), 0);
  close_run(&r);
}

static double half(const void* user, const pc_output_at* at)
{
  return *(const double*)user * at->q[0];
}

static void outputs_of_the_c_interface(void** state)
{
  (void)state;
  static const double factor = 0.5;
  pc_error error = {0};
  pc_system_def def = pc_default_system_def();
  pc_system* s;
  pc_part_id id;
  CHECK_OK(pc_system_create(&def, &s, &error), error);
  pc_point_mass_def mass = pc_default_point_mass_def();
  mass.name = "m";
  mass.mass = 1;
  mass.position[0] = 3;
  CHECK_OK(pc_add_point_mass(s, &mass, &id, &error), error);
  pc_output_def output = {.name = "half", .unit = "m", .user = (void*)&factor};
  assert_int_equal(pc_add_output(s, &output, &error), PC_BAD_MODEL);
  assert_string_equal(error.text, "output 'half': value is missing");
  output.value = half;
  output.period = -1;
  assert_int_equal(pc_add_output(s, &output, &error), PC_BAD_MODEL);
  output.period = 0;
  CHECK_OK(pc_add_output(s, &output, &error), error);
  mass.name = "n";
  assert_int_equal(pc_add_point_mass(s, &mass, &id, &error), PC_BAD_ARGUMENT);
  assert_string_equal(error.text,
                      "the rows of the system are numbered: only outputs can be added to it");
  CHECK_OK(pc_system_freeze(s, &error), error);
  assert_int_equal(pc_add_output(s, &output, &error), PC_BAD_ARGUMENT);
  CHECK_NEAR(pc_system_output(s, 0, &(pc_output_at){.q = pc_system_q0(s)}), 1.5, 0);
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_on_bodies_in_space),
      cmocka_unit_test(forces_of_the_motion),
      cmocka_unit_test(a_reaction_keeps_the_momenta),
      cmocka_unit_test(a_bushing_has_exact_derivatives),
      cmocka_unit_test(a_bushing_along_and_about_axes),
      cmocka_unit_test(a_bushing_keeps_the_momenta),
      cmocka_unit_test(an_angle_counts_turns),
      cmocka_unit_test(turns_are_a_part_of_the_state),
      cmocka_unit_test(joints_tell_their_loads),
      cmocka_unit_test(a_point_moves_with_its_body),
      cmocka_unit_test(the_example_of_the_documentation),
      cmocka_unit_test(outputs_of_the_c_interface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
