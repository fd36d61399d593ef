/* Schemes may hand their own rows and energies to the observation (pc_scheme_ops.rows). Whatever
 * they kept from the step, an observer has to see what the terms are at the state: to the last
 * bit. */
#include "linalg/copy.h"
#include "run.h"
#include "schemes/scheme.h"
#include "steps/step_end.h"
#include "system/terms.h"

enum { STEPS = 60 };

/* Compares an observation with terms that know nothing of any step. */
static void check_observation(const pc_observation* seen, pc_terms* terms, const char* what)
{
  const pc_state* state = seen->state;
  pc_terms_evaluate(terms, &(pc_at){state->t, state->q, state->u, NULL});
  for (int r = 0; r < pc_system_row_count(seen->system); r++) {
    double y_dot = pc_terms_row_velocity(terms, r, state->u);
    if (seen->y[r] != terms->y[r] || seen->y_dot[r] != y_dot)
      fail_msg("%s, step %ld, row %d: y = %.17g, not %.17g; y' = %.17g, not %.17g", what,
               state->step, r, seen->y[r], terms->y[r], seen->y_dot[r], y_dot);
  }
  if (seen->kinetic != terms->kinetic || seen->potential != terms->potential)
    fail_msg("%s, step %ld: energies", what, state->step);
}

static void check_run(const char* model, const char* scheme, void (*tune)(pc_scheme_settings*))
{
  run r = open_run(model, scheme, 0, NULL, tune);
  pc_terms* terms;
  unsigned mask = PC_TERM_Y | PC_TERM_W | PC_TERM_ENERGY;
  char what[100];
  snprintf(what, sizeof what, "%s under %s", model, scheme);
  CHECK_OK(pc_terms_create(pc_model_system(r.model), mask, &terms, &r.error), r.error);
  check_observation(pc_sim_observation(r.sim), terms, what);
  for (int i = 0; i < STEPS; i++) {
    CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
    check_observation(pc_sim_observation(r.sim), terms, what);
  }
  pc_terms_destroy(terms);
  close_run(&r);
}

static void trapezoid(pc_scheme_settings* settings)
{
  settings->evaluation = PC_EVALUATION_TRAPEZOID;
}

static void free_forecast(pc_scheme_settings* settings)
{
  settings->forecast = PC_FORECAST_FREE;
}

static void observations_are_the_terms_at_the_state(void** state)
{
  (void)state;
  for (int m = 0; m < MODEL_COUNT; m++)
    for (const char* const* scheme = pc_scheme_names(); *scheme; scheme++) {
      check_run(models[m], *scheme, NULL);
      check_run(models[m], *scheme, trapezoid);
      check_run(models[m], *scheme, free_forecast);
    }
}

/* A step that fails leaves what was seen before it as it was. */
static void a_failed_step_leaves_the_observation(void** state)
{
  (void)state;
  run r = open_run("slider-crank", "moreau-jean", 0, NULL, NULL);
  const pc_observation* seen = pc_sim_observation(r.sim);
  int rows = pc_system_row_count(pc_model_system(r.model));
  double y[64], y_dot[64];
  assert_true(rows <= 64);
  for (int i = 0; i < STEPS; i++) CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  pc_copy(rows, seen->y, y);
  pc_copy(rows, seen->y_dot, y_dot);
  double energy = seen->kinetic + seen->potential, u = seen->state->u[0];
  seen->state->u[0] = NAN;
  assert_int_not_equal(pc_sim_step(r.sim, &r.error), PC_OK);
  seen->state->u[0] = u;
  assert_true(pc_same(rows, y, seen->y) && pc_same(rows, y_dot, seen->y_dot));
  CHECK_NEAR(seen->kinetic + seen->potential, energy, 0);
  CHECK_OK(pc_sim_step(r.sim, &r.error), r.error);
  close_run(&r);
}

/* Whole steps end on the grid, substeps where they end. */
static void the_end_of_a_step_is_that_of_simulate(void** state)
{
  (void)state;
  double dt = 0.1;
  for (long k = 0; k < 1000; k++) {
    pc_state at = {.step = k, .t = (double)k * dt};
    CHECK_NEAR(pc_step_end(&at, dt), (double)(k + 1) * dt, 0);
    at.t += dt / 2;
    CHECK_NEAR(pc_step_end(&at, dt / 4), at.t + dt / 4, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(observations_are_the_terms_at_the_state),
      cmocka_unit_test(a_failed_step_leaves_the_observation),
      cmocka_unit_test(the_end_of_a_step_is_that_of_simulate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
