/* The bouncing ball against Ballard's exact solution: f = -2, restitution 1/2, q_0 = 1, v_0 = 0.
 *
 * The ball falls for 1 s, hits with speed 2 and leaves with 1; each flight lasts as long as its
 * speed, so impact n (from 0) is at 3 - 2^(1-n), and all is over at t = 3. */
#include "run.h"
#include "schemes/scheme.h"

static double exact(double t)
{
  if (t <= 1) return 1 - t * t;
  if (t >= 3) return 0;
  double start = 1, speed = 1;
  while (t > start + speed && speed > 1e-17) {
    start += speed;
    speed /= 2;
  }
  double s = t - start;
  return s * (speed - s);
}

typedef struct errors {
  double most;
} errors;

static int compare(void* user, const pc_observation* seen)
{
  errors* e = user;
  double error = fabs(seen->state->q[0] - exact(seen->state->t));
  if (error > e->most) e->most = error;
  return 1;
}

static double largest_error(const char* scheme, double dt)
{
  run r = open_run("bouncing-ball", scheme, dt, NULL, NULL);
  errors e = {0};
  CHECK_OK(pc_sim_add_observer(r.sim, compare, &e, &r.error), r.error);
  run_until(&r, 4);
  close_run(&r);
  return e.most;
}

static void exact_solution_is_what_it_should_be(void** state)
{
  (void)state;
  CHECK_NEAR(exact(0.5), 0.75, 0);
  CHECK_NEAR(exact(1.5), 0.25, 1e-15);
  CHECK_NEAR(exact(2), 0, 1e-15);
  CHECK_NEAR(exact(2.25), 0.0625, 1e-15);
  CHECK_NEAR(exact(2.9999), 0, 1e-4);
}

static void errors_are_those_of_the_reference(void** state)
{
  (void)state;
  const char* scheme[] = {"moreau-jean", "schatzman-paoli", "direct-projection",
                          "combined-projection"};
  const double coarse[] = {0.2766, 0.1345, 0.1603, 0.05698};
  const double fine[] = {0.03596, 0.01757, 0.02360, 0.00757};
  for (int k = 0; k < 4; k++) {
    CHECK_NEAR(largest_error(scheme[k], 0.1 / sqrt(2)), coarse[k], 5e-5);
    CHECK_NEAR(largest_error(scheme[k], 0.1 / sqrt(2) / 8), fine[k], 5e-6);
  }
}

/* Ten step lengths. moreau's fit depends on how many: 0.82, 0.89, 0.95, 1.04, 0.99 for six to ten,
 * since each run's error depends on where its impacts fall; generalized-alpha's goes from 0.97 to
 * 1.08 for six to twelve; the others stay within 0.96 and 1.05. */
static void order_is_one(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    double dt[10], error[10];
    for (int i = 0; i < 10; i++) {
      dt[i] = 0.1 / sqrt(2) / (1 << i);
      error[i] = largest_error(*scheme, dt[i]);
    }
    double order = fitted_order(10, dt, error);
    double most = strcmp(*scheme, "generalized-alpha") ? 1.05 : 1.09;
    if (order < 0.95 || order > most) fail_msg("%s: order %g", *scheme, order);
  }
}

static void ball_comes_to_rest_and_carries_its_weight(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.05, NULL, NULL);
  run_until(&r, 6);
  CHECK_NEAR(value(&r, "q'"), 0, 1e-12);
  CHECK_NEAR(value(&r, "q"), -0.01, 1e-12); /* the penetration of the last impact stays */
  CHECK_NEAR(value(&r, "floor.P_N") / 0.05, 2, 1e-11);
  close_run(&r);
}

static void elastic_ball_keeps_its_energy(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.049, (const char*[]){"e", "1", NULL}, NULL);
  run_until(&r, 200 * 0.049);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.energy_initial, 2, 0);
  CHECK_NEAR(s.energy_final, 2, 1e-12);
  CHECK_NEAR(s.energy_max_increase, 0, 1e-12);
  close_run(&r);
}

/* RATTLE 5.1: a spinning ball that slips and then rolls with u = (-10/7, 0, 100/7). */
static void spinning_ball_ends_up_rolling(void** state)
{
  (void)state;
  const char* const high[] = {"omega", "50", "e", "0", NULL};
  const char* const low[] = {"omega", "10", "e", "0", NULL};
  const char* schemes[] = {"moreau", "moreau-jean"};
  for (int k = 0; k < 2; k++) {
    run r = open_run("rotating-ball", schemes[k], 1e-2, high, NULL);
    run_until(&r, 1.11);
    CHECK_NEAR(value(&r, "ball.vx"), -10.0 / 7, 1e-12);
    CHECK_NEAR(value(&r, "ball.spin"), 100.0 / 7, 1e-12);
    CHECK_NEAR(value(&r, "floor.P_F"), 0, 1e-12);
    close_run(&r);
    r = open_run("rotating-ball", schemes[k], 1e-2, low, NULL);
    run_until(&r, 1.11);
    CHECK_NEAR(value(&r, "ball.vx"), -2.0 / 7, 1e-12);
    CHECK_NEAR(value(&r, "ball.spin"), 20.0 / 7, 1e-12);
    close_run(&r);
  }
}

static double slowest_rebound;

static void rebound_above(pc_scheme_settings* settings)
{
  settings->restitution_above = slowest_rebound;
}

/* The height at `t` of a ball with this restitution. */
static double height(const char* scheme, const char* e, double above, double t)
{
  const char* const set[] = {"e", e, NULL};
  slowest_rebound = above;
  run r = open_run("bouncing-ball", scheme, 1e-3, set, rebound_above);
  run_until(&r, t);
  double q = value(&r, "q");
  close_run(&r);
  return q;
}

/* The impacts have speeds 2, 1, 1/2 ...: a ball that does not rebound below 3 m/s is one without
 * restitution, and below 1.5 m/s it makes one jump, which ends at 2 s. */
static void slow_impacts_do_not_rebound(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    if (!strcmp(*scheme, "schatzman-paoli")) continue; /* its restitution acts on positions */
    CHECK_NEAR(height(*scheme, "0.5", 3, 1.5), height(*scheme, "0", 0, 1.5), 0);
    assert_true(height(*scheme, "0.5", 1.5, 1.5) > 0.2);
    CHECK_NEAR(height(*scheme, "0.5", 1.5, 2.25), 0, 5e-3);
    assert_true(height(*scheme, "0.5", 0, 2.25) > 0.05);
  }
}

/* The same where the floor's own law says so; the larger of both counts. */
static double height_by_law(const char* scheme, const char* above, double in_run, double t)
{
  const char* const set[] = {"above", above, NULL};
  slowest_rebound = in_run;
  run r = open_text(
      "percuss: 1\nparameters: {above: 0}\ncoordinates: {q: {value: 1}}\nkinetic: q'^2/2\n"
      "potential: 2*q\ncontacts: {floor: {gap: q, restitution: {value: 0.5, above: above}}}\n",
      scheme, 1e-3, set, rebound_above);
  run_until(&r, t);
  double q = value(&r, "q");
  close_run(&r);
  return q;
}

static void laws_say_which_impacts_are_slow(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    if (!strcmp(*scheme, "schatzman-paoli")) continue;
    CHECK_NEAR(height_by_law(*scheme, "1.5", 0, 1.5), height(*scheme, "0.5", 1.5, 1.5), 0);
    CHECK_NEAR(height_by_law(*scheme, "1.5", 3, 1.5), height(*scheme, "0", 0, 1.5), 0);
    CHECK_NEAR(height_by_law(*scheme, "3", 1.5, 1.5), height(*scheme, "0", 0, 1.5), 0);
    CHECK_NEAR(height_by_law(*scheme, "0", 0, 2.25), height(*scheme, "0.5", 0, 2.25), 0);
  }
}

/* What forces give to the velocity in a step without contact is kept from step to step, for steps
 * of one length: f = -2, in steps of other lengths as well, as where one is subdivided. */
static void free_fall_knows_the_length_of_its_step(void** state)
{
  (void)state;
  static const double dt[] = {0.125, 0.125, 0.0625, 0.0625, 0.125};
  static const char* const schemes[] = {"moreau", "moreau-jean", "direct-projection"};
  for (int i = 0; i < 3; i++) {
    run r = open_run("bouncing-ball", schemes[i], 0.125, NULL, NULL);
    const pc_scheme_ops* ops = pc_find_scheme(schemes[i]);
    pc_scheme_settings settings = pc_model_settings(r.model);
    void* scheme = NULL;
    CHECK_OK(ops->create(pc_model_system(r.model), &settings, &scheme, &r.error), r.error);
    double q = 1, u = 0, P = 0, elapsed = 0;
    pc_state ball = {.q = &q, .u = &u, .P = &P};
    pc_step_info info = {0};
    for (int n = 0; n < 5; n++) {
      CHECK_OK(ops->step(scheme, &ball, dt[n], &info, &r.error), r.error);
      ball.t = elapsed += dt[n];
      CHECK_NEAR(u, -2 * elapsed, 1e-15);
    }
    ops->destroy(scheme);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_fall_knows_the_length_of_its_step),
      cmocka_unit_test(exact_solution_is_what_it_should_be),
      cmocka_unit_test(errors_are_those_of_the_reference),
      cmocka_unit_test(order_is_one),
      cmocka_unit_test(slow_impacts_do_not_rebound),
      cmocka_unit_test(laws_say_which_impacts_are_slow),
      cmocka_unit_test(ball_comes_to_rest_and_carries_its_weight),
      cmocka_unit_test(elastic_ball_keeps_its_energy),
      cmocka_unit_test(spinning_ball_ends_up_rolling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
