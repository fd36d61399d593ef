/* The contact solvers on friction-contact problems of FCLib.
 *
 *     percuss-bench-problems FILE.hdf5 ...
 *
 * For every problem and solver: processor time (the least of several solves from zero), iterations,
 * and the residual of the answer; for Gauss-Seidel the time of one contact in one sweep. Time and
 * residual stand side by side: a fast wrong answer is none. */
#include <math.h>
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 };

static const struct {
  const char* solver;
  double tolerance;
  int max_iterations;
} cases[] = {
    {"auto", 1e-8, 10000}, {"ipm", 1e-8, 10000}, {"newton", 1e-8, 10000}, {"nsgs", 1e-8, 1000}};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The least time of several solves from zero [s]; negative on failure. */
static double measure(pc_solver* solver, const pc_problem* problem, double* z, pc_solver_info* info)
{
  size_t bytes = (size_t)problem->row[problem->node_count] * sizeof *z;
  double least = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    pc_error error = {0};
    memset(z, 0, bytes);
    double started = now();
    if (pc_solver_solve(solver, problem, z, info, &error) != PC_OK) return -1;
    least = fmin(least, now() - started);
  }
  return least;
}

static void print_case(int i, const char* name, const pc_problem* problem, int contacts, double* z)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_info info;
  pc_solver_settings settings = pc_default_solver_settings();
  settings.tolerance = cases[i].tolerance;
  settings.max_iterations = cases[i].max_iterations;
  if (pc_solver_create(cases[i].solver, &settings, &solver, &error) != PC_OK) return;
  double seconds = measure(solver, problem, z, &info);
  printf("%-40.40s %8d %-8s", name, contacts, cases[i].solver);
  if (seconds < 0)
    printf(" does not take it\n");
  else
    printf(" %10.3f %10d %10.1e %s", 1e3 * seconds, info.iterations,
           pc_problem_residual(problem, z), info.converged ? "    " : "not solved");
  /* one island: then an iteration is a sweep over all contacts */
  if (seconds >= 0 && !strcmp(cases[i].solver, "nsgs") && info.island_count == 1 &&
      info.iterations > 0)
    printf("  %.3f us per contact and sweep", 1e6 * seconds / contacts / info.iterations);
  if (seconds >= 0) printf("\n");
  pc_solver_destroy(solver);
}

static int bench_file(const char* path)
{
  pc_error error = {0};
  pc_fclib* file = NULL;
  if (pc_fclib_read(path, &file, &error) != PC_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 0;
  }
  const pc_problem* problem = pc_fclib_problem(file);
  const char* slash = strrchr(path, '/');
  double* z = calloc((size_t)problem->row[problem->node_count] + 1, sizeof *z);
  for (int i = 0; z && i < CASE_COUNT; i++)
    print_case(i, slash ? slash + 1 : path, problem, pc_fclib_describe(file).contact_count, z);
  free(z);
  pc_fclib_free(file);
  return 1;
}

int main(int argc, char** argv)
{
  int failed = 0;
  if (argc < 2) return fputs("usage: percuss-bench-problems FILE.hdf5 ...\n", stderr), 2;
  printf("%-40s %8s %-8s %10s %10s %10s\n", "problem", "contacts", "solver", "ms", "iterations",
         "residual");
  for (int i = 1; i < argc; i++) failed |= !bench_file(argv[i]);
  return failed;
}
