/* What all solvers promise beyond their answers: names, limits, bad data, no allocation. */
#include <stdlib.h>

#include "check.h"
#include "solve/dense_work.h"
#include "solve/problems.h"
#include "wrapped_allocator.h"

static pc_dense_solver* make_with(const char* name, int dimension, double tolerance, int iterations)
{
  pc_error error = {0};
  pc_dense_solver* solver = NULL;
  pc_solver_settings settings = {.tolerance = tolerance, .max_iterations = iterations};
  CHECK_OK(
      pc_dense_solver_create(name, ROWS_MAX, CONTACTS_MAX, dimension, &settings, &solver, &error),
      error);
  return solver;
}

static pc_dense_solver* make(const char* name)
{
  return make_with(name, 1, 1e-12, 10000);
}

static void random_problem(dice* d, sample* s)
{
  sample_clear(s);
  int contacts = 1 + below(d, 4);
  for (int k = 0; k < contacts; k++) {
    int dimension = below(d, 4) == 0 ? 0 : 1; /* first, so that all compilers roll alike */
    sample_add(s, dimension, uniform(d, 0, 1));
  }
  sample_randomise(s, d, 2 + below(d, 6));
}

static void names_are_known_and_have_a_summary(void** state)
{
  (void)state;
  const char* const* names = dense_names;
  assert_string_equal(names[0], "lemke");
  assert_string_equal(names[1], "nsgs");
  assert_string_equal(names[2], "prox");
  assert_null(names[3]);
  for (int i = 0; names[i]; i++) assert_true(strlen(pc_solver_summary(names[i])) > 10);
  assert_null(pc_solver_summary("gauss"));
  assert_null(pc_solver_summary("enumeration"));
  assert_null(pc_solver_summary(NULL));
}

static void defaults_follow_size_and_dimension(void** state)
{
  (void)state;
  assert_string_equal(pc_dense_default_solver(8, 1), "lemke");
  assert_string_equal(pc_dense_default_solver(8, 0), "lemke");
  assert_string_equal(pc_dense_default_solver(500, 1), "nsgs");
  assert_string_equal(pc_dense_default_solver(8, 2), "nsgs");
  assert_string_equal(pc_dense_default_solver(8, 3), "nsgs");
  CHECK_NEAR(pc_default_solver_settings().tolerance, 1e-12, 0);
  assert_int_equal(pc_default_solver_settings().max_iterations, 10000);
}

static void creation_refuses_what_it_cannot_do(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_dense_solver* solver = NULL;
  pc_solver_settings bad = {.tolerance = NAN, .max_iterations = 10};
  assert_int_equal(pc_dense_solver_create("gauss", 4, 2, 1, NULL, &solver, &error),
                   PC_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "gauss"));
  assert_int_equal(pc_dense_solver_create(NULL, 4, 2, 1, NULL, &solver, NULL), PC_BAD_ARGUMENT);
  assert_int_equal(pc_dense_solver_create("lemke", 6, 2, 2, NULL, &solver, &error),
                   PC_BAD_ARGUMENT);
  assert_int_equal(pc_dense_solver_create("nsgs", 6, 2, 4, NULL, &solver, &error), PC_BAD_ARGUMENT);
  assert_int_equal(pc_dense_solver_create("prox", 6, 2, 4, NULL, &solver, &error), PC_BAD_ARGUMENT);
  assert_int_equal(pc_dense_solver_create("prox", -1, 2, 1, NULL, &solver, &error),
                   PC_BAD_ARGUMENT);
  assert_int_equal(pc_dense_solver_create("nsgs", 4, 2, 1, &bad, &solver, &error), PC_BAD_ARGUMENT);
  assert_null(solver);
  pc_dense_solver_destroy(NULL);
}

static void problem_without_contacts_is_solved(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    pc_error error = {0};
    pc_dense_solver* solver = NULL;
    CHECK_OK(pc_dense_solver_create(*name, 0, 0, 0, NULL, &solver, &error), error);
    pc_dense_problem empty = {0};
    pc_solver_info info;
    double P = 0;
    pc_dense_solver_solve(solver, &empty, &P, &info);
    assert_true(info.converged);
    CHECK_NEAR(info.residual, 0, 0);
    pc_dense_solver_destroy(solver);
  }
}

static void problem_that_is_too_large_is_refused(void** state)
{
  (void)state;
  pc_error error = {0};
  pc_dense_solver* solver = NULL;
  CHECK_OK(pc_dense_solver_create("lemke", 2, 1, 1, NULL, &solver, &error), error);
  dice d = {1};
  sample s;
  sample_clear(&s);
  sample_add(&s, 1, 0.5);
  sample_add(&s, 1, 0.5);
  sample_randomise(&s, &d, 4);
  double P[4] = {0};
  pc_solver_info info;
  pc_dense_solver_solve(solver, &s.problem, P, &info);
  assert_false(info.converged);
  pc_dense_solver_destroy(solver);
}

static void nothing_moves_without_impulses(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {31};
    pc_dense_solver* solver = make(*name);
    sample s;
    random_problem(&d, &s);
    memset(s.b, 0, sizeof s.b);
    double P[ROWS_MAX];
    for (int i = 0; i < ROWS_MAX; i++) P[i] = uniform(&d, 0, 1);
    pc_solver_info info;
    pc_dense_solver_solve(solver, &s.problem, P, &info);
    assert_true(info.converged);
    CHECK_NEAR(info.residual, 0, 0);
    CHECK_NEAR(largest_entry(s.problem.row_count, P), 0, 0);
    pc_dense_solver_destroy(solver);
  }
}

/* Solves from P, and judges. */
static void check_solved(pc_dense_solver* solver, const sample* s, double* P, double tolerance)
{
  pc_solver_info info;
  pc_dense_solver_solve(solver, &s->problem, P, &info);
  if (!info.converged) print_error("%s: residual %g\n", info.solver, info.residual);
  assert_true(info.converged);
  assert_true(judge(s, P) <= tolerance);
}

static void garbage_in_the_guess_does_no_harm(void** state)
{
  (void)state;
  const double garbage[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -5, 1e-300, 3};
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {32};
    pc_dense_solver* solver = make(*name);
    for (int trial = 0; trial < 500; trial++) {
      static sample s;
      double P[ROWS_MAX];
      random_problem(&d, &s);
      for (int i = 0; i < ROWS_MAX; i++) P[i] = uniform(&d, -1, 1);
      P[below(&d, s.problem.row_count)] = garbage[trial % 8];
      check_solved(solver, &s, P, 1.01e-12);
    }
    pc_dense_solver_destroy(solver);
  }
}

static void units_do_not_matter(void** state)
{
  (void)state;
  const double scales[] = {1, 1e12, 1e-12};
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {33};
    pc_dense_solver* solver = make(*name);
    for (int trial = 0; trial < 450; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0}, Q[ROWS_MAX] = {0};
      random_problem(&d, &s);
      check_solved(solver, &s, P, 1.01e-12);
      double a = scales[trial % 3], c = scales[trial / 3 % 3];
      sample_scale(&s, a, c);
      check_solved(solver, &s, Q, 1.01e-12);
    }
    pc_dense_solver_destroy(solver);
  }
}

/* Powers of two change no bit of the answer. */
static void powers_of_two_change_no_bit(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {34};
    pc_dense_solver* solver = make(*name);
    for (int trial = 0; trial < 200; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0}, Q[ROWS_MAX] = {0};
      random_problem(&d, &s);
      check_solved(solver, &s, P, 1.01e-12);
      sample_scale(&s, 0x1p40, 0x1p-11);
      check_solved(solver, &s, Q, 1.01e-12);
      for (int i = 0; i < s.problem.row_count; i++) assert_true(Q[i] == 0x1p-51 * P[i]);
    }
    pc_dense_solver_destroy(solver);
  }
}

/* Heavy on light: blocks of A that differ by ten orders of magnitude. */
static void contacts_of_very_different_mass_are_solved(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    sample s;
    sample_clear(&s);
    for (int k = 0; k < 3; k++) sample_add(&s, 1, 0.4);
    s.dof_count = 6;
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 2; i++) {
        s.W[2 * k + i][2 * k + i] = 1;
        s.inverse_mass[2 * k + i] = pow(10, 5 * k - 5);
        s.u[2 * k + i] = -1 - k;
      }
    sample_assemble(&s);
    double P[ROWS_MAX] = {0};
    check_solved(solver, &s, P, 1.01e-12);
    for (int k = 0; k < 3; k++) CHECK_NEAR(P[2 * k] / ((1 + k) * pow(10, 5 - 5 * k)), 1, 1e-15);
    pc_dense_solver_destroy(solver);
  }
}

static void ties_and_zero_rows_are_solved(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    /* Three equal contacts, the edge of sliding (b_F = mu b_N), and one that nothing moves. */
    sample s;
    sample_clear(&s);
    for (int k = 0; k < 4; k++) sample_add(&s, 1, 0.5);
    s.dof_count = 6;
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 2; i++) {
        s.W[2 * k + i][2 * k + i] = s.inverse_mass[2 * k + i] = 1;
        s.u[2 * k + i] = i == 0 ? -1 : 0.5;
      }
    sample_assemble(&s);
    double P[ROWS_MAX] = {0};
    check_solved(solver, &s, P, 1.01e-12);
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(P[2 * k], 1, 1e-15);
      CHECK_NEAR(P[2 * k + 1], -0.5, 1e-15);
    }
    pc_dense_solver_destroy(solver);
  }
}

static void impossible_problem_is_reported(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    pc_dense_solver* solver = make(*name);
    sample s;
    sample_clear(&s);
    sample_add(&s, 1, 0.5);
    sample_add(&s, 0, 0);
    *sample_entry(&s, 0, 0) = *sample_entry(&s, 1, 1) = 1;
    s.b[0] = s.b[2] = -1; /* the second contact closes and cannot be stopped */
    double P[3] = {0};
    pc_solver_info info;
    pc_dense_solver_solve(solver, &s.problem, P, &info);
    assert_false(info.converged);
    assert_true(isfinite(info.residual) && info.residual > 1e-12);
    for (int i = 0; i < 3; i++) assert_true(isfinite(P[i]));
    pc_dense_solver_destroy(solver);
  }
}

static void what_is_not_a_number_is_reported(void** state)
{
  (void)state;
  const double poison[] = {NAN, INFINITY, -INFINITY};
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {35};
    pc_dense_solver* solver = make(*name);
    for (int trial = 0; trial < 300; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      pc_solver_info info;
      random_problem(&d, &s);
      int n = s.problem.row_count;
      if (trial % 2 == 0)
        s.A[below(&d, n * n)] = poison[trial % 3];
      else
        s.b[below(&d, n)] = poison[trial % 3];
      pc_dense_solver_solve(solver, &s.problem, P, &info);
      assert_false(info.converged);
      assert_true(info.residual == INFINITY);
      for (int i = 0; i < n; i++) assert_true(isfinite(P[i]));
    }
    pc_dense_solver_destroy(solver);
  }
}

static void mu_that_makes_no_sense_is_reported(void** state)
{
  (void)state;
  const double bad[] = {NAN, -0.1, INFINITY};
  dice d = {36};
  pc_dense_solver* solver = make("lemke");
  for (int k = 0; k < 3; k++) {
    sample s;
    sample_clear(&s);
    sample_add(&s, 1, bad[k]);
    sample_randomise(&s, &d, 3);
    double P[2] = {0};
    pc_solver_info info;
    pc_dense_solver_solve(solver, &s.problem, P, &info);
    assert_false(info.converged);
  }
  pc_dense_solver_destroy(solver);
}

/* A tolerance below round-off is raised to eight units of it; what misses that is no success. */
static void tolerance_out_of_reach_is_not_reported_as_met(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {37};
    pc_dense_solver* solver = make_with(*name, 1, 1e-30, 200);
    for (int trial = 0; trial < 200; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      pc_solver_info info;
      random_problem(&d, &s);
      pc_dense_solver_solve(solver, &s.problem, P, &info);
      assert_true(info.converged == (pc_dense_residual(&s.problem, P) <= PC_TOLERANCE_FLOOR));
    }
    pc_dense_solver_destroy(solver);
  }
}

static void one_iteration_may_not_suffice_but_does_not_lie(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {38};
    pc_dense_solver* solver = make_with(*name, 1, 1e-12, 1);
    for (int trial = 0; trial < 300; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      pc_solver_info info;
      random_problem(&d, &s);
      pc_dense_solver_solve_alone(solver, &s.problem, P, &info);
      assert_true(info.converged == (pc_dense_residual(&s.problem, P) <= 1e-12));
    }
    pc_dense_solver_destroy(solver);
  }
}

static void persistent_contact_takes_one_iteration(void** state)
{
  (void)state;
  dice d = {39};
  pc_dense_solver* solver = make("lemke");
  for (int trial = 0; trial < 500; trial++) {
    static sample s;
    double P[ROWS_MAX] = {0};
    pc_solver_info info;
    random_problem(&d, &s);
    check_solved(solver, &s, P, 1.01e-12);
    for (int i = 0; i < s.problem.row_count; i++) s.b[i] *= 1 + 1e-6; /* the next step */
    pc_dense_solver_solve(solver, &s.problem, P, &info);
    assert_true(info.converged);
    assert_true(info.iterations <= 1);
    /* one contact, or none that closes, needs no iteration; several keep their modes */
    int direct = s.problem.contact_count == 1 || info.iterations == 0;
    assert_string_equal(info.solver, direct ? "direct" : "newton");
  }
  pc_dense_solver_destroy(solver);
}

static void answers_are_the_same_bit_by_bit(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {40};
    pc_dense_solver *first = make(*name), *second = make(*name);
    for (int trial = 0; trial < 300; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0}, Q[ROWS_MAX] = {0}, R[ROWS_MAX] = {0};
      pc_solver_info info;
      random_problem(&d, &s);
      pc_dense_solver_solve(first, &s.problem, P, &info);
      pc_dense_solver_solve(first, &s.problem, R, &info);
      if (trial % 3 == 0) pc_dense_solver_solve(second, &s.problem, Q, &info);
      assert_memory_equal(P, R, sizeof P);
      if (trial % 3 == 0) assert_memory_equal(P, Q, sizeof P);
    }
    pc_dense_solver_destroy(first);
    pc_dense_solver_destroy(second);
  }
}

static void solving_does_not_allocate(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++) {
    dice d = {41};
    long before_creation = allocations;
    pc_dense_solver* solver = make(*name);
    assert_true(allocations > before_creation); /* the counter counts */
    for (int trial = 0; trial < 300; trial++) {
      static sample s;
      double P[ROWS_MAX] = {0};
      pc_solver_info info;
      random_problem(&d, &s);
      long before = allocations;
      pc_dense_solver_solve(solver, &s.problem, P, &info);
      pc_dense_solver_solve_alone(solver, &s.problem, P, &info);
      assert_int_equal(allocations, before);
    }
    pc_dense_solver_destroy(solver);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_known_and_have_a_summary),
      cmocka_unit_test(defaults_follow_size_and_dimension),
      cmocka_unit_test(creation_refuses_what_it_cannot_do),
      cmocka_unit_test(problem_without_contacts_is_solved),
      cmocka_unit_test(problem_that_is_too_large_is_refused),
      cmocka_unit_test(nothing_moves_without_impulses),
      cmocka_unit_test(garbage_in_the_guess_does_no_harm),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(powers_of_two_change_no_bit),
      cmocka_unit_test(contacts_of_very_different_mass_are_solved),
      cmocka_unit_test(ties_and_zero_rows_are_solved),
      cmocka_unit_test(impossible_problem_is_reported),
      cmocka_unit_test(what_is_not_a_number_is_reported),
      cmocka_unit_test(mu_that_makes_no_sense_is_reported),
      cmocka_unit_test(tolerance_out_of_reach_is_not_reported_as_met),
      cmocka_unit_test(one_iteration_may_not_suffice_but_does_not_lie),
      cmocka_unit_test(persistent_contact_takes_one_iteration),
      cmocka_unit_test(answers_are_the_same_bit_by_bit),
      cmocka_unit_test(solving_does_not_allocate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
