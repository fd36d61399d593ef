/* Heaps of nine discs between walls, with friction: 63 contacts that may close, and more closed rows
 * than degrees of freedom when the heap has come to rest. */
#include "run.h"

/* Numbers from 0 to 1, always the same. */
static double next(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 4294967296.0;
}

/* Discs with radii of 3 to 5.5 cm in three layers, above a floor and between walls at x = -0.2 and 0.2 m. */
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
  settings->stages = stages;
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
    assert_int_equal(s.steps_inaccurate, 0);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heaps_come_to_rest_without_penetration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
