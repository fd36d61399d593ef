/* The unit of mass is nobody's business: no force here but weight, springs and friction, all in
 * proportion to m, so that a motion does not depend on it. The tolerance is a momentum and does. */
#include "run.h"

#include <math.h>
#include <stdlib.h>

static const char* const spring =
    "percuss: 1\n"
    "space: line\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  ball: {kind: point, mass: m, position: 1}\n"
    "forces:\n"
    "  s: {spring: {points: [ground, ball], stiffness: 100*m, "
    "length: 0}}\n"
    "simulate: {scheme: rattle, dt: 1e-3, until: 1}\n";

/* Two rods whose end hits a floor. */
static const char* const rods =
    "percuss: 1\n"
    "parameters: {m: 1}\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: m, inertia: m/12, position: [0.5, 0]}\n"
    "  b: {mass: m, inertia: m/12, position: [1.5, 0]}\n"
    "joints:\n"
    "  p: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
    "  q: {revolute: {bodies: [a, b], at: [1, 0]}}\n"
    "contacts:\n"
    "  floor: {point: [b, [0.5, 0]], plane: {point: [0, -1.2], normal: [0, 1]}, friction: 0.3,\n"
    "          restitution: 0.3}\n"
    "simulate: {scheme: rattle, dt: 2e-3, until: 1.5}\n";

/* The same rods with a length of m metres, and weights that let them fall alike. */
static const char* const short_and_long_rods =
    "percuss: 1\n"
    "parameters: {m: 1}\n"
    "gravity: [0, -9.81*m]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: m^2/12, position: [0.5*m, 0]}\n"
    "  b: {mass: 1, inertia: m^2/12, position: [1.5*m, 0]}\n"
    "joints:\n"
    "  p: {revolute: {bodies: [ground, a], at: [0, 0]}}\n"
    "  q: {revolute: {bodies: [a, b], at: [m, 0]}}\n"
    "contacts:\n"
    "  floor: {point: [b, [0.5*m, 0]], plane: {point: [0, -1.2*m], normal: [0, 1]}, friction: "
    "0.3,\n"
    "          restitution: 0.3}\n"
    "simulate: {scheme: rattle, dt: 2e-3, until: 1.5}\n";

/* Two beads on a thread of m metres, one of which is thrown at a floor. No angles: the metric
 * identity has one unit. */
static const char* const short_and_long_threads =
    "percuss: 1\n"
    "parameters: {m: 1}\n"
    "gravity: [0, -9.81*m]\n"
    "bodies:\n"
    "  a: {kind: point, mass: 1, position: [0, 0]}\n"
    "  b: {kind: point, mass: 2, position: [m, 0], velocity: [0, -m]}\n"
    "joints:\n"
    "  rod: {distance: {points: [a, b]}}\n"
    "contacts:\n"
    "  fa: {point: a, plane: {point: [0, -0.4*m], normal: [0.1, 1]}, friction: 0.3,\n"
    "       restitution: 0.3}\n"
    "  fb: {point: b, plane: {point: [0, -0.4*m], normal: [0.1, 1]}, friction: 0.3,\n"
    "       restitution: 0.3}\n"
    "simulate: {scheme: rattle, dt: 2e-3, until: 0.6}\n";

/* A bead m metres from the origin and half a tenth of a nanometre above a floor, on its way down,
 * for one step. */
static const char* const bead =
    "percuss: 1\n"
    "space: line\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  ball: {kind: point, mass: 1, position: m, velocity: -m}\n"
    "contacts:\n"
    "  floor: {gap: ball.x - m + 5e-11, restitution: 1}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-2, until: 1e-2}\n";

/* A bead that is half a ten-thousandth of m metres above a floor after one step. */
static const char* const falling_bead =
    "percuss: 1\n"
    "space: line\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  ball: {kind: point, mass: 1, position: m, velocity: -m}\n"
    "contacts:\n"
    "  floor: {gap: ball.x - 0.98995*m, restitution: 1}\n"
    "simulate: {scheme: rattle, dt: 1e-2, until: 1e-2}\n";

/* A body without symmetries about a fixed point. */
static const char* const top =
    "percuss: 1\n"
    "space: spatial\n"
    "parameters: {m: 1}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: m, inertia: [0.05*m, 0.08*m, 0.06*m, 0.01*m, -0.008*m, 0.012*m],\n"
    "      position: [0.3, 0, 0.1], angular_velocity: [1, 5, -3], velocity: [0.5, 1, -1.5]}\n"
    "joints:\n"
    "  p: {spherical: {bodies: [ground, a], at: [0, 0, 0]}}\n"
    "simulate: {scheme: rattle, dt: 2e-3, until: 1}\n";

/* An elephant and a pea in one system: each is measured by its own mass. */
static const char* const unequal =
    "percuss: 1\n"
    "space: line\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  ball: {kind: point, mass: m, position: 1}\n"
    "  other: {kind: point, mass: 1, position: -1, velocity: 10}\n"
    "  heavy: {kind: point, mass: 1e7, position: -1, velocity: 10}\n"
    "forces:\n"
    "  s: {spring: {points: [ground, ball], stiffness: 100*m, length: 0}}\n"
    "simulate: {scheme: rattle, dt: 1e-3, until: 1}\n";

/* A body of m metres, with the density of water, that tumbles. */
static const char* const tumbler =
    "percuss: 1\n"
    "space: spatial\n"
    "parameters: {m: 1, M: 1000*m^3, I: M*m^2/100}\n"
    "bodies:\n"
    "  a: {mass: M, inertia: [5*I, 8*I, 6*I, I, -I, I], angular_velocity: [1, 15, -13]}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-2, until: 2}\n";

/* A box of a tonne on one of a milligram. */
static const char* const boxes =
    "percuss: 1\n"
    "parameters: {m: 1}\n"
    "gravity: [0.3, -9.81]\n"
    "bodies:\n"
    "  low: {mass: m*1e-6, inertia: m*1e-6/6, position: [0, 0.5]}\n"
    "  top: {mass: m*1e3, inertia: m*1e3/6, position: [0, 1.5]}\n"
    "contacts:\n"
    "  a: {point: [low, [-0.4, -0.5]], plane: {point: [0, 0], normal: [0, 1]}, friction: 0.5}\n"
    "  b: {point: [low, [0.4, -0.5]], plane: {point: [0, 0], normal: [0, 1]}, friction: 0.5}\n"
    "  c: {point: [top, [-0.4, -0.5]], plane: {part: low, point: [0, 0.5], normal: [0, 1]},\n"
    "      friction: 0.5}\n"
    "  d: {point: [top, [0.4, -0.5]], plane: {part: low, point: [0, 0.5], normal: [0, 1]},\n"
    "      friction: 0.5}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.1}\n";

/* A block that slides down a slope, m metres from the origin. */
static const char* const slide =
    "percuss: 1\n"
    "parameters: {m: 0, a: 0.3}\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  b: {mass: 1, inertia: 0.1, position: [m - 0.3*sin(a), m + 0.3*cos(a)], angle: a}\n"
    "contacts:\n"
    "  l: {point: [b, [-0.2, -0.3]], plane: {point: [m, m], normal: [-sin(a), cos(a)]},\n"
    "      friction: 0.1}\n"
    "  r: {point: [b, [0.2, -0.3]], plane: {point: [m, m], normal: [-sin(a), cos(a)]},\n"
    "      friction: 0.1}\n"
    "simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n";

/* A ball that air brakes within a step or two, and a stone that flies by. */
static const char* const drag =
    "percuss: 1\n"
    "space: line\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  stone: {kind: point, mass: 1e7, position: -1, velocity: 10}\n"
    "coordinates:\n"
    "  x: {value: 0, velocity: 30}\n"
    "kinetic: m*x'^2/2\n"
    "forces:\n"
    "  x: -m*x'^3/2\n"
    "simulate: {scheme: moreau-jean, dt: 1e-2, until: 1}\n";

/* With a setting of the scheme besides; NULL for none. */
static double end_with(const char* text, const char* scheme, int stages, const char* key,
                       const char* setting, const char* mass, const char* quantity)
{
  run r = {0};
  pc_override override = {"m", mass};
  CHECK_OK(pc_model_read_text(text, strlen(text), &override, 1, &r.model, &r.error), r.error);
  pc_sim_def def = {pc_model_system(r.model), scheme, pc_model_settings(r.model)};
  def.settings.variational.stages = stages;
  if (key) CHECK_OK(pc_set_setting(&def.settings, key, setting, &r.error), r.error);
  CHECK_OK(pc_sim_create(&def, &r.sim, &r.error), r.error);
  run_until(&r, pc_model_until(r.model));
  double end = value(&r, quantity);
  close_run(&r);
  return end;
}

static double end_of(const char* text, const char* scheme, int stages, const char* mass,
                     const char* quantity)
{
  return end_with(text, scheme, stages, NULL, NULL, mass, quantity);
}

static const char* const masses[] = {"1e-12", "1e-9", "1e-6", "1e-3", "1e3", "1e6", "1e9"};
enum { MASS_COUNT = sizeof masses / sizeof *masses };

static void compare(const char* text, const char* scheme, int stages, const char* quantity,
                    double tolerance)
{
  double expected = end_of(text, scheme, stages, "1", quantity);
  for (int i = 0; i < MASS_COUNT; i++)
    CHECK_NEAR(end_of(text, scheme, stages, masses[i], quantity), expected, tolerance);
}

static void compare_with(const char* text, const char* scheme, const char* key, const char* setting,
                         const char* quantity, double tolerance)
{
  double expected = end_with(text, scheme, 2, key, setting, "1", quantity);
  for (int i = 0; i < MASS_COUNT; i++)
    CHECK_NEAR(end_with(text, scheme, 2, key, setting, masses[i], quantity), expected, tolerance);
}

static void light_and_heavy_balls_swing_alike(void** state)
{
  (void)state;
  compare(spring, "rattle", 2, "ball.x", 1e-12);
  for (int stages = 2; stages <= 5; stages++) compare(spring, "lobatto", stages, "ball.x", 1e-12);
  CHECK_NEAR(end_of(spring, "lobatto", 4, "1e-10", "ball.x"), cos(10), 1e-13);
}

/* Tolerances are what 1e-10 N s leave of 1 kg in so many steps. */
static void light_and_heavy_rods_hit_the_floor_alike(void** state)
{
  (void)state;
  compare(rods, "rattle", 2, "b.spin", 1e-6);
  compare(rods, "lobatto", 3, "b.spin", 1e-6);
  compare(rods, "lobatto", 5, "b.spin", 1e-6);
  compare(rods, "moreau-jean", 2, "b.spin", 1e-6);
}

/* A tolerance of 1e-10 m/s alone left 2e-7 rad/s of rods of a micrometre under moreau-jean, 2e-4
 * under lobatto. */
static void short_and_long_rods_hit_the_floor_alike(void** state)
{
  (void)state;
  static const char* const length[] = {"1e-6", "1e-3", "1e3"};
  static const char* const scheme[] = {"moreau-jean", "lobatto", "rattle"};
  const double tolerance[] = {1e-9, 1e-8, 1e-8};
  for (int i = 0; i < 3; i++) {
    double expected = end_of(short_and_long_rods, scheme[i], 3, "1", "b.spin");
    for (int j = 0; j < 3; j++)
      CHECK_NEAR(end_of(short_and_long_rods, scheme[i], 3, length[j], "b.spin"), expected,
                 tolerance[i]);
  }
}

/* 1e-10 m as they are typed are 1e-10 m; where nothing is typed, they are of the length. */
static void the_gap_that_counts_as_closed_is_what_was_asked_for(void** state)
{
  (void)state;
  CHECK_NEAR(end_of(bead, "moreau-jean", 2, "1", "ball.vx"), 1, 1e-12);
  CHECK_NEAR(end_of(bead, "moreau-jean", 2, "1e-3", "ball.vx"), -1e-3, 1e-15);
  CHECK_NEAR(end_with(bead, "moreau-jean", 2, "activation-tol", "1e-10", "1e-3", "ball.vx"), 1e-3,
             1e-15);
}

/* With 1e-10 m for any length, the bead of a micrometre rebounded from 0.05 nm above the floor. */
static void a_small_bead_does_not_rebound_from_above_the_floor(void** state)
{
  (void)state;
  static const char* const length[] = {"1e-6", "1e-3", "1"};
  for (int i = 0; i < 3; i++) {
    double expected = -strtod(length[i], NULL);
    CHECK_NEAR(end_of(falling_bead, "rattle", 2, length[i], "ball.vx"), expected, 1e-15);
    CHECK_NEAR(end_of(falling_bead, "lobatto", 3, length[i], "ball.vx"), expected, 1e-15);
  }
}

static void compare_lengths(const char* text, const char* scheme, const char* key,
                            const char* setting, const char* quantity, int is_length,
                            double tolerance)
{
  static const char* const length[] = {"1e-6", "1e-3", "1e3"};
  double expected = end_with(text, scheme, 2, key, setting, "1", quantity);
  for (int i = 0; i < 3; i++) {
    double unit = is_length ? strtod(length[i], NULL) : 1;
    CHECK_NEAR(end_with(text, scheme, 2, key, setting, length[i], quantity) / unit, expected,
               tolerance);
  }
}

/* With tolerances of 1e-10 m whatever the length, the spin of rods of a micrometre was off by 6e-6
 * (combined) and 3e-2 rad/s (direct). */
static void positions_of_short_and_long_rods_are_projected_alike(void** state)
{
  (void)state;
  compare_lengths(short_and_long_rods, "combined-projection", "metric", "mass", "b.spin", 0, 1e-9);
  compare_lengths(short_and_long_rods, "direct-projection", "metric", "mass", "b.spin", 0, 1e-9);
}

static void positions_of_threads_are_projected_alike_in_the_metric_identity(void** state)
{
  (void)state;
  static const char* const scheme[] = {"combined-projection", "direct-projection"};
  for (int i = 0; i < 2; i++) {
    compare_lengths(short_and_long_threads, scheme[i], NULL, NULL, "b.vx", 1, 1e-9);
    compare_lengths(short_and_long_threads, scheme[i], "coupled", "on", "b.vx", 1, 1e-9);
    compare_lengths(short_and_long_threads, scheme[i], "project", "after", "b.vx", 1, 1e-9);
  }
}

static void positions_of_light_and_heavy_rods_are_projected_alike(void** state)
{
  (void)state;
  static const char* const scheme[] = {"combined-projection", "direct-projection"};
  for (int i = 0; i < 2; i++) {
    compare(rods, scheme[i], 2, "b.spin", 1e-9);
    compare_with(rods, scheme[i], "metric", "mass", "b.spin", 1e-9);
  }
}

/* In one problem with the velocities, percussions of 1e7 N s stand beside corrections of 1e-6 m. */
static void positions_of_heavy_rods_are_projected_with_their_velocities(void** state)
{
  (void)state;
  compare_with(rods, "combined-projection", "coupled", "on", "b.spin", 1e-9);
  compare_with(rods, "direct-projection", "coupled", "on", "b.spin", 1e-9);
}

/* One Newton iteration of the five or seven would leave 0.3 m; the round-off of the stone's
 * momentum is 1e-4 m/s for a ball of 1 g. */
static void light_balls_are_braked_beside_a_heavy_stone(void** state)
{
  (void)state;
  compare(drag, "moreau-jean", 2, "x", 1e-7);
  compare(drag, "schatzman-paoli", 2, "x", 1e-7);
  compare(drag, "direct-projection", 2, "x", 1e-7);
  compare_with(drag, "combined-projection", "coupled", "on", "x", 1e-7);
  compare_with(drag, "moreau-jean", "evaluation", "trapezoid", "x", 1e-6);
}

/* 1e-10 N m s are 2 rad/s for a grain of 1 mm. The other tolerance is what 1e-4 rad/s leave in 200
 * steps; after one Newton iteration it would be up to 1e-3. */
static void grains_tumble_as_boulders_do(void** state)
{
  (void)state;
  static const char* const size[] = {"1e-4", "1e-3", "1e-2", "1e-1", "10"};
  double expected = end_of(tumbler, "moreau-jean", 2, "1", "a.wx");
  for (int i = 0; i < 5; i++)
    CHECK_NEAR(end_of(tumbler, "moreau-jean", 2, size[i], "a.wx"), expected, 2e-4);
  expected = end_of(tumbler, "schatzman-paoli", 2, "1", "a.wx");
  for (int i = 0; i < 5; i++)
    CHECK_NEAR(end_of(tumbler, "schatzman-paoli", 2, size[i], "a.wx"), expected, 2e-4);
}

/* The last digits of the percussions, 5 N s, are 5e-9 m/s for the box below. */
static void a_heavy_box_rests_on_a_light_one(void** state)
{
  (void)state;
  CHECK_NEAR(end_of(boxes, "moreau-jean", 2, "1", "top.y"), 1.5, 1e-9);
  CHECK_NEAR(end_of(boxes, "direct-projection", 2, "1", "top.y"), 1.5, 1e-9);
  CHECK_NEAR(end_of(boxes, "combined-projection", 2, "1", "top.y"), 1.5, 1e-9);
  CHECK_NEAR(end_with(boxes, "schatzman-paoli", 2, "frictionless", "on", "1", "top.y"), 1.5, 1e-9);
}

/* Where a gap is known to 1e-9 m, 1e-10 m do not tell whether it is closed. */
static void a_block_slides_far_from_the_origin_as_it_does_there(void** state)
{
  (void)state;
  static const char* const scheme[] = {"moreau", "moreau-jean", "direct-projection",
                                       "combined-projection"};
  double expected = -9.81 * (sin(0.3) - 0.1 * cos(0.3)) * cos(0.3);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(end_of(slide, scheme[i], 2, "0", "b.vx"), expected, 1e-12);
    CHECK_NEAR(end_of(slide, scheme[i], 2, "1e6", "b.vx"), expected, 1e-9);
    CHECK_NEAR(end_of(slide, scheme[i], 2, "5e6", "b.vx"), expected, 1e-9);
    CHECK_NEAR(end_of(slide, scheme[i], 2, "5e6", "b.spin"), 0, 1e-9);
  }
}

static void light_and_heavy_tops_turn_alike(void** state)
{
  (void)state;
  compare(top, "rattle", 2, "a.wz", 1e-5);
  compare(top, "lobatto", 3, "a.wz", 1e-5);
  compare(top, "moreau-jean", 2, "a.wz", 1e-5);
}

static void a_light_body_is_measured_by_its_own_mass(void** state)
{
  (void)state;
  CHECK_NEAR(end_of(unequal, "lobatto", 4, "1e-10", "ball.x"), cos(10), 1e-13);
  CHECK_NEAR(end_of(unequal, "rattle", 2, "1e-10", "ball.x"),
             end_of(spring, "rattle", 2, "1", "ball.x"), 1e-12);
}

/* What forces bring in a short step may be less than the tolerance, and is not to be left to the
 * guess. */
static void faint_forces_move_bodies_in_short_steps(void** state)
{
  (void)state;
  static const char* const schemes[] = {"rattle", "lobatto", "moreau-jean", "generalized-alpha"};
  for (int i = 0; i < 4; i++) {
    run r = open_text("percuss: 1\ncoordinates: {x: 1e-9}\nkinetic: x'^2/2\npotential: 5e3*x^2\n",
                      schemes[i], 3e-6, NULL, NULL);
    run_until(&r, 0.03);
    CHECK_NEAR(value(&r, "x"), 1e-9 * cos(3), 1e-14);
    CHECK_NEAR(value(&r, "x'"), -1e-7 * sin(3), 1e-12);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(light_and_heavy_balls_swing_alike),
      cmocka_unit_test(light_and_heavy_rods_hit_the_floor_alike),
      cmocka_unit_test(short_and_long_rods_hit_the_floor_alike),
      cmocka_unit_test(the_gap_that_counts_as_closed_is_what_was_asked_for),
      cmocka_unit_test(a_small_bead_does_not_rebound_from_above_the_floor),
      cmocka_unit_test(positions_of_short_and_long_rods_are_projected_alike),
      cmocka_unit_test(positions_of_threads_are_projected_alike_in_the_metric_identity),
      cmocka_unit_test(positions_of_light_and_heavy_rods_are_projected_alike),
      cmocka_unit_test(positions_of_heavy_rods_are_projected_with_their_velocities),
      cmocka_unit_test(light_balls_are_braked_beside_a_heavy_stone),
      cmocka_unit_test(a_heavy_box_rests_on_a_light_one),
      cmocka_unit_test(a_block_slides_far_from_the_origin_as_it_does_there),
      cmocka_unit_test(grains_tumble_as_boulders_do),
      cmocka_unit_test(light_and_heavy_tops_turn_alike),
      cmocka_unit_test(a_light_body_is_measured_by_its_own_mass),
      cmocka_unit_test(faint_forces_move_bodies_in_short_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
