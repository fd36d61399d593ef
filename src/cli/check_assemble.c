#include "cli/check_assemble.h"

#include <math.h>
#include <stdio.h>

#include "cli/cli.h"

enum { LIST_MAX = 200 }; /* longer lists are truncated */

/* A value before and after, by its name. */
typedef struct change {
  pc_quantity quantity;
  double before, after;
} change;

/* What differs by more than round-off. */
static int is_change(const change* c)
{
  return fabs(c->after - c->before) > 1e-14 * fmax(1, fabs(c->before));
}

static int find_change(const pc_system* system, int i, const double* const before[2],
                       const double* const after[2], change* c)
{
  c->quantity = pc_system_quantity(system, i);
  int velocity = c->quantity.kind == PC_QUANTITY_U;
  if (!velocity && c->quantity.kind != PC_QUANTITY_Q) return 0;
  c->before = before[velocity][c->quantity.index];
  c->after = after[velocity][c->quantity.index];
  return is_change(c);
}

static void print_lines(const pc_system* system, const pc_assemble_report* r,
                        const double* const before[2], const double* const after[2])
{
  int shown = 0, left = 0;
  change c;
  printf("assembled in %d iterations\n", r->iterations);
  printf("largest violation of positions: %.3g before, %.3g after\n", r->position_before,
         r->position_after);
  printf("largest violation of velocities: %.3g before, %.3g after\n", r->velocity_before,
         r->velocity_after);
  for (int i = 0; i < pc_system_quantity_count(system); i++) {
    if (!find_change(system, i, before, after, &c)) continue;
    if (shown < LIST_MAX)
      printf("%s: %.10g -> %.17g %s\n", c.quantity.name, c.before, c.after, c.quantity.unit);
    shown < LIST_MAX ? shown++ : left++;
  }
  if (!shown) printf("nothing had to be changed\n");
  if (left) printf("... and %d more\n", left);
}

static void print_json(const pc_system* system, const pc_assemble_report* r, const char* path,
                       const double* const before[2], const double* const after[2])
{
  int shown = 0;
  change c;
  printf("{\n  \"model\": \"%s\",\n  \"status\": \"assembled\",\n  \"iterations\": %d,\n", path,
         r->iterations);
  printf("  \"position\": {\"before\": %.17g, \"after\": %.17g},\n", r->position_before,
         r->position_after);
  printf("  \"velocity\": {\"before\": %.17g, \"after\": %.17g},\n  \"changes\": {",
         r->velocity_before, r->velocity_after);
  for (int i = 0; i < pc_system_quantity_count(system); i++)
    if (find_change(system, i, before, after, &c))
      printf("%s\n    \"%s\": {\"before\": %.17g, \"after\": %.17g}", shown++ ? "," : "",
             c.quantity.name, c.before, c.after);
  printf("%s}\n}\n", shown ? "\n  " : "");
}

/* The assembly of a file that asks for it was made when it was read: its report is that one. */
int show_assembly(const pc_model* model, const char* path, int json)
{
  const pc_system* system = pc_model_system(model);
  const pc_assemble_report* made = pc_model_assembly(model);
  pc_assemble_report own = {0};
  pc_error error = {0};
  const double* before[2] = {pc_system_q0(system), pc_system_u0(system)};
  pc_model_rough_start(model, &before[0], &before[1]);
  pc_status status = made ? PC_OK : pc_assemble(system, &own, &error);
  if (status == PC_NOT_CONVERGED) return complain(EXIT_MODEL, "%s: %s", path, error.text);
  if (status != PC_OK) return complain(exit_code(status), "%s: %s", path, error.text);
  const pc_assemble_report* report = made ? made : &own;
  const double* after[2] = {report->q, report->u};
  if (json)
    print_json(system, report, path, before, after);
  else
    print_lines(system, report, before, after);
  pc_assemble_free(&own);
  return EXIT_DONE;
}
