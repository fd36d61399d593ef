/* Rolling by friction: a contact that sticks while its place on the body moves. As a contact it has
 * order s - 1 only, since its slip is zero at the stages, (57), and not on the average; the joint
 * `rolling`, which is averaged, has 2s - 2. */
#include "run.h"

#define DISC                                                                             \
  "percuss: 1\n"                                                                         \
  "parameters:\n"                                                                        \
  "  R: 0.5\n"                                                                           \
  "  g: 9.81\n"                                                                          \
  "  theta: pi/3\n"                                                                      \
  "  y0: cos(theta)*(R*sin(theta) - g)/(6*sin(theta))\n"                                 \
  "space: spatial\n"                                                                     \
  "gravity: [0, 0, -g]\n"                                                                \
  "bodies:\n"                                                                            \
  "  disc: {mass: 1, inertia: [R^2/4, R^2/4, R^2/2], position: [0, y0, R*sin(theta)],\n" \
  "         orientation: {axis: [1, 0, 0], angle: theta}, velocity: [-2*y0, 0, 0],\n"    \
  "         angular_velocity: [0, 2*sin(theta), 2*y0/R]}\n"
#define FLOOR "radius: R, axis: [0, 0, 1], plane: {point: [0, 0, 0], normal: [0, 0, 1]}"

static const char* const by_friction = DISC
    "contacts:\n"
    "  floor: {disc: disc, " FLOOR ", friction: 5}\n";
static const char* const by_joint = DISC
    "joints:\n"
    "  floor: {rolling: {centre: disc, " FLOOR "}}\n";

static int stages;

static void tighten(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
  settings->tolerance = 1e-14;
}

/* The distance from the steady motion of models/rolling-disc.yaml after 1 s. */
static double error_of(const char* text, const char* scheme, double dt)
{
  run r = open_text(text, scheme, dt, NULL, tighten);
  const double theta = acos(0.5);
  double y0 = cos(theta) * (0.5 * sin(theta) - 9.81) / (6 * sin(theta));
  run_until(&r, 1);
  double dx = value(&r, "disc.x") + y0 * sin(2), dy = value(&r, "disc.y") - y0 * cos(2);
  double dz = value(&r, "disc.z") - 0.5 * sin(theta);
  close_run(&r);
  return sqrt(dx * dx + dy * dy + dz * dz);
}

static double order_of(const char* text, const char* scheme, int s, double longest)
{
  double dt[3], error[3];
  stages = s;
  for (int i = 0; i < 3; i++) {
    dt[i] = longest / (1 << i);
    error[i] = error_of(text, scheme, dt[i]);
  }
  return fitted_order(3, dt, error);
}

static void a_disc_that_rolls_by_friction_has_order_s_minus_1(void** state)
{
  (void)state;
  CHECK_NEAR(order_of(by_friction, "rattle", 2, 1.25e-3), 1, 0.1);
  CHECK_NEAR(order_of(by_friction, "lobatto", 3, 0.02), 2, 0.05);
  CHECK_NEAR(order_of(by_friction, "lobatto", 4, 0.02), 3, 0.05);
  CHECK_NEAR(order_of(by_friction, "lobatto", 5, 0.04), 4, 0.05);
}

static void a_disc_that_rolls_by_a_joint_has_order_2s_minus_2(void** state)
{
  (void)state;
  CHECK_NEAR(order_of(by_joint, "rattle", 2, 0.02), 2, 0.05);
  CHECK_NEAR(order_of(by_joint, "lobatto", 3, 0.02), 4, 0.05);
  CHECK_NEAR(order_of(by_joint, "lobatto", 4, 0.05), 6, 0.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_disc_that_rolls_by_friction_has_order_s_minus_1),
      cmocka_unit_test(a_disc_that_rolls_by_a_joint_has_order_2s_minus_2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
