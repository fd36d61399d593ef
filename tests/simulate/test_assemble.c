/* Initial values from rough ones, against closed forms. */
#include "percuss/assemble.h"

#include "run.h"

static pc_model* read_text(const char* text)
{
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  return model;
}

/* The nearest point of a circle, and the part of the velocity along it. */
static void a_point_goes_to_the_nearest_place_of_its_circle(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nbodies: {a: {kind: point, mass: 3, position: [3, 4], "
      "velocity: [1, 0]}}\n"
      "joints: {rope: {distance: {points: [ground, a], length: 1}}}\n");
  pc_assemble_report r;
  pc_error error = {0};
  CHECK_OK(pc_assemble(pc_model_system(model), &r, &error), error);
  CHECK_NEAR(r.q[0], 0.6, 1e-14);
  CHECK_NEAR(r.q[1], 0.8, 1e-14);
  CHECK_NEAR(r.u[0], 1 - 0.36, 1e-14);
  CHECK_NEAR(r.u[1], -0.48, 1e-14);
  CHECK_NEAR(r.position_before, 4, 1e-14);
  CHECK_NEAR(r.position_after, 0, 1e-14);
  CHECK_NEAR(r.velocity_after, 0, 1e-14);
  pc_assemble_free(&r);
  pc_model_destroy(model);
}

/* Two masses on a line: the heavy one moves less, in the ratio of the masses. */
static void masses_are_the_metric(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nspace: line\nassemble: true\n"
      "bodies: {a: {kind: point, mass: 1, position: 0, velocity: 4}, b: {kind: point, "
      "mass: 3, position: 3}}\n"
      "joints: {rod: {distance: {points: [a, b], length: 1}}}\n"
      "contacts: {wall: {point: b, plane: {point: 10, normal: -1}}}\n");
  const pc_system* system = pc_model_system(model);
  CHECK_NEAR(pc_system_q0(system)[0], 1.5, 1e-14);
  CHECK_NEAR(pc_system_q0(system)[1], 2.5, 1e-14);
  CHECK_NEAR(pc_system_u0(system)[0], 1, 1e-14);
  CHECK_NEAR(pc_system_u0(system)[1], 1, 1e-14);
  const double *q = NULL, *u = NULL;
  assert_int_equal(pc_model_rough_start(model, &q, &u), 1);
  CHECK_NEAR(q[1], 3, 0);
  CHECK_NEAR(u[0], 4, 0);
  pc_model_destroy(model);
}

/* A contact that is too deep is opened to zero and stops approaching; one that leaves is let go. */
static void contact_forces_are_never_tensile(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nspace: line\nassemble: true\n"
      "bodies: {a: {kind: point, mass: 1, position: -0.2, velocity: -1}, b: {kind: point, mass: 1, "
      "position: -0.1, velocity: 2}, c: {kind: point, mass: 1, position: 1, velocity: -3}}\n"
      "contacts:\n"
      "  p(i): {repeat: {i: 1}, point: a, plane: {point: 0, normal: 1}}\n"
      "  q: {point: b, plane: {point: 0, normal: 1}}\n"
      "  r: {point: c, plane: {point: 0, normal: 1}}\n");
  const pc_system* system = pc_model_system(model);
  const double q[] = {0, 0, 1}, u[] = {0, 2, -3};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(pc_system_q0(system)[i], q[i], 1e-14);
    CHECK_NEAR(pc_system_u0(system)[i], u[i], 1e-12);
  }
  pc_model_destroy(model);
}

/* A parallelogram: with the crank given, all velocities follow. */
static void a_drive_and_a_loop_give_all_velocities(void** state)
{
  (void)state;
  pc_model* model = read_text(
      "percuss: 1\nassemble: true\n"
      "bodies: {crank: {mass: 1, inertia: 1, position: [0, 1]}, rod: {mass: 1, inertia: 1, "
      "position: [2, 2]}, rocker: {mass: 1, inertia: 1, position: [4, 1]}}\n"
      "joints:\n"
      "  base: {revolute: {bodies: [ground, crank], at: [0, 0]}}\n"
      "  p: {revolute: {bodies: [crank, rod], at: [0, 2]}}\n"
      "  q: {revolute: {bodies: [rod, rocker], at: [4, 2]}}\n"
      "  pivot: {revolute: {bodies: [ground, rocker], at: [4, 0]}}\n"
      "drives: {motor: {joint: base, rate: 3}}\n");
  const double u[] = {-3, 0, 3, -6, 0, 0, -3, 0, 3};
  for (int i = 0; i < 9; i++) CHECK_NEAR(pc_system_u0(pc_model_system(model))[i], u[i], 1e-12);
  pc_model_destroy(model);
}

static void what_cannot_be_assembled_is_named(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nbodies: {a: {kind: point, mass: 1, position: [1, 1]}}\n"
      "assemble: true\n"
      "joints:\n"
      "  near: {distance: {points: [ground, a], length: 1}}\n"
      "  far: {distance: {points: [ground, a], length: 2}}\n";
  pc_model* model = NULL;
  pc_error error = {0};
  assert_int_equal(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), PC_BAD_MODEL);
  assert_int_equal(error.line, 3);
  assert_int_equal(error.column, 11);
  assert_non_null(strstr(error.text, "cannot be assembled: '"));
  assert_true(strstr(error.text, "near.position") || strstr(error.text, "far.position"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_goes_to_the_nearest_place_of_its_circle),
      cmocka_unit_test(masses_are_the_metric),
      cmocka_unit_test(contact_forces_are_never_tensile),
      cmocka_unit_test(a_drive_and_a_loop_give_all_velocities),
      cmocka_unit_test(what_cannot_be_assembled_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
