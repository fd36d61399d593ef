/* Contacts whose play is short for a step: a pin on the wall of its bore. */
#include "steps/turning_contact.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "percuss/percuss.h"

/* A pin of radius R - r in a bore of radius R, on its wall, with a speed of 2 m/s along it: its
 * centre goes round a circle of radius r. */
static pc_turning_contact find(double r, double gap, double bore_speed, double dt)
{
  char text[512];
  pc_model* model;
  pc_error error = {0};
  pc_turning_contact found;
  snprintf(text, sizeof text,
           "percuss: 1\n"
           "bodies:\n"
           "  bore: {mass: 1e9, inertia: 1e9, velocity: [0, %.17g]}\n"
           "  pin: {mass: 1, inertia: 1e-3, position: [%.17g, 0], velocity: [0, 2]}\n"
           "contacts:\n"
           "  loose: {disc: pin, radius: %.17g, other: bore, other_radius: 0.01, inside: true}\n",
           bore_speed, r - gap, 0.01 - r);
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  const pc_system* system = pc_model_system(model);
  CHECK_OK(pc_find_turning_contact(system, 0, pc_system_q0(system), pc_system_u0(system), dt,
                                   &found, &error),
           error);
  pc_model_destroy(model);
  return found;
}

/* The normal turns by v dt/r. */
static void a_play_that_is_short_for_the_step_is_found(void** state)
{
  (void)state;
  pc_turning_contact found = find(1e-5, 0, 0, 1e-5);
  assert_int_equal(found.contact, 0);
  CHECK_NEAR(found.angle, 2, 1e-5);
  CHECK_NEAR(found.dt, 0.1 * 1e-5 / 2, 1e-11);
}

static void a_longer_play_and_an_open_contact_are_not(void** state)
{
  (void)state;
  assert_int_equal(find(2e-4, 0, 0, 1e-5).contact, -1);
  assert_int_equal(find(1e-5, 5e-6, 0, 1e-8).contact, -1);
  /* near the centre of the bore the normal turns fast, far from the wall */
  assert_int_equal(find(1e-4, 9e-5, 0, 4e-6).contact, -1);
}

/* Pin and bore go along with each other: nothing turns, unless one of them is stopped. */
static void a_play_that_is_short_for_the_path_of_a_body_is_found(void** state)
{
  (void)state;
  pc_turning_contact found = find(1e-6, 0, 2, 1e-5);
  assert_int_equal(found.contact, 0);
  assert_true(found.alone);
  CHECK_NEAR(found.angle, 20, 1e-2);
  CHECK_NEAR(found.dt, 1e-5 / 20, 1e-9);
  assert_int_equal(find(1e-4, 0, 2, 1e-5).contact, -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_play_that_is_short_for_the_step_is_found),
      cmocka_unit_test(a_play_that_is_short_for_the_path_of_a_body_is_found),
      cmocka_unit_test(a_longer_play_and_an_open_contact_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
