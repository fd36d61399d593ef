/* percuss compare: a model under several schemes, side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/plot_options.h"
#include "cli/results.h"
#include "cli/run_setup.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "console/replace.h"
#include "draw/comparison_figure.h"
#include "study/comparison.h"
#include "study/output.h"

enum {
  SHOWN_MAX = 4, /* final values in the table */
  REPEATS = 20,  /* runs to find the cost of a step, by default */
  REPEATS_MAX = 1000,
  REFERENCE_PARTS = 10, /* the reference's step is this part of dt, by default */
  REFERENCE_STAGES = 3  /* of lobatto as the reference: order 4 in smooth motion */
};

_Static_assert(SHOWN_MAX + PANELS_MAX * NAMES_MAX <= COMPARED_QUANTITIES_MAX &&
                   (int)NAMES_MAX == (int)PANEL_NAMES_MAX,
               "all quantities that can be asked for are kept");

static const double REPEATING =
    0.5; /* no more than this for the cost of a scheme, by default [s] */

typedef struct compare {
  run_options run; /* first: the takers of `run` write into it */
  compared_panel panel[PANELS_MAX];
  int panel_count;
  double reference_dt;   /* NAN: not given */
  const char* reference; /* a scheme; NULL: the most accurate one */
  int repeats;           /* runs for the cost of a step, the first one included; 0: not given */
  run_model model;
  comparison runs;
} compare;

static int take_schemes(void* into, const char* name, char* value)
{
  compare* c = into;
  c->runs.scheme_count = split_names(name, value, c->runs.scheme, SCHEMES_MAX);
  return c->runs.scheme_count < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int take_y(void* into, const char* name, char* value)
{
  compare* c = into;
  if (c->panel_count == PANELS_MAX)
    return complain(EXIT_USAGE, "more than %d panels (--y)", PANELS_MAX);
  compared_panel* p = &c->panel[c->panel_count++];
  p->count = split_names(name, value, p->name, NAMES_MAX);
  return p->count < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int take_reference_dt(void* into, const char* name, char* value)
{
  return read_steps(name, value, &((compare*)into)->reference_dt, 1) < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int take_reference(void* into, const char* name, char* value)
{
  (void)name;
  ((compare*)into)->reference = value;
  return check_scheme(value, EXIT_USAGE);
}

static int take_repeat(void* into, const char* name, char* value)
{
  char* end;
  long repeats = strtol(value, &end, 10);
  if (*value == '\0' || *end != '\0' || repeats < 1 || repeats > REPEATS_MAX)
    return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number from 1 to %d", name, value,
                    REPEATS_MAX);
  ((compare*)into)->repeats = (int)repeats;
  return EXIT_DONE;
}

static const option options[] = {
    {"schemes", "NAME,...", "the schemes to compare (default: all)", take_schemes},
    {"until", "T", "end time [s]", take_run_option},
    {"reference", "NAME", "scheme of the reference (default: the most accurate one)",
     take_reference},
    {"reference-dt", "H", "step of the reference [s] (default dt / 10)", take_reference_dt},
    {"set", "NAME=VALUE", "change a parameter of the model; repeatable", take_run_option},
    {"out", "FIGURE", "draw all schemes into one .png or .svg file", take_run_option},
    {"y", "NAME,...", "a panel of the figure; repeatable (default: the first two recorded)",
     take_y},
    {"threads", "N", "runs at a time (default 1, for comparable wall times)", take_run_option},
    {"repeat", "N",
     "number of timed runs, the best counts as cost.per_step (default 20, within 0.5 s)",
     take_repeat},
    {"json", NULL, "print the table as one JSON object", take_run_option},
    {"quiet", NULL, "no progress on the terminal", take_run_option},
};

const option_set compare_option_set = {options, sizeof options / sizeof *options, take_run_setting,
                                       take_run_model};

static int check_schemes(const compare* c)
{
  for (int i = 0; i < c->runs.scheme_count; i++) {
    int code = check_scheme(c->runs.scheme[i], EXIT_USAGE);
    if (code != EXIT_DONE) return code;
    for (int k = 0; k < i; k++)
      if (!strcmp(c->runs.scheme[i], c->runs.scheme[k]))
        return complain(EXIT_USAGE, "--schemes has '%s' twice", c->runs.scheme[i]);
  }
  return EXIT_DONE;
}

/* A setting that no scheme reads is a mistake. */
static int check_settings(const compare* c)
{
  for (int i = 0; i < c->run.setting_count; i++) {
    const char *key = c->run.setting[i].key, *readers = "";
    int read = 0;
    for (int k = 0; k < c->runs.scheme_count; k++)
      read |= pc_scheme_reads(c->runs.scheme[k], key, &readers);
    if (!read)
      return complain(EXIT_USAGE, "--%s does nothing in any of these schemes; it is for: %s", key,
                      readers);
  }
  return EXIT_DONE;
}

static int read_compare_options(int argc, char** argv, compare* c)
{
  c->run = (run_options){.until = NAN, .every = 1};
  c->reference_dt = NAN;
  int code = read_options(&compare_option_set, argc, argv, c);
  if (code != EXIT_DONE) return code;
  if (!c->run.model)
    return complain(EXIT_USAGE, "compare which model? usage: percuss compare MODEL [options]");
  const char* const* known = pc_scheme_names();
  if (c->runs.scheme_count == 0)
    while (known[c->runs.scheme_count] && c->runs.scheme_count < SCHEMES_MAX) {
      c->runs.scheme[c->runs.scheme_count] = known[c->runs.scheme_count];
      c->runs.scheme_count++;
    }
  code = check_schemes(c);
  if (code == EXIT_DONE) code = check_settings(c);
  if (code == EXIT_DONE) code = check_figure(c->run.out);
  if (code == EXIT_DONE && c->panel_count && !c->run.out)
    code = complain(EXIT_USAGE, "--y is for the figure; give -o FIGURE.png or FIGURE.svg too");
  return code;
}

static int add_quantity(compare* c, const char* name, int* place)
{
  const pc_system* system = pc_model_system(c->model.model);
  int quantity = pc_system_find_quantity(system, name);
  *place = c->runs.quantity_count;
  if (quantity >= 0) {
    c->runs.quantity[c->runs.quantity_count++] = quantity;
    return EXIT_DONE;
  }
  suggestion near = suggestion_for(name);
  for (int i = 0; i < pc_system_quantity_count(system); i++)
    suggest(&near, pc_system_quantity(system, i).name);
  return complain(EXIT_USAGE, "the model has no quantity '%s'%s", name, suggestion_text(&near));
}

/* The first recorded ones for the table; those of the panels, by default the first two. */
static int choose_quantities(compare* c)
{
  int count, code = EXIT_DONE;
  const pc_system* system = c->runs.system = pc_model_system(c->model.model);
  const int* recorded = pc_model_record(c->model.model, &count);
  for (int i = 0; i < count && i < SHOWN_MAX; i++)
    c->runs.quantity[c->runs.quantity_count++] = recorded[i];
  c->runs.shown_count = c->runs.quantity_count;
  int by_default = c->run.out && c->panel_count == 0;
  for (int i = 0; by_default && i < count && i < 2; i++)
    c->panel[c->panel_count++] =
        (compared_panel){.name = {pc_system_quantity(system, recorded[i]).name}, .count = 1};
  for (int p = 0; p < c->panel_count; p++)
    for (int i = 0; code == EXIT_DONE && i < c->panel[p].count; i++)
      code = add_quantity(c, c->panel[p].name[i], &c->panel[p].place[i]);
  return code;
}

static int prepare_job(compare* c, int i, const char* scheme, double until)
{
  job* j = &c->runs.jobs[i];
  *j = (job){.def = {.system = pc_model_system(c->model.model),
                     .scheme = scheme,
                     .settings = pc_model_settings(c->model.model)},
             .until = until,
             .keep_all = c->run.out != NULL,
             .quantity = c->runs.quantity,
             .quantity_count = c->runs.quantity_count};
  return apply_settings(&c->run, scheme, &j->def.settings);
}

/* A candidate for the reference has to end where the others do. It has the model's settings, and of
 * those given here the ones that all schemes read. */
static int prepare_candidate(compare* c, const char* scheme, double until)
{
  int i = c->runs.candidate_count++;
  double dt = c->runs.jobs[0].def.settings.dt, h = c->reference_dt;
  long steps = pc_step_count(h, until);
  c->runs.candidate[i] = (candidate){scheme, h, 0, NAN};
  for (int check = 0; check <= CHECKS_MAX; check++) {
    long fewer = check ? steps_of_check(steps, check) : steps;
    if (!fewer) break;
    c->runs.candidate[i].checks = check;
    job* j = candidate_job(&c->runs, i, check);
    *j = (job){.def = {.system = c->runs.system,
                       .scheme = scheme,
                       .settings = pc_model_settings(c->model.model)},
               .until = (double)pc_step_count(dt, until) * dt};
    int code = apply_common_settings(&c->run, &j->def.settings);
    if (code != EXIT_DONE) return code;
    if (!strcmp(scheme, "lobatto")) j->def.settings.variational.stages = REFERENCE_STAGES;
    j->def.settings.dt = check ? h * (double)steps / (double)fewer : h;
  }
  return EXIT_DONE;
}

/* The scheme asked for, or those from which the best one is chosen. */
static int prepare_references(compare* c, double until)
{
  static const char* const candidates[] = {"lobatto", "rattle", "generalized-alpha", "moreau-jean"};
  double dt = c->runs.jobs[0].def.settings.dt, end = (double)pc_step_count(dt, until) * dt;
  if (isnan(c->reference_dt)) c->reference_dt = dt / REFERENCE_PARTS;
  double parts = round(dt / c->reference_dt);
  if (parts < 1 || fabs(dt / c->reference_dt - parts) > 1e-6 * parts)
    return complain(EXIT_USAGE, "--reference-dt %g does not divide dt = %g", c->reference_dt, dt);
  int code = check_steps(c->reference_dt, end);
  if (code == EXIT_DONE && c->reference) return prepare_candidate(c, c->reference, end);
  for (int i = 0; code == EXIT_DONE && i < CANDIDATES_MAX; i++)
    code = prepare_candidate(c, candidates[i], end);
  return code;
}

static int prepare_jobs(compare* c)
{
  double until;
  int code = choose_until(&c->run, c->model.model, &until);
  for (int i = 0; code == EXIT_DONE && i < c->runs.scheme_count; i++) {
    code = prepare_job(c, i, c->runs.scheme[i], until);
    if (code == EXIT_DONE) code = check_steps(c->runs.jobs[i].def.settings.dt, until);
  }
  if (code == EXIT_DONE) code = prepare_references(c, until);
  if (code != EXIT_DONE) return code;
  double bytes = batch_bytes(c->runs.jobs, c->runs.scheme_count);
  if (bytes <= BATCH_BYTES_MAX) return EXIT_DONE;
  return complain(EXIT_USAGE, "the figure needs %.3g GB of memory, more than the 2 GB allowed",
                  bytes / (1 << 30));
}

static int print_result(const compare* c)
{
  if (c->run.json) {
    output out = {0};
    put_comparison(&c->runs, &out);
    output_print_json(&out, stdout);
    int failed = out.failed;
    output_free(&out);
    if (failed) return complain(EXIT_FAILED, "no memory for the table");
  } else {
    print_comparison(&c->runs, c->repeats ? c->repeats : REPEATS, stdout);
  }
  return flush_output();
}

/* All schemes that reached the end, over time. */
static int draw_schemes(const compare* c)
{
  replacement target;
  pc_error error = {0};
  int code = begin_replacement(&target, c->run.out);
  if (code != EXIT_DONE) return code;
  pc_status status = draw_comparison(&c->runs, pc_model_title(c->model.model), c->panel,
                                     c->panel_count, is_svg(c->run.out), target.file, &error);
  return end_replacement(&target, report(status, &error));
}

static int study(compare* c)
{
  int code = choose_quantities(c);
  if (code == EXIT_DONE) code = prepare_jobs(c);
  if (code == EXIT_DONE && c->run.out) code = check_replacement(c->run.out);
  if (code != EXIT_DONE) return code;
  batch_monitor monitor = begin_batch(c->run.quiet);
  int done = run_comparison(&c->runs, c->run.threads ? c->run.threads : 1,
                            c->repeats ? c->repeats : REPEATS, c->repeats ? INFINITY : REPEATING,
                            &monitor);
  end_batch(&monitor);
  code = print_result(c);
  if (code != EXIT_DONE) return code;
  if (was_interrupted())
    return complain(EXIT_INTERRUPTED, "interrupted: %d of %d schemes reached the end", done,
                    c->runs.scheme_count);
  if (!done) return complain(EXIT_FAILED, "no scheme reached the end");
  return c->run.out ? draw_schemes(c) : EXIT_DONE;
}

int compare_command(int argc, char** argv)
{
  compare* c = calloc(1, sizeof *c);
  if (!c) return complain(EXIT_FAILED, "no memory");
  int code = read_compare_options(argc, argv, c);
  if (code == EXIT_DONE) code = read_run_model(&c->run, &c->model);
  if (code == EXIT_DONE) code = study(c);
  free_comparison(&c->runs);
  pc_model_destroy(c->model.model);
  free(c);
  return code;
}
