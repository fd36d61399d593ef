/* The run loop: steps and times, observers, failures that leave the last good state. */
#include <string.h>

#include "run.h"

static void steps_are_counted_to_the_end_time(void** state)
{
  (void)state;
  assert_int_equal(pc_step_count(1e-4, 0.01), 100);
  assert_int_equal(pc_step_count(1e-4, 0.2), 2000);
  assert_int_equal(pc_step_count(0.1, 0.3), 3);
  assert_int_equal(pc_step_count(0.1, 0.35), 3);
  assert_int_equal(pc_step_count(0.0256, 1.6), 62);
  assert_int_equal(pc_step_count(1, 0.5), 0);
  assert_int_equal(pc_step_count(1e-30, 1), -1);
  assert_int_equal(pc_step_count(0, 1), -1);
  assert_int_equal(pc_step_count(1, NAN), -1);
}

typedef struct diary {
  long seen[16];
  int count;
  long stop_at;
} diary;

static int note(void* user, const pc_observation* seen)
{
  diary* l = user;
  if (l->count < 16) l->seen[l->count++] = seen->info->step;
  return seen->info->step != l->stop_at;
}

static void observers_see_the_start_and_every_step(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.1, NULL, NULL);
  diary l = {.stop_at = -1};
  CHECK_OK(pc_sim_add_observer(r.sim, note, &l, &r.error), r.error);
  run_until(&r, 0.3);
  run_until(&r, 0.5);
  assert_int_equal(l.count, 6);
  for (int i = 0; i < 6; i++) assert_int_equal(l.seen[i], i);
  CHECK_NEAR(pc_sim_observation(r.sim)->state->t, 0.5, 1e-15);
  close_run(&r);
}

static void an_observer_can_stop_the_run(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.1, NULL, NULL);
  diary l = {.stop_at = 4};
  CHECK_OK(pc_sim_add_observer(r.sim, note, &l, &r.error), r.error);
  assert_int_equal(pc_sim_run(r.sim, 1, &r.error), PC_STOPPED);
  assert_int_equal(pc_sim_observation(r.sim)->state->step, 4);
  assert_non_null(strstr(r.error.text, "step 4"));
  run_until(&r, 1); /* and can let it go on */
  assert_int_equal(pc_sim_summary(r.sim).steps, 10);
  close_run(&r);
}

static pc_model* read_text(const char* text)
{
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  return model;
}

static pc_sim* simulate(const pc_model* model, const char* scheme, double dt, pc_status expected,
                        pc_error* error)
{
  pc_sim* sim = NULL;
  pc_sim_def def = {pc_model_system(model), scheme, pc_default_scheme_settings()};
  def.settings.dt = dt;
  assert_int_equal(pc_sim_create(&def, &sim, error), expected);
  return sim;
}

/* The force is no number from x = 1 on: the run stops there, and says where it came from. */
static void a_number_that_is_not_finite_stops_the_run_and_is_named(void** state)
{
  (void)state;
  const char* schemes[] = {"moreau", "moreau-jean"};
  pc_model* model = read_text(
      "percuss: 1\ncoordinates: {x: {velocity: 1}}\nkinetic: x'^2/2\nforces: {x: sqrt(1 - x)}\n");
  for (int i = 0; i < 2; i++) {
    pc_error error = {0};
    pc_sim* sim = simulate(model, schemes[i], 0.01, PC_OK, &error);
    assert_int_equal(pc_sim_run(sim, 10, &error), PC_NOT_FINITE);
    if (!strstr(error.text, "h of formula")) fail_msg("%s: %s", schemes[i], error.text);
    assert_non_null(strstr(error.text, "step "));
    const pc_state* last = pc_sim_observation(sim)->state;
    assert_true(last->step > 50 && isfinite(last->q[0]) && last->q[0] < 1.01);
    char step[40];
    snprintf(step, sizeof step, "step %ld ", last->step + 1);
    assert_non_null(strstr(error.text, step));
    pc_sim_destroy(sim);
  }
  pc_model_destroy(model);
}

static void an_initial_state_that_is_not_finite_is_refused(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_model* model =
      read_text("percuss: 1\ncoordinates: {x: 2}\nkinetic: x'^2/2\npotential: log(1 - x)\n");
  simulate(model, "moreau-jean", 0.01, PC_BAD_MODEL, &error);
  assert_non_null(strstr(error.text, "potential energy"));
  pc_model_destroy(model);
}

static void something_without_mass_is_refused(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_model* model = read_text("percuss: 1\ncoordinates: {x: 0, y: 0}\nkinetic: x'^2/2\n");
  simulate(model, "moreau-jean", 0.01, PC_BAD_MODEL, &error);
  assert_non_null(strstr(error.text, "mass"));
  pc_model_destroy(model);
}

/* A spring so stiff and a limit so low that the Newton loop cannot end. */
static void a_step_that_does_not_converge_leaves_the_state_alone(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_model* model = read_text(
      "percuss: 1\ncoordinates: {x: {velocity: 3}}\nkinetic: x'^2/2*(1 + x^2)\n"
      "potential: 1e4*exp(x)\n");
  pc_sim_def def = {pc_model_system(model), "moreau-jean", pc_default_scheme_settings()};
  def.settings.dt = 0.1;
  def.settings.max_iterations = 1;
  pc_sim* sim = NULL;
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  assert_int_equal(pc_sim_step(sim, &error), PC_NOT_CONVERGED);
  assert_non_null(strstr(error.text, "step 1 at t = 0 s"));
  assert_non_null(strstr(error.text, "--tol"));
  const pc_state* s = pc_sim_observation(sim)->state;
  assert_int_equal(s->step, 0);
  CHECK_NEAR(s->q[0], 0, 0);
  CHECK_NEAR(s->u[0], 3, 0);
  pc_sim_destroy(sim);
  pc_model_destroy(model);
}

static void the_summary_adds_up(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0.05, NULL, NULL);
  run_until(&r, 2.6);
  pc_summary s = pc_sim_summary(r.sim);
  assert_int_equal(s.steps, 52);
  CHECK_NEAR(s.time, 2.6, 1e-15);
  CHECK_NEAR(s.energy_initial, 2, 0);
  const pc_observation* seen = pc_sim_observation(r.sim);
  CHECK_NEAR(s.energy_final, seen->kinetic + seen->potential, 0);
  assert_int_equal(s.events_closed, 3); /* at about 1, 2 and 2.5 s */
  assert_true(s.events_opened >= 2);
  assert_int_equal(s.contacts_active_max, 1);
  assert_int_equal(s.iterations_max[0], 1);
  CHECK_NEAR(s.iterations_avg[0], 1, 0);
  assert_string_equal(s.phase[0], "newton");
  assert_true(s.penetration_max > 0 && s.penetration_max < 0.05);
  close_run(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_counted_to_the_end_time),
      cmocka_unit_test(observers_see_the_start_and_every_step),
      cmocka_unit_test(an_observer_can_stop_the_run),
      cmocka_unit_test(a_number_that_is_not_finite_stops_the_run_and_is_named),
      cmocka_unit_test(an_initial_state_that_is_not_finite_is_refused),
      cmocka_unit_test(something_without_mass_is_refused),
      cmocka_unit_test(a_step_that_does_not_converge_leaves_the_state_alone),
      cmocka_unit_test(the_summary_adds_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
