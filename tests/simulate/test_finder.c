/* When a step has to be computed again, for contacts that were not looked for. */
#include "simulate/finder.h"

#include "check.h"
#include "percuss/percuss.h"

static pc_error error;

/* A disc of radius 0.1 m over a floor, with a gap of 0.01 m and at rest, without gravity: there is
 * no contact to find. */
static pc_system* disc_over_floor(void)
{
  pc_system* system;
  pc_system_def def = pc_default_system_def();
  pc_geometry_def disc = {.kind = PC_GEOMETRY_DISC, .radius = 0.1},
                  floor = {.kind = PC_GEOMETRY_HALF_PLANE};
  pc_body_def body = pc_default_body_def();
  body.name = "disc";
  body.mass = body.inertia = 1;
  body.position[1] = 0.11;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_part_id part;
  pc_material material = pc_default_material();
  pc_material_id stone;
  CHECK_OK(pc_add_material(system, "stone", &material, &stone, &error), error);
  CHECK_OK(pc_add_body(system, &body, &part, &error), error);
  const pc_geometry_def* shapes[] = {&disc, &floor};
  for (int i = 0; i < 2; i++) {
    pc_geometry* geometry;
    pc_collider_def shape = pc_default_collider_def();
    CHECK_OK(pc_geometry_create(shapes[i], &geometry, &error), error);
    CHECK_OK(pc_add_geometry(system, geometry, &shape.geometry, &error), error);
    shape.name = i == 0 ? "round" : "floor";
    shape.material = stone;
    if (i == 0) shape.part = part;
    CHECK_OK(pc_add_collider(system, &shape, NULL, &error), error);
  }
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

/* Whether a step of 10 ms that ends at the height y, at twice the mean speed, is to be computed
 * again under a scheme that chooses contacts so. */
static int misses(pc_system* system, pc_choice choice, double y)
{
  const double q[3] = {0, 0.11, 0}, u[3] = {0}, q_end[3] = {0, y, 0},
               u_end[3] = {0, 2 * (y - 0.11) / 0.01, 0};
  const pc_finder_step step = {q, u, q_end, u_end, 0.01};
  pc_scheme_settings settings = pc_default_scheme_settings();
  pc_finder* finder;
  int missed;
  CHECK_OK(pc_finder_create(system, &settings, &finder, &error), error);
  finder->choice = choice;
  CHECK_OK(pc_finder_find(finder, q, u, 0.01, &error), error);
  assert_int_equal(pc_system_contact_count(finder->system), 0);
  CHECK_OK(pc_finder_misses(finder, &step, &missed, &error), error);
  assert_int_equal(pc_system_contact_count(finder->system), missed); /* now it has it */
  pc_finder_destroy(finder);
  return missed;
}

/* The disc is made fast by the step and comes near the floor, into it or through it. */
static void a_step_is_repeated_where_what_it_met_has_a_part_in_it(void** state)
{
  (void)state;
  pc_system* system = disc_over_floor();
  const double near = 0.104, into = 0.0999, through = -0.3;
  assert_true(misses(system, PC_CHOOSES_WITHIN, near));
  assert_true(misses(system, PC_CHOOSES_WITHIN, into));
  assert_false(misses(system, PC_CHOOSES_AT_END, near));
  assert_true(misses(system, PC_CHOOSES_AT_END, into));
  assert_true(misses(system, PC_CHOOSES_AT_END, through));
  assert_false(misses(system, PC_CHOOSES_AT_START, near));
  assert_false(misses(system, PC_CHOOSES_AT_START, into));
  assert_true(misses(system, PC_CHOOSES_AT_START, through));
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_repeated_where_what_it_met_has_a_part_in_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
