/* Many rows at once, and few that jam: against closed forms. */
#include "run.h"

#include <math.h>

enum { BOXES = 30 };

static int stages = 2;

static void choose_stages(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
}

/* Flat boxes on each other, two corners each: 120 rows for 90 velocities. All slide to the
 * right. */
static void write_stack(char* text, size_t size)
{
  size_t used = (size_t)snprintf(text, size, "percuss: 1\ngravity: [0, -9.81]\nbodies:\n");
  for (int i = 0; i < BOXES; i++)
    used +=
        (size_t)snprintf(text + used, size - used,
                         "  b%d: {mass: 1, inertia: 8, position: [0, %.9g], velocity: [0.02, 0]}\n",
                         i, 0.02 * i + 0.01);
  used += (size_t)snprintf(text + used, size - used, "contacts:\n");
  for (int i = 0; i < BOXES; i++)
    for (int c = 0; c < 2; c++) {
      char plane[64] = "point: [0, 0]";
      if (i > 0) snprintf(plane, sizeof plane, "part: b%d, point: [0, 0.01]", i - 1);
      used += (size_t)snprintf(text + used, size - used,
                               "  c%dx%d: {point: [b%d, [%d, -0.01]], plane: {%s, normal: [0, 1]}, "
                               "friction: %g}\n",
                               i, c, i, c ? 5 : -5, plane, i ? 0.4 : 0.05);
    }
  assert_true(used < size);
}

/* As one block it comes to a stop after v^2/(2 mu g), but for mu g dt^2/8 at most in the step in
 * which it stops, and the floor carries the weight of all. */
static void check_stack(const char* scheme)
{
  static char text[16384];
  write_stack(text, sizeof text);
  run r = open_text(text, scheme, 1e-3, NULL, choose_stages);
  run_until(&r, 0.06);
  CHECK_NEAR(value(&r, "b0.x"), 0.02 * 0.02 / (2 * 0.05 * 9.81), 0.05 * 9.81 * 1e-6 / 8);
  CHECK_NEAR(value(&r, "b29.x") - value(&r, "b0.x"), 0, 1e-11);
  CHECK_NEAR(value(&r, "b29.vx"), 0, 1e-9);
  CHECK_NEAR(value(&r, "c0x0.P_N") + value(&r, "c0x1.P_N"), BOXES * 9.81 * 1e-3, 1e-9);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.penetration_max < 1e-10);
  close_run(&r);
}

static void a_stack_slides_and_stops_as_one_block(void** state)
{
  (void)state;
  check_stack("rattle");
  stages = 3;
  check_stack("lobatto");
}

/* Painleve's rod: 1 kg and 1 m, sliding to the left at 1 m/s with mu = 2, where sliding admits no
 * finite force. It jams: an impact without a collision stops its tip at once. With the inertia
 * matrix of the tip that impulse is (0.3, 0.4) N s (P_N, P_F). */
static const char* const rod =
    "percuss: 1\n"
    "parameters: {l: 0.5, th: atan(2)}\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: 1, inertia: l^2/3, position: [l*cos(th), l*sin(th)], angle: th, velocity: [-1, "
    "0]}\n"
    "contacts:\n"
    "  tip: {point: [rod, [-l, 0]], plane: {point: [0, 0], normal: [0, 1]}, friction: 2}\n"
    "simulate: {scheme: rattle, dt: 1e-4, until: 1e-4}\n";

static void a_rod_that_slides_against_its_lean_jams(void** state)
{
  (void)state;
  for (double dt = 1e-3; dt > 0.5e-6; dt /= 10) {
    run r = open_text(rod, "rattle", dt, NULL, NULL);
    run_until(&r, dt);
    CHECK_NEAR(value(&r, "tip.P_N"), 0.3, 1e-9 + 20 * dt);
    CHECK_NEAR(value(&r, "tip.P_F"), 0.4, 1e-9 + 20 * dt);
    close_run(&r);
  }
}

/* A point mass that enters a right-angled corner at 45 degrees with friction 1. To rebound from
 * floor and wall it would have to slide off along both; friction then is as large as the normal
 * impulses, and floor and wall push against each other without end: P_wall - P_floor = 1.5 and
 * P_floor - P_wall = 1.5. The law without restitution has a solution: it stops. */
static const char* const corner =
    "percuss: 1\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  b: {mass: 1, inertia: 1, position: [0.0005, 0.0005], velocity: [-1, -1]}\n"
    "contacts:\n"
    "  floor: {point: [b, [0, 0]], plane: {point: [0, 0], normal: [0, 1]}, friction: 1, "
    "restitution: 0.5}\n"
    "  wall: {point: [b, [0, 0]], plane: {point: [0, 0], normal: [1, 0]}, friction: 1, "
    "restitution: 0.5}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n";

static void restitution_without_a_solution_is_left_out_and_counted(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau", "moreau-jean", "direct-projection",
                                        "combined-projection"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = open_text(corner, schemes[i], 1e-3, NULL, NULL);
    run_until(&r, 0.01);
    CHECK_NEAR(value(&r, "b.vx"), 0, 1e-12);
    CHECK_NEAR(value(&r, "b.vy"), 0, 1e-12);
    assert_int_equal(pc_sim_summary(r.sim).trouble.without_rebound, 1);
    close_run(&r);
  }
}

/* Under sweeps a ball without restitution touches the floor from the first step on; one that
 * rebounds is found later, and a third one behind it: both leave with half of their velocities. */
static const char* const late_rebound =
    "percuss: 1\n"
    "space: spatial\n"
    "gravity: [0, 0, 0]\n"
    "materials: {default: {restitution: 0.5}, dull: {friction: 0.1}}\n"
    "bodies:\n"
    "  a: {density: 100, material: dull, shape: {sphere: 0.1}, position: [0, 0, 0.1],\n"
    "      velocity: [0, 0, -1]}\n"
    "  b: {density: 100, shape: {sphere: 0.1}, position: [1, 0, 0.12], velocity: [0, 0, -2]}\n"
    "  c: {density: 100, shape: {sphere: 0.1}, position: [2, 0, 0.2], velocity: [0, 0, -3]}\n"
    "shapes: {floor: {half-space: [0, 0, 1]}}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n";

static void choose_sweeps(pc_scheme_settings* settings)
{
  settings->sweeps = 20;
}

static void sweeps_rebound_from_contacts_that_are_found_later(void** state)
{
  (void)state;
  static const char* const schemes[] = {"moreau-jean", "direct-projection", "combined-projection"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = open_text(late_rebound, schemes[i], 1e-3, NULL, choose_sweeps);
    run_until(&r, 0.05);
    CHECK_NEAR(value(&r, "a.vz"), 0, 1e-12);
    CHECK_NEAR(value(&r, "b.vz"), 1, 1e-12);
    CHECK_NEAR(value(&r, "c.vz"), 1.5, 1e-12);
    close_run(&r);
  }
}

/* Two links that hang on a pin and swing against a wall. */
static const char* const swing =
    "percuss: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.01, position: [0.1, 0]}\n"
    "  b: {mass: 1, inertia: 0.01, position: [0.3, 0]}\n"
    "joints:\n"
    "  pin: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
    "  hinge: {revolute: {bodies: [a, b], at: [0.2, 0]}}\n"
    "contacts:\n"
    "  tip: {point: [b, [0.1, 0]], plane: {point: [0.1, 0], normal: [1, 0]}, friction: 0.3}\n"
    "simulate: {scheme: direct-projection, dt: 1e-3, until: 1}\n";

/* Sweeps leave something of the velocities' laws; gaps are those of a projection all the same, and
 * what sweeps leave is counted. */
static void sweeps_with_projection_leave_no_gaps(void** state)
{
  (void)state;
  static const char* const schemes[] = {"direct-projection", "combined-projection"};
  static const char* const few[] = {"N", "27", NULL};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    run r = open_run("spheres-in-a-box", schemes[i], 0, few, choose_sweeps);
    run_until(&r, 0.3);
    pc_summary s = pc_sim_summary(r.sim);
    assert_true(s.contacts_active_max > 20);
    assert_true(s.penetration_max < 1e-9);
    assert_true(s.trouble.inaccurate > 10);
    close_run(&r);
    r = open_text(swing, schemes[i], 1e-3, NULL, choose_sweeps);
    run_until(&r, 1);
    s = pc_sim_summary(r.sim);
    assert_true(s.constraint_position_max < 1e-9);
    assert_true(s.penetration_max < 1e-9);
    assert_true(s.events_closed > 0);
    close_run(&r);
  }
}

/* Spheres in a row on a floor; the first one hits the others, and all move as one. What their
 * contacts have to do from then on is round-off: it is no reason to iterate. */
static const char* const row =
    "percuss: 1\n"
    "space: spatial\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {N: 100, r: 0.05}\n"
    "bodies:\n"
    "  ball(i): {repeat: {i: N}, mass: 1, inertia: [0.001, 0.001, 0.001], position: [2*r*i, 0, r], "
    "velocity: [step(-i), 0, 0]}\n"
    "contacts:\n"
    "  foot(i): {repeat: {i: N}, sphere: ball(i), radius: r, plane: {point: [0, 0, 0], normal: [0, "
    "0, 1]}, friction: 0}\n"
    "  pair(i): {repeat: {i: [1, N - 1]}, sphere: ball(i-1), radius: r, other: ball(i), "
    "other_radius: r, friction: 0}\n"
    "simulate: {scheme: rattle, dt: 1e-3, until: 0.02}\n";

static void a_row_of_spheres_moves_as_one_without_iterations(void** state)
{
  (void)state;
  run r = open_text(row, "rattle", 1e-3, NULL, NULL);
  run_until(&r, 0.02);
  pc_summary s = pc_sim_summary(r.sim);
  CHECK_NEAR(value(&r, "ball0.vx"), 0.01, 1e-10);
  CHECK_NEAR(value(&r, "ball99.vx"), 0.01, 1e-10);
  CHECK_NEAR(value(&r, "foot50.P_N"), 9.81e-3, 1e-10);
  assert_true(s.iterations_avg[0] + s.iterations_avg[1] < 0.5);
  assert_true(s.penetration_max < 1e-12);
  close_run(&r);
}

static void loose_solver(pc_scheme_settings* settings)
{
  settings->solver_tolerance = 1e-4;
}

static void loose_both(pc_scheme_settings* settings)
{
  settings->solver_tolerance = settings->tolerance = 1e-4;
}

/* The Newton loop asked for 1e-10 of what the contact solver leaves at 1e-4, and failed after 0.3
 * to 0.5 s. */
static void a_loose_contact_solver_does_not_keep_the_loop_from_its_end(void** state)
{
  (void)state;
  static const char* const few[] = {"N", "27", NULL};
  void (*const loose[])(pc_scheme_settings*) = {loose_solver, loose_both};
  for (int i = 0; i < 2; i++) {
    run r = open_run("spheres-in-a-box", "moreau-jean", 0, few, loose[i]);
    run_until(&r, 1);
    assert_int_equal(pc_sim_summary(r.sim).trouble.inaccurate, 0);
    close_run(&r);
  }
}

/* One pass a step where nothing opens or closes: it had been two, the first without contacts. */
static void what_rests_takes_one_pass_of_combined_projection(void** state)
{
  (void)state;
  run r = open_run("four-legged-table", "combined-projection", 0, NULL, NULL);
  run_until(&r, pc_model_until(r.model));
  assert_true(pc_sim_summary(r.sim).iterations_avg[3] < 1.05);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_slides_and_stops_as_one_block),
      cmocka_unit_test(a_rod_that_slides_against_its_lean_jams),
      cmocka_unit_test(a_row_of_spheres_moves_as_one_without_iterations),
      cmocka_unit_test(restitution_without_a_solution_is_left_out_and_counted),
      cmocka_unit_test(sweeps_rebound_from_contacts_that_are_found_later),
      cmocka_unit_test(sweeps_with_projection_leave_no_gaps),
      cmocka_unit_test(a_loose_contact_solver_does_not_keep_the_loop_from_its_end),
      cmocka_unit_test(what_rests_takes_one_pass_of_combined_projection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
