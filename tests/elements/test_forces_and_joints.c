/* Bodies, forces and joints against closed forms. */
#include "scene.h"
#include "system/terms.h"

typedef struct fixture {
  pc_system* system;
  pc_terms* terms;
} fixture;

static fixture start(pc_system* s)
{
  pc_error error = {0};
  fixture f = {.system = s};
  CHECK_OK(pc_system_freeze(s, &error), error);
  CHECK_OK(pc_terms_create(s, PC_TERM_ALL, &f.terms, &error), error);
  return f;
}

static void stop(fixture* f)
{
  pc_terms_destroy(f->terms);
  pc_system_destroy(f->system);
}

static void evaluate(fixture* f, double t, const double* q, const double* u)
{
  pc_terms_evaluate(f->terms, &(pc_at){t, q, u, NULL});
}

static void body_has_weight_energies_and_names(void** state)
{
  (void)state;
  pc_system* s = make_system(2);
  make_body(s, "body", 1, 2, 3); /* 1.3 kg, 0.7 kg m^2 */
  fixture f = start(s);
  const double q[3] = {1, 2, 3}, u[3] = {4, 5, 6};
  evaluate(&f, 0, q, u);
  CHECK_NEAR(f.terms->h[0], 1.3 * 0.3, 1e-15);
  CHECK_NEAR(f.terms->h[1], -1.3 * 9.81, 1e-15);
  CHECK_NEAR(f.terms->h[2], 0, 0);
  CHECK_NEAR(f.terms->kinetic, (1.3 * (16 + 25) + 0.7 * 36) / 2, 1e-13);
  CHECK_NEAR(f.terms->potential, -1.3 * (0.3 * 1 - 9.81 * 2), 1e-13);
  static const char* const name[] = {"body.x",  "body.y",  "body.angle",
                                     "body.vx", "body.vy", "body.spin"};
  static const char* const unit[] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};
  for (int i = 0; i < 6; i++) {
    int index = pc_system_find_quantity(s, name[i]);
    assert_true(index >= 0);
    assert_string_equal(pc_system_quantity(s, index).unit, unit[i]);
    assert_int_equal(pc_system_quantity(s, index).index, i % 3);
  }
  stop(&f);
}

static void spring_force_acts_along_its_line(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(1);
  pc_spring_def def = pc_default_spring_def();
  def.name = "spring";
  def.point[0].at[0] = 1;
  def.point[1].part = make_mass(s, "mass", 3, 0, 0);
  def.stiffness = 10;
  def.damping = 2;
  def.length = 1.5;
  CHECK_OK(pc_add_spring(s, &def, &error), error);
  fixture f = start(s);
  double weight = 2.1 * 0.3;
  const double right[1] = {3}, left[1] = {-1}, u[1] = {0.7};
  evaluate(&f, 0, right, u);
  CHECK_NEAR(f.terms->h[0], weight - 10 * 0.5 - 2 * 0.7, 1e-14);
  CHECK_NEAR(f.terms->potential, 10 * 0.25 / 2 - weight * 3, 1e-14);
  evaluate(&f, 0, left, u); /* stretched the other way, and closing */
  CHECK_NEAR(f.terms->h[0], weight + 10 * 0.5 - 2 * 0.7, 1e-14);
  const double meet[1] = {1};
  evaluate(&f, 0, meet, u);
  assert_true(isfinite(f.terms->h[0]));
  stop(&f);
}

static void spring_takes_its_length_from_the_initial_configuration(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_spring_def def = pc_default_spring_def();
  def.name = "spring";
  def.point[0] = (pc_point){PC_GROUND, {-1, 0.5, 99}};
  def.point[1] = (pc_point){make_body(s, "body", 2, 1, 0.6), {0.3, 0.4, 77}};
  def.stiffness = 100;
  CHECK_OK(pc_add_spring(s, &def, &error), error);
  fixture f = start(s);
  const double u[3] = {0, 0, 0};
  evaluate(&f, 0, pc_system_q0(s), u);
  CHECK_NEAR(f.terms->h[0], 1.3 * 0.3, 1e-13);
  CHECK_NEAR(f.terms->h[2], 0, 1e-13);
  stop(&f);
}

static void internal_forces_keep_momentum_and_moment_of_momentum(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system_def flat = pc_default_system_def();
  pc_system* s;
  CHECK_OK(pc_system_create(&flat, &s, &error), error);
  pc_part_id a = make_body(s, "a", 0, 0, 0), b = make_body(s, "b", 1, 1, 0);
  pc_spring_def spring = pc_default_spring_def();
  spring.name = "spring";
  spring.point[0] = (pc_point){a, {0.1, 0.2, 0}};
  spring.point[1] = (pc_point){b, {-0.3, 0.4, 0}};
  spring.stiffness = 3;
  spring.damping = 2;
  spring.length = 0.5;
  CHECK_OK(pc_add_spring(s, &spring, &error), error);
  pc_rotational_spring_def twist = pc_default_rotational_spring_def();
  twist.name = "twist";
  twist.part[0] = a;
  twist.part[1] = b;
  twist.stiffness = 5;
  twist.damping = 1;
  CHECK_OK(pc_add_rotational_spring(s, &twist, &error), error);
  fixture f = start(s);
  const double q[6] = {0.2, 0.3, 0.4, 2, -1, 0.7}, u[6] = {1, -2, 3, 4, 5, -6};
  evaluate(&f, 0, q, u);
  const double* h = f.terms->h;
  CHECK_NEAR(h[0] + h[3], 0, 1e-14);
  CHECK_NEAR(h[1] + h[4], 0, 1e-14);
  CHECK_NEAR(h[2] + h[5] + q[0] * h[1] - q[1] * h[0] + q[3] * h[4] - q[4] * h[3], 0, 1e-13);
  stop(&f);
}

static double ramp(const void* user, double t)
{
  return *(const double*)user * t;
}

static void count_calls(void* user)
{
  ++*(int*)user;
}

static void applied_force_has_a_moment_and_follows_time(void** state)
{
  (void)state;
  static double rate = 4;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id body = make_body(s, "body", 0, 0, 0);
  pc_force_def def = pc_default_force_def();
  def.name = "push";
  def.point = (pc_point){body, {0.5, 0, 0}};
  def.force[0] = pc_constant_signal(7);
  def.force[1] = (pc_signal){.value = ramp, .user = &rate};
  CHECK_OK(pc_add_force(s, &def, &error), error);
  pc_torque_def torque = pc_default_torque_def();
  torque.name = "motor";
  torque.part = body;
  torque.torque[0] = pc_constant_signal(-2);
  CHECK_OK(pc_add_torque(s, &torque, &error), error);
  fixture f = start(s);
  double angle = 0.9;
  const double q[3] = {1, 2, angle}, u[3] = {0, 0, 0};
  evaluate(&f, 3, q, u);
  CHECK_NEAR(f.terms->h[0], 1.3 * 0.3 + 7, 1e-14);
  CHECK_NEAR(f.terms->h[1], -1.3 * 9.81 + 12, 1e-14);
  CHECK_NEAR(f.terms->h[2], 0.5 * (cos(angle) * 12 - sin(angle) * 7) - 2, 1e-14);
  stop(&f);
}

static void signals_are_released_once_with_the_system(void** state)
{
  (void)state;
  pc_error error = {0};
  int calls = 0;
  pc_signal counted = {.constant = 1, .user = &calls, .destroy = count_calls};
  pc_system* s = make_system(2);
  pc_part_id body = make_body(s, "body", 0, 0, 0);
  pc_force_def force = pc_default_force_def();
  force.name = "push";
  force.point.part = body;
  force.force[0] = force.force[1] = counted;
  CHECK_OK(pc_add_force(s, &force, &error), error);
  pc_torque_def torque = pc_default_torque_def();
  torque.name = "motor";
  torque.part = body;
  torque.torque[0] = counted;
  CHECK_OK(pc_add_torque(s, &torque, &error), error);
  assert_int_equal(calls, 0);
  pc_system_destroy(s);
  assert_int_equal(calls, 3);
}

/* All joints hold in the configuration in which they were added, whatever the parts' angles. */
static void joints_hold_in_the_initial_configuration(void** state)
{
  (void)state;
  static pc_status (*const add[])(pc_system*, const pc_joint_def*, pc_joint_id*, pc_error*) = {
      pc_add_revolute, pc_add_prismatic, pc_add_fixed};
  for (int swap = 0; swap < 3; swap++) {
    pc_error error = {0};
    pc_system* s = make_system(2);
    pc_part_id a = make_body(s, "a", 1, 2, 0.7), b = make_body(s, "b", -1, 0.5, -2.1);
    pc_joint_def def = pc_default_joint_def();
    def.part[0] = swap == 2 ? PC_GROUND : swap ? b : a;
    def.part[1] = swap ? a : b;
    def.at[0] = 0.3;
    def.at[1] = -0.8;
    def.axis[0] = 2;
    def.axis[1] = 3;
    static const char* const name[] = {"revolute", "prismatic", "fixed"};
    for (int k = 0; k < 3; k++) {
      def.name = name[k];
      CHECK_OK(add[k](s, &def, NULL, &error), error);
    }
    fixture f = start(s);
    assert_int_equal(pc_system_g_count(s), 7);
    evaluate(&f, 0, pc_system_q0(s), pc_system_u0(s));
    for (int r = 0; r < 7; r++) CHECK_NEAR(f.terms->y[r], 0, 1e-15);
    int angle = pc_system_find_quantity(s, "fixed.position.3");
    assert_string_equal(pc_system_quantity(s, angle).unit, "rad");
    stop(&f);
  }
}

static void prismatic_joint_lets_slide_along_its_axis_only(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_joint_def def = pc_default_joint_def();
  def.name = "guide";
  def.part[1] = make_body(s, "slider", 1, 1, 0.4);
  def.at[0] = def.at[1] = 1;
  def.axis[0] = 3;
  def.axis[1] = 4;
  CHECK_OK(pc_add_prismatic(s, &def, NULL, &error), error);
  fixture f = start(s);
  const double q[3] = {1 + 0.6 * 5, 1 + 0.8 * 5, 0.4}, u[3] = {0.6, 0.8, 0};
  evaluate(&f, 0, q, u);
  for (int r = 0; r < 2; r++) {
    CHECK_NEAR(f.terms->y[r], 0, 1e-15);
    CHECK_NEAR(pc_terms_row_velocity(f.terms, r, u), 0, 1e-15);
  }
  const double off[3] = {1 - 0.8, 1 + 0.6, 0.5};
  evaluate(&f, 0, off, u);
  CHECK_NEAR(f.terms->y[0], 1, 1e-15);
  CHECK_NEAR(f.terms->y[1], 0.1, 1e-15);
  stop(&f);
}

static void distance_joint_measures_a_length(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(3);
  pc_distance_def def = pc_default_distance_def();
  def.name = "rod";
  def.point[1].part = make_mass(s, "bob", 1, 2, 2);
  CHECK_OK(pc_add_distance(s, &def, NULL, &error), error);
  def.name = "longer";
  def.length = 3.5;
  CHECK_OK(pc_add_distance(s, &def, NULL, &error), error);
  fixture f = start(s);
  const double q[3] = {2, 3, 6}, u[3] = {1, 0, 0};
  evaluate(&f, 0, q, u);
  CHECK_NEAR(f.terms->y[0], 7 - 3, 1e-15);
  CHECK_NEAR(f.terms->y[1], 7 - 3.5, 1e-15);
  CHECK_NEAR(pc_terms_row_velocity(f.terms, 0, u), 2.0 / 7, 1e-15);
  CHECK_NEAR(f.terms->zeta[0], (1 - 4.0 / 49) / 7, 1e-15); /* v_perpendicular^2 / length */
  stop(&f);
}

/* A floor under a body; with a stiffness it is a force and no contact. */
static pc_contact_id add_floor(pc_system* s, const char* name, pc_part_id body, double stiffness)
{
  pc_error error = {0};
  pc_disc_plane_def def = pc_default_disc_plane_def();
  def.law.name = name;
  def.law.mu = 0.3;
  def.law.compliance = (pc_compliance){.stiffness = stiffness, .exponent = 1, .slip_speed = 1e-3};
  def.centre.part = body;
  def.radius = 0.1;
  def.plane.normal[1] = 1;
  pc_contact_id id = {-2};
  CHECK_OK(pc_add_disc_plane(s, &def, &id, &error), error);
  return id;
}

/* Ids come from the functions that add, or by name, and lead to names and rows. */
static void joints_and_contacts_have_ids(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_system* s = make_system(2);
  pc_part_id a = make_body(s, "a", 1, 2, 0.7), b = make_body(s, "b", -1, 0.5, -2.1);
  pc_joint_id pin = {-2}, weld = {-2}, found = {-2};
  pc_joint_def def = pc_default_joint_def();
  def.part[0] = PC_GROUND;
  def.part[1] = a;
  def.name = "pin";
  CHECK_OK(pc_add_revolute(s, &def, &pin, &error), error);
  assert_int_equal(add_floor(s, "first", a, 0).index, 0);
  assert_int_equal(add_floor(s, "soft", b, 1e4).index, -1);
  pc_contact_id second = add_floor(s, "second", b, 0), touching = {-2};
  def.part[1] = b;
  def.name = "weld";
  CHECK_OK(pc_add_fixed(s, &def, &weld, &error), error);
  CHECK_OK(pc_system_freeze(s, &error), error);

  pc_joint_info info = pc_system_joint(s, weld);
  assert_string_equal(info.name, "weld");
  assert_string_equal(info.kind, "fixed");
  assert_int_equal(info.g_row, 2);
  assert_int_equal(info.g_count, 3);
  assert_int_equal(info.gamma_count, 0);
  assert_int_equal(pc_system_joint(s, pin).g_row, 0);
  CHECK_OK(pc_system_find_joint(s, "weld", &found, &error), error);
  assert_int_equal(found.index, weld.index);
  assert_string_equal(pc_system_contact(s, second.index).name, "second");
  CHECK_OK(pc_system_find_contact(s, "second", &touching, &error), error);
  assert_int_equal(touching.index, second.index);
  assert_int_equal(pc_system_find_joint(s, "first", &found, &error), PC_BAD_ARGUMENT);
  assert_int_equal(pc_system_find_contact(s, "soft", &touching, &error), PC_BAD_ARGUMENT);
  pc_system_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_and_contacts_have_ids),
      cmocka_unit_test(body_has_weight_energies_and_names),
      cmocka_unit_test(spring_force_acts_along_its_line),
      cmocka_unit_test(spring_takes_its_length_from_the_initial_configuration),
      cmocka_unit_test(internal_forces_keep_momentum_and_moment_of_momentum),
      cmocka_unit_test(applied_force_has_a_moment_and_follows_time),
      cmocka_unit_test(signals_are_released_once_with_the_system),
      cmocka_unit_test(joints_hold_in_the_initial_configuration),
      cmocka_unit_test(prismatic_joint_lets_slide_along_its_axis_only),
      cmocka_unit_test(distance_joint_measures_a_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
