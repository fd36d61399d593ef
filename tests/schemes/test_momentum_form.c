/* Lobatto (47) in momentum form, where the mass depends on the coordinates: symplectic, of order 2s
 * - 2 with joints and closed contacts, the same for formulas, callbacks and mixed systems. */
#include <math.h>
#include <stdlib.h>

#include "run.h"

static int stages;
static pc_form form;

static void tune(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
  settings->variational.form = form;
  settings->tolerance = 1e-14;
}

static void choose(int s, pc_form f)
{
  stages = s;
  form = f;
}

static void run_steps(run* r, int count)
{
  for (int i = 0; i < count; i++) CHECK_OK(pc_sim_step(r->sim, &r->error), r->error);
}

/* ---- a double pendulum in angles ------------------------------------------------------------ */

static const double M1 = 1.3, M2 = 0.8, L1 = 0.9, L2 = 1.2, G = 9.81;

static const char double_pendulum[] =
    "percuss: 1\n"
    "parameters: {g: 9.81, m1: 1.3, m2: 0.8, l1: 0.9, l2: 1.2, a0: 2, b0: 2.5, va: 0, vb: 0}\n"
    "coordinates: {a: {value: a0, velocity: va}, b: {value: b0, velocity: vb}}\n"
    "kinetic: (m1 + m2)*l1^2*a'^2/2 + m2*l2^2*b'^2/2 + m2*l1*l2*a'*b'*cos(a - b)\n"
    "potential: -(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)\n";

static void mass(const double* q, double M[4])
{
  M[0] = (M1 + M2) * L1 * L1;
  M[3] = M2 * L2 * L2;
  M[1] = M[2] = M2 * L1 * L2 * cos(q[0] - q[1]);
}

/* (q, p) -> (q, u) */
static void velocities(const double x[4], double u[2])
{
  double M[4];
  mass(x, M);
  double det = M[0] * M[3] - M[1] * M[2];
  u[0] = (M[3] * x[2] - M[1] * x[3]) / det;
  u[1] = (M[0] * x[3] - M[2] * x[2]) / det;
}

/* One step of the map of (q, p), through the model. */
static void map(const char* scheme, double dt, const double x[4], double y[4])
{
  double u[2], M[4];
  char text[4][32];
  velocities(x, u);
  const double value[4] = {x[0], x[1], u[0], u[1]};
  for (int i = 0; i < 4; i++) snprintf(text[i], sizeof text[i], "%.17g", value[i]);
  const char* const set[] = {"a0", text[0], "b0", text[1], "va", text[2], "vb", text[3], NULL};
  run r = open_text(double_pendulum, scheme, dt, set, tune);
  run_steps(&r, 1);
  const pc_state* s = pc_sim_observation(r.sim)->state;
  mass(s->q, M);
  for (int i = 0; i < 2; i++) {
    y[i] = s->q[i];
    y[2 + i] = M[2 * i] * s->u[0] + M[2 * i + 1] * s->u[1];
  }
  close_run(&r);
}

/* The largest entry of J'ΩJ - Ω for the derivative J of the map. */
static double symplectic_defect(const char* scheme, double dt)
{
  const double x[4] = {0.7, -0.4, 1.9, 0.8}, h = 1e-3;
  static const double offset[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
  double J[4][4] = {{0}}, largest = 0; /* J[k]: by the k-th */
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 4; i++) {
      double at[4], y[4];
      memcpy(at, x, sizeof at);
      at[k] += offset[i] * h;
      map(scheme, dt, at, y);
      for (int c = 0; c < 4; c++) J[k][c] += weight[i] * y[c] / (12 * h);
    }
  for (int k = 0; k < 4; k++)
    for (int l = 0; l < 4; l++) {
      double sum = 0;
      for (int c = 0; c < 2; c++) sum += J[k][c] * J[l][2 + c] - J[k][2 + c] * J[l][c];
      double want = l == k + 2 ? 1 : k == l + 2 ? -1 : 0;
      largest = fmax(largest, fabs(sum - want));
    }
  return largest;
}

static void a_step_is_symplectic(void** state)
{
  (void)state;
  for (int s = 2; s <= 5; s++) {
    choose(s, PC_FORM_PUBLISHED);
    assert_true(symplectic_defect("lobatto", 0.1) < 2e-10);
  }
  choose(2, PC_FORM_MOMENTUM);
  assert_true(symplectic_defect("rattle", 0.1) < 2e-10);
  choose(2, PC_FORM_VELOCITY); /* what the check can see */
  assert_true(symplectic_defect("lobatto", 0.1) > 1e-6);
  choose(2, PC_FORM_PUBLISHED);
  assert_true(symplectic_defect("rattle", 0.1) > 1e-6);
}

/* ---- energy --------------------------------------------------------------------------------- */

static const char spherical_pendulum[] =
    "percuss: 1\n"
    "parameters: {g: 9.81, m: 0.7, l: 1.4}\n"
    "coordinates: {th: {value: 1.1, velocity: 0.4}, ph: {value: 0.2, velocity: 1.3}}\n"
    "kinetic: m*l^2/2*(th'^2 + sin(th)^2*ph'^2)\n"
    "potential: -m*g*l*cos(th)\n";

/* The means of the energy's error over blocks of the run. */
enum { BLOCKS = 8 };

static void block_means(const char* text, int s, int steps, double mean[BLOCKS])
{
  choose(s, PC_FORM_PUBLISHED);
  run r = open_text(text, "lobatto", 0.01, NULL, tune);
  double start = pc_sim_summary(r.sim).energy_initial;
  for (int b = 0; b < BLOCKS; b++) {
    mean[b] = 0;
    for (int n = 0; n < steps / BLOCKS; n++) {
      run_steps(&r, 1);
      const pc_observation* seen = pc_sim_observation(r.sim);
      mean[b] += (seen->kinetic + seen->potential - start) / (steps / BLOCKS);
    }
  }
  close_run(&r);
}

/* Chaotic: the mean of a block has a scatter of its own, which falls with its length. */
static void energy_does_not_drift(void** state)
{
  (void)state;
  double mean[BLOCKS];
  block_means(double_pendulum, 2, 160000, mean);
  for (int b = 0; b < BLOCKS; b++) CHECK_NEAR(mean[b], -3.2e-3, 0.1 * 3.2e-3);
  block_means(double_pendulum, 3, 40000, mean);
  for (int b = 0; b < BLOCKS; b++) CHECK_NEAR(mean[b], 0, 5e-6);
  block_means(spherical_pendulum, 2, 40000, mean);
  for (int b = 0; b < BLOCKS; b++) CHECK_NEAR(mean[b], -4.62e-4, 0.01 * 4.62e-4);
  block_means(spherical_pendulum, 3, 40000, mean);
  for (int b = 0; b < BLOCKS; b++) CHECK_NEAR(mean[b], -1.26e-8, 0.02 * 1.26e-8);
}

/* ---- joints, contacts, friction in polar coordinates ----------------------------------------- */

/* A mass on a horizontal floor y = -1, in polar coordinates; slides with friction. */
static const char sliding[] =
    "percuss: 1\n"
    "parameters: {m: 1.7, g: 10, mu: 0.3, v: 2}\n"
    "coordinates: {r: {value: 1, velocity: 0}, a: {value: 0, velocity: v}}\n"
    "kinetic: m/2*(r'^2 + r^2*a'^2)\n"
    "potential: -m*g*r*cos(a)\n"
    "contacts: {floor: {gap: 1 - r*cos(a), slip: \"r'*sin(a) + r*cos(a)*a'\", friction: mu,"
    " restitution: 0.5}}\n";

/* The same mass held to the line by a constraint, falling along it: x = 1, y = v t - g t^2/2. */
static const char guided[] =
    "percuss: 1\n"
    "parameters: {m: 1.7, g: 10, v: 2}\n"
    "coordinates: {r: {value: 1, velocity: 0}, a: {value: 0, velocity: v}}\n"
    "kinetic: m/2*(r'^2 + r^2*a'^2)\n"
    "potential: m*g*r*sin(a)\n"
    "constraints: {line: r*cos(a) - 1}\n";

/* The distance from the exact place at t = 0.5. */
static double error_of(const char* text, int s, double dt, double exact)
{
  choose(s, PC_FORM_PUBLISHED);
  run r = open_text(text, "lobatto", dt, NULL, tune);
  run_steps(&r, (int)lround(0.5 / dt));
  const pc_state* x = pc_sim_observation(r.sim)->state;
  double error = fabs(x->q[0] * sin(x->q[1]) - exact);
  assert_true(fabs(x->q[0] * cos(x->q[1]) - 1) < 1e-12);
  close_run(&r);
  return error;
}

static void order_is_2s_minus_2_on_a_joint_and_in_closed_contact(void** state)
{
  (void)state;
  static const double step[] = {0, 0, 0.0125, 0.05, 0.0625}; /* by s */
  for (int s = 2; s <= 4; s++) {
    double dt = step[s];
    double slide = log2(error_of(sliding, s, dt, 2 * 0.5 - 0.5 * 3 * 0.25) /
                        error_of(sliding, s, dt / 2, 2 * 0.5 - 0.5 * 3 * 0.25));
    double fall = log2(error_of(guided, s, dt, 2 * 0.5 - 0.5 * 10 * 0.25) /
                       error_of(guided, s, dt / 2, 2 * 0.5 - 0.5 * 10 * 0.25));
    /* with four stages, steps short enough for the leading term are below round-off */
    assert_true(slide > 2 * s - 2.25 && fall > 2 * s - 2.25);
  }
}

/* Dropped from a height of 0.2: bounces that halve the speed, and a friction that stops the
 * slip. */
static void impacts_obey_their_laws(void** state)
{
  (void)state;
  static const char dropped[] =
      "percuss: 1\n"
      "parameters: {m: 1.7, g: 10, mu: 0.3, v: 1}\n"
      "coordinates: {r: {value: 0.8, velocity: 0}, a: {value: 0, velocity: v}}\n"
      "kinetic: m/2*(r'^2 + r^2*a'^2)\n"
      "potential: -m*g*r*cos(a)\n"
      "contacts: {floor: {gap: 1 - r*cos(a), slip: \"r'*sin(a) + r*cos(a)*a'\", friction: mu,"
      " restitution: 0.5}}\n";
  for (int s = 2; s <= 4; s++) {
    choose(s, PC_FORM_PUBLISHED);
    run r = open_text(dropped, "lobatto", 1e-3, NULL, tune);
    run_steps(&r, 700);
    pc_summary summary = pc_sim_summary(r.sim);
    const pc_state* x = pc_sim_observation(r.sim)->state;
    double speed = x->u[0] * sin(x->q[1]) + x->q[0] * cos(x->q[1]) * x->u[1];
    double height = 1 - x->q[0] * cos(x->q[1]);
    assert_true(summary.penetration_max < 1e-12);
    assert_true(summary.impact_residual_max < 1e-11 && summary.friction_residual_max < 1e-11);
    /* impacts at 0.2 and 0.4 s with 2 and 1 m/s, then at 0.5, 0.55, ...; each takes mu 1.5 v_N of
     * the slip */
    CHECK_NEAR(height, 0, 1e-3);
    CHECK_NEAR(speed, 0, 1e-12); /* 0.8 = v_0 a r; the first impact alone takes 0.9 */
    close_run(&r);
  }
}

/* ---- callbacks and mixtures ------------------------------------------------------------------ */

static void pendulum_M(const void* user, double t, const double* q, double* M)
{
  (void)user, (void)t;
  mass(q, M);
}

static void pendulum_Ma_q(const void* user, double t, const double* q, const double* a,
                          double* Ma_q)
{
  (void)user, (void)t;
  double s = M2 * L1 * L2 * sin(q[0] - q[1]);
  const double rows[4] = {-s * a[1], s * a[1], -s * a[0], s * a[0]};
  memcpy(Ma_q, rows, sizeof rows);
}

static void pendulum_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user, (void)t;
  double s = M2 * L1 * L2 * sin(q[0] - q[1]);
  h[0] = -s * u[1] * u[1] - (M1 + M2) * G * L1 * sin(q[0]);
  h[1] = s * u[0] * u[0] - M2 * G * L2 * sin(q[1]);
}

/* The state after 100 steps of 0.01. */
static void run_callback(int derivative, double x[4])
{
  pc_error error = {0};
  pc_system_def system_def = pc_default_system_def();
  pc_system* system;
  pc_part_id part;
  CHECK_OK(pc_system_create(&system_def, &system, &error), error);
  pc_coordinates_def angles = pc_default_coordinates_def();
  angles.name = "angles";
  angles.q_count = angles.u_count = 2;
  angles.q0 = (const double[]){2, 2.5};
  angles.u0 = (const double[]){0, 0};
  CHECK_OK(pc_add_coordinates(system, &angles, &part, &error), error);
  pc_callback_def def = pc_default_callback_def();
  def.name = "pendulum";
  def.part_count = 1;
  def.part = &part;
  def.M = pendulum_M;
  def.h = pendulum_h;
  if (derivative) def.Ma_q = pendulum_Ma_q;
  CHECK_OK(pc_add_callback(system, &def, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  pc_sim_def sim_def = {system, "lobatto", pc_default_scheme_settings()};
  sim_def.settings.dt = 0.01;
  tune(&sim_def.settings);
  pc_sim* sim;
  CHECK_OK(pc_sim_create(&sim_def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 1, &error), error);
  const pc_state* state = pc_sim_observation(sim)->state;
  memcpy(x, state->q, 2 * sizeof *x);
  memcpy(x + 2, state->u, 2 * sizeof *x);
  pc_sim_destroy(sim);
  pc_system_destroy(system);
}

static void callbacks_move_as_formulas_do(void** state)
{
  (void)state;
  for (int s = 2; s <= 3; s++) {
    choose(s, PC_FORM_PUBLISHED);
    run r = open_text(double_pendulum, "lobatto", 0.01, NULL, tune);
    run_steps(&r, 100);
    const pc_state* want = pc_sim_observation(r.sim)->state;
    for (int derivative = 0; derivative < 2; derivative++) {
      double x[4];
      run_callback(derivative, x);
      for (int i = 0; i < 2; i++) {
        CHECK_NEAR(x[i], want->q[i], 1e-9);
        CHECK_NEAR(x[2 + i], want->u[i], 1e-9);
      }
    }
    close_run(&r);
  }
}

/* Bodies, whose mass is constant, move as they do alone beside coordinates whose mass is not. */
static void bodies_beside_it_move_as_they_do_alone(void** state)
{
  (void)state;
  static const char top[] =
      "percuss: 1\n"
      "space: spatial\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {top: {mass: 0.3, inertia: [3e-3, 3e-3, 5e-4], position: [0, 0.1, 0.2],"
      " angular_velocity: [1, 2, 30]}}\n"
      "joints: {foot: {spherical: {bodies: [ground, top], at: [0, 0, 0]}}}\n";
  static const char both[] =
      "percuss: 1\n"
      "space: spatial\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {top: {mass: 0.3, inertia: [3e-3, 3e-3, 5e-4], position: [0, 0.1, 0.2],"
      " angular_velocity: [1, 2, 30]}}\n"
      "joints: {foot: {spherical: {bodies: [ground, top], at: [0, 0, 0]}}}\n"
      "coordinates: {r: {value: 1, velocity: 0}, a: {value: 0, velocity: 2}}\n"
      "kinetic: 1.7/2*(r'^2 + r^2*a'^2)\n"
      "potential: -17*r*cos(a) + 40*(r - 1)^2\n";
  for (int s = 2; s <= 3; s++) {
    choose(s, PC_FORM_PUBLISHED);
    run a = open_text(top, "lobatto", 2e-3, NULL, tune),
        b = open_text(both, "lobatto", 2e-3, NULL, tune);
    run_steps(&a, 100);
    run_steps(&b, 100);
    const pc_state *x = pc_sim_observation(a.sim)->state, *y = pc_sim_observation(b.sim)->state;
    double nearest = HUGE_VAL; /* the body's coordinates come first or last */
    for (int first = 0; first <= 2; first += 2) {
      double largest = 0;
      for (int i = 0; i < 7; i++) largest = fmax(largest, fabs(y->q[first + i] - x->q[i]));
      for (int i = 0; i < 6; i++) largest = fmax(largest, fabs(y->u[first + i] - x->u[i]));
      nearest = fmin(nearest, largest);
    }
    assert_true(nearest < 1e-10);
    close_run(&a);
    close_run(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_symplectic),
      cmocka_unit_test(energy_does_not_drift),
      cmocka_unit_test(order_is_2s_minus_2_on_a_joint_and_in_closed_contact),
      cmocka_unit_test(impacts_obey_their_laws),
      cmocka_unit_test(callbacks_move_as_formulas_do),
      cmocka_unit_test(bodies_beside_it_move_as_they_do_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
