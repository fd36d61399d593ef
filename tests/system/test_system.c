#include <string.h>

#include "parts.h"

static pc_system* plane(void)
{
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_error error = {0};
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  return system;
}

/* Three parts, a bowl over the first and the third (two runs) and one over the second and third. */
static pc_system* two_bowls(void)
{
  pc_system* system = plane();
  pc_error error = {0};
  pc_part_id a = add_part(system, "a", 2, 0.1), b = add_part(system, "b", 1, 0.5),
             c = add_part(system, "c", 3, 0.7);
  CHECK_OK(add_bowl(system, "one", 2, (pc_part_id[]){a, c}, 5, "first", &error), error);
  CHECK_OK(add_bowl(system, "two", 2, (pc_part_id[]){b, c}, 4, "second", &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

static void rows_are_numbered_constraints_first_then_contacts(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  assert_int_equal(pc_system_q_count(system), 6);
  assert_int_equal(pc_system_g_count(system), 2);
  assert_int_equal(pc_system_gamma_count(system), 2);
  assert_int_equal(pc_system_contact_count(system), 2);
  assert_int_equal(pc_system_row_count(system), 8);
  pc_contact_info first = pc_system_contact(system, 0), second = pc_system_contact(system, 1);
  assert_string_equal(first.name, "first");
  assert_int_equal(first.row, 4);
  assert_int_equal(second.row, 6);
  assert_int_equal(second.dimension, 1);
  CHECK_NEAR(second.mu, 0.3, 0);
  CHECK_NEAR(second.e_N, 0.5, 0);
  CHECK_NEAR(second.e_F, 0.25, 0);
  pc_system_destroy(system);
}

static void quantities_have_the_names_others_rely_on(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  const char* names[] = {"a.1",        "c.3'",           "one.position.1", "one.velocity.1",
                         "one.P.2",    "one.velocity.2", "first.gap",      "first.gap_velocity",
                         "first.slip", "first.P_N",      "second.P_F"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int at = pc_system_find_quantity(system, names[i]);
    if (at < 0) fail_msg("no quantity %s", names[i]);
    assert_string_equal(pc_system_quantity(system, at).name, names[i]);
  }
  assert_int_equal(pc_system_find_quantity(system, "one.position.2"), -1); /* a velocity row */
  assert_int_equal(pc_system_find_quantity(system, ""), -1);
  assert_int_equal(pc_system_find_quantity(system, "zzz"), -1);
  pc_quantity slip = pc_system_quantity(system, pc_system_find_quantity(system, "second.slip"));
  assert_int_equal(slip.index, 7);
  assert_string_equal(slip.unit, "m/s");
  pc_system_destroy(system);
}

static void what_makes_no_sense_is_refused_and_changes_nothing(void** state)
{
  (void)state;
  pc_system* system = plane();
  pc_error error = {0};
  pc_part_id a = add_part(system, "a", 2, 0), b = add_part(system, "b", 2, 0);
  assert_int_equal(add_bowl(system, "x", 1, (pc_part_id[]){{7}}, 2, "k", &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "7"));
  assert_int_equal(add_bowl(system, "x", 1, (pc_part_id[]){PC_GROUND}, 2, "k", &error),
                   PC_BAD_MODEL);
  assert_int_equal(add_bowl(system, "x", 2, (pc_part_id[]){a, a}, 4, "k", &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "both sides"));
  assert_int_equal(add_bowl(system, "", 1, &a, 2, "k", &error), PC_BAD_MODEL);
  assert_int_equal(add_bowl(system, "x", 1, &a, 2, "", &error), PC_BAD_MODEL);
  assert_int_equal(pc_system_contact_count(system), 0);
  CHECK_OK(add_bowl(system, "x", 1, &a, 2, "k", &error), error);
  CHECK_OK(add_bowl(system, "y", 1, &b, 2, "k", &error), error);
  assert_int_equal(pc_system_freeze(system, &error), PC_BAD_MODEL); /* two contacts called k */
  assert_non_null(strstr(error.text, "'k."));
  pc_system_destroy(system);
}

static void parts_are_checked(void** state)
{
  (void)state;
  pc_system* system = plane();
  pc_error error = {0};
  pc_part_id id;
  const char* name[] = {"p"};
  double good[] = {0}, bad[] = {NAN};
  add_part(system, "a", 1, 0);
  pc_part_def def = {.name = "a",
                     .q_count = 1,
                     .u_count = 1,
                     .q0 = good,
                     .u0 = good,
                     .q_name = name,
                     .u_name = name,
                     .q_unit = name,
                     .u_unit = name};
  assert_int_equal(pc_system_add_part(system, &def, &id, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "twice"));
  def.name = "b";
  def.q0 = bad;
  assert_int_equal(pc_system_add_part(system, &def, &id, &error), PC_BAD_MODEL);
  def.q0 = good;
  def.u_count = 0;
  assert_int_equal(pc_system_add_part(system, &def, &id, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "kinematics"));
  assert_int_equal(pc_system_q_count(system), 1);
  pc_system_destroy(system);
}

static void an_empty_or_strange_system_is_refused(void** state)
{
  (void)state;
  pc_system* system = plane();
  pc_error error = {0};
  assert_int_equal(pc_system_freeze(system, &error), PC_BAD_MODEL);
  pc_system_destroy(system);
  pc_system_def def = {.dimension = 4};
  assert_int_equal(pc_system_create(&def, &system, &error), PC_BAD_MODEL);
  assert_null(system);
  def = (pc_system_def){.dimension = 2, .gravity = {0, INFINITY, 0}};
  assert_int_equal(pc_system_create(&def, &system, NULL), PC_BAD_MODEL);
  pc_system_destroy(NULL);
}

static void nothing_is_added_to_a_frozen_system(void** state)
{
  (void)state;
  pc_system* system = two_bowls();
  pc_error error = {0};
  assert_int_equal(add_bowl(system, "x", 1, (pc_part_id[]){{0}}, 2, "k", &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "frozen"));
  CHECK_OK(pc_system_freeze(system, &error), error);
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_numbered_constraints_first_then_contacts),
      cmocka_unit_test(quantities_have_the_names_others_rely_on),
      cmocka_unit_test(what_makes_no_sense_is_refused_and_changes_nothing),
      cmocka_unit_test(parts_are_checked),
      cmocka_unit_test(an_empty_or_strange_system_is_refused),
      cmocka_unit_test(nothing_is_added_to_a_frozen_system),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
