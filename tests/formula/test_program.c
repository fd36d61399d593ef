/* Random expression trees: written as text, parsed, simplified, compiled and run, against the
 * naive value of the tree. */
#include "formulas.h"

static const char* const variables[] = {"x", "y", "z", NULL};

/* Appends a random expression to `text` and returns its value at `at`, computed as written. */
static double grow_tree(uint64_t* seed, int depth, const double* at, char* text)
{
  char a[4096] = "", b[4096] = "";
  double choice = random_number(seed, 0, 1);
  if (depth == 0 || choice < 0.1) {
    int v = (int)random_number(seed, 0, 5);
    if (v < 3) {
      strcpy(text, variables[v]);
      return at[v];
    }
    double number = floor(random_number(seed, 0, 5));
    sprintf(text, "%g", number);
    return number;
  }
  double va = grow_tree(seed, depth - 1, at, a), vb = grow_tree(seed, depth - 1, at, b);
  switch ((int)random_number(seed, 0, 12)) {
    case 0: return sprintf(text, "(%s) + (%s)", a, b), va + vb;
    case 1: return sprintf(text, "(%s) - (%s)", a, b), va - vb;
    case 2:
    case 3: return sprintf(text, "(%s)*(%s)", a, b), va * vb;
    case 4: return sprintf(text, "(%s)/(2 + sin(%s))", a, b), va / (2 + sin(vb));
    case 5: return sprintf(text, "-(%s)", a), -va;
    case 6: return sprintf(text, "(%s)^2", a), va * va;
    case 7: return sprintf(text, "(%s)^3", a), va * va * va;
    case 8: return sprintf(text, "sin(%s)", a), sin(va);
    case 9: return sprintf(text, "cos(%s)", a), cos(va);
    case 10: return sprintf(text, "max(%s, %s)", a, b), va >= vb ? va : vb;
    default: return sprintf(text, "(%s) - 2*(%s)", a, b), va - 2 * vb;
  }
}

static void simplified_programs_keep_the_value_of_the_text(void** state)
{
  (void)state;
  uint64_t seed = 3;
  int checked = 0;
  for (int i = 0; i < 3000; i++) {
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = random_number(&seed, -2, 2);
    char* text = malloc(1 << 14);
    double want = grow_tree(&seed, 4, at, text);
    /* sin of a huge number magnifies rounding beyond any tolerance: such trees say nothing */
    if (fabs(want) < 1e3) {
      pc_pool* pool = pc_pool_create();
      names n = {.variable = variables};
      double got = evaluate(pool, parse(pool, &n, text), at);
      if (fabs(got - want) > 1e-9 * (1 + fabs(want))) print_error("%s\n", text);
      CHECK_NEAR(got, want, 1e-9 * (1 + fabs(want)));
      checked++;
      pc_pool_destroy(pool);
    }
    free(text);
  }
  assert_true(checked > 2500);
}

static void a_program_has_many_results_and_runs_again(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  const char* const texts[] = {"x",       "7",      "sin(x)", "cos(x)",  "x*y - z",
                               "z - x*y", "-(x*y)", "sin(x)", "x^2 + z", "1 - x",
                               "x^5",     "x^30",   "2 - 3*y"};
  enum { COUNT = sizeof texts / sizeof *texts };
  pc_expr expr[COUNT];
  for (int i = 0; i < COUNT; i++) expr[i] = parse(pool, &n, texts[i]);
  pc_program* program;
  assert_int_equal(pc_program_create(pool, COUNT, expr, &program), PC_OK);
  pc_pool_destroy(pool); /* a program needs no pool */
  double* registers = calloc((size_t)pc_program_register_count(program), sizeof *registers);
  pc_program_load(program, registers);
  for (int k = 0; k < 3; k++) {
    double x = 0.3 + k, y = 2 - k, z = 0.1 * k, out[COUNT];
    pc_program_run(program, (double[]){x, y, z}, registers, out);
    const double want[COUNT] = {x,         7,          sin(x),   cos(x),    x * y - z,
                                z - x * y, -(x * y),   sin(x),   x * x + z, 1 - x,
                                pow(x, 5), pow(x, 30), 2 - 3 * y};
    for (int i = 0; i < COUNT; i++) CHECK_NEAR(out[i], want[i], 1e-14 * (1 + fabs(want[i])));
  }
  free(registers);
  pc_program_destroy(program);
  pc_program_destroy(NULL);
}

static void a_program_may_be_empty_and_refuses_what_does_not_exist(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  pc_program* program;
  assert_int_equal(pc_program_create(pool, 0, NULL, &program), PC_OK);
  pc_program_load(program, NULL);
  pc_program_run(program, NULL, NULL, NULL);
  pc_program_destroy(program);
  const pc_expr bad[2] = {-1, 5};
  assert_int_equal(pc_program_create(pool, 1, &bad[0], &program), PC_BAD_ARGUMENT);
  assert_int_equal(pc_program_create(pool, 1, &bad[1], &program), PC_BAD_ARGUMENT);
  assert_null(program);
  pc_pool_destroy(pool);
}

/* The order in which a model writes things must not change a bit between runs. */
static void the_same_text_gives_the_same_bits(void** state)
{
  (void)state;
  double value[2];
  for (int i = 0; i < 2; i++) {
    pc_pool* pool = pc_pool_create();
    names n = {.variable = variables};
    pc_expr f = parse(pool, &n, "(x + y/3 + z/7)^3*sin(x*y) - exp(-x)/(1 + z*z)");
    value[i] = evaluate(pool, pc_derivative(pool, f, 0), (double[]){0.1, 0.2, 0.3});
    pc_pool_destroy(pool);
  }
  assert_memory_equal(&value[0], &value[1], sizeof value[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplified_programs_keep_the_value_of_the_text),
      cmocka_unit_test(a_program_has_many_results_and_runs_again),
      cmocka_unit_test(a_program_may_be_empty_and_refuses_what_does_not_exist),
      cmocka_unit_test(the_same_text_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
