/* generalized-alpha with impacts: the pendulum that bounces and the elastic bar of the alpha paper,
 * sections 6.1 and 6.3, against the reference; contacts that open and close in hard runs. */
#include <string.h>

#include "run.h"
#include "schemes/generalized_alpha/motion.h"

static pc_scheme_settings wanted;

static void tune(pc_scheme_settings* settings)
{
  settings->alpha.constraints = wanted.alpha.constraints;
  settings->alpha.strategy = wanted.alpha.strategy;
  settings->alpha.rho = wanted.alpha.rho;
  settings->alpha.monolithic = wanted.alpha.monolithic;
  settings->alpha.activation = wanted.alpha.activation;
  settings->alpha.activation_factor = wanted.alpha.activation_factor;
  if (wanted.tolerance > 0) settings->tolerance = wanted.tolerance;
}

static void want(pc_constraints constraints, int strategy, double rho)
{
  wanted = pc_default_scheme_settings();
  wanted.alpha.constraints = constraints;
  wanted.alpha.strategy = strategy;
  wanted.alpha.rho = rho;
  wanted.tolerance = 0;
}

static const double* memory(const run* r, int part)
{
  const pc_system* system = pc_model_system(r->model);
  return pc_alpha_memory(pc_system_u_count(system), pc_system_row_count(system),
                         pc_sim_observation(r->sim)->state->memory, part);
}

/* ---- the bouncing pendulum ---------------------------------------------------------------- */

typedef struct bounces {
  int count;
  long first[6]; /* steps of the first impacts */
  long last_open;
  double ringing; /* largest second difference of the pin's force far from impacts */
} bounces;

/* Runs to t = 4 and observes. */
static bounces observe(run* r)
{
  bounces b = {0};
  double was_closed = 0, before[2] = {0};
  for (long n = 1; n <= 4000; n++) {
    CHECK_OK(pc_sim_step(r->sim, &r->error), r->error);
    double closed = memory(r, PC_ALPHA_CLOSED)[0], now = memory(r, PC_ALPHA_LAMBDA)[0];
    if (closed > 0 && was_closed == 0) {
      if (b.count < 6) b.first[b.count] = n;
      b.count++;
    }
    if (closed == 0) b.last_open = n;
    if (n > 1200 && n < 1440) b.ringing = fmax(b.ringing, fabs(now - 2 * before[0] + before[1]));
    was_closed = closed;
    before[1] = before[0];
    before[0] = now;
  }
  return b;
}

static const struct {
  pc_constraints constraints;
  int strategy;
  double rho;
  long impact[6], last_open;
  int count;
  double iterations;
  double angle_2, spin_2, angle_3, spin_3; /* at t = 2 and 3 */
  double lambda_1[2];                      /* at t = 1 */
  double acceleration;                     /* largest violation of the pin */
  double lambda_4[2];                      /* at t = 4; 0: not compared */
} reference[] = {
    {PC_CONSTRAINTS_PVA,
     3,
     0.9,
     {352, 947, 1447, 1863, 2206, 2486},
     3646,
     28,
     1.7265,
     0.6876414456019,
     -0.2412280704934,
     0.7709276521307,
     0.2002606741836,
     {-6.146700968006, -6.061056819398},
     0,
     {-10, -10}},
    {PC_CONSTRAINTS_PVA,
     2,
     0.9,
     {352, 946, 1445, 1860, 2201, 2478},
     3544,
     24,
     1.9855,
     0.6878738955100,
     -0.2137843528486,
     0.7747765859984,
     0.2906885026154,
     {-6.112647727220, -6.021714829382},
     0,
     {-4.545454545455, -5.454545454545}},
    {PC_CONSTRAINTS_PVA,
     1,
     0.9,
     {352, 945, 1442, 1854, 2192, 2467},
     3524,
     24,
     1.94625,
     0.6885451603658,
     -0.1595134142271,
     0.7816301548322,
     0.4042664537116,
     {0, 0},
     15.75,
     {0, 0}},
    {PC_CONSTRAINTS_PVV,
     3,
     0.9,
     {352, 946, 1445, 1860, 2201, 2478},
     3544,
     24,
     1.84275,
     0.6878735135550,
     -0.2137869753844,
     0.7747764407653,
     0.2906872973824,
     {-6.077649090780, -5.991956896515},
     7.24,
     {-4.545454545455, -5.454545454545}},
    {PC_CONSTRAINTS_PVA,
     3,
     1,
     {352, 947, 1447, 1863, 2206, 2486},
     3646,
     28,
     1.7265,
     0.6876418701351,
     -0.2412249716942,
     0.7709273128932,
     0.2002576088508,
     {-6.146687979950, -6.061048949984},
     0,
     {-10, -10}},
    {PC_CONSTRAINTS_PVA,
     2,
     1,
     {352, 946, 1445, 1860, 2201, 2478},
     3544,
     24,
     1.98425,
     0.6878738960075,
     -0.2137843406813,
     0.7747765864910,
     0.2906885106140,
     {-6.112647722113, -6.021714817609},
     0,
     {-4.545454545455, -5.454545454545}},
    {PC_CONSTRAINTS_PVA,
     1,
     1,
     {352, 945, 1442, 1854, 2192, 2467},
     3524,
     24,
     1.93125,
     0.6885451603658,
     -0.1595134142271,
     0.7816301548322,
     0.4042664537116,
     {0, 0},
     15.75,
     {0, 0}},
    {PC_CONSTRAINTS_PVV,
     3,
     1,
     {352, 946, 1445, 1860, 2201, 2478},
     3544,
     24,
     2.11225,
     0.6878766719243,
     -0.2137659990560,
     0.7747775820475,
     0.2906977383369,
     {7.263382813076, 5.350355070112},
     12.77,
     {0, 0}},
};

enum { REFERENCES = sizeof reference / sizeof *reference };

static void check_state(int i, double t, double angle, double spin)
{
  wanted.tolerance = 1e-14;
  run r = open_run("bouncing-pendulum", "generalized-alpha", 0, NULL, tune);
  run_until(&r, t);
  CHECK_NEAR(value(&r, "rod.angle"), angle, 1e-10);
  CHECK_NEAR(value(&r, "rod.spin"), spin, 1e-9);
  if (t == 1)
    for (int k = 0; k < 2; k++)
      CHECK_NEAR(memory(&r, PC_ALPHA_LAMBDA)[k], reference[i].lambda_1[k], 1e-8);
  close_run(&r);
  wanted.tolerance = 0;
}

static void pendulum_bounces_as_in_the_reference(void** state)
{
  (void)state;
  for (int i = 0; i < REFERENCES; i++) {
    want(reference[i].constraints, reference[i].strategy, reference[i].rho);
    run r = open_run("bouncing-pendulum", "generalized-alpha", 0, NULL, tune);
    bounces b = observe(&r);
    for (int k = 0; k < 6; k++) assert_int_equal(b.first[k], reference[i].impact[k]);
    assert_int_equal(b.count, reference[i].count);
    assert_int_equal(b.last_open, reference[i].last_open);
    pc_summary s = pc_sim_summary(r.sim);
    if (reference[i].strategy != 1) /* that one's are not fixed: see below */
      CHECK_NEAR(s.iterations_avg[0], reference[i].iterations, 1e-3);
    assert_true(s.penetration_max < 1e-12 && s.constraint_position_max < 1e-13);
    assert_true(s.constraint_velocity_max < 1e-12 && s.impact_residual_max < 2e-11);
    CHECK_NEAR(s.constraint_acceleration_max, reference[i].acceleration,
               reference[i].acceleration > 0 ? 0.01 : 1e-8);
    for (int k = 0; k < 2 && reference[i].lambda_4[0] != 0; k++)
      CHECK_NEAR(memory(&r, PC_ALPHA_LAMBDA)[k], reference[i].lambda_4[k], 1e-8);
    close_run(&r);
    check_state(i, 2, reference[i].angle_2, reference[i].spin_2);
    check_state(i, 3, reference[i].angle_3, reference[i].spin_3);
  }
}

/* Newton iterations of all steps, those that a contact is open in and the others. */
static void count_iterations(run* r, long last_open, double* open, double* at_rest)
{
  run_until(r, (double)last_open * 1e-3);
  pc_summary s = pc_sim_summary(r->sim);
  *open = s.iterations_avg[0] * (double)s.steps;
  run_until(r, 4);
  s = pc_sim_summary(r->sim);
  *at_rest = s.iterations_avg[0] * (double)s.steps - *open;
}

/* Without the joints in its smooth motion (strategy 1), each of the last 476 steps, at rest, takes
 * one iteration or two as round-off has it. Starts that differ by round-off show how much that is:
 * the reference is among them, and up to there all count the same. */
static void round_off_decides_the_iterations_of_strategy_1(void** state)
{
  (void)state;
  for (int i = 0; i < REFERENCES; i++) {
    if (reference[i].strategy != 1) continue;
    want(reference[i].constraints, 1, reference[i].rho);
    double least = INFINITY, most = 0;
    for (int k = 0; k < 100; k++) {
      char start[64];
      snprintf(start, sizeof start, "pi/12 + %d*1e-15", k);
      const char* const set[] = {"theta0", start, NULL};
      run r = open_run("bouncing-pendulum", "generalized-alpha", 0, set, tune);
      double open, at_rest;
      count_iterations(&r, reference[i].last_open, &open, &at_rest);
      CHECK_NEAR(open, 7061, 0.01);
      least = fmin(least, open + at_rest);
      most = fmax(most, open + at_rest);
      close_run(&r);
    }
    print_message("rho %g: %g to %g iterations, reference %g\n", reference[i].rho, least, most,
                  4000 * reference[i].iterations);
    assert_true(least <= 4000 * reference[i].iterations);
    assert_true(most >= 4000 * reference[i].iterations);
  }
}

/* The exact motion hits at 0.35119, 0.94474, ...: strategy 3 is a few steps late. */
static void forces_ring_with_pvv_and_not_with_pva(void** state)
{
  (void)state;
  double ringing[REFERENCES];
  for (int i = 0; i < REFERENCES; i++) {
    want(reference[i].constraints, reference[i].strategy, reference[i].rho);
    run r = open_run("bouncing-pendulum", "generalized-alpha", 0, NULL, tune);
    ringing[i] = observe(&r).ringing;
    close_run(&r);
  }
  assert_true(ringing[0] < 1e-3 && ringing[1] < 1e-3); /* PVA, rho = 0.9 */
  assert_true(ringing[4] < 1e-3 && ringing[5] < 1e-3); /* PVA, rho = 1 */
  assert_true(ringing[7] > 10);                        /* PVV, rho = 1: for ever */
}

static void all_levels_at_once_give_the_same_bounces(void** state)
{
  (void)state;
  for (int i = 0; i < REFERENCES; i++) {
    want(reference[i].constraints, reference[i].strategy, reference[i].rho);
    wanted.alpha.monolithic = 1;
    check_state(i, 2, reference[i].angle_2, reference[i].spin_2);
  }
}

/* ---- the elastic bar ---------------------------------------------------------------------- */

typedef struct contact_phase {
  long first, last;                           /* closed steps */
  double force;                               /* at t = 1 */
  double gap, gap_velocity, gap_acceleration; /* largest while it is closed */
  double iterations, energy, rise;
} contact_phase;

static contact_phase run_bar(const char* d0)
{
  const char* const set[] = {"d0", d0, NULL};
  run r = open_run("elastic-bar", "generalized-alpha", 0, set, tune);
  contact_phase c = {0};
  const pc_system* system = pc_model_system(r.model);
  int tip = pc_system_u_count(system) - 1;
  for (long n = 1; n <= 1250; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const pc_observation* seen = pc_sim_observation(r.sim);
    if (n == 500) c.force = seen->state->P[0] / 2e-3;
    if (memory(&r, PC_ALPHA_CLOSED)[0] == 0) continue;
    if (!c.first) c.first = n;
    c.last = n;
    c.gap = fmax(c.gap, fabs(seen->y[0]));
    if (n > c.first) c.gap_velocity = fmax(c.gap_velocity, fabs(seen->y_dot[0]));
    if (memory(&r, PC_ALPHA_LAMBDA)[0] > 0)
      c.gap_acceleration = fmax(c.gap_acceleration, fabs(memory(&r, PC_ALPHA_V_DOT)[tip]));
  }
  pc_summary s = pc_sim_summary(r.sim);
  c.iterations = s.iterations_avg[0];
  c.energy = s.energy_final;
  c.rise = s.energy_max_increase;
  close_run(&r);
  return c;
}

static void check_phase(const contact_phase* c, double energy)
{
  assert_int_equal(c->first, 251);
  assert_int_equal(c->last, 585);
  CHECK_NEAR(c->force, 299.99996, 1e-4); /* exactly 300 */
  CHECK_NEAR(c->energy, energy, 2e-6);
  assert_true(c->gap < 1e-15 && c->gap_velocity < 1e-13);
}

static void bar_touches_the_wall_for_two_thirds_of_a_second(void** state)
{
  (void)state;
  want(PC_CONSTRAINTS_PVA, 3, 0.8);
  contact_phase c = run_bar("5.01");
  check_phase(&c, 497.0589924);
  CHECK_NEAR(c.iterations, 0.8016, 1e-4);
  assert_true(c.gap_acceleration < 1e-11); /* of accelerations of 1e5 */
  want(PC_CONSTRAINTS_PVV, 3, 0.8);
  c = run_bar("5.01");
  check_phase(&c, 497.0021345529);
  CHECK_NEAR(c.iterations, 12.3152, 1e-3 * 12.3152); /* 30 788 sweeps, of which we have 26 more */
  wanted.tolerance = 1e-8;
  CHECK_NEAR(run_bar("5.01").iterations, 9.9, 0.03);
  wanted.tolerance = 3e-2; /* which the paper seems to have: 2.94 */
  CHECK_NEAR(run_bar("5.01").iterations, 2.94, 0.01);
  wanted.tolerance = 0;
  wanted.alpha.monolithic = 1;
  c = run_bar("5.01");
  check_phase(&c, 497.0021345529);
  assert_true(c.iterations < 1);
}

/* The paper's d0 = 5: the tip arrives with the end of step 250, to round-off. */
static void bar_that_arrives_with_a_step_is_decided_by_round_off(void** state)
{
  (void)state;
  want(PC_CONSTRAINTS_PVA, 3, 0.8);
  contact_phase c = run_bar("5");
  assert_true(c.first == 250 || c.first == 251);
  assert_in_range(c.last, 583, 586);
  CHECK_NEAR(c.force, 300, 1e-3);
}

/* ---- the flexible pendulum ---------------------------------------------------------------- */

/* Before and in the first contacts; the motion is chaotic later on. */
static void beam_takes_as_many_iterations_as_in_the_reference(void** state)
{
  (void)state;
  const struct {
    pc_constraints constraints;
    double iterations;
  } of[] = {{PC_CONSTRAINTS_PVA, 1.05525}, {PC_CONSTRAINTS_PVV, 1.0834}};
  for (int i = 0; i < 2; i++) {
    want(of[i].constraints, 3, 0.8);
    wanted.tolerance = 1e-8;
    run r = open_run("flexible-pendulum", "generalized-alpha", 2e-5, NULL, tune);
    run_until(&r, 0.4);
    CHECK_NEAR(pc_sim_summary(r.sim).iterations_avg[0], of[i].iterations, 0.01);
    close_run(&r);
  }
}

/* ---- contacts that are closed at the start ------------------------------------------------ */

static void ball_at_rest_carries_its_weight_from_the_first_step_on(void** state)
{
  (void)state;
  const char* const set[] = {"q0", "0", NULL};
  want(PC_CONSTRAINTS_PVA, 3, 0.9);
  run r = open_run("bouncing-ball", "generalized-alpha", 0.01, set, tune);
  for (int n = 0; n < 50; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    CHECK_NEAR(value(&r, "floor.P_N"), 0.02, 1e-15);
    CHECK_NEAR(value(&r, "q"), 0, 1e-16);
  }
  close_run(&r);
}

/* ---- hard runs ---------------------------------------------------------------------------- */

/* A block that falls on two corners: both close and open again, one after the other or together. */
static void hard_run(const char* e, double rho, double dt, double factor)
{
  const char* const set[] = {"e", e, NULL};
  wanted.alpha.rho = rho;
  wanted.alpha.activation_factor = factor;
  run r = open_run("rocking-block", "generalized-alpha", dt, set, tune);
  if (pc_sim_run(r.sim, 2, &r.error) != PC_OK)
    fail_msg("e = %s, rho = %g, dt = %g, r = %g: %s", e, rho, dt, factor, r.error.text);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.penetration_max < 1e-9);
  assert_true(s.iterations_max[0] <= 25);
  close_run(&r);
}

static void hard_runs_neither_fail_nor_cycle(void** state)
{
  (void)state;
  static const char* const e[] = {"0", "0.5", "0.9", "1"};
  const double rho[] = {0.5, 0.9, 1}, dt[] = {1e-3, 1e-2}, factor[] = {1, 5};
  for (int activation = 0; activation < 2; activation++)
    for (int monolithic = 0; monolithic < 2; monolithic++) {
      want(PC_CONSTRAINTS_PVA, 3, 0.9);
      wanted.alpha.activation = activation ? PC_ACTIVATION_TOTAL : PC_ACTIVATION_HISTORY_FREE;
      wanted.alpha.monolithic = monolithic;
      for (int i = 0; i < 48; i++)
        hard_run(e[i % 4], rho[i / 4 % 3], dt[i / 12 % 2], factor[i / 24]);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_bounces_as_in_the_reference),
      cmocka_unit_test(round_off_decides_the_iterations_of_strategy_1),
      cmocka_unit_test(forces_ring_with_pvv_and_not_with_pva),
      cmocka_unit_test(all_levels_at_once_give_the_same_bounces),
      cmocka_unit_test(bar_touches_the_wall_for_two_thirds_of_a_second),
      cmocka_unit_test(bar_that_arrives_with_a_step_is_decided_by_round_off),
      cmocka_unit_test(beam_takes_as_many_iterations_as_in_the_reference),
      cmocka_unit_test(ball_at_rest_carries_its_weight_from_the_first_step_on),
      cmocka_unit_test(hard_runs_neither_fail_nor_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
