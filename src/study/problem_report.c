#include "study/problem_report.h"

#include <math.h>
#include <string.h>

#include "study/clock.h"
#include "study/lines.h"
#include "study/unit_text.h"

int problem_rows(const pc_problem* problem)
{
  return problem->row[problem->node_count];
}

pc_status solve_problem(const char* name, const pc_solver_settings* settings,
                        const pc_problem* problem, double* z, outcome* to)
{
  pc_error error = {0};
  pc_solver* solver = NULL;
  *to = (outcome){.name = name, .residual = INFINITY};
  to->status = pc_solver_create(name, settings, &solver, &error);
  double start = wall_clock();
  if (to->status == PC_OK) to->status = pc_solver_solve(solver, problem, z, &to->info, &error);
  to->seconds = wall_clock() - start;
  pc_solver_destroy(solver);
  snprintf(to->reason, sizeof to->reason, "%.159s", error.text);
  if (to->status != PC_OK) return to->status;
  to->residual = pc_problem_residual(problem, z);
  to->is_solved = to->residual <= settings->tolerance;
  to->is_accepted = to->residual <= settings->acceptance;
  return PC_OK;
}

const char* outcome_verdict(const outcome* x)
{
  if (x->status == PC_BAD_ARGUMENT) return "not for this problem";
  if (x->status != PC_OK) return "failed";
  return x->is_solved ? "solved" : x->is_accepted ? "inaccurate" : "failed";
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

void put_problem(output* out, const char* path, const pc_fclib* file)
{
  pc_fclib_about about = pc_fclib_describe(file);
  output_text(out, "problem", path);
  if (*about.title) output_text(out, "title", about.title);
  output_text(out, "form", about.is_global ? "global" : "local");
  output_count(out, "contacts", about.contact_count);
  output_count(out, "dimension", about.dimension + 1);
  output_count(out, "rows", problem_rows(pc_fclib_problem(file)));
  if (about.velocity_count) output_count(out, "velocities", about.velocity_count);
  if (about.equality_count) output_count(out, "equalities", about.equality_count);
}

void put_outcome(output* out, const char* prefix, const outcome* x)
{
  char key[64];
  const char* keys[] = {"status", "residual", "iterations", "islands", "wall.solve"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    snprintf(key, sizeof key, "%s%s", prefix, keys[i]);
    if (i == 0) output_text(out, key, outcome_verdict(x));
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

static void describe_problem(const pc_fclib* file, FILE* to)
{
  pc_fclib_about about = pc_fclib_describe(file);
  int rows = problem_rows(pc_fclib_problem(file));
  fprintf(to, "%d contact%s in %s, %s form, %d row%s", about.contact_count,
          plural(about.contact_count), about.dimension > 1 ? "space" : "the plane",
          about.is_global ? "global" : "local", rows, plural(rows));
  if (about.equality_count) fprintf(to, ", %d equalities", about.equality_count);
}

void print_outcome(const char* path, const pc_fclib* file, double tolerance, const outcome* x,
                   FILE* to)
{
  char methods[160];
  lines block;
  begin_lines(&block, to);
  put_plain_text(block.file, path);
  fprintf(block.file, "\n%s: %s, residual %.2e (tolerance %.2g), %d iteration%s; took %s\n",
          outcome_verdict(x), x->name, x->residual, tolerance, x->info.iterations,
          plural(x->info.iterations), with_unit(x->seconds, "s").text);
  print_label(block.file, "problem");
  describe_problem(file, block.file);
  describe_methods(&x->info, methods, sizeof methods);
  fputc('\n', block.file);
  print_label(block.file, "islands");
  fprintf(block.file, "%d: %s\n", x->info.island_count, *methods ? methods : "none solved");
  end_lines(&block, LABEL_WIDTH);
  print_label(to, "next");
  fputs("percuss solve ", to);
  put_plain_text(to, path);
  fputs(" --solver all\n", to);
}

void print_outcomes(const char* path, const pc_fclib* file, double tolerance, const outcome* x,
                    int count, FILE* to)
{
  put_plain_text(to, path);
  fputs(": ", to);
  describe_problem(file, to);
  fprintf(to, ", tolerance %g\n\n", tolerance);
  fprintf(to, "%-8s %-21s %10s %11s %10s  %s\n", "solver", "", "residual", "iterations", "ms",
          "islands by method");
  for (int i = 0; i < count; i++) {
    char methods[160];
    describe_methods(&x[i].info, methods, sizeof methods);
    if (x[i].status != PC_OK) {
      fprintf(to, "%-8s %-21s %s\n", x[i].name, outcome_verdict(&x[i]), x[i].reason);
      continue;
    }
    fprintf(to, "%-8s %-21s %10.2e %11d %10.3f  %s\n", x[i].name, outcome_verdict(&x[i]),
            x[i].residual, x[i].info.iterations, 1e3 * x[i].seconds, methods);
  }
}
