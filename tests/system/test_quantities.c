/* Quantities of parts of many sizes, by number and by name, compared with a list of all of them. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "system/system.h"

enum { PARTS = 60, COORDINATES = 21, MOST = 2 * PARTS * COORDINATES };

typedef struct expected {
  char name[32];
  const char* unit;
  pc_quantity_kind kind;
  int index;
} expected;

static expected listed[MOST];
static int listed_count;

static pc_system* space(void)
{
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_error error = {0};
  def.dimension = 3;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  return system;
}

/* Some names have no dot, some have two, and some parts are called like the beginning of others. */
static void write_name(char* name, int part, int coordinate, int velocity)
{
  const char* prime = velocity ? "'" : "";
  if (part % 4 == 0) snprintf(name, 32, "x%d_%d%s", part, coordinate, prime);
  if (part % 4 == 1) snprintf(name, 32, "p%d.%c%s", part, 'u' - coordinate, prime);
  if (part % 4 == 2) snprintf(name, 32, "p%d.%d%s", part / 10, 100 * part + coordinate, prime);
  if (part % 4 == 3) snprintf(name, 32, "p.%d.node%d%s", part, coordinate, prime);
}

static void list(int part, int count, int velocity, int first, const char** name, const char** unit)
{
  for (int i = 0; i < count; i++) {
    expected* e = &listed[listed_count++];
    e->unit = unit[i] = i < 3 ? "m" : i < 7 ? "" : "rad";
    e->kind = velocity ? PC_QUANTITY_U : PC_QUANTITY_Q;
    e->index = first + i;
    write_name(e->name, part, i, velocity);
    name[i] = e->name;
  }
}

/* Part number `part` with 1 to 21 coordinates. */
static void add(pc_system* system, int part)
{
  const char *q_name[COORDINATES], *u_name[COORDINATES], *q_unit[COORDINATES], *u_unit[COORDINATES];
  double zero[COORDINATES] = {0};
  char name[32];
  int count = 1 + 8 * part % COORDINATES;
  pc_error error = {0};
  pc_part_id id;
  snprintf(name, sizeof name, "part%d", part);
  list(part, count, 0, pc_system_q_count(system), q_name, q_unit);
  list(part, count, 1, pc_system_u_count(system), u_name, u_unit);
  const pc_part_def def = {.name = name,
                           .q_count = count,
                           .u_count = count,
                           .q0 = zero,
                           .u0 = zero,
                           .q_name = q_name,
                           .u_name = u_name,
                           .q_unit = q_unit,
                           .u_unit = u_unit};
  CHECK_OK(pc_system_add_part(system, &def, &id, &error), error);
}

static pc_system* many_parts(void)
{
  pc_system* system = space();
  listed_count = 0;
  for (int part = 0; part < PARTS; part++) add(system, part);
  return system;
}

static void check_all(const pc_system* system)
{
  assert_int_equal(pc_system_quantity_count(system), listed_count);
  for (int i = 0; i < listed_count; i++) {
    pc_quantity q = pc_system_quantity(system, i);
    assert_string_equal(q.name, listed[i].name);
    assert_string_equal(q.unit, listed[i].unit);
    assert_int_equal(q.kind, listed[i].kind);
    assert_int_equal(q.index, listed[i].index);
    assert_int_equal(pc_system_find_quantity(system, listed[i].name), i);
  }
  const char* const unknown[] = {"",    ".",     "p",     "p.", "p1",
                                 "p1.", "p1.uu", "x0_99", "zz", "p.3.nod"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    assert_int_equal(pc_system_find_quantity(system, unknown[i]), -1);
}

static void quantities_are_found_by_number_and_name(void** state)
{
  pc_system* system = many_parts();
  pc_error error = {0};
  (void)state;
  check_all(system);
  CHECK_OK(pc_system_freeze(system, &error), error);
  check_all(system);
  pc_system_destroy(system);
}

/* As where there is no memory for all quantities of a part: those that were dropped leave names
 * behind, and the same ones are added again. */
static void quantities_that_were_dropped_leave_nothing_behind(void** state)
{
  pc_system* system = space();
  pc_error error = {0};
  (void)state;
  listed_count = 0;
  add(system, 2);
  int kept = listed_count;
  for (int again = 0; again < 2; again++) {
    pc_quantities_drop(&system->quantity, kept - 2);
    for (int i = kept - 2; i < kept; i++)
      assert_int_equal(pc_system_add_quantity(system, listed[i].name, "", listed[i].unit,
                                              listed[i].kind, listed[i].index),
                       PC_OK);
  }
  check_all(system);
  CHECK_OK(pc_system_freeze(system, &error), error);
  check_all(system);
  pc_system_destroy(system);
}

static void two_quantities_of_one_name_are_refused(void** state)
{
  pc_system* system = many_parts();
  pc_error error = {0};
  (void)state;
  assert_int_equal(pc_system_add_quantity(system, "p1", ".q", "m", PC_QUANTITY_OUTPUT, 0), PC_OK);
  assert_int_equal(pc_system_freeze(system, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "'p1.q'"));
  pc_system_destroy(system);
}

/* A part for each of x, y, z, qw, ... would take several times as much. */
static void a_body_takes_four_entries(void** state)
{
  pc_system* system = space();
  pc_spatial_body_def body = pc_default_spatial_body_def();
  pc_error error = {0};
  pc_part_id id;
  (void)state;
  body.name = "body";
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[4 * i] = 1;
  CHECK_OK(pc_add_spatial_body(system, &body, &id, &error), error);
  assert_int_equal(pc_system_quantity_count(system), 13);
  assert_int_equal(system->quantity.run_count, 4); /* positions, quaternion, velocities, spin */
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantities_are_found_by_number_and_name),
      cmocka_unit_test(quantities_that_were_dropped_leave_nothing_behind),
      cmocka_unit_test(two_quantities_of_one_name_are_refused),
      cmocka_unit_test(a_body_takes_four_entries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
