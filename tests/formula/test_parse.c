#include <float.h>

#include "formulas.h"

static const char* const variables[] = {"x",   "y", "x'",          "upper-left.gap", "a",
                                        "a-b", "b", "sin-joint.x", "pi-b",           NULL};
static const double at[] = {0.7, -1.3, 2.5, 11, 3, 100, 5, 6, 8};

static double value_of(const char* text)
{
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  double value = evaluate(pool, parse(pool, &n, text), at);
  pc_pool_destroy(pool);
  return value;
}

/* The column of the error; its text contains `part`. */
static void check_error(const char* text, int column, const char* part)
{
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  pc_error error = {0};
  pc_expr expr;
  assert_int_equal(pc_parse(pool, text, look_up, &n, &expr, &error), PC_BAD_MODEL);
  if (error.column != column || !strstr(error.text, part))
    print_error("'%.40s': column %d: %s\n", text, error.column, error.text);
  assert_int_equal(error.column, column);
  assert_non_null(strstr(error.text, part));
  pc_expr ignored;
  assert_int_equal(pc_parse(pool, text, look_up, &n, &ignored, NULL), PC_BAD_MODEL);
  pc_pool_destroy(pool);
}

static void operators_bind_as_in_mathematics(void** state)
{
  (void)state;
  double x = at[0], y = at[1];
  CHECK_NEAR(value_of("1 + 2*3"), 7, 0);
  CHECK_NEAR(value_of("(1 + 2)*3"), 9, 0);
  CHECK_NEAR(value_of("10 - 4 - 3"), 3, 0);
  CHECK_NEAR(value_of("100/5/2"), 10, 0);
  CHECK_NEAR(value_of("12/2*3"), 18, 0);
  CHECK_NEAR(value_of("-x^2"), -x * x, 1e-15);
  CHECK_NEAR(value_of("(-x)^2"), x * x, 1e-15);
  CHECK_NEAR(value_of("2^3^2"), 512, 0);
  CHECK_NEAR(value_of("2^-1"), 0.5, 0);
  CHECK_NEAR(value_of("x^-y"), pow(x, -y), 1e-15);
  CHECK_NEAR(value_of("-2^2"), -4, 0);
  CHECK_NEAR(value_of("2*-x"), -2 * x, 0);
  CHECK_NEAR(value_of("x - -y"), x + y, 1e-16);
  CHECK_NEAR(value_of("--x"), x, 0);
  CHECK_NEAR(value_of("+x - +y"), x - y, 1e-16);
  CHECK_NEAR(value_of("x*y^2/2"), x * y * y / 2, 1e-15);
  CHECK_NEAR(value_of("  x\t*\n y "), x * y, 1e-15);
}

static void numbers_of_all_shapes_are_read(void** state)
{
  (void)state;
  CHECK_NEAR(value_of("1e-3"), 1e-3, 0);
  CHECK_NEAR(value_of(".5"), 0.5, 0);
  CHECK_NEAR(value_of("2."), 2, 0);
  CHECK_NEAR(value_of("2.e1"), 20, 0);
  CHECK_NEAR(value_of("6.02E+23"), 6.02e23, 0);
  CHECK_NEAR(value_of("1.7976931348623157e308"), 1.7976931348623157e308, 0);
  CHECK_NEAR(value_of("4.9e-324"), 4.9e-324, 0);
  CHECK_NEAR(value_of("1e-999"), 0, 0);
  CHECK_NEAR(value_of("pi"), 3.14159265358979323846, 0);
  check_error("1e999", 1, "too large");
  check_error("1 + 1e309", 5, "too large");
  char digits[600];
  memset(digits, '7', sizeof digits - 1);
  digits[sizeof digits - 1] = 0;
  check_error(digits, 1, "digits");
}

static void functions_have_their_values(void** state)
{
  (void)state;
  volatile double x = at[0], y = at[1]; /* the library's sinh, not the compiler's */
  const double ulp = DBL_EPSILON; /* either may be off by one; test_elementary.c knows better */
  CHECK_NEAR(value_of("sin(x)"), sin(x), ulp);
  CHECK_NEAR(value_of("cos(x)"), cos(x), ulp);
  CHECK_NEAR(value_of("tan(x)"), tan(x), ulp);
  CHECK_NEAR(value_of("asin(x)"), asin(x), ulp);
  CHECK_NEAR(value_of("acos(x)"), acos(x), ulp);
  CHECK_NEAR(value_of("atan(x)"), atan(x), ulp);
  CHECK_NEAR(value_of("atan2(y, x)"), atan2(y, x), ulp);
  CHECK_NEAR(value_of("sinh(x)"), sinh(x), ulp);
  CHECK_NEAR(value_of("cosh(x)"), cosh(x), ulp);
  CHECK_NEAR(value_of("tanh(x)"), tanh(x), ulp);
  CHECK_NEAR(value_of("exp(y)"), exp(y), ulp);
  CHECK_NEAR(value_of("log(x)"), log(x), ulp);
  CHECK_NEAR(value_of("sqrt(x)"), sqrt(x), 0);
  CHECK_NEAR(value_of("abs(y)"), 1.3, 0);
  CHECK_NEAR(value_of("sign(y)"), -1, 0);
  CHECK_NEAR(value_of("sign(0*y)"), 0, 0);
  CHECK_NEAR(value_of("min(x, y)"), y, 0);
  CHECK_NEAR(value_of("max(x, y)"), x, 0);
  CHECK_NEAR(value_of("min(3, 2) + max(3, 2)*10"), 32, 0);
  CHECK_NEAR(value_of("step(x)"), 1, 0);
  CHECK_NEAR(value_of("step(y)"), 0, 0);
  CHECK_NEAR(value_of("step(0)"), 1, 0);
  CHECK_NEAR(value_of("floor(x)"), floor(x), 0);
  CHECK_NEAR(value_of("floor(-2.5) + 10*floor(y)"), -3 + 10 * floor(y), 0);
  CHECK_NEAR(value_of("if(x, 2, 3)"), 2, 0);
  CHECK_NEAR(value_of("if(0*x, 2, 3)"), 2, 0);    /* from 0 on */
  CHECK_NEAR(value_of("if(y, log(y), x)"), x, 0); /* what is not chosen may be no number */
  CHECK_NEAR(value_of("sin (x)"), sin(x), 0);
}

static void names_may_end_in_a_prime_and_hold_dots_and_hyphens(void** state)
{
  (void)state;
  CHECK_NEAR(value_of("x'"), 2.5, 0);
  CHECK_NEAR(value_of("x'^2"), 6.25, 0);
  CHECK_NEAR(value_of("x'-x"), 1.8, 1e-15);
  CHECK_NEAR(value_of("upper-left.gap + 1"), 12, 0);
  CHECK_NEAR(value_of("a-b"), 100, 0);   /* the longer name is known */
  CHECK_NEAR(value_of("a - b"), -2, 0);  /* with space it is a difference */
  CHECK_NEAR(value_of("b-a"), 2, 0);     /* no such name */
  CHECK_NEAR(value_of("b-a-b"), -95, 0); /* b - (a-b) */
  CHECK_NEAR(value_of("a-2"), 1, 0);
  CHECK_NEAR(value_of("sin-joint.x"), 6, 0);
  CHECK_NEAR(value_of("pi-b"), 8, 0);
  CHECK_NEAR(value_of("pi-a"), acos(-1.0) - 3, 1e-15);
}

static void whole_numbers_and_remainders(void** state)
{
  (void)state;
  CHECK_NEAR(value_of("mod(7, 3)"), 1, 0);
  CHECK_NEAR(value_of("mod(-7, 3)"), 2, 0);
  CHECK_NEAR(value_of("mod(y, 1)"), at[1] - floor(at[1]), 0);
  CHECK_NEAR(value_of("frac(2.75)"), 0.75, 0);
  CHECK_NEAR(value_of("frac(-2.75)"), 0.25, 0);
  CHECK_NEAR(value_of("ceil(2.25)"), 3, 0);
  CHECK_NEAR(value_of("ceil(-2.25)"), -2, 0);
  CHECK_NEAR(value_of("round(2.5)"), 3, 0);
  CHECK_NEAR(value_of("round(-2.6)"), -3, 0);
}

static void sums_run_through_an_index(void** state)
{
  (void)state;
  CHECK_NEAR(value_of("sum(i, 4, i^2)"), 14, 0);
  CHECK_NEAR(value_of("sum(i, 3, sum(j, i + 1, 10*i + j))"), 0 + 10 + 11 + 20 + 21 + 22, 0);
  CHECK_NEAR(value_of("largest(k, 5, (k - 1)*(3 - k))"), 1, 0);
  CHECK_NEAR(value_of("smallest(k, 5, (k - 1)*(3 - k))"), -3, 0);
  CHECK_NEAR(value_of("sum(i, 3, x)*2"), 6 * at[0], 1e-15);
  CHECK_NEAR(value_of("a-b + sum(b, 2, a-b)"), 300, 0); /* a-b is a name */
  check_error("sum(i, 3)", 9, "expected ',' and the terms, not ')'");
  check_error("sum(i, x, i)", 8, "must be a whole number from 1 on");
  check_error("sum(i, 2, i) + i", 16, "unknown name 'i'");
  check_error("random(x, 1)", 12, "random(seed, i) is of numbers that stay as they are");
}

static void unknown_names_are_reported_with_their_column(void** state)
{
  (void)state;
  check_error("x + foo", 5, "unknown name 'foo'");
  check_error("x + z-q", 5, "unknown name 'z'");
  check_error("2*foo(x)", 3, "unknown function 'foo'");
  check_error("x(2)", 1, "unknown function 'x'");
  check_error("sin + 1", 5, "'('");
  check_error("if(x, y)", 8, "',' and a third argument");
  check_error("min(x)", 6, "',' and a second argument");
  check_error("y'", 1, "unknown name 'y''");
  char longer[300];
  memset(longer, 'n', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  check_error(longer, 1, "nnn...'");

  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  pc_error error = {0};
  pc_expr expr;
  pc_parse(pool, "x + uper-left.gap", look_up, &n, &expr, &error);
  assert_string_equal(n.refused, "uper"); /* what a suggestion can start from */
  assert_int_equal(pc_parse(pool, "x", NULL, NULL, &expr, &error), PC_BAD_MODEL);
  assert_int_equal(pc_parse(pool, "2*pi", NULL, NULL, &expr, &error), PC_OK);
  pc_pool_destroy(pool);
}

static void garbage_and_truncated_texts_are_refused(void** state)
{
  (void)state;
  check_error("", 1, "the text ends");
  check_error("   ", 4, "the text ends");
  check_error("x +", 4, "the text ends");
  check_error("(x", 3, "')'");
  check_error("x)", 2, "an operator");
  check_error("()", 2, "not ')'");
  check_error("sin(", 5, "the text ends");
  check_error("sin(x", 6, "')'");
  check_error("sin(x, y)", 6, "')'");
  check_error("atan2(x)", 8, "second argument");
  check_error("max(x,)", 7, "not ')'");
  check_error("2x", 2, "an operator");
  check_error("2 x", 3, "an operator");
  check_error("1.2.3", 4, "an operator");
  check_error("1e", 2, "an operator");
  check_error("1e+", 2, "an operator");
  check_error(".", 1, "not '.'");
  check_error("x ** 2", 4, "not '*'");
  check_error("x = 2", 3, "not '='");
  check_error("x ^", 4, "the text ends");
  check_error("x;y", 2, "not ';'");
  check_error("x'' + 1", 3, "not '''");
  check_error("2 \xc2\xb7 x", 3, "0xc2");
  check_error("\xce\xb8 + 1", 1, "0xce");
  check_error("x\x01", 2, "0x01");
  check_error("\xff\xfe", 1, "0xff");
}

static char* repeat(const char* piece, int count, const char* end)
{
  size_t length = strlen(piece);
  char* text = malloc(length * (size_t)count + strlen(end) + 1);
  for (int i = 0; i < count; i++) memcpy(text + length * (size_t)i, piece, length);
  strcpy(text + length * (size_t)count, end);
  return text;
}

static void nesting_and_length_have_limits(void** state)
{
  (void)state;
  const char* deep[] = {"(", "-", "sin(", "2^", "- +", "max(x,"};
  for (int i = 0; i < 6; i++) {
    char* text = repeat(deep[i], 10000, "x");
    pc_pool* pool = pc_pool_create();
    names n = {.variable = variables};
    pc_error error = {0};
    pc_expr expr;
    assert_int_equal(pc_parse(pool, text, look_up, &n, &expr, &error), PC_BAD_MODEL);
    assert_non_null(strstr(error.text, "nested"));
    pc_pool_destroy(pool);
    free(text);
  }
  char* text = repeat("-", 100, "x");
  CHECK_NEAR(value_of(text), at[0], 0);
  free(text);
  text = repeat("1+", 40000, "1");
  check_error(text, 1, "longer than");
  free(text);
}

/* Long sums and products are neither deep nor slow, and keep their value. */
static void long_chains_are_fine(void** state)
{
  (void)state;
  char* text = repeat("x*y+", 10000, "y");
  CHECK_NEAR(value_of(text), 10000 * at[0] * at[1] + at[1], 1e-9);
  free(text);
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  char* chain = malloc(64000);
  size_t used = 0;
  double want = 0, slope = 0;
  for (int i = 1; i <= 2000; i++) { /* all terms different */
    used += (size_t)sprintf(chain + used, "%ssin(%d*x)", i > 1 ? "+" : "", i);
    want += sin(i * at[0]);
    slope += i * cos(i * at[0]);
  }
  pc_expr sum = parse(pool, &n, chain);
  CHECK_NEAR(evaluate(pool, sum, at), want, 1e-9);
  CHECK_NEAR(evaluate(pool, pc_derivative(pool, sum, 0), at), slope, 1e-6);
  free(chain);
  pc_pool_destroy(pool);
}

/* Whatever the bytes, the parser returns; what it accepts can be evaluated. */
static void random_bytes_do_no_harm(void** state)
{
  (void)state;
  const char alphabet[] = "xy' 0123456789.e+-*/^(),sincoptaqrm\xc3";
  uint64_t seed = 1;
  int accepted = 0;
  for (int i = 0; i < 20000; i++) {
    char text[24];
    int length = (int)random_number(&seed, 0, 23);
    for (int k = 0; k < length; k++)
      text[k] = alphabet[(int)random_number(&seed, 0, sizeof alphabet - 1)];
    text[length] = 0;
    pc_pool* pool = pc_pool_create();
    names n = {.variable = variables};
    pc_error error = {0};
    pc_expr expr;
    if (pc_parse(pool, text, look_up, &n, &expr, &error) == PC_OK) {
      accepted++;
      evaluate(pool, expr, at);
      assert_true(pc_derivative(pool, expr, 0) >= 0);
    } else {
      assert_in_range(error.column, 1, length + 1);
    }
    pc_pool_destroy(pool);
  }
  assert_true(accepted > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_bind_as_in_mathematics),
      cmocka_unit_test(numbers_of_all_shapes_are_read),
      cmocka_unit_test(functions_have_their_values),
      cmocka_unit_test(names_may_end_in_a_prime_and_hold_dots_and_hyphens),
      cmocka_unit_test(whole_numbers_and_remainders),
      cmocka_unit_test(sums_run_through_an_index),
      cmocka_unit_test(unknown_names_are_reported_with_their_column),
      cmocka_unit_test(garbage_and_truncated_texts_are_refused),
      cmocka_unit_test(nesting_and_length_have_limits),
      cmocka_unit_test(long_chains_are_fine),
      cmocka_unit_test(random_bytes_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
