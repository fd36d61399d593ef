/* Smooth motion: order 2 of moreau-jean (theta = 1/2), order 1 otherwise, 2s - 2 of the variational
 * schemes, against SUNDIALS IDA on a double pendulum with a spring, a damper and a force that
 * depends on time. */
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "run.h"
#include "system/terms.h"

static const char MODEL[] =
    "percuss: 1\n"
    "parameters: {m: 1.5, l: 0.8, g: 9.81, k: 20, c: 0.3}\n"
    "coordinates: {a: {value: 1.2, velocity: 0.5}, b: {value: -0.4, velocity: 2}}\n"
    "kinetic: m*l^2*a'^2 + m/2*l^2*b'^2 + m*l^2*a'*b'*cos(a - b)\n"
    "potential: -2*m*g*l*cos(a) - m*g*l*cos(b) + k/2*(a - b)^2\n"
    "forces: {a: -c*(a' - b') + 3*sin(5*t), b: c*(a' - b')}\n";

enum { N = 2 };

static pc_model* double_pendulum(void)
{
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(MODEL, strlen(MODEL), NULL, 0, &model, &error), error);
  return model;
}

/* F(t, (q, u), (q', u')) = (q' - u, M u' - h) */
static int residual(double t, N_Vector y, N_Vector y_dot, N_Vector F, void* user)
{
  pc_terms* terms = user;
  double *x = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(y_dot), *f = N_VGetArrayPointer(F);
  pc_terms_evaluate(terms, &(pc_at){t, x, x + N, NULL});
  for (int i = 0; i < N; i++) {
    f[i] = rate[i] - x[N + i];
    f[N + i] = -terms->h[i];
  }
  pc_terms_add_M_times(terms, rate + N, f + N);
  return 0;
}

/* The initial accelerations, by Cramer's rule. */
static void initial_rate(pc_terms* terms, const double* x, double* rate)
{
  double M[N * N] = {0};
  pc_terms_evaluate(terms, &(pc_at){0, x, x + N, NULL});
  pc_terms_add_dense(terms, PC_TERM_M, 1, M);
  double det = M[0] * M[3] - M[1] * M[2], *h = terms->h;
  rate[0] = x[2];
  rate[1] = x[3];
  rate[2] = (M[3] * h[0] - M[1] * h[1]) / det;
  rate[3] = (M[0] * h[1] - M[2] * h[0]) / det;
}

static void solve_with_ida(const pc_system* system, double until, double* x)
{
  SUNContext context;
  pc_error error = {0};
  pc_terms* terms = NULL;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  CHECK_OK(pc_terms_create(system, PC_TERM_M | PC_TERM_H, &terms, &error), error);
  N_Vector y = N_VNew_Serial(2 * N, context), y_dot = N_VNew_Serial(2 * N, context);
  memcpy(N_VGetArrayPointer(y), pc_system_q0(system), N * sizeof(double));
  memcpy(N_VGetArrayPointer(y) + N, pc_system_u0(system), N * sizeof(double));
  initial_rate(terms, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
  SUNMatrix A = SUNDenseMatrix(2 * N, 2 * N, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  void* ida = IDACreate(context);
  assert_int_equal(IDAInit(ida, residual, 0, y, y_dot), IDA_SUCCESS);
  assert_int_equal(IDASStolerances(ida, 1e-12, 1e-13), IDA_SUCCESS);
  assert_int_equal(IDASetUserData(ida, terms), IDA_SUCCESS);
  assert_int_equal(IDASetLinearSolver(ida, solver, A), IDA_SUCCESS);
  assert_int_equal(IDASetMaxNumSteps(ida, 100000), IDA_SUCCESS);
  assert_int_equal(IDASetStopTime(ida, until), IDA_SUCCESS);
  double reached;
  assert_true(IDASolve(ida, until, &reached, y, y_dot, IDA_NORMAL) >= 0);
  memcpy(x, N_VGetArrayPointer(y), 2 * N * sizeof(double));
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  N_VDestroy(y_dot);
  pc_terms_destroy(terms);
  SUNContext_Free(&context);
}

static double error_at(const pc_model* model, const char* scheme, double theta,
                       pc_evaluation evaluation, double dt, const double* x)
{
  pc_error error = {0};
  pc_sim* sim = NULL;
  pc_sim_def def = {pc_model_system(model), scheme, pc_default_scheme_settings()};
  def.settings.dt = dt;
  def.settings.theta = theta;
  def.settings.evaluation = evaluation;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 1, &error), error);
  const pc_state* s = pc_sim_observation(sim)->state;
  double worst = 0;
  for (int i = 0; i < N; i++)
    worst = fmax(worst, fmax(fabs(s->q[i] - x[i]), fabs(s->u[i] - x[N + i])));
  pc_sim_destroy(sim);
  return worst;
}

static void orders_in_smooth_motion(void** state)
{
  (void)state;
  const struct {
    const char* scheme;
    double theta;
    pc_evaluation evaluation;
    double order;
  } cases[] = {{"moreau-jean", 0.5, PC_EVALUATION_MID, 2},
               {"moreau-jean", 0.5, PC_EVALUATION_TRAPEZOID, 1}, /* M is taken at the end */
               {"moreau-jean", 1, PC_EVALUATION_MID, 1},
               {"moreau", 0.5, PC_EVALUATION_MID, 1}}; /* h is taken at the old velocity */
  pc_model* model = double_pendulum();
  double x[2 * N];
  solve_with_ida(pc_model_system(model), 1, x);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double coarse = error_at(model, cases[i].scheme, cases[i].theta, cases[i].evaluation, 1e-3, x);
    double fine = error_at(model, cases[i].scheme, cases[i].theta, cases[i].evaluation, 1.25e-4, x);
    CHECK_NEAR(log2(coarse / fine) / 3, cases[i].order, 0.05);
  }
  assert_true(error_at(model, "moreau-jean", 0.5, PC_EVALUATION_MID, 1e-4, x) < 1e-5);
  pc_model_destroy(model);
}

static void run_variational(const pc_model* model, int s, double dt, double* x)
{
  pc_error error = {0};
  pc_sim* sim = NULL;
  pc_sim_def def = {pc_model_system(model), "lobatto", pc_default_scheme_settings()};
  def.settings.dt = dt;
  def.settings.variational.stages = s;
  def.settings.tolerance = 1e-14;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  CHECK_OK(pc_sim_run(sim, 1, &error), error);
  const pc_state* state = pc_sim_observation(sim)->state;
  memcpy(x, state->q, N * sizeof *x);
  memcpy(x + N, state->u, N * sizeof *x);
  pc_sim_destroy(sim);
}

static double variational_error(const pc_model* model, int s, double dt, const double* exact)
{
  double x[2 * N], worst = 0;
  run_variational(model, s, dt, x);
  for (int i = 0; i < 2 * N; i++) worst = fmax(worst, fabs(x[i] - exact[i]));
  return worst;
}

/* M depends on q, and forces on velocity and time: the velocity form keeps the order. Ten stages
 * are exact to round-off here, and IDA within its own tolerance of them. */
static void variational_orders_in_smooth_motion(void** state)
{
  (void)state;
  pc_model* model = double_pendulum();
  double x[2 * N], exact[2 * N];
  run_variational(model, 10, 1.0 / 160, exact);
  solve_with_ida(pc_model_system(model), 1, x);
  for (int i = 0; i < 2 * N; i++) CHECK_NEAR(exact[i], x[i], 1e-9);
  for (int s = 2; s <= 4; s++) { /* 5: round-off */
    double coarse = variational_error(model, s, 1.0 / 160, exact);
    double fine = variational_error(model, s, 1.0 / 320, exact);
    CHECK_NEAR(log2(coarse / fine), 2 * s - 2, 0.1);
  }
  pc_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_in_smooth_motion),
      cmocka_unit_test(variational_orders_in_smooth_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
