/* Single numbers of the books of a run, by hand. */
#include "run.h"

/* A constant force on a mass: its work is what the mass gains, whatever the scheme. */
static void work_is_taken_with_the_mean_velocity(void** state)
{
  (void)state;
  for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
    run r = open_text(
        "percuss: 1\ncoordinates: {x: {value: 0, velocity: 1}}\nkinetic: x'^2\nforces: {x: 6}\n",
        *scheme, 0.1, NULL, NULL);
    for (int k = 0; k < 3; k++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    pc_summary s = pc_sim_summary(r.sim);
    double u = pc_sim_observation(r.sim)->state->u[0];
    int is_late =
        !strcmp(*scheme, "schatzman-paoli"); /* its velocities are those half a step ago */
    CHECK_NEAR(u, 1 + (is_late ? 0.25 : 0.3) * 3, 1e-12);
    /* half a step is missing: 0.3 J (1 + 2 x 1.15 + 2 x 1.45 + 1.75) */
    CHECK_NEAR(s.balance.work, is_late ? 2.385 : u * u - 1, 1e-12);
    if (!is_late) CHECK_NEAR(s.balance.scheme, 0, 1e-12);
    close_run(&r);
  }
}

/* A ball and a floor that are found: the impact takes (1 - e^2) m v^2/2. */
static void a_contact_that_is_found_takes_its_share(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nmaterials: {default: {restitution: 0.5}}\n"
      "bodies: {ball: {mass: 2, inertia: 1, shape: {disc: 0.1}, position: [0, 0.105],\n"
      "  velocity: [0, -3]}}\nshapes: {floor: {half-plane: [0, 1]}}\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 0.02);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(s.energy_final, 0.25 * s.energy_initial, 1e-9);
  CHECK_NEAR(s.balance.impact, 0.75 * 9, 1e-9);
  close_run(&r);
}

/* A box that slides obliquely: friction takes what it loses, by both directions of the slip. */
static void friction_of_contacts_that_are_found_is_counted(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "materials: {default: {friction: 0.3}}\n"
      "bodies: {crate: {mass: 2, inertia: [0.1, 0.1, 0.1], shape: {box: [0.2, 0.2, 0.1]},\n"
      "  position: [0, 0, 0.05], velocity: [1, 2, 0]}}\n"
      "shapes: {floor: {half-space: [0, 0, 1]}}\n",
      "moreau-jean", 1e-3, NULL, NULL);
  run_until(&r, 0.05);
  pc_summary s = pc_sim_summary(r.sim);
  double speed = sqrt(5) - 0.3 * 10 * 0.05;
  CHECK_NEAR(s.balance.friction, 5 - speed * speed, 1e-9);
  CHECK_NEAR(s.balance.scheme, 0, 1e-9);
  close_run(&r);
}

/* Contensou friction resists the spin of a ball about the normal: the contact tells that impulse,
 * too. */
static void a_contact_that_is_found_tells_its_spin(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "materials: {default: {friction: 0.3, contact_radius: 0.02}}\n"
      "bodies: {ball: {mass: 2, inertia: [0.02, 0.02, 0.02], shape: {sphere: 0.1},\n"
      "  position: [0, 0, 0.1], angular_velocity: [0, 0, 5]}}\n"
      "shapes: {floor: {half-space: [0, 0, 1]}}\n",
      "moreau-jean", 1e-3, NULL, NULL);
  double before = pc_sim_observation(r.sim)->state->u[5];
  for (int k = 0; k < 5; k++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const pc_observation* seen = pc_sim_observation(r.sim);
    assert_int_equal(seen->found->count, 1);
    double w = seen->state->u[5], spin = seen->found->contact[0].spin;
    assert_true(w < before);
    /* the row is a length times the spin: the same length in every step */
    CHECK_NEAR(fabs(spin) * 3 * 3.14159265358979324 / 16 * 0.02, 0.02 * (before - w), 1e-12);
    before = w;
  }
  close_run(&r);
}

static void violations_are_listed_by_their_laws(void** state)
{
  (void)state;
  run r = open_run("pendulum", "moreau-jean", 0, NULL, NULL);
  run_until(&r, 0.01);
  const pc_observation* seen = pc_sim_observation(r.sim);
  int g = pc_system_g_count(seen->system);
  assert_true(g > 0);
  for (int i = 0; i < g; i++) {
    assert_int_equal(seen->violation[i].law, PC_VIOLATED_POSITION);
    assert_int_equal(seen->violation[g + i].law, PC_VIOLATED_VELOCITY);
  }
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_is_taken_with_the_mean_velocity),
      cmocka_unit_test(a_contact_that_is_found_takes_its_share),
      cmocka_unit_test(friction_of_contacts_that_are_found_is_counted),
      cmocka_unit_test(a_contact_that_is_found_tells_its_spin),
      cmocka_unit_test(violations_are_listed_by_their_laws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
