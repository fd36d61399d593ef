/* Which values the parameters of a sweep have. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "study/design.h"

static void add(design* d, const char* name, const char* text)
{
  int taken = 0;
  pc_error error = {0};
  CHECK_OK(design_add(d, name, text, &taken, &error), error);
  assert_true(taken);
}

static void finish(design* d, long rows)
{
  pc_error error = {0};
  CHECK_OK(design_finish(d, &error), error);
  assert_int_equal(d->rows, rows);
}

static void ranges_have_both_ends_and_even_distances(void** state)
{
  (void)state;
  design d = {0};
  double value[2];
  add(&d, "a", "1.2:1.7:11");
  add(&d, "b", "log:1e-3:10:5");
  finish(&d, 55);
  for (long row = 0; row < 55; row++) {
    design_row(&d, row, value);
    CHECK_NEAR(value[0], 1.2 + 0.05 * (double)(row / 5), 3e-16);
    CHECK_NEAR(value[1] / pow(10, (double)(row % 5) - 3), 1, 1e-14);
  }
  CHECK_NEAR(value[0], 1.7, 0);
  CHECK_NEAR(value[1], 10, 0);
  design_free(&d);
}

static void zipped_values_go_together(void** state)
{
  (void)state;
  design d = {.zip = 1};
  double value[2];
  add(&d, "a", "list:1,2,4");
  add(&d, "b", "3:1:3");
  finish(&d, 3);
  for (long row = 0; row < 3; row++) {
    design_row(&d, row, value);
    CHECK_NEAR(value[0], (double)(1 << row), 0);
    CHECK_NEAR(value[1], 3 - (double)row, 0);
  }
  design_free(&d);
}

static void samples_are_taken_for_each_point_of_the_grid(void** state)
{
  (void)state;
  design d = {.samples = 256, .seed = 4};
  double value[3], sum = 0, squares = 0;
  add(&d, "n", "normal(0.3,0.02)");
  add(&d, "a", "list:5,6");
  add(&d, "u", "uniform(-1,3)");
  finish(&d, 512);
  for (long row = 0; row < 512; row++) {
    double other[3];
    design_row(&d, row, value);
    design_row(&d, (row + 256) % 512, other);
    CHECK_NEAR(value[1], row < 256 ? 5 : 6, 0);
    CHECK_NEAR(value[0], other[0], 0); /* the same samples, so that differences are those of a */
    assert_true(value[2] > -1 && value[2] < 3);
    sum += value[0];
    squares += (value[0] - 0.3) * (value[0] - 0.3);
  }
  CHECK_NEAR(sum / 512, 0.3, 1e-4);
  CHECK_NEAR(sqrt(squares / 512), 0.02, 5e-4);
  design_free(&d);
}

static void a_number_or_an_expression_is_no_axis(void** state)
{
  (void)state;
  static const char* const text[] = {"0.5", "2*pi", "max(1, 2)", "1e-3"};
  for (int i = 0; i < 4; i++) {
    design d = {0};
    int taken = 1;
    assert_int_equal(design_add(&d, "a", text[i], &taken, NULL), PC_OK);
    assert_int_equal(taken, 0);
    design_free(&d);
  }
}

static void what_makes_no_sense_is_refused(void** state)
{
  (void)state;
  static const char* const text[] = {
      "1:2",      "1:2:0",     "1:2:2.5",      "1:2:3:4",      "log:0:1:5",  "list:",   "list:1,,2",
      "list:1,x", "normal(1)", "normal(1,-1)", "uniform(2,1)", "normal(1,2", "log:1:2", "1:nan:3"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    design d = {0};
    int taken = 0;
    pc_error error = {0};
    assert_int_equal(design_add(&d, "a", text[i], &taken, &error), PC_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "--set a="));
    design_free(&d);
  }
  design d = {.zip = 1};
  add(&d, "a", "1:2:3");
  add(&d, "b", "1:2:4");
  assert_int_equal(design_finish(&d, NULL), PC_BAD_ARGUMENT);
  design_free(&d);
  design r = {0};
  add(&r, "a", "normal(0,1)");
  assert_int_equal(design_finish(&r, NULL), PC_BAD_ARGUMENT); /* how many? */
  design_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_have_both_ends_and_even_distances),
      cmocka_unit_test(zipped_values_go_together),
      cmocka_unit_test(samples_are_taken_for_each_point_of_the_grid),
      cmocka_unit_test(a_number_or_an_expression_is_no_axis),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
