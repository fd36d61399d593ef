/* Settings by their keys: the one table behind the command line and the model file. */
#include <string.h>

#include "run.h"

static void every_setting_takes_what_it_says(void** state)
{
  (void)state;
  const char* const good[][2] = {{"dt", "1e-3"},          {"theta", "0.75"},
                                 {"evaluation", "mid"},   {"evaluation", "trapezoid"},
                                 {"forecast", "free"},    {"gamma", "2"},
                                 {"activation-tol", "0"}, {"tol", "1e-8"},
                                 {"max-iterations", "7"}, {"solver", "nsgs"},
                                 {"solver-tol", "1e-9"},  {"level", "position"},
                                 {"project", "after"},    {"metric", "mass"},
                                 {"coupled", "on"},       {"frictionless", "off"},
                                 {"rho", "0.7"},          {"newmark", "0.3,0.6"},
                                 {"hht", "0.1"},          {"constraints", "pvv"},
                                 {"strategy", "2"},       {"monolithic", "on"},
                                 {"baumgarte", "5,0"},    {"initial", "shifted"},
                                 {"activation", "total"}, {"activation-factor", "3"}};
  pc_scheme_settings s = pc_default_scheme_settings();
  pc_error error = {0};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    CHECK_OK(pc_set_setting(&s, good[i][0], good[i][1], &error), error);
  CHECK_NEAR(s.theta, 0.75, 0);
  assert_int_equal(s.evaluation, PC_EVALUATION_TRAPEZOID);
  assert_int_equal(s.forecast, PC_FORECAST_FREE);
  assert_int_equal(s.max_iterations, 7);
  assert_string_equal(s.solver, "nsgs");
  assert_int_equal(s.level, PC_LEVEL_POSITION);
  assert_int_equal(s.project, PC_PROJECT_AFTER);
  assert_int_equal(s.metric, PC_METRIC_MASS);
  assert_true(s.coupled && !s.frictionless);
  assert_true(s.alpha.newmark[0] == 0.3 && s.alpha.newmark[1] == 0.6 && s.alpha.hht == 0.1);
  assert_true(s.alpha.baumgarte[0] == 5 && s.alpha.baumgarte[1] == 0 && s.alpha.monolithic &&
              s.alpha.strategy == 2);
  assert_int_equal(s.alpha.constraints, PC_CONSTRAINTS_PVV);
  assert_int_equal(s.alpha.initial, PC_INITIAL_SHIFTED);
  assert_int_equal(s.alpha.activation, PC_ACTIVATION_TOTAL);
}

static void everything_else_is_refused_with_what_is_allowed(void** state)
{
  (void)state;
  const char* const bad[][3] = {
      {"dt", "0", "positive"},      {"dt", "-1", "positive"},     {"dt", "nan", "positive"},
      {"dt", "inf", "positive"},    {"dt", "1e-3x", "positive"},  {"dt", "", "positive"},
      {"theta", "0.4", "0.5 to 1"}, {"theta", "1.1", "0.5 to 1"}, {"evaluation", "end", "mid"},
      {"forecast", "", "explicit"}, {"gamma", "2.5", "0 to 2"},   {"max-iterations", "1.5", "1 to"},
      {"max-iterations", "0", "1"}, {"solver", "gauss", "lemke"}, {"colour", "red", "no setting"},
      {"coupled", "yes", "on|off"}, {"metric", "", "identity"},   {"project", "on", "after"},
      {"rho", "1.1", "0 to 1"},     {"newmark", "0.3", "beta,"},  {"newmark", "0.3,", "beta,"},
      {"newmark", "0.3;1", "beta"}, {"newmark", "2,1", "beta,"},  {"hht", "0.4", "0 to 1/3"},
      {"constraints", "a", "pva"},  {"strategy", "4", "1 to 3"},  {"baumgarte", "-1,1", "alpha,"}};
  pc_scheme_settings s = pc_default_scheme_settings(), before = s;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pc_error error = {0};
    assert_int_equal(pc_set_setting(&s, bad[i][0], bad[i][1], &error), PC_BAD_ARGUMENT);
    if (!strstr(error.text, bad[i][2])) fail_msg("'%s' does not say '%s'", error.text, bad[i][2]);
  }
  assert_memory_equal(&s, &before, sizeof s);
}

static void settings_in_code_are_checked_too(void** state)
{
  (void)state;
  run r = open_run("bouncing-ball", "moreau-jean", 0, NULL, NULL);
  pc_sim_def def = pc_default_sim_def();
  pc_sim* sim = NULL;
  pc_error error = {0};
  def.system = pc_model_system(r.model);
  def.settings.theta = 0.2;
  assert_int_equal(pc_sim_create(&def, &sim, &error), PC_BAD_ARGUMENT);
  assert_null(sim);
  assert_non_null(strstr(error.text, "theta"));
  def = (pc_sim_def){pc_model_system(r.model), "euler", pc_default_scheme_settings()};
  assert_int_equal(pc_sim_create(&def, &sim, &error), PC_BAD_ARGUMENT);
  def.scheme = NULL;
  assert_int_equal(pc_sim_create(&def, &sim, NULL), PC_BAD_ARGUMENT);
  close_run(&r);
}

static void every_setting_has_its_line_of_help(void** state)
{
  (void)state;
  for (int i = 0; i < pc_setting_count(); i++) {
    pc_setting s = pc_setting_at(i);
    assert_true(strlen(s.key) > 1 && strlen(s.values) > 1 && strlen(s.help) > 5);
  }
  for (const char* const* name = pc_scheme_names(); *name; name++)
    assert_true(strlen(pc_scheme_summary(*name)) > 10);
  assert_null(pc_scheme_summary("euler"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_setting_takes_what_it_says),
      cmocka_unit_test(everything_else_is_refused_with_what_is_allowed),
      cmocka_unit_test(settings_in_code_are_checked_too),
      cmocka_unit_test(every_setting_has_its_line_of_help),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
