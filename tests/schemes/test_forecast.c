/* When a contact acts: (61) with a given gamma, what takes its place where none is given, and (63),
 * (64). */
#include "run.h"

static void with_gamma_0(pc_scheme_settings* settings)
{
  settings->gamma = 0;
}

static void with_gamma_1(pc_scheme_settings* settings)
{
  settings->gamma = 1;
}

/* A ball of 20 cm flies 1 cm a step towards a floor or a wall at this distance. */
static const char* const one_ball =
    "percuss: 1\nparameters: {gap: 0.01}\n"
    "bodies: {ball: {mass: 1, inertia: 0.004, position: [0, 0.1 + gap], velocity: [0, -10]}}\n"
    "contacts: {floor: {disc: ball, radius: 0.1, plane: {point: [0, 0], normal: [0, 1]}}}\n";
static const char* const one_shape =
    "percuss: 1\nparameters: {gap: 0.01}\n"
    "bodies: {ball: {mass: 1, inertia: 0.004, position: [0, 0.1 + gap], velocity: [0, -10],\n"
    "  shape: {disc: 0.1}}}\n"
    "shapes: {floor: {half-plane: [0, 1]}}\n";

/* The height above the floor where a ball from this gap comes to rest. */
static double rest(const char* text, const char* gap, double dt, void (*tune)(pc_scheme_settings*))
{
  const char* const set[] = {"gap", gap, NULL};
  run r = open_text(text, "moreau-jean", dt, set, tune);
  run_until(&r, 10 * dt);
  double y = value(&r, "ball.y") - 0.1;
  CHECK_NEAR(value(&r, "ball.vy"), 0, 1e-12);
  close_run(&r);
  return y;
}

/* In the step in which it meets the floor it moves by half of what it would (theta = 1/2), and with
 * gamma = 0 by all of it before that. */
static void deep_contacts_act_in_the_step_before(void** state)
{
  (void)state;
  const char* const text[] = {one_ball, one_shape};
  for (int i = 0; i < 2; i++) {
    /* 2 cm a step: 1.5 cm deep, more than a twentieth of the radius: it stops half way to there */
    CHECK_NEAR(rest(text[i], "0.005", 2e-3, NULL), 0.005 - 0.01, 1e-12);
    CHECK_NEAR(rest(text[i], "0.005", 2e-3, with_gamma_0), 0.005 - 0.02 - 0.01, 1e-12);
    CHECK_NEAR(rest(text[i], "0.005", 2e-3, with_gamma_1), 0.005 - 0.01, 1e-12);
    /* 5 mm a step: 4.5 mm deep, less than a twentieth of the radius */
    CHECK_NEAR(rest(text[i], "0.0005", 5e-4, NULL), 0.0005 - 0.005 - 0.0025, 1e-12);
    CHECK_NEAR(rest(text[i], "0.0005", 5e-4, with_gamma_0), 0.0005 - 0.005 - 0.0025, 1e-12);
    CHECK_NEAR(rest(text[i], "0.0005", 5e-4, with_gamma_1), 0.0005 - 0.0025, 1e-12);
  }
}

/* A ball of 1 g at rest, 5 mm above the floor, is struck by one of 1 kg: no forecast from the
 * velocities at the start knows that it meets the floor in that step. */
static const char* const struck_ball =
    "percuss: 1\n"
    "bodies:\n"
    "  light: {mass: 0.001, inertia: 1, position: [0, 0.105], shape: {disc: 0.1}}\n"
    "  heavy: {mass: 1, inertia: 1, position: [0, 0.305], velocity: [0, -10], shape: {disc: 0.1}}\n"
    "shapes: {floor: {half-plane: [0, 1]}}\n";

static void struck_bodies_do_not_get_deep(void** state)
{
  (void)state;
  run r = open_text(struck_ball, "moreau-jean", 1e-2, NULL, NULL);
  run_until(&r, 0.1);
  CHECK_NEAR(pc_sim_summary(r.sim).penetration_max, 0.05, 1e-12); /* heavy, by half a step */
  CHECK_NEAR(value(&r, "light.y"), 0.105, 1e-12);
  CHECK_NEAR(value(&r, "heavy.y"), 0.255, 1e-12);
  CHECK_NEAR(pc_sim_summary(r.sim).balance.impact, 50, 1e-9);
  close_run(&r);
  r = open_text(struck_ball, "moreau-jean", 1e-2, NULL, with_gamma_1);
  run_until(&r, 0.1);
  assert_true(value(&r, "light.y") < 0.06);
  close_run(&r);
}

static void semi_implicit(pc_scheme_settings* settings)
{
  settings->forecast = PC_FORECAST_SEMI_IMPLICIT;
}

static void implicit(pc_scheme_settings* settings)
{
  settings->forecast = PC_FORECAST_IMPLICIT;
}

/* (63), (64): the ball would be below the floor at the end of the step in which it meets it. With
 * the contact it moves by half as far, 5 mm: from nearer than that it is below then, too, and the
 * contact acts; from farther it is above, and without the contact below: neither of the two is what
 * its own end asks for, and no number of iterations finds a third. */
static void implicit_forecasts_agree_with_the_end_or_cycle(void** state)
{
  (void)state;
  static void (*const forecast[])(pc_scheme_settings*) = {semi_implicit, implicit};
  static const char* const scheme[] = {"moreau-jean", "direct-projection"};
  for (int i = 0; i < 4; i++) {
    run r = open_text(one_ball, scheme[i / 2], 1e-3, (const char*[]){"gap", "0.003", NULL},
                      forecast[i % 2]);
    run_until(&r, 5e-3);
    CHECK_NEAR(value(&r, "ball.vy"), 0, 1e-12);
    CHECK_NEAR(value(&r, "ball.y") - 0.1, i / 2 ? 0 : -0.002, 1e-12);
    close_run(&r);
    r = open_text(one_ball, scheme[i / 2], 1e-3, (const char*[]){"gap", "0.008", NULL},
                  forecast[i % 2]);
    assert_int_equal(pc_sim_step(r.sim, &r.error), PC_NOT_CONVERGED);
    assert_non_null(strstr(r.error.text, "asks for other contacts after each iteration"));
    CHECK_NEAR(value(&r, "ball.y") - 0.1, 0.008, 1e-15); /* the last good state */
    close_run(&r);
    r = open_text(one_ball, scheme[i / 2], 1e-3, (const char*[]){"gap", "0.035", NULL},
                  forecast[i % 2]);
    for (int n = 0; n < 3; n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    assert_int_equal(pc_sim_step(r.sim, &r.error), PC_OK); /* 5 mm: a tie, at the floor */
    CHECK_NEAR(value(&r, "ball.y") - 0.1, 0, 1e-12);
    close_run(&r);
  }
}

static void semi_implicit_needs_a_newton_loop(void** state)
{
  (void)state;
  run r = open_text(one_ball, "direct-projection", 1e-3, NULL, NULL);
  pc_sim_def def = pc_default_sim_def();
  pc_sim* sim = NULL;
  pc_error error = {0};
  def.system = pc_model_system(r.model);
  def.scheme = "direct-projection";
  def.settings.forecast = PC_FORECAST_SEMI_IMPLICIT;
  def.settings.coupled = 1;
  assert_int_equal(pc_sim_create(&def, &sim, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "not with --sweeps, nor with --coupled"));
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deep_contacts_act_in_the_step_before),
      cmocka_unit_test(struck_bodies_do_not_get_deep),
      cmocka_unit_test(implicit_forecasts_agree_with_the_end_or_cycle),
      cmocka_unit_test(semi_implicit_needs_a_newton_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
