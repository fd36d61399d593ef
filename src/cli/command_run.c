/* percuss run: read a model, simulate it, print what it amounts to. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run_setup.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "study/clock.h"
#include "study/run_report.h"

/* A run in progress: what has to be released at its end. */
typedef struct run {
  run_options options;
  run_model from;
  pc_sim_def def;
  double until;
  pc_sim* sim;
  pc_recorder* recorder;
  pc_resume_state resumed;
  double seconds;
  run_report report;
} run;

static int choose_scheme(run* r)
{
  const char* name = r->options.scheme ? r->options.scheme : pc_model_scheme(r->from.model);
  r->def.scheme = name ? name : pc_default_sim_def().scheme;
  return check_scheme(r->def.scheme, r->options.scheme ? EXIT_USAGE : EXIT_MODEL);
}

/* An option that the scheme does not read would do nothing: better to say so. */
static int refuse_idle_settings(const run* r)
{
  for (int i = 0; i < r->options.setting_count; i++) {
    const char *key = r->options.setting[i].key, *readers = "";
    if (!pc_scheme_reads(r->def.scheme, key, &readers))
      return complain(EXIT_USAGE, "--%s does nothing in scheme '%s'; it is for: %s", key,
                      r->def.scheme, readers);
  }
  return EXIT_DONE;
}

/* Scheme, settings and end time: the model's, then those of the command line. */
static int choose_settings(run* r)
{
  r->def.system = pc_model_system(r->from.model);
  r->def.settings = pc_model_settings(r->from.model);
  int code = choose_scheme(r);
  r->def.settings.threads = r->options.threads;
  if (code == EXIT_DONE) code = refuse_idle_settings(r);
  if (code == EXIT_DONE) code = apply_settings(&r->options, r->def.scheme, &r->def.settings);
  if (code == EXIT_DONE) code = choose_until(&r->options, r->from.model, &r->until);
  if (code == EXIT_DONE) code = check_steps(r->def.settings.dt, r->until);
  return code;
}

/* Appends "name=value" as a line. */
static void add_line(char* text, size_t size, const char* kind, const char* name, const char* value)
{
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s%s%s=%s", used ? "\n" : "", kind, name, value);
}

/* The command's settings for the result file, one a line; the last one of a name is the one that
 * counts. To be freed. */
static char* describe_options(const run* r)
{
  const run_options* o = &r->options;
  size_t size = 256 + strlen(r->def.scheme);
  for (int i = 0; i < o->setting_count; i++)
    size += strlen(o->setting[i].key) + strlen(o->setting[i].value) + 8;
  for (int i = 0; i < o->override_count; i++)
    size += strlen(o->override[i].name) + strlen(o->override[i].value) + 8;
  for (int i = 0; i < o->record_count; i++) size += strlen(o->record[i]) + 9;
  char* text = malloc(size);
  if (!text) return NULL;
  snprintf(text, size, "scheme=%s\ndt=%.17g\nuntil=%.17g", r->def.scheme, r->def.settings.dt,
           r->until);
  for (int i = 0; i < o->setting_count; i++) {
    int last = strcmp(o->setting[i].key, "dt") != 0; /* said above, as a number */
    for (int j = i + 1; j < o->setting_count; j++)
      if (!strcmp(o->setting[i].key, o->setting[j].key)) last = 0;
    if (last) add_line(text, size, "", o->setting[i].key, o->setting[i].value);
  }
  for (int i = 0; i < o->override_count; i++) {
    int last = 1;
    for (int j = i + 1; j < o->override_count; j++)
      if (!strcmp(o->override[i].name, o->override[j].name)) last = 0;
    if (last) add_line(text, size, "set:", o->override[i].name, o->override[i].value);
  }
  for (int i = 0; i < o->record_count; i++) add_line(text, size, "record:", o->record[i], "");
  return text;
}

static void warn(run* r, const pc_warning* warning)
{
  complain(EXIT_DONE, "warning: %s; %s", warning->text, warning->remedy);
  add_report_warning(&r->report, warning);
}

/* Sets the simulation to where the file ends. A file that is complete is closed again. */
static pc_status resume(run* r, const pc_recorder_def* def, pc_error* error)
{
  long last = pc_step_count(r->def.settings.dt, r->until);
  pc_resume_state* from = &r->resumed;
  pc_status status = pc_recorder_resume(def, last, from, &r->recorder, error);
  if (status != PC_OK) return status;
  if (from->step > 0) {
    if (from->memory_count != pc_sim_observation(r->sim)->state->memory_count) {
      snprintf(error->text, sizeof error->text,
               "cannot resume '%s': another version of the scheme wrote it", def->path);
      return PC_BAD_ARGUMENT;
    }
    status = pc_sim_restore(r->sim, from->step, from->q, from->u, from->P, from->memory, error);
    if (status == PC_OK) status = pc_sim_restore_found(r->sim, &from->found, error);
  }
  if (status != PC_OK || !from->finished) return status;
  status = pc_recorder_close(r->recorder, error);
  r->recorder = NULL;
  return status;
}

/* The initial state, each N-th step, and the last. */
static long count_rows(const run* r)
{
  long steps = pc_step_count(r->def.settings.dt, r->until), every = r->options.every;
  return 1 + steps / every + (steps % every != 0);
}

static int open_recorder(run* r)
{
  if (!r->options.out && !r->options.resume) return EXIT_DONE;
  char* text = describe_options(r);
  if (!text) return complain(EXIT_FAILED, "out of memory");
  pc_error error = {0};
  pc_recorder_def def = pc_default_recorder_def();
  def.path = r->options.resume ? r->options.resume : r->options.out;
  def.system = r->def.system;
  def.quantity = pc_model_record(r->from.model, &def.quantity_count);
  def.every = r->options.every;
  def.expected_rows = count_rows(r);
  def.force = r->options.force;
  def.model_text = pc_model_text(r->from.model);
  def.options = text;
  pc_status status =
      r->options.resume ? resume(r, &def, &error) : pc_recorder_create(&def, &r->recorder, &error);
  free(text);
  if (status == PC_OK && r->recorder)
    status = pc_sim_add_observer(r->sim, pc_recorder_observe, r->recorder, &error);
  return status == PC_OK ? EXIT_DONE : complain(exit_code(status), "%s", error.text);
}

static int create_sim(run* r)
{
  pc_error error = {0};
  pc_status status = pc_sim_create(&r->def, &r->sim, &error);
  if (status == PC_OK) return open_recorder(r);
  if (status == PC_BAD_MODEL) return complain(EXIT_MODEL, "%s: %s", r->from.path, error.text);
  return complain(exit_code(status), "%s", error.text);
}

/* The warnings that a run begins with, on stderr and for the summary. */
static int warn_before(run* r)
{
  pc_warning warning[REPORTED_WARNINGS_MAX];
  pc_error error = {0};
  int count = 0;
  pc_status status =
      pc_check_run(&r->def, r->until, warning, REPORTED_WARNINGS_MAX, &count, &error);
  if (status == PC_OUT_OF_MEMORY) return complain(EXIT_FAILED, "out of memory");
  for (int i = 0; i < count; i++) warn(r, &warning[i]);
  return EXIT_DONE; /* what cannot be examined is reported by the first step */
}

/* Doubts that follow from the numbers themselves. Returns whether there are any. */
static int judge(run* r)
{
  pc_verdict verdict = pc_sim_judge(r->sim);
  for (int i = 0; i < verdict.doubt_count; i++) warn(r, &verdict.doubt[i]);
  return verdict.doubt_count > 0;
}

/* Without ".h5". */
static int name_length(const char* path)
{
  size_t length = strlen(path);
  return (int)(length > 3 && !strcmp(path + length - 3, ".h5") ? length - 3 : length);
}

/* A command to type next. */
static void suggest_next(const run* r, char* text, size_t size)
{
  const char *result = r->report.result,
             *looking = find_command(commands, "view") ? "view" : "animate";
  if (result)
    snprintf(text, size, "percuss %s %s -o %.*s.html", looking, result, name_length(result),
             result);
  else
    snprintf(text, size, "percuss run %s --out run.h5", r->options.model);
}

static int print_summary(run* r, const char* status)
{
  output out = {0};
  char next[PATH_MAX + 64];
  r->report.status = status;
  r->report.seconds = r->seconds;
  suggest_next(r, next, sizeof next);
  r->report.next = next;
  if (!r->options.json && !r->options.full) {
    print_digest(&r->report, stdout);
    return flush_output();
  }
  put_run_report(&r->report, &out);
  if (r->options.json)
    output_print_json(&out, stdout);
  else
    output_print_lines(&out, stdout);
  int failed = out.failed;
  output_free(&out);
  return failed ? complain(EXIT_FAILED, "no memory for the summary") : flush_output();
}

static void begin_report(run* r)
{
  r->report = (run_report){.model_path = r->from.path,
                           .model = r->from.model,
                           .def = &r->def,
                           .sim = r->sim,
                           .result = r->options.resume ? r->options.resume : r->options.out,
                           .resumed = r->options.resume ? &r->resumed : NULL};
}

static int stop_if_interrupted(void* user, const pc_observation* seen)
{
  (void)user;
  (void)seen;
  return !was_interrupted();
}

/* Runs to the end, closes the file and prints the summary, whatever happened. */
static int simulate(run* r)
{
  progress bar;
  pc_error error = {0}, closing = {0};
  progress_begin(&bar, pc_step_count(r->def.settings.dt, r->until), r->options.quiet);
  catch_interrupts();
  pc_status status = pc_sim_add_observer(r->sim, progress_observe, &bar, &error);
  if (status == PC_OK) status = pc_sim_add_observer(r->sim, stop_if_interrupted, NULL, &error);
  double started = wall_clock();
  if (status == PC_OK) status = pc_sim_run(r->sim, r->until, &error);
  r->seconds = wall_clock() - started;
  progress_end(&bar);
  pc_status closed = pc_recorder_close(r->recorder, &closing);
  r->recorder = NULL;
  if (closed != PC_OK) {
    print_summary(r, "failed");
    return complain(exit_code(closed),
                    "%s; what was written before is in it, --resume continues the run",
                    closing.text);
  }
  int stopped = status == PC_STOPPED && was_interrupted();
  int doubtful = status == PC_OK && judge(r);
  int code = print_summary(r, status != PC_OK ? (stopped ? "interrupted" : "failed")
                              : doubtful      ? "doubtful"
                                              : "done");
  if (stopped) return complain(EXIT_INTERRUPTED, "%s", error.text);
  if (status != PC_OK) return complain(EXIT_FAILED, "%s", error.text);
  return code == EXIT_DONE && doubtful && r->options.strict ? EXIT_FAILED : code;
}

int run_command(int argc, char** argv)
{
  run r = {0};
  int code = read_run_options(argc, argv, &r.options);
  if (code == EXIT_DONE) code = read_run_model(&r.options, &r.from);
  if (code == EXIT_DONE) code = choose_settings(&r);
  if (code == EXIT_DONE) code = create_sim(&r);
  if (code == EXIT_DONE) begin_report(&r);
  if (code == EXIT_DONE) code = warn_before(&r);
  if (code == EXIT_DONE) code = simulate(&r);
  pc_recorder_close(r.recorder, NULL);
  pc_sim_destroy(r.sim);
  pc_model_destroy(r.from.model);
  return code;
}
