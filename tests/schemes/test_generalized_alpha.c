/* generalized-alpha in smooth motion: the pendulum of the alpha paper, section 5, with its
 * constraints in every form, against the reference and against SUNDIALS IDA. */
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "run.h"
#include "schemes/generalized_alpha/motion.h"
#include "system/terms.h"

static pc_constraints constraints;
static pc_initial initial;
static void (*more)(pc_scheme_settings*);

static void tune(pc_scheme_settings* settings)
{
  settings->alpha.constraints = constraints;
  settings->alpha.initial = initial;
  settings->tolerance = 1e-13;
  if (more) more(settings);
}

static run pendulum(pc_constraints form, pc_initial from, double dt)
{
  constraints = form;
  initial = from;
  return open_run("pendulum", "generalized-alpha", dt, NULL, tune);
}

static const double* memory(const run* r, int part)
{
  const pc_system* system = pc_model_system(r->model);
  return pc_alpha_memory(pc_system_u_count(system), pc_system_row_count(system),
                         pc_sim_observation(r->sim)->state->memory, part);
}

/* ---- the reference ------------------------------------------------------------------------ */

static void every_form_is_that_of_the_reference(void** state)
{
  (void)state;
  const struct {
    pc_constraints form;
    pc_initial initial;
    double angle, spin, lambda[2];
    double position, velocity, acceleration; /* largest violations; 0: round-off */
  } cases[] = {
      {PC_CONSTRAINTS_P,
       PC_INITIAL_CONSISTENT,
       38.38080813404073,
       10.117236314938387,
       {-83.93640692802336, -69.0206902406748},
       0,
       6.550615511e-4,
       4.438471779},
      {PC_CONSTRAINTS_V,
       PC_INITIAL_CONSISTENT,
       38.38177742400911,
       10.118235890334061,
       {-83.88811439529674, -69.11663354090747},
       5.883883569e-5,
       0,
       0.02565984880},
      {PC_CONSTRAINTS_PV,
       PC_INITIAL_CONSISTENT,
       38.38058899278676,
       10.117409452721073,
       {-83.9471303817813, -68.99905804622502},
       0,
       0,
       0.02602906575},
      {PC_CONSTRAINTS_PVA,
       PC_INITIAL_CONSISTENT,
       38.380557192988654,
       10.117375220238815,
       {-83.94779796782076, -68.99534585882148},
       0,
       0,
       0},
      {PC_CONSTRAINTS_P,
       PC_INITIAL_ZERO,
       38.34052383182919,
       10.079933284415322,
       {-85.7760645491641, -64.96124234700439},
       0,
       1.650960219e-3,
       85.60433957},
      {PC_CONSTRAINTS_V,
       PC_INITIAL_ZERO,
       38.34149480485571,
       10.080954655489986,
       {-85.73271811032038, -65.05880011738881},
       5.899633263e-5,
       0,
       85.73713691},
      {PC_CONSTRAINTS_PV,
       PC_INITIAL_ZERO,
       38.34031301766302,
       10.080102546502586,
       {-85.78528140830163, -64.94012950614508},
       0,
       0,
       85.73198168},
      {PC_CONSTRAINTS_PVA,
       PC_INITIAL_ZERO,
       38.33611807730746,
       10.076151623810867,
       {-85.96373582389101, -64.51372877997011},
       0,
       0,
       0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run r = pendulum(cases[i].form, cases[i].initial, 2e-3);
    run_until(&r, 4);
    CHECK_NEAR(value(&r, "rod.angle"), cases[i].angle, 1e-9);
    CHECK_NEAR(value(&r, "rod.spin"), cases[i].spin, 1e-9);
    for (int k = 0; k < 2; k++)
      CHECK_NEAR(memory(&r, PC_ALPHA_LAMBDA)[k], cases[i].lambda[k], 1e-6);
    pc_summary s = pc_sim_summary(r.sim);
    CHECK_NEAR(s.constraint_position_max, cases[i].position, 1e-12);
    CHECK_NEAR(s.constraint_velocity_max, cases[i].velocity, 1e-11);
    CHECK_NEAR(s.constraint_acceleration_max, cases[i].acceleration, 1e-7);
    close_run(&r);
  }
}

/* Fig. 3: after a disturbance of the accelerations the multipliers jump up and down, for a while
 * with rho = 0.9 and for ever with rho = 1, but not where accelerations obey the constraint. */
static void undamped(pc_scheme_settings* settings)
{
  settings->alpha.rho = 1;
}

static double ringing(pc_constraints form)
{
  run r = pendulum(form, PC_INITIAL_ZERO, 2e-3);
  double before[2] = {0}, worst = 0;
  for (int n = 0; n < 2000; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    double now = memory(&r, PC_ALPHA_LAMBDA)[0];
    if (n > 1500) worst = fmax(worst, fabs(now - 2 * before[0] + before[1]));
    before[1] = before[0];
    before[0] = now;
  }
  close_run(&r);
  return worst;
}

static void multipliers_ring_unless_accelerations_obey(void** state)
{
  (void)state;
  more = undamped;
  assert_true(ringing(PC_CONSTRAINTS_PV) > 10);
  assert_true(ringing(PC_CONSTRAINTS_V) > 10);
  assert_true(ringing(PC_CONSTRAINTS_PVA) <
              0.5); /* of a multiplier of 100 that turns at 10 rad/s */
  more = NULL;
}

/* ---- SUNDIALS ----------------------------------------------------------------------------- */

/* (J + m L^2) theta'' = m ag L cos(theta), m = L = 1, J = 0.1, ag = 10 */
static int residual(double t, N_Vector y, N_Vector y_dot, N_Vector F, void* user)
{
  (void)t;
  (void)user;
  const double *x = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(y_dot);
  double* f = N_VGetArrayPointer(F);
  f[0] = rate[0] - x[1];
  f[1] = 1.1 * rate[1] - 10 * cos(x[0]);
  return 0;
}

static void solve_with_ida(double until, double* angle, double* spin)
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector y = N_VNew_Serial(2, context), y_dot = N_VNew_Serial(2, context);
  double *x = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(y_dot);
  x[0] = acos(-1) / 6;
  x[1] = rate[0] = 10;
  rate[1] = 10 * cos(x[0]) / 1.1;
  SUNMatrix A = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  void* ida = IDACreate(context);
  assert_int_equal(IDAInit(ida, residual, 0, y, y_dot), IDA_SUCCESS);
  assert_int_equal(IDASStolerances(ida, 1e-12, 1e-13), IDA_SUCCESS);
  assert_int_equal(IDASetLinearSolver(ida, solver, A), IDA_SUCCESS);
  assert_int_equal(IDASetMaxNumSteps(ida, 100000), IDA_SUCCESS);
  assert_int_equal(IDASetStopTime(ida, until), IDA_SUCCESS);
  double reached;
  assert_true(IDASolve(ida, until, &reached, y, y_dot, IDA_NORMAL) >= 0);
  *angle = x[0];
  *spin = x[1];
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  N_VDestroy(y_dot);
  SUNContext_Free(&context);
}

/* Errors of angle, spin, angular acceleration and the pin's force at t = 1. */
static void errors(pc_constraints form, double dt, double angle, double spin, double error[4])
{
  run r = pendulum(form, PC_INITIAL_CONSISTENT, dt);
  run_until(&r, 1);
  double turn = 10 * cos(angle) / 1.1;
  double lambda[2] = {-(turn * sin(angle) + spin * spin * cos(angle)),
                      turn * cos(angle) - spin * spin * sin(angle) - 10};
  const double* got = memory(&r, PC_ALPHA_LAMBDA);
  error[0] = fabs(value(&r, "rod.angle") - angle);
  error[1] = fabs(value(&r, "rod.spin") - spin);
  error[2] = fabs(memory(&r, PC_ALPHA_V_DOT)[2] - turn);
  error[3] = hypot(got[0] - lambda[0], got[1] - lambda[1]);
  close_run(&r);
}

enum { DT_COUNT = 4 };

/* With constraints of position alone, round-off counts by 1/dt^2 in the accelerations: at 2.5e-4 s
 * it is a fifth of their error, so that such steps are not taken there. */
static void check_orders(pc_constraints form, double order, double tolerance)
{
  double angle, spin, dt[DT_COUNT], error[4][DT_COUNT];
  double longest = form == PC_CONSTRAINTS_P ? 4e-3 : 2e-3;
  solve_with_ida(1, &angle, &spin);
  for (int i = 0; i < DT_COUNT; i++) {
    double all[4];
    dt[i] = longest / (1 << i);
    errors(form, dt[i], angle, spin, all);
    for (int k = 0; k < 4; k++) error[k][i] = all[k];
  }
  for (int k = 0; k < 4; k++) CHECK_NEAR(fitted_order(DT_COUNT, dt, error[k]), order, tolerance);
}

static void order_is_two_in_positions_velocities_accelerations_and_forces(void** state)
{
  (void)state;
  check_orders(PC_CONSTRAINTS_P, 2, 0.02);
  check_orders(PC_CONSTRAINTS_V, 2, 0.02);
  check_orders(PC_CONSTRAINTS_PV, 2, 0.02);
  check_orders(PC_CONSTRAINTS_PVA, 2, 0.02);
  check_orders(PC_CONSTRAINTS_PVV, 2, 0.02);
  check_orders(PC_CONSTRAINTS_BAUMGARTE, 2, 0.02);
}

static void average_acceleration(pc_scheme_settings* settings)
{
  settings->alpha.newmark[0] = 0.25;
  settings->alpha.newmark[1] = 0.5;
}

static void damped_newmark(pc_scheme_settings* settings)
{
  settings->alpha.newmark[0] = 0.3025;
  settings->alpha.newmark[1] = 0.6;
}

static void hilber_hughes_taylor(pc_scheme_settings* settings)
{
  settings->alpha.hht = 0.1;
}

static void together(pc_scheme_settings* settings)
{
  settings->alpha.monolithic = 1;
}

static void other_coefficients_have_their_orders(void** state)
{
  (void)state;
  more = average_acceleration;
  check_orders(PC_CONSTRAINTS_PVA, 2, 0.05);
  more = hilber_hughes_taylor;
  check_orders(PC_CONSTRAINTS_PVA, 2, 0.05);
  more = damped_newmark;
  check_orders(PC_CONSTRAINTS_PVA, 1, 0.05);
  more = NULL;
}

static void all_levels_at_once_give_the_same_motion(void** state)
{
  (void)state;
  for (int form = PC_CONSTRAINTS_PVA; form <= PC_CONSTRAINTS_BAUMGARTE; form++) {
    double angle[2];
    for (int k = 0; k < 2; k++) {
      more = k ? together : NULL;
      run r = pendulum((pc_constraints)form, PC_INITIAL_CONSISTENT, 2e-3);
      run_until(&r, 1);
      angle[k] = value(&r, "rod.angle");
      close_run(&r);
    }
    CHECK_NEAR(angle[1], angle[0], 1e-10);
  }
  more = NULL;
}

/* ---- starts ------------------------------------------------------------------------------- */

/* Errata: the first accelerations ring with O(dt) from a_0 = v'(0), with O(dt^2) from the shifted
 * one. The first step's violation shows it. */
static double first_violation(pc_initial from, double dt)
{
  run r = pendulum(PC_CONSTRAINTS_PV, from, dt);
  CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  double violation = pc_sim_summary(r.sim).constraint_acceleration_max;
  close_run(&r);
  return violation;
}

static void shifted_accelerations_start_more_smoothly(void** state)
{
  (void)state;
  double consistent = first_violation(PC_INITIAL_CONSISTENT, 2.5e-4);
  double shifted = first_violation(PC_INITIAL_SHIFTED, 2.5e-4);
  CHECK_NEAR(log2(consistent / first_violation(PC_INITIAL_CONSISTENT, 1.25e-4)), 1, 0.05);
  CHECK_NEAR(log2(shifted / first_violation(PC_INITIAL_SHIFTED, 1.25e-4)), 2, 0.05);
  assert_true(shifted < consistent / 4);
}

static void baumgarte_brings_a_drift_back(void** state)
{
  (void)state;
  run r = pendulum(PC_CONSTRAINTS_BAUMGARTE, PC_INITIAL_CONSISTENT, 2e-3);
  run_until(&r, 4);
  pc_summary s = pc_sim_summary(r.sim);
  assert_true(s.constraint_position_max < 1e-3);
  assert_true(s.constraint_velocity_max < 1e-2);
  close_run(&r);
}

/* ---- damping ------------------------------------------------------------------------------ */

/* Infinitely fast vibrations shrink by rho in each step. */
static void rho_is_what_is_left_of_fast_vibrations(void** state)
{
  (void)state;
  const char model_text[] =
      "percuss: 1\ncoordinates: {x: {value: 1}}\nkinetic: x'^2/2\npotential: 5e5*x^2\n";
  for (int i = 0; i < 3; i++) {
    double rho = (const double[]){0.5, 0.8, 1}[i], before = 0, now = 0;
    pc_model* model = NULL;
    pc_sim* sim = NULL;
    pc_error error = {0};
    CHECK_OK(pc_model_read_text(model_text, strlen(model_text), NULL, 0, &model, &error), error);
    pc_sim_def def = {pc_model_system(model), "generalized-alpha", pc_default_scheme_settings()};
    def.settings.dt = 1;
    def.settings.alpha.rho = rho;
    CHECK_OK(pc_sim_create(&def, &sim, &error), error);
    for (int n = 0; n < 60; n++) {
      CHECK_OK(pc_sim_step(sim, &error), error);
      before = now;
      now = fabs(pc_sim_observation(sim)->state->q[0]);
    }
    CHECK_NEAR(now / before, rho, 0.05); /* double root: powers of rho times n */
    pc_sim_destroy(sim);
    pc_model_destroy(model);
  }
}

/* ---- refusals ----------------------------------------------------------------------------- */

static void refused(const char* model, void (*with)(pc_scheme_settings*), const char* words)
{
  run r = open_run(model, "moreau-jean", 0, NULL, NULL);
  pc_sim_def def = {pc_model_system(r.model), "generalized-alpha", pc_model_settings(r.model)};
  pc_sim* sim = NULL;
  pc_error error = {0};
  with(&def.settings);
  assert_int_equal(pc_sim_create(&def, &sim, &error), PC_BAD_ARGUMENT);
  if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
  close_run(&r);
}

static void position_alone(pc_scheme_settings* settings)
{
  settings->alpha.constraints = PC_CONSTRAINTS_P;
}

static void both_coefficients(pc_scheme_settings* settings)
{
  average_acceleration(settings);
  hilber_hughes_taylor(settings);
}

static void explicit_newmark(pc_scheme_settings* settings)
{
  settings->alpha.newmark[0] = 0;
  settings->alpha.newmark[1] = 0.5;
}

static void baumgarte_without_joints(pc_scheme_settings* settings)
{
  settings->alpha.constraints = PC_CONSTRAINTS_BAUMGARTE;
  settings->alpha.strategy = 1;
}

static void what_makes_no_sense_is_refused(void** state)
{
  (void)state;
  refused("bouncing-pendulum", position_alone, "'stop' is a contact");
  refused("pendulum", both_coefficients, "newmark and hht");
  refused("pendulum", explicit_newmark, "beta");
  refused("pendulum", baumgarte_without_joints, "--strategy 1");
}

/* ---- Newton's iteration -------------------------------------------------------------------- */

/* Two rods in a fast swing, held by a stiff spring: joints whose forces turn, a stiffness that
 * changes, and a step that is long beside the spring's period of 26 ms. */
static const char* const stiff =
    "percuss: 1\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  rod: {mass: 1, inertia: 0.1, position: [cos(0.5), sin(0.5)], angle: 0.5,\n"
    "        velocity: [-8*sin(0.5), 8*cos(0.5)], spin: 8}\n"
    "  bob: {mass: 0.5, inertia: 0.05, position: [2*cos(0.5) + 1, 2*sin(0.5)],\n"
    "        velocity: [-16*sin(0.5), 16*cos(0.5) - 6], spin: -6}\n"
    "joints:\n"
    "  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}\n"
    "  knee: {revolute: {bodies: [rod, bob], at: [2*cos(0.5), 2*sin(0.5)]}}\n"
    "forces:\n"
    "  strut: {spring: {points: [[ground, [3, -1]], [bob, [0.5, 0]]], stiffness: 3e4, length: "
    "1.97}}\n"
    "simulate: {scheme: generalized-alpha, dt: 5e-3, until: 1}\n";

static int most;
static int at_once;

static void allow_iterations(pc_scheme_settings* settings)
{
  settings->alpha.constraints = constraints;
  settings->alpha.monolithic = at_once;
  settings->tolerance = most ? 1e-15 : 1e-12;
  if (!most) return;
  settings->max_iterations = most;
  settings->on_failure = PC_ON_FAILURE_CONTINUE;
}

/* The bob's angle after one step of so many iterations. */
static double angle_after(int iterations)
{
  most = iterations;
  run r = open_text(stiff, "generalized-alpha", 0, NULL, allow_iterations);
  CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  double angle = value(&r, "bob.angle");
  close_run(&r);
  return angle;
}

static void forms_of_one_level_converge_quadratically(void** state)
{
  (void)state;
  static const pc_constraints form[] = {PC_CONSTRAINTS_P, PC_CONSTRAINTS_V,
                                        PC_CONSTRAINTS_BAUMGARTE};
  at_once = 0;
  for (int i = 0; i < 3; i++) {
    constraints = form[i];
    double limit = angle_after(10), error[3];
    for (int n = 0; n < 3; n++) error[n] = fabs(angle_after(n + 1) - limit);
    assert_true(error[0] > 1e-6 && error[0] < 1e-4); /* else there is nothing to be seen */
    assert_true(error[1] < 2 * error[0] * error[0]);
    assert_true(error[2] < 1e-14);
  }
}

/* Positions after one step of 40 ms, in which the top turns by 2.3 rad. */
static void top_after(int iterations, double q[7])
{
  most = iterations;
  run r = open_run("spinning-top", "generalized-alpha", 0.04, NULL, allow_iterations);
  CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  memcpy(q, pc_sim_observation(r.sim)->state->q, 7 * sizeof *q);
  close_run(&r);
}

/* Which needs the tangent of the exponential map. */
static void far_rotations_converge_quadratically(void** state)
{
  (void)state;
  static const pc_constraints form[] = {PC_CONSTRAINTS_P, PC_CONSTRAINTS_V};
  at_once = 0;
  for (int i = 0; i < 2; i++) {
    double limit[7], q[7], error[4] = {0};
    constraints = form[i];
    top_after(30, limit);
    for (int n = 0; n < 4; n++) {
      top_after(n + 1, q);
      for (int k = 0; k < 7; k++) error[n] = fmax(error[n], fabs(q[k] - limit[k]));
    }
    assert_true(error[0] > 1e-5);
    for (int n = 0; n < 3; n++) assert_true(error[n + 1] < 20 * error[n] * error[n] + 1e-14);
  }
}

static double mean_iterations(pc_constraints form, int monolithic)
{
  constraints = form;
  at_once = monolithic;
  most = 0;
  run r = open_text(stiff, "generalized-alpha", 0, NULL, allow_iterations);
  run_until(&r, 0.2);
  double mean = pc_sim_summary(r.sim).iterations_avg[0];
  close_run(&r);
  return mean;
}

/* Sweeps do not know what one level does to the others; all levels at once know nearly all of
 * it. */
static void all_levels_at_once_converge_faster_than_sweeps(void** state)
{
  (void)state;
  assert_true(mean_iterations(PC_CONSTRAINTS_V, 0) <= 3);
  assert_true(mean_iterations(PC_CONSTRAINTS_PVA, 1) < 3.2);
  assert_true(mean_iterations(PC_CONSTRAINTS_PVV, 1) < 3.2);
  assert_true(mean_iterations(PC_CONSTRAINTS_PVA, 0) > 7);
}

/* ---- the measure of convergence ------------------------------------------------------------ */

static pc_scheme_settings measured;

static void measure_so(pc_scheme_settings* settings)
{
  settings->tolerance = measured.tolerance;
  settings->absolute_tolerance = measured.absolute_tolerance;
  settings->residual = measured.residual;
}

static pc_summary swing(double tolerance, double absolute, pc_residual residual)
{
  measured.tolerance = tolerance;
  measured.absolute_tolerance = absolute;
  measured.residual = residual;
  run r = open_run("pendulum", "generalized-alpha", 2e-3, NULL, measure_so);
  run_until(&r, 0.5);
  pc_summary s = pc_sim_summary(r.sim);
  close_run(&r);
  return s;
}

/* No more than the absolute tolerance is left of what accelerations are in a step [m/s], however
 * large the relative one is; a tolerance that is asked for does without it. */
static void absolute_tolerance_bounds_what_is_left(void** state)
{
  (void)state;
  double dt = 2e-3, bound = 1e-9;
  pc_summary loose = swing(1e-2, 1, PC_RESIDUAL_SCALED);
  pc_summary tight = swing(1e-2, bound, PC_RESIDUAL_SCALED);
  pc_summary asked = swing(1e-2, bound, PC_RESIDUAL_AUTO);
  assert_true(dt * loose.constraint_acceleration_max > 100 * bound);
  assert_true(dt * tight.constraint_acceleration_max <= bound);
  assert_true(dt * asked.constraint_acceleration_max > 100 * bound);
  assert_true(loose.residual_max > 1e-7 && tight.residual_max < 1e-9); /* [N s] of 1 kg */
}

/* ---- tolerance, body by body -------------------------------------------------------------- */

static const char beside[] =
    "percuss: 1\nparameters: {M: 1, k: 0}\ngravity: [0, -10]\n"
    "bodies:\n"
    "  heavy: {mass: M, inertia: M, position: [5, 0]}\n"
    "  light: {mass: 1e-3, inertia: 1e-4, position: [0.3, 0]}\n"
    "  stiff: {kind: point, mass: 1, position: [8, 1.1]}\n"
    "forces:\n"
    "  s: {spring: {points: [[ground, [0, 1]], [light, [0, 0]]], stiffness: 0.1, length: 0.5}}\n"
    "  p: {spring: {points: [[ground, [8, 2]], stiff], stiffness: k, length: 1}}\n"
    "contacts:\n"
    "  floor: {point: [heavy, [0, 0]], plane: {point: [0, 0], normal: [0, 1]}}\n";

static void swing_beside(const char* M, const char* k, double* x, double* y)
{
  const char* const set[] = {"M", M, "k", k, NULL};
  run r = open_text(beside, "generalized-alpha", 1e-3, set, NULL);
  run_until(&r, 2);
  *x = value(&r, "light.x");
  *y = value(&r, "light.y");
  close_run(&r);
}

/* What other bodies weigh, and how stiff they are held, is nothing to a light one that none of them
 * touches. */
static void a_light_body_moves_alike_beside_heavy_and_stiff_ones(void** state)
{
  (void)state;
  double x, y, x_beside, y_beside;
  swing_beside("1e-3", "0", &x, &y);
  const char* other[][2] = {{"1e6", "0"}, {"1e12", "0"}, {"1e-3", "1e12"}, {"1e9", "1e14"}};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    swing_beside(other[i][0], other[i][1], &x_beside, &y_beside);
    CHECK_NEAR(x_beside, x, 1e-9);
    CHECK_NEAR(y_beside, y, 1e-9);
  }
}

/* ---- round-off ---------------------------------------------------------------------------- */

/* |h_q| |q| + |h_u| |u| of beams, bars and joints with springs, against the matrices themselves. */
static void magnitudes_of_forces_are_those_of_dense_matrices(void** state)
{
  (void)state;
  static const char* const name[] = {"elastic-bar", "flexible-pendulum", "oscillator",
                                     "cantilever"};
  for (int m = 0; m < 4; m++) {
    run r = open_run(name[m], "generalized-alpha", 0, NULL, NULL);
    const pc_system* system = pc_model_system(r.model);
    const pc_state* at = pc_sim_observation(r.sim)->state;
    int n_q = pc_system_q_count(system), n_u = pc_system_u_count(system);
    pc_terms* terms = NULL;
    CHECK_OK(pc_terms_create(system, PC_TERM_H | PC_TERM_H_Q | PC_TERM_H_U, &terms, &r.error),
             r.error);
    double* u = calloc((size_t)n_u, sizeof *u);
    double* found = calloc((size_t)n_u, sizeof *found);
    double* h_q = calloc((size_t)(n_u * n_q), sizeof *h_q);
    double* h_u = calloc((size_t)(n_u * n_u), sizeof *h_u);
    for (int i = 0; i < n_u; i++) u[i] = 0.1 * (i % 7 - 3);
    pc_terms_evaluate(terms, &(pc_at){0, at->q, u, NULL});
    pc_terms_add_h_magnitude(terms, at->q, u, found);
    pc_terms_add_dense(terms, PC_TERM_H_Q, 1, h_q);
    pc_terms_add_dense(terms, PC_TERM_H_U, 1, h_u);
    for (int i = 0; i < n_u; i++) {
      double least = 0; /* elements add up: the sum of magnitudes is not less */
      for (int k = 0; k < n_q; k++) least += fabs(h_q[i * n_q + k] * at->q[k]);
      for (int k = 0; k < n_u; k++) least += fabs(h_u[i * n_u + k] * u[k]);
      assert_true(found[i] >= least * (1 - 1e-12));
      assert_true(found[i] <= 2 * least + 1e-12); /* two elements meet in a node */
    }
    free(u);
    free(found);
    free(h_q);
    free(h_u);
    pc_terms_destroy(terms);
    close_run(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_is_that_of_the_reference),
      cmocka_unit_test(multipliers_ring_unless_accelerations_obey),
      cmocka_unit_test(order_is_two_in_positions_velocities_accelerations_and_forces),
      cmocka_unit_test(other_coefficients_have_their_orders),
      cmocka_unit_test(all_levels_at_once_give_the_same_motion),
      cmocka_unit_test(shifted_accelerations_start_more_smoothly),
      cmocka_unit_test(baumgarte_brings_a_drift_back),
      cmocka_unit_test(rho_is_what_is_left_of_fast_vibrations),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(forms_of_one_level_converge_quadratically),
      cmocka_unit_test(far_rotations_converge_quadratically),
      cmocka_unit_test(all_levels_at_once_converge_faster_than_sweeps),
      cmocka_unit_test(absolute_tolerance_bounds_what_is_left),
      cmocka_unit_test(a_light_body_moves_alike_beside_heavy_and_stiff_ones),
      cmocka_unit_test(magnitudes_of_forces_are_those_of_dense_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
