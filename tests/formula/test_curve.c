/* Curves through points against closed forms, and their derivatives in expressions. */
#include "formula/curve.h"

#include "formula/pool.h"
#include "formulas.h"

static const double points[] = {0, 0, 1, 1, 2, 4, 3, 9}; /* x, y */

static void lines_run_from_point_to_point(void** state)
{
  (void)state;
  pc_curve* c = pc_curve_create(4, points, points + 1, 2, 0);
  for (int i = 0; i < 4; i++) CHECK_NEAR(pc_curve_value(c, 0, i), i * i, 0);
  CHECK_NEAR(pc_curve_value(c, 0, 1.5), 2.5, 0);
  CHECK_NEAR(pc_curve_value(c, 1, 1.5), 3, 0);
  CHECK_NEAR(pc_curve_value(c, 2, 1.5), 0, 0);
  CHECK_NEAR(pc_curve_value(c, 0, -2), -2, 0); /* straight beyond the ends */
  CHECK_NEAR(pc_curve_value(c, 0, 4), 14, 0);
  CHECK_NEAR(pc_curve_value(c, 1, 5), 5, 0);
  pc_curve_release(c);
}

/* The second derivatives within are 12/5: 4 M1 + M2 = M1 + 4 M2 = 12. */
static void a_natural_spline_is_what_its_equations_say(void** state)
{
  (void)state;
  pc_curve* c = pc_curve_create(4, points, points + 1, 2, 1);
  for (int i = 0; i < 4; i++) CHECK_NEAR(pc_curve_value(c, 0, i), i * i, 1e-14);
  CHECK_NEAR(pc_curve_value(c, 2, 0), 0, 1e-14);
  CHECK_NEAR(pc_curve_value(c, 2, 1), 2.4, 1e-14);
  CHECK_NEAR(pc_curve_value(c, 2, 2), 2.4, 1e-14);
  CHECK_NEAR(pc_curve_value(c, 0, 1.5), 2.2, 1e-14);
  for (int i = 0; i < 4; i++)
    for (int order = 0; order < 3; order++)
      CHECK_NEAR(pc_curve_value(c, order, i - 1e-9), pc_curve_value(c, order, i + 1e-9), 2e-8);
  CHECK_NEAR(pc_curve_value(c, 0, 4), 9 + pc_curve_value(c, 1, 3), 1e-13);
  pc_curve_release(c);
}

static void splines_through_a_sine_converge(void** state)
{
  (void)state;
  double error[2];
  for (int k = 0; k < 2; k++) {
    enum { MOST = 80 };
    int n = k ? MOST : MOST / 2;
    double x[MOST + 1], y[MOST + 1], pi = acos(-1.0);
    for (int i = 0; i <= n; i++) {
      x[i] = 2 * pi * i / n; /* sin'' is 0 at both ends */
      y[i] = sin(x[i]);
    }
    pc_curve* c = pc_curve_create(n + 1, x, y, 1, 1);
    error[k] = fabs(pc_curve_value(c, 0, 1.23) - sin(1.23));
    for (double t = 0; t < 6; t += 0.01)
      error[k] = fmax(error[k], fabs(pc_curve_value(c, 0, t) - sin(t)));
    pc_curve_release(c);
  }
  CHECK_NEAR(log2(error[0] / error[1]), 4, 0.1);
}

/* Names of the only table there is. */
static int look_up_curve(void* user, pc_pool* pool, const char* name, size_t length,
                         pc_expr* meaning)
{
  if (length == 1 && name[0] == 'x') {
    *meaning = pc_expr_variable(pool, 0);
    return 1;
  }
  if (length != strlen("table(cam,smooth)") || strncmp(name, "table(cam,smooth)", length) != 0)
    return 0;
  *meaning = pc_pool_add_curve(pool, user);
  return 1;
}

static void derivatives_in_expressions_are_exact(void** state)
{
  (void)state;
  pc_curve* c = pc_curve_create(4, points, points + 1, 2, 1);
  pc_pool *pool = pc_pool_create(), *copy = pc_pool_create();
  pc_expr e, moved;
  pc_error error = {0};
  CHECK_OK(pc_parse(pool, "2*table(x^2, cam , smooth) + table(1.5, cam, smooth)", look_up_curve, c,
                    &e, &error),
           error);
  pc_expr d[3] = {e, pc_derivative(pool, e, 0), 0};
  d[2] = pc_derivative(pool, d[1], 0);
  double x = 1.1, s = x * x;
  CHECK_NEAR(evaluate(pool, d[0], &x), 2 * pc_curve_value(c, 0, s) + 2.2, 1e-14);
  CHECK_NEAR(evaluate(pool, d[1], &x), 4 * x * pc_curve_value(c, 1, s), 1e-13);
  CHECK_NEAR(evaluate(pool, d[2], &x),
             8 * x * x * pc_curve_value(c, 2, s) + 4 * pc_curve_value(c, 1, s), 1e-13);
  assert_int_equal(pc_pool_import(copy, pool, 1, &d[2], &moved), PC_OK);
  CHECK_NEAR(evaluate(copy, moved, &x), evaluate(pool, d[2], &x), 0);
  pc_pool_destroy(pool);
  CHECK_NEAR(evaluate(copy, moved, &x),
             8 * x * x * pc_curve_value(c, 2, s) + 4 * pc_curve_value(c, 1, s), 1e-13);
  pc_pool_destroy(copy);
  pc_curve_release(c);
}

static void tables_that_are_not_there_are_refused(void** state)
{
  (void)state;
  static const struct {
    const char *text, *part;
    int column;
  } bad[] = {{"table(x)", "expected ',' and the name of a table, not ')'", 8},
             {"table(x, cat)", "there is no table 'cat'", 10},
             {"table(x, cam, rough)", "expected 'smooth' or 'linear', not 'r'", 15},
             {"table(x, cam, smooth", "expected ')', but the text ends", 21},
             {"table", "expected '(' after the name of a function", 6}};
  pc_curve* c = pc_curve_create(4, points, points + 1, 2, 1);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pc_pool* pool = pc_pool_create();
    pc_expr e;
    pc_error error = {0};
    assert_int_equal(pc_parse(pool, bad[i].text, look_up_curve, c, &e, &error), PC_BAD_MODEL);
    if (!strstr(error.text, bad[i].part)) fail_msg("%s: %s", bad[i].text, error.text);
    assert_int_equal(error.column, bad[i].column);
    pc_pool_destroy(pool);
  }
  pc_curve_release(c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_run_from_point_to_point),
      cmocka_unit_test(a_natural_spline_is_what_its_equations_say),
      cmocka_unit_test(splines_through_a_sine_converge),
      cmocka_unit_test(derivatives_in_expressions_are_exact),
      cmocka_unit_test(tables_that_are_not_there_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
