/* The small models of Acary and two of our own against closed forms and reference values. */
#include "run.h"

static const double PI = 3.14159265358979323846;
static const char* const schemes[] = {"moreau", "moreau-jean"};

static void rocking_block_comes_to_rest_as_in_the_reference(void** state)
{
  (void)state;
  run r = open_run("rocking-block", "moreau-jean", 1e-2, NULL, NULL);
  run_until(&r, 2);
  CHECK_NEAR(pc_sim_summary(r.sim).penetration_max, 1.077e-2, 5e-6);
  CHECK_NEAR(value(&r, "block.y"), 0.747920, 1e-6);
  CHECK_NEAR(value(&r, "block.vy"), 0, 1e-14);
  CHECK_NEAR(value(&r, "block.spin"), 0, 1e-14);
  close_run(&r);
}

static void slider_roller_finds_its_equilibrium(void** state)
{
  (void)state;
  run r = open_run("slider-roller", "moreau-jean", 5e-3, NULL, NULL);
  run_until(&r, 0.51);
  assert_true(fabs(value(&r, "slider.vy")) > 1e-9); /* at rest to 1e-9 after 0.51 s */
  run_until(&r, 0.515);
  CHECK_NEAR(value(&r, "slider.vy"), 0, 1e-9);
  CHECK_NEAR(value(&r, "roller.spin"), 0, 1e-9);
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "roller.angle"), 0.172085, 1e-6);
  CHECK_NEAR(value(&r, "roller.spin"), 0, 1e-12);
  close_run(&r);
}

/* q = v_n / w sin(w (t - t_n)) after impact n, v_n halved at each, t_n = 1/4 + n/2. */
static double oscillator(double t)
{
  double w = 2 * PI, start = 0.25, speed = PI;
  if (t <= start) return cos(w * t);
  while (t > start + 0.5) {
    start += 0.5;
    speed /= 2;
  }
  return speed / w * sin(w * (t - start));
}

typedef struct largest {
  double error;
} largest;

static int compare(void* user, const pc_observation* seen)
{
  largest* l = user;
  l->error = fmax(l->error, fabs(seen->state->q[0] - oscillator(seen->state->t)));
  return 1;
}

/* The error of one run depends on where its impacts fall within a step: error/dt jumps about, but
 * its largest value over many steps is the same for coarse and for fine ones. */
static void oscillator_converges_with_order_one(void** state)
{
  (void)state;
  enum { COUNT = 96 };
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    double coarse = 0, fine = 0;
    for (int i = 0; i < COUNT; i++) {
      double dt = 0.01 / sqrt(2) * pow(2, -i / 16.0);
      run r = open_run("oscillator", *scheme, dt, NULL, NULL);
      largest l = {0};
      CHECK_OK(pc_sim_add_observer(r.sim, compare, &l, &r.error), r.error);
      run_until(&r, 2);
      close_run(&r);
      double* half = i < COUNT / 2 ? &coarse : &fine;
      *half = fmax(*half, l.error / dt);
    }
    if (fine > 1.25 * coarse || coarse > 1.25 * fine)
      fail_msg("%s: error/dt is %g at coarse steps, %g at fine ones", *scheme, coarse, fine);
  }
}

static void block_sticks_below_the_friction_angle(void** state)
{
  (void)state;
  const char* const set[] = {"angle", "0.28", "mu", "0.3", NULL}; /* atan(0.3) = 0.2915 */
  for (int k = 0; k < 2; k++) {
    run r = open_run("block-on-incline", schemes[k], 1e-3, set, NULL);
    double x = value(&r, "block.x"), fastest = 0;
    for (int n = 0; n < 100000; n++) {
      CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
      const double* u = pc_sim_observation(r.sim)->state->u;
      for (int i = 0; i < 3; i++) fastest = fmax(fastest, fabs(u[i]));
    }
    CHECK_NEAR(fastest, 0, 1e-12);
    CHECK_NEAR(value(&r, "block.x"), x, 1e-12);
    close_run(&r);
  }
}

static void block_slides_above_it_with_the_exact_acceleration(void** state)
{
  (void)state;
  const char* const set[] = {"angle", "0.5", "mu", "0.3", NULL};
  double a = 9.81 * (sin(0.5) - 0.3 * cos(0.5));
  for (int k = 0; k < 2; k++) {
    run r = open_run("block-on-incline", schemes[k], 1e-3, set, NULL);
    run_until(&r, 1);
    double speed = hypot(value(&r, "block.vx"), value(&r, "block.vy"));
    CHECK_NEAR(speed, a, 1e-9);
    CHECK_NEAR(value(&r, "block.spin"), 0, 1e-11);
    close_run(&r);
  }
}

static const char* solver;

static void choose_solver(pc_scheme_settings* settings)
{
  settings->solver = solver;
}

static void table_comes_to_rest_on_redundant_legs(void** state)
{
  (void)state;
  for (const char* const* name = pc_solver_names(); *name; name++)
    for (int k = 0; k < 2; k++) {
      solver = *name;
      run r = open_run("four-legged-table", schemes[k], 1e-3, NULL, choose_solver);
      run_until(&r, 0.5);
      double weight = 0, mass = 0;
      for (int i = 1; i <= 4; i++) {
        char leg[20];
        snprintf(leg, sizeof leg, "leg%d.P_N", i);
        weight += value(&r, leg) / 1e-3;
      }
      for (int i = 0; pc_model_parameter(r.model, i, &mass); i++)
        if (!strcmp(pc_model_parameter(r.model, i, &mass), "m")) break;
      CHECK_NEAR(weight / (mass * 9.81), 1, 1e-9);
      for (int i = 0; i < 3; i++) CHECK_NEAR(pc_sim_observation(r.sim)->state->u[i], 0, 1e-10);
      close_run(&r);
    }
}

static void at_position_level(pc_scheme_settings* settings)
{
  settings->level = PC_LEVEL_POSITION;
}

/* Acary, figure 11: the gap is exact, and q = q_k + dt (v_k + v)/2 = 0 decides the velocity. A body
 * that is pressed on would change its sign in every step; the ball bounces, whatever e is. */
static void the_position_level_rule_holds_the_gap_at_the_price_of_the_velocity(void** state)
{
  (void)state;
  double dt = 0.03, q = 1, v = 0;
  int contacts = 0;
  run r = open_run("bouncing-ball", "moreau-jean", dt, NULL, at_position_level);
  for (int i = 0; i < 200; i++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    assert_true(value(&r, "q") > -1e-15);
    if (value(&r, "floor.P_N") > 0) {
      contacts++;
      CHECK_NEAR(value(&r, "q"), 0, 1e-15);
      CHECK_NEAR(value(&r, "q'"), -v - 2 * q / dt, 1e-12);
    }
    q = value(&r, "q");
    v = value(&r, "q'");
  }
  assert_true(contacts > 1);
  close_run(&r);
}

static void the_position_level_rule_holds_joints_and_gaps_of_mechanisms(void** state)
{
  (void)state;
  const char* const names[] = {"slider-crank-minimal", "slider-crank", "slider-roller"};
  for (int m = 0; m < 3; m++) {
    run r = open_run(names[m], "moreau-jean", 1e-4, NULL, at_position_level);
    run_until(&r, 0.02);
    pc_summary s = pc_sim_summary(r.sim);
    CHECK_NEAR(s.penetration_max, 0, 1e-13);
    CHECK_NEAR(s.constraint_position_max, 0, 1e-13);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rocking_block_comes_to_rest_as_in_the_reference),
      cmocka_unit_test(slider_roller_finds_its_equilibrium),
      cmocka_unit_test(oscillator_converges_with_order_one),
      cmocka_unit_test(block_sticks_below_the_friction_angle),
      cmocka_unit_test(block_slides_above_it_with_the_exact_acceleration),
      cmocka_unit_test(table_comes_to_rest_on_redundant_legs),
      cmocka_unit_test(the_position_level_rule_holds_the_gap_at_the_price_of_the_velocity),
      cmocka_unit_test(the_position_level_rule_holds_joints_and_gaps_of_mechanisms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
