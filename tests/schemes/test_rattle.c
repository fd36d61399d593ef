/* Nonsmooth RATTLE on its paper's examples: the ball, the slope, the slider-crank. */
#include <stdlib.h>

#include "slope.h"

/* ---- settings ----------------------------------------------------------------------------- */

/* As Table 1 was made: one r for all laws, iterations until the residual is below 1e-8. */
static void as_in_table_1(pc_scheme_settings* settings)
{
  settings->variational.prox = 0.1;
  settings->tolerance = 1e-8;
}

static void tight(pc_scheme_settings* settings)
{
  settings->tolerance = 1e-12;
}

static void run_steps(run* r, int count)
{
  for (int i = 0; i < count; i++) CHECK_OK(pc_sim_step(r->sim, &r->error), r->error);
}

/* ---- the ball ----------------------------------------------------------------------------- */

static const char* const spin_50[] = {"omega", "50", "e", "0", NULL};
static const char* const spin_10[] = {"omega", "10", "e", "0", NULL};

/* Landings fall on grid points: without the tie rule round-off decides between steps 85 and 86. */
static void bouncing_ball_hits_the_floor_at_the_steps_of_the_reference(void** state)
{
  (void)state;
  const long impact[] = {43, 85, 105, 114, 118, 120};
  run r = open_run("rotating-ball", "rattle", 0, NULL, NULL);
  run_until(&r, 1.5);
  int found = 0;
  for (int i = 0;; i++) {
    const pc_event* event = pc_sim_event(r.sim, i);
    if (!event) break;
    if (event->kind != PC_CONTACT_CLOSED) continue;
    assert_true(found < 6);
    assert_int_equal(event->step, impact[found++]);
  }
  assert_int_equal(found, 6);
  pc_summary summary = pc_sim_summary(r.sim);
  assert_true(summary.penetration_max < 1e-14);
  assert_true(summary.impact_residual_max < 1e-10); /* the tolerance */
  CHECK_NEAR(value(&r, "ball.y"), 0.1, 1e-15);
  close_run(&r);
}

static void spinning_ball_slides_and_then_rolls(void** state)
{
  (void)state;
  run r = open_run("rotating-ball", "rattle", 0, spin_50, NULL);
  run_steps(&r, 43);
  CHECK_NEAR(value(&r, "ball.x"), -0.0013869, 5e-8);
  CHECK_NEAR(value(&r, "ball.y"), 0.1, 1e-15);
  CHECK_NEAR(value(&r, "ball.angle"), 21.4653275, 5e-8);
  CHECK_NEAR(value(&r, "ball.vx"), -0.84366, 5e-6);
  CHECK_NEAR(value(&r, "ball.vy"), 0, 1e-14);
  CHECK_NEAR(value(&r, "ball.spin"), 28.9085, 5e-5);
  CHECK_NEAR(value(&r, "floor.P_N"), 4.2183, 5e-5);
  CHECK_NEAR(value(&r, "floor.P_F"), -0.84366, 5e-6);
  for (int step = 44; step < 73; step++) {
    run_steps(&r, 1);
    assert_true(fabs(value(&r, "floor.slip")) > 1e-3);
  }
  run_steps(&r, 111 - 72);
  CHECK_NEAR(value(&r, "ball.vx"), -10.0 / 7, 1e-13);
  CHECK_NEAR(value(&r, "ball.spin"), 100.0 / 7, 1e-12);
  CHECK_NEAR(value(&r, "ball.x"), -0.88563204, 5e-9);
  CHECK_NEAR(value(&r, "ball.angle"), 33.35919893, 5e-9);
  close_run(&r);
}

static void spinning_ball_sticks_from_step_73(void** state)
{
  (void)state;
  run r = open_run("rotating-ball", "rattle", 0, spin_50, NULL);
  run_steps(&r, 73);
  for (int step = 73; step <= 111; step++) {
    CHECK_NEAR(value(&r, "floor.slip"), 0, 1e-13);
    if (step > 73) CHECK_NEAR(value(&r, "floor.P_F"), 0, 1e-15);
    CHECK_NEAR(value(&r, "ball.vx"), -10.0 / 7, 1e-13);
    run_steps(&r, 1);
  }
  close_run(&r);
}

static void slow_ball_rolls_at_once(void** state)
{
  (void)state;
  run r = open_run("rotating-ball", "rattle", 0, spin_10, NULL);
  run_steps(&r, 43);
  CHECK_NEAR(value(&r, "floor.P_F"), -2.0 / 7, 1e-13);
  CHECK_NEAR(value(&r, "ball.vx"), -2.0 / 7, 1e-13);
  CHECK_NEAR(value(&r, "ball.vy"), 0, 1e-14);
  CHECK_NEAR(value(&r, "ball.spin"), 20.0 / 7, 1e-12);
  close_run(&r);
}

/* ---- Table 1 ------------------------------------------------------------------------------ */

typedef struct counts {
  int steps, max_1, total_1, max_2, total_2;
} counts;

static void check_counts(run* r, counts want)
{
  run_steps(r, want.steps);
  pc_summary got = pc_sim_summary(r->sim);
  assert_int_equal(got.iterations_max[0], want.max_1);
  assert_int_equal(got.iterations_max[1], want.max_2);
  CHECK_NEAR(got.iterations_avg[0] * want.steps, want.total_1, 1e-6);
  CHECK_NEAR(got.iterations_avg[1] * want.steps, want.total_2, 1e-6);
  close_run(r);
}

/* 1.0066, 0.9466 and 1.0270, 0.6756: as the paper has them, the second in the row of case 3. */
static void ball_needs_the_iterations_of_table_1(void** state)
{
  (void)state;
  run r = open_run("rotating-ball", "rattle", 0, NULL, as_in_table_1);
  check_counts(&r, (counts){150, 2, 151, 1, 142});
  r = open_run("rotating-ball", "rattle", 0, spin_50, as_in_table_1);
  check_counts(&r, (counts){111, 3, 114, 2, 75});
}

/* Cases 2 to 4 as printed: 1.1737, 0.5945; 1.3628, 0.6859; 1.2469, 0.6737. Case 1 as the reference
 * has it; printed are 419 and 212 in 328 steps. */
static void slope_needs_the_iterations_of_table_1(void** state)
{
  (void)state;
  const counts want[] = {
      {328, 3, 420, 2, 213}, {328, 2, 385, 2, 195}, {328, 4, 447, 2, 225}, {328, 5, 409, 2, 221}};
  for (int i = 0; i < 4; i++) {
    run r = open_text(slope, "rattle", 1e-2, slope_case[i], as_in_table_1);
    check_counts(&r, want[i]);
  }
}

/* 2.3305 and 1.0107. The reference has 1953 and 845, the paper 2.2290 and 1.0081; docs say why. */
static void slider_crank_needs_the_iterations_of_the_reference(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "rattle", 1e-4, NULL, as_in_table_1);
  check_counts(&r, (counts){838, 5, 1953, 3, 847});
}

/* ---- Fig. 8 ------------------------------------------------------------------------------- */

enum { REFERENCE_STEPS = 65536, FINEST = 4 };

/* Every FINEST-th state of the reference, dt = 5e-5. */
typedef struct motion {
  double q[REFERENCE_STEPS / FINEST + 1][2];
  double u[REFERENCE_STEPS / FINEST + 1][2];
  double P[REFERENCE_STEPS / FINEST + 1][2];  /* sums from the start */
  double dP[REFERENCE_STEPS / FINEST + 1][2]; /* of the last step */
} motion;

static void record(run* r, int i, const double* sum, motion* m)
{
  const pc_state* state = pc_sim_observation(r->sim)->state;
  for (int c = 0; c < 2; c++) {
    m->q[i][c] = state->q[c];
    m->u[i][c] = state->u[c];
    m->P[i][c] = sum[c];
    m->dP[i][c] = state->P[c];
  }
}

static void record_reference(int number, motion* m)
{
  run r = open_text(slope, "rattle", 5e-5, slope_case[number], tight);
  double sum[2] = {0};
  record(&r, 0, sum, m);
  for (int n = 1; n <= REFERENCE_STEPS; n++) {
    run_steps(&r, 1);
    for (int c = 0; c < 2; c++) sum[c] += pc_sim_observation(r.sim)->state->P[c];
    if (n % FINEST == 0) record(&r, n / FINEST, sum, m);
  }
  close_run(&r);
}

typedef struct errors {
  double q, u;
  double P[2];  /* normal, friction: against the reference's percussion of the same interval */
  double dP[2]; /* against that of one of its own steps, as Fig. 8 does */
} errors;

/* (56) with p = 1: the larger of both components. `every` is dt in units of the finest. */
static errors errors_of(int number, int every, const motion* m)
{
  double dt = every * 2e-4, q[2] = {0}, u[2] = {0};
  errors e = {0};
  run r = open_text(slope, "rattle", dt, slope_case[number], tight);
  for (int n = 1; n * every <= REFERENCE_STEPS / FINEST; n++) {
    run_steps(&r, 1);
    const pc_state* state = pc_sim_observation(r.sim)->state;
    int i = n * every;
    for (int c = 0; c < 2; c++) {
      q[c] += dt * fabs(state->q[c] - m->q[i][c]);
      u[c] += dt * fabs(state->u[c] - m->u[i][c]);
      e.P[c] += dt * fabs(state->P[c] - (m->P[i][c] - m->P[i - every][c]));
      e.dP[c] += dt * fabs(state->P[c] - m->dP[i][c]);
    }
  }
  close_run(&r);
  e.q = fmax(q[0], q[1]);
  e.u = fmax(u[0], u[1]);
  return e;
}

static void check_factor(double got, double want, double factor)
{
  if (!(got <= want * factor && got >= want / factor))
    fail_msg("an error is %.4g, not %.4g within a factor of %g", got, want, factor);
}

typedef struct figure_8 {
  double fine_q, fine_u;     /* dt = 2e-4 */
  double coarse_q, coarse_u; /* dt = 1.28e-2 */
  double factor;
  double order_q, order_u; /* over all eight steps, 2e-4 to 2.56e-2 */
  double order_P;
} figure_8;

enum { STEP_SIZES = 8 };

/* Percussions: what Fig. 8 calls order 1 is |P| ~ dt itself. */
static void check_percussions(const double* dt, double P[2][STEP_SIZES], double dP[2][STEP_SIZES],
                              double order)
{
  for (int c = 0; c < 2; c++) {
    CHECK_NEAR(fitted_order(STEP_SIZES, dt, P[c]), order, 0.25);
    CHECK_NEAR(fitted_order(STEP_SIZES, dt, dP[c]), 1, 0.15);
  }
}

static void check_case(int number, const figure_8* want)
{
  motion* m = malloc(sizeof *m);
  assert_non_null(m);
  double dt[STEP_SIZES], q[STEP_SIZES], u[STEP_SIZES], P[2][STEP_SIZES], dP[2][STEP_SIZES];
  record_reference(number, m);
  for (int i = 0; i < STEP_SIZES; i++) {
    errors e = errors_of(number, 1 << i, m);
    dt[i] = 2e-4 * (1 << i);
    q[i] = e.q;
    u[i] = e.u;
    for (int c = 0; c < 2; c++) {
      P[c][i] = e.P[c];
      dP[c][i] = e.dP[c];
    }
  }
  free(m);
  check_factor(q[0], want->fine_q, want->factor);
  check_factor(u[0], want->fine_u, want->factor);
  check_factor(q[6], want->coarse_q, want->factor);
  check_factor(u[6], want->coarse_u, want->factor);
  CHECK_NEAR(fitted_order(STEP_SIZES, dt, q), want->order_q, 0.01);
  CHECK_NEAR(fitted_order(STEP_SIZES, dt, u), want->order_u, 0.01);
  check_percussions(dt, P, dP, want->order_P);
}

static void sliding_from_rest_converges_with_order_2(void** state)
{
  (void)state;
  check_case(0, &(figure_8){2.64e-8, 5.24e-8, 1.07e-4, 2.28e-4, 1.01, 1.98, 2.01, 3});
}

static void sliding_at_once_converges_with_order_2(void** state)
{
  (void)state;
  check_case(1, &(figure_8){2.70e-8, 5.15e-8, 1.36e-4, 2.25e-4, 1.01, 2.08, 2.01, 3});
}

static void reversal_of_slip_costs_an_order(void** state)
{
  (void)state;
  check_case(2, &(figure_8){1.20e-4, 1.91e-4, 1.28e-2, 1.99e-2, 1.5, 1.04, 1.04, 2});
}

static void impact_costs_an_order(void** state)
{
  (void)state;
  check_case(3, &(figure_8){1.24e-5, 6.2e-6, 2.63e-3, 1.37e-3, 1.5, 1.15, 1.16, 2});
}

/* ---- the slider-crank --------------------------------------------------------------------- */

typedef struct instant {
  double t;
  double phi_3, phi_3_within;
  double u_1, u_1_within;
  double u_2, u_2_within;
} instant;

/* Small-step values, and by how much dt = 1e-4 may miss them. The reference says 1e-3 and 6e-5 for
 * the first two, which are 1.069e-3 and 6.4e-5 with one digit: what the scheme itself leaves, see
 * below. */
static const instant instants[] = {
    {1e-3, 0.017, 1e-12, 139.11587, 1.1e-3, -68.27629, 1e-3},
    {2e-3, 0.010173, 6.5e-5, 120.4613, 1.2e-3, -56.4965, 8e-4},
    {4e-3, 4.195e-3, 8e-5, 93.453, 0.04, -42.493, 0.08},
    {0.01, 0, 1e-12, 67.4721, 4e-3, -21.5014, 1.1e-3},
    {0.02, 0, 1e-12, 71.6822, 0.011, 1.3828, 6e-3},
    {0.04, 0, 1e-12, 113.418, 0.08, 41.490, 0.12},
};

/* Gap, impact law, cone and joints after every step. */
static int holds(void* user, const pc_observation* seen)
{
  double* first = user;
  const pc_system* system = seen->system;
  for (int r = 0; r < pc_system_g_count(system); r++) {
    if (!(fabs(seen->y[r]) < 1e-12) || !(fabs(seen->y_dot[r]) < 1e-12)) {
      if (seen->info->step > 0) return 0;
    }
  }
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    pc_contact_info c = pc_system_contact(system, k);
    double P_N = seen->state->P[c.row], P_F = seen->state->P[c.row + 1];
    if (!(seen->y[c.row] >= -1e-12) || !(P_N >= 0)) return 0;
    if (!(fabs(P_F) <= c.mu * P_N + 1e-12)) return 0;
    if (P_N > 0 && first[k] == 0) first[k] = seen->state->t;
    /* Newton's law: xi_N = 0 wherever there is a percussion */
    double xi = seen->y_dot[c.row] + c.e_N * seen->y_dot_before[c.row];
    if (P_N > 0 && !(fabs(xi) < 1e-11)) return 0;
  }
  return seen->info->impact_residual < 1e-11 && seen->info->friction_residual < 1e-11;
}

/* `share` of the tolerances. */
static void check_instants(run* r, double share)
{
  for (size_t i = 0; i < sizeof instants / sizeof *instants; i++) {
    const instant* want = &instants[i];
    run_until(r, want->t);
    CHECK_NEAR(value(r, "slider.angle"), want->phi_3, fmax(share * want->phi_3_within, 1e-12));
    CHECK_NEAR(value(r, "crank.spin"), want->u_1, share * want->u_1_within);
    CHECK_NEAR(value(r, "rod.spin"), want->u_2, share * want->u_2_within);
  }
}

static void slider_crank_meets_the_reference_at_all_times(void** state)
{
  (void)state;
  double first[4] = {0};
  run r = open_run("slider-crank", "rattle", 1e-4, NULL, tight);
  CHECK_OK(pc_sim_add_observer(r.sim, holds, first, &r.error), r.error);
  check_instants(&r, 1);
  run_until(&r, 0.08);
  CHECK_NEAR(first[0], 2.755e-3, 4.6e-5);
  CHECK_NEAR(first[1], 1.29e-3, 1.1e-5);
  CHECK_NEAR(first[2], 25.9e-3, 6e-5);
  CHECK_NEAR(first[3], 25.9e-3, 6e-5);
  close_run(&r);
}

/* Up to 1 ms nothing touches: RATTLE is then unique, and these are the digits of another program of
 * it, with pins by Newton's method and none of our code. Two steps extrapolate to the small-step
 * values. */
static void slider_crank_moves_freely_as_any_rattle(void** state)
{
  (void)state;
  const double dt[2] = {1e-4, 5e-5}, u_1[2] = {139.11480743, 139.11560824};
  const double u_2[2] = {-68.27536526, -68.27606176};
  double got[2][2];
  for (int i = 0; i < 2; i++) {
    run r = open_run("slider-crank", "rattle", dt[i], NULL, tight);
    run_until(&r, 1e-3);
    CHECK_NEAR(got[i][0] = value(&r, "crank.spin"), u_1[i], 2e-8);
    CHECK_NEAR(got[i][1] = value(&r, "rod.spin"), u_2[i], 2e-8);
    close_run(&r);
  }
  CHECK_NEAR((4 * got[1][0] - got[0][0]) / 3, 139.11587,
             6e-6); /* the last digit of the reference */
  CHECK_NEAR((4 * got[1][1] - got[0][1]) / 3, -68.27629, 6e-6);
}

/* With small steps, to the digits that the reference prints; an impact within a step of 1e-6 s
 * leaves phi_3 uncertain by 1e-6. */
static void slider_crank_has_the_small_step_values_of_the_reference(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "rattle", 1e-6, NULL, tight);
  run_until(&r, 1e-3);
  CHECK_NEAR(value(&r, "crank.spin"), 139.11587, 6e-6);
  CHECK_NEAR(value(&r, "rod.spin"), -68.27629, 6e-6);
  run_until(&r, 2e-3);
  CHECK_NEAR(value(&r, "slider.angle"), 0.010173, 2e-6);
  CHECK_NEAR(value(&r, "crank.spin"), 120.4613, 6e-5);
  CHECK_NEAR(value(&r, "rod.spin"), -56.4965, 1e-4);
  run_until(&r, 0.01);
  CHECK_NEAR(value(&r, "crank.spin"), 67.4721, 6e-5);
  CHECK_NEAR(value(&r, "rod.spin"), -21.5014, 6e-5);
  close_run(&r);
}

static void slider_crank_converges_to_the_reference(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "rattle", 1e-5, NULL, tight);
  check_instants(&r, 0.1);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouncing_ball_hits_the_floor_at_the_steps_of_the_reference),
      cmocka_unit_test(spinning_ball_slides_and_then_rolls),
      cmocka_unit_test(spinning_ball_sticks_from_step_73),
      cmocka_unit_test(slow_ball_rolls_at_once),
      cmocka_unit_test(ball_needs_the_iterations_of_table_1),
      cmocka_unit_test(slope_needs_the_iterations_of_table_1),
      cmocka_unit_test(slider_crank_needs_the_iterations_of_the_reference),
      cmocka_unit_test(sliding_from_rest_converges_with_order_2),
      cmocka_unit_test(sliding_at_once_converges_with_order_2),
      cmocka_unit_test(reversal_of_slip_costs_an_order),
      cmocka_unit_test(impact_costs_an_order),
      cmocka_unit_test(slider_crank_meets_the_reference_at_all_times),
      cmocka_unit_test(slider_crank_moves_freely_as_any_rattle),
      cmocka_unit_test(slider_crank_has_the_small_step_values_of_the_reference),
      cmocka_unit_test(slider_crank_converges_to_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
