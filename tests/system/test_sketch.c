/* What a system looks like: features of joints, rods, springs and contacts, on the right parts. */
#include "check.h"
#include "percuss/elements.h"
#include "percuss/sketch.h"

static pc_error error;

/* A body on a pin, on a rod from the ground, that may touch a wall of its own and of the ground. */
static pc_system* mechanism(void)
{
  pc_system* s;
  pc_part_id arm, ball;
  pc_system_def plane = pc_default_system_def();
  CHECK_OK(pc_system_create(&plane, &s, &error), error);
  pc_body_def body = {.name = "arm", .mass = 1, .inertia = 1, .position = {2, 0}};
  CHECK_OK(pc_add_body(s, &body, &arm, &error), error);
  body = (pc_body_def){.name = "ball", .mass = 1, .inertia = 1, .position = {5, 1}};
  CHECK_OK(pc_add_body(s, &body, &ball, &error), error);
  pc_joint_def pin = pc_default_joint_def();
  pin.name = "pin";
  pin.part[0] = PC_GROUND;
  pin.part[1] = arm;
  pin.at[0] = 1;
  CHECK_OK(pc_add_revolute(s, &pin, &error), error);
  pc_disc_plane_def floor = pc_default_disc_plane_def();
  floor.law = (pc_contact_law){.name = "floor"};
  floor.centre = (pc_point){ball, {0.5, 0}};
  floor.radius = 0.25;
  floor.plane = (pc_plane){.part = PC_GROUND, .point = {0, -3}, .normal = {0, 2}};
  CHECK_OK(pc_add_disc_plane(s, &floor, &error), error);
  floor.law.name = "deck";
  floor.radius = 0;
  floor.plane.part = arm;
  CHECK_OK(pc_add_disc_plane(s, &floor, &error), error);
  CHECK_OK(pc_system_freeze(s, &error), error);
  return s;
}

static void joints_show_a_point_on_each_part(void** state)
{
  (void)state;
  pc_system* s = mechanism();
  pc_feature f;
  assert_true(pc_system_feature(s, 0, &f));
  assert_int_equal(f.kind, PC_FEATURE_JOINT);
  assert_string_equal(f.owner, "pin");
  assert_null(f.part);
  assert_int_equal(f.contact, -1);
  CHECK_NEAR(f.at[0], 1, 0);
  assert_true(pc_system_feature(s, 1, &f));
  assert_string_equal(f.part, "arm");
  CHECK_NEAR(f.at[0], -1, 0);
  pc_system_destroy(s);
}

static void contacts_show_shape_and_plane(void** state)
{
  (void)state;
  pc_system* s = mechanism();
  pc_feature shape, plane;
  for (int contact = 0; contact < 2; contact++) {
    assert_true(pc_system_feature(s, 2 + 2 * contact, &shape));
    assert_true(pc_system_feature(s, 3 + 2 * contact, &plane));
    assert_int_equal(shape.contact, contact);
    assert_int_equal(plane.contact, contact);
    assert_int_equal(shape.kind, contact ? PC_FEATURE_POINT : PC_FEATURE_SPHERE);
    assert_string_equal(shape.part, "ball");
    CHECK_NEAR(shape.at[0], 0.5, 0);
    CHECK_NEAR(shape.size[0], contact ? 0 : 0.25, 0);
    assert_int_equal(plane.kind, PC_FEATURE_PLANE);
    CHECK_NEAR(plane.at[1], -3, 0);
    CHECK_NEAR(plane.direction[1], 1, 0);
    if (contact)
      assert_string_equal(plane.part, "arm");
    else
      assert_null(plane.part);
  }
  assert_false(pc_system_feature(s, 6, &shape));
  assert_false(pc_system_feature(s, 1000, &shape));
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_show_a_point_on_each_part),
      cmocka_unit_test(contacts_show_shape_and_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
