/* generalized-alpha with friction and with rotations: what order it has where. */
#include <string.h>

#include "run.h"

/* ---- runs of a text ----------------------------------------------------------------------- */

static void tightly(pc_scheme_settings* settings)
{
  settings->tolerance = 1e-13;
}

static run open_model(const char* text, const char* scheme, double dt)
{
  return open_text(text, scheme, dt, NULL, tightly);
}

enum { N_MAX = 16, DT_COUNT = 4 };

typedef struct motion {
  double q[N_MAX], u[N_MAX];
} motion;

static motion end_of(run* r, double until)
{
  motion m = {0};
  run_until(r, until);
  const pc_state* state = pc_sim_observation(r->sim)->state;
  memcpy(m.q, state->q, (size_t)pc_system_q_count(pc_model_system(r->model)) * sizeof(double));
  memcpy(m.u, state->u, (size_t)pc_system_u_count(pc_model_system(r->model)) * sizeof(double));
  close_run(r);
  return m;
}

static double distance(const double* a, const double* b)
{
  double worst = 0;
  for (int i = 0; i < N_MAX; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

/* Orders in q and u of runs with dt, dt/2, ... against a truth. */
static void check_order(const char* text, double dt, double until, const motion* truth,
                        double order_q, double order_u, double tolerance)
{
  double step[DT_COUNT], error_q[DT_COUNT], error_u[DT_COUNT];
  for (int i = 0; i < DT_COUNT; i++) {
    step[i] = dt / (1 << i);
    run r = open_model(text, "generalized-alpha", step[i]);
    motion m = end_of(&r, until);
    error_q[i] = distance(m.q, truth->q);
    error_u[i] = distance(m.u, truth->u);
  }
  CHECK_NEAR(fitted_order(DT_COUNT, step, error_q), order_q, tolerance);
  CHECK_NEAR(fitted_order(DT_COUNT, step, error_u), order_u, tolerance);
}

/* ---- sliding ------------------------------------------------------------------------------ */

/* A mass slides down a curve that bends away: one direction of slip. Lobatto's family with three
 * stages has order 4 here and tells the truth. */
static void sliding_down_a_curve_is_of_second_order(void** state)
{
  (void)state;
  const char slope[] =
      "percuss: 1\nparameters: {m: 1, g: 10, mu: 0.3}\n"
      "coordinates: {x: {value: 0, velocity: 1}, y: {value: 1, velocity: -1}}\n"
      "kinetic: m/2*(x'^2 + y'^2)\npotential: m*g*y\n"
      "contacts:\n"
      "  slope: {gap: (y - exp(-x))/sqrt(1 + exp(-2*x)),"
      " slip: (x' - exp(-x)*y')/sqrt(1 + exp(-2*x)), friction: mu}\n";
  run r = open_model(slope, "lobatto", 1e-3);
  motion truth = end_of(&r, 0.8);
  check_order(slope, 8e-3, 0.8, &truth, 2, 2, 0.1);
}

/* v' = (ax, 0) - mu g v/|v| by the classical Runge-Kutta method. */
static void puck_rate(const double x[4], double rate[4])
{
  double speed = hypot(x[2], x[3]);
  rate[0] = x[2];
  rate[1] = x[3];
  rate[2] = 2 - 0.2 * 10 * x[2] / speed;
  rate[3] = -0.2 * 10 * x[3] / speed;
}

static motion puck_truth(double until)
{
  double x[4] = {0, 0, 0, 3}, k[4][4], y[4], dt = until / 20000;
  for (int n = 0; n < 20000; n++) {
    for (int s = 0; s < 4; s++) {
      double c = s == 0 ? 0 : s == 3 ? dt : dt / 2;
      for (int i = 0; i < 4; i++) y[i] = x[i] + (s ? c * k[s - 1][i] : 0);
      puck_rate(y, k[s]);
    }
    for (int i = 0; i < 4; i++) x[i] += dt / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  return (motion){{x[0], x[1], 0}, {x[2], x[3], 0}};
}

/* Where the direction of slip turns, RATTLE and Lobatto's family drop to order 1 (errata); here the
 * smooth forces follow the direction and the order stays. */
static void sliding_in_a_turning_direction_is_of_second_order(void** state)
{
  (void)state;
  const char puck[] =
      "percuss: 1\nspace: spatial\ngravity: [2, 0, -10]\n"
      "bodies:\n  puck: {kind: point, mass: 1, position: [0, 0, 0], velocity: [0, 3, 0]}\n"
      "contacts:\n  ice: {point: puck, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: "
      "0.2}\n";
  motion truth = puck_truth(1);
  check_order(puck, 0.02, 1, &truth, 2, 2, 0.1);
  run r = open_model(puck, "rattle", 0.0025), s = open_model(puck, "generalized-alpha", 0.0025);
  motion other = end_of(&r, 1), own = end_of(&s, 1);
  assert_true(distance(own.q, truth.q) < distance(other.q, truth.q) / 20);
}

/* A block that brakes to rest within a step, and stays there. */
static void braking_to_rest_is_of_second_order(void** state)
{
  (void)state;
  const char block[] =
      "percuss: 1\ngravity: [0, -10]\n"
      "bodies:\n  block: {kind: point, mass: 2, position: [0, 0], velocity: [1, 0]}\n"
      "contacts:\n  floor: {point: block, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.3}\n";
  for (int i = 0; i < 8; i++) {
    double dt = 0.02 * pow(0.7, i);
    run r = open_model(block, "generalized-alpha", dt);
    motion m = end_of(&r, 0.5);
    assert_true(fabs(m.q[0] - 1.0 / 6) < 3 * dt * dt); /* the deceleration is 3 m/s^2 */
    CHECK_NEAR(m.u[0], 0, 1e-13);
    CHECK_NEAR(m.q[1], 0, 1e-13);
  }
}

static double final_value(const char* model, double dt, double until, const char* name)
{
  run r = open_run(model, "generalized-alpha", dt, NULL, NULL);
  run_until(&r, until);
  double x = value(&r, name);
  close_run(&r);
  return x;
}

static void block_holds_on_the_incline(void** state)
{
  (void)state;
  run r = open_run("block-on-incline", "generalized-alpha", 0, NULL, NULL);
  double x = value(&r, "block.x"), y = value(&r, "block.y");
  run_until(&r, 1);
  CHECK_NEAR(value(&r, "block.x"), x, 1e-12);
  CHECK_NEAR(value(&r, "block.y"), y, 1e-12);
  close_run(&r);
}

/* Four corners carry the box: how they share its weight and its friction is not determined. It has
 * to hold up to the critical angle, in whatever direction the slope goes, and then to slide with
 * g (sin theta - mu cos theta). */
static void box_holds_or_slides_in_any_direction(void** state)
{
  (void)state;
  const double factor[] = {0.9, 0.99, 0.999, 1.001, 1.05};
  for (int i = 0; i < 5; i++) {
    for (int n = 0; n < 12; n++) {
      double angle = n == 0 ? 0.1 : n * acos(-1) / 6, theta = factor[i] * atan(0.5);
      double a = factor[i] < 1 ? 0 : 9.81 * (sin(theta) - 0.5 * cos(theta));
      char slope[64], way[64];
      snprintf(slope, sizeof slope, "%.17g", factor[i]);
      snprintf(way, sizeof way, "%.17g", angle);
      run r = open_run("box-on-incline", "generalized-alpha", 0,
                       (const char*[]){"angle", slope, "direction", way, NULL}, NULL);
      run_until(&r, 2);
      CHECK_NEAR(value(&r, "block.x"), 2 * a * cos(angle), 1e-11);
      CHECK_NEAR(value(&r, "block.y"), 2 * a * sin(angle), 1e-11);
      CHECK_NEAR(value(&r, "block.vx"), 2 * a * cos(angle), 1e-11);
      CHECK_NEAR(value(&r, "block.vy"), 2 * a * sin(angle), 1e-11);
      close_run(&r);
    }
  }
}

/* The roller turns when the slider falls on it, and each impact stops it: the smooth motion of that
 * step sticks from the first iteration on. */
static void an_impact_that_ends_slip_takes_one_iteration(void** state)
{
  (void)state;
  run r = open_run("slider-roller", "generalized-alpha", 0, NULL, NULL);
  run_until(&r, 1);
  assert_int_equal(pc_sim_summary(r.sim).iterations_max[0], 1);
  close_run(&r);
}

/* ---- friction that has no part in the smooth motion --------------------------------------- */

static void by_joints_alone(pc_scheme_settings* settings)
{
  tightly(settings);
  settings->alpha.strategy = 2;
}

static void by_nothing(pc_scheme_settings* settings)
{
  tightly(settings);
  settings->alpha.strategy = 1;
}

static void by_velocities(pc_scheme_settings* settings)
{
  tightly(settings);
  settings->alpha.constraints = PC_CONSTRAINTS_PVV;
}

static void by_velocities_at_once(pc_scheme_settings* settings)
{
  by_velocities(settings);
  settings->alpha.monolithic = 1;
}

static void by_nothing_at_once(pc_scheme_settings* settings)
{
  by_nothing(settings);
  settings->alpha.monolithic = 1;
}

typedef void change(pc_scheme_settings*);

static change* const without_friction[] = {by_nothing, by_joints_alone, by_velocities,
                                           by_velocities_at_once, by_nothing_at_once};
enum { WITHOUT = sizeof without_friction / sizeof *without_friction };

/* It slides up the incline with 5 (sin + mu cos), stops after 1/(2 a) and stays: the positions,
 * too, and not the velocities alone. */
static void block_stops_and_does_not_creep_with_any_strategy(void** state)
{
  (void)state;
  const char block[] =
      "percuss: 1\nparameters: {angle: 0.4}\ngravity: [5*sin(angle), -5*cos(angle)]\n"
      "bodies:\n  block: {kind: point, mass: 2, position: [0, 0], velocity: [-1, 0]}\n"
      "contacts:\n  floor: {point: block, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.6}\n";
  double stop = -0.5 / (5 * (sin(0.4) + 0.6 * cos(0.4)));
  for (int i = 0; i < WITHOUT; i++) {
    for (double dt = 0.02; dt > 4e-3; dt *= 0.7) {
      run r = open_text(block, "generalized-alpha", dt, NULL, without_friction[i]);
      run_until(&r, 1);
      double x = value(&r, "block.x");
      assert_true(fabs(x - stop) < 3 * dt * dt);
      run_until(&r, 3);
      CHECK_NEAR(value(&r, "block.x"), x, 1e-13);
      close_run(&r);
    }
    run r = open_run("block-on-incline", "generalized-alpha", 0, NULL, without_friction[i]);
    double x = value(&r, "block.x"), y = value(&r, "block.y");
    run_until(&r, 1);
    CHECK_NEAR(value(&r, "block.x"), x, 1e-12);
    CHECK_NEAR(value(&r, "block.y"), y, 1e-12);
    close_run(&r);
  }
}

/* ---- impacts with friction ---------------------------------------------------------------- */

/* Small-step values of the reference; impacts are of first order. */
static void slider_crank_converges_to_the_reference(void** state)
{
  (void)state;
  const double t[] = {1e-3, 2e-3, 4e-3, 0.01, 0.02},
               crank[] = {139.11587, 120.4613, 93.453, 67.4721, 71.6822};
  const double within[] = {1e-3, 2e-3, 0.02, 4e-3, 5e-3};
  for (int i = 0; i < 5; i++)
    CHECK_NEAR(final_value("slider-crank", 1e-5, t[i], "crank.spin"), crank[i], within[i]);
}

/* A damped beam comes down on five of its nodes, askew, and slides: sweeps do not converge where
 * two nodes hit at once, and the step is done with all levels at once. */
static void a_damped_beam_falls_on_its_nodes(void** state)
{
  (void)state;
  const char beam[] =
      "percuss: 1\ngravity: [0, -10]\n"
      "bodies:\n"
      "  beam: {kind: beam, elements: 4, root: [0, 0.05], tip: [0.98, 0.1], area: 2e-4,\n"
      "         inertia: 1.6667e-9, density: 7800, modulus: 2.1e11, damping: 1e-4,\n"
      "         velocity: [1, 0]}\n"
      "contacts:\n"
      "  c0: {point: beam.root, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.4, "
      "restitution: 0.5}\n"
      "  c1: {point: beam.1, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.4, restitution: "
      "0.5}\n"
      "  c2: {point: beam.2, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.4, restitution: "
      "0.5}\n"
      "  c3: {point: beam.3, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.4, restitution: "
      "0.5}\n"
      "  c4: {point: beam.tip, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.4, restitution: "
      "0.5}\n";
  run r = open_text(beam, "generalized-alpha", 5e-5, NULL, NULL);
  run_until(&r, 0.15);
  assert_true(pc_sim_summary(r.sim).penetration_max < 1e-12);
  assert_true(pc_sim_summary(r.sim).impact_residual_max < 1e-9);
  assert_true(pc_sim_summary(r.sim).friction_residual_max < 1e-8);
  close_run(&r);
}

/* ---- rotations ---------------------------------------------------------------------------- */

static const char top[] =
    "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
    "parameters: {l: 0.1, a: 0.5}\n"
    "bodies:\n"
    "  top: {mass: 0.5, inertia: [2e-3, 2e-3, 1e-3], position: [0, -l*sin(a), l*cos(a)],\n"
    "        orientation: [cos(a/2), sin(a/2), 0, 0], angular_velocity: [0, 0, 60]}\n"
    "joints:\n  tip: {spherical: {bodies: [ground, top], at: [0, 0, 0]}}\n";

static void spinning_top_is_of_second_order(void** state)
{
  (void)state;
  run r = open_model(top, "lobatto", 2e-4);
  motion truth = end_of(&r, 0.5);
  check_order(top, 2e-3, 0.5, &truth, 2, 2, 0.05);
}

static void quaternions_keep_their_length(void** state)
{
  (void)state;
  run r = open_model(top, "generalized-alpha", 2e-3);
  motion m = end_of(&r, 4);
  double square = 0;
  for (int i = 3; i < 7; i++) square += m.q[i] * m.q[i];
  CHECK_NEAR(square, 1, 1e-12);
}

/* Rolling, sliding and drilling friction of a disc in space, all of whose directions turn. */
static void tippedisk_is_of_second_order(void** state)
{
  (void)state;
  double z[4], qw[4];
  for (int i = 0; i < 4; i++) {
    z[i] = final_value("tippedisk", 2e-3 / (1 << i), 0.1, "disk.z");
    qw[i] = final_value("tippedisk", 2e-3 / (1 << i), 0.1, "disk.qw");
  }
  CHECK_NEAR(log2((z[1] - z[2]) / (z[2] - z[3])), 2, 0.15);
  CHECK_NEAR(log2((qw[1] - qw[2]) / (qw[2] - qw[3])), 2, 0.15);
}

/* ---- where active sets fail --------------------------------------------------------------- */

static double draw(unsigned* seed, double least, double most)
{
  *seed = 1664525u * *seed + 1013904223u;
  return least + (most - least) * (*seed >> 8) / (1u << 24);
}

enum { LINKS_MAX = 4 };

/* Rods of 1 kg and 1 m that are hinged to each other, at rest above a floor, each end a contact. */
static void write_links(int count, unsigned seed, char* text, size_t size)
{
  double x[LINKS_MAX + 1] = {0}, y[LINKS_MAX + 1] = {0}, angle[LINKS_MAX], low = 0;
  double at = draw(&seed, -3, 3), mu = draw(&seed, 0.1, 0.9), e = seed % 3 ? 0 : 0.3;
  for (int i = 0; i < count; i++) {
    angle[i] = at;
    x[i + 1] = x[i] + cos(at);
    y[i + 1] = y[i] + sin(at);
    low = fmin(low, y[i + 1]);
    at += draw(&seed, -1.2, 1.2);
  }
  size_t end = (size_t)snprintf(text, size, "percuss: 1\ngravity: [0, -9.81]\nbodies:\n");
  for (int i = 0; i < count; i++)
    end += (size_t)snprintf(
        text + end, size - end,
        "  b%d: {mass: 1, inertia: 1/12, position: [%.17g, %.17g], angle: %.17g}\n", i,
        (x[i] + x[i + 1]) / 2, (y[i] + y[i + 1]) / 2 - low + 0.2, angle[i]);
  end += (size_t)snprintf(text + end, size - end, "joints:\n");
  for (int i = 1; i < count; i++)
    end += (size_t)snprintf(text + end, size - end,
                            "  j%d: {revolute: {bodies: [b%d, b%d], at: [%.17g, %.17g]}}\n", i,
                            i - 1, i, x[i], y[i] - low + 0.2);
  end += (size_t)snprintf(text + end, size - end, "contacts:\n");
  for (int i = 0; i <= count; i++)
    end +=
        (size_t)snprintf(text + end, size - end,
                         "  c%d: {point: [b%d, [%g, 0]], plane: {point: [0, 0], normal: [0, 1]}, "
                         "friction: %g, restitution: %g}\n",
                         i, i < count ? i : count - 1, i < count ? -0.5 : 0.5, mu, e);
}

/* Two ends of a rod that rebound and stick are incompatible with its centripetal acceleration: the
 * equations of active sets have no solution. At rest the floor carries the weight. */
static void links_fall_on_a_floor(void** state)
{
  (void)state;
  char text[4096];
  for (int count = 2; count <= 3; count++)
    for (unsigned start = 1; start <= 16; start++) {
      write_links(count, 64u * (unsigned)count + start, text, sizeof text);
      run r = open_text(text, "generalized-alpha", 1e-3, NULL, NULL);
      if (pc_sim_run(r.sim, 2.5, &r.error) != PC_OK)
        fail_msg("%d links, start %u: %s", count, start, r.error.text);
      double force = 0, speed = fabs(value(&r, "b0.vx")) + fabs(value(&r, "b1.spin"));
      for (int k = 0; k <= count; k++) {
        char name[32];
        snprintf(name, sizeof name, "c%d.P_N", k);
        force += value(&r, name) / 1e-3;
      }
      pc_summary s = pc_sim_summary(r.sim);
      assert_true(s.penetration_max < 1e-9);
      assert_true(s.constraint_position_max < 1e-9);
      if (speed < 1e-9) CHECK_NEAR(force, 9.81 * count, 1e-5);
      close_run(&r);
    }
}

/* The pin of a rod in the bore of a crank, with a play that turns the normal by a fifth of a radian
 * in a step: against rattle. */
static const char bore[] =
    "percuss: 1\n"
    "parameters: {l1: 0.153, l2: 0.306, r: 1e-4, R: 0.01}\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank:  {mass: 0.038, inertia: 7.4e-5, position: [l1/2, 0], velocity: [0, 11.475], spin: "
    "150}\n"
    "  rod:    {mass: 0.038, inertia: 5.9e-4, position: [l1 + l2/2, 0], velocity: [0, 11.475], "
    "spin: "
    "-75}\n"
    "  slider: {mass: 0.076, inertia: 2.7e-6, position: [l1 + l2, 0]}\n"
    "joints:\n"
    "  base: {revolute: {bodies: [ground, crank], at: [0, 0]}}\n"
    "  wrist-pin: {revolute: {bodies: [rod, slider], at: [l1 + l2, 0]}}\n"
    "  guide: {prismatic: {bodies: [ground, slider], at: [l1 + l2, 0], axis: [1, 0]}}\n"
    "contacts:\n"
    "  crank-pin: {disc: [rod, [-l2/2, 0]], radius: R - r, other: [crank, [l1/2, 0]], "
    "other_radius: R,"
    " inside: true, friction: 0.01}\n";

static void a_pin_runs_round_its_bore(void** state)
{
  (void)state;
  double angle[2];
  for (int i = 0; i < 2; i++) {
    run r = open_text(bore, i ? "rattle" : "generalized-alpha", 1e-5, NULL, NULL);
    run_until(&r, 0.01);
    angle[i] = value(&r, "crank.angle");
    if (i == 0) assert_true(pc_sim_summary(r.sim).penetration_max < 1e-10);
    close_run(&r);
  }
  CHECK_NEAR(angle[0], angle[1], 1e-4 / 0.153); /* what the play allows */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliding_down_a_curve_is_of_second_order),
      cmocka_unit_test(sliding_in_a_turning_direction_is_of_second_order),
      cmocka_unit_test(braking_to_rest_is_of_second_order),
      cmocka_unit_test(block_holds_on_the_incline),
      cmocka_unit_test(box_holds_or_slides_in_any_direction),
      cmocka_unit_test(an_impact_that_ends_slip_takes_one_iteration),
      cmocka_unit_test(block_stops_and_does_not_creep_with_any_strategy),
      cmocka_unit_test(slider_crank_converges_to_the_reference),
      cmocka_unit_test(a_damped_beam_falls_on_its_nodes),
      cmocka_unit_test(spinning_top_is_of_second_order),
      cmocka_unit_test(quaternions_keep_their_length),
      cmocka_unit_test(tippedisk_is_of_second_order),
      cmocka_unit_test(links_fall_on_a_floor),
      cmocka_unit_test(a_pin_runs_round_its_bore),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
