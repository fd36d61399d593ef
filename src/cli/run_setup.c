#include "cli/run_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/heap.h"
#include "console/replace.h"
#include "study/models.h"

/* A quantity, or what the names of some begin with. */
static int is_known(const pc_system* system, const char* name)
{
  size_t length = strlen(name);
  if (pc_system_find_quantity(system, name) >= 0) return 1;
  for (int i = 0; length > 0 && i < pc_system_quantity_count(system); i++) {
    const char* other = pc_system_quantity(system, i).name;
    if (!strncmp(other, name, length) && other[length] == '.') return 1;
  }
  return 0;
}

static int refuse_unknown_records(const run_options* o, const pc_system* system)
{
  for (int i = 0; i < o->record_count; i++) {
    if (is_known(system, o->record[i])) continue;
    suggestion near = suggestion_for(o->record[i]);
    for (int k = 0; k < pc_system_quantity_count(system); k++)
      suggest(&near, pc_system_quantity(system, k).name);
    return complain(EXIT_USAGE, "--record: the model has no '%s'%s", o->record[i],
                    suggestion_text(&near));
  }
  return EXIT_DONE;
}

int refuse_unknown_model(const char* name)
{
  suggestion near;
  if (!is_unknown_model(name, &near)) return EXIT_DONE;
  return complain(EXIT_MODEL, "there is no file and no model '%s'%s; see 'percuss list models'",
                  name, suggestion_text(&near));
}

int read_run_model(const run_options* o, run_model* m)
{
  pc_error error = {0};
  int code = refuse_unknown_model(o->model);
  if (code != EXIT_DONE) return code;
  model_path(o->model, m->path, sizeof m->path);
  const pc_model_extension more = {.record = o->record, .record_count = o->record_count};
  pc_status status =
      pc_model_read_extended(m->path, o->override, o->override_count, &more, &m->model, &error);
  return_free_pages(); /* of the text and its tree */
  if (status == PC_OK) {
    code = refuse_unknown_records(o, pc_model_system(m->model));
    return code == EXIT_DONE ? refuse_input(o->out, m->path) : code;
  }
  if (status != PC_BAD_MODEL) return complain(exit_code(status), "%s", error.text);
  if (error.line == 0) return complain(EXIT_MODEL, "%s: %s", m->path, error.text);
  return complain(EXIT_MODEL, "%s:%d:%d: %s", m->path, error.line, error.column, error.text);
}

int check_scheme(const char* name, int code)
{
  if (pc_scheme_summary(name)) return EXIT_DONE;
  suggestion near = suggestion_for(name);
  for (const char* const* known = pc_scheme_names(); *known; known++) suggest(&near, *known);
  return complain(code, "there is no scheme '%s'%s; see 'percuss list schemes'", name,
                  suggestion_text(&near));
}

int apply_settings(const run_options* o, const char* scheme, pc_scheme_settings* settings)
{
  pc_error error = {0};
  pc_status status = pc_set_given(settings, scheme, o->setting, o->setting_count, &error);
  return status == PC_OK ? EXIT_DONE : complain(EXIT_USAGE, "--%s", error.text);
}

int apply_common_settings(const run_options* o, pc_scheme_settings* settings)
{
  for (int i = 0; i < o->setting_count; i++) {
    pc_given_setting given = o->setting[i];
    const char* readers = "";
    pc_error error = {0};
    pc_scheme_reads(pc_default_sim_def().scheme, given.key, &readers);
    if (*readers) continue; /* only some do */
    if (pc_set_setting(settings, given.key, given.value, &error) != PC_OK)
      return complain(EXIT_USAGE, "--%s", error.text);
  }
  return EXIT_DONE;
}

int choose_until(const run_options* o, const pc_model* model, double* until)
{
  *until = isnan(o->until) ? pc_model_until(model) : o->until;
  if (!isnan(*until)) return EXIT_DONE;
  return complain(EXIT_USAGE, "until when? give --until T, or `until` in the model's simulate");
}

int check_steps(double dt, double until)
{
  long steps = pc_step_count(dt, until);
  if (steps > 0) return EXIT_DONE;
  if (steps < 0)
    return complain(EXIT_USAGE,
                    "dt = %g s is too small: too many steps, %.2g, to reach %g s (at most %.0e are "
                    "made: at a microsecond each that takes 12 days)",
                    dt, until / dt, until, PC_STEPS_MAX);
  return complain(EXIT_USAGE, "dt = %g s is too large: until = %g s is not reached by a step", dt,
                  until);
}

int is_svg(const char* out)
{
  const char* dot = strrchr(out, '.');
  return dot && !strcasecmp(dot, ".svg");
}

int check_figure(const char* out)
{
  if (!out || is_svg(out)) return EXIT_DONE;
  const char* dot = strrchr(out, '.');
  if (dot && !strcasecmp(dot, ".png")) return EXIT_DONE;
  return complain(EXIT_USAGE, "-o is '%s'; a figure ends in .png or .svg", out);
}

int read_steps(const char* name, const char* text, double* dt, int max)
{
  int count = 0;
  for (const char* at = text;; at++) {
    char* end;
    double value = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !isfinite(value) || value <= 0)
      return complain(EXIT_USAGE, "--%s is '%s'; it must be positive times in s, such as 1e-3",
                      name, text),
             -1;
    if (count == max) return complain(EXIT_USAGE, "--%s: more than %d numbers", name, max), -1;
    dt[count++] = value;
    if (!*end) return count;
    at = end;
  }
}
