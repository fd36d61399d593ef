/* Torsional pendulums in space: bodies on a skew axis with a rotational spring and a damper,
 * against the linear oscillator they are. */
#include "run.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double J =
    2 * 0.36 + 4 * 0.64; /* about the axis (0.6, 0, 0.8), which is no principal one */

/* A body that is held by a revolute joint through its centre. It starts at rest at the angle 0. */
static const char HELD[] =
    "percuss: 1\nspace: spatial\ngravity: [1, 2, -9.81]\nparameters: {k: 12.5, c: 0, rest: 1}\n"
    "bodies: {b: {mass: 2, inertia: [2, 3, 4], position: [1, 2, 3]}}\n"
    "joints: [revolute: {bodies: [ground, b], at: [1, 2, 3], axis: [3, 0, 4]}]\n"
    "forces:\n"
    "  coil: {rotational-spring: {bodies: [ground, b], axis: [3, 0, 4], stiffness: k, damping: c, "
    "angle: rest}}\n";

static void tighten(pc_scheme_settings* s)
{
  s->variational.stages = 3;
  s->tolerance = 1e-12;
}

/* The angle about the axis from a quaternion that is followed from the start. */
static double angle_of(const run* r, const char* body)
{
  static const char* const tail[4] = {"qw", "qx", "qy", "qz"};
  double p[4];
  for (int i = 0; i < 4; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s.%s", body, tail[i]);
    p[i] = value(r, name);
  }
  return 2 * atan2(0.6 * p[1] + 0.8 * p[3], p[0]);
}

/* rest (1 - exp(-d t) (cos(w t) + d/w sin(w t))), from rest at 0, and where it is at the end */
static double deviation(const char* const* set, const char* scheme, double dt, double until)
{
  run r = open_text(HELD, scheme, dt, set, tighten);
  double k = strtod(set[1], NULL), c = strtod(set[3], NULL), rest = strtod(set[5], NULL);
  run_until(&r, until);
  double d = c / (2 * J), w = sqrt(k / J - d * d);
  double exact = rest * (1 - exp(-d * until) * (cos(w * until) + d / w * sin(w * until)));
  double error = angle_of(&r, "b") - exact;
  close_run(&r);
  return fabs(error);
}

static const char* const FREE[] = {"k", "12.5", "c", "0", "rest", "1", NULL};
static const char* const DAMPED[] = {"k", "12.5", "c", "1.5", "rest", "-1", NULL};
static const char* const WIDE[] = {"k", "12.5", "c", "0", "rest", "3.1", NULL};

static void period_is_that_of_inertia_over_stiffness(void** state)
{
  (void)state;
  double period = 2 * PI * sqrt(J / 12.5);
  run r = open_text(HELD, "lobatto", period / 200, FREE, tighten);
  double before = pc_sim_observation(r.sim)->kinetic + pc_sim_observation(r.sim)->potential;
  run_until(&r, 10.5 * period);
  CHECK_NEAR(angle_of(&r, "b"), 2, 1e-9); /* the other end: twice the angle without torque */
  run_until(&r, 11 * period);
  CHECK_NEAR(angle_of(&r, "b"), 0, 1e-7); /* an extreme: quadratic there, but not in its rate */
  CHECK_NEAR(pc_sim_observation(r.sim)->kinetic + pc_sim_observation(r.sim)->potential, before,
             1e-8);
  close_run(&r);
}

static void schemes_converge_to_the_oscillator(void** state)
{
  (void)state;
  static const struct {
    const char* scheme;
    double order, least; /* of the errors, and the largest with the smallest step */
  } cases[] = {{"moreau-jean", 2, 1e-3}, {"rattle", 2, 1e-3}, {"lobatto", 4, 2e-8}};
  static const char* const* const sets[] = {FREE, DAMPED, WIDE};
  const double dt[3] = {0.04, 0.02, 0.01};
  for (int s = 0; s < 3; s++)
    for (int i = 0; i < 3; i++) {
      double error[3];
      for (int j = 0; j < 3; j++) error[j] = deviation(sets[s], cases[i].scheme, dt[j], 3.6);
      CHECK_NEAR(fitted_order(3, dt, error), cases[i].order, 0.1);
      assert_true(error[2] < cases[i].least);
    }
}

/* Two bodies on a common axis that nothing holds: the inertia is that of both in series. */
static void two_free_bodies_turn_against_each_other(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 2, inertia: [3, 3, 2], position: [0, 0, -1]}\n"
      "  b: {mass: 1, inertia: [1, 1, 0.5], position: [0, 0, 1], angular_velocity: [0, 0, 10]}\n"
      "joints: [revolute: {bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}]\n"
      "forces: [rotational-spring: {bodies: [a, b], axis: [0, 0, 2], stiffness: 5}]\n";
  run r = open_text(text, "lobatto", 0.01, NULL, tighten);
  double w = sqrt(5 * (1 / 2.0 + 1 / 0.5)), t = 1.7, amplitude = 10 / w; /* of 2.83 rad */
  run_until(&r, t);
  double a = 2 * atan2(value(&r, "a.qz"), value(&r, "a.qw"));
  double b = 2 * atan2(value(&r, "b.qz"), value(&r, "b.qw"));
  CHECK_NEAR(remainder(b - a - amplitude * sin(w * t), 4 * PI), 0, 1e-7);
  CHECK_NEAR(2 * value(&r, "a.wz") + 0.5 * value(&r, "b.wz"), 5, 1e-11);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(period_is_that_of_inertia_over_stiffness),
      cmocka_unit_test(schemes_converge_to_the_oscillator),
      cmocka_unit_test(two_free_bodies_turn_against_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
