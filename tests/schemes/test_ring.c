/* The pendulum in a ring, Acary 6.3. */
#include <float.h>

#include "run.h"

static void pendulum_penetrates_once_and_does_not_drift(void** state)
{
  (void)state;
  run r = open_run("ring-pendulum", "moreau-jean", 5e-4, NULL, NULL);
  run_until(&r, 0.05);
  double first = value(&r, "touch.gap"), speed = 9.81 * 0.046;
  assert_true(first < -0.5 * 5e-4 * speed && first > -1.5 * 5e-4 * speed);
  run_until(&r, 4);
  CHECK_NEAR(-pc_sim_summary(r.sim).penetration_max, -2.661e-4, 1e-7);
  CHECK_NEAR(value(&r, "touch.gap"), first, 1e-6);
  assert_int_equal(pc_sim_summary(r.sim).events_closed, 1);
  assert_int_equal(pc_sim_summary(r.sim).events_opened, 0);
  close_run(&r);
}

/* The projection holds the nonlinear gap: "less than the machine precision", no drift, no
 * opening. Coordinates are of some metres, so that a gap has a round-off of 100 eps. */
static void combined_projection_does_not_penetrate(void** state)
{
  (void)state;
  run r = open_run("ring-pendulum", "combined-projection", 5e-4, NULL, NULL);
  run_until(&r, 10);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.penetration_max <= 100 * DBL_EPSILON);
  CHECK_NEAR(value(&r, "touch.gap"), 0, 1e-14);
  assert_int_equal(s.events_closed, 1);
  assert_int_equal(s.events_opened, 0);
  close_run(&r);
}

/* Slip and stick alternate, and the friction that drives the swings takes energy only. */
static int observe(void* user, const pc_observation* seen)
{
  int* sticks = user;
  pc_contact_info c = pc_system_contact(seen->system, 0);
  double P_N = seen->state->P[c.row], P_F = seen->state->P[c.row + 1];
  sticks[P_N > 0 && fabs(P_F) < 0.999 * c.mu * P_N]++;
  assert_true(seen->info->step == 0 || seen->balance.friction > -1e-12);
  return 1;
}

static void friction_swings_the_pendulum(void** state)
{
  (void)state;
  run r = open_run("ring-pendulum", "moreau-jean", 5e-4, NULL, NULL);
  int sticks[2] = {0};
  CHECK_OK(pc_sim_add_observer(r.sim, observe, sticks, &r.error), r.error);
  run_until(&r, 4);
  assert_true(sticks[0] > 1000 && sticks[1] > 1000);
  assert_true(pc_sim_summary(r.sim).balance.friction > 1);
  assert_true(pc_sim_summary(r.sim).energy_max_increase < 1e-9);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_penetrates_once_and_does_not_drift),
      cmocka_unit_test(combined_projection_does_not_penetrate),
      cmocka_unit_test(friction_swings_the_pendulum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
