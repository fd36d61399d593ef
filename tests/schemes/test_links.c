/* Links that are hinged to each other and fall on a floor with friction. Both ends of every link
 * touch the floor, so that the contacts of a hinge depend on each other and on the hinge. */
#include <math.h>

#include "run.h"

enum { LINKS_MAX = 10 };

static const double L = 0.2; /* [m] */

typedef struct chain {
  double x[LINKS_MAX + 1], y[LINKS_MAX + 1], angle[LINKS_MAX];
  double v, spin; /* of the whole chain about the origin */
} chain;

/* Numbers from `least` to `most`, always the same. */
static double draw(unsigned* seed, double least, double most)
{
  *seed = 1664525u * *seed + 1013904223u;
  return least + (most - least) * (*seed >> 8) / (1u << 24);
}

static chain make_chain(int count, unsigned seed)
{
  chain c = {.v = draw(&seed, -1, 1), .spin = draw(&seed, -4, 4)};
  double low = 0, above = draw(&seed, 0.02, 0.2);
  for (int i = 0; i < count; i++) {
    c.angle[i] = draw(&seed, -1.2, 1.2);
    c.x[i + 1] = c.x[i] + L * cos(c.angle[i]);
    c.y[i + 1] = c.y[i] + L * sin(c.angle[i]);
    low = fmin(low, c.y[i + 1]);
  }
  for (int i = 0; i <= count; i++) c.y[i] += above - low;
  return c;
}

static size_t write_bodies(const chain* c, int count, char* text, size_t size)
{
  size_t end = (size_t)snprintf(text, size, "percuss: 1\ngravity: [0, -9.81]\nbodies:\n");
  for (int i = 0; i < count; i++) {
    double x = (c->x[i] + c->x[i + 1]) / 2, y = (c->y[i] + c->y[i + 1]) / 2;
    end += (size_t)snprintf(text + end, size - end,
                            "  b%d: {mass: 0.3, inertia: 0.001, position: [%.17g, %.17g], angle: "
                            "%.17g, velocity: [%.17g, %.17g], spin: %.17g}\n",
                            i, x, y, c->angle[i], c->v - c->spin * y, c->spin * x, c->spin);
  }
  return end;
}

static void write_links(int count, unsigned seed, char* text, size_t size)
{
  chain c = make_chain(count, seed);
  size_t end = write_bodies(&c, count, text, size);
  end += (size_t)snprintf(text + end, size - end, "joints:\n");
  for (int i = 1; i < count; i++)
    end += (size_t)snprintf(text + end, size - end,
                            "  j%d: {revolute: {bodies: [b%d, b%d], at: [%.17g, %.17g]}}\n", i,
                            i - 1, i, c.x[i], c.y[i]);
  end += (size_t)snprintf(text + end, size - end, "contacts:\n");
  for (int i = 0; i < 2 * count; i++)
    end += (size_t)snprintf(
        text + end, size - end,
        "  c%d: {point: [b%d, [%g, 0]], plane: {point: [0, 0], normal: [0, 1]}, "
        "friction: %g, restitution: %g}\n",
        i, i / 2, i % 2 ? L / 2 : -L / 2, 0.1 + 0.3 * (seed % 4), seed % 3 ? 0 : 0.3);
  assert_true(end < size);
}

static int supports_friction(const char* scheme)
{
  return strcmp(scheme, "schatzman-paoli") != 0;
}

static void every_scheme_brings_them_down(void** state)
{
  (void)state;
  static const int counts[] = {2, 3, 10};
  static char text[8192];
  for (int n = 0; n < 3; n++)
    for (unsigned start = 1; start <= 3; start++)
      for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
        if (!supports_friction(*scheme)) continue;
        write_links(counts[n], 100u * (unsigned)counts[n] + start, text, sizeof text);
        run r = open_text(text, *scheme, 1e-3, NULL, NULL);
        if (pc_sim_run(r.sim, 0.6, &r.error) != PC_OK)
          fail_msg("%d links, start %u, %s: %s", counts[n], start, *scheme, r.error.text);
        pc_summary s = pc_sim_summary(r.sim);
        assert_int_equal(s.trouble.inaccurate, 0);
        assert_true(s.penetration_max < 0.02);
        close_run(&r);
      }
}

/* A chain in space that wraps itself around a post, at the step at which Newton's method runs away
 * in stage 1. */
static void a_chain_winds_around_a_post(void** state)
{
  (void)state;
  static const char* const set[] = {"N", "35", NULL};
  run r = open_run("capsule-chain", "rattle", 0, set, NULL);
  CHECK_OK(pc_sim_run(r.sim, 1.1, &r.error), r.error);
  pc_summary s = pc_sim_summary(r.sim);
  assert_int_equal(s.trouble.inaccurate, 0);
  assert_true(s.constraint_position_max < 1e-10 && s.penetration_max < 1e-10);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_scheme_brings_them_down),
                                     cmocka_unit_test(a_chain_winds_around_a_post)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
