#include "formulas.h"

static const char* const time_only[] = {"t", NULL};
static const char* const plane[] = {"x", "y", NULL};

static void a_signal_follows_its_formula_without_the_pool(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = time_only};
  pc_signal signal;
  assert_int_equal(pc_formula_signal(pool, parse(pool, &n, "3*sin(2*t) + t^2"), &signal), PC_OK);
  pc_pool_destroy(pool);
  for (int i = 0; i < 5; i++) {
    double t = 0.37 * i;
    CHECK_NEAR(signal.value(signal.user, t), 3 * sin(2 * t) + t * t, 1e-15);
  }
  signal.destroy(signal.user);
}

static void a_constant_signal_needs_no_program(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = time_only};
  pc_signal signal;
  assert_int_equal(pc_formula_signal(pool, parse(pool, &n, "2*pi + 0*t"), &signal), PC_OK);
  assert_null(signal.value);
  assert_null(signal.user);
  CHECK_NEAR(signal.constant, 6.283185307179586, 0);
  pc_pool_destroy(pool);
}

static void what_is_too_large_or_has_other_variables_is_refused(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = plane};
  pc_signal signal;
  assert_int_equal(pc_formula_signal(pool, parse(pool, &n, "x + y"), &signal), PC_BAD_ARGUMENT);
  char* text = malloc(60000);
  size_t used = 0;
  for (int i = 1; i <= 1500; i++) used += (size_t)sprintf(text + used, "+exp(%d*x)", i);
  assert_int_equal(pc_formula_signal(pool, parse(pool, &n, text), &signal), PC_BAD_ARGUMENT);
  assert_null(signal.user);
  free(text);
  pc_pool_destroy(pool);
}

/* Gap, gradient and Hessian against central differences of f/|grad f|. */
static void check_field(const char* text, double (*gap_at)(double x, double y))
{
  pc_pool* pool = pc_pool_create();
  names n = {.variable = plane};
  pc_gap_field field;
  assert_int_equal(pc_formula_gap_field(pool, parse(pool, &n, text), &field), PC_OK);
  pc_pool_destroy(pool);
  const double h = 1e-4;
  for (int k = 0; k < 4; k++) {
    double x = 0.3 + 0.4 * k, y = 1.1 - 0.2 * k, gap, g[2], H[4];
    field.value(field.user, (double[]){x, y}, &gap, g, H);
    double px = gap_at(x + h, y), mx = gap_at(x - h, y), py = gap_at(x, y + h);
    double my = gap_at(x, y - h), mid = gap_at(x, y);
    double mixed =
        gap_at(x + h, y + h) - gap_at(x + h, y - h) - gap_at(x - h, y + h) + gap_at(x - h, y - h);
    CHECK_NEAR(gap, mid, 1e-14);
    CHECK_NEAR(g[0], (px - mx) / (2 * h), 1e-6);
    CHECK_NEAR(g[1], (py - my) / (2 * h), 1e-6);
    CHECK_NEAR(H[0], (px - 2 * mid + mx) / (h * h), 1e-5);
    CHECK_NEAR(H[3], (py - 2 * mid + my) / (h * h), 1e-5);
    CHECK_NEAR(H[1], mixed / (4 * h * h), 1e-5);
    CHECK_NEAR(H[2], H[1], 0);
  }
  field.destroy(field.user);
}

static double slope_gap(double x, double y)
{
  return (y - exp(-x)) / sqrt(1 + exp(-2 * x));
}

static double ellipse_gap(double x, double y)
{
  return (x * x / 4 + y * y - 1) / sqrt(x * x / 4 + 4 * y * y);
}

static double floor_gap(double x, double y)
{
  (void)x;
  return y - 0.2;
}

static void gap_fields_are_normalised_and_exact_to_second_order(void** state)
{
  (void)state;
  check_field("y - exp(-x)", slope_gap);
  check_field("x^2/4 + y^2 - 1", ellipse_gap);
  check_field("3*(y - 0.2)", floor_gap);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_signal_follows_its_formula_without_the_pool),
      cmocka_unit_test(a_constant_signal_needs_no_program),
      cmocka_unit_test(what_is_too_large_or_has_other_variables_is_refused),
      cmocka_unit_test(gap_fields_are_normalised_and_exact_to_second_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
