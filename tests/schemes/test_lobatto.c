/* The Lobatto IIIA-IIIB family: its orders, and that two stages are RATTLE. */
#include <stdlib.h>

#include "slope.h"

static int stages;
static double tolerance;
static pc_velocity_constraints velocity_constraints;
static pc_active_set active_set;

static void tune(pc_scheme_settings* settings)
{
  settings->variational.stages = stages;
  settings->tolerance = tolerance;
  settings->variational.velocity_constraints = velocity_constraints;
  settings->variational.active_set = active_set;
}

static void choose(int s, double tol)
{
  stages = s;
  tolerance = tol;
  velocity_constraints = PC_VELOCITY_AVERAGED;
}

static const char* const lobatto_case[2][5] = {{"m", "1", NULL}, {"m", "1", "y0", "1.5", NULL}};

/* ---- Fig. 9, case 1: persistent sliding contact ------------------------------------------- */

enum { FINE_STEPS = 16384, FINE_PER_STEP = 32 }; /* h = 1e-4; the finest dt is 3.2e-3 */

typedef struct sliding {
  double x[FINE_STEPS / FINE_PER_STEP + 1];
  double v[FINE_STEPS / FINE_PER_STEP + 1];
} sliding;

static void integrate_sliding(sliding* exact)
{
  double x = 0, v = 0;
  for (int n = 0; n <= FINE_STEPS; n++) {
    if (n % FINE_PER_STEP == 0) {
      exact->x[n / FINE_PER_STEP] = x;
      exact->v[n / FINE_PER_STEP] = v;
    }
    slide_step(1e-4, &x, &v);
  }
}

typedef struct errors {
  double q, u;
} errors;

/* (74): the sum over both components and over the floor(1.6/dt) steps of [0, 1.6]. */
static errors errors_of_sliding(const sliding* exact, int s, int every)
{
  choose(s, 1e-14);
  double dt = every * 3.2e-3;
  errors e = {0};
  run r = open_text(slope, "lobatto", dt, lobatto_case[0], tune);
  for (int n = 1; n * every <= 500; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const pc_state* state = pc_sim_observation(r.sim)->state;
    double x = exact->x[n * every], v = exact->v[n * every], f = exp(-x);
    e.q += dt * (fabs(state->q[0] - x) + fabs(state->q[1] - f));
    e.u += dt * (fabs(state->u[0] - v) + fabs(state->u[1] + f * v));
  }
  close_run(&r);
  return e;
}

static void exact_motion_is_that_of_the_reference(void** state)
{
  (void)state;
  sliding exact;
  integrate_sliding(&exact);
  CHECK_NEAR(exact.x[500], 2.5541642930888, 2e-13);
  CHECK_NEAR(exp(-exact.x[500]), 0.0777571871405, 1e-13);
}

typedef struct published {
  int s, every; /* dt = every 3.2e-3 */
  double e_q;
} published;

static const published figure_9[] = {
    {2, 1, 4.526e-6},  {2, 8, 2.896e-4},  {2, 64, 1.828e-2}, {3, 8, 1.188e-8},
    {3, 64, 4.677e-5}, {4, 16, 5.67e-11}, {4, 32, 3.62e-9},  {5, 64, 9.6e-10},
};

static void sliding_errors_are_those_of_the_reference(void** state)
{
  (void)state;
  sliding exact;
  integrate_sliding(&exact);
  for (size_t i = 0; i < sizeof figure_9 / sizeof *figure_9; i++) {
    const published* want = &figure_9[i];
    CHECK_NEAR(errors_of_sliding(&exact, want->s, want->every).q, want->e_q, 0.02 * want->e_q);
  }
}

/* Over the steps 3.2e-3 2^first ... 3.2e-3 2^last, above round-off and below the coarsest ones. */
static void check_sliding_order(int s, int first, int last, double order, double within)
{
  sliding exact;
  integrate_sliding(&exact);
  double dt[8], q[8], u[8];
  int count = 0;
  for (int i = first; i <= last; i++, count++) {
    errors e = errors_of_sliding(&exact, s, 1 << i);
    dt[count] = 3.2e-3 * (1 << i);
    q[count] = e.q;
    u[count] = e.u;
  }
  CHECK_NEAR(fitted_order(count, dt, q), order, within);
  CHECK_NEAR(fitted_order(count, dt, u), order, within);
}

static void sliding_converges_with_order_2s_minus_2(void** state)
{
  (void)state;
  check_sliding_order(2, 0, 6, 2, 0.02);
  check_sliding_order(3, 0, 6, 4, 0.04);
  check_sliding_order(4, 3, 5, 6, 0.05);
  check_sliding_order(5, 5, 6, 8, 0.6);
}

/* There is no floor above round-off: errors sum up to 1.6 times that of a number of size 2. */
static void many_stages_reach_round_off(void** state)
{
  (void)state;
  sliding exact;
  integrate_sliding(&exact);
  for (int s = 6; s <= 10; s++) {
    errors e = errors_of_sliding(&exact, s, 16);
    assert_true(e.q < 1e-13);
    assert_true(e.u < 1e-13);
  }
}

/* ---- Fig. 9, case 2: an impact ------------------------------------------------------------ */

/* It falls for sqrt(0.1) s; of the tangential part of its speed v, v/sqrt(2), friction takes
 * mu v/sqrt(2). */
typedef struct falling {
  double t, x, v;
} falling;

static const double HIT = 0.316227766016837933;

static falling at_impact(void)
{
  return (falling){HIT, 0, 10 * HIT * (1 - 0.3) / 2};
}

/* x, y, x', y' at t; `f` goes on to there once it slides. */
static void exact_state(falling* f, double t, double x[4])
{
  if (t < HIT) {
    x[0] = x[2] = 0;
    x[1] = 1.5 - 5 * t * t;
    x[3] = -10 * t;
    return;
  }
  int steps = 1 + (int)((t - f->t) / 1e-3);
  for (int i = 0; i < steps; i++) slide_step((t - f->t) / steps, &f->x, &f->v);
  f->t = t;
  x[0] = f->x;
  x[1] = exp(-f->x);
  x[2] = f->v;
  x[3] = -x[1] * f->v;
}

static errors errors_of_falling(int s, double dt, long* impact)
{
  choose(s, 1e-14);
  errors e = {0};
  double x[4];
  falling f = at_impact();
  run r = open_text(slope, "lobatto", dt, lobatto_case[1], tune);
  for (int n = 1; n * dt <= 1.6; n++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    const pc_state* state = pc_sim_observation(r.sim)->state;
    exact_state(&f, n * dt, x);
    for (int c = 0; c < 2; c++) {
      e.q += dt * fabs(state->q[c] - x[c]);
      e.u += dt * fabs(state->u[c] - x[2 + c]);
    }
  }
  *impact = pc_sim_event(r.sim, 0) ? pc_sim_event(r.sim, 0)->step : 0;
  close_run(&r);
  return e;
}

static void impact_costs_all_orders_but_one(void** state)
{
  (void)state;
  for (int s = 2; s <= 7; s++) {
    double dt[8], q[8], u[8];
    long impact;
    for (int i = 0; i < 8; i++) {
      dt[i] = 3.2e-3 * (1 << i);
      errors e = errors_of_falling(s, dt[i], &impact);
      q[i] = e.q;
      u[i] = e.u;
    }
    CHECK_NEAR(fitted_order(8, dt, q), 1.05, 0.2);
    CHECK_NEAR(fitted_order(8, dt, u), 1.05, 0.3);
  }
}

/* Where an inner stage closes and the end stays open, (67) puts the impact off to the next step:
 * for s = 4 and dt = 0.0512 to step 8, and e_u is 0.19; for s = 6 and 0.2048 to step 3, e_u
 * 0.86. */
static void impact_is_never_late(void** state)
{
  (void)state;
  for (int s = 2; s <= 8; s++)
    for (int i = 0; i < 8; i++) {
      double dt = 3.2e-3 * (1 << i);
      long impact;
      errors e = errors_of_falling(s, dt, &impact);
      assert_int_equal(impact, (long)ceil(HIT / dt));
      assert_true(e.u < 0.8 * dt); /* 0.29 at the coarsest, s = 2; 0.72 dt */
    }
}

static void the_active_set_of_the_paper_is_there_too(void** state)
{
  (void)state;
  static const struct {
    int s;
    double dt;
    long step;
    double e_u;
  } late[] = {
      {4, 0.0512, 8, 0.19}, {5, 0.0064, 52, 0.042}, {6, 0.2048, 3, 0.86}, {7, 0.0128, 26, 0.041}};
  active_set = PC_ACTIVE_SET_PAPER;
  for (int i = 0; i < 4; i++) {
    long impact;
    errors e = errors_of_falling(late[i].s, late[i].dt, &impact);
    assert_int_equal(impact, late[i].step);
    CHECK_NEAR(e.u, late[i].e_u, 0.03 * late[i].e_u);
  }
  active_set = PC_ACTIVE_SET_STAGES;
}

/* ---- velocity constraints: a sleigh on an edge, held by springs --------------------------- */

static const char sleigh[] =
    "percuss: 1\n"
    "parameters: {m: 1.5, J: 0.4, a: 0.3, k: 2, c: 0.7}\n"
    "coordinates:\n"
    "  x: {value: 1, velocity: 1}\n"
    "  y: {value: 0, velocity: a/2}\n"
    "  phi: {value: 0, velocity: 0.5}\n"
    "kinetic: m/2*(x'^2 + y'^2) + J/2*phi'^2\n"
    "potential: k/2*(x^2 + y^2) + c/2*phi^2\n"
    "constraints:\n"
    "  edge: {velocity: -sin(phi)*x' + cos(phi)*y' - a*phi'}\n";

/* Its motion in x, y, phi, speed v along the edge and spin w, with the force of the edge
 * eliminated:
 *     v' = a w^2 + F_1/m,   (J + m a^2) w' = -c phi - m a v w + a F_2. */
static void sleigh_rate(const double* x, double* rate)
{
  const double m = 1.5, J = 0.4, a = 0.3, k = 2, c = 0.7;
  double cosine = cos(x[2]), sine = sin(x[2]), v = x[3], w = x[4];
  double F_1 = -k * (x[0] * cosine + x[1] * sine), F_2 = -k * (-x[0] * sine + x[1] * cosine);
  rate[0] = v * cosine - a * w * sine;
  rate[1] = v * sine + a * w * cosine;
  rate[2] = w;
  rate[3] = a * w * w + F_1 / m;
  rate[4] = (-c * x[2] - m * a * v * w + a * F_2) / (J + m * a * a);
}

/* A puck with a sideways force: friction 3 against the slip, a force of 4 in y, per mass. */
static const char puck[] =
    "percuss: 1\n"
    "parameters: {m: 2, g: 10, mu: 0.3}\n"
    "coordinates: {x: {velocity: 3}, y: 0, z: 0}\n"
    "kinetic: m/2*(x'^2 + y'^2 + z'^2)\n"
    "potential: m*g*z - 4*m*y\n"
    "contacts:\n"
    "  floor: {gap: z, slip: [x', y'], friction: mu}\n";

static void puck_rate(const double* x, double* rate)
{
  double speed = hypot(x[2], x[3]);
  rate[0] = x[2];
  rate[1] = x[3];
  rate[2] = -3 * x[2] / speed;
  rate[3] = 4 - 3 * x[3] / speed;
  rate[4] = 0;
}

typedef void rate_fn(const double*, double*);

/* Classical Runge-Kutta on five unknowns, 1e-4 at a time. */
static void integrate(rate_fn* rate, double until, double x[5])
{
  double k[4][5], at[5];
  const double weight[4] = {1, 2, 2, 1}, ahead[4] = {0, 0.5, 0.5, 1}, h = 1e-4;
  for (int n = 0; n < (int)(until / h + 0.5); n++) {
    for (int i = 0; i < 4; i++) {
      for (int c = 0; c < 5; c++) at[c] = x[c] + (i ? h * ahead[i] * k[i - 1][c] : 0);
      rate(at, k[i]);
    }
    for (int c = 0; c < 5; c++)
      for (int i = 0; i < 4; i++) x[c] += h / 6 * weight[i] * k[i][c];
  }
}

/* The largest error of `count` coordinates at `until`, for dt = first/2^i. */
static double order_of(const char* text, const char* scheme, double until, double first, int runs,
                       int count, const double* exact)
{
  double dt[8], error[8];
  for (int i = 0; i < runs; i++) {
    dt[i] = first / (1 << i);
    error[i] = 0;
    run r = open_text(text, scheme, dt[i], NULL, tune);
    run_until(&r, until);
    for (int c = 0; c < count; c++)
      error[i] = fmax(error[i], fabs(pc_sim_observation(r.sim)->state->q[c] - exact[c]));
    close_run(&r);
  }
  return fitted_order(runs, dt, error);
}

static double sleigh_order(const char* scheme, int s, pc_velocity_constraints how, double first,
                           int runs)
{
  double x[5] = {1, 0, 0, 1, 0.5};
  integrate(sleigh_rate, 2, x);
  choose(s, 1e-13);
  velocity_constraints = how;
  return order_of(sleigh, scheme, 2, first, runs, 3, x);
}

/* As published, order s - 1. With the moments that the quadrature takes of gamma = 0, order 2s - 2:
 * an error of 2.2e-5 becomes 1e-10 at s = 3 and dt = 0.0125. */
static void moments_keep_the_order_of_velocity_constraints(void** state)
{
  (void)state;
  CHECK_NEAR(sleigh_order("rattle", 2, PC_VELOCITY_PAPER, 0.2, 5), 1, 0.1);
  CHECK_NEAR(sleigh_order("rattle", 2, PC_VELOCITY_AVERAGED, 0.2, 5), 2, 0.02);
  for (int s = 2; s <= 5; s++)
    CHECK_NEAR(sleigh_order("lobatto", s, PC_VELOCITY_PAPER, 0.2, 5), s - 1, 0.1);
  CHECK_NEAR(sleigh_order("lobatto", 3, PC_VELOCITY_AVERAGED, 0.2, 5), 4, 0.02);
  CHECK_NEAR(sleigh_order("lobatto", 4, PC_VELOCITY_AVERAGED, 0.2, 3), 6, 0.05);
  CHECK_NEAR(sleigh_order("lobatto", 5, PC_VELOCITY_AVERAGED, 0.5, 2), 8, 0.2);
}

/* (34), (58) put the whole percussion of a step against its last velocity. */
static void turning_slip_is_of_order_one(void** state)
{
  (void)state;
  double x[5] = {0, 0, 3, 0, 0};
  integrate(puck_rate, 1, x);
  for (int s = 2; s <= 5; s++) {
    choose(s, 1e-13);
    CHECK_NEAR(order_of(puck, "lobatto", 1, 0.1, 5, 2, x), 1, 0.05);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_motion_is_that_of_the_reference),
      cmocka_unit_test(sliding_errors_are_those_of_the_reference),
      cmocka_unit_test(sliding_converges_with_order_2s_minus_2),
      cmocka_unit_test(many_stages_reach_round_off),
      cmocka_unit_test(impact_costs_all_orders_but_one),
      cmocka_unit_test(impact_is_never_late),
      cmocka_unit_test(the_active_set_of_the_paper_is_there_too),
      cmocka_unit_test(moments_keep_the_order_of_velocity_constraints),
      cmocka_unit_test(turning_slip_is_of_order_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
