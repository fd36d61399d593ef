#include "percuss/model.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define REST "bodies: {ball: {mass: 1, inertia: 1}}\n"

static pc_status read_text(const char* text, const pc_override* override, int count,
                           pc_model** model, pc_error* error)
{
  *error = (pc_error){0};
  return pc_model_read_text(text, strlen(text), override, count, model, error);
}

static double parameter(const pc_model* model, const char* name)
{
  double value = NAN;
  for (int i = 0; pc_model_parameter(model, i, NULL); i++)
    if (strcmp(pc_model_parameter(model, i, &value), name) == 0) return value;
  return NAN;
}

static void parameters_may_depend_on_each_other_in_any_order(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error;
  const char* text =
      "percuss: 1\n"
      "parameters: {quarter: half/2, half: l1/2, l1: 0.153, c: 'max(l1, half)',"
      " k: 4*pi^2, n: -1e-3, z: half + half + quarter}\n" REST;
  CHECK_OK(read_text(text, NULL, 0, &model, &error), error);
  CHECK_NEAR(parameter(model, "l1"), 0.153, 0);
  CHECK_NEAR(parameter(model, "half"), 0.0765, 1e-17);
  CHECK_NEAR(parameter(model, "quarter"), 0.03825, 1e-17);
  CHECK_NEAR(parameter(model, "c"), 0.153, 0);
  CHECK_NEAR(parameter(model, "k"), 39.478417604357434, 1e-14);
  CHECK_NEAR(parameter(model, "n"), -1e-3, 0);
  CHECK_NEAR(parameter(model, "z"), 0.19125, 1e-16);
  assert_string_equal(pc_model_parameter(model, 0, NULL), "quarter");
  assert_null(pc_model_parameter(model, 7, NULL));
  assert_null(pc_model_parameter(model, -1, NULL));
  pc_model_destroy(model);
}

static void overrides_replace_the_text_and_what_depends_on_it(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error;
  const char* text = "percuss: 1\nparameters: {a: 1, b: a/2, c: 7}\n" REST;
  const pc_override override[] = {{"a", "3"}, {"c", "b + 1"}, {"a", "8"}};
  CHECK_OK(read_text(text, override, 3, &model, &error), error);
  CHECK_NEAR(parameter(model, "a"), 8, 0); /* the last one counts */
  CHECK_NEAR(parameter(model, "b"), 4, 0);
  CHECK_NEAR(parameter(model, "c"), 5, 0);
  pc_model_destroy(model);
}

static void overrides_that_make_no_sense_are_bad_arguments_without_a_place(void** state)
{
  (void)state;
  const char* text = "percuss: 1\nparameters: {mu: 1, b: mu/2, restitution: 0}\n" REST;
  const struct {
    pc_override override;
    const char* fragment;
  } bad[] = {
      {{"mux", "1"}, "no parameter 'mux'; did you mean 'mu'? it has: mu, b, restitution"},
      {{"restituton", "1"}, "did you mean 'restitution'?"},
      {{"nosuch", "1"}, "no parameter 'nosuch'; it has: mu, b, restitution"},
      {{"", "1"}, "no parameter ''"},
      {{"mu", "abc"}, "parameter 'mu': unknown name 'abc'"},
      {{"mu", "nan"}, "parameter 'mu': expected a finite number, found 'nan'"},
      {{"mu", "-inf"}, "expected a finite number"},
      {{"mu", "1e999"}, "not a finite number"},
      {{"mu", "1/0"}, "'1/0' is infinite"},
      {{"mu", ""}, "parameter 'mu': "},
      {{"mu", "1 2"}, "parameter 'mu': "},
      {{"mu", "0x10"}, "parameter 'mu': "},
      {{"mu", "2*b"}, "in a circle: mu -> b -> mu"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pc_model* model = NULL;
    pc_error error;
    assert_int_equal(read_text(text, &bad[i].override, 1, &model, &error), PC_BAD_ARGUMENT);
    assert_null(model);
    if (!strstr(error.text, bad[i].fragment)) print_error("%s\n", error.text);
    assert_non_null(strstr(error.text, bad[i].fragment));
    assert_int_equal(error.status, PC_BAD_ARGUMENT);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
  }
}

static void an_override_without_parameters_says_so(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error;
  const pc_override override = {"a", "1"};
  assert_int_equal(read_text("percuss: 1\n" REST, &override, 1, &model, &error), PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "no parameter 'a'; it has none"));
}

static void an_override_that_spoils_the_model_is_told_at_the_place_it_spoils(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error;
  const pc_override override = {"m", "-2"};
  const char* text = "percuss: 1\nparameters: {m: 1}\nbodies: {ball: {mass: m, inertia: 1}}\n";
  assert_int_equal(read_text(text, &override, 1, &model, &error), PC_BAD_MODEL);
  assert_int_equal(error.line, 3);
  assert_non_null(strstr(error.text, "it is -2, but must be positive"));
}

/* A chain of 20000 parameters, last first: no recursion, and no quadratic search. */
static void long_chains_of_parameters_are_fine(void** state)
{
  (void)state;
  int count = 20000;
  char* text = malloc((size_t)count * 24 + 200);
  size_t used = (size_t)sprintf(text, "percuss: 1\nparameters:\n");
  for (int i = count; i > 0; i--)
    used += (size_t)sprintf(text + used, "  p%d: p%d + 1\n", i, i - 1);
  sprintf(text + used, "  p0: 0\n" REST);
  pc_model* model = NULL;
  pc_error error;
  CHECK_OK(read_text(text, NULL, 0, &model, &error), error);
  double value = 0;
  assert_string_equal(pc_model_parameter(model, 0, &value), "p20000");
  CHECK_NEAR(value, 20000, 0);
  pc_model_destroy(model);
  sprintf(text + used, "  p0: p20000\n" REST);
  assert_int_equal(read_text(text, NULL, 0, &model, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "in a circle"));
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_may_depend_on_each_other_in_any_order),
      cmocka_unit_test(overrides_replace_the_text_and_what_depends_on_it),
      cmocka_unit_test(overrides_that_make_no_sense_are_bad_arguments_without_a_place),
      cmocka_unit_test(an_override_without_parameters_says_so),
      cmocka_unit_test(an_override_that_spoils_the_model_is_told_at_the_place_it_spoils),
      cmocka_unit_test(long_chains_of_parameters_are_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
