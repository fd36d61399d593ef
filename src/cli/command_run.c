/* percuss run: read a model, simulate it, print what it amounts to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_setup.h"
#include "study/clock.h"

enum { FINAL_MAX = 200 }; /* larger systems do not list their final values */

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
    if (!scheme_reads(r->def.scheme, key, &readers))
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
  return text;
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
               "cannot go on with '%s': another version of the scheme wrote it", def->path);
      return PC_BAD_ARGUMENT;
    }
    status = pc_sim_restore(r->sim, from->step, from->q, from->u, from->P, from->memory, error);
  }
  if (status != PC_OK || !from->finished) return status;
  status = pc_recorder_close(r->recorder, error);
  r->recorder = NULL;
  return status;
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

/* Where the energy went: initial + work - losses = final. */
static void put_balance(const pc_summary* s, output* out)
{
  output_number(out, "ledger.work", s->balance.work);
  output_number(out, "ledger.lost.impact", s->balance.impact);
  output_number(out, "ledger.lost.friction", s->balance.friction);
  output_number(out, "ledger.lost.scheme", s->balance.scheme);
  output_number(out, "ledger.closes",
                s->energy_initial + s->balance.work - s->balance.impact - s->balance.friction -
                    s->balance.scheme - s->energy_final);
}

/* Of a resumed run, the summary covers what came after. */
static void put_resumed(const run* r, output* out)
{
  if (!r->options.resume) return;
  output_number(out, "resumed.from", r->resumed.t);
  output_count(out, "resumed.step", r->resumed.step);
  output_text(out, "resumed.note",
              r->resumed.finished ? "nothing more to do: the file reaches this time already"
                                  : "this summary covers the steps after it");
}

static void put_summary(const run* r, const char* status, output* out)
{
  pc_summary s = pc_sim_summary(r->sim);
  char key[64];
  output_text(out, "model", r->from.path);
  if (*pc_model_title(r->from.model)) output_text(out, "title", pc_model_title(r->from.model));
  output_text(out, "scheme", r->def.scheme);
  output_number(out, "dt", r->def.settings.dt);
  output_count(out, "steps", s.steps);
  output_number(out, "time", s.time);
  output_text(out, "status", status);
  put_resumed(r, out);
  output_number(out, "penetration.max", s.penetration_max);
  output_number(out, "constraint.position.max", s.constraint_position_max);
  output_number(out, "constraint.velocity.max", s.constraint_velocity_max);
  if (!isnan(s.constraint_acceleration_max))
    output_number(out, "constraint.acceleration.max", s.constraint_acceleration_max);
  output_number(out, "impact.residual.max", s.impact_residual_max);
  output_number(out, "friction.residual.max", s.friction_residual_max);
  output_number(out, "energy.initial", s.energy_initial);
  output_number(out, "energy.final", s.energy_final);
  output_number(out, "energy.max.increase", s.energy_max_increase);
  for (int i = 0; i < s.stage_count; i++) {
    snprintf(key, sizeof key, "iterations.%s.max", s.stage[i]);
    output_count(out, key, s.iterations_max[i]);
    snprintf(key, sizeof key, "iterations.%s.avg", s.stage[i]);
    output_number(out, key, s.iterations_avg[i]);
  }
  output_number(out, "residual.step.max", s.residual_max);
  output_number(out, "residual.solver.max", s.solver_residual_max);
  output_count(out, "contacts.active.max", s.contacts_active_max);
  output_count(out, "events.closed", s.events_closed);
  output_count(out, "events.opened", s.events_opened);
  output_count(out, "steps_halved", s.steps_halved);
  output_count(out, "steps_inaccurate", s.steps_inaccurate);
  if (s.first_inaccurate) output_count(out, "first_inaccurate_step", s.first_inaccurate);
  put_balance(&s, out);
  output_number(out, "wall.seconds", r->seconds);
  output_number(out, "wall.per_step", s.steps ? r->seconds / (double)s.steps : 0);
}

/* violation.PART.LAW.max and .time, for a law that was violated at all. */
static void put_violation(output* out, const pc_violation* v)
{
  char key[256];
  if (v->value <= 0) return;
  snprintf(key, sizeof key, "violation.%s.%s.max", v->part, pc_violated_name(v->law));
  output_number(out, key, v->value);
  snprintf(key, sizeof key, "violation.%s.%s.time", v->part, pc_violated_name(v->law));
  output_number(out, key, v->t);
}

/* The worst of each law. */
static void put_violation_digest(const pc_violation* list, int count, output* out)
{
  for (int law = 0; law < PC_VIOLATED_COUNT; law++) {
    pc_violation worst = {0};
    for (int i = 0; i < count; i++)
      if ((int)list[i].law == law && list[i].value > worst.value) worst = list[i];
    put_violation(out, &worst);
  }
  output_text(out, "violation.note", "the system is large: only the worst of each law is here");
}

/* The largest violation of each constraint row and each contact law. */
static void put_violations(const run* r, output* out)
{
  const pc_system* system = r->def.system;
  const pc_violation* list = pc_sim_observation(r->sim)->violation;
  int count = pc_violation_count(system);
  if (pc_system_row_count(system) > FINAL_MAX)
    put_violation_digest(list, count, out);
  else
    for (int i = 0; i < count; i++) put_violation(out, &list[i]);
}

/* ", P_F = 0.1 N s", in brackets if it has several components; nothing without friction. */
static void describe_friction(const pc_event* event, int dimension, char* text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < dimension && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%.6g",
                             i               ? ", "
                             : dimension > 1 ? ", P_F = ("
                                             : ", P_F = ",
                             event->P_F[i]);
  if (dimension > 0 && used < size)
    snprintf(text + used, size - used, dimension > 1 ? ") N s" : " N s");
}

/* An impact or an opening in words; percussion and mean force told apart by their units. */
static void describe_event(const run* r, const pc_event* event, char* text, size_t size)
{
  pc_contact_info contact = pc_system_contact(r->def.system, event->contact);
  char friction[96];
  describe_friction(event, contact.dimension, friction, sizeof friction);
  if (event->kind == PC_CONTACT_CLOSED)
    snprintf(text, size,
             "t = %.9g s, %.60s closes: P_N = %.6g N s (mean force %.6g N over the step)%s, normal "
             "velocity %.6g -> %.6g m/s",
             event->t, contact.name, event->P_N, event->P_N / r->def.settings.dt, friction,
             event->velocity_before, event->velocity_after);
  else
    snprintf(text, size, "t = %.9g s, %.60s opens: normal velocity %.6g -> %.6g m/s", event->t,
             contact.name, event->velocity_before, event->velocity_after);
}

/* The first of them; the result file has all. */
static void put_events(const run* r, output* out)
{
  const pc_event* event;
  int shown = 0;
  for (; (event = pc_sim_event(r->sim, shown)) != NULL; shown++) {
    char key[40], text[384];
    snprintf(key, sizeof key, "event.%d", shown + 1);
    describe_event(r, event, text, sizeof text);
    output_text(out, key, text);
  }
  pc_summary s = pc_sim_summary(r->sim);
  long all = s.events_closed + s.events_opened;
  if (all <= shown) return;
  char text[160];
  snprintf(text, sizeof text,
           "%ld more; all of them are in the result file, under /ledger/events%s", all - shown,
           r->options.out || r->options.resume ? "" : " (--out FILE.h5)");
  output_text(out, "event.note", text);
}

static void put_final_values(const run* r, output* out)
{
  int count;
  const int* recorded = pc_model_record(r->from.model, &count);
  char text[256];
  if (count > FINAL_MAX) {
    snprintf(
        text, sizeof text,
        "%d values are not listed, for more than %d; name some under 'record:' in the model, or "
        "use --out FILE.h5 and 'percuss export'",
        count, FINAL_MAX);
    output_text(out, "final.note", text);
    return;
  }
  for (int i = 0; i < count; i++) {
    snprintf(text, sizeof text, "final.%s", pc_system_quantity(r->def.system, recorded[i]).name);
    output_number(out, text, pc_observe_quantity(pc_sim_observation(r->sim), recorded[i]));
  }
}

static int print_summary(const run* r, const char* status)
{
  output out = {0};
  put_summary(r, status, &out);
  put_violations(r, &out);
  put_events(r, &out);
  put_final_values(r, &out);
  if (r->options.json)
    output_print_json(&out, stdout);
  else
    output_print_lines(&out, stdout);
  int failed = out.failed;
  output_free(&out);
  return failed ? complain(EXIT_FAILED, "no memory for the summary") : flush_output();
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
  watch_for_interrupt();
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
    return complain(exit_code(closed), "%s; what was written before is in it, --resume goes on",
                    closing.text);
  }
  int stopped = status == PC_STOPPED && was_interrupted();
  int code = print_summary(r, status == PC_OK ? "done" : stopped ? "interrupted" : "failed");
  if (stopped) return complain(EXIT_INTERRUPTED, "%s", error.text);
  if (status != PC_OK) return complain(EXIT_FAILED, "%s", error.text);
  return code;
}

int run_command(int argc, char** argv)
{
  run r = {0};
  int code = read_run_options(argc, argv, &r.options);
  if (code == EXIT_DONE) code = read_run_model(&r.options, &r.from);
  if (code == EXIT_DONE) code = choose_settings(&r);
  if (code == EXIT_DONE) code = create_sim(&r);
  if (code == EXIT_DONE) code = simulate(&r);
  pc_recorder_close(r.recorder, NULL);
  pc_sim_destroy(r.sim);
  pc_model_destroy(r.from.model);
  return code;
}
