/* What RATTLE and the Lobatto family have in common: two stages are RATTLE, energy stays, ties are
 * decided, redundant contacts and joints do not matter. */
#include "run.h"

static int stages;
static double tolerance;
static pc_form form;

static void tune(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
  settings->tolerance = tolerance;
  settings->variational.form = form;
}

static void run_steps(run* r, int count)
{
  for (int i = 0; i < count; i++) CHECK_OK(pc_sim_step(r->sim, &r->error), r->error);
}

/* ---- s = 2 -------------------------------------------------------------------------------- */

/* The largest difference of the states of two runs of the same system. */
static double difference(const run* a, const run* b)
{
  const pc_system* system = pc_model_system(a->model);
  const pc_state *x = pc_sim_observation(a->sim)->state, *y = pc_sim_observation(b->sim)->state;
  double largest = 0;
  for (int i = 0; i < pc_system_q_count(system); i++)
    largest = fmax(largest, fabs(x->q[i] - y->q[i]));
  for (int i = 0; i < pc_system_u_count(system); i++)
    largest = fmax(largest, fabs(x->u[i] - y->u[i]) / (1 + fabs(x->u[i])));
  return largest;
}

/* In either form they differ in where Newton starts, and end within the tolerance of each other. In
 * the slider-crank that is the round-off of its largest number, 150 rad/s, in an equation with a
 * moment of inertia of 2.7e-6 kg m^2; in the top that of its spin, likewise; in bars that of their
 * stiffness, over the mass of a node. */
static void lobatto_with_two_stages_is_rattle(void** state)
{
  (void)state;
  stages = 2;
  tolerance = 1e-14;
  for (int i = 0; i < 2 * MODEL_COUNT; i++) {
    int m = i / 2;
    form = i % 2 ? PC_FORM_MOMENTUM : PC_FORM_VELOCITY;
    run a = open_run(models[m], "rattle", 0, NULL, tune);
    run b = open_run(models[m], "lobatto", 0, NULL, tune);
    double largest = 0;
    for (int n = 0; n < 400; n++) {
      run_steps(&a, 1);
      run_steps(&b, 1);
      largest = fmax(largest, difference(&a, &b));
    }
    int ill_scaled = !strncmp(models[m], "slider-crank", 12) ||
                     !strcmp(models[m], "spinning-top") || strstr(models[m], "-bar");
    double allowed = ill_scaled ? 1e-9 : 1e-12;
    if (!(largest < allowed)) fail_msg("%s: the motions differ by %g", models[m], largest);
    close_run(&a);
    close_run(&b);
  }
  form = PC_FORM_PUBLISHED;
}

/* ---- energy ------------------------------------------------------------------------------- */

static const char pendulum[] =
    "percuss: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies: {rod: {mass: 1.3, inertia: 0.2, position: [0.5, 0]}}\n"
    "joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}\n";

/* In polar coordinates, so that M depends on q. */
static const char elastic_pendulum[] =
    "percuss: 1\n"
    "parameters: {m: 1, g: 9.81, k: 40, l: 1}\n"
    "coordinates: {r: 1.1, a: 0.8}\n"
    "kinetic: m/2*(r'^2 + r^2*a'^2)\n"
    "potential: -m*g*r*cos(a) + k/2*(r - l)^2\n";

typedef struct swing {
  double low, high;   /* of the energy, against its start */
  double first, last; /* means over the first and the last tenth */
} swing;

static swing swing_of(const char* text, const char* scheme, int s, double dt, int steps)
{
  stages = s;
  tolerance = 1e-13;
  run r = open_text(text, scheme, dt, NULL, tune);
  swing w = {0};
  double start = pc_sim_summary(r.sim).energy_initial;
  for (int n = 1; n <= steps; n++) {
    run_steps(&r, 1);
    const pc_observation* seen = pc_sim_observation(r.sim);
    double rise = seen->kinetic + seen->potential - start;
    w.low = fmin(w.low, rise);
    w.high = fmax(w.high, rise);
    if (n <= steps / 10) w.first += rise / (steps / 10);
    if (n > steps - steps / 10) w.last += rise / (steps / 10);
  }
  close_run(&r);
  return w;
}

/* No drift: the mean stays to a hundredth of what the energy swings by, or to round-off. */
static void check_no_drift(const char* text, const char* scheme, int s, int steps)
{
  swing w = swing_of(text, scheme, s, 0.01, steps);
  CHECK_NEAR(w.last, w.first, 0.01 * (w.high - w.low) + 1e-16 * steps);
}

static void energy_does_not_drift_in_a_hundred_thousand_steps(void** state)
{
  (void)state;
  check_no_drift(pendulum, "rattle", 2, 100000);
  check_no_drift(pendulum, "lobatto", 3, 100000);
}

static void energy_does_not_drift_where_the_mass_matrix_changes(void** state)
{
  (void)state;
  check_no_drift(elastic_pendulum, "rattle", 2, 20000);
  check_no_drift(elastic_pendulum, "lobatto", 3, 20000);
}

static void energy_swings_with_the_order_of_the_scheme(void** state)
{
  (void)state;
  const char* const text[] = {pendulum, elastic_pendulum};
  for (int k = 0; k < 2; k++)
    for (int s = 2; s <= 3; s++) {
      swing coarse = swing_of(text[k], "lobatto", s, 0.02, 2000);
      swing fine = swing_of(text[k], "lobatto", s, 0.01, 4000);
      double order = log2((coarse.high - coarse.low) / (fine.high - fine.low));
      CHECK_NEAR(order, 2 * s - 2, 0.05);
    }
}

/* ---- ties --------------------------------------------------------------------------------- */

/* The oscillator meets its stop at 1/4 s, on a grid point: with an inner stage closed and the end
 * of the step touching, (67) would never let it rebound. */
static void a_contact_in_a_tie_rebounds(void** state)
{
  (void)state;
  tolerance = 1e-10;
  for (stages = 2; stages <= 7; stages++)
    for (int i = 0; i < 8; i++) {
      run r = open_run("oscillator", "lobatto", 1.0 / (200 << i), NULL, tune);
      run_until(&r, 1.99);
      pc_summary summary = pc_sim_summary(r.sim);
      CHECK_NEAR(summary.energy_final, summary.energy_initial / 256, 2e-2);
      assert_int_equal(summary.events_closed, 4);
      assert_true(summary.penetration_max <= 1e-10);
      close_run(&r);
    }
}

/* ---- redundancy --------------------------------------------------------------------------- */

/* A table with four legs, of which `order` gives the places. */
static run open_table(const char* scheme, const char* order, const char* mu)
{
  char text[2048];
  int length = snprintf(text, sizeof text,
                        "percuss: 1\n"
                        "parameters: {m: 10, g: 9.81, mu: %s}\n"
                        "gravity: [0, -g]\n"
                        "bodies: {table: {mass: m, inertia: 1.2, position: [0, 0.75],"
                        " velocity: [0.2, 0], spin: 0.1}}\n"
                        "contacts:\n",
                        mu);
  for (int i = 0; i < 4; i++)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "  leg%d: {point: [table, [%g, -0.7]], plane: {point: [0, 0],"
                       " normal: [0, 1]}, friction: mu}\n",
                       i, -0.6 + 0.4 * (order[i] - '0'));
  return open_text(text, scheme, 1e-3, NULL, tune);
}

static void check_load(const run* r)
{
  double sum = 0, sum_F = 0;
  char name[32];
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "leg%d.P_N", i);
    sum += value(r, name);
    snprintf(name, sizeof name, "leg%d.P_F", i);
    sum_F += value(r, name);
  }
  CHECK_NEAR(sum, 10 * 9.81 * 1e-3, 1e-11);
  CHECK_NEAR(sum_F, 0, 1e-11);
}

/* It tips over its legs, settles on all four and slides to a stop. */
static void a_table_moves_the_same_whatever_the_order_of_its_legs(void** state)
{
  (void)state;
  tolerance = 1e-12;
  for (stages = 2; stages <= 4; stages++) {
    run a = open_table("lobatto", "0123", "0.5"), b = open_table("lobatto", "2031", "0.5");
    for (int n = 0; n < 300; n++) {
      run_steps(&a, 1);
      run_steps(&b, 1);
      CHECK_NEAR(difference(&a, &b), 0, 1e-9);
    }
    CHECK_NEAR(value(&a, "table.y"), 0.7, 1e-12);
    CHECK_NEAR(value(&a, "table.vx"), 0, 1e-12);
    check_load(&a);
    check_load(&b);
    close_run(&a);
    close_run(&b);
  }
}

static const char twice[] =
    "percuss: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies: {rod: {mass: 1.3, inertia: 0.2, position: [0.5, 0]}}\n"
    "joints:\n"
    "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n"
    "  again: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n";

static void a_joint_that_is_there_twice_moves_as_one(void** state)
{
  (void)state;
  tolerance = 1e-12;
  for (stages = 2; stages <= 4; stages++) {
    run a = open_text(pendulum, "lobatto", 0.01, NULL, tune);
    run b = open_text(twice, "lobatto", 0.01, NULL, tune);
    for (int n = 0; n < 200; n++) {
      run_steps(&a, 1);
      run_steps(&b, 1);
      CHECK_NEAR(difference(&a, &b), 0, 1e-9);
    }
    CHECK_NEAR(value(&b, "pin.P.1") + value(&b, "again.P.1"), value(&a, "pin.P.1"), 1e-9);
    close_run(&a);
    close_run(&b);
  }
}

/* ---- the slider-crank --------------------------------------------------------------------- */

static int holds(void* user, const pc_observation* seen)
{
  (void)user;
  const pc_system* system = seen->system;
  if (seen->info->step == 0) return 1;
  int bad = !(seen->info->impact_residual < 1e-11) || !(seen->info->friction_residual < 1e-11);
  for (int r = 0; r < pc_system_g_count(system); r++)
    bad |= !(fabs(seen->y[r]) < 1e-12) || !(fabs(seen->y_dot[r]) < 1e-12);
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    pc_contact_info c = pc_system_contact(system, k);
    double P_N = seen->state->P[c.row], P_F = seen->state->P[c.row + 1];
    bad |= !(seen->y[c.row] >= -1e-12) || !(P_N >= 0) || !(fabs(P_F) <= c.mu * P_N + 1e-12);
  }
  return !bad;
}

static void slider_crank_keeps_all_its_laws(void** state)
{
  (void)state;
  tolerance = 1e-12;
  for (stages = 3; stages <= 5; stages++) {
    run r = open_run("slider-crank", "lobatto", 1e-4, NULL, tune);
    CHECK_OK(pc_sim_add_observer(r.sim, holds, NULL, &r.error), r.error);
    run_until(&r, 0.05);
    assert_int_equal(pc_sim_summary(r.sim).steps, 500);
    close_run(&r);
  }
}

/* All that a step depends on is in the state: also what the engine knows of its contacts. */
static void check_restored(const char* scheme)
{
  run a = open_run("slider-crank", scheme, 1e-4, NULL, tune);
  run b = open_run("slider-crank", scheme, 1e-4, NULL, tune);
  run_steps(&a, 60);
  const pc_state* x = pc_sim_observation(a.sim)->state;
  CHECK_OK(pc_sim_restore(b.sim, x->step, x->q, x->u, x->P, x->memory, &b.error), b.error);
  run_steps(&a, 240);
  run_steps(&b, 240);
  assert_true(difference(&a, &b) == 0);
  close_run(&a);
  close_run(&b);
}

static void a_restored_state_goes_on_with_the_same_bits(void** state)
{
  (void)state;
  tolerance = 1e-10;
  stages = 2;
  check_restored("rattle");
  for (; stages <= 4; stages++) check_restored("lobatto");
}

/* ---- the first iterate -------------------------------------------------------------------- */

static pc_residual residual;

static void tune_residual(pc_scheme_settings* settings)
{
  settings->residual = residual;
}

/* The paper's first iterate is the start of the step; an extrapolation is closer to the solution,
 * which is the same. */
static void an_extrapolation_saves_iterations(void** state)
{
  (void)state;
  const char* model[] = {"slider-crank", "tippedisk", "slope"};
  for (int m = 0; m < 3; m++) {
    residual = PC_RESIDUAL_SCALED;
    run a = open_run(model[m], "rattle", 0, NULL, tune_residual);
    residual = PC_RESIDUAL_ABSOLUTE;
    run b = open_run(model[m], "rattle", 0, NULL, tune_residual);
    run_steps(&a, 100);
    run_steps(&b, 100);
    CHECK_NEAR(difference(&a, &b), 0, 1e-7);
    double by_guess = pc_sim_summary(a.sim).iterations_avg[0];
    double from_start = pc_sim_summary(b.sim).iterations_avg[0];
    if (!(by_guess <= from_start - 0.6))
      fail_msg("%s: %g iterations a step, and %g from its start", model[m], by_guess, from_start);
    close_run(&a);
    close_run(&b);
  }
}

/* What round-off has left of the increments would add up to gaps, and each step would try to close
 * them. */
static void at_rest_there_is_nothing_to_iterate(void** state)
{
  (void)state;
  const char* scheme[] = {"rattle", "lobatto"};
  residual = PC_RESIDUAL_SCALED;
  for (int i = 0; i < 2; i++) {
    run r = open_run("four-legged-table", scheme[i], 0, NULL, tune_residual);
    run_steps(&r, 100);
    double before = pc_sim_summary(r.sim).iterations_avg[0] * 100;
    run_steps(&r, 900);
    double after = pc_sim_summary(r.sim).iterations_avg[0] * 1000;
    if (!(after - before <= 45)) /* a step in twenty */
      fail_msg("%s: %g iterations in 900 steps", scheme[i], after - before);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lobatto_with_two_stages_is_rattle),
      cmocka_unit_test(energy_does_not_drift_in_a_hundred_thousand_steps),
      cmocka_unit_test(energy_does_not_drift_where_the_mass_matrix_changes),
      cmocka_unit_test(energy_swings_with_the_order_of_the_scheme),
      cmocka_unit_test(a_contact_in_a_tie_rebounds),
      cmocka_unit_test(a_table_moves_the_same_whatever_the_order_of_its_legs),
      cmocka_unit_test(a_joint_that_is_there_twice_moves_as_one),
      cmocka_unit_test(slider_crank_keeps_all_its_laws),
      cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
      cmocka_unit_test(an_extrapolation_saves_iterations),
      cmocka_unit_test(at_rest_there_is_nothing_to_iterate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
