/* Direct and combined projection on the small models of Acary: chattering and its absence, energies,
 * equilibria; and what holds for any model: gaps and joints at position and velocity level. */
#include "run.h"

static const char* const projections[] = {"direct-projection", "combined-projection"};

static double gamma_;

static void extrapolate(pc_scheme_settings* settings)
{
  settings->gamma = gamma_;
}

static void forecast_free(pc_scheme_settings* settings)
{
  settings->forecast = PC_FORECAST_FREE;
}

/* Fig. 4: after the accumulation of impacts the ball never rests; its velocities repeat. */
static void direct_projection_chatters_in_cycles(void** state)
{
  (void)state;
  const double cycle[2][3] = {{-0.13333, 0.06667, -0.03333}, {-0.06667, 0.03333}};
  for (int k = 0; k < 2; k++) {
    gamma_ = k;
    int length = 3 - k, start = 0;
    run r = open_run("bouncing-ball", "direct-projection", 0.05, NULL, extrapolate);
    run_until(&r, 6);
    while (start < length && fabs(value(&r, "q'") - cycle[k][0]) > 1e-3) {
      CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
      start++;
    }
    for (int i = 0; i < 4 * length; i++) {
      CHECK_NEAR(value(&r, "q'"), cycle[k][i % length], 1e-5);
      CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    }
    close_run(&r);
  }
}

/* Fig. 5 */
static void the_free_forecast_lets_it_rest_above_the_floor(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "direct-projection", 0.05, NULL, forecast_free);
  run_until(&r, 6);
  CHECK_NEAR(value(&r, "q"), 6.12e-4, 1e-6);
  CHECK_NEAR(value(&r, "q'"), 0, 1e-9);
  close_run(&r);
}

static void combined_projection_lets_it_rest_on_the_floor(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "combined-projection", 0.05, NULL, NULL);
  run_until(&r, 4);
  double sum = 0;
  for (int i = 0; i < 20; i++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    CHECK_NEAR(value(&r, "q"), 0, 1e-10);
    sum += value(&r, "floor.P_N");
  }
  CHECK_NEAR(sum / 1, 2.000, 1e-8); /* over 20 steps of 0.05 s */
  close_run(&r);
}

/* Fig. 6, 7: projecting up gives energy, projecting down takes it. */
static void energies_of_the_elastic_ball_are_those_of_the_reference(void** state)
{
  (void)state;
  const double energy[] = {2.1177, 1.2293};
  for (int k = 0; k < 2; k++) {
    run r = open_run("bouncing-ball", projections[k], 0.049, (const char*[]){"e", "1", NULL}, NULL);
    run_until(&r, 200 * 0.049);
    CHECK_NEAR(pc_sim_summary(r.sim).energy_final, energy[k], 5e-5);
    close_run(&r);
  }
}

/* Fig. 3 and proposition 1. */
static double largest_lift(const char* scheme, double dt)
{
  run r = open_run("bouncing-ball", scheme, dt, NULL, NULL);
  double lift = 0, q = value(&r, "q"), v = value(&r, "q'");
  while (pc_sim_observation(r.sim)->state->t < 4) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    double q_end = value(&r, "q"), v_end = value(&r, "q'");
    lift = fmax(lift, fabs(q_end - q - dt * (v + v_end) / 2)); /* tau, as G = 1 */
    q = q_end;
    v = v_end;
  }
  close_run(&r);
  return lift;
}

static void the_multiplier_of_the_projection_is_of_order_dt(void** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    double dt[8], lift[8];
    for (int i = 0; i < 8; i++) {
      dt[i] = 0.1 / sqrt(2) / (1 << i);
      lift[i] = largest_lift(projections[k], dt[i]);
    }
    CHECK_NEAR(fitted_order(8, dt, lift), 1, 0.08);
  }
}

/* Fig. 9 */
static void rocking_block_rests_under_combined_projection(void** state)
{
  (void)state;
  run r = open_run("rocking-block", "combined-projection", 1e-2, NULL, NULL);
  run_until(&r, 2);
  CHECK_NEAR(value(&r, "block.y"), 0.75, 1e-10);
  CHECK_NEAR(value(&r, "block.angle"), 0, 1e-10);
  CHECK_NEAR(value(&r, "block.vy"), 0, 1e-14);
  CHECK_NEAR(value(&r, "block.spin"), 0, 1e-14);
  close_run(&r);
}

static void rocking_block_chatters_under_direct_projection(void** state)
{
  (void)state;
  run r = open_run("rocking-block", "direct-projection", 1e-2, NULL, NULL);
  run_until(&r, 1.8);
  double fastest = 0;
  for (int i = 0; i < 20; i++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    fastest = fmax(fastest, fmax(fabs(value(&r, "block.vy")), fabs(value(&r, "block.spin"))));
  }
  CHECK_NEAR(fastest, 0.279, 5e-4);
  close_run(&r);
}

/* Fig. 8: friction holds the roller only while the slider stays on it. */
static void slider_roller_rests_under_combined_projection_only(void** state)
{
  (void)state;
  run r = open_run("slider-roller", "combined-projection", 5e-3, NULL, NULL);
  run_until(&r, 0.515);
  assert_true(fabs(value(&r, "slider.vy")) > 1e-9); /* at rest to 1e-9 after 0.515 s */
  run_until(&r, 0.52);
  CHECK_NEAR(value(&r, "slider.vy"), 0, 1e-9);
  CHECK_NEAR(value(&r, "roller.spin"), 0, 1e-9);
  CHECK_NEAR(value(&r, "roller.angle"), 0.161922, 1e-6);
  run_until(&r, 2);
  CHECK_NEAR(value(&r, "roller.angle"), 0.161922, 1e-6);
  close_run(&r);
  r = open_run("slider-roller", "direct-projection", 5e-3, NULL, NULL);
  run_until(&r, 1);
  double angle = value(&r, "roller.angle");
  run_until(&r, 2);
  CHECK_NEAR(value(&r, "roller.angle") - angle, 0.0367, 5e-4); /* rad in 1 s */
  close_run(&r);
}

static void by_mass(pc_scheme_settings* settings)
{
  settings->metric = PC_METRIC_MASS;
}

static void after_the_loop(pc_scheme_settings* settings)
{
  settings->project = PC_PROJECT_AFTER;
}

/* Every model, both metrics, both places of the projection: no gap and no joint beyond 1e-10. With
 * the projection in the loop joints hold in velocity too. */
static void positions_hold_in_every_model(void** state)
{
  (void)state;
  void (*tune[])(pc_scheme_settings*) = {NULL, by_mass, after_the_loop};
  for (int m = 0; m < MODEL_COUNT; m++)
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++) {
        run r = open_run(models[m], projections[k], 0, NULL, tune[i]);
        run_until(&r, 400 * pc_model_settings(r.model).dt);
        pc_summary s = pc_sim_summary(r.sim);
        if (!(s.penetration_max <= 1.0001e-10) || !(s.constraint_position_max <= 1.0001e-10))
          fail_msg("%s under %s: penetration %g, joints %g", models[m], projections[k],
                   s.penetration_max, s.constraint_position_max);
        if (tune[i] != after_the_loop && !(s.constraint_velocity_max <= 1.0001e-10))
          fail_msg("%s under %s: joints at %g m/s", models[m], projections[k],
                   s.constraint_velocity_max);
        close_run(&r);
      }
}

static void in_one_problem(pc_scheme_settings* settings)
{
  settings->coupled = 1;
}

static void in_one_problem_by_mass(pc_scheme_settings* settings)
{
  settings->coupled = 1;
  settings->metric = PC_METRIC_MASS;
}

/* (53) and the decoupled iteration (57), (58) have the same solution. */
static void coupled_and_decoupled_agree_in_every_model(void** state)
{
  (void)state;
  void (*tune[])(pc_scheme_settings*) = {NULL, in_one_problem, by_mass, in_one_problem_by_mass};
  for (int m = 0; m < MODEL_COUNT; m++)
    for (int k = 0; k < 4; k++) {
      const char* scheme = projections[k / 2];
      run apart = open_run(models[m], scheme, 0, NULL, tune[k % 2 * 2]);
      run together = open_run(models[m], scheme, 0, NULL, tune[k % 2 * 2 + 1]);
      double until = 300 * pc_model_settings(apart.model).dt;
      run_until(&apart, until);
      run_until(&together, until);
      const pc_state *a = pc_sim_observation(apart.sim)->state,
                     *b = pc_sim_observation(together.sim)->state;
      for (int i = 0; i < pc_system_q_count(pc_model_system(apart.model)); i++)
        if (!(fabs(a->q[i] - b->q[i]) < 1e-7) || !(fabs(a->u[i] - b->u[i]) < 1e-5))
          fail_msg("%s under %s: q differs by %g, u by %g", models[m], scheme, a->q[i] - b->q[i],
                   a->u[i] - b->u[i]);
      pc_summary s = pc_sim_summary(together.sim);
      assert_true(s.penetration_max <= 1e-10 && s.constraint_position_max <= 1e-10);
      assert_true(s.constraint_velocity_max <= 1.0001e-10);
      close_run(&apart);
      close_run(&together);
    }
}

/* A linear system with stiffness: one coupled problem is its whole solution. */
static void coupled_takes_one_iteration_in_a_linear_system(void** state)
{
  (void)state;
  run r = open_run("oscillator", "direct-projection", 0, NULL, in_one_problem);
  run_until(&r, 2);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.iterations_avg[2] > 0); /* positions were projected */
  assert_int_equal(s.iterations_max[0], 1);
  close_run(&r);
}

/* kappa = dt^2 K/(4 M) = 25 and more: a projection that the velocities do not know of hardly
 * contracts; combined projection has its percussion, and coupled ones are exact. */
static void stiff_systems_are_solved(void** state)
{
  (void)state;
  const char* const stiffness[] = {"1e6", "1e7"};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      const char* const set[] = {"k", stiffness[i], NULL};
      run r = open_run("oscillator", "combined-projection", 1e-2, set, k ? in_one_problem : NULL);
      run_until(&r, 2);
      CHECK_NEAR(pc_sim_summary(r.sim).penetration_max, 0, 1e-14);
      assert_true(pc_sim_summary(r.sim).iterations_max[0] <= 4);
      close_run(&r);
    }
  run r = open_run("oscillator", "direct-projection", 1e-2, (const char*[]){"k", "1e5", NULL},
                   in_one_problem);
  run_until(&r, 2);
  assert_int_equal(pc_sim_summary(r.sim).iterations_max[0], 1);
  close_run(&r);
}

static void coupled_cannot_project_afterwards(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0, NULL, NULL);
  pc_sim_def def = {pc_model_system(r.model), "direct-projection", pc_default_scheme_settings()};
  def.settings.coupled = 1;
  def.settings.project = PC_PROJECT_AFTER;
  pc_sim* sim = NULL;
  pc_error error = {0};
  assert_int_equal(pc_sim_create(&def, &sim, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "--coupled"));
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_projection_chatters_in_cycles),
      cmocka_unit_test(the_free_forecast_lets_it_rest_above_the_floor),
      cmocka_unit_test(combined_projection_lets_it_rest_on_the_floor),
      cmocka_unit_test(energies_of_the_elastic_ball_are_those_of_the_reference),
      cmocka_unit_test(the_multiplier_of_the_projection_is_of_order_dt),
      cmocka_unit_test(rocking_block_rests_under_combined_projection),
      cmocka_unit_test(rocking_block_chatters_under_direct_projection),
      cmocka_unit_test(slider_roller_rests_under_combined_projection_only),
      cmocka_unit_test(positions_hold_in_every_model),
      cmocka_unit_test(coupled_and_decoupled_agree_in_every_model),
      cmocka_unit_test(coupled_takes_one_iteration_in_a_linear_system),
      cmocka_unit_test(stiff_systems_are_solved),
      cmocka_unit_test(coupled_cannot_project_afterwards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
