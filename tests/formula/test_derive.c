/* Derivatives against central differences, of expressions and of their derivatives. */
#include "formulas.h"

static const char* const variables[] = {"x", "y", NULL};

static const char* const texts[] = {
    "sin(x*y)",
    "cos(x + 2*y)",
    "tan(x/3 - y)",
    "asin(x*y/4)",
    "acos(x/3 + y/5)",
    "atan(x*x - y)",
    "atan2(x + y, 1 + x*y)",
    "sinh(x - y)",
    "cosh(x*y)",
    "tanh(2*x - y/3)",
    "exp(-x*x + y)",
    "log(2 + x*y)",
    "sqrt(3 + x*x*y)",
    "abs(x + 5*y)*x",
    "x*sign(y - 3)",
    "min(x*x, 3*y)*y",
    "max(sin(x), y^3)",
    "step(y)*x^2*y",
    "floor(3*y)*x^2",
    "if(x - y, x^3*y, sin(x*y))",
    "x^y",
    "y^x",
    "2^(x*y)",
    "(x + y)^2.5",
    "x^3*y^2 - x^7",
    "x^-2*y",
    "(x + y)^-0.5",
    "x/(y + 1)",
    "(x - y)/(x + y)",
    "1/(1 + x*x + y*y)",
    "x/49/y",
    "-(x - y)^3/7",
    "(x*sin(y))^2 + (x*cos(y))^2",
    "x^2*x*y/x",
    "sqrt(x)*sqrt(x*y)",
    "((x/y)/(y/x))^3",
    "exp(x)^y",
    "x^20*y",
    "x^1.5",
    "pi*x - 3",
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Central difference of order four. */
static double difference(const pc_pool* pool, pc_expr f, const double at[2], int v)
{
  const double h = 1e-3;
  double value[4];
  const double step[4] = {-2 * h, -h, h, 2 * h};
  for (int i = 0; i < 4; i++) {
    double moved[2] = {at[0], at[1]};
    moved[v] += step[i];
    value[i] = evaluate(pool, f, moved);
  }
  return (value[0] - 8 * value[1] + 8 * value[2] - value[3]) / (12 * h);
}

static void check_derivatives(pc_pool* pool, const char* text, pc_expr f, int order,
                              const double at[2])
{
  for (int v = 0; v < 2 && order > 0; v++) {
    pc_expr slope = pc_derivative(pool, f, v);
    assert_true(slope >= 0);
    double got = evaluate(pool, slope, at), want = difference(pool, f, at, v);
    if (fabs(got - want) > 1e-6 * (1 + fabs(want)))
      print_error("%s at %g, %g: %g, not %g\n", text, at[0], at[1], got, want);
    CHECK_NEAR(got, want, 1e-6 * (1 + fabs(want)));
    check_derivatives(pool, text, slope, order - 1, at);
  }
}

static void every_function_agrees_with_differences_up_to_third_order(void** state)
{
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < TEXTS; i++) {
    pc_pool* pool = pc_pool_create();
    names n = {.variable = variables};
    pc_expr f = parse(pool, &n, texts[i]);
    for (int k = 0; k < 3; k++) {
      /* where all of the texts are defined and away from kinks */
      double at[2] = {random_number(&seed, 0.6, 1.2), random_number(&seed, 0.5, 1.1)};
      if (fabs(at[0] * at[0] - 3 * at[1]) < 0.05) at[1] += 0.1;
      if (fabs(sin(at[0]) - pow(at[1], 3)) < 0.05) at[1] -= 0.1;
      check_derivatives(pool, texts[i], f, 3, at);
    }
    pc_pool_destroy(pool);
  }
}

static void derivatives_are_simplified_to_numbers(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  double value = 1;
  assert_true(pc_expr_is_number(pool, parse(pool, &n, "x - x"), &value));
  CHECK_NEAR(value, 0, 0);
  pc_expr f = parse(pool, &n, "3*(x + 2*y)^2/2");
  pc_expr xx = pc_derivative(pool, pc_derivative(pool, f, 0), 0);
  assert_true(pc_expr_is_number(pool, xx, &value));
  CHECK_NEAR(value, 3, 0);
  assert_true(pc_expr_is_number(pool, pc_derivative(pool, xx, 0), &value));
  CHECK_NEAR(value, 0, 0);
  assert_true(pc_expr_is_number(pool, pc_derivative(pool, parse(pool, &n, "sin(y)"), 0), &value));
  CHECK_NEAR(value, 0, 0);
  assert_int_equal(pc_derivative(pool, parse(pool, &n, "x^2"), 0), parse(pool, &n, "2*x"));
  pc_pool_destroy(pool);
}

static void equal_expressions_are_one(void** state)
{
  (void)state;
  const char* const pairs[][2] = {
      {"x*y", "y*x"},
      {"x + y + 1", "1 + y + x"},
      {"sin(x - y)", "-sin(y - x)"},
      {"cos(x - y)", "cos(y - x)"},
      {"x*x*x", "x^3"},
      {"2*x*3*y", "6*(y*x)"},
      {"(2*x)^2", "4*x^2"},
      {"x + x", "2*x"},
      {"x - (y - x)", "2*x - y"},
      {"-(x - y)", "y - x"},
      {"x/2", "0.5*x"},
      {"x/y*2", "2*x/y"},
      {"x*(1/y)", "x/y"},
      {"-x*-y", "x*y"},
      {"0*x + y", "y"},
      {"1*x", "x"},
      {"x^1", "x"},
      {"x + 0", "x"},
      {"x^0.5", "sqrt(x)"},
  };
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    pc_expr a = parse(pool, &n, pairs[i][0]), b = parse(pool, &n, pairs[i][1]);
    if (a != b) print_error("%s and %s differ\n", pairs[i][0], pairs[i][1]);
    assert_int_equal(a, b);
  }
  pc_pool_destroy(pool);
}

static void domains_survive_simplification(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  const double at[2] = {0, -1};
  assert_true(isnan(evaluate(pool, parse(pool, &n, "0*(1/0)"), at)));
  assert_true(isinf(evaluate(pool, parse(pool, &n, "1/x"), at)));
  assert_true(isnan(evaluate(pool, parse(pool, &n, "x/x"), at)));
  assert_true(isnan(evaluate(pool, parse(pool, &n, "sqrt(y)^2"), at)));
  assert_true(isnan(evaluate(pool, parse(pool, &n, "exp(log(y))"), at)));
  CHECK_NEAR(evaluate(pool, parse(pool, &n, "sqrt(y^2)"), at), 1, 0);
  const double small[2] = {1e-300, 0};
  CHECK_NEAR(evaluate(pool, parse(pool, &n, "1e200*(1e200*x)"), small) / 1e100, 1, 1e-12);
  pc_pool_destroy(pool);
}

static void dependence_is_exact_for_any_number_of_variables(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  pc_expr f = parse(pool, &n, "x*sin(y)");
  assert_true(pc_expr_depends(pool, f, 0));
  assert_true(pc_expr_depends(pool, f, 1));
  assert_false(pc_expr_depends(pool, f, 2));
  pc_expr far = pc_expr_variable(pool, 100000);
  assert_true(pc_expr_depends(pool, far, 100000));
  assert_false(pc_expr_depends(pool, far, 100001));
  assert_false(pc_expr_depends(pool, far, 3));
  double value;
  assert_true(pc_expr_is_number(pool, pc_derivative(pool, far, 100000), &value));
  CHECK_NEAR(value, 1, 0);
  assert_true(pc_expr_is_number(pool, pc_derivative(pool, far, 100001), &value));
  CHECK_NEAR(value, 0, 0);
  assert_true(pc_expr_variable(pool, -1) < 0);
  pc_pool_destroy(pool);
  pc_pool_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_agrees_with_differences_up_to_third_order),
      cmocka_unit_test(derivatives_are_simplified_to_numbers),
      cmocka_unit_test(equal_expressions_are_one),
      cmocka_unit_test(domains_survive_simplification),
      cmocka_unit_test(dependence_is_exact_for_any_number_of_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
