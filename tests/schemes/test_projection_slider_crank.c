/* Direct and combined projection on the slider-crank: the states of an independent implementation,
 * Table 3 of Acary, and the same motion from both descriptions. */
#include "run.h"

static const char* const projections[] = {"direct-projection", "combined-projection"};
static const char* const MINIMAL = "slider-crank-minimal";

typedef struct observed {
  int angle, corner1, corner2, speed;
  double angle_max;
  double first_time, first[2]; /* first impact: time and percussions */
  double variation, last;      /* of the first corner's normal velocity */
} observed;

static int see(void* user, const pc_observation* seen)
{
  observed* w = user;
  w->angle_max = fmax(w->angle_max, fabs(pc_observe_quantity(seen, w->angle)));
  double speed = pc_observe_quantity(seen, w->speed);
  if (seen->info->step > 0) w->variation += fabs(speed - w->last);
  w->last = speed;
  double P = pc_observe_quantity(seen, w->corner1);
  if (P > 0 && w->first_time == 0) {
    w->first_time = seen->state->t;
    w->first[0] = P;
    w->first[1] = pc_observe_quantity(seen, w->corner2);
  }
  return 1;
}

static observed observe_run(run* r, double until)
{
  const pc_system* system = pc_model_system(r->model);
  observed w = {.angle = pc_system_find_quantity(system, "th3"),
                .corner1 = pc_system_find_quantity(system, "corner1.P_N"),
                .corner2 = pc_system_find_quantity(system, "corner2.P_N"),
                .speed = pc_system_find_quantity(system, "corner1.gap_velocity")};
  CHECK_OK(pc_sim_add_observer(r->sim, see, &w, &r->error), r->error);
  run_until(r, until);
  return w;
}

/* (58) as the paper prints it. */
static void in_identity(pc_scheme_settings* settings)
{
  settings->metric = PC_METRIC_IDENTITY;
}

/* dt = 1e-4, T = 0.2 s; percussions to 1e-7 (relative), angles 1e-5, rates 1e-3. */
static void states_and_percussions_are_those_of_the_reference(void** state)
{
  (void)state;
  const double final[2][4] = {{18.069849, 0.358078, 70.16184, -28.03767},
                              {18.065157, 0.359931, 69.90580, -27.82457}};
  const double first[2] = {0.0028, 0.0027}, variation[2] = {40.5, 34.8};
  const double P[2][2] = {{0.057401534, 0.056830374}, {0.055326355, 0.054775844}};
  for (int k = 0; k < 2; k++) {
    run r = open_run(MINIMAL, projections[k], 1e-4, NULL, in_identity);
    observed w = observe_run(&r, 0.2);
    CHECK_NEAR(w.first_time, first[k], 1e-12);
    CHECK_NEAR(w.first[0] / P[k][0], 1, 1e-7);
    CHECK_NEAR(w.first[1] / P[k][1], 1, 1e-7);
    CHECK_NEAR(value(&r, "th1"), final[k][0], 1e-5);
    CHECK_NEAR(value(&r, "th2"), final[k][1], 1e-5);
    CHECK_NEAR(value(&r, "th1'"), final[k][2], 1e-3);
    CHECK_NEAR(value(&r, "th2'"), final[k][3], 1e-3);
    CHECK_NEAR(w.variation, variation[k], 0.06);
    CHECK_NEAR(w.angle_max, 0, 1e-11);
    assert_true(pc_sim_summary(r.sim).penetration_max <= 1e-10);
    close_run(&r);
  }
}

/* Direct projection only: combined has no forecast, and activates at 1e-10 m. */
static double activation_tolerance;

static void as_in_table_3(pc_scheme_settings* settings)
{
  settings->evaluation = PC_EVALUATION_TRAPEZOID;
  settings->project = PC_PROJECT_AFTER;
  settings->metric = PC_METRIC_IDENTITY;
  settings->tolerance = 1e-6;
  settings->activation_tolerance = activation_tolerance;
}

/* Violation, and iterations (average and maximum) of Newton's loop, the projection and the index
 * sets. */
static void check_table_3(const char* scheme, double dt, const double average[3], const int most[3])
{
  activation_tolerance = most[2] ? 1e-10 : 1e-6;
  run r = open_run(MINIMAL, scheme, dt, NULL, as_in_table_3);
  run_until(&r, 0.2);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.penetration_max <= 1e-10);
  const int stage[] = {0, 2, 3};
  for (int i = 0; i < 3 && most[i]; i++) {
    CHECK_NEAR(s.iterations_avg[stage[i]], average[i], i == 1 ? 2e-3 : 5e-3);
    assert_int_equal(s.iterations_max[stage[i]], most[i]);
  }
  close_run(&r);
}

static void table_3_comes_out(void** state)
{
  (void)state;
  /* direct: the independent implementation (paper: 1.96/2, 0.09/2; 1.01/2, 0.11/1) */
  check_table_3("direct-projection", 1e-4, (double[]){1.964, 0.078, 0}, (int[]){2, 2, 0});
  check_table_3("direct-projection", 1e-5, (double[]){1.001, 0.121, 0}, (int[]){2, 1, 0});
  /* combined, beside the paper's 2.15/4, 0.20/2, 1.18/2 and 1.127/2, 0.019/1, 1.127/2 */
  check_table_3("combined-projection", 1e-4, (double[]){2.1585, 0.192, 1.187}, (int[]){4, 2, 2});
  check_table_3("combined-projection", 1e-5, (double[]){1.127, 0.019, 1.127}, (int[]){2, 1, 2});
}

static double apart(const char* scheme, double dt)
{
  run absolute = open_run("slider-crank", scheme, dt, (const char*[]){"phi3", "0", NULL}, NULL);
  run minimal = open_run(MINIMAL, scheme, dt, NULL, NULL);
  run_until(&absolute, 0.02);
  run_until(&minimal, 0.02);
  double d = fabs(value(&absolute, "crank.angle") - value(&minimal, "th1")) +
             fabs(value(&absolute, "rod.angle") - value(&minimal, "th2"));
  CHECK_NEAR(value(&absolute, "slider.angle"), 0, 1e-10);
  close_run(&absolute);
  close_run(&minimal);
  return d;
}

/* With joints the scheme is of first order, as moreau-jean is. */
static void both_descriptions_move_alike(void** state)
{
  (void)state;
  double coarse = apart("combined-projection", 1e-4), fine = apart("combined-projection", 2.5e-5);
  assert_true(coarse < 3e-2);
  CHECK_NEAR(log2(coarse / fine) / 2, 1, 0.1);
}

static void bound_velocities(pc_scheme_settings* settings)
{
  settings->absolute_tolerance = 1e-10;
}

/* The slider tilted by 0.017 rad at the start: impacts at single corners, with friction. */
static void joints_hold_at_both_levels_at_once(void** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    run r = open_run("slider-crank", projections[k], 1e-4, (const char*[]){"phi3", "0.017", NULL},
                     bound_velocities);
    run_until(&r, 0.04);
    pc_summary s = pc_sim_summary(r.sim);
    CHECK_NEAR(s.constraint_position_max, 0, 1e-10);
    CHECK_NEAR(s.constraint_velocity_max, 0, 1e-10);
    CHECK_NEAR(s.penetration_max, 0, 1e-10);
    CHECK_NEAR(s.impact_residual_max, 0, 1e-9);
    CHECK_NEAR(s.friction_residual_max, 0, 1e-9);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_and_percussions_are_those_of_the_reference),
      cmocka_unit_test(table_3_comes_out),
      cmocka_unit_test(both_descriptions_move_alike),
      cmocka_unit_test(joints_hold_at_both_levels_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
