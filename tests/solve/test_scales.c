/* Contact problems whose numbers are as large or as small as numbers can be. A problem with A times
 * 4^i and b times 2^j has the solution times 2^j / 4^i, in every bit; where that is no number, or
 * one with fewer digits, no solver claims to have solved it. */
#include "check.h"
#include "solve/heaps.h"
#include "solve/judge.h"

static const heap_options options = {.bodies = 4,
                                     .dimension = 2,
                                     .points_max = 2,
                                     .copies = 1,
                                     .mu_min = 0.1,
                                     .mu_max = 0.6,
                                     .mass_ratio = 10};

typedef struct scaled {
  pc_problem problem;
  double *value, *b, *z;
  int rows;
  size_t entries;
} scaled;

static size_t count_entries(const pc_problem* p)
{
  size_t count = 0;
  for (int k = 0; k < p->node_count; k++)
    for (int e = p->start[k]; e < p->start[k + 1]; e++)
      count +=
          (size_t)((p->row[k + 1] - p->row[k]) * (p->row[p->column[e] + 1] - p->row[p->column[e]]));
  return count;
}

static scaled scale(const pc_problem* p, int of_A, int of_b)
{
  scaled s = {.problem = *p, .rows = judge_rows(p), .entries = count_entries(p)};
  s.value = calloc(s.entries + 1, sizeof(double));
  s.b = calloc((size_t)s.rows + 1, sizeof(double));
  s.z = calloc((size_t)s.rows + 1, sizeof(double));
  for (size_t i = 0; i < s.entries; i++) s.value[i] = ldexp(p->value[i], of_A);
  for (int i = 0; i < s.rows; i++) s.b[i] = ldexp(p->b[i], of_b);
  s.problem.value = s.value;
  s.problem.b = s.b;
  return s;
}

static pc_solver_info solve(const char* name, const pc_problem* p, double* z)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_info info;
  pc_solver_settings settings = pc_default_solver_settings();
  settings.max_iterations = 2000;
  CHECK_OK(pc_solver_create(name, &settings, &solver, &error), error);
  CHECK_OK(pc_solver_solve(solver, p, z, &info, &error), error);
  pc_solver_destroy(solver);
  return info;
}

static int has_all_digits(int n, const double* z, const double* expected)
{
  int good = 1;
  for (int i = 0; i < n; i++)
    good &= z[i] == 0 || (fabs(expected[i]) <= DBL_MAX && fabs(expected[i]) >= DBL_MIN);
  return good;
}

/* Returns 1 if the scaled solution is one of numbers with all their digits. */
static int check_scale(const char* name, const pc_problem* p, const double* z, double residual,
                       int of_A, int of_b)
{
  scaled s = scale(p, of_A, of_b);
  double* expected = calloc((size_t)s.rows + 1, sizeof(double));
  for (int i = 0; i < s.rows; i++) expected[i] = ldexp(z[i], of_b - of_A);
  pc_solver_info info = solve(name, &s.problem, s.z);
  double found = pc_problem_residual(&s.problem, s.z);
  int is_number = has_all_digits(s.rows, z, expected);
  if (is_number) {
    assert_memory_equal(s.z, expected, (size_t)s.rows * sizeof(double));
    CHECK_NEAR(found, residual, 0);
  } else if (info.converged != (found <= 1e-12) || (!isfinite(s.z[0]) && found != INFINITY)) {
    fail_msg("%s, A 2^%d, b 2^%d: converged %d, residual %g", name, of_A, of_b, info.converged,
             found);
  }
  free(expected), free(s.value), free(s.b), free(s.z);
  return is_number;
}

static void solutions_are_scaled_like_their_problems(void** state)
{
  (void)state;
  static const int exponents[] = {-990, -700, -400, -2, 0, 2, 400, 700, 990};
  enum { COUNT = sizeof exponents / sizeof *exponents };
  dice d = {17};
  for (int bodies = 1; bodies <= 5; bodies += 2) {
    heap h;
    heap_options o = options;
    o.bodies = bodies;
    heap_make(&h, &d, &o);
    heap_percussion_form(&h);
    const pc_problem* p = &h.problem;
    double* z = calloc((size_t)judge_rows(p) + 1, sizeof *z);
    for (const char* const* name = pc_solver_names(); *name; name++) {
      if (pc_solver_friction_max(*name) < options.dimension) continue;
      memset(z, 0, (size_t)judge_rows(p) * sizeof *z);
      solve(*name, p, z);
      double residual = pc_problem_residual(p, z);
      CHECK_NEAR(residual, judge_problem(p, z), 1e-14);
      int numbers = 0;
      for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
          numbers += check_scale(*name, p, z, residual, exponents[i], exponents[j]);
      assert_true(numbers > COUNT * COUNT / 3 && numbers < COUNT * COUNT);
    }
    free(z);
    heap_free(&h);
  }
}

/* One contact that slides, A = 1e-300: z_F is at the limit of 0.3e300. */
static void one_contact_of_a_huge_mass(void** state)
{
  (void)state;
  const pc_problem_node node = {PC_NODE_CONTACT, 0.3};
  const int row[] = {0, 3}, start[] = {0, 1}, column[] = {0};
  const size_t place[] = {0};
  const double A[] = {1e-300, 0, 0, 0, 1e-300, 0, 0, 0, 1e-300}, b[] = {-1, 1, 0};
  const pc_problem p = {1, &node, row, start, column, place, A, b};
  double z[3] = {0};
  assert_true(solve("auto", &p, z).converged);
  CHECK_NEAR(z[0], 1e300, 1e286);
  CHECK_NEAR(z[1], -0.3e300, 1e286);
  CHECK_NEAR(pc_problem_residual(&p, z), 0, 1e-15);
  /* Frictionless, the sliding velocity of 1 remains: m |y_F| = 1e300 of a scale of 1e300, but the
   * cone allows 0.3e300. */
  const double without[] = {1e300, 0, 0};
  CHECK_NEAR(pc_problem_residual(&p, without), 0.3, 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_scaled_like_their_problems),
      cmocka_unit_test(one_contact_of_a_huge_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
