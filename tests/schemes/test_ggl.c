/* generalized-alpha with the constraints of Gear, Gupta and Leimkuhler, alpha (73), against a
 * program of its own: the pendulum of section 5.1 in its three coordinates, all equations of a step
 * by Newton's method with differences. */
#include <math.h>

#include "run.h"

enum { N = 7 }; /* v' (3), lambda (2), nu (2) */

static const double LENGTH = 1, MASS = 1, INERTIA = 0.1, GRAVITY = 10, H = 2e-3;

/* A generalized-alpha scheme of Chung and Hulbert. */
static double alpha_m, alpha_f, beta, gamma_n;

static void choose_coefficients(double rho)
{
  alpha_m = (2 * rho - 1) / (rho + 1);
  alpha_f = rho / (rho + 1);
  gamma_n = 0.5 + alpha_f - alpha_m;
  beta = 0.25 * (gamma_n + 0.5) * (gamma_n + 0.5);
}

typedef struct pendulum {
  double q[3], v[3], v_dot[3], a[3];
} pendulum;

/* g = position of the pin, and its gradient in two rows. */
static void constraint(const double* q, double g[2], double G[2][3])
{
  g[0] = q[0] - LENGTH * cos(q[2]);
  g[1] = q[1] - LENGTH * sin(q[2]);
  const double rows[2][3] = {{1, 0, LENGTH * sin(q[2])}, {0, 1, -LENGTH * cos(q[2])}};
  memcpy(G, rows, sizeof rows);
}

/* The end of the step for the unknowns z, (73e) to (73g), and what is left of (73b) to (73d). */
static void evaluate(const pendulum* from, const double* z, pendulum* to, double r[N])
{
  double g[2], G[2][3], start[2][3];
  const double mass[3] = {MASS, MASS, INERTIA}, force[3] = {0, MASS * GRAVITY, 0};
  constraint(from->q, g, start);
  for (int i = 0; i < 3; i++) {
    to->v_dot[i] = z[i];
    to->a[i] =
        ((1 - alpha_f) * z[i] + alpha_f * from->v_dot[i] - alpha_m * from->a[i]) / (1 - alpha_m);
    to->v[i] = from->v[i] + H * ((1 - gamma_n) * from->a[i] + gamma_n * to->a[i]);
    to->q[i] = from->q[i] + H * from->v[i] + H * H * ((0.5 - beta) * from->a[i] + beta * to->a[i]) +
               start[0][i] * z[5] + start[1][i] * z[6];
  }
  constraint(to->q, g, G);
  for (int i = 0; i < 3; i++) r[i] = mass[i] * z[i] - force[i] - G[0][i] * z[3] - G[1][i] * z[4];
  for (int k = 0; k < 2; k++) {
    r[3 + k] = G[k][0] * to->v[0] + G[k][1] * to->v[1] + G[k][2] * to->v[2];
    r[5 + k] = g[k];
  }
}

/* x := A^-1 x by elimination with pivots. */
static void eliminate(double A[N][N], double* x)
{
  for (int c = 0; c < N; c++) {
    int p = c;
    for (int i = c; i < N; i++)
      if (fabs(A[i][c]) > fabs(A[p][c])) p = i;
    for (int j = 0; j < N; j++) {
      double swap = A[c][j];
      A[c][j] = A[p][j];
      A[p][j] = swap;
    }
    double swap = x[c];
    x[c] = x[p];
    x[p] = swap;
    for (int i = 0; i < N; i++) {
      if (i == c) continue;
      double f = A[i][c] / A[c][c];
      for (int j = c; j < N; j++) A[i][j] -= f * A[c][j];
      x[i] -= f * x[c];
    }
  }
  for (int c = 0; c < N; c++) x[c] /= A[c][c];
}

static void step(pendulum* x, double* z)
{
  pendulum to = *x, ignored = *x;
  z[5] = z[6] = 0;
  for (int n = 0; n < 8; n++) {
    double r[N], ahead[N], back[N], A[N][N];
    for (int c = 0; c < N; c++) {
      double keep = z[c], e = c < 5 ? 1e-3 : 1e-7;
      z[c] = keep + e;
      evaluate(x, z, &ignored, ahead);
      z[c] = keep - e;
      evaluate(x, z, &ignored, back);
      z[c] = keep;
      for (int i = 0; i < N; i++) A[i][c] = (ahead[i] - back[i]) / (2 * e);
    }
    evaluate(x, z, &to, r);
    eliminate(A, r);
    for (int c = 0; c < N; c++) z[c] -= r[c];
  }
  double r[N];
  evaluate(x, z, &to, r);
  *x = to;
}

/* Accelerations and forces at the start: M v' = f + G' lambda, G v' + G' v = 0. */
static void begin(pendulum* x, double* z)
{
  double s = sin(x->q[2]), c = cos(x->q[2]), w = x->v[2];
  double w_dot = MASS * GRAVITY * LENGTH * c / (INERTIA + MASS * LENGTH * LENGTH);
  x->v_dot[0] = LENGTH * (-s * w_dot - c * w * w);
  x->v_dot[1] = LENGTH * (c * w_dot - s * w * w);
  x->v_dot[2] = w_dot;
  memcpy(x->a, x->v_dot, sizeof x->a);
  memcpy(z, x->v_dot, sizeof x->v_dot);
  z[3] = MASS * x->v_dot[0];
  z[4] = MASS * (x->v_dot[1] - GRAVITY);
}

static pc_constraints constraints;

static void tune(pc_scheme_settings* settings)
{
  settings->alpha.constraints = constraints;
  settings->alpha.rho = 0.8;
}

static void the_pendulum_moves_as_another_program_has_it(void** state)
{
  (void)state;
  double angle = acos(-1) / 6, w = 10, z[N] = {0};
  pendulum x = {.q = {LENGTH * cos(angle), LENGTH * sin(angle), angle},
                .v = {-LENGTH * sin(angle) * w, LENGTH * cos(angle) * w, w}};
  constraints = PC_CONSTRAINTS_GGL;
  choose_coefficients(0.8);
  begin(&x, z);
  run r = open_run("pendulum", "generalized-alpha", H, NULL, tune);
  for (int n = 0; n < 500; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    step(&x, z);
    const pc_state* s = pc_sim_observation(r.sim)->state;
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(s->q[i], x.q[i], 1e-9);
      CHECK_NEAR(s->u[i], x.v[i], 1e-8);
    }
  }
  pc_summary sum = pc_sim_summary(r.sim);
  assert_true(sum.constraint_position_max < 1e-12 && sum.constraint_velocity_max < 1e-11);
  close_run(&r);
}

/* Another scheme than (74), which corrects at the end of the step; both are of second order. */
static double angle_at_one_second(pc_constraints form, double dt)
{
  constraints = form;
  run r = open_run("pendulum", "generalized-alpha", dt, NULL, tune);
  for (int n = 0; n < (int)lround(1 / dt); n++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  double angle = pc_sim_observation(r.sim)->state->q[2];
  close_run(&r);
  return angle;
}

static void the_order_is_two(void** state)
{
  (void)state;
  double exact = angle_at_one_second(PC_CONSTRAINTS_GGL, 1.25e-4);
  double coarse = angle_at_one_second(PC_CONSTRAINTS_GGL, 4e-3) - exact;
  double fine = angle_at_one_second(PC_CONSTRAINTS_GGL, 2e-3) - exact;
  CHECK_NEAR(log2(coarse / fine), 2, 0.1);
  double other = angle_at_one_second(PC_CONSTRAINTS_PV, 4e-3) - exact;
  assert_true(fabs(other - coarse) > 0.01 * fabs(coarse));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pendulum_moves_as_another_program_has_it),
      cmocka_unit_test(the_order_is_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
