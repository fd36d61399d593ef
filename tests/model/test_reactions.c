/* Forces and torques of joints and force elements, by name, against closed forms. */
#include "example.h"

/* A rigid pendulum that falls from the horizontal: with the angle a and rate w of the state at
 * hand, m = 2, l = 1, J = 0.5 about the centre, the pin carries m (acceleration of the centre +
 * g). */
static void pendulum_force(double a, double w, double F[2])
{
  const double m = 2, l = 1, g = 9.81, J = 0.5 + m * l * l;
  double alpha = -m * g * l * cos(a) / J;
  F[0] = m * l * (-alpha * sin(a) - w * w * cos(a));
  F[1] = m * l * (alpha * cos(a) - w * w * sin(a)) + m * g;
}

static const char pendulum_text[] =
    "percuss: 1\nspace: %s\ngravity: %s\n"
    "bodies: {rod: {mass: 2, inertia: %s, position: %s}}\n"
    "points: {tip: [rod, %s]}\n"
    "joints: {pin: {revolute: {bodies: [%s], at: %s%s}}}\n"
    "record: [pin.force, %s]\n";

static run open_pendulum(const char* scheme, int spatial, const char* bodies, const char* names,
                         double dt)
{
  char text[1000];
  snprintf(text, sizeof text, pendulum_text, spatial ? "spatial" : "planar",
           spatial ? "[0, -9.81, 0]" : "[0, -9.81]", spatial ? "[0.5, 0.5, 0.5]" : "0.5",
           spatial ? "[1, 0, 0]" : "[1, 0]", spatial ? "[1, 0, 0]" : "[1, 0]", bodies,
           spatial ? "[0, 0, 0]" : "[0, 0]", spatial ? ", axis: [0, 0, 1]" : "", names);
  return open_text(text, scheme, dt, NULL, NULL);
}

/* At the end of a step the force belongs to the state, under every scheme, in the plane and in
 * space, whichever body is named first. */
static void a_pendulum_pulls_at_its_pin(void** state)
{
  (void)state;
  static const char* const orders[] = {"ground, rod", "rod, ground"};
  for (int k = 0; k < 4; k++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      int spatial = k / 2;
      run r = open_pendulum(*scheme, spatial, orders[k % 2],
                            "pin.end.force.x, pin.end.force.y, pin.on.ground.end.force.y,"
                            " pin.on.rod.end.in.rod.force.x, pin.about.tip.end.torque.z",
                            1e-3);
      for (int n = 0; n < 100; n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
      const pc_state* s = pc_sim_observation(r.sim)->state;
      double a = spatial ? 2 * atan2(s->q[6], s->q[3]) : s->q[2], w = s->u[spatial ? 5 : 2], F[2];
      pendulum_force(a, w, F);
      /* joints of velocities drift, and the lever arm with it */
      double near = 1e-3;
      if (!strcmp(*scheme, "rattle") || !strcmp(*scheme, "lobatto")) near = 1e-9;
      CHECK_NEAR(value(&r, "pin.end.force.x"), F[0], near);
      CHECK_NEAR(value(&r, "pin.end.force.y"), F[1], near);
      CHECK_NEAR(value(&r, "pin.on.ground.end.force.y"), -F[1], near);
      CHECK_NEAR(value(&r, "pin.on.rod.end.in.rod.force.x"), cos(a) * F[0] + sin(a) * F[1], near);
      /* the tip is at 2 from the pin */
      CHECK_NEAR(value(&r, "pin.about.tip.end.torque.z"), 2 * (-cos(a) * F[1] + sin(a) * F[0]),
                 3 * near);
      close_run(&r);
    }
}

/* The mean over a step is the force in its middle, to second order. */
static void the_mean_over_a_step_is_that_in_its_middle(void** state)
{
  (void)state;
  double error[2], F[2];
  for (int k = 0; k < 2; k++) {
    double dt = k ? 5e-4 : 1e-3;
    run r = open_pendulum("lobatto", 0, "rod, ground", "pin.force.x, pin.force.y", dt);
    run half = open_pendulum("lobatto", 0, "rod, ground", "pin.force.x", dt / 2);
    for (int n = 0; n < 200; n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    for (int n = 0; n < 399; n++) CHECK_OK(pc_sim_step(half.sim, &half.error), half.error);
    pendulum_force(value(&half, "rod.angle"), value(&half, "rod.spin"), F);
    error[k] = hypot(value(&r, "pin.force.x") - F[0], value(&r, "pin.force.y") - F[1]);
    CHECK_NEAR(value(&r, "pin.force"), hypot(F[0], F[1]), 1e-3);
    close_run(&half);
    close_run(&r);
  }
  assert_true(error[0] < 1e-4);
  assert_true(error[1] < error[0] / 3);
}

/* A slide whose body hangs 2 m beside it: force and moment of the weight, for both orders of the
 * bodies; about the centre of the body, which does not turn, there is no moment. */
static void a_slide_carries_the_moment_of_a_weight(void** state)
{
  (void)state;
  static const char* const orders[] = {"ground, p", "p, ground"};
  const double g = 9.80665;
  for (int k = 0; k < 2; k++) {
    char text[800];
    snprintf(text, sizeof text,
             "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.80665]\n"
             "bodies:\n  p: {mass: 1, inertia: [0.04, 0.1, 0.1], position: [2, 0, 0],\n"
             "      orientation: {axis: [1, 0, 0], angle: -pi/4}}\n"
             "joints: {j: {prismatic: {bodies: [%s], at: [0, 0, 0], axis: [0, 1, 1]}}}\n"
             "record: [j.force, j.torque, j.force.y, j.force.z, j.end.torque.y, j.torque.z,\n"
             "         j.about.p.end.torque.y, j.about.ground.end.torque.x, j.in.p.force.z]\n",
             orders[k]);
    run r = open_text(text, "lobatto", 1e-3, NULL, NULL);
    for (int n = 0; n < 1000; n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    CHECK_NEAR(value(&r, "j.force"), g / sqrt(2), 1e-8);
    CHECK_NEAR(value(&r, "j.torque"), sqrt(2) * g, 1e-8);
    CHECK_NEAR(value(&r, "j.force.y"), -g / 2, 1e-8);
    CHECK_NEAR(value(&r, "j.force.z"), g / 2, 1e-8);
    CHECK_NEAR(value(&r, "j.end.torque.y"), -g, 1e-8);
    CHECK_NEAR(value(&r, "j.torque.z"), -g, 1e-8);
    CHECK_NEAR(value(&r, "j.about.p.end.torque.y"), 0, 1e-7);
    /* the force at the centre of the body, which has slid to y = z */
    double y = value(&r, "p.y");
    CHECK_NEAR(value(&r, "j.about.ground.end.torque.x"), y * g / 2 + y * g / 2, 1e-6);
    CHECK_NEAR(value(&r, "j.in.p.force.z"), 0, 1e-8);
    close_run(&r);
  }
}

/* The numbers that docs/model-file.md names beside its example. */
static void the_example_of_the_documentation(void** state)
{
  (void)state;
  run r = open_example("reactions");
  run_until(&r, 1);
  const double g = 9.80665;
  double y = value(&r, "arm.y"), r_y = 1 - y, length = sqrt(2) * fabs(r_y);
  CHECK_NEAR(value(&r, "rail.force"), g / sqrt(2), 1e-8);
  CHECK_NEAR(value(&r, "rail.force.y"), -g / 2, 1e-8);
  CHECK_NEAR(value(&r, "rail.on.ground.end.force.y"), g / 2, 1e-8);
  CHECK_NEAR(value(&r, "rail.torque"), sqrt(2) * g, 1e-7);
  CHECK_NEAR(value(&r, "rail.about.arm.end.torque.y"), 0, 1e-7);
  CHECK_NEAR(value(&r, "back.force.z"), 10 * (length - 1) * r_y / fabs(r_y) / sqrt(2), 1e-9);
  close_run(&r);
}

/* Between two bodies the part is named: one gets the opposite of what the other gets, about the
 * same point. */
static void two_bodies_get_opposite_forces(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies:\n  a: {mass: 1, inertia: [0.1, 0.2, 0.3], angular_velocity: [1, 2, 0]}\n"
      "  b: {mass: 2, inertia: [0.3, 0.2, 0.1], position: [1, 0, 0]}\n"
      "points: {c: [a, [0.3, 0.2, 0.1]]}\n"
      "joints: {j: {universal: {bodies: [a, b], at: [0.5, 0, 0], axis: [0, 1, 0],\n"
      "  second_axis: [0, 0, 1]}}}\n"
      "forces: {s: {spring: {points: [a, [b, [0, 1, 0]]], stiffness: 50, length: 0.5,"
      " damping: 1}}}\n"
      "record: [j.on.a.about.c.torque.x, j.on.b.about.c.torque.x, j.on.a.end.force.z,\n"
      "         j.on.b.end.force.z, j.force.z, s.on.a.force.y, s.force.y, s.force,\n"
      "         s.on.a.about.c.torque.z, s.on.b.about.c.torque.z]\n",
      "rattle", 1e-4, NULL, NULL);
  for (int n = 0; n < 50; n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  assert_true(fabs(value(&r, "j.on.a.about.c.torque.x")) > 1e-3);
  CHECK_NEAR(value(&r, "j.on.a.about.c.torque.x"), -value(&r, "j.on.b.about.c.torque.x"), 1e-8);
  CHECK_NEAR(value(&r, "j.on.a.end.force.z"), -value(&r, "j.on.b.end.force.z"), 1e-12);
  CHECK_NEAR(value(&r, "j.force.z"), value(&r, "j.on.b.end.force.z"), 1e-1);
  assert_true(fabs(value(&r, "s.force.y")) > 1);
  CHECK_NEAR(value(&r, "s.on.a.force.y"), -value(&r, "s.force.y"), 1e-12);
  CHECK_NEAR(value(&r, "s.on.a.about.c.torque.z"), -value(&r, "s.on.b.about.c.torque.z"), 1e-12);
  close_run(&r);
}

/* What springs and other forces do, from their definitions. */
static void force_elements_tell_their_forces(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: planar\n"
      "bodies:\n  p: {mass: 1, inertia: 1, position: [3, 0], velocity: [0.1, 0.2], spin: 0.5}\n"
      "  m: {kind: point, mass: 1, position: [0, 2], velocity: [1, 0]}\n"
      "forces:\n"
      "  s: {spring: {points: [ground, [p, [0, 1]]], stiffness: 10, length: 2, damping: 0.3}}\n"
      "  l: {line-force: {points: [m, ground], value: 4*length}}\n"
      "  f: {force: {point: [p, [0.5, 0]], value: [2, -1]}}\n"
      "  g: {force: {point: p, value: [m.x, 0], frame: p}}\n"
      "  t: {torque: {body: p, value: -3*p.spin}}\n"
      "  c: {rotational-spring: {bodies: [ground, p], stiffness: 7}}\n"
      "record: [s.force, s.force.x, s.force.y, s.about.p.torque.z, l.force.x, l.force.y, l.force,\n"
      "         f.force.x, f.force.y, f.about.p.torque.z, f.about.ground.torque.z, g.force.x, "
      "t.torque.z,\n"
      "         c.torque.z, c.torque, {twice: 2*f.force.x}]\n",
      "moreau-jean", 1e-2, NULL, NULL);
  for (int n = 0; n < 30; n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  double a = value(&r, "p.angle"), w = value(&r, "p.spin");
  double x = value(&r, "p.x") - sin(a), y = value(&r, "p.y") + cos(a), length = hypot(x, y);
  double vx = value(&r, "p.vx") - w * cos(a), vy = value(&r, "p.vy") - w * sin(a);
  double tension = 10 * (length - 2) + 0.3 * (x * vx + y * vy) / length;
  double F[2] = {-tension * x / length, -tension * y / length};
  CHECK_NEAR(value(&r, "s.force"), fabs(tension), 1e-12);
  CHECK_NEAR(value(&r, "s.force.x"), F[0], 1e-12);
  CHECK_NEAR(value(&r, "s.force.y"), F[1], 1e-12);
  CHECK_NEAR(value(&r, "s.about.p.torque.z"), -sin(a) * F[1] - cos(a) * F[0], 1e-12);
  CHECK_NEAR(value(&r, "l.force.x"), -4 * value(&r, "m.x"), 1e-12);
  CHECK_NEAR(value(&r, "l.force.y"), -4 * value(&r, "m.y"), 1e-12);
  CHECK_NEAR(value(&r, "f.force.x"), 2, 1e-15);
  CHECK_NEAR(value(&r, "twice"), 4, 1e-15);
  CHECK_NEAR(value(&r, "f.about.p.torque.z"), 0.5 * (-cos(a) - 2 * sin(a)), 1e-12);
  double px = value(&r, "p.x") + 0.5 * cos(a), py = value(&r, "p.y") + 0.5 * sin(a);
  CHECK_NEAR(value(&r, "f.about.ground.torque.z"), -px - 2 * py, 1e-12);
  CHECK_NEAR(value(&r, "g.force.x"), value(&r, "m.x") * cos(a), 1e-12);
  CHECK_NEAR(value(&r, "t.torque.z"), -3 * w, 1e-12);
  CHECK_NEAR(value(&r, "c.torque.z"), -7 * a, 1e-12);
  CHECK_NEAR(value(&r, "c.torque"), fabs(7 * a), 1e-12);
  close_run(&r);
}

/* A cantilever at rest under a load on its tip: force and moment at the clamp, exact for any
 * deflection. */
static void a_clamp_carries_a_static_beam(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: planar\n"
      "bodies: {beam: {kind: beam, elements: 4, root: [0, 0], tip: [1, 0], area: 1e-5,\n"
      "  inertia: 1e-12, density: 7800, modulus: 2e11, poisson: 0.3, damping: 0.3}}\n"
      "joints: {clamp: {fixed: {bodies: [%s]}}}\n"
      "forces: {load: {force: {point: beam.tip, value: [0.1, \"0.2*min(t, 1)\"]}}}\n"
      "record: [clamp.force.x, clamp.end.force.y, clamp.torque.z, clamp.end.torque.z,\n"
      "  clamp.on.beam.root.force.y, clamp.on.ground.torque.z, clamp.torque, clamp.force]\n"
      "simulate: {theta: 0.6}\n"; /* stiff modes die out */
  static const char* const orders[] = {"ground, beam.root", "beam.root, ground"};
  for (int k = 0; k < 2; k++) {
    char filled[800];
    snprintf(filled, sizeof filled, text, orders[k]);
    run r = open_text(filled, "moreau-jean", 0.02, NULL, NULL);
    run_until(&r, 12);
    double x = value(&r, "beam.tip.x"), y = value(&r, "beam.tip.y"), T = -0.2 * x + 0.1 * y;
    assert_true(y > 0.1 && x < 0.999);
    CHECK_NEAR(value(&r, "clamp.force.x"), -0.1, 1e-6);
    CHECK_NEAR(value(&r, "clamp.end.force.y"), -0.2, 1e-6);
    CHECK_NEAR(value(&r, "clamp.on.beam.root.force.y"), -0.2, 1e-6);
    CHECK_NEAR(value(&r, "clamp.torque.z"), T, 1e-6);
    CHECK_NEAR(value(&r, "clamp.end.torque.z"), T, 1e-6);
    CHECK_NEAR(value(&r, "clamp.on.ground.torque.z"), -T, 1e-6);
    CHECK_NEAR(value(&r, "clamp.torque"), fabs(T), 1e-6);
    CHECK_NEAR(value(&r, "clamp.force"), hypot(0.1, 0.2), 1e-6);
    close_run(&r);
  }
}

/* All rows of a joint at once. */
static void a_joints_forces_are_recorded_as_a_group(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {p: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}}\n"
      "joints: {j: {revolute: {bodies: [ground, p], at: [0, 0, 0], axis: [1, 0, 0]}}}\n"
      "record: [p, j.lambda, j.acceleration]\n",
      "lobatto", 1e-3, NULL, NULL);
  CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  int count;
  pc_model_record(r.model, &count);
  assert_int_equal(count, 13 + 5 + 5);
  double sum = 0;
  for (int i = 1; i <= 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "j.lambda.%d", i);
    sum += value(&r, name) * value(&r, name);
  }
  CHECK_NEAR(sqrt(sum), 10, 1e-9);
  close_run(&r);
}

static void names_that_mean_nothing_are_refused(void** state)
{
  (void)state;
  static const char* const names[] = {
      "j.force.z",    "j.torque.x", "j.on.q.force.x", "j.on.other.force.x", "j.about.no.torque.z",
      "j.in.force.x", "j.end",      "j.force.xy",     "p.force.x",          "w.force.x"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "percuss: 1\nspace: planar\n"
             "bodies: {p: {mass: 1, inertia: 1}, q: {mass: 1, inertia: 1}}\n"
             "joints: {j: {revolute: {bodies: [ground, p], at: [1, 0]}}}\n"
             "record: [%s]\n",
             names[i]);
    pc_model* model = NULL;
    pc_error error = {0};
    assert_int_equal(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), PC_BAD_MODEL);
    if (!strstr(error.text, "there is no quantity")) fail_msg("%s: %s", names[i], error.text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_pulls_at_its_pin),
      cmocka_unit_test(the_mean_over_a_step_is_that_in_its_middle),
      cmocka_unit_test(a_slide_carries_the_moment_of_a_weight),
      cmocka_unit_test(the_example_of_the_documentation),
      cmocka_unit_test(two_bodies_get_opposite_forces),
      cmocka_unit_test(force_elements_tell_their_forces),
      cmocka_unit_test(a_clamp_carries_a_static_beam),
      cmocka_unit_test(a_joints_forces_are_recorded_as_a_group),
      cmocka_unit_test(names_that_mean_nothing_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
