/* A number of the contact problem that is none: every solver says so, whichever entry it is. */
#include "check.h"
#include "solve/problems.h"

enum { CONTACTS = 3 };

/* Three contacts with friction of this dimension between bodies of several masses. */
static void make_problem(sample* s, int dimension)
{
  dice d = {11};
  sample_clear(s);
  for (int k = 0; k < CONTACTS; k++) sample_add(s, dimension, 0.3);
  sample_randomise(s, &d, 6);
}

static void check_reported(pc_dense_solver* solver, const sample* s, const char* name)
{
  double P[ROWS_MAX] = {0};
  pc_solver_info info;
  pc_dense_solver_solve(solver, &s->problem, P, &info);
  if (info.converged || info.residual != INFINITY)
    fail_msg("%s: a residual of %g from a NaN", name, info.residual);
  for (int i = 0; i < s->problem.row_count; i++) assert_true(isfinite(P[i]));
}

/* Puts a NaN into every entry of A and b in turn. */
static void check_solver(const char* name, int dimension)
{
  static sample s;
  pc_dense_solver* solver = NULL;
  pc_error error = {0};
  if (pc_dense_solver_create(name, ROWS_MAX, CONTACTS_MAX, dimension, NULL, &solver, &error) !=
      PC_OK)
    return; /* a solver for friction in the plane only */
  make_problem(&s, dimension);
  int n = s.problem.row_count;
  for (int i = 0; i < n * n + n; i++) {
    double *entry = i < n * n ? &s.A[i] : &s.b[i - n * n], kept = *entry;
    *entry = NAN;
    check_reported(solver, &s, name);
    *entry = kept;
  }
  pc_solver_info info;
  double P[ROWS_MAX] = {0};
  pc_dense_solver_solve(solver, &s.problem, P, &info);
  assert_true(info.converged); /* the problem itself is a healthy one */
  pc_dense_solver_destroy(solver);
}

static void every_solver_reports_any_entry(void** state)
{
  (void)state;
  for (const char* const* name = dense_names; *name; name++)
    for (int dimension = 0; dimension <= 2; dimension++) check_solver(*name, dimension);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_solver_reports_any_entry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
