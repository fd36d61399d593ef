/* Energy of smooth motion under the variational schemes: it swings with dt^(2s-2) and does not
 * drift. */
#include "run.h"

/* The largest and smallest energy in each tenth of a run, relative to the start. */
typedef struct record {
  double start, until;
  double low[10], high[10];
} record;

static int note(void* user, const pc_observation* seen)
{
  record* e = user;
  double energy = seen->kinetic + seen->potential;
  if (seen->info->step == 0) {
    e->start = energy;
    return 1;
  }
  int tenth = (int)(10 * (seen->state->t - 0.5 * seen->info->dt) / e->until);
  e->low[tenth] = fmin(e->low[tenth], energy - e->start);
  e->high[tenth] = fmax(e->high[tenth], energy - e->start);
  return 1;
}

typedef struct motion {
  const char* model;
  const char* const* set;
  double dt[2];    /* for two stages, and for three */
  double swing[2]; /* at most [J] */
} motion;

static int stages;

static void tighten(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
  settings->tolerance = 1e-13;
}

static record follow(const motion* m, const char* scheme, double dt, long steps)
{
  record e = {.until = dt * (double)steps};
  run r = open_run(m->model, scheme, dt, m->set, tighten);
  CHECK_OK(pc_sim_add_observer(r.sim, note, &e, &r.error), r.error);
  CHECK_OK(pc_sim_run(r.sim, e.until, &r.error), r.error);
  close_run(&r);
  return e;
}

static double swing(const record* e)
{
  double low = 0, high = 0;
  for (int i = 0; i < 10; i++) {
    low = fmin(low, e->low[i]);
    high = fmax(high, e->high[i]);
  }
  return high - low;
}

/* Half the step, a swing smaller by 2^(2s-2); and the last tenth of 10 000 steps is like the
 * first. */
static void check(const motion* m, const char* scheme, int s)
{
  stages = s;
  double dt = m->dt[s - 2];
  record e = follow(m, scheme, dt, 10000);
  record whole = follow(m, scheme, dt, 1000), half = follow(m, scheme, dt / 2, 2000);
  CHECK_NEAR(swing(&whole) / swing(&half) / pow(4, s - 1), 1, 0.02);
  CHECK_NEAR(e.high[9], e.high[0], 1e-3 * swing(&e) + 1e-13);
  CHECK_NEAR(e.low[9], e.low[0], 1e-3 * swing(&e) + 1e-13);
  assert_true(swing(&e) < m->swing[s - 2]);
}

/* A rod that goes round its pin, a top that nutates, a disc that wobbles along. */
static const char* const nutating[] = {"w3", "60", NULL};
static const char* const wobbling[] = {"y0", "-1.1", NULL};
static const motion motions[] = {
    {"pendulum", NULL, {0.01, 0.02}, {0.05, 5e-5}},
    {"spinning-top", nutating, {1e-3, 2e-3}, {5e-7, 1e-10}},
    {"rolling-disc", wobbling, {4e-3, 1e-2}, {1.2e-5, 1.5e-9}},
};

static void energy_swings_and_does_not_drift(void** state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    check(&motions[i], "rattle", 2);
    check(&motions[i], "lobatto", 3);
  }
}

static void keep_tolerance(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
}

/* In steady motion, what Newton leaves is the same in every step and would add up, so the model
 * files name a tolerance for which it does not. */
static void steady_energy_stays_with_the_tolerance_of_the_model_file(void** state)
{
  (void)state;
  static const char* const steady[] = {"spinning-top", "rolling-disc"};
  static const double dt[] = {1e-2, 1e-3};
  for (int i = 0; i < 8; i++) {
    stages = i < 4 ? 3 : 4;
    record e = {.until = 2000 * dt[i / 2 % 2]};
    run r = open_run(steady[i % 2], "lobatto", dt[i / 2 % 2], NULL, keep_tolerance);
    CHECK_OK(pc_sim_add_observer(r.sim, note, &e, &r.error), r.error);
    CHECK_OK(pc_sim_run(r.sim, e.until, &r.error), r.error);
    CHECK_NEAR(e.high[9], e.high[0], 4e-14 * e.start);
    CHECK_NEAR(e.low[9], e.low[0], 4e-14 * e.start);
    close_run(&r);
  }
}

static void two_stages_swing_as_rattle_does(void** state)
{
  (void)state;
  stages = 2;
  for (int i = 0; i < 3; i++) {
    record a = follow(&motions[i], "rattle", motions[i].dt[0], 300);
    record b = follow(&motions[i], "lobatto", motions[i].dt[0], 300);
    CHECK_NEAR(swing(&a) / swing(&b), 1, 1e-4);
  }
}

static void loosen(pc_scheme_settings* settings)
{
  settings->tolerance = pc_default_scheme_settings().tolerance;
}

/* Also with the tolerance that is the default: the kinematics of quaternions are to round-off. */
static void quaternions_keep_their_length(void** state)
{
  (void)state;
  static const char* const q[4] = {"top.qw", "top.qx", "top.qy", "top.qz"};
  run r = open_run("spinning-top", "rattle", 1e-4, NULL, loosen);
  run_until(&r, 2);
  double square = 0;
  for (int i = 0; i < 4; i++) square += value(&r, q[i]) * value(&r, q[i]);
  CHECK_NEAR(sqrt(square), 1, 1e-13);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_swings_and_does_not_drift),
      cmocka_unit_test(steady_energy_stays_with_the_tolerance_of_the_model_file),
      cmocka_unit_test(two_stages_swing_as_rattle_does),
      cmocka_unit_test(quaternions_keep_their_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
