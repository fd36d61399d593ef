/* Motions in space that have a closed form, and nonholonomic ones, under the theta scheme. */
#include "base/rotation.h"
#include "run.h"

static const double PI = 3.14159265358979323846;

/* Three values, or four, of a part. */
static void values(const run* r, const char* part, const char* const* tail, int count, double* x)
{
  for (int i = 0; i < count; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", part, tail[i]);
    x[i] = value(r, name);
  }
}

static const char* const POSITION[] = {"x", "y", "z"};
static const char* const QUATERNION[] = {"qw", "qx", "qy", "qz"};
static const char* const TURNING[] = {"wx", "wy", "wz"};

static double distance(const double* a, const double* b)
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* ---- a body that nothing holds ------------------------------------------------------------- */

static const double INERTIA[9] = {2, 0.3, 0, 0.3, 3, -0.4, 0, -0.4, 4};
static const char TUMBLER[] =
    "percuss: 1\nspace: spatial\n"
    "bodies: {b: {mass: 2, inertia: [2, 3, 4, 0.3, 0, -0.4], orientation: [1, 2, 0, 1],\n"
    "             angular_velocity: [1, 3, -2], velocity: [1, 0, 2]}}\n";

static double energy(const run* r)
{
  const pc_observation* o = pc_sim_observation(r->sim);
  return o->kinetic + o->potential;
}

/* The angular momentum in the inertial frame, and |p|. */
static double angular_momentum(const run* r, double L[3])
{
  double p[4], w[3], A[9], own[3];
  values(r, "b", QUATERNION, 4, p);
  values(r, "b", TURNING, 3, w);
  pc_rotation_matrix(p, A);
  pc_rotation_apply(INERTIA, w, own);
  pc_rotation_apply(A, own, L);
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
}

static void tighten(pc_scheme_settings* settings)
{
  settings->tolerance = 1e-12;
}

/* The midpoint rule keeps what is quadratic, energy, |L| and |p|; the direction of L converges. */
static void free_body_keeps_energy_and_angular_momentum(void** state)
{
  (void)state;
  const double zero[3] = {0, 0, 0}, dt[4] = {0.02, 0.01, 0.005, 0.0025};
  double error[4], start[3], end[3];
  for (int i = 0; i < 4; i++) {
    run r = open_text(TUMBLER, "moreau-jean", dt[i], NULL, tighten);
    double before = energy(&r);
    CHECK_NEAR(angular_momentum(&r, start), 1, 1e-15);
    run_until(&r, 10);
    CHECK_NEAR(energy(&r), before, 1e-9);
    CHECK_NEAR(angular_momentum(&r, end), 1, 1e-14);
    CHECK_NEAR(distance(end, zero), distance(start, zero), 1e-9);
    CHECK_NEAR(value(&r, "b.x"), 10, 1e-12);
    CHECK_NEAR(value(&r, "b.z"), 20, 1e-12);
    error[i] = distance(end, start);
    close_run(&r);
  }
  CHECK_NEAR(fitted_order(4, dt, error), 2, 0.05);
}

static double quaternion_length(const run* r, const char* part)
{
  double p[4];
  values(r, part, QUATERNION, 4, p);
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
}

static void quaternions_keep_their_length_over_many_steps(void** state)
{
  (void)state;
  static const struct {
    const char* scheme;
    double dt; /* of 20000, 100000, 20000 and 20000 steps */
    double until;
  } cases[] = {{"moreau", 1e-3, 20},
               {"moreau-jean", 1e-4, 10},
               {"direct-projection", 1e-3, 20},
               {"combined-projection", 1e-3, 20}};
  for (int i = 0; i < 4; i++) {
    run r = open_run("spinning-top", cases[i].scheme, cases[i].dt, NULL, NULL);
    for (int j = 1; j <= 10; j++) {
      run_until(&r, cases[i].until * j / 10);
      CHECK_NEAR(quaternion_length(&r, "top"), 1, 1e-12);
    }
    close_run(&r);
  }
}

static void lean_forward(pc_scheme_settings* settings)
{
  settings->theta = 0.7;
}

/* With another theta the step dp is across p_theta, not across the mean of both ends:
 *     |p|^2 = |p_k|^2 - (2 theta - 1) |dp|^2,
 * which no rotation sees. The body turns by more than a radian in a step of 0.3 s. */
static void quaternions_shrink_with_another_theta_as_they_should(void** state)
{
  (void)state;
  const double dt[2] = {0.3, 0.01};
  for (int i = 0; i < 2; i++) {
    run r = open_text(TUMBLER, "moreau-jean", dt[i], NULL, lean_forward);
    for (int step = 1; step <= 5; step++) {
      double before[4], after[4], lost = 0, length = quaternion_length(&r, "b");
      values(&r, "b", QUATERNION, 4, before);
      run_until(&r, step * dt[i]);
      values(&r, "b", QUATERNION, 4, after);
      for (int k = 0; k < 4; k++) lost += (after[k] - before[k]) * (after[k] - before[k]);
      double now = quaternion_length(&r, "b");
      CHECK_NEAR(now * now, length * length - 0.4 * lost, 4e-15);
    }
    close_run(&r);
  }
}

/* ---- closed forms --------------------------------------------------------------------------- */

/* The distance of a part from where it should be at the end of a run. */
static double miss(const char* model, const char* part, double dt, double until,
                   const double exact[3])
{
  double x[3];
  run r = open_run(model, "moreau-jean", dt, NULL, NULL);
  run_until(&r, until);
  values(&r, part, POSITION, 3, x);
  close_run(&r);
  return distance(x, exact);
}

static double order_of_miss(const char* model, const char* part, double until, int count,
                            const double* dt, const double exact[3])
{
  double error[8];
  for (int i = 0; i < count; i++) error[i] = miss(model, part, dt[i], until, exact);
  return fitted_order(count, dt, error);
}

static void top_precesses_steadily(void** state)
{
  (void)state;
  const double dt[] = {2e-4, 1e-4, 5e-5}, t = 0.5, l = 0.05, theta = PI / 6, Omega = 5;
  const double exact[3] = {l * sin(theta) * sin(Omega * t), -l * sin(theta) * cos(Omega * t),
                           l * cos(theta)};
  CHECK_NEAR(order_of_miss("spinning-top", "top", t, 3, dt, exact), 1, 0.1);
  assert_true(miss("spinning-top", "top", 5e-5, t, exact) < 1e-3);
}

static void disc_rolls_round_a_circle(void** state)
{
  (void)state;
  const double dt[] = {2e-3, 1e-3, 5e-4}, t = 1, R = 0.5, theta = PI / 3, Omega = 2, g = 9.81;
  double y0 =
      cos(theta) * (R * Omega * Omega * sin(theta) / 4 - g) / (1.5 * Omega * Omega * sin(theta));
  const double exact[3] = {-y0 * sin(Omega * t), y0 * cos(Omega * t), R * sin(theta)};
  CHECK_NEAR(order_of_miss("rolling-disc", "disc", t, 3, dt, exact), 1, 0.1);
  assert_true(miss("rolling-disc", "disc", 5e-4, t, exact) < 0.02);
}

static void skate_draws_a_cycloid(void** state)
{
  (void)state;
  const double dt[] = {4e-3, 2e-3, 1e-3}, G = 9.81 * sin(PI / 6), omega = 2, t = 2;
  double error[3];
  for (int i = 0; i < 3; i++) {
    run r = open_run("skate", "moreau-jean", dt[i], NULL, NULL);
    run_until(&r, t);
    double s = sin(omega * t), scale = G / (2 * omega * omega);
    error[i] = hypot(value(&r, "sled.x") - scale * s * s,
                     value(&r, "sled.y") - scale * (omega * t - sin(2 * omega * t) / 2));
    CHECK_NEAR(value(&r, "sled.angle"), omega * t, 1e-12);
    CHECK_NEAR(value(&r, "blade.velocity"), 0, 1e-12);
    close_run(&r);
  }
  CHECK_NEAR(fitted_order(3, dt, error), 1, 0.1);
  assert_true(error[2] < 0.01);
}

/* A billiard ball that starts without spin rolls with 5/7 of its velocity, whatever the step. */
static void sliding_ball_ends_with_five_sevenths_of_its_velocity(void** state)
{
  (void)state;
  const char* set[] = {"angle", "0", "vx0", "3", "vy0", "4", NULL};
  run r = open_run("rolling-sphere-turning-slip", "moreau-jean", 1e-2, set, NULL);
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "ball.vx"), 15. / 7, 1e-12);
  CHECK_NEAR(value(&r, "ball.vy"), 20. / 7, 1e-12);
  CHECK_NEAR(hypot(value(&r, "floor.slip.1"), value(&r, "floor.slip.2")), 0, 1e-12);
  CHECK_NEAR(value(&r, "floor.gap"), 0, 1e-15);
  close_run(&r);
}

/* |s| sin(psi)/tan(psi/2)^(K/G), see the model; it starts from psi = pi/2. */
static double slip_invariant(const run* r)
{
  double G = 9.81 * sin(PI / 9), K = 3.5 * 0.2 * 9.81 * cos(PI / 9);
  double sx = value(r, "floor.slip.1"), sy = value(r, "floor.slip.2");
  return sy / pow(tan(atan2(sy, sx) / 2), K / G);
}

static void turning_slip_keeps_its_invariant(void** state)
{
  (void)state;
  const double dt[] = {4e-3, 2e-3, 1e-3, 5e-4};
  double error[4];
  for (int i = 0; i < 4; i++) {
    run r = open_run("rolling-sphere-turning-slip", "moreau-jean", dt[i], NULL, NULL);
    double before = slip_invariant(&r);
    CHECK_NEAR(before, 2, 1e-15);
    run_until(&r, 0.2);
    assert_true(value(&r, "floor.slip.1") > 0.1); /* it has turned, and slips still */
    error[i] = fabs(slip_invariant(&r) - before);
    close_run(&r);
  }
  CHECK_NEAR(fitted_order(4, dt, error), 1, 0.1);
}

/* ---- against the plane ----------------------------------------------------------------------- */

/* The planar ball in the plane of x and z; its spin is about -y. */
static void ball_in_space_bounces_as_in_the_plane(void** state)
{
  (void)state;
  const char* set[] = {"omega", "50", NULL};
  run planar = open_run("rotating-ball", "moreau-jean", 1e-2, set, NULL);
  run spatial = open_text(
      "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
      "bodies: {ball: {mass: 1, inertia: [4e-3, 4e-3, 4e-3], position: [0, 0, 1],\n"
      "                orientation: [1, 0, 1, 0], angular_velocity: [0, -50, 0]}}\n"
      "contacts: {floor: {sphere: ball, radius: 0.1, plane: {point: [0, 0, 0],\n"
      "           normal: [0, 0, 1]}, friction: 0.2, restitution: 0.5}}\n",
      "moreau-jean", 1e-2, NULL, NULL);
  for (int i = 1; i <= 150; i++) {
    run_until(&planar, i * 1e-2);
    run_until(&spatial, i * 1e-2);
    CHECK_NEAR(value(&spatial, "ball.x"), value(&planar, "ball.x"), 1e-11);
    CHECK_NEAR(value(&spatial, "ball.y"), 0, 1e-12);
    CHECK_NEAR(value(&spatial, "ball.z"), value(&planar, "ball.y"), 1e-11);
    CHECK_NEAR(value(&spatial, "ball.wy"), -value(&planar, "ball.spin"), 1e-9);
    CHECK_NEAR(value(&spatial, "floor.P_N"), value(&planar, "floor.P_N"), 1e-10);
    CHECK_NEAR(value(&spatial, "floor.P_F.1"), value(&planar, "floor.P_F"), 1e-10);
  }
  close_run(&planar);
  close_run(&spatial);
}

/* ---- the tippedisk --------------------------------------------------------------------------- */

/* Its centre of mass rises from r - e to r + e, and it stands upright. */
static void tippedisk_inverts(void** state)
{
  (void)state;
  double p[4], lowest = 0;
  run r = open_run("tippedisk", "moreau-jean", 1e-3, NULL, NULL);
  CHECK_NEAR(value(&r, "disk.z"), 0.0425, 1e-15);
  for (int i = 1; i <= 30; i++) {
    run_until(&r, 0.1 * i);
    lowest = fmin(lowest, value(&r, "floor.gap"));
    double friction =
        hypot(hypot(value(&r, "floor.P_F.1"), value(&r, "floor.P_F.2")), value(&r, "floor.P_F.3"));
    assert_true(friction <= 0.3 * value(&r, "floor.P_N") * (1 + 1e-9));
  }
  values(&r, "disk", QUATERNION, 4, p);
  double inclination = acos(p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3]);
  CHECK_NEAR(value(&r, "disk.z"), 0.0475, 1e-4);
  CHECK_NEAR(inclination, PI / 2, 0.1);
  CHECK_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1, 1e-6);
  assert_true(lowest > -2e-5);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_body_keeps_energy_and_angular_momentum),
      cmocka_unit_test(quaternions_keep_their_length_over_many_steps),
      cmocka_unit_test(quaternions_shrink_with_another_theta_as_they_should),
      cmocka_unit_test(top_precesses_steadily),
      cmocka_unit_test(disc_rolls_round_a_circle),
      cmocka_unit_test(skate_draws_a_cycloid),
      cmocka_unit_test(sliding_ball_ends_with_five_sevenths_of_its_velocity),
      cmocka_unit_test(turning_slip_keeps_its_invariant),
      cmocka_unit_test(ball_in_space_bounces_as_in_the_plane),
      cmocka_unit_test(tippedisk_inverts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
