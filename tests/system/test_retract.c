/* Positions from increments in velocity space, and the slopes of rows, against differences. */
#include <string.h>

#include "base/rotation.h"
#include "check.h"
#include "percuss/percuss.h"
#include "system/terms.h"

/* ---- increments --------------------------------------------------------------------------- */

static void spin_q_dot(const void* user, double t, const double* q, const double* u, double* q_dot)
{
  (void)user, (void)t;
  pc_rotation_rate(q, u, q_dot);
}

static void spin_B(const void* user, double t, const double* q, double* B)
{
  (void)user, (void)t;
  for (int k = 0; k < 3; k++) {
    double column[4];
    pc_rotation_rate(q, (const double[3]){k == 0, k == 1, k == 2}, column);
    for (int i = 0; i < 4; i++) B[3 * i + k] = column[i];
  }
}

static void timed_q_dot(const void* user, double t, const double* q, const double* u, double* q_dot)
{
  (void)user, (void)q;
  q_dot[0] = (1 + t) * u[0];
}

static void timed_B(const void* user, double t, const double* q, double* B)
{
  (void)user, (void)q;
  B[0] = 1 + t;
}

/* q' = (1 + t) u: over a step with the mean velocity u it is the time of its middle that counts. */
static void increments_take_the_middle_of_the_step(void** state)
{
  (void)state;
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_coordinates_def timed = pc_default_coordinates_def();
  timed.name = "timed";
  timed.q_count = timed.u_count = 1;
  timed.q0 = timed.u0 = (const double[]){0};
  timed.kinematics = (pc_kinematics){.q_dot = timed_q_dot, .B = timed_B};
  CHECK_OK(pc_add_coordinates(system, &timed, &id, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  double q = 0, work[4], t = 2, dt = 0.5, d = 0.1;
  pc_system_retract(system, t, dt, &(double){3}, &d, work, &q);
  CHECK_NEAR(q, 3 + (1 + t + dt / 2) * d, 1e-15);
  pc_system_destroy(system);
}

/* Some coordinates with q' = u, a quaternion of user code, and a body in space. */
static pc_system* three_parts(void)
{
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_error error = {0};
  pc_part_id id;
  def.dimension = 3;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_coordinates_def plain = pc_default_coordinates_def();
  plain.name = "plain";
  plain.q_count = plain.u_count = 2;
  plain.q0 = plain.u0 = (const double[]){1, 2};
  CHECK_OK(pc_add_coordinates(system, &plain, &id, &error), error);
  pc_coordinates_def spin = pc_default_coordinates_def();
  spin.name = "spin";
  spin.q_count = 4;
  spin.u_count = 3;
  spin.q0 = (const double[]){0.6, 0, 0.8, 0};
  spin.u0 = (const double[]){0, 0, 0};
  spin.kinematics = (pc_kinematics){.q_dot = spin_q_dot, .B = spin_B};
  CHECK_OK(pc_add_coordinates(system, &spin, &id, &error), error);
  pc_spatial_body_def body = pc_default_spatial_body_def();
  body.name = "body";
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[4 * i] = 1;
  memcpy(body.orientation, (const double[]){0.6, 0, 0.8, 0}, sizeof body.orientation);
  CHECK_OK(pc_add_spatial_body(system, &body, &id, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

enum { N_Q = 13, N_U = 11 };

static void increments_move_each_part_in_its_own_way(void** state)
{
  (void)state;
  pc_system* system = three_parts();
  const double* q_0 = pc_system_q0(system);
  double turn[3] = {0.02, -0.05, 0.03}, d[N_U] = {0.5, -0.25}, q[N_Q], scratch[N_Q + N_U], p[4];
  memcpy(d + 2, turn, sizeof turn);
  memcpy(d + 8, turn, sizeof turn);
  d[5] = 7;
  pc_system_retract(system, 0, 0.1, q_0, d, scratch, q);
  CHECK_NEAR(q[0], 1.5, 0);
  CHECK_NEAR(q[1], 1.75, 0);
  pc_rotation_exp(turn, p);
  pc_quaternion_product(q_0 + 9, p, p);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(q[9 + i], p[i], 1e-16); /* the body: the exponential map */
    CHECK_NEAR(q[2 + i], p[i], 3e-5);  /* user code: to third order, |d|^3/12 */
  }
  CHECK_NEAR(q[6], 7, 0);
  double square = 0;
  for (int i = 2; i < 6; i++) square += q[i] * q[i];
  CHECK_NEAR(square, 1, 1e-15); /* the midpoint rule keeps the length */
  pc_system_destroy(system);
}

/* ---- slopes of rows ----------------------------------------------------------------------- */

/* A rod on a pin, a point of it on a plane that turns, and a law for its velocity: rows whose W and
 * chi change with q and with t. */
static pc_model* rod(void)
{
  const char text[] =
      "percuss: 1\n"
      "bodies: {rod: {mass: 1, inertia: 0.1, position: [1, 0.3], angle: 0.4, spin: 1}}\n"
      "joints: {pin: {revolute: {bodies: [ground, rod], at: [0.2, 0]}}}\n"
      "contacts: {stop: {point: [rod, [0.3, 0.1]], plane: {point: [0, -1], normal: [1, 2]},"
      " friction: 0.1}}\nconstraints: {rate: {velocity: rod.vx*sin(2*t) - 0.3*rod.y*rod.x*t},\n"
      " wall: rod.x*sin(3*t)*rod.y + t*rod.angle}\n";
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  return model;
}

enum { N = 3, ROWS = 6 };
static const double AT_TIME = 0.7; /* [s] */

static void at_point(pc_terms* terms, const double* q, const double* u, double* y_dot, double* zeta)
{
  pc_terms_evaluate(terms, &(pc_at){AT_TIME, q, u, NULL});
  for (int r = 0; r < ROWS; r++) {
    y_dot[r] = pc_terms_row_velocity(terms, r, u);
    zeta[r] = terms->zeta[r];
  }
}

static void slopes_of_rows_are_their_differences(void** state)
{
  (void)state;
  pc_model* model = rod();
  pc_terms* terms = NULL;
  pc_error error = {0};
  unsigned mask = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q | PC_TERM_ZETA;
  CHECK_OK(pc_terms_create(pc_model_system(model), mask, &terms, &error), error);
  double q[N] = {1, 0.3, 0.4}, u[N] = {0.7, -0.2, 1.3}, step = 1e-6;
  double up[2][ROWS], down[2][ROWS], velocity[ROWS][N] = {{0}}, acceleration[ROWS][N] = {{0}};
  pc_at at = {AT_TIME, q, u, NULL};
  pc_terms_evaluate(terms, &at);
  for (int r = 0; r < ROWS; r++) {
    pc_terms_add_row_velocity_slope(terms, &at, r, u, 2, velocity[r]);
    pc_terms_add_row_zeta_u(terms, &at, r, 3, acceleration[r]);
  }
  for (int i = 0; i < N; i++) {
    double x = q[i], v = u[i];
    q[i] = x + step, at_point(terms, q, u, up[0], up[1]);
    q[i] = x - step, at_point(terms, q, u, down[0], down[1]);
    q[i] = x;
    for (int r = 0; r < ROWS; r++)
      CHECK_NEAR(velocity[r][i], 2 * (up[0][r] - down[0][r]) / (2 * step), 1e-8);
    u[i] = v + step, at_point(terms, q, u, up[0], up[1]);
    u[i] = v - step, at_point(terms, q, u, down[0], down[1]);
    u[i] = v;
    for (int r = 0; r < ROWS; r++)
      CHECK_NEAR(acceleration[r][i], 3 * (up[1][r] - down[1][r]) / (2 * step), 1e-8);
  }
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

/* ---- the tangent of bodies in space ---------------------------------------------------------- */

enum { BODY = 6, PLACE = 7 };

/* Forces and torques of a spring that holds a corner of a body. */
static pc_model* held_by_a_spring(void)
{
  static const char text[] =
      "percuss: 1\nspace: spatial\nbodies:\n"
      "  a: {mass: 2, inertia: [1, 2, 2.5], position: [0.3, 0.2, -0.4]}\n"
      "forces: {f: {spring: {points: [[ground, [1, 2, 3]], [a, [0.5, -0.2, 0.4]]], "
      "stiffness: 30, length: 1}}}\n"
      "simulate: {scheme: rattle, dt: 1e-3, until: 1}\n";
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, sizeof text - 1, NULL, 0, &model, &error), error);
  return model;
}

/* out := h(q + step q') */
static void forces_at(pc_terms* terms, const double* q, const double* q_dot, double step,
                      double* out)
{
  static const double rest[BODY] = {0};
  double moved[PLACE];
  for (int i = 0; i < PLACE; i++) moved[i] = q[i] + step * q_dot[i];
  pc_terms_evaluate(terms, &(pc_at){0, moved, rest, NULL});
  memcpy(out, terms->h, BODY * sizeof *out);
}

/* (M - c dh/dq B) y = x, with dh/dq B y as the difference of h along q' = B y. */
static void the_tangent_of_a_body_in_space_is_its_difference(void** state)
{
  (void)state;
  enum { TRIES = BODY };
  const double c = 0.09, step = 1e-6;
  double q[PLACE] = {0.3, 0.2, -0.4, 0.8, 0.2, -0.4, 0.4}, u[BODY] = {0};
  pc_model* model = held_by_a_spring();
  const pc_system* system = pc_model_system(model);
  pc_terms* terms = NULL;
  pc_assembly* tangent = NULL;
  pc_error error = {0};
  CHECK_OK(pc_terms_create(system, PC_TERM_M | PC_TERM_H | PC_TERM_H_Q, &terms, &error), error);
  CHECK_OK(pc_system_create_tangent(system, &tangent, &error), error);
  pc_at at = {0, q, u, NULL};
  for (int k = 0; k < TRIES; k++) {
    double y[BODY], q_dot[PLACE], M[BODY * BODY] = {0}, up[BODY], down[BODY];
    for (int i = 0; i < BODY; i++) y[i] = i == k;
    pc_terms_evaluate(terms, &at);
    pc_terms_add_dense(terms, PC_TERM_M, 1, M);
    pc_terms_tangent(terms, &at, 1, 0, c, tangent);
    assert_int_equal(pc_assembly_factor(tangent), PC_OK);
    pc_assembly_solve(tangent, y);
    pc_system_q_dot(system, 0, q, y, q_dot);
    forces_at(terms, q, q_dot, step, up);
    forces_at(terms, q, q_dot, -step, down);
    for (int i = 0; i < BODY; i++) {
      double sum = -c * (up[i] - down[i]) / (2 * step);
      for (int j = 0; j < BODY; j++) sum += M[i * BODY + j] * y[j];
      CHECK_NEAR(sum, i == k, 1e-8);
    }
  }
  pc_assembly_destroy(tangent);
  pc_terms_destroy(terms);
  pc_model_destroy(model);
}

/* The theta point of a body in space, whatever it turns by in the step: q = q_0 + dt q'(q_theta, u)
 * with q_theta = (1 - theta) q_0 + theta q. */
static void theta_points_of_bodies_solve_their_equation(void** state)
{
  (void)state;
  pc_system_def def = pc_default_system_def();
  pc_system* system = NULL;
  pc_error error = {0};
  pc_part_id id;
  def.dimension = 3;
  CHECK_OK(pc_system_create(&def, &system, &error), error);
  pc_spatial_body_def body = pc_default_spatial_body_def();
  body.name = "body";
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[4 * i] = 1 + i;
  CHECK_OK(pc_add_spatial_body(system, &body, &id, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  const double q_0[7] = {1, -2, 3, 0.4, -0.5, 0.6, 0.3}, u[6] = {0.3, -0.2, 0.1, 2, -3, 5};
  for (int k = 0; k < 12; k++) {
    double dt = k < 6 ? 1e-3 : 0.9, theta = 0.5 + 0.1 * (k % 6), rate[7];
    double q_theta[7], q[7], squares[2] = {0, 0};
    memcpy(q_theta, q_0, sizeof q_0);
    pc_system_theta_point(system, &(pc_theta_interval){0, dt, theta, q_0}, u, q_theta, q);
    pc_system_q_dot(system, 0, q_theta, u, rate);
    for (int i = 0; i < 7; i++) {
      CHECK_NEAR(q_theta[i], (1 - theta) * q_0[i] + theta * q[i], 1e-15);
      CHECK_NEAR(q[i], q_0[i] + dt * rate[i], 1e-14);
    }
    for (int i = 3; i < 7; i++) squares[0] += q_0[i] * q_0[i], squares[1] += q[i] * q[i];
    if (theta == 0.5) CHECK_NEAR(squares[1], squares[0], 1e-15); /* keeps its length */
  }
  pc_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theta_points_of_bodies_solve_their_equation),
      cmocka_unit_test(increments_take_the_middle_of_the_step),
      cmocka_unit_test(increments_move_each_part_in_its_own_way),
      cmocka_unit_test(slopes_of_rows_are_their_differences),
      cmocka_unit_test(the_tangent_of_a_body_in_space_is_its_difference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
