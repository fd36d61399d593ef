/* Schatzman-Paoli: its recursion step by step, no penetration without restitution, joints in
 * position, friction refused, and its memory. */
#include "run.h"

/* (20) for the ball, by hand: q_e = (q_k+1 + e q_k-1)/(1 + e) >= 0. */
static void ball_follows_the_recursion(void** state)
{
  (void)state;
  const double dt = 0.03, e = 0.5, f = -2;
  run r = open_run("bouncing-ball", "schatzman-paoli", dt, NULL, NULL);
  double before = 1 + dt * dt / 2 * f, now = 1; /* q_-1 = q_0 - h v_0 + h^2/2 a_0 */
  for (int k = 0; k < 200; k++) {
    double next = fmax(2 * now - before + dt * dt * f, -e * before);
    double p = next - (2 * now - before + dt * dt * f);
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    CHECK_NEAR(value(&r, "q"), next, 1e-12);
    CHECK_NEAR(value(&r, "q'"), (next - now) / dt, 1e-9);
    CHECK_NEAR(value(&r, "floor.P_N"), p / dt, 1e-9); /* a percussion, not p of (20a) */
    before = now;
    now = next;
  }
  close_run(&r);
}

static void percussions_add_up_to_the_change_of_momentum(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "schatzman-paoli", 0.01, NULL, NULL);
  double sum = 0;
  while (pc_sim_observation(r.sim)->state->t < 1.5) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    sum += value(&r, "floor.P_N");
  }
  CHECK_NEAR(sum, 3, 0.05); /* from -2 m/s to 1 m/s */
  close_run(&r);
}

/* e = 0: the gap itself is what (22) keeps. */
static void nothing_penetrates_without_restitution(void** state)
{
  (void)state;
  const char* const set[] = {"e", "0", NULL};
  const char* const model[] = {"bouncing-ball", "rocking-block", "slider-crank-minimal"};
  for (int m = 0; m < 3; m++) {
    run r = open_run(model[m], "schatzman-paoli", 0, set, NULL);
    run_until(&r, 400 * pc_model_settings(r.model).dt);
    CHECK_NEAR(pc_sim_summary(r.sim).penetration_max, 0, 1e-12);
    close_run(&r);
  }
}

static void joints_hold_in_position(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "schatzman-paoli", 1e-4, NULL, NULL);
  run_until(&r, 0.02);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.constraint_position_max, 0, 1e-12);
  assert_true(s.constraint_velocity_max > 1e-6); /* of first order: u is the mean of a step */
  close_run(&r);
}

/* Two points with different restitution are two q_e in one problem. */
static void contacts_may_differ_in_restitution(void** state)
{
  (void)state;
  const char text[] =
      "percuss: 1\nspace: line\n"
      "coordinates: {a: {value: 1, velocity: 0}, b: {value: 1, velocity: 0}}\n"
      "kinetic: (a'^2 + b'^2)/2\npotential: 2*(a + b)\n"
      "contacts:\n  A: {gap: a, restitution: 1/2}\n  B: {gap: b, restitution: 0}\n";
  pc_model* model = NULL;
  pc_sim* sim = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  pc_sim_def def = {pc_model_system(model), "schatzman-paoli", pc_default_scheme_settings()};
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 1.5, &error), error);
  const double* q = pc_sim_observation(sim)->state->q;
  CHECK_NEAR(q[0], 0.25, 5e-3); /* the top of the first bounce */
  CHECK_NEAR(q[1], 0, 1e-12);
  pc_sim_destroy(sim);
  pc_model_destroy(model);
}

/* q_k+1 is a point of its own where something needs gaps there, and left out where nothing does. */
static void a_contact_that_stays_open_changes_nothing(void** state)
{
  (void)state;
#define CRANK                                                                              \
  "percuss: 1\ncoordinates: {a: {value: 0.3, velocity: 2}, b: {value: 1, velocity: -1}}\n" \
  "kinetic: a'^2 + cos(a - b)*a'*b'/2 + b'^2/2\npotential: 3*sin(a) + sin(b)\n"            \
  "contacts:\n  A: {gap: sin(a) + sin(b), restitution: 0.4}\n"
  static const char alone[] = CRANK, other[] = CRANK "  B: {gap: 100 + cos(a), restitution: 0}\n";
  run r = open_text(alone, "schatzman-paoli", 1e-3, NULL, NULL);
  run both = open_text(other, "schatzman-paoli", 1e-3, NULL, NULL);
  const pc_state *one = pc_sim_observation(r.sim)->state,
                 *two = pc_sim_observation(both.sim)->state;
  int impacts = 0;
  for (int n = 0; n < 2000; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    CHECK_OK(pc_sim_step(both.sim, &both.error), both.error);
    for (int i = 0; i < 2; i++) CHECK_NEAR(one->q[i], two->q[i], 1e-11);
    impacts += one->P[0] > 0;
  }
  assert_true(impacts > 0);
  close_run(&r);
  close_run(&both);
}

static void friction_is_refused_unless_it_is_left_out(void** state)
{
  (void)state;
  run r = open_run("slider-roller", "moreau-jean", 0, NULL, NULL);
  pc_sim_def def = pc_default_sim_def();
  pc_sim* sim = NULL;
  pc_error error = {0};
  def.system = pc_model_system(r.model);
  def.scheme = "schatzman-paoli";
  assert_int_equal(pc_sim_create(&def, &sim, &error), PC_BAD_ARGUMENT);
  assert_null(sim);
  assert_non_null(strstr(error.text, "--frictionless"));
  def.settings.frictionless = 1;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 0.5, &error), error);
  for (int row = 0; row < pc_system_row_count(def.system); row++)
    if (row == pc_system_contact(def.system, 0).row + 1)
      CHECK_NEAR(pc_sim_observation(sim)->state->P[row], 0, 0);
  pc_sim_destroy(sim);
  close_run(&r);
}

/* A block that lies on an incline, without friction: it slides from the first step on, exactly as
 * q = g sin(angle) t^2/2 says, because the start knows of the floor and not of friction. */
static void the_start_fits_closed_contacts(void** state)
{
  (void)state;
  const char* const set[] = {"angle", "0.5", NULL};
  run r = open_run("block-on-incline", "schatzman-paoli", 1e-3, set, NULL);
  double x = value(&r, "block.x"), y = value(&r, "block.y");
  for (int k = 1; k <= 100; k++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    double t = k * 1e-3;
    double distance = hypot(value(&r, "block.x") - x, value(&r, "block.y") - y);
    CHECK_NEAR(distance, 9.81 * sin(0.5) * t * t / 2, 1e-11);
  }
  close_run(&r);
}

static void central(pc_scheme_settings* settings)
{
  settings->velocity = PC_VELOCITY_CENTRAL;
}

/* The slider-crank without walls in reach: energy is off by a first-order error. */
static double energy_gain(double dt, void (*change)(pc_scheme_settings*))
{
  run r = open_run("slider-crank-minimal", "schatzman-paoli", dt, (const char*[]){"d", "5", NULL},
                   change);
  run_until(&r, 0.2);
  pc_summary s = pc_sim_summary(r.sim);
  close_run(&r);
  return s.energy_final / s.energy_initial - 1;
}

static void energy_of_a_mechanism_is_kept_to_first_order(void** state)
{
  (void)state;
  double coarse = energy_gain(2e-5, NULL), fine = energy_gain(2e-6, NULL);
  CHECK_NEAR(log10(coarse / fine), 1, 0.05);
  CHECK_NEAR(log10(energy_gain(2e-5, central) / energy_gain(2e-6, central)), 1, 0.05);
}

/* (20b): the velocity of a state is (q_k+1 - q_k-1)/2h. The force of a spring does not depend on
 * velocities, so that positions follow q_k+1 - 2 q_k + q_k-1 = -h^2 k (q_k + q_k+1)/2. */
static void the_central_velocity_is_that_of_two_steps(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\ncoordinates: {x: {value: 1, velocity: 3}}\nkinetic: x'^2/2\npotential: 8*x^2\n";
  const double dt = 0.05, k = 16;
  run r = open_text(text, "schatzman-paoli", dt, NULL, central);
  double before = 1 - 3 * dt - dt * dt / 2 * k, now = 1;
  for (int n = 0; n < 100; n++) {
    double next = (2 * now - before - dt * dt * k / 2 * now) / (1 + dt * dt * k / 2);
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const pc_state* s = pc_sim_observation(r.sim)->state;
    CHECK_NEAR(s->q[0], next, 1e-12);
    CHECK_NEAR(s->u[0], (next - before) / (2 * dt), 1e-11);
    before = now;
    now = next;
  }
  close_run(&r);
}

/* The memory is part of a checkpoint; without it the scheme starts anew. */
static void goes_on_with_the_same_bits(void (*change)(pc_scheme_settings*))
{
  run whole = open_run("oscillator", "schatzman-paoli", 1e-3, NULL, change);
  run first = open_run("oscillator", "schatzman-paoli", 1e-3, NULL, change);
  run second = open_run("oscillator", "schatzman-paoli", 1e-3, NULL, change);
  run_until(&whole, 0.6);
  run_until(&first, 0.3);
  const pc_state* s = pc_sim_observation(first.sim)->state;
  CHECK_OK(pc_sim_restore(second.sim, s->step, s->q, s->u, s->P, s->memory, &second.error),
           second.error);
  run_until(&second, 0.6);
  CHECK_NEAR(value(&second, "q"), value(&whole, "q"), 0);
  CHECK_OK(pc_sim_restore(second.sim, s->step, s->q, s->u, s->P, NULL, &second.error),
           second.error);
  run_until(&second, 0.6);
  CHECK_NEAR(value(&second, "q"), value(&whole, "q"), 1e-2);
  close_run(&whole);
  close_run(&first);
  close_run(&second);
}

static void a_restored_state_goes_on_with_the_same_bits(void** state)
{
  (void)state;
  goes_on_with_the_same_bits(NULL);
  goes_on_with_the_same_bits(central);
}

static void implicit(pc_scheme_settings* settings)
{
  settings->theta = 1;
}

/* A damper, v' = -v, with theta = 1: it acts with the velocity at the end, 3/2 of this step's less
 * 1/2 of the last one's, which are the differences of positions: v_k+1 = v_k (1 + dt/2)/(1 + 3
 * dt/2). */
static void theta_takes_the_velocity_of_a_damper(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\ncoordinates: {x: {value: 0, velocity: 1}}\nkinetic: x'^2/2\n"
      "forces: {x: -x'}\n",
      "schatzman-paoli", 0.1, NULL, implicit);
  double x[5];
  for (int k = 0; k < 5; k++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    x[k] = pc_sim_observation(r.sim)->state->q[0];
  }
  for (int k = 1; k < 4; k++) CHECK_NEAR((x[k + 1] - x[k]) / (x[k] - x[k - 1]), 1.05 / 1.15, 1e-12);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_follows_the_recursion),
      cmocka_unit_test(theta_takes_the_velocity_of_a_damper),
      cmocka_unit_test(percussions_add_up_to_the_change_of_momentum),
      cmocka_unit_test(nothing_penetrates_without_restitution),
      cmocka_unit_test(joints_hold_in_position),
      cmocka_unit_test(contacts_may_differ_in_restitution),
      cmocka_unit_test(a_contact_that_stays_open_changes_nothing),
      cmocka_unit_test(friction_is_refused_unless_it_is_left_out),
      cmocka_unit_test(the_start_fits_closed_contacts),
      cmocka_unit_test(energy_of_a_mechanism_is_kept_to_first_order),
      cmocka_unit_test(the_central_velocity_is_that_of_two_steps),
      cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
