/* percuss solve: a friction-contact problem from a file of FCLib. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "console/replace.h"
#include "study/problem_report.h"

typedef struct solve_options {
  const char* problem;
  const char* solver; /* NULL: auto */
  double tolerance;
  int max_iterations;
  int json, full;
  const char* out;
} solve_options;

static int take_solver(void* into, const char* name, char* value)
{
  (void)name;
  ((solve_options*)into)->solver = value;
  if (!strcmp(value, "all") || pc_solver_summary(value)) return EXIT_DONE;
  suggestion near = suggestion_for(value);
  for (const char* const* s = pc_solver_names(); *s; s++) suggest(&near, *s);
  return complain(EXIT_USAGE, "there is no solver '%s'%s; see 'percuss list solvers', or give all",
                  value, suggestion_text(&near));
}

static int take_tolerance(void* into, const char* name, char* value)
{
  char* end;
  solve_options* o = into;
  o->tolerance = strtod(value, &end);
  if (*value && !*end && o->tolerance > 0 && o->tolerance < 1) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a number between 0 and 1", name, value);
}

static int take_iterations(void* into, const char* name, char* value)
{
  char* end;
  errno = 0;
  long count = strtol(value, &end, 10);
  ((solve_options*)into)->max_iterations = (int)count;
  if (*value && !*end && errno == 0 && count > 0 && count <= 100000000) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number from 1 on", name, value);
}

static int take_json(void* into, const char* name, char* value)
{
  (void)name, (void)value;
  ((solve_options*)into)->json = 1;
  return EXIT_DONE;
}

static int take_full(void* into, const char* name, char* value)
{
  (void)name, (void)value;
  ((solve_options*)into)->full = 1;
  return EXIT_DONE;
}

static int take_out(void* into, const char* name, char* value)
{
  (void)name;
  ((solve_options*)into)->out = value;
  return EXIT_DONE;
}

static int take_problem(void* into, char* word)
{
  solve_options* o = into;
  if (o->problem)
    return complain(EXIT_USAGE, "one word too many: '%s' (the problem is '%s')", word, o->problem);
  o->problem = word;
  return EXIT_DONE;
}

static const option options[] = {
    {"solver", "NAME|all",
     "one of 'percuss list solvers' (default auto), or all of them in a table", take_solver},
    {"tol", "X", "tolerance on the residual (default 1e-12)", take_tolerance},
    {"max-iterations", "N", "limit of iterations per island (default 10000)", take_iterations},
    {"full", NULL, "print all keys, one per line", take_full},
    {"json", NULL, "print one JSON object", take_json},
    {"out", "FILE.hdf5", "write problem and solution as a file of FCLib", take_out},
};

const option_set solve_option_set = {options, sizeof options / sizeof *options, NULL, take_problem};

static int write_solution(const solve_options* o, const pc_fclib* file, const double* z)
{
  replacement target;
  pc_error error = {0};
  int code = begin_replacement(&target, o->out);
  if (code != EXIT_DONE) return code;
  code = report(pc_fclib_write_solution(file, z, target.file, &error), &error);
  return end_replacement(&target, code);
}

static int print(const output* out, int json)
{
  if (out->failed) return complain(EXIT_FAILED, "no memory");
  (json ? output_print_json : output_print_lines)(out, stdout);
  return EXIT_DONE;
}

static pc_solver_settings solver_settings(const solve_options* o)
{
  pc_solver_settings settings = pc_default_solver_settings();
  settings.tolerance = o->tolerance;
  settings.max_iterations = o->max_iterations;
  return settings;
}

/* Where solvers begin: with the guess of the file, or with nothing. */
static void put_guess(const pc_fclib* file, double* z)
{
  size_t bytes = (size_t)problem_rows(pc_fclib_problem(file)) * sizeof *z;
  const double* guess = pc_fclib_guess(file);
  if (guess)
    memcpy(z, guess, bytes);
  else
    memset(z, 0, bytes);
}

static int solve_once(const solve_options* o, const pc_fclib* file, double* z)
{
  outcome x;
  output out = {0};
  const char* name = o->solver ? o->solver : "auto";
  pc_solver_settings settings = solver_settings(o);
  put_guess(file, z);
  pc_status status = solve_problem(name, &settings, pc_fclib_problem(file), z, &x);
  if (status == PC_BAD_ARGUMENT) return complain(EXIT_USAGE, "%s", x.reason);
  if (status != PC_OK) return complain(EXIT_FAILED, "%s", x.reason);
  put_problem(&out, o->problem, file);
  output_text(&out, "solver", name);
  output_number(&out, "tolerance", o->tolerance);
  put_outcome(&out, "", &x);
  int code = EXIT_DONE;
  if (o->json || o->full)
    code = print(&out, o->json);
  else
    print_outcome(o->problem, file, o->tolerance, &x, stdout);
  output_free(&out);
  if (code == EXIT_DONE && o->out) code = write_solution(o, file, z);
  if (code != EXIT_DONE || x.is_solved) return code;
  return complain(EXIT_FAILED,
                  "%s stopped after %d iterations with a residual of %.2e; %.2e was asked for",
                  name, x.info.iterations, x.residual, o->tolerance);
}

/* --- all of them --- */

static int print_all_as_json(const solve_options* o, const pc_fclib* file, const outcome* x,
                             int count)
{
  output out = {0};
  put_problem(&out, o->problem, file);
  output_number(&out, "tolerance", o->tolerance);
  for (int i = 0; i < count; i++) {
    char prefix[48];
    snprintf(prefix, sizeof prefix, "solvers.%.30s.", x[i].name);
    put_outcome(&out, prefix, &x[i]);
  }
  int code = print(&out, 1);
  output_free(&out);
  return code;
}

enum { SOLVERS_MAX = 16 };

/* Every solver in turn; z is the answer with the least residual. */
static int solve_by_all(const solve_options* o, const pc_fclib* file, double* z)
{
  outcome x[SOLVERS_MAX];
  const pc_problem* problem = pc_fclib_problem(file);
  size_t rows = (size_t)problem_rows(problem);
  double *trial = calloc(rows + 1, sizeof *trial), best = INFINITY;
  pc_solver_settings settings = solver_settings(o);
  int count = 0, solved = 0;
  if (!trial) return complain(EXIT_FAILED, "no memory");
  for (const char* const* s = pc_solver_names(); *s && count < SOLVERS_MAX; s++, count++) {
    put_guess(file, trial);
    solve_problem(*s, &settings, problem, trial, &x[count]);
    solved |= x[count].is_solved;
    if (!(x[count].residual < best)) continue;
    best = x[count].residual;
    memcpy(z, trial, rows * sizeof *z);
  }
  free(trial);
  int code = EXIT_DONE;
  if (o->json)
    code = print_all_as_json(o, file, x, count);
  else
    print_outcomes(o->problem, file, o->tolerance, x, count, stdout);
  if (code == EXIT_DONE && o->out) code = write_solution(o, file, z);
  return code != EXIT_DONE || solved ? code
                                     : complain(EXIT_FAILED, "no solver meets the tolerance");
}

static int check_options(const solve_options* o)
{
  if (!o->problem)
    return complain(EXIT_USAGE, "solve which problem? usage: percuss solve PROBLEM.hdf5");
  if (o->out && !*o->out) return complain(EXIT_USAGE, "--out: the name is empty");
  int code = refuse_input(o->out, o->problem);
  return code == EXIT_DONE && o->out ? check_replacement(o->out) : code;
}

int solve_command(int argc, char** argv)
{
  pc_solver_settings defaults = pc_default_solver_settings();
  solve_options o = {.tolerance = defaults.tolerance, .max_iterations = defaults.max_iterations};
  pc_error error = {0};
  pc_fclib* file = NULL;
  int code = read_options(&solve_option_set, argc, argv, &o);
  if (code == EXIT_DONE) code = check_options(&o);
  if (code == EXIT_DONE) code = report(pc_fclib_read(o.problem, &file, &error), &error);
  if (code != EXIT_DONE) return code;
  double* z = calloc((size_t)problem_rows(pc_fclib_problem(file)) + 1, sizeof *z);
  if (!z)
    code = complain(EXIT_FAILED, "no memory");
  else
    code =
        o.solver && !strcmp(o.solver, "all") ? solve_by_all(&o, file, z) : solve_once(&o, file, z);
  free(z);
  pc_fclib_free(file);
  return code;
}
