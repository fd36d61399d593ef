/* Joints with play, and joints by points from a rough start. */
#include "example.h"

static const char* const schemes[] = {
    "moreau", "moreau-jean", "direct-projection", "combined-projection",
    "rattle", "lobatto",     "generalized-alpha"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* A slider falls by its play onto the guide and is slowed by mu g, in the plane and in space. */
static void a_slider_in_a_guide(void** state)
{
  (void)state;
  static const char* const texts[2] = {
      "percuss: 1\ngravity: [0, -10]\nbodies: {block: {mass: 1, inertia: 0.01, velocity: [1, 0]}}\n"
      "contacts: {guide: {clearance: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, "
      "0],\n"
      "  length: 0.2, width: 0.1, play: 1e-3, friction: 0.1}}\n",
      "percuss: 1\nspace: spatial\ngravity: [0, -10, 0]\n"
      "bodies: {block: {mass: 1, inertia: [0.01, 0.01, 0.01], velocity: [1, 0, 0]}}\n"
      "contacts: {guide: {clearance: prismatic, bodies: [ground, block], at: [0, 0, 0],\n"
      "  axis: [1, 0, 0], across: [0, 1, 0], length: 0.2, width: 0.1, height: 0.05, play: 1e-3,\n"
      "  friction: 0.1}}\n"};
  for (int i = 0; i < 2 * SCHEMES; i++) {
    run r = open_text(texts[i / SCHEMES], schemes[i % SCHEMES], 1e-3, NULL, NULL);
    run_until(&r, 0.5);
    CHECK_NEAR(value(&r, "block.y"), -1e-3, 3e-4); /* some schemes let it sink in by v dt */
    CHECK_NEAR(value(&r, "block.vx"), 1 - 0.1 * 10 * 0.5, 2e-3);
    CHECK_NEAR(value(&r, "guide-right-1.gap"), 0, 3e-4);
    CHECK_NEAR(value(&r, "guide-left-1.gap"), 2e-3, 3e-4);
    close_run(&r);
  }
}

/* A box in its guide, pulled by a force F beside its axis by b: it touches at the corners of its
 * length L, with N = F b/L on either side, whose friction is 2 mu F b/L, the moments of which
 * cancel. With 2 mu b > L it jams, whatever F. The box is flat: how contacts above each other share
 * a force is not unique, and friction at a height would pitch it. */
static void a_box_that_jams_in_its_guide(void** state)
{
  (void)state;
  static const char text[] =
      "percuss: 1\nspace: spatial\nparameters: {mu: 0.2}\n"
      "bodies: {box: {mass: 2, inertia: [2e-3, 4e-3, 5e-3]}}\n"
      "contacts:\n"
      "  guide: {clearance: prismatic, bodies: [ground, box], at: [0, 0, 0], axis: [1, 0, 0], "
      "across: [0, 1, 0],\n"
      "          play: 1e-5, length: 0.1, width: 0.04, height: 1e-4, friction: mu}\n"
      "forces: {pull: {force: {point: [box, [0, 0.1, 0]], value: [20, 0, 0]}}}\n"
      "record: [box, guide-left-1]\n";
  static const char* const all_schemes[] = {
      "moreau", "moreau-jean", "combined-projection", "direct-projection",
      "rattle", "lobatto",     "generalized-alpha"};
  static const char* const jam[] = {"mu", "0.6", NULL};
  for (size_t i = 0; i < sizeof all_schemes / sizeof *all_schemes; i++) {
    run r = open_text(text, all_schemes[i], 1e-4, NULL, NULL);
    run_until(&r, 0.1);
    CHECK_NEAR(value(&r, "box.vx"), 20 / 2. * (1 - 2 * 0.2) * 0.1, 0.02);
    close_run(&r);
    r = open_text(text, all_schemes[i], 1e-4, jam, NULL);
    run_until(&r, 0.1);
    CHECK_NEAR(value(&r, "box.vx"), 0, 1e-9);
    assert_true(value(&r, "box.x") < 2e-4);
    close_run(&r);
  }
}

/* A ball in a socket hangs by its play below the centre, and a body on it swings as a pendulum does
 * whose length is that of the body: the ball slides in the socket without friction, the play is 0.1
 * % of it. */
static void a_ball_in_a_socket(void** state)
{
  (void)state;
  run r = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, -0.5]}}\n"
      "contacts: {hip: {clearance: spherical, points: [ground, [bob, [0, 0, 0.5]]], radius: 0.02,\n"
      "  play: 5e-4}}\nrecord: [bob, hip]\n",
      "rattle", 1e-3, NULL, NULL);
  run_until(&r, 0.5);
  CHECK_NEAR(value(&r, "bob.z"), -0.5 - 5e-4, 1e-9);
  CHECK_NEAR(value(&r, "hip.P_N"), 10 * 1e-3, 1e-9);
  close_run(&r);
}

/* The rough start of the documentation is assembled: joints and the loose pin hold. */
static void a_four_bar_from_a_rough_start(void** state)
{
  (void)state;
  run r = open_example("rough-start");
  const double *q, *u;
  assert_true(pc_model_rough_start(r.model, &q, &u));
  for (int i = 0; i < 3; i++) {
    static const char* const joints[] = {"base", "pin", "pivot"};
    char name[40];
    for (int k = 1; k <= 2; k++) {
      snprintf(name, sizeof name, "%s.position.%d", joints[i], k);
      CHECK_NEAR(value(&r, name), 0, 1e-12);
    }
  }
  assert_true(value(&r, "loose.gap") > -1e-12);
  run_until(&r, 0.3);
  assert_true(value(&r, "loose.gap") > -1e-9);
  close_run(&r);
}

/* A joint by points is the joint by `at`, where they meet. */
static void points_are_another_way_to_say_where(void** state)
{
  (void)state;
  static const char* const at[2] = {
      "{bodies: [a, b], at: [0.3, 0.2, 0.1], axis: [0, 1, 1]}",
      "{points: [[a, [0.3, 0.2, 0.1]], [b, [-0.7, 0.2, 0.1]]], axis: [0, 1, 1]}"};
  double end[2];
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(
        text, sizeof text,
        "percuss: 1\nspace: spatial\ngravity: [0, 0, -10]\nbodies:\n"
        "  a: {mass: 1, inertia: [1, 2, 2]}\n"
        "  b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
        "joints: {pin: {revolute: %s}, hold: {spherical: {bodies: [ground, a], at: [0, 0, 1]}}}\n",
        at[i]);
    run r = open_text(text, "lobatto", 1e-2, NULL, NULL);
    run_until(&r, 0.5);
    end[i] = value(&r, "b.x");
    close_run(&r);
  }
  CHECK_NEAR(end[0], end[1], 1e-14);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slider_in_a_guide),
      cmocka_unit_test(a_box_that_jams_in_its_guide),
      cmocka_unit_test(a_ball_in_a_socket),
      cmocka_unit_test(a_four_bar_from_a_rough_start),
      cmocka_unit_test(points_are_another_way_to_say_where),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
