/* Heaps of nine discs between walls, with friction: 63 contacts that may close, and more closed
 * rows than degrees of freedom when the heap has come to rest. */
#include "run.h"

/* Numbers from 0 to 1, always the same. */
static double next(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 4294967296.0;
}

/* Discs with radii of 3 to 5.5 cm in three layers, above a floor and between walls at x = -0.2 and
 * 0.2 m. */
static void write_heap(unsigned seed, char* text, size_t size)
{
  double radius[9];
  size_t used = (size_t)snprintf(text, size, "percuss: 1\ngravity: [0, -9.81]\nbodies:\n");
  for (int i = 0; i < 9; i++) {
    double r = radius[i] = 0.03 + 0.025 * next(&seed), m = 300 * r * r;
    double x = 0.12 * (i % 3 - 1) + 0.02 * (next(&seed) - 0.5);
    double y = 0.1 + 0.16 * (i / 3) + 0.02 * (next(&seed) - 0.5);
    used += (size_t)snprintf(text + used, size - used,
                             "  d%d: {mass: %.9g, inertia: %.9g, position: [%.9g, %.9g], velocity: "
                             "[%.9g, 0]}\n",
                             i, m, m * r * r / 2, x, y, next(&seed) - 0.5);
  }
  used += (size_t)snprintf(text + used, size - used, "contacts:\n");
  for (int i = 0; i < 9; i++) {
    static const char* const wall[3] = {"point: [0, 0], normal: [0, 1]",
                                        "point: [-0.2, 0], normal: [1, 0]",
                                        "point: [0.2, 0], normal: [-1, 0]"};
    for (int w = 0; w < 3; w++)
      used += (size_t)snprintf(text + used, size - used,
                               "  w%dx%d: {disc: d%d, radius: %.9g, plane: {%s}, friction: 0.3}\n",
                               i, w, i, radius[i], wall[w]);
    for (int j = 0; j < i; j++)
      used +=
          (size_t)snprintf(text + used, size - used,
                           "  c%dx%d: {disc: d%d, radius: %.9g, other: d%d, other_radius: %.9g, "
                           "friction: 0.3}\n",
                           i, j, i, radius[i], j, radius[j]);
  }
  assert_true(used < size);
}

static int stages;

static void choose_stages(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
}

static void heaps_come_to_rest_without_penetration(void** state)
{
  (void)state;
  static const struct {
    unsigned seed;
    int stages;
    double dt;
  } cases[] = {{2, 2, 4e-3}, {1, 3, 4e-3}, {4, 3, 4e-3}, {6, 3, 4e-3}};
  for (int i = 0; i < 4; i++) {
    static char text[16384];
    write_heap(cases[i].seed, text, sizeof text);
    stages = cases[i].stages;
    run r = open_text(text, "lobatto", cases[i].dt, NULL, choose_stages);
    run_until(&r, 1);
    pc_summary s = pc_sim_summary(r.sim);
    assert_true(s.penetration_max < 1e-10);
    assert_int_equal(s.trouble.inaccurate, 0);
    close_run(&r);
  }
}

/* Five balls fall into a box, whose floor and one wall are not square: radius, mass, x and y, their
 * velocities, and the angular velocity. */
static const double ball[5][9] = {{0.1344421851525048, 1.4681285318933381, 0.08162257703906703,
                                   0.0009373711634780568, -0.43632431120059234, 0.5116084083144479,
                                   2.1306419401559697, -4.49088585547607, 7.375432607428323},
                                  {0.12579544029403023, 9.237850978111714, 0.062043447199317925,
                                   0.08043319008791655, -0.37970486136133474, 0.4596634965202573,
                                   7.1790891834238835, 3.311710774477943, -0.5014311218511587},
                                  {0.0920571580830845, 0.15900193740411123, -0.01316563290924326,
                                   0.022177394688760316, 0.8260221064757964, 0.9332127355415176,
                                   -0.41382402205109337, 6.575578699889521, -4.3111384129447305},
                                  {0.07589167502929633, 4.074324861703427, 0.009739860767117858,
                                   -0.09719165996719621, 0.43940937280790826, -0.2023529155514625,
                                   5.8472095886681945, 3.0267576221733155, -8.97942925234029},
                                  {0.10112747213686085, 0.9708580431929087, 0.07352055509855618,
                                   -0.051217824622573606, -0.3495912745052199, 0.7409424642173092,
                                   -5.5607923529569705, 1.2151933311720935, -4.704913284926037}};

#define FRICTION "friction: {mu: 0.2, contact_radius: 0.01}, restitution: 0.3}\n"

static void write_balls(char* text, size_t size)
{
  static const char* const wall[5] = {
      "point: [0, 0, 0], normal: [0.1, 0, 1]", "point: [-0.3, 0, 0], normal: [1, 0, 0]",
      "point: [0.3, 0, 0], normal: [-1, 0, 0.1]", "point: [0, -0.3, 0], normal: [0, 1, 0]",
      "point: [0, 0.3, 0], normal: [0, -1, 0]"};
  size_t used =
      (size_t)snprintf(text, size, "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n");
  for (int i = 0; i < 5; i++) {
    const double *b = ball[i], J = 0.4 * b[1] * (b[0] * b[0]);
    used += (size_t)snprintf(
        text + used, size - used,
        "  b%d: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], "
        "velocity: [%.17g, %.17g, 0], angular_velocity: [%.17g, %.17g, %.17g]}\n",
        i, b[1], J, J, J, b[2], b[3], 0.2 + 0.35 * i, b[4], b[5], b[6], b[7], b[8]);
  }
  used += (size_t)snprintf(text + used, size - used, "contacts:\n");
  for (int i = 0; i < 5; i++) {
    for (int w = 0; w < 5; w++)
      used += (size_t)snprintf(text + used, size - used,
                               "  w%dx%d: {sphere: b%d, radius: %.17g, plane: {%s}, " FRICTION, i,
                               w, i, ball[i][0], wall[w]);
    for (int j = 0; j < i; j++)
      used += (size_t)snprintf(text + used, size - used,
                               "  c%dx%d: {sphere: b%d, radius: %.17g, other: b%d, "
                               "other_radius: %.17g, " FRICTION,
                               i, j, i, ball[i][0], j, ball[j][0]);
  }
  assert_true(used < size);
}

/* Around 1.15 s contacts were dropped again and again, without success, until 50 iterations were
 * over. */
static void balls_in_a_crooked_box_come_to_rest(void** state)
{
  (void)state;
  static char text[16384];
  write_balls(text, sizeof text);
  run r = open_text(text, "rattle", 2e-3, NULL, NULL);
  run_until(&r, 1.2);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.penetration_max < 1e-10);
  /* where contacts at rest are redundant, e times what the last step left of their velocities
   * (4e-10 m/s) is a infeasible problem that no step can solve */
  assert_true(s.trouble.inaccurate <= 1 && s.residual_max < 5e-10);
  close_run(&r);
}

/* Thirty discs in a wide box; islands of some fifty contacts, which Newton's method and sweeps
 * leave at 1e-9. */
static const char discs[] =
    "percuss: 1\n"
    "gravity: [0, -9.81]\n"
    "parameters: {N: 30, r: 0.02, seed: 1, mu: 0.3, e: 0.5}\n"
    "bodies:\n"
    "  d(i):\n"
    "    repeat: {i: N}\n"
    "    mass: 0.01\n"
    "    inertia: 0.005*r^2\n"
    "    position:\n"
    "      - -0.2 + 0.057*mod(i, 8) + 0.01*(frac((i + seed)*0.6180339887498949) - 0.5)\n"
    "      - 0.03 + 0.05*floor(i/8)\n"
    "contacts:\n"
    "  bottom(i): {repeat: {i: N}, disc: d(i), radius: r, plane: {point: [0, 0], normal: [0, 1]}, "
    "friction: mu, restitution: e}\n"
    "  left(i): {repeat: {i: N}, disc: d(i), radius: r, plane: {point: [-0.25, 0], normal: [1, "
    "0]}, "
    "friction: mu, restitution: e}\n"
    "  right(i): {repeat: {i: N}, disc: d(i), radius: r, plane: {point: [0.25, 0], normal: [-1, "
    "0]}, "
    "friction: mu, restitution: e}\n"
    "  pair(i,j): {repeat: {i: N, j: i}, disc: d(i), radius: r, other: d(j), other_radius: r, "
    "friction: mu, restitution: e}\n";

static void thirty_discs_are_solved_to_the_tolerance(void** state)
{
  (void)state;
  run r = open_text(discs, "moreau", 1e-3, NULL, NULL);
  run_until(&r, 1);
  pc_summary s = pc_sim_summary(r.sim);
  print_message("%ld steps inaccurate, %ld islands by lemke\n", s.trouble.inaccurate,
                s.answered[PC_METHOD_LEMKE]);
  assert_true(s.answered[PC_METHOD_LEMKE] > 0);
  assert_true(s.trouble.inaccurate <= 5); /* 18 to 25 without it */
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heaps_come_to_rest_without_penetration),
      cmocka_unit_test(balls_in_a_crooked_box_come_to_rest),
      cmocka_unit_test(thirty_discs_are_solved_to_the_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
