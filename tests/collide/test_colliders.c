/* Shapes and materials on the parts of a system, by the public interface alone. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "percuss/percuss.h"

static pc_error error;

typedef struct chain {
  pc_system* system;
  pc_part_id body[3];
  int collider[4]; /* one on each body, and the floor */
} chain;

static pc_geometry_id add_geometry(pc_system* system, const pc_geometry_def* def)
{
  pc_geometry* geometry;
  pc_geometry_id id;
  CHECK_OK(pc_geometry_create(def, &geometry, &error), error);
  CHECK_OK(pc_add_geometry(system, geometry, &id, &error), error);
  return id;
}

/* Three boxes in a row, the first two hinged to each other, above a floor. */
static chain open_chain(void)
{
  chain c = {0};
  pc_system_def def = pc_default_system_def();
  CHECK_OK(pc_system_create(&def, &c.system, &error), error);
  const char* const name[3] = {"a", "b", "c"};
  pc_geometry_id box =
      add_geometry(c.system, &(pc_geometry_def){.kind = PC_GEOMETRY_RECTANGLE, .size = {1, 0.5}});
  pc_geometry_id floor = add_geometry(c.system, &(pc_geometry_def){.kind = PC_GEOMETRY_HALF_PLANE});
  pc_material_id wood, ice;
  CHECK_OK(pc_add_material(c.system, "wood", &(pc_material){.mu = 0.4, .e_N = 0.5, .e_above = 2},
                           &wood, &error),
           error);
  CHECK_OK(pc_add_material(c.system, "ice", &(pc_material){.mu = 0.1, .e_N = 0.2, .e_above = 1},
                           &ice, &error),
           error);
  for (int i = 0; i < 3; i++) {
    pc_body_def body = pc_default_body_def();
    body.name = name[i];
    body.position[0] = i;
    body.position[1] = 2;
    CHECK_OK(pc_add_body(c.system, &body, &c.body[i], &error), error);
    pc_collider_def shape = pc_default_collider_def();
    shape.name = name[i];
    shape.part = c.body[i];
    shape.geometry = box;
    shape.material = wood;
    shape.pose = pc_pose_in_plane(0, 0.25, 0);
    CHECK_OK(pc_add_collider(c.system, &shape, &c.collider[i], &error), error);
  }
  pc_collider_def ground = pc_default_collider_def();
  ground.name = "floor";
  ground.geometry = floor;
  ground.material = ice;
  CHECK_OK(pc_add_collider(c.system, &ground, &c.collider[3], &error), error);
  pc_joint_def hinge = pc_default_joint_def();
  hinge.name = "hinge";
  hinge.part[0] = c.body[0];
  hinge.part[1] = c.body[1];
  hinge.at[0] = 0.5;
  hinge.at[1] = 2;
  CHECK_OK(pc_add_revolute(c.system, &hinge, NULL, &error), error);
  return c;
}

static void jointed_bodies_do_not_meet_unless_told(void** state)
{
  (void)state;
  for (int told = 0; told < 2; told++) {
    chain c = open_chain();
    if (told) CHECK_OK(pc_allow_parts(c.system, c.body[1], c.body[0], &error), error);
    CHECK_OK(pc_system_freeze(c.system, &error), error);
    assert_int_equal(pc_system_colliders_meet(c.system, 0, 1), told);
    assert_int_equal(pc_system_colliders_meet(c.system, 1, 2), 1);
    assert_int_equal(pc_system_colliders_meet(c.system, 0, 3), 1);
    pc_system_destroy(c.system);
  }
}

static void excluded_parts_do_not_meet(void** state)
{
  (void)state;
  chain c = open_chain();
  CHECK_OK(pc_exclude_parts(c.system, c.body[2], PC_GROUND, &error), error);
  CHECK_OK(pc_exclude_parts(c.system, c.body[2], c.body[1], &error), error);
  CHECK_OK(pc_system_freeze(c.system, &error), error);
  assert_int_equal(pc_system_colliders_meet(c.system, 2, 3), 0);
  assert_int_equal(pc_system_colliders_meet(c.system, 2, 1), 0);
  assert_int_equal(pc_system_colliders_meet(c.system, 2, 0), 1);
  assert_int_equal(pc_system_colliders_meet(c.system, 0, 3), 1);
  pc_system_destroy(c.system);
}

static void a_collider_can_be_looked_at(void** state)
{
  (void)state;
  chain c = open_chain();
  CHECK_OK(pc_system_freeze(c.system, &error), error);
  assert_int_equal(pc_system_collider_count(c.system), 4);
  pc_collider_info info = pc_system_collider(c.system, 1);
  assert_int_equal(strcmp(info.name, "b"), 0);
  assert_int_equal(info.part.index, c.body[1].index);
  pc_geometry_info box = pc_geometry_describe(info.geometry);
  assert_int_equal(box.kind, PC_GEOMETRY_RECTANGLE);
  CHECK_NEAR(box.size[0], 1, 0);
  CHECK_NEAR(box.size[1], 0.5, 0);
  assert_int_equal(box.corner_count, 4);
  assert_int_equal(box.face_count, 4);
  assert_int_equal(pc_system_collider(c.system, 3).part.index, -1);
  CHECK_NEAR(pc_system_collider_law(c.system, 1, 3).mu, 0.2, 1e-15); /* sqrt(0.4 0.1) */
  CHECK_NEAR(pc_system_collider_law(c.system, 1, 3).e_N, 0.2, 0);
  pc_pose pose = pc_collider_pose(c.system, 1, pc_system_q0(c.system));
  CHECK_NEAR(pose.x[0], 1, 0);
  CHECK_NEAR(pose.x[1], 2.25, 0);
  pc_system_destroy(c.system);
}

static void bad_colliders_are_refused_with_their_names(void** state)
{
  (void)state;
  chain c = open_chain();
  pc_collider_def shape = pc_default_collider_def();
  shape.name = "plate";
  shape.geometry.index = 1; /* the half-plane */
  shape.part = c.body[0];
  assert_int_equal(pc_add_collider(c.system, &shape, NULL, &error), PC_BAD_MODEL);
  assert_int_equal(strstr(error.text, "plate") && strstr(error.text, "cannot move"), 1);
  shape.part = PC_GROUND;
  shape.geometry.index = 7;
  assert_int_equal(pc_add_collider(c.system, &shape, NULL, &error), PC_BAD_ARGUMENT);
  shape.geometry.index = 0;
  shape.material.index = 2;
  assert_int_equal(pc_add_collider(c.system, &shape, NULL, &error), PC_BAD_ARGUMENT);
  CHECK_OK(pc_system_freeze(c.system, &error), error);
  shape = pc_default_collider_def();
  assert_int_equal(pc_add_collider(c.system, &shape, NULL, &error), PC_BAD_ARGUMENT);
  assert_int_equal(strstr(error.text, "frozen") != NULL, 1);
  pc_system_destroy(c.system);
}

static void a_line_has_no_shapes(void** state)
{
  (void)state;
  pc_system* system;
  pc_system_def def = {.dimension = 1};
  pc_material_id id;
  pc_material material = pc_default_material();
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  assert_int_equal(pc_add_material(system, "steel", &material, &id, NULL), PC_BAD_MODEL);
  assert_int_equal(pc_system_collider_count(system), 0);
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jointed_bodies_do_not_meet_unless_told),
      cmocka_unit_test(excluded_parts_do_not_meet),
      cmocka_unit_test(a_collider_can_be_looked_at),
      cmocka_unit_test(bad_colliders_are_refused_with_their_names),
      cmocka_unit_test(a_line_has_no_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
