#include "formula/pool.h"
#include "mechanisms.h"

/* Variables 2 and 3 are the velocities, whose sums are written out. */
static const char* const variables[] = {"x", "y", "x'", "y'", NULL};

static void sums_of_velocities_are_written_out(void** state)
{
  (void)state;
  const char* const pairs[][2] = {
      {"(x' + y')^2", "x'^2 + 2*x'*y' + y'^2"},
      {"(x' + y')*(x' - y')", "x'^2 - y'^2"},
      {"-2*(x' - y')/x", "2*y'/x - 2*x'/x"},
      {"(x' + x)^3", "x'^3 + 3*x'^2*x + 3*x'*x^2 + x^3"},
      {"(1 + x)*(x'^2 + y'^2)", "(1 + x)*x'^2 + (1 + x)*y'^2"},
      {"(1 + x)^2*x'", "x'*(1 + x)^2"},
      {"sqrt(x + y)*x'", "x'*sqrt(x + y)"},
      {"x + y", "y + x"},
      {"7", "7"},
      {"(sin(x)*x')^2 + (cos(x)*x')^2", "x'^2"},
      {"3*sin(x)^2*x'*y'*y/2 + cos(x)^2*x'*y'*1.5*y", "1.5*x'*y'*y"},
      {"(sin(x)*x' + sin(y)*y')^2 + (cos(x)*x' + cos(y)*y')^2",
       "x'^2 + y'^2 + 2*sin(x)*sin(y)*x'*y' + 2*cos(x)*cos(y)*x'*y'"},
      {"sin(x)^2*x'^2 + 2*cos(x)^2*x'^2", "x'^2*sin(x)^2 + 2*x'^2*cos(x)^2"},
      {"sin(x)^2*x'^2 - cos(x)^2*x'^2", "-(x'^2*cos(x)^2) + x'^2*sin(x)^2"},
      {"sin(x)^2*x'^2 + cos(y)^2*x'^2", "x'^2*cos(y)^2 + x'^2*sin(x)^2"},
      {"sin(x)^4 + sin(x)^2*cos(x)^2", "sin(x)^4 + sin(x)^2*cos(x)^2"},
  };
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    pc_expr got = pc_expand(pool, parse(pool, &n, pairs[i][0]), 2, 2);
    pc_expr want = parse(pool, &n, pairs[i][1]);
    if (got != want) print_error("%s is not %s\n", pairs[i][0], pairs[i][1]);
    assert_int_equal(got, want);
  }
  pc_pool_destroy(pool);
}

static void what_would_become_too_long_stays_as_it_is(void** state)
{
  (void)state;
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  char text[4096];
  size_t used = (size_t)sprintf(text, "(y'");
  for (int i = 1; i < 20; i++) used += (size_t)sprintf(text + used, " + x^%d*x'", i);
  sprintf(text + used, ")^2");
  pc_expr f = parse(pool, &n, text);
  assert_int_equal(pc_expand(pool, f, 2, 2), f);
  assert_true(pc_expand(pool, -1, 2, 2) < 0);
  pc_pool_destroy(pool);
}

/* Velocities of the centres of mass give the same constant inertias as eqs. (90), (93), (94). */
static void inertias_become_numbers(void** state)
{
  (void)state;
  parsed p;
  parse_mechanism(&slider_crank_by_velocities, &p);
  lone_element e;
  create_element(&p.def, 3, PC_TERM_ALL, &e);
  const pc_entries* M = &e.terms->slot[PC_SLOT_M];
  assert_int_equal(M->count, 5);
  for (int i = 0; i < M->count; i++) {
    int diagonal = M->entry[i].offset % 4 == 0;
    assert_int_equal(pc_expr_is_number(e.terms->pool, M->entry[i].expr, NULL), diagonal);
  }
  destroy_element(&e);
  pc_pool_destroy(p.pool);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_velocities_are_written_out),
      cmocka_unit_test(what_would_become_too_long_stays_as_it_is),
      cmocka_unit_test(inertias_become_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
