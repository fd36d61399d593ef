/* percuss solve: a friction-contact problem from a file of FCLib. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/replace.h"
#include "study/output.h"

typedef struct solve_options {
  const char* problem;
  const char* solver; /* NULL: auto */
  double tolerance;
  int max_iterations;
  int json;
  const char* out;
} solve_options;

/* What one solver made of the problem. */
typedef struct outcome {
  const char* name;
  pc_status status; /* PC_BAD_ARGUMENT: it does not take this problem */
  char reason[160];
  pc_solver_info info;
  double residual; /* of the answer as a whole, computed anew */
  double seconds;
} outcome;

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
    {"max-iterations", "N", "of a sweeping solver on one island (default 10000)", take_iterations},
    {"json", NULL, "one JSON object", take_json},
    {"out", "FILE.hdf5", "write problem and solution as a file of FCLib", take_out},
};

const option_set solve_option_set = {options, sizeof options / sizeof *options, NULL, take_problem};

static double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int row_count(const pc_problem* problem)
{
  return problem->row[problem->node_count];
}

/* Solves from zero; z receives the answer. */
static pc_status solve_by(const solve_options* o, const char* name, const pc_problem* problem,
                          double* z, outcome* to)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  pc_solver_settings settings = pc_default_solver_settings();
  settings.tolerance = o->tolerance;
  settings.max_iterations = o->max_iterations;
  *to = (outcome){.name = name, .residual = INFINITY};
  to->status = pc_solver_create(name, &settings, &solver, &error);
  memset(z, 0, (size_t)row_count(problem) * sizeof *z);
  double start = seconds_now();
  if (to->status == PC_OK) to->status = pc_solver_solve(solver, problem, z, &to->info, &error);
  to->seconds = seconds_now() - start;
  pc_solver_destroy(solver);
  snprintf(to->reason, sizeof to->reason, "%.159s", error.text);
  if (to->status == PC_OK) to->residual = pc_problem_residual(problem, z);
  return to->status;
}

static const char* verdict(const outcome* x)
{
  if (x->status == PC_BAD_ARGUMENT) return "not for this problem";
  if (x->status != PC_OK) return "failed";
  return x->info.converged ? "solved" : x->info.accepted ? "inaccurate" : "failed";
}

/* "newton 3, ipm 1" */
static void describe_methods(const pc_solver_info* info, char* text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (int m = 0; m < PC_METHOD_COUNT && used < size; m++)
    if (info->answered[m])
      used += (size_t)snprintf(text + used, size - used, "%s%s %d", used ? ", " : "",
                               pc_method_name((pc_method)m), info->answered[m]);
}

/* --- one solver --- */

static void put_problem(output* out, const solve_options* o, const pc_fclib* file)
{
  pc_fclib_about about = pc_fclib_describe(file);
  output_text(out, "problem", o->problem);
  if (*about.title) output_text(out, "title", about.title);
  output_text(out, "form", about.is_global ? "global" : "local");
  output_count(out, "contacts", about.contact_count);
  output_count(out, "dimension", about.dimension + 1);
  output_count(out, "rows", row_count(pc_fclib_problem(file)));
  if (about.velocity_count) output_count(out, "velocities", about.velocity_count);
  if (about.equality_count) output_count(out, "equalities", about.equality_count);
}

static void put_outcome(output* out, const char* prefix, const outcome* x)
{
  char key[64];
  const char* keys[] = {"status", "residual", "iterations", "islands", "wall.solve"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    snprintf(key, sizeof key, "%s%s", prefix, keys[i]);
    if (i == 0) output_text(out, key, verdict(x));
    if (i == 1) output_number(out, key, x->residual);
    if (i == 2) output_count(out, key, x->info.iterations);
    if (i == 3) output_count(out, key, x->info.island_count);
    if (i == 4) output_number(out, key, x->seconds);
  }
  for (int m = 0; m < PC_METHOD_COUNT; m++) {
    if (!x->info.answered[m]) continue;
    snprintf(key, sizeof key, "%sanswered.%s", prefix, pc_method_name((pc_method)m));
    output_count(out, key, x->info.answered[m]);
  }
  if (*x->reason) {
    snprintf(key, sizeof key, "%sreason", prefix);
    output_text(out, key, x->reason);
  }
}

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

static int solve_once(const solve_options* o, const pc_fclib* file, double* z)
{
  outcome x;
  output out = {0};
  const char* name = o->solver ? o->solver : "auto";
  pc_status status = solve_by(o, name, pc_fclib_problem(file), z, &x);
  if (status == PC_BAD_ARGUMENT) return complain(EXIT_USAGE, "%s", x.reason);
  if (status != PC_OK) return complain(EXIT_FAILED, "%s", x.reason);
  put_problem(&out, o, file);
  output_text(&out, "solver", name);
  output_number(&out, "tolerance", o->tolerance);
  put_outcome(&out, "", &x);
  int code = print(&out, o->json);
  output_free(&out);
  if (code == EXIT_DONE && o->out) code = write_solution(o, file, z);
  if (code != EXIT_DONE || x.info.converged) return code;
  return complain(EXIT_FAILED,
                  "%s stopped after %d iterations with a residual of %.2e; %.2e was asked for",
                  name, x.info.iterations, x.info.residual, o->tolerance);
}

/* --- all of them --- */

static void print_table(const solve_options* o, const pc_fclib* file, const outcome* x, int count)
{
  pc_fclib_about about = pc_fclib_describe(file);
  printf("%s: %d contacts, %s form, %d rows, tolerance %g\n\n", o->problem, about.contact_count,
         about.is_global ? "global" : "local", row_count(pc_fclib_problem(file)), o->tolerance);
  printf("%-8s %-21s %10s %11s %10s  %s\n", "solver", "", "residual", "iterations", "ms",
         "islands by method");
  for (int i = 0; i < count; i++) {
    char methods[160];
    describe_methods(&x[i].info, methods, sizeof methods);
    if (x[i].status != PC_OK) {
      printf("%-8s %-21s %s\n", x[i].name, verdict(&x[i]), x[i].reason);
      continue;
    }
    printf("%-8s %-21s %10.2e %11d %10.3f  %s\n", x[i].name, verdict(&x[i]), x[i].residual,
           x[i].info.iterations, 1e3 * x[i].seconds, methods);
  }
}

static int print_all_as_json(const solve_options* o, const pc_fclib* file, const outcome* x,
                             int count)
{
  output out = {0};
  put_problem(&out, o, file);
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
  size_t rows = (size_t)row_count(problem);
  double *trial = calloc(rows + 1, sizeof *trial), best = INFINITY;
  int count = 0, solved = 0;
  if (!trial) return complain(EXIT_FAILED, "no memory");
  for (const char* const* s = pc_solver_names(); *s && count < SOLVERS_MAX; s++, count++) {
    solve_by(o, *s, problem, trial, &x[count]);
    solved |= x[count].status == PC_OK && x[count].info.converged;
    if (!(x[count].residual < best)) continue;
    best = x[count].residual;
    memcpy(z, trial, rows * sizeof *z);
  }
  free(trial);
  int code = EXIT_DONE;
  if (o->json)
    code = print_all_as_json(o, file, x, count);
  else
    print_table(o, file, x, count);
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
  double* z = calloc((size_t)row_count(pc_fclib_problem(file)) + 1, sizeof *z);
  if (!z)
    code = complain(EXIT_FAILED, "no memory");
  else
    code =
        o.solver && !strcmp(o.solver, "all") ? solve_by_all(&o, file, z) : solve_once(&o, file, z);
  free(z);
  pc_fclib_free(file);
  return code;
}
