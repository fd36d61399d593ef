/* A four-bar linkage whose crank a PD controller turns, against SUNDIALS IDA on its one equation of
 * motion, by the closure of the loop: J(phi) phi'' + H(phi) phi'^2 = Q. */
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "run.h"

/* Crank, coupler, rocker, distance of the bearings [m]; the centre of each bar is in its middle. */
static const double LENGTH[3] = {0.2, 0.5, 0.4}, GROUND = 0.6, MASS[3] = {0.5, 1, 0.8}, G = 9.81;
static const double START = 0.9, TARGET = 1.2, KP = 40, KD = 4;

/* The angles of the bars at an angle of the crank, their first and second derivatives by it. */
typedef struct posture {
  double angle[3], first[3], second[3];
} posture;

static double inertia(int bar)
{
  return MASS[bar] * LENGTH[bar] * LENGTH[bar] / 12;
}

/* x e'(coupler) b - y e'(rocker) c = -(r0, r1), e' = (-sin, cos) */
static void solve_loop(const posture* p, double r0, double r1, double* x, double* y)
{
  double a = -LENGTH[1] * sin(p->angle[1]), b = LENGTH[2] * sin(p->angle[2]);
  double c = LENGTH[1] * cos(p->angle[1]), d = -LENGTH[2] * cos(p->angle[2]);
  double det = a * d - b * c;
  *x = (-r0 * d + r1 * b) / det;
  *y = (-r1 * a + r0 * c) / det;
}

/* By Newton's method on a e(phi) + b e(coupler) - c e(rocker) = (d, 0), and its derivatives. */
static posture close_loop(double phi)
{
  posture p = {{phi, 0.4, 1.2}, {1, 0, 0}, {0, 0, 0}};
  for (int n = 0; n < 50; n++) {
    double x, y, r0 = -GROUND, r1 = 0;
    for (int i = 0; i < 3; i++) {
      r0 += (i < 2 ? 1 : -1) * LENGTH[i] * cos(p.angle[i]);
      r1 += (i < 2 ? 1 : -1) * LENGTH[i] * sin(p.angle[i]);
    }
    solve_loop(&p, r0, r1, &x, &y);
    p.angle[1] += x;
    p.angle[2] += y;
  }
  solve_loop(&p, -LENGTH[0] * sin(phi), LENGTH[0] * cos(phi), &p.first[1], &p.first[2]);
  double r0 = 0, r1 = 0;
  for (int i = 0; i < 3; i++) {
    double size = (i < 2 ? -1 : 1) * LENGTH[i] * p.first[i] * p.first[i];
    r0 += size * cos(p.angle[i]);
    r1 += size * sin(p.angle[i]);
  }
  solve_loop(&p, r0, r1, &p.second[1], &p.second[2]);
  return p;
}

/* J, H and the moment of gravity. The centre of a bar is a sum of s_i L_i e(angle_i): the crank in
 * full and half the coupler, say. */
static void reduce(const posture* p, double* J, double* H, double* weight)
{
  static const double share[3][3] = {{0.5, 0, 0}, {1, 0.5, 0}, {0, 0, 0.5}};
  *J = *H = *weight = 0;
  for (int bar = 0; bar < 3; bar++) {
    double k[2] = {0, 0}, l[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
      double size = share[bar][i] * LENGTH[i], c = cos(p->angle[i]), s = sin(p->angle[i]);
      k[0] -= size * s * p->first[i];
      k[1] += size * c * p->first[i];
      l[0] -= size * (s * p->second[i] + c * p->first[i] * p->first[i]);
      l[1] += size * (c * p->second[i] - s * p->first[i] * p->first[i]);
    }
    *J += MASS[bar] * (k[0] * k[0] + k[1] * k[1]) + inertia(bar) * p->first[bar] * p->first[bar];
    *H += MASS[bar] * (k[0] * l[0] + k[1] * l[1]) + inertia(bar) * p->first[bar] * p->second[bar];
    *weight -= MASS[bar] * G * k[1];
  }
}

static double moment(double phi, double rate, double* J)
{
  double H, weight;
  posture p = close_loop(phi);
  reduce(&p, J, &H, &weight);
  return weight + KP * (START + TARGET - phi) - KD * rate - H * rate * rate;
}

static int residual(double t, N_Vector y, N_Vector y_dot, N_Vector F, void* user)
{
  (void)t, (void)user;
  double *x = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(y_dot), *f = N_VGetArrayPointer(F);
  double J, Q = moment(x[0], x[1], &J);
  f[0] = rate[0] - x[1];
  f[1] = J * rate[1] - Q;
  return 0;
}

static void solve_with_ida(double until, double x[2])
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector y = N_VNew_Serial(2, context), y_dot = N_VNew_Serial(2, context);
  double J, *start = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(y_dot), reached;
  start[0] = START;
  start[1] = rate[0] = 0;
  rate[1] = moment(START, 0, &J);
  rate[1] /= J;
  SUNMatrix A = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  void* ida = IDACreate(context);
  assert_int_equal(IDAInit(ida, residual, 0, y, y_dot), IDA_SUCCESS);
  assert_int_equal(IDASStolerances(ida, 1e-12, 1e-13), IDA_SUCCESS);
  assert_int_equal(IDASetLinearSolver(ida, solver, A), IDA_SUCCESS);
  assert_int_equal(IDASetMaxNumSteps(ida, 100000), IDA_SUCCESS);
  assert_int_equal(IDASetStopTime(ida, until), IDA_SUCCESS);
  assert_true(IDASolve(ida, until, &reached, y, y_dot, IDA_NORMAL) >= 0);
  x[0] = start[0];
  x[1] = start[1];
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  N_VDestroy(y_dot);
  SUNContext_Free(&context);
}

/* The linkage as a user would write it: bars by their angles, the rest is put together. */
static const char TEXT[] =
    "percuss: 1\n"
    "parameters: {phi: 0, beta: 0, gamma: 0, a: 0.2, b: 0.5, c: 0.4, d: 0.6}\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 0.5, inertia: 0.5*a^2/12, position: [a/2*cos(phi), a/2*sin(phi)], angle: "
    "phi}\n"
    "  coupler: {mass: 1, inertia: b^2/12, angle: beta,\n"
    "            position: [a*cos(phi) + b/2*cos(beta), a*sin(phi) + b/2*sin(beta)]}\n"
    "  rocker: {mass: 0.8, inertia: 0.8*c^2/12, angle: gamma,\n"
    "           position: [d + c/2*cos(gamma), c/2*sin(gamma)]}\n"
    "joints:\n"
    "  base: {revolute: {points: [[ground, [0, 0]], [crank, [-a/2, 0]]]}}\n"
    "  knee: {revolute: {points: [[crank, [a/2, 0]], [coupler, [-b/2, 0]]]}}\n"
    "  elbow: {revolute: {points: [[coupler, [b/2, 0]], [rocker, [c/2, 0]]]}}\n"
    "  pivot: {revolute: {points: [[ground, [d, 0]], [rocker, [-c/2, 0]]]}}\n"
    "drives: {motor: {joint: base, torque: 40*(1.2 - base.angle) - 4*base.rate}}\n"
    "assemble: true\n";

/* At rest, the crank at START. */
static run open_linkage(const char* scheme, double dt)
{
  posture p = close_loop(START);
  char angle[3][40];
  for (int i = 0; i < 3; i++) snprintf(angle[i], sizeof angle[i], "%.17g", p.angle[i]);
  const char* const set[] = {"phi", angle[0], "beta", angle[1], "gamma", angle[2], NULL};
  return open_text(TEXT, scheme, dt, set, NULL);
}

static void driven_four_bar_agrees_with_sundials(void** state)
{
  (void)state;
  static const struct {
    const char* scheme;
    double dt, angle, rate;
  } cases[] = {{"lobatto", 2e-3, 1e-8, 1e-7},
               {"rattle", 5e-4, 1e-4, 1e-3},
               {"generalized-alpha", 5e-4, 1e-4, 1e-3},
               {"moreau-jean", 2e-4, 1e-3, 1e-2}};
  double x[2];
  solve_with_ida(0.3, x);
  assert_true(fabs(x[0] - START) > 0.2); /* it moves, and has not arrived */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run r = open_linkage(cases[i].scheme, cases[i].dt);
    run_until(&r, 0.3);
    CHECK_NEAR(value(&r, "crank.angle"), x[0], cases[i].angle);
    CHECK_NEAR(value(&r, "crank.spin"), x[1], cases[i].rate);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(driven_four_bar_agrees_with_sundials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
