/* Derivatives through the stages of a variational scheme, against differences of what the stage
 * problem evaluates: its matrix, the gradients of its rows, and the kinematic defect. */
#include <math.h>
#include <stdlib.h>

#include "percuss/elements.h"
#include "run.h"
#include "schemes/variational.h"

enum { X_MAX = 64, Y_MAX = 128 };

/* ---- a turntable with kinematics of its own, and a mass that it touches -------------------- */

/* The table's angle is a unit complex number (cos, sin) on a base that turns by itself:
 * q' = i q (u + rate). A point of it touches the mass (x, y). */
static const double RATE = 0.3;

static void table_q_dot(const void* user, double t, const double* q, const double* u, double* q_dot)
{
  (void)user, (void)t;
  q_dot[0] = -q[1] * (u[0] + RATE);
  q_dot[1] = q[0] * (u[0] + RATE);
}

static void table_B(const void* user, double t, const double* q, double* B)
{
  (void)user, (void)t;
  B[0] = -q[1];
  B[1] = q[0];
}

/* No term depends on the length of the complex number (see system/stages.h). */
static void direction(const double* q, double* cosine, double* sine)
{
  double length = hypot(q[0], q[1]);
  *cosine = q[0] / length;
  *sine = q[1] / length;
}

static void touch_M(const void* user, double t, const double* q, double* M)
{
  (void)user, (void)t;
  double c, s;
  direction(q, &c, &s);
  M[0] = 0.6 + 0.2 * c * s + 0.1 * q[2] * q[2];
  M[4] = 1.2;
  M[8] = 1.2 + 0.3 * q[2] * q[2];
}

static void touch_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user;
  double c, s;
  direction(q, &c, &s);
  h[0] = -2 * (c * c - s * s) - 0.3 * u[0] * u[1];
  h[1] = -3 * q[2] + sin(t) - 0.2 * u[1] * c;
  h[2] = -9.81 + 0.4 * u[0] - q[3] * q[3];
}

/* g = x + sin/2 - t/10; gamma = u + u_x cos + u_y x + t sin; g_N = y - sin;
 * gamma_F = u_x - cos (u + rate). */
static void touch_y(const void* user, double t, const double* q, double* y)
{
  (void)user;
  double c, s;
  direction(q, &c, &s);
  y[0] = q[2] + s / 2 - 0.1 * t;
  y[2] = q[3] - s;
}

static void touch_W(const void* user, double t, const double* q, double* W, double* chi)
{
  (void)user;
  double c, s;
  direction(q, &c, &s);
  const double rows[4][3] = {{c / 2, 1, 0}, {1, c, q[2]}, {-c, 0, 1}, {-c, 1, 0}};
  memcpy(W, rows, sizeof rows);
  chi[0] = RATE * c / 2 - 0.1;
  chi[1] = t * s;
  chi[2] = -RATE * c;
  chi[3] = -RATE * c;
}

static pc_system* turntable(void)
{
  pc_error error = {0};
  pc_system_def system_def = pc_default_system_def();
  pc_system* system;
  system_def.dimension = 2;
  CHECK_OK(pc_system_create(&system_def, &system, &error), error);
  pc_part_id part[2];
  pc_coordinates_def table = pc_default_coordinates_def();
  table.name = "table";
  table.q_count = 2;
  table.u_count = 1;
  table.q0 = (const double[]){cos(0.5), sin(0.5)};
  table.u0 = (const double[]){0.1};
  table.kinematics = (pc_kinematics){.q_dot = table_q_dot, .B = table_B};
  CHECK_OK(pc_add_coordinates(system, &table, &part[0], &error), error);
  pc_coordinates_def mass = pc_default_coordinates_def();
  mass.name = "mass";
  mass.q_count = mass.u_count = 2;
  mass.q0 = (const double[]){0.4, 0.6};
  mass.u0 = (const double[]){0.2, -0.7};
  CHECK_OK(pc_add_coordinates(system, &mass, &part[1], &error), error);
  pc_contact_law law = {.name = "touch", .mu = 0.3};
  pc_callback_def def = pc_default_callback_def();
  def.name = "touch";
  def.part_count = 2;
  def.part = part;
  def.g_count = def.gamma_count = def.contact_count = 1;
  def.contact = &law;
  def.M = touch_M;
  def.h = touch_h;
  def.y = touch_y;
  def.W = touch_W;
  CHECK_OK(pc_add_callback(system, &def, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

/* ---- a stage problem at some iterate -------------------------------------------------------- */

typedef struct bench {
  pc_variational* v;
  pc_implicit_problem problem;
  pc_state state;
  double q[X_MAX], u[X_MAX];
  double P[Y_MAX];
} bench;

/* The increments, percussions and the length of the step are arbitrary, but large enough to see. */
static void set_up(bench* b, const pc_system* system, int s, pc_velocity_constraints how,
                   pc_form form, double dt)
{
  pc_error error = {0};
  void* scheme;
  pc_scheme_settings settings = pc_default_scheme_settings();
  settings.variational.velocity_constraints = how;
  memset(b, 0, sizeof *b);
  CHECK_OK(pc_variational_create(system, &settings, s, 0, form, &scheme, &error), error);
  pc_variational* v = b->v = scheme;
  memcpy(b->q, pc_system_q0(system), (size_t)v->n_q * sizeof(double));
  memcpy(b->u, pc_system_u0(system), (size_t)v->n_u * sizeof(double));
  b->state = (pc_state){.t = 0.7, .q = b->q, .u = b->u};
  v->step.state = &b->state;
  v->step.t = 0.7;
  v->step.dt = dt;
  for (int i = 0; i < v->n_u; i++) v->start.p[i] = 0.3 * i;
  for (int i = 0; i < v->n * v->n_u; i++)
    v->positions.w[i] = dt * sin(3 * i + 1) * (1 + fabs(b->u[i % v->n_u]));
  for (int i = 0; i < v->m * v->rows; i++) b->P[i] = 0.05 * cos(5 * i + 2);
  pc_terms_evaluate(v->terms[0], &(pc_at){0.7, b->q, b->u, v->zero});
  pc_stage_kinematics_begin(v->motion, 0.7, dt, b->q);
  b->problem = pc_position_problem(v);
  assert_true(b->problem.x_count <= X_MAX && b->problem.row_count <= Y_MAX);
}

static void evaluate(bench* b, double* F, double* y)
{
  b->problem.evaluate(b->problem.user, b->P, F, y);
}

static void linearise(bench* b, double* F, double* y)
{
  pc_error error = {0};
  CHECK_OK(b->problem.linearise(b->problem.user, b->P, NULL, F, y, NULL, &error), error);
}

/* Newton on the kinematics alone, until there is no defect. */
static void solve_kinematics(bench* b)
{
  double F[X_MAX], y[Y_MAX];
  for (int i = 0; i < 8; i++) {
    evaluate(b, F, y);
    linearise(b, F, y);
    b->problem.advance(b->problem.user, 1, b->v->zero);
  }
  evaluate(b, F, y);
  for (int i = 0; i < b->v->s * b->v->n_q; i++) CHECK_NEAR(b->v->motion->defect[i], 0, 1e-14);
}

static double size_of(int n, const double* x)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

static void compare(int n, const double* got, const double* want, double tolerance)
{
  double scale = 1 + size_of(n, want);
  for (int i = 0; i < n; i++) CHECK_NEAR(got[i] / scale, want[i] / scale, tolerance);
}

/* F and y at x + scale dx; the iterate is put back. */
static void look_ahead(bench* b, double scale, const double* dx, double* F, double* y)
{
  pc_stage_kinematics* k = b->v->motion;
  double w[X_MAX], Q[X_MAX * 4], defect[X_MAX * 4];
  size_t w_size = (size_t)(b->v->n * b->v->n_u) * sizeof *w;
  size_t Q_size = (size_t)(k->s * k->n_q) * sizeof *Q;
  int has_defect = k->has_defect;
  memcpy(w, b->v->positions.w, w_size);
  memcpy(Q, k->Q, Q_size);
  memcpy(defect, k->defect, Q_size);
  b->problem.advance(b->problem.user, scale, dx);
  evaluate(b, F, y);
  memcpy(b->v->positions.w, w, w_size);
  memcpy(k->Q, Q, Q_size);
  memcpy(k->defect, defect, Q_size);
  k->has_defect = has_defect;
}

/* dF/dx and dy/dx along dx, by differences. */
static void difference(bench* b, const double* dx, double* dF, double* dy)
{
  const double h = 1e-5;
  double F[X_MAX], y[Y_MAX];
  look_ahead(b, h, dx, dF, dy);
  look_ahead(b, -h, dx, F, y);
  for (int i = 0; i < b->problem.x_count; i++) dF[i] = (dF[i] - F[i]) / (2 * h);
  for (int i = 0; i < b->problem.row_count; i++) dy[i] = (dy[i] - y[i]) / (2 * h);
  evaluate(b, F, y);
}

/* The same matrix by blocks, with the edges that the percussions at hand make. */
static void compare_blocks(bench* b, const double* dx, const double* want)
{
  pc_error error = {0};
  const pc_implicit_graph* g = b->problem.graph;
  pc_block_matrix blocks = {0};
  pc_edge edge[Y_MAX];
  double F[X_MAX], y[Y_MAX], x[X_MAX], product[X_MAX] = {0}, got[X_MAX];
  assert_true(g->edge_max <= Y_MAX);
  int count = b->problem.edges(b->problem.user, b->P, edge);
  CHECK_OK(pc_block_matrix_shape(&blocks, g->group_count, g->size, count, edge, &error), error);
  evaluate(b, F, y);
  CHECK_OK(b->problem.linearise(b->problem.user, b->P, NULL, F, y, &blocks, &error), error);
  for (int i = 0; i < b->problem.x_count; i++) x[g->place[i]] = dx[i];
  pc_block_matrix_times(&blocks, x, product);
  for (int i = 0; i < b->problem.x_count; i++) got[i] = product[g->place[i]];
  compare(b->problem.x_count, got, want, 1e-13);
  pc_block_matrix_free(&blocks);
}

static void check_matrix_and_gradients(bench* b, double tolerance)
{
  double F[X_MAX], y[Y_MAX], dx[X_MAX] = {0}, want_F[X_MAX], want_y[Y_MAX], got[Y_MAX];
  solve_kinematics(b);
  for (int c = 0; c < b->problem.x_count; c++) {
    dx[c] = 1;
    evaluate(b, F, y);
    linearise(b, F, y);
    for (int i = 0; i < b->problem.x_count; i++) got[i] = 0;
    pc_assembly_times(b->problem.tangent, dx, got);
    compare_blocks(b, dx, got);
    evaluate(b, F, y);
    linearise(b, F, y);
    double slope[Y_MAX];
    for (int r = 0; r < b->problem.row_count; r++)
      slope[r] = pc_row_dot(b->problem.gradient(b->problem.user, r), dx);
    difference(b, dx, want_F, want_y);
    compare(b->problem.x_count, got, want_F, tolerance);
    compare(b->problem.row_count, slope, want_y, tolerance);
    dx[c] = 0;
  }
}

/* F is linear in P. */
static void check_columns(bench* b)
{
  double F[X_MAX], with[X_MAX], y[Y_MAX];
  evaluate(b, F, y);
  for (int r = 0; r < b->problem.row_count; r++) {
    b->P[r] += 1;
    evaluate(b, with, y);
    b->P[r] -= 1;
    pc_row_add(b->problem.column(b->problem.user, r), 1, with);
    compare(b->problem.x_count, with, F, 1e-14);
  }
}

/* At Q = q_n the defect is the whole motion: linearising adds what it does to F and y. */
static void check_debts(bench* b, double tolerance)
{
  double F[X_MAX], y[Y_MAX], F_after[X_MAX], y_after[Y_MAX], want_F[X_MAX], want_y[Y_MAX];
  double none[X_MAX] = {0};
  evaluate(b, F, y);
  memcpy(F_after, F, sizeof F);
  memcpy(y_after, y, sizeof y);
  linearise(b, F_after, y_after);
  assert_true(b->v->motion->has_defect);
  for (int i = 0; i < b->problem.x_count; i++) F_after[i] -= F[i];
  for (int i = 0; i < b->problem.row_count; i++) y_after[i] -= y[i];
  difference(b, none, want_F, want_y);
  compare(b->problem.x_count, F_after, want_F, tolerance);
  compare(b->problem.row_count, y_after, want_y, tolerance);
}

/* Parts of a step add up, whatever is evaluated between them, and an iterate that was kept comes
 * back after steps that were linearised elsewhere. */
static void check_ways_back(bench* b)
{
  const pc_stage_kinematics* k = b->v->motion;
  double F[X_MAX], y[Y_MAX], dx[X_MAX], w[X_MAX], Q[X_MAX * 4];
  int w_count = b->v->n * b->v->n_u, Q_count = k->s * k->n_q;
  evaluate(b, F, y);
  for (int i = 0; i < w_count; i++) {
    dx[i] = 0.3 * cos(2 * i + 1);
    w[i] = b->v->positions.w[i];
  }
  for (int i = 0; i < Q_count; i++) Q[i] = k->Q[i];
  b->problem.keep(b->problem.user, 1);
  linearise(b, F, y);
  for (int i = 0; i < 3; i++) {
    b->problem.advance(b->problem.user, i == 0 ? 1 : -0.5, dx);
    evaluate(b, F, y);
  }
  compare(w_count, b->v->positions.w, w, 1e-14);
  compare(Q_count, k->Q, Q, 1e-14);
  for (int i = 0; i < 3; i++) {
    linearise(b, F, y);
    b->problem.advance(b->problem.user, 1, dx);
    evaluate(b, F, y);
  }
  b->problem.put_back(b->problem.user, 1);
  compare(w_count, b->v->positions.w, w, 0);
  compare(Q_count, k->Q, Q, 0);
}

static void check_system(const pc_system* system, double dt, double tolerance)
{
  for (int s = 2; s <= 4; s++)
    for (int how = 0; how < 4; how++) {
      bench b;
      set_up(&b, system, s, how % 2 ? PC_VELOCITY_PAPER : PC_VELOCITY_AVERAGED,
             how < 2 ? PC_FORM_VELOCITY : PC_FORM_MOMENTUM, dt);
      check_debts(&b, tolerance);
      check_ways_back(&b);
      check_matrix_and_gradients(&b, tolerance);
      check_columns(&b);
      pc_variational_destroy(b.v);
    }
}

static void check_model(const char* name, double dt)
{
  run r = open_run(name, "rattle", 0, NULL, NULL);
  check_system(pc_model_system(r.model), dt, 2e-8);
  close_run(&r);
}

static void derivatives_of_the_slider_crank_in_minimal_coordinates(void** state)
{
  (void)state;
  check_model("slider-crank-minimal", 1e-3);
}

static void derivatives_of_the_slider_crank_in_absolute_coordinates(void** state)
{
  (void)state;
  check_model("slider-crank", 1e-3);
}

static void derivatives_of_bodies_and_springs(void** state)
{
  (void)state;
  check_model("slider-roller", 0.05);
  check_model("ring-pendulum", 0.05);
}

static void derivatives_with_kinematics_of_their_own(void** state)
{
  (void)state;
  pc_system* system = turntable();
  check_system(system, 0.2, 2e-8);
  pc_system_destroy(system);
}

/* ---- the order, with kinematics of their own ------------------------------------------------ */

static void swing_M(const void* user, double t, const double* q, double* M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.6;
}

/* A pendulum with a damper on a base that turns: torque -2 cos - u/5. */
static void swing_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user, (void)t;
  double c, s;
  direction(q, &c, &s);
  h[0] = -2 * c - 0.2 * u[0];
}

static void angle_h(const void* user, double t, const double* q, const double* u, double* h)
{
  (void)user, (void)t;
  h[0] = -2 * cos(q[0]) - 0.2 * u[0];
}

static void angle_q_dot(const void* user, double t, const double* q, const double* u, double* q_dot)
{
  (void)user, (void)t, (void)q;
  q_dot[0] = u[0] + RATE;
}

static void angle_B(const void* user, double t, const double* q, double* B)
{
  (void)user, (void)t, (void)q;
  B[0] = 1;
}

/* The pendulum as a complex number (n_q = 2) or as an angle (n_q = 1). */
static pc_system* pendulum(int n_q)
{
  pc_error error = {0};
  pc_system_def system_def = pc_default_system_def();
  pc_system* system;
  pc_part_id part;
  CHECK_OK(pc_system_create(&system_def, &system, &error), error);
  pc_coordinates_def table = pc_default_coordinates_def();
  table.name = "pendulum";
  table.q_count = n_q;
  table.u_count = 1;
  table.q0 = n_q == 2 ? (const double[]){cos(0.5), sin(0.5)} : (const double[]){0.5};
  table.u0 = (const double[]){0.1};
  table.kinematics = n_q == 2 ? (pc_kinematics){.q_dot = table_q_dot, .B = table_B}
                              : (pc_kinematics){.q_dot = angle_q_dot, .B = angle_B};
  CHECK_OK(pc_add_coordinates(system, &table, &part, &error), error);
  pc_callback_def def = pc_default_callback_def();
  def.name = "swing";
  def.part_count = 1;
  def.part = &part;
  def.M = swing_M;
  def.h = n_q == 2 ? swing_h : angle_h;
  CHECK_OK(pc_add_callback(system, &def, &error), error);
  CHECK_OK(pc_system_freeze(system, &error), error);
  return system;
}

/* cos, sin, their length, and u after two seconds. */
static void run_pendulum(const pc_system* system, int s, double dt, double x[4])
{
  pc_error error = {0};
  pc_sim* sim;
  pc_sim_def def = {system, "lobatto", pc_default_scheme_settings()};
  def.settings.dt = dt;
  def.settings.variational.stages = s;
  def.settings.tolerance = 1e-14;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 2, &error), error);
  const pc_state* state = pc_sim_observation(sim)->state;
  int is_angle = pc_system_q_count(system) == 1;
  x[0] = is_angle ? cos(state->q[0]) : state->q[0];
  x[1] = is_angle ? sin(state->q[0]) : state->q[1];
  x[2] = hypot(x[0], x[1]);
  x[3] = state->u[0];
  pc_sim_destroy(sim);
}

static void kinematics_of_their_own_keep_the_order(void** state)
{
  (void)state;
  pc_system *angle = pendulum(1), *number = pendulum(2);
  double exact[4], x[4], error[2];
  run_pendulum(angle, 8, 0.02, exact);
  for (int s = 2; s <= 4; s++) {
    for (int i = 0; i < 2; i++) {
      run_pendulum(number, s, s == 2 ? 0.02 / (1 + i) : 0.2 / (1 + i), x);
      error[i] = 0;
      for (int c = 0; c < 4; c++) error[i] = fmax(error[i], fabs(x[c] - exact[c]));
      if (s == 2) CHECK_NEAR(x[2], 1, 1e-12); /* (27) keeps the length, to 100 residuals */
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2 * s - 2, 0.1);
  }
  pc_system_destroy(angle);
  pc_system_destroy(number);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_the_slider_crank_in_minimal_coordinates),
      cmocka_unit_test(derivatives_of_the_slider_crank_in_absolute_coordinates),
      cmocka_unit_test(derivatives_of_bodies_and_springs),
      cmocka_unit_test(derivatives_with_kinematics_of_their_own),
      cmocka_unit_test(kinematics_of_their_own_keep_the_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
