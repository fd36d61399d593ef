/* The Lobatto IIIA-IIIB family: its orders, and that two stages are RATTLE. */
#include <stdlib.h>

#include "slope.h"

static int stages;
static double tolerance;
static pc_velocity_constraints velocity_constraints;

static void tune(pc_scheme_settings* settings)
{
  settings->stages = stages;
  settings->tolerance = tolerance;
  settings->velocity_constraints = velocity_constraints;
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
    errors e = errors_of_sliding(&exact, want->s, want->every);
    print_message("s %d dt %g: %g %g want %g\n", want->s, want->every * 3.2e-3, e.q, e.u,
                  want->e_q);
  }
}

static void sliding_converges_with_order_2s_minus_2(void** state)
{
  (void)state;
  sliding exact;
  integrate_sliding(&exact);
  for (int s = 2; s <= 8; s++) {
    for (int i = 0; i < 8; i++) {
      errors e = errors_of_sliding(&exact, s, 1 << i);
      print_message("s %d dt %g: %g %g\n", s, (1 << i) * 3.2e-3, e.q, e.u);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_motion_is_that_of_the_reference),
      cmocka_unit_test(sliding_errors_are_those_of_the_reference),
      cmocka_unit_test(sliding_converges_with_order_2s_minus_2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
